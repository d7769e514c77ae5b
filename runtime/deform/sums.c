/* Sums over nodes: energy, momentum, the motion as a whole. Each chunk has its
 * own, and they are added in order, so that threads do not change the result.
 * Thread: members of the team. */
#include "runtime/deform/deform_state.h"

void deform_sum_places(sb_deform *deform, int chunk) {
    const node_chunk *own = &deform->node_chunks[chunk];
    bool hovers = deform->bodies[own->body].hovers;
    const sb_vec3 g = hovers ? (sb_vec3){0, 0, 0} : deform->gravity_m_s2;
    double sum = 0;
    for (int i = own->first; i < own->last; i++) {
        sb_vec3 off = sb_vec3_sub(row_vec3(deform->positions, i),
                                  row_vec3(deform->rest, i));
        sum -= deform->mass[i] * sb_vec3_dot(g, off);
    }
    deform->sums[chunk].potential_j = sum;
    deform->sums[chunk].work_j = deform->work[3 * chunk];
    deform->sums[chunk].gross_j = deform->work[3 * chunk + 1];
    deform->sums[chunk].smoothed_j = deform->work[3 * chunk + 2];
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

static void add_moments(double sum[3], double mass, sb_vec3 v) {
    sum[0] += mass * v.x;
    sum[1] += mass * v.y;
    sum[2] += mass * v.z;
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
    const node_chunk *own = &deform->node_chunks[chunk];
    const deform_body *body = &deform->bodies[own->body];
    sb_vec3 about = deform->state->accounts[own->body].about;
    chunk_sums sums = {.potential_j = deform->sums[chunk].potential_j,
                       .work_j = deform->sums[chunk].work_j,
                       .gross_j = deform->sums[chunk].gross_j,
                       .smoothed_j = deform->sums[chunk].smoothed_j};
    if (before) sums.kinetic_j = kinetic(deform, own, before, spins_before);
    for (int i = own->first; i < own->last; i++) {
        double mass = deform->mass[i];
        sb_vec3 v = row_vec3(deform->velocities, i);
        sb_vec3 x = sb_vec3_sub(row_vec3(deform->positions, i), about);
        add_moments(sums.mass_x, mass, x);
        add_moments(sums.mass_v, mass, v);
        add_moments(sums.moment, mass, sb_vec3_cross(x, v));
        add_inertia(sums.inertia, mass, x);
        if (body->is_sheet) {
            add_moments(sums.moment, deform->inertia[i],
                        row_vec3(deform->spins, i));
            sums.spin_inertia += deform->inertia[i];
        }
    }
    deform->sums[chunk] = sums;
}

static void add_sums(chunk_sums *to, const chunk_sums *from) {
    for (int k = 0; k < 3; k++) {
        to->mass_x[k] += from->mass_x[k];
        to->mass_v[k] += from->mass_v[k];
        to->moment[k] += from->moment[k];
    }
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

static sb_vec3 as_vec3(const double v[3]) {
    return (sb_vec3){v[0], v[1], v[2]};
}

/* The same moments about another point, `off` from the old one. */
static sb_vec3 shift(chunk_sums *sums, double mass, sb_vec3 off) {
    sb_vec3 p = as_vec3(sums->mass_v);
    double o[3] = {off.x, off.y, off.z};
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2},
                                   {0, 1}, {1, 2}, {2, 0}};
    for (int k = 0; k < 6; k++) {
        int a = pair[k][0], b = pair[k][1];
        sums->inertia[k] += mass * o[a] * o[b] - o[a] * sums->mass_x[b] -
                            o[b] * sums->mass_x[a];
    }
    return sb_vec3_sub(as_vec3(sums->moment), sb_vec3_cross(off, p));
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
    for (int c = 0; c < deform->node_chunk_count; c++) {
        if (deform->node_chunks[c].body == index)
            add_sums(&sums, &deform->sums[c]);
    }
    double mass = body->mass_kg;
    sb_vec3 to = sb_vec3_scale(as_vec3(sums.mass_x), 1 / mass); /* centre */
    if (body->rigid != RIGID_FREE) to = sb_vec3_sub(body->pivot, rigid.about);
    sb_vec3 spin = shift(&sums, mass, to);
    spread_spin(&sums);
    rigid.about = sb_vec3_add(rigid.about, to);
    switch (body->rigid) {
    case RIGID_FREE:
        rigid.velocity_m_s = sb_vec3_scale(as_vec3(sums.mass_v), 1 / mass);
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
