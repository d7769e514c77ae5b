/* SPDX-License-Identifier: MIT */
#include "runtime/model/shape.h"

#include "runtime/model/mesh_source.h"

#include <math.h>
#include <stdio.h>

/* Sizes outside are probably not in metres. */
#define SMALL_M 1e-3
#define LARGE_M 5.0

static const char *const kind_names[SB_SHAPE_KIND_COUNT] = {
#define SHAPE(kind, name, def, argument, fields, help) \
    [SB_SHAPE_##kind] = #name,
#include "runtime/model/shapes.def"
};

static const char *const support_names[SB_SUPPORT_COUNT] = {
    [SB_SUPPORT_FREE] = "free",
    [SB_SUPPORT_CLAMPED] = "clamped",
    [SB_SUPPORT_CLAMPED_FREE] = "clamped-free",
    [SB_SUPPORT_CLAMPED_PINNED] = "clamped-pinned",
    [SB_SUPPORT_PINNED] = "pinned",
};

const char *sb_shape_kind_name(sb_shape_kind kind) {
    return kind < SB_SHAPE_KIND_COUNT ? kind_names[kind] : "unknown";
}

const char *sb_support_name(sb_support support) {
    return support < SB_SUPPORT_COUNT ? support_names[support] : "unknown";
}

void sb_shape_retain(const sb_shape *shape) {
    if (shape->mesh) (void)sb_mesh_source_retain(shape->mesh);
    if (shape->profile) (void)sb_profile_retain(shape->profile);
}

void sb_shape_release(const sb_shape *shape) {
    sb_mesh_source_release(shape->mesh);
    sb_profile_release(shape->profile);
}

void sb_shape_sizes(const sb_shape *shape, double sizes[SB_SHAPE_SIZE_COUNT]) {
#define SIZE(field) sizes[SB_SHAPE_SIZE_OF_##field] = shape->field;
#include "runtime/model/shapes.def"
}

double sb_shape_largest_m(const sb_shape *shape) {
    double sizes[SB_SHAPE_SIZE_COUNT], largest = 0;
    if (shape->mesh) return 0;
    sb_shape_sizes(shape, sizes);
    sizes[SB_SHAPE_SIZE_OF_radius] *= 2;
    sizes[SB_SHAPE_SIZE_OF_wire_radius] *= 2;
    sizes[SB_SHAPE_SIZE_OF_top_radius] *= 2;
    for (int i = 0; i < SB_SHAPE_SIZE_COUNT; i++)
        largest = fmax(largest, sizes[i]);
    if (!shape->profile) return largest;
    const sb_profile_point *p = sb_profile_points(shape->profile);
    for (int i = 0; i < sb_profile_count(shape->profile); i++)
        largest = fmax(largest, fmax(2 * p[i].r, fabs(p[i].y - p[0].y)));
    return largest;
}

bool sb_shape_size_remark(const sb_shape *shape, char *text, size_t size) {
    double largest = sb_shape_largest_m(shape);
    if (largest == 0 || (largest >= SMALL_M && largest <= LARGE_M))
        return false;
    (void)snprintf(text, size,
                   "it is %.3g m long; lengths are in metres (millimetres?)",
                   largest);
    return true;
}

double sb_shape_merge(const sb_shape *shape, bool is_computed) {
    if (shape->keeps_beats) return 0;
    if (shape->merge > 0) return shape->merge;
    return is_computed ? 1 : 0;
}

double sb_shape_max_hz(const sb_shape *shape) {
    return shape->max_hz > 0 ? shape->max_hz : SB_SHAPE_MAX_HZ;
}

static bool has_same_hand_modes(const sb_shape *a, const sb_shape *b) {
    if (a->mode_count != b->mode_count || !a->modes != !b->modes) return false;
    for (int k = 0; a->modes && k < a->mode_count; k++) {
        const sb_hand_mode *m = &a->modes[k], *n = &b->modes[k];
        if (m->freq_hz != n->freq_hz || m->t60_s != n->t60_s ||
            m->gain != n->gain) {
            return false;
        }
    }
    return true;
}

static bool has_same_profile(const sb_shape *a, const sb_shape *b) {
    if (!a->profile || !b->profile) return a->profile == b->profile;
    return sb_profile_ratio(a->profile, b->profile) == 1;
}

bool sb_shape_is_same_form(const sb_shape *a, const sb_shape *b) {
#define SIZE(field)   a->field == b->field &&
#define NUMBER(field) a->field == b->field &&
    bool has_same_numbers =
#include "runtime/model/shapes.def"
        true;
    return has_same_numbers && a->kind == b->kind && a->support == b->support &&
           a->theory == b->theory && has_same_hand_modes(a, b) &&
           has_same_profile(a, b);
}
