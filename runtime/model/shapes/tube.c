/* A round tube, its axis y: a shell of revolution (revolve/turned.h). Thread:
 * control, workers. */
#include "runtime/model/shapes/turned.h"

#include <math.h>

static void turned(const sb_shape *tube, sb_turned_def *out) {
    bool is_both = tube->support == SB_SUPPORT_CLAMPED;
    double half = 0.5 * tube->length;
    *out = (sb_turned_def){.points = out->two, .count = 2, .second = 1};
    out->two[0] = (sb_profile_point){tube->radius, -half, tube->thickness};
    out->two[1] = (sb_profile_point){tube->radius, half, tube->thickness};
    if (is_both || tube->support == SB_SUPPORT_CLAMPED_FREE)
        out->first = SB_RIM_CLAMPED;
    if (is_both) out->last = SB_RIM_CLAMPED;
    if (tube->support == SB_SUPPORT_PINNED)
        out->first = out->last = SB_RIM_PINNED;
}

static sb_status check(const sb_shape *tube, sb_error *err) {
    sb_status status = sb_shape_not_above(tube, "thickness", tube->thickness,
                                          "twice its radius: the wall would be "
                                          "thicker than the body",
                                          2 * tube->radius, err);
    return status ? status : sb_turned_check(tube, err);
}

/* The middle of its side. */
static sb_vec3 usual(const sb_shape *tube) {
    return (sb_vec3){tube->radius + 0.5 * tube->thickness, 0, 0};
}

static const char *const support_names[] = {
    "free", "clamped", "clamped-free", "pinned", "simply-supported", NULL};
static const int supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                               SB_SUPPORT_CLAMPED_FREE, SB_SUPPORT_PINNED,
                               SB_SUPPORT_PINNED};

const sb_field sb_tube_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(length, "along its axis, y"),
    SB_SHAPE_LENGTH_NEEDED(radius, "from the axis to the middle of the wall"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "of the wall"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "of its ends; clamped-free holds the lower one, pinned "
                    "keeps both round; default free"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_tube = {
    .fields = sb_tube_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED) |
                SB_BIT(SB_SUPPORT_CLAMPED_FREE) | SB_BIT(SB_SUPPORT_PINNED),
    .support_words = "free, clamped, clamped-free or pinned",
    .check = check,
    .turned = turned,
    .usual = usual,
    SB_TURNED_COLUMNS,
};
