/* SPDX-License-Identifier: MIT */
/* Bodies, joints and the world as described: fields, defaults, checks. Any
 * thread. */
#include "runtime/scene/plan/body_def.h"

#include "runtime/base/pi.h"
#include "runtime/model/shape.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/world/collider_choice.h"

#include <math.h>
#include <stdio.h>
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

static sb_motion_part still(void) {
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

static bool is_within(sb_vec3 v, double most) {
    /* Written so that a NaN fails, too. */
    return fabs(v.x) <= most && fabs(v.y) <= most && fabs(v.z) <= most;
}

static bool is_unit(sb_quat q) {
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return fabs(square - 1.0) < 1e-6;
}

/* Rotation and collider; the numbers are rows of sb_body_fields. */
static sb_status check_motion(const sb_motion_part *part, const sb_shape *shape,
                              sb_error *err) {
    if (!is_unit(part->rotation))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "rotation must be a unit quaternion");
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

/* --- force fields ---------------------------------------------------------- */

/* Nearer to the centre the pull does not grow. */
static const double NEAREST_M = 1e-3;

sb_force_field sb_force_field_default(void) {
    return (sb_force_field){.falloff = 2.0, .within_m = INFINITY};
}

sb_vec3 sb_force_field_at(const sb_force_field *field, sb_vec3 place,
                          double mass_kg, double time_s) {
    sb_vec3 to = sb_vec3_sub(field->centre_m, place);
    double far = sb_vec3_length(to);
    sb_vec3 sum = {0.0, 0.0, 0.0};
    if (!(far <= field->within_m)) return sum;
    sum = sb_vec3_add(field->acceleration,
                      sb_vec3_scale(field->force_n, 1.0 / mass_kg));
    if (field->pull != 0.0 && far > 0.0) {
        double size = field->pull / pow(fmax(far, NEAREST_M), field->falloff);
        sum = sb_vec3_add(sum, sb_vec3_scale(to, size / far));
    }
    if (field->frequency_hz > 0.0)
        sum =
            sb_vec3_scale(sum, cos(2.0 * SB_PI * field->frequency_hz * time_s +
                                   field->phase_rad));
    return sum;
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
    if (!is_within(joint->at, SB_FARTHEST_M) ||
        !is_within(joint->axis, SB_FARTHEST_M))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "joint '%s': at and axis must be finite and within %g",
                       name, SB_FARTHEST_M);
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

/* In the order of their enums. */
static const char *const motions[] = {"fixed", "free", "scripted", NULL};
static const char *const roles[] = {"both", "exciter", "resonator", NULL};

/* --- fields --------------------------------------------------------------- */

#define POSITION(at)                                 \
    SB_FIELD_XYZ("position", at, SB_FARTHEST_M, "m", \
                 "of its centre, y is up; default { 0, 0, 0 }")
#define VELOCITY(at) \
    SB_FIELD_XYZ("velocity", at, 1e5, "m/s", "initial; default { 0, 0, 0 }")
#define SPIN(at)                           \
    SB_FIELD_XYZ("spin", at, 1e5, "rad/s", \
                 "initial, about the world's axes; default { 0, 0, 0 }")

const sb_field sb_pose_fields[] = {POSITION(offsetof(sb_pose, position)),
                                   VELOCITY(offsetof(sb_pose, velocity)),
                                   SPIN(offsetof(sb_pose, spin)),
                                   SB_FIELDS_END};

#define AT(field) offsetof(sb_body_def, field)

const sb_field sb_body_fields[] = {
    {.name = "shape",
     .kind = SB_FIELD_OTHER,
     .is_needed = true,
     .unit = "",
     .type = "sandbell.Shape",
     .help = "sb.bar { ... } or another"},
    SB_FIELD_READ_BY_CALLER(
        "material", "sandbell.Material|string", "",
        "or its name; optional only for sb.modes, sb.rigid and sb.floor"),
    POSITION(AT(position)),
    SB_FIELD_ROW("gain", AT(gain), 0, 1000, 0, 0, NULL, "",
                 "of its sound, linear; default 1"),
    SB_FIELD_READ_BY_CALLER(
        "surface", "sandbell.Surface", "",
        "roughness under what rolls and slides on it; default by its "
        "material"),
    SB_FIELD_READ_BY_CALLER(
        "weights", "sandbell.Texture|false", "",
        "mode weights over the surface, from sb.texture; default, and "
        "false: the mode shapes"),
    SB_FIELD_ONE_OF(
        "role", AT(role), roles,
        "an exciter strikes others and never rings, a resonator rings "
        "and never strikes others; default both"),
    SB_FIELD_READ_BY_CALLER(
        "diffuse", "boolean|sandbell.DiffuseDef", "",
        "modes above a crossover become noise: wood, doors; false: "
        "modes too many to be held are left out instead of becoming "
        "noise; true: they are noise even if the shape has `modes`"),
    SB_FIELD_READ_BY_CALLER(
        "nonlinear", "sandbell.NonlinearDef", "",
        "stiffness grows with amplitude: gongs, thin sheets"),
    SB_FIELD_ONE_OF("motion", AT(moves.motion), motions,
                    "it stays, it falls and collides, or it keeps its velocity "
                    "through all obstacles; default fixed"),
    SB_FIELD_ONE_OF(
        "discretisation", AT(discretisation), sb_discretisation_names,
        "how its modes are sampled, for teaching: direct is detuned "
        "where low, euler sharp, bilinear flat, naive folds what is "
        "above half the sample rate; default exact"),
    SB_FIELD_READ_BY_CALLER(
        "rotation", "number[]", "",
        "{ x, y, z, angle }: an axis and radians about it; default "
        "no rotation"),
    VELOCITY(AT(moves.velocity)),
    SPIN(AT(moves.spin)),
    SB_FIELD_OR_LESS(
        "restitution", AT(moves.restitution), 1, "",
        "speed after a bounce over speed before; if both bodies give one, "
        "their geometric mean; if one does, that; default by material, less "
        "what the modes take"),
    SB_FIELD_OR_LESS(
        "friction", AT(moves.friction), 10, "",
        "coefficient (Coulomb); combined as restitution; default by material"),
    SB_FIELD_OR_LESS(
        "mu_static", AT(moves.static_friction), 10, "",
        "friction of what begins to slip, for the sound; combined as "
        "restitution. Above `friction`, what slides slowly squeaks (see "
        "`squeak` of sb.world); default: none"),
    SB_FIELD_OR_LESS(
        "rolling", AT(moves.rolling), 1, "",
        "rolling resistance, as a share of the radius of curvature in the "
        "rolling direction, more for a rim that lies nearly flat; default by "
        "its material"),
    SB_FIELD_OR_LESS(
        "lever", AT(moves.lever_m), 1, "m",
        "rolling resistance as a length: torque over load, against rolling "
        "and against spinning; combined as restitution; default by `rolling`"),
    SB_FIELD_ROW("drag", AT(moves.drag_m2), 0, 1e6, 0, 0, NULL, "m^2",
                 "drag coefficient times area, in the air and the wind of "
                 "sb.world; default 0: none"),
    SB_FIELD_ROW("mass", AT(moves.mass_kg), 1e-9, 1e9, 0, 0, NULL, "kg",
                 "of a free body; default by shape and material"),
    SB_FIELD_READ_BY_CALLER(
        "collider", "sandbell.ColliderDef|string", "",
        "its collision shape, or the kind of it; default by shape"),
    SB_FIELD_READ_BY_CALLER(
        "impacts", "sandbell.ImpactsDef", "",
        "how its impacts in the world sound, instead of all that "
        "sb.world says of it; of two bodies that have it, that of `a` "
        "of scene.contact holds; default as sb.world says"),
    SB_FIELDS_END};

sb_body_def sb_body_def_default(void) {
    return (sb_body_def){.gain = 1.0,
                         .diffuse = {.crossover_hz = 800.0, .level = 1.0},
                         .nonlinear = {.stiffens = true, .knee_m_s = 0.1},
                         .moves = still()};
}

/* --- checks --------------------------------------------------------------- */

sb_status sb_body_blame(const char *name, sb_status status, sb_error *err) {
    return sb_error_lead(err, status, "body '%s'", name);
}

sb_status sb_body_check(const sb_body_def *def, sb_error *err) {
    size_t length = def->name ? strlen(def->name) : 0;
    if (length < 1 || length >= SB_NAME_SIZE) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a body's name must have 1 to %d bytes, got %d",
                       SB_NAME_SIZE - 1, (int)length);
    }
    sb_shape_kind kind = def->shape.kind;
    if (sb_shape_needs_material(&def->shape) && !def->has_material) {
        return sb_fail(err, SB_BAD_ARGUMENT, "body '%s': a %s needs a material",
                       def->name, sb_shape_kind_name(kind));
    }
    if ((def->diffuse.is_on || def->nonlinear.is_on) &&
        (kind == SB_SHAPE_RIGID || kind == SB_SHAPE_FLOOR)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "body '%s': %s needs a shape that rings, and a "
                       "%s does not",
                       def->name, def->diffuse.is_on ? "diffuse" : "nonlinear",
                       kind == SB_SHAPE_RIGID ? "rigid one" : "floor");
    }
    char what[SB_NAME_SIZE + 8];
    (void)snprintf(what, sizeof what, "body '%s'", def->name);
    sb_status status = sb_fields_check(sb_body_fields, true, def, what, err);
    if (!status) status = sb_shape_check(&def->shape, err);
    if (!status && def->has_material) {
        status = sb_material_check(&def->material, err);
    }
    if (status) return status;
    status = check_motion(&def->moves, &def->shape, err);
    return status ? sb_body_blame(def->name, status, err) : SB_OK;
}
