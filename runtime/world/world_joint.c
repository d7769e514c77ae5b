/* SPDX-License-Identifier: MIT */
/* Ball, hinge and slider joints: checks, making, removing; and the rows that are
 * solved with the contacts. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>

bool sb_world_are_joined(const sb_world *world, int first, int second) {
    if (world->solids[first].joint_count == 0 ||
        world->solids[second].joint_count == 0)
        return false;
    for (int i = 0; i < world->joint_count; i++) {
        const sb_joint *joint = &world->joints[i];
        if (!joint->is_used) continue;
        if ((joint->solid[0] == first && joint->solid[1] == second) ||
            (joint->solid[0] == second && joint->solid[1] == first))
            return true;
    }
    return false;
}

void sb_world_wake_joined(sb_world *world) {
    for (bool has_woken = true; has_woken;) {
        has_woken = false;
        for (int i = 0; i < world->joint_count; i++) {
            const sb_joint *joint = &world->joints[i];
            if (!joint->is_used || joint->solid[1] < 0) continue;
            sb_solid *a = &world->solids[joint->solid[0]],
                     *b = &world->solids[joint->solid[1]];
            if (sb_solid_moves(a) == sb_solid_moves(b)) continue;
            sb_solid *still = sb_solid_moves(a) ? b : a;
            if (!still->is_asleep) continue;
            sb_solid_wake(still);
            has_woken = true;
        }
    }
}

/* --- checks --------------------------------------------------------------- */

