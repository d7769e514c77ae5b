/* SPDX-License-Identifier: MIT */
/* Voices that strike each other, and springs inside them, through the whole
 * engine. */
#include "tests/engine/engine_fixture.h"

#include "runtime/base/memory.h"
#include "runtime/engine/audio/island.h"
#include "runtime/engine/voice/voice.h"

#include <string.h>

enum { FRAMES = 24000, COUNT = 20, PADDED = 32 };

static float a[2 * FRAMES], b[2 * FRAMES];

static void bell(sb_bank_mode modes[COUNT], double low_hz) {
    for (int k = 0; k < COUNT; k++)
        modes[k] = (sb_bank_mode){2 * SB_PI * low_hz * pow(1.25, k), 8, 0.1};
}

static sb_voice_id body(sb_engine *engine, double low_hz, float left,
                        float right) {
    sb_bank_mode modes[COUNT];
    bell(modes, low_hz);
    sb_path_knot knot = knot_of(left, right);
    sb_voice_def def = {.modes = modes, .mode_count = COUNT, .knot = &knot};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL), SB_OK);
    return id;
}

/* `by` flies at `id`. */
static sb_status clash(sb_engine *engine, sb_voice_id id, sb_voice_id by,
                       double time_frames) {
    sb_striker striker = {.law = {1e8, 1.5, 1e6},
                          .mass_kg = 0.1,
                          .inverse_mass = 10,
                          .speed_m_s = 1,
                          .limit_s = 10};
    double weights[COUNT];
    for (int k = 0; k < COUNT; k++)
        weights[k] = 3 * cos(k);
    sb_impact_def def = {.weights = weights,
                         .striker = &striker,
                         .second = by,
                         .second_weights = weights};
    def.record.label = 5;
    return sb_engine_strike(engine, id, time_frames, &def, NULL);
}

static void perform(float *out, int step) {
    sb_engine *engine = engine_new();
    sb_voice_id left = body(engine, 200, 1, 0), right = body(engine, 200, 0, 1);
    ck_assert_int_eq(clash(engine, left, right, 100.3), SB_OK);
    for (int n = 0; n < FRAMES; n += step)
        play(engine, out + 2 * n, step < FRAMES - n ? step : FRAMES - n);
    ck_assert_int_eq(sb_engine_read_stats(engine).muted, 0);
    sb_engine_destroy(engine);
}

START_TEST(both_ring_each_through_its_own_ears) {
    /* They are equal, so their sounds are equal with opposite sign. */
    perform(a, 4096);
    float most = 0;
    for (int n = 0; n < FRAMES; n++) {
        most = fmaxf(most, fabsf(a[2 * n]));
        ck_assert_float_eq_tol(a[2 * n], -a[2 * n + 1], 1e-6f);
    }
    ck_assert_float_gt(most, 0.01f);
    const int steps[] = {37, 128, 1000};
    for (int i = 0; i < 3; i++) {
        perform(b, steps[i]);
        ck_assert_mem_eq(a, b, sizeof a);
    }
}
END_TEST

