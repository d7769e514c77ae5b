/* bindings/cli/render/take.h -- a sound file whose level is chosen at its end.
 *
 * Without --normalize frames go to the file as they come. With it they are kept
 * as floats in a nameless temporary file, and written with a gain when the peak
 * of the whole render is known. The file appears complete or not at all.
 *
 * Thread: control.
 * Memory: the caller's struct; take_close or take_abort frees what it holds.
 */
#ifndef SB_BINDINGS_CLI_RENDER_TAKE_H
#define SB_BINDINGS_CLI_RENDER_TAKE_H

#include "runtime/media/sound_file.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct take {
    sb_sound_writer *writer;
    FILE *kept; /* NULL: written at once */
    double peak;
    bool clips; /* 24-bit samples were beyond full scale */
    bool is_float;
} take;

SB_NODISCARD sb_status take_open(take *self, const char *path,
                                 const sb_sound_def *def, bool is_kept,
                                 sb_error *err);
SB_NODISCARD sb_status take_add(take *self, const float *stereo, int frames,
                                sb_error *err);
/* `gain` applies to a take that was kept. */
SB_NODISCARD sb_status take_close(take *self, double gain, sb_error *err);
void take_abort(take *self);

#endif
