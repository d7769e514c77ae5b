/* SPDX-License-Identifier: MIT */
#include "runtime/deform/sound/sound_modes.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/model/patterns.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/radiation.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Of a body: modes first .. first + count - 1 of all. */
typedef struct heard_body {
    int first, count;
    double *shapes;   /* [face][count]: phi.n */
    double *readings; /* [count][face]: q'' from a_n */
    double rate;      /* q c / a of a sheet; 0: no high-pass */
} heard_body;

/* Numbers of a mode that change with time. */
typedef struct mode_state {
    double pressure[2]; /* of the high-pass */
    double low, before; /* of the low-pass: out, in */
    double gains[2];    /* alpha and beta at the end of the last batch */
} mode_state;

typedef struct body_state {
    sb_quat turned; /* since the beginning */
    sb_vec3 origin; /* at the end of the last batch */
    double delay;   /* frames; of the last frame; below 0: none yet */
    double has_begun;
} body_state;

struct deform_sound_modes {
    int body_count, mode_count;
    heard_body *bodies;    /* [body] */
    sb_patterns *patterns; /* [mode] */
    double *levels;        /* [mode]: g of those alike in all directions */
    double *omegas;        /* [mode]: w_k */
    double (*scales)[2];   /* [mode]: 1 / (i w B), for this air */
    double *lags;          /* [mode]: tan(w_k / 2 rate) of the low-pass */
    double *numbers;       /* for the fingerprint: [mode][NUMBERS] */
    double *normal;        /* scratch, [face][frame]: a_n */
    double *motions;       /* scratch, [mode][frame]: q'' */
    mode_state *states;    /* state, [mode] */
    body_state *turns;     /* state, [body] */
};

enum { RIGID = 6, NUMBERS = 4 };

/* Modes that move less than this part of the others outward, in rms, are not
 * told apart: they are silent. */
static const double least_motion = 1e-3;

int deform_sound_mode_count(const deform_sound *sound) {
    return sound->modes->mode_count;
}

bool deform_sound_has_modes(const deform_sound *sound, int index) {
    return sound->modes && sound->modes->bodies[index].count > 0;
}

/* --- which modes ------------------------------------------------------------ */

static const sb_model *model_of(const sb_deform_def *def, int body) {
    const sb_model *model = def->bodies[body].heard;
    return model && sb_model_patterns(model) ? model : NULL;
}

static int count_modes(const deform_body *body, const sb_model *model) {
    int most = body->face_count / 6, count = 0;
    if (!model) return 0;
    if (most > SOUND_MODES_MOST) most = SOUND_MODES_MOST;
    if (most > sb_model_mode_count(model)) most = sb_model_mode_count(model);
    double highest_hz = fmin(body->limit_hz, 0.45 * SB_DEFORM_RATE_HZ);
    while (count < most && sb_model_modes(model)[count].freq_hz < highest_hz &&
           sb_model_member_count(model, count) == 1)
        count++;
    return count;
}

/* --- least squares ------------------------------------------------------------ */

/* While it is made: unknowns are the modes, then rigid motions. */
typedef struct fitting {
    const sb_deform *deform;
    const deform_body *body;
    const sb_model *model;
    int modes, unknowns;
    sb_vec3 *moves;  /* [node][modes]: phi, in the axes of the world */
    double *columns; /* [face][unknowns]: phi.n */
    double *areas;   /* [face] */
    double *gram;    /* [unknowns][unknowns], then its Cholesky factor L */
} fitting;

static void find_moves(fitting *own) {
    const deform_body *body = own->body;
    const double *rest = own->deform->rest + 4 * (size_t)body->node_first;
    for (int n = 0; n < body->surface_count; n++) {
        sb_vec3 at = sb_vec3_sub(row_vec3(rest, n), body->position_m);
        sb_model_point point =
            sb_model_nearest(own->model, sb_quat_turn_back(body->rotation, at));
        for (int k = 0; k < own->modes; k++)
            own->moves[(size_t)n * (size_t)own->modes + (size_t)k] =
                sb_quat_turn(body->rotation,
                             sb_model_member(own->model, k, 0, point));
    }
}

