#include "runtime/scene/listener.h"

#define SQRT_2     1.4142135623730951
#define QUARTER_PI 0.7853981633974483

sb_listener sb_listener_default(void) {
    return (sb_listener){
        .position = {0, 0, 1}, .facing = {0, 0, -1}, .gain = 1.0};
}

/* A listener who looks straight up or down has x to the right. */
static sb_vec3 right_of(sb_vec3 facing) {
    sb_vec3 right = sb_vec3_cross(facing, (sb_vec3){0, 1, 0});
    if (sb_vec3_length(right) < 1e-9 * sb_vec3_length(facing)) {
        return (sb_vec3){1, 0, 0};
    }
    return sb_vec3_normalised(right);
}

void sb_listener_hear(const sb_listener *listener, sb_vec3 source,
                      float ear_gain[2]) {
    sb_vec3 to = sb_vec3_sub(source, listener->position);
    double r = sb_vec3_length(to);
    double side = 0.0;
    if (r > 0.0) {
        side = sb_vec3_dot(to, right_of(listener->facing)) / r;
    }
    double angle = (1.0 + side) * QUARTER_PI;
    double level = listener->gain / fmax(r, SB_NEAREST_M) / SB_FULL_SCALE_PA;
    ear_gain[0] = (float)(level * SQRT_2 * cos(angle));
    ear_gain[1] = (float)(level * SQRT_2 * sin(angle));
}
