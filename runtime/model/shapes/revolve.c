/* A profile turned about y: bells, bowls, glasses, woks. A shell of revolution
 * (revolve/turned.h). Thread: control, workers. */
#include "runtime/model/shapes/turned.h"

#include <math.h>

/* What a length may be, m. */
#define LEAST_M 1e-5
#define MOST_M  100.0

static void turned(const sb_shape *shape, sb_turned_def *out) {
    *out = (sb_turned_def){.points = sb_profile_points(shape->profile),
                           .count = sb_profile_count(shape->profile),
                           .second = sb_profile_second(shape->profile)};
    if (shape->support == SB_SUPPORT_CLAMPED_FREE) out->first = SB_RIM_CLAMPED;
}

static sb_status check_point(const sb_profile_point *p, int number,
                             sb_error *err) {
    const struct {
        const char *name;
        double value, least, most;
    } rows[] = {{"r", p->r, 0, MOST_M},
                {"y", p->y, -MOST_M, MOST_M},
                {"t", p->t, LEAST_M, MOST_M}};
    for (int i = 0; i < 3; i++) {
        if (rows[i].value >= rows[i].least && rows[i].value <= rows[i].most)
            continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "revolve: profile, point %d: %s must be %g to %g m, "
                       "got %g",
                       number, rows[i].name, rows[i].least, rows[i].most,
                       rows[i].value);
    }
    return SB_OK;
}

/* The shell method has one thickness. */
static sb_status check_even(const sb_shape *shape, sb_error *err) {
    const sb_profile_point *p = sb_profile_points(shape->profile);
    int count = sb_profile_count(shape->profile);
    if (shape->method != SB_METHOD_SHELL) return SB_OK;
    for (int i = 0; i < count; i++) {
        if (fabs(p[i].t - shape->thickness) <= 1e-9 * p[i].t) continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "revolve: method = \"shell\" needs a wall of one "
                       "thickness; point %d has %g m, thickness is %g m",
                       i + 1, p[i].t, shape->thickness);
    }
    return SB_OK;
}

static sb_status check(const sb_shape *shape, sb_error *err) {
    int count = shape->profile ? sb_profile_count(shape->profile) : 0;
    if (count < 2) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "revolve: a profile has at least 2 points { r, y }, "
                       "got %d",
                       count);
    }
    sb_status status = SB_OK;
    for (int i = 0; !status && i < count; i++)
        status = check_point(&sb_profile_points(shape->profile)[i], i + 1, err);
    if (!status) status = check_even(shape, err);
    return status ? status : sb_turned_check(shape, err);
}

static const char *const support_names[] = {"free", "clamped", "clamped-free",
                                            NULL};
static const int supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED_FREE,
                               SB_SUPPORT_CLAMPED_FREE};

const sb_field sb_revolve_fields[] = {
    {.name = "profile",
     .kind = SB_FIELD_OTHER,
     .is_needed = true,
     .unit = "",
     .type = "number[][]",
     .help = "points { r, y } or { r, y, t } (m) in the middle of the wall, "
             "r from the axis, t the thickness there"},
    {.name = "join",
     .kind = SB_FIELD_OTHER,
     .unit = "",
     .type = "\"curve\"|\"lines\"",
     .help = "how points are joined; default curve: an arc from point to "
             "point, with a fold where the profile turns by more than 40 "
             "degrees; lines: straight"},
    SB_SHAPE_LENGTH(thickness, "of the wall, for points that give none"),
    SB_SHAPE_CHOICE(support, support_names, supports,
                    "clamped holds the first ring, or, if the profile begins "
                    "on the axis, all up to its second point; default free"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_revolve = {
    .fields = sb_revolve_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED_FREE),
    .support_words = "free or clamped",
    .check = check,
    .turned = turned,
    .usual = sb_turned_usual,
    SB_TURNED_COLUMNS,
};
