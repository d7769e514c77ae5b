/* Checks every 64 steps: no element inside out, energy only from outside.
 * Thread: member 0 of the team, between barriers. */
#include "runtime/deform/deform_state.h"
#include "runtime/deform/kernel/kernel.h"

#include <math.h>

/* More energy than came in, as a share of all that was ever turned over. */
static const double gain_most = 0.05;

/* What rounding may pretend to, per volume, as a share of Young's modulus. */
static const double rounding = 1e-14;

typedef struct body_sums {
    double kinetic_j, elastic_j, potential_j, work_j, gross_j, smoothed_j;
    double least;
    int worst; /* group of the body */
} body_sums;

static body_sums sum_body(const sb_deform *deform, int index) {
    const deform_body *body = &deform->bodies[index];
    body_sums sums = {.least = INFINITY};
    int at = body->group_first + (body->is_sheet ? deform->tet_groups : 0);
    for (int i = 0; i < body->group_count; i++) {
        double least = deform->least[at + i];
        sums.elastic_j += deform->energy_j[at + i];
        if (!(least >= sums.least)) { /* NaN counts as worst */
            sums.least = least;
            sums.worst = i;
        }
    }
    for (int c = 0; c < deform->node_chunk_count; c++) {
        if (deform->node_chunks[c].body != index) continue;
        sums.kinetic_j += deform->sums[c].kinetic_j;
        sums.potential_j += deform->sums[c].potential_j;
        sums.work_j += deform->sums[c].work_j;
        sums.gross_j += deform->sums[c].gross_j;
        sums.smoothed_j += deform->sums[c].smoothed_j;
    }
    return sums;
}

static sb_vec3 place_of(const sb_deform *deform, const deform_body *body,
                        int group) {
    int node = body->is_sheet
                   ? deform->shells[body->group_first + group].nodes[0][0]
                   : deform->tets[body->group_first + group].nodes[0][0];
    sb_vec3 off = sb_vec3_sub(row_vec3(deform->rest, node), body->position_m);
    return sb_quat_turn_back(body->rotation, off);
}

static bool is_shape_good(sb_deform *deform, const deform_body *body,
                          const body_sums *sums) {
    if (sums->least > 0) return true;
    sb_error *failure = &deform->state->failure;
    sb_vec3 at = place_of(deform, body, sums->worst);
    double time_s = (double)deform->state->step * deform->step_s;
    (void)sb_fail(
        failure, SB_NO_CONVERGENCE,
        "%s: %s near (%.4g, %.4g, %.4g) m at %.6g s: it is bent or pressed "
        "more than its elements can follow; use more elements there, or strike "
        "and push less hard",
        body->name,
        body->is_sheet ? "a triangle is folded" : "an element is inside out",
        at.x, at.y, at.z, time_s);
    return false;
}

static bool is_energy_good(sb_deform *deform, const deform_body *body,
                           const body_account *account, double energy,
                           double gross) {
    double in = account->first_j + account->work_j;
    double floor = rounding * body->material.youngs_modulus * body->volume_m3;
    double most = in + gain_most * (fabs(account->first_j) + gross) + floor;
    if (energy <= most) return true;
    double time_s = (double)deform->state->step * deform->step_s;
    (void)sb_fail(
        &deform->state->failure, SB_NO_CONVERGENCE,
        "%s: its energy is %.4g J at %.6g s, but only %.4g J came in: the step "
        "of %.4g s is too long for this motion; use elements that are less "
        "thin, or strike and push less hard",
        body->name, energy, time_s, in, deform->step_s);
    return false;
}

bool deform_check(sb_deform *deform) {
    state_head *state = deform->state;
    sb_deform_energy total = {.least = INFINITY};
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        body_account *account = &state->accounts[b];
        body_sums sums = sum_body(deform, b);
        double energy = sums.kinetic_j + sums.elastic_j + sums.potential_j;
        if (state->step == 0) account->first_j = energy;
        account->work_j = sums.work_j;
        account->gross_j = sums.gross_j + fabs(sums.potential_j);
        account->last_j = energy;
        total.kinetic_j += sums.kinetic_j;
        total.elastic_j += sums.elastic_j;
        total.work_j += sums.work_j - sums.potential_j;
        total.smoothed_j += sums.smoothed_j;
        total.least = fmin(total.least, sums.least);
        if (!is_shape_good(deform, body, &sums) ||
            !is_energy_good(deform, body, account, energy, account->gross_j))
            return false;
    }
    state->energy = total;
    return true;
}
