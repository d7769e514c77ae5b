/* SPDX-License-Identifier: MIT */
/* Nodes of a chunk take a step: loads, forces, holds that move, sums for the
 * checks. Thread: members of the team. */
#include "runtime/base/pi.h"
#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/deform_state.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"

#include <math.h>
#include <string.h>

/* --- smoothing ------------------------------------------------------------ */

/* What a sheet's triangles do not resolve is damped: the energy of large bending
 * climbs to ever shorter waves, and a mesh would keep it in its shortest for
 * ever, where a sheet loses it.
 *
 * Each triangle's bending stiffness is divided by the square of its highest
 * frequency, so that the sum K of all has M^-1 K between 0 and 1 whatever the
 * elements' sizes: 1/80 for waves of four elements, 0.15 and more for those that
 * only a mesh has. Once in some steps
 *
 *     v -= 2 (M^-1 K)^4 v
 *
 * of velocities and spins: no energy can grow, momentum and spin remain as they
 * are, because bending is what K resists, and the rate falls with the eighth
 * power of frequency. */

/* Between two smoothings: a part of the period of the largest triangle's
 * highest frequency, and no more work than a fifth of that of the steps. */
enum { PARTS = 32, STEPS_LEAST = 16 };

/* Of (M^-1 K)^4: at most 2, so that nothing can grow. */
static const double strength = 2;

void deform_smooth_set(sb_deform *deform) {
    double slowest = 0;
    for (int b = 0; b < deform->body_count; b++) {
        slowest = fmax(slowest, deform->bodies[b].slowest_s2);
    }
    if (!(slowest > 0)) return;
    double every_s = 2 * SB_PI * sqrt(slowest) / PARTS;
    deform->smoothing.steps = (int)fmax(STEPS_LEAST, every_s / deform->step_s);
}

void deform_smooth_elements(sb_deform *deform, int chunk, int round) {
    const group_chunk *own = &deform->chunks.groups[chunk];
    const deform_body *body = &deform->bodies[own->body];
    if (!body->is_sheet) return;
    const sb_element_job job = {
        .positions = deform->positions,
        .forces = deform->elements.forces,
        .moments = deform->elements.moments,
        .shells = deform->elements.shells + body->group_first,
        .moves = round == 0 ? deform->velocities : deform->smoothing.moves,
        .turns = round == 0 ? deform->spins : deform->smoothing.turns,
    };
    deform->kernel->bends(&job, own->first, own->last);
}

static sb_vec3 sum_of(const sb_deform *deform, const double *rows, int node,
                      double by) {
    sb_vec3 sum = {0, 0, 0};
    for (int i = deform->elements.row_start[node];
         i < deform->elements.row_start[node + 1]; i++) {
        sum = sb_vec3_add(sum, row_vec3(rows, i));
    }
    return sb_vec3_scale(sum, by);
}

/* Slows a row down by `less`; the energy that this takes, per mass. */
static double slow(double *rows, int node, sb_vec3 less) {
    sb_vec3 v = row_vec3(rows, node);
    set_row(rows, node, sb_vec3_sub(v, less));
    return sb_vec3_dot(less, v) - 0.5 * sb_vec3_dot(less, less);
}

void deform_smooth_nodes(sb_deform *deform, int chunk, int round) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    double taken_j = 0;
    if (!deform->bodies[own->body].is_sheet) return;
    for (int i = own->first; i < own->last; i++) {
        sb_vec3 move =
            sum_of(deform, deform->elements.forces, i, deform->inverse_mass[i]);
        sb_vec3 turn = sum_of(deform, deform->elements.moments, i,
                              deform->inverse_inertia[i]);
        if (round == SMOOTH_ROUNDS - 1) {
            move = sb_vec3_scale(move, strength);
            turn = sb_vec3_scale(turn, strength);
            taken_j += deform->mass[i] * slow(deform->velocities, i, move) +
                       deform->inertia[i] * slow(deform->spins, i, turn);
        }
        set_row(deform->smoothing.moves, i, move);
        set_row(deform->smoothing.turns, i, turn);
    }
    deform->chunks.work[3 * chunk + 2] += taken_j;
}

/* Velocities belong to the middle of a step, energy to its ends (sums.c): what
 * the forces of the next step do in half of it is missing, too. */
static void account_smoothing(sb_deform *deform, int chunk) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    double sum = 0;
    if (!deform->bodies[own->body].is_sheet) return;
    for (int i = own->first; i < own->last; i++) {
        sum += sb_vec3_dot(row_vec3(deform->smoothing.moves, i),
                           sum_of(deform, deform->elements.forces, i, 1)) +
               sb_vec3_dot(row_vec3(deform->smoothing.turns, i),
                           sum_of(deform, deform->elements.moments, i, 1));
    }
    deform->chunks.work[3 * chunk + 2] += 0.5 * deform->step_s * sum;
}

/* --- a step --------------------------------------------------------------- */

