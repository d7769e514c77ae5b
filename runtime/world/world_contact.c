/* Makes contact constraints for ODE's solver and, from its result, contact
 * points. Runs on the control thread. */
#include "runtime/base/memory.h"
#include "runtime/world/world_internal.h"

#include <math.h>

/* Time since the first contact, from depth, closing speed and closing
 * acceleration: d = c T - a T^2 / 2. At most the time since the step began. */
static double time_since(double depth_m, double closing, double acceleration,
                         double most_s) {
    if (!(depth_m > 0.0)) return 0.0;
    if (!(closing > 0.0)) return most_s;
    double root = closing * closing - 2.0 * acceleration * depth_m;
    double time = 2.0 * depth_m / (closing + sqrt(fmax(root, 0.0)));
    return fmin(time, most_s);
}

static sb_vec3 fall_of(const sb_world *world, const sb_solid *solid) {
    bool falls = solid->motion == SB_MOTION_FREE && solid->is_drifted;
    return falls ? world->gravity : (sb_vec3){0.0, 0.0, 0.0};
}

/* The share of the closing speed that the pair keeps. A restitution that a
 * script gave to a solid is that share already. */
static double rebound_of(const sb_world *world, const sb_solid *const s[2],
                         const sb_contact_point *t) {
    bool is_given = s[0]->given.restitution || s[1]->given.restitution;
    if (is_given || !world->rebound) return t->restitution;
    return world->rebound(world->rebound_user, t);
}

/* What is known of a contact point before it is solved; `ago` seconds have
 * passed since the first contact. */
static sb_contact_point describe(const sb_world *world, const sb_collision *m,
                                 const sb_solid *const s[2], const sb_vec3 v[2],
                                 double ago) {
    double away = fmax(s[0]->left_s, s[1]->left_s);
    sb_contact_point t = {
        .user = {s[0]->user, s[1]->user},
        .point = m->point,
        .normal = m->normal,
        .depth_m = fmax(m->depth_m, 0.0),
        .time_s = world->step_s - away - ago,
        .restitution = sb_pair_mix(s[0]->restitution, s[0]->given.restitution,
                                   s[1]->restitution, s[1]->given.restitution),
        .is_smooth = s[0]->collider.is_smooth || s[1]->collider.is_smooth};
    for (int i = 0; i < 2; i++) {
        sb_vec3 back = sb_vec3_scale(fall_of(world, s[i]), -ago);
        t.velocity[i] = sb_vec3_add(v[i], back);
        t.centre[i] = sb_vec3_add(s[i]->velocity, back);
        t.inverse_mass[i] = sb_solid_inverse_mass(s[i], m->point, m->normal);
    }
    return t;
}

/* Fills in the data of a contact point before it is solved. Returns whether
 * the solids touch, and their target separation speed. */
static bool look(const sb_world *world, const sb_collision *m,
                 sb_contact_point *t, sb_contact_joint *hold, double *target) {
    const sb_solid *s[2] = {&world->solids[m->first],
                            &world->solids[m->second]};
    double h = world->step_s, away = fmax(s[0]->left_s, s[1]->left_s);
    sb_vec3 v[2] = {sb_solid_velocity_at(s[0], m->point),
                    sb_solid_velocity_at(s[1], m->point)};
    sb_vec3 fall = sb_vec3_sub(fall_of(world, s[0]), fall_of(world, s[1]));
    double closing = -sb_vec3_dot(sb_vec3_sub(v[0], v[1]), m->normal);
    double pull = -sb_vec3_dot(fall, m->normal);
    double ago = time_since(m->depth_m, closing, pull, h - away);
    double before = closing - pull * ago;
    /* Closing speeds that gravity gives in one or two steps are not an
     * impact. */
    double quiet = fmax(sb_vec3_length(world->gravity) * h, 5e-5);
    bool is_impact = before > 2.0 * quiet;
    /* It impacts in the next step. */
    if (is_impact && m->depth_m <= 0.0) return false;
    *t = describe(world, m, s, v, ago);
    t->approach_m_s = before;
    *target = 0.0;
    hold->lever_s = 0.5 * h;
    double bounce = 0.0;
    if (is_impact && t->restitution * before > quiet)
        bounce = rebound_of(world, s, t);
    if (is_impact && bounce * before > quiet) {
        *target = bounce * before - pull * ago;
        hold->lever_s = ago;
    } else if (is_impact) {
        hold->lever_s = fmin(m->depth_m / closing, h);
    }
    hold->rest_m = m->depth_m - fmax(closing + *target, 0.0) * hold->lever_s;
    return true;
}

