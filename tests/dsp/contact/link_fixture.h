/* SPDX-License-Identifier: MIT */
/* tests/dsp/contact/link_fixture.h -- ringing bodies and links, played as the
 * engine plays them.
 */
#pragma once

#include "runtime/dsp/contact/link.h"

#include "tests/dsp/bank/modal_bank_fixture.h"

enum { BODIES = 3 };

typedef struct world {
    sb_island island;
    sb_modal_field field[BODIES];
    void *memory[BODIES];
    float out[BODIES][BLOCK];
    sb_impact_log log; /* of the last block */
    double impulse_ns; /* of all contacts so far */
    double recoil_ns2; /* the same, each squared */
    int contacts;
} world;

static inline void world_open(world *w, double rate_hz) {
    memset(w, 0, sizeof *w);
    w->island.dt_s = 1 / rate_hz;
    w->island.log = &w->log;
}

static inline int world_body(world *w, const sb_bank_mode *modes, int count) {
    int f = w->island.body_count++;
    w->island.bank[f] = bank_new(modes, count, 1 / w->island.dt_s);
    w->memory[f] = sb_alloc_aligned(sb_modal_field_bytes(count));
    ck_assert_ptr_nonnull(w->memory[f]);
    sb_modal_field_init(&w->field[f], w->memory[f], count);
    w->island.field[f] = &w->field[f];
    w->island.out[f] = w->out[f];
    return f;
}

static inline void world_join(world *w, sb_link *link, int side, int body,
                              const float *weights) {
    link->side[side].body = body;
    link->side[side].weights = weights;
    for (int i = 0; i < w->island.link_count; i++)
        if (w->island.link[i] == link) return;
    w->island.link[w->island.link_count++] = link;
}

/* A striker with given sides. */
static inline void world_throw(world *w, sb_link *link) {
    int count[2] = {0, 0};
    for (int s = 0; s < 2; s++)
        if (link->side[s].body >= 0)
            count[s] =
                sb_modal_bank_mode_count(w->island.bank[link->side[s].body]);
    sb_link_prepare_striker(link, count, 1 / w->island.dt_s);
}

static inline void world_close(world *w) {
    for (int f = 0; f < w->island.body_count; f++) {
        sb_free(w->island.bank[f]);
        sb_free(w->memory[f]);
    }
}

/* One block. */
static inline bool world_play(world *w) {
    bool is_well = true, is_near = sb_island_look(&w->island);
    w->log.count = w->log.lost = 0;
    memset(w->out, 0, sizeof w->out);
    for (int f = 0; f < w->island.body_count; f++)
        if (!is_near || !w->island.is_touched[f])
            sb_modal_bank_render(w->island.bank[f], w->out[f]);
    if (is_near) is_well = sb_island_play(&w->island);
    sb_island_fly(&w->island);
    for (int i = 0; i < w->log.count; i++) {
        double j = w->log.items[i].impulse_ns;
        w->impulse_ns += j;
        w->recoil_ns2 += j * j;
        w->contacts++;
    }
    return is_well;
}

static inline double world_modes_j(const world *w) {
    double sum = 0;
    for (int f = 0; f < w->island.body_count; f++)
        sum += sb_modal_bank_energy_j(w->island.bank[f]);
    return sum;
}

static inline void world_impulse(world *w, int body, const float *weights,
                                 double impulse_ns) {
    float unheard[BLOCK] = {0};
    sb_bank_impulse impulse = {.impulse_ns = impulse_ns, .weights = weights};
    sb_modal_bank_render(w->island.bank[body], unheard);
    sb_modal_bank_impulse(w->island.bank[body], &impulse, unheard);
}
