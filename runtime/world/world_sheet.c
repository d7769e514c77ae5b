/* SPDX-License-Identifier: MIT */
/* A ball on the triangles of a mesh: an open one is a sheet with two sides and
 * a thickness, a closed one the surface of its volume. Runs on the control
 * thread.
 *
 * Of the triangles in reach each gives its nearest point. One that does not rise
 * above the plane of a nearer one is part of the same surface and is dropped, so
 * that inner edges of a flat or convex surface are not felt.
 *
 * A smooth mesh stands for the curved surface through its vertices: the normal
 * is interpolated between those of the vertices, and the point is lifted by
 * half of
 *
 *     sum over corners i of  b_i ((v_i - q) . n_i) n_i
 *
 * with b the barycentric coordinates of q. On a circle this lift is exactly
 * its sagitta, and its slope that of the interpolated normal: a ball that
 * slides along does not feel the edges.
 *
 * The place of the ball's centre in the last substep tells on which side of an
 * open sheet it is: whoever crosses the sheet is sent back.
 */
#include "runtime/base/memory.h"
#include "runtime/model/fill/triangle_tree.h"
#include "runtime/world/world_internal.h"

#include <math.h>

enum { STACK_DEPTH = 128, MOST_NEAR = 48 };

/* A point must rise by this share of the ball's radius above the plane of a
 * nearer one to be another contact. */
static const double RISE_SHARE = 1e-3;

struct sb_sheet {
    /* A copy with the solid's arrays: solids move when the world grows. */
    sb_solid_faces of_solid;
    const sb_solid_faces *faces;
    sb_triangle_tree tree;
    sb_vec3 *normals; /* of vertices; NULL: not smooth */
    double half_m;    /* half the thickness of an open sheet */
};

/* --- making --------------------------------------------------------------- */

static sb_vec3 normal_of(const sb_solid_faces *f, int face) {
    const int *c = f->corners[face];
    sb_vec3 a = f->points[c[0]];
    return sb_vec3_span(a, f->points[c[1]], f->points[c[2]]);
}

/* The normals of the faces round each vertex, weighted so that the normals of a
 * sphere are exact: by the sine of the angle over the lengths of its two sides.
 * Source: Max, J. Graphics Tools 4 (1999). */
static void set_normals(sb_sheet *sheet) {
    const sb_solid_faces *f = sheet->faces;
    for (int i = 0; i < f->face_count; i++) {
        sb_vec3 n = normal_of(f, i);
        for (int k = 0; k < 3; k++) {
            int at = f->corners[i][k];
            sb_vec3 p = f->points[at];
            sb_vec3 u = sb_vec3_sub(f->points[f->corners[i][(k + 1) % 3]], p);
            sb_vec3 v = sb_vec3_sub(f->points[f->corners[i][(k + 2) % 3]], p);
            double sides = sb_vec3_dot(u, u) * sb_vec3_dot(v, v);
            if (sides > 0.0)
                sheet->normals[at] =
                    sb_vec3_plus(sheet->normals[at], n, 1.0 / sides);
        }
    }
    for (int i = 0; i < f->point_count; i++)
        sheet->normals[i] = sb_vec3_normalised(sheet->normals[i]);
}

sb_status sb_sheet_make(const sb_solid_faces *faces, bool is_smooth,
                        double thick_m, sb_sheet **out, sb_error *err) {
    sb_sheet *sheet = sb_alloc(1, sizeof *sheet);
    if (!sheet) return sb_no_memory_for(err, "a collider");
    sheet->of_solid = *faces;
    sheet->faces = &sheet->of_solid;
    sheet->half_m = faces->is_sheet ? 0.5 * thick_m : 0.0;
    sb_status status =
        sb_triangle_tree_build(faces->points, (const int(*)[3])faces->corners,
                               faces->face_count, &sheet->tree, err);
    if (status == SB_OK && is_smooth) {
        sheet->normals =
            sb_alloc((size_t)faces->point_count, sizeof *sheet->normals);
        if (!sheet->normals)
            status = sb_no_memory_for(err, "a collider");
        else
            set_normals(sheet);
    }
    if (status != SB_OK) {
        sb_sheet_free(sheet);
        return status;
    }
    *out = sheet;
    return SB_OK;
}

void sb_sheet_free(sb_sheet *sheet) {
    if (!sheet) return;
    sb_triangle_tree_free(&sheet->tree);
    sb_free(sheet->normals);
    sb_free(sheet);
}

/* --- triangles in reach --------------------------------------------------- */

/* The nearest point q of a face, seen from the ball's centre. */
typedef struct nearness {
    int face;
    sb_vec3 q, normal; /* normal towards the centre */
    double far;        /* signed along the normal */
} nearness;