/* A rigid motion has about the rms velocity of a mode. */
static void find_rigid(const fitting *own, sb_vec3 at, sb_vec3 normal,
                       double *to) {
    const deform_body *body = own->body;
    double scale = 1 / sqrt(body->mass_kg), size = cbrt(body->volume_m3);
    sb_vec3 arm = sb_vec3_scale(sb_vec3_sub(at, body->position_m), 1 / size);
    sb_vec3 turn = sb_vec3_cross(arm, normal);
    const double of[RIGID] = {normal.x, normal.y, normal.z,
                              turn.x,   turn.y,   turn.z};
    for (int j = 0; j < RIGID; j++)
        to[j] = scale * of[j];
}

static void find_columns(fitting *own) {
    const deform_body *body = own->body;
    const double *rest = own->deform->rest + 4 * (size_t)body->node_first;
    for (int f = 0; f < body->face_count; f++) {
        const int *face = own->deform->faces[body->face_first + f];
        double *to = own->columns + (size_t)f * (size_t)own->unknowns;
        sb_vec3 a = row_vec3(rest, face[0]), b = row_vec3(rest, face[1]);
        sb_vec3 c = row_vec3(rest, face[2]), twice = sb_vec3_span(a, b, c);
        sb_vec3 normal = sb_vec3_normalised(twice);
        own->areas[f] = 0.5 * sb_vec3_length(twice);
        for (int k = 0; k < own->modes; k++) {
            sb_vec3 sum = {0, 0, 0};
            for (int j = 0; j < 3; j++)
                sum = sb_vec3_add(
                    sum, own->moves[(size_t)face[j] * (size_t)own->modes +
                                    (size_t)k]);
            to[k] = sb_vec3_dot(sum, normal) / 3;
        }
        sb_vec3 middle =
            sb_vec3_scale(sb_vec3_add(a, sb_vec3_add(b, c)), 1.0 / 3);
        find_rigid(own, middle, normal, to + own->modes);
    }
}

/* L of B'WB + e, by rows. */
static void factor(fitting *own) {
    size_t n = (size_t)own->unknowns;
    double most = 0;
    memset(own->gram, 0, n * n * sizeof *own->gram);
    for (int f = 0; f < own->body->face_count; f++) {
        const double *column = own->columns + (size_t)f * n;
        for (size_t i = 0; i < n; i++) {
            double by = own->areas[f] * column[i];
            for (size_t j = 0; j <= i; j++)
                own->gram[i * n + j] += by * column[j];
        }
    }
    for (size_t i = 0; i < n; i++)
        most = fmax(most, own->gram[i * n + i]);
    for (size_t i = 0; i < n; i++) {
        double *row = own->gram + i * n;
        row[i] += least_motion * least_motion * most;
        for (size_t j = 0; j <= i; j++) {
            const double *other = own->gram + j * n;
            double sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = j < i ? sum / other[j] : sqrt(sum);
        }
    }
}

/* (L L')^-1 x, in place. */
static void solve(const fitting *own, double *x) {
    size_t n = (size_t)own->unknowns;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= own->gram[i * n + k] * x[k];
        x[i] /= own->gram[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        x[i] /= own->gram[i * n + i];
        for (size_t k = 0; k < i; k++)
            x[k] -= own->gram[i * n + k] * x[i];
    }
}

static void split(fitting *own, heard_body *out) {
    size_t faces = (size_t)own->body->face_count;
    size_t n = (size_t)own->unknowns, modes = (size_t)own->modes;
    find_moves(own);
    find_columns(own);
    factor(own);
    for (size_t f = 0; f < faces; f++) {
        double *column = own->columns + f * n;
        memcpy(out->shapes + f * modes, column, modes * sizeof *column);
        for (size_t i = 0; i < n; i++)
            column[i] *= own->areas[f];
        solve(own, column);
        for (size_t k = 0; k < modes; k++)
            out->readings[k * faces + f] = column[k];
    }
}

