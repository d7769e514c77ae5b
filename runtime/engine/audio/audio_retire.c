/* SPDX-License-Identifier: MIT */
/* What goes back to control: while the audio thread runs, and, on control,
 * everything that it still holds after it has stopped. */
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/audio/audio_lasting.h"

#include <string.h>

void audio_retire(sb_audio *audio, sb_retired_kind kind, uint32_t slot,
                  void *pointer) {
    sb_retired thing = {kind, slot, pointer};
    if (!pointer) return;
    if (audio->waiting_count == 0 && sb_ring_push(&audio->retired, &thing)) {
        return;
    }
    /* The list holds everything that control can have lent: every voice, and
     * every strike that the voices and the ring can hold at the rate control
     * collects. If it ever overflows, the pointer leaks until the end rather
     * than being freed here. */
    if (audio->waiting_count < SB_AUDIO_RETIRED) {
        audio->waiting[audio->waiting_count++] = thing;
    }
}

void audio_retire_waiting(sb_audio *audio) {
    uint32_t sent = sb_ring_write(&audio->retired, audio->waiting,
                                  (uint32_t)audio->waiting_count);
    audio->waiting_count -= (int)sent;
    memmove(audio->waiting, audio->waiting + sent,
            (size_t)audio->waiting_count * sizeof audio->waiting[0]);
}

void audio_retire_strike(sb_audio *audio, sb_strike *strike) {
    sb_pad *pad = strike->pad;
    if (!pad) {
        audio_retire(audio, SB_RETIRED_STRIKE, 0, strike);
    } else if (audio_pad_take_back(strike)) {
        audio_retire(audio, SB_RETIRED_PAD, 0, pad);
    }
}

void audio_retire_streams(sb_audio *audio, sb_stream *list) {
    sb_stream *stream;
    while ((stream = sb_streams_take(&list)))
        audio_retire(audio, SB_RETIRED_STREAM, 0, stream);
}

/* --- after it has stopped -------------------------------------------------*/

bool sb_audio_take_back(const sb_command *command, sb_retired *out) {
    static const sb_retired_kind kinds[SB_COMMAND_COUNT] = {
        [SB_COMMAND_ADD] = SB_RETIRED_VOICE,
        [SB_COMMAND_STRIKE] = SB_RETIRED_STRIKE,
        [SB_COMMAND_AIR] = SB_RETIRED_AIR,
        [SB_COMMAND_HEAD] = SB_RETIRED_HEAD,
        [SB_COMMAND_ROOM] = SB_RETIRED_ROOM,
        [SB_COMMAND_TAPS] = SB_RETIRED_TAPS,
        [SB_COMMAND_RETUNE] = SB_RETIRED_RETUNE,
        [SB_COMMAND_STREAM] = SB_RETIRED_STREAM,
        [SB_COMMAND_CONTACT] = SB_RETIRED_LASTING,
        [SB_COMMAND_MOVE] = SB_RETIRED_MOVE};
    sb_retired_kind kind = kinds[command->kind];
    if (kind == SB_RETIRED_NOTHING) return false;
    *out = (sb_retired){kind, command->slot, command->with.lent};
    return true;
}

/* What the next voice holds, then the voice itself. */
static bool release_voice(sb_audio *audio, sb_retired *out) {
    if (audio->playing_count == 0) return false;
    uint32_t slot = audio->playing[audio->playing_count - 1];
    sb_voice *voice = audio->voices[slot];
    sb_strike *strike = sb_voice_take_strike(voice);
    sb_stream *stream = strike ? NULL : sb_streams_take(&voice->streams);
    sb_taps *taps = NULL;
    if (strike) {
        *out = (sb_retired){SB_RETIRED_STRIKE, 0, strike};
    } else if (stream) {
        *out = (sb_retired){SB_RETIRED_STREAM, 0, stream};
    } else if ((taps = sb_reflected_take(&voice->reflected))) {
        *out = (sb_retired){SB_RETIRED_TAPS, 0, taps};
    } else if (voice->retune) {
        *out = (sb_retired){SB_RETIRED_RETUNE, 0, voice->retune};
        voice->retune = NULL;
    } else {
        audio->voices[slot] = NULL;
        audio->playing_count--;
        *out = (sb_retired){SB_RETIRED_VOICE, slot, voice};
    }
    return true;
}

static bool release_contact(sb_audio *audio, sb_retired *out) {
    sb_contacts *contacts = &audio->contacts;
    if (contacts->count == 0) return false;
    uint32_t slot = contacts->touching[contacts->count - 1];
    sb_lasting *lasting = contacts->by_slot[slot];
    if (lasting->path) {
        *out = (sb_retired){SB_RETIRED_MOVE, 0, lasting->path};
        lasting->path = NULL;
    } else if (lasting->waiting_count > 0) {
        *out = (sb_retired){SB_RETIRED_MOVE, 0,
                            lasting->waiting[--lasting->waiting_count]};
    } else {
        contacts->by_slot[slot] = NULL;
        contacts->count--;
        *out = (sb_retired){SB_RETIRED_LASTING, slot, lasting};
    }
    return true;
}

bool sb_audio_release(sb_audio *audio, sb_retired *out) {
    if (sb_ring_pop(&audio->retired, out)) return true;
    if (audio->waiting_count > 0) {
        *out = audio->waiting[--audio->waiting_count];
        return true;
    }
    sb_command command;
    while (sb_ring_pop(&audio->commands, &command))
        if (sb_audio_take_back(&command, out)) return true;
    if (audio->due.count > 0) {
        sb_strike *strike = audio->due.pending[--audio->due.count].strike;
        *out = (sb_retired){SB_RETIRED_STRIKE, 0, strike};
        return true;
    }
    return release_contact(audio, out) || release_voice(audio, out);
}
