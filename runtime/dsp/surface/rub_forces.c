/* SPDX-License-Identifier: MIT */
/* The forces of a lasting contact: its parameters under a load, the low-pass of
 * the profile, and micro-impacts, grains and creaks. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"
#include "runtime/dsp/surface/surface_kernel.h"

#include <math.h>
#include <string.h>

/* The limits of the corner: infrasound, and what a filter at 44.1 kHz can
 * represent. */
static const double corner_least_rad_s = 2.0 * SB_PI * 10.0;
static const double corner_most_rad_s = 2.0 * SB_PI * 16e3;
static const double damping_most = 20.0;

/* The poles are those of the analogue filter. The zeros, one of them at 0
 * Hz, are chosen so that the response matches the analogue one at low
 * frequencies and at 10 kHz. In between it is within 0.03 dB for all corners
 * and dampings. */
void sb_rub_filter(double corner_rad_s, double damping, double rate_hz,
                   double b[3], double a[2]) {
    double w = corner_rad_s, z = damping, angle = w / rate_hz;
    double shrink = exp(-z * angle), apart = angle * sqrt(fabs(1.0 - z * z));
    double both = z < 1.0 ? 2.0 * shrink * cos(apart)
                          : exp(apart - z * angle) + exp(-apart - z * angle);
    a[0] = -both;
    a[1] = shrink * shrink;
    double sum = rate_hz * (1.0 + a[0] + a[1]); /* of the two free zeros */
    double match = 2.0 * SB_PI * fmin(10e3, 0.4 * rate_hz);
    double c = cos(match / rate_hz), s = sin(match / rate_hz);
    double re = 1.0 + a[0] * c + a[1] * (2.0 * c * c - 1.0);
    double im = -s * (a[0] + 2.0 * a[1] * c);
    double off = w * w - match * match, loss = 2.0 * z * w * match;
    double wanted = w * w * match;
    wanted = wanted * wanted / (off * off + loss * loss) * (re * re + im * im) /
             (2.0 * (1.0 - c));
    double product = (sum * sum - wanted) / (2.0 * (1.0 - c));
    double root = sqrt(fmax(sum * sum - 4.0 * product, 0.0));
    double first = 0.5 * (sum + root), second = sum - first;
    b[0] = first;
    b[1] = second - first;
    b[2] = -second;
}

static double mass_of(const sb_rolling *contact) {
    return 1.0 / (1.0 / contact->mass_kg + contact->inverse_mass);
}

/* A change of the corner by less than 0.2 % is not worth a new filter; it is
 * made as soon as the change is larger. */
static bool is_good_enough(const sb_rub_pose *before, double force_n) {
    return before->corner_rad_s > 0.0 &&
           fabs(before->filter_n - force_n) <= 3e-3 * force_n;
}

/* What depends on the load alone. Below a thousandth of N0 the stiffness does
 * not fall any more: the contact opens. */
static void find_corner(const sb_rub *rub, sb_rub_pose *pose) {
    const sb_rub_def *d = &rub->def;
    sb_rolling at = d->contact;
    double force_n = pose->load.force_n;
    at.load_n = fmax(force_n, 1e-3 * d->contact.load_n);
    pose->filter_n = force_n;
    double stiffness = sb_rolling_stiffness_n_m(&at);
    double asperities_n =
        sb_rolling_asperities_n(&at) * fmin(force_n / at.load_n, 1.0);
    pose->asperities_m = asperities_n / stiffness;
    pose->junctions = sb_rolling_junctions(&at);
    if (d->law.stiffness > 0.0) {
        sb_rolling_at ball = sb_rolling_law_at(&d->law, at.load_n);
        pose->asperities_m = asperities_n / ball.stiffness_n_m;
        pose->law_hz = ball.corner_hz;
    }
    sb_rolling_corners_hz(&at, pose->noise_hz);
    pose->contact_rad_s = sqrt(stiffness / mass_of(&at));
    pose->corner_rad_s =
        fmin(fmax(pose->contact_rad_s, corner_least_rad_s), corner_most_rad_s);
    pose->damping = fmin(sb_rolling_damping(&at), damping_most);
    if (d->gain[SB_RUB_PROFILE] != 0.0)
        sb_rub_filter(pose->corner_rad_s, pose->damping, rub->rate_hz, pose->b,
                      pose->a);
}

/* E^2 / m^2: the power of a surface's slopes at this speed after the low-pass,
 * summed over octaves up to 10 kHz. */
static double profile_power(const sb_surface *surface, double speed_m_s,
                            double corner_rad_s, double damping) {
    double w2 = corner_rad_s * corner_rad_s, v2 = speed_m_s * speed_m_s;
    double f = 2.0 * SB_PI * surface->band_per_m;
    double f2 = f * f * v2, power = 0.0;
    const double high2 = 2.0 * SB_PI * 10e3 * (2.0 * SB_PI * 10e3);
    for (int i = 0; i < surface->band_count; i++, f2 *= 4.0) {
        double off = w2 - f2, high = f2 / high2;
        double loss = 4.0 * damping * damping * w2 * f2;
        double bottom = (off * off + loss) * (1.0 + high * high);
        power += surface->band_slope2[i] * w2 * w2 * f2 / bottom;
    }
    return v2 * power;
}

