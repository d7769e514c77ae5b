/* bindings/cli/modes/merge_plot.h -- draws which modes are merged, and why.
 *
 * Both axes are logarithmic. The curve is the least difference of frequency
 * that an ear notices, times `merge`; a dot per mode shows how far above it the
 * next one lies, before and after merging: modes below the curve are taken
 * together. Under it, two rows of ticks show the frequencies themselves.
 *
 * Thread: control.
 * Source: Raghuvanshi & Lin, Interactive Sound Synthesis for Large Scale
 *         Environments, 2006, figure 3 (the curve); compress.h.
 */
#ifndef SB_BINDINGS_CLI_MODES_MERGE_PLOT_H
#define SB_BINDINGS_CLI_MODES_MERGE_PLOT_H

#include "bindings/cli/modes/modes.h"

/* Write a PNG atomically. A model of elements is finished a second time,
 * without merging. BAD_ARGUMENT for a body without modes, errors of solving and
 * of picture.h. */
SB_NODISCARD sb_status plot_merging(const mode_body *body,
                                    const modes_options *options,
                                    const char *path, sb_error *err);

#endif