static double box_distance(const sb_tree_node *node, sb_vec3 p) {
    double x = fmax(fmax(node->low.x - p.x, p.x - node->high.x), 0.0);
    double y = fmax(fmax(node->low.y - p.y, p.y - node->high.y), 0.0);
    double z = fmax(fmax(node->low.z - p.z, p.z - node->high.z), 0.0);
    return sqrt(x * x + y * y + z * z);
}

static nearness near_face(const sb_sheet *sheet, int face, sb_vec3 p) {
    const sb_solid_faces *f = sheet->faces;
    const int *c = f->corners[face];
    sb_vec3 q = sb_triangle_nearest(f->points[c[0]], f->points[c[1]],
                                    f->points[c[2]], p);
    sb_vec3 to = sb_vec3_sub(p, q), out = normal_of(f, face);
    double far = sb_vec3_length(to);
    /* The inner side of a closed surface is below it. */
    double side = f->is_sheet || sb_vec3_dot(to, out) >= 0.0 ? 1.0 : -1.0;
    sb_vec3 n =
        far > 1e-9 ? sb_vec3_scale(to, side / far) : sb_vec3_normalised(out);
    return (nearness){face, q, n, side * far};
}

static void insert(nearness *list, int *count, const nearness *found) {
    if (*count == MOST_NEAR && found->far >= list[*count - 1].far) return;
    int k = *count < MOST_NEAR ? (*count)++ : *count - 1;
    for (; k > 0 &&
           (list[k - 1].far > found->far ||
            (list[k - 1].far == found->far && list[k - 1].face > found->face));
         k--)
        list[k] = list[k - 1];
    list[k] = *found;
}

/* Sorted by distance. */
static int gather(const sb_sheet *sheet, sb_vec3 p, double reach_m,
                  nearness *list) {
    const sb_triangle_tree *tree = &sheet->tree;
    int stack[STACK_DEPTH], depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const sb_tree_node *node = &tree->nodes[stack[--depth]];
        if (box_distance(node, p) > reach_m) continue;
        if (node->count == 0 && depth + 2 <= STACK_DEPTH) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
        for (int i = 0; i < node->count; i++) {
            nearness found = near_face(sheet, tree->order[node->first + i], p);
            if (fabs(found.far) <= reach_m) insert(list, &count, &found);
        }
    }
    return count;
}

/* The nearest face decides whether the centre is inside a volume. If so, the
 * ball leaves it through that face; if not, faces seen from behind do not
 * count. */
static int keep_one_side(nearness *list, int count) {
    int best = 0, kept = 0;
    for (int i = 1; i < count; i++)
        if (fabs(list[i].far) < fabs(list[best].far)) best = i;
    if (count > 0 && list[best].far < 0.0) {
        list[0] = list[best];
        return 1;
    }
    for (int i = 0; i < count; i++)
        if (list[i].far >= 0.0) list[kept++] = list[i];
    return kept;
}

static int drop_same_surface(nearness *list, int count, double rise_m) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool is_other = true;
        for (int k = 0; k < kept && is_other; k++) {
            sb_vec3 to = sb_vec3_sub(list[i].q, list[k].q);
            is_other = sb_vec3_dot(to, list[k].normal) > rise_m;
        }
        if (is_other) list[kept++] = list[i];
    }
    return kept;
}

/* --- smooth surfaces ------------------------------------------------------ */

/* A place on the curved surface over a face, given by a point of its plane. */
typedef struct curved {
    sb_vec3 at, normal;
    sb_vec3 aside; /* from it to the ball's centre, across the normal */
} curved;

/* False far beyond the face. */
static bool curve_at(const sb_sheet *sheet, int face, sb_vec3 q, sb_vec3 p,
                     curved *out) {
    const sb_solid_faces *f = sheet->faces;
    const int *c = f->corners[face];
    double share[3];
    if (!sb_triangle_shares(f->points[c[0]], f->points[c[1]], f->points[c[2]],
                            q, &share[1], &share[2]))
        return false;
    share[0] = 1.0 - share[1] - share[2];
    sb_vec3 n = {0, 0, 0}, lift = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        if (!(fabs(share[k] - 0.5) < 1.0)) return false;
        sb_vec3 m = sheet->normals[c[k]];
        double rise = sb_vec3_dot(sb_vec3_sub(f->points[c[k]], q), m);
        n = sb_vec3_plus(n, m, share[k]);
        lift = sb_vec3_plus(lift, m, 0.5 * share[k] * rise);
    }
    out->normal = sb_vec3_normalised(n);
    out->at = sb_vec3_add(q, lift);
    sb_vec3 to = sb_vec3_sub(p, out->at);
    out->aside = sb_vec3_plus(to, out->normal, -sb_vec3_dot(to, out->normal));
    return true;
}

