/* Delays and gains at two ears: head, microphone pair, pan. Any thread. */
#include "runtime/scene/plan/listener.h"

#include "runtime/base/pi.h"

#define SQRT_2     1.4142135623730951
#define QUARTER_PI (SB_PI / 4.0)

sb_listener sb_listener_default(void) {
    return (sb_listener){.position = {0, 0, 1},
                         .facing = {0, 0, -1},
                         .gain = 1.0,
                         .ears = SB_EARS_HEAD,
                         .spacing_m = 0.2,
                         .air = sb_air_default()};
}

static bool is_at(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool sb_listener_is_same(const sb_listener *a, const sb_listener *b) {
    return is_at(a->position, b->position) && is_at(a->facing, b->facing) &&
           is_at(a->velocity, b->velocity) && a->gain == b->gain &&
           a->is_exposed == b->is_exposed && a->ears == b->ears &&
           a->spacing_m == b->spacing_m && sb_air_is_same(&a->air, &b->air);
}

/* A listener who looks straight up or down has x to the right. */
static sb_vec3 right_of(sb_vec3 facing) {
    sb_vec3 right = sb_vec3_cross(facing, (sb_vec3){0, 1, 0});
    if (sb_vec3_length(right) < 1e-9 * sb_vec3_length(facing)) {
        return (sb_vec3){1, 0, 0};
    }
    return sb_vec3_normalised(right);
}

static double level_at(const sb_listener *listener, double r) {
    return listener->gain / fmax(r, SB_NEAREST_M) / SB_FULL_SCALE_PA;
}

/* How far to the right, -1 .. 1. */
static double side_of(const sb_listener *listener, sb_vec3 to, double r) {
    if (!(r > 0.0)) return 0.0;
    double side = sb_vec3_dot(to, right_of(listener->facing)) / r;
    return fmax(-1.0, fmin(1.0, side));
}

/* Level of high frequencies by the angle from the ear's end of the axis. The
 * structural model has 0.1 at 150 degrees and 2 at 0. Divided by its value
 * straight ahead, so that nothing changes there, and bounded by 6 dB. */
static double shelf(double angle) {
    double ahead = 1.05 + 0.95 * cos(SB_PI * 90.0 / 150.0);
    double alpha = 1.05 + 0.95 * cos(angle * 180.0 / 150.0);
    return fmin(alpha / ahead, 2.0);
}

/* 0 straight ahead, negative on the near side. */
static double detour_m(double angle) {
    double behind = angle - 0.5 * SB_PI;
    return behind < 0.0 ? SB_HEAD_M * sin(behind) : SB_HEAD_M * behind;
}

static sb_heard listen_head(const sb_listener *listener, int ear, sb_vec3 to) {
    double r = sb_vec3_length(to);
    double side = side_of(listener, to, r) * (ear ? 1.0 : -1.0);
    double angle = acos(side);
    double level = level_at(listener, r), alpha = shelf(angle);
    double way_m = fmax(r + detour_m(angle), 0.0);
    return (sb_heard){.delay_s = way_m / sb_air_speed(&listener->air),
                      .full = level * alpha,
                      .dull = level * (1.0 - alpha),
                      .distance_m = r};
}

static sb_heard listen_pair(const sb_listener *listener, int ear, sb_vec3 to) {
    sb_vec3 right = right_of(listener->facing);
    double side = ear ? 0.5 : -0.5;
    sb_vec3 microphone = sb_vec3_scale(right, side * listener->spacing_m);
    double r = sb_vec3_length(sb_vec3_sub(to, microphone));
    return (sb_heard){.delay_s = r / sb_air_speed(&listener->air),
                      .full = level_at(listener, r),
                      .distance_m = r};
}

static sb_heard listen_pan(const sb_listener *listener, int ear, sb_vec3 to) {
    double r = sb_vec3_length(to);
    double angle = (1.0 + side_of(listener, to, r)) * QUARTER_PI;
    double level = level_at(listener, r) * SQRT_2;
    return (sb_heard){.full = level * (ear ? sin(angle) : cos(angle))};
}

sb_heard sb_listener_listen(const sb_listener *listener, int ear,
                            sb_vec3 source, double occlusion) {
    sb_vec3 to = sb_vec3_sub(source, listener->position);
    sb_heard heard = {0};
    switch (listener->ears) {
    case SB_EARS_PAIR:
        heard = listen_pair(listener, ear, to);
        break;
    case SB_EARS_PAN:
        heard = listen_pan(listener, ear, to);
        break;
    case SB_EARS_HEAD:
    case SB_EARS_KINDS:
        heard = listen_head(listener, ear, to);
        break;
    }
    double through = 0.5 * occlusion * (heard.full + heard.dull);
    heard.full *= 1.0 - occlusion;
    heard.dull = heard.dull * (1.0 - occlusion) + through;
    return heard;
}
