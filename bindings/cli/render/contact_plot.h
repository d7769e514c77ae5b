/* bindings/cli/render/contact_plot.h -- one contact as an image.
 *
 * Force, penetration, speeds and energies over the time of contact; for a long
 * contact also an enlarged part around the greatest force.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_RENDER_CONTACT_PLOT_H
#define SB_BINDINGS_CLI_RENDER_CONTACT_PLOT_H

#include "bindings/cli/render/contact_file.h"

/* Draw the contact as PNG; needs at least one row. */
SB_NODISCARD sb_status contact_plot(const contact_rows *rows, double rate_hz,
                                    const char *scene_path, long long number,
                                    const char *path, sb_error *err);

#endif
