/* SPDX-License-Identifier: MIT */
/* Merging of modes: how many remain, what they conserve, and that signs and
 * bases have no audible effect. */
#include "runtime/base/memory.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/sound/finish.h"
#include "tests/model/fill/skin.h"
#include "tests/suite.h"

static const sb_material glass = {2600, 6.2e10, 0.3, 1, 1e-7, 1e9,
                                  1e-6, 0.5,    0.4, 0, 0};

static double random_between(sb_random *random, double low, double high) {
    return low + (high - low) * sb_random_unit(random);
}

/* --- groups --------------------------------------------------------------- */

typedef struct modes_only {
    int count;
    double *freqs_hz;
    sb_far *fars;
} modes_only;

static modes_only crowd_make(int count, double low_hz, double high_hz) {
    modes_only crowd = {count, calloc((size_t)count, sizeof(double)),
                        calloc((size_t)count, sizeof(sb_far))};
    sb_random random = sb_random_make(1, 2);
    for (int k = 0; k < count; k++) {
        crowd.freqs_hz[k] = low_hz + (high_hz - low_hz) * k / (count - 1);
        for (int i = 0; i < SB_FAR_PARTS; i++)
            crowd.fars[k].parts[i] = random_between(&random, -1, 1);
    }
    return crowd;
}

static void crowd_free(modes_only *crowd) {
    free(crowd->freqs_hz);
    free(crowd->fars);
}

static sb_groups grouped(const modes_only *crowd, bool merge, int most) {
    sb_groups groups;
    ck_assert_int_eq(sb_compress(crowd->freqs_hz, crowd->fars, crowd->count,
                                 merge, most, &groups, NULL),
                     SB_OK);
    return groups;
}

START_TEST(limens_have_the_anchors) {
    ck_assert_double_eq_tol(sb_compress_dlc_hz(20), 2, 1e-12);
    ck_assert_double_eq_tol(sb_compress_dlc_hz(2000), 6, 1e-12);
    ck_assert_double_eq_tol(sb_compress_dlc_hz(22000), 230, 1e-12);
    ck_assert_double_eq_tol(sb_compress_limens(22000), 869.377, 0.001);
    /* Its slope is 1 / DLC everywhere. */
    for (double hz = 30; hz < 22000; hz *= 1.3) {
        double slope =
            (sb_compress_limens(hz + 0.01) - sb_compress_limens(hz - 0.01)) /
            0.02;
        ck_assert_double_eq_tol(slope * sb_compress_dlc_hz(hz), 1, 1e-3);
    }
}
END_TEST

START_TEST(at_most_869_stay_of_any_number) {
    const int counts[] = {2000, 15000};
    for (int i = 0; i < 2; i++) {
        modes_only crowd = crowd_make(counts[i], 20, 22000);
        sb_groups groups = grouped(&crowd, true, SB_COMPRESS_MOST);
        ck_assert_int_le(groups.group_count, 869);
        ck_assert_int_gt(groups.group_count, i ? 700 : 400);
        int next = 0;
        for (int g = 0; g < groups.group_count; g++) {
            const sb_group *group = &groups.groups[g];
            ck_assert_int_eq(group->first_mode, next);
            next += group->mode_count;
            double width =
                crowd.freqs_hz[next - 1] - crowd.freqs_hz[group->first_mode];
            double limen = sb_compress_dlc_hz(crowd.freqs_hz[next - 1]);
            ck_assert_double_le(width, 1.002 * limen);
        }
        ck_assert_int_eq(next, counts[i]);
        sb_groups_free(&groups);
        groups = grouped(&crowd, true, i ? 400 : 50);
        ck_assert_int_le(groups.group_count, i ? 400 : 50);
        sb_groups_free(&groups);
        crowd_free(&crowd);
    }
}
END_TEST

