/* SPDX-License-Identifier: MIT */
#include "runtime/model/profile.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Lengths that differ by less, relative to the largest, are equal. */
#define TINY 1e-9

struct sb_profile {
    atomic_int users;
    int count, second;
    sb_profile_point points[];
};

sb_status sb_profile_create(const sb_profile_point *points, int count,
                            int second, sb_profile **out, sb_error *err) {
    size_t bytes = (size_t)count * sizeof *points;
    sb_profile *made = sb_alloc(1, sizeof *made + bytes);
    if (!made) {
        return sb_fail(err, SB_NO_MEMORY,
                       "revolve: out of memory for %d points", count);
    }
    atomic_init(&made->users, 1);
    made->count = count;
    made->second = second;
    memcpy(made->points, points, bytes);
    *out = made;
    return SB_OK;
}

/* Only the number of users changes: for all who read it, it is constant. */
static sb_profile *unlocked(const sb_profile *profile) {
    union {
        const sb_profile *in;
        sb_profile *out;
    } cast = {profile};
    return cast.out;
}

sb_profile *sb_profile_retain(const sb_profile *profile) {
    sb_profile *self = unlocked(profile);
    atomic_fetch_add_explicit(&self->users, 1, memory_order_relaxed);
    return self;
}

void sb_profile_release(const sb_profile *profile) {
    if (!profile) return;
    sb_profile *self = unlocked(profile);
    if (atomic_fetch_sub_explicit(&self->users, 1, memory_order_acq_rel) == 1)
        sb_free(self);
}

int sb_profile_count(const sb_profile *profile) {
    return profile->count;
}

int sb_profile_second(const sb_profile *profile) {
    return profile->second;
}

const sb_profile_point *sb_profile_points(const sb_profile *profile) {
    return profile->points;
}

static double largest(const sb_profile *profile) {
    double most = 0;
    for (int i = 0; i < profile->count; i++) {
        const sb_profile_point *p = &profile->points[i];
        most = fmax(most, fmax(fabs(p->r), fabs(p->y)));
    }
    return most;
}

double sb_profile_ratio(const sb_profile *a, const sb_profile *b) {
    if (a == b) return 1;
    if (a->count != b->count || a->second != b->second) return 0;
    double size = largest(a), ratio = largest(b) / size, gap = 0;
    if (fabs(ratio - 1) < TINY) ratio = 1;
    for (int i = 0; i < a->count; i++) {
        const sb_profile_point *p = &a->points[i], *q = &b->points[i];
        gap = fmax(gap, fabs(p->r - q->r / ratio));
        gap = fmax(gap, fabs(p->y - q->y / ratio));
        /* Thin walls must agree, too, relative to themselves. */
        gap = fmax(gap, fabs(p->t - q->t / ratio) * size / p->t);
    }
    return gap <= TINY * size ? ratio : 0;
}
