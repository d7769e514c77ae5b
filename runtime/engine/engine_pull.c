/* SPDX-License-Identifier: MIT */
/* Functions for the thread that pulls frames. Thread: audio. */
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/engine_pad.h"

double sb_engine_sample_rate(const sb_engine *engine) {
    return engine->audio->sample_rate_hz;
}

int64_t sb_engine_clock(const sb_engine *engine) {
    return atomic_load_explicit(&engine->audio->counters.frames,
                                memory_order_acquire);
}

void sb_engine_hold(sb_engine *engine, int64_t frames) {
    atomic_store_explicit(&engine->audio->hold_at, frames,
                          memory_order_relaxed);
}

void sb_engine_pull(sb_engine *engine, float *stereo, int frames) {
    sb_audio_pull(engine->audio, NULL, NULL, 0, stereo, frames);
}

void sb_engine_pull_bodies(sb_engine *engine, const sb_voice_id *voices,
                           float *const *mono, int count, float *stereo,
                           int frames) {
    sb_audio_pull(engine->audio, voices, mono, count, stereo, frames);
}

bool sb_engine_hit_pad(sb_engine *engine, sb_pad_id id, double speed_m_s,
                       int64_t frame) {
    return sb_audio_hit(engine->audio, id, speed_m_s, frame);
}

int64_t sb_engine_tap_room(const sb_engine *engine) {
    const sb_ring *tap = engine->audio->tap;
    return tap ? (int64_t)sb_ring_room(tap) : INT64_MAX;
}

bool sb_engine_is_full(const sb_engine *engine) {
    return sb_ring_room(&engine->audio->commands) == 0;
}

int64_t sb_engine_horizon(const sb_engine *engine) {
    return atomic_load_explicit(&engine->horizon, memory_order_acquire);
}

void sb_engine_report_duration(sb_engine *engine, int64_t took_ns) {
    sb_quality_report_duration(&engine->audio->quality, (double)took_ns);
}
