/* Sorts contact points by pair, then by position. Runs on the control
 * thread. */
#include "runtime/world/tracker/tracker_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_vec3_finite(sb_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

/* All values are finite and the normal has unit length. */
static bool is_sound(const sb_contact_point *p) {
    double length = sb_length_squared(p->normal);
    return is_vec3_finite(p->point) && length > 0.9 && length < 1.1 &&
           isfinite(p->depth_m) && isfinite(p->time_s) &&
           isfinite(p->approach_m_s) && isfinite(p->impulse_ns) &&
           is_vec3_finite(p->velocity[0]) && is_vec3_finite(p->velocity[1]) &&
           is_vec3_finite(p->centre[0]) && is_vec3_finite(p->centre[1]) &&
           isfinite(p->inverse_mass[0]) && isfinite(p->inverse_mass[1]) &&
           isfinite(p->restitution);
}

static bool is_sorted(const sb_order *order, int count) {
    for (int i = 1; i < count; i++)
        if (order[i - 1].pair > order[i].pair) return false;
    return true;
}

/* One pass of a radix sort; moves nothing when all keys have the same digit. */
static bool sort_by_byte(const sb_order *from, sb_order *to, int count,
                         int shift) {
    int starts[257] = {0};
    for (int i = 0; i < count; i++)
        starts[(from[i].pair >> shift & 255) + 1]++;
    if (starts[(from[0].pair >> shift & 255) + 1] == count) return false;
    for (int i = 1; i < 257; i++)
        starts[i] += starts[i - 1];
    for (int i = 0; i < count; i++)
        to[starts[from[i].pair >> shift & 255]++] = from[i];
    return true;
}

static void sort_pairs(sb_tracker *t, int count) {
    /* The world reports pairs mostly in this order already. */
    if (is_sorted(t->order, count)) return;
    for (int shift = 0; shift < 64; shift += 8) {
        if (sort_by_byte(t->order, t->order_spare, count, shift)) {
            sb_order *swap = t->order;
            t->order = t->order_spare;
            t->order_spare = swap;
            int capacity = t->order_capacity;
            t->order_capacity = t->spare_capacity;
            t->spare_capacity = capacity;
        }
    }
}

static int compare_numbers(double a, double b) {
    return (a > b) - (a < b);
}

static int compare_points(const void *left, const void *right) {
    const sb_contact_point *a = *(const sb_contact_point *const *)left;
    const sb_contact_point *b = *(const sb_contact_point *const *)right;
    int c = compare_numbers(a->point.x, b->point.x);
    if (c == 0) c = compare_numbers(a->point.z, b->point.z);
    if (c == 0) c = compare_numbers(a->point.y, b->point.y);
    if (c == 0) c = compare_numbers(a->impulse_ns, b->impulse_ns);
    if (c == 0) c = compare_numbers(a->approach_m_s, b->approach_m_s);
    return c != 0 ? c : compare_numbers(a->time_s, b->time_s);
}

/* Usually a few points; two meshes may have hundreds. */
static void sort_places(const sb_contact_point **points, int count) {
    enum { FEW = 12 };
    if (count > FEW) {
        qsort(points, (size_t)count, sizeof(void *), compare_points);
        return;
    }
    for (int i = 1; i < count; i++) {
        const sb_contact_point *moved = points[i];
        int k = i;
        for (; k > 0 && compare_points(&points[k - 1], &moved) > 0; k--)
            points[k] = points[k - 1];
        points[k] = moved;
    }
}

int sb_tracker_sort(sb_tracker *t, const sb_contact_point *points, int count) {
    int sound = 0;
    for (int i = 0; i < count; i++) {
        if (is_sound(&points[i]))
            t->order[sound++] =
                (sb_order){sb_pair_key(&points[i]), (uint32_t)i};
    }
    if (sound == 0) return 0;
    sort_pairs(t, sound);
    for (int i = 0; i < sound; i++)
        t->points[i] = &points[t->order[i].index];
    for (int from = 0, to; from < sound; from = to) {
        for (to = from + 1; to < sound; to++)
            if (t->order[to].pair != t->order[from].pair) break;
        sort_places(&t->points[from], to - from);
    }
    return sound;
}
