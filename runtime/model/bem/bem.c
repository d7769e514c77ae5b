/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem.h"

#include "runtime/base/air.h"
#include "runtime/base/harmonics.h"
#include "runtime/base/memo.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/bem/bem_far.h"
#include "runtime/model/bem/bem_matrix.h"
#include "runtime/model/bem/bem_memo.h"
#include "runtime/model/bem/bem_mesh.h"
#include "runtime/model/linear/blas.h"
#include "runtime/model/linear/workers.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Wave numbers of which matrices are made follow each other by this factor at
 * most: what is interpolated between is then right to 0.05 dB. */
#define NODE_STEP 1.6

/* --- what is to be solved ------------------------------------------------- */

/* Modes of one frequency, which share a matrix. */
typedef struct group {
    double wavenumber;
    int first, count; /* in `order` of solver */
} group;

typedef struct ranked {
    double freq_hz;
    int mode;
} ranked;

/* What one thread writes to while it solves. */
typedef struct bench {
    float (*matrix)[2], (*right)[2], (*again)[2];
    lapack_int *pivots;
    double *mass; /* [unknown] */
    double (*corners)[3];
    sb_bem_sources sources;
    double *source_block;
    int failed; /* modes whose matrix could not be divided by */
} bench;

typedef struct solver {
    const sb_bem_def *def;
    double impedance; /* rho c */
    double speed;
    sb_bem_mesh mesh;
    double extent_m; /* of the body round the centre */
    ranked *order;
    group *groups;
    int group_count, node_count;
    double *nodes;     /* wave numbers */
    float (*store)[2]; /* W, and K' behind each W */
    bench *benches;
    int bench_count, group_most; /* modes in a group */
    sb_bem_result *out;
} solver;

static double density_of(const sb_bem_def *def) {
    return def->density_kg_m3 > 0 ? def->density_kg_m3 : SB_AIR_DENSITY;
}

static double speed_of(const sb_bem_def *def) {
    return def->speed_m_s > 0 ? def->speed_m_s : SB_AIR_SPEED;
}

static int by_frequency(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->freq_hz != b->freq_hz) return a->freq_hz < b->freq_hz ? -1 : 1;
    return a->mode - b->mode;
}

static double extent_of(const sb_bem_def *def) {
    double most = 0;
    for (int v = 0; v < def->surface.vertex_count; v++) {
        const float *p = def->surface.vertices[v];
        sb_vec3 apart = sb_vec3_sub((sb_vec3){p[0], p[1], p[2]}, def->centre_m);
        most = fmax(most, sb_vec3_dot(apart, apart));
    }
    return sqrt(most);
}

/* Nodes for wave numbers that span `ratio`. */
static int nodes_for(double ratio) {
    int count = (int)ceil(log(fmin(ratio, 1e9)) / log(NODE_STEP)) + 1;
    return count < SB_BEM_NODES ? SB_BEM_NODES : count;
}

/* Groups of modes, and the number of nodes: as many as groups if that is
 * fewer. */
static bool arrange(solver *s) {
    int count = s->def->mode_count;
    s->order = sb_alloc((size_t)count, sizeof *s->order);
    s->groups = sb_alloc((size_t)count, sizeof *s->groups);
    if (!s->order || !s->groups) return false;
    for (int k = 0; k < count; k++)
        s->order[k] = (ranked){s->def->freqs_hz[k], k};
    qsort(s->order, (size_t)count, sizeof *s->order, by_frequency);
    for (int k = 0; k < count; k++) {
        if (!k || s->order[k].freq_hz != s->order[k - 1].freq_hz) {
            s->groups[s->group_count++] =
                (group){SB_TAU * s->order[k].freq_hz / s->speed, k, 0};
        }
        group *last = &s->groups[s->group_count - 1];
        last->count++;
        if (last->count > s->group_most) s->group_most = last->count;
    }
    if (count) {
        double from = s->groups[0].wavenumber;
        s->node_count =
            nodes_for(s->groups[s->group_count - 1].wavenumber / from);
    }
    if (s->node_count > s->group_count) s->node_count = s->group_count;
    return true;
}

static bool is_direct(const solver *s) {
    return s->node_count == s->group_count;
}

