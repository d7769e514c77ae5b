/* SPDX-License-Identifier: MIT */
/* Strikes that are due: hits of prepared places, and the choice of which
 * strikes begin in a block. Thread: audio. */

#include "runtime/base/select.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/voice/voice_share.h"

#include <math.h>
#include <string.h>

/* Most blocks that a strike waits. */
enum { WAIT_BLOCKS = 64 };

/* `is_crowded`: for lack of room or time. */
static bool refuse(sb_audio *audio, bool is_crowded) {
    if (is_crowded) audio_count(&audio->counters.crowded, 1);
    audio_count(&audio->counters.dropped, 1);
    return false;
}

static void drop(sb_audio *audio, sb_strike *strike, bool is_crowded) {
    (void)refuse(audio, is_crowded);
    audio_retire_strike(audio, strike);
}

static int price_of(const sb_audio *audio, const sb_pending_strike *pending) {
    return audio->active.is_up[pending->slot] ? SB_UNITS_STRIKE : SB_UNITS_WAKE;
}

/* A striker that presses for long, as a soft and heavy one, takes time in every
 * frame. As many are taken as fit into their part of the budget, and always at
 * least one. */
static bool has_time(sb_audio *audio, const sb_voice *voice,
                     const sb_strike *strike) {
    if (!strike->is_striker) return true;
    double units =
        audio->due.striker_units + sb_voice_next_striker_units(voice, strike);
    if (audio->due.striker_units > 0.0 &&
        units > sb_quality_striker_units(&audio->quality))
        return false;
    audio->due.striker_units = units;
    return true;
}

static void begin(sb_audio *audio, const sb_pending_strike *pending) {
    sb_voice *voice = audio_voice(audio, pending->slot, pending->generation);
    if (!voice) {
        drop(audio, pending->strike, false); /* the body is gone */
        return;
    }
    if (!has_time(audio, voice, pending->strike)) {
        drop(audio, pending->strike, true);
        return;
    }
    double start = sb_max(pending->time_frames - (double)audio->clock, 0.0);
    audio->quality.ahead_units += price_of(audio, pending);
    audio_wake(audio, voice);
    sb_strike *back = sb_voice_strike(voice, pending->strike, start);
    if (back != pending->strike) audio_count(&audio->counters.strikes, 1);
    if (back == pending->strike) {
        drop(audio, back, true);
    } else if (back) {
        audio_retire_strike(audio, back);
    }
}

/* Power in steps of 0.4 dB: the exponent and three bits of the mantissa. */
enum { STEPS = 2048 };

static int step_of(const sb_pending_strike *pending) {
    float power = pending->power >= 0.0f ? pending->power : 0.0f;
    uint32_t bits;
    memcpy(&bits, &power, sizeof bits);
    return (int)(bits >> 20) & (STEPS - 1);
}

/* Choose the loudest that fit into `units`; among equals the oldest. */
static void choose(sb_audio *audio, double units) {
    int price[STEPS] = {0};
    for (int i = 0; i < audio->due.count; i++)
        price[step_of(&audio->due.pending[i])] +=
            price_of(audio, &audio->due.pending[i]);
    int step = STEPS;
    while (step > 0 && (double)price[step - 1] <= units)
        units -= price[--step];
    for (int i = 0; i < audio->due.count; i++) {
        sb_pending_strike *pending = &audio->due.pending[i];
        pending->is_chosen = step_of(pending) >= step;
        if (step_of(pending) != step - 1) continue;
        units -= price_of(audio, pending);
        pending->is_chosen = units >= 0.0;
    }
}

void audio_begin_strikes(sb_audio *audio) {
    if (audio->due.count == 0) return;
    double units = sb_quality_strike_units(&audio->quality);
    int kept = 0;
    bool is_crowd = audio->due.count * (double)SB_UNITS_WAKE > units;
    double oldest =
        (double)(audio->clock - (int64_t)WAIT_BLOCKS * SB_BLOCK_FRAMES);
    if (is_crowd) choose(audio, units);
    for (int i = 0; i < audio->due.count; i++) {
        const sb_pending_strike *pending = &audio->due.pending[i];
        if (!is_crowd || pending->is_chosen) {
            begin(audio, pending);
        } else if (pending->time_frames < oldest) {
            drop(audio, pending->strike, true);
        } else {
            audio->due.pending[kept++] = *pending;
        }
    }
    audio->due.count = kept;
}

/* Drop half of them, so that this search is rare. */
static void make_room(sb_audio *audio) {
    int kept = 0;
    if (isinf(sb_quality_strike_units(&audio->quality))) {
        audio_begin_strikes(audio);
        return;
    }
    choose(audio, SB_AUDIO_PENDING / 2.0 * SB_UNITS_WAKE);
    for (int i = 0; i < audio->due.count; i++) {
        if (audio->due.pending[i].is_chosen) {
            audio->due.pending[kept++] = audio->due.pending[i];
        } else {
            drop(audio, audio->due.pending[i].strike, true);
        }
    }
    audio->due.count = kept;
}

