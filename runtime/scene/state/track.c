/* SPDX-License-Identifier: MIT */
#include "runtime/scene/state/track.h"

#include <math.h>

/* Assumed step before the first of several positions. */
#define STEP_S 0.01

/* After this time without a position it was at rest. */
#define PAUSE_S 0.05

/* Positions closer in time than this count as one. */
#define LEAST_S 0.001

sb_track sb_track_rest(sb_vec3 place) {
    sb_track track = {.count = 1, .last = place, .before = place};
    track.legs[0].start = track.legs[0].end = place;
    track.put_s = -1e9;
    return track;
}

static sb_vec3 mix(sb_vec3 a, double wa, sb_vec3 b, double wb) {
    return sb_vec3_add(sb_vec3_scale(a, wa), sb_vec3_scale(b, wb));
}

static sb_vec3 leg_at(const sb_leg *leg, double time_s, sb_vec3 *velocity) {
    double span = leg->to_s - leg->from_s;
    if (time_s >= leg->to_s || span <= 0.0) {
        *velocity = leg->end_velocity;
        return mix(leg->end, 1.0, leg->end_velocity,
                   fmax(time_s - leg->to_s, 0.0));
    }
    double u = fmax(time_s - leg->from_s, 0.0) / span, v = 1.0 - u;
    sb_vec3 places = mix(leg->start, v * v * (1.0 + 2.0 * u), leg->end,
                         u * u * (3.0 - 2.0 * u));
    sb_vec3 speeds = mix(leg->start_velocity, span * u * v * v,
                         leg->end_velocity, -span * u * u * v);
    sb_vec3 change =
        mix(leg->end, 6.0 * u * v / span, leg->start, -6.0 * u * v / span);
    *velocity =
        sb_vec3_add(change, mix(leg->start_velocity, v * (1.0 - 3.0 * u),
                                leg->end_velocity, u * (3.0 * u - 2.0)));
    return sb_vec3_add(places, speeds);
}

sb_vec3 sb_track_at(const sb_track *track, double time_s, sb_vec3 *velocity) {
    int i = 0;
    while (i + 1 < track->count && time_s >= track->legs[i].to_s)
        i++;
    return leg_at(&track->legs[i], time_s, velocity);
}

void sb_track_follow(sb_track *track, const sb_leg *leg) {
    *track = sb_track_rest(leg->end);
    track->legs[0] = *leg;
}

void sb_track_go(sb_track *track, double time_s, sb_vec3 place,
                 sb_vec3 velocity) {
    sb_leg leg = {.from_s = time_s,
                  .to_s = time_s,
                  .start = place,
                  .start_velocity = velocity,
                  .end = place,
                  .end_velocity = velocity};
    sb_track_follow(track, &leg);
}

static double apart(sb_vec3 a, sb_vec3 b) {
    return sb_vec3_length(sb_vec3_sub(a, b));
}

/* To the midpoint of the last two positions, and on to the last. */
static void bend(sb_track *track, double time_s, sb_vec3 place, double step_s) {
    sb_vec3 velocity, here = sb_track_at(track, time_s, &velocity);
    sb_vec3 speed =
        sb_vec3_scale(sb_vec3_sub(place, track->last), 1.0 / step_s);
    sb_vec3 middle = mix(track->last, 0.5, place, 0.5), none = {0, 0, 0};
    double middle_s = time_s + step_s;
    track->legs[0] = (sb_leg){.from_s = time_s,
                              .to_s = middle_s,
                              .start = here,
                              .start_velocity = velocity,
                              .end = middle,
                              .end_velocity = speed};
    track->legs[1] = (sb_leg){.from_s = middle_s,
                              .to_s = middle_s + step_s,
                              .start = middle,
                              .start_velocity = speed,
                              .end = place,
                              .end_velocity = none};
    track->count = 2;
}

bool sb_track_rests_at(const sb_track *track, double time_s, sb_vec3 place) {
    sb_vec3 velocity, here = sb_track_at(track, time_s, &velocity);
    return track->legs[track->count - 1].to_s <= time_s &&
           sb_vec3_length(velocity) == 0.0 && apart(here, place) == 0.0;
}

bool sb_track_move(sb_track *track, double time_s, sb_vec3 place, double far) {
    double since_s = time_s - track->put_s;
    bool is_going = since_s < PAUSE_S;
    if (is_going && since_s < LEAST_S) {
        /* A second position in the same step replaces the first. */
        track->last = track->before;
        since_s = track->step_s;
    }
    sb_vec3 expected = mix(track->last, 2.0, track->before, -1.0);
    bool has_jumped = is_going ? apart(place, expected) > 20.0 * far
                               : apart(place, track->last) > far;
    if (has_jumped) {
        *track = sb_track_rest(place);
        track->put_s = time_s;
        track->step_s = STEP_S;
        return true;
    }
    double step_s = is_going ? since_s : STEP_S;
    bend(track, time_s, place, step_s);
    track->before = track->last;
    track->last = place;
    track->put_s = time_s;
    track->step_s = step_s;
    return false;
}

bool sb_track_put(sb_track *track, double time_s, sb_vec3 place, double far) {
    return !sb_track_rests_at(track, time_s, place) &&
           sb_track_move(track, time_s, place, far);
}