static void place_nodes(solver *s) {
    double from = s->groups[0].wavenumber;
    double ratio = s->groups[s->group_count - 1].wavenumber / from;
    for (int i = 0; i < s->node_count; i++) {
        s->nodes[i] = is_direct(s)
                          ? s->groups[i].wavenumber
                          : from * pow(ratio, i / (s->node_count - 1.0));
    }
}

/* --- matrices ------------------------------------------------------------- */

static size_t matrix_size(const sb_bem_mesh *mesh) {
    return (size_t)mesh->unknown_count * (size_t)mesh->wide;
}

static float (*matrix_of(const solver *s, int node, int kind))[2] {
    int kinds = s->mesh.is_sheet ? 1 : 2;
    if (kind >= kinds) return NULL;
    return s->store + (size_t)(node * kinds + kind) * matrix_size(&s->mesh);
}

static void make_node(void *context, int node) {
    const solver *s = context;
    float(*w)[2] = matrix_of(s, node, 0), (*k)[2] = matrix_of(s, node, 1);
    sb_bem_matrices(&s->mesh, s->nodes[node], w, k);
    const sb_bem_kernel *kernel = sb_bem_kernel_best();
    int count = (int)matrix_size(&s->mesh);
    kernel->turn(count, s->mesh.distances, s->nodes[node], w);
    if (k) kernel->turn(count, s->mesh.distances, s->nodes[node], k);
}

/* Lagrange's weights on the four nodes round a wave number. */
static sb_bem_mix mix_for(const solver *s, int index, double eta) {
    double k = s->groups[index].wavenumber;
    sb_bem_mix mix = {.wavenumber = k, .eta = eta};
    int count = is_direct(s) ? 1 : SB_BEM_NODES, first = index;
    if (!is_direct(s)) {
        first = 0;
        while (first + count < s->node_count && s->nodes[first + 2] < k)
            first++;
    }
    for (int i = 0; i < count; i++) {
        mix.weights[i] = 1;
        for (int j = 0; j < count; j++) {
            double own = s->nodes[first + i], other = s->nodes[first + j];
            if (j != i) mix.weights[i] *= (k - other) / (own - other);
        }
        mix.w[i] = (const float(*)[2])matrix_of(s, first + i, 0);
        mix.k[i] = (const float(*)[2])matrix_of(s, first + i, 1);
    }
    return mix;
}

/* - i eta M / 2 */
static void take_mass(const sb_bem_mesh *mesh, double eta, float (*a)[2]) {
    for (int f = 0; f < mesh->face_count; f++) {
        const sb_bem_face *face = &mesh->faces[f];
        for (int i = 0; i < 9; i++) {
            int row = face->unknowns[i / 3], column = face->unknowns[i % 3];
            if (row < 0 || column < 0) continue;
            double mass = face->area / (i / 3 == i % 3 ? 6 : 12);
            a[(size_t)column * (size_t)mesh->wide + (size_t)row][1] -=
                (float)(eta * mass / 2);
        }
    }
}

/* --- one group ------------------------------------------------------------ */

/* v_n at the corners of all faces. */
static void velocity(const solver *s, int mode, double (*corners)[3]) {
    const float(*shape)[3] =
        s->def->shapes + (size_t)mode * (size_t)s->mesh.vertex_count;
    for (int f = 0; f < s->mesh.face_count; f++) {
        sb_vec3 n = s->mesh.faces[f].normal;
        for (int j = 0; j < 3; j++) {
            const float *at = shape[s->def->surface.faces[f][j]];
            corners[f][j] = n.x * at[0] + n.y * at[1] + n.z * at[2];
        }
    }
}

static void set_right(const solver *s, bench *own, int mode,
                      float (*right)[2]) {
    memset(own->mass, 0, (size_t)s->mesh.unknown_count * sizeof(double));
    velocity(s, mode, own->corners);
    sb_bem_mass(&s->mesh, (const double(*)[3])own->corners, own->mass);
    for (int i = 0; i < s->mesh.unknown_count; i++) {
        right[i][0] = (float)own->mass[i];
        right[i][1] = 0;
    }
}

/* Layers at the three points of each face, 1/4 pi included: of the monopoles
 * i eta mu, of the dipoles i k mu n. */
