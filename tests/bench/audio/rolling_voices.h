/* SPDX-License-Identifier: MIT */
/* tests/bench/audio/rolling_voices.h -- how many rolling voices one core plays.
 *
 * Bodies of 32 modes, each rung by something that rolls over it from one end to
 * the other and back at 0.5 to 0.7 m/s: a contact whose weights move in every
 * frame, and a force of micro-impacts a millimetre apart (rub.h; Maunsbach &
 * Serafin 4.3). A second time with a fractal surface underneath besides, whose
 * profile is felt in every frame. Blocks of 128 frames at 48 kHz, all voices in
 * every block. Times as in bench_contacts.c.
 *
 * Thread: control; it takes a few seconds and holds on to one core.
 */
#pragma once

#include "tests/bench/bench.h"

/* NO_MEMORY, or BAD_ARGUMENT if a bank refuses its modes. */
SB_NODISCARD sb_status report_rolling(report *to, sb_error *err);
