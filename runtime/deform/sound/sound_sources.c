/* SPDX-License-Identifier: MIT */
/* Surfaces from steps to frames, frames to sources, and sources to the centres of
 * their bodies. Thread: members of the team; the last one per body. */
#include "runtime/deform/sound/sound.h"

#include "runtime/base/pi.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound_modes.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <string.h>

int64_t deform_sound_batches(int64_t m) {
    const int first = FINE_BATCH - FINE_PER_FRAME + SOUND_HALF;
    return m <= first ? 0 : (m - first + FINE_BATCH - 1) / FINE_BATCH;
}

/* A window that began `age` samples ago is summed in slot (m - age) mod 4. */
void deform_sound_take(sb_deform *deform, int body, int first, int last,
                       int64_t step) {
    deform_sound *sound = deform->sound;
    int phase = (int)(step % deform->fine_steps);
    int64_t m = step / deform->fine_steps; /* before this sample's end */
    double weights[4];
    for (int age = 0; age < 4; age++) {
        weights[(m - age + 4) % 4] =
            sound->weights[age * deform->fine_steps + phase];
    }
    size_t node = (size_t)(sound->bodies[body].node_first + first -
                           deform->bodies[body].node_first);
    double *sums = sound->sums + 16 * node;
    deform->kernel->windows(sums, deform->positions + 4 * (size_t)first,
                            weights, last - first);
    if (phase != deform->fine_steps - 1) return;
    m++;
    size_t slot = (size_t)(m % 4); /* (m - 1 - 3) mod 4: now complete */
    size_t at = (size_t)(m - FINE_BATCH * deform_sound_batches(m) + SOUND_HALF);
    for (int i = first; i < last; i++, node++) {
        double *sum = sound->sums + 16 * node + 4 * slot;
        double *to = sound->history + 4 * (SOUND_HISTORY * node + at);
        memcpy(to, sum, 4 * sizeof *sum);
        memset(sum, 0, 4 * sizeof *sum);
    }
}

bool deform_sound_is_due(const sb_deform *deform, int64_t step,
                         int64_t *batch) {
    if ((step + 1) % deform->fine_steps != 0) return false;
    int64_t m = (step + 1) / deform->fine_steps;
    *batch = deform_sound_batches(m);
    return deform_sound_batches(m + 1) > *batch;
}

void deform_sound_filter(sb_deform *deform, int first, int last) {
    deform_sound *sound = deform->sound;
    size_t nodes = (size_t)sound->node_count;
    for (int i = first; i < last; i++) {
        double *history = sound->history + 4 * SOUND_HISTORY * (size_t)i;
        const sb_filter_job job = {
            .taps = SOUND_TAPS,
            .hop = FINE_PER_FRAME,
            .count = FRAMES_BATCH,
            .taps_value = sound->value,
            .taps_second = sound->second,
            .history = history,
            .stride = 4 * nodes,
            .value = sound->places + 4 * (size_t)i,
            .second = sound->accelerations + 4 * (size_t)i,
        };
        deform->kernel->filter(&job);
        memmove(history, history + 4 * FINE_BATCH,
                4 * (SOUND_HISTORY - FINE_BATCH) * sizeof *history);
    }
}

/* The body of a face; `index` is that of an earlier one. */
static int body_of(const deform_sound *sound, int face, int index) {
    while (face >=
           sound->bodies[index].face_first + sound->bodies[index].face_count) {
        index++;
    }
    return index;
}

