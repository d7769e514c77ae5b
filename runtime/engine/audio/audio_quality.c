#include "runtime/engine/audio/audio_quality.h"

#include "runtime/engine/audio/audio_awake.h"
#include "runtime/engine/audio/audio_internal.h"
#include "runtime/engine/voice/voice_share.h"

#include <math.h>

void audio_set_quality(sb_audio *audio, const sb_quality_def *def) {
    audio->quality.def = *def;
    audio->threshold = def->tau / 32768.0;
    audio_wake_dozing(audio);
}

sb_retune *audio_ready_voice(const sb_audio *audio, sb_voice *voice) {
    /* Only for active voices: visiting all would take too long. */
    if (voice->threshold != audio->threshold)
        sb_voice_set_threshold(voice, audio->threshold);
    return sb_voice_glide(voice);
}

void audio_pass(sb_voice *voice, sb_tracer *tracer, sb_voice_report *report) {
    sb_share *share = &voice->share;
    /* Measuring every time would cost more than all the rest. */
    if (tracer && (!share->was_hidden || share->behind == 0))
        share->energy_j = sb_modal_bank_energy_j(voice->bank);
    double before_j = share->energy_j;
    sb_voice_pass(voice, report);
    if (!tracer) return;
    if (share->behind == 0)
        share->energy_j = sb_modal_bank_energy_j(voice->bank);
    sb_tracer_passed(tracer, before_j, share->energy_j);
}

static int centi_db(double power) {
    const int silence = -20000;
    double level = power > 1e-20 ? 1000.0 * log(power) / log(10.0) : silence;
    return (int)fmin(fmax(level, silence), 20000.0);
}

static int clamped(double x) {
    return (int)fmin(fmax(x, 0.0), 2e9);
}

void audio_show_quality(sb_audio *audio, int active_modes) {
    const sb_quality *q = &audio->quality;
    sb_audio_counters *c = &audio->counters;
    bool is_counted = q->spent_units > 0.0;
    audio_show(&c->modes_wanted, is_counted ? q->wanted_modes : active_modes);
    audio_show(&c->modes_mixed, is_counted ? q->mixed_modes : active_modes);
    audio_show(&c->dropped_centi_db, centi_db(q->dropped_power));
    audio_show(&c->units, clamped(q->spent_units));
    audio_show(&c->budget_units,
               isinf(q->budget_units) ? -1 : clamped(q->budget_units));
    audio_show(&c->unit_pico_s, clamped(q->unit_ns * 1e3));
}
