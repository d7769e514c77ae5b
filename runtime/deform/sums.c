/* SPDX-License-Identifier: MIT */
/* Sums over nodes: energy, momentum, the motion as a whole. Each chunk has its
 * own, and they are added in order, so that threads do not change the result.
 * Checks of them every 64 steps: no element inside out, energy only from outside.
 * And what can be seen of the bodies (deform.h).
 * Thread: members of the team; checks by member 0, between barriers; what can be
 * seen as deform.h. */
#include "runtime/deform/deform_state.h"
#include "runtime/deform/kernel/kernel.h"

#include <math.h>

void deform_sum_places(sb_deform *deform, int chunk) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    bool hovers = deform->bodies[own->body].hovers;
    const sb_vec3 g = hovers ? (sb_vec3){0, 0, 0} : deform->gravity_m_s2;
    double sum = 0;
    for (int i = own->first; i < own->last; i++) {
        sb_vec3 off = sb_vec3_sub(row_vec3(deform->positions, i),
                                  row_vec3(deform->rest, i));
        sum -= deform->mass[i] * sb_vec3_dot(g, off);
    }
    deform->chunks.sums[chunk].potential_j = sum;
    deform->chunks.sums[chunk].work_j = deform->chunks.work[3 * chunk];
    deform->chunks.sums[chunk].gross_j = deform->chunks.work[3 * chunk + 1];
    deform->chunks.sums[chunk].smoothed_j = deform->chunks.work[3 * chunk + 2];
}

/* m v(-1/2) . v(+1/2) / 2: with the elastic energy between them, leapfrog
 * conserves it exactly as long as the motion is linear. */
static double kinetic(const sb_deform *deform, const node_chunk *own,
                      const double *before, const double *spins_before) {
    double sum = 0;
    bool is_sheet = deform->bodies[own->body].is_sheet;
    for (int i = own->first; i < own->last; i++) {
        int k = i - own->first;
        sum += deform->mass[i] * sb_vec3_dot(row_vec3(deform->velocities, i),
                                             row_vec3(before, k));
        if (is_sheet)
            sum += deform->inertia[i] * sb_vec3_dot(row_vec3(deform->spins, i),
                                                    row_vec3(spins_before, k));
    }
    return 0.5 * sum;
}

static void add_inertia(double sum[6], double mass, sb_vec3 x) {
    sum[0] += mass * x.x * x.x;
    sum[1] += mass * x.y * x.y;
    sum[2] += mass * x.z * x.z;
    sum[3] += mass * x.x * x.y;
    sum[4] += mass * x.y * x.z;
    sum[5] += mass * x.z * x.x;
}

void deform_sum_chunk(sb_deform *deform, int chunk, const double *before,
                      const double *spins_before) {
    const node_chunk *own = &deform->chunks.nodes[chunk];
    const deform_body *body = &deform->bodies[own->body];
    sb_vec3 about = deform->state->accounts[own->body].about;
    chunk_sums sums = {.potential_j = deform->chunks.sums[chunk].potential_j,
                       .work_j = deform->chunks.sums[chunk].work_j,
                       .gross_j = deform->chunks.sums[chunk].gross_j,
                       .smoothed_j = deform->chunks.sums[chunk].smoothed_j};
    if (before) sums.kinetic_j = kinetic(deform, own, before, spins_before);
    for (int i = own->first; i < own->last; i++) {
        double mass = deform->mass[i];
        sb_vec3 v = row_vec3(deform->velocities, i);
        sb_vec3 x = sb_vec3_sub(row_vec3(deform->positions, i), about);
        sums.mass_x = sb_vec3_plus(sums.mass_x, x, mass);
        sums.mass_v = sb_vec3_plus(sums.mass_v, v, mass);
        sums.moment = sb_vec3_plus(sums.moment, sb_vec3_cross(x, v), mass);
        add_inertia(sums.inertia, mass, x);
        if (body->is_sheet) {
            sums.moment = sb_vec3_plus(sums.moment, row_vec3(deform->spins, i),
                                       deform->inertia[i]);
            sums.spin_inertia += deform->inertia[i];
        }
    }
    deform->chunks.sums[chunk] = sums;
}

static void add_sums(chunk_sums *to, const chunk_sums *from) {
    to->mass_x = sb_vec3_add(to->mass_x, from->mass_x);
    to->mass_v = sb_vec3_add(to->mass_v, from->mass_v);
    to->moment = sb_vec3_add(to->moment, from->moment);
    for (int k = 0; k < 6; k++) {
        to->inertia[k] += from->inertia[k];
    }
    to->spin_inertia += from->spin_inertia;
}

