/* SPDX-License-Identifier: MIT */
/* A scene that hears the bodies of another engine, here ODE, at 60, 240 and 1000
 * steps per second. Compared are
 *
 *   impacts     at every rate with what ODE itself computed: closing speed before
 *               the step, impulse of the step without the weight m g h; one for
 *               each contact that closes faster than 3 g h, and no other
 *   own world   at 1000 Hz, for impacts faster than 100 g h / e: speed, impulse,
 *               force and duration. ODE finds a contact up to one step late, so
 *               its speeds are wrong by up to g h, or g h / e after a bounce
 *   contacts    at every rate: the sum of forces with m g, speeds with those of
 *               ODE's bodies
 *   rest        at every rate: no impact and no sound
 */
#include "tests/scene/world/foreign_ode.h"

#include "runtime/scene/world/scene_world_state.h"

static const double rates_hz[] = {60, 240, 1000};
enum { RATES = 3 };

typedef struct drop {
    double mass_kg, radius_m, height_m, bounce;
    int least[RATES]; /* impacts that must be heard at each rate */
} drop;

static const drop drops[] = {{0.05, 0.01, 0.3, 0.5, {2, 4, 6}},
                             {0.005, 0.006, 0.1, 0.7, {2, 6, 9}},
                             {0.5, 0.03, 1.0, 0.3, {2, 3, 4}}};
enum { DROPS = sizeof drops / sizeof *drops };

#define QUIET 3.2e-5 /* -90 dBFS */

static sb_body_def dropped(const drop *d) {
    sb_body_def def = ball_def();
    def.position.y = d->radius_m + d->height_m;
    def.moves.mass_kg = d->mass_kg;
    def.moves.collider.radius = d->radius_m;
    def.moves.restitution = d->bounce;
    def.gain = 1;
    return def;
}

static sb_body_def ground(double bounce) {
    sb_body_def def = slab_def();
    def.moves.restitution = bounce;
    /* At 60 steps per second ODE's balls are 40 mm deep before it finds them. */
    def.moves.collider.height = 0.4;
    def.position.y = -0.2;
    def.gain = 1;
    return def;
}

/* The impacts of a scene, in time. */
static int impacts_of(sb_scene *scene, sb_event *out, int most) {
    uint64_t reader = 0;
    sb_event event;
    int count = 0;
    while (count < most && sb_scene_next_event(scene, &reader, &event))
        if (event.kind == SB_EVENT_IMPACT) out[count++] = event;
    return count;
}

static int count_of(sb_scene *scene, sb_event_kind kind, double after_s) {
    uint64_t reader = 0;
    sb_event event;
    int count = 0;
    while (sb_scene_next_event(scene, &reader, &event))
        count += event.kind == kind && event.time_s >= after_s;
    return count;
}

static feed *feed_drop(const drop *d, double rate_hz) {
    feed *f = feed_new(rate_hz, d->bounce, 0.3);
    feed_add(f, ground(d->bounce));
    feed_add(f, dropped(d));
    return f;
}

/* --- impacts ------------------------------------------------------------- */

enum { MOST_IMPACTS = 64, REST_STEP = 300 };

static void check_drop(const drop *d, int rate) {
    feed *f = feed_drop(d, rates_hz[rate]);
    double loud = feed_run(f, 0, REST_STEP);
    ck_assert_double_gt(loud, 100 * QUIET);
    sb_event heard[MOST_IMPACTS];
    int count = impacts_of(f->on.scene, heard, MOST_IMPACTS), next = 0;
    double fall = GRAVITY * f->step_s;
    for (int i = 0; i < f->kept_count; i++) {
        const kept *k = &f->kept[i];
        if (k->closing_m_s <= fmax(3 * fall, 0.01)) continue;
        ck_assert_int_lt(next, count);
        const sb_event *e = &heard[next++];
        ck_assert_double_eq_tol(e->time_s, k->time_s, 1e-9);
        ck_assert_double_eq_tol(e->speed_m_s, k->closing_m_s, 1e-9);
        double blow = k->impulse_ns - d->mass_kg * fall;
        ck_assert_double_eq_tol(e->impulse_ns / blow, 1, 0.02);
        ck_assert_double_eq_tol(
            blow / (d->mass_kg * k->closing_m_s * (1 + d->bounce)), 1, 0.02);
    }
    ck_assert_int_eq(next, count);
    ck_assert_int_ge(count, d->least[rate]);
    ck_assert_int_ge(count_of(f->on.scene, SB_EVENT_REST, 0), 1);
    loud = feed_run(f, REST_STEP, 94);
    ck_assert_msg(loud < QUIET, "%g at rest", loud);
    ck_assert_int_eq(count_of(f->on.scene, SB_EVENT_IMPACT, REST_STEP * STEP_S),
                     0);
    feed_free(f);
}