static void set_sources(const sb_bem_mesh *mesh, const float (*mu)[2],
                        double wavenumber, double eta,
                        const sb_bem_sources *out) {
    for (int f = 0; f < mesh->face_count; f++) {
        const sb_bem_face *face = &mesh->faces[f];
        double at[3][2] = {{0}}, sum[2] = {0};
        for (int j = 0; j < 3; j++) {
            for (int part = 0; part < 2 && face->unknowns[j] >= 0; part++) {
                at[j][part] = mu[face->unknowns[j]][part];
                sum[part] += at[j][part];
            }
        }
        double scale = face->area / (3 * 4 * SB_PI);
        for (int j = 0; j < 3; j++) {
            int i = 3 * f + j;
            double re = scale * (sum[0] / 6 + at[j][0] / 2);
            double im = scale * (sum[1] / 6 + at[j][1] / 2);
            const double n[3] = {face->normal.x, face->normal.y,
                                 face->normal.z};
            out->densities[0][i] = -eta * im;
            out->densities[1][i] = eta * re;
            for (int a = 0; a < 3; a++) {
                out->densities[2 + 2 * a][i] = -wavenumber * im * n[a];
                out->densities[3 + 2 * a][i] = wavenumber * re * n[a];
            }
        }
    }
}

/* From the integral of mu v_n: the pressure is -i k rho c mu. */
static sb_bem_load load_of(const solver *s, const float (*right)[2],
                           const float (*mu)[2], double k) {
    double sum[2] = {0}, density = s->impedance / s->speed;
    for (int i = 0; i < s->mesh.unknown_count; i++) {
        for (int part = 0; part < 2; part++)
            sum[part] += (double)right[i][0] * (double)mu[i][part];
    }
    return (sb_bem_load){-density * sum[0], s->impedance * k * sum[1]};
}

/* The right-hand sides leave out -i k rho c, which the far field gets. */
static void hear_mode(const solver *s, const bench *own, int mode,
                      const float (*mu)[2], double k, double eta) {
    set_sources(&s->mesh, mu, k, eta, &own->sources);
    sb_pattern *pattern = &s->out->patterns[mode];
    float(*coefs)[2] = (float(*)[2])pattern->coefs;
    sb_bem_far(&own->sources, k, s->extent_m, k * s->impedance, pattern, coefs);
    for (int i = 0; i < sb_harmonics_count(pattern->order); i++) {
        float re = coefs[i][0];
        coefs[i][0] = coefs[i][1]; /* times -i */
        coefs[i][1] = -re;
    }
}

static void solve_group(const solver *s, int index, bench *own) {
    const group *modes = &s->groups[index];
    const sb_bem_mesh *mesh = &s->mesh;
    int count = mesh->unknown_count, wide = mesh->wide;
    double k = modes->wavenumber;
    double eta = mesh->is_sheet ? 0 : fmax(k, 1 / mesh->radius);
    const sb_bem_mix mix = mix_for(s, index, eta);
    sb_bem_kernel_best()->mix((int)matrix_size(mesh), mesh->distances, &mix, 0,
                              own->matrix);
    take_mass(mesh, eta, own->matrix);
    for (int i = 0; i < modes->count; i++) {
        set_right(s, own, s->order[modes->first + i].mode,
                  own->right + (size_t)i * (size_t)wide);
    }
    lapack_complex_float *a = (lapack_complex_float *)(void *)own->matrix;
    lapack_complex_float *b = (lapack_complex_float *)(void *)own->right;
    if (count && LAPACKE_cgetrf_work(LAPACK_COL_MAJOR, count, count, a, wide,
                                     own->pivots)) {
        own->failed += modes->count;
        return;
    }
    if (count) {
        (void)LAPACKE_cgetrs_work(LAPACK_COL_MAJOR, 'N', count, modes->count, a,
                                  wide, own->pivots, b, wide);
    }
    for (int i = 0; i < modes->count; i++) {
        int mode = s->order[modes->first + i].mode;
        const float(*mu)[2] =
            (const float(*)[2])own->right + (size_t)i * (size_t)wide;
        hear_mode(s, own, mode, mu, k, eta);
        if (!mesh->is_sheet) continue;
        /* The right-hand side again, which the solution has replaced. */
        set_right(s, own, mode, own->again);
        s->out->loads[mode] = load_of(s, (const float(*)[2])own->again, mu, k);
    }
}

