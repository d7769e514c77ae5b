/* SPDX-License-Identifier: MIT */
/* Contact points of two rings. A point of the first circle, seen from the centre
 * of the second, is
 *
 *     q = D + R (x cos + y sin)
 *
 * with D the offset of the centres and R, x, y the first circle's. With h = q . n
 * its height over the plane of the second and f = sqrt(q^2 - h^2) its distance
 * from the axis, it is away from the second circle, of radius S, by
 *
 *     sqrt(h^2 + (f - S)^2).
 *
 * Along the first circle this has a minimum where its half derivative
 * g = h h' + (f - S) f' is zero. Samples around the circle bracket the zeros of
 * g. Samples that touch by themselves, as for rings that lie flat on each
 * other, are contacts as well.
 *
 * The places found are followed by Newton's method while the rings move by less
 * than a part of their wires; then they are searched again. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>

enum { SAMPLES = 24, REFINEMENTS = 8, MOST_PLACES = 2 * SAMPLES };

/* As a share of the wires' radii: what comes near in the meantime is found. */
static const double SEARCH_SHARE = 0.15, SEARCH_MOST_M = 2e-3;

/* Places along the first of two rings, rad. */
struct sb_ring_roots {
    double angle[SB_RINGS_POINTS];
    sb_vec3 normal[SB_RINGS_POINTS];
    bool is_flat[SB_RINGS_POINTS]; /* a place on the wire, not a minimum */
    uint32_t feature[SB_RINGS_POINTS], next_feature;
    int count;
    sb_vec3 then[3]; /* at the search: offset of the centres, and the axes */
};

typedef struct circle {
    sb_vec3 centre, axis, x, y;
    double radius, wire;
} circle;

static circle circle_of(const sb_solid *ring) {
    return (circle){.centre = sb_solid_origin(ring),
                    .axis = ring->axes[1],
                    .x = ring->axes[0],
                    .y = ring->axes[2],
                    .radius = ring->collider.radius,
                    .wire = ring->collider.wire_radius};
}

/* The first circle in the frame of the second: q^2 = square + 2 (cx cos +
 * cy sin), h = height + hx cos + hy sin. */
typedef struct seen {
    double square, cx, cy, height, hx, hy, radius;
} seen;

static seen seen_from(const circle *a, const circle *b) {
    sb_vec3 d = sb_vec3_sub(a->centre, b->centre);
    double r = a->radius;
    return (seen){.square = sb_vec3_dot(d, d) + r * r,
                  .cx = r * sb_vec3_dot(d, a->x),
                  .cy = r * sb_vec3_dot(d, a->y),
                  .height = sb_vec3_dot(d, b->axis),
                  .hx = r * sb_vec3_dot(a->x, b->axis),
                  .hy = r * sb_vec3_dot(a->y, b->axis),
                  .radius = b->radius};
}

/* A place on the first circle. */
typedef struct gap {
    double angle, c, s; /* and its cosine and sine */
    double along;       /* g */
    double apart;       /* of the mid-lines */
} gap;

static gap gap_with(const seen *k, double angle, double c, double s) {
    double h = k->height + k->hx * c + k->hy * s;
    double h1 = k->hy * c - k->hx * s;
    double far2 = k->square + 2.0 * (k->cx * c + k->cy * s) - h * h;
    double far = sqrt(far2 > 0.0 ? far2 : 0.0);
    double off = far - k->radius;
    /* On the axis all points of the other circle are equally near. */
    double turn = far > 0.0 ? off / far : 0.0;
    double along = h * h1 + turn * (k->cy * c - k->cx * s - h * h1);
    return (gap){angle, c, s, along, sqrt(h * h + off * off)};
}

static gap gap_at(const seen *k, double angle) {
    return gap_with(k, angle, cos(angle), sin(angle));
}

static double sample_cos[SAMPLES + 1], sample_sin[SAMPLES + 1];

static void fill_samples(void) {
    if (sample_cos[0] != 0.0) return;
    for (int i = SAMPLES; i >= 0; i--) {
        sample_sin[i] = sin(2.0 * SB_PI * i / SAMPLES);
        sample_cos[i] = cos(2.0 * SB_PI * i / SAMPLES);
    }
}

/* --- the search ----------------------------------------------------------- */

/* At a small angle `by` from another place, by series. */
static gap gap_near(const seen *k, const gap *from, double by) {
    double t = by * by;
    double cb = 1.0 - t / 2.0 * (1.0 - t / 12.0 * (1.0 - t / 30.0));
    double sb = by * (1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0)));
    return gap_with(k, from->angle + by, from->c * cb - from->s * sb,
                    from->s * cb + from->c * sb);
}

/* Finds the zero between a sample and the next, at which g is below and above
 * zero. */
static gap least_between(const seen *k, const gap *sample, double g_high,
                         double close) {
    double low = 0.0, high = 2.0 * SB_PI / SAMPLES, g_low = sample->along;
    gap g = *sample;
    for (int n = 0; n < REFINEMENTS; n++) {
        double at = low + (high - low) * g_low / (g_low - g_high);
        g = gap_near(k, sample, at);
        /* The retained end counts half in the next iteration, so that both
         * ends converge (the Illinois method). */
        if (g.along < 0.0) {
            low = at, g_low = g.along, g_high *= 0.5;
        } else {
            high = at, g_high = g.along, g_low *= 0.5;
        }
        if (fabs(g.along) < close) break;
    }
    return g;
}

