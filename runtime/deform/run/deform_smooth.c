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
 * power of frequency.
 *
 * Thread: members of the team. */
#include "runtime/deform/deform_state.h"

#include "runtime/base/pi.h"
#include "runtime/deform/kernel/kernel.h"

#include <math.h>

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
    deform->smooth_steps = (int)fmax(STEPS_LEAST, every_s / deform->step_s);
}

void deform_smooth_elements(sb_deform *deform, int chunk, int round) {
    const group_chunk *own = &deform->group_chunks[chunk];
    const deform_body *body = &deform->bodies[own->body];
    if (!body->is_sheet) return;
    const sb_element_job job = {
        .positions = deform->positions,
        .forces = deform->forces,
        .moments = deform->moments,
        .shells = deform->shells + body->group_first,
        .moves = round == 0 ? deform->velocities : deform->smooth_moves,
        .turns = round == 0 ? deform->spins : deform->smooth_turns,
    };
    deform->kernel->bends(&job, own->first, own->last);
}

static sb_vec3 sum_of(const sb_deform *deform, const double *rows, int node,
                      double by) {
    sb_vec3 sum = {0, 0, 0};
    for (int i = deform->row_start[node]; i < deform->row_start[node + 1];
         i++) {
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
    const node_chunk *own = &deform->node_chunks[chunk];
    double taken_j = 0;
    if (!deform->bodies[own->body].is_sheet) return;
    for (int i = own->first; i < own->last; i++) {
        sb_vec3 move =
            sum_of(deform, deform->forces, i, deform->inverse_mass[i]);
        sb_vec3 turn =
            sum_of(deform, deform->moments, i, deform->inverse_inertia[i]);
        if (round == SMOOTH_ROUNDS - 1) {
            move = sb_vec3_scale(move, strength);
            turn = sb_vec3_scale(turn, strength);
            taken_j += deform->mass[i] * slow(deform->velocities, i, move) +
                       deform->inertia[i] * slow(deform->spins, i, turn);
        }
        set_row(deform->smooth_moves, i, move);
        set_row(deform->smooth_turns, i, turn);
    }
    deform->work[3 * chunk + 2] += taken_j;
}

/* Velocities belong to the middle of a step, energy to its ends (sums.c): what
 * the forces of the next step do in half of it is missing, too. */
void deform_smooth_account(sb_deform *deform, int chunk) {
    const node_chunk *own = &deform->node_chunks[chunk];
    double sum = 0;
    if (!deform->bodies[own->body].is_sheet) return;
    for (int i = own->first; i < own->last; i++) {
        sum += sb_vec3_dot(row_vec3(deform->smooth_moves, i),
                           sum_of(deform, deform->forces, i, 1)) +
               sb_vec3_dot(row_vec3(deform->smooth_turns, i),
                           sum_of(deform, deform->moments, i, 1));
    }
    deform->work[3 * chunk + 2] += 0.5 * deform->step_s * sum;
}
