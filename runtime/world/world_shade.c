/* SPDX-License-Identifier: MIT */
/* What solids in the way leave of a sound (world.h): detours around balls and
 * boxes, and Maekawa's law of an edge. Runs on the control thread. */
#include "runtime/base/air.h"
#include "runtime/base/pi.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Longer detours, m, are not taken: as much as by this one comes through every
 * wall. At 4 kHz that is 37 dB less. */
#define LONGEST_M 10.0

/* Paths are checked this far from the edges that they pass, m. */
#define CLEAR_M 1e-3

/* Axes along which the sound goes have no edges to pass: a sine. */
#define LEAST_ACROSS 0.2

enum { SIDES = 4, BOX_EDGES = 12, ROUTE = BOX_EDGES + 2 };

/* A straight way, and a solid near it. */
typedef struct sight {
    const sb_world *world;
    const sb_solid *solid;
    uint32_t skip;
    sb_vec3 from, to, along; /* of unit length */
    double far_m;
    double waves_m[SB_SHADE_BANDS];
} sight;

/* The share of energy that passes an edge, by N = 2 detour / wave: 10 lg (3 +
 * 20 N) dB are lost, none where the edge is well clear of the way: there the
 * detour is negative. */
static double passing(double detour_m, double wave_m) {
    return 1.0 / fmax(1.0, 3.0 + 40.0 * detour_m / wave_m);
}

static double apart(sb_vec3 a, sb_vec3 b) {
    return sb_vec3_length(sb_vec3_sub(a, b));
}

static bool is_hit(const sb_solid *solid, sb_vec3 from, sb_vec3 to) {
    double far_m = apart(from, to);
    sb_vec3 normal;
    if (!(far_m > 0.0)) return false;
    sb_vec3 along = sb_vec3_scale(sb_vec3_sub(to, from), 1.0 / far_m);
    return sb_geoms_ray(solid, from, along, far_m, &normal) < far_m;
}

/* Whether the way comes this near to the ball round the solid. */
static bool is_near(const sb_solid *solid, sb_vec3 from, sb_vec3 to,
                    double near_m) {
    if (solid->collider.kind == SB_COLLIDER_FLOOR) return true;
    sb_vec3 step = sb_vec3_sub(to, from);
    sb_vec3 off = sb_vec3_sub(solid->position, from);
    double at = sb_vec3_dot(off, step) / fmax(sb_vec3_dot(step, step), 1e-18);
    double most_m = solid->reach_m + solid->size.skin_m + near_m;
    off = sb_vec3_plus(off, step, -fmin(fmax(at, 0.0), 1.0));
    return sb_vec3_dot(off, off) <= most_m * most_m;
}

/* --- a route around, in a plane through the way --------------------------- */

/* Along the way, and to its side. */
typedef struct spot {
    double z, up;
} spot;

typedef struct route {
    spot spots[ROUTE];
    int count;
    double detour_m;
} route;

static double turn(spot a, spot b, spot c) {
    return (b.z - a.z) * (c.up - a.up) - (b.up - a.up) * (c.z - a.z);
}

static double gap(spot a, spot b) {
    return hypot(b.z - a.z, b.up - a.up);
}

/* A taut string from the beginning over all points to the end. */
static void pull(const spot *points, int count, double far_m, route *out) {
    spot at = {0, 0}, end = {far_m, 0};
    double length = 0.0;
    out->count = 0;
    while (out->count < ROUTE) {
        spot next = end;
        for (int i = 0; i < count; i++) {
            double left = turn(at, next, points[i]);
            bool is_on = left == 0.0 && gap(at, points[i]) > 0.0 &&
                         points[i].z < next.z && points[i].z > at.z;
            if (left > 0.0 || is_on) next = points[i];
        }
        out->spots[out->count++] = next;
        length += gap(at, next);
        at = next;
        if (next.z == end.z && next.up == end.up) break;
    }
    out->detour_m = length - far_m;
}

/* --- boxes ---------------------------------------------------------------- */

/* Both ends, about the centre of the box and along its axes. */
typedef struct box {
    double from[3], to[3], half[3];
} box;

