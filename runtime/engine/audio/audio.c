/* SPDX-License-Identifier: MIT */
/* The audio thread: applies commands at their time, renders blocks of all
 * active voices, limits and outputs them. */
#include "runtime/engine/audio/audio.h"

#include "runtime/base/select.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/audio/audio_lasting.h"
#include "runtime/engine/audio/float_mode.h"
#include "runtime/engine/voice/voice_share.h"

#include <math.h>
#include <string.h>

void audio_count(atomic_llong *counter, long long amount) {
    atomic_store_explicit(
        counter, atomic_load_explicit(counter, memory_order_relaxed) + amount,
        memory_order_relaxed);
}

void audio_show(atomic_int *meter, int value) {
    atomic_store_explicit(meter, value, memory_order_relaxed);
}

static void add_voice(sb_audio *audio, const sb_command *command) {
    command->with.voice->generation = command->generation;
    command->with.voice->ears = audio->hearing.ears;
    audio->voices[command->slot] = command->with.voice;
    audio->active.is_up[command->slot] = false;
    atomic_store_explicit(&audio->is_muted[command->slot], false,
                          memory_order_relaxed);
    audio->louder[command->slot] =
        (float)sb_voice_ear_power(command->with.voice);
    command->with.voice->place = audio->playing_count;
    audio->playing[audio->playing_count++] = command->slot;
}

static void move_contact(sb_audio *audio, const sb_command *command,
                         double start_frame) {
    sb_lasting *lasting = audio->contacts.by_slot[command->slot];
    sb_lasting_move *back = command->with.move;
    back->start_frame = start_frame;
    if (lasting && lasting->generation == command->generation)
        back = sb_lasting_take(lasting, back);
    audio_retire(audio, SB_RETIRED_MOVE, 0, back);
}

/* Thousands of path changes may come at once, most for silent voices that are
 * in no cache: prefetch one while others are processed. */
static void fetch(const sb_audio *audio, uint32_t slot) {
    const sb_voice *voice = slot < SB_AUDIO_VOICES ? audio->voices[slot] : NULL;
    if (!voice) return;
    const char *begins[] = {(const char *)&voice->ears,
                            (const char *)&voice->path.now,
                            (const char *)&voice->path.turns,
                            (const char *)&voice->path.turn_count};
    const size_t bytes[] = {64, sizeof voice->path.now,
                            2 * sizeof voice->path.turns[0], 64};
    for (int i = 0; i < 4; i++) {
        for (size_t at = 0; at < bytes[i]; at += 64)
            __builtin_prefetch(begins[i] + at, 1);
    }
}

/* CONTACT and MOVE address a contact slot, QUALITY nothing, and the body of a
 * STRIKE is not looked up before the strike begins. */
static bool addresses_voice(const sb_command *command) {
    return command->kind != SB_COMMAND_CONTACT &&
           command->kind != SB_COMMAND_MOVE &&
           command->kind != SB_COMMAND_STRIKE &&
           command->kind != SB_COMMAND_QUALITY;
}

static void play_stream(sb_audio *audio, sb_voice *voice,
                        const sb_command *command) {
    sb_stream *stream = command->with.stream;
    /* Frames that are past are skipped: they were too late. */
    stream->offset = (int)(command->time_frames - (double)audio->clock);
    if (voice) {
        sb_voice_stream(voice, stream);
    } else {
        audio_retire_streams(audio, stream);
    }
}

static void retire_spent(sb_audio *audio, sb_voice *voice) {
    sb_taps *taps;
    while ((taps = sb_reflected_spent(&voice->reflected)))
        audio_retire(audio, SB_RETIRED_TAPS, 0, taps);
}

static void change_taps(sb_audio *audio, sb_voice *voice, sb_taps *taps) {
    if (!voice) {
        audio_retire(audio, SB_RETIRED_TAPS, 0, taps);
        return;
    }
    retire_spent(audio, voice);
    sb_reflected_put(&voice->reflected, taps, sb_voice_is_silent(voice));
    retire_spent(audio, voice);
}

static void set_path(sb_audio *audio, sb_voice *voice,
                     const sb_command *command) {
    fetch(audio, command->slot + 4);
    if (!voice) return;
    audio->quality.ahead_units += SB_UNITS_PATH_COMMAND;
    sb_voice_set_path(voice, command->time_frames, &command->with.knot,
                      audio->threshold);
    audio->louder[command->slot] = (float)sb_voice_ear_power(voice);
}