static sb_status check(const sb_world *world, const sb_world_joint_def *def,
                       sb_error *err) {
    int a = sb_world_find(world, def->solid[0]);
    bool is_world = def->solid[1].index == 0 && def->solid[1].generation == 0;
    int b = is_world ? -1 : sb_world_find(world, def->solid[1]);
    if (a < 0 || (b < 0 && !is_world))
        return sb_fail(err, SB_STALE_HANDLE,
                       "a joint's solid has been removed");
    if (a == b)
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "a joint connects a solid to itself; expected two solids");
    bool has_free = world->solids[a].motion == SB_MOTION_FREE ||
                    (b >= 0 && world->solids[b].motion == SB_MOTION_FREE);
    if (!has_free)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint connects two solids that are not free; "
                       "expected at least one free solid");
    double length = sb_vec3_length(def->axis);
    if (def->kind != SB_JOINT_BALL && !(length > 1e-6 && length < 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT, "a joint's axis has no direction");
    if (def->kind != SB_JOINT_SLIDER && !sb_is_within(def->anchor, 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's anchor is not finite or beyond 1e6 m");
    if (def->has_limits && !(def->low <= 0.0 && def->high >= 0.0 &&
                             def->low >= -1e6 && def->high <= 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's limits are %g and %g; expected the first "
                       "at most 0 and the second at least 0",
                       def->low, def->high);
    if (!(def->friction >= 0.0 && def->friction <= 1e12))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's friction is %g; expected 0 or more",
                       def->friction);
    return SB_OK;
}

/* --- making --------------------------------------------------------------- */

/* A unit vector across a unit vector. */
static sb_vec3 across(sb_vec3 axis) {
    sb_vec3 e = {0.0, 0.0, 1.0};
    if (fabs(axis.z) > 0.6) e = (sb_vec3){1.0, 0.0, 0.0};
    return sb_vec3_normalised(sb_vec3_cross(e, axis));
}

/* Anchor and axis in the axes of each solid, at their present poses. */
static void attach(const sb_world *world, sb_joint *joint,
                   const sb_world_joint_def *def) {
    sb_vec3 axis = sb_vec3_normalised(def->axis), side = across(axis);
    sb_vec3 anchor = def->anchor;
    if (def->kind == SB_JOINT_SLIDER)
        anchor = world->solids[joint->solid[0]].position;
    for (int i = 0; i < 2; i++) {
        joint->anchor[i] = anchor;
        joint->axis[i] = axis;
        joint->across[i] = side;
        if (joint->solid[i] < 0) continue;
        const sb_solid *s = &world->solids[joint->solid[i]];
        joint->anchor[i] =
            sb_quat_turn_back(s->rotation, sb_vec3_sub(anchor, s->position));
        joint->axis[i] = sb_quat_turn_back(s->rotation, axis);
        joint->across[i] = sb_quat_turn_back(s->rotation, side);
    }
}

sb_status sb_world_add_joint(sb_world *world, const sb_world_joint_def *def,
                             sb_world_joint_id *out, sb_error *err) {
    sb_status status = check(world, def, err);
    if (status != SB_OK) return status;
    int slot = 0;
    while (slot < world->joint_count && world->joints[slot].is_used)
        slot++;
    if (slot == world->joint_count) {
        if (!sb_grow_list(world->joints, world->joint_capacity, slot + 1))
            return sb_no_memory_for(err, "a joint");
        world->joints[world->joint_count++] = (sb_joint){0};
    }
    sb_joint *joint = &world->joints[slot];
    *joint = (sb_joint){.generation = joint->generation + 1,
                        .is_used = true,
                        .kind = def->kind,
                        .has_limits = def->has_limits,
                        .low = def->low,
                        .high = def->high,
                        .friction = def->friction,
                        .solid = {sb_world_find(world, def->solid[0]),
                                  sb_world_find(world, def->solid[1])}};
    attach(world, joint, def);
    for (int i = 0; i < 2; i++) {
        if (joint->solid[i] < 0) continue;
        sb_solid *solid = &world->solids[joint->solid[i]];
        solid->joint_count++;
        sb_solid_wake(solid);
    }
    *out = (sb_world_joint_id){(uint32_t)slot, joint->generation};
    return SB_OK;
}

static void part(sb_world *world, sb_joint *joint) {
    joint->is_used = false;
    for (int i = 0; i < 2; i++) {
        if (joint->solid[i] < 0) continue;
        sb_solid *solid = &world->solids[joint->solid[i]];
        solid->joint_count--;
        sb_solid_wake(solid);
    }
}

void sb_world_remove_joint(sb_world *world, sb_world_joint_id id) {
    if (id.generation == 0 || id.index >= (uint32_t)world->joint_count) return;
    sb_joint *joint = &world->joints[id.index];
    if (joint->is_used && joint->generation == id.generation)
        part(world, joint);
}

void sb_world_remove_joints_of(sb_world *world, int solid) {
    if (world->solids[solid].joint_count == 0) return;
    for (int i = 0; i < world->joint_count; i++) {
        sb_joint *joint = &world->joints[i];
        if (joint->is_used &&
            (joint->solid[0] == solid || joint->solid[1] == solid))
            part(world, joint);
    }
}

/* --- rows of velocity constraints ----------------------------------------- */

/* A row asks for  along . (va - vb) + turn_a . wa - turn_b . wb = target.  Its
 * impulse acts in mid-substep, and the velocity is that at the end: the arms
 * have turned on by then, which bends the path of an anchor by
 * w x (w x r) h / 2. With that in the target a pendulum keeps its energy. */

/* The share of a position error that goes in a substep. */
static const double MEND = 0.1;

typedef struct side {
    sb_solid *solid; /* NULL: the world */
    sb_vec3 arm;     /* from its centre of mass */
    sb_vec3 place, axis, across;
} side;

static side side_of(sb_world *world, const sb_joint *joint, int i) {
    if (joint->solid[i] < 0)
        return (side){.place = joint->anchor[i],
                      .axis = joint->axis[i],
                      .across = joint->across[i]};
    sb_solid *s = &world->solids[joint->solid[i]];
    side out = {.solid = s,
                .arm = sb_quat_turn(s->rotation, joint->anchor[i]),
                .axis = sb_quat_turn(s->rotation, joint->axis[i]),
                .across = sb_quat_turn(s->rotation, joint->across[i])};
    out.place = sb_vec3_add(s->position, out.arm);
    return out;
}

static bool is_free(const side *s) {
    return s->solid && s->solid->motion == SB_MOTION_FREE &&
           sb_solid_moves(s->solid);
}

/* w x (w x r) h / 2 of both anchors. */
static sb_vec3 bend(const side s[2], double h) {
    sb_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        if (!s[i].solid) continue;
        sb_vec3 w = s[i].solid->spin;
        sb_vec3 a = sb_vec3_cross(w, sb_vec3_cross(w, s[i].arm));
        sum = sb_vec3_plus(sum, a, i == 0 ? 0.5 * h : -0.5 * h);
    }
    return sum;
}

static sb_joint_row *add(sb_joint *joint, const side s[2], sb_vec3 along,
                         sb_vec3 turn_a, sb_vec3 turn_b, double target) {
    int n = joint->row_count++;
    sb_joint_row *row = &joint->rows[n];
    *row = (sb_joint_row){.along = along,
                          .turn = {turn_a, turn_b},
                          .target = target,
                          .impulse = joint->kept[n],
                          .least = -INFINITY,
                          .most = INFINITY};
    double inverse = 0.0;
    for (int i = 0; i < 2; i++) {
        if (!is_free(&s[i])) continue;
        row->change[i] =
            sb_sym_times(s[i].solid->inverse_inertia, row->turn[i]);
        inverse += s[i].solid->inverse_mass * sb_vec3_dot(along, along) +
                   sb_vec3_dot(row->turn[i], row->change[i]);
    }
    row->mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
    return row;
}

static const sb_vec3 nowhere = {0.0, 0.0, 0.0};

/* The anchors stay together along `along`. */
static void hold(sb_joint *joint, const side s[2], sb_vec3 along, double h) {
    sb_vec3 off = sb_vec3_sub(s[0].place, s[1].place);
    double target =
        -MEND / h * sb_vec3_dot(off, along) - sb_vec3_dot(bend(s, h), along);
    (void)add(joint, s, along, sb_vec3_cross(s[0].arm, along),
              sb_vec3_cross(s[1].arm, along), target);
}

/* No rotation about `about`, by which they are off by `angle`. */
static void hold_angle(sb_joint *joint, const side s[2], sb_vec3 about,
                       double angle, double h) {
    (void)add(joint, s, nowhere, about, about, -MEND / h * angle);
}

static void hold_point(sb_joint *joint, const side s[2], double h) {
    hold(joint, s, (sb_vec3){1.0, 0.0, 0.0}, h);
    hold(joint, s, (sb_vec3){0.0, 1.0, 0.0}, h);
    hold(joint, s, (sb_vec3){0.0, 0.0, 1.0}, h);
}

static void limit(sb_joint *joint, const side s[2], sb_vec3 along, sb_vec3 turn,
                  sb_vec3 turn_b, double at, double h) {
    if (!joint->has_limits) return;
    double room[2] = {at - joint->low, joint->high - at};
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? 1.0 : -1.0;
        double target = room[k] > 0.0 ? -room[k] / h : -MEND / h * room[k];
        sb_joint_row *row =
            add(joint, s, sb_vec3_scale(along, sign), sb_vec3_scale(turn, sign),
                sb_vec3_scale(turn_b, sign), target);
        row->least = 0.0;
        row->impulse = fmax(row->impulse, 0.0);
    }
}

