/* SPDX-License-Identifier: MIT */
/* tests/dsp/contact/striker_fixture.h -- strikers and banks played together,
 * and the sums that must come out.
 */
#pragma once

#include "tests/dsp/contact/striker_island.h"

#include "tests/dsp/bank/modal_bank_fixture.h"

enum { MOST_RECORDS = 4096 };

typedef struct stage {
    sb_modal_bank *bank;
    sb_modal_field field;
    void *memory;
    int mode_count;
    double rate_hz;
    sb_striker *strikers[SB_STRIKERS];
    int count;
    /* times from the start of the test */
    sb_impact_record records[MOST_RECORDS];
    int record_count;
    int blocks, cut_blocks;
} stage;

static inline void stage_open(stage *s, const sb_bank_mode *modes, int count,
                              double rate_hz) {
    memset(s, 0, sizeof *s);
    s->bank = bank_new(modes, count, rate_hz);
    s->memory = sb_alloc_aligned(sb_modal_field_bytes(count));
    ck_assert_ptr_nonnull(s->memory);
    sb_modal_field_init(&s->field, s->memory, count);
    s->mode_count = count;
    s->rate_hz = rate_hz;
}

static inline void stage_close(stage *s) {
    sb_free(s->bank);
    sb_free(s->memory);
}

static inline void stage_add(stage *s, sb_striker *striker) {
    sb_striker_prepare(striker, s->mode_count, s->rate_hz);
    s->strikers[s->count++] = striker;
}

static inline void stage_note(stage *s, const sb_impact_log *log) {
    for (int i = 0; i < log->count && s->record_count < MOST_RECORDS; i++) {
        sb_impact_record *to = &s->records[s->record_count++];
        *to = log->items[i];
        to->time_frames += (double)s->blocks * BLOCK;
    }
}

/* One block, as a voice plays it. */
static inline void stage_play(stage *s, float out[BLOCK]) {
    double dt_s = 1 / s->rate_hz;
    sb_impact_log log = {.count = 0};
    memset(out, 0, BLOCK * sizeof *out);
    if (strikers_look(s->strikers, s->count, s->bank, dt_s)) {
        int parts = strikers_parts(s->strikers, s->count);
        sb_modal_field_load(&s->field, s->bank, parts);
        strikers_play(s->strikers, s->count, &s->field, out, &log);
        sb_modal_field_store(&s->field, s->bank);
        s->cut_blocks++;
    } else {
        sb_modal_bank_render(s->bank, out);
    }
    stage_note(s, &log);
    strikers_fly(s->strikers, s->count, s->bank, dt_s);
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        if (s->strikers[i]->phase != SB_STRIKER_OVER)
            s->strikers[kept++] = s->strikers[i];
    s->count = kept;
    s->blocks++;
}

/* Until all strikers are done, or for so many blocks. */
static inline void stage_run(stage *s, int blocks) {
    float out[BLOCK];
    for (int i = 0; i < blocks && s->count > 0; i++)
        stage_play(s, out);
}

/* A rigid wall: one mode with zero weight. */
static const float wall_weights[16];

static inline void stage_wall(stage *s, double rate_hz) {
    sb_bank_mode mute = mode_hz(100, 1, 0);
    stage_open(s, &mute, 1, rate_hz);
}

static inline double hertz_time(double mass, double stiffness, double speed) {
    return 3.218065 * pow(mass * mass / (stiffness * stiffness * speed), 0.2);
}

static inline double hertz_peak(double mass, double stiffness, double speed) {
    return stiffness * pow(1.25 * mass * speed * speed / stiffness, 0.6);
}

/* d (1 + e) = ln((1 + d) / (1 - e d)), by bisection. */
static inline double hunt_crossley(double d) {
    double low = 0, high = fmin(1, 1 / d);
    if (d <= 0) return 1;
    for (int i = 0; i < 200; i++) {
        double e = 0.5 * (low + high);
        if (log((1 + d) / (1 - e * d)) > d * (1 + e)) {
            high = e;
        } else {
            low = e;
        }
    }
    return low;
}

static inline double stage_energy(const stage *s) {
    double sum = sb_modal_bank_energy_j(s->bank);
    for (int i = 0; i < s->count; i++) {
        const sb_striker *k = s->strikers[i];
        double v = k->velocity_m_s, r = k->body_velocity_m_s;
        if (k->phase == SB_STRIKER_WAITING) v = k->speed_m_s;
        sum += 0.5 * k->mass_kg * v * v;
        if (k->inverse_mass > 0) sum += 0.5 * r * r / k->inverse_mass;
        if (k->phase == SB_STRIKER_TOUCHING)
            sum += sb_contact_energy_j(&k->law, k->depth_m);
    }
    return sum;
}
