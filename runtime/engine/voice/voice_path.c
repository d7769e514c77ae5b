/* The path of a voice to the ears. Thread: audio, except begin_path. */
#include "runtime/dsp/ears/propagation.h"
#include "runtime/engine/voice/voice.h"

#include <math.h>

/* Relative change of the gain before the threshold of the modes is updated. */
#define SAME_LEVEL 1.05f

static void set_loudest(sb_voice *voice, float loudest, double threshold) {
    bool is_other = voice->threshold != threshold;
    voice->threshold = threshold;
    /* An inaudible body keeps its modes: it may become audible again. */
    if (!(loudest > 0.0f)) return;
    if (!is_other && loudest < voice->loudest * SAME_LEVEL &&
        loudest * SAME_LEVEL > voice->loudest)
        return;
    voice->loudest = loudest;
    sb_modal_bank_set_threshold(voice->bank, threshold / (double)loudest);
    if (voice->diffuse)
        sb_diffuse_set_threshold(voice->diffuse, threshold / (double)loudest);
}

void sb_voice_begin_path(sb_voice *voice, const sb_path_knot *knot,
                         double threshold) {
    sb_path_begin(&voice->path, knot);
    set_loudest(voice, sb_path_loudest(knot), threshold);
}

void sb_voice_set_path(sb_voice *voice, double start_frames,
                       const sb_path_knot *knot, double threshold) {
    const sb_ears *ears = voice->ears;
    if (!voice->path.is_set || !ears) return;
    /* For hundreds of silent moving bodies, touch little memory. */
    if (voice->path.next_frame != ears->frame)
        sb_path_pass(&voice->path, (double)(ears->frame - ears->lag));
    if ((knot->is_jump || knot->is_eased) && sb_voice_is_silent(voice)) {
        sb_path_put(&voice->path, start_frames, knot);
    } else {
        sb_path_add(&voice->path, start_frames, knot);
    }
    voice->moves_until = knot->time_frames;
    set_loudest(voice, sb_path_loudest(knot), threshold);
}
