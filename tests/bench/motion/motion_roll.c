/* SPDX-License-Identifier: MIT */
/* Solids that land, roll down a slope and roll to rest, against closed forms.
 * Thread: control.
 *
 * With the radius r, the moment of inertia I = k m r^2 about the rolling axis, and
 * the lever c r of rolling friction:
 *
 *   landing   a blow whose friction suffices leaves v = v0 / (1 + k), spin v / r;
 *             one whose friction does not, J = mu (1 + e) m u of the vertical speed
 *             u, leaves v = v0 - J / m, spin J / (k m r)
 *   slope     a = g (sin s - c cos s) / (1 + k)
 *   to rest   a = c g / (1 + k)
 *
 * A cone of height h and half angle b rolls about its tip. On a slope it swings at
 * w^2 = 5 g sin s cos b / (h (1 + 5 cos^2 b)); on a floor its turning slows down by
 * 5 c g cos b / (h (1 + 5 cos^2 b)), slow turns presumed.
 * Source: Landau & Lifshitz, Mechanics, section 32. */
#include "runtime/base/pi.h"
#include "runtime/model/shape.h"
#include "tests/bench/motion/motion_mesh.h"
#include "tests/bench/motion/motion_scene.h"

#include <math.h>

/* --- what rolls ----------------------------------------------------------- */

typedef struct roller {
    const char *name;
    sb_collider collider;
    double radius_m, k;
    bool is_along_x; /* its axis; else along y */
} roller;

static roller cylinder(const char *name, double radius, double length) {
    return (roller){name, sb_collider_cylinder(radius, length), radius, 0.5,
                    false};
}

static roller capsule(double radius, double length) {
    double middle = length, caps = 4.0 / 3.0 * radius;
    return (roller){
        "capsule",
        {.kind = SB_COLLIDER_CAPSULE, .radius = radius, .length = length},
        radius,
        (0.5 * middle + 0.4 * caps) / (middle + caps),
        true};
}

static roller hoop(double radius, double wire) {
    double out = radius + wire;
    return (roller){"hoop",
                    {.kind = SB_COLLIDER_RING,
                     .radius = radius,
                     .wire_radius = wire,
                     .is_smooth = true},
                    out,
                    (radius * radius + 0.75 * wire * wire) / (out * out),
                    false};
}

enum { ROLLERS = 6 };

static void all_rollers(roller out[ROLLERS]) {
    out[0] = (roller){"ball", sb_collider_sphere(0.015), 0.015, 0.4, false};
    out[1] = cylinder("cylinder 30 x 200 mm", 0.015, 0.2);
    out[2] = cylinder("cylinder 16 x 20 mm", 0.008, 0.02);
    out[3] = cylinder("wheel 80 x 6 mm", 0.04, 0.006);
    out[4] = capsule(0.01, 0.06);
    out[5] = hoop(0.05, 0.004);
}

/* Its axis along z, rolling along x, `height_m` above the ground. */
static sb_solid_def roller_def(const roller *r, double height_m) {
    sb_solid_def def =
        motion_solid(r->collider, (sb_vec3){0.0, r->radius_m + height_m, 0.0});
    def.pose.rotation = r->is_along_x
                            ? sb_quat_about((sb_vec3){0, 1, 0}, 0.5 * SB_PI)
                            : sb_quat_about((sb_vec3){1, 0, 0}, 0.5 * SB_PI);
    def.density = 7850.0;
    return def;
}

static double error_of(double value, double exact) {
    return 100.0 * fabs(value / exact - 1.0);
}

/* --- landing -------------------------------------------------------------- */

typedef struct toss {
    double speed_m_s, fall_m, restitution, friction, rolling;
} toss;

/* The motion just before the second landing. */
static sb_status land(const roller *r, const toss *t, sb_pose *out,
                      sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_solid_def floor = motion_floor();
    (void)motion_put(&scene, &floor);
    sb_solid_def def = roller_def(r, t->fall_m);
    def.pose.velocity.x = t->speed_m_s;
    def.restitution = t->restitution;
    def.friction = t->friction;
    def.rolling = t->rolling;
    def.given = (sb_solid_given){true, true, true, false};
    sb_solid_id id = motion_put(&scene, &def);
    double fall_s = sqrt(2.0 * t->fall_m / MOTION_G);
    double end_s = fall_s * (1.0 + 1.8 * t->restitution);
    while (motion_time_s(&scene) < end_s && motion_step(&scene))
        continue;
    *out = motion_pose(&scene, id);
    return motion_close(&scene);
}