START_TEST(a_voice_cannot_strike_itself) {
    sb_engine *engine = engine_new();
    sb_voice_id one = body(engine, 200, 1, 1), gone = body(engine, 200, 1, 1);
    ck_assert_int_eq(clash(engine, one, one, 0), SB_BAD_ARGUMENT);
    leave(engine, gone, 0, 0);
    ck_assert_int_eq(clash(engine, one, gone, 0), SB_STALE_HANDLE);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(who_leaves_is_rigid_from_then_on) {
    sb_engine *engine = engine_new();
    sb_voice_id one = body(engine, 200, 1, 1), two = body(engine, 300, 1, 1);
    for (int i = 0; i < 20; i++)
        ck_assert_int_eq(clash(engine, one, two, 100 + 90.5 * i), SB_OK);
    leave(engine, two, 600, 0.002);
    play(engine, a, FRAMES);
    sb_impact_record r;
    int contacts = 0;
    while (sb_engine_next_impact(engine, &r))
        contacts++;
    ck_assert_int_ge(contacts, 20);
    for (int n = 0; n < 2 * FRAMES; n++)
        ck_assert(fabsf(a[n]) <= 1);
    ck_assert_int_eq(sb_engine_read_stats(engine).muted, 0);
    sb_engine_destroy(engine);
}
END_TEST

START_TEST(more_than_an_island_holds_still_sounds) {
    sb_engine *engine = engine_new();
    enum { RING = 3 * SB_ISLAND_BODIES };
    sb_voice_id ring[RING];
    for (int i = 0; i < RING; i++)
        ring[i] = body(engine, 200 + 10 * i, 0.1f, 0.1f);
    for (int i = 0; i < RING; i++)
        for (int j = 0; j < 4; j++)
            ck_assert_int_eq(clash(engine, ring[i], ring[(i + 1) % RING],
                                   50 + 40 * j + 0.7 * i),
                             SB_OK);
    play(engine, a, FRAMES);
    sb_engine_stats stats = sb_engine_read_stats(engine);
    ck_assert_int_eq(stats.muted, 0);
    ck_assert_int_eq(stats.dropped, 0);
    ck_assert_int_eq(stats.sounding, RING);
    sb_engine_destroy(engine);
}
END_TEST

/* One struck mode, with or without a cubic spring; the frames of its last
 * hundred periods. */
static double ring_spring(double cubic_n_m3, double impulse_ns, float *out) {
    sb_engine *engine = engine_new();
    sb_bank_mode mode = {2 * SB_PI * 200, 1, 0.5};
    double weight = 1;
    sb_spring_def spring = {.spring = {.cubic_n_m3 = cubic_n_m3},
                            .weights = &weight};
    sb_voice_def def = {.modes = &mode,
                        .mode_count = 1,
                        .knot = &straight,
                        .springs = &spring,
                        .spring_count = cubic_n_m3 > 0};
    sb_voice_id id;
    ck_assert_int_eq(sb_engine_add_voice(engine, &def, 0, &id, NULL), SB_OK);
    strike(engine, id, 10, impulse_ns);
    play(engine, out, FRAMES);
    sb_engine_destroy(engine);
    int crossings = 0, first = 0, last = 0;
    for (int n = 1000; n < FRAMES; n++) {
        if (!(out[2 * n - 2] < 0 && out[2 * n] >= 0)) continue;
        if (crossings++ == 0) first = n;
        last = n;
    }
    return (last - first) / (crossings - 1.0);
}

START_TEST(a_spring_bends_the_pitch_of_loud_strikes_only) {
    double plain = ring_spring(0, 0.1, a);
    ck_assert_double_eq_tol(plain, 240, 0.2);
    double soft = ring_spring(2e8, 1e-5, b);
    ck_assert_double_eq_tol(soft, plain, 1e-3);
    /* A = 8e-5 m: 3/4 k3 A^2 / w0^2 is 6 % at first. */
    double loud = ring_spring(2e13, 0.1, b);
    ck_assert_double_lt(loud, 0.99 * plain);
    ck_assert_double_gt(loud, 0.9 * plain);
}
END_TEST

static sb_voice *lone_voice(double low_hz) {
    sb_bank_mode modes[COUNT];
    bell(modes, low_hz);
    for (int k = 0; k < COUNT; k++)
        modes[k].sigma_per_s = 0;
    sb_voice *voice = sb_alloc_aligned(sb_voice_bytes(COUNT, 0));
    ck_assert_ptr_nonnull(voice);
    ck_assert_int_eq(sb_voice_init(voice, modes, COUNT, RATE_HZ), SB_OK);
    sb_voice_begin_path(voice, &straight, 0);
    return voice;
}

START_TEST(a_coupling_joins_two_voices) {
    sb_voice *voices[2] = {lone_voice(200), lone_voice(310)};
    const uint32_t playing[2] = {0, 1};
    float weights[PADDED] = {0}, stereo[2 * BLOCK] = {0};
    void *memory[2];
    sb_modal_field rooms[2];
    sb_contact_law law = {1e9, 1.5, 0};
    sb_striker room;
    sb_link link;
    sb_link_init_buzz(&link, &room, &law, 1e-6);
    sb_coupling coupling = {.link = &link,
                            .voice = {voices[0], voices[1]},
                            .room = {&rooms[0], &rooms[1]}};
    sb_coupling *couplings[1] = {&coupling};
    for (int k = 0; k < COUNT; k++)
        weights[k] = (float)(3 * cos(k));
    for (int s = 0; s < 2; s++) {
        memory[s] = sb_alloc_aligned(sb_modal_field_bytes(COUNT));
        sb_modal_field_init(&rooms[s], memory[s], COUNT);
        link.side[s].weights = weights;
    }
    sb_bank_impulse impulse = {.impulse_ns = 0.01, .weights = weights};
    sb_modal_bank_impulse(voices[0]->bank, &impulse, stereo);
    double had = sb_modal_bank_energy_j(voices[0]->bank), other = 0;
    sb_voice_report report = {.ended_count = 0};
    for (int i = 0; i < 200; i++) {
        sb_voices_gather(voices, playing, 2, couplings, 1);
        ck_assert_ptr_eq(voices[1]->island.leader, voices[0]->island.leader);
        sb_voices_render(voices[0]->island.leader, stereo, NULL, &report);
        other = sb_modal_bank_energy_j(voices[1]->bank);
        double now = sb_modal_bank_energy_j(voices[0]->bank) + other +
                     sb_contact_energy_j(&law, room.depth_m);
        ck_assert_double_eq_tol(now / had, 1, 1e-9);
    }
    ck_assert_double_gt(other, 0.01 * had);
    ck_assert_int_eq(report.muted, 0);
    /* The second leaves: the first meets a stop that does not ring. */
    sb_couplings_forget(couplings, 1, voices[1]);
    sb_voices_gather(voices, playing, 2, couplings, 1);
    ck_assert_ptr_eq(voices[1]->island.leader, voices[1]);
    sb_voices_render(voices[0], stereo, NULL, &report);
    ck_assert_double_eq(sb_modal_bank_energy_j(voices[1]->bank), other);
    for (int s = 0; s < 2; s++) {
        sb_free(voices[s]);
        sb_free(memory[s]);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("engine_island");
    TCase *tcase = tcase_create("engine_island");
    tcase_add_test(tcase, both_ring_each_through_its_own_ears);
    tcase_add_test(tcase, a_voice_cannot_strike_itself);
    tcase_add_test(tcase, who_leaves_is_rigid_from_then_on);
    tcase_add_test(tcase, more_than_an_island_holds_still_sounds);
    tcase_add_test(tcase, a_spring_bends_the_pitch_of_loud_strikes_only);
    tcase_add_test(tcase, a_coupling_joins_two_voices);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
