/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/radiation.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/base/vec3.h"
#include "runtime/model/linear/workers.h"
#include "runtime/model/sound/exact.h"
#include "runtime/model/sound/patches.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* --- surfaces that move --------------------------------------------------- */

double sb_surface_radius_m(double area_m2, bool has_back) {
    if (has_back) return 8 / (3 * SB_PI) * sqrt(area_m2 / SB_PI);
    return sqrt(area_m2 / (4 * SB_PI));
}

/* z; e^{iwt}. */
static double complex surface_impedance(double rate, double x) {
    return I * x / (rate + I * x);
}

/* Waves longer than this part of the shortest that were heard do not count. */
#define SHORT 0.85

/* --- modes ---------------------------------------------------------------- */

enum {
    SUMS = 7,            /* a patch and mode: Q, V and M of patches.h */
    BLOCK = 32,          /* modes summed together: their sums stay in cache */
    WAVE_FACES = 1024,   /* of which K is taken, about */
    ORDER_MOST = 1000,   /* of a sphere; far above what can be meshed */
    TURN = 1024,         /* steps of the table of sines */
    SMOOTH_PERCENT = 82, /* cosine: a bend of more than 35 degrees is an edge */
};

typedef struct sine_cosine {
    double cosine, sine;
} sine_cosine;

/* A patch seen from direction r. */
typedef struct sight {
    double depth;  /* centre . r, in steps of TURN / 2 pi */
    double spread; /* half the mean square of depths within, m^2 */
    double facing; /* normal . r */
} sight;

typedef struct hearing {
    const sb_radiation_def *def;
    sb_patches patches;
    sb_vec3 *normals; /* of vertices */
    double *gradient; /* [mode] integral |grad v_n|^2 */
    double *square;   /* [mode] integral v_n^2 */
    double *swell;    /* [mode] integral v_n */
    double *waves;    /* [mode] K */
    bool *is_exact;   /* [mode] heard by boundary elements */
    bool is_out_of_memory;
    double area_m2;  /* of the faces that the integrals are over */
    double radius_m; /* of a sphere of the surface's area */
    double *sums;    /* [part][patch][SUMS][BLOCK] */
    double *ones;    /* [part][patch][SUMS] of one mode */
    int part_count;  /* each takes every part_count-th block of modes */
    sight *sights;   /* [pair][patch] */
    sb_direction pairs[SB_DIRECTION_PAIRS];
    sine_cosine table[TURN];
    sb_far *fars;
} hearing;

double sb_far_product(const sb_far *a, const sb_far *b) {
    double sum = 0;
    for (int i = 0; i < SB_FAR_PARTS; i++)
        sum += a->parts[i] * b->parts[i];
    return sum;
}

static const float *shapes_at(const sb_radiation_def *def, int vertex,
                              int mode) {
    size_t at =
        (size_t)vertex * (size_t)def->stride + (size_t)(def->first_mode + mode);
    return def->shapes + 3 * at;
}

/* --- K, the waves on the surface ------------------------------------------ */

static void vertex_normals(const sb_radiation_def *def, sb_vec3 *normals) {
    for (int i = 0; i < def->face_count; i++) {
        sb_vec3 area = sb_face_area(def->vertices, def->faces[i]);
        for (int j = 0; j < 3; j++) {
            sb_vec3 *normal = &normals[def->faces[i][j]];
            *normal = sb_vec3_add(*normal, area);
        }
    }
    for (int i = 0; i < def->vertex_count; i++)
        normals[i] = sb_vec3_normalised(normals[i]);
}

typedef struct wave_face {
    const float *shapes[3];
    sb_vec3 normals[3];
    double area, cot[3]; /* cot[j]: half the cotangent at corner j */
} wave_face;

/* On a smooth surface v_n takes the vertex's normal, so that a cylinder that
 * moves sideways has waves round it; at an edge each face has its own. */
