/* bindings/cli/modes/mode_paint.h -- colours of a mode: orange against blue,
 * sand on the nodal lines.
 *
 * Flat bodies are dark metal with sand along the nodal lines, as Chladni drew
 * them; other bodies are lit from above and have pale nodal lines.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_PAINT_H
#define SB_BINDINGS_CLI_MODES_MODE_PAINT_H

#include "runtime/media/picture/picture.h"

#include <stdbool.h>

typedef struct sb_view sb_view;

/* A pixel is the mean of MODE_PAINT_FINE x MODE_PAINT_FINE pixels of the view.
 */
enum { MODE_PAINT_FINE = 3 };

extern const sb_colour mode_paint_page, mode_paint_panel, mode_paint_ink,
    mode_paint_faint;

/* Paint a whole view with its top left corner at (left, top) of the picture. */
void mode_paint(sb_picture *picture, const sb_view *view, bool is_flat,
                int left, int top);

#endif