/* Solves I w = l; false, and w stays, if the body is a line or a point. */
static bool solve_spin(const double m[6], sb_vec3 l, sb_vec3 *w) {
    double xx = m[1] + m[2], yy = m[0] + m[2], zz = m[0] + m[1];
    double xy = -m[3], yz = -m[4], zx = -m[5];
    double a = yy * zz - yz * yz, b = zx * yz - xy * zz, c = xy * yz - zx * yy;
    double det = xx * a + xy * b + zx * c, size = xx + yy + zz;
    if (!(det > 1e-12 * size * size * size)) return false;
    double d = xx * zz - zx * zx, e = zx * xy - xx * yz, f = xx * yy - xy * xy;
    *w = (sb_vec3){(a * l.x + b * l.y + c * l.z) / det,
                   (b * l.x + d * l.y + e * l.z) / det,
                   (c * l.x + e * l.y + f * l.z) / det};
    return true;
}

/* The same moments about another point, `off` from the old one. */
static sb_vec3 shift(chunk_sums *sums, double mass, sb_vec3 off) {
    const double o[3] = {off.x, off.y, off.z};
    const double x[3] = {sums->mass_x.x, sums->mass_x.y, sums->mass_x.z};
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                   {0, 1}, {1, 2}, {2, 0}};
    for (int k = 0; k < 6; k++) {
        int a = pair[k][0], b = pair[k][1];
        sums->inertia[k] += mass * o[a] * o[b] - o[a] * x[b] - o[b] * x[a];
    }
    return sb_vec3_sub(sums->moment, sb_vec3_cross(off, sums->mass_v));
}

static void spread_spin(chunk_sums *sums) {
    for (int k = 0; k < 3; k++) {
        sums->inertia[k] += 0.5 * sums->spin_inertia;
    }
}

deform_rigid deform_rigid_of(const sb_deform *deform, int index) {
    const deform_body *body = &deform->bodies[index];
    deform_rigid rigid = {.about = deform->state->accounts[index].about};
    chunk_sums sums = {0};
    for (int c = 0; c < deform->chunks.node_count; c++) {
        if (deform->chunks.nodes[c].body == index)
            add_sums(&sums, &deform->chunks.sums[c]);
    }
    double mass = body->mass_kg;
    sb_vec3 to = sb_vec3_scale(sums.mass_x, 1 / mass); /* centre */
    if (body->rigid != RIGID_FREE) to = sb_vec3_sub(body->pivot, rigid.about);
    sb_vec3 spin = shift(&sums, mass, to);
    spread_spin(&sums);
    rigid.about = sb_vec3_add(rigid.about, to);
    switch (body->rigid) {
    case RIGID_FREE:
        rigid.velocity_m_s = sb_vec3_scale(sums.mass_v, 1 / mass);
        if (!solve_spin(sums.inertia, spin, &rigid.spin_rad_s)) break;
        /* Euler's equation without a moment: I w' = -w x I w. */
        (void)solve_spin(sums.inertia, sb_vec3_cross(spin, rigid.spin_rad_s),
                         &rigid.turn_rad_s2);
        break;
    case RIGID_POINT:
        (void)solve_spin(sums.inertia, spin, &rigid.spin_rad_s);
        break;
    case RIGID_HINGE: {
        sb_vec3 n = body->axis;
        const double *m = sums.inertia;
        double along =
            m[0] + m[1] + m[2] -
            (n.x * n.x * m[0] + n.y * n.y * m[1] + n.z * n.z * m[2] +
             2 * (n.x * n.y * m[3] + n.y * n.z * m[4] + n.z * n.x * m[5]));
        rigid.spin_rad_s = sb_vec3_scale(n, sb_vec3_dot(n, spin) / along);
        break;
    }
    case RIGID_NONE:
        break;
    }
    return rigid;
}

/* --- checks --------------------------------------------------------------- */

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
    int at =
        body->group_first + (body->is_sheet ? deform->elements.tet_groups : 0);
    for (int i = 0; i < body->group_count; i++) {
        double least = deform->elements.least[at + i];
        sums.elastic_j += deform->elements.energy_j[at + i];
        if (!(least >= sums.least)) { /* NaN counts as worst */
            sums.least = least;
            sums.worst = i;
        }
    }
    for (int c = 0; c < deform->chunks.node_count; c++) {
        if (deform->chunks.nodes[c].body != index) continue;
        sums.kinetic_j += deform->chunks.sums[c].kinetic_j;
        sums.potential_j += deform->chunks.sums[c].potential_j;
        sums.work_j += deform->chunks.sums[c].work_j;
        sums.gross_j += deform->chunks.sums[c].gross_j;
        sums.smoothed_j += deform->chunks.sums[c].smoothed_j;
    }
    return sums;
}

