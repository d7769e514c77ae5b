/* SPDX-License-Identifier: MIT */
/* tests/bench/live/save_delay.h -- how soon a saved file is heard.
 *
 * A scene plays on the silent clock, and one of its files is saved repeatedly,
 * each time after the audio thread has counted the retuning of the last. From
 * the end of the save to that count; the device's own latency comes on top.
 *
 * Thread: control.
 */
#pragma once

#include "runtime/base/status.h"
#include "tests/bench/measure.h"

/* Saves a file so that modes retune; `turn` counts from 0. */
typedef void save_turn(void *user, int turn);

/* Opens the scene at `path`, watched, and closes it. In ms. NO_CONVERGENCE if
 * not all saves are heard in 30 s. */
SB_NODISCARD sb_status save_delay_measure(const char *path, save_turn *save,
                                          void *user, spread *out_ms,
                                          sb_error *err);
