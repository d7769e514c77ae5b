/* The block of everything that changes, and its beginning. Thread: as
 * deform.h. */

#include "runtime/base/memory.h"
#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/contact/deform_touch.h"
#include "runtime/deform/contact/form.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"

#include <string.h>

/* Numbers of doubles of each part, in order. */
enum {
    PART_POSITIONS,
    PART_VELOCITIES,
    PART_QUATS,
    PART_SPINS,
    PART_MEMORY,
    PART_WORK,
    PART_DRIVES,
    PART_PUSHES,
    PART_COLLIDERS,
    PART_TOUCH,
    PART_SOUND,
    PART_COUNT
};

static size_t memory_numbers(const sb_deform *deform) {
    size_t sum = 0;
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        size_t per =
            body->is_sheet ? SB_SHELL_FORCES : SB_TET_POINTS * SB_TET_STRESSES;
        if (body->material.beta > 0)
            sum += (size_t)body->group_count * per * SB_DEFORM_LANES;
    }
    return sum;
}

static void find_parts(const sb_deform *deform, size_t parts[PART_COUNT]) {
    size_t nodes = (size_t)deform->node_count;
    size_t turns = (size_t)deform->turn_count;
    size_t chunks = (size_t)deform->node_chunk_count;
    parts[PART_POSITIONS] = parts[PART_VELOCITIES] = 4 * nodes;
    parts[PART_QUATS] = parts[PART_SPINS] = 4 * turns;
    parts[PART_MEMORY] = memory_numbers(deform);
    parts[PART_WORK] = 3 * chunks;
    parts[PART_DRIVES] = parts[PART_PUSHES] = (nodes + 1) / 2;
    parts[PART_COLLIDERS] = deform_colliders_numbers(deform);
    parts[PART_TOUCH] = deform_touch_numbers(deform);
    parts[PART_SOUND] = deform_sound_numbers(deform);
}

static void point_into(sb_deform *deform, const size_t parts[PART_COUNT]) {
    double *at[PART_COUNT];
    size_t head = (sizeof(state_head) + 63) / 64 * 8;
    double *next = (double *)(void *)deform->state + head;
    for (int i = 0; i < PART_COUNT; i++) {
        at[i] = next;
        next += (parts[i] + 7) / 8 * 8;
    }
    deform->state_bytes =
        (size_t)(next - (double *)(void *)deform->state) * sizeof *next;
    deform->positions = at[PART_POSITIONS];
    deform->velocities = at[PART_VELOCITIES];
    deform->quats = at[PART_QUATS];
    deform->spins = at[PART_SPINS];
    deform->memory = at[PART_MEMORY];
    deform->work = at[PART_WORK];
    deform->drive_of = (int *)(void *)at[PART_DRIVES];
    deform->push_of = (unsigned *)(void *)at[PART_PUSHES];
    deform_colliders_place(deform, at[PART_COLLIDERS]);
    deform_touch_place(deform, at[PART_TOUCH]);
    deform_sound_place(deform, at[PART_SOUND]);
}

static void begin_body(sb_deform *deform, int index,
                       const sb_deform_body_def *def) {
    const deform_body *body = &deform->bodies[index];
    sb_vec3 centre = {0, 0, 0};
    for (int i = 0; i < body->real_count; i++) {
        int node = body->node_first + i;
        centre = sb_vec3_add(centre,
                             sb_vec3_scale(row_vec3(deform->rest, node),
                                           deform->mass[node] / body->mass_kg));
    }
    deform->state->accounts[index].about = centre;
    for (int i = 0; i < body->node_count; i++) {
        int node = body->node_first + i;
        sb_vec3 arm = sb_vec3_sub(row_vec3(deform->rest, node), centre);
        if (deform->inverse_mass[node] > 0)
            set_row(deform->velocities, node,
                    sb_vec3_add(def->velocity_m_s,
                                sb_vec3_cross(def->spin_rad_s, arm)));
        if (!body->is_sheet) continue;
        deform->quats[4 * (size_t)node + 3] = 1;
        if (deform->inverse_inertia[node] > 0)
            set_row(deform->spins, node, def->spin_rad_s);
    }
}

/* FNV-1a, of whole words. */
static uint64_t add_number(uint64_t hash, double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (hash ^ bits ^ bits >> 32) * 0x100000001b3u;
}

static uint64_t add_numbers(uint64_t hash, const double *numbers, int count) {
    for (int i = 0; i < count; i++) {
        hash = add_number(hash, numbers[i]);
    }
    return hash;
}

static uint64_t add_body(uint64_t hash, const deform_body *body) {
    hash = add_number(hash, body->material.youngs_modulus);
    hash = add_number(hash, body->material.poisson_ratio);
    hash = add_number(hash, body->alpha_keep);
    hash = add_number(hash, body->hovers);
    hash = add_number(hash, body->rate);
    hash = add_number(hash, body->gain);
    hash = add_number(hash, body->thickness_m);
    hash = add_number(hash, body->limit_hz);
    return add_number(hash, body->is_silent);
}

