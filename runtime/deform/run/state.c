/* SPDX-License-Identifier: MIT */
/* The block of everything that changes, and its beginning. Thread: as
 * deform.h. */

#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/contact/deform_touch.h"
#include "runtime/deform/contact/form.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"
#include "runtime/deform/sound/sound_modes.h"

#include <string.h>

static void lay_out(sb_deform *deform, deform_layout *layout) {
    const size_t number = sizeof(double);
    size_t nodes = (size_t)deform->node_count;
    size_t turns = (size_t)deform->turn_count;
    size_t chunks = (size_t)deform->chunks.node_count;
    deform_elements *elements = &deform->elements;
    deform->state = deform_place_array(layout, 1, sizeof *deform->state);
    deform->positions = deform_place_array(layout, 4 * nodes, number);
    deform->velocities = deform_place_array(layout, 4 * nodes, number);
    deform->quats = deform_place_array(layout, 4 * turns, number);
    deform->spins = deform_place_array(layout, 4 * turns, number);
    elements->memory =
        deform_place_array(layout, elements->memory_count, number);
    deform->chunks.work = deform_place_array(layout, 3 * chunks, number);
    deform->loads.drive_of = deform_place_array(layout, nodes, sizeof(int));
    deform->loads.push_of = deform_place_array(layout, nodes, sizeof(unsigned));
    if (deform->colliders) deform_colliders_place(deform, layout);
    if (deform->touch) deform_touch_place(deform, layout);
    if (deform->sound) deform_sound_place(deform, layout);
}

static void begin_body(sb_deform *deform, int index,
                       const sb_deform_body_def *def) {
    const deform_body *body = &deform->bodies[index];
    sb_vec3 centre = {0, 0, 0};
    for (int i = 0; i < body->real_count; i++) {
        int node = body->node_first + i;
        centre = sb_vec3_plus(centre, row_vec3(deform->rest, node),
                              deform->mass[node] / body->mass_kg);
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
static uint64_t add_numbers(uint64_t hash, const double *numbers,
                            size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ bits ^ bits >> 32) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t add_body(uint64_t hash, const deform_body *body) {
    const double of[] = {body->material.youngs_modulus,
                         body->material.poisson_ratio,
                         body->alpha_keep,
                         body->hovers,
                         body->rate,
                         body->gain,
                         body->thickness_m,
                         body->limit_hz};
    return add_numbers(hash, of, sizeof of / sizeof *of);
}

static uint64_t add_collider(uint64_t hash, const sb_deform *deform, int i) {
    const collider_form *form = &deform->colliders->forms[i];
    const double of[] = {form->form,
                         form->sizes_m.x,
                         form->sizes_m.y,
                         form->sizes_m.z,
                         form->reach_m,
                         form->bead_count,
                         deform->state->colliders[i].def.is_heard};
    return add_numbers(hash, of, sizeof of / sizeof *of);
}

/* Of all that must agree for a block to fit. */
static uint64_t fingerprint_of(const sb_deform *deform) {
    enum { LAYOUT = 2 }; /* raised when that of the state changes */
    const double of[] = {LAYOUT,
                         deform->step_s,
                         deform->smoothing.steps,
                         deform->air_density,
                         deform->speed_of_sound_m_s,
                         deform->gravity_m_s2.x,
                         deform->gravity_m_s2.y,
                         deform->gravity_m_s2.z,
                         deform->has_ear,
                         deform->collider_count,
                         deform->touch != NULL,
                         deform->kernel == &sb_deform_kernel_portable};
    size_t nodes = (size_t)deform->node_count;
    uint64_t hash = 0xcbf29ce484222325u;
    hash = add_numbers(hash, of, sizeof of / sizeof *of);
    hash = add_numbers(hash, deform->rest, 4 * nodes);
    hash = add_numbers(hash, deform->mass, nodes);
    hash = add_numbers(hash, deform->inverse_mass, nodes);
    for (size_t i = 0; i <= nodes; i++) {
        const double start = deform->elements.row_start[i];
        hash = add_numbers(hash, &start, 1);
    }
    for (int b = 0; b < deform->body_count; b++) {
        hash = add_body(hash, &deform->bodies[b]);
    }
    for (int i = 0; i < deform->collider_count; i++) {
        hash = add_collider(hash, deform, i);
    }
    if (deform->sound && deform->sound->modes) {
        size_t count;
        const double *numbers = deform_sound_modes_numbers(deform, &count);
        hash = add_numbers(hash, numbers, count);
    }
    return hash;
}

sb_status deform_state_make(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    deform_layout layout = deform_lay_out(deform, lay_out);
    if (!layout.start)
        return sb_fail(err, SB_NO_MEMORY,
                       "deformable bodies: out of memory for their state");
    deform->state_bytes = layout.bytes;
    memcpy(deform->positions, deform->rest,
           4 * (size_t)deform->node_count * sizeof(double));
    for (int i = 0; i < def->body_count; i++) {
        begin_body(deform, i, &def->bodies[i]);
    }
    for (int i = 0; i < def->collider_count; i++) {
        deform->state->colliders[i].def.is_heard = def->colliders[i].is_heard;
        sb_deform_set_collider(deform, i, &def->colliders[i]);
    }
    if (def->ear_m) deform->state->ear_m = *def->ear_m;
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
    for (int c = 0; c < deform->chunks.node_count; c++) {
        deform->chunks.has_push[c] = 0;
    }
    for (int i = 0; i < deform->node_count; i++) {
        if (deform->loads.drive_of[i] > 0)
            deform->chunks.has_push[deform->chunks.of_node[i]] |= DRIVEN;
    }
    return SB_OK;
}
