/* SPDX-License-Identifier: MIT */
/* Forces of the elements of a chunk, and the highest frequency that follows from
 * them. Thread: forces by members of the team, the rest as deform.h. */
#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/deform/deform_state.h"
#include "runtime/deform/kernel/kernel.h"

#include <math.h>
#include <string.h>

void deform_group_forces(sb_deform *deform, int chunk, bool has_sums) {
    const group_chunk *own = &deform->chunks.groups[chunk];
    const deform_body *body = &deform->bodies[own->body];
    int sums_at =
        body->group_first + (body->is_sheet ? deform->elements.tet_groups : 0);
    sb_element_job job = {
        .positions = deform->positions,
        .quats = deform->quats,
        .memory = deform->elements.memory + body->memory_at,
        .forces = deform->elements.forces,
        .moments = deform->elements.moments,
        .lame = body->lame,
        .shear_twice = body->shear_twice,
        .rate = body->rate,
        .gain = body->gain,
    };
    if (has_sums) {
        job.energy_j = deform->elements.energy_j + sums_at;
        job.least = deform->elements.least + sums_at;
    }
    if (body->is_sheet) {
        job.shells = deform->elements.shells + body->group_first;
        deform->kernel->shells(&job, own->first, own->last);
    } else {
        job.tets = deform->elements.tets + body->group_first;
        job.metrics = deform->elements.metrics + body->metric_first;
        job.is_straight = body->is_straight;
        deform->kernel->tets(&job, own->first, own->last);
    }
}

/* --- the highest frequency ------------------------------------------------ */

/* The highest frequency of all meshes, by Lanczos on M^-1/2 K M^-1/2. K times a
 * vector is the central difference of the element forces about the rest, so the
 * very code that runs later is measured. */

/* The estimate is within 1e-3 of the highest long before. */
enum { ROUNDS = 96 };

typedef struct search {
    size_t moves, count; /* numbers: of displacements, of all */
    double *v, *before, *w, *scale;
    double diagonal[ROUNDS], beside[ROUNDS];
} search;

/* Displacements `x` (and turns) away from the rest. */
static void displace(sb_deform *deform, const double *x, double factor) {
    size_t moves = 4 * (size_t)deform->node_count;
    for (size_t i = 0; i < moves; i++) {
        deform->positions[i] = deform->rest[i] + factor * x[i];
    }
    for (int i = 0; i < deform->turn_count; i++) {
        sb_vec3 h = sb_vec3_scale(row_vec3(x + moves, i), 0.5 * factor);
        double length = sqrt(1 + sb_vec3_dot(h, h));
        const double quat[4] = {h.x / length, h.y / length, h.z / length,
                                1 / length};
        memcpy(deform->quats + 4 * (size_t)i, quat, sizeof quat);
    }
}

/* f += sign * (forces and moments on the nodes) */
static void add_forces(sb_deform *deform, double sign, double *f) {
    size_t moves = 4 * (size_t)deform->node_count;
    for (int c = 0; c < deform->chunks.group_count; c++) {
        deform_group_forces(deform, c, false);
    }
    for (int i = 0; i < deform->node_count; i++) {
        for (int row = deform->elements.row_start[i];
             row < deform->elements.row_start[i + 1]; row++) {
            add_row(
                f, i,
                sb_vec3_scale(row_vec3(deform->elements.forces, row), sign));
            if (i >= deform->turn_count) continue;
            sb_vec3 own = row_vec3(deform->elements.moments, row);
            add_row(f + moves, i, sb_vec3_scale(own, sign));
        }
    }
}

