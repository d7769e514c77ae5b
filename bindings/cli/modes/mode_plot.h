/* bindings/cli/modes/mode_plot.h -- the first twelve modes of a body as Chladni would
 * have seen them.
 *
 * What is flat is seen from above: dark metal, faintly coloured by where it
 * moves up and where down, and sand that has come to rest on the nodal lines.
 * Other things are seen from the side, a little from above, bent as the mode
 * bends them, with the same colours and lines.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_PLOT_H
#define SB_BINDINGS_CLI_MODES_MODE_PLOT_H

#include "bindings/cli/modes/modes.h"

/* Write a PNG, whole or not at all. BAD_ARGUMENT for what has no surface or no
 * modes, NO_MEMORY, and what picture.h says. */
SB_NODISCARD sb_status plot_modes(const mode_body *body, const char *path,
                                  sb_error *err);

#endif