static void rub(sb_joint *joint, const side s[2], sb_vec3 along, sb_vec3 turn,
                sb_vec3 turn_b, double h) {
    if (!(joint->friction > 0.0)) return;
    sb_joint_row *row = add(joint, s, along, turn, turn_b, 0.0);
    row->least = -joint->friction * h;
    row->most = joint->friction * h;
    row->impulse = fmin(fmax(row->impulse, row->least), row->most);
}

/* The angle of the first about the axis, against the second, counted on beyond
 * pi. */
static double hinge_angle(sb_joint *joint, const side s[2]) {
    sb_vec3 axis = s[1].axis;
    double c = sb_vec3_dot(s[0].across, s[1].across);
    double y = sb_vec3_dot(sb_vec3_cross(s[1].across, s[0].across), axis);
    double angle = atan2(y, c);
    joint->turned += remainder(angle - joint->turned, 6.283185307179586);
    return joint->turned;
}

/* Both axes stay parallel: no rotation across the axis. */
static void hold_axis(sb_joint *joint, const side s[2], double h) {
    sb_vec3 off = sb_vec3_cross(s[1].axis, s[0].axis);
    sb_vec3 e = s[1].across, f = sb_vec3_cross(s[1].axis, e);
    hold_angle(joint, s, e, sb_vec3_dot(off, e), h);
    hold_angle(joint, s, f, sb_vec3_dot(off, f), h);
}

