/* SPDX-License-Identifier: MIT */
/* Lasting contacts: their moves within a block, their force or link, and the
 * voices that they act on. Thread: audio. */
#include "runtime/engine/audio/audio_lasting.h"

#include "runtime/dsp/contact/rolling_ride.h"
#include "runtime/engine/audio/audio_internal.h"

#include <math.h>
#include <string.h>

/* --- the place ------------------------------------------------------------*/

/* Catmull-Rom interpolation between the two middle rows; at the ends the last
 * slope is extrapolated. */
static void between_rows(const float *rows, int padded, int count, double at,
                         float *out) {
    int i = (int)fmin(fmax(floor(at), 0.0), count - 2.0);
    float t = (float)(at - i);
    const float *b = rows + (ptrdiff_t)i * padded, *c = b + padded;
    const float *a = i > 0 ? b - padded : NULL;
    const float *d = i < count - 2 ? c + padded : NULL;
    for (int k = 0; k < padded; k++) {
        float step = c[k] - b[k];
        float in = a ? 0.5f * (c[k] - a[k]) : step;
        float away = d ? 0.5f * (d[k] - b[k]) : step;
        if (!a && d) in = 2.0f * step - away; /* zero curvature at the end */
        if (a && !d) away = 2.0f * step - in;
        float bend = 3.0f * step - 2.0f * in - away;
        float twist = in + away - 2.0f * step;
        out[k] = b[k] + t * (in + t * (bend + t * twist));
    }
}

static double part_at(double start_frame, double frames, double frame) {
    double gone = frame - start_frame;
    if (gone >= frames) return 1.0;
    return gone > 0.0 ? gone / frames : 0.0;
}

/* Update the weights at the end of the computed part to `frame`. */
static void follow_path(sb_lasting *lasting, double frame) {
    const sb_lasting_move *path = lasting->path;
    if (!path) return;
    double part = part_at(path->start_frame, path->frames, frame);
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        const sb_lasting_side *side = &lasting->side[i];
        if (side->padded == 0) continue;
        if (path->rows == 1) {
            memcpy(side->end, path->weights[i],
                   (size_t)side->padded * sizeof *side->end);
        } else {
            between_rows(path->weights[i], side->padded, path->rows,
                         part * (path->rows - 1), side->end);
        }
    }
    lasting->is_moving = true;
}

/* --- values ---------------------------------------------------------------*/

static double value_at(const sb_lasting_ramp *ramp, double frame) {
    double part = part_at(ramp->start_frame, ramp->frames, frame);
    return ramp->from + part * (ramp->to - ramp->from);
}

/* At the end of the block. */
static sb_contact_load end_load(const sb_lasting *lasting) {
    double value[SB_LASTING_VALUES];
    for (int i = 0; i < SB_LASTING_VALUES; i++)
        value[i] = value_at(&lasting->ramp[i], SB_BLOCK_FRAMES);
    return (sb_contact_load){
        value[SB_LASTING_FORCE],
        {value[SB_LASTING_SPEED_0], value[SB_LASTING_SPEED_1]},
        value[SB_LASTING_SLIP]};
}

/* --- the way through a block ----------------------------------------------*/

static void end_move(sb_lasting_move *move, sb_lasting_ended *ended) {
    ended->moves[ended->count++] = move;
}

static void end_path(sb_lasting *lasting, double frame,
                     sb_lasting_ended *ended) {
    if (!lasting->path) return;
    follow_path(lasting, frame);
    end_move(lasting->path, ended);
    lasting->path = NULL;
}

static void begin_move(sb_lasting *lasting, sb_lasting_move *move,
                       sb_lasting_ended *ended) {
    double start = move->start_frame;
    for (int i = 0; i < SB_LASTING_VALUES; i++) {
        if (!(move->named >> i & 1)) continue;
        double from = value_at(&lasting->ramp[i], start);
        lasting->ramp[i] =
            (sb_lasting_ramp){from, move->to[i], start, move->frames};
    }
    if (!lasting->is_begun) sb_rub_delay(&lasting->rub, fmax(start, 0.0));
    lasting->is_begun = true;
    if (move->is_last) lasting->over_frame = start + move->frames;
    if (move->rows == 0) {
        end_move(move, ended);
        return;
    }
    end_path(lasting, start, ended);
    lasting->path = move;
}

