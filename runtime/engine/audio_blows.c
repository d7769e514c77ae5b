#include "runtime/engine/audio_blows.h"

#include "runtime/base/select.h"
#include "runtime/engine/audio_awake.h"
#include "runtime/engine/audio_inside.h"

#include <string.h>

static void drop(sb_audio *audio, sb_strike *strike) {
    audio_count(&audio->counters.dropped, 1);
    audio_retire_strike(audio, strike);
}

static void begin(sb_audio *audio, const sb_blow *blow) {
    sb_voice *voice = audio->voices[blow->slot];
    if (!voice || voice->generation != blow->generation) {
        drop(audio, blow->strike);
        return;
    }
    double start = sb_max(blow->time_frames - (double)audio->clock, 0.0);
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

/* The loudest, and of those that are equally loud the first. */
static void choose(sb_audio *audio, int most) {
    uint16_t count[STEPS] = {0};
    for (int i = 0; i < audio->blow_count; i++)
        count[step_of(&audio->blows[i])]++;
    int step = STEPS;
    while (step > 0 && count[step - 1] <= most)
        most -= count[--step];
    for (int i = 0; i < audio->blow_count; i++) {
        sb_blow *blow = &audio->blows[i];
        blow->is_chosen = step_of(blow) >= step;
        if (step_of(blow) != step - 1 || most == 0) continue;
        blow->is_chosen = true;
        most--;
    }
}

void audio_begin_blows(sb_audio *audio) {
    if (audio->blow_count == 0) return;
    int most = sb_quality_blows(&audio->quality), kept = 0;
    bool is_crowd = audio->blow_count > most;
    double oldest =
        (double)(audio->clock - (int64_t)SB_BLOW_WAIT * SB_BLOCK_FRAMES);
    if (is_crowd) choose(audio, most);
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
    if (sb_quality_blows(&audio->quality) >= SB_AUDIO_BLOWS) {
        audio_begin_blows(audio);
        return;
    }
    choose(audio, SB_AUDIO_BLOWS / 2);
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