/* The friction direction follows the slip, so that ODE's friction pyramid
 * acts as a cone for sliding solids. */
static void set_friction(const sb_solid *a, const sb_solid *b,
                         const sb_contact_point *t, bool may_roll,
                         dContact *c) {
    c->surface.mode |= dContactApprox1;
    c->surface.mu = sb_pair_mix(a->friction, a->given.friction, b->friction,
                                b->given.friction);
    sb_vec3 slip = sb_vec3_sub(t->velocity[0], t->velocity[1]);
    slip = sb_vec3_sub(slip,
                       sb_vec3_scale(t->normal, sb_vec3_dot(slip, t->normal)));
    double speed = sb_vec3_length(slip);
    if (speed > 1e-6) {
        slip = sb_vec3_scale(slip, 1.0 / speed);
        c->surface.mode |= dContactFDir1;
        c->fdir1[0] = slip.x, c->fdir1[1] = slip.y, c->fdir1[2] = slip.z;
    }
    double rolling =
        sb_pair_mix(a->rolling, a->given.rolling, b->rolling, b->given.rolling);
    if (!may_roll || !(rolling > 0.0)) return;
    /* Rolling friction costs three more rows. Two free solids slide rather
     * than roll on each other, so they have none. */
    if (a->motion == SB_MOTION_FREE && b->motion == SB_MOTION_FREE) return;
    /* Lever arm as a fraction of the distance from centre to point. */
    double far = 0.0;
    if (a->motion == SB_MOTION_FREE)
        far = sb_vec3_length(sb_vec3_sub(t->point, a->position));
    if (b->motion == SB_MOTION_FREE)
        far = fmax(far, sb_vec3_length(sb_vec3_sub(t->point, b->position)));
    c->surface.mode |= dContactRolling;
    c->surface.rho = c->surface.rho2 = c->surface.rhoN = rolling * far;
}

static void hold_apart(sb_world *world, const sb_collision *m,
                       const sb_contact_point *t, sb_contact_joint *hold,
                       bool may_roll, double target) {
    sb_solid *a = &world->solids[m->first], *b = &world->solids[m->second];
    dContact c = {.surface = {.mode = dContactSoftERP | dContactMotionN,
                              .soft_erp = 0.0,
                              .motionN = target}};
    set_friction(a, b, t, may_roll, &c);
    /* ODE requires the first body of a joint to exist. */
    hold->is_turned = a->body == NULL;
    double sign = hold->is_turned ? -1.0 : 1.0;
    c.geom.pos[0] = m->point.x;
    c.geom.pos[1] = m->point.y;
    c.geom.pos[2] = m->point.z;
    c.geom.normal[0] = sign * m->normal.x;
    c.geom.normal[1] = sign * m->normal.y;
    c.geom.normal[2] = sign * m->normal.z;
    dJointID joint = dJointCreateContact(world->ode, world->contacts, &c);
    dJointAttach(joint, hold->is_turned ? b->body : a->body,
                 hold->is_turned ? NULL : b->body);
    dJointSetFeedback(joint, &hold->feedback);
    a->touch_count++;
    b->touch_count++;
}

/* Index after the last collision of the pair that begins at `start`. */
static int end_of_pair(const sb_world *world, int start) {
    const sb_collision *m = world->collisions;
    int end = start + 1;
    while (end < world->collision_count && m[end].first == m[start].first &&
           m[end].second == m[start].second)
        end++;
    return end;
}

static bool make_room(sb_world *world, int count) {
    if (count <= world->touch_capacity) return true;
    int contact_points = world->touch_capacity,
        contact_joints = world->touch_capacity;
    if (!sb_grow((void **)&world->contact_points, &contact_points, count,
                 sizeof *world->contact_points) ||
        !sb_grow((void **)&world->contact_joints, &contact_joints, count,
                 sizeof *world->contact_joints))
        return false;
    world->touch_capacity = contact_points;
    return true;
}

