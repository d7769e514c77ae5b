/* Sources to ears: distance, delay, splat. Thread: members of the team, one per
 * ear. */
#include "runtime/deform/sound.h"

#include <math.h>

/* A source nearer than this many frames sounds as late as one there, so that
 * the frame of its emission is the first that it changes. */
static const double least_delay = SPLAT_TAPS / 2 + 1.5;

typedef struct hearing {
    sb_vec3 at, velocity; /* of the ear, in m per frame, when it is emitted */
    double frames_per_m;
    double offset; /* of the emission, in frames, from that of the ring */
} hearing;

/* Where the ear is when the sound arrives: the iteration converges by the ear's
 * Mach number. */
static double find_distance(const hearing *ear, const double at[3],
                            sb_vec3 *towards) {
    sb_vec3 from = {at[0], at[1], at[2]};
    *towards = sb_vec3_sub(ear->at, from);
    double r = sb_vec3_length(*towards);
    if (ear->velocity.x == 0 && ear->velocity.y == 0 && ear->velocity.z == 0)
        return r;
    for (int i = 0; i < 6; i++) {
        sb_vec3 then = sb_vec3_add(
            ear->at, sb_vec3_scale(ear->velocity, r * ear->frames_per_m));
        *towards = sb_vec3_sub(then, from);
        r = sb_vec3_length(*towards);
    }
    return r;
}

static void hear_source(const sb_deform *deform, const hearing *ear,
                        const sound_source *source, double *delay_before,
                        int64_t frame, double *ring) {
    const deform_sound *sound = deform->sound;
    sb_vec3 to;
    double r = find_distance(ear, source->at, &to);
    double delay = fmax(r * ear->frames_per_m, least_delay);
    double by = 1 / fmax(r, 1e-3);
    double p = (source->monopole +
                (source->dipole[0] * to.x + source->dipole[1] * to.y +
                 source->dipole[2] * to.z) *
                    by) *
               by;
    double rate = *delay_before < 0 ? 1 : 1 + delay - *delay_before;
    *delay_before = delay;
    if (!(delay < SOUND_DELAY_MOST)) return;
    double arrival = delay + ear->offset; /* frames after `frame` */
    int whole = (int)arrival;             /* above 0 */
    double phase = (arrival - whole) * SPLAT_PHASES;
    int row = (int)phase;
    double share = phase - row;
    size_t at = (size_t)(frame + whole - (SPLAT_TAPS / 2 - 1)) % SOUND_RING;
    deform->kernel->splat(ring + at, sound->splat[row], sound->splat[row + 1],
                          p * rate * (1 - share), p * rate * share);
}

/* The taps beyond the end of the ring belong to its beginning. */
static void wrap(double *ring) {
    for (int k = 0; k < SPLAT_TAPS; k++) {
        ring[k] += ring[SOUND_RING + k];
        ring[SOUND_RING + k] = 0;
    }
}

void deform_sound_hear(sb_deform *deform, int index, int64_t batch) {
    deform_sound *sound = deform->sound;
    size_t faces = (size_t)sound->face_count;
    double *delays = sound->delays + (size_t)index * faces;
    double *ring = sound->ring + (size_t)index * (SOUND_RING + SPLAT_TAPS);
    const sb_deform_ear *own = &deform->state->ears[index];
    const double rate = SB_DEFORM_RATE_HZ;
    hearing ear = {
        .velocity = sb_vec3_scale(own->velocity_m_s, 1 / rate),
        .frames_per_m = rate / deform->speed_of_sound_m_s,
        .offset = -2.0 / FINE_PER_FRAME - deform->step_s * rate,
    };
    for (int i = 0; i < FRAMES_BATCH; i++) {
        int64_t frame = batch * FRAMES_BATCH + i;
        double since = (double)(frame - deform->state->ear_since[index]);
        ear.at = sb_vec3_add(own->position_m,
                             sb_vec3_scale(ear.velocity, since + ear.offset));
        for (size_t k = 0; k < faces; k++) {
            hear_source(deform, &ear, &sound->sources[(size_t)i * faces + k],
                        &delays[k], frame, ring);
        }
        wrap(ring);
    }
}
