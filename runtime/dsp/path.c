#include "runtime/dsp/path.h"

#include <math.h>
#include <string.h>

/* Two times that a script means to be one may differ by rounding. */
#define SAME_FRAMES 0.5

void sb_path_begin(sb_path *path, const sb_path_knot *knot) {
    memset(path, 0, sizeof *path);
    path->is_set = true;
    path->now.from = path->now.to = *knot;
    path->next_frame = -1;
    path->aired_m = -1.0;
}

/* Hermite's cubic, u = 0 .. 1 being `span` long, and its slope. */
static double cubic(double u, double span, double a, double slope_a, double b,
                    double slope_b, double *slope) {
    double va = slope_a * span, vb = slope_b * span;
    double c2 = 3.0 * (b - a) - 2.0 * va - vb, c3 = 2.0 * (a - b) + va + vb;
    *slope = (va + u * (2.0 * c2 + 3.0 * c3 * u)) / span;
    return a + u * (va + u * (c2 + c3 * u));
}

static float cubic_gain(double u, double span, float a, float slope_a, float b,
                        float slope_b, float *slope) {
    double s;
    double g = cubic(u, span, (double)a, (double)slope_a, (double)b,
                     (double)slope_b, &s);
    *slope = (float)s;
    return (float)g;
}

static void look_ear(const sb_ear_knot *a, const sb_ear_knot *b, double u,
                     double span, sb_ear_knot *out) {
    out->delay =
        cubic(u, span, a->delay, a->rate, b->delay, b->rate, &out->rate);
    out->full = cubic_gain(u, span, a->full, a->full_rate, b->full,
                           b->full_rate, &out->full_rate);
    out->dull = cubic_gain(u, span, a->dull, a->dull_rate, b->dull,
                           b->dull_rate, &out->dull_rate);
}

static void hold(sb_path_knot *knot) {
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
    double u = fmax(gone, 0.0) / span;
    out->time_frames = time;
    out->is_jump = false;
    for (int ear = 0; ear < 2; ear++)
        look_ear(&leg->from.ear[ear], &leg->to.ear[ear], u, span,
                 &out->ear[ear]);
    out->distance_m = leg->from.distance_m +
                      (float)u * (leg->to.distance_m - leg->from.distance_m);
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
        path->now.from = path->now.to = turn.to;
        path->now.from.time_frames = turn.start_frames;
        path->now.to.time_frames = turn.start_frames;
        for (int ear = 0; ear < 2; ear++)
            path->now.arrival[ear] = turn.start_frames + turn.to.ear[ear].delay;
        return;
    }
    sb_path_knot here;
    sb_path_look(&path->now, turn.start_frames, &here);
    /* A leg shorter than a frame is there at once: its slopes mean nothing. */
    bool is_short = turn.to.time_frames - turn.start_frames < 1.0;
    path->now.from = is_short ? turn.to : here;
    path->now.to = turn.to;
}

void sb_path_tell(sb_path *path, double start_frames, const sb_path_knot *to) {
    /* Of a body that is silent nobody takes the turns: the oldest is taken
     * here, and the jump of one that nobody hears needs no fade. */
    if (path->turn_count == SB_PATH_TURNS) sb_path_turn_over(path, 0.0);
    sb_path_turn *turn = &path->turns[path->turn_count++];
    turn->start_frames = start_frames;
    turn->to = *to;
    turn->to.time_frames = fmax(to->time_frames, start_frames);
}

void sb_path_put(sb_path *path, double start_frames, const sb_path_knot *to) {
    sb_path_knot there = *to;
    there.is_jump = true;
    sb_path_tell(path, start_frames, &there);
    while (path->turn_count > 0)
        sb_path_turn_over(path, 0.0);
}

float sb_path_loudest(const sb_path_knot *knot) {
    float loudest = 0.0f;
    for (int ear = 0; ear < 2; ear++) {
        const sb_ear_knot *e = &knot->ear[ear];
        loudest =
            fmaxf(loudest, fmaxf(fabsf(e->full), fabsf(e->full + e->dull)));
    }
    return loudest;
}