static sb_status no_memory(const deform_body *body, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for its modes",
                   body->name);
}

static sb_status make_body(sb_deform *deform, int index, const sb_model *model,
                           heard_body *out, sb_error *err) {
    const deform_body *body = &deform->bodies[index];
    size_t faces = (size_t)body->face_count, modes = (size_t)out->count;
    size_t unknowns = modes + RIGID;
    fitting own = {.deform = deform,
                   .body = body,
                   .model = model,
                   .modes = out->count,
                   .unknowns = out->count + RIGID};
    own.moves =
        sb_alloc((size_t)body->surface_count * modes, sizeof *own.moves);
    own.columns = sb_alloc(faces * unknowns, sizeof(double));
    own.areas = sb_alloc(faces, sizeof(double));
    own.gram = sb_alloc(unknowns * unknowns, sizeof(double));
    out->shapes = sb_alloc(faces * modes, sizeof(double));
    out->readings = sb_alloc(faces * modes, sizeof(double));
    deform->bytes += 16.0 * (double)(faces * modes);
    bool is_well = own.moves && own.columns && own.areas && own.gram &&
                   out->shapes && out->readings;
    if (is_well) split(&own, out);
    sb_free_all(own.moves, own.columns, own.areas, own.gram);
    return is_well ? SB_OK : no_memory(body, err);
}

/* --- how modes are heard ------------------------------------------------------ */

/* B of the filter deform_press at a phase per frame. */
static double complex high_pass(double rate, double phase) {
    double half = 0.5 * rate / SB_DEFORM_RATE_HZ;
    double complex back = cexp(-I * phase);
    return 1 - half * (1 + back) / (1 + half - (1 - half) * back);
}

static bool describe(deform_sound_modes *own, const heard_body *body,
                     const sb_model *model) {
    for (int k = 0; k < body->count; k++) {
        int to = body->first + k;
        const sb_mode *mode = &sb_model_modes(model)[k];
        if (!sb_patterns_put(own->patterns, to, &sb_model_patterns(model)[k]))
            return false;
        own->levels[to] = mode->radiation;
        own->omegas[to] = SB_TAU * mode->freq_hz;
    }
    return true;
}

static void set_filters(const sb_deform *deform, deform_sound_modes *own,
                        const heard_body *body, int mode) {
    double omega = own->omegas[mode], phase = omega / SB_DEFORM_RATE_HZ;
    double denser = deform->air_density / SB_AIR_DENSITY;
    double complex scale = denser / (I * omega * high_pass(body->rate, phase) *
                                     deform_sound_gain(deform, omega));
    double *numbers = own->numbers + (size_t)(NUMBERS * mode);
    own->scales[mode][0] = creal(scale);
    own->scales[mode][1] = cimag(scale);
    own->lags[mode] = tan(0.5 * phase);
    memcpy(numbers, own->scales[mode], sizeof own->scales[mode]);
    numbers[2] = own->levels[mode];
    numbers[3] = body->readings[mode - body->first];
}

static bool reserve(deform_sound_modes *own, int face_count) {
    size_t modes = (size_t)own->mode_count, frames = FRAMES_BATCH;
    own->patterns = sb_patterns_make(own->mode_count);
    own->levels = sb_alloc(modes, sizeof *own->levels);
    own->omegas = sb_alloc(modes, sizeof *own->omegas);
    own->scales = sb_alloc(modes, sizeof *own->scales);
    own->lags = sb_alloc(modes, sizeof *own->lags);
    own->numbers = sb_alloc(NUMBERS * modes, sizeof *own->numbers);
    own->normal = sb_alloc((size_t)face_count * frames, sizeof(double));
    own->motions = sb_alloc(modes * frames, sizeof(double));
    return own->patterns && own->levels && own->omegas && own->scales &&
           own->lags && own->numbers && own->normal && own->motions;
}

