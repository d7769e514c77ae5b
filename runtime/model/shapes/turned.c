/* SPDX-License-Identifier: MIT */
/* Tubes, cones and turned profiles (bells, bowls, glasses, woks): walls of
 * revolution about y. Their `turned` column gives the profile; the rest follows
 * from it (revolve/turned.h). A wall without borders sounds outward only, an
 * open one on both faces. Other bodies run into the middle of the wall, as into
 * a mesh. Thread: control, workers. */
#include "runtime/base/pi.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/revolve/outline.h"
#include "runtime/model/revolve/revolve.h"
#include "runtime/model/shapes/shapes.h"

#include <math.h>

/* Edges across a mesh collider. */
enum { COLLIDER_EDGES = 24 };

/* A profile that turns by more than this runs back along itself. */
#define TURN_MOST 3.0

/* Points closer than this part of the length are one. */
#define TINY 1e-9

/* The profile of such a shape as a curve; `def` holds its points. */
static sb_outline turned_outline(const sb_shape *shape, sb_turned_def *def) {
    sb_shape_family_of(shape)->turned(shape, def);
    return sb_outline_of(def->points, def->count, def->second);
}

static sb_status build(sb_model *model, sb_error *err) {
    sb_turned_def def;
    sb_shape_family_of(&model->shape)->turned(&model->shape, &def);
    return sb_turned_build(model, &def, err);
}

static const sb_model_ops turned_ops = {
    .method = "shell of revolution",
    .peaks_u = 97,
    .peaks_v = 97,
    .build = build,
    .weights = sb_turned_weights,
    .position = sb_turned_position,
    .nearest = sb_turned_nearest,
    .normal = sb_turned_normal,
    .free_extra = sb_turned_free,
};

/* --- checks --------------------------------------------------------------- */

/* The inner face must not lie beyond the axis, except at a tip. */
static sb_status check_wall(const sb_shape *shape, const sb_outline *outline,
                            int i, sb_error *err) {
    const sb_profile_point *p = &outline->points[i];
    int last = outline->count - 1;
    bool is_tip = (i <= 1 && outline->starts_on_axis) ||
                  (i >= last - 1 && outline->ends_on_axis);
    if (is_tip) return SB_OK;
    double rise = 0; /* the steepest neighbour */
    for (int k = i > 0 ? i - 1 : 0; k <= i && k < last; k++) {
        const sb_profile_point *a = &outline->points[k], *b = a + 1;
        rise = fmax(rise, fabs(b->y - a->y) / hypot(b->r - a->r, b->y - a->y));
    }
    if (p->t * rise <= 2 * p->r * (1 + 1e-6)) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: a wall of %g m is thicker than the body: at (%g, %g) "
                   "its middle is only %g m from the axis, so it may be %g m "
                   "thick",
                   sb_shape_kind_name(shape->kind), p->t, p->r, p->y, p->r,
                   2 * p->r);
}

static sb_status check_steps(const sb_shape *shape, const sb_outline *outline,
                             sb_error *err) {
    const sb_profile_point *p = outline->points;
    const char *kind = sb_shape_kind_name(shape->kind);
    for (int i = 0; i + 1 < outline->count; i++) {
        double step = hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
        if (!(step > TINY * outline->length_m)) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: points %d and %d of its profile are the same",
                           kind, i + 1, i + 2);
        }
        bool is_inner = i > 0;
        if (is_inner && p[i].r <= TINY * outline->length_m) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: only the first and the last point of a profile "
                           "may lie on the axis, and point %d does",
                           kind, i + 1);
        }
        if (is_inner && sb_outline_turn(outline, i) > TURN_MOST) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: its profile runs back along itself at point "
                           "%d, (%g, %g)",
                           kind, i + 1, p[i].r, p[i].y);
        }
    }
    if (outline->count == 2 && outline->starts_on_axis &&
        outline->ends_on_axis) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: its profile is the axis",
                       kind);
    }
    return SB_OK;
}

/* A wall that is thicker than its body is wide, points that coincide, a profile
 * that turns back: BAD_ARGUMENT naming the point. */
static sb_status turned_check(const sb_shape *shape, sb_error *err) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    sb_status status = check_steps(shape, &outline, err);
    for (int i = 0; !status && i < outline.count; i++)
        status = check_wall(shape, &outline, i, err);
    if (status) return status;
    double widest = 0, thickest = 0;
    for (int i = 0; i < outline.count; i++) {
        widest = fmax(widest, outline.points[i].r);
        thickest = fmax(thickest, outline.points[i].t);
    }
    double most = 0.5 * outline.length_m;
    if (thickest > most) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: a wall of %g m is too thick for a profile of %g m: "
                       "at most half its length",
                       sb_shape_kind_name(shape->kind), thickest,
                       outline.length_m);
    }
    return SB_OK;
}

/* --- meshes --------------------------------------------------------------- */

static sb_status turned_surface(const sb_shape *shape, int resolution,
                                sb_mesh *out, sb_error *err) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    return sb_grid_turned(&outline, resolution, out, err);
}

