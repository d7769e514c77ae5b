/* SPDX-License-Identifier: MIT */
/* What sound.h needs: making, filters, the limit of what is heard, and reading its
 * rings. Thread: the limit by members of the team, the rest as deform.h. */
#include "runtime/deform/sound/sound.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/sound/sound_modes.h"

#include <math.h>
#include <string.h>

static sb_status no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY,
                   "deformable bodies: out of memory for their sound");
}

static void *take(sb_deform *deform, size_t count, size_t size) {
    deform->bytes += (double)count * (double)size;
    return sb_alloc(count, size);
}

/* Twice as far as any part is at rest from the centre: bodies unfold. */
static sb_status find_lead(sb_deform *deform, sb_error *err) {
    deform_sound *sound = deform->sound;
    double per_m = SB_DEFORM_RATE_HZ / deform->speed_of_sound_m_s;
    for (int i = 0; i < sound->body_count; i++) {
        const deform_body *body = &deform->bodies[sound->bodies[i].body];
        const double *rest = deform->rest + 4 * (size_t)body->node_first;
        sb_vec3 at = deform_centre_in(deform, sound->bodies[i].body, rest);
        double most = 0;
        for (int n = 0; n < body->surface_count; n++) {
            double far = sb_vec3_length(sb_vec3_sub(row_vec3(rest, n), at));
            most = far > most ? far : most;
        }
        double lead = ceil(2 * most * per_m) + SPLAT_TAPS;
        if (!(lead < SOUND_LEAD_MOST))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: a body that sounds must be smaller than %.0f "
                           "m, got %.0f m",
                           body->name, (SOUND_LEAD_MOST - SPLAT_TAPS) / per_m,
                           2 * most);
        if (lead > sound->lead) sound->lead = (int)lead;
    }
    return SB_OK;
}

sb_status deform_sound_make(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    if (!deform->has_ear) return SB_OK;
    deform_sound *sound = sb_alloc(1, sizeof *sound);
    deform->sound = sound;
    if (!sound) return no_memory(err);
    size_t bodies = (size_t)deform->body_count;
    sound->bodies = sb_alloc(bodies, sizeof *sound->bodies);
    if (!sound->bodies) return no_memory(err);
    for (int i = 0; i < deform->body_count; i++) {
        const deform_body *body = &deform->bodies[i];
        int nodes = body->is_sheet ? body->node_count : body->surface_count;
        sound->bodies[sound->body_count++] = (sound_body){
            i, sound->node_count, sound->face_count, nodes, body->face_count};
        sound->node_count += nodes;
        sound->face_count += body->face_count;
    }
    size_t nodes = (size_t)sound->node_count, frames = FRAMES_BATCH;
    sound->places = take(deform, frames * nodes * 4, sizeof(double));
    sound->accelerations = take(deform, frames * nodes * 4, sizeof(double));
    sound->sources = take(deform, frames * (size_t)sound->face_count,
                          sizeof *sound->sources);
    sound->means =
        take(deform, 2 * frames * (size_t)sound->body_count, sizeof(double));
    sound->normals = take(deform, nodes * 4, sizeof(double));
    if (!sound->normals || !sound->places || !sound->accelerations ||
        !sound->sources || !sound->means)
        return no_memory(err);
    sb_status status = deform_sound_modes_make(deform, def, err);
    return status ? status : find_lead(deform, err);
}

void deform_sound_free(sb_deform *deform) {
    deform_sound *sound = deform->sound;
    if (!sound) return;
    deform_sound_modes_free(sound->modes);
    sb_free_all(sound->bodies, sound->weights, sound->places,
                sound->accelerations, sound->sources, sound->means,
                sound->normals, sound);
    deform->sound = NULL;
}

void deform_sound_place(sb_deform *deform, deform_layout *layout) {
    const size_t number = sizeof(double);
    deform_sound *sound = deform->sound;
    size_t nodes = (size_t)sound->node_count;
    size_t faces = (size_t)sound->face_count;
    size_t bodies = (size_t)sound->body_count;
    sound->sums = deform_place_array(layout, 16 * nodes, number);
    sound->history =
        deform_place_array(layout, 4 * SOUND_HISTORY * nodes, number);
    sound->pressure = deform_place_array(layout, 2 * faces, number);
    sound->swelling = deform_place_array(layout, 2 * bodies, number);
    sound->delays = deform_place_array(layout, faces, number);
    sound->ring =
        deform_place_array(layout, bodies * (SOUND_RING + SPLAT_TAPS), number);
    sound->limited =
        deform_place_array(layout, 2 * SOUND_SECTIONS * bodies, number);
    sound->limits_hz =
        deform_place_array(layout, SOUND_BATCHES * bodies, number);
    sound->highest_hz = deform_place_array(layout, bodies, number);
    sound->bends = deform_place_array(layout, 6 * faces, number);
    if (sound->modes) deform_sound_modes_place(sound->modes, layout);
}

/* --- windows and filters -------------------------------------------------- */