static void find_profile(const sb_rub *rub, sb_rub_pose *pose) {
    const sb_rub_def *d = &rub->def;
    const sb_contact_load *load = &pose->load;
    pose->profile_gain = pose->profile_part = pose->profile_n2 = 0.0;
    if (d->gain[SB_RUB_PROFILE] == 0.0 && d->gain[SB_RUB_GRAVEL] == 0.0) return;
    double power = 0.0, bears2 = load->force_n * load->force_n;
    for (int side = 0; side < 2; side++)
        if (d->surface[side] && load->speed_m_s[side] != 0.0)
            power += profile_power(d->surface[side], load->speed_m_s[side],
                                   pose->corner_rad_s, pose->damping);
    double mass_kg = mass_of(&d->contact);
    double force2 = mass_kg * mass_kg * power;
    double part2 = bears2 > 0.0 ? bears2 / (bears2 + force2) : 0.0;
    pose->profile_part = sqrt(part2);
    pose->profile_gain =
        d->gain[SB_RUB_PROFILE] * pose->profile_part * mass_kg / rub->rate_hz;
    /* Grains are moved by the force of a ball, too. */
    double gain = d->gain[SB_RUB_GRAVEL];
    pose->profile_n2 = gain * gain * part2 * force2;
}

static void find_impacts(const sb_rub *rub, sb_rub_pose *pose) {
    const sb_rub_def *d = &rub->def;
    const sb_contact_load *load = &pose->load;
    double gain = d->gain[SB_RUB_IMPACTS];
    double speed = 0.5 * (fabs(load->speed_m_s[0]) + fabs(load->speed_m_s[1]));
    double load_ratio = load->force_n / d->contact.load_n,
           q = d->strength_exponent;
    double heavy = !(load_ratio > 0.0) ? 0.0
                   : q == 0.5          ? sqrt(load_ratio)
                                       : pow(load_ratio, q);
    pose->impact_m_s = speed;
    pose->impact_ns = gain * mass_of(&d->contact) * d->slope * speed * heavy *
                      (1.0 - pose->slip_ratio);
    double hits_hz = 2.0 * speed / (d->gap_m[0] + d->gap_m[1]);
    double spread = 1.0 + d->variation * d->variation / 3.0;
    /* The mean square of a half sine of duration T is J^2 pi^2 / (8 T). */
    pose->impacts_n2 = hits_hz * spread * pose->impact_ns * pose->impact_ns *
                       SB_PI / 8.0 * pose->contact_rad_s;
}

static double grains_hz(const sb_rub *rub, const sb_rub_pose *pose) {
    double power = pose->profile_n2 + pose->impacts_n2, rate = 0.0;
    for (int side = 0; side < 2; side++) {
        const sb_surface *surface = rub->def.surface[side];
        if (!surface || !(surface->gravel.per_n2s > 0.0)) continue;
        double wanted = surface->gravel.per_n2s * power;
        rate += wanted / (1.0 + wanted / surface->gravel.most_hz);
    }
    return rate;
}

static double creaks_hz(const sb_rub_def *d, const sb_contact_load *load) {
    double normal_n = fmax(load->force_n, 1e-6 * d->contact.load_n);
    double stretch_m = 2.0 * d->creak_drop * normal_n / d->creak_stiffness_n_m;
    return fmin(fabs(load->slip_m_s) / stretch_m, 5e3);
}

/* r of a load; of a contact at rest `otherwise`. */
static double slip_ratio(const sb_contact_load *load, double otherwise) {
    double fastest = fmax(fabs(load->speed_m_s[0]), fabs(load->speed_m_s[1]));
    double slip = fabs(load->slip_m_s);
    return fastest > 0.0 ? fmin(slip / fastest, 1.0)
           : slip > 0.0  ? 1.0
                         : otherwise;
}

void sb_rub_pose_find(const sb_rub *rub, const sb_contact_load *load,
                      const sb_rub_pose *before, sb_rub_pose *pose) {
    if (before != pose) *pose = *before;
    pose->load = *load;
    pose->slip_ratio = slip_ratio(load, before->slip_ratio);
    if (!is_good_enough(before, load->force_n)) find_corner(rub, pose);
    find_profile(rub, pose);
    find_impacts(rub, pose);
    pose->grains_hz =
        rub->def.gain[SB_RUB_GRAVEL] != 0.0 ? grains_hz(rub, pose) : 0.0;
    pose->creaks_hz =
        rub->def.gain[SB_RUB_CREAK] != 0.0 ? creaks_hz(&rub->def, load) : 0.0;
}

/* --- the profile ----------------------------------------------------------*/

enum { FRAMES = SB_BLOCK_FRAMES };

typedef double pair __attribute__((vector_size(16)));

static inline pair both(double x) {
    return (pair){x, x};
}

static inline pair pair_at(const double *x) {
    return (pair){x[0], x[1]};
}