static double greatest(const double *x, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* w = M^-1/2 K M^-1/2 v; `before` is not touched. */
static void multiply(sb_deform *deform, search *s, double *x, double small) {
    for (size_t i = 0; i < s->count; i++) {
        x[i] = s->scale[i] * s->v[i];
        s->w[i] = 0;
    }
    /* Strains and turns of 1e-6. */
    double most = fmax(greatest(x, s->moves) / small,
                       greatest(x + s->moves, s->count - s->moves));
    double factor = 1e-6 / fmax(most, 1e-300);
    displace(deform, x, factor);
    add_forces(deform, -0.5 / factor, s->w);
    displace(deform, x, -factor);
    add_forces(deform, 0.5 / factor, s->w);
    for (size_t i = 0; i < s->count; i++) {
        s->w[i] *= s->scale[i];
    }
}

static double dot(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* How many eigenvalues of the tridiagonal matrix are above x. */
static int count_above(const search *s, int n, double x) {
    int count = 0;
    double q = 1;
    for (int i = 0; i < n; i++) {
        double off = i > 0 ? s->beside[i - 1] : 0;
        q = s->diagonal[i] - x - (i > 0 ? off * off / q : 0);
        if (q == 0) q = 1e-300;
        count += q > 0;
    }
    return count;
}

static double highest(const search *s, int n) {
    double low = 0, high = 0;
    for (int i = 0; i < n; i++) {
        double off = (i > 0 ? fabs(s->beside[i - 1]) : 0) + fabs(s->beside[i]);
        high = fmax(high, s->diagonal[i] + off);
    }
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (count_above(s, n, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void start(const sb_deform *deform, search *s) {
    sb_random random = sb_random_make(14, 1);
    for (size_t i = 0; i < s->count; i++) {
        bool is_turn = i >= s->moves;
        size_t node = (is_turn ? i - s->moves : i) / 4;
        double by = is_turn ? deform->inverse_inertia[node]
                            : deform->inverse_mass[node];
        s->scale[i] = i % 4 == 3 ? 0 : sqrt(by);
        s->v[i] = s->scale[i] > 0 ? sb_random_unit(&random) - 0.5 : 0;
    }
    double length = sqrt(dot(s->v, s->v, s->count));
    for (size_t i = 0; i < s->count && length > 0; i++) {
        s->v[i] /= length;
    }
}

/* The least distance of two nodes that share an element. */
static double least_edge(const sb_deform *deform) {
    double least = INFINITY;
    for (int g = 0; g < deform->elements.tet_groups; g++) {
        for (int i = 0; i < 4 * SB_DEFORM_LANES; i++) {
            const sb_tet_group *own = &deform->elements.tets[g];
            int lane = i / 4, a = i % 4, b = (a + 1) % 4;
            least =
                fmin(least, sb_vec3_length(sb_vec3_sub(
                                row_vec3(deform->rest, own->nodes[a][lane]),
                                row_vec3(deform->rest, own->nodes[b][lane]))));
        }
    }
    for (int g = 0; g < deform->elements.shell_groups; g++) {
        for (int lane = 0; lane < SB_DEFORM_LANES; lane++) {
            const sb_shell_group *own = &deform->elements.shells[g];
            least = fmin(least, own->corner[0][lane]);
            least = fmin(least, own->corner[2][lane]);
        }
    }
    return least;
}

static double iterate(sb_deform *deform, search *s, double *x) {
    double small = least_edge(deform);
    int n = 0;
    start(deform, s);
    while (n < ROUNDS) {
        multiply(deform, s, x, small);
        double off = n > 0 ? s->beside[n - 1] : 0;
        double own = dot(s->w, s->v, s->count);
        s->diagonal[n] = own;
        for (size_t i = 0; i < s->count; i++) {
            double next = s->w[i] - own * s->v[i] - off * s->before[i];
            s->before[i] = s->v[i];
            s->v[i] = next;
        }
        double length = sqrt(dot(s->v, s->v, s->count));
        s->beside[n++] = length;
        if (!(length > 1e-9 * fabs(own))) break;
        for (size_t i = 0; i < s->count; i++) {
            s->v[i] /= length;
        }
    }
    return highest(s, n);
}

sb_status deform_find_limit(sb_deform *deform, double *omega, sb_error *err) {
    size_t moves = 4 * (size_t)deform->node_count;
    size_t count = moves + 4 * (size_t)deform->turn_count;
    double *numbers = sb_alloc(5 * count, sizeof *numbers);
    if (!numbers)
        return sb_fail(err, SB_NO_MEMORY,
                       "deformable bodies: out of memory for %d nodes",
                       deform->node_count);
    search s = {.moves = moves,
                .count = count,
                .v = numbers,
                .before = numbers + count,
                .w = numbers + 2 * count,
                .scale = numbers + 3 * count};
    double value = iterate(deform, &s, numbers + 4 * count);
    displace(deform, numbers + 4 * count, 0);
    sb_free(numbers);
    if (!(value > 0 && isfinite(value)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: no node is free to move");
    *omega = sqrt(value);
    return SB_OK;
}