static sb_status turned_collider_mesh(const sb_shape *shape, sb_mesh *out,
                                      sb_error *err) {
    return turned_surface(shape, COLLIDER_EDGES, out, err);
}

static sb_collider turned_collider(const sb_shape *shape) {
    (void)shape;
    return (sb_collider){.kind = SB_COLLIDER_MESH, .is_smooth = true};
}

static sb_hold turned_hold(const sb_shape *shape, sb_vec3 at) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    double r = hypot(at.x, at.z), near = 1e-6 * outline.length_m;
    double v = sb_outline_nearest(&outline, r, at.y);
    const sb_profile_point *p = outline.points;
    double first = 0;
    for (int i = 0; outline.starts_on_axis && i < outline.second; i++)
        first += hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
    sb_rim rim = SB_RIM_FREE;
    if (v * outline.length_m <= first + near) rim = def.first;
    if (rim == SB_RIM_FREE && (1 - v) * outline.length_m <= near)
        rim = def.last;
    if (rim == SB_RIM_FREE) return SB_HOLD_FREE;
    return rim == SB_RIM_CLAMPED ? SB_HOLD_CLAMPED : SB_HOLD_PINNED;
}

/* --- strikes -------------------------------------------------------------- */

/* How far from a rim it is struck, as a part of the profile. */
#define RIM_SHARE 0.08

static double widest_at(const sb_outline *outline) {
    double widest = -1, at = 0, found = 0;
    const sb_profile_point *p = outline->points;
    for (int i = 0; i < outline->count; i++) {
        if (i > 0) at += hypot(p[i].r - p[i - 1].r, p[i].y - p[i - 1].y);
        if (p[i].r > widest) found = at;
        widest = fmax(widest, p[i].r);
    }
    return found / outline->length_m;
}

/* Near the wider of its free rims, where its lowest modes move most; where it
 * is widest if it has none. */
static sb_vec3 turned_usual(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    const sb_profile_point *p = outline.points;
    double first = 0, last = 0, v = widest_at(&outline);
    if (def.first == SB_RIM_FREE && !outline.is_ring) first = p[0].r;
    if (def.last == SB_RIM_FREE && !outline.is_ring)
        last = p[outline.count - 1].r;
    if (outline.starts_on_axis) first = 0;
    if (outline.ends_on_axis) last = 0;
    if (fmax(first, last) > 0) v = first > last ? RIM_SHARE : 1 - RIM_SHARE;
    sb_outline_place at = sb_outline_at(&outline, v);
    return (sb_vec3){at.r + 0.5 * at.t * at.normal[0],
                     at.y + 0.5 * at.t * at.normal[1], 0};
}

/* --- pictures, mass ------------------------------------------------------- */

static double turned_aspect(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    sb_outline_mass mass = sb_outline_weigh(&outline);
    /* As long as the profile, as wide as the mean ring. */
    double around = 0.5 * mass.area_m2 / outline.length_m;
    return fmin(fmax(outline.length_m / around, 0.1), 10);
}

static bool turned_is_closed(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    return sb_outline_is_closed(&outline);
}

static sb_shape_mass turned_mass(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    sb_outline_mass wall = sb_outline_weigh(&outline);
    return (sb_shape_mass){
        .volume_m3 = wall.volume_m3,
        .centre_m = {0, wall.centre_m, 0},
        .inertia_m5 = {wall.across_m5, wall.axial_m5, wall.across_m5}};
}

static void turned_set_mass(sb_model *model) {
    sb_turned_def def;
    sb_outline outline = turned_outline(&model->shape, &def);
    sb_turned_set_mass(model, &outline);
}

static void turned_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                           float uvs[3][2]) {
    sb_turned_def def;
    sb_outline outline = turned_outline(shape, &def);
    for (int c = 0; c < 3; c++) {
        double r = hypot(at[c].x, at[c].z);
        uvs[c][0] = (float)(atan2(at[c].z, at[c].x) / SB_TAU);
        uvs[c][1] = (float)sb_outline_nearest(&outline, r, at[c].y);
    }
    sb_face_uv_unwind(uvs, 1);
}

#define TURNED_COLUMNS                                                      \
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_ANALYTIC) |        \
               SB_BIT(SB_METHOD_SHELL),                                     \
    .method_words = "analytic or shell; it is a thin wall",                 \
    .ops = &turned_ops, .is_rescalable = true, .set_mass = turned_set_mass, \
    .surface = turned_surface, .hold = turned_hold, .layout = SB_UV_TURNED, \
    .aspect = turned_aspect, .face_uv = turned_face_uv,                     \
    .collider = turned_collider, .collider_mesh = turned_collider_mesh,     \
    .mass = turned_mass, .is_closed = turned_is_closed

/* --- tubes ---------------------------------------------------------------- */

