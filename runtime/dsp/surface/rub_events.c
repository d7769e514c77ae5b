/* When micro-impacts, grains and creaks happen within a block, and the
 * pulses they start. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>

/* Most events per block; 50 us apart there are 58 in a block at 44.1 kHz. */
enum { MOST_EVENTS = 64 };
static const double least_gap_s = 50e-6;
static const double longest_pulse_s = 0.01;

/* A part of a block with a constant or linearly changing rate per frame. */
typedef struct stretch {
    double at, end; /* frames */
    double rate, rise;
} stretch;

static stretch stretch_between(double at, double end, double rate_at,
                               double rate_end) {
    double frames = end - at;
    double rise = frames > 0.0 ? (rate_end - rate_at) / frames : 0.0;
    return (stretch){at, end, rate_at, rise};
}

/* Frames until `left` has passed: left = rate t + rise t^2 / 2. */
static double time_to_pass(const stretch *s, double left) {
    double inside = s->rate * s->rate + 2.0 * s->rise * left;
    if (inside < 0.0) return INFINITY;
    double bottom = s->rate + sqrt(inside);
    return bottom > 0.0 ? 2.0 * left / bottom : INFINITY;
}

/* Advance to the next event, or to the end; true for an event. Events are never
 * closer than `least` frames nor, while the contact moves, farther apart than
 * `most`. */
static bool run(sb_rub_clock *clock, stretch *s, double least, double most) {
    double frames = s->end - s->at;
    double moved = frames * (s->rate + 0.5 * s->rise * frames);
    if (!(moved > 0.0)) return false;
    double wait = time_to_pass(s, clock->left);
    wait = fmin(wait, most - clock->since_frames);
    wait = fmax(wait, fmax(least - clock->since_frames, 0.0));
    if (!(wait < frames)) {
        clock->left = fmax(clock->left - moved, 0.0);
        clock->since_frames += frames;
        s->at = s->end;
        return false;
    }
    s->at += wait;
    s->rate += s->rise * wait;
    clock->since_frames = 0.0;
    return true;
}

static double between(double from, double to, double frame) {
    return from + (to - from) * (frame * (1.0 / SB_BLOCK_FRAMES));
}

static double swell_at(const float *swell, double frame) {
    return swell ? (double)swell[(int)frame] : 1.0;
}

static void strike(sb_rub *rub, double frame, double impulse_ns,
                   double duration_s) {
    double delay_s = fmax(SB_RUB_DELAY_S, SB_PULSES_AHEAD / rub->rate_hz);
    sb_pulse pulse = {frame + delay_s * rub->rate_hz,
                      fmin(duration_s, longest_pulse_s) * rub->rate_hz,
                      impulse_ns};
    if (impulse_ns != 0.0) sb_pulses_add(&rub->pulses, pulse);
}

/* The frame at which a linearly changing speed changes sign, or `none`. */
static double turning(double from, double to, double none) {
    if (!(from * to < 0.0)) return none;
    return SB_BLOCK_FRAMES * from / (from - to);
}

/* --- micro-impacts ---------------------------------------------------------*/

static double draw_gap_m(sb_rub *rub) {
    const double *gap = rub->def.gap_m;
    double u = sb_random_unit(&rub->impacts.random);
    if (rub->def.gaps == SB_RUB_EXPONENTIAL)
        return -0.5 * (gap[0] + gap[1]) * log(1.0 - u);
    return gap[0] + u * (gap[1] - gap[0]);
}

static void impact(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *swell, double frame) {
    rub->impacts.left = draw_gap_m(rub);
    double u = 2.0 * sb_random_unit(&rub->impacts.random) - 1.0;
    double impulse = between(from->impact_ns, to->impact_ns, frame) *
                     (1.0 + rub->def.variation * u) * swell_at(swell, frame);
    double w = between(from->contact_rad_s, to->contact_rad_s, frame);
    rub->impact_count++;
    strike(rub, frame, impulse, SB_PI / w);
}