static uint64_t add_collider(uint64_t hash, const sb_deform *deform, int i) {
    const collider_form *form = &deform->colliders->forms[i];
    hash = add_number(hash, form->form);
    hash = add_number(hash, form->sizes_m.x);
    hash = add_number(hash, form->sizes_m.y);
    hash = add_number(hash, form->sizes_m.z);
    hash = add_number(hash, form->reach_m);
    hash = add_number(hash, form->bead_count);
    return add_number(hash, deform->state->colliders[i].def.is_heard);
}

/* Of all that must agree for a block to fit. */
static uint64_t fingerprint_of(const sb_deform *deform) {
    uint64_t hash = 0xcbf29ce484222325u;
    hash = add_numbers(hash, deform->rest, 4 * deform->node_count);
    hash = add_numbers(hash, deform->mass, deform->node_count);
    hash = add_numbers(hash, deform->inverse_mass, deform->node_count);
    for (int i = 0; i <= deform->node_count; i++) {
        hash = add_number(hash, deform->row_start[i]);
    }
    for (int b = 0; b < deform->body_count; b++) {
        hash = add_body(hash, &deform->bodies[b]);
    }
    hash = add_number(hash, deform->step_s);
    hash = add_number(hash, deform->smooth_steps);
    hash = add_number(hash, deform->air_density);
    hash = add_number(hash, deform->speed_of_sound_m_s);
    hash = add_number(hash, deform->gravity_m_s2.x);
    hash = add_number(hash, deform->gravity_m_s2.y);
    hash = add_number(hash, deform->gravity_m_s2.z);
    hash = add_number(hash, deform->ear_count);
    hash = add_number(hash, deform->is_source);
    hash = add_number(hash, deform->collider_count);
    for (int i = 0; i < deform->collider_count; i++) {
        hash = add_collider(hash, deform, i);
    }
    hash = add_number(hash, deform->touch != NULL);
    return add_number(hash, deform->kernel == &sb_deform_kernel_portable);
}

sb_status deform_state_make(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    size_t parts[PART_COUNT], bytes = (sizeof(state_head) + 63) / 64 * 64;
    find_parts(deform, parts);
    for (int i = 0; i < PART_COUNT; i++) {
        bytes += (parts[i] + 7) / 8 * 64;
    }
    deform->state = sb_alloc_aligned(bytes);
    if (!deform->state)
        return sb_fail(err, SB_NO_MEMORY,
                       "deformable bodies: out of memory for %.3g GB",
                       (double)bytes * 1e-9);
    memset(deform->state, 0, bytes);
    deform->bytes += (double)bytes;
    point_into(deform, parts);
    memcpy(deform->positions, deform->rest,
           4 * (size_t)deform->node_count * sizeof(double));
    for (int i = 0; i < def->body_count; i++) {
        begin_body(deform, i, &def->bodies[i]);
    }
    for (int i = 0; i < def->collider_count; i++) {
        deform->state->colliders[i].def.is_heard = def->colliders[i].is_heard;
        sb_deform_set_collider(deform, i, &def->colliders[i]);
    }
    for (int i = 0; i < def->ear_count; i++) {
        deform->state->ears[i] = def->ears[i];
    }
    return SB_OK;
}

void deform_state_seal(sb_deform *deform) {
    deform->state->fingerprint = fingerprint_of(deform);
    deform->state->bytes = deform->state_bytes;
}

size_t sb_deform_state_bytes(const sb_deform *deform) {
    return deform->state_bytes;
}

void sb_deform_save(const sb_deform *deform, void *block) {
    memcpy(block, deform->state, deform->state_bytes);
}

sb_status sb_deform_restore(sb_deform *deform, const void *block, size_t bytes,
                            sb_error *err) {
    struct {
        uint64_t fingerprint, bytes;
    } head = {0, 0};
    if (bytes >= sizeof head) memcpy(&head, block, sizeof head);
    if (bytes != deform->state_bytes || head.bytes != bytes ||
        head.fingerprint != deform->state->fingerprint)
        return sb_fail(err, SB_BAD_FORMAT,
                       "checkpoint: it belongs to other bodies, to another "
                       "version, or to another kind of processor");
    memcpy(deform->state, block, bytes);
    if (deform->colliders) deform_colliders_forget(deform);
    for (int c = 0; c < deform->node_chunk_count; c++) {
        deform->has_push[c] = 0;
    }
    for (int i = 0; i < deform->node_count; i++) {
        if (deform->drive_of[i] > 0)
            deform->has_push[deform->chunk_of[i]] |= DRIVEN;
    }
    return SB_OK;
}
