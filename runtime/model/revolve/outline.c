/* SPDX-License-Identifier: MIT */
#include "runtime/model/revolve/outline.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

/* A radius below this part of the length lies on the axis. */
#define ON_AXIS 1e-9

static double segment_length(const sb_outline *outline, int i) {
    const sb_profile_point *p = outline->points;
    return hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
}

/* The volume between the profile and the axis; negative if it runs down. */
static double swept(const sb_outline *outline) {
    const sb_profile_point *p = outline->points;
    double sum = 0;
    for (int i = 0; i + 1 < outline->count; i++) {
        double a = p[i].r, b = p[i + 1].r;
        sum += (a * a + a * b + b * b) * (p[i + 1].y - p[i].y);
    }
    return sum;
}

sb_outline sb_outline_of(const sb_profile_point *points, int count,
                         int second) {
    sb_outline made = {.count = count, .second = second, .points = points};
    for (int i = 0; i + 1 < count; i++)
        made.length_m += segment_length(&made, i);
    const sb_profile_point *last = &points[count - 1];
    double near = ON_AXIS * made.length_m;
    made.starts_on_axis = points[0].r <= near;
    made.ends_on_axis = last->r <= near;
    made.is_ring = !made.starts_on_axis &&
                   hypot(last->r - points[0].r, last->y - points[0].y) <= near;
    double volume = swept(&made), least = near * made.length_m * made.length_m;
    /* A flat profile faces up whichever way it runs. */
    if (fabs(volume) > least) {
        made.outward = volume > 0 ? 1 : -1;
    } else {
        made.outward = last->r > points[0].r ? -1 : 1;
    }
    return made;
}

bool sb_outline_is_closed(const sb_outline *outline) {
    return outline->is_ring ||
           (outline->starts_on_axis && outline->ends_on_axis);
}

static void set_direction(const sb_outline *outline, int i,
                          sb_outline_place *place) {
    const sb_profile_point *p = outline->points;
    double length = segment_length(outline, i);
    place->segment = i;
    place->tangent[0] = (p[i + 1].r - p[i].r) / length;
    place->tangent[1] = (p[i + 1].y - p[i].y) / length;
    place->normal[0] = outline->outward * place->tangent[1];
    place->normal[1] = -outline->outward * place->tangent[0];
}

sb_outline_place sb_outline_at(const sb_outline *outline, double v) {
    double rest = fmin(fmax(v, 0), 1) * outline->length_m;
    int i = 0;
    while (i + 2 < outline->count && rest > segment_length(outline, i))
        rest -= segment_length(outline, i++);
    double share = fmin(rest / segment_length(outline, i), 1);
    const sb_profile_point *a = &outline->points[i], *b = a + 1;
    sb_outline_place place = {.r = a->r + share * (b->r - a->r),
                              .y = a->y + share * (b->y - a->y),
                              .t = a->t + share * (b->t - a->t)};
    set_direction(outline, i, &place);
    return place;
}

double sb_outline_nearest(const sb_outline *outline, double r, double y) {
    const sb_profile_point *p = outline->points;
    double before = 0, best = INFINITY, found = 0;
    for (int i = 0; i + 1 < outline->count; i++) {
        double length = segment_length(outline, i);
        double dr = (p[i + 1].r - p[i].r) / length;
        double dy = (p[i + 1].y - p[i].y) / length;
        double along = (r - p[i].r) * dr + (y - p[i].y) * dy;
        along = fmin(fmax(along, 0), length);
        double gap = hypot(p[i].r + along * dr - r, p[i].y + along * dy - y);
        if (gap < best) {
            best = gap;
            found = before + along;
        }
        before += length;
    }
    return fmin(found / outline->length_m, 1);
}

double sb_outline_turn(const sb_outline *outline, int point) {
    int segments = outline->count - 1;
    int before = point > 0 ? point - 1 : segments - 1;
    int after = point < segments ? point : 0;
    sb_outline_place a, b;
    set_direction(outline, before, &a);
    set_direction(outline, after, &b);
    double cross = a.tangent[0] * b.tangent[1] - a.tangent[1] * b.tangent[0];
    double dot = a.tangent[0] * b.tangent[0] + a.tangent[1] * b.tangent[1];
    return fabs(atan2(cross, dot));
}