/* The place whose normal goes through the ball's centre, by two secant steps
 * along the offset: the nearest point of a flat face is aside of it. */
static bool find_foot(const sb_sheet *sheet, sb_vec3 p, const nearness *near,
                      curved *out) {
    enum { STEPS = 2 };
    sb_vec3 flat = sb_vec3_normalised(normal_of(sheet->faces, near->face));
    sb_vec3 q = near->q;
    if (!curve_at(sheet, near->face, q, p, out)) return false;
    for (int n = 0; n < STEPS; n++) {
        curved next;
        sb_vec3 e = out->aside;
        sb_vec3 step = sb_vec3_plus(e, flat, -sb_vec3_dot(e, flat));
        if (!curve_at(sheet, near->face, sb_vec3_add(q, step), p, &next))
            return true;
        double fall = sb_vec3_dot(sb_vec3_sub(e, next.aside), e);
        if (!(fall > 0.0)) return true;
        q = sb_vec3_plus(q, step, sb_vec3_dot(e, e) / fall);
        if (!curve_at(sheet, near->face, q, p, &next)) return true;
        *out = next;
    }
    return true;
}

static void smoothen(const sb_sheet *sheet, sb_vec3 p, nearness *at) {
    curved foot;
    if (!find_foot(sheet, p, at, &foot)) return;
    sb_vec3 n = foot.normal;
    if (sb_vec3_dot(n, at->normal) < 0.0) n = sb_vec3_scale(n, -1.0);
    /* At an edge of the sheet the ball leans over: the true direction. */
    if (sb_vec3_dot(n, at->normal) < 0.8) return;
    at->q = foot.at;
    at->normal = n;
    at->far = sb_vec3_dot(n, sb_vec3_sub(p, at->q));
}

/* --- contact points ------------------------------------------------------- */

/* Whether the centre has crossed the sheet since it was last on its side. */
static bool has_crossed(const sb_sheet *sheet, const sb_pair *pair, sb_vec3 p,
                        nearness *out) {
    int face = -1;
    if (!sheet->faces->is_sheet || !pair->has_side) return false;
    double t =
        sb_triangle_tree_first_hit(&sheet->tree, pair->side_at, p, 0.0, &face);
    if (face < 0 || t > 1.0) return false;
    sb_vec3 way = sb_vec3_sub(p, pair->side_at);
    sb_vec3 n = sb_vec3_normalised(normal_of(sheet->faces, face));
    if (sb_vec3_dot(n, way) > 0.0) n = sb_vec3_scale(n, -1.0);
    out->face = face;
    out->q = sb_vec3_plus(pair->side_at, way, t);
    out->normal = n;
    out->far = sb_vec3_dot(n, sb_vec3_sub(p, out->q));
    return true;
}

static sb_found found_of(const sb_solid *ball, const sb_solid *on,
                         const sb_sheet *sheet, const nearness *at) {
    sb_vec3 n = sb_quat_turn(on->rotation, at->normal);
    double r = ball->collider.radius;
    return (sb_found){.point = sb_vec3_plus(ball->position, n, -r),
                      .normal = n,
                      .gap_m = at->far - r - sheet->half_m,
                      .feature = sheet->normals ? 0u : (uint32_t)at->face + 1u,
                      .on = 1,
                      .is_round = sheet->normals != NULL};
}

int sb_find_on_sheet(const sb_solid *ball, const sb_solid *on, sb_pair *pair,
                     double margin_m, sb_found *out) {
    const sb_sheet *sheet = on->sheet;
    sb_vec3 p = sb_quat_turn_back(
        on->rotation, sb_vec3_sub(ball->position, sb_solid_origin(on)));
    nearness near[MOST_NEAR];
    if (has_crossed(sheet, pair, p, &near[0])) {
        out[0] = found_of(ball, on, sheet, &near[0]);
        return 1;
    }
    pair->side_at = p;
    pair->has_side = true;
    double r = ball->collider.radius;
    int count = gather(sheet, p, r + sheet->half_m + margin_m, near);
    count = keep_one_side(near, count);
    count = drop_same_surface(near, count, RISE_SHARE * r);
    int kept = 0;
    for (int i = 0; i < count && kept < SB_PAIR_POINTS; i++) {
        if (sheet->normals) smoothen(sheet, p, &near[i]);
        /* Of a smooth surface, neighbouring faces are one contact. */
        bool is_same = false;
        for (int k = 0; k < i && sheet->normals; k++)
            is_same |= sb_vec3_dot(near[k].normal, near[i].normal) > 0.7;
        if (is_same || near[i].far - r - sheet->half_m > margin_m) continue;
        out[kept] = found_of(ball, on, sheet, &near[i]);
        if (kept > 0 && sheet->normals) out[kept].feature = (uint32_t)kept;
        kept++;
    }
    return kept;
}
