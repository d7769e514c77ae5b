/* Prepared places on the audio thread: which there are, and their hits that
 * wait. Thread: audio. */
#include "runtime/engine/audio/audio_pads.h"

#include "runtime/base/select.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/audio/audio_strikes.h"

#include <string.h>

static void let_go(sb_audio *audio, sb_pad *pad) {
    if (pad && sb_pad_let_go(pad))
        audio_retire(audio, (sb_retired){SB_RETIRED_PAD, 0, pad});
}

static bool drop(sb_audio *audio, bool is_crowded) {
    if (is_crowded) audio_count(&audio->counters.crowded, 1);
    audio_count(&audio->counters.dropped, 1);
    return false;
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
    if (!pad || pad->id.generation != id.generation) return drop(audio, false);
    bool is_crowded = pads->waiting_count == SB_AUDIO_HITS;
    sb_strike *strike =
        is_crowded ? NULL : sb_pad_hit(pad, speed_m_s, &is_crowded);
    if (!strike) return drop(audio, is_crowded);
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

static float power_of(const sb_strike *strike) {
    double impulse = strike->impulse_ns;
    double power = strike->response * impulse * impulse;
    return strike->is_striker ? 1e30f : (float)sb_min(power, 1e30);
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
                                 .power = power_of(strike),
                                 .with.strike = strike});
    }
    if (due == 0) return;
    pads->waiting_count -= due;
    memmove(pads->waiting, pads->waiting + due,
            (size_t)pads->waiting_count * sizeof *pads->waiting);
}