/* A lower bound of the gap of the wires from their planes and centres. */
static double clearance(const circle *a, const circle *b) {
    double wires = a->wire + b->wire;
    sb_vec3 off = sb_vec3_sub(a->centre, b->centre);
    double far = sb_vec3_length(off) - a->radius - b->radius - wires;
    double along = sb_vec3_dot(a->axis, b->axis);
    double lean = sqrt(fmax(1.0 - along * along, 0.0));
    double over = fabs(sb_vec3_dot(off, b->axis)) - a->radius * lean - wires;
    double under = fabs(sb_vec3_dot(off, a->axis)) - b->radius * lean - wires;
    return fmax(far, fmax(over, under));
}

/* A place at which the wires are near: a minimum, or a sample. */
typedef struct place {
    gap at;
    bool is_flat;
} place;

static gap sample_at(const seen *k, int i) {
    return gap_with(k, 2.0 * SB_PI / SAMPLES * i, sample_cos[i], sample_sin[i]);
}

/* Places nearer than `reach_m`; `*least_m` bounds the gap of all others from
 * below. Samples that cannot be near are passed over: from one to the next the
 * distance changes by at most the arc between them. */
static int search(const circle *a, const circle *b, const seen *k,
                  double reach_m, place *places, double *least_m) {
    double wires = a->wire + b->wire;
    double arc = a->radius * 2.0 * SB_PI / SAMPLES;
    double near = reach_m + arc;
    gap before = {0};
    int known = -1, count = 0;
    *least_m = INFINITY;
    for (int i = 0; i <= SAMPLES;) {
        gap now = sample_at(k, i);
        double far = now.apart - wires;
        *least_m = fmin(*least_m, far - 0.5 * arc);
        if (far >= near) {
            int skip = (int)((far - near) / arc);
            *least_m = fmin(*least_m, far - skip * arc - 0.5 * arc);
            before = now, known = i;
            i += 1 + skip;
            continue;
        }
        if (known != i - 1 && i > 0) before = sample_at(k, i - 1);
        double least_far = fmin(far, before.apart - wires) - 0.5 * arc;
        if (i > 0 && before.along < 0.0 && now.along >= 0.0 &&
            least_far < reach_m) {
            gap least = least_between(k, &before, now.along, 1e-7 * a->radius);
            if (least.apart - wires < reach_m && count < MOST_PLACES)
                places[count++] = (place){least, false};
        }
        if (i < SAMPLES && far < 0.25 * reach_m && count < MOST_PLACES)
            places[count++] = (place){now, true};
        before = now, known = i;
        i++;
    }
    return count;
}

/* --- contact points ------------------------------------------------------- */

static sb_found found_at(const circle *a, const circle *b, const gap *g,
                         const sb_vec3 *kept) {
    sb_vec3 out = sb_vec3_plus(sb_vec3_scale(a->x, g->c), a->y, g->s);
    sb_vec3 p = sb_vec3_plus(a->centre, out, a->radius);
    sb_vec3 to = sb_vec3_sub(p, b->centre);
    sb_vec3 flat = sb_vec3_plus(to, b->axis, -sb_vec3_dot(to, b->axis));
    double across = sb_vec3_length(flat);
    sb_vec3 n = across > 0.0 ? sb_vec3_scale(flat, b->radius / across)
                             : sb_vec3_scale(b->x, b->radius);
    sb_vec3 foot = sb_vec3_add(b->centre, n), offset = sb_vec3_sub(to, n);
    double far = sb_vec3_length(offset), wires = a->wire + b->wire;
    sb_vec3 normal =
        far > 0.0 ? sb_vec3_scale(offset, 1.0 / far) : (sb_vec3){0.0, 1.0, 0.0};
    /* Wires whose centre lines cross have no side: the normal points towards
     * the centre of the first. */
    if (!(far > 1e-3 * b->wire))
        normal = sb_vec3_normalised(sb_vec3_sub(a->centre, b->centre));
    /* Wires that have passed through each other part on the side from which
     * they came. */
    bool is_through = kept && sb_vec3_dot(*kept, normal) < -0.3;
    double gap_m = is_through ? -far - wires : far - wires;
    if (is_through) normal = sb_vec3_scale(normal, -1.0);
    if (!(sb_vec3_length(normal) > 0.5)) normal = (sb_vec3){0.0, 1.0, 0.0};
    return (sb_found){.point =
                          sb_vec3_plus(foot, normal, b->wire + 0.5 * gap_m),
                      .normal = normal,
                      .gap_m = gap_m};
}

/* The place of the last search that is the same one, or -1. */
static int same_place(const sb_ring_roots *old, double angle) {
    double least = 0.35;
    int found = -1;
    for (int i = 0; i < old->count; i++) {
        double off = fabs(remainder(old->angle[i] - angle, 2.0 * SB_PI));
        if (off < least) least = off, found = i;
    }
    return found;
}

