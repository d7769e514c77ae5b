/* SPDX-License-Identifier: MIT */
/* The knots and legs of a path: interpolation between knots, and turning to
 * the next. Thread: audio. */
#include "runtime/dsp/ears/path.h"

#include "runtime/base/pi.h"
#include "runtime/base/select.h"
#include "runtime/dsp/ears/air_filter.h"

#include <math.h>
#include <string.h>

/* By how much a measured head may raise some frequencies. */
#define HEAD_RAISES 3.0f

/* Two times that are meant to be equal may differ by rounding. */
#define SAME_FRAMES 0.5

void sb_path_begin(sb_path *path, const sb_path_knot *knot) {
    memset(path, 0, sizeof *path);
    path->is_set = true;
    path->now.from = path->now.to = *knot;
    path->next_frame = -1;
    path->aired_m = -1.0;
}

/* Hermite basis at u = 0 .. 1 of a leg: the weights of its ends and of the
 * slopes there, for the value and for its slope. */
typedef struct basis {
    double blend, slope_a, slope_b;       /* of the value */
    double blend_d, slope_a_d, slope_b_d; /* of its slope */
} basis;

static basis make_basis(double u, double span) {
    double left = 1.0 - u;
    return (basis){.blend = u * u * (3.0 - 2.0 * u),
                   .slope_a = span * u * left * left,
                   .slope_b = -span * u * u * left,
                   .blend_d = 6.0 * u * left / span,
                   .slope_a_d = left * (1.0 - 3.0 * u),
                   .slope_b_d = u * (3.0 * u - 2.0)};
}

/* Computed from b - a, so that constants stay exact. */
static inline double value_of(const basis *h, double a, double slope_a,
                              double b, double slope_b) {
    return a +
           ((b - a) * h->blend + (slope_a * h->slope_a + slope_b * h->slope_b));
}

static inline double slope_of(const basis *h, double a, double slope_a,
                              double b, double slope_b) {
    return (b - a) * h->blend_d +
           (slope_a * h->slope_a_d + slope_b * h->slope_b_d);
}

static inline void gain_of(const basis *h, const float a[2], const float b[2],
                           float *gain, float *slope) {
    double a0 = (double)a[0], a1 = (double)a[1];
    double b0 = (double)b[0], b1 = (double)b[1];
    *gain = (float)value_of(h, a0, a1, b0, b1);
    *slope = (float)slope_of(h, a0, a1, b0, b1);
}

static void look_ear(const sb_ear_knot *a, const sb_ear_knot *b, const basis *h,
                     sb_ear_knot *out) {
    out->delay = value_of(h, a->delay, a->rate, b->delay, b->rate);
    out->rate = slope_of(h, a->delay, a->rate, b->delay, b->rate);
    gain_of(h, (float[2]){a->full, a->full_rate},
            (float[2]){b->full, b->full_rate}, &out->full, &out->full_rate);
    gain_of(h, (float[2]){a->dull, a->dull_rate},
            (float[2]){b->dull, b->dull_rate}, &out->dull, &out->dull_rate);
}