static bool look_at_face(const hearing *h, int i, wave_face *face) {
    const sb_radiation_def *def = h->def;
    const int32_t *corners = def->faces[i];
    sb_vec3 area = sb_face_area(def->vertices, corners);
    sb_vec3 normal = sb_vec3_normalised(area), at[3];
    face->area = sb_vec3_length(area);
    if (!(face->area > 0)) return false;
    for (int j = 0; j < 3; j++) {
        const float *p = def->vertices[corners[j]];
        at[j] = (sb_vec3){p[0], p[1], p[2]};
        sb_vec3 smooth = h->normals[corners[j]];
        bool is_edge = sb_vec3_dot(smooth, normal) < SMOOTH_PERCENT / 100.0;
        face->normals[j] = is_edge ? normal : smooth;
        face->shapes[j] = shapes_at(def, corners[j], 0);
    }
    for (int j = 0; j < 3; j++) {
        sb_vec3 one = sb_vec3_sub(at[(j + 1) % 3], at[j]);
        sb_vec3 two = sb_vec3_sub(at[(j + 2) % 3], at[j]);
        face->cot[j] = sb_vec3_dot(one, two) / (4 * face->area);
    }
    return true;
}

static double normal_part(const float *phi, sb_vec3 n) {
    return phi[0] * n.x + phi[1] * n.y + phi[2] * n.z;
}

static void add_waves(hearing *h, const wave_face *face) {
    h->area_m2 += face->area;
    for (int k = 0; k < h->def->mode_count; k++) {
        double a =
            normal_part(face->shapes[0] + (size_t)k * 3, face->normals[0]);
        double b =
            normal_part(face->shapes[1] + (size_t)k * 3, face->normals[1]);
        double c =
            normal_part(face->shapes[2] + (size_t)k * 3, face->normals[2]);
        h->gradient[k] += face->cot[0] * (b - c) * (b - c) +
                          face->cot[1] * (c - a) * (c - a) +
                          face->cot[2] * (a - b) * (a - b);
        h->square[k] +=
            face->area / 6 * (a * a + b * b + c * c + a * b + b * c + c * a);
        h->swell[k] += face->area / 3 * (a + b + c);
    }
}

/* Some of the faces are enough for K^2. The stride is odd, since a grid has two
 * triangles per cell. */
static void find_waves(hearing *h) {
    vertex_normals(h->def, h->normals);
    int stride = h->def->face_count / WAVE_FACES;
    stride = stride < 1 ? 1 : stride | 1;
    wave_face face;
    for (int i = 0; i < h->def->face_count && !sb_stop_is_wanted();
         i += stride) {
        if (look_at_face(h, i, &face)) add_waves(h, &face);
    }
}

/* n of n (n + 1) = (K a)^2, over all modes of the same frequency. */
static double order_of(const hearing *h, int first, int end) {
    double gradient = 0, square = 0;
    for (int k = first; k < end; k++) {
        gradient += h->gradient[k];
        square += h->square[k];
    }
    double a = h->patches.radius_m;
    if (!(square > 0)) return 0;
    double ka = gradient / square * a * a;
    return fmin(sqrt(0.25 + fmax(ka, 0)) - 0.5, ORDER_MOST);
}

/* q of radiation.h, over all modes of the same frequency: 1 for a closed
 * body that swells evenly. */
static double rate_of(const hearing *h, int first, int end) {
    double even = 0, square = 0;
    for (int k = first; k < end; k++) {
        even += h->swell[k] * h->swell[k] / h->area_m2;
        square += h->square[k];
    }
    if (h->def->sheet_m > 0 || !(square > 0)) return SB_SURFACE_RATE;
    return SB_SURFACE_RATE + (1 - SB_SURFACE_RATE) * fmin(even / square, 1);
}

/* z_n = -i h_n / h_n' with Hankel's h of the second kind; between whole orders
 * its inverse is taken as linear, which it is where x is small. */
