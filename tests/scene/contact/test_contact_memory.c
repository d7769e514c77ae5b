/* SPDX-License-Identifier: MIT */
/* Contacts, surfaces and touches when any one allocation fails: each call takes
 * effect completely or not at all, and nothing leaks. */
#include "runtime/dsp/surface/surface.h"
#include "runtime/scene/contact/lasting.h"
#include "tests/scene/scene_fixture.h"

/* Objects that a task works with; freed by try_with. */
typedef struct desk {
    stage on;
    sb_body_id body, other;
    sb_surface *surface, *made;
    sb_plan *plan;
    sb_contact_id contact;
} desk;

typedef sb_status task(desk *d, sb_error *err);

static sb_lasting_setup setup_of(const desk *d, sb_contact_kind kind) {
    return (sb_lasting_setup){.kind = kind,
                              .body = d->body,
                              .with = d->other,
                              .thing = {.radius_m = 0.01},
                              .level = 1};
}

static const sb_lasting_change first = {
    .load = {1, {0.5, 0.5}, 0},
    .has_force = true,
    .place = {{.u = 0.2, .v = 0.5}, {.u = 0.5, .v = 0.5}},
    .ramp_s = 0.01};

static sb_status begin(desk *d, sb_contact_kind kind, sb_error *err) {
    sb_lasting_setup setup = setup_of(d, kind);
    return sb_scene_begin_contact(d->on.scene, &setup, &first, 0, &d->contact,
                                  err);
}

static sb_status begin_rolling(desk *d, sb_error *err) {
    return begin(d, SB_CONTACT_ROLL, err);
}

static sb_status begin_rubbing(desk *d, sb_error *err) {
    return begin(d, SB_CONTACT_RUB, err);
}

static sb_status go_elsewhere(desk *d, sb_error *err) {
    sb_lasting_change change = {.place = {{.u = 0.9, .v = 0.1}},
                                .has_place = {true, false},
                                .ramp_s = 0.5};
    return sb_scene_move_contact(d->on.scene, d->contact, &change, 0, err);
}

static sb_status end_it(desk *d, sb_error *err) {
    return sb_scene_end_contact(d->on.scene, d->contact, 0, 0.1, err);
}

static sb_status take_away_body(desk *d, sb_error *err) {
    return sb_scene_remove(d->on.scene, d->body, 0, err);
}

static sb_status make_surface(desk *d, sb_error *err) {
    sb_surface_def def = sb_surface_default(SB_SURFACE_NOISE);
    def.length_m = 0.1;
    return sb_surface_create(&def, &d->made, err);
}

static sb_status roll_over_surface(desk *d, sb_error *err) {
    return sb_surface_roll(d->surface, 0.01, 1e-4, &d->made, err);
}

static sb_status touch_body(desk *d, sb_error *err) {
    sb_touch_def def = {.place = {.u = 0.1, .v = 0.5}, .damping_ns_m = 1};
    sb_touch_id id;
    return sb_scene_touch(d->on.scene, d->body, &def, 0, &id, err);
}

/* A plan with a body of its own surface and a diffuse part, and the scene made
 * so. */
static sb_status plan_and_commit(desk *d, sb_error *err) {
    sb_body_def def = bar_def("new");
    sb_commit_counts counts;
    sb_body_id ids[1];
    int index;
    def.surface = d->surface;
    def.diffuse =
        (sb_diffuse_part){.is_on = true, .crossover_hz = 2000, .level = 1};
    sb_status status = SB_OK;
    if (!d->plan) status = sb_plan_create(&d->plan, err);
    if (!status && sb_plan_count(d->plan) == 0)
        status = sb_plan_add(d->plan, &def, &index, err);
    if (!status) status = sb_plan_solve(d->plan, NULL, err);
    if (!status)
        status = sb_scene_commit(d->on.scene, d->plan, 0, ids, &counts, err);
    return status;
}

static desk desk_new(bool has_contact) {
    desk d = {.on = stage_new()};
    d.body = add(d.on, bar_def("body"));
    d.other = add(d.on, hand_def("other"));
    sb_surface_def def = sb_surface_default(SB_SURFACE_GRID);
    ck_assert_int_eq(sb_surface_create(&def, &d.surface, NULL), SB_OK);
    if (has_contact) ck_assert_int_eq(begin_rolling(&d, NULL), SB_OK);
    return d;
}

static void desk_free(desk *d) {
    sb_surface_release(d->made);
    sb_surface_release(d->surface);
    sb_plan_destroy(d->plan);
    stage_free(d->on);
}

/* True when the task succeeded with `n` allocations. */
static bool try_with(task *work, bool has_contact, long n) {
    desk d = desk_new(has_contact);
    sb_error err = {0};
    sb_memory_fail_after(n);
    sb_status status = work(&d, &err);
    sb_memory_fail_after(-1);
    if (status) {
        ck_assert_int_eq(status, SB_NO_MEMORY);
        ck_assert_str_ne(err.message, "");
        ck_assert_ptr_null(d.made);
        ck_assert_int_eq(sb_scene_body_count(d.on.scene), 2);
        ck_assert_int_eq(sb_scene_contact_count(d.on.scene), has_contact);
        /* Voices of a failed call are removed soon, without a sound. */
        static float stereo[2 * 1024];
        play(d.on, stereo, 1024);
        ck_assert_int_eq(sb_engine_read_stats(d.on.engine).touching,
                         has_contact);
        ck_assert_int_eq(work(&d, &err), SB_OK);
    }
    desk_free(&d);
    ck_assert_msg(sb_memory_live_blocks() == 0, "%ld: %ld blocks are left", n,
                  sb_memory_live_blocks());
    return status == SB_OK;
}

typedef struct job {
    task *work;
    bool has_contact;
    int least; /* least number of allocations */
} job;

static const job jobs[] = {
    {begin_rolling, false, 8},     {begin_rubbing, false, 4},
    {go_elsewhere, true, 2},       {end_it, true, 0},
    {take_away_body, true, 0},     {make_surface, false, 4},
    {roll_over_surface, false, 5}, {touch_body, false, 2},
    {plan_and_commit, true, 8},
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

START_TEST(without_memory_all_stays_as_it_was) {
    const job *todo = &jobs[_i];
    int n = 0;
    while (n < 1000 && !try_with(todo->work, todo->has_contact, n))
        n++;
    ck_assert_int_lt(n, 1000);
    ck_assert_int_ge(n, todo->least);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("memory of contacts");
    TCase *tcase = tcase_create("memory of contacts");
    tcase_add_loop_test(tcase, without_memory_all_stays_as_it_was, 0, JOBS);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
