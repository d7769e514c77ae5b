/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/remark.h"

#include "runtime/base/pi.h"
#include "runtime/model/material.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"

#include <math.h>
#include <stdio.h>

/* Frequencies of thin-wire and thin-plate theory that are this much too high
 * are worth a word. */
#define ERROR_LEAST 0.02

static bool is_plate(const sb_shape *shape) {
    return shape->kind == SB_SHAPE_PLATE || shape->kind == SB_SHAPE_DISK;
}

const char *sb_model_plate_theory(const sb_model *model) {
    if (!is_plate(&model->shape)) return "";
    return sb_model_solution(model) ? sb_model_method(model)
                                    : sb_model_theory(model);
}

static double side_of(const sb_shape *shape) {
    return shape->kind == SB_SHAPE_DISK ? 2 * shape->radius
                                        : fmin(shape->width, shape->depth);
}

/* How much shear and rotary inertia would lower the highest mode, a wave of the
 * same frequency in a straight bar or plate of this height: of first order, and
 * limited. */
static double thin_error(const sb_model *model, double height) {
    if (model->mode_count == 0) return 0;
    const sb_material *m = &model->material;
    double omega = SB_TAU * model->modes[model->mode_count - 1].freq_hz;
    double kh2 = omega * height * sqrt(12 * m->density / m->youngs_modulus);
    double loss = kh2 / 24 * (1 + 2.4 * (1 + m->poisson_ratio));
    return loss / (1 + loss);
}

/* Above sqrt(kappa G A / rho I) a beam's sections shear without bending, and its
 * bending modes end (bar.c). */
static bool remark_bar(const sb_model *model, char *text) {
    const sb_shape *bar = &model->shape;
    if (bar->theory != SB_BAR_TIMOSHENKO) return false;
    double g = sb_elastic_of(&model->material).g12;
    double speed = sqrt(10 * g / model->material.density); /* kappa 5 / 6 */
    double side = fmax(bar->thickness, bar->width);
    double end_hz = speed / (SB_TAU * side);
    if (end_hz >= model->limits.max_hz) return false;
    bool is_lateral = speed / (SB_TAU * bar->thickness) >= model->limits.max_hz;
    (void)snprintf(text, SB_REMARK_SIZE,
                   "the theory of beams ends at %.3g kHz: it has no %s modes "
                   "above",
                   end_hz / 1000, is_lateral ? "lateral" : "bending");
    return true;
}

/* A closed form outside the range in which it is right. */
static bool remark_range(const sb_model *model, char *text) {
    const sb_shape *shape = &model->shape;
    double ratio = shape->thickness / side_of(shape);
    if (sb_model_solution(model)) return false;
    if (shape->kind == SB_SHAPE_BAR) return remark_bar(model, text);
    if (is_plate(shape) && shape->theory == SB_PLATE_KIRCHHOFF) {
        double error = thin_error(model, shape->thickness);
        if (error < ERROR_LEAST) return false;
        (void)snprintf(text, SB_REMARK_SIZE,
                       "Kirchhoff's theory is of thin plates: its highest "
                       "modes are some %.0f %% too high; leave theory out",
                       100 * error);
        return true;
    }
    if (is_plate(shape) && ratio > (1 + 1e-9) * SB_PLATE_THICK_MOST) {
        (void)snprintf(text, SB_REMARK_SIZE,
                       "Mindlin's theory beyond its range: thickness / side "
                       "%.2g is above %g; method = \"solid\" is exact",
                       ratio, SB_PLATE_THICK_MOST);
        return true;
    }
    if (shape->kind == SB_SHAPE_RING) {
        double wire = shape->wire_radius > 0
                          ? sqrt(3) * shape->wire_radius
                          : fmax(shape->thickness, shape->width);
        double error = thin_error(model, wire);
        if (error < ERROR_LEAST) return false;
        (void)snprintf(text, SB_REMARK_SIZE,
                       "the closed form is of thin wire: its highest modes "
                       "are some %.0f %% too high; method = \"solid\" is exact",
                       100 * error);
        return true;
    }
    return false;
}

/* Triangles bend as Kirchhoff's plates do. */
static bool remark_triangles(const sb_model *model, char *text) {
    const sb_solution *solution = sb_model_solution(model);
    if (!solution || solution->facts.method != (int)SB_METHOD_SHELL)
        return false;
    double size = model->base ? model->base_size : 1;
    double error = thin_error(model, solution->facts.thickness_m * size);
    if (error < ERROR_LEAST) return false;
    (void)snprintf(text, SB_REMARK_SIZE,
                   "its triangles are of thin sheet, without shear: its "
                   "highest modes are some %.0f %% too high",
                   100 * error);
    return true;
}

/* Walls are thin up to this part of the radius of their ring. */
#define WALL_SHARE 0.2

