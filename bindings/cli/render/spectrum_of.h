/* bindings/cli/render/spectrum_of.h -- the spectrum of a render at given times.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_RENDER_SPECTRUM_OF_H
#define SB_BINDINGS_CLI_RENDER_SPECTRUM_OF_H

#include "bindings/cli/render/picture_of.h"
#include "runtime/base/status.h"

#include <stdbool.h>

/* True if the text is one to three times >= 0, as in 0.2,5.2. */
bool spectrum_is_times(const char *text);

/* Draw one curve per time, both ears together, and save the image as PNG.
 * `times` NULL: at the loudest frame. BAD_ARGUMENT: a time after the end;
 * NO_MEMORY; errors of graph.h. */
SB_NODISCARD sb_status spectrum_write(const char *path, const char *scene_path,
                                      const picture_samples *samples,
                                      int rate_hz, const char *times,
                                      sb_error *err);

#endif