/* The maximum number: dense everywhere by the resolution of hearing. */
START_TEST(few_modes_merge_no_more_for_being_few) {
    modes_only crowd = crowd_make(12, 100, 1200);
    sb_groups groups = grouped(&crowd, true, 12);
    ck_assert_int_eq(groups.group_count, 12);
    sb_groups_free(&groups);
    groups = grouped(&crowd, true, 5);
    ck_assert_int_le(groups.group_count, 5);
    sb_groups_free(&groups);
    crowd_free(&crowd);
}
END_TEST

START_TEST(groups_fill_the_range_and_end_in_time) {
    modes_only crowd = crowd_make(9000, 20, 22000);
    double hz = 20;
    int count = 0;
    for (; hz <= 22000; hz += sb_compress_dlc_hz(hz) / 10)
        crowd.freqs_hz[count++] = hz;
    ck_assert_int_le(count, crowd.count);
    crowd.count = count;
    sb_groups groups = grouped(&crowd, true, 4000);
    ck_assert_int_le(groups.group_count, 869);
    ck_assert_int_gt(groups.group_count, 780);
    sb_groups_free(&groups);
    crowd_free(&crowd);
}
END_TEST

/* Random strikes: g^2 |L phi|^2 of a group equals phi' C phi of its modes. */
START_TEST(each_group_keeps_its_energy) {
    modes_only crowd = crowd_make(3000, 20, 22000);
    sb_groups groups = grouped(&crowd, true, SB_COMPRESS_MOST);
    sb_random random = sb_random_make(3, 4);
    for (int g = 0; g < groups.group_count; g++) {
        const sb_group *group = &groups.groups[g];
        int n = group->mode_count;
        double phi[64], heard[SB_FAR_PARTS] = {0}, exact = 0, merged = 0;
        ck_assert_int_le(n, 64);
        for (int j = 0; j < n; j++) {
            phi[j] = random_between(&random, -1, 1);
            for (int i = 0; i < SB_FAR_PARTS; i++) {
                heard[i] += phi[j] * crowd.fars[group->first_mode + j].parts[i];
            }
        }
        for (int i = 0; i < SB_FAR_PARTS; i++)
            exact += heard[i] * heard[i];
        for (int r = 0; r < group->row_count; r++) {
            double psi = 0;
            for (int j = 0; j < n; j++)
                psi += groups.terms[group->first_term + (size_t)(r * n + j)] *
                       phi[j];
            merged += psi * psi;
        }
        merged *= group->radiation * group->radiation;
        ck_assert_double_eq_tol(merged / exact, 1, 1e-10);
    }
    sb_groups_free(&groups);
    crowd_free(&crowd);
}
END_TEST

START_TEST(beats_stay_when_asked_for) {
    modes_only crowd = crowd_make(2, 200, 201);
    sb_groups groups = grouped(&crowd, true, SB_COMPRESS_MOST);
    ck_assert_int_eq(groups.group_count, 1);
    sb_groups_free(&groups);
    groups = grouped(&crowd, false, SB_COMPRESS_MOST);
    ck_assert_int_eq(groups.group_count, 2);
    ck_assert_double_eq(groups.groups[1].freq_hz, 201);
    sb_groups_free(&groups);
    crowd_free(&crowd);
}
END_TEST

START_TEST(equal_pitches_are_pooled) {
    double freqs[] = {100, 100.00001, 100.00002, 101, 300, 300.0000001};
    sb_compress_pool(freqs, 6);
    ck_assert_double_eq(freqs[0], freqs[2]);
    ck_assert_double_eq_tol(freqs[0], 100.00001, 1e-9);
    ck_assert_double_eq(freqs[3], 101);
    ck_assert_double_eq(freqs[4], freqs[5]);
}
END_TEST