void audio_queue_strike(sb_audio *audio, const sb_command *command) {
    if (audio->due.count == SB_AUDIO_PENDING) make_room(audio);
    sb_pending_strike *pending = &audio->due.pending[audio->due.count++];
    *pending = (sb_pending_strike){.time_frames = command->time_frames,
                                   .slot = command->slot,
                                   .generation = command->generation,
                                   .strike = command->with.strike,
                                   .power = command->power *
                                            audio->louder[command->slot]};
    if (command->power >= 1e30f) pending->power = 1e30f;
}

/* --- prepared places ------------------------------------------------------*/

static bool is_idle(const sb_pad *pad) {
    return pad->is_gone && pad->free_count == SB_PAD_HITS;
}

/* Take a strike for a hit of this speed; NULL: it makes no sound, or
 * `is_crowded`: all are in use. */
static sb_strike *hit_pad(sb_pad *pad, double speed_m_s, bool *is_crowded) {
    sb_blow blow = {0};
    *is_crowded = pad->free_count == 0;
    if (*is_crowded || !pad->law(pad->law_data, speed_m_s, &blow)) return NULL;
    sb_strike *strike = pad->free[--pad->free_count];
    *strike = (sb_strike){.impulse_ns = blow.impulse_ns,
                          .duration_s = blow.duration_s,
                          .response = pad->response,
                          .is_striker = pad->is_striker,
                          .striker = pad->striker,
                          .room = &pad->field,
                          .record = blow.record,
                          .mode_count = pad->mode_count,
                          .pad = pad,
                          .weights = pad->weights};
    strike->record.label = strike->striker.label = pad->label;
    strike->striker.law = blow.law;
    strike->striker.speed_m_s = blow.speed_m_s;
    return strike;
}

bool audio_pad_take_back(sb_strike *strike) {
    sb_pad *pad = strike->pad;
    pad->free[pad->free_count++] = strike;
    return is_idle(pad);
}

/* It will not be hit any more. */
static void let_go(sb_audio *audio, sb_pad *pad) {
    if (!pad) return;
    pad->is_gone = true;
    if (is_idle(pad)) audio_retire(audio, SB_RETIRED_PAD, 0, pad);
}

/* In order of time, and among equals in order of arrival. */
static void wait_for(sb_pads *pads, double frame, sb_strike *strike) {
    int i = pads->waiting_count++;
    for (; i > 0 && pads->waiting[i - 1].frame > frame; i--)
        pads->waiting[i] = pads->waiting[i - 1];
    pads->waiting[i] = (sb_waiting_hit){frame, strike};
}

static bool hit(sb_audio *audio, sb_pad_id id, double speed_m_s,
                int64_t frame) {
    sb_pads *pads = &audio->pads;
    sb_pad *pad = id.index < SB_AUDIO_PADS ? pads->by_slot[id.index] : NULL;
    if (!pad || pad->id.generation != id.generation)
        return refuse(audio, false);
    bool is_crowded = pads->waiting_count == SB_AUDIO_HITS;
    sb_strike *strike =
        is_crowded ? NULL : hit_pad(pad, speed_m_s, &is_crowded);
    if (!strike) return refuse(audio, is_crowded);
    int64_t at = frame > audio->clock ? frame : audio->clock;
    wait_for(pads, (double)at, strike);
    return true;
}

static void take_posts(sb_audio *audio) {
    sb_pads *pads = &audio->pads;
    sb_pad_post post;
    for (int i = 0; i < SB_AUDIO_PAD_POSTS; i++) {
        if (!sb_ring_pop(&pads->posts, &post)) return;
        if (post.kind == SB_POST_HIT) {
            (void)hit(audio, post.id, post.speed_m_s, post.frame);
            continue;
        }
        let_go(audio, pads->by_slot[post.id.index]);
        pads->by_slot[post.id.index] = post.pad; /* RELEASE: NULL */
    }
}

bool sb_audio_hit(sb_audio *audio, sb_pad_id id, double speed_m_s,
                  int64_t frame) {
    take_posts(audio);
    return hit(audio, id, speed_m_s, frame);
}

void audio_begin_hits(sb_audio *audio) {
    sb_pads *pads = &audio->pads;
    take_posts(audio);
    double end = (double)(audio->clock + SB_BLOCK_FRAMES);
    int due = 0;
    for (; due < pads->waiting_count && pads->waiting[due].frame < end; due++) {
        sb_strike *strike = pads->waiting[due].strike;
        sb_voice_id voice = strike->pad->voice;
        audio_queue_strike(
            audio, &(sb_command){.time_frames = pads->waiting[due].frame,
                                 .kind = SB_COMMAND_STRIKE,
                                 .slot = voice.index,
                                 .generation = voice.generation,
                                 .power = sb_strike_power(strike),
                                 .with.strike = strike});
    }
    if (due == 0) return;
    pads->waiting_count -= due;
    memmove(pads->waiting, pads->waiting + due,
            (size_t)pads->waiting_count * sizeof *pads->waiting);
}
