/* What tubes, cones and turned profiles share (turned.h). Thread: control,
 * workers. */
#include "runtime/model/shapes/turned.h"

#include "runtime/base/pi.h"
#include "runtime/model/grid/grid_turned.h"
#include "runtime/model/revolve/turned_modes.h"
#include "runtime/model/shapes/face_uv.h"

#include <math.h>

/* Edges across a mesh collider. */
enum { COLLIDER_EDGES = 24 };

/* A profile that turns by more than this runs back along itself. */
#define TURN_MOST 3.0

/* Points closer than this part of the length are one. */
#define TINY 1e-9

sb_outline sb_turned_outline(const sb_shape *shape, sb_turned_def *def) {
    sb_shape_family_of(shape)->turned(shape, def);
    return sb_outline_of(def->points, def->count, def->second);
}

static sb_status build(sb_model *model, sb_error *err) {
    sb_turned_def def;
    sb_shape_family_of(&model->shape)->turned(&model->shape, &def);
    return sb_turned_build(model, &def, err);
}

const sb_model_ops sb_turned_ops = {
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

sb_status sb_turned_check(const sb_shape *shape, sb_error *err) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
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

sb_status sb_turned_surface(const sb_shape *shape, int resolution, sb_mesh *out,
                            sb_error *err) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
    return sb_grid_turned(&outline, resolution, out, err);
}

sb_status sb_turned_collider_mesh(const sb_shape *shape, sb_mesh *out,
                                  sb_error *err) {
    return sb_turned_surface(shape, COLLIDER_EDGES, out, err);
}

sb_collider sb_turned_collider(const sb_shape *shape) {
    (void)shape;
    return (sb_collider){.kind = SB_COLLIDER_MESH, .is_smooth = true};
}

sb_hold sb_turned_hold(const sb_shape *shape, sb_vec3 at) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
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

sb_vec3 sb_turned_usual(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
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

double sb_turned_aspect(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
    sb_outline_mass mass = sb_outline_weigh(&outline);
    /* As long as the profile, as wide as the mean ring. */
    double around = 0.5 * mass.area_m2 / outline.length_m;
    return fmin(fmax(outline.length_m / around, 0.1), 10);
}

bool sb_turned_is_closed(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
    return sb_outline_is_closed(&outline);
}

sb_shape_mass sb_turned_mass(const sb_shape *shape) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
    sb_outline_mass wall = sb_outline_weigh(&outline);
    return (sb_shape_mass){
        .volume_m3 = wall.volume_m3,
        .centre_m = {0, wall.centre_m, 0},
        .inertia_m5 = {wall.across_m5, wall.axial_m5, wall.across_m5}};
}

void sb_turned_set_mass(sb_model *model) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(&model->shape, &def);
    sb_turned_set_properties(model, &outline);
}

void sb_turned_face_uv(const sb_shape *shape, const sb_vec3 at[3],
                       float uvs[3][2]) {
    sb_turned_def def;
    sb_outline outline = sb_turned_outline(shape, &def);
    for (int c = 0; c < 3; c++) {
        double r = hypot(at[c].x, at[c].z);
        uvs[c][0] = (float)(atan2(at[c].z, at[c].x) / SB_TAU);
        uvs[c][1] = (float)sb_outline_nearest(&outline, r, at[c].y);
    }
    sb_face_uv_unwind(uvs, 1);
}