/* A low-pass for four frames at once, for a corner that moves. Frame by frame
 * each output would depend on the one before; with the impulse response h,
 *
 *     y[j] = sum over i <= j of h[j - i] x'[i]
 *            + h[j + 1] y[-1] - a[1] h[j] y[-2],
 *
 * x' being b applied to x, so that only the last two of four are recursive.
 */
typedef struct four {
    pair b[3];
    pair h1, h2, at_first, at_third; /* within the four frames */
    pair last[2], before[2];         /* from y[-1] and y[-2] */
} four;

static inline four prepare(const double b[3], const double a[2]) {
    double h1 = -a[0], h2 = -a[0] * h1 - a[1];
    double h3 = -a[0] * h2 - a[1] * h1, h4 = -a[0] * h3 - a[1] * h2;
    return (four){{both(b[0]), both(b[1]), both(b[2])},
                  both(h1),
                  both(h2),
                  {0.0, h1},
                  {0.0, h3},
                  {{h1, h2}, {h3, h4}},
                  {{-a[1], -a[1] * h1}, {-a[1] * h2, -a[1] * h3}}};
}

/* From x[-2 .. 3] to y[0 .. 3]; `tail` is the pair of the last outputs. */
static inline void filter_four(const four *f, const double *x, pair *tail,
                               double *y) {
    pair x0 = f->b[0] * pair_at(x) + f->b[1] * pair_at(x - 1) +
              f->b[2] * pair_at(x - 2);
    pair x2 = f->b[0] * pair_at(x + 2) + f->b[1] * pair_at(x + 1) +
              f->b[2] * pair_at(x);
    pair x1 = __builtin_shufflevector(x0, x2, 1, 2);
    pair first = __builtin_shufflevector(x0, x0, 0, 0);
    pair y0 = x0 + f->at_first * first;
    pair y2 = x2 + f->h1 * x1 + (f->h2 * x0 + f->at_third * first);
    pair before = __builtin_shufflevector(*tail, *tail, 0, 0);
    pair last = __builtin_shufflevector(*tail, *tail, 1, 1);
    y0 += f->before[0] * before + f->last[0] * last;
    y2 += f->before[1] * before + f->last[1] * last;
    y[0] = y0[0];
    y[1] = y0[1];
    y[2] = y2[0];
    y[3] = y2[1];
    *tail = y2;
}

/* From one corner to another in 32 steps of four frames. All filters on the
 * straight line between two stable ones are stable. */
static void open_filter(sb_rub *rub, const sb_rub_pose *from,
                        const sb_rub_pose *to, const float *in, float *out) {
    double line[FRAMES + 2], *x = line + 2, y[4];
    for (int n = -2; n < FRAMES; n++)
        x[n] = (double)in[n];
    pair tail = pair_at(rub->state);
    for (int n = 0; n < FRAMES; n += 4) {
        double part = (n + 2) * (1.0 / FRAMES), b[3], a[2];
        for (int i = 0; i < 3; i++)
            b[i] = from->b[i] + part * (to->b[i] - from->b[i]);
        for (int i = 0; i < 2; i++)
            a[i] = from->a[i] + part * (to->a[i] - from->a[i]);
        four f = prepare(b, a);
        filter_four(&f, x + n, &tail, y);
        for (int i = 0; i < 4; i++)
            out[n + i] = (float)y[i];
    }
    rub->state[0] = tail[0];
    rub->state[1] = tail[1];
}

static void filter(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *in, float *out) {
    float line[FRAMES + 2], *x = line + 2;
    line[0] = (float)rub->heard[0];
    line[1] = (float)rub->heard[1];
    memcpy(x, in, FRAMES * sizeof *x);
    if (from->corner_rad_s == to->corner_rad_s) {
        sb_surface_kernel_chosen()->lowpass(to->b, to->a, x, FRAMES, rub->state,
                                            out);
    } else {
        open_filter(rub, from, to, x, out);
    }
    rub->heard[0] = (double)x[FRAMES - 2];
    rub->heard[1] = (double)x[FRAMES - 1];
}

void sb_rub_scrape(sb_rub *rub, const sb_rub_pose *from, const sb_rub_pose *to,
                   const float *lift_m_s, const float *swell,
                   float *impulse_ns) {
    float out[FRAMES];
    filter(rub, from, to, lift_m_s, out);
    float gain = (float)from->profile_gain;
    float rise = (float)((to->profile_gain - from->profile_gain) / FRAMES);
    float force[FRAMES];
    for (int n = 0; n < FRAMES; n++)
        force[n] = out[n] * (gain + rise * (float)n);
    if (swell)
        for (int n = 0; n < FRAMES; n++)
            force[n] *= swell[n];
    for (int n = 0; n < FRAMES; n++)
        impulse_ns[n] += force[n];
}

/* --- events ---------------------------------------------------------------*/

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

/* --- micro-impacts --------------------------------------------------------*/

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

/* --- gravel ---------------------------------------------------------------*/

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

/* --- creak ----------------------------------------------------------------*/

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
