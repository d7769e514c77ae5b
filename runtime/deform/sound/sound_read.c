/* What the rings of sound.h give to a reader. Thread: as deform.h. */
#include "runtime/deform/sound/sound.h"

#include <math.h>
#include <string.h>

int64_t deform_sound_frames(const sb_deform *deform, int64_t m) {
    int64_t lead = deform->sound ? deform->sound->lead : 0;
    int64_t frames = FRAMES_BATCH * deform_sound_batches(m) - lead;
    return frames > 0 ? frames : 0;
}

void sb_deform_set_ear(sb_deform *deform, int ear, sb_vec3 position_m,
                       sb_vec3 velocity_m_s) {
    state_head *state = deform->state;
    double now = (double)state->step * deform->step_s * SB_DEFORM_RATE_HZ;
    state->ears[ear] = (sb_deform_ear){position_m, velocity_m_s};
    state->ear_since[ear] = deform->is_source ? llround(now) : state->frames;
}

int64_t sb_deform_frames(const sb_deform *deform) {
    return deform->state->frames;
}

/* The filters need SOUND_HALF samples more, and a batch must be full. */
int sb_deform_lag_frames(const sb_deform *deform) {
    int filter = (SOUND_HALF + FINE_PER_FRAME - 1) / FINE_PER_FRAME;
    return filter + FRAMES_BATCH + (deform->sound ? deform->sound->lead : 0);
}

int sb_deform_channel_count(const sb_deform *deform) {
    return deform->sound ? deform->sound->ring_count : 0;
}

int sb_deform_channel_body(const sb_deform *deform, int channel) {
    if (!deform->is_source || channel < 0 ||
        channel >= deform->sound->body_count)
        return -1;
    return deform->sound->bodies[channel].body;
}

/* What would be read before the beginning is forgotten. */
static void skip_lead(const deform_sound *sound) {
    for (int i = 0; i < sound->ring_count; i++) {
        double *ring = sound->ring + (size_t)i * (SOUND_RING + SPLAT_TAPS);
        memset(ring, 0, (size_t)sound->lead * sizeof *ring);
    }
}

/* Through the low-pass, whose frequency is that of the batch. */
static void read_ring(sb_deform *deform, int ring, int count, float *out) {
    const deform_sound *sound = deform->sound;
    double *from = sound->ring + (size_t)ring * (SOUND_RING + SPLAT_TAPS);
    double *state = sound->limited + 2 * SOUND_SECTIONS * (size_t)ring;
    int64_t first = deform->state->frames_read;
    sound_limit limit;
    for (int i = 0; i < count; i++) {
        int64_t frame = first + i;
        double *at = from + (size_t)((frame + sound->lead) % SOUND_RING);
        if (i == 0 || frame % FRAMES_BATCH == 0)
            deform_sound_limit_take(deform, ring, frame / FRAMES_BATCH, &limit);
        out[(size_t)i * (size_t)sound->ring_count] =
            (float)deform_sound_limit(&limit, state, *at);
        *at = 0;
    }
}

int sb_deform_read(sb_deform *deform, int count, float *out) {
    state_head *state = deform->state;
    const deform_sound *sound = deform->sound;
    int64_t ready = state->frames - state->frames_read;
    if (!sound) return 0;
    if (count > ready) count = (int)ready;
    if (state->frames_read == 0 && count > 0) skip_lead(sound);
    for (int k = 0; k < sound->ring_count; k++) {
        read_ring(deform, k, count, out + k);
    }
    state->frames_read += count;
    return count;
}
