/* SPDX-License-Identifier: MIT */
/* A block of a lasting contact: its way along the two surfaces, the heights that
 * it meets there, and their asperities. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>
#include <string.h>

/* A mass on the heights takes them as joined by straight lines, and its force
 * counts by its mean in every frame: sinc^3, which is 1.9 dB at 10 kHz and 48
 * kHz, and the steps of the contact lose a little more. A second difference
 * makes up for most of it. */
#define SHARPEN (1.0 / 7.0)

/* The parameters at both ends of a block. */
typedef struct ends {
    const sb_rub_pose *start, *end;
    /* used where they differ from the end of the last block */
    sb_rub_pose made[2];
} ends;

static bool same_load(const sb_contact_load *a, const sb_contact_load *b) {
    return a->force_n == b->force_n && a->slip_m_s == b->slip_m_s &&
           a->speed_m_s[0] == b->speed_m_s[0] &&
           a->speed_m_s[1] == b->speed_m_s[1];
}

/* The start is the end of the previous block, unless the load has jumped or
 * there was no block. */
static void find_ends(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, ends *e) {
    e->start = &rub->pose;
    bool has_pose = rub->pose.corner_rad_s > 0.0;
    if (!has_pose || !same_load(from, &rub->pose.load)) {
        sb_rub_pose_find(rub, from, &rub->pose, &e->made[0]);
        e->start = &e->made[0];
    }
    e->end = e->start;
    if (!same_load(to, &e->start->load)) {
        sb_rub_pose_find(rub, to, e->start, &e->made[1]);
        e->end = &e->made[1];
    }
}

/* --- asperities -----------------------------------------------------------*/

/* Ticks at which the noise is drawn, so that it is the same at every sample
 * rate. */
#define TICK_HZ 192000.0

static double keep_of(double corner_hz, double rate_hz) {
    return exp(-SB_TAU * corner_hz / rate_hz);
}

/* A noise of mean square 1 whose correlation falls by `keep` per tick has the
 * spectrum of T, but for what is folded down at its upper end. */
typedef struct tempo {
    double keep[SB_ROLLING_NOISES], fresh[SB_ROLLING_NOISES];
    double gain[2]; /* g, of the speed and of the slip */
} tempo;