static void solve_part(void *context, int part) {
    const solver *s = context;
    for (int i = part; i < s->group_count && !sb_stop_is_wanted();
         i += s->bench_count) {
        solve_group(s, i, &s->benches[part]);
    }
}

/* --- memory --------------------------------------------------------------- */

static bool take_sources(const sb_bem_mesh *mesh, bench *own) {
    int padded =
        (3 * mesh->face_count + SB_BEM_LANES - 1) / SB_BEM_LANES * SB_BEM_LANES;
    double *block =
        sb_alloc((size_t)padded * (3 + SB_BEM_DENSITIES), sizeof *block);
    if (!block) return false;
    own->source_block = block;
    own->sources.count = padded;
    for (int i = 0; i < 3; i++, block += padded)
        own->sources.points[i] = block;
    for (int i = 0; i < SB_BEM_DENSITIES; i++, block += padded)
        own->sources.densities[i] = block;
    return true;
}

static bool take_bench(const solver *s, bench *own) {
    const sb_bem_mesh *mesh = &s->mesh;
    size_t count = (size_t)mesh->unknown_count,
           faces = (size_t)mesh->face_count;
    own->matrix = sb_alloc(matrix_size(mesh) + SB_BEM_LANES, sizeof(float[2]));
    own->right = sb_alloc((size_t)mesh->wide * (size_t)s->group_most + 1,
                          sizeof(float[2]));
    own->again = sb_alloc((size_t)mesh->wide + 1, sizeof(float[2]));
    own->pivots = sb_alloc(count, sizeof *own->pivots);
    own->mass = sb_alloc(count, sizeof *own->mass);
    own->corners = sb_alloc(faces, sizeof *own->corners);
    if (!own->matrix || !own->right || !own->again || !own->pivots ||
        !own->mass || !own->corners || !take_sources(mesh, own)) {
        return false;
    }
    for (int i = 0; i < 3 * mesh->face_count; i++) {
        const double c[3] = {s->def->centre_m.x, s->def->centre_m.y,
                             s->def->centre_m.z};
        for (int a = 0; a < 3; a++) {
            own->sources.points[a][i] =
                mesh->lanes.points[i % 3][a][i / 3] - c[a];
        }
    }
    return true;
}

static bool take_memory(solver *s) {
    int kinds = s->mesh.is_sheet ? 1 : 2;
    s->nodes = sb_alloc((size_t)s->node_count, sizeof *s->nodes);
    s->store = sb_alloc((size_t)(s->node_count * kinds) * matrix_size(&s->mesh),
                        sizeof(float[2]));
    s->bench_count =
        s->group_count < SB_WORKERS_MAX ? s->group_count : SB_WORKERS_MAX;
    s->benches = sb_alloc((size_t)s->bench_count, sizeof *s->benches);
    if (!s->nodes || !s->store || !s->benches) return false;
    for (int i = 0; i < s->bench_count; i++)
        if (!take_bench(s, &s->benches[i])) return false;
    return true;
}

/* Patterns with room for their coefs. */
static bool take_result(solver *s) {
    size_t count = (size_t)s->def->mode_count, total = 0;
    sb_bem_result *out = s->out;
    out->patterns = sb_alloc(count, sizeof *out->patterns);
    for (size_t k = 0; k < count; k++) {
        double size = SB_TAU * s->def->freqs_hz[k] / s->speed * s->extent_m;
        total += (size_t)sb_harmonics_count(sb_bem_far_order(size));
    }
    out->coefs = sb_alloc(total, sizeof *out->coefs);
    out->loads = sb_alloc(count, sizeof *out->loads);
    if (!out->patterns || !out->coefs || !out->loads) return false;
    float(*at)[2] = out->coefs;
    for (size_t k = 0; k < count; k++) {
        double size = SB_TAU * s->def->freqs_hz[k] / s->speed * s->extent_m;
        out->patterns[k].coefs = (const float(*)[2])at;
        at += sb_harmonics_count(sb_bem_far_order(size));
    }
    return true;
}

