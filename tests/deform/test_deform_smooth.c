/* SPDX-License-Identifier: MIT */
/* What the triangles of a sheet do not resolve is damped and not heard; what
 * they resolve is neither. */
#include "runtime/deform/sound/sound.h"
#include "runtime/model/eigen/eigen.h"
#include "tests/deform/deform_fixture.h"

static const double side_m = 0.32, thick_m = 1e-3;
enum { CELLS = 12 };

/* A square sheet that is pinned along its edges, or free. */
static sb_deform *make_sheet(bool is_pinned) {
    sb_mesh mesh = cells_mesh(side_m, side_m, CELLS, CELLS);
    sb_hold *holds = sb_alloc((size_t)mesh.vertex_count, sizeof *holds);
    for (int i = 0; i < mesh.vertex_count; i++) {
        sb_vec3 p = mesh.vertices[i];
        bool is_edge = fmax(fabs(p.x), fabs(p.z)) > 0.499 * side_m;
        holds[i] = is_pinned && is_edge ? SB_HOLD_PINNED : SB_HOLD_FREE;
    }
    sb_deform_body_def body = sheet_body(&mesh, thick_m, holds);
    sb_deform *d = create_one(sb_deform_def_default(), &body);
    sb_free(holds);
    sb_mesh_free(&mesh);
    return d;
}

/* --- mode by mode ----------------------------------------------------------- */

/* The freedoms that bend: y of a node, its turns about x and z. */
typedef struct freedoms {
    int count, node[3 * (CELLS + 1) * (CELLS + 1)];
    int axis[3 * (CELLS + 1) * (CELLS + 1)]; /* 1: y; 0, 2: turns */
    double *values, *vectors; /* of M^-1 K of smooth.c; vectors M^1/2 x */
} freedoms;

static double mass_of(const sb_deform *d, const freedoms *f, int i) {
    return f->axis[i] == 1 ? d->mass[f->node[i]] : d->inertia[f->node[i]];
}

static double *field_of(sb_deform *d, const freedoms *f, int i) {
    double *rows = f->axis[i] == 1 ? d->smoothing.moves : d->smoothing.turns;
    return rows + 4 * f->node[i] + f->axis[i];
}

static void find_freedoms(const sb_deform *d, freedoms *f) {
    for (int i = 0; i < d->node_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            if (d->mass[i] == 0 || (axis == 1 && d->inverse_mass[i] == 0))
                continue;
            f->node[f->count] = i;
            f->axis[f->count++] = axis;
        }
    }
}

/* One round of smoothing is a multiplication by -M^-1 K. */
static void find_modes(sb_deform *d, freedoms *f) {
    find_freedoms(d, f);
    size_t n = (size_t)f->count, row = 4 * sizeof(double);
    double *a = sb_alloc(n * n, sizeof *a);
    sb_error err;
    f->values = sb_alloc(n, sizeof *f->values);
    f->vectors = sb_alloc(n * n, sizeof *f->vectors);
    for (int j = 0; j < f->count; j++) {
        memset(d->smoothing.moves, 0, (size_t)d->turn_count * row);
        memset(d->smoothing.turns, 0, (size_t)d->turn_count * row);
        *field_of(d, f, j) = 1 / sqrt(mass_of(d, f, j));
        for (int c = 0; c < d->chunks.group_count; c++)
            deform_smooth_elements(d, c, 1);
        for (int c = 0; c < d->chunks.node_count; c++)
            deform_smooth_nodes(d, c, 1);
        for (int i = 0; i < f->count; i++)
            a[(size_t)j * n + (size_t)i] =
                -sqrt(mass_of(d, f, i)) * *field_of(d, f, i);
    }
    ck_assert(!sb_eigen_symmetric(f->count, a, NULL,
                                  (sb_eigen_range){0, f->count}, f->values,
                                  f->vectors, &err));
    sb_free(a);
}

static double omega_of(const sb_deform *d, double value) {
    return sqrt(value / d->bodies[0].slowest_s2);
}

/* Energy that smoothing takes per radian, as a share of a mode's own: the
 * velocity loses 2 x^4 each time, and half of the energy is motion. */
static double loss_of(const sb_deform *d, double value) {
    return 2 * pow(value, 4) /
           (omega_of(d, value) * d->smoothing.steps * d->step_s);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a - *(const double *)b;
    return x < 0 ? -1 : x > 0;
}

