/* Contact points of two rings. For a point p of the first circle the nearest
 * point n of the second circle is explicit: in the plane of the second, from
 * its centre towards p. Along the first circle the distance |p - n| has a
 * minimum where g = (p - n) . t = 0, with t the tangent at p, because n
 * moves only at right angles to p - n. Samples around the circle bracket the
 * zeros of g. Samples that touch by themselves, as for rings that lie flat on
 * each other, are contacts as well.
 *
 * The places found are followed by Newton's method while the rings move by less
 * than 0.4 mm; then they are searched again. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>

enum { SAMPLES = 24, REFINEMENTS = 8, MOST_PLACES = 2 * SAMPLES };

static const double SEARCH_M = 4e-4;

typedef struct circle {
    sb_vec3 centre, axis, x, y;
    double radius, wire;
} circle;

/* A point p of the first circle and its offset p - n from the second. */
typedef struct gap {
    double angle;
    sb_vec3 offset;
    double along; /* (p - n) . t */
    sb_vec3 foot; /* n */
} gap;

static circle circle_of(const sb_solid *ring) {
    return (circle){.centre = sb_solid_origin(ring),
                    .axis =
                        sb_quat_turn(ring->rotation, (sb_vec3){0.0, 1.0, 0.0}),
                    .x = sb_quat_turn(ring->rotation, (sb_vec3){1.0, 0.0, 0.0}),
                    .y = sb_quat_turn(ring->rotation, (sb_vec3){0.0, 0.0, 1.0}),
                    .radius = ring->collider.radius,
                    .wire = ring->collider.wire_radius};
}

static gap gap_with(const circle *a, const circle *b, double angle, double c,
                    double s) {
    sb_vec3 out = sb_vec3_plus(sb_vec3_scale(a->x, c), a->y, s);
    sb_vec3 tangent = sb_vec3_plus(sb_vec3_scale(a->y, c), a->x, -s);
    sb_vec3 p = sb_vec3_plus(a->centre, out, a->radius);
    sb_vec3 to = sb_vec3_sub(p, b->centre);
    sb_vec3 flat = sb_vec3_plus(to, b->axis, -sb_vec3_dot(to, b->axis));
    double far = sqrt(sb_vec3_dot(flat, flat));
    /* Seen from the axis of the other circle all its points are equally
     * near. */
    sb_vec3 n = far > 0.0 ? sb_vec3_scale(flat, b->radius / far)
                          : sb_vec3_scale(b->x, b->radius);
    gap g = {.angle = angle,
             .foot = sb_vec3_add(b->centre, n),
             .offset = sb_vec3_sub(to, n)};
    g.along = sb_vec3_dot(g.offset, tangent);
    return g;
}

static gap gap_at(const circle *a, const circle *b, double angle) {
    return gap_with(a, b, angle, cos(angle), sin(angle));
}

static double apart(const gap *g) {
    return sqrt(sb_vec3_dot(g->offset, g->offset));
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

/* At a small angle `by` from one whose cosine and sine are known, by series. */
static gap gap_near(const circle *a, const circle *b, double angle, double c,
                    double s, double by) {
    double t = by * by;
    double cb = 1.0 - t / 2.0 * (1.0 - t / 12.0 * (1.0 - t / 30.0));
    double sb = by * (1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0)));
    return gap_with(a, b, angle + by, c * cb - s * sb, s * cb + c * sb);
}

/* Finds the zero between samples i and i + 1, at which g is below and above
 * zero. */