static void put(sb_vec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static box box_of(const sight *self) {
    const sb_solid *solid = self->solid;
    sb_vec3 origin = sb_solid_origin(solid);
    sb_vec3 middle = solid->size.middle;
    sb_vec3 ends[2] = {self->from, self->to};
    for (int i = 0; i < 2; i++)
        ends[i] = sb_vec3_sub(
            sb_quat_turn_back(solid->rotation, sb_vec3_sub(ends[i], origin)),
            middle);
    box out;
    put(ends[0], out.from);
    put(ends[1], out.to);
    put(solid->size.half, out.half);
    return out;
}

static bool is_within(const double p[3], const double half[3]) {
    return fabs(p[0]) < half[0] && fabs(p[1]) < half[1] && fabs(p[2]) < half[2];
}

static bool box_is_in_the_way(const box *b) {
    double first = 0.0, last = 1.0;
    for (int k = 0; k < 3; k++) {
        double step = b->to[k] - b->from[k];
        if (step == 0.0 && fabs(b->from[k]) >= b->half[k]) return false;
        if (step == 0.0) continue;
        double one = (-b->half[k] - b->from[k]) / step;
        double other = (b->half[k] - b->from[k]) / step;
        first = fmax(first, fmin(one, other));
        last = fmin(last, fmax(one, other));
    }
    return first < last;
}

/* Without hypot's care for overflow, which takes four times as long. */
static double length2(double a, double b) {
    return sqrt(a * a + b * b);
}

/* The detour over the nearest edge of a box that is beside the way, by the way
 * unfolded about each edge. */
static double box_clearance(const box *b, double far_m) {
    double least = INFINITY;
    for (int e = 0; e < BOX_EDGES; e++) {
        int k = e / 4, i = (k + 1) % 3, j = (k + 2) % 3;
        double at_i = e & 1 ? b->half[i] : -b->half[i];
        double at_j = e & 2 ? b->half[j] : -b->half[j];
        double r = length2(b->from[i] - at_i, b->from[j] - at_j);
        double q = length2(b->to[i] - at_i, b->to[j] - at_j);
        double at_k = (b->from[k] * q + b->to[k] * r) / fmax(r + q, 1e-12);
        at_k = fmin(fmax(at_k, -b->half[k]), b->half[k]);
        least = fmin(least, length2(r, b->from[k] - at_k) +
                                length2(q, b->to[k] - at_k) - far_m);
    }
    return least;
}

/* Where the edges of the box meet the plane of the way and `up`. Of a box that
 * has an end inside, a bowl, only what is before that end. */
static int section(const sight *self, const box *b, sb_vec3 up,
                   spot points[BOX_EDGES]) {
    sb_quat turned = self->solid->rotation;
    double across[3], along[3], side[3];
    put(sb_quat_turn_back(turned, sb_vec3_cross(self->along, up)), across);
    put(sb_quat_turn_back(turned, self->along), along);
    put(sb_quat_turn_back(turned, up), side);
    bool is_in = is_within(b->from, b->half),
         ends_in = is_within(b->to, b->half);
    int count = 0;
    for (int e = 0; e < BOX_EDGES; e++) {
        int k = e / 4, i = (k + 1) % 3, j = (k + 2) % 3;
        double p[3], off = 0.0;
        p[i] = (e & 1 ? b->half[i] : -b->half[i]) - b->from[i];
        p[j] = (e & 2 ? b->half[j] : -b->half[j]) - b->from[j];
        off = across[i] * p[i] + across[j] * p[j];
        if (across[k] == 0.0) continue;
        p[k] = -off / across[k];
        if (fabs(p[k] + b->from[k]) > b->half[k]) continue;
        spot at = {0, 0};
        for (int m = 0; m < 3; m++) {
            at.z += along[m] * p[m];
            at.up += side[m] * p[m];
        }
        if ((is_in && at.z <= 0.0) || (ends_in && at.z >= self->far_m))
            continue;
        points[count++] = at;
    }
    return count;
}

static route box_route(const sight *self, const box *b, sb_vec3 up) {
    spot points[BOX_EDGES];
    int count = section(self, b, up, points);
    route out;
    pull(points, count, self->far_m, &out);
    if (count == 0) out.detour_m = LONGEST_M;
    return out;
}

/* The side to which the way around is the shortest of those that are longer than
 * `over_m`. */
static sb_vec3 box_side(const sight *self, const box *b, double over_m) {
    sb_vec3 best = {0, 0, 0};
    double least = INFINITY;
    for (int i = 0; i < 6; i++) {
        sb_vec3 axis = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        sb_vec3 up = sb_vec3_cross(sb_quat_turn(self->solid->rotation, axis),
                                   self->along);
        if (sb_vec3_length(up) < LEAST_ACROSS) continue;
        up = sb_vec3_scale(sb_vec3_normalised(up), i < 3 ? 1.0 : -1.0);
        double detour_m = box_route(self, b, up).detour_m;
        if (detour_m >= least || detour_m <= over_m) continue;
        least = detour_m;
        best = up;
    }
    return best;
}

/* --- what else is in the way of a route ----------------------------------- */

static bool is_obstacle(const sight *self, const sb_solid *solid) {
    return solid->is_used && !solid->is_lost && solid->geoms &&
           solid->user != self->skip;
}

/* Whether a solid beside the way closes the route: what stands in the way itself
 * has edges of its own. */
static bool is_closed(const sight *self, const route *around, sb_vec3 up) {
    for (int i = 0; i < self->world->solid_count; i++) {
        const sb_solid *other = &self->world->solids[i];
        if (other == self->solid || !is_obstacle(self, other)) continue;
        sb_vec3 before = self->from;
        bool is_met = false;
        for (int k = 0; k < around->count && !is_met; k++) {
            spot at = around->spots[k];
            bool is_last = k + 1 == around->count;
            double up_m = at.up + (is_last ? 0.0 : CLEAR_M);
            sb_vec3 next = sb_vec3_plus(
                sb_vec3_plus(self->from, self->along, at.z), up, up_m);
            is_met = is_near(other, before, next, 0.0) &&
                     is_hit(other, before, next);
            before = next;
        }
        if (is_met && !is_hit(other, self->from, self->to)) return true;
    }
    return false;
}

/* --- a ball --------------------------------------------------------------- */

/* The length of a string around a disk whose centre is seen at these distances,
 * under an angle, from both ends; less than the straight way where it is not in
 * it. */
static double around_disk(double one_m, double other_m, double radius_m,
                          double angle) {
    double arc = angle - acos(fmin(radius_m / one_m, 1.0)) -
                 acos(fmin(radius_m / other_m, 1.0));
    double r2 = radius_m * radius_m;
    return sqrt(fmax(one_m * one_m - r2, 0.0)) +
           sqrt(fmax(other_m * other_m - r2, 0.0)) + radius_m * fmax(arc, 0.0);
}

static void add(const sight *self, double detour_m,
                double energy[SB_SHADE_BANDS]) {
    if (detour_m >= LONGEST_M) return;
    for (int k = 0; k < SB_SHADE_BANDS; k++)
        energy[k] += passing(detour_m, self->waves_m[k]);
}

static void pass_ball(const sight *self, double energy[SB_SHADE_BANDS]) {
    sb_vec3 to = sb_vec3_sub(self->solid->position, self->from);
    double r = self->solid->collider.radius, z = sb_vec3_dot(to, self->along);
    double off = sb_vec3_length(sb_vec3_plus(to, self->along, -z));
    double one_m = sb_vec3_length(to);
    double other_m = apart(self->solid->position, self->to);
    if (one_m <= r || other_m <= r || z <= 0.0 || z >= self->far_m) {
        add(self, -LONGEST_M, energy);
        return;
    }
    double far_m = self->far_m, back = far_m - z;
    double angle = atan2(z, off) + atan2(back, off);
    double beyond = 2.0 * SB_PI - angle;
    if (off >= r) {
        double gap_m = off - r;
        add(self, far_m - hypot(z, gap_m) - hypot(back, gap_m), energy);
    } else {
        double across = sqrt(r * r - off * off);
        add(self, around_disk(one_m, other_m, r, angle) - far_m, energy);
        for (int i = 0; i < 2; i++)
            add(self, around_disk(z, back, across, SB_PI) - far_m, energy);
    }
    add(self, around_disk(one_m, other_m, r, beyond) - far_m, energy);
}

/* --- one solid ------------------------------------------------------------ */

/* Where all of the sound passes already, nothing can be added. */
static bool is_all(const double energy[SB_SHADE_BANDS]) {
    return energy[0] >= 1.0 && energy[1] >= 1.0;
}

static void add_route(const sight *self, const box *b, sb_vec3 up,
                      double energy[SB_SHADE_BANDS]) {
    if (is_all(energy)) return;
    route around = box_route(self, b, up);
    if (!is_closed(self, &around, up)) add(self, around.detour_m, energy);
}

/* Around a box to its nearest side, to the opposite one and to both between. */
static void pass_box(const sight *self, const box *b,
                     double energy[SB_SHADE_BANDS]) {
    sb_vec3 up = box_side(self, b, -1.0);
    sb_vec3 across = sb_vec3_cross(self->along, up);
    for (int side = 0; side < SIDES; side++)
        add_route(self, b,
                  sb_vec3_scale(side & 1 ? across : up, side & 2 ? -1.0 : 1.0),
                  energy);
}

/* A box that is beside the way: past its nearest edge, and around it. */
static void pass_beside(const sight *self, const box *b,
                        double energy[SB_SHADE_BANDS]) {
    add(self, -box_clearance(b, self->far_m), energy);
    if (is_all(energy)) return;
    sb_vec3 up = box_side(self, b, 1e-9);
    if (sb_vec3_length(up) > 0.0) add_route(self, b, up, energy);
}

static void pass(const sight *self, double energy[SB_SHADE_BANDS]) {
    sb_collider_kind kind = self->solid->collider.kind;
    if (kind == SB_COLLIDER_SPHERE) {
        pass_ball(self, energy);
        return;
    }
    if (kind == SB_COLLIDER_FLOOR) {
        if (!is_hit(self->solid, self->from, self->to))
            energy[0] = energy[1] = 1;
        return;
    }
    box b = box_of(self);
    bool is_box = kind == SB_COLLIDER_BOX;
    bool is_in = is_within(b.from, b.half) || is_within(b.to, b.half);
    bool is_hidden = is_box ? !is_in && box_is_in_the_way(&b)
                            : is_hit(self->solid, self->from, self->to);
    if (is_hidden)
        pass_box(self, &b, energy);
    else if (is_box && !is_in)
        pass_beside(self, &b, energy);
    else
        energy[0] = energy[1] = 1.0;
}

/* --- all of them ---------------------------------------------------------- */

/* How far beside the way an edge is still heard, m: half the width of an ellipse of
 * N = -0.1 at the lower frequency, and its ends. */
static double reach_of(const sight *self) {
    return sqrt(0.05 * self->waves_m[0] * self->far_m) +
           0.05 * self->waves_m[0];
}

void sb_world_shade(const sb_world *world, sb_vec3 from, sb_vec3 to,
                    uint32_t skip, double speed_m_s,
                    double gain[SB_SHADE_BANDS]) {
    sight self = {.world = world, .skip = skip, .from = from, .to = to};
    self.far_m = apart(from, to);
    self.waves_m[0] = speed_m_s / SB_SHADE_LOW_HZ;
    self.waves_m[1] = speed_m_s / SB_SHADE_HIGH_HZ;
    gain[0] = gain[1] = 1.0;
    if (!(self.far_m > 0.0 && self.far_m < 1e9)) return;
    self.along = sb_vec3_scale(sb_vec3_sub(to, from), 1.0 / self.far_m);
    double reach_m = reach_of(&self);
    for (int i = 0; i < world->solid_count; i++) {
        self.solid = &world->solids[i];
        if (!is_obstacle(&self, self.solid) ||
            !is_near(self.solid, from, to, reach_m))
            continue;
        double energy[SB_SHADE_BANDS] = {0};
        pass(&self, energy);
        for (int k = 0; k < SB_SHADE_BANDS; k++) {
            double least = passing(LONGEST_M, self.waves_m[k]);
            gain[k] = fmin(gain[k], sqrt(fmax(energy[k], least)));
        }
    }
}
