/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/directions.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* Each row gives all points that differ from it in order and signs. */
static const struct {
    double at[3], weight;
} orbits[] = {
    {{1, 0, 0}, 0.01154401154401154},
    {{0.5773502691896258, 0.5773502691896258, 0.5773502691896258},
     0.01194390908585628},
    {{0.3696028464541502, 0.3696028464541502, 0.8525183117012676},
     0.01111055571060340},
    {{0.6943540066026664, 0.6943540066026664, 0.1890635528853950},
     0.01187650129453714},
    {{0.3742430390903412, 0.9273306571511725, 0}, 0.01181230374690448},
};

static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                 {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};

static sb_vec3 in_order(const double at[3], int order) {
    const int *o = orders[order];
    return (sb_vec3){at[o[0]], at[o[1]], at[o[2]]};
}

static bool is_repeated(const double at[3], int order) {
    sb_vec3 p = in_order(at, order);
    for (int i = 0; i < order; i++) {
        sb_vec3 q = in_order(at, i);
        if (p.x == q.x && p.y == q.y && p.z == q.z) return true;
    }
    return false;
}

/* The `signs`-th change of signs; false for one that changes a zero, and for
 * the opposite of another. */
static bool change_signs(sb_vec3 *p, int signs) {
    double *at[3] = {&p->x, &p->y, &p->z};
    bool is_first = true;
    for (int j = 0; j < 3; j++) {
        bool is_negative = signs >> j & 1;
        if (*at[j] == 0 && is_negative) return false;
        if (*at[j] != 0 && is_first && is_negative) return false;
        if (*at[j] != 0) is_first = false;
        if (is_negative) *at[j] = -*at[j];
    }
    return true;
}

/* Rotated by about 1 rad about an axis that is not an axis of symmetry. */
static sb_vec3 turned(sb_vec3 p) {
    const sb_vec3 axis = {0.2672612419124244, 0.5345224838248488,
                          0.8017837257372732};
    double c = cos(1.0), s = sin(1.0);
    sb_vec3 along = sb_vec3_scale(axis, sb_vec3_dot(axis, p) * (1 - c));
    sb_vec3 across = sb_vec3_scale(sb_vec3_cross(axis, p), s);
    return sb_vec3_add(sb_vec3_add(sb_vec3_scale(p, c), across), along);
}

void sb_directions(sb_direction pairs[SB_DIRECTION_PAIRS]) {
    int count = 0;
    for (int i = 0; i < (int)(sizeof orbits / sizeof *orbits); i++) {
        for (int order = 0; order < 6; order++) {
            if (is_repeated(orbits[i].at, order)) continue;
            for (int signs = 0; signs < 8; signs++) {
                sb_vec3 p = in_order(orbits[i].at, order);
                if (!change_signs(&p, signs)) continue;
                assert(count < SB_DIRECTION_PAIRS);
                pairs[count++] = (sb_direction){turned(p), orbits[i].weight};
            }
        }
    }
    assert(count == SB_DIRECTION_PAIRS);
}