static gap least_between(const circle *a, const circle *b, int i, double g_low,
                         double g_high) {
    double low = 0.0, high = 2.0 * SB_PI / SAMPLES, start = high * i;
    gap g = {0};
    for (int n = 0; n < REFINEMENTS; n++) {
        double at = low + (high - low) * g_low / (g_low - g_high);
        g = gap_near(a, b, start, sample_cos[i], sample_sin[i], at);
        /* The retained end counts half in the next iteration, so that both
         * ends converge (the Illinois method). */
        if (g.along < 0.0) {
            low = at, g_low = g.along, g_high *= 0.5;
        } else {
            high = at, g_high = g.along, g_low *= 0.5;
        }
        if (fabs(g.along) < 1e-7 * a->radius) break;
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

/* Places nearer than `reach_m`; `*least_m` bounds the gap of all others from
 * below. Samples that cannot be near are passed over: from one to the next the
 * distance changes by at most the arc between them. */
static int search(const circle *a, const circle *b, double reach_m,
                  place *places, double *least_m) {
    const double part = 2.0 * SB_PI / SAMPLES;
    double wires = a->wire + b->wire, arc = a->radius * part;
    double near = reach_m + arc;
    gap before = {0};
    int known = -1, count = 0;
    *least_m = INFINITY;
    for (int i = 0; i <= SAMPLES;) {
        gap now = gap_with(a, b, part * i, sample_cos[i], sample_sin[i]);
        double far = apart(&now) - wires;
        *least_m = fmin(*least_m, far - 0.5 * arc);
        if (far >= near) {
            int skip = (int)((far - near) / arc);
            *least_m = fmin(*least_m, far - skip * arc - 0.5 * arc);
            before = now, known = i;
            i += 1 + skip;
            continue;
        }
        if (known != i - 1 && i > 0)
            before = gap_with(a, b, part * (i - 1), sample_cos[i - 1],
                              sample_sin[i - 1]);
        double least_far = fmin(far, apart(&before) - wires) - 0.5 * arc;
        if (i > 0 && before.along < 0.0 && now.along >= 0.0 &&
            least_far < reach_m) {
            gap least = least_between(a, b, i - 1, before.along, now.along);
            if (apart(&least) - wires < reach_m && count < MOST_PLACES)
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
    double far = apart(g), wires = a->wire + b->wire;
    sb_vec3 normal = far > 0.0 ? sb_vec3_scale(g->offset, 1.0 / far)
                               : (sb_vec3){0.0, 1.0, 0.0};
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
                          sb_vec3_plus(g->foot, normal, b->wire + 0.5 * gap_m),
                      .normal = normal,
                      .gap_m = gap_m,
                      .tilt_sine = 1.0};
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
    int count = search(a, b, reach_m, places, &pair->clear_m);
    if (count == 0) {
        if (pair->roots) pair->roots->count = 0;
        return 0;
    }
    pair->clear_m = 0.0;
    if (!pair->roots) {
        pair->roots = sb_alloc(1, sizeof *pair->roots);
        if (!pair->roots) return 0;
    }
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
static gap followed(const circle *a, const circle *b, double angle) {
    const double small = 1e-4;
    double c = cos(angle), s = sin(angle);
    gap g = gap_with(a, b, angle, c, s);
    if (fabs(g.along) < 1e-7 * a->radius) return g;
    gap next = gap_near(a, b, angle, c, s, small);
    double slope = (next.along - g.along) / small;
    if (!(slope > 1e-3 * a->radius * a->wire)) return g;
    double step = fmin(fmax(-g.along / slope, -0.05), 0.05);
    return gap_near(a, b, angle, c, s, step);
}

static int follow(const circle *a, const circle *b, sb_ring_roots *roots,
                  sb_found *out) {
    for (int i = 0; i < roots->count; i++) {
        gap g = roots->is_flat[i] ? gap_at(a, b, roots->angle[i])
                                  : followed(a, b, roots->angle[i]);
        roots->angle[i] = g.angle;
        out[i] = found_at(a, b, &g, &roots->normal[i]);
        out[i].feature = roots->feature[i];
        roots->normal[i] = out[i].normal;
    }
    return roots->count;
}

int sb_find_rings(const sb_solid *first, const sb_solid *second, sb_pair *pair,
                  double margin_m, sb_found *out) {
    circle a = circle_of(first), b = circle_of(second);
    double paths = first->path_m + second->path_m;
    double clear = clearance(&a, &b);
    if (clear > margin_m) {
        pair->is_searched = true;
        pair->clear_m = clear;
        pair->paths_m = paths;
        if (pair->roots) pair->roots->count = 0;
        return 0;
    }
    int count;
    if (pair->is_searched && pair->roots && pair->roots->count > 0 &&
        paths - pair->paths_m < SEARCH_M) {
        count = follow(&a, &b, pair->roots, out);
    } else {
        pair->is_searched = true;
        pair->paths_m = paths;
        count = search_again(&a, &b, pair, margin_m + 2.0 * SEARCH_M, out);
    }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (out[i].gap_m <= margin_m) out[kept++] = out[i];
    return kept;
}
