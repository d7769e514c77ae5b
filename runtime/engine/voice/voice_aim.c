/* SPDX-License-Identifier: MIT */
/* From where a voice is heard (modal_aim.h): how far ahead it is aimed.
 *
 * A path is known to the end of its last leg, 10 ms ahead at most. A body that
 * turns steadily, about one axis at one rate, is aimed further, and anew as soon
 * as its path goes elsewhere. Thread: audio. */
#include "runtime/dsp/ears/ears.h"
#include "runtime/engine/voice/voice.h"

#include <math.h>

/* It is aimed anew before it has turned by TURN_MOST over the order of its
 * patterns, in radians; and no further ahead than so many blocks, or so many
 * times as far as the path is known. */
#define TURN_MOST 0.5
enum { BLOCKS_MOST = 16, BEYOND_MOST = 3 };

/* Its directions are off by less than this over the order, while it turns
 * steadily; and by less than this when a new leg shows that it still does. */
#define STEADY 1e-5
#define NEAR   1e-4

static sb_vec3 spun(sb_vec3 at, const sb_voice_spin *spin, double frames) {
    double angle = spin->rate * frames, along = sb_vec3_dot(spin->axis, at);
    sb_vec3 across = sb_vec3_cross(spin->axis, at);
    sb_vec3 out = sb_vec3_scale(at, cos(angle));
    out = sb_vec3_plus(out, across, sin(angle));
    return sb_vec3_plus(out, spin->axis, along * (1 - cos(angle)));
}

static sb_vec3 rate_of(sb_vec3 at, const sb_voice_spin *spin) {
    return sb_vec3_scale(sb_vec3_cross(spin->axis, at), spin->rate);
}

/* Within 1e-10 up to x = 1/4. */
static double arc_tangent(double x) {
    double s = x * x, sum = 1.0 / 13;
    for (int n = 11; n > 0; n -= 2)
        sum = 1.0 / n - s * sum;
    return x * sum;
}

/* The rates of a direction that turns about an axis are at right angles to it.
 * How much the turn is off in that time. */
static double spin_between(const sb_path_aiming *a, const sb_path_aiming *b,
                           double frames, sb_voice_spin *out) {
    sb_vec3 normal = sb_vec3_cross(a->rate, b->rate);
    double sine = sb_vec3_length(normal),
           cosine = sb_vec3_dot(a->rate, b->rate);
    double half = sine / (sqrt(sine * sine + cosine * cosine) + cosine);
    *out = (sb_voice_spin){{0, 0, 0}, 0};
    if (!(half > 0 && half < 0.25)) return INFINITY;
    *out = (sb_voice_spin){sb_vec3_scale(normal, 1 / sine),
                           2 * arc_tangent(half) / frames};
    sb_vec3 back = sb_vec3_sub(spun(b->at, out, -frames), a->at);
    sb_vec3 rate = sb_vec3_sub(rate_of(b->at, out), b->rate);
    return sb_vec3_length(back) + sb_vec3_length(rate) * frames;
}

/* How many blocks ahead it is aimed, and at what. */
static int look_ahead(sb_voice *voice, double from, sb_path_aiming *to) {
    const sb_path *path = &voice->path;
    const int order = voice->aims->order;
    double known = (sb_path_end(path) - from) / SB_BLOCK_FRAMES;
    bool is_moving = known >= 1;
    if (!is_moving) known = fmax((double)voice->aim.glide_blocks, 1);
    int blocks = (int)fmin(known, BLOCKS_MOST);
    double end = from + blocks * SB_BLOCK_FRAMES;
    *to = sb_path_aim(path, end);
    double turn = sb_vec3_length(to->rate) * SB_BLOCK_FRAMES * order;
    int most = (int)fmin(TURN_MOST / fmax(turn, 1e-6), BLOCKS_MOST);
    if (most < blocks) {
        blocks = most > 1 ? most : 1;
        *to = sb_path_aim(path, from + blocks * SB_BLOCK_FRAMES);
        return blocks;
    }
    if (most > BEYOND_MOST * blocks) most = BEYOND_MOST * blocks;
    if (!is_moving || turn == 0 || voice->aim.glide_blocks > 0) return blocks;
    sb_path_aiming here = sb_path_aim(path, from);
    sb_voice_spin spin;
    if (!(spin_between(&here, to, end - from, &spin) * order < STEADY))
        return blocks;
    to->at = spun(to->at, &spin, (most - blocks) * SB_BLOCK_FRAMES);
    to->rate = rate_of(to->at, &spin);
    voice->aim.spin = spin;
    return most;
}

