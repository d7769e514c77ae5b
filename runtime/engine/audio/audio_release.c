/* Returns what the audio thread still holds after it has stopped. Thread:
 * control. */
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/audio/audio_lasting.h"

/* The strikes of the next voice, then the voice itself. */
static bool release_voice(sb_audio *audio, sb_retired *out) {
    if (audio->playing_count == 0) return false;
    uint32_t slot = audio->playing[audio->playing_count - 1];
    sb_voice *voice = audio->voices[slot];
    sb_strike *strike = sb_voice_take_strike(voice);
    if (strike) {
        *out = (sb_retired){SB_RETIRED_STRIKE, 0, strike};
        return true;
    }
    if (voice->retune) {
        *out = (sb_retired){SB_RETIRED_RETUNE, 0, voice->retune};
        voice->retune = NULL;
        return true;
    }
    sb_stream *stream = sb_streams_take(&voice->streams);
    if (stream) {
        *out = (sb_retired){SB_RETIRED_STREAM, 0, stream};
        return true;
    }
    audio->voices[slot] = NULL;
    audio->playing_count--;
    *out = (sb_retired){SB_RETIRED_VOICE, slot, voice};
    return true;
}

static bool release_contact(sb_audio *audio, sb_retired *out) {
    if (audio->touching_count == 0) return false;
    uint32_t slot = audio->touching[audio->touching_count - 1];
    sb_lasting *lasting = audio->contacts[slot];
    if (lasting->path || lasting->waiting_count > 0) {
        sb_lasting_move *move = lasting->path;
        if (!move)
            move = lasting->waiting[--lasting->waiting_count];
        else
            lasting->path = NULL;
        *out = (sb_retired){SB_RETIRED_MOVE, 0, move};
        return true;
    }
    audio->contacts[slot] = NULL;
    audio->touching_count--;
    *out = (sb_retired){SB_RETIRED_LASTING, slot, lasting};
    return true;
}

bool sb_audio_release(sb_audio *audio, sb_retired *out) {
    if (sb_ring_pop(&audio->retired, out)) return true;
    if (audio->waiting_count > 0) {
        *out = audio->waiting[--audio->waiting_count];
        return true;
    }
    sb_command command;
    while (sb_ring_pop(&audio->commands, &command)) {
        if (command.kind == SB_COMMAND_ADD) audio_add_voice(audio, &command);
        if (command.kind == SB_COMMAND_STRIKE) {
            *out = (sb_retired){SB_RETIRED_STRIKE, 0, command.with.strike};
            return true;
        }
        if (command.kind == SB_COMMAND_RETUNE) {
            *out = (sb_retired){SB_RETIRED_RETUNE, 0, command.with.retune};
            return true;
        }
        if (command.kind == SB_COMMAND_STREAM) {
            *out = (sb_retired){SB_RETIRED_STREAM, 0, command.with.stream};
            return true;
        }
        if (command.kind == SB_COMMAND_CONTACT) {
            *out = (sb_retired){SB_RETIRED_LASTING, command.slot,
                                command.with.lasting};
            return true;
        }
        if (command.kind == SB_COMMAND_AIR) {
            *out = (sb_retired){SB_RETIRED_AIR, 0, command.with.air};
            return true;
        }
        if (command.kind == SB_COMMAND_MOVE) {
            *out = (sb_retired){SB_RETIRED_MOVE, 0, command.with.move};
            return true;
        }
    }
    if (audio->pending_count > 0) {
        sb_strike *strike = audio->pending[--audio->pending_count].strike;
        *out = (sb_retired){SB_RETIRED_STRIKE, 0, strike};
        return true;
    }
    return release_contact(audio, out) || release_voice(audio, out);
}