START_TEST(silent_modes_keep_their_shapes) {
    modes_only crowd = crowd_make(3, 200, 201);
    memset(crowd.fars, 0, 3 * sizeof *crowd.fars);
    sb_groups groups = grouped(&crowd, true, SB_COMPRESS_MOST);
    ck_assert_int_eq(groups.group_count, 1);
    ck_assert_int_eq(groups.groups[0].row_count, 3);
    ck_assert_double_eq(groups.groups[0].radiation, 0);
    ck_assert_double_eq(groups.terms[4], 1);
    sb_groups_free(&groups);
    crowd_free(&crowd);
}
END_TEST

/* --- inaudible modes ------------------------------------------------------ */

enum { MODES = 24, SAME = 3, PLACES = 20, SAMPLES = 400 };

/* Signs flipped and bases rotated within every set of three equal
 * frequencies. */
static void mix(double *phis, int places, sb_far *fars, uint64_t seed) {
    sb_random random = sb_random_make(seed, 9);
    for (int turns = 0; turns < 6 * MODES; turns++) {
        int set = (int)(sb_random_u32(&random) % (MODES / SAME)) * SAME;
        int a = set + (int)(sb_random_u32(&random) % SAME);
        int b = set + (int)(sb_random_u32(&random) % SAME);
        double angle = random_between(&random, 0, 6.3);
        double c = a == b ? -1 : cos(angle), s = a == b ? 0 : sin(angle);
        for (int i = 0; i < places + SB_FAR_PARTS; i++) {
            double *x =
                i < places ? &phis[i * MODES + a] : &fars[a].parts[i - places];
            double *y =
                i < places ? &phis[i * MODES + b] : &fars[b].parts[i - places];
            double old = *x, other = *y;
            if (a != b) *y = s * old + c * other;
            *x = a == b ? -old : c * old - s * other;
        }
    }
}

static void render(const double *phi, const double *freqs, const sb_far *fars,
                   bool merge, double *sound) {
    sb_groups groups;
    ck_assert_int_eq(sb_compress(freqs, fars, MODES, merge, 869, &groups, NULL),
                     SB_OK);
    memset(sound, 0, SAMPLES * sizeof *sound);
    for (int g = 0; g < groups.group_count; g++) {
        const sb_group *group = &groups.groups[g];
        double sum = 0;
        for (int r = 0; r < group->row_count; r++) {
            double psi = 0;
            for (int j = 0; j < group->mode_count; j++) {
                size_t at =
                    group->first_term + (size_t)(r * group->mode_count + j);
                psi += groups.terms[at] * phi[group->first_mode + j];
            }
            sum += psi * psi;
        }
        double w = SB_TAU * group->freq_hz, level = sqrt(sum);
        for (int n = 0; n < SAMPLES; n++) {
            double t = n / 48000.0;
            sound[n] += level * group->radiation *
                        exp(-sb_material_sigma(&glass, w) * t) * sin(w * t);
        }
    }
    sb_groups_free(&groups);
}

START_TEST(signs_and_bases_cannot_be_heard) {
    double freqs[MODES], sound[SAMPLES], other[SAMPLES];
    static double phis[PLACES * MODES], mixed[PLACES * MODES];
    static sb_far fars[MODES], mixed_fars[MODES];
    sb_random random = sb_random_make(5, 6);
    for (int k = 0; k < MODES; k++) {
        freqs[k] = 300 + 1.1 * (k / SAME); /* sets merge with one another too */
        for (int i = 0; i < SB_FAR_PARTS; i++)
            fars[k].parts[i] = random_between(&random, -1, 1);
        for (int i = 0; i < PLACES; i++)
            phis[i * MODES + k] = random_between(&random, -1, 1);
    }
    for (int trial = 0; trial < 8; trial++) {
        memcpy(mixed, phis, sizeof phis);
        memcpy(mixed_fars, fars, sizeof fars);
        mix(mixed, PLACES, mixed_fars, (uint64_t)trial);
        for (int place = 0; place < PLACES; place++) {
            bool merge = place % 2;
            render(phis + place * MODES, freqs, fars, merge, sound);
            render(mixed + place * MODES, freqs, mixed_fars, merge, other);
            for (int n = 0; n < SAMPLES; n++)
                ck_assert_double_eq_tol(sound[n], other[n], 1e-9);
        }
    }
}
END_TEST

