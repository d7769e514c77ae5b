/* SPDX-License-Identifier: MIT */
#include "runtime/model/patterns.h"

#include "runtime/base/memory.h"
#include "runtime/base/select.h"

#include <string.h>

sb_patterns *sb_patterns_make(int count) {
    sb_patterns *self = sb_alloc(1, sizeof *self);
    if (!self) return NULL;
    self->modes = sb_alloc((size_t)count, sizeof *self->modes);
    if (!self->modes) {
        sb_free(self);
        return NULL;
    }
    self->count = count;
    for (int k = 0; k < count; k++)
        self->modes[k].order = -1;
    return self;
}

void sb_patterns_free(sb_patterns *patterns) {
    if (!patterns) return;
    for (int k = 0; k < patterns->count; k++)
        sb_free((void *)patterns->modes[k].coefs);
    sb_free(patterns->modes);
    sb_free(patterns);
}

bool sb_patterns_put(sb_patterns *patterns, int mode, const sb_pattern *from) {
    size_t count = (size_t)sb_harmonics_count(from->order);
    sb_pattern *to = &patterns->modes[mode];
    float(*coefs)[2] = count ? sb_alloc(count, sizeof *coefs) : NULL;
    if (count && !coefs) return false;
    if (count) memcpy(coefs, from->coefs, count * sizeof *coefs);
    sb_free((void *)to->coefs);
    *to = (sb_pattern){from->order, from->rest, (const float(*)[2])coefs};
    return true;
}

void sb_patterns_match(sb_patterns *patterns, int mode, double g) {
    sb_pattern *to = &patterns->modes[mode];
    float(*coefs)[2] = (float(*)[2])to->coefs;
    double power = sb_pattern_power(to);
    double scale = power > 0 ? g / sqrt(power) : 0;
    for (int i = 0; i < 2 * sb_harmonics_count(to->order); i++)
        coefs[i / 2][i % 2] = (float)(coefs[i / 2][i % 2] * scale);
    to->rest = (float)(to->order < 0 ? g * g : to->rest * scale * scale);
}

/* --- stored --------------------------------------------------------------- */

/* Far beyond what is heard, and so small that squares are finite. */
#define MOST 1e18f

size_t sb_patterns_coef_count(const sb_patterns *patterns) {
    size_t sum = 0;
    for (int k = 0; k < patterns->count; k++)
        sum += (size_t)sb_harmonics_count(patterns->modes[k].order);
    return sum;
}

void sb_patterns_pack(const sb_patterns *patterns, sb_pattern_head *heads,
                      float (*coefs)[2]) {
    for (int k = 0; k < patterns->count; k++) {
        const sb_pattern *from = &patterns->modes[k];
        size_t count = (size_t)sb_harmonics_count(from->order);
        heads[k] = (sb_pattern_head){from->order, from->rest};
        if (count) memcpy(coefs, from->coefs, count * sizeof *coefs);
        coefs += count;
    }
}

static bool is_whole(int count, const sb_pattern_head *heads,
                     const float (*coefs)[2], size_t coef_count) {
    size_t sum = 0;
    for (int k = 0; k < count; k++) {
        int order = heads[k].order;
        if (order < -1 || order > SB_HARMONICS_ORDER_MOST) return false;
        if (!(heads[k].rest >= 0 && heads[k].rest <= MOST)) return false;
        sum += (size_t)sb_harmonics_count(order);
    }
    return sum == coef_count && sb_are_within(*coefs, 2 * coef_count, MOST);
}

sb_patterns *sb_patterns_unpack(int count, const sb_pattern_head *heads,
                                const float (*coefs)[2], size_t coef_count,
                                bool *is_damaged) {
    *is_damaged = !is_whole(count, heads, coefs, coef_count);
    sb_patterns *self = *is_damaged ? NULL : sb_patterns_make(count);
    for (int k = 0; self && k < count; k++) {
        const sb_pattern one = {heads[k].order, heads[k].rest, coefs};
        coefs += sb_harmonics_count(one.order);
        if (sb_patterns_put(self, k, &one)) continue;
        sb_patterns_free(self);
        return NULL;
    }
    return self;
}