static void retune(sb_audio *audio, sb_voice *voice, sb_retune *values) {
    audio_count(&audio->counters.retunes, 1);
    audio_retire(audio, SB_RETIRED_RETUNE, 0,
                 voice ? sb_voice_retune(voice, values) : values);
}

static void apply(sb_audio *audio, const sb_command *command) {
    sb_voice *voice =
        addresses_voice(command)
            ? audio_voice(audio, command->slot, command->generation)
            : NULL;
    /* The position of an inactive or unheard voice does not matter yet: the
     * path is read when the voice becomes active. */
    if (voice && command->kind != SB_COMMAND_PATH &&
        command->kind != SB_COMMAND_TAPS)
        audio_wake(audio, voice);
    double start = fmax(command->time_frames - (double)audio->clock, 0.0);
    if (command->time_frames < (double)audio->clock) {
        audio_count(&audio->counters.late, 1);
    }
    switch (command->kind) {
    case SB_COMMAND_ADD:
        add_voice(audio, command);
        break;
    case SB_COMMAND_REMOVE:
        if (!voice) break;
        sb_voice_leave(voice, start, command->with.fade_frames);
        break;
    case SB_COMMAND_STRIKE:
        audio_queue_strike(audio, command);
        break;
    case SB_COMMAND_QUALITY:
        audio_set_quality(audio, &command->with.quality);
        break;
    case SB_COMMAND_PATH:
        set_path(audio, voice, command);
        break;
    case SB_COMMAND_AIR:
        audio_set_air(audio, command->with.air);
        break;
    case SB_COMMAND_HEAD:
        audio_set_head(audio, command->with.head);
        break;
    case SB_COMMAND_ROOM:
        audio_set_room(audio, command->with.room);
        break;
    case SB_COMMAND_TAPS:
        change_taps(audio, voice, command->with.taps);
        break;
    case SB_COMMAND_RETUNE:
        retune(audio, voice, command->with.retune);
        break;
    case SB_COMMAND_STREAM:
        play_stream(audio, voice, command);
        break;
    case SB_COMMAND_CONTACT:
        audio->contacts.by_slot[command->slot] = command->with.lasting;
        audio->contacts.touching[audio->contacts.count++] = command->slot;
        break;
    case SB_COMMAND_MOVE:
        move_contact(audio, command, start);
        break;
    case SB_COMMAND_COUNT:
        break;
    }
}

static void apply_due_commands(sb_audio *audio) {
    double end = (double)(audio->clock + SB_BLOCK_FRAMES);
    /* Bounded: control cannot refill the ring more than once while this empties
     * it. */
    for (int i = 0; i < SB_AUDIO_COMMANDS; i++) {
        const sb_command *next = sb_ring_peek(&audio->commands);
        if (!next || next->time_frames >= end) return;
        sb_command command;
        (void)sb_ring_pop(&audio->commands, &command);
        apply(audio, &command);
    }
}

static void retire_voice(sb_audio *audio, uint32_t slot) {
    sb_voice *voice = audio->voices[slot];
    sb_strike *strike;
    while ((strike = sb_voice_take_strike(voice)))
        audio_retire_strike(audio, strike);
    audio_retire(audio, SB_RETIRED_RETUNE, 0, voice->retune);
    voice->retune = NULL;
    audio_retire_streams(audio, voice->streams);
    voice->streams = NULL;
    sb_taps *taps;
    while ((taps = sb_reflected_take(&voice->reflected)))
        audio_retire(audio, SB_RETIRED_TAPS, 0, taps);
    audio->voices[slot] = NULL;
    sb_couplings_forget(audio->contacts.couplings,
                        audio->contacts.coupling_count, voice);
    audio_retire(audio, SB_RETIRED_VOICE, slot, voice);
}

/* Only strikes with a label are reported. */
static void pass_on(sb_audio *audio, const sb_impact_log *log) {
    int lost = log->lost;
    for (int i = 0; i < log->count; i++) {
        sb_impact_record record = log->items[i];
        record.time_frames += (double)audio->clock;
        if (record.label != 0 && !sb_ring_push(&audio->impacts, &record))
            lost++;
    }
    if (lost > 0) audio_count(&audio->counters.impacts_lost, lost);
}

/* Show control which voices of an island were set to rest. */
static void show_muted(sb_audio *audio, sb_voice *leader, int count) {
    for (sb_voice *voice = leader; voice; voice = voice->island.next) {
        if (!voice->was_muted || voice->is_told) continue;
        voice->is_told = true;
        atomic_store_explicit(&audio->is_muted[audio->playing[voice->place]],
                              true, memory_order_relaxed);
    }
    audio_count(&audio->counters.muted, count);
}

