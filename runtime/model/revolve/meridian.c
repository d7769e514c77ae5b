/* A profile cut into elements (meridian.h). Thread: any. */
#include "runtime/model/revolve/meridian.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/revolve/outline.h"

#include <math.h>
#include <string.h>

enum { LEAST_ELEMENTS = 2 };

/* Where elements end: a length along the profile and, if a point of the profile
 * lies there, its number, else -1. */
typedef struct cut {
    double at_m;
    int point;
} cut;

typedef struct cuts {
    cut *items;
    int count, capacity;
} cuts;

static bool add_cut(cuts *list, double at_m, int point) {
    if (!sb_grow((void **)&list->items, &list->capacity, list->count + 1,
                 sizeof *list->items)) {
        return false;
    }
    list->items[list->count++] = (cut){at_m, point};
    return true;
}

/* Long pieces are divided evenly; short ones that bend little are joined. */
static bool find_cuts(const sb_outline *outline, double element_m, cuts *list) {
    const sb_profile_point *p = outline->points;
    double at = 0;
    bool ok = add_cut(list, 0, 0);
    for (int i = 0; ok && i + 1 < outline->count; i++) {
        double length = hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
        double begun = at - list->items[list->count - 1].at_m;
        if (begun > 0 && begun + length > element_m) ok = add_cut(list, at, i);
        int parts = (int)ceil(length / element_m - 1e-9);
        for (int k = 1; ok && k < parts; k++)
            ok = add_cut(list, at + length * k / parts, -1);
        at += length;
        bool is_last = i + 2 == outline->count;
        /* What is clamped at the axis reaches to the second point. */
        bool is_end = is_last || i + 1 == outline->second || parts > 1 ||
                      sb_outline_turn(outline, i + 1) > SB_MERIDIAN_FOLD;
        if (ok && is_end) ok = add_cut(list, at, i + 1);
    }
    return ok;
}

/* Halve the longest elements until there are enough. */
static bool divide(cuts *list) {
    while (list->count <= LEAST_ELEMENTS) {
        double a = list->items[0].at_m, b = list->items[1].at_m;
        if (!add_cut(list, 0, 0)) return false;
        memmove(list->items + 2, list->items + 1,
                (size_t)(list->count - 2) * sizeof *list->items);
        list->items[1] = (cut){0.5 * (a + b), -1};
    }
    return true;
}

/* --- directors ------------------------------------------------------------ */

static sb_director plain(const sb_outline_place *place) {
    sb_director made = {.wall_m = place->t};
    memcpy(made.unit, place->normal, sizeof made.unit);
    memcpy(made.tangent, place->tangent, sizeof made.tangent);
    return made;
}

/* Turn a director by half the bend to the other side of a joint; a mitred wall
 * is longer than it is thick. */
static void mitre(sb_director *director, const double other[2]) {
    double r = director->tangent[0] + other[0];
    double y = director->tangent[1] + other[1], length = hypot(r, y);
    double side = director->unit[0] * director->tangent[1] -
                  director->unit[1] * director->tangent[0];
    r /= length;
    y /= length;
    director->wall_m /= director->tangent[0] * r + director->tangent[1] * y;
    director->tangent[0] = r;
    director->tangent[1] = y;
    director->unit[0] = side > 0 ? y : -y;
    director->unit[1] = side > 0 ? -r : r;
}

static void tangent_of(const sb_outline *outline, int segment, double out[2]) {
    const sb_profile_point *p = outline->points;
    double r = p[segment + 1].r - p[segment].r;
    double y = p[segment + 1].y - p[segment].y, length = hypot(r, y);
    out[0] = r / length;
    out[1] = y / length;
}

/* The profile goes on across the joint: at a point with a neighbour, at the
 * seam of a ring, or beyond the axis as its own mirror image. */
static bool beyond(const sb_outline *outline, int point, int segment,
                   double other[2]) {
    int segments = outline->count - 1;
    if (point > 0 && point < segments) {
        tangent_of(outline, segment == point ? point - 1 : point, other);
        return true;
    }
    if (outline->is_ring) {
        tangent_of(outline, point == 0 ? segments - 1 : 0, other);
        return true;
    }
    tangent_of(outline, segment, other);
    other[1] = -other[1];
    return point == 0 ? outline->starts_on_axis : outline->ends_on_axis;
}

/* The director at a place, of the element that lies in `segment`. */
static sb_director director_at(const sb_outline *outline, double at_m,
                               int point, int segment) {
    sb_outline_place place = sb_outline_at(outline, at_m / outline->length_m);
    double own[2], other[2];
    if (point < 0) return plain(&place);
    tangent_of(outline, segment, own);
    place.t = outline->points[point].t;
    memcpy(place.tangent, own, sizeof own);
    place.normal[0] = outline->outward * own[1];
    place.normal[1] = -outline->outward * own[0];
    sb_director made = plain(&place);
    if (!beyond(outline, point, segment, other)) return made;
    double cosine = own[0] * other[0] + own[1] * other[1];
    if (cosine > cos(SB_MERIDIAN_FOLD)) mitre(&made, other);
    return made;
}