static void tube_turned(const sb_shape *tube, sb_turned_def *out) {
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

static sb_status tube_check(const sb_shape *tube, sb_error *err) {
    sb_status status = sb_shape_not_above(tube, "thickness", tube->thickness,
                                          "twice its radius: the wall would be "
                                          "thicker than the body",
                                          2 * tube->radius, err);
    return status ? status : turned_check(tube, err);
}

/* The middle of its side. */
static sb_vec3 tube_usual(const sb_shape *tube) {
    return (sb_vec3){tube->radius + 0.5 * tube->thickness, 0, 0};
}

static const char *const tube_support_names[] = {
    "free", "clamped", "clamped-free", "pinned", "simply-supported", NULL};
static const int tube_supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED,
                                    SB_SUPPORT_CLAMPED_FREE, SB_SUPPORT_PINNED,
                                    SB_SUPPORT_PINNED};

const sb_field sb_tube_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(length, "along its axis, y"),
    SB_SHAPE_LENGTH_NEEDED(radius, "from the axis to the middle of the wall"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "of the wall"),
    SB_SHAPE_CHOICE(support, tube_support_names, tube_supports,
                    "of its ends; clamped-free holds the lower one, pinned "
                    "keeps both round; default free"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_tube = {
    .fields = sb_tube_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED) |
                SB_BIT(SB_SUPPORT_CLAMPED_FREE) | SB_BIT(SB_SUPPORT_PINNED),
    .support_words = "free, clamped, clamped-free or pinned",
    .check = tube_check,
    .turned = tube_turned,
    .usual = tube_usual,
    TURNED_COLUMNS,
};

/* --- cones ---------------------------------------------------------------- */

static void cone_turned(const sb_shape *cone, sb_turned_def *out) {
    double half = 0.5 * cone->height;
    *out = (sb_turned_def){.points = out->two, .count = 2, .second = 1};
    out->two[0] = (sb_profile_point){cone->radius, -half, cone->thickness};
    out->two[1] = (sb_profile_point){cone->top_radius, half, cone->thickness};
    if (cone->support == SB_SUPPORT_CLAMPED_FREE) out->first = SB_RIM_CLAMPED;
}

static sb_status cone_check(const sb_shape *cone, sb_error *err) {
    sb_status status = sb_shape_not_above(cone, "thickness", cone->thickness,
                                          "twice its radius: the wall would be "
                                          "thicker than the body",
                                          2 * cone->radius, err);
    return status ? status : turned_check(cone, err);
}

static const char *const cone_support_names[] = {"free", "clamped",
                                                 "clamped-free", NULL};
static const int cone_supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED_FREE,
                                    SB_SUPPORT_CLAMPED_FREE};

const sb_field sb_cone_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(radius, "of its base, to the middle of the wall"),
    SB_SHAPE_LENGTH(top_radius, "where it is cut off; default 0, a point"),
    SB_SHAPE_LENGTH_NEEDED(height, "along its axis, y"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "of the wall"),
    SB_SHAPE_CHOICE(support, cone_support_names, cone_supports,
                    "clamped holds its base; default free"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_cone = {
    .fields = sb_cone_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED_FREE),
    .support_words = "free or clamped",
    .check = cone_check,
    .turned = cone_turned,
    .usual = turned_usual,
    TURNED_COLUMNS,
};

/* --- any profile ---------------------------------------------------------- */

/* What a length may be, m. */
#define LEAST_M 1e-5
#define MOST_M  100.0

static void revolve_turned(const sb_shape *shape, sb_turned_def *out) {
    *out = (sb_turned_def){.points = sb_profile_points(shape->profile),
                           .count = sb_profile_count(shape->profile),
                           .second = sb_profile_second(shape->profile)};
    if (shape->support == SB_SUPPORT_CLAMPED_FREE) out->first = SB_RIM_CLAMPED;
}

static sb_status revolve_check_point(const sb_profile_point *p, int number,
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
static sb_status revolve_check_even(const sb_shape *shape, sb_error *err) {
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

static sb_status revolve_check(const sb_shape *shape, sb_error *err) {
    int count = shape->profile ? sb_profile_count(shape->profile) : 0;
    if (count < 2) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "revolve: a profile has at least 2 points { r, y }, "
                       "got %d",
                       count);
    }
    sb_status status = SB_OK;
    for (int i = 0; !status && i < count; i++)
        status = revolve_check_point(&sb_profile_points(shape->profile)[i],
                                     i + 1, err);
    if (!status) status = revolve_check_even(shape, err);
    return status ? status : turned_check(shape, err);
}

static const char *const revolve_support_names[] = {"free", "clamped",
                                                    "clamped-free", NULL};
static const int revolve_supports[] = {SB_SUPPORT_FREE, SB_SUPPORT_CLAMPED_FREE,
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
    SB_SHAPE_CHOICE(support, revolve_support_names, revolve_supports,
                    "clamped holds the first ring, or, if the profile begins "
                    "on the axis, all up to its second point; default free"),
    SB_SHAPE_METHOD,
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_revolve = {
    .fields = sb_revolve_fields,
    .supports = SB_BIT(SB_SUPPORT_FREE) | SB_BIT(SB_SUPPORT_CLAMPED_FREE),
    .support_words = "free or clamped",
    .check = revolve_check,
    .turned = revolve_turned,
    .usual = turned_usual,
    TURNED_COLUMNS,
};