/* --- finishing ------------------------------------------------------------ */

static sb_finished finished(const surface *skin, const sb_finish_def *def) {
    sb_solution solution = skin_solution(skin);
    sb_finished out;
    sb_error err = {0};
    sb_status status = sb_solution_finish(&solution, &glass, def, &out, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return out;
}

START_TEST(the_scale_of_merging_leaves_fewer_modes_the_larger_it_is) {
    static const double scales[] = {0, 0.25, 0.5, 1, 2, 5, 50};
    enum { SCALES = sizeof scales / sizeof scales[0] };
    surface skin = skin_sphere(4, 0.1);
    skin_random_modes(&skin, 400, 1, 0, 22000, &glass);
    int before = 0;
    for (int i = 0; i < SCALES; i++) {
        sb_finish_def def = sb_finish_def_default();
        def.merge = scales[i];
        sb_finished out = finished(&skin, &def);
        if (i == 0) ck_assert_int_eq(out.report.merged_count, 0);
        if (i > 0) ck_assert_int_le(out.mode_count, before);
        if (i == SCALES - 1) ck_assert_int_lt(out.mode_count, 40);
        before = out.mode_count;
        sb_finished_free(&out);
    }
    skin_free(&skin);
}
END_TEST

START_TEST(modes_take_the_material_and_the_limits) {
    surface skin = skin_sphere(4, 0.1);
    skin_random_modes(&skin, 100, 1, 0, 30000, &glass);
    sb_finish_def def = sb_finish_def_default();
    def.merge = false;
    def.min_hz = 200;
    sb_finished out = finished(&skin, &def);
    ck_assert_int_eq(out.report.below_count, 1); /* 150 Hz; then 300 apart */
    ck_assert_int_eq(out.mode_count, 72);        /* 450 .. 21750 */
    ck_assert_int_eq(out.report.above_count, 27);
    ck_assert_int_eq(out.report.merged_count, 0);
    ck_assert_double_eq(out.report.error_db, 0);
    for (int k = 0; k < out.mode_count; k++) {
        const sb_finished_mode *mode = &out.modes[k];
        ck_assert_double_eq_tol(mode->freq_hz, 450 + 300 * k, 1e-7);
        double sigma = sb_material_sigma(&glass, SB_TAU * mode->freq_hz);
        ck_assert_double_eq_tol(mode->sigma_per_s, sigma, 1e-9 * sigma);
        ck_assert_double_gt(mode->radiation, 0);
        ck_assert_int_eq(mode->member_count, 1);
        float shape = skin_shape(&skin, 17, k + 1)[2];
        float psi = out.shapes[(17 * out.member_count + k) * 3 + 2];
        ck_assert_double_eq_tol(psi, shape / sqrt(2600), 1e-7);
    }
    sb_finished_free(&out);
    def.max_modes = 10; /* including the one that is too low */
    out = finished(&skin, &def);
    ck_assert_int_eq(out.mode_count, 9);
    ck_assert_int_eq(out.report.above_count, 27 + 63);
    ck_assert(out.report.is_incomplete);
    sb_finished_free(&out);
    skin_free(&skin);
}
END_TEST

START_TEST(merging_says_what_it_did) {
    surface skin = skin_sphere(5, 0.1);
    skin_random_modes(&skin, 1500, 1, 20, 22000, &glass);
    sb_finish_def def = sb_finish_def_default();
    sb_finished out = finished(&skin, &def);
    ck_assert_int_le(out.mode_count, 869);
    ck_assert_int_eq(out.mode_count + out.report.merged_count, 1500);
    ck_assert_double_gt(out.report.error_db, 0);
    ck_assert_double_lt(out.report.error_db, 3);
    sb_finished_free(&out);
    skin_free(&skin);
}
END_TEST

/* The basis of a pair rotated in the stored shapes: only the rounding of
 * floats differs. */
START_TEST(a_turned_pair_weighs_the_same) {
    surface skin = skin_sphere(5, 0.1);
    skin_random_modes(&skin, 10, 2, 300, 9000, &glass);
    sb_finish_def def = sb_finish_def_default();
    def.merge = false;
    const int32_t corners[3] = {3, 20, 77};
    const double parts[3] = {0.2, 0.3, 0.5};
    const sb_vec3 direction = {0.6, 0, 0.8};
    double weights[2][10];
    for (int turn = 0; turn < 2; turn++) {
        double c = cos(turn * 0.7), s = sin(turn * 0.7);
        for (int i = 0; i < skin.vertex_count * 5; i++) {
            float *a = skin.shapes + (size_t)i * 6, *b = a + 3;
            for (int j = 0; j < 3; j++) {
                double x = a[j], y = b[j];
                a[j] = (float)(c * x + s * y);
                b[j] = (float)(s * x - c * y);
            }
        }
        sb_finished out = finished(&skin, &def);
        ck_assert_int_eq(out.mode_count, 5);
        ck_assert_int_eq(out.member_count, 10);
        ck_assert_int_eq(out.report.merged_count, 5);
        sb_finished_weights(&out, corners, parts, direction, weights[turn]);
        for (int k = 0; k < 5; k++)
            weights[turn][k] *= out.modes[k].radiation;
        sb_finished_free(&out);
    }
    for (int k = 0; k < 5; k++)
        ck_assert_double_eq_tol(weights[1][k] / weights[0][k], 1, 1e-5);
    skin_free(&skin);
}
END_TEST

START_TEST(nothing_audible_is_a_sentence) {
    surface skin = skin_sphere(2, 0.1);
    skin_random_modes(&skin, 3, 1, 30000, 40000, &glass);
    sb_solution solution = skin_solution(&skin);
    sb_finish_def def = sb_finish_def_default();
    sb_finished out;
    sb_error err = {0};
    ck_assert_int_eq(sb_solution_finish(&solution, &glass, &def, &out, &err),
                     SB_NO_MODES);
    ck_assert_str_eq(err.message, "the lowest mode lies at 3.167e+04 Hz, above "
                                  "the limit of 2.2e+04 Hz");
    def.max_hz = 10;
    ck_assert_int_eq(sb_solution_finish(&solution, &glass, &def, &out, &err),
                     SB_BAD_ARGUMENT);
    skin_free(&skin);
}
END_TEST

START_TEST(every_failed_allocation_leaves_nothing) {
    surface skin = skin_sphere(3, 0.1);
    skin_random_modes(&skin, 30, 2, 300, 900, &glass);
    sb_solution solution = skin_solution(&skin);
    sb_finish_def def = sb_finish_def_default();
    long live = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status != SB_OK; n++) {
        ck_assert_int_lt(n, 100);
        sb_finished out = {0};
        sb_memory_fail_after(n);
        status = sb_solution_finish(&solution, &glass, &def, &out, NULL);
        sb_memory_fail_after(-1);
        if (status) ck_assert_int_eq(status, SB_NO_MEMORY);
        if (!status) sb_finished_free(&out);
        ck_assert_int_eq(sb_memory_live_blocks(), live);
    }
    skin_free(&skin);
}
END_TEST