sb_status motion_landing(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    static const toss tosses[2] = {{0.7, 0.25, 0.4, 0.5, 0.01},
                                   {2.0, 0.1, 0.3, 0.1, 0.02}};
    roller rollers[ROLLERS];
    all_rollers(rollers);
    for (int i = 0; i < 2 * ROLLERS; i++) {
        const roller *r = &rollers[i / 2];
        const toss *t = &tosses[i % 2];
        double down = sqrt(2.0 * MOTION_G * t->fall_m);
        double most = t->friction * (1.0 + t->restitution) * down;
        double lost = fmin(t->speed_m_s * r->k / (1.0 + r->k), most);
        double spin = lost / (r->k * r->radius_m);
        sb_pose end;
        sb_status status = land(r, t, &end, err);
        if (status) return status;
        figures_add(out, error_of(-end.spin.z, spin), 0.5, "%",
                    "%s, %s: spin %.2f, exact %.2f rad/s", r->name,
                    lost < most ? "grips" : "slips", -end.spin.z, spin);
    }
    return SB_OK;
}

/* --- slopes and floors ---------------------------------------------------- */

/* From rest on a slope, or on a floor with the speed `speed_m_s`: the way along it
 * after `seconds`. */
static sb_status roll(const roller *r, double slope_rad, double rolling,
                      double speed_m_s, double seconds, double *way_m,
                      sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_solid_def floor = motion_floor();
    sb_quat slope = sb_quat_about((sb_vec3){0, 0, 1}, -slope_rad);
    floor.pose.rotation = slope;
    (void)motion_put(&scene, &floor);
    sb_solid_def def = roller_def(r, 0.0);
    def.pose.position = sb_quat_turn(slope, def.pose.position);
    def.pose.rotation = sb_quat_times(slope, def.pose.rotation);
    def.pose.velocity = sb_quat_turn(slope, (sb_vec3){speed_m_s, 0, 0});
    def.pose.spin.z = -speed_m_s / r->radius_m;
    def.rolling = rolling;
    def.given.rolling = true;
    sb_solid_id id = motion_put(&scene, &def);
    while (motion_time_s(&scene) < seconds - 1e-9 && motion_step(&scene))
        continue;
    sb_vec3 end = motion_pose(&scene, id).position;
    *way_m = sb_vec3_length(sb_vec3_sub(end, def.pose.position));
    return motion_close(&scene);
}

sb_status motion_rolling_down(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    const double slope_rad = 0.1, c = 0.02, speed_m_s = 0.5;
    roller rollers[ROLLERS];
    all_rollers(rollers);
    for (int i = 0; i < ROLLERS; i++) {
        const roller *r = &rollers[i];
        double way_m, g = MOTION_G / (1.0 + r->k);
        sb_status status = roll(r, slope_rad, c, 0.0, 1.0, &way_m, err);
        if (status) return status;
        double exact_m = 0.5 * g * (sin(slope_rad) - c * cos(slope_rad));
        figures_add(out, error_of(way_m, exact_m), 0.5, "%",
                    "%s, 1 s down: %.1f, exact %.1f mm", r->name, 1e3 * way_m,
                    1e3 * exact_m);
        exact_m = speed_m_s * speed_m_s / (2.0 * c * g);
        double rest_s = speed_m_s / (c * g);
        status = roll(r, 0.0, c, speed_m_s, 1.2 * rest_s, &way_m, err);
        if (status) return status;
        figures_add(out, error_of(way_m, exact_m), 0.5, "%",
                    "%s, to rest: %.1f, exact %.1f mm", r->name, 1e3 * way_m,
                    1e3 * exact_m);
    }
    return SB_OK;
}

/* --- a cone --------------------------------------------------------------- */

static const double CONE_M = 0.03, CONE_HIGH_M = 0.09; /* radius, height */
enum { CONE_SECTORS = 64 };

/* It lies on the ground, its tip at the origin, its line of contact along x, and
 * turns about the tip by `turn_rad` to begin with. */
static sb_solid_id put_cone(motion_scene *scene, const sb_shape *shape,
                            sb_quat slope, double turn_rad, double turn_rad_s,
                            double rolling) {
    double half = atan(CONE_M / CONE_HIGH_M);
    sb_solid_def def =
        motion_solid((sb_collider){.kind = SB_COLLIDER_HULL, .is_smooth = true},
                     (sb_vec3){0, 0, 0});
    def.shape = shape;
    def.friction = 1.0;
    def.restitution = 0.0;
    def.rolling = rolling;
    def.given = (sb_solid_given){true, true, true, false};
    /* its axis, from tip to base, along -y of the shape */
    sb_quat lie = sb_quat_about((sb_vec3){0, 0, 1}, 0.5 * SB_PI + half);
    sb_quat turned = sb_quat_about((sb_vec3){0, 1, 0}, turn_rad);
    def.pose.rotation = sb_quat_times(slope, sb_quat_times(turned, lie));
    sb_vec3 along =
        sb_quat_turn(slope, sb_quat_turn(turned, (sb_vec3){1, 0, 0}));
    /* It turns about its line of contact; its tip is at rest. */
    def.pose.spin = sb_vec3_scale(along, -turn_rad_s / tan(half));
    return motion_put(scene, &def);
}