/* Render the island of a voice. */
static void render_island(sb_audio *audio, sb_voice *leader, float *stereo) {
    sb_voice_report report;
    report.ended_count = report.muted = report.dropped = 0;
    report.log.count = report.log.lost = 0;
    report.ended_streams = NULL;
    sb_tracer *tracer = audio->tracer.is_on ? &audio->tracer : NULL;
    if (leader->share.is_hidden) {
        audio_pass(leader, tracer, &report);
    } else {
        sb_voices_render(leader, stereo, tracer, &report);
    }
    if (report.dropped > 0)
        audio_count(&audio->counters.dropped, report.dropped);
    if (report.muted > 0) show_muted(audio, leader, report.muted);
    pass_on(audio, &report.log);
    for (int i = 0; i < report.ended_count; i++)
        audio_retire_strike(audio, report.ended[i]);
    audio_retire_streams(audio, report.ended_streams);
}

static void forget_voices(sb_audio *audio) {
    int kept = 0;
    memset(audio->active.awake, 0, sizeof audio->active.awake);
    memset(audio->active.dozing, 0, sizeof audio->active.dozing);
    for (int i = 0; i < audio->playing_count; i++) {
        uint32_t slot = audio->playing[i];
        sb_voice *voice = audio->voices[slot];
        if (sb_voice_has_left(voice)) {
            retire_voice(audio, slot);
            continue;
        }
        audio->playing[kept] = slot;
        voice->place = kept++;
        if (voice->share.is_dozing) {
            audio_update_dozing(audio, voice);
        } else if (!audio_may_sleep(voice)) {
            audio_wake(audio, voice);
        }
    }
    audio->playing_count = kept;
}

/* Voices that are done leave or become inactive. */
static void settle_voices(sb_audio *audio) {
    bool has_left = false;
    for (int i = audio_next_awake(audio, 0); i >= 0;
         i = audio_next_awake(audio, i + 1)) {
        sb_voice *voice = audio->voices[audio->playing[i]];
        has_left |= sb_voice_has_left(voice);
        if (audio_may_sleep(voice)) {
            audio_let_sleep(audio, voice);
        } else if (audio_may_doze(voice)) {
            audio_let_doze(audio, voice);
        }
    }
    if (has_left) forget_voices(audio);
}

static void render_voices(sb_audio *audio, float *stereo) {
    int active_modes = 0, flying = 0;
    int count = audio_list_awake(audio);
    int sounding = audio->quality.dozing_count;
    audio->quality.ahead_units += audio->due.striker_units;
    audio->due.striker_units = 0.0;
    for (int i = 0; i < count; i++)
        audio_retire(
            audio, SB_RETIRED_RETUNE, 0,
            audio_ready_voice(audio, audio->voices[audio->active.listed[i]]));
    sb_voices_gather(audio->voices, audio->active.listed, count,
                     audio->contacts.couplings, audio->contacts.coupling_count);
    sb_quality_share(&audio->quality, audio->voices, audio->active.listed,
                     count, audio->clock / SB_BLOCK_FRAMES);
    for (int i = 0; i < count; i++) {
        sb_voice *leader = audio->voices[audio->active.listed[i]];
        if (leader->island.leader != leader || sb_voices_are_silent(leader))
            continue;
        render_island(audio, leader, stereo);
        for (const sb_voice *v = leader; v; v = v->island.next) {
            sounding++;
            flying += v->flying_count;
            if (v->flying_count > 0)
                audio->due.striker_units += sb_voice_striker_units(v);
            if (!v->share.is_hidden) active_modes += v->ringing_modes;
        }
    }
    double dozing_j = audio->quality.dozing_j;
    if (audio->tracer.is_on)
        sb_tracer_passed(&audio->tracer, dozing_j, dozing_j);
    audio_show_quality(audio, active_modes);
    settle_voices(audio);
    audio_show(&audio->counters.voices, audio->playing_count);
    audio_show(&audio->counters.flying, flying);
    audio_show(&audio->counters.sounding, sounding);
    audio_show(&audio->counters.active_modes, active_modes);
}

static float peak_of(const float *stereo) {
    float peak = 0.0f;
    for (int i = 0; i < SB_BLOCK_FRAMES * SB_CHANNELS; i++)
        peak = sb_maxf(fabsf(stereo[i]), peak);
    return peak;
}

