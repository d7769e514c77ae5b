/* The noise of the asperities (rolling.h), frame by frame. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>

/* Ticks at which the noise is drawn, so that it is the same at every sample
 * rate. */
#define TICK_HZ 192000.0

static double keep_of(double corner_hz, double rate_hz) {
    return exp(-SB_TAU * corner_hz / rate_hz);
}

/* A noise of mean square 1 whose correlation falls by `keep` per tick has the
 * spectrum of T, but for what is folded down at its upper end. */
typedef struct pace {
    double keep[SB_ROLLING_NOISES], fresh[SB_ROLLING_NOISES];
    double gain[2]; /* g, of the speed and of the slip */
} pace;

/* False: the noises stay as they are. */
static bool find_pace(const sb_rub_pose *pose, pace *out) {
    const double *v = pose->load.speed_m_s;
    double speed = fmax(fabs(v[0]), fabs(v[1]));
    double slip = fabs(pose->load.slip_m_s);
    for (int i = 0; i < SB_ROLLING_NOISES; i++) {
        double keep =
            keep_of(pose->noise_hz[i] * (i == 0 ? speed : slip), TICK_HZ);
        out->keep[i] = keep;
        /* times sqrt(3): the mean square of what is drawn is 1/3 */
        out->fresh[i] = sqrt(3.0 * (1.0 - keep * keep));
    }
    out->gain[0] = out->gain[1] = 0.0;
    if (pose->asperities_m > 0.0) {
        out->gain[0] = sb_rolling_gain(pose->junctions, speed);
        out->gain[1] = sb_rolling_gain(pose->junctions, slip);
    }
    return speed > 0.0 || slip > 0.0;
}

static void step_pace(pace *at, const pace *step) {
    for (int i = 0; i < SB_ROLLING_NOISES; i++) {
        at->keep[i] += step->keep[i];
        at->fresh[i] += step->fresh[i];
    }
    for (int i = 0; i < 2; i++)
        at->gain[i] += step->gain[i];
}

static void draw(sb_rub_asperities *at, const pace *p) {
    double *noise = at->noise;
    for (int i = 0; i < SB_ROLLING_NOISES; i += 2) {
        uint32_t bits = sb_random_u32(&at->random);
        double u[2] = {(double)(bits >> 16) - 32767.5,
                       (double)(bits & 0xffff) - 32767.5};
        for (int j = 0; j < 2; j++)
            noise[i + j] = p->keep[i + j] * noise[i + j] +
                           p->fresh[i + j] * (1.0 / 32768.0) * u[j];
    }
    at->sum =
        p->gain[0] * noise[0] + p->gain[1] * (noise[1] + noise[2] + noise[3]);
}

/* The mean of the noises over the next frame. */
static double next_mean(sb_rub *rub, const pace *p) {
    sb_rub_asperities *at = &rub->asperities;
    double ticks = TICK_HZ / rub->rate_hz, rest = ticks, sum = 0.0;
    for (; at->left < rest; at->left = 1.0) {
        sum += at->left * at->sum;
        rest -= at->left;
        draw(at, p);
    }
    at->left -= rest;
    return (sum + rest * at->sum) / ticks;
}

bool sb_rub_asperities_block(sb_rub *rub, const sb_rub_ends *ends,
                             double sharpen,
                             double height[SB_BLOCK_FRAMES + 1]) {
    double *last = rub->asperities.last;
    if (!(ends->start->asperities_m > 0.0 || ends->end->asperities_m > 0.0))
        return false;
    pace at, step;
    bool is_moved = find_pace(ends->start, &at);
    is_moved |= find_pace(ends->end, &step);
    for (int i = 0; i < SB_ROLLING_NOISES; i++) {
        step.keep[i] = (step.keep[i] - at.keep[i]) / SB_BLOCK_FRAMES;
        step.fresh[i] = (step.fresh[i] - at.fresh[i]) / SB_BLOCK_FRAMES;
    }
    for (int i = 0; i < 2; i++)
        step.gain[i] = (step.gain[i] - at.gain[i]) / SB_BLOCK_FRAMES;
    for (int n = 0; n <= SB_BLOCK_FRAMES; n++) {
        double bend = last[0] - 2.0 * last[1] + last[2];
        height[n] = last[1] - sharpen * bend;
        if (!is_moved || n == SB_BLOCK_FRAMES) continue;
        last[0] = last[1];
        last[1] = last[2];
        last[2] = next_mean(rub, &at);
        step_pace(&at, &step);
    }
    return is_moved;
}

void sb_rub_delay(sb_rub *rub, double frames) {
    rub->asperities.left = frames * TICK_HZ / rub->rate_hz;
}

/* y += (1 - keep) (x - y) has too much at high frequencies; about a twelfth of the
 * x before makes up for it, to third order. */
void sb_rub_lag_block(sb_rub *rub, double corner_hz,
                      double height_m[SB_BLOCK_FRAMES + 1]) {
    double keep = keep_of(corner_hz, rub->rate_hz);
    sb_rub_lag *lag = &rub->lag;
    if (!lag->is_begun) lag->in_m = lag->out_m = height_m[0];
    lag->is_begun = true;
    double in_m = lag->in_m, out_m = lag->out_m, blend = 0.092 * keep;
    height_m[0] = out_m;
    for (int n = 1; n <= SB_BLOCK_FRAMES; n++) {
        double x = height_m[n] + blend * (in_m - height_m[n]);
        in_m = height_m[n];
        out_m = x + keep * (out_m - x);
        height_m[n] = out_m;
    }
    lag->in_m = in_m;
    lag->out_m = out_m;
}