static sb_vec3 place_of(const sb_deform *deform, const deform_body *body,
                        int group) {
    int node =
        body->is_sheet
            ? deform->elements.shells[body->group_first + group].nodes[0][0]
            : deform->elements.tets[body->group_first + group].nodes[0][0];
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

/* --- what can be seen ----------------------------------------------------- */

/* The centre is a mean over the surface nodes. The weights w are proportional to
 * m (1 + g . (x - mean)), with g such that they give the centre of mass at rest; a
 * mean with constant weights moves as the body does. */

static sb_vec3 mean_of(const sb_deform *deform, const deform_body *body,
                       int count) {
    sb_vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int i = 0; i < count; i++) {
        int node = body->node_first + i;
        mass += deform->mass[node];
        sum =
            sb_vec3_plus(sum, row_vec3(deform->rest, node), deform->mass[node]);
    }
    return sb_vec3_scale(sum, 1 / mass);
}

/* Solves M g = b for the mean M of (x - mean)(x - mean)'. */
static sb_vec3 slope_of(const sb_deform *deform, const deform_body *body,
                        sb_vec3 mean, sb_vec3 b) {
    sb_vec3 rows[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double mass = 0;
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        sb_vec3 x = sb_vec3_sub(row_vec3(deform->rest, node), mean);
        double m = deform->mass[node];
        mass += m;
        rows[0] = sb_vec3_plus(rows[0], x, m * x.x);
        rows[1] = sb_vec3_plus(rows[1], x, m * x.y);
        rows[2] = sb_vec3_plus(rows[2], x, m * x.z);
    }
    sb_vec3 across[3] = {sb_vec3_cross(rows[1], rows[2]),
                         sb_vec3_cross(rows[2], rows[0]),
                         sb_vec3_cross(rows[0], rows[1])};
    double by = mass / sb_vec3_dot(rows[0], across[0]);
    return sb_vec3_plus(
        sb_vec3_plus(sb_vec3_scale(across[1], b.y * by), across[2], b.z * by),
        across[0], b.x * by);
}

static void weigh(sb_deform *deform, const deform_body *body) {
    int count = body->surface_count;
    double sum = 0;
    sb_vec3 mean = mean_of(deform, body, count), slope = {0, 0, 0};
    if (body->real_count > count) {
        sb_vec3 centre = mean_of(deform, body, body->real_count);
        slope = slope_of(deform, body, mean, sb_vec3_sub(centre, mean));
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            int node = body->node_first + i;
            sb_vec3 x = sb_vec3_sub(row_vec3(deform->rest, node), mean);
            double weight = deform->mass[node] * (1 + sb_vec3_dot(slope, x));
            if (pass == 0)
                sum += weight;
            else
                deform->centre_weights[node] = weight / sum;
        }
    }
}

void deform_centre_make(sb_deform *deform) {
    for (int b = 0; b < deform->body_count; b++) {
        weigh(deform, &deform->bodies[b]);
    }
}

sb_vec3 deform_centre_in(const sb_deform *deform, int body,
                         const double *rows) {
    const deform_body *own = &deform->bodies[body];
    sb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < own->surface_count; i++) {
        double weight = deform->centre_weights[own->node_first + i];
        sum = sb_vec3_plus(sum, row_vec3(rows, i), weight);
    }
    return sum;
}

sb_vec3 sb_deform_centre(const sb_deform *deform, int body,
                         sb_vec3 *velocity_m_s) {
    size_t first = 4 * (size_t)deform->bodies[body].node_first;
    if (velocity_m_s)
        *velocity_m_s =
            deform_centre_in(deform, body, deform->velocities + first);
    return deform_centre_in(deform, body, deform->positions + first);
}

int sb_deform_surface_nodes(const sb_deform *deform, int body) {
    return deform->bodies[body].surface_count;
}

const int (*sb_deform_surface_faces(const sb_deform *deform, int body,
                                    int *count))[3] {
    const deform_body *own = &deform->bodies[body];
    *count = own->face_count;
    return (const int(*)[3])(deform->faces + own->face_first);
}

void sb_deform_pose(const sb_deform *deform, int body, sb_vec3 *out) {
    const deform_body *own = &deform->bodies[body];
    for (int i = 0; i < own->surface_count; i++) {
        out[i] = row_vec3(deform->positions, own->node_first + i);
    }
}
