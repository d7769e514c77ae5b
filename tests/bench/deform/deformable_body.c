/* SPDX-License-Identifier: MIT */
#include "tests/bench/deform/deformable_body.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/fill/fill.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shape.h"
#include "tests/deform/deform_motion.h"

#include <complex.h>
#include <math.h>

static const sb_material steel = {.density = 7850,
                                  .youngs_modulus = 200e9,
                                  .poisson_ratio = 0.29,
                                  .alpha = 5,
                                  .beta = 3e-8,
                                  .hardness = 1e9};
static const sb_material aluminium = {.density = 2700,
                                      .youngs_modulus = 70e9,
                                      .poisson_ratio = 0.33,
                                      .alpha = 2,
                                      .beta = 5e-8,
                                      .hardness = 1e9};

/* The bar of physics.md: 1 : 4 : 10. */
static sb_vec3 place(const void *context, double a, double b, double c) {
    const deformable_body *body = context;
    double top = 0.5 * body->size_m[1], thick = body->size_m[1];
    double least = 0.367896 * thick, from = 0.289404 * body->size_m[0];
    double x = fabs(a) / from;
    if (body->is_undercut && x < 1) thick = least + (thick - least) * x * x * x;
    return (sb_vec3){a, top - thick * (1 - c), b};
}

static sb_status make_solid(const deformable_body *body, sb_solid_mesh *out,
                            sb_error *err) {
    sb_flat flat;
    sb_status status =
        sb_flat_cells(body->size_m[0], body->size_m[2], body->cells[0],
                      body->cells[2], &flat, err);
    if (status) return status;
    status = sb_flat_sweep(&flat, body->cells[1], false, place, body, out, err);
    sb_flat_free(&flat);
    return status;
}

static sb_status make_sheet(const deformable_body *body, sb_mesh *out,
                            sb_error *err) {
    sb_flat flat;
    sb_status status =
        sb_flat_cells(body->size_m[0], body->size_m[2], body->cells[0],
                      body->cells[2], &flat, err);
    if (status) return status;
    *out = (sb_mesh){
        .vertex_count = flat.vertex_count,
        .face_count = flat.face_count,
        .vertices = sb_alloc((size_t)flat.vertex_count, sizeof *out->vertices),
        .faces = sb_alloc((size_t)flat.face_count, sizeof *out->faces)};
    bool is_made = out->vertices && out->faces;
    for (int i = 0; i < flat.vertex_count && is_made; i++) {
        out->vertices[i] =
            (sb_vec3){flat.vertices[i][0], 0, flat.vertices[i][1]};
    }
    for (int i = 0; i < 3 * flat.face_count && is_made; i++) {
        out->faces[i / 3][i % 3] = flat.faces[i / 3][2 - i % 3];
    }
    sb_flat_free(&flat);
    if (is_made) return SB_OK;
    sb_mesh_free(out);
    return sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
}

static sb_status create_from(const deformable_body *body,
                             sb_deform_body_def *made, bool is_heard,
                             int threads, sb_deform **out, sb_error *err) {
    static const sb_vec3 ear_m = {0.1, 1, 0.2};
    made->name = body->is_sheet ? "plate" : "bar";
    made->material = body->is_undercut ? aluminium : steel;
    if (body->is_lossless) made->material.alpha = made->material.beta = 0;
    sb_deform_def def = sb_deform_def_default();
    def.body_count = 1;
    def.bodies = made;
    if (is_heard) def.ear_m = &ear_m;
    def.threads = threads;
    sb_status status = sb_deform_create(&def, out, err);
    if (status) return status;
    const sb_deform_strike_def strike = {
        .at_m = {0.47 * body->size_m[0], 0.5 * body->size_m[1],
                 body->is_undercut ? 0 : 0.35 * body->size_m[2]},
        .mass_kg = 1e-4,
        .speed_m_s = 0.01};
    status = sb_deform_strike(*out, &strike, NULL, err);
    if (status) sb_deform_destroy(*out);
    return status;
}

sb_status deformable_create(const deformable_body *body, bool is_heard,
                            int threads, sb_deform **out, sb_error *err) {
    sb_deform_body_def made = sb_deform_body_def_default();
    sb_solid_mesh solid = {0};
    sb_mesh sheet = {0};
    const double *size = body->size_m;
    sb_shape shape = {.kind = body->is_sheet ? SB_SHAPE_PLATE : SB_SHAPE_BAR,
                      .thickness = size[1],
                      .method =
                          body->is_sheet ? SB_METHOD_SHELL : SB_METHOD_SOLID};
    sb_status status = SB_OK;
    if (body->cells[0] == 0) {
        shape.length = body->is_sheet ? 0 : size[0];
        shape.width = body->is_sheet ? size[0] : size[2];
        shape.depth = body->is_sheet ? size[2] : 0;
        made.shape = &shape;
    } else if (body->is_sheet) {
        status = make_sheet(body, &sheet, err);
        made.sheet = &sheet;
        made.thickness_m = size[1];
    } else {
        status = make_solid(body, &solid, err);
        made.solid = &solid;
    }
    if (!status) status = create_from(body, &made, is_heard, threads, out, err);
    sb_solid_mesh_free(&solid);
    sb_mesh_free(&sheet);
    return status;
}

/* Power at a frequency, with a window. */
static double power_at(const float *x, int count, double hz) {
    double complex sum = 0, turn = cexp(-I * (SB_TAU * hz / SB_DEFORM_RATE_HZ));
    double complex now = 1;
    for (int i = 0; i < count; i++, now *= turn) {
        double w = 0.5 - 0.5 * cos(SB_TAU * (i + 0.5) / count);
        sum += w * (double)x[i] * now;
    }
    return cabs(sum);
}

/* The strongest frequency within 3 %, by ever finer steps. */
static double line_near(const float *x, int count, double hz) {
    double span = 0.03 * hz, best = hz;
    double fine = 0.25 * SB_DEFORM_RATE_HZ / count;
    while (span > 1e-5 * hz) {
        double most = -1, middle = best, step = fmin(fine, span / 4);
        for (double f = middle - span; f <= middle + span; f += step) {
            double power = power_at(x, count, f);
            if (power <= most) continue;
            most = power;
            best = f;
        }
        span = step;
        fine = step / 4;
    }
    return best;
}

sb_status deformable_play(const deformable_body *body, double time_s,
                          const double *near_hz, int count, double *pitches_hz,
                          double *seconds, sb_error *err) {
    enum { BLOCK = 480 };
    sb_deform *deform;
    int frames = (int)(time_s * SB_DEFORM_RATE_HZ) / BLOCK * BLOCK, done = 0;
    float *heard = sb_alloc((size_t)frames, sizeof *heard);
    if (!heard) return sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
    double from = sb_clock_process_s();
    sb_status status = deformable_create(body, true, 1, &deform, err);
    if (!status) {
        while (done < frames && !status) {
            status = deform_advance(deform, done + BLOCK, err);
            done += sb_deform_read(deform, BLOCK, heard + done);
        }
        sb_deform_destroy(deform);
    }
    *seconds = sb_clock_process_s() - from;
    for (int i = 0; i < count && !status; i++) {
        pitches_hz[i] = line_near(heard, frames, near_hz[i]);
    }
    sb_free(heard);
    return status;
}
