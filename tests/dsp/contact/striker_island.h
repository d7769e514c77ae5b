/* SPDX-License-Identifier: MIT */
/* tests/dsp/contact/striker_island.h -- strikers on one body as an island of
 * their own, without an engine. Memory: the caller's. */
#pragma once

#include "runtime/dsp/contact/link_internal.h"
#include "runtime/dsp/contact/striker.h"

typedef struct striker_island {
    sb_island island;
    sb_link links[SB_STRIKERS];
} striker_island;

/* The bank is only read here. */
static inline void assemble(striker_island *f, sb_striker *const *strikers,
                            int count, const sb_modal_bank *bank, double dt_s) {
    f->island = (sb_island){.dt_s = dt_s, .body_count = 1};
    f->island.bank[0] = (sb_modal_bank *)bank;
    for (int i = 0; i < count; i++) {
        sb_link_init_striker(&f->links[i], strikers[i]);
        f->island.link[f->island.link_count++] = &f->links[i];
    }
}

/* True if any striker may touch in the coming block, which must then be played
 * with the modes copied from the bank. */
static inline bool strikers_look(sb_striker *const *strikers, int count,
                                 const sb_modal_bank *bank, double dt_s) {
    striker_island f;
    assemble(&f, strikers, count, bank, dt_s);
    return sb_island_look(&f.island);
}

/* Steps per frame for those that may touch. */
static inline int strikers_parts(sb_striker *const *strikers, int count) {
    int parts = 1;
    for (int i = 0; i < count; i++)
        if (strikers[i]->is_near && strikers[i]->parts > parts)
            parts = strikers[i]->parts;
    return parts;
}

/* Play a block in which something may touch: adds the output to `out` and
 * advances the field and the near strikers. */
static inline void strikers_play(sb_striker *const *strikers, int count,
                                 sb_modal_field *field, float *out,
                                 sb_impact_log *log) {
    striker_island f;
    assemble(&f, strikers, count, NULL, field->whole.step_s);
    f.island.field[0] = field;
    f.island.out[0] = out;
    f.island.log = log;
    f.island.parts = field->parts;
    sb_island_play_fields(&f.island);
}

/* In every block, at its end: strikers that are not near fly on, and those that
 * are done are marked OVER. */
static inline void strikers_fly(sb_striker *const *strikers, int count,
                                const sb_modal_bank *bank, double dt_s) {
    striker_island f;
    assemble(&f, strikers, count, bank, dt_s);
    sb_island_fly(&f.island);
}