void sb_rub_impacts(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                    const float *swell) {
    const double *v0 = from->load.speed_m_s, *v1 = to->load.speed_m_s;
    double end = SB_BLOCK_FRAMES, knot[4] = {0.0, end, end, end};
    knot[1] = turning(v0[0], v1[0], end);
    knot[2] = turning(v0[1], v1[1], end);
    if (knot[1] > knot[2]) {
        double later = knot[1];
        knot[1] = knot[2];
        knot[2] = later;
    }
    double least = fmax(rub->def.gap_s[0], least_gap_s) * rub->rate_hz;
    double most =
        rub->def.gap_s[1] > 0.0 ? rub->def.gap_s[1] * rub->rate_hz : INFINITY;
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (!(knot[i] < knot[i + 1])) continue;
        double speed[2];
        for (int j = 0; j < 2; j++)
            speed[j] = 0.5 / rub->rate_hz *
                       (fabs(between(v0[0], v1[0], knot[i + j])) +
                        fabs(between(v0[1], v1[1], knot[i + j])));
        stretch s = stretch_between(knot[i], knot[i + 1], speed[0], speed[1]);
        while (count < MOST_EVENTS && run(&rub->impacts, &s, least, most)) {
            impact(rub, from, to, swell, s.at);
            count++;
        }
    }
}

/* --- gravel ----------------------------------------------------------------*/

/* Sizes are log-uniform over a decade: a few large grains among many small. */
static void grain(sb_rub *rub, const float *swell, double frame) {
    sb_random *random = &rub->gravel.random;
    rub->gravel.left = -log(1.0 - sb_random_unit(random));
    double size = exp(-2.302585092994046 * sb_random_unit(random));
    int side = rub->def.surface[0] && rub->def.surface[0]->gravel.per_n2s > 0.0
                   ? 0
                   : 1;
    const sb_gravel *g = &rub->def.surface[side]->gravel;
    double impulse = rub->def.gain[SB_RUB_GRAVEL] * g->impulse_ns * size;
    double longer = g->duration_s[1] - g->duration_s[0];
    rub->grain_count++;
    strike(rub, frame, impulse * swell_at(swell, frame),
           g->duration_s[0] + longer * size);
}

void sb_rub_gravel(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *swell) {
    stretch s =
        stretch_between(0.0, SB_BLOCK_FRAMES, from->grains_hz / rub->rate_hz,
                        to->grains_hz / rub->rate_hz);
    int count = 0;
    while (count++ < MOST_EVENTS && run(&rub->gravel, &s, 0.0, INFINITY))
        grain(rub, swell, s.at);
}

/* --- creak -----------------------------------------------------------------*/

static void creak(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                  double frame) {
    const sb_rub_def *d = &rub->def;
    double u = 2.0 * sb_random_unit(&rub->creak.random) - 1.0;
    rub->creak.left = 1.0 + d->creak_jitter * u;
    double normal_n = between(from->load.force_n, to->load.force_n, frame);
    double slip = fabs(between(from->load.slip_m_s, to->load.slip_m_s, frame));
    double time = SB_PI * sqrt(d->creak_mass_kg / d->creak_stiffness_n_m) /
                  (1.0 + slip / d->creak_speed_m_s);
    double peak = 2.0 * d->creak_drop * normal_n;
    rub->creak_count++;
    strike(rub, frame, d->gain[SB_RUB_CREAK] * peak * time * 2.0 / SB_PI, time);
}

void sb_rub_creak(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to) {
    double end = SB_BLOCK_FRAMES;
    double turn = turning(from->load.slip_m_s, to->load.slip_m_s, end);
    double rate[3] = {from->creaks_hz, turn < end ? 0.0 : to->creaks_hz,
                      to->creaks_hz};
    double knot[3] = {0.0, turn, end};
    int count = 0;
    for (int i = 0; i < 2; i++) {
        stretch s =
            stretch_between(knot[i], knot[i + 1], rate[i] / rub->rate_hz,
                            rate[i + 1] / rub->rate_hz);
        while (count < MOST_EVENTS && run(&rub->creak, &s, 0.0, INFINITY)) {
            creak(rub, from, to, s.at);
            count++;
        }
    }
}

void sb_rub_events_start(sb_rub *rub) {
    uint64_t seed = rub->def.seed;
    rub->impacts = (sb_rub_clock){.random = sb_random_make(seed, 1)};
    rub->gravel = (sb_rub_clock){.random = sb_random_make(seed, 2)};
    rub->creak = (sb_rub_clock){.random = sb_random_make(seed, 3), .left = 1.0};
    /* A random phase: contacts that start together do not strike together. */
    rub->impacts.left = draw_gap_m(rub) * sb_random_unit(&rub->impacts.random);
    rub->impacts.since_frames = 1e9;
    rub->gravel.left = -log(1.0 - sb_random_unit(&rub->gravel.random));
}