static void prepare_slider(sb_joint *joint, const side s[2], double h) {
    sb_vec3 axis = s[1].axis, e = s[1].across, f = sb_vec3_cross(axis, e);
    sb_vec3 off = sb_vec3_sub(s[0].place, s[1].place);
    /* The second's arm reaches to where the first is. */
    side on[2] = {s[0], s[1]};
    on[1].arm = sb_vec3_add(s[1].arm, off);
    on[1].place = s[0].place;
    double out[2] = {sb_vec3_dot(off, e), sb_vec3_dot(off, f)};
    const sb_vec3 across[2] = {e, f};
    for (int k = 0; k < 2; k++)
        (void)add(joint, s, across[k], sb_vec3_cross(s[0].arm, across[k]),
                  sb_vec3_cross(on[1].arm, across[k]),
                  -MEND / h * out[k] - sb_vec3_dot(bend(on, h), across[k]));
    hold_axis(joint, s, h);
    double twist = sb_vec3_dot(sb_vec3_cross(s[1].across, s[0].across), axis);
    hold_angle(joint, s, axis, twist, h);
    sb_vec3 turn = sb_vec3_cross(s[0].arm, axis);
    sb_vec3 turn_b = sb_vec3_cross(on[1].arm, axis);
    limit(joint, s, axis, turn, turn_b, sb_vec3_dot(off, axis), h);
    rub(joint, s, axis, turn, turn_b, h);
}

/* --- rows without limits, solved together --------------------------------- */

/* Velocity along row i per unit impulse of row j. */
static double coupling(const sb_joint_row *i, const sb_joint_row *j,
                       const side s[2]) {
    double sum = 0.0;
    for (int k = 0; k < 2; k++)
        if (is_free(&s[k]))
            sum += s[k].solid->inverse_mass * sb_vec3_dot(i->along, j->along) +
                   sb_vec3_dot(i->turn[k], j->change[k]);
    return sum;
}

/* With a long arm the rows depend so strongly on each other that one after the
 * other they would not converge. */
static void factorise(sb_joint *joint, const side s[2]) {
    int n = joint->hold_count;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = coupling(&joint->rows[i], &joint->rows[j], s);
            if (i == j) sum *= 1.0 + 1e-9;
            for (int k = 0; k < j; k++)
                sum -= joint->factor[i][k] * joint->factor[j][k];
            if (i == j)
                joint->factor[i][i] = sum > 0.0 ? sqrt(sum) : INFINITY;
            else
                joint->factor[i][j] = sum / joint->factor[j][j];
        }
}

/* Impulses that change the velocities along the rows by `v`. */
static void solve_holds(const sb_joint *joint, double v[SB_JOINT_HOLDS]) {
    int n = joint->hold_count;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            v[i] -= joint->factor[i][k] * v[k];
        v[i] /= joint->factor[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            v[i] -= joint->factor[k][i] * v[k];
        v[i] /= joint->factor[i][i];
    }
}

/* --- all rows ------------------------------------------------------------- */

static void apply(sb_world *world, const sb_joint *joint,
                  const sb_joint_row *row, double impulse) {
    for (int i = 0; i < 2; i++) {
        if (joint->solid[i] < 0) continue;
        sb_solid *s = &world->solids[joint->solid[i]];
        if (s->motion != SB_MOTION_FREE || !sb_solid_moves(s)) continue;
        double by = i == 0 ? impulse : -impulse;
        s->velocity =
            sb_vec3_plus(s->velocity, row->along, by * s->inverse_mass);
        s->spin = sb_vec3_plus(s->spin, row->change[i], by);
    }
}

