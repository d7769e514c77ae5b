/* Nothing is heard above what a sheet's triangles resolve: a low-pass over each
 * ring as it is read, Chebyshev's inverse one of twelfth order, which is down by
 * 50 dB at the limit and above, and by 0.4 dB at 0.83 of it.
 *
 * Triangles resolve a wavelength, six elements. The limit is the frequency of a
 * bending wave of that length (deform_body.limit_hz). A sheet that is bent into
 * an arc stretches in long waves, too, which are then as high as a ring of its
 * radius: with the curvature k by which its shape differs from that at rest,
 * and c the speed of waves in its plane,
 *
 *     limit = max(limit_hz, 1.3 c k / 2 pi)
 *
 * k is the root of the mean square over those triangles that resolve the bend,
 * of a mean over 20 ms: what swings is not an arc. Of an arch between two ends,
 * the middle is bent by more than the mean: 1.3 lets its tones pass.
 *
 * Thread: members of the team; reading as deform.h. */
#include "runtime/deform/sound/sound.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

/* What the limit is to the frequency of the ring. */
static const double over_ring = 1.3;

/* From the limit on. */
static const double stop_db = 50;

/* A bend by more than this across a triangle is facets. */
static const double facet_rad = 0.25;

/* Of the mean over 20 ms, per batch. */
static const double share =
    (double)FRAMES_BATCH / (0.02 * (double)SB_DEFORM_RATE_HZ);

/* --- the shape ------------------------------------------------------------- */

static void corners_of(const double *places, const int face[3], sb_vec3 at[3]) {
    for (int k = 0; k < 3; k++) {
        at[k] = row_vec3(places, face[k]);
    }
}

static void find_normals(const sb_deform *deform, const sound_body *own,
                         const double *places, double *normals) {
    const deform_body *body = &deform->bodies[own->body];
    memset(normals, 0, 4 * (size_t)own->node_count * sizeof *normals);
    for (int i = 0; i < body->face_count; i++) {
        const int *face = deform->faces[body->face_first + i];
        sb_vec3 at[3];
        corners_of(places, face, at);
        sb_vec3 n =
            sb_vec3_cross(sb_vec3_sub(at[1], at[0]), sb_vec3_sub(at[2], at[0]));
        for (int k = 0; k < 3; k++) {
            add_row(normals, face[k], n);
        }
    }
    for (int i = 0; i < own->node_count; i++) {
        set_row(normals, i, sb_vec3_normalised(row_vec3(normals, i)));
    }
}

/* How the normal turns across a triangle, in its own axes: xx, yy, xy. Returns
 * its area. */
static double bend_of(const sb_vec3 at[3], const sb_vec3 n[3], double out[3]) {
    sb_vec3 side = sb_vec3_sub(at[1], at[0]), other = sb_vec3_sub(at[2], at[0]);
    sb_vec3 x = sb_vec3_normalised(side), z = sb_vec3_cross(side, other);
    double x2 = sb_vec3_length(side), x3 = sb_vec3_dot(x, other);
    double y3 = sb_vec3_length(z) / x2;
    sb_vec3 y = sb_vec3_cross(sb_vec3_normalised(z), x);
    sb_vec3 a = sb_vec3_scale(sb_vec3_sub(n[1], n[0]), 1 / x2);
    sb_vec3 b = sb_vec3_scale(
        sb_vec3_sub(sb_vec3_sub(n[2], n[0]), sb_vec3_scale(a, x3)), 1 / y3);
    out[0] = sb_vec3_dot(a, x);
    out[1] = sb_vec3_dot(b, y);
    out[2] = 0.5 * (sb_vec3_dot(a, y) + sb_vec3_dot(b, x));
    return 0.5 * x2 * y3;
}

/* The greater of the principal curvatures. */
static double curvature_of(const double s[3]) {
    double half = 0.5 * (s[0] - s[1]);
    return fabs(0.5 * (s[0] + s[1])) + sqrt(half * half + s[2] * s[2]);
}

