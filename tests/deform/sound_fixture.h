/* SPDX-License-Identifier: MIT */
/* tests/deform/sound_fixture.h -- a sphere that is moved by hand, and what is
 * heard of it. */
#pragma once

#include "runtime/deform/sound/sound_modes.h"
#include "runtime/model/shape.h"
#include "tests/deform/deform_fixture.h"

#include <complex.h>

static const double c_m_s = 343.2, rho = 1.204, radius_m = 0.05;

enum { EAR_FACES = 16384 };

/* What an ear hears of it: each triangle's pressure arrives after r / c, at the
 * rate at which the way changes. */
static struct {
    bool is_on;
    sb_vec3 ear_m;
    double delays[EAR_FACES]; /* frames; of the last frame */
    double heard[SOUND_RING];
} at_ear;

static inline void listen_at(sb_vec3 ear_m) {
    memset(&at_ear, 0, sizeof at_ear);
    at_ear.is_on = true;
    at_ear.ear_m = ear_m;
    for (int i = 0; i < EAR_FACES; i++) {
        at_ear.delays[i] = -1;
    }
}

static inline void hear_source(const sb_deform *d, const sound_source *source,
                               double *before, double frame) {
    const double hz = SB_DEFORM_RATE_HZ;
    sb_vec3 from = {source->at[0], source->at[1], source->at[2]};
    sb_vec3 dipole = {source->dipole[0], source->dipole[1], source->dipole[2]};
    sb_vec3 to = sb_vec3_sub(at_ear.ear_m, from);
    double r = sb_vec3_length(to), delay = r * hz / d->speed_of_sound_m_s;
    double p = (source->monopole + sb_vec3_dot(dipole, to) / r) / r;
    double rate = *before < 0 ? 1 : 1 + delay - *before;
    double at = frame + delay - 2.0 / FINE_PER_FRAME - d->step_s * hz;
    double phase = (at - floor(at)) * SPLAT_PHASES, share = phase - (int)phase;
    const double *low = d->sound->splat[(int)phase], *high = low + SPLAT_TAPS;
    *before = delay;
    for (int k = 0; k < SPLAT_TAPS; k++) {
        int to_frame = (int)at - (SPLAT_TAPS / 2 - 1) + k;
        if (to_frame < 0 || to_frame >= SOUND_RING) continue;
        at_ear.heard[to_frame] +=
            p * rate * ((1 - share) * low[k] + share * high[k]);
    }
}

static inline void hear(const sb_deform *d, int64_t batch) {
    int faces = d->sound->face_count;
    ck_assert_int_le(faces, EAR_FACES);
    for (int i = 0; i < FRAMES_BATCH * faces; i++) {
        hear_source(d, &d->sound->sources[i], &at_ear.delays[i % faces],
                    (double)(batch * FRAMES_BATCH + i / faces));
    }
}

static inline void sound_step(sb_deform *d, int64_t step) {
    const deform_body *body = &d->bodies[0];
    int64_t batch;
    deform_sound_take(d, 0, body->node_first,
                      body->node_first + body->surface_count, step);
    d->state->step = step + 1;
    if (!deform_sound_is_due(d, step, &batch)) return;
    deform_sound_filter(d, 0, d->sound->node_count);
    deform_sound_faces(d, 0, d->sound->face_count);
    if (d->sound->modes) {
        deform_sound_modes_read(d, 0, deform_sound_mode_count(d->sound));
        deform_sound_modes_rest(d, 0, d->sound->face_count);
    }
    deform_sound_mean(d, 0);
    deform_sound_bend(d, 0, batch);
    deform_sound_sources(d, 0, d->sound->face_count);
    deform_sound_leave(d, 0, batch);
    if (at_ear.is_on) hear(d, batch);
    d->state->frames = deform_sound_frames(d, (step + 1) / d->fine_steps + 1);
}

/* Amplitude and phase of a frequency in the last `count` samples, by least squares. */
static inline double complex phasor_of(const float *x, int stride, int count,
                                       double hz) {
    double complex sum = 0;
    double weight = 0;
    for (int i = 0; i < count; i++) {
        double w = 0.5 - 0.5 * cos(SB_TAU * (i + 0.5) / count);
        sum += w * (double)x[i * stride] *
               cexp(-I * (SB_TAU * hz * i / SB_DEFORM_RATE_HZ));
        weight += w;
    }
    return 2 * sum / weight;
}

static inline double amplitude_of(const float *x, int stride, int count,
                                  double hz) {
    return cabs(phasor_of(x, stride, count, hz));
}

enum { SKIP = 384, COUNT = 1320, FRAMES = SKIP + COUNT };

static float heard[2 * (FRAMES + 64)];

/* A light soft sphere: its own motion is not simulated, so only its step
 * matters, which should be long. */
static inline sb_deform *make_sphere(void) {
    static const sb_vec3 ear_m = {0, 1, 0};
    sb_shape shape = {.kind = SB_SHAPE_SPHERE,
                      .radius = radius_m,
                      .method = SB_METHOD_SOLID,
                      .elements = 8};
    sb_deform_body_def body = sb_deform_body_def_default();
    body.material = plain_steel;
    body.material.youngs_modulus = 1e6;
    body.shape = &shape;
    sb_deform_def def = sb_deform_def_default();
    def.ear_m = &ear_m;
    def.step_s = 1.0 / FINE_RATE_HZ;
    return create_one(def, &body);
}

/* The same as a closed sheet, whose faces look inward. */
static inline sb_deform *make_hollow(void) {
    sb_deform *full = make_sphere(), *hollow;
    const deform_body *of = &full->bodies[0];
    sb_vec3 *vertices = sb_alloc((size_t)of->surface_count, sizeof *vertices);
    int(*faces)[3] = sb_alloc((size_t)of->face_count, sizeof *faces);
    for (int i = 0; i < of->surface_count; i++) {
        vertices[i] = row_vec3(full->rest, i);
    }
    for (int i = 0; i < 3 * of->face_count; i++) {
        faces[i / 3][i % 3] = full->faces[i / 3][2 - i % 3];
    }
    const sb_mesh mesh = {.vertex_count = of->surface_count,
                          .face_count = of->face_count,
                          .vertices = vertices,
                          .faces = faces};
    sb_deform_body_def body = sheet_body(&mesh, 1e-3, NULL);
    body.material.youngs_modulus = 1e6;
    sb_deform_def def = sb_deform_def_default();
    const sb_vec3 ear_m = {0, 1, 0};
    def.ear_m = &ear_m;
    def.step_s = 1.0 / FINE_RATE_HZ;
    hollow = create_one(def, &body);
    hollow->bodies[0].limit_hz = INFINITY; /* it is moved by hand */
    sb_deform_destroy(full);
    sb_free(vertices);
    sb_free(faces);
    return hollow;
}
