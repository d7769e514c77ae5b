/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/exact_turned.h"

#include "runtime/base/air.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/bem/bem_turned.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <string.h>

/* Elements along the profile, and 2 pi over how many of them a wave on the
 * surface or in the air must have. */
static const int levels[] = {48, 96, 192};
enum { LEVELS = 3 };
#define BEND 0.8
#define AIR  1.0
/* Where the profile turns by more, radians, there is a point of it. */
#define CORNER 0.2

/* The profile, cut up; and the motion of all modes there. */
typedef struct cut {
    const sb_model *model;
    sb_outline outline;
    int count, capacity;
    double *at; /* v of outline.h */
    double (*points)[2];
    double (*motions)[2]; /* [mode][point] */
    double *weights;
    sb_bem_turned_mode *modes;
    int *numbers; /* of `modes` in the model */
    int mode_count;
} cut;

bool sb_model_is_turned(const sb_model *model) {
    return sb_shape_family_of(&model->shape)->turned && model->shapes &&
           !model->solution && !model->base;
}

/* --- the profile ---------------------------------------------------------- */

static bool add_point(cut *own, double v) {
    if (!sb_grow_list(own->at, own->capacity, own->count + 1)) return false;
    own->at[own->count++] = v;
    return true;
}

static bool cut_up(cut *own, int elements) {
    const sb_outline *outline = &own->outline;
    const sb_profile_point *p = outline->points;
    double edge = outline->length_m / elements, from = 0, at = 0;
    for (int i = 0; i + 1 < outline->count; i++) {
        at += hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
        bool is_last = i + 2 == outline->count;
        if (!is_last && sb_outline_turn(outline, i + 1) < CORNER) continue;
        int parts = (int)fmax(1, round((at - from) / edge));
        for (int k = 0; k < parts; k++) {
            double v = from + (at - from) * k / parts;
            if (!add_point(own, v / outline->length_m)) return false;
        }
        from = at;
    }
    return outline->is_ring || add_point(own, 1);
}

static bool reserve(cut *own) {
    size_t count = (size_t)own->count, modes = (size_t)own->model->mode_count;
    own->points = sb_alloc(count, sizeof *own->points);
    own->motions = sb_alloc(modes * count, sizeof *own->motions);
    own->weights = sb_alloc(modes, sizeof *own->weights);
    own->modes = sb_alloc(modes, sizeof *own->modes);
    own->numbers = sb_alloc(modes, sizeof *own->numbers);
    return own->points && own->motions && own->weights && own->modes &&
           own->numbers;
}

static void release(cut *own) {
    sb_free_all(own->at, own->points, own->motions, own->weights, own->modes,
                own->numbers);
}

/* Where u = 0, the cosines are 1. */
static void sample(cut *own) {
    static const sb_vec3 axes[2] = {{1, 0, 0}, {0, 1, 0}};
    for (int i = 0; i < own->count; i++) {
        sb_outline_place at = sb_outline_at(&own->outline, own->at[i]);
        bool is_tip = (i == 0 && own->outline.starts_on_axis) ||
                      (i == own->count - 1 && own->outline.ends_on_axis);
        own->points[i][0] = is_tip ? 0 : at.r;
        own->points[i][1] = at.y;
        for (int a = 0; a < 2; a++) {
            sb_model_weights(own->model, (sb_model_point){.v = own->at[i]},
                             &axes[a], own->weights);
            for (int k = 0; k < own->model->mode_count; k++)
                own->motions[(size_t)k * (size_t)own->count + (size_t)i][a] =
                    own->weights[k];
        }
    }
}

/* --- modes ---------------------------------------------------------------- */