static double part_of(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* A direction and its rate. */
typedef struct facing {
    sb_vec3 now, rate;
} facing;

static facing look_facing(facing a, facing b, const basis *h) {
    double value[3], slope[3];
    for (int i = 0; i < 3; i++) {
        double from = part_of(a.now, i), to = part_of(b.now, i);
        double leaves = part_of(a.rate, i), comes = part_of(b.rate, i);
        value[i] = value_of(h, from, leaves, to, comes);
        slope[i] = slope_of(h, from, leaves, to, comes);
    }
    return (facing){{value[0], value[1], value[2]},
                    {slope[0], slope[1], slope[2]}};
}

static void look_facings(const sb_path_knot *a, const sb_path_knot *b,
                         const basis *h, sb_path_knot *out) {
    facing toward = look_facing((facing){a->toward, a->toward_rate},
                                (facing){b->toward, b->toward_rate}, h);
    facing aim = look_facing((facing){a->aim, a->aim_rate},
                             (facing){b->aim, b->aim_rate}, h);
    out->toward = toward.now;
    out->toward_rate = toward.rate;
    out->aim = aim.now;
    out->aim_rate = aim.rate;
}

static void hold(sb_path_knot *knot) {
    knot->toward_rate = knot->aim_rate = (sb_vec3){0, 0, 0};
    for (int ear = 0; ear < 2; ear++) {
        sb_ear_knot *e = &knot->ear[ear];
        e->rate = 0.0;
        e->full_rate = e->dull_rate = 0.0f;
    }
}

void sb_path_look(const sb_path_leg *leg, double time, sb_path_knot *out) {
    double span = leg->to.time_frames - leg->from.time_frames;
    double gone = time - leg->from.time_frames;
    if (gone >= span || span <= 0.0) {
        *out = leg->to;
        out->time_frames = time;
        if (gone > span + SAME_FRAMES) hold(out);
        return;
    }
    double u = sb_max(gone, 0.0) / span;
    basis h = make_basis(u, span);
    out->time_frames = time;
    out->is_jump = false;
    for (int ear = 0; ear < 2; ear++)
        look_ear(&leg->from.ear[ear], &leg->to.ear[ear], &h, &out->ear[ear]);
    look_facings(&leg->from, &leg->to, &h, out);
    out->distance_m = leg->from.distance_m +
                      (float)u * (leg->to.distance_m - leg->from.distance_m);
}

static void begin_leg(sb_path_leg *leg, const sb_path_turn *turn) {
    sb_path_knot here = turn->to;
    here.time_frames = turn->start_frames;
    if (!turn->to.is_jump) sb_path_look(leg, turn->start_frames, &here);
    /* A leg shorter than a frame ends at once: its slopes are meaningless. */
    bool is_short = turn->to.time_frames - turn->start_frames < 1.0;
    leg->to = turn->to;
    if (turn->to.is_jump) leg->to.time_frames = turn->start_frames;
    leg->from = is_short && !turn->to.is_jump ? turn->to : here;
}

void sb_path_turn_over(sb_path *path, double fade_frames) {
    sb_path_turn turn = path->turns[0];
    path->turn_count--;
    memmove(path->turns, path->turns + 1,
            (size_t)path->turn_count * sizeof path->turns[0]);
    if (turn.to.is_jump) {
        path->old = path->now;
        path->fade_start = turn.start_frames;
        path->fade_frames = fade_frames;
        for (int ear = 0; ear < 2; ear++)
            path->now.arrival[ear] = turn.start_frames + turn.to.ear[ear].delay;
    }
    begin_leg(&path->now, &turn);
}

static double faded_in(double start, double frames, double time_frames) {
    if (frames <= 0.0) return 1.0;
    double u = (time_frames - start) / frames;
    return 0.5 - 0.5 * cos(SB_PI * sb_min(sb_max(u, 0.0), 1.0));
}

double sb_path_faded_in(const sb_path *path, double time_frames) {
    return faded_in(path->fade_start, path->fade_frames, time_frames);
}

void sb_path_see(const sb_path *path, double time_frames, double fade_frames,
                 sb_head_place *out) {
    sb_path_leg now = path->now, old = path->old;
    double start = path->fade_start, frames = path->fade_frames;
    for (int i = 0; i < path->turn_count; i++) {
        const sb_path_turn *turn = &path->turns[i];
        if (turn->start_frames > time_frames) break;
        if (turn->to.is_jump) {
            old = now;
            start = turn->start_frames;
            frames = fade_frames;
        }
        begin_leg(&now, turn);
    }
    sb_path_knot seen;
    sb_path_look(&now, time_frames, &seen);
    *out = (sb_head_place){.now = seen.toward, .share = 1.0};
    out->share = faded_in(start, frames, time_frames);
    if (out->share >= 1.0) return;
    sb_path_look(&old, time_frames, &seen);
    out->old = seen.toward;
}

/* Of length 1; the rate is that of the direction alone. */
static sb_path_aiming aiming_of(sb_vec3 to, sb_vec3 rate) {
    double length = sb_vec3_length(to);
    if (length == 0.0) return (sb_path_aiming){{0, 0, 0}, {0, 0, 0}};
    sb_vec3 at = sb_vec3_normalised(to);
    sb_vec3 along = sb_vec3_scale(at, sb_vec3_dot(at, rate));
    return (sb_path_aiming){
        at, sb_vec3_scale(sb_vec3_sub(rate, along), 1.0 / length)};
}

sb_path_aiming sb_path_aim(const sb_path *path, double time_frames) {
    sb_path_leg later;
    const sb_path_leg *now = &path->now;
    for (int i = 0; i < path->turn_count; i++) {
        const sb_path_turn *turn = &path->turns[i];
        if (turn->start_frames > time_frames) break;
        if (now == &path->now) later = *now;
        now = &later;
        begin_leg(&later, turn);
    }
    double span = now->to.time_frames - now->from.time_frames;
    double gone = time_frames - now->from.time_frames;
    if (gone >= span || span <= 0.0) {
        bool is_over = gone > span + SAME_FRAMES || span <= 0.0;
        return aiming_of(now->to.aim,
                         is_over ? (sb_vec3){0, 0, 0} : now->to.aim_rate);
    }
    basis h = make_basis(sb_max(gone, 0.0) / span, span);
    facing seen = look_facing((facing){now->from.aim, now->from.aim_rate},
                              (facing){now->to.aim, now->to.aim_rate}, &h);
    return aiming_of(seen.now, seen.rate);
}

double sb_path_end(const sb_path *path) {
    int last = path->turn_count - 1;
    const sb_path_knot *to = last < 0 ? &path->now.to : &path->turns[last].to;
    return to->time_frames;
}

void sb_path_pass(sb_path *path, double time_frames) {
    while (path->turn_count > 0 && path->turns[0].start_frames <= time_frames)
        sb_path_turn_over(path, 0.0);
}

void sb_path_add(sb_path *path, double start_frames, const sb_path_knot *to) {
    /* The turns of a silent body are not taken elsewhere: the oldest is taken
     * here, and a jump then needs no fade. */
    if (path->turn_count == SB_PATH_TURNS) sb_path_turn_over(path, 0.0);
    sb_path_turn *turn = &path->turns[path->turn_count++];
    turn->start_frames = start_frames;
    turn->to = *to;
    turn->to.time_frames = sb_max(to->time_frames, start_frames);
}

void sb_path_put(sb_path *path, double start_frames, const sb_path_knot *to) {
    sb_path_knot there = *to;
    there.is_jump = true;
    sb_path_add(path, start_frames, &there);
    while (path->turn_count > 0)
        sb_path_turn_over(path, 0.0);
}

float sb_path_loudest(const sb_path_knot *knot) {
    float loudest = 0.0f;
    for (int ear = 0; ear < 2; ear++) {
        const sb_ear_knot *e = &knot->ear[ear];
        loudest = sb_maxf(fabsf(e->full), loudest);
        loudest = sb_maxf(fabsf(e->full + e->dull), loudest);
    }
    bool is_seen = sb_vec3_length(knot->toward) > 0.0;
    return is_seen ? HEAD_RAISES * loudest : loudest;
}

/* --- the air --------------------------------------------------------------*/

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
    double stop = 1.0 + log(1.0 + fmax(distance_m, 0.0) *
                                      (SB_AIR_GROWTH - 1.0) / SB_AIR_FIRST_M) /
                            log(SB_AIR_GROWTH);
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