/* A hundredth of steel's own loss, 2e-4 per radian and more, where a wave has
 * four elements or more, within 10 % of its frequency; what only a mesh has is
 * damped a thousand times as much. */
START_TEST(modes_are_damped_where_elements_do_not_resolve_them) {
    sb_deform *d = make_sheet(true);
    freedoms f = {0};
    double sizes[CELLS * CELLS], omega;
    find_modes(d, &f);
    for (int i = 0; i < CELLS * CELLS; i++) {
        double m = i % CELLS + 1, n = (double)(i / CELLS) + 1;
        sizes[i] = m * m + n * n; /* (2 side / wavelength)^2 */
    }
    qsort(sizes, CELLS * CELLS, sizeof *sizes, by_size);
    double stiff = sqrt(200e9 / (12 * 7850 * (1 - 0.29 * 0.29)));
    double unit = stiff * thick_m * pow(SB_PI / side_m, 2);
    for (int i = 0; i < f.count && sizes[i] <= CELLS * CELLS / 4.0; i++) {
        omega = omega_of(d, f.values[i]);
        ck_assert_double_lt(fabs(omega / (unit * sizes[i]) - 1), 0.1);
        ck_assert_double_lt(loss_of(d, f.values[i]), 2e-6);
    }
    ck_assert_double_le(f.values[f.count - 1], 1);
    ck_assert_double_gt(loss_of(d, f.values[CELLS * CELLS]), 2e-3);
    sb_deform_destroy(d);
    sb_free(f.values);
    sb_free(f.vectors);
}
END_TEST

/* The steps lose what the modes should. */
START_TEST(steps_damp_a_mode_as_predicted) {
    static const int modes[] = {20, CELLS * CELLS, 2 * CELLS * CELLS};
    for (int k = 0; k < 3; k++) {
        sb_deform *d = make_sheet(true);
        freedoms f = {0};
        find_modes(d, &f);
        const double *x = f.vectors + (size_t)modes[k] * (size_t)f.count;
        for (int i = 0; i < f.count; i++) {
            double *rows = f.axis[i] == 1 ? d->velocities : d->spins;
            rows[4 * f.node[i] + f.axis[i]] =
                1e-4 * x[i] / sqrt(mass_of(d, &f, i));
        }
        double value = f.values[modes[k]], time_s = 2e-3;
        steps(d, 1);
        sb_deform_energy first = d->state->energy;
        steps(d, (int64_t)(time_s / d->step_s) / CHECK_STEPS * CHECK_STEPS);
        sb_deform_energy last = d->state->energy;
        double all = first.kinetic_j + first.elastic_j;
        double kept = (last.kinetic_j + last.elastic_j) / all;
        double wanted = exp(-loss_of(d, value) * omega_of(d, value) * time_s);
        ck_assert_msg(fabs(log(kept / wanted)) < 0.002 - 0.1 * log(wanted),
                      "mode %d keeps %g, not %g", modes[k], kept, wanted);
        ck_assert_double_lt(fabs(kept + last.smoothed_j / all - 1), 1e-6);
        sb_deform_destroy(d);
        sb_free(f.values);
        sb_free(f.vectors);
    }
}
END_TEST

/* --- any motion ------------------------------------------------------------- */

static double random_of(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 40) / (double)(1 << 24) - 0.5;
}

static void set_random(sb_deform *d, double *most) {
    uint64_t state = 7;
    for (int i = 0; i < d->node_count; i++) {
        if (d->mass[i] == 0) continue;
        set_row(
            d->velocities, i,
            (sb_vec3){random_of(&state), random_of(&state), random_of(&state)});
        set_row(d->spins, i,
                (sb_vec3){99 * random_of(&state), 99 * random_of(&state),
                          99 * random_of(&state)});
        *most = fmax(*most, fabs(row_vec3(d->velocities, i).y));
    }
}

static double kinetic_j(const sb_deform *d) {
    double sum = 0;
    for (int i = 0; i < d->node_count; i++) {
        sb_vec3 v = row_vec3(d->velocities, i), w = row_vec3(d->spins, i);
        sum += 0.5 * d->mass[i] * sb_vec3_dot(v, v) +
               0.5 * d->inertia[i] * sb_vec3_dot(w, w);
    }
    return sum;
}