/* Direction of its centre in the plane of the slope, rad. */
static double heading(const motion_scene *scene, sb_solid_id id,
                      sb_quat slope) {
    sb_pose pose = motion_pose(scene, id);
    sb_vec3 axis = sb_quat_turn(pose.rotation, (sb_vec3){0, -1, 0});
    sb_vec3 at = sb_quat_turn_back(slope, axis);
    return atan2(-at.z, at.x);
}

static sb_status swing_cone(const sb_shape *shape, double slope_rad,
                            double *period_s, sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_quat slope = sb_quat_about((sb_vec3){0, 0, 1}, -slope_rad);
    sb_solid_def floor = motion_floor();
    floor.pose.rotation = slope;
    (void)motion_put(&scene, &floor);
    sb_solid_id id = put_cone(&scene, shape, slope, 0.1, 0.0, 0.0);
    double before = 0.1, first_s = 0.0, last_s = 0.0;
    int count = 0;
    while (count < 5 && motion_time_s(&scene) < 10.0 && motion_step(&scene)) {
        double now = heading(&scene, id, slope);
        if (now * before < 0.0) {
            last_s =
                motion_time_s(&scene) - scene.step_s * now / (now - before);
            if (count++ == 0) first_s = last_s;
        }
        before = now;
    }
    *period_s = 2.0 * (last_s - first_s) / (count - 1);
    return motion_close(&scene);
}

static sb_status circle_cone(const sb_shape *shape, double turn_rad_s,
                             double rolling, double seconds, double *turned_rad,
                             sb_error *err) {
    motion_scene scene = motion_open(MOTION_RATE, err);
    sb_solid_def floor = motion_floor();
    (void)motion_put(&scene, &floor);
    sb_quat slope = sb_quat_identity();
    sb_solid_id id = put_cone(&scene, shape, slope, 0.0, turn_rad_s, rolling);
    double before = 0.0;
    *turned_rad = 0.0;
    while (motion_time_s(&scene) < seconds - 1e-9 && motion_step(&scene)) {
        double now = heading(&scene, id, slope);
        *turned_rad += remainder(now - before, 2.0 * SB_PI);
        before = now;
    }
    return motion_close(&scene);
}

static sb_status measure_cone(const sb_shape *shape, figure_sheet *out,
                              sb_error *err) {
    const double slope_rad = 0.2, turn_rad_s = 2.0, c = 0.01;
    double b = atan(CONE_M / CONE_HIGH_M);
    double by =
        5.0 * MOTION_G * cos(b) / (CONE_HIGH_M * (1.0 + 5.0 * cos(b) * cos(b)));
    double period_s, turned_rad;
    sb_status status = swing_cone(shape, slope_rad, &period_s, err);
    if (status) return status;
    double exact = 2.0 * SB_PI / sqrt(by * sin(slope_rad));
    figures_add(out, error_of(period_s, exact), 0.5, "%",
                "swings on a slope: period %.4f, exact %.4f s", period_s,
                exact);
    status = circle_cone(shape, turn_rad_s, 0.0, 3.0, &turned_rad, err);
    if (status) return status;
    exact = turn_rad_s * 3.0;
    figures_add(out, error_of(turned_rad, exact), 0.5, "%",
                "circles about its tip for 3 s: %.3f, exact %.3f rad",
                turned_rad, exact);
    exact = 0.5 * turn_rad_s * turn_rad_s / (c * by);
    status = circle_cone(shape, turn_rad_s, c, 5.0, &turned_rad, err);
    if (status) return status;
    figures_add(out, error_of(turned_rad, exact), 2.0, "%",
                "circles to rest: %.4f, exact %.4f rad", turned_rad, exact);
    return SB_OK;
}

sb_status motion_cone(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    sb_mesh_source *source = NULL;
    sb_status status =
        motion_cone_mesh(CONE_M, CONE_HIGH_M, CONE_SECTORS, &source, err);
    if (status) return status;
    sb_shape shape = {.kind = SB_SHAPE_MESH, .mesh = source};
    status = measure_cone(&shape, out, err);
    sb_mesh_source_release(source);
    return status;
}