static sb_status fill(sb_deform *deform, const sb_deform_def *def,
                      deform_sound_modes *own, sb_error *err) {
    if (!reserve(own, deform->sound->face_count))
        return no_memory(&deform->bodies[0], err);
    sb_status status = SB_OK;
    for (int i = 0; i < own->body_count && !status; i++) {
        heard_body *body = &own->bodies[i];
        const deform_body *of = &deform->bodies[i];
        if (body->count == 0) continue;
        if (of->has_back)
            body->rate =
                SB_SURFACE_RATE * deform->speed_of_sound_m_s / of->radius_m;
        status = make_body(deform, i, model_of(def, i), body, err);
        if (!status && !describe(own, body, model_of(def, i)))
            status = no_memory(of, err);
    }
    return status;
}

sb_status deform_sound_modes_make(sb_deform *deform, const sb_deform_def *def,
                                  sb_error *err) {
    deform_sound *sound = deform->sound;
    deform_sound_modes *own = sb_alloc(1, sizeof *own);
    sound->modes = own;
    if (!own) return no_memory(&deform->bodies[0], err);
    own->body_count = sound->body_count;
    own->bodies = sb_alloc((size_t)own->body_count, sizeof *own->bodies);
    if (!own->bodies) return no_memory(&deform->bodies[0], err);
    for (int i = 0; i < own->body_count; i++) {
        own->bodies[i].first = own->mode_count;
        own->bodies[i].count =
            count_modes(&deform->bodies[i], model_of(def, i));
        own->mode_count += own->bodies[i].count;
    }
    if (own->mode_count > 0) return fill(deform, def, own, err);
    deform_sound_modes_free(own);
    sound->modes = NULL;
    return SB_OK;
}

void deform_sound_modes_free(deform_sound_modes *modes) {
    if (!modes) return;
    for (int i = 0; i < modes->body_count && modes->bodies; i++)
        sb_free_all(modes->bodies[i].shapes, modes->bodies[i].readings);
    sb_patterns_free(modes->patterns);
    sb_free_all(modes->bodies, modes->levels, modes->omegas, modes->scales,
                modes->lags, modes->numbers, modes->normal, modes->motions,
                modes);
}

void deform_sound_modes_place(deform_sound_modes *modes,
                              deform_layout *layout) {
    modes->states = deform_place_array(layout, (size_t)modes->mode_count,
                                       sizeof *modes->states);
    modes->turns = deform_place_array(layout, (size_t)modes->body_count,
                                      sizeof *modes->turns);
}

void deform_sound_modes_begin(sb_deform *deform) {
    deform_sound_modes *own = deform->sound->modes;
    for (int i = 0; i < own->body_count; i++) {
        const heard_body *body = &own->bodies[i];
        own->turns[i] = (body_state){.turned = sb_quat_identity(), .delay = -1};
        for (int k = 0; k < body->count; k++)
            set_filters(deform, own, body, body->first + k);
    }
}

const double *deform_sound_modes_numbers(const sb_deform *deform,
                                         size_t *count) {
    const deform_sound_modes *own = deform->sound->modes;
    *count = NUMBERS * (size_t)own->mode_count;
    return own->numbers;
}

/* --- in time ------------------------------------------------------------------ */

void deform_sound_modes_read(sb_deform *deform, int first, int last) {
    deform_sound_modes *own = deform->sound->modes;
    for (int i = 0; i < own->body_count; i++) {
        const heard_body *body = &own->bodies[i];
        const sound_body *of = &deform->sound->bodies[i];
        int from = first > body->first ? first : body->first;
        int end = body->first + body->count;
        if (last < end) end = last;
        if (from >= end) continue;
        double *to = own->motions + (size_t)from * FRAMES_BATCH;
        size_t skipped = (size_t)(from - body->first) * (size_t)of->face_count;
        memset(to, 0, (size_t)(end - from) * FRAMES_BATCH * sizeof *to);
        deform->kernel->mix(
            to, end - from, body->readings + skipped, of->face_count,
            own->normal + (size_t)of->face_first * FRAMES_BATCH, 1);
    }
}

