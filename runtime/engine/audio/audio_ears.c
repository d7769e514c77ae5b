/* The ears, block by block. */
#include "runtime/dsp/ears/propagation.h"
#include "runtime/engine/audio/audio_internal.h"

#include <string.h>

void audio_begin_ears(sb_audio *audio) {
    if (audio->ears) sb_ears_begin(audio->ears, audio->clock);
    for (int i = 0; i < audio->stem_count; i++) {
        audio->stems[i]->ears->air = audio->air;
        sb_ears_begin(audio->stems[i]->ears, audio->clock);
    }
}

void audio_hear(sb_audio *audio, float *stereo) {
    if (!audio->ears) return;
    for (int i = 0; i < audio->stem_count; i++) {
        sb_stem *stem = audio->stems[i];
        memset(stem->block, 0, sizeof stem->block);
        sb_ears_give(stem->ears, stem->block);
    }
    sb_ears_give(audio->ears, stereo);
    int64_t frames = sb_ears_travelling(audio->ears);
    /* The limiter delays it further. */
    if (frames > 0)
        audio->loud_until = audio->clock + frames + SB_LIMITER_LATENCY;
    int64_t left = audio->loud_until - audio->clock;
    atomic_store_explicit(&audio->counters.travelling, left > 0 ? left : 0,
                          memory_order_relaxed);
}

/* Without ears the table is returned at once. */
void audio_set_air(sb_audio *audio, sb_air_table *air) {
    sb_air_table *gone = audio->ears ? audio->air : air;
    if (audio->ears) {
        audio->air = air;
        audio->ears->air = air;
        for (int i = 0; i < audio->stem_count; i++)
            audio->stems[i]->ears->air = air;
    }
    if (gone) audio_retire(audio, (sb_retired){SB_RETIRED_AIR, 0, gone});
}
