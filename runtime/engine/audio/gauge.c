/* SPDX-License-Identifier: MIT */
/* Writes the energies of the modes of a few voices. Thread: audio. */
#include "runtime/engine/audio/gauge.h"

#include "runtime/engine/voice/voice.h"

#define RELAXED memory_order_relaxed

static void take(sb_gauge *gauge, sb_voice *const *voices) {
    unsigned place = atomic_load_explicit(&gauge->place, memory_order_acquire);
    if (place == 0) return;
    const sb_voice *voice = voices[place - 1];
    unsigned turn = atomic_load_explicit(&gauge->turn, RELAXED);
    int count = 0;
    if (voice && voice->generation ==
                     atomic_load_explicit(&gauge->generation, RELAXED)) {
        count = sb_modal_bank_mode_count(voice->bank);
    }
    if (count > SB_GAUGE_MODES) count = SB_GAUGE_MODES;
    atomic_store_explicit(&gauge->turn, turn + 1, RELAXED);
    atomic_thread_fence(memory_order_release);
    for (int k = 0; k < count; k++) {
        float energy_j = (float)sb_modal_bank_mode_energy_j(voice->bank, k);
        atomic_store_explicit(&gauge->energy_j[k], energy_j, RELAXED);
    }
    atomic_store_explicit(&gauge->count, count, RELAXED);
    atomic_store_explicit(&gauge->turn, turn + 2, memory_order_release);
}

void sb_gauges_take(sb_gauge gauges[SB_GAUGES], sb_voice *const *voices,
                    int64_t block) {
    if (block % SB_GAUGE_BLOCKS != 0) return;
    for (int i = 0; i < SB_GAUGES; i++)
        take(&gauges[i], voices);
}

/* 16 bits for each number. */
static unsigned clamped(int count) {
    return count < 0 ? 0 : count < 65535 ? (unsigned)count : 65535;
}

void sb_tally_take(sb_tally *heard, sb_voice *const *voices,
                   const uint32_t *playing, int count, int64_t block) {
    if (block % SB_GAUGE_BLOCKS != 0 ||
        !atomic_load_explicit(&heard->is_wanted, memory_order_acquire)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        const sb_voice *voice = voices[playing[i]];
        bool is_hidden = voice->share.is_hidden || voice->share.is_dozing;
        int ringing = voice->ringing_modes;
        if (is_hidden && voice->share.wanted > ringing)
            ringing = voice->share.wanted;
        unsigned mixed = is_hidden ? 0 : clamped(ringing);
        atomic_store_explicit(&heard->modes[playing[i]],
                              clamped(ringing) * 65536u + mixed, RELAXED);
    }
}

int sb_gauge_read(const sb_gauge *gauge, float *energy_j, int most) {
    unsigned turn = atomic_load_explicit(&gauge->turn, memory_order_acquire);
    int count = atomic_load_explicit(&gauge->count, RELAXED);
    if (turn & 1u) return -1;
    if (count > most) count = most;
    for (int k = 0; k < count; k++)
        energy_j[k] = atomic_load_explicit(&gauge->energy_j[k], RELAXED);
    atomic_thread_fence(memory_order_acquire);
    return atomic_load_explicit(&gauge->turn, RELAXED) == turn ? count : -1;
}