/* a_n of a face in all frames, from its sources or to them. */
static void copy_normal(deform_sound *sound, int face, bool is_back) {
    double *a = sound->modes->normal + (size_t)face * FRAMES_BATCH;
    sound_source *source = &sound->sources[face];
    for (int i = 0; i < FRAMES_BATCH; i++, source += sound->face_count) {
        if (is_back)
            source->monopole = a[i];
        else
            a[i] = source->monopole;
    }
}

void deform_sound_modes_take(deform_sound *sound, int face) {
    copy_normal(sound, face, false);
}

void deform_sound_modes_rest(sb_deform *deform, int first, int last) {
    deform_sound *sound = deform->sound;
    deform_sound_modes *own = sound->modes;
    for (int i = 0; i < own->body_count; i++) {
        const heard_body *body = &own->bodies[i];
        const sound_body *of = &sound->bodies[i];
        int from = first > of->face_first ? first : of->face_first;
        int end = of->face_first + of->face_count;
        if (last < end) end = last;
        if (from >= end || body->count == 0) continue;
        size_t skipped = (size_t)(from - of->face_first) * (size_t)body->count;
        deform->kernel->mix(own->normal + (size_t)from * FRAMES_BATCH,
                            end - from, body->shapes + skipped, body->count,
                            own->motions + (size_t)body->first * FRAMES_BATCH,
                            -1);
        for (int f = from; f < end; f++)
            copy_normal(sound, f, true);
    }
}

/* --- towards the ear ---------------------------------------------------------- */

/* The rotation q with the most of sum r_j . a_j, r_j the axes that it turns, from
 * one that is near.
 * Source: Mueller, Bender, Chentanez, Macklin, A robust method to extract the
 * rotational part of deformations, 2016. */
static sb_quat turn_towards(const sb_vec3 a[3], sb_quat q) {
    static const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    enum { ROUNDS = 8 };
    for (int i = 0; i < ROUNDS; i++) {
        sb_vec3 sum = {0, 0, 0};
        double along = 0;
        for (int j = 0; j < 3; j++) {
            sb_vec3 r = sb_quat_turn(q, axes[j]);
            sum = sb_vec3_add(sum, sb_vec3_cross(r, a[j]));
            along += sb_vec3_dot(r, a[j]);
        }
        double angle = sb_vec3_length(sum) / (fabs(along) + 1e-300);
        if (!(angle > 1e-12)) break;
        q = sb_quat_normalised(
            sb_quat_times(sb_quat_about(sum, fmin(angle, 1)), q));
    }
    return q;
}

/* Where the body's origin is now, by the places of its nodes, and how it has
 * turned. */
static sb_vec3 find_origin(const sb_deform *deform, int body,
                           const double *places, sb_quat *turned) {
    const deform_body *of = &deform->bodies[body];
    const double *rest = deform->rest + 4 * (size_t)of->node_first;
    double by = 1.0 / of->surface_count;
    sb_vec3 at = {0, 0, 0}, was = {0, 0, 0}, a[3] = {{0}};
    for (int n = 0; n < of->surface_count; n++) {
        at = sb_vec3_plus(at, row_vec3(places, n), by);
        was = sb_vec3_plus(was, row_vec3(rest, n), by);
    }
    for (int n = 0; n < of->surface_count; n++) {
        sb_vec3 x = sb_vec3_sub(row_vec3(places, n), at);
        sb_vec3 from = sb_vec3_sub(row_vec3(rest, n), was);
        a[0] = sb_vec3_plus(a[0], x, from.x);
        a[1] = sb_vec3_plus(a[1], x, from.y);
        a[2] = sb_vec3_plus(a[2], x, from.z);
    }
    *turned = turn_towards(a, *turned);
    sb_vec3 arm = sb_vec3_sub(of->position_m, was);
    return sb_vec3_add(at, sb_quat_turn(*turned, arm));
}

