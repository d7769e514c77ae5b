/* Checks and defaults of declared motion and joints. Runs on the thread that
 * owns the plan. */
#include "runtime/scene/plan/motion.h"

#include "runtime/model/shape.h"
#include "runtime/world/collider_choice.h"

#include <math.h>
#include <string.h>

/* Values for a body without a material: about those of wood. */
#define USUAL_RESTITUTION 0.5
#define USUAL_FRICTION    0.4

/* Rolling friction as a share of the radius: about 0.001 for steel on steel,
 * 0.005 for a marble or a bronze ring on wood, 0.02 for rubber on wood. Part of
 * the deformation by the weight does not spring back, more of it in soft
 * materials:
 *
 *     c = 0.001 (200 GPa / E)^0.9, at most 0.03;  of a pair sqrt(c1 c2) */
#define USUAL_ROLLING  0.01
#define ROLLING_STEEL  0.001
#define ROLLING_MOST   0.03
#define ROLLING_POWER  0.9
#define STIFF_STEEL_PA 2e11

/* Slip over which dry friction falls. */
#define SQUEAK_M_S 0.1

sb_motion_part sb_motion_part_default(void) {
    return (sb_motion_part){.rotation = sb_quat_identity(),
                            .restitution = -1.0,
                            .friction = -1.0,
                            .static_friction = -1.0,
                            .rolling = -1.0,
                            .lever_m = -1.0};
}

double sb_motion_restitution(const sb_motion_part *part,
                             const sb_material *material) {
    if (part->restitution >= 0.0) return part->restitution;
    return material ? material->restitution : USUAL_RESTITUTION;
}

double sb_motion_friction(const sb_motion_part *part,
                          const sb_material *material) {
    if (part->friction >= 0.0) return part->friction;
    return material ? material->friction : USUAL_FRICTION;
}

double sb_motion_rolling(const sb_motion_part *part,
                         const sb_material *material) {
    if (part->rolling >= 0.0) return part->rolling;
    if (!material) return USUAL_ROLLING;
    double softer = fmax(STIFF_STEEL_PA / material->youngs_modulus, 1.0);
    return fmin(ROLLING_STEEL * pow(softer, ROLLING_POWER), ROLLING_MOST);
}

sb_collider sb_motion_collider(const sb_motion_part *part,
                               const sb_shape *shape) {
    if (part->collider.kind != SB_COLLIDER_AUTO) return part->collider;
    sb_collider collider = sb_collider_of(shape);
    if (part->motion != SB_MOTION_FREE && sb_collider_is_open(shape))
        collider.kind = SB_COLLIDER_MESH;
    return collider;
}

/* --- checks -------------------------------------------------------------- */

#define FARTHEST_M    1e6
#define FASTEST_M_S   1e5
#define FASTEST_RAD_S 1e5

