/* Points of the surface. Thread: as deform.h. */
#include "runtime/deform/deform_state.h"

#include <math.h>

static double clamp01(double x) {
    return fmin(fmax(x, 0), 1);
}

/* Shares of the corners in the point of side ab nearest to p. */
static void on_side(sb_vec3 a, sb_vec3 b, sb_vec3 p, double *sa, double *sb) {
    sb_vec3 side = sb_vec3_sub(b, a);
    double t = sb_vec3_dot(sb_vec3_sub(p, a), side) / sb_vec3_dot(side, side);
    *sb = clamp01(t);
    *sa = 1 - *sb;
}

static sb_vec3 mix(const sb_vec3 c[3], const double s[3]) {
    return sb_vec3_add(
        sb_vec3_scale(c[0], s[0]),
        sb_vec3_add(sb_vec3_scale(c[1], s[1]), sb_vec3_scale(c[2], s[2])));
}

double deform_shares(const sb_vec3 c[3], sb_vec3 p, double shares[3]) {
    sb_vec3 u = sb_vec3_sub(c[1], c[0]), v = sb_vec3_sub(c[2], c[0]);
    sb_vec3 normal = sb_vec3_cross(u, v), off = sb_vec3_sub(p, c[0]);
    double by = 1 / sb_vec3_dot(normal, normal);
    shares[1] = sb_vec3_dot(sb_vec3_cross(off, v), normal) * by;
    shares[2] = sb_vec3_dot(sb_vec3_cross(u, off), normal) * by;
    shares[0] = 1 - shares[1] - shares[2];
    if (shares[0] >= 0 && shares[1] >= 0 && shares[2] >= 0)
        return sb_vec3_length(sb_vec3_sub(p, mix(c, shares)));
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        double tried[3] = {0};
        on_side(c[i], c[k], p, &tried[i], &tried[k]);
        double distance = sb_vec3_length(sb_vec3_sub(p, mix(c, tried)));
        if (distance >= best) continue;
        best = distance;
        for (int n = 0; n < 3; n++) {
            shares[n] = tried[n];
        }
    }
    return best;
}

deform_place deform_nearest(const sb_deform *deform, int index, sb_vec3 at_m) {
    const deform_body *body = &deform->bodies[index];
    sb_vec3 p =
        sb_vec3_add(sb_quat_turn(body->rotation, at_m), body->position_m);
    deform_place place = {0};
    double best = INFINITY;
    for (int i = 0; i < body->face_count; i++) {
        const int *face = deform->faces[body->face_first + i];
        sb_vec3 c[3];
        double shares[3];
        for (int k = 0; k < 3; k++) {
            c[k] = row_vec3(deform->rest, body->node_first + face[k]);
        }
        double distance = deform_shares(c, p, shares);
        if (distance >= best) continue;
        best = distance;
        place.normal = sb_vec3_normalised(
            sb_vec3_cross(sb_vec3_sub(c[1], c[0]), sb_vec3_sub(c[2], c[0])));
        for (int k = 0; k < 3; k++) {
            place.nodes[k] = body->node_first + face[k];
            place.shares[k] = shares[k];
        }
    }
    return place;
}
