/* The wall of a cone or of a part of one, its axis y: a shell of revolution
 * (revolve/turned.h). Thread: control, workers. */
#include "runtime/model/shapes/turned.h"

#include <math.h>

static void turned(const sb_shape *cone, sb_turned_def *out) {
    double half = 0.5 * cone->height;
    *out = (sb_turned_def){.points = out->two, .count = 2, .second = 1};
    out->two[0] = (sb_profile_point){cone->radius, -half, cone->thickness};
    out->two[1] = (sb_profile_point){cone->top_radius, half, cone->thickness};
    if (cone->support == SB_SUPPORT_CLAMPED_FREE) out->first = SB_RIM_CLAMPED;
}

static sb_status check(const sb_shape *cone, sb_error *err) {
    sb_status status = sb_shape_not_above(cone, "thickness", cone->thickness,
                                          "twice its radius: the wall would be "
                                          "thicker than the body",
                                          2 * cone->radius, err);
    return status ? status : sb_turned_check(cone, err);
}

static const char *const support_names[] = {"free", "clamped", "clamped-free",
                                            NULL};
static const int supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED_FREE,
                               SB_SUPPORT_CLAMPED_FREE};

const sb_field sb_cone_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "of its base, to the middle of the wall"),
    SB_SHAPE_LENGTH(top_radius, "where it is cut off; default 0, a point"),
    SB_SHAPE_LENGTH_NEEDED(height, "along its axis, y"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "of the wall"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "clamped holds its base; default free"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_cone = {
    .fields = sb_cone_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED_FREE),
    .support_words = "free or clamped",
    .check = check,
    .turned = turned,
    .usual = sb_turned_usual,
    SB_TURNED_COLUMNS,
};