/* False: the noises stay as they are. */
static bool find_tempo(const sb_rub_pose *pose, tempo *out) {
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

static void step_tempo(tempo *at, const tempo *step) {
    for (int i = 0; i < SB_ROLLING_NOISES; i++) {
        at->keep[i] += step->keep[i];
        at->fresh[i] += step->fresh[i];
    }
    for (int i = 0; i < 2; i++)
        at->gain[i] += step->gain[i];
}

static void draw(sb_rub_asperities *at, const tempo *p) {
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
static double next_mean(sb_rub *rub, const tempo *p) {
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

/* The heights of the asperities, in units of asperities_m, at the start of each
 * frame and at the end of the last, sharpened like those of a surface. False when
 * there are none, or they do not move. */
static bool rustle(sb_rub *rub, const ends *e, double sharpen,
                   double height[SB_BLOCK_FRAMES + 1]) {
    double *last = rub->asperities.last;
    if (!(e->start->asperities_m > 0.0 || e->end->asperities_m > 0.0))
        return false;
    tempo at, step;
    bool is_moved = find_tempo(e->start, &at);
    is_moved |= find_tempo(e->end, &step);
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
        step_tempo(&at, &step);
    }
    return is_moved;
}

void sb_rub_delay(sb_rub *rub, double frames) {
    rub->asperities.left = frames * TICK_HZ / rub->rate_hz;
}

/* The low-pass of the heights under a ball. y += (1 - keep) (x - y) has too much at high frequencies; about a twelfth of the
 * x before makes up for it, to third order. */
static void lag_block(sb_rub *rub, double corner_hz,
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

/* --- the way --------------------------------------------------------------*/

/* The position of the contact on one surface at every frame and at the end. */
typedef struct path {
    uint64_t phases[SB_BLOCK_FRAMES + 1];
    float speeds[SB_BLOCK_FRAMES];
} path;

/* The position is v0 n + (v1 - v0) n^2 / 256 frames along. Integer differences
 * add up exactly. */
static void go_round(const sb_rub *rub, sb_rub_place *place,
                     const sb_surface *surface, const double speed[2],
                     path *p) {
    double step_s = 1.0 / rub->rate_hz;
    double gain = (speed[1] - speed[0]) / SB_BLOCK_FRAMES;
    uint64_t bend = sb_surface_phase(surface, 0.5 * gain * step_s);
    uint64_t pace = sb_surface_phase(surface, speed[0] * step_s) + bend;
    uint64_t phase = place->phase;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        p->phases[n] = phase;
        phase += pace;
        pace += 2 * bend;
    }
    p->phases[SB_BLOCK_FRAMES] = phase;
    float first = (float)speed[0], rise = (float)gain;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        p->speeds[n] = first + rise * (float)n;
    place->phase = p->phases[SB_BLOCK_FRAMES];
}

/* The same for a clamped surface, which is level beyond both ends. */
static void go_between(const sb_rub *rub, sb_rub_place *place,
                       const sb_surface *surface, const double speed[2],
                       path *p) {
    double step_s = 1.0 / rub->rate_hz, length = surface->length_m;
    double gain = (speed[1] - speed[0]) / SB_BLOCK_FRAMES;
    for (int n = 0; n <= SB_BLOCK_FRAMES; n++) {
        double along =
            place->along_m + step_s * n * (speed[0] + 0.5 * gain * n);
        bool is_beyond = along < 0.0 || along > length;
        double held = along < 0.0 ? 0.0 : along > length ? length : along;
        p->phases[n] = sb_surface_phase(surface, held);
        if (n < SB_BLOCK_FRAMES)
            p->speeds[n] = is_beyond ? 0.0f : (float)(speed[0] + gain * n);
    }
    double block_s = SB_BLOCK_FRAMES * step_s;
    place->along_m += 0.5 * block_s * (speed[0] + speed[1]);
}

static void go(sb_rub *rub, int side, const sb_contact_load *from,
               const sb_contact_load *to, path *p) {
    const sb_surface *surface = rub->def.surface[side];
    double speed[2] = {from->speed_m_s[side], to->speed_m_s[side]};
    sb_rub_place *place = &rub->place[side];
    if (surface->is_clamped) {
        go_between(rub, place, surface, speed, p);
    } else {
        go_round(rub, place, surface, speed, p);
    }
}

/* The level at the end of the block; true when it differs from the level at its
 * start. */
static bool next_view(const sb_rub *rub, int side, const sb_contact_load *from,
                      const sb_contact_load *to, sb_rub_place *next) {
    const sb_rub_place *place = &rub->place[side];
    double fastest =
        fmax(fabs(from->speed_m_s[side]), fabs(to->speed_m_s[side]));
    *next = *place;
    bool is_first = place->level < 0;
    next->level =
        sb_surface_level_for(rub->def.surface[side], fastest / rub->rate_hz,
                             is_first ? 0 : place->level);
    return next->level != place->level && !is_first;
}

static void read_speed(sb_rub *rub, int side, const sb_contact_load *from,
                       const sb_contact_load *to, float *lift) {
    const sb_surface *surface = rub->def.surface[side];
    path p;
    sb_rub_place next, last = rub->place[side];
    bool is_new = next_view(rub, side, from, to, &next);
    go(rub, side, from, to, &p);
    rub->place[side].level = next.level;
    rub->place[side].across_m = next.across_m;
    if (!is_new) {
        sb_surface_slopes(surface, next.level, next.across_m, p.phases,
                          p.speeds, SB_BLOCK_FRAMES, lift);
        return;
    }
    float old[SB_BLOCK_FRAMES] = {0}, new[SB_BLOCK_FRAMES] = {0};
    sb_surface_slopes(surface, last.level, last.across_m, p.phases, p.speeds,
                      SB_BLOCK_FRAMES, old);
    sb_surface_slopes(surface, next.level, next.across_m, p.phases, p.speeds,
                      SB_BLOCK_FRAMES, new);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float part = (float)n * (1.0f / SB_BLOCK_FRAMES);
        lift[n] += old[n] + part * (new[n] - old[n]);
    }
}

bool sb_rub_places_speed(sb_rub *rub, const sb_contact_load *from,
                         const sb_contact_load *to,
                         float lift_m_s[SB_BLOCK_FRAMES]) {
    bool is_moved = false;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        lift_m_s[n] = 0.0f;
    for (int side = 0; side < 2; side++) {
        bool is_moving =
            from->speed_m_s[side] != 0.0 || to->speed_m_s[side] != 0.0;
        if (!rub->def.surface[side] || !is_moving) continue;
        read_speed(rub, side, from, to, lift_m_s);
        is_moved = true;
    }
    return is_moved;
}

enum { HEIGHTS = SB_BLOCK_FRAMES + 3 }; /* and one before and after */

static void read_heights(const sb_surface *surface, const sb_rub_place *at,
                         const path *p, double *height_m) {
    enum { LAST = SB_BLOCK_FRAMES };
    uint64_t phases[HEIGHTS];
    double raw[HEIGHTS];
    memcpy(phases + 1, p->phases, sizeof p->phases);
    phases[0] = 2 * p->phases[0] - p->phases[1];
    phases[HEIGHTS - 1] = 2 * p->phases[LAST] - p->phases[LAST - 1];
    sb_surface_heights(surface, at->level, at->across_m, phases, HEIGHTS, raw);
    for (int n = 0; n <= LAST; n++)
        height_m[n] =
            raw[n + 1] - SHARPEN * (raw[n] - 2.0 * raw[n + 1] + raw[n + 2]);
}

void sb_rub_profile(sb_rub *rub, const sb_contact_load *from,
                    const sb_contact_load *to,
                    double height_m[SB_BLOCK_FRAMES + 1]) {
    enum { COUNT = SB_BLOCK_FRAMES + 1 };
    ends e;
    find_ends(rub, from, to, &e);
    memset(height_m, 0, COUNT * sizeof *height_m);
    /* Their mean over a frame is one sinc more. */
    double size = e.start->asperities_m;
    double rise = (e.end->asperities_m - size) / SB_BLOCK_FRAMES;
    (void)rustle(rub, &e, SHARPEN + 1.0 / 24.0, height_m);
    for (int n = 0; n < COUNT; n++)
        height_m[n] *= size + rise * n;
    for (int side = 0; side < 2; side++) {
        const sb_surface *surface = rub->def.surface[side];
        if (!surface) continue;
        path p;
        double old[COUNT], new[COUNT];
        sb_rub_place next, last = rub->place[side];
        bool is_new = next_view(rub, side, from, to, &next);
        go(rub, side, from, to, &p);
        rub->place[side].level = next.level;
        rub->place[side].across_m = next.across_m;
        read_heights(surface, &next, &p, new);
        if (is_new) read_heights(surface, &last, &p, old);
        for (int n = 0; n < COUNT; n++) {
            double part = n * (1.0 / SB_BLOCK_FRAMES);
            height_m[n] += is_new ? old[n] + part * (new[n] - old[n]) : new[n];
        }
    }
    if (rub->def.law.stiffness > 0.0) lag_block(rub, e.end->law_hz, height_m);
}

/* cos(2 pi u) for u in 0 .. 1: even in y = u - 1/2, to 1e-6. */
static inline float cosine(float u) {
    float y = u - 0.5f, q = y * y;
    return -1.0f +
           q * (19.739043f +
                q * (-64.930069f +
                     q * (85.284511f + q * (-58.841995f + q * 21.145939f))));
}

void sb_rub_places_wobble(const sb_rub *rub, double *turn,
                          const sb_contact_load *from,
                          const sb_contact_load *to,
                          float swell[SB_BLOCK_FRAMES]) {
    double turns_per_m = 1.0 / (SB_TAU * rub->def.contact.radius_m);
    double pace = from->speed_m_s[0] * turns_per_m / rub->rate_hz;
    double end = to->speed_m_s[0] * turns_per_m / rub->rate_hz;
    double bend = 0.5 * (end - pace) / SB_BLOCK_FRAMES;
    float part = (float)rub->def.eccentricity;
    /* Whole turns are added to stay above zero in either direction. */
    double whole = 1.0 + floor(SB_BLOCK_FRAMES * (fabs(pace) + fabs(end)));
    if (!(whole < 1e6)) whole = pace = bend = 0.0;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double at = *turn + whole + n * (pace + bend * n);
        at -= (double)(int)at;
        swell[n] = 1.0f + part * cosine((float)at);
    }
    double last = *turn + SB_BLOCK_FRAMES * (pace + bend * SB_BLOCK_FRAMES);
    *turn = last - floor(last);
}