/* Begin the first waiting move. */
static void begin_next(sb_lasting *lasting, sb_lasting_ended *ended) {
    begin_move(lasting, lasting->waiting[0], ended);
    lasting->waiting_count--;
    memmove(lasting->waiting, lasting->waiting + 1,
            (size_t)lasting->waiting_count * sizeof lasting->waiting[0]);
}

sb_lasting_move *sb_lasting_take(sb_lasting *lasting, sb_lasting_move *move) {
    sb_lasting_ended ended = {.count = 0};
    /* No move may be lost, least of all the last one. If there is no room, the
     * first begins early, by less than a block. It ends itself or one other. */
    if (lasting->waiting_count == SB_LASTING_MOVES) begin_next(lasting, &ended);
    lasting->waiting[lasting->waiting_count++] = move;
    return ended.count > 0 ? ended.moves[0] : NULL;
}

static double path_end(const sb_lasting *lasting) {
    const sb_lasting_move *path = lasting->path;
    return path ? path->start_frame + path->frames : INFINITY;
}

/* Process events up to `frame`: moves begin, the path ends. */
static void turn(sb_lasting *lasting, double frame, sb_lasting_ended *ended) {
    while (lasting->waiting_count > 0 &&
           lasting->waiting[0]->start_frame <= frame)
        begin_next(lasting, ended);
    if (path_end(lasting) <= frame) end_path(lasting, frame, ended);
    if (lasting->over_frame <= frame) lasting->is_over = true;
}

static double sooner(double next, double at, int after) {
    return at > after ? fmin(next, ceil(at)) : next;
}

/* The next frame with an event, at most `limit`. */
static int next_turn(const sb_lasting *lasting, int after, int limit) {
    double next = limit;
    if (lasting->waiting_count > 0)
        next = sooner(next, lasting->waiting[0]->start_frame, after);
    for (int i = 0; i < SB_LASTING_VALUES; i++) {
        const sb_lasting_ramp *ramp = &lasting->ramp[i];
        next = sooner(next, ramp->start_frame + ramp->frames, after);
    }
    next = sooner(next, path_end(lasting), after);
    return (int)sooner(next, lasting->over_frame, after);
}

/* The normal force of the frames between two events. */
static void lay_load(const sb_lasting *lasting, int from, int to,
                     float *load_n) {
    const sb_lasting_ramp *ramp = &lasting->ramp[SB_LASTING_FORCE];
    double first = value_at(ramp, from), last = value_at(ramp, to);
    double step = (last - first) / (to - from);
    for (int n = from; n < to; n++)
        load_n[n] = (float)(first + step * (n - from));
}

/* The excitation supports linear changes over a whole block. If the load has a
 * corner inside the block, it is computed for the greatest load and scaled
 * frame by frame, so that beginnings and ends are exact to the frame. */
static void press(sb_lasting *lasting, sb_contact_load from, bool is_bent,
                  const float *load_n) {
    sb_contact_load to = lasting->now;
    double most = fmax(from.force_n, to.force_n);
    if (is_bent) {
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            most = fmax(most, (double)load_n[n]);
        from.force_n = to.force_n = most;
    }
    if (!(most > 0.0)) return;
    lasting->is_driving = true;
    sb_rub_block(&lasting->rub, &from, &to, lasting->impulse_ns);
    lasting->is_pressing = true;
    for (int n = 0; is_bent && n < SB_BLOCK_FRAMES; n++)
        lasting->impulse_ns[n] *= load_n[n] / (float)most;
}

static void aim_sides(sb_lasting *lasting) {
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        const sb_lasting_side *from = &lasting->side[i];
        sb_link_side *to = &lasting->link.side[i];
        to->weights = from->padded > 0 ? from->start : NULL;
        to->middle = lasting->is_moving ? from->middle : NULL;
        to->end = lasting->is_moving ? from->end : NULL;
        to->now = from->now;
    }
}

/* A mass on the profile: its load and the heights. What else a ball does is a
 * known force. */
static void set_ball(sb_lasting *lasting, const sb_contact_load *from,
                     double load_n[2]) {
    sb_rub *rub = &lasting->rub;
    sb_rub_ball_load(rub, from, &lasting->now, load_n);
    sb_rub_profile(rub, from, &lasting->now, lasting->profile_m);
    sb_rub_block(rub, from, &lasting->now, lasting->impulse_ns);
    for (int i = 0; i < SB_RUB_KIND_COUNT; i++)
        lasting->is_driving |= rub->def.gain[i] != 0.0;
}

