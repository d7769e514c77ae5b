/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem_turned.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/bem/bem_far.h"
#include "runtime/model/bem/bem_rings.h"
#include "runtime/model/linear/blas.h"
#include "runtime/model/linear/workers.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { ORDERS = SB_HARMONICS_ORDER_MOST + 1 };

/* Modes that differ by their angle only. */
typedef struct equation {
    int mode;  /* the first of them */
    int index; /* of its waves */
} equation;

typedef struct bench {
    sb_bem_rings_bench rings;
    double complex *layer; /* [node] */
    lapack_int *pivots;
    int failed;
} bench;

typedef struct solver {
    const sb_bem_turned_def *def;
    double impedance, speed;
    sb_bem_rings_mesh mesh;
    int *waves, *systems_of; /* [mode]: numbers of waves, the mode's system */
    int waves_count;
    equation *systems;
    int system_count, bench_count;
    bench *benches;
    /* Harmonics about y by those about z: [l][harmonic about z][about y]. */
    double *turns;
    sb_bem_result *out;
} solver;

static double wavenumber_of(const solver *s, int mode) {
    return SB_TAU * s->def->modes[mode].freq_hz / s->speed;
}

/* --- what is to be solved ------------------------------------------------- */

static bool is_same(const sb_bem_turned_mode *a, const sb_bem_turned_mode *b) {
    return a->motion == b->motion && a->waves == b->waves &&
           a->freq_hz == b->freq_hz;
}

static int index_of(solver *s, int waves) {
    for (int i = 0; i < s->waves_count; i++)
        if (s->waves[i] == waves) return i;
    s->waves[s->waves_count] = waves;
    return s->waves_count++;
}

static bool arrange(solver *s) {
    size_t count = (size_t)s->def->mode_count;
    const sb_bem_turned_mode *modes = s->def->modes;
    s->waves = sb_alloc(count, sizeof(int));
    s->systems_of = sb_alloc(count, sizeof(int));
    s->systems = sb_alloc(count, sizeof *s->systems);
    if (!s->waves || !s->systems_of || !s->systems) return false;
    for (int k = 0; k < s->def->mode_count; k++) {
        int i = 0;
        while (i < s->system_count &&
               !is_same(&modes[s->systems[i].mode], &modes[k]))
            i++;
        s->systems_of[k] = i;
        if (i < s->system_count) continue;
        s->systems[s->system_count++] =
            (equation){k, index_of(s, modes[k].waves)};
    }
    return true;
}

/* --- harmonics about y ---------------------------------------------------- */

static int turn_start(int order) { /* sum of (2l + 1)^2 below */
    return order * (4 * order * order - 1) / 3;
}

/* y becomes the pole, angles begin at x and go to z. */
static void fill_turns(double *turns) {
    enum { RINGS = ORDERS + 1 };
    for (int i = 0; i < 2 * RINGS * RINGS; i++) {
        double weight, z = sb_bem_gauss(RINGS, i / (2 * RINGS), &weight);
        double angle = SB_PI * (i % (2 * RINGS)) / RINGS;
        double flat = sqrt(1 - z * z);
        sb_vec3 r = {flat * cos(angle), flat * sin(angle), z};
        float own[ORDERS * ORDERS], about_y[ORDERS * ORDERS];
        sb_harmonics(ORDERS - 1, r, own);
        sb_harmonics(ORDERS - 1, (sb_vec3){r.x, r.z, r.y}, about_y);
        weight /= 2 * RINGS;
        for (int l = 0; l < ORDERS; l++) {
            int wide = 2 * l + 1;
            double *at = turns + turn_start(l);
            for (int m = 0; m < wide * wide; m++)
                at[m] += weight * (double)own[l * l + m / wide] *
                         (double)about_y[l * l + m % wide];
        }
    }
}

