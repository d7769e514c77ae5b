/* Chooses which pending strikes begin in a block. Thread: audio. */
#include "runtime/engine/audio/audio_strikes.h"

#include "runtime/base/select.h"
#include "runtime/engine/audio/audio_awake.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/voice/voice_share.h"

#include <math.h>
#include <string.h>

/* There is no room or no time for it. */
static void drop(sb_audio *audio, sb_strike *strike) {
    audio_count(&audio->counters.crowded, 1);
    audio_count(&audio->counters.dropped, 1);
    audio_retire_strike(audio, strike);
}

static int price_of(const sb_audio *audio, const sb_pending_strike *pending) {
    return audio->is_up[pending->slot] ? SB_UNITS_STRIKE : SB_UNITS_WAKE;
}

/* A striker that presses for long, as a soft and heavy one, takes time in every
 * frame. As many are taken as fit into their part of the budget, and always at
 * least one. */
static bool has_time(sb_audio *audio, const sb_voice *voice,
                     const sb_strike *strike) {
    if (!strike->is_striker) return true;
    double units =
        audio->striker_units + sb_voice_next_striker_units(voice, strike);
    if (audio->striker_units > 0.0 &&
        units > sb_quality_striker_units(&audio->quality))
        return false;
    audio->striker_units = units;
    return true;
}

static void begin(sb_audio *audio, const sb_pending_strike *pending) {
    sb_voice *voice = audio->voices[pending->slot];
    if (!voice || voice->generation != pending->generation) {
        audio_count(&audio->counters.dropped, 1); /* the body is gone */
        audio_retire_strike(audio, pending->strike);
        return;
    }
    if (!has_time(audio, voice, pending->strike)) {
        drop(audio, pending->strike);
        return;
    }
    double start = sb_max(pending->time_frames - (double)audio->clock, 0.0);
    audio->quality.ahead_units += price_of(audio, pending);
    audio_wake(audio, voice);
    sb_strike *back = sb_voice_strike(voice, pending->strike, start);
    if (back != pending->strike) audio_count(&audio->counters.strikes, 1);
    if (back == pending->strike) {
        drop(audio, back);
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
    for (int i = 0; i < audio->pending_count; i++)
        price[step_of(&audio->pending[i])] +=
            price_of(audio, &audio->pending[i]);
    int step = STEPS;
    while (step > 0 && (double)price[step - 1] <= units)
        units -= price[--step];
    for (int i = 0; i < audio->pending_count; i++) {
        sb_pending_strike *pending = &audio->pending[i];
        pending->is_chosen = step_of(pending) >= step;
        if (step_of(pending) != step - 1) continue;
        units -= price_of(audio, pending);
        pending->is_chosen = units >= 0.0;
    }
}

void audio_begin_strikes(sb_audio *audio) {
    if (audio->pending_count == 0) return;
    double units = sb_quality_strike_units(&audio->quality);
    int kept = 0;
    bool is_crowd = audio->pending_count * (double)SB_UNITS_WAKE > units;
    double oldest =
        (double)(audio->clock - (int64_t)SB_STRIKE_WAIT * SB_BLOCK_FRAMES);
    if (is_crowd) choose(audio, units);
    for (int i = 0; i < audio->pending_count; i++) {
        const sb_pending_strike *pending = &audio->pending[i];
        if (!is_crowd || pending->is_chosen) {
            begin(audio, pending);
        } else if (pending->time_frames < oldest) {
            drop(audio, pending->strike);
        } else {
            audio->pending[kept++] = *pending;
        }
    }
    audio->pending_count = kept;
}

/* Drop half of them, so that this search is rare. */
static void make_room(sb_audio *audio) {
    int kept = 0;
    if (isinf(sb_quality_strike_units(&audio->quality))) {
        audio_begin_strikes(audio);
        return;
    }
    choose(audio, SB_AUDIO_PENDING / 2.0 * SB_UNITS_WAKE);
    for (int i = 0; i < audio->pending_count; i++) {
        if (audio->pending[i].is_chosen) {
            audio->pending[kept++] = audio->pending[i];
        } else {
            drop(audio, audio->pending[i].strike);
        }
    }
    audio->pending_count = kept;
}

void audio_queue_strike(sb_audio *audio, const sb_command *command) {
    if (audio->pending_count == SB_AUDIO_PENDING) make_room(audio);
    sb_pending_strike *pending = &audio->pending[audio->pending_count++];
    *pending = (sb_pending_strike){.time_frames = command->time_frames,
                                   .slot = command->slot,
                                   .generation = command->generation,
                                   .strike = command->with.strike,
                                   .power = command->power *
                                            audio->louder[command->slot]};
    if (command->power >= 1e30f) pending->power = 1e30f;
}