/* The force of a ball, computed in advance. */
static void ride(sb_lasting *lasting, const sb_contact_load *from) {
    double load_n[2], excess_ns[SB_BLOCK_FRAMES] = {0};
    set_ball(lasting, from, load_n);
    sb_ride_place places[SB_RIDE_SIDES];
    for (int i = 0; i < SB_RIDE_SIDES; i++)
        places[i] =
            (sb_ride_place){lasting->side[i].middle, lasting->side[i].padded};
    sb_ride_block(lasting->ride, places, load_n, lasting->profile_m, excess_ns);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        lasting->impulse_ns[n] += lasting->ride_gain * (float)excess_ns[n];
    lasting->is_pressing = from->force_n > 0.0 || lasting->now.force_n > 0.0;
    lasting->is_driving = true;
}

/* The same for a force that depends on the vibration of the voices. */
static void join(sb_lasting *lasting, const sb_contact_load *from) {
    const sb_contact_load *to = &lasting->now;
    sb_link *link = &lasting->link;
    lasting->is_pressing = from->force_n > 0.0 || to->force_n > 0.0;
    link->load_n[0] = from->force_n;
    link->load_n[1] = to->force_n;
    if (lasting->model == SB_LASTING_FRICTION) {
        link->rub.slip_m_s[0] = from->slip_m_s;
        link->rub.slip_m_s[1] = to->slip_m_s;
    }
    if (lasting->model == SB_LASTING_PRESS) {
        set_ball(lasting, from, link->load_n);
        link->profile_m = lasting->profile_m;
        link->excess_before_ns = lasting->excess_ns[SB_BLOCK_FRAMES - 1];
        memset(lasting->excess_ns, 0, sizeof lasting->excess_ns);
        link->excess_ns = lasting->excess_ns;
    }
    aim_sides(lasting);
}

static void copy_places(const sb_lasting *lasting, bool to_start) {
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        const sb_lasting_side *side = &lasting->side[i];
        size_t bytes = (size_t)side->padded * sizeof *side->end;
        if (bytes == 0) continue;
        if (to_start) memcpy(side->start, side->end, bytes);
        memcpy(side->middle, side->end, bytes);
    }
}

static void pass_block(sb_lasting *lasting) {
    for (int i = 0; i < lasting->waiting_count; i++)
        lasting->waiting[i]->start_frame -= SB_BLOCK_FRAMES;
    for (int i = 0; i < SB_LASTING_VALUES; i++)
        lasting->ramp[i].start_frame -= SB_BLOCK_FRAMES;
    if (lasting->path) lasting->path->start_frame -= SB_BLOCK_FRAMES;
    lasting->over_frame -= SB_BLOCK_FRAMES;
}

void sb_lasting_advance(sb_lasting *lasting, sb_lasting_ended *ended) {
    enum { HALF = SB_BLOCK_FRAMES / 2 };
    float load_n[SB_BLOCK_FRAMES] = {0};
    sb_contact_load from = lasting->now;
    bool is_bent = false;
    ended->count = 0;
    lasting->is_pressing = lasting->is_driving = false;
    lasting->is_moving = false;
    lasting->before_ns = lasting->impulse_ns[SB_BLOCK_FRAMES - 1];
    memset(lasting->impulse_ns, 0, sizeof lasting->impulse_ns);
    copy_places(lasting, true);
    for (int n = 0; n < SB_BLOCK_FRAMES;) {
        turn(lasting, n, ended);
        if (lasting->is_over) break;
        int next = next_turn(lasting, n, n < HALF ? HALF : SB_BLOCK_FRAMES);
        lay_load(lasting, n, next, load_n);
        n = next;
        if (n != HALF && n != SB_BLOCK_FRAMES) {
            is_bent = true;
            continue;
        }
        follow_path(lasting, n);
        if (n == HALF) copy_places(lasting, false);
    }
    double straight = 0.5 * (from.force_n + end_load(lasting).force_n);
    is_bent |= lasting->is_over ||
               fabs((double)load_n[HALF] - straight) > 1e-6 * straight;
    lasting->now = end_load(lasting);
    if (lasting->ride) {
        ride(lasting, &from);
    } else if (lasting->model == SB_LASTING_KNOWN) {
        press(lasting, from, is_bent, load_n);
    } else {
        join(lasting, &from);
    }
    pass_block(lasting);
}