static double complex impedance(double order, double x) {
    if (!(x > 0)) return 0;
    double complex q = -(1 + I * x) / x; /* h_0' / h_0 */
    double complex next = q;
    for (int n = 1; n <= (int)order + 1; n++) {
        q = next;
        next = 1 / ((n - 1) / x - q) - (n + 1) / x;
    }
    double part = order - floor(order);
    return -I / (q * (1 - part) + next * part);
}

double complex sb_radiation_impedance(double waves, double x) {
    return impedance(fmin(sqrt(0.25 + waves * waves) - 0.5, ORDER_MOST), x);
}

/* --- far fields ----------------------------------------------------------- */

static void add_patches(const hearing *h, int first, int count, double *sums) {
    size_t bytes =
        (size_t)h->patches.patch_count * SUMS * BLOCK * sizeof(double);
    memset(sums, 0, bytes);
    for (int i = 0; i < h->patches.link_count; i++) {
        const sb_patch_link *link = &h->patches.links[i];
        const double *n = link->n, *nn = link->nn;
        const double(*xn)[3] = (const double(*)[3])link->xn;
        const float *phi = shapes_at(h->def, link->vertex, first);
        double *q = sums + (size_t)link->patch * SUMS * BLOCK;
        for (int k = 0; k < count; k++, q++, phi += 3) {
            double x = phi[0], y = phi[1], z = phi[2];
            q[0] += n[0] * x + n[1] * y + n[2] * z;
            q[BLOCK] += nn[0] * x + nn[3] * y + nn[5] * z;
            q[2 * BLOCK] += nn[3] * x + nn[1] * y + nn[4] * z;
            q[3 * BLOCK] += nn[5] * x + nn[4] * y + nn[2] * z;
            q[4 * BLOCK] += xn[0][0] * x + xn[0][1] * y + xn[0][2] * z;
            q[5 * BLOCK] += xn[1][0] * x + xn[1][1] * y + xn[1][2] * z;
            q[6 * BLOCK] += xn[2][0] * x + xn[2][1] * y + xn[2][2] * z;
        }
    }
}

static double spread_along(const double m[6], sb_vec3 r) {
    return m[0] * r.x * r.x + m[1] * r.y * r.y + m[2] * r.z * r.z +
           2 * (m[3] * r.x * r.y + m[4] * r.y * r.z + m[5] * r.z * r.x);
}

static void prepare(hearing *h) {
    sb_directions(h->pairs);
    int count = h->patches.patch_count;
    for (int d = 0; d < SB_DIRECTION_PAIRS; d++) {
        sb_vec3 r = h->pairs[d].unit;
        for (int p = 0; p < count; p++) {
            double depth = sb_vec3_dot(h->patches.centres_m[p], r);
            h->sights[d * count + p] = (sight){
                /* However far it is, its phase must be finite. */
                .depth = fmax(-1e12, fmin(1e12, depth * (TURN / SB_TAU))),
                .spread = 0.5 * spread_along(h->patches.spreads_m2[p], r),
                .facing = sb_vec3_dot(h->patches.normals[p], r),
            };
        }
    }
    for (int i = 0; i < TURN; i++) {
        h->table[i] =
            (sine_cosine){cos(SB_TAU * i / TURN), sin(SB_TAU * i / TURN)};
    }
}

/* Right to 5e-9, which is enough for loudness. Most of the time goes into the
 * sines of thousands of phases per mode. */
static inline sine_cosine phase_of(const hearing *h, double steps) {
    const double rounder = 6755399441055744.0; /* 1.5 * 2^52 */
    double whole = (steps + rounder) - rounder;
    double rest = (steps - whole) * (SB_TAU / TURN);
    double even = 1 - 0.5 * rest * rest;
    sine_cosine at = h->table[(uint64_t)(int64_t)whole % TURN];
    return (sine_cosine){at.cosine * even - at.sine * rest,
                         at.sine * even + at.cosine * rest};
}

