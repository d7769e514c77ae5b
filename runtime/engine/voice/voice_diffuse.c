/* Collects the forces on a body for its diffuse part. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/dsp/contact/record.h"
#include "runtime/engine/voice/voice.h"

#include <math.h>
#include <string.h>

static size_t record_offset(void) {
    size_t mask = SB_MODAL_BANK_ALIGN - 1;
    return (sizeof(sb_diffuse) + mask) & ~mask;
}

size_t sb_voice_diffuse_bytes(void) {
    return record_offset() + sizeof(sb_record);
}

void sb_voice_set_diffuse(sb_voice *voice, void *memory,
                          const sb_diffuse_def *def) {
    voice->diffuse = memory;
    sb_diffuse_init(voice->diffuse, def, voice->sample_rate_hz);
    voice->record = (sb_record *)(void *)((char *)memory + record_offset());
    sb_record_init(voice->record);
}

void sb_voice_begin_diffuse(sb_voice *voice) {
    if (!voice->diffuse) return;
    memset(voice->force_ns, 0, sizeof voice->force_ns);
    memset(voice->impulse_ns, 0, sizeof voice->impulse_ns);
}

/* The fraction of a half-sine pulse that has passed at a frame, 0 to 1. */
static double share_at(const sb_impact *impact, double frame) {
    double t = (frame - impact->start_frame) / impact->duration_frames;
    return 0.5 * (1.0 - cos(SB_PI * fmax(0.0, fmin(t, 1.0))));
}

void sb_voice_drive_diffuse(sb_voice *voice, const sb_impact *impact) {
    double start = impact->start_frame;
    if (!voice->diffuse || start >= SB_BLOCK_FRAMES) return;
    sb_diffuse_act(voice->diffuse, impact->weights);
    double impulse_ns =
        impact->impulse_ns *
        (double)sb_diffuse_gain(voice->diffuse, impact->weights);
    if (impact->duration_frames <= 0.0) {
        /* For noise the position within the frame does not matter. */
        voice->impulse_ns[(int)fmax(start, 0.0)] += (float)impulse_ns;
        return;
    }
    double end = start + impact->duration_frames;
    int first = (int)fmax(floor(start), 0.0);
    int last = (int)fmin(floor(end), SB_BLOCK_FRAMES - 1.0);
    for (int n = first; n <= last; n++) {
        double share = share_at(impact, n + 1.0) - share_at(impact, n);
        voice->force_ns[n] += (float)(impulse_ns * share);
    }
}

void sb_voice_add_diffuse(sb_voice *voice, float *mono) {
    if (!voice->diffuse) return;
    float part[SB_BLOCK_FRAMES] = {0};
    sb_record_take(voice->record, voice->impulse_ns);
    bool is_fading = voice->share.fading != 0;
    sb_diffuse_render(voice->diffuse, voice->impulse_ns, voice->force_ns,
                      is_fading ? part : mono);
    if (!is_fading) return;
    sb_modal_fade(part, voice->share.fading < 0);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        mono[n] += part[n];
}