static void release(solver *s) {
    for (int i = 0; s->benches && i < s->bench_count; i++) {
        sb_free(s->benches[i].matrix);
        sb_free(s->benches[i].right);
        sb_free(s->benches[i].again);
        sb_free(s->benches[i].pivots);
        sb_free(s->benches[i].mass);
        sb_free(s->benches[i].corners);
        sb_free(s->benches[i].source_block);
    }
    sb_free(s->benches);
    sb_free(s->store);
    sb_free(s->nodes);
    sb_free(s->groups);
    sb_free(s->order);
    sb_bem_mesh_free(&s->mesh);
}

/* --- solve ---------------------------------------------------------------- */

static sb_status check(const sb_bem_def *def, sb_error *err) {
    if (def->surface.face_count < 1)
        return sb_fail(err, SB_BAD_ARGUMENT, "a surface without faces");
    for (int k = 0; k < def->mode_count; k++) {
        if (def->freqs_hz[k] > 0) continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mode %d: a frequency above 0 Hz was expected", k + 1);
    }
    return SB_OK;
}

static sb_status run(solver *s, sb_error *err) {
    sb_status status = sb_blas_enter(err);
    if (status) return status;
    place_nodes(s);
    int threads = sb_blas_is_limited() ? 1 : sb_workers_default();
    sb_workers_run(threads, s->node_count, make_node, s);
    sb_workers_run(threads, s->bench_count, solve_part, s);
    sb_blas_leave();
    int failed = 0;
    for (int i = 0; i < s->bench_count; i++)
        failed += s->benches[i].failed;
    status = sb_stop_check(err);
    if (!status && failed)
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "the sound of %d modes cannot be computed: the "
                         "surface has points without area",
                         failed);
    return status;
}

static bool has_time(const sb_bem_def *def) {
    const sb_memo *memo = sb_memo_used();
    return !memo || !memo->has_time ||
           memo->has_time(memo->context, sb_bem_estimate_s(def));
}

sb_status sb_bem_solve(const sb_bem_def *def, sb_bem_result *out,
                       sb_error *err) {
    *out = (sb_bem_result){0};
    sb_status status = check(def, err);
    char key[SB_DIGEST_TEXT_SIZE];
    if (status || sb_bem_recall(def, key, out)) return status;
    out->is_put_off = !has_time(def);
    if (out->is_put_off) return SB_OK;
    solver s = {.def = def,
                .speed = speed_of(def),
                .impedance = density_of(def) * speed_of(def),
                .extent_m = extent_of(def),
                .out = out};
    status = sb_bem_mesh_make(&def->surface, &s.mesh, err);
    if (!status && !(arrange(&s) && take_memory(&s) && take_result(&s)))
        status =
            sb_fail(err, SB_NO_MEMORY,
                    "out of memory for the sound of %d modes", def->mode_count);
    if (!status && s.group_count) status = run(&s, err);
    release(&s);
    if (status) sb_bem_result_free(out);
    if (!status) sb_bem_note(def, key, out);
    return status;
}

void sb_bem_result_free(sb_bem_result *result) {
    sb_free(result->patterns);
    sb_free(result->coefs);
    sb_free(result->loads);
    *result = (sb_bem_result){0};
}

/* --- what it takes -------------------------------------------------------- */

/* Counted, not measured: operations of each part, and how long one takes (2
 * GHz, AVX2). */
double sb_bem_estimate_s(const sb_bem_def *def) {
    solver s = {.def = def, .speed = speed_of(def)};
    (void)arrange(&s); /* without memory there are no groups */
    double faces = def->surface.face_count, count = def->surface.vertex_count;
    double kinds = def->surface.is_sheet ? 1 : 2, extent = extent_of(def);
    double seconds = 5e-5 * faces; /* near faces */
    seconds += s.node_count * kinds * 14e-9 * faces * faces;
    for (int i = 0; i < s.group_count; i++) {
        double pairs = sb_bem_far_pairs(s.groups[i].wavenumber * extent);
        seconds += 4e-9 * kinds * count * count + 3e-11 * pow(count, 3) +
                   s.groups[i].count * pairs * faces * 12e-9;
    }
    sb_free(s.order);
    sb_free(s.groups);
    return seconds;
}