static bool is_within(sb_vec3 v, double most) {
    /* Written so that a NaN fails, too. */
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

static bool is_unit(sb_quat q) {
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return fabs(square - 1.0) < 1e-6;
}

static bool is_share(double value, double most) {
    return value < 0.0 || value <= most;
}

sb_status sb_motion_check(const sb_motion_part *part, const sb_shape *shape,
                          sb_error *err) {
    if (!is_unit(part->rotation))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "rotation must be a unit quaternion");
    if (!is_within(part->velocity, FASTEST_M_S))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "velocity must be finite and within %g m/s",
                       FASTEST_M_S);
    if (!is_within(part->spin, FASTEST_RAD_S))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "spin must be finite and within %g rad/s",
                       FASTEST_RAD_S);
    if (!is_share(part->restitution, 1.0) || !is_share(part->friction, 10.0) ||
        !is_share(part->static_friction, 10.0) || !is_share(part->rolling, 1.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "restitution and rolling must be 0 to 1, friction and "
                       "static friction 0 to 10, got %g, %g, %g and %g",
                       part->restitution, part->rolling, part->friction,
                       part->static_friction);
    if (!is_share(part->lever_m, 1.0) ||
        !(part->drag_m2 >= 0.0 && part->drag_m2 <= 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "lever must be 0 to 1 m and drag 0 to 1e6 m^2, got %g "
                       "and %g",
                       part->lever_m, part->drag_m2);
    if (!(part->mass_kg == 0.0 ||
          (part->mass_kg >= 1e-9 && part->mass_kg <= 1e9)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mass must be 1e-9 to 1e9 kg, got %g", part->mass_kg);
    /* The collider matters only for a body in motion. */
    if (part->collider.kind == SB_COLLIDER_AUTO &&
        part->motion == SB_MOTION_FIXED)
        return SB_OK;
    sb_collider collider = sb_motion_collider(part, shape);
    if (collider.kind == SB_COLLIDER_NONE) return SB_OK;
    if (collider.kind == SB_COLLIDER_FLOOR && part->motion == SB_MOTION_FREE)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a floor is half of the world and cannot be free; it "
                       "may be fixed or scripted");
    return sb_collider_check(&collider, shape, err);
}

static bool is_same_vec3(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool sb_motion_is_same_start(const sb_motion_part *a, const sb_motion_part *b) {
    const sb_quat *p = &a->rotation, *q = &b->rotation;
    return p->w == q->w && p->x == q->x && p->y == q->y && p->z == q->z &&
           is_same_vec3(a->velocity, b->velocity) &&
           is_same_vec3(a->spin, b->spin);
}

/* The others of a strike are not set. */
static bool is_same_design(const sb_strike_def *a, const sb_strike_def *b) {
    const sb_graze_def *p = &a->graze, *q = &b->graze;
    for (int i = 0; i < a->curve.count && i < b->curve.count; i++) {
        const sb_level_point *m = &a->curve.points[i], *n = &b->curve.points[i];
        if (m->speed_m_s != n->speed_m_s || m->level_m_s != n->level_m_s)
            return false;
    }
    return a->curve.count == b->curve.count && a->limit_ns == b->limit_ns &&
           a->onset_m_s == b->onset_m_s &&
           a->stiffening_per_m == b->stiffening_per_m &&
           a->scatter.per_m_s == b->scatter.per_m_s &&
           a->scatter.spread_s == b->scatter.spread_s &&
           a->scatter.level == b->scatter.level && a->grazes == b->grazes &&
           p->time_s == q->time_s && p->roughness_m == q->roughness_m &&
           p->slide == q->slide && p->level == q->level;
}

bool sb_motion_is_same_design(const sb_motion_part *a,
                              const sb_motion_part *b) {
    return a->has_impacts == b->has_impacts &&
           is_same_design(&a->impacts, &b->impacts);
}

static bool is_same_collider(const sb_collider *a, const sb_collider *b) {
    return a->kind == b->kind && a->radius == b->radius &&
           a->wire_radius == b->wire_radius && a->width == b->width &&
           a->height == b->height && a->depth == b->depth &&
           a->length == b->length && a->is_smooth == b->is_smooth;
}

bool sb_motion_is_same(const sb_motion_part *a, const sb_motion_part *b) {
    return a->motion == b->motion && a->restitution == b->restitution &&
           a->friction == b->friction &&
           a->static_friction == b->static_friction &&
           a->rolling == b->rolling && a->lever_m == b->lever_m &&
           a->drag_m2 == b->drag_m2 && a->mass_kg == b->mass_kg &&
           is_same_collider(&a->collider, &b->collider);
}

/* --- the world ----------------------------------------------------------- */

sb_world_rules sb_world_rules_default(void) {
    return (sb_world_rules){.gravity = {0.0, -9.81, 0.0},
                            .air_kg_m3 = 1.204,
                            .squeak_m_s = SQUEAK_M_S};
}

sb_status sb_joint_check(const sb_joint_part *joint, sb_error *err) {
    const char *name = joint->name;
    if (!name[0])
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a joint's name must have 1 to %d bytes",
                       SB_NAME_SIZE - 1);
    if (!joint->body[0][0] || strcmp(joint->body[0], joint->body[1]) == 0)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s' needs a body, and another or the world",
                       name);
    if (!is_within(joint->at, FARTHEST_M) ||
        !is_within(joint->axis, FARTHEST_M))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s': at and axis must be finite and within %g",
                       name, FARTHEST_M);
    if (joint->kind != SB_JOINT_BALL && !(sb_vec3_length(joint->axis) > 0.0))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s': its axis must not be { 0, 0, 0 }", name);
    if (joint->has_limits && !(joint->low <= joint->high))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s': low must not be above high", name);
    if (!(joint->friction >= 0.0 && joint->friction <= 1e9))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s': friction must be 0 to 1e9, got %g", name,
                       joint->friction);
    return SB_OK;
}

bool sb_joint_is_same(const sb_joint_part *a, const sb_joint_part *b) {
    return strcmp(a->name, b->name) == 0 && a->kind == b->kind &&
           strcmp(a->body[0], b->body[0]) == 0 &&
           strcmp(a->body[1], b->body[1]) == 0 && is_same_vec3(a->at, b->at) &&
           is_same_vec3(a->axis, b->axis) && a->has_limits == b->has_limits &&
           a->low == b->low && a->high == b->high && a->friction == b->friction;
}