START_TEST(every_impact_that_ode_resolves_is_heard_and_then_rest_is_silent) {
    check_drop(&drops[_i / RATES], _i % RATES);
}
END_TEST

START_TEST(the_own_world_has_the_same_impacts) {
    const drop *d = &drops[_i];
    feed *f = feed_drop(d, 1000);
    feed_run(f, 0, 200);
    stage own = stage_new();
    add(own, ground(d->bounce));
    add(own, dropped(d));
    advance(own, 0, 200, STEP_FRAMES, NULL);
    sb_event here[MOST_IMPACTS], there[MOST_IMPACTS];
    int count = impacts_of(own.scene, here, MOST_IMPACTS);
    int compared = 0;
    ck_assert_int_ge(impacts_of(f->on.scene, there, MOST_IMPACTS), 2);
    for (int i = 0; i < count; i++) {
        double back = i > 0 ? d->bounce : 1;
        if (back * here[i].speed_m_s < 100 * GRAVITY * f->step_s) break;
        compared++;
        ck_assert_double_eq_tol(there[i].speed_m_s / here[i].speed_m_s, 1,
                                0.02);
        ck_assert_double_eq_tol(there[i].impulse_ns / here[i].impulse_ns, 1,
                                0.02);
        ck_assert_double_eq_tol(there[i].force_n / here[i].force_n, 1, 0.02);
        ck_assert_double_eq_tol(there[i].duration_s / here[i].duration_s, 1,
                                0.02);
        ck_assert_double_eq_tol(there[i].restitution, here[i].restitution,
                                1e-9);
        ck_assert_double_eq_tol(there[i].time_s, here[i].time_s, 0.01);
    }
    ck_assert_int_ge(compared, 1);
    stage_free(own);
    feed_free(f);
}
END_TEST

/* From the poses of the step before and the masses of the scene. */
START_TEST(what_is_left_out_is_found) {
    sb_event events[2][MOST_IMPACTS];
    int count[2];
    for (int k = 0; k < 2; k++) {
        feed *f = feed_drop(&drops[0], rates_hz[_i]);
        f->leaves_out = k == 1;
        feed_run(f, 0, 200);
        count[k] = impacts_of(f->on.scene, events[k], MOST_IMPACTS);
        feed_free(f);
    }
    ck_assert_int_eq(count[0], count[1]);
    for (int i = 0; i < count[0]; i++) {
        ck_assert_double_eq_tol(events[0][i].speed_m_s, events[1][i].speed_m_s,
                                1e-9);
        ck_assert_double_eq_tol(events[0][i].impulse_ns,
                                events[1][i].impulse_ns, 1e-12);
        ck_assert_double_eq_tol(events[0][i].force_n / events[1][i].force_n, 1,
                                1e-6);
    }
}
END_TEST

/* --- lasting contacts ---------------------------------------------------- */

/* Sums over all contacts that go on. */
typedef struct sums {
    double force_n, slip_m_s, surface_m_s;
    int count;
} sums;

static sums contacts_of(const sb_scene *scene, sb_contact_state state) {
    sums out = {0};
    for (int i = 0; i < scene->world->contact_count; i++) {
        const world_contact *c = &scene->world->contacts[i];
        if (c->is_over || c->last.state != state) continue;
        out.count++;
        out.force_n += c->last.force_n;
        out.slip_m_s = fmax(out.slip_m_s, sb_vec3_length(c->last.slip_m_s));
        out.surface_m_s =
            fmax(out.surface_m_s, sb_vec3_length(c->last.surface_m_s[0]));
        out.surface_m_s =
            fmax(out.surface_m_s, sb_vec3_length(c->last.surface_m_s[1]));
    }
    return out;
}

/* 200 g, 60 x 40 x 60 mm, at 1 m/s; it stops after 0.34 s. */
static sb_body_def box_def(void) {
    sb_body_def def = ball_def();
    def.name = "box";
    def.moves.mass_kg = 0.2;
    def.position = (sb_vec3){0, 0.02, 0};
    def.moves.velocity = (sb_vec3){1, 0, 0};
    def.gain = 1;
    def.moves.collider = (sb_collider){
        .kind = SB_COLLIDER_BOX, .width = 0.06, .height = 0.04, .depth = 0.06};
    return def;
}