static void turn(const solver *s, int order, int around,
                 const double (*about_y)[2], sb_bem_heard *out) {
    for (int l = 0; l <= order; l++) {
        int wide = 2 * l + 1, from = l + around;
        for (int m = 0; m < wide; m++) {
            double part = from < 0 || from >= wide
                              ? 0
                              : s->turns[turn_start(l) + m * wide + from];
            for (int c = 0; c < 2; c++)
                out->coefs[l * l + m][c] = part * about_y[l][c];
        }
    }
}

/* --- one system ----------------------------------------------------------- */

static void set_right(const solver *s, const sb_bem_turned_mode *mode,
                      double complex *right) {
    const sb_bem_rings_mesh *mesh = &s->mesh;
    memset(right, 0, (size_t)mesh->node_count * sizeof *right);
    for (int e = 0; e < mesh->element_count; e++) {
        const sb_bem_element *own = &mesh->elements[e];
        for (int i = 0; i < 2; i++) {
            sb_bem_spot x = sb_bem_spot_of(own, i);
            double velocity = 0;
            for (int j = 0; j < 2; j++) {
                const double *u = mode->motion[own->nodes[j]];
                velocity += (j ? x.share : 1 - x.share) *
                            (u[0] * own->normal[0] + u[1] * own->normal[1]);
            }
            right[own->nodes[0]] += x.weight * (1 - x.share) * velocity;
            right[own->nodes[1]] += x.weight * x.share * velocity;
        }
    }
    for (int i = 0; i < mesh->node_count; i++)
        if (mesh->is_edge[i] || (mode->waves > 0 && mesh->is_tip[i]))
            right[i] = 0;
}

/* What a ring of the layer sends to directions at z = cos and -cos from y, over
 * cos(n a) there. */
static void add_ring(const sb_bem_spot *x, double complex mu, int waves,
                     double k, double eta, double z, double complex out[2]) {
    double flat = sqrt(1 - z * z), at = k * x->r * flat;
    double below = jn(waves - 1, at), above = jn(waves + 1, at);
    double slope = (below - above) / 2;
    double own = waves ? at / (2 * waves) * (below + above) : j0(at);
    static const double complex turns[4] = {1, I, -1, -I};
    double complex front = turns[waves % 4], side = turns[(waves + 3) % 4];
    const double *n = x->element->normal;
    for (int i = 0; i < 2; i++) {
        double up = i ? -z : z, phase = k * x->y * up;
        double complex e = cos(phase) + I * sin(phase);
        out[i] += x->weight / 2 * mu * e *
                  ((I * k * n[1] * up + I * eta) * front * own +
                   I * k * n[0] * flat * side * slope);
    }
}

static double complex layer_at(const sb_bem_spot *x,
                               const double complex *layer) {
    const int *nodes = x->element->nodes;
    return (1 - x->share) * layer[nodes[0]] + x->share * layer[nodes[1]];
}

static double pattern_size(const solver *s, int mode) {
    return fmax(wavenumber_of(s, mode) * s->mesh.extent_m,
                s->def->modes[mode].waves);
}

/* The far field about y, of cos(n a): the mean of its square, and by order. */
static double listen(const solver *s, int mode, const double complex *layer,
                     double eta, int order, double (*about_y)[2]) {
    double k = wavenumber_of(s, mode), square = 0;
    int waves = s->def->modes[mode].waves;
    int rings = sb_bem_far_rings(pattern_size(s, mode));
    for (int i = 0; i < rings / 2; i++) {
        double weight, z = sb_bem_gauss(rings, i, &weight);
        double complex at[2] = {0};
        for (int p = 0; p < 2 * s->mesh.element_count; p++) {
            sb_bem_spot x = sb_bem_spot_of(&s->mesh.elements[p / 2], p % 2);
            add_ring(&x, layer_at(&x, layer), waves, k, eta, z, at);
        }
        weight *= waves ? 0.5 : 1; /* of cos^2 */
        for (int side = 0; side < 2; side++) {
            float y[ORDERS * ORDERS];
            double up = side ? -z : z;
            sb_harmonics(order, (sb_vec3){sqrt(1 - z * z), 0, up}, y);
            double parts[2] = {creal(at[side]), cimag(at[side])};
            square += weight * (parts[0] * parts[0] + parts[1] * parts[1]);
            for (int l = waves; l <= order; l++)
                for (int c = 0; c < 2; c++)
                    about_y[l][c] +=
                        weight * parts[c] * (double)y[l * (l + 1) + waves];
        }
    }
    return square;
}

