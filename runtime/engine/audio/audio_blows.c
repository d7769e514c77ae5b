#include "runtime/engine/audio/audio_blows.h"

#include "runtime/base/select.h"
#include "runtime/engine/audio/audio_awake.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/voice/voice_share.h"

#include <math.h>
#include <string.h>

static void drop(sb_audio *audio, sb_strike *strike) {
    audio_count(&audio->counters.dropped, 1);
    audio_retire_strike(audio, strike);
}

static int price_of(const sb_audio *audio, const sb_blow *blow) {
    return audio->is_up[blow->slot] ? SB_UNITS_BLOW : SB_UNITS_WAKE;
}

static void begin(sb_audio *audio, const sb_blow *blow) {
    sb_voice *voice = audio->voices[blow->slot];
    if (!voice || voice->generation != blow->generation) {
        drop(audio, blow->strike);
        return;
    }
    double start = sb_max(blow->time_frames - (double)audio->clock, 0.0);
    audio->quality.ahead_units += price_of(audio, blow);
    audio_wake(audio, voice);
    sb_strike *back = sb_voice_strike(voice, blow->strike, start);
    if (back != blow->strike) audio_count(&audio->counters.strikes, 1);
    if (back == blow->strike) {
        drop(audio, back);
    } else if (back) {
        audio_retire_strike(audio, back);
    }
}

/* Steps of 0.4 dB, for comparison: exponent and three digits of the power. */
enum { STEPS = 2048 };

static int step_of(const sb_blow *blow) {
    float power = blow->power >= 0.0f ? blow->power : 0.0f;
    uint32_t bits;
    memcpy(&bits, &power, sizeof bits);
    return (int)(bits >> 20) & (STEPS - 1);
}

/* The loudest that there are units for, and of those that are equally loud the
 * first. */
static void choose(sb_audio *audio, double units) {
    int price[STEPS] = {0};
    for (int i = 0; i < audio->blow_count; i++)
        price[step_of(&audio->blows[i])] += price_of(audio, &audio->blows[i]);
    int step = STEPS;
    while (step > 0 && (double)price[step - 1] <= units)
        units -= price[--step];
    for (int i = 0; i < audio->blow_count; i++) {
        sb_blow *blow = &audio->blows[i];
        blow->is_chosen = step_of(blow) >= step;
        if (step_of(blow) != step - 1) continue;
        units -= price_of(audio, blow);
        blow->is_chosen = units >= 0.0;
    }
}

void audio_begin_blows(sb_audio *audio) {
    if (audio->blow_count == 0) return;
    double units = sb_quality_blow_units(&audio->quality);
    int kept = 0;
    bool is_crowd = audio->blow_count * (double)SB_UNITS_WAKE > units;
    double oldest =
        (double)(audio->clock - (int64_t)SB_BLOW_WAIT * SB_BLOCK_FRAMES);
    if (is_crowd) choose(audio, units);
    for (int i = 0; i < audio->blow_count; i++) {
        const sb_blow *blow = &audio->blows[i];
        if (!is_crowd || blow->is_chosen) {
            begin(audio, blow);
        } else if (blow->time_frames < oldest) {
            drop(audio, blow->strike);
        } else {
            audio->blows[kept++] = *blow;
        }
    }
    audio->blow_count = kept;
}

/* Half of them go, so that looking through all is done seldom. */
static void make_room(sb_audio *audio) {
    int kept = 0;
    if (isinf(sb_quality_blow_units(&audio->quality))) {
        audio_begin_blows(audio);
        return;
    }
    choose(audio, SB_AUDIO_BLOWS / 2.0 * SB_UNITS_WAKE);
    for (int i = 0; i < audio->blow_count; i++) {
        if (audio->blows[i].is_chosen) {
            audio->blows[kept++] = audio->blows[i];
        } else {
            drop(audio, audio->blows[i].strike);
        }
    }
    audio->blow_count = kept;
}

void audio_take_blow(sb_audio *audio, const sb_command *command) {
    if (audio->blow_count == SB_AUDIO_BLOWS) make_room(audio);
    sb_blow *blow = &audio->blows[audio->blow_count++];
    *blow = (sb_blow){.time_frames = command->time_frames,
                      .slot = command->slot,
                      .generation = command->generation,
                      .strike = command->with.strike,
                      .power = command->power * audio->louder[command->slot]};
    if (command->power >= 1e30f) blow->power = 1e30f;
}