/* alpha and beta towards a direction in the body's own axes. */
static void find_gains(const deform_sound_modes *own, int mode,
                       const float *harmonics, double gains[2]) {
    const sb_pattern *pattern = &own->patterns->modes[mode];
    double re = own->levels[mode], im = 0;
    if (pattern->order >= 0) {
        re = im = 0;
        for (int i = 0; i < sb_harmonics_count(pattern->order); i++) {
            re += (double)(pattern->coefs[i][0] * harmonics[i]);
            im += (double)(pattern->coefs[i][1] * harmonics[i]);
        }
        double power = re * re + im * im, rest = (double)pattern->rest;
        double more = power > 0 ? sqrt(1 + rest / power) : 0;
        re = power > 0 ? re * more : sqrt(rest);
        im *= more;
    }
    const double *scale = own->scales[mode];
    double real = re * scale[0] - im * scale[1];
    double imaginary = re * scale[1] + im * scale[0];
    gains[0] = real + imaginary;
    gains[1] = -2 * imaginary;
}

static void add_mode(const deform_sound_modes *own, int mode, double rate,
                     const double next[2], sound_source out[FRAMES_BATCH]) {
    mode_state *state = &own->states[mode];
    const double *motion = own->motions + (size_t)mode * FRAMES_BATCH;
    double lag = own->lags[mode];
    for (int i = 0; i < FRAMES_BATCH; i++) {
        double share = (i + 1.0) / FRAMES_BATCH;
        double in = rate > 0 ? deform_press(state->pressure, motion[i], 1, rate)
                             : motion[i];
        state->low =
            (lag * (in + state->before) + (1 - lag) * state->low) / (1 + lag);
        state->before = in;
        double alpha = state->gains[0] + share * (next[0] - state->gains[0]);
        double beta = state->gains[1] + share * (next[1] - state->gains[1]);
        out[i].monopole += alpha * in + beta * state->low;
    }
    memcpy(state->gains, next, sizeof state->gains);
}

double *deform_sound_modes_delay(const deform_sound *sound, int index) {
    return &sound->modes->turns[index].delay;
}

/* Places and gains go in straight lines from batch to batch. */
static void put_origins(body_state *state, sb_vec3 origin,
                        sound_source out[FRAMES_BATCH]) {
    sb_vec3 from = state->has_begun > 0 ? state->origin : origin;
    sb_vec3 way = sb_vec3_sub(origin, from);
    for (int i = 0; i < FRAMES_BATCH; i++) {
        sb_vec3 at = sb_vec3_plus(from, way, (i + 1.0) / FRAMES_BATCH);
        out[i] = (sound_source){.at = {at.x, at.y, at.z}};
    }
    state->origin = origin;
}

void deform_sound_modes_leave(sb_deform *deform, int index,
                              sound_source out[FRAMES_BATCH]) {
    const deform_sound *sound = deform->sound;
    const deform_sound_modes *own = sound->modes;
    const heard_body *body = &own->bodies[index];
    const sound_body *of = &sound->bodies[index];
    body_state *state = &own->turns[index];
    float y[(SB_HARMONICS_ORDER_MOST + 1) * (SB_HARMONICS_ORDER_MOST + 1)];
    size_t last = (size_t)(FRAMES_BATCH - 1) * (size_t)sound->node_count;
    sb_vec3 origin = find_origin(
        deform, of->body, sound->places + 4 * (last + (size_t)of->node_first),
        &state->turned);
    put_origins(state, origin, out);
    sb_quat pose =
        sb_quat_times(state->turned, deform->bodies[of->body].rotation);
    sb_vec3 to = sb_vec3_sub(deform->state->ear_m, origin);
    sb_harmonics(SB_HARMONICS_ORDER_MOST,
                 sb_quat_turn_back(pose, sb_vec3_normalised(to)), y);
    for (int k = body->first; k < body->first + body->count; k++) {
        double next[2];
        find_gains(own, k, y, next);
        if (!(state->has_begun > 0))
            memcpy(own->states[k].gains, next, sizeof next);
        add_mode(own, k, body->rate, next, out);
    }
    state->has_begun = 1;
}
