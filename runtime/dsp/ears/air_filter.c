#include "runtime/dsp/ears/air_filter.h"

#include "runtime/dsp/ears/air_internal.h"

#include <math.h>

int sb_air_half(double sample_rate_hz) {
    int half = (int)(sample_rate_hz / 3000.0 + 0.5);
    return half > SB_AIR_HALF_MAX ? SB_AIR_HALF_MAX : half;
}

/* The weights of four values at -1, 0, 1, 2 for a cubic at 0 .. 1. */
static void cubic_weights(double u, float w[4]) {
    w[0] = (float)(-u * (u - 1.0) * (u - 2.0) / 6.0);
    w[1] = (float)((u + 1.0) * (u - 1.0) * (u - 2.0) / 2.0);
    w[2] = (float)(-(u + 1.0) * u * (u - 2.0) / 2.0);
    w[3] = (float)((u + 1.0) * u * (u - 1.0) / 6.0);
}

void sb_air_look(const sb_air_table *table, double distance_m, float *coefs) {
    int count = table->half + 1;
    double stop = 1.0 + log(1.0 + fmax(distance_m, 0.0) * (AIR_GROWTH - 1.0) /
                                      AIR_FIRST_M) /
                            log(AIR_GROWTH);
    stop = fmin(stop, SB_AIR_STOPS - 2.0);
    int i = (int)stop;
    if (i > SB_AIR_STOPS - 3) i = SB_AIR_STOPS - 3;
    float w[4];
    cubic_weights(stop - i, w);
    const float *from = table->coefs + (i - 1) * count;
    for (int k = 0; k < count; k++)
        coefs[k] = w[0] * from[k] + w[1] * from[k + count] +
                   w[2] * from[k + 2 * count] + w[3] * from[k + 3 * count];
}