/* --- a block --------------------------------------------------------------*/

static void begin_place(sb_rub *rub, int side) {
    const sb_surface *surface = rub->def.surface[side];
    double start = rub->def.start_m[side], across = rub->def.across_m[side];
    rub->place[side] =
        (sb_rub_place){.phase = surface ? sb_surface_phase(surface, start) : 0,
                       .along_m = start,
                       .level = -1,
                       .across_m = across};
}

void sb_rub_init(sb_rub *rub, const sb_rub_def *def, double sample_rate_hz) {
    *rub = (sb_rub){.def = *def, .rate_hz = sample_rate_hz};
    for (int side = 0; side < 2; side++)
        begin_place(rub, side);
    rub->asperities.random = sb_random_make(def->seed, 4);
    sb_rub_events_start(rub);
}

/* The low-pass has decayed: a nanometre per second squared is no force. */
static bool is_quiet(const sb_rub *rub) {
    return fabs(rub->state[0]) + fabs(rub->state[1]) < 1e-9;
}

void sb_rub_ball_load(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, double load_n[2]) {
    const sb_rub_def *d = &rub->def;
    double turns = 0.5 * (from->speed_m_s[0] + to->speed_m_s[0]) *
                   SB_BLOCK_FRAMES / rub->rate_hz /
                   (SB_TAU * d->contact.radius_m);
    load_n[0] = from->force_n;
    load_n[1] = to->force_n;
    for (int i = 0; i < 2 && d->eccentricity > 0.0; i++)
        load_n[i] *=
            1.0 + d->eccentricity * cos(SB_TAU * (rub->turn + i * turns));
}

