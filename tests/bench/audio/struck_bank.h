/* SPDX-License-Identifier: MIT */
/* tests/bench/audio/struck_bank.h -- one block of a bank under a striker, played
 * as a voice plays it. Thread: control. Memory: the caller's. */
#pragma once

#include "tests/dsp/contact/striker_island.h"

#include <string.h>

static inline void play_struck(sb_modal_bank *bank, sb_modal_field *field,
                               sb_striker *striker, double dt_s,
                               float out[SB_BLOCK_FRAMES]) {
    sb_impact_log log;
    log.count = log.lost = 0;
    memset(out, 0, SB_BLOCK_FRAMES * sizeof *out);
    if (strikers_look(&striker, 1, bank, dt_s)) {
        sb_modal_field_load(field, bank, strikers_parts(&striker, 1));
        strikers_play(&striker, 1, field, out, &log);
        sb_modal_field_store(field, bank);
    } else {
        sb_modal_bank_render(bank, out);
    }
    strikers_fly(&striker, 1, bank, dt_s);
}