static bool is_fold(const sb_outline *outline, int point) {
    return point > 0 && point + 1 < outline->count &&
           sb_outline_turn(outline, point) > SB_MERIDIAN_FOLD;
}

/* Points of the profile lie within an element of many short pieces: its middle
 * node then takes the mean of the directions of its ends. */
static void place_middle(const sb_outline *outline, const cut *from,
                         const cut *to, sb_meridian_node *node,
                         sb_director directors[3]) {
    double at = 0.5 * (from->at_m + to->at_m);
    sb_outline_place place = sb_outline_at(outline, at / outline->length_m);
    *node = (sb_meridian_node){place.r, place.y, at};
    directors[1] = plain(&place);
    bool is_long =
        from->point < 0 || to->point < 0 || to->point == from->point + 1;
    if (is_long) return;
    memcpy(directors[1].tangent, directors[0].tangent,
           sizeof directors[1].tangent);
    memcpy(directors[1].unit, directors[0].unit, sizeof directors[1].unit);
    mitre(&directors[1], directors[2].tangent);
    directors[1].wall_m = place.t;
}

static int segment_after(const sb_outline *outline, const cut *from) {
    if (from->point >= 0) return from->point;
    return sb_outline_at(outline, from->at_m / outline->length_m).segment;
}

static int segment_before(const sb_outline *outline, const cut *to) {
    if (to->point > 0) return to->point - 1;
    return sb_outline_at(outline, to->at_m / outline->length_m).segment;
}

static void place_elements(const sb_outline *outline, const cuts *list,
                           sb_meridian *out) {
    int lean = 0;
    for (int e = 0; e < out->element_count; e++) {
        const cut *from = &list->items[e], *to = from + 1;
        sb_director *d = out->directors[e];
        const cut *ends[2] = {from, to};
        for (int j = 0; j < 2; j++) {
            double v = ends[j]->at_m / outline->length_m;
            sb_outline_place place = sb_outline_at(outline, v);
            int node = sb_meridian_node_of(out, e, 2 * j);
            if (j == 0 || node != 0)
                out->nodes[node] =
                    (sb_meridian_node){place.r, place.y, ends[j]->at_m};
            int segment = j == 0 ? segment_after(outline, from)
                                 : segment_before(outline, to);
            d[2 * j] =
                director_at(outline, ends[j]->at_m, ends[j]->point, segment);
        }
        place_middle(outline, from, to, &out->nodes[2 * e + 1], d);
        if (e > 0 && is_fold(outline, from->point)) lean++;
        for (int j = 0; j < 3; j++)
            d[j].lean = lean + j;
        lean += 2;
        if (to->point == outline->second) out->held_nodes = 2 * e + 3;
    }
    out->lean_count = lean + 1;
    bool is_smooth =
        outline->is_ring && sb_outline_turn(outline, 0) <= SB_MERIDIAN_FOLD;
    if (is_smooth) {
        out->directors[out->element_count - 1][2].lean = 0;
        out->lean_count--;
    }
}

sb_status sb_meridian_make(const sb_outline *outline, double element_m,
                           sb_meridian *out, sb_error *err) {
    cuts list = {0};
    sb_meridian made = {.starts_on_axis = outline->starts_on_axis,
                        .ends_on_axis = outline->ends_on_axis};
    bool ok = find_cuts(outline, element_m, &list) && divide(&list);
    if (ok) {
        made.element_count = list.count - 1;
        made.node_count = 2 * made.element_count + (outline->is_ring ? 0 : 1);
        made.nodes = sb_alloc((size_t)made.node_count, sizeof *made.nodes);
        made.directors =
            sb_alloc((size_t)made.element_count, sizeof *made.directors);
        ok = made.nodes && made.directors;
    }
    if (ok) place_elements(outline, &list, &made);
    sb_free(list.items);
    if (!ok) {
        sb_meridian_free(&made);
        return sb_fail(err, SB_NO_MEMORY, "revolve: out of memory");
    }
    *out = made;
    return SB_OK;
}

void sb_meridian_free(sb_meridian *meridian) {
    sb_free(meridian->nodes);
    sb_free(meridian->directors);
    *meridian = (sb_meridian){0};
}

int sb_meridian_node_of(const sb_meridian *meridian, int element, int j) {
    int node = 2 * element + j;
    return node < meridian->node_count ? node : 0;
}