static bool is_struck(const sb_voice *voice) {
    return voice->impact_count > 0 || voice->flying_count > 0 ||
           voice->spring_count > 0 || voice->drives ||
           voice->island.leader->island.links > 0;
}

void sb_voice_aim_anew(sb_voice *voice) {
    double now = voice->ears ? (double)voice->ears->frame : 0;
    voice->aim.until_frames = fmin(voice->aim.until_frames, now);
}

void sb_voice_aim_check(sb_voice *voice, double start_frames,
                        const sb_path_knot *knot) {
    const sb_voice_aim *aim = &voice->aim;
    if (start_frames >= aim->until_frames) return;
    double frames = knot->time_frames - start_frames;
    sb_vec3 at =
        spun(aim->at, &aim->spin, knot->time_frames - aim->until_frames);
    sb_vec3 off = sb_vec3_sub(sb_vec3_normalised(knot->aim), at);
    sb_vec3 rate = sb_vec3_sub(knot->aim_rate, rate_of(at, &aim->spin));
    double error = sb_vec3_length(off) + sb_vec3_length(rate) * frames;
    bool is_same = aim->spin.rate != 0 && voice->aims && !knot->is_jump;
    if (!is_same || !(error * voice->aims->order < NEAR))
        sb_voice_aim_anew(voice);
}

/* It goes where it was aimed; but a path that has ended stays there. */
static bool is_on_course(const sb_voice *voice, double from) {
    const sb_voice_aim *aim = &voice->aim;
    if (!aim->is_set || from >= aim->until_frames) return false;
    return aim->spin.rate == 0 || sb_path_end(&voice->path) > from;
}

void sb_voice_aim_at(sb_voice *voice) {
    sb_voice_aim *aim = &voice->aim;
    if (!voice->aims || !voice->path.is_set) return;
    double from = voice->ears ? (double)voice->ears->frame : 0;
    bool all = is_struck(voice);
    if (is_on_course(voice, from) && !all) return;
    int blocks = 1;
    sb_path_aiming to;
    aim->spin.rate = 0;
    if (all)
        to = sb_path_aim(&voice->path, from + SB_BLOCK_FRAMES);
    else
        blocks = look_ahead(voice, from, &to);
    if (sb_vec3_dot(to.at, to.at) == 0) return;
    bool is_there = aim->is_set && aim->glide_blocks == 0 &&
                    sb_vec3_length(sb_vec3_sub(to.at, aim->at)) < 1e-7;
    if (is_there && !(all && aim->is_stale)) return;
    double glide = fmax(aim->glide_blocks, blocks);
    sb_modal_bank_aim(voice->bank,
                      &(sb_modal_aiming){
                          .at = to.at,
                          .rate = sb_vec3_scale(to.rate, SB_BLOCK_FRAMES),
                          .blocks = blocks,
                          .share = blocks / glide,
                          .is_onward = aim->is_set && from <= aim->until_frames,
                          .all = all});
    aim->glide_blocks = (int)(glide - blocks);
    aim->at = to.at;
    aim->until_frames = voice->ears ? from + blocks * SB_BLOCK_FRAMES : 0;
    aim->is_set = true;
    aim->is_stale = !all;
}