/* First pass: place, area, normal and acceleration of each triangle. */
static sound_source find_face(const int face[3], const double *places,
                              const double *accelerations) {
    sb_vec3 a = row_vec3(places, face[0]), b = row_vec3(places, face[1]);
    sb_vec3 c = row_vec3(places, face[2]);
    sb_vec3 sum = sb_vec3_add(a, sb_vec3_add(b, c));
    sb_vec3 twice = sb_vec3_span(a, b, c);
    sb_vec3 second = sb_vec3_add(row_vec3(accelerations, face[0]),
                                 sb_vec3_add(row_vec3(accelerations, face[1]),
                                             row_vec3(accelerations, face[2])));
    double length = sb_vec3_length(twice), by = 1 / length;
    return (sound_source){
        .at = {sum.x / 3, sum.y / 3, sum.z / 3},
        .monopole = sb_vec3_dot(second, twice) * by / 3,
        .dipole = {twice.x * by, twice.y * by, twice.z * by},
        .area = 0.5 * length,
    };
}

void deform_sound_faces(sb_deform *deform, int first, int last) {
    deform_sound *sound = deform->sound;
    size_t nodes = (size_t)sound->node_count;
    size_t faces = (size_t)sound->face_count;
    int index = 0;
    for (int i = first; i < last; i++) {
        index = body_of(sound, i, index);
        const sound_body *body = &sound->bodies[index];
        const int *face = deform->faces[deform->bodies[body->body].face_first +
                                        i - body->face_first];
        for (size_t frame = 0; frame < FRAMES_BATCH; frame++) {
            size_t at = 4 * (frame * nodes + (size_t)body->node_first);
            sound->sources[frame * faces + (size_t)i] =
                find_face(face, sound->places + at, sound->accelerations + at);
        }
        if (deform_sound_has_modes(sound, index))
            deform_sound_modes_take(sound, i);
    }
}

/* Second pass: how a closed body swells as a whole. */
void deform_sound_mean(sb_deform *deform, int index) {
    deform_sound *sound = deform->sound;
    const sound_body *body = &sound->bodies[index];
    const deform_body *of = &deform->bodies[body->body];
    double c = deform->speed_of_sound_m_s, rho_c = deform->air_density * c;
    for (int frame = 0; frame < FRAMES_BATCH; frame++) {
        const sound_source *own =
            &sound->sources[(size_t)frame * (size_t)sound->face_count +
                            (size_t)body->face_first];
        double *mean =
            sound->means + 2 * (size_t)(FRAMES_BATCH * index + frame);
        double swell = 0, area = 0;
        for (int i = 0; i < body->face_count && !of->has_back; i++) {
            swell += own[i].area * own[i].monopole;
            area += own[i].area;
        }
        mean[0] = of->has_back ? 0 : swell / area;
        mean[1] = deform_press(sound->swelling + 2 * (size_t)index, mean[0],
                               rho_c, c / of->radius_m);
    }
}

/* Third pass: the sources. */
void deform_sound_sources(sb_deform *deform, int first, int last) {
    deform_sound *sound = deform->sound;
    double c = deform->speed_of_sound_m_s, rho = deform->air_density;
    int index = 0;
    for (int i = first; i < last; i++) {
        index = body_of(sound, i, index);
        const deform_body *of = &deform->bodies[sound->bodies[index].body];
        double rate = SB_SURFACE_RATE * c / of->radius_m;
        const double *means = sound->means + 2 * (size_t)(FRAMES_BATCH * index);
        for (int frame = 0; frame < FRAMES_BATCH; frame++) {
            sound_source *own =
                &sound->sources[(size_t)frame * (size_t)sound->face_count +
                                (size_t)i];
            double a_n = own->monopole, scale = own->area / (4 * SB_PI);
            double slope = deform_press(sound->pressure + 2 * (size_t)i,
                                        a_n - means[2 * frame], rho * c, rate) +
                           means[2 * frame + 1];
            double dipole = (of->has_back ? 2 : 1) * scale * slope / c;
            own->monopole = of->has_back ? 0 : scale * rho * a_n;
            for (int k = 0; k < 3; k++) {
                own->dipole[k] *= dipole;
            }
        }
    }
}

/* --- sources to the centres of their bodies ------------------------------- */

/* A source nearer than this many frames sounds as late as one there, so that
 * the frame of its emission is the first that it changes. */
static const double least_delay = SPLAT_TAPS / 2 + 1.5;