/* --- all contacts ---------------------------------------------------------*/

static sb_voice *voice_at(const sb_audio *audio, const sb_lasting_side *side) {
    if (side->generation == 0) return NULL;
    return audio_voice(audio, side->slot, side->generation);
}

/* A contact ends when a body it touches leaves. */
static bool has_lost_hold(const sb_audio *audio, const sb_lasting *lasting) {
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        const sb_lasting_side *side = &lasting->side[i];
        if (side->generation != 0 && !voice_at(audio, side)) return true;
    }
    return false;
}

static void hand_to_voices(sb_audio *audio, sb_lasting *lasting) {
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        sb_lasting_side *side = &lasting->side[i];
        sb_voice *voice = voice_at(audio, side);
        if (!voice) continue;
        audio_wake(audio, voice);
        side->drive = (sb_drive){.impulse_ns = lasting->impulse_ns,
                                 .before_ns = lasting->before_ns,
                                 .start = side->start,
                                 .middle = side->middle,
                                 .end = side->end,
                                 .is_moving = lasting->is_moving};
        sb_voice_drive(voice, &side->drive);
    }
}

static void retire_lasting(sb_audio *audio, uint32_t slot) {
    sb_lasting *lasting = audio->contacts.by_slot[slot];
    for (int i = 0; i < lasting->waiting_count; i++)
        audio_retire(audio, SB_RETIRED_MOVE, 0, lasting->waiting[i]);
    if (lasting->path) audio_retire(audio, SB_RETIRED_MOVE, 0, lasting->path);
    audio->contacts.by_slot[slot] = NULL;
    audio_retire(audio, SB_RETIRED_LASTING, slot, lasting);
}

/* Render its voices as an island with it. */
static void hand_to_island(sb_audio *audio, sb_lasting *lasting) {
    if (audio->contacts.coupling_count == SB_AUDIO_CONTACTS) return;
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        lasting->coupling.voice[i] = voice_at(audio, &lasting->side[i]);
        if (lasting->coupling.voice[i])
            audio_wake(audio, lasting->coupling.voice[i]);
    }
    audio->contacts.couplings[audio->contacts.coupling_count++] =
        &lasting->coupling;
}

static void trace_drive(sb_audio *audio, const sb_lasting *lasting,
                        const sb_contact_load *before) {
    if (!audio->tracer.is_on || !audio->tracer.rows) return;
    sb_tracer_drive(&audio->tracer, lasting->impulse_ns,
                    1.0 / audio->sample_rate_hz, before, &lasting->now);
}

void audio_advance_contacts(sb_audio *audio) {
    audio->contacts.coupling_count = 0;
    for (int i = 0; i < audio->contacts.count; i++) {
        sb_lasting *lasting =
            audio->contacts.by_slot[audio->contacts.touching[i]];
        sb_lasting_ended ended;
        if (has_lost_hold(audio, lasting)) {
            lasting->is_over = true;
            continue;
        }
        sb_contact_load before = lasting->now;
        sb_lasting_advance(lasting, &ended);
        for (int m = 0; m < ended.count; m++)
            audio_retire(audio, SB_RETIRED_MOVE, 0, ended.moves[m]);
        if (!lasting->is_pressing) continue;
        if (lasting->is_driving) hand_to_voices(audio, lasting);
        if (lasting->model != SB_LASTING_KNOWN) {
            hand_to_island(audio, lasting);
        } else if (lasting->is_watched) {
            trace_drive(audio, lasting, &before);
        }
    }
}

void audio_forget_contacts(sb_audio *audio) {
    int kept = 0;
    for (int i = 0; i < audio->contacts.count; i++) {
        uint32_t slot = audio->contacts.touching[i];
        if (audio->contacts.by_slot[slot]->is_over) {
            retire_lasting(audio, slot);
        } else {
            audio->contacts.touching[kept++] = slot;
        }
    }
    audio->contacts.count = kept;
    audio_show(&audio->counters.touching, kept);
}
