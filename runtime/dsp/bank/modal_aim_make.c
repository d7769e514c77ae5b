/* SPDX-License-Identifier: MIT */
/* From patterns to what a bank is heard with. Thread: control. */
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_aim.h"
#include "runtime/dsp/bank/modal_kernel.h"

#include <math.h>
#include <string.h>

static int order_of(const sb_pattern *pattern) {
    double phase, real;
    return sb_pattern_turn(pattern, &phase, &real) ? pattern->order : 0;
}

static int group_order(const sb_pattern *patterns, int count, int group) {
    int first = group * SB_MODAL_LANES, most = 0;
    for (int k = first; k < first + SB_MODAL_LANES && k < count; k++) {
        int order = order_of(&patterns[k]);
        if (order > most) most = order;
    }
    return most;
}

static size_t group_floats(int order) {
    return (size_t)sb_harmonics_count(order) * SB_MODAL_LANES;
}

static int groups_of(int count) {
    return (count + SB_MODAL_LANES - 1) / SB_MODAL_LANES;
}

static size_t aimed_offset(int groups) {
    return sb_modal_bank_aligned(sizeof(sb_modal_aims) +
                                 (size_t)groups * sizeof(int));
}

static size_t halves_offset(int groups) {
    return aimed_offset(groups) + (size_t)groups * sizeof(sb_modal_aimed);
}

static size_t coefs_offset(int groups) {
    return halves_offset(groups) + (size_t)groups * sizeof(sb_modal_halves);
}

size_t sb_modal_aims_bytes(const sb_pattern *patterns, int count) {
    size_t floats = 0;
    for (int g = 0; g < groups_of(count); g++)
        floats += group_floats(group_order(patterns, count, g));
    return coefs_offset(groups_of(count)) + floats * sizeof(float);
}

/* Two modes of a pair are turned by the same phase, not by opposite ones. */
static double near_to(double phase, double before) {
    double turns = (phase - before) / SB_PI;
    double apart = turns - floor(turns + 0.5);
    return fabs(apart) < 0.02 ? before + apart * SB_PI : phase;
}

/* Y_lm over the harmonic without a norm. */
static double norm_of(int l, int m) {
    double square = m == 0 ? 2 * l + 1 : 2 * (2 * l + 1);
    for (int i = l - m + 1; i <= l + m; i++)
        square /= i;
    return sqrt(square);
}

/* Of coefficients up to `order`. */
static int place_of(int order, int l, int m) {
    if (m >= 0) return sb_modal_cosine(l, m);
    return sb_modal_cosine(order + 1, 0) + sb_modal_sine(l, -m) - 1;
}

static void fill_lane(const sb_pattern *pattern, int order, double *before,
                      float *lane) {
    double phase, real;
    if (!sb_pattern_turn(pattern, &phase, &real)) {
        lane[0] = 1;
        return;
    }
    phase = near_to(phase, *before);
    double c = cos(phase), s = sin(phase), scale = 1 / sqrt(real);
    for (int l = 0; l <= pattern->order; l++) {
        for (int m = -l; m <= l; m++) {
            int i = l * (l + 1) + m;
            double x = (double)pattern->coefs[i][0];
            double y = (double)pattern->coefs[i][1];
            double by = scale * norm_of(l, m < 0 ? -m : m);
            lane[place_of(order, l, m) * SB_MODAL_LANES] =
                (float)(by * (x * c + y * s));
        }
    }
    *before = phase;
}

sb_modal_aims *sb_modal_aims_init(void *memory, const sb_pattern *patterns,
                                  int count) {
    char *at = memory;
    sb_modal_aims *aims = memory;
    int groups = groups_of(count), *orders = (int *)(void *)(aims + 1);
    float *coefs = (float *)(void *)(at + coefs_offset(groups));
    sb_modal_aimed *aimed =
        (sb_modal_aimed *)(void *)(at + aimed_offset(groups));
    sb_modal_halves *halves =
        (sb_modal_halves *)(void *)(at + halves_offset(groups));
    memset(memory, 0, sb_modal_aims_bytes(patterns, count));
    *aims = (sb_modal_aims){.group_count = groups,
                            .orders = orders,
                            .coefs = coefs,
                            .aimed = aimed};
    double before = 0;
    for (int g = 0; g < groups; g++) {
        aimed[g].halves = &halves[g];
        orders[g] = group_order(patterns, count, g);
        if (orders[g] > aims->order) aims->order = orders[g];
        for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
            int k = g * SB_MODAL_LANES + lane;
            if (k < count)
                fill_lane(&patterns[k], orders[g], &before, coefs + lane);
        }
        coefs += group_floats(orders[g]);
    }
    return aims;
}
