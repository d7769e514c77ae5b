/* Making and freeing what sound.h needs. Thread: as deform.h. */
#include "runtime/deform/sound/sound.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

static sb_status no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY,
                   "deformable bodies: out of memory for their sound");
}

static void *take(sb_deform *deform, size_t count, size_t size) {
    deform->bytes += (double)count * (double)size;
    return sb_alloc(count, size);
}

/* Twice as far as any part is at rest from the centre: bodies unfold. */
static sb_status find_lead(sb_deform *deform, sb_error *err) {
    deform_sound *sound = deform->sound;
    double per_m = SB_DEFORM_RATE_HZ / deform->speed_of_sound_m_s;
    for (int i = 0; i < sound->body_count; i++) {
        const deform_body *body = &deform->bodies[sound->bodies[i].body];
        const double *rest = deform->rest + 4 * (size_t)body->node_first;
        sb_vec3 at = deform_centre_in(deform, sound->bodies[i].body, rest);
        double most = 0;
        for (int n = 0; n < body->surface_count; n++) {
            double far = sb_vec3_length(sb_vec3_sub(row_vec3(rest, n), at));
            most = far > most ? far : most;
        }
        double lead = ceil(2 * most * per_m) + SPLAT_TAPS;
        if (!(lead < SOUND_LEAD_MOST))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: a body that sounds must be smaller than %.0f "
                           "m, got %.0f m",
                           body->name, (SOUND_LEAD_MOST - SPLAT_TAPS) / per_m,
                           2 * most);
        if (lead > sound->lead) sound->lead = (int)lead;
    }
    return SB_OK;
}

sb_status deform_sound_make(sb_deform *deform, sb_error *err) {
    if (deform->ear_count == 0) return SB_OK;
    deform_sound *sound = sb_alloc(1, sizeof *sound);
    deform->sound = sound;
    if (!sound) return no_memory(err);
    size_t bodies = (size_t)deform->body_count;
    sound->bodies = sb_alloc(bodies, sizeof *sound->bodies);
    sound->body_of = sb_alloc(bodies, sizeof *sound->body_of);
    if (!sound->bodies || !sound->body_of) return no_memory(err);
    for (int i = 0; i < deform->body_count; i++) {
        const deform_body *body = &deform->bodies[i];
        sound->body_of[i] = -1;
        if (body->is_silent) continue;
        int nodes = body->is_sheet ? body->node_count : body->surface_count;
        sound->body_of[i] = sound->body_count;
        sound->bodies[sound->body_count++] = (sound_body){
            i, sound->node_count, sound->face_count, nodes, body->face_count};
        sound->node_count += nodes;
        sound->face_count += body->face_count;
    }
    size_t nodes = (size_t)sound->node_count, frames = FRAMES_BATCH;
    sound->places = take(deform, frames * nodes * 4, sizeof(double));
    sound->accelerations = take(deform, frames * nodes * 4, sizeof(double));
    sound->sources = take(deform, frames * (size_t)sound->face_count,
                          sizeof *sound->sources);
    sound->means =
        take(deform, 2 * frames * (size_t)sound->body_count, sizeof(double));
    sound->normals = take(deform, nodes * 4, sizeof(double));
    if (!sound->normals || !sound->places || !sound->accelerations ||
        !sound->sources || !sound->means)
        return no_memory(err);
    sound->ring_count =
        deform->is_source ? sound->body_count : deform->ear_count;
    return deform->is_source ? find_lead(deform, err) : SB_OK;
}

void deform_sound_free(sb_deform *deform) {
    deform_sound *sound = deform->sound;
    if (!sound) return;
    sb_free(sound->bodies);
    sb_free(sound->body_of);
    sb_free(sound->weights);
    sb_free(sound->places);
    sb_free(sound->accelerations);
    sb_free(sound->sources);
    sb_free(sound->means);
    sb_free(sound->normals);
    sb_free(sound);
    deform->sound = NULL;
}

size_t deform_sound_numbers(const sb_deform *deform) {
    const deform_sound *sound = deform->sound;
    if (!sound) return 0;
    size_t nodes = (size_t)sound->node_count, ears = (size_t)deform->ear_count;
    size_t faces = (size_t)sound->face_count;
    size_t rings = (size_t)sound->ring_count;
    return nodes * (16 + 4 * SOUND_HISTORY) + faces * (8 + ears) +
           rings * (SOUND_RING + SPLAT_TAPS + 2 * SOUND_SECTIONS) +
           (3 + SOUND_BATCHES) * (size_t)sound->body_count;
}

void deform_sound_place(sb_deform *deform, double *state) {
    deform_sound *sound = deform->sound;
    if (!sound) return;
    size_t nodes = (size_t)sound->node_count;
    size_t faces = (size_t)sound->face_count;
    sound->sums = state;
    sound->history = sound->sums + 16 * nodes;
    sound->pressure = sound->history + 4 * SOUND_HISTORY * nodes;
    sound->swelling = sound->pressure + 2 * faces;
    sound->delays = sound->swelling + 2 * (size_t)sound->body_count;
    sound->ring = sound->delays + (size_t)deform->ear_count * faces;
    sound->limited =
        sound->ring + (size_t)sound->ring_count * (SOUND_RING + SPLAT_TAPS);
    sound->limits_hz =
        sound->limited + 2 * SOUND_SECTIONS * (size_t)sound->ring_count;
    sound->highest_hz =
        sound->limits_hz + SOUND_BATCHES * (size_t)sound->body_count;
    sound->bends = sound->highest_hz + sound->body_count;
}

/* Before the beginning, nodes came along straight lines. */
static void set_past(sb_deform *deform, const sound_body *own) {
    deform_sound *sound = deform->sound;
    int first = deform->bodies[own->body].node_first;
    int steps = deform->fine_steps;
    for (int i = 0; i < own->node_count; i++) {
        sb_vec3 x = row_vec3(deform->positions, first + i);
        sb_vec3 v = row_vec3(deform->velocities, first + i);
        size_t node = (size_t)(own->node_first + i);
        double *sums = sound->sums + 16 * node;
        double *history = sound->history + 4 * SOUND_HISTORY * node;
        for (int age = 1; age < 4; age++) {
            for (int s = 0; s < age * steps; s++) {
                double t = (s + 1 - age * steps) * deform->step_s;
                double weight = sound->weights[s];
                sb_vec3 at = sb_vec3_add(x, sb_vec3_scale(v, t));
                add_row(sums, (4 - age) % 4, sb_vec3_scale(at, weight));
            }
        }
        for (int m = 0; m <= SOUND_HALF; m++) {
            double t = ((m - SOUND_HALF - 2) * steps - 1) * deform->step_s;
            set_row(history, m, sb_vec3_add(x, sb_vec3_scale(v, t)));
        }
    }
}

sb_status deform_sound_begin(sb_deform *deform, sb_error *err) {
    deform_sound *sound = deform->sound;
    if (!sound) return SB_OK;
    sound->weights =
        take(deform, 4 * (size_t)deform->fine_steps, sizeof *sound->weights);
    if (!sound->weights) return no_memory(err);
    deform_window(deform->fine_steps, sound->weights);
    deform_filters(deform->fine_steps, sound->value, sound->second);
    deform_splat_table(sound->splat);
    for (int i = 0; i < sound->body_count; i++) {
        set_past(deform, &sound->bodies[i]);
    }
    for (int i = 0; i < deform->ear_count * sound->face_count; i++) {
        sound->delays[i] = -1;
    }
    return SB_OK;
}
