/* SPDX-License-Identifier: MIT */
/* runtime/deform/sound/sound.h -- what moving surfaces make heard; private.
 *
 * Positions of surface nodes pass a window (four boxes of one 192 kHz sample
 * each, convolved: sinc^4) to 192 kHz, then a filter of 127 taps to 48 kHz,
 * once as position, once as second derivative. Each triangle of area A, normal
 * n and normal acceleration a_n is then a source of Kirchhoff and Helmholtz's
 * integral, heard at distance r in direction e after r / c:
 *
 *     p = A [rho a_n + (n . e) ps' / c] / (4 pi r)
 *     ps' = rho c a_n - (q c / a) ps,     the pressure on it
 *
 * with a and q of model/sound/radiation.h: the mean of a_n over a closed body
 * has q = 1, the rest 1.87. Both faces of an open sheet sound: their monopoles
 * cancel, their dipoles add.
 *
 * What of it are linear modes of the body is heard by boundary elements instead
 * (sound_modes.h).
 *
 * Each body has a ring of samples, at whose time t it holds what leaves the
 * body's centre then towards the ear: the way from there is left out, its 1 / R
 * and its Doppler shift with it. A source is added by 16 taps of a windowed sinc,
 * times the rate at which its samples arrive, so that bodies which spin have the
 * right pitch and no gain.
 *
 * What is read from a ring passes a low-pass at the highest frequency that the
 * triangles of a sheet resolve.
 *
 * Batches are FRAMES_BATCH frames long and begin at multiples of it, so that
 * the division into calls does not matter.
 *
 * Thread: members of the team. Memory: of the sb_deform.
 * Source: physics 2.8, 2.9.
 */
#pragma once

#include "runtime/deform/deform_state.h"

enum {
    SOUND_HALF = 63, /* taps on each side */
    SOUND_TAPS = 2 * SOUND_HALF + 1,
    FRAMES_BATCH = 16,
    FINE_BATCH = FRAMES_BATCH * FINE_PER_FRAME,
    SOUND_HISTORY = SOUND_TAPS + FINE_BATCH, /* samples kept per node */
    SPLAT_TAPS = 16,
    SPLAT_PHASES = 256,
    SOUND_RING = 32768, /* frames */
    SOUND_UNREAD_MOST = SOUND_RING / 2 - 64,
    SOUND_LEAD_MOST = SOUND_RING / 4 - 256,
    SOUND_SECTIONS = 6, /* of the low-pass of a ring */
    SOUND_BATCHES = SOUND_RING / FRAMES_BATCH
};

/* A triangle in one frame: p = (monopole + dipole . e) / r. Before the last
 * pass, `monopole` is its acceleration and `dipole` its normal. */
typedef struct sound_source {
    double at[3], monopole, dipole[3], area;
} sound_source;

typedef struct sound_body {
    int body, node_first, face_first;
    int node_count, face_count;
} sound_body;

/* A low-pass at what a sheet's triangles resolve. */
typedef struct sound_limit {
    bool is_on;
    double sections[SOUND_SECTIONS][4]; /* b0, b1, a1, a2; b2 = b0 */
} sound_limit;

typedef struct deform_sound_modes deform_sound_modes; /* sound_modes.h */

struct deform_sound {
    int body_count;
    sound_body *bodies; /* of each body of the sb_deform */
    int node_count, face_count;
    /* Frames that a ring is ahead of what is read: parts of a body that are nearer
     * than its centre sound before it. */
    int lead;
    double *weights; /* [4][fine_steps]: the window, by age and phase */
    double value[SOUND_TAPS], second[SOUND_TAPS];
    double splat[SPLAT_PHASES + 1][SPLAT_TAPS];
    /* scratch of a batch */
    double *places, *accelerations; /* [frame][node][4] */
    sound_source *sources;          /* [frame][face] */
    double *means;                  /* [body][frame][2]: mean a_n, its ps' */
    deform_sound_modes *modes;      /* NULL: no body has any */
    double *normals;                /* [node][4] */
    /* state */
    double *sums;       /* [node][4][4] */
    double *history;    /* [node][SOUND_HISTORY][4] */
    double *pressure;   /* [face][2]: ps, a_n of the last frame */
    double *swelling;   /* [body][2]: the same of the means */
    double *delays;     /* [face], frames; of the last frame */
    double *ring;       /* [body][SOUND_RING + SPLAT_TAPS] */
    double *limited;    /* [body][SOUND_SECTIONS][2] */
    double *limits_hz;  /* [body][SOUND_BATCHES]: what is heard then */
    double *highest_hz; /* [body]: of these so far */
    double *bends;      /* [face][2][3]: its bend at rest, its mean; 1/m */
};

SB_NODISCARD sb_status deform_sound_make(sb_deform *deform,
                                         const sb_deform_def *def,
                                         sb_error *err);
void deform_sound_place(sb_deform *deform, deform_layout *layout);
/* When step and state are known: filters, and a past of constant velocity. */
SB_NODISCARD sb_status deform_sound_begin(sb_deform *deform, sb_error *err);
void deform_sound_free(sb_deform *deform);
/* The second derivative that the filters give, over the true one: 1.09 about 2.7
 * kHz. */
double deform_sound_gain(const sb_deform *deform, double omega);

/* sound_sources.c: takes the places that nodes have after `step`. */
void deform_sound_take(sb_deform *deform, int body, int first, int last,
                       int64_t step);
/* Batches complete before fine sample m. */
int64_t deform_sound_batches(int64_t m);
/* Whether a batch is due after `step`, and which. */
bool deform_sound_is_due(const sb_deform *deform, int64_t step, int64_t *batch);
void deform_sound_filter(sb_deform *deform, int first, int last);
/* Three passes, each after a barrier. */
void deform_sound_faces(sb_deform *deform, int first, int last);
void deform_sound_mean(sb_deform *deform, int body);
void deform_sound_sources(sb_deform *deform, int first, int last);
/* A step of ps' = rho c a_n - rate ps by the trapezoidal rule; returns ps'. */
static inline double deform_press(double pressure[2], double a_n, double rho_c,
                                  double rate) {
    double half = 0.5 / SB_DEFORM_RATE_HZ;
    double ps =
        ((1 - half * rate) * pressure[0] + half * rho_c * (a_n + pressure[1])) /
        (1 + half * rate);
    pressure[0] = ps;
    pressure[1] = a_n;
    return rho_c * a_n - rate * ps;
}
/* By bodies that sound. */
void deform_sound_leave(sb_deform *deform, int index, int64_t batch);
/* After the filter, by bodies that sound: what a batch resolves. */
void deform_sound_bend(sb_deform *deform, int index, int64_t batch);
void deform_sound_limit_set(sound_limit *out, double limit_hz);
/* The next sample; `state` has two numbers per section. */
double deform_sound_limit(const sound_limit *limit, double *state, double x);
/* Complete when the steps have reached fine sample m. */
int64_t deform_sound_frames(const sb_deform *deform, int64_t m);