void sb_joints_prepare(sb_world *world, double h) {
    for (int n = 0; n < world->joint_count; n++) {
        sb_joint *joint = &world->joints[n];
        joint->row_count = joint->hold_count = 0;
        if (!joint->is_used) continue;
        side s[2] = {side_of(world, joint, 0), side_of(world, joint, 1)};
        if (!is_free(&s[0]) && !is_free(&s[1])) continue;
        if (joint->kind == SB_JOINT_SLIDER) {
            prepare_slider(joint, s, h);
        } else {
            hold_point(joint, s, h);
            if (joint->kind == SB_JOINT_HINGE) {
                sb_vec3 axis = s[1].axis;
                hold_axis(joint, s, h);
                limit(joint, s, nowhere, axis, axis, hinge_angle(joint, s), h);
                rub(joint, s, nowhere, axis, axis, h);
            } else {
                rub(joint, s, nowhere, (sb_vec3){1, 0, 0}, (sb_vec3){1, 0, 0},
                    h);
                rub(joint, s, nowhere, (sb_vec3){0, 1, 0}, (sb_vec3){0, 1, 0},
                    h);
                rub(joint, s, nowhere, (sb_vec3){0, 0, 1}, (sb_vec3){0, 0, 1},
                    h);
            }
        }
        while (joint->hold_count < joint->row_count &&
               isinf(joint->rows[joint->hold_count].least) &&
               isinf(joint->rows[joint->hold_count].most))
            joint->hold_count++;
        factorise(joint, s);
        for (int k = 0; k < joint->row_count; k++)
            apply(world, joint, &joint->rows[k], joint->rows[k].impulse);
    }
}

static double velocity_of(const sb_world *world, const sb_joint *joint,
                          const sb_joint_row *row) {
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        if (joint->solid[i] < 0) continue;
        const sb_solid *s = &world->solids[joint->solid[i]];
        double v = sb_vec3_dot(row->along, s->velocity) +
                   sb_vec3_dot(row->turn[i], s->spin);
        sum += i == 0 ? v : -v;
    }
    return sum;
}

/* Returns the largest velocity that it changes. */
static double solve_joint(sb_world *world, sb_joint *joint) {
    double v[SB_JOINT_HOLDS], changed = 0.0;
    for (int k = 0; k < joint->hold_count; k++) {
        v[k] =
            joint->rows[k].target - velocity_of(world, joint, &joint->rows[k]);
        changed = fmax(changed, fabs(v[k]));
    }
    solve_holds(joint, v);
    for (int k = 0; k < joint->hold_count; k++) {
        apply(world, joint, &joint->rows[k], v[k]);
        joint->rows[k].impulse += v[k];
    }
    for (int k = joint->hold_count; k < joint->row_count; k++) {
        sb_joint_row *row = &joint->rows[k];
        double off = velocity_of(world, joint, row) - row->target;
        double next = row->impulse - row->mass * off;
        next = fmin(fmax(next, row->least), row->most);
        apply(world, joint, row, next - row->impulse);
        if (row->mass > 0.0)
            changed = fmax(changed, fabs(next - row->impulse) / row->mass);
        row->impulse = next;
    }
    return changed;
}

double sb_joints_solve(sb_world *world) {
    double changed = 0.0;
    for (int n = 0; n < world->joint_count; n++) {
        if (world->joints[n].row_count == 0) continue;
        changed = fmax(changed, solve_joint(world, &world->joints[n]));
        world->solves_spent++;
    }
    return changed;
}

void sb_joints_keep(sb_world *world) {
    for (int n = 0; n < world->joint_count; n++) {
        sb_joint *joint = &world->joints[n];
        for (int k = 0; k < SB_JOINT_ROWS; k++)
            joint->kept[k] =
                k < joint->row_count ? joint->rows[k].impulse : 0.0;
    }
}
