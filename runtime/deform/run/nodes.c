/* Nodes of a chunk take a step: loads, forces, holds that move, sums for the
 * checks. Thread: members of the team. */

#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"

#include <math.h>
#include <string.h>

typedef struct before {
    double velocities[4 * CHUNK_NODES], spins[4 * CHUNK_NODES];
    double quats[4 * CHUNK_NODES];
} before;

static void move(sb_deform *deform, const node_chunk *own, bool has_push) {
    bool hovers = deform->bodies[own->body].hovers;
    const sb_vec3 g = hovers ? (sb_vec3){0, 0, 0} : deform->gravity_m_s2;
    const sb_node_job job = {
        .row_start = deform->row_start,
        .forces = deform->forces,
        .push = has_push ? deform->push : NULL,
        .inverse_mass = deform->inverse_mass,
        .gravity = {g.x, g.y, g.z, 0},
        .step_s = deform->step_s,
        .positions = deform->positions,
        .velocities = deform->velocities,
    };
    deform->kernel->nodes(&job, own->first, own->last);
    if (!deform->bodies[own->body].is_sheet) return;
    const sb_turn_job turn = {
        .row_start = deform->row_start,
        .moments = deform->moments,
        .push = has_push ? deform->push_moment : NULL,
        .inverse_inertia = deform->inverse_inertia,
        .step_s = deform->step_s,
        .spins = deform->spins,
        .quats = deform->quats,
    };
    deform->kernel->turns(&turn, own->first, own->last);
}