/* Within a patch e^{i k x.r} is taken to the first order round its centre, M
 * with the mean normal; the cancellation within a patch as wide as a wave comes
 * from the spread of its depths. The opposite direction sees the
 * conjugate of the phases, and r negated. */
static void far_pair(const hearing *h, int pair, const double *sums,
                     double wavenumber, double complex z, double *parts) {
    int count = h->patches.patch_count;
    const sight *seen = h->sights + (size_t)pair * (size_t)count;
    sb_vec3 r = h->pairs[pair].unit;
    double qc = 0, qs = 0, vc = 0, vs = 0;
    /* 50 MHz; a file may give more, and its phase must fit in 64 bits, too. */
    wavenumber = fmin(wavenumber, 1e6);
    for (int p = 0; p < count; p++, sums += SUMS, seen++) {
        double v = sums[1] * r.x + sums[2] * r.y + sums[3] * r.z;
        double m = wavenumber * (sums[4] * r.x + sums[5] * r.y + sums[6] * r.z);
        double mv = m * seen->facing;
        sine_cosine phase = phase_of(h, wavenumber * seen->depth);
        double x = wavenumber * wavenumber * seen->spread;
        double blur = 1 / (1 + x + 0.5 * x * x); /* e^-x */
        phase.cosine *= blur;
        phase.sine *= blur;
        qc += sums[0] * phase.cosine - m * phase.sine;
        qs += sums[0] * phase.sine + m * phase.cosine;
        vc += v * phase.cosine - mv * phase.sine;
        vs += v * phase.sine + mv * phase.cosine;
    }
    if (h->def->sheet_m > 0) {
        qc = qs = 0;
        z = 2 * z + I * wavenumber * h->def->sheet_m;
    }
    double complex scale = I * wavenumber * SB_AIR_DENSITY * SB_AIR_SPEED /
                           (4 * SB_PI) * sqrt(h->pairs[pair].weight) *
                           h->def->shape_scale;
    double complex front = scale * (qc + I * qs + z * (vc + I * vs));
    double complex back = scale * (qc - I * qs - z * (vc - I * vs));
    parts[0] = creal(front);
    parts[1] = cimag(front);
    parts[2] = creal(back);
    parts[3] = cimag(back);
}

/* One mode's Q and V side by side. */
static void gather(const hearing *h, const double *from, double *one) {
    for (int i = 0; i < SUMS * h->patches.patch_count; i++)
        one[i] = from[(size_t)i * BLOCK];
}

static void hear_block(const hearing *h, int first, int count, double *sums,
                       double *one) {
    const double *laws = h->square;
    double deform_m = h->def->deform_radius_m;
    add_patches(h, first, count, sums);
    for (int k = 0; k < count; k++) {
        double wavenumber = SB_TAU * h->def->freqs_hz[first + k] / SB_AIR_SPEED;
        double complex z =
            deform_m > 0
                ? surface_impedance(laws[first + k], wavenumber * deform_m)
                : impedance(laws[first + k], wavenumber * h->patches.radius_m);
        gather(h, sums + k, one);
        for (int d = 0; d < SB_DIRECTION_PAIRS; d++) {
            far_pair(h, d, one, wavenumber, z,
                     h->fars[first + k].parts + (size_t)d * 4);
        }
    }
}

static void hear_part(void *context, int part) {
    const hearing *h = context;
    size_t patches = (size_t)h->patches.patch_count;
    double *sums = h->sums + (size_t)part * patches * SUMS * BLOCK;
    double *one = h->ones + (size_t)part * patches * SUMS;
    int stride = BLOCK * h->part_count, all = h->def->mode_count;
    for (int first = part * BLOCK; first < all && !sb_stop_is_wanted();
         first += stride) {
        int left = all - first;
        hear_block(h, first, left < BLOCK ? left : BLOCK, sums, one);
    }
}