/* Moves the collisions that are contacts to the front, together with their
 * contact points. */
sb_status sb_world_make_contacts(sb_world *world, sb_error *err) {
    world->touch_count = 0;
    if (!make_room(world, world->collision_count))
        return sb_fail(err, SB_NO_MEMORY, "no memory for contacts");
    int count = 0, end = 0;
    bool rolls = true;
    for (int i = 0; i < world->collision_count; i++) {
        sb_collision m = world->collisions[i];
        /* A solid with three contact points does not roll: rolling friction
         * would double the work without effect. */
        if (i == end) {
            end = end_of_pair(world, i);
            rolls = end - i < 3;
        }
        sb_contact_point touch = {0};
        sb_contact_joint hold = {0};
        double target = 0.0;
        if (!look(world, &m, &touch, &hold, &target)) continue;
        world->collisions[count] = m;
        world->contact_points[count] = touch;
        world->contact_joints[count] = hold;
        hold_apart(world, &m, &touch, &world->contact_joints[count], rolls,
                   target);
        count++;
    }
    world->collision_count = world->touch_count = count;
    return SB_OK;
}

/* --- after ODE ------------------------------------------------------------ */

static void shift_by(sb_solid *solid, sb_vec3 point, sb_vec3 impulse,
                     double lever_s) {
    if (solid->motion != SB_MOTION_FREE) return;
    sb_vec3 arm = sb_vec3_sub(point, solid->position);
    sb_vec3 turn = sb_solid_inverse_inertia(solid, sb_vec3_cross(arm, impulse));
    solid->shift = sb_vec3_add(
        solid->shift, sb_vec3_scale(impulse, lever_s * solid->inverse_mass));
    solid->turn = sb_vec3_add(solid->turn, sb_vec3_scale(turn, lever_s));
}

/* Separates solids that still overlap gradually, without adding velocity. */
static void push_out(const sb_world *world, const sb_collision *m,
                     double rest_m) {
    double slop = world->skin_m, h = world->step_s;
    if (!(rest_m > slop)) return;
    sb_solid *a = &world->solids[m->first], *b = &world->solids[m->second];
    double inverse[2] = {a->inverse_mass, b->inverse_mass};
    double sum = inverse[0] + inverse[1];
    if (!(sum > 0.0)) return;
    double part = fmin(0.3 * (rest_m - slop), h);
    double share[2] = {part * inverse[0] / sum / a->touch_count,
                       -part * inverse[1] / sum / b->touch_count};
    a->shift = sb_vec3_add(a->shift, sb_vec3_scale(m->normal, share[0]));
    b->shift = sb_vec3_add(b->shift, sb_vec3_scale(m->normal, share[1]));
}

void sb_world_report_contacts(sb_world *world) {
    double h = world->step_s;
    int told = 0;
    for (int i = 0; i < world->touch_count; i++) {
        const sb_collision *m = &world->collisions[i];
        const sb_contact_joint *hold = &world->contact_joints[i];
        sb_contact_point touch = world->contact_points[i];
        const dReal *f = hold->feedback.f1;
        double scale = hold->is_turned ? -h : h;
        sb_vec3 impulse = sb_vec3_scale((sb_vec3){f[0], f[1], f[2]}, scale);
        double along = sb_vec3_dot(impulse, m->normal);
        touch.impulse_ns = fmax(along, 0.0);
        touch.rub_ns = sb_vec3_sub(impulse, sb_vec3_scale(m->normal, along));
        shift_by(&world->solids[m->first], m->point, impulse,
                 hold->lever_s - 0.5 * h);
        shift_by(&world->solids[m->second], m->point,
                 sb_vec3_scale(impulse, -1.0), hold->lever_s - 0.5 * h);
        push_out(world, m, hold->rest_m);
        if (touch.depth_m > 0.0 || touch.impulse_ns > 0.0)
            world->contact_points[told++] = touch;
    }
    world->touch_count = told;
}

const sb_contact_point *sb_world_contact_points(const sb_world *world,
                                                int *count) {
    *count = world->touch_count;
    return world->contact_points;
}