/* --- solutions ------------------------------------------------------------ */

static void count_call(void *context) {
    ++*(int *)context;
}

START_TEST(solutions_are_counted) {
    surface skin = skin_sphere(3, 0.1);
    skin_random_modes(&skin, 4, 1, 300, 900, &glass);
    sb_solution parts = skin_solution(&skin), *one = NULL, *two = NULL;
    long live = sb_memory_live_blocks();
    ck_assert_int_eq(sb_solution_create(&parts, &one, NULL), SB_OK);
    ck_assert_ptr_ne(one->shapes, parts.shapes);
    ck_assert_mem_eq(one->faces, parts.faces,
                     sizeof(int32_t[3]) * (size_t)parts.face_count);
    ck_assert_ptr_null(one->uvs);
    ck_assert_ptr_eq(sb_solution_retain(one), one);
    sb_solution_release(one);
    ck_assert_double_eq(one->lambdas[3], parts.lambdas[3]);
    sb_solution_release(one);
    int calls = 0;
    ck_assert_int_eq(sb_solution_wrap(&parts, count_call, &calls, &two, NULL),
                     SB_OK);
    ck_assert_ptr_eq(two->shapes, parts.shapes);
    sb_solution_release(sb_solution_retain(two));
    ck_assert_int_eq(calls, 0);
    sb_solution_release(two);
    ck_assert_int_eq(calls, 1);
    for (long n = 0; n < 2; n++) {
        sb_memory_fail_after(n);
        ck_assert_int_eq(sb_solution_create(&parts, &one, NULL), SB_NO_MEMORY);
        sb_memory_fail_after(-1);
    }
    ck_assert_int_eq(sb_memory_live_blocks(), live);
    skin_free(&skin);
}
END_TEST

