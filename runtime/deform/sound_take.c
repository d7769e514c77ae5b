/* Surfaces from steps to frames, and frames to sources. Thread: members of the
 * team. */
#include "runtime/deform/sound.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

/* Batches complete before fine sample m. */
static int64_t batches_before(int64_t m) {
    const int first = FINE_BATCH - FINE_PER_FRAME + SOUND_HALF;
    return m <= first ? 0 : (m - first + FINE_BATCH - 1) / FINE_BATCH;
}

/* A window that began `age` samples ago is summed in slot (m - age) mod 4. */
void deform_sound_take(sb_deform *deform, int body, int first, int last,
                       int64_t step) {
    deform_sound *sound = deform->sound;
    int index = sound->body_of[body];
    if (index < 0) return;
    int phase = (int)(step % deform->fine_steps);
    int64_t m = step / deform->fine_steps; /* before this sample's end */
    double weights[4];
    for (int age = 0; age < 4; age++) {
        weights[(m - age + 4) % 4] =
            sound->weights[age * deform->fine_steps + phase];
    }
    size_t node = (size_t)(sound->bodies[index].node_first + first -
                           deform->bodies[body].node_first);
    double *sums = sound->sums + 16 * node;
    deform->kernel->windows(sums, deform->positions + 4 * (size_t)first,
                            weights, last - first);
    if (phase != deform->fine_steps - 1) return;
    m++;
    size_t slot = (size_t)(m % 4); /* (m - 1 - 3) mod 4: now complete */
    size_t at = (size_t)(m - FINE_BATCH * batches_before(m) + SOUND_HALF);
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
    *batch = batches_before(m);
    return batches_before(m + 1) > *batch;
}

void deform_sound_filter(sb_deform *deform, int first, int last) {
    deform_sound *sound = deform->sound;
    size_t nodes = (size_t)sound->node_count;
    for (int i = first; i < last; i++) {
        double *history = sound->history + 4 * SOUND_HISTORY * (size_t)i;
        for (int frame = 0; frame < FRAMES_BATCH; frame++) {
            size_t to = 4 * ((size_t)frame * nodes + (size_t)i);
            const sb_filter_job job = {
                .taps = SOUND_TAPS,
                .taps_value = sound->value,
                .taps_second = sound->second,
                .history = history + 4 * (size_t)(FINE_PER_FRAME * frame),
                .value = sound->places + to,
                .second = sound->accelerations + to,
            };
            deform->kernel->filter(&job);
        }
        memmove(history, history + 4 * FINE_BATCH,
                4 * (SOUND_HISTORY - FINE_BATCH) * sizeof *history);
    }
}

typedef struct sounding {
    const int *face;
    const double *places, *accelerations; /* of the body's nodes */
    double rate, rho, c;                  /* 2 c / a; of air */
    bool is_sheet;
} sounding;

static void find_source(const sounding *own, double pressure[2],
                        sound_source *out) {
    const int *f = own->face;
    sb_vec3 a = row_vec3(own->places, f[0]), b = row_vec3(own->places, f[1]);
    sb_vec3 c = row_vec3(own->places, f[2]);
    sb_vec3 sum = sb_vec3_add(a, sb_vec3_add(b, c));
    sb_vec3 normal = sb_vec3_cross(sb_vec3_sub(b, a), sb_vec3_sub(c, a));
    double length = sb_vec3_length(normal), area = 0.5 * length;
    sb_vec3 n = sb_vec3_scale(normal, 1 / length);
    sb_vec3 second =
        sb_vec3_add(row_vec3(own->accelerations, f[0]),
                    sb_vec3_add(row_vec3(own->accelerations, f[1]),
                                row_vec3(own->accelerations, f[2])));
    double a_n = sb_vec3_dot(second, n) / 3;
    /* Trapezoidal rule. */
    double half = 0.5 / SB_DEFORM_RATE_HZ, rho_c = own->rho * own->c;
    double ps = ((1 - half * own->rate) * pressure[0] +
                 half * rho_c * (a_n + pressure[1])) /
                (1 + half * own->rate);
    double slope = rho_c * a_n - own->rate * ps, scale = area / (4 * SB_PI);
    pressure[0] = ps;
    pressure[1] = a_n;
    double dipole = (own->is_sheet ? 2 : 1) * scale * slope / own->c;
    *out = (sound_source){
        .at = {sum.x / 3, sum.y / 3, sum.z / 3},
        .monopole = own->is_sheet ? 0 : scale * own->rho * a_n,
        .dipole = {dipole * n.x, dipole * n.y, dipole * n.z},
    };
}

void deform_sound_sources(sb_deform *deform, int first, int last) {
    deform_sound *sound = deform->sound;
    size_t nodes = (size_t)sound->node_count;
    int index = 0;
    for (int i = first; i < last; i++) {
        while (i >= sound->bodies[index].face_first +
                        sound->bodies[index].face_count) {
            index++;
        }
        const sound_body *body = &sound->bodies[index];
        const deform_body *of = &deform->bodies[body->body];
        sounding own = {
            .face = deform->faces[of->face_first + i - body->face_first],
            .rate = 2 * deform->speed_of_sound_m_s / of->radius_m,
            .rho = deform->air_density,
            .c = deform->speed_of_sound_m_s,
            .is_sheet = of->is_sheet};
        for (int frame = 0; frame < FRAMES_BATCH; frame++) {
            size_t at = 4 * ((size_t)frame * nodes + (size_t)body->node_first);
            own.places = sound->places + at;
            own.accelerations = sound->accelerations + at;
            find_source(
                &own, sound->pressure + 2 * (size_t)i,
                &sound->sources[(size_t)frame * (size_t)sound->face_count +
                                (size_t)i]);
        }
    }
}