START_TEST(a_box_slides_and_stops) {
    feed *f = feed_new(rates_hz[_i], 0, 0.3);
    feed_add(f, ground(0));
    thing *box = feed_add(f, box_def());
    double loud = feed_run(f, 0, 16);
    sums s = contacts_of(f->on.scene, SB_SLIDING);
    double v = sb_vec3_length(from_ode(dBodyGetLinearVel(box->body)));
    ck_assert_int_ge(s.count, 1);
    ck_assert_double_eq_tol(s.force_n / (0.2 * GRAVITY), 1, 0.05);
    /* Smoothed over two steps. */
    ck_assert_double_eq_tol(s.slip_m_s, v,
                            3 * 0.3 * GRAVITY * f->step_s + 0.02);
    ck_assert_int_ge(count_of(f->on.scene, SB_EVENT_SLIDE, 0), 1);
    ck_assert_double_gt(loud, 10 * QUIET);
    feed_run(f, 16, 100);
    ck_assert_int_eq(contacts_of(f->on.scene, SB_SLIDING).count, 0);
    s = contacts_of(f->on.scene, SB_RESTING);
    ck_assert_double_eq_tol(s.force_n / (0.2 * GRAVITY), 1, 0.05);
    ck_assert_int_eq(count_of(f->on.scene, SB_EVENT_IMPACT, 0), 0);
    loud = feed_run(f, 116, 94);
    ck_assert_msg(loud < QUIET, "%g at rest", loud);
    feed_free(f);
}
END_TEST

/* Four corners at once: together they stop the box. */
START_TEST(a_box_that_lands_flat_shares_its_blow) {
    feed *f = feed_new(rates_hz[_i], 0.3, 0.3);
    sb_body_def def = box_def();
    def.position.y += 0.2;
    def.moves.velocity.x = 0;
    feed_add(f, ground(0.3));
    feed_add(f, def);
    feed_run(f, 0, 30);
    sb_event heard[MOST_IMPACTS];
    int count = impacts_of(f->on.scene, heard, MOST_IMPACTS), corners = 0;
    double sum = 0;
    ck_assert_int_ge(count, 1);
    for (; corners < count && heard[corners].time_s == heard[0].time_s;
         corners++)
        sum += heard[corners].impulse_ns;
    ck_assert_int_le(corners, 4);
    ck_assert_double_eq_tol(sum / (0.2 * 1.3 * heard[0].speed_m_s), 1, 0.02);
    feed_free(f);
}
END_TEST

START_TEST(a_ball_rolls_with_its_weight_and_speed) {
    static const drop d = {0.05, 0.01, 0, 0.5, {0}};
    feed *f = feed_new(rates_hz[_i], 0.5, 0.3);
    sb_body_def def = dropped(&d);
    def.moves.velocity = (sb_vec3){0.5, 0, 0};
    def.moves.spin = (sb_vec3){0, 0, -50};
    feed_add(f, ground(0.5));
    feed_add(f, def);
    feed_run(f, 0, 60);
    sums s = contacts_of(f->on.scene, SB_ROLLING);
    ck_assert_int_eq(s.count, 1);
    ck_assert_double_eq_tol(s.force_n / (0.05 * GRAVITY), 1, 0.02);
    ck_assert_double_eq_tol(s.surface_m_s, 0.5, 0.01);
    ck_assert_double_lt(s.slip_m_s, 0.02);
    ck_assert_int_eq(count_of(f->on.scene, SB_EVENT_IMPACT, 0), 0);
    ck_assert_int_ge(count_of(f->on.scene, SB_EVENT_ROLL, 0), 1);
    feed_free(f);
}
END_TEST

/* Steps of 1 to 33 ms, in no order. */
START_TEST(steps_may_change_in_length) {
    static const drop d = {0.05, 0.01, 0, 0.5, {0}};
    feed *f = feed_new(60, 0.5, 0.3);
    sb_body_def def = dropped(&d);
    def.moves.velocity = (sb_vec3){0.5, 0, 0};
    def.moves.spin = (sb_vec3){0, 0, -50};
    feed_add(f, ground(0.5));
    feed_add(f, def);
    uint32_t random = 1;
    for (int i = 0; i < 60; i++) {
        while (f->now_s < (i + 1) * STEP_S) {
            random = random * 1664525u + 1013904223u;
            f->step_s = 0.001 * pow(33.0, (random >> 8) / 16777216.0);
            feed_step(f);
        }
        advance(f->on, i, 1, STEP_FRAMES, NULL);
    }
    sums s = contacts_of(f->on.scene, SB_ROLLING);
    ck_assert_int_eq(s.count, 1);
    ck_assert_double_eq_tol(s.force_n / (0.05 * GRAVITY), 1, 0.2);
    ck_assert_double_eq_tol(s.surface_m_s, 0.5, 0.02);
    ck_assert_int_eq(count_of(f->on.scene, SB_EVENT_IMPACT, 0), 0);
    ck_assert_int_eq(count_of(f->on.scene, SB_EVENT_ROLL, 0), 1);
    feed_free(f);
}
END_TEST

