/* SPDX-License-Identifier: MIT */
/* tests/bench/live/reload_click.h -- does a reload make a sound of its own?
 *
 * Reloads that change nothing, that retune a mode, and good and bad saves in
 * turn, against a run without a reload.
 *
 * Thread: control; works in the folder it is given.
 */
#pragma once

#include "tests/bench/bench.h"

SB_NODISCARD sb_status report_clicks(const char *folder, report *to,
                                     sb_error *err);
