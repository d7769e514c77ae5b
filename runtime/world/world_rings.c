/* Collisions of two rings. For a point p of the first circle the nearest
 * point n of the second circle is explicit: in the plane of the second, from
 * its centre towards p. Along the first circle the distance |p - n| has a
 * minimum where g = (p - n) . t = 0, with t the tangent at p, because n
 * moves only at right angles to p - n. Samples around the circle bracket the
 * zeros of g. Samples that touch by themselves, as for rings that lie flat
 * on each other, are collisions as well. Runs on the control thread. */
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>

enum { SAMPLES = 24, REFINEMENTS = 8 };

typedef struct circle {
    const sb_solid *ring;
    sb_vec3 centre, axis, x, y;
    double radius, wire;
} circle;

/* A point p of the first circle and its offset p - n from the second. */
typedef struct gap {
    sb_vec3 offset;
    double along; /* (p - n) . t */
    sb_vec3 foot; /* n */
} gap;

static circle circle_of(const sb_solid *ring) {
    return (circle){.ring = ring,
                    .centre = sb_solid_origin(ring),
                    .axis =
                        sb_quat_turn(ring->rotation, (sb_vec3){0.0, 1.0, 0.0}),
                    .x = sb_quat_turn(ring->rotation, (sb_vec3){1.0, 0.0, 0.0}),
                    .y = sb_quat_turn(ring->rotation, (sb_vec3){0.0, 0.0, 1.0}),
                    .radius = ring->collider.radius,
                    .wire = ring->collider.wire_radius};
}

static gap gap_at(const circle *a, const circle *b, double c, double s) {
    sb_vec3 out = sb_vec3_add(sb_vec3_scale(a->x, c), sb_vec3_scale(a->y, s));
    sb_vec3 tangent =
        sb_vec3_sub(sb_vec3_scale(a->y, c), sb_vec3_scale(a->x, s));
    sb_vec3 p = sb_vec3_add(a->centre, sb_vec3_scale(out, a->radius));
    sb_vec3 to = sb_vec3_sub(p, b->centre);
    sb_vec3 flat =
        sb_vec3_sub(to, sb_vec3_scale(b->axis, sb_vec3_dot(to, b->axis)));
    double far = sqrt(sb_vec3_dot(flat, flat));
    /* Seen from the axis of the other circle all its points are equally
     * near. */
    sb_vec3 n = far > 0.0 ? sb_vec3_scale(flat, b->radius / far)
                          : sb_vec3_scale(b->x, b->radius);
    gap g = {.foot = sb_vec3_add(b->centre, n), .offset = sb_vec3_sub(to, n)};
    g.along = sb_vec3_dot(g.offset, tangent);
    return g;
}

/* Finds the zero between two angles at which g is below and above zero. */
static gap least_between(const circle *a, const circle *b, double low,
                         double high, double g_low, double g_high) {
    gap g = {0};
    for (int i = 0; i < REFINEMENTS; i++) {
        double at = low + (high - low) * g_low / (g_low - g_high);
        g = gap_at(a, b, cos(at), sin(at));
        /* The retained end counts half in the next iteration, so that both
         * ends converge (the Illinois method). */
        if (g.along < 0.0) {
            low = at, g_low = g.along, g_high *= 0.5;
        } else {
            high = at, g_high = g.along, g_low *= 0.5;
        }
        if (high - low < 1e-9 || g.along == 0.0) break;
    }
    return g;
}

/* Wires that passed through each other in this step would separate on the
 * wrong side: the normal is that of the side they came from. */
static int add(const circle *a, const circle *b, const gap *g, double skin_m,
               double step_s, sb_collision *out) {
    double apart = sb_vec3_length(g->offset), wires = a->wire + b->wire;
    if (apart >= wires + skin_m) return 0;
    sb_vec3 normal = sb_vec3_scale(g->offset, 1.0 / apart);
    /* Wires whose centre lines cross have no side: the normal points towards
     * the centre of the first. */
    if (!(apart > 1e-3 * b->wire))
        normal = sb_vec3_normalised(sb_vec3_sub(a->centre, b->centre));
    if (!(sb_vec3_length(normal) > 0.5)) return 0;
    sb_vec3 v = sb_vec3_sub(sb_solid_velocity_at(a->ring, g->foot),
                            sb_solid_velocity_at(b->ring, g->foot));
    bool is_through = apart < sb_vec3_dot(v, normal) * step_s;
    double depth = is_through ? wires + apart : wires - apart;
    if (is_through) normal = sb_vec3_scale(normal, -1.0);
    *out = (sb_collision){
        .point =
            sb_vec3_add(g->foot, sb_vec3_scale(normal, b->wire - 0.5 * depth)),
        .normal = normal,
        .depth_m = depth};
    return 1;
}

/* True when one of them lies on one side of the plane of the other, or out
 * of reach. */
static bool are_apart(const circle *a, const circle *b, double skin_m) {
    double wires = a->wire + b->wire + skin_m;
    double reach = a->radius + b->radius + wires;
    sb_vec3 off = sb_vec3_sub(a->centre, b->centre);
    if (sb_vec3_dot(off, off) > reach * reach) return true;
    double along = sb_vec3_dot(a->axis, b->axis);
    double lean = sqrt(fmax(1.0 - along * along, 0.0));
    return fabs(sb_vec3_dot(off, b->axis)) > a->radius * lean + wires ||
           fabs(sb_vec3_dot(off, a->axis)) > b->radius * lean + wires;
}

int sb_rings_collide(const sb_solid *first, const sb_solid *second,
                     double skin_m, double step_s, sb_collision *out) {
    circle a = circle_of(first), b = circle_of(second);
    if (are_apart(&a, &b, skin_m)) return 0;
    const double part = 2.0 * SB_PI / SAMPLES, turn_c = cos(part),
                 turn_s = sin(part);
    /* Beyond this distance no part of the wire between two samples can
     * touch. */
    double near = a.wire + b.wire + skin_m + a.radius * part;
    gap before = gap_at(&a, &b, 1.0, 0.0);
    double c = 1.0, s = 0.0;
    int count = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double turned = c * turn_c - s * turn_s;
        s = s * turn_c + c * turn_s, c = turned;
        gap now = gap_at(&a, &b, c, s);
        bool is_near = sb_vec3_dot(now.offset, now.offset) < near * near;
        if (is_near && before.along < 0.0 && now.along >= 0.0) {
            gap least = least_between(&a, &b, part * i, part * (i + 1),
                                      before.along, now.along);
            count += add(&a, &b, &least, skin_m, step_s, out + count);
        }
        if (is_near) count += add(&a, &b, &now, skin_m, step_s, out + count);
        before = now;
    }
    return count;
}
