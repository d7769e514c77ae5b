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

/* Write a PNG, whole or not at all. BAD_ARGUMENT for what has no surface or no
 * modes, NO_MEMORY, and what picture.h says. */
SB_NODISCARD sb_status plot_modes(const mode_body *body, const char *path,
                                  sb_error *err);

#endif