static void hear(hearing *h) {
    const sb_radiation_def *def = h->def;
    find_waves(h);
    for (int k = 0; k < def->mode_count; k++) {
        bool moves = h->square[k] > 0;
        h->waves[k] = moves ? sqrt(h->gradient[k] / h->square[k]) : INFINITY;
    }
    prepare(h);
    /* The order or rate of each mode; the squares are not needed any more. */
    double *laws = h->square;
    for (int first = 0; first < def->mode_count;) {
        int end = first + 1;
        while (end < def->mode_count &&
               def->freqs_hz[end] == def->freqs_hz[first]) {
            end++;
        }
        double law = def->deform_radius_m > 0 ? rate_of(h, first, end)
                                              : order_of(h, first, end);
        while (first < end)
            laws[first++] = law;
    }
    sb_workers_run(sb_workers_default(), h->part_count, hear_part, h);
}

/* --- boundary elements ---------------------------------------------------- */

/* What the orders that were left out hold is the same in all directions, and
 * the power in the directions is that of the pattern. */
static void take_pattern(void *context, int mode, const sb_pattern *pattern) {
    hearing *h = context;
    double *parts = h->fars[mode].parts, heard = 0;
    for (int d = 0; d < 2 * SB_DIRECTION_PAIRS; d++) {
        const sb_direction *pair = &h->pairs[d / 2];
        double at[2];
        sb_pattern_at(pattern, sb_vec3_scale(pair->unit, d % 2 ? -1 : 1), at);
        for (int part = 0; part < 2; part++) {
            parts[2 * d + part] = at[part] * sqrt(pair->weight);
            heard += at[part] * at[part] * pair->weight;
        }
    }
    double power = sb_pattern_power(pattern);
    double scale = heard > 0 ? sqrt(power / heard) : 0;
    for (int i = 0; i < SB_FAR_PARTS; i++)
        parts[i] *= scale;
    /* Without a pattern, alike in all directions. */
    for (int d = 0; !(heard > 0) && d < 2 * SB_DIRECTION_PAIRS; d++)
        parts[2 * d] = sqrt(power * h->pairs[d / 2].weight);
    h->is_exact[mode] = true;
    sb_patterns *kept = h->def->patterns;
    if (kept && !sb_patterns_put(kept, mode, pattern))
        h->is_out_of_memory = true;
    double k = SB_TAU * h->def->freqs_hz[mode] / SB_AIR_SPEED;
    if (h->def->slopes)
        h->def->slopes[mode] = sb_pattern_slope(pattern, k * h->radius_m);
    if (h->def->exact_count) ++*h->def->exact_count;
}

/* 1 - (k / K)^2 of a mode; 0 above coincidence. */
static double below_coincidence(const hearing *h, int mode) {
    double air = SB_TAU * h->def->freqs_hz[mode] / SB_AIR_SPEED;
    double ratio = air / h->waves[mode];
    return fmax(1 - ratio * ratio, 0);
}

/* The difference of the law from what was heard, in dB, by the modes with the
 * shortest waves together: D_0 over the root of exact.h. */
static double difference_of(const hearing *h, const double *quick) {
    double most = 0, heard = 0, expected = 0, roots = 0;
    int count = 0;
    for (int k = 0; k < h->def->mode_count; k++)
        if (h->is_exact[k]) most = fmax(most, h->waves[k]);
    for (int k = 0; k < h->def->mode_count; k++) {
        double root = sqrt(below_coincidence(h, k));
        if (!h->is_exact[k] || h->waves[k] <= SHORT * most || root < 0.3)
            continue;
        heard += sb_far_product(&h->fars[k], &h->fars[k]);
        expected += quick[k];
        roots += root;
        count++;
    }
    bool is_known = count > 2 && heard > 0 && expected > 0;
    return is_known ? 10 * log10(heard / expected) * count / roots : 0;
}

