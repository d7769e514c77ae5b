/* bindings/cli/render/contact_plot.h -- a picture of one contact: force, penetration,
 * speeds and energies over the time in which it touches, and beside it, where
 * that is long, the greatest force enlarged. */
#ifndef SB_BINDINGS_CLI_RENDER_CONTACT_PLOT_H
#define SB_BINDINGS_CLI_RENDER_CONTACT_PLOT_H

#include "bindings/cli/render/contact_file.h"

/* There must be a row. */
SB_NODISCARD sb_status contact_plot(const contact_rows *rows, double rate_hz,
                                    const char *scene_path, long long number,
                                    const char *path, sb_error *err);

#endif
