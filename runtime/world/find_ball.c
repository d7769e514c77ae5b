/* Contact points of balls and capsules. Runs on the control thread. */
#include "runtime/world/world_internal.h"

#include <math.h>

int sb_find_on_ball(const sb_solid *solid, const sb_solid *ball,
                    double margin_m, sb_found *out) {
    sb_vec3 centre = sb_solid_origin(ball), n;
    double far, r = ball->collider.radius;
    if (!sb_solid_nearest(solid, centre, &n, &far)) return -1;
    double gap = far - r;
    if (gap > margin_m) return 0;
    /* `n` points out of the solid towards the ball. */
    *out = (sb_found){.point = sb_vec3_plus(centre, n, -r),
                      .normal = sb_vec3_scale(n, -1.0),
                      .gap_m = gap,
                      .on = -1,
                      .is_round = true};
    return 1;
}

/* --- two capsules --------------------------------------------------------- */

typedef struct segment {
    sb_vec3 centre, along;
    double half, radius;
} segment;

static segment segment_of(const sb_solid *solid) {
    return (segment){
        .centre = sb_solid_origin(solid),
        .along = sb_quat_turn(solid->rotation, (sb_vec3){1.0, 0.0, 0.0}),
        .half = 0.5 * solid->collider.length,
        .radius = solid->collider.radius};
}

static double held(double t, double half) {
    return fmin(fmax(t, -half), half);
}

/* The contact at place `s` of the first and `t` of the second. */
static int add(const segment *a, const segment *b, double s, double t,
               uint32_t feature, double margin_m, sb_found *out) {
    sb_vec3 p = sb_vec3_plus(a->centre, a->along, s);
    sb_vec3 q = sb_vec3_plus(b->centre, b->along, t);
    sb_vec3 d = sb_vec3_sub(p, q);
    double far = sb_vec3_length(d), gap = far - a->radius - b->radius;
    if (gap > margin_m) return 0;
    sb_vec3 n =
        far > 1e-12 ? sb_vec3_scale(d, 1.0 / far) : (sb_vec3){0.0, 1.0, 0.0};
    *out = (sb_found){.point = sb_vec3_plus(q, n, b->radius + 0.5 * gap),
                      .normal = n,
                      .gap_m = gap,
                      .feature = feature,
                      .is_round = true};
    return 1;
}

/* Two lines have one nearest place; parallel ones touch at both ends of their
 * overlap. */
int sb_find_capsules(const sb_solid *solid, const sb_solid *other,
                     double margin_m, sb_found *out) {
    segment a = segment_of(solid), b = segment_of(other);
    sb_vec3 off = sb_vec3_sub(b.centre, a.centre);
    double c = sb_vec3_dot(a.along, b.along), sine2 = 1.0 - c * c;
    double on_a = sb_vec3_dot(off, a.along), on_b = sb_vec3_dot(off, b.along);
    if (sine2 < 1e-6) {
        double low = fmax(-a.half, on_a - b.half),
               high = fmin(a.half, on_a + b.half);
        if (low < high) {
            int count = 0;
            double sign = c < 0.0 ? -1.0 : 1.0;
            count += add(&a, &b, low, held(sign * (low - on_a), b.half), 1,
                         margin_m, out);
            count += add(&a, &b, high, held(sign * (high - on_a), b.half), 2,
                         margin_m, out + count);
            return count;
        }
    }
    double s = sine2 > 0.0 ? held((on_a - c * on_b) / sine2, a.half) : 0.0;
    double t = held(c * s - on_b, b.half);
    s = held(c * t + on_a, a.half);
    return add(&a, &b, s, t, 0, margin_m, out);
}