typedef struct before {
    double velocities[4 * CHUNK_NODES], spins[4 * CHUNK_NODES];
    double quats[4 * CHUNK_NODES];
} before;

static void move(sb_deform *deform, const node_chunk *own, bool has_push) {
    bool hovers = deform->bodies[own->body].hovers;
    const sb_vec3 g = hovers ? (sb_vec3){0, 0, 0} : deform->gravity_m_s2;
    const sb_node_job job = {
        .row_start = deform->elements.row_start,
        .forces = deform->elements.forces,
        .push = has_push ? deform->loads.push : NULL,
        .inverse_mass = deform->inverse_mass,
        .gravity = {g.x, g.y, g.z, 0},
        .step_s = deform->step_s,
        .positions = deform->positions,
        .velocities = deform->velocities,
    };
    deform->kernel->nodes(&job, own->first, own->last);
    if (!deform->bodies[own->body].is_sheet) return;
    const sb_turn_job turn = {
        .row_start = deform->elements.row_start,
        .moments = deform->elements.moments,
        .push = has_push ? deform->loads.moment : NULL,
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
        const double *push = deform->loads.push + 4 * (size_t)i;
        const double *is = deform->velocities + 4 * (size_t)i;
        first += dot_rows(push, was);
        second += dot_rows(push, is);
        if (!deform->bodies[own->body].is_sheet) continue;
        const double *spun = old->spins + 4 * (size_t)(i - own->first);
        const double *moment = deform->loads.moment + 4 * (size_t)i;
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
        v = sb_vec3_plus(free, n, speed);
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
        if (deform->loads.drive_of[i] == 0) continue;
        const drive_state *by =
            &deform->state->drives[deform->loads.drive_of[i] - 1];
        if (step >= by->until) continue;
        sb_vec3 was = row_vec3(old->velocities, i - own->first);
        drive_node(deform, i, by, was, step, work);
        if (by->is_clamped)
            stop_turning(deform, i, old->quats + 4 * (size_t)(i - own->first));
    }
}

static void forget_push(sb_deform *deform, int chunk) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    size_t bytes = (size_t)(own->last - own->first) * 4 * sizeof(double);
    size_t at = 4 * (size_t)own->first;
    memset(deform->loads.push + at, 0, bytes);
    if (deform->bodies[own->body].is_sheet)
        memset(deform->loads.moment + at, 0, bytes);
    deform->chunks.has_push[chunk] &= DRIVEN;
}

void deform_move_chunk(sb_deform *deform, int chunk, int64_t step) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    bool is_check = step % CHECK_STEPS == 0;
    bool has_drives = deform->chunks.has_push[chunk] & DRIVEN;
    if (deform->colliders && own->is_surface)
        deform_collide_chunk(deform, chunk);
    bool has_push = deform->chunks.has_push[chunk] & PUSHED;
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
    if (deform->smoothing.steps > 0 && step % deform->smoothing.steps == 1)
        account_smoothing(deform, chunk);
    if (is_check) deform_sum_places(deform, chunk);
    move(deform, own, has_push);
    step_work work = {0, 0};
    if (has_push) work = work_of_push(deform, own, &old);
    if (has_drives) drive(deform, own, &old, step, &work);
    /* The energy of a check is that of the middle of its step (sums.c). */
    if (is_check) deform->chunks.sums[chunk].work_j += work.first_j;
    deform->chunks.work[3 * chunk] += work.first_j + work.second_j;
    deform->chunks.work[3 * chunk + 1] += fabs(work.first_j + work.second_j);
    if (has_push) forget_push(deform, chunk);
    bool is_summed = is_braked(&deform->bodies[own->body]) &&
                     step % deform->brake.steps == 0;
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
                       sb_vec3_plus(turning, change, -half_s));
}

void deform_brake_chunk(sb_deform *deform, int chunk,
                        const deform_rigid *rigid) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    const deform_body *body = &deform->bodies[own->body];
    double keep = body->alpha_keep, half_s = 0.5 * deform->step_s;
    sb_vec3 spin = sb_vec3_plus(rigid->spin_rad_s, rigid->turn_rad_s2, -half_s);
    for (int i = own->first; i < own->last; i++) {
        if (deform->inverse_mass[i] > 0) {
            sb_vec3 arm =
                sb_vec3_sub(row_vec3(deform->positions, i), rigid->about);
            sb_vec3 whole = rigid_velocity(rigid, arm, half_s);
            sb_vec3 v = sb_vec3_sub(row_vec3(deform->velocities, i), whole);
            set_row(
                deform->velocities, i,
                sb_vec3_plus(sb_vec3_scale(whole, body->rigid_keep), v, keep));
        }
        if (!body->is_sheet || deform->inverse_inertia[i] == 0) continue;
        sb_vec3 w = sb_vec3_sub(row_vec3(deform->spins, i), spin);
        set_row(deform->spins, i,
                sb_vec3_plus(sb_vec3_scale(spin, body->rigid_keep), w, keep));
    }
}