/* The mode that moves where u = 0; a sine does so with its cosine. */
static int cosine_of(const sb_model *model, int mode) {
    const sb_mode_shape *shapes = model->shapes;
    for (int apart = 0; apart < model->mode_count; apart++) {
        for (int side = -1; side <= 1; side += 2) {
            int k = mode + side * apart;
            if (k < 0 || k >= model->mode_count) continue;
            if (shapes[k].kind == 0 && shapes[k].m == shapes[mode].m) return k;
        }
    }
    return -1;
}

/* The waves of the outward motion, 2 pi over their length; INFINITY if there is
 * none. */
static double waves_of(const cut *own, const double (*motion)[2], int around) {
    double change = 0, square = 0, swing = 0, widest = 0;
    for (int i = 0; i + 1 < own->count; i++) {
        const double *a = own->points[i], *b = own->points[i + 1];
        double r = (a[0] + b[0]) / 2, length = hypot(b[0] - a[0], b[1] - a[1]);
        double n[2] = {(b[1] - a[1]) / length, (a[0] - b[0]) / length};
        double from = motion[i][0] * n[0] + motion[i][1] * n[1];
        double to = motion[i + 1][0] * n[0] + motion[i + 1][1] * n[1];
        change += r * (to - from) * (to - from) / length;
        square += r * length * (from * from + to * to) / 2;
        swing += around * around / r * length * (from * from + to * to) / 2;
        widest = fmax(widest, r);
    }
    return square > 0 && widest > 0 ? sqrt((change + swing) / square)
                                    : INFINITY;
}

static void choose(const sb_radiation_def *def, cut *own, int elements,
                   const bool *is_heard) {
    double edge = own->outline.length_m / elements;
    for (int k = 0; k < def->mode_count; k++) {
        double air = SB_TAU * def->freqs_hz[k] / SB_AIR_SPEED;
        if (is_heard[k] || !(air > 0) || air * edge > AIR) continue;
        int cosine = cosine_of(own->model, k);
        if (cosine < 0) continue;
        const double(*motion)[2] = (const double(*)[2])own->motions +
                                   (size_t)cosine * (size_t)own->count;
        const sb_mode_shape *shape = &own->model->shapes[k];
        if (!(waves_of(own, motion, shape->n) * edge < BEND)) continue;
        own->numbers[own->mode_count] = k;
        own->modes[own->mode_count++] = (sb_bem_turned_mode){
            def->freqs_hz[k], shape->n, shape->kind != 0, motion};
    }
}

static sb_status hear_chosen(const cut *own, bool *is_heard, sb_exact_take take,
                             void *context, sb_error *err) {
    const sb_bem_turned_def def = {.profile = {own->count,
                                               (const double(*)[2])own->points,
                                               own->outline.is_ring},
                                   .mode_count = own->mode_count,
                                   .modes = own->modes};
    sb_bem_result result;
    sb_status status = sb_bem_turned_solve(&def, &result, err);
    for (int i = 0; !status && i < own->mode_count; i++) {
        is_heard[own->numbers[i]] = true;
        take(context, own->numbers[i], &result.patterns[i]);
    }
    sb_bem_result_free(&result);
    /* A profile that this cannot take is heard by triangles. */
    return status == SB_BAD_ARGUMENT ? SB_OK : status;
}

sb_status sb_exact_turned(const sb_radiation_def *def, bool *is_heard,
                          sb_exact_take take, void *context, sb_error *err) {
    sb_turned_def wall;
    const sb_model *model = def->turned;
    sb_shape_family_of(&model->shape)->turned(&model->shape, &wall);
    sb_status status = SB_OK;
    for (int i = 0; !status && i < LEVELS; i++) {
        cut own = {.model = model,
                   .outline =
                       sb_outline_of(wall.points, wall.count, wall.second)};
        if (!cut_up(&own, levels[i]) || !reserve(&own)) {
            status = sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                             def->mode_count);
        } else {
            sample(&own);
            choose(def, &own, levels[i], is_heard);
            if (own.mode_count)
                status = hear_chosen(&own, is_heard, take, context, err);
        }
        release(&own);
    }
    return status;
}
