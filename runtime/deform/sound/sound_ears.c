/* Sources to ears, or to the centres of their bodies: distance, delay, splat.
 * Thread: members of the team, one per ear or body. */
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"

#include <math.h>
#include <string.h>

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
static double find_distance(const hearing *ear, sb_vec3 from,
                            sb_vec3 *towards) {
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

static double pressure_of(const sound_source *source, sb_vec3 to, double r) {
    double by = 1 / fmax(r, 1e-3);
    return (source->monopole +
            (source->dipole[0] * to.x + source->dipole[1] * to.y +
             source->dipole[2] * to.z) *
                by) *
           by;
}

/* Adds a sample to a ring at a time in frames, from `frame` on, which is not
 * below 0. */
static void put(const sb_deform *deform, double *ring, int64_t frame,
                double later, double p) {
    const deform_sound *sound = deform->sound;
    int whole = (int)later; /* above 0 */
    double phase = (later - whole) * SPLAT_PHASES;
    int row = (int)phase;
    double share = phase - row;
    size_t at = (size_t)(frame + whole - (SPLAT_TAPS / 2 - 1)) % SOUND_RING;
    deform->kernel->splat(ring + at, sound->splat[row], sound->splat[row + 1],
                          p * (1 - share), p * share);
}

static void hear_source(const sb_deform *deform, const hearing *ear,
                        const sound_source *source, double *delay_before,
                        int64_t frame, double *ring) {
    sb_vec3 to, from = {source->at[0], source->at[1], source->at[2]};
    double r = find_distance(ear, from, &to);
    double delay = fmax(r * ear->frames_per_m, least_delay);
    double p = pressure_of(source, to, r);
    double rate = *delay_before < 0 ? 1 : 1 + delay - *delay_before;
    *delay_before = delay;
    if (!(delay < SOUND_DELAY_MOST)) return;
    put(deform, ring, frame, delay + ear->offset, p * rate);
}

/* The taps beyond the end of the ring belong to its beginning. */
static void wrap(double *ring) {
    for (int k = 0; k < SPLAT_TAPS; k++) {
        ring[k] += ring[SOUND_RING + k];
        ring[SOUND_RING + k] = 0;
    }
}

static hearing hearing_of(const sb_deform *deform, int index) {
    const double rate = SB_DEFORM_RATE_HZ;
    const sb_deform_ear *own = &deform->state->ears[index];
    return (hearing){
        .velocity = sb_vec3_scale(own->velocity_m_s, 1 / rate),
        .frames_per_m = rate / deform->speed_of_sound_m_s,
        .offset = -2.0 / FINE_PER_FRAME - deform->step_s * rate,
    };
}

static void place_ear(const sb_deform *deform, int index, int64_t frame,
                      hearing *ear) {
    double since = (double)(frame - deform->state->ear_since[index]);
    ear->at = sb_vec3_add(deform->state->ears[index].position_m,
                          sb_vec3_scale(ear->velocity, since + ear->offset));
}

void deform_sound_hear(sb_deform *deform, int index, int64_t batch) {
    deform_sound *sound = deform->sound;
    size_t faces = (size_t)sound->face_count;
    double *delays = sound->delays + (size_t)index * faces;
    double *ring = sound->ring + (size_t)index * (SOUND_RING + SPLAT_TAPS);
    hearing ear = hearing_of(deform, index);
    for (int i = 0; i < FRAMES_BATCH; i++) {
        int64_t frame = batch * FRAMES_BATCH + i;
        place_ear(deform, index, frame, &ear);
        for (size_t k = 0; k < faces; k++) {
            hear_source(deform, &ear, &sound->sources[(size_t)i * faces + k],
                        &delays[k], frame, ring);
        }
        wrap(ring);
    }
}

/* The centre of a body in each frame of a batch: its distance from the ear, and
 * how fast that grows, in m per frame. */
static void find_centres(const sb_deform *deform, const sound_body *body,
                         hearing *ear, int64_t batch, double distance[],
                         double growth[]) {
    const deform_sound *sound = deform->sound;
    for (int i = 0; i < FRAMES_BATCH; i++) {
        sb_vec3 to;
        const double *places =
            sound->places + 4 * ((size_t)i * (size_t)sound->node_count +
                                 (size_t)body->node_first);
        place_ear(deform, 0, batch * FRAMES_BATCH + i, ear);
        distance[i] = find_distance(
            ear, deform_centre_in(deform, body->body, places), &to);
        if (i > 0) growth[i - 1] = distance[i] - distance[i - 1];
    }
    growth[FRAMES_BATCH - 1] = growth[FRAMES_BATCH - 2];
}

/* A triangle's sound arrives when that arrives which left the centre, R from
 * the ear, later by (r - R) / (c + R'). */
static void leave_source(const sb_deform *deform, const hearing *ear,
                         const sound_source *source, double centre,
                         double growth, double *delay_before, int64_t frame,
                         double *ring) {
    sb_vec3 to, from = {source->at[0], source->at[1], source->at[2]};
    double r = find_distance(ear, from, &to), lead = deform->sound->lead;
    double slow = 1 + growth * ear->frames_per_m;
    double later = (r - centre) * ear->frames_per_m / fmax(slow, 0.1);
    double delay = fmin(fmax(later + lead, least_delay), 2 * lead);
    double p = pressure_of(source, to, r) * (centre + growth * later);
    double rate = *delay_before < 0 ? 1 : 1 + delay - *delay_before;
    *delay_before = delay;
    put(deform, ring, frame, delay + ear->offset, p * rate);
}

/* Frame n of the ring is that of time n - lead: what is read begins at `lead`.
 */
void deform_sound_leave(sb_deform *deform, int index, int64_t batch) {
    deform_sound *sound = deform->sound;
    const sound_body *body = &sound->bodies[index];
    size_t faces = (size_t)sound->face_count, first = (size_t)body->face_first;
    double *ring = sound->ring + (size_t)index * (SOUND_RING + SPLAT_TAPS);
    double distance[FRAMES_BATCH], growth[FRAMES_BATCH];
    hearing ear = hearing_of(deform, 0);
    find_centres(deform, body, &ear, batch, distance, growth);
    for (int i = 0; i < FRAMES_BATCH; i++) {
        int64_t frame = batch * FRAMES_BATCH + i;
        const sound_source *sources = &sound->sources[(size_t)i * faces];
        place_ear(deform, 0, frame, &ear);
        for (size_t k = first; k < first + (size_t)body->face_count; k++) {
            leave_source(deform, &ear, &sources[k], distance[i], growth[i],
                         &sound->delays[k], frame, ring);
        }
        wrap(ring);
    }
}