static void set_window(int fine_steps, double *weights) {
    size_t length = 4 * (size_t)fine_steps;
    memset(weights, 0, length * sizeof *weights);
    weights[0] = 1;
    for (int box = 0; box < 4; box++) {
        /* A running mean over fine_steps, from the end, in place. */
        for (size_t i = length; i-- > 0;) {
            double sum = 0;
            for (size_t k = 0; k < (size_t)fine_steps && k <= i; k++) {
                sum += weights[i - k];
            }
            weights[i] = sum / fine_steps;
        }
    }
}

/* Gain of the window at a frequency in cycles per 192 kHz sample. */
static double window_gain(double f, int fine_steps) {
    if (f == 0) return 1;
    double g = sin(SB_PI * f) / (fine_steps * sin(SB_PI * f / fine_steps));
    return g * g * g * g;
}

double deform_sound_gain(const sb_deform *deform, double omega) {
    double sum = 0, phase = omega / FINE_RATE_HZ;
    for (int i = 0; i < SOUND_TAPS; i++)
        sum += deform->sound->second[i] * cos(phase * (i - SOUND_HALF));
    return -sum * window_gain(phase / SB_TAU, deform->fine_steps) /
           (omega * omega);
}

/* 1 up to 20 kHz, 0 from 28 kHz on. */
static double passes(double f) {
    const double low = 20000.0 / FINE_RATE_HZ, high = 28000.0 / FINE_RATE_HZ;
    if (f <= low) return 1;
    if (f >= high) return 0;
    return 0.5 + 0.5 * cos(SB_PI * (f - low) / (high - low));
}

static double bessel_i0(double x) {
    double sum = 1, term = 1;
    for (int k = 1; k < 40; k++) {
        term *= (0.5 * x / k) * (0.5 * x / k);
        sum += term;
    }
    return sum;
}

static double kaiser(double x, double beta) {
    return x * x < 1 ? bessel_i0(beta * sqrt(1 - x * x)) / bessel_i0(beta) : 0;
}

/* Constants have no second derivative, and that of t^2 is 2; windowing has
 * disturbed both a little. */
static void correct_second(double h[SOUND_TAPS]) {
    double sum = 0, square = 0, m0 = 0, m2 = 0, m4 = 0;
    for (int i = 0; i < SOUND_TAPS; i++) {
        double k = i - SOUND_HALF, w = kaiser(k / (SOUND_HALF + 1), 5);
        sum += h[i];
        square += k * k * h[i];
        m0 += w;
        m2 += w * k * k;
        m4 += w * k * k * k * k;
    }
    double det = m0 * m4 - m2 * m2, r0 = -sum, r2 = 2 - square;
    double a = (r0 * m4 - r2 * m2) / det, b = (m0 * r2 - m2 * r0) / det;
    for (int i = 0; i < SOUND_TAPS; i++) {
        double k = i - SOUND_HALF, w = kaiser(k / (SOUND_HALF + 1), 5);
        h[i] += w * (a + b * k * k);
    }
}

static void set_filters(int fine_steps, double value[SOUND_TAPS],
                        double second[SOUND_TAPS]) {
    enum { POINTS = 8192 };
    double sum = 0;
    for (int i = 0; i < SOUND_TAPS; i++) {
        int k = i - SOUND_HALF;
        double w = kaiser((double)k / (SOUND_HALF + 1), 5);
        value[i] = second[i] = 0;
        for (int p = 0; p < POINTS; p++) {
            double f = 0.5 * (p + 0.5) / POINTS, omega = SB_TAU * f;
            double gain = passes(f);
            if (gain == 0) break;
            gain *= cos(omega * k) / window_gain(f, fine_steps) / POINTS;
            value[i] += w * gain;
            second[i] -= w * omega * omega * gain;
        }
        sum += value[i];
    }
    for (int i = 0; i < SOUND_TAPS; i++) {
        value[i] /= sum;
    }
    correct_second(second);
    for (int i = 0; i < SOUND_TAPS; i++) {
        second[i] *= (double)FINE_RATE_HZ * FINE_RATE_HZ;
    }
}

static void set_splats(double table[SPLAT_PHASES + 1][SPLAT_TAPS]) {
    const double half = SPLAT_TAPS / 2;
    for (int p = 0; p <= SPLAT_PHASES; p++) {
        double sum = 0;
        for (int k = 0; k < SPLAT_TAPS; k++) {
            double x = k - (half - 1) - (double)p / SPLAT_PHASES;
            double sinc = x == 0 ? 1 : sin(SB_PI * x) / (SB_PI * x);
            table[p][k] = sinc * kaiser(x / half, 6);
            sum += table[p][k];
        }
        for (int k = 0; k < SPLAT_TAPS; k++) {
            table[p][k] /= sum;
        }
    }
}

/* --- the beginning -------------------------------------------------------- */