static bool remark_wall(const sb_model *model, char *text) {
    const sb_shape *shape = &model->shape;
    if (!sb_shape_family_of(shape)->turned) return false;
    sb_turned_def def;
    sb_shape_family_of(shape)->turned(shape, &def);
    sb_outline outline = sb_outline_of(def.points, def.count, def.second);
    double most = 0, r = 0, y = 0;
    for (int i = 0; i <= 100; i++) {
        sb_outline_place at = sb_outline_at(&outline, 0.01 * i);
        double share = at.t * fabs(at.normal[0]) / fmax(at.r, 0.1 * at.t);
        if (share <= most || at.r < 2 * at.t * fabs(at.normal[1])) continue;
        most = share;
        r = at.r;
        y = at.y;
    }
    if (most <= WALL_SHARE) return false;
    (void)snprintf(
        text, SB_REMARK_SIZE,
        "its wall is %.2g of its radius thick at (%.3g, %.3g) m: the "
        "theory is of walls up to %g, beyond that modes which bend "
        "the section may be some per cent off",
        most, r, y, WALL_SHARE);
    return true;
}

/* Elements that a bending wave should have, at least. */
enum { PER_WAVE = 5 };

/* Triangles of a hollow box: up to which frequency they are short against a
 * bending wave. */
static bool remark_hollow(const sb_model *model, char *text) {
    const sb_solution *solution = sb_model_solution(model);
    const sb_material *m = &model->material;
    if (model->shape.kind != SB_SHAPE_HOLLOW || !solution) return false;
    double nu = m->poisson_ratio;
    double speed = sqrt(m->youngs_modulus / (m->density * (1 - nu * nu)));
    double area = 2 * solution->facts.area_m2 / solution->facts.element_count;
    double hz = SB_TAU * speed * model->shape.thickness /
                (sqrt(12.0) * PER_WAVE * PER_WAVE * area);
    if (model->modes[model->mode_count - 1].freq_hz <= hz) return false;
    (void)snprintf(
        text, SB_REMARK_SIZE,
        "modes above %.3g kHz are as dense as the true ones, but not "
        "in their places: more elements move this up",
        0.001 * hz);
    return true;
}

static bool has_grain(const sb_model *model) {
    bool is_form = !sb_model_solution(model);
    sb_shape_kind kind = model->shape.kind;
    return is_form && (kind == SB_SHAPE_BAR || kind == SB_SHAPE_PLATE);
}

static bool remark_grain(const sb_model *model, char *text) {
    if (!sb_material_is_orthotropic(&model->material) || has_grain(model))
        return false;
    (void)snprintf(text, SB_REMARK_SIZE,
                   "its grain is left out: as stiff in all directions as "
                   "along it; bars and plates in closed form have a grain");
    return true;
}

static bool remark_solid(const sb_model *model, char *text) {
    sb_shape_kind kind = model->shape.kind;
    if (!sb_model_solution(model) || !sb_shape_is_too_thick(&model->shape))
        return false;
    (void)snprintf(text, SB_REMARK_SIZE,
                   "thicker than a fifth of its %s: solved as a solid",
                   kind == SB_SHAPE_DISK    ? "diameter"
                   : kind == SB_SHAPE_PLATE ? "shorter side"
                                            : "radius");
    return true;
}

/* Two sides of a wall or a block, at least. */
#define WALL_M 1.0

/* A large block rings with more modes than are solved, for seconds: worth a
 * word if nobody asked for them. */
static bool remark_block(const sb_model *model, char *text) {
    const sb_shape *box = &model->shape;
    const sb_finish_report *report = sb_model_finish_report(model);
    int long_sides = (box->width >= WALL_M) + (box->height >= WALL_M) +
                     (box->depth >= WALL_M);
    if (box->kind != SB_SHAPE_BOX || long_sides < 2 || box->max_modes > 0 ||
        !report || !report->is_incomplete)
        return false;
    (void)snprintf(text, SB_REMARK_SIZE,
                   "if it only stands in the way, it needs no solve as shape = "
                   "sb.rigid {}, collider = { kind = \"box\", width = %g, "
                   "height = %g, depth = %g }",
                   box->width, box->height, box->depth);
    return true;
}

void sb_model_remark(const sb_model *model, char text[SB_REMARK_SIZE]) {
    static bool (*const remarks[])(const sb_model *, char *) = {
        remark_grain,     remark_range, remark_wall, remark_hollow,
        remark_triangles, remark_solid, remark_block};
    size_t used = 0;
    text[0] = '\0';
    if (model->mode_count == 0) return;
    for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
        char one[SB_REMARK_SIZE];
        if (!remarks[i](model, one)) continue;
        int length = snprintf(text + used, SB_REMARK_SIZE - used, "%s%s",
                              used > 0 ? "; " : "", one);
        used += (size_t)length;
        if (used >= SB_REMARK_SIZE) return;
    }
}