START_TEST(impossible_solutions_are_refused) {
    surface skin = skin_sphere(3, 0.1);
    skin_random_modes(&skin, 4, 1, 300, 900, &glass);
    sb_solution parts = skin_solution(&skin);
    ck_assert_int_eq(sb_solution_check(&parts, NULL), SB_OK);
    sb_error err = {0};
    skin.faces[5][1] = skin.vertex_count;
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "face 5 names vertex 96 of 96"));
    skin.faces[5][1] = skin.faces[5][0];
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_BAD_FORMAT);
    skin.faces[5][1] = 7;
    skin.faces[5][0] = 8;
    skin.faces[5][2] = 9;
    skin.lambdas[2] = skin.lambdas[1] / 2;
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_BAD_FORMAT);
    skin.lambdas[2] = skin.lambdas[3];
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_OK);
    skin.shapes[11] = NAN;
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_BAD_FORMAT);
    skin.shapes[11] = INFINITY;
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_BAD_FORMAT);
    parts.vertex_count = 0;
    ck_assert_int_eq(sb_solution_check(&parts, &err), SB_BAD_FORMAT);
    skin_free(&skin);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compress");
    TCase *tcase = tcase_create("compress");
    tcase_add_test(tcase, limens_have_the_anchors);
    tcase_add_test(tcase, at_most_869_stay_of_any_number);
    tcase_add_test(tcase, few_modes_merge_no_more_for_being_few);
    tcase_add_test(tcase, groups_fill_the_range_and_end_in_time);
    tcase_add_test(tcase, each_group_keeps_its_energy);
    tcase_add_test(tcase, beats_stay_when_asked_for);
    tcase_add_test(tcase, equal_pitches_are_pooled);
    tcase_add_test(tcase, silent_modes_keep_their_shapes);
    tcase_add_test(tcase, signs_and_bases_cannot_be_heard);
    tcase_add_test(tcase,
                   the_scale_of_merging_leaves_fewer_modes_the_larger_it_is);
    tcase_add_test(tcase, modes_take_the_material_and_the_limits);
    tcase_add_test(tcase, merging_says_what_it_did);
    tcase_add_test(tcase, a_turned_pair_weighs_the_same);
    tcase_add_test(tcase, nothing_audible_is_a_sentence);
    tcase_add_test(tcase, every_failed_allocation_leaves_nothing);
    tcase_add_test(tcase, solutions_are_counted);
    tcase_add_test(tcase, impossible_solutions_are_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