/* Before the beginning, nodes came along straight lines. */
static void set_past(sb_deform *deform, const sound_body *own) {
    deform_sound *sound = deform->sound;
    int first = deform->bodies[own->body].node_first;
    int steps = deform->fine_steps;
    for (int i = 0; i < own->node_count; i++) {
        sb_vec3 x = row_vec3(deform->positions, first + i);
        sb_vec3 v = row_vec3(deform->velocities, first + i);
        size_t node = (size_t)(own->node_first + i);
        double *sums = sound->sums + 16 * node;
        double *history = sound->history + 4 * SOUND_HISTORY * node;
        for (int age = 1; age < 4; age++) {
            for (int s = 0; s < age * steps; s++) {
                double t = (s + 1 - age * steps) * deform->step_s;
                double weight = sound->weights[s];
                sb_vec3 at = sb_vec3_plus(x, v, t);
                add_row(sums, (4 - age) % 4, sb_vec3_scale(at, weight));
            }
        }
        for (int m = 0; m <= SOUND_HALF; m++) {
            double t = ((m - SOUND_HALF - 2) * steps - 1) * deform->step_s;
            set_row(history, m, sb_vec3_plus(x, v, t));
        }
    }
}

sb_status deform_sound_begin(sb_deform *deform, sb_error *err) {
    deform_sound *sound = deform->sound;
    if (!sound) return SB_OK;
    sound->weights =
        take(deform, 4 * (size_t)deform->fine_steps, sizeof *sound->weights);
    if (!sound->weights) return no_memory(err);
    set_window(deform->fine_steps, sound->weights);
    set_filters(deform->fine_steps, sound->value, sound->second);
    set_splats(sound->splat);
    for (int i = 0; i < sound->body_count; i++) {
        set_past(deform, &sound->bodies[i]);
    }
    for (int i = 0; i < sound->face_count; i++) {
        sound->delays[i] = -1;
    }
    if (sound->modes) deform_sound_modes_begin(deform);
    return SB_OK;
}

/* --- the limit of what is heard ------------------------------------------- */

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
 * the middle is bent by more than the mean: 1.3 lets its tones pass. */

/* What the limit is to the frequency of the ring. */
static const double over_ring = 1.3;

/* From the limit on. */
static const double stop_db = 50;

/* A bend by more than this across a triangle is facets. */
static const double facet_rad = 0.25;

/* Of the mean over 20 ms, per batch. */
static const double share =
    (double)FRAMES_BATCH / (0.02 * (double)SB_DEFORM_RATE_HZ);

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
        sb_vec3 n = sb_vec3_span(at[0], at[1], at[2]);
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
    sb_vec3 b =
        sb_vec3_scale(sb_vec3_plus(sb_vec3_sub(n[2], n[0]), a, -x3), 1 / y3);
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

/* --- reading -------------------------------------------------------------- */

int64_t deform_sound_frames(const sb_deform *deform, int64_t m) {
    int64_t lead = deform->sound ? deform->sound->lead : 0;
    int64_t frames = FRAMES_BATCH * deform_sound_batches(m) - lead;
    return frames > 0 ? frames : 0;
}

void sb_deform_set_ear(sb_deform *deform, sb_vec3 position_m) {
    deform->state->ear_m = position_m;
}

/* The filters need SOUND_HALF samples more, and a batch must be full. */
int sb_deform_lag_frames(const sb_deform *deform) {
    int filter = (SOUND_HALF + FINE_PER_FRAME - 1) / FINE_PER_FRAME;
    return filter + FRAMES_BATCH + (deform->sound ? deform->sound->lead : 0);
}

int sb_deform_channel_count(const sb_deform *deform) {
    return deform->sound ? deform->sound->body_count : 0;
}

/* What would be read before the beginning is forgotten. */
static void skip_lead(const deform_sound *sound) {
    for (int i = 0; i < sound->body_count; i++) {
        double *ring = sound->ring + (size_t)i * (SOUND_RING + SPLAT_TAPS);
        memset(ring, 0, (size_t)sound->lead * sizeof *ring);
    }
}

/* Through the low-pass, whose frequency is that of the batch. */
static void read_ring(sb_deform *deform, int ring, int count, float *out) {
    const deform_sound *sound = deform->sound;
    double *from = sound->ring + (size_t)ring * (SOUND_RING + SPLAT_TAPS);
    double *state = sound->limited + 2 * SOUND_SECTIONS * (size_t)ring;
    const double *limits_hz = sound->limits_hz + (size_t)ring * SOUND_BATCHES;
    int64_t first = deform->state->frames_read;
    sound_limit limit;
    for (int i = 0; i < count; i++) {
        int64_t frame = first + i;
        double *at = from + (size_t)((frame + sound->lead) % SOUND_RING);
        if (i == 0 || frame % FRAMES_BATCH == 0)
            deform_sound_limit_set(
                &limit, limits_hz[frame / FRAMES_BATCH % SOUND_BATCHES]);
        out[(size_t)i * (size_t)sound->body_count] =
            (float)deform_sound_limit(&limit, state, *at);
        *at = 0;
    }
}

int sb_deform_read(sb_deform *deform, int count, float *out) {
    state_head *state = deform->state;
    const deform_sound *sound = deform->sound;
    int64_t ready = state->frames - state->frames_read;
    if (!sound) return 0;
    if (count > ready) count = (int)ready;
    if (state->frames_read == 0 && count > 0) skip_lead(sound);
    for (int k = 0; k < sound->body_count; k++) {
        read_ring(deform, k, count, out + k);
    }
    state->frames_read += count;
    return count;
}
