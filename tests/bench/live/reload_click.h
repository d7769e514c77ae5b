/* tests/bench/live/reload_click.h -- does a reload make a sound of its own?
 *
 * Reloads that change nothing, that retune a mode, and good and bad saves in
 * turn, against a run without a reload.
 *
 * Thread: control; works in the folder it is given.
 */
#ifndef SB_TESTS_BENCH_LIVE_RELOAD_CLICK_H
#define SB_TESTS_BENCH_LIVE_RELOAD_CLICK_H

#include "tests/bench/bench.h"

SB_NODISCARD sb_status report_clicks(const char *folder, report *to,
                                     sb_error *err);

#endif
