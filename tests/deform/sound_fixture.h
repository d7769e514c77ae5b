/* tests/deform/sound_fixture.h -- a sphere that is moved by hand, and what is
 * heard of it. */
#ifndef SB_TESTS_DEFORM_SOUND_FIXTURE_H
#define SB_TESTS_DEFORM_SOUND_FIXTURE_H

#include "runtime/deform/sound/sound.h"
#include "runtime/model/shape.h"
#include "tests/deform/deform_fixture.h"

#include <complex.h>

static const double c_m_s = 343.2, rho = 1.204, radius_m = 0.05;

static inline void sound_step(sb_deform *d, int64_t step) {
    const deform_body *body = &d->bodies[0];
    int64_t batch;
    deform_sound_take(d, 0, body->node_first,
                      body->node_first + body->surface_count, step);
    d->state->step = step + 1;
    if (!deform_sound_is_due(d, step, &batch)) return;
    deform_sound_filter(d, 0, d->sound->node_count);
    deform_sound_faces(d, 0, d->sound->face_count);
    deform_sound_mean(d, 0);
    deform_sound_bend(d, 0, batch);
    deform_sound_sources(d, 0, d->sound->face_count);
    for (int ring = 0; ring < d->sound->ring_count; ring++) {
        if (d->is_source)
            deform_sound_leave(d, ring, batch);
        else
            deform_sound_hear(d, ring, batch);
    }
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
static inline sb_deform *make_sphere(bool is_source) {
    static const sb_deform_ear ear = {{0, 1, 0}, {0, 0, 0}};
    sb_shape shape = {.kind = SB_SHAPE_SPHERE,
                      .radius = radius_m,
                      .method = SB_METHOD_SOLID,
                      .elements = 8};
    sb_deform_body_def body = sb_deform_body_def_default();
    body.material = plain_steel;
    body.material.youngs_modulus = 1e6;
    body.shape = &shape;
    sb_deform_def def = sb_deform_def_default();
    def.ear_count = 1;
    def.ears = &ear;
    def.is_source = is_source;
    def.step_s = 1.0 / FINE_RATE_HZ;
    return create_one(def, &body);
}

/* The same as a closed sheet, whose faces look inward. */
static inline sb_deform *make_hollow(void) {
    sb_deform *full = make_sphere(false), *hollow;
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
    const sb_deform_ear ear = {{0, 1, 0}, {0, 0, 0}};
    def.ear_count = 1;
    def.ears = &ear;
    def.step_s = 1.0 / FINE_RATE_HZ;
    hollow = create_one(def, &body);
    hollow->bodies[0].limit_hz = INFINITY; /* it is moved by hand */
    sb_deform_destroy(full);
    sb_free(vertices);
    sb_free(faces);
    return hollow;
}

#endif