static void hear_mode(const solver *s, int mode, int order, double square,
                      const double (*about_y)[2]) {
    const sb_bem_turned_mode *own = &s->def->modes[mode];
    double scale = wavenumber_of(s, mode) * s->impedance;
    sb_pattern *pattern = &s->out->patterns[mode];
    float(*coefs)[2] = (float(*)[2])pattern->coefs;
    sb_bem_heard heard = {.square = square};
    if (own->waves >= ORDERS) {
        *pattern = (sb_pattern){-1, (float)(scale * scale * square), NULL};
        return;
    }
    turn(s, order, own->is_sine ? -own->waves : own->waves, about_y, &heard);
    sb_bem_far_cut(&heard, order, scale, pattern, coefs);
    for (int i = 0; i < sb_harmonics_count(pattern->order); i++) {
        float re = coefs[i][0];
        coefs[i][0] = coefs[i][1]; /* times -i */
        coefs[i][1] = -re;
    }
}

static void solve_system(const solver *s, int which, bench *own) {
    const equation *which_one = &s->systems[which];
    const sb_bem_turned_mode *mode = &s->def->modes[which_one->mode];
    int count = s->mesh.node_count;
    double k = wavenumber_of(s, which_one->mode);
    double eta = s->mesh.is_sheet ? 0 : fmax(k, 1 / s->mesh.radius_m);
    sb_bem_rings_system(&s->mesh, which_one->index, k, eta, &own->rings);
    set_right(s, mode, own->layer);
    lapack_complex_double *a = (lapack_complex_double *)(void *)own->rings.w;
    lapack_complex_double *b = (lapack_complex_double *)(void *)own->layer;
    if (LAPACKE_zgetrf_work(LAPACK_COL_MAJOR, count, count, a, count,
                            own->pivots)) {
        own->failed++;
        return;
    }
    /* The matrix is given by rows. */
    (void)LAPACKE_zgetrs_work(LAPACK_COL_MAJOR, 'T', count, 1, a, count,
                              own->pivots, b, count);
    double about_y[ORDERS][2] = {{0}};
    int order = sb_bem_far_order(pattern_size(s, which_one->mode));
    double square = listen(s, which_one->mode, own->layer, eta, order, about_y);
    for (int m = which_one->mode; m < s->def->mode_count; m++)
        if (s->systems_of[m] == which)
            hear_mode(s, m, order, square, (const double(*)[2])about_y);
}

static void solve_part(void *context, int part) {
    const solver *s = context;
    for (int i = part; i < s->system_count && !sb_stop_is_wanted();
         i += s->bench_count) {
        solve_system(s, i, &s->benches[part]);
    }
}

/* --- memory --------------------------------------------------------------- */

static bool take_memory(solver *s) {
    size_t nodes = (size_t)s->mesh.node_count;
    int angles = 0;
    for (int i = 0; i < s->system_count; i++) {
        int mode = s->systems[i].mode;
        int own = sb_bem_rings_angles(&s->mesh, s->def->modes[mode].waves,
                                      wavenumber_of(s, mode));
        angles = own > angles ? own : angles;
    }
    s->bench_count =
        s->system_count < SB_WORKERS_MAX ? s->system_count : SB_WORKERS_MAX;
    s->benches = sb_alloc((size_t)s->bench_count, sizeof *s->benches);
    s->turns = sb_alloc((size_t)turn_start(ORDERS), sizeof *s->turns);
    if (!s->benches || !s->turns) return false;
    for (int i = 0; i < s->bench_count; i++) {
        bench *own = &s->benches[i];
        own->layer = sb_alloc(nodes, sizeof *own->layer);
        own->pivots = sb_alloc(nodes, sizeof *own->pivots);
        if (!own->layer || !own->pivots ||
            !sb_bem_rings_bench_make(&s->mesh, angles, &own->rings))
            return false;
    }
    return true;
}