/* --- several bodies ------------------------------------------------------ */

static bool is_same(sb_body_id a, sb_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/* What ODE computed of an impact. */
static const kept *found(const feed *f, const sb_event *e) {
    for (int i = 0; i < f->kept_count; i++) {
        const kept *k = &f->kept[i];
        if (fabs(k->time_s - e->time_s) < 1e-9 &&
            ((is_same(k->body[0], e->body[0]) &&
              is_same(k->body[1], e->body[1])) ||
             (is_same(k->body[0], e->body[1]) &&
              is_same(k->body[1], e->body[0]))))
            return k;
    }
    ck_abort_msg("an impact of '%s' and '%s' that ODE has not", e->name[0],
                 e->name[1]);
    return NULL;
}

/* A plate and three marbles, of which one falls onto another. */
START_TEST(three_marbles_fall_on_a_plate) {
    feed *f = feed_new(rates_hz[_i], 0.6, 0.2);
    sb_body_def plate = sb_body_def_default();
    plate.name = "plate";
    plate.shape = (sb_shape){
        .kind = SB_SHAPE_PLATE, .width = 0.6, .depth = 0.6, .thickness = 0.01};
    plate.material = *sb_material_find("oak");
    plate.has_material = true;
    plate.moves.collider = (sb_collider){
        .kind = SB_COLLIDER_BOX, .width = 0.6, .height = 0.4, .depth = 0.6};
    plate.position = (sb_vec3){0, -0.2, 0};
    feed_add(f, plate);
    static const char *const names[3] = {"one", "two", "three"};
    static const sb_vec3 from[3] = {
        {-0.06, 0.2, 0}, {0.02, 0.01, 0}, {0.032, 0.25, 0}};
    for (int i = 0; i < 3; i++) {
        sb_body_def def = ball_def();
        def.name = names[i];
        def.position = from[i];
        def.moves.mass_kg = 0.02;
        feed_add(f, def);
    }
    double loud = feed_run(f, 0, 60);
    ck_assert_double_gt(loud, 10 * QUIET);
    sb_event heard[MOST_IMPACTS];
    int count = impacts_of(f->on.scene, heard, MOST_IMPACTS), passed = 0;
    ck_assert_int_ge(count, 3);
    for (int i = 0; i < count; i++) {
        const sb_event *e = &heard[i];
        const kept *k = found(f, e);
        double weight = 0.02 * GRAVITY * f->step_s;
        ck_assert_double_eq_tol(e->impulse_ns, k->impulse_ns,
                                0.02 * k->impulse_ns + 2 * weight);
        passed += k->closing_m_s < 0.01; /* the blow on "two" goes through it */
        if (!strcmp(e->name[0], "plate") && !strcmp(e->name[1], "one"))
            ck_assert_double_eq_tol(e->impulse_ns / (0.02 * 1.6 * e->speed_m_s),
                                    1, 0.02);
    }
    ck_assert_int_ge(passed, 1);
    feed_run(f, 60, 500);
    double from_s = 560 * STEP_S;
    loud = feed_run(f, 560, 94);
    ck_assert_msg(loud < QUIET, "%g at rest", loud);
    ck_assert_int_eq(count_of(f->on.scene, SB_EVENT_IMPACT, from_s), 0);
    feed_free(f);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("foreign_ode");
    TCase *tcase = tcase_create("foreign_ode");
    tcase_add_loop_test(
        tcase, every_impact_that_ode_resolves_is_heard_and_then_rest_is_silent,
        0, DROPS * RATES);
    tcase_add_loop_test(tcase, the_own_world_has_the_same_impacts, 0, DROPS);
    tcase_add_loop_test(tcase, what_is_left_out_is_found, 0, RATES);
    tcase_add_loop_test(tcase, a_box_slides_and_stops, 0, RATES);
    tcase_add_loop_test(tcase, a_box_that_lands_flat_shares_its_blow, 0, RATES);
    tcase_add_loop_test(tcase, a_ball_rolls_with_its_weight_and_speed, 0,
                        RATES);
    tcase_add_test(tcase, steps_may_change_in_length);
    tcase_add_loop_test(tcase, three_marbles_fall_on_a_plate, 0, RATES);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