static void show_limiter(sb_audio *audio) {
    sb_audio_counters *c = &audio->counters;
    int gain_micro = (int)(sb_limiter_take_lowest(&audio->limiter) * 1e6);
    audio_show(&c->limiter_micro, gain_micro);
    if (gain_micro <
        atomic_load_explicit(&c->least_micro, memory_order_relaxed)) {
        audio_show(&c->least_micro, gain_micro);
    }
}

static void render_block(sb_audio *audio) {
    float *stereo = audio->block;
    memset(stereo, 0, sizeof audio->block);
    audio_retire_waiting(audio);
    audio_begin_ears(audio);
    apply_due_commands(audio);
    audio_begin_hits(audio);
    audio_begin_strikes(audio);
    audio_begin_dry(audio);
    sb_tracer_begin(&audio->tracer, audio->clock);
    audio_advance_contacts(audio);
    render_voices(audio, stereo);
    audio_hear(audio, stereo);
    sb_tracer_end(&audio->tracer);
    audio_forget_contacts(audio);
    sb_gauges_take(audio->gauges, audio->voices,
                   audio->clock / SB_BLOCK_FRAMES);
    sb_tally_take(&audio->heard, audio->voices, audio->playing,
                  audio->playing_count, audio->clock / SB_BLOCK_FRAMES);
    sb_limiter_process(&audio->limiter, stereo, SB_BLOCK_FRAMES);

    audio_show(&audio->counters.peak_micro, (int)(peak_of(stereo) * 1e6f));
    show_limiter(audio);
    if (audio->tap) {
        uint32_t taken = sb_ring_write(audio->tap, stereo, SB_BLOCK_FRAMES);
        audio_count(&audio->counters.tap_dropped, SB_BLOCK_FRAMES - (int)taken);
    }
    audio->clock += SB_BLOCK_FRAMES;
    atomic_store_explicit(&audio->counters.frames, audio->clock,
                          memory_order_release);
}

static void fade_block(float *block, int channels, float from, float to) {
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float gain = from + (to - from) * (float)n / SB_BLOCK_FRAMES;
        for (int c = 0; c < channels; c++)
            block[channels * n + c] *= gain;
    }
}

/* The last block before time stands still fades out, the first one after it
 * fades in. */
static void fade(sb_audio *audio, float from, float to) {
    fade_block(audio->block, SB_CHANNELS, from, to);
    for (int i = 0; i < audio->dry.count; i++)
        fade_block(audio->dry.blocks[i], 1, from, to);
}

/* Render the next block; false if time stands still. */
static bool go_on(sb_audio *audio) {
    int64_t hold_at =
        atomic_load_explicit(&audio->hold_at, memory_order_relaxed);
    if (audio->clock >= hold_at) {
        audio->was_holding = true;
        return false;
    }
    render_block(audio);
    bool ends = audio->clock >= hold_at;
    if (audio->was_holding || ends)
        fade(audio, audio->was_holding ? 0.0f : 1.0f, ends ? 0.0f : 1.0f);
    audio->was_holding = false;
    return true;
}

/* Output frames of the block that is held, from frame `at` of the request. */
static int hand_out(sb_audio *audio, float *const *mono, float *stereo, int at,
                    int frames) {
    int from = SB_BLOCK_FRAMES - audio->held;
    int take = frames < audio->held ? frames : audio->held;
    if (stereo)
        memcpy(stereo + at * SB_CHANNELS, audio->block + from * SB_CHANNELS,
               (size_t)(take * SB_CHANNELS) * sizeof *stereo);
    audio_give_dry(audio, mono, at, from, take);
    audio->held -= take;
    return take;
}

void sb_audio_pull(sb_audio *audio, const sb_voice_id *voices,
                   float *const *mono, int count, float *stereo, int frames) {
    sb_float_mode before = sb_float_mode_flush_to_zero();
    int missing = frames - audio->held + SB_BLOCK_FRAMES - 1;
    sb_quality_pull(&audio->quality, frames, missing / SB_BLOCK_FRAMES);
    audio->dry.wanted = voices;
    audio->dry.wanted_count = count;
    for (int at = 0; at < frames;) {
        int left = frames - at;
        if (audio->held == 0) {
            if (!go_on(audio)) {
                if (stereo)
                    memset(stereo + at * SB_CHANNELS, 0,
                           (size_t)(left * SB_CHANNELS) * sizeof *stereo);
                audio_give_dry(audio, mono, at, -1, left);
                break;
            }
            audio->held = SB_BLOCK_FRAMES;
        }
        at += hand_out(audio, mono, stereo, at, left);
    }
    audio->dry.wanted_count = 0;
    sb_float_mode_restore(before);
}