static void smooth_once(sb_deform *d) {
    for (int round = 0; round < SMOOTH_ROUNDS; round++) {
        for (int c = 0; c < d->chunks.group_count; c++)
            deform_smooth_elements(d, c, round);
        for (int c = 0; c < d->chunks.node_count; c++)
            deform_smooth_nodes(d, c, round);
    }
}

/* Each time, whatever the motion: energy falls by what is accounted for, and
 * neither momentum nor spin changes. */
START_TEST(smoothing_takes_energy_and_nothing_else) {
    sb_deform *d = make_sheet(false);
    double most = 0, taken = 0, first, last;
    set_random(d, &most);
    first = last = kinetic_j(d);
    deform_motion before = deform_motion_of(d, 0);
    for (int i = 0; i < 50; i++) {
        smooth_once(d);
        ck_assert_double_le(kinetic_j(d), last);
        last = kinetic_j(d);
    }
    deform_motion after = deform_motion_of(d, 0);
    for (int c = 0; c < d->chunks.node_count; c++)
        taken += d->chunks.work[3 * c + 2];
    ck_assert_double_lt(fabs((first - last) / taken - 1), 1e-12);
    ck_assert_double_gt(taken, 0.1 * first);
    double p = before.mass_kg * most;
    ck_assert_double_lt(
        sb_vec3_length(sb_vec3_sub(after.momentum_ns, before.momentum_ns)),
        1e-12 * p);
    ck_assert_double_lt(
        sb_vec3_length(sb_vec3_sub(after.spin_nms, before.spin_nms)),
        1e-12 * p * side_m);
    sb_deform_destroy(d);
}
END_TEST

/* --- what is heard ---------------------------------------------------------- */

static double gain_db(const sound_limit *limit, double freq_hz) {
    enum { SKIPPED = 9600, HEARD = 48000 };
    double state[2 * SOUND_SECTIONS] = {0}, sine = 0, cosine = 0;
    for (int i = 0; i < SKIPPED + HEARD; i++) {
        double phase = SB_TAU * freq_hz * i / SB_DEFORM_RATE_HZ;
        double y = deform_sound_limit(limit, state, sin(phase));
        if (i < SKIPPED) continue;
        sine += y * sin(phase);
        cosine += y * cos(phase);
    }
    return 20 * log10(2 * hypot(sine, cosine) / HEARD);
}

/* The limit is that of a flat sheet's wave of six elements:
 * k = 2 pi / (6 h), 2 pi f = k^2 sqrt(D / rho t). */
START_TEST(nothing_is_heard_above_what_elements_resolve) {
    static const sb_vec3 ear_m = {0, 1, 0};
    sb_mesh mesh = cells_mesh(side_m, side_m, CELLS, CELLS);
    sb_deform_body_def body = sheet_body(&mesh, thick_m, NULL);
    sb_deform_def def = sb_deform_def_default();
    def.ear_m = &ear_m;
    sb_deform *d = create_one(def, &body);
    double limit = sb_deform_limit_of(d, 0).flat_hz;
    double stiff = 200e9 * pow(thick_m, 3) / (12 * (1 - 0.29 * 0.29));
    double k = SB_PI / 3 / (side_m / CELLS);
    double wanted = k * k * sqrt(stiff / (7850 * thick_m)) / SB_TAU;
    ck_assert_double_lt(fabs(limit / wanted - 1), 1e-9);
    sound_limit low, *own = &low;
    deform_sound_limit_set(own, limit);
    ck_assert_double_eq_tol(gain_db(own, 0.5 * limit), 0, 0.1);
    ck_assert_double_gt(gain_db(own, 0.82 * limit), -0.4);
    for (double above = 1; above < 16; above *= 1.1)
        ck_assert_double_lt(gain_db(own, above * limit), -49.9);
    sb_deform_destroy(d);
    sb_mesh_free(&mesh);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deform_smooth");
    TCase *tests = tcase_create("smooth");
    tcase_add_test(tests, modes_are_damped_where_elements_do_not_resolve_them);
    tcase_add_test(tests, steps_damp_a_mode_as_predicted);
    tcase_add_test(tests, smoothing_takes_energy_and_nothing_else);
    tcase_add_test(tests, nothing_is_heard_above_what_elements_resolve);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