/* Adds a segment; Gauss's three points are exact for its polynomials. */
static void weigh_segment(const sb_outline *outline, int i, double *second_y,
                          sb_outline_mass *sum) {
    static const double places[3] = {-0.7745966692414834, 0,
                                     0.7745966692414834};
    static const double shares[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const sb_profile_point *a = &outline->points[i], *b = a + 1;
    sb_outline_place to;
    set_direction(outline, i, &to);
    double nr = to.normal[0], ny = to.normal[1];
    for (int k = 0; k < 3; k++) {
        double x = 0.5 + 0.5 * places[k];
        double r = a->r + x * (b->r - a->r), y = a->y + x * (b->y - a->y);
        double t = a->t + x * (b->t - a->t), cube = t * t * t / 12;
        double ring = SB_TAU * shares[k] * segment_length(outline, i);
        sum->volume_m3 += ring * r * t;
        sum->centre_m += ring * (r * y * t + nr * ny * cube);
        sum->axial_m5 += ring * (r * r * r * t + 3 * r * nr * nr * cube);
        *second_y +=
            ring * (r * y * y * t + (r * ny * ny + 2 * y * nr * ny) * cube);
        sum->area_m2 += 2 * ring * r;
    }
}

sb_outline_mass sb_outline_weigh(const sb_outline *outline) {
    sb_outline_mass sum = {0};
    double second_y = 0;
    for (int i = 0; i + 1 < outline->count; i++)
        weigh_segment(outline, i, &second_y, &sum);
    sum.centre_m /= sum.volume_m3;
    sum.across_m5 = 0.5 * sum.axial_m5 + second_y -
                    sum.volume_m3 * sum.centre_m * sum.centre_m;
    if (!outline->is_ring) {
        const sb_profile_point *a = &outline->points[0];
        const sb_profile_point *b = &outline->points[outline->count - 1];
        sum.area_m2 += SB_TAU * (a->r * a->t + b->r * b->t);
    }
    return sum;
}

/* --- nodes and elements --------------------------------------------------- */

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
    if (!sb_grow_list(list->items, list->capacity, list->count + 1)) {
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
        return sb_no_memory(err, "revolve");
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

/* --- curves through points ------------------------------------------------ */

/* A straight piece turns by about this much, radians. */
#define PIECE_TURN 0.035

/* A neighbour shorter than this part of a piece leaves it straighter. */
#define SHORT_SHARE 0.4

/* A chord: its length and direction, and the angles by which the curve leaves
 * it at both ends, radians, counter-clockwise. */
typedef struct chord {
    double length, angle;
    double leave[2];
    bool is_open[2]; /* no tangent is given at this end */
} chord;

static chord chord_of(const sb_profile_point *a, const sb_profile_point *b) {
    double r = b->r - a->r, y = b->y - a->y;
    return (chord){
        .length = hypot(r, y), .angle = atan2(y, r), .is_open = {true, true}};
}

/* -pi .. pi */
static double turn_of(double from, double to) {
    return remainder(to - from, SB_TAU);
}

/* The share of a turn that the longer of two chords takes: half of it if they
 * are equal, in proportion to their lengths as on a circle, and little if the
 * other one is much shorter. */
static double share_of_longer(double longer, double shorter) {
    double part = shorter / longer, fade = fmin(part / SHORT_SHARE, 1);
    return fade * fade / (1 + part);
}

/* A common tangent where two chords meet, unless they meet in a fold. */
static void join(chord *before, chord *after) {
    double turn = turn_of(before->angle, after->angle);
    if (fabs(turn) > SB_MERIDIAN_FOLD) return;
    bool is_first = before->length >= after->length;
    double share = is_first ? share_of_longer(before->length, after->length)
                            : share_of_longer(after->length, before->length);
    double first = is_first ? share : 1 - share;
    before->leave[1] = first * turn;
    after->leave[0] = -(1 - first) * turn;
    before->is_open[1] = after->is_open[0] = false;
}

/* On the axis the curve meets its mirror image. */
static void level(chord *only, int end) {
    double tangent = fabs(only->angle) < 0.5 * SB_PI ? 0 : SB_PI;
    double turn = turn_of(only->angle, tangent);
    if (2 * fabs(turn) > SB_MERIDIAN_FOLD) return;
    only->leave[end] = turn;
    only->is_open[end] = false;
}

/* An end without a tangent goes on as an arc. */
static void open_ends(chord *only) {
    if (only->is_open[0] && !only->is_open[1]) only->leave[0] = -only->leave[1];
    if (only->is_open[1] && !only->is_open[0]) only->leave[1] = -only->leave[0];
}

/* Points of Hermite's cubic; its tangents are those of an arc. */
static int place_pieces(const chord *on, const sb_profile_point *a,
                        const sb_profile_point *b, sb_profile_point *out) {
    double turn = fabs(on->leave[0]) + fabs(on->leave[1]);
    int pieces =
        (int)fmin(fmax(ceil(turn / PIECE_TURN - 1e-9), 1), SB_SMOOTH_PIECES);
    double tangents[2][2];
    for (int i = 0; i < 2; i++) {
        double half = cos(0.5 * on->leave[i]), angle = on->angle + on->leave[i];
        double size = on->length / (half * half);
        tangents[i][0] = size * cos(angle);
        tangents[i][1] = size * sin(angle);
    }
    for (int k = 1; k < pieces; k++) {
        double x = (double)k / pieces, x2 = x * x, x3 = x2 * x;
        double h[4] = {2 * x3 - 3 * x2 + 1, x3 - 2 * x2 + x, 3 * x2 - 2 * x3,
                       x3 - x2};
        double r = h[0] * a->r + h[1] * tangents[0][0] + h[2] * b->r +
                   h[3] * tangents[1][0];
        double y = h[0] * a->y + h[1] * tangents[0][1] + h[2] * b->y +
                   h[3] * tangents[1][1];
        out[k - 1] =
            (sb_profile_point){fmax(r, 0), y, a->t + x * (b->t - a->t)};
    }
    out[pieces - 1] = *b;
    return pieces;
}

int sb_profile_smooth(const sb_profile_point *points, int count,
                      sb_profile_point *out, int *second) {
    sb_outline outline = sb_outline_of(points, count, 1);
    int made = 1, last = count - 2;
    out[0] = points[0];
    for (int i = 0; i <= last; i++) {
        const sb_profile_point *a = &points[i], *b = a + 1;
        chord on = chord_of(a, b), other;
        if (i > 0 || outline.is_ring) {
            int from = i > 0 ? i - 1 : last;
            other = chord_of(&points[from], &points[from + 1]);
            join(&other, &on);
        } else if (outline.starts_on_axis) {
            level(&on, 0);
        }
        if (i < last || outline.is_ring) {
            int to = i < last ? i + 1 : 0;
            other = chord_of(&points[to], &points[to + 1]);
            join(&on, &other);
        } else if (outline.ends_on_axis) {
            level(&on, 1);
        }
        open_ends(&on);
        made += place_pieces(&on, a, b, out + made);
        if (i == 0) *second = made - 1;
    }
    return made;
}

sb_status sb_profile_create_curve(const sb_profile_point *points, int count,
                                  sb_profile **out, sb_error *err) {
    size_t most = (size_t)(count - 1) * SB_SMOOTH_PIECES + 1;
    sb_profile_point *curve = sb_alloc(most, sizeof *curve);
    if (!curve) return sb_no_memory(err, "revolve");
    int second = 1, made = sb_profile_smooth(points, count, curve, &second);
    sb_status status = sb_profile_create(curve, made, second, out, err);
    sb_free(curve);
    return status;
}