static double dot_rows(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Work of a step: of its first half with the velocity before it, of its second
 * half with that after it. */
typedef struct step_work {
    double first_j, second_j;
} step_work;

static step_work work_of_push(const sb_deform *deform, const node_chunk *own,
                              const before *old) {
    double first = 0, second = 0, half_s = 0.5 * deform->step_s;
    for (int i = own->first; i < own->last; i++) {
        const double *was = old->velocities + 4 * (size_t)(i - own->first);
        const double *push = deform->push + 4 * (size_t)i;
        const double *is = deform->velocities + 4 * (size_t)i;
        first += dot_rows(push, was);
        second += dot_rows(push, is);
        if (!deform->bodies[own->body].is_sheet) continue;
        const double *spun = old->spins + 4 * (size_t)(i - own->first);
        const double *moment = deform->push_moment + 4 * (size_t)i;
        const double *spins = deform->spins + 4 * (size_t)i;
        first += dot_rows(moment, spun);
        second += dot_rows(moment, spins);
    }
    return (step_work){half_s * first, half_s * second};
}

/* Undoes the turn of this step. */
static void stop_turning(sb_deform *deform, int node, const double *quat) {
    double *own = deform->quats + 4 * (size_t)node;
    set_row(deform->spins, node, (sb_vec3){0, 0, 0});
    memcpy(own, quat, 4 * sizeof *own);
}

/* Moves one node as its drive wants instead of freely, and adds the work that
 * this takes. */
static void drive_node(sb_deform *deform, int node, const drive_state *by,
                       sb_vec3 was, int64_t step, step_work *work) {
    double dt = deform->step_s;
    double now = deform_signal_at(&by->signal, (double)step * dt);
    double next = deform_signal_at(&by->signal, (double)(step + 1) * dt);
    sb_vec3 v = sb_vec3_scale(by->displacement_m, (next - now) / dt);
    sb_vec3 free = row_vec3(deform->velocities, node);
    if (by->is_loose) {
        sb_vec3 n = sb_vec3_normalised(by->displacement_m);
        double speed = sb_vec3_dot(n, sb_vec3_sub(v, free));
        v = sb_vec3_add(free, sb_vec3_scale(n, speed));
    }
    sb_vec3 change = sb_vec3_sub(v, free);
    set_row(deform->velocities, node, v);
    add_row(deform->positions, node, sb_vec3_scale(change, dt));
    work->first_j += 0.5 * deform->mass[node] * sb_vec3_dot(change, was);
    work->second_j += 0.5 * deform->mass[node] * sb_vec3_dot(change, v);
}

static void drive(sb_deform *deform, const node_chunk *own, const before *old,
                  int64_t step, step_work *work) {
    for (int i = own->first; i < own->last; i++) {
        if (deform->drive_of[i] == 0) continue;
        const drive_state *by = &deform->state->drives[deform->drive_of[i] - 1];
        if (step >= by->until) continue;
        sb_vec3 was = row_vec3(old->velocities, i - own->first);
        drive_node(deform, i, by, was, step, work);
        if (by->is_clamped)
            stop_turning(deform, i, old->quats + 4 * (size_t)(i - own->first));
    }
}

static void forget_push(sb_deform *deform, int chunk) {
    const node_chunk *own = &deform->node_chunks[chunk];
    size_t bytes = (size_t)(own->last - own->first) * 4 * sizeof(double);
    size_t at = 4 * (size_t)own->first;
    memset(deform->push + at, 0, bytes);
    if (deform->bodies[own->body].is_sheet)
        memset(deform->push_moment + at, 0, bytes);
    deform->has_push[chunk] &= DRIVEN;
}

void deform_move_chunk(sb_deform *deform, int chunk, int64_t step) {
    const node_chunk *own = &deform->node_chunks[chunk];
    bool is_check = step % CHECK_STEPS == 0;
    bool has_drives = deform->has_push[chunk] & DRIVEN;
    if (deform->colliders && own->is_surface)
        deform_collide_chunk(deform, chunk);
    bool has_push = deform->has_push[chunk] & PUSHED;
    before old;
    if (has_push || is_check || has_drives) {
        size_t bytes = (size_t)(own->last - own->first) * 4 * sizeof(double);
        size_t at = 4 * (size_t)own->first;
        memcpy(old.velocities, deform->velocities + at, bytes);
        if (deform->bodies[own->body].is_sheet) {
            memcpy(old.spins, deform->spins + at, bytes);
            memcpy(old.quats, deform->quats + at, bytes);
        }
    }
    if (deform->smooth_steps > 0 && step % deform->smooth_steps == 1)
        deform_smooth_account(deform, chunk);
    if (is_check) deform_sum_places(deform, chunk);
    move(deform, own, has_push);
    step_work work = {0, 0};
    if (has_push) work = work_of_push(deform, own, &old);
    if (has_drives) drive(deform, own, &old, step, &work);
    /* The energy of a check is that of the middle of its step (sums.c). */
    if (is_check) deform->sums[chunk].work_j += work.first_j;
    deform->work[3 * chunk] += work.first_j + work.second_j;
    deform->work[3 * chunk + 1] += fabs(work.first_j + work.second_j);
    if (has_push) forget_push(deform, chunk);
    bool is_summed = is_braked(&deform->bodies[own->body]) &&
                     step % deform->alpha_steps == 0;
    if (is_check || is_summed)
        deform_sum_chunk(deform, chunk, is_check ? old.velocities : NULL,
                         old.spins);
    if (deform->sound && own->is_surface)
        deform_sound_take(deform, own->body, own->first, own->last, step);
}

/* Velocities belong to the middle of the step, half a step before the places:
 * for a body that only spins, by half its acceleration. Without that, braking
 * would pull at it. The field has neither momentum nor spin of its own. */
static sb_vec3 rigid_velocity(const deform_rigid *rigid, sb_vec3 arm,
                              double half_s) {
    sb_vec3 w = rigid->spin_rad_s, turning = sb_vec3_cross(w, arm);
    sb_vec3 change = sb_vec3_add(sb_vec3_cross(rigid->turn_rad_s2, arm),
                                 sb_vec3_cross(w, turning));
    return sb_vec3_add(rigid->velocity_m_s,
                       sb_vec3_sub(turning, sb_vec3_scale(change, half_s)));
}

void deform_brake_chunk(sb_deform *deform, int chunk,
                        const deform_rigid *rigid) {
    const node_chunk *own = &deform->node_chunks[chunk];
    const deform_body *body = &deform->bodies[own->body];
    double keep = body->alpha_keep, half_s = 0.5 * deform->step_s;
    sb_vec3 spin = sb_vec3_sub(rigid->spin_rad_s,
                               sb_vec3_scale(rigid->turn_rad_s2, half_s));
    for (int i = own->first; i < own->last; i++) {
        if (deform->inverse_mass[i] > 0) {
            sb_vec3 arm =
                sb_vec3_sub(row_vec3(deform->positions, i), rigid->about);
            sb_vec3 whole = rigid_velocity(rigid, arm, half_s);
            sb_vec3 v = sb_vec3_sub(row_vec3(deform->velocities, i), whole);
            set_row(deform->velocities, i,
                    sb_vec3_add(sb_vec3_scale(whole, body->rigid_keep),
                                sb_vec3_scale(v, keep)));
        }
        if (!body->is_sheet || deform->inverse_inertia[i] == 0) continue;
        sb_vec3 w = sb_vec3_sub(row_vec3(deform->spins, i), spin);
        set_row(deform->spins, i,
                sb_vec3_add(sb_vec3_scale(spin, body->rigid_keep),
                            sb_vec3_scale(w, keep)));
    }
}