/* Mean of the squares of the curvature, 1/m^2. At first it is at rest. */
static double average_bend(sb_deform *deform, const sound_body *own,
                           const double *places, const double *normals,
                           bool is_first) {
    const deform_body *body = &deform->bodies[own->body];
    double sum = 0, all = 0;
    for (int i = 0; i < body->face_count; i++) {
        const int *face = deform->faces[body->face_first + i];
        double *rest = deform->sound->bends + 6 * (own->face_first + i);
        double bend[3], *mean = rest + 3, off[3];
        sb_vec3 at[3], n[3];
        corners_of(places, face, at);
        corners_of(normals, face, n);
        double area = bend_of(at, n, bend);
        for (int k = 0; k < 3; k++) {
            if (is_first) rest[k] = mean[k] = bend[k];
            mean[k] += share * (bend[k] - mean[k]);
            off[k] = mean[k] - rest[k];
        }
        double curvature = curvature_of(off);
        bool is_facet = curvature * sqrt(2 * area) > facet_rad;
        sum += is_facet ? 0 : area * curvature * curvature;
        all += area;
    }
    return sum / all;
}

void deform_sound_bend(sb_deform *deform, int index, int64_t batch) {
    deform_sound *sound = deform->sound;
    const sound_body *own = &sound->bodies[index];
    const deform_body *body = &deform->bodies[own->body];
    double *limits = sound->limits_hz + (size_t)index * SOUND_BATCHES;
    double limit = body->limit_hz;
    if (body->is_sheet) {
        const double *places = sound->places + 4 * (size_t)own->node_first;
        double *normals = sound->normals + 4 * (size_t)own->node_first;
        double nu = body->material.poisson_ratio;
        double speed = sqrt(body->material.youngs_modulus /
                            (body->material.density * (1 - nu * nu)));
        find_normals(deform, own, places, normals);
        double ring =
            speed / SB_TAU *
            sqrt(average_bend(deform, own, places, normals, batch == 0));
        limit = fmax(limit, over_ring * ring);
    }
    limits[batch % SOUND_BATCHES] = limit;
    sound->highest_hz[index] = fmax(sound->highest_hz[index], limit);
}

/* --- the filter ------------------------------------------------------------ */

/* By the bilinear transform, from poles 1 / p and zeros j / cos t with
 * p = -sinh(v) sin t + j cosh(v) cos t. */
void deform_sound_limit_set(sound_limit *out, double limit_hz) {
    enum { ORDER = 2 * SOUND_SECTIONS };
    out->is_on = limit_hz < 0.45 * SB_DEFORM_RATE_HZ;
    if (!out->is_on) return;
    double k = tan(SB_PI * limit_hz / SB_DEFORM_RATE_HZ), k2 = k * k;
    double v = acosh(pow(10, stop_db / 20)) / ORDER;
    for (int i = 0; i < SOUND_SECTIONS; i++) {
        double t = SB_PI * (2 * i + 1) / (2 * ORDER), c = cos(t);
        double damp = sinh(v) * sin(t), turn = cosh(v) * c;
        double p2 = damp * damp + turn * turn;
        double by = 1 / (k2 + 2 * damp * k + p2);
        out->sections[i][0] = (k2 + c * c) * by;
        out->sections[i][1] = 2 * (k2 - c * c) * by;
        out->sections[i][2] = 2 * (k2 - p2) * by;
        out->sections[i][3] = (k2 - 2 * damp * k + p2) * by;
    }
}

void deform_sound_limit_take(const sb_deform *deform, int ring, int64_t batch,
                             sound_limit *out) {
    const deform_sound *sound = deform->sound;
    double limit = 0;
    for (int i = 0; i < sound->body_count; i++) {
        if (deform->is_source && i != ring) continue;
        limit = fmax(
            limit,
            sound->limits_hz[i * SOUND_BATCHES + (int)(batch % SOUND_BATCHES)]);
    }
    deform_sound_limit_set(out, limit);
}

double deform_sound_limit(const sound_limit *limit, double *state, double x) {
    if (!limit->is_on) {
        memset(state, 0, 2 * SOUND_SECTIONS * sizeof *state);
        return x;
    }
    for (int i = 0; i < SOUND_SECTIONS; i++, state += 2) {
        const double *own = limit->sections[i];
        double y = own[0] * x + state[0];
        state[0] = own[1] * x - own[2] * y + state[1];
        state[1] = own[0] * x - own[3] * y;
        x = y;
    }
    return x;
}