/* Of the asperities in units of what the load bears of the surfaces. */
static double asperities_of(const sb_rub_pose *pose, const sb_rub_pose *other) {
    if (!(pose->profile_part > 0.0)) pose = other;
    if (!(pose->profile_part > 0.0)) return 0.0;
    return pose->asperities_m / pose->profile_part;
}

/* dh/dt of surfaces and asperities; false when it is all zero. The load bears
 * only a part of what the surfaces do, but all of the asperities. */
static bool lift(sb_rub *rub, const ends *e, const sb_contact_load *from,
                 const sb_contact_load *to, float lift_m_s[SB_BLOCK_FRAMES]) {
    double height[SB_BLOCK_FRAMES + 1];
    bool is_moved = sb_rub_places_speed(rub, from, to, lift_m_s);
    /* Both the mean over a frame and the difference are a sinc. */
    if (!rustle(rub, e, 1.0 / 12.0, height)) return is_moved;
    double size = asperities_of(e->start, e->end) * rub->rate_hz;
    double rise = asperities_of(e->end, e->start) * rub->rate_hz - size;
    rise /= SB_BLOCK_FRAMES;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        lift_m_s[n] += (float)((size + rise * n) * (height[n + 1] - height[n]));
    return true;
}

void sb_rub_block(sb_rub *rub, const sb_contact_load *from,
                  const sb_contact_load *to, float *impulse_ns) {
    const double *gain = rub->def.gain;
    ends e;
    find_ends(rub, from, to, &e);
    const sb_rub_pose *start = e.start, *end = e.end;
    float lift_m_s[SB_BLOCK_FRAMES], wobble[SB_BLOCK_FRAMES], *swell = NULL;
    bool is_touching = from->force_n > 0.0 || to->force_n > 0.0;
    if (rub->def.eccentricity > 0.0) {
        sb_rub_places_wobble(rub, &rub->turn, from, to, wobble);
        swell = wobble;
    }
    if (gain[SB_RUB_PROFILE] != 0.0) {
        bool is_moved = lift(rub, &e, from, to, lift_m_s);
        if (!is_touching || (!is_moved && is_quiet(rub))) {
            rub->state[0] = rub->state[1] = 0.0;
            rub->heard[0] = rub->heard[1] = 0.0;
        } else {
            sb_rub_scrape(rub, start, end, lift_m_s, swell, impulse_ns);
        }
    }
    if (is_touching) {
        if (gain[SB_RUB_IMPACTS] != 0.0) sb_rub_impacts(rub, start, end, swell);
        if (start->grains_hz > 0.0 || end->grains_hz > 0.0)
            sb_rub_gravel(rub, start, end, swell);
        if (start->creaks_hz > 0.0 || end->creaks_hz > 0.0)
            sb_rub_creak(rub, start, end);
    }
    if (rub->pulses.count > 0) sb_pulses_block(&rub->pulses, impulse_ns);
    if (end != &rub->pose) rub->pose = *end;
}
