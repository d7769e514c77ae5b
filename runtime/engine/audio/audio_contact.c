/* The lasting contacts of a block: their forces and voices. Thread: audio. */
#include "runtime/engine/audio/audio_awake.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/audio/audio_lasting.h"

static sb_voice *voice_at(const sb_audio *audio, const sb_lasting_side *side) {
    if (side->generation == 0) return NULL;
    sb_voice *voice = audio->voices[side->slot];
    return voice && voice->generation == side->generation ? voice : NULL;
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
    sb_lasting *lasting = audio->contacts[slot];
    for (int i = 0; i < lasting->waiting_count; i++)
        audio_retire_move(audio, lasting->waiting[i]);
    if (lasting->path) audio_retire_move(audio, lasting->path);
    audio->contacts[slot] = NULL;
    audio_retire(audio, (sb_retired){SB_RETIRED_LASTING, slot, lasting});
}

/* Render its voices as an island with it. */
static void hand_to_island(sb_audio *audio, sb_lasting *lasting) {
    if (audio->coupling_count == SB_AUDIO_COUPLINGS) return;
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        lasting->coupling.voice[i] = voice_at(audio, &lasting->side[i]);
        if (lasting->coupling.voice[i])
            audio_wake(audio, lasting->coupling.voice[i]);
    }
    audio->couplings[audio->coupling_count++] = &lasting->coupling;
}

static void trace_drive(sb_audio *audio, const sb_lasting *lasting,
                        const sb_contact_load *before) {
    if (!audio->tracer.is_on || !audio->tracer.rows) return;
    sb_tracer_drive(&audio->tracer, lasting->impulse_ns,
                    1.0 / audio->sample_rate_hz, before, &lasting->now);
}

/* Compute the forces of this block before the voices are rendered. Contacts
 * that are over are removed after the block. */
void audio_advance_contacts(sb_audio *audio) {
    audio->coupling_count = 0;
    for (int i = 0; i < audio->touching_count; i++) {
        sb_lasting *lasting = audio->contacts[audio->touching[i]];
        sb_lasting_ended ended;
        if (has_lost_hold(audio, lasting)) {
            lasting->is_over = true;
            continue;
        }
        sb_contact_load before = lasting->now;
        sb_lasting_advance(lasting, &ended);
        for (int m = 0; m < ended.count; m++)
            audio_retire_move(audio, ended.moves[m]);
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
    for (int i = 0; i < audio->touching_count; i++) {
        uint32_t slot = audio->touching[i];
        if (audio->contacts[slot]->is_over) {
            retire_lasting(audio, slot);
        } else {
            audio->touching[kept++] = slot;
        }
    }
    audio->touching_count = kept;
    audio_show(&audio->counters.touching, kept);
}