/* Patterns with room for their coefs. */
static bool take_result(solver *s) {
    size_t count = (size_t)s->def->mode_count, total = 1;
    sb_bem_result *out = s->out;
    for (int pass = 0; pass < 2; pass++) {
        float(*at)[2] = out->coefs;
        for (int k = 0; k < s->def->mode_count; k++) {
            int room = sb_harmonics_count(sb_bem_far_order(pattern_size(s, k)));
            if (pass) {
                out->patterns[k].coefs = (const float(*)[2])at;
                at += room;
            }
            total += (size_t)room;
        }
        if (pass) break;
        out->patterns = sb_alloc(count, sizeof *out->patterns);
        out->coefs = sb_alloc(total, sizeof *out->coefs);
        if (!out->patterns || !out->coefs) return false;
    }
    return true;
}

static void release(solver *s) {
    for (int i = 0; s->benches && i < s->bench_count; i++) {
        sb_bem_rings_bench_free(&s->benches[i].rings);
        sb_free_all(s->benches[i].layer, s->benches[i].pivots);
    }
    sb_free_all(s->benches, s->turns, s->waves, s->systems_of, s->systems);
    sb_bem_rings_free(&s->mesh);
}

/* --- solve ---------------------------------------------------------------- */

static sb_status check(const sb_bem_turned_def *def, sb_error *err) {
    const sb_bem_profile *profile = &def->profile;
    for (int i = 0; i + 1 < profile->count; i++) {
        const double *a = profile->points[i], *b = profile->points[i + 1];
        if (!(hypot(a[0] - b[0], a[1] - b[1]) > 0) || !(a[0] + b[0] > 0))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "point %d of a profile is where the next one is, "
                           "or both are on the axis",
                           i + 1);
    }
    if (profile->count < 3)
        return sb_fail(err, SB_BAD_ARGUMENT, "a profile of %d points",
                       profile->count);
    for (int k = 0; k < def->mode_count; k++) {
        if (def->modes[k].freq_hz > 0) continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mode %d: a frequency above 0 Hz was expected", k + 1);
    }
    return SB_OK;
}

static sb_status run(solver *s, sb_error *err) {
    sb_status status = sb_blas_enter(err);
    if (status) return status;
    fill_turns(s->turns);
    int threads = sb_blas_is_limited() ? 1 : sb_workers_default();
    sb_workers_run(threads, s->bench_count, solve_part, s);
    sb_blas_leave();
    int failed = 0;
    for (int i = 0; i < s->bench_count; i++)
        failed += s->benches[i].failed;
    status = sb_stop_check(err);
    if (!status && failed)
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "the sound of %d modes of a profile cannot be "
                         "computed",
                         failed);
    return status;
}

sb_status sb_bem_turned_solve(const sb_bem_turned_def *def, sb_bem_result *out,
                              sb_error *err) {
    *out = (sb_bem_result){0};
    sb_status status = check(def, err);
    if (status || !def->mode_count) return status;
    double speed = def->speed_m_s > 0 ? def->speed_m_s : SB_AIR_SPEED;
    double density =
        def->density_kg_m3 > 0 ? def->density_kg_m3 : SB_AIR_DENSITY;
    solver s = {
        .def = def, .speed = speed, .impedance = density * speed, .out = out};
    bool is_ok = arrange(&s);
    if (is_ok)
        status = sb_bem_rings_make(&def->profile, s.waves, s.waves_count,
                                   &s.mesh, err);
    is_ok = is_ok && (status || (take_memory(&s) && take_result(&s)));
    if (!is_ok)
        status =
            sb_fail(err, SB_NO_MEMORY,
                    "out of memory for the sound of %d modes", def->mode_count);
    if (!status) status = run(&s, err);
    release(&s);
    if (status) sb_bem_result_free(out);
    return status;
}