typedef struct hearing {
    sb_vec3 ear;
    double frames_per_m;
    double offset; /* of the emission, in frames, from that of the ring */
} hearing;

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

/* The taps beyond the end of the ring belong to its beginning. */
static void wrap(double *ring) {
    for (int k = 0; k < SPLAT_TAPS; k++) {
        ring[k] += ring[SOUND_RING + k];
        ring[SOUND_RING + k] = 0;
    }
}

/* The centre of a body in each frame of a batch: its distance from the ear, and
 * how fast that grows, in m per frame. */
static void find_centres(const sb_deform *deform, const sound_body *body,
                         sb_vec3 ear, double distance[], double growth[]) {
    const deform_sound *sound = deform->sound;
    for (int i = 0; i < FRAMES_BATCH; i++) {
        const double *places =
            sound->places + 4 * ((size_t)i * (size_t)sound->node_count +
                                 (size_t)body->node_first);
        sb_vec3 centre = deform_centre_in(deform, body->body, places);
        distance[i] = sb_vec3_length(sb_vec3_sub(ear, centre));
        if (i > 0) growth[i - 1] = distance[i] - distance[i - 1];
    }
    growth[FRAMES_BATCH - 1] = growth[FRAMES_BATCH - 2];
}

/* A triangle's sound arrives when that arrives which left the centre, R from
 * the ear, later by (r - R) / (c + R'). */
static void leave_source(const sb_deform *deform, const hearing *of,
                         const sound_source *source, double centre,
                         double growth, double *delay_before, int64_t frame,
                         double *ring) {
    sb_vec3 from = {source->at[0], source->at[1], source->at[2]};
    sb_vec3 to = sb_vec3_sub(of->ear, from);
    double r = sb_vec3_length(to), lead = deform->sound->lead;
    double slow = 1 + growth * of->frames_per_m;
    double later = (r - centre) * of->frames_per_m / fmax(slow, 0.1);
    double delay = fmin(fmax(later + lead, least_delay), 2 * lead);
    double p = pressure_of(source, to, r) * (centre + growth * later);
    double rate = *delay_before < 0 ? 1 : 1 + delay - *delay_before;
    *delay_before = delay;
    put(deform, ring, frame, delay + of->offset, p * rate);
}

/* Frame n of the ring is that of time n - lead: what is read begins at `lead`.
 */
void deform_sound_leave(sb_deform *deform, int index, int64_t batch) {
    const double hz = SB_DEFORM_RATE_HZ;
    const hearing of = {.ear = deform->state->ear_m,
                        .frames_per_m = hz / deform->speed_of_sound_m_s,
                        .offset = -2.0 / FINE_PER_FRAME - deform->step_s * hz};
    deform_sound *sound = deform->sound;
    const sound_body *body = &sound->bodies[index];
    size_t faces = (size_t)sound->face_count, first = (size_t)body->face_first;
    double *ring = sound->ring + (size_t)index * (SOUND_RING + SPLAT_TAPS);
    double distance[FRAMES_BATCH], growth[FRAMES_BATCH];
    sound_source modes[FRAMES_BATCH];
    bool has_modes = deform_sound_has_modes(sound, index);
    find_centres(deform, body, of.ear, distance, growth);
    if (has_modes) deform_sound_modes_leave(deform, index, modes);
    for (int i = 0; i < FRAMES_BATCH; i++) {
        int64_t frame = batch * FRAMES_BATCH + i;
        const sound_source *sources = &sound->sources[(size_t)i * faces];
        for (size_t k = first; k < first + (size_t)body->face_count; k++) {
            leave_source(deform, &of, &sources[k], distance[i], growth[i],
                         &sound->delays[k], frame, ring);
        }
        if (has_modes)
            leave_source(deform, &of, &modes[i], distance[i], growth[i],
                         deform_sound_modes_delay(sound, index), frame, ring);
        wrap(ring);
    }
}
