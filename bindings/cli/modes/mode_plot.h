/* bindings/cli/modes/mode_plot.h -- draws the first twelve modes of a body, as
 * Chladni figures.
 *
 * A flat body is seen from above: dark metal, coloured faintly where it moves
 * up or down, with sand on the nodal lines. Any other body is seen from the
 * side and a little from above, deformed as in the mode, with the same colours
 * and lines.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODE_PLOT_H
#define SB_BINDINGS_CLI_MODES_MODE_PLOT_H

#include "bindings/cli/modes/modes.h"

/* Write a PNG atomically. BAD_ARGUMENT for a body without a surface or modes,
 * NO_MEMORY, and errors of picture.h. */
SB_NODISCARD sb_status plot_modes(const mode_body *body, const char *path,
                                  sb_error *err);

#endif