static void continue_law(hearing *h, const double *quick) {
    double difference = difference_of(h, quick);
    for (int k = 0; k < h->def->mode_count && difference != 0; k++) {
        if (h->is_exact[k]) continue;
        double db = difference * sqrt(below_coincidence(h, k));
        for (int i = 0; i < SB_FAR_PARTS; i++)
            h->fars[k].parts[i] *= pow(10, db / 20);
    }
}

static double radius_of(const sb_radiation_def *def) {
    double area = 0;
    for (int f = 0; f < def->face_count; f++)
        area += sb_vec3_length(sb_face_area(def->vertices, def->faces[f]));
    return sqrt(area * (def->sheet_m > 0 ? 2 : 1) / (4 * SB_PI));
}

static sb_status hear_exactly(hearing *h, sb_error *err) {
    const sb_radiation_def *def = h->def;
    bool is_put_off = false;
    double *quick = h->square; /* not needed any more */
    for (int k = 0; k < def->mode_count; k++) {
        quick[k] = sb_far_product(&h->fars[k], &h->fars[k]);
        if (def->quick) def->quick[k] = sqrt(quick[k]);
    }
    if (!def->is_exact || def->deform_radius_m > 0) return SB_OK;
    h->radius_m = radius_of(def);
    sb_status status = sb_exact_hear(def, take_pattern, h, &is_put_off, err);
    if (!status && h->is_out_of_memory)
        status = sb_fail(err, SB_NO_MEMORY, "out of memory for %d patterns",
                         def->mode_count);
    if (!status && !is_put_off) continue_law(h, quick);
    if (is_put_off && def->is_put_off) *def->is_put_off = true;
    return status;
}

static int parts_for(int mode_count) {
    int blocks = (mode_count + BLOCK - 1) / BLOCK;
    return blocks < SB_WORKERS_MAX ? blocks : SB_WORKERS_MAX;
}

sb_status sb_radiation(const sb_radiation_def *def, sb_far *fars,
                       sb_error *err) {
    hearing h = {
        .def = def, .fars = fars, .part_count = parts_for(def->mode_count)};
    sb_status status =
        sb_patches_make(def->vertices, def->vertex_count, def->faces,
                        def->face_count, SB_RADIATION_PATCHES, &h.patches, err);
    if (status) return status;
    size_t modes = (size_t)def->mode_count;
    size_t count = (size_t)h.patches.patch_count;
    h.normals = sb_alloc((size_t)def->vertex_count, sizeof *h.normals);
    h.gradient = sb_alloc(modes, sizeof(double));
    h.square = sb_alloc(modes, sizeof(double));
    h.swell = sb_alloc(modes, sizeof(double));
    h.waves = sb_alloc(modes, sizeof(double));
    h.is_exact = sb_alloc(modes, sizeof(bool));
    size_t parts = (size_t)h.part_count;
    h.sums = sb_alloc(parts * count * SUMS * BLOCK, sizeof(double));
    h.sights = sb_alloc(count * SB_DIRECTION_PAIRS, sizeof *h.sights);
    h.ones = sb_alloc(parts * count * SUMS, sizeof(double));
    if (def->exact_count) *def->exact_count = 0;
    if (h.normals && h.gradient && h.square && h.swell && h.waves &&
        h.is_exact && h.sums && h.sights && h.ones) {
        hear(&h);
        status = sb_stop_check(err);
        if (!status) status = hear_exactly(&h, err);
    } else {
        status = sb_fail(err, SB_NO_MEMORY, "out of memory to hear %d modes",
                         def->mode_count);
    }
    sb_patches_free(&h.patches);
    sb_free(h.normals);
    sb_free(h.gradient);
    sb_free(h.square);
    sb_free(h.swell);
    sb_free(h.waves);
    sb_free(h.is_exact);
    sb_free(h.sums);
    sb_free(h.sights);
    sb_free(h.ones);
    return status;
}
