/* bindings/cli/bench/bench_world_plot.h -- figures 8 and 4 of the paper as
 * images.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_BENCH_BENCH_WORLD_PLOT_H
#define SB_BINDINGS_CLI_BENCH_BENCH_WORLD_PLOT_H

#include "bindings/cli/bench/bench_world.h"

/* Write figure 8 to `path` and figure 4 beside it: out.png, out_bar.png. Points
 * above the axis are clamped to it. Errors of graph.h. */
SB_NODISCARD sb_status bench_world_plot(const char *path,
                                        bench_world_point *points, int count,
                                        const bench_world_rings *of,
                                        sb_error *err);

#endif