static int search_again(const circle *a, const circle *b, sb_pair *pair,
                        double reach_m, sb_found *out) {
    fill_samples();
    place places[MOST_PLACES];
    sb_found all[MOST_PLACES];
    seen k = seen_from(a, b);
    int count = search(a, b, &k, reach_m, places, &pair->clear_m);
    if (count == 0) {
        pair->roots->count = 0;
        return 0;
    }
    pair->clear_m = 0.0;
    sb_ring_roots old = *pair->roots, *roots = pair->roots;
    for (int i = 0; i < count; i++) {
        int same = same_place(&old, places[i].at.angle);
        all[i] =
            found_at(a, b, &places[i].at, same < 0 ? NULL : &old.normal[same]);
        all[i].feature = (uint32_t)i;
    }
    count =
        sb_found_choose(all, count, 0.5 * (a->wire + b->wire), SB_RINGS_POINTS);
    bool is_taken[SB_RINGS_POINTS] = {false};
    for (int i = 0; i < count; i++) {
        const place *at = &places[all[i].feature];
        int same = same_place(&old, at->at.angle);
        bool is_new = same < 0 || is_taken[same];
        roots->angle[i] = at->at.angle;
        roots->is_flat[i] = at->is_flat;
        roots->normal[i] = all[i].normal;
        roots->feature[i] = is_new ? ++old.next_feature : old.feature[same];
        if (!is_new) is_taken[same] = true;
        out[i] = all[i];
        out[i].feature = roots->feature[i];
    }
    roots->next_feature = old.next_feature;
    roots->count = count;
    return count;
}

/* One step of Newton's method for g = 0, with the slope by a difference. */
static gap followed(const circle *a, const seen *k, double angle) {
    const double small = 1e-4;
    gap g = gap_at(k, angle);
    if (fabs(g.along) < 1e-7 * a->radius) return g;
    gap next = gap_near(k, &g, small);
    double slope = (next.along - g.along) / small;
    if (!(slope > 1e-3 * a->radius * a->wire)) return g;
    double step = fmin(fmax(-g.along / slope, -0.05), 0.05);
    return gap_near(k, &g, step);
}

static int follow(const circle *a, const circle *b, sb_ring_roots *roots,
                  sb_found *out) {
    seen k = seen_from(a, b);
    for (int i = 0; i < roots->count; i++) {
        gap g = roots->is_flat[i] ? gap_at(&k, roots->angle[i])
                                  : followed(a, &k, roots->angle[i]);
        roots->angle[i] = g.angle;
        out[i] = found_at(a, b, &g, &roots->normal[i]);
        out[i].feature = roots->feature[i];
        roots->normal[i] = out[i].normal;
    }
    return roots->count;
}

/* How far the mid-lines have moved towards each other at most since they were
 * searched: a ring that turns about its axis does not move. */
static double moved_since(const circle *a, const circle *b,
                          const sb_pair *pair) {
    const sb_vec3 *then = pair->roots->then;
    sb_vec3 off = sb_vec3_sub(a->centre, b->centre);
    return sb_vec3_length(sb_vec3_sub(off, then[0])) +
           a->radius * sb_vec3_length(sb_vec3_sub(a->axis, then[1])) +
           b->radius * sb_vec3_length(sb_vec3_sub(b->axis, then[2]));
}

static void note_search(const circle *a, const circle *b, double paths_m,
                        sb_pair *pair) {
    pair->is_searched = true;
    pair->paths_m = paths_m;
    if (!pair->roots) return;
    pair->roots->then[0] = sb_vec3_sub(a->centre, b->centre);
    pair->roots->then[1] = a->axis;
    pair->roots->then[2] = b->axis;
}

int sb_find_rings(const sb_solid *first, const sb_solid *second, sb_pair *pair,
                  double margin_m, sb_found *out) {
    circle a = circle_of(first), b = circle_of(second);
    double paths = first->bounds.path_m + second->bounds.path_m;
    double search_m = fmin(SEARCH_SHARE * (a.wire + b.wire), SEARCH_MOST_M);
    bool is_known = pair->is_searched && pair->roots;
    double moved = is_known ? moved_since(&a, &b, pair) : INFINITY;
    if (pair->clear_m > margin_m + moved) return 0;
    double clear = clearance(&a, &b);
    if (clear > margin_m) {
        note_search(&a, &b, paths, pair);
        pair->clear_m = clear;
        if (pair->roots) pair->roots->count = 0;
        return 0;
    }
    if (!pair->roots) pair->roots = sb_alloc(1, sizeof *pair->roots);
    if (!pair->roots) return -1;
    int count;
    if (pair->roots->count > 0 && moved < search_m) {
        count = follow(&a, &b, pair->roots, out);
    } else {
        note_search(&a, &b, paths, pair);
        count = search_again(&a, &b, pair, margin_m + 2.0 * search_m, out);
    }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (out[i].gap_m <= margin_m) out[kept++] = out[i];
    return kept;
}
