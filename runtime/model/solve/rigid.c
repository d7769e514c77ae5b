/* Counts motions without deformation: those that a body must have, and those
 * that its matrices have (rigid.h). Thread: control, workers. */
#include "runtime/model/solve/rigid.h"

#include "runtime/base/memory.h"
#include "runtime/base/union_find.h"
#include "runtime/model/fem/fem.h"

#include <math.h>
#include <string.h>

/* An eigenvalue below this share of the first elastic one counts as zero. */
#define ZERO 1e-6

/* --- parts ---------------------------------------------------------------- */

/* Numbers the parts from 0 in the order of the elements. */
static int number_parts(const sb_discrete *discrete, int *parents,
                        int *numbers) {
    int count = 0;
    for (int i = 0; i < sb_discrete_element_count(discrete); i++) {
        int nodes;
        const int *element = sb_discrete_element(discrete, i, &nodes);
        int root = sb_union_find_root(parents, element[0]);
        if (numbers[root] < 0) numbers[root] = count++;
        for (int c = 0; c < nodes; c++)
            numbers[element[c]] = numbers[root];
    }
    return count;
}

/* The part of each node; -1: the node is in no element. */
static sb_status find_parts(const sb_discrete *discrete, int **parts,
                            int *count, sb_error *err) {
    int nodes = discrete->node_count;
    int *parents = sb_alloc((size_t)nodes, sizeof *parents);
    int *numbers = sb_alloc((size_t)nodes, sizeof *numbers);
    if (!parents || !numbers) {
        sb_free(parents);
        sb_free(numbers);
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for its parts");
    }
    sb_union_find_init(parents, nodes);
    for (int i = 0; i < nodes; i++)
        numbers[i] = -1;
    for (int i = 0; i < sb_discrete_element_count(discrete); i++) {
        int count_here;
        const int *element = sb_discrete_element(discrete, i, &count_here);
        for (int c = 1; c < count_here; c++)
            (void)sb_union_find_join(parents, element[0], element[c]);
    }
    *count = number_parts(discrete, parents, numbers);
    *parts = numbers;
    sb_free(parents);
    return SB_OK;
}

/* --- expected --------------------------------------------------------- */

/* Gram matrix of the six rigid motions at the nodes that are held; motions that
 * nothing holds are in its null space. Lengths are in units of the part's
 * size. */
typedef struct part_gram {
    sb_vec3 low, high;
    double gram[6][6];
} part_gram;

static void add_row(part_gram *part, const double row[6]) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++)
            part->gram[i][j] += row[i] * row[j];
    }
}

static void add_held(part_gram *part, sb_vec3 at, bool holds_turns) {
    double rows[3][6] = {{1, 0, 0, 0, at.z, -at.y},
                         {0, 1, 0, -at.z, 0, at.x},
                         {0, 0, 1, at.y, -at.x, 0}};
    for (int i = 0; i < 3; i++)
        add_row(part, rows[i]);
    for (int i = 0; holds_turns && i < 3; i++) {
        double row[6] = {0};
        row[3 + i] = 1;
        add_row(part, row);
    }
}

/* 6 minus the rank, by elimination with full pivoting. */
static int free_motions(part_gram *part) {
    double(*g)[6] = part->gram, largest = 0;
    int rank = 0;
    for (int i = 0; i < 6; i++)
        largest = fmax(largest, g[i][i]);
    for (; rank < 6; rank++) {
        int at = rank;
        for (int i = rank; i < 6; i++) {
            if (g[i][i] > g[at][at]) at = i;
        }
        if (!(g[at][at] > 1e-9 * largest)) break;
        for (int i = 0; i < 6; i++) {
            double swap = g[rank][i];
            g[rank][i] = g[at][i];
            g[at][i] = swap;
        }
        for (int i = 0; i < 6; i++) {
            double swap = g[i][rank];
            g[i][rank] = g[i][at];
            g[i][at] = swap;
        }
        for (int i = rank + 1; i < 6; i++) {
            double factor = g[i][rank] / g[rank][rank];
            for (int j = rank; j < 6; j++)
                g[i][j] -= factor * g[rank][j];
        }
    }
    return 6 - rank;
}

static void grow_box(part_gram *part, sb_vec3 at) {
    part->low = (sb_vec3){fmin(part->low.x, at.x), fmin(part->low.y, at.y),
                          fmin(part->low.z, at.z)};
    part->high = (sb_vec3){fmax(part->high.x, at.x), fmax(part->high.y, at.y),
                           fmax(part->high.z, at.z)};
}

static void gather(const sb_discrete *discrete, const int *parts,
                   part_gram *grams, int part_count) {
    bool is_sheet = discrete->thickness_m > 0;
    for (int p = 0; p < part_count; p++) {
        grams[p].low = (sb_vec3){INFINITY, INFINITY, INFINITY};
        grams[p].high = (sb_vec3){-INFINITY, -INFINITY, -INFINITY};
    }
    for (int i = 0; i < discrete->node_count; i++) {
        if (parts[i] >= 0) grow_box(&grams[parts[i]], discrete->nodes[i]);
    }
    for (int i = 0; discrete->holds && i < discrete->node_count; i++) {
        if (parts[i] < 0 || discrete->holds[i] == SB_HOLD_FREE) continue;
        part_gram *part = &grams[parts[i]];
        sb_vec3 middle = sb_vec3_scale(sb_vec3_add(part->low, part->high), 0.5);
        double size = sb_vec3_length(sb_vec3_sub(part->high, part->low));
        sb_vec3 at =
            sb_vec3_scale(sb_vec3_sub(discrete->nodes[i], middle), 2 / size);
        add_held(part, at, is_sheet && discrete->holds[i] == SB_HOLD_CLAMPED);
    }
}

sb_status sb_rigid_expected(const sb_discrete *discrete, int *count,
                            sb_error *err) {
    int *parts, part_count;
    sb_status status = find_parts(discrete, &parts, &part_count, err);
    if (status) return status;
    part_gram *grams = sb_alloc((size_t)part_count, sizeof *grams);
    if (!grams) {
        sb_free(parts);
        return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for its parts");
    }
    gather(discrete, parts, grams, part_count);
    *count = 0;
    for (int p = 0; p < part_count; p++)
        *count += free_motions(&grams[p]);
    sb_free(grams);
    sb_free(parts);
    return SB_OK;
}

/* --- found ---------------------------------------------------------------- */

int sb_rigid_found(const double *values, int count, int expected) {
    for (int zeros = expected; zeros < count; zeros++) {
        double most = 0;
        for (int i = 0; i < zeros; i++)
            most = fmax(most, fabs(values[i]));
        if (values[zeros] > 0 && most < ZERO * values[zeros]) return zeros;
    }
    return count;
}

/* Names the node that moves most in the zero motions: rigid motions move a
 * whole part, mechanisms only a corner of it. */
sb_status sb_rigid_blame(const sb_discrete *discrete, const sb_fem *fem,
                         const sb_eigen_result *modes, int zeros, int expected,
                         sb_error *err) {
    int *parts, part_count;
    sb_status status = find_parts(discrete, &parts, &part_count, err);
    if (status) return status;
    int place = 0;
    double most = -1;
    for (int i = 0; i < discrete->node_count; i++) {
        double sum = 0;
        for (int k = 0; k < zeros; k++) {
            const double *x = modes->vectors + (size_t)k * (size_t)modes->n;
            for (int c = 0; c < 3; c++) {
                int dof = fem->dofs[i][c];
                if (dof >= 0) sum += x[dof] * x[dof];
            }
        }
        if (parts[i] >= 0 && sum > most) most = sum, place = i;
    }
    sb_vec3 at = discrete->nodes[place];
    int part = parts[place] + 1;
    sb_free(parts);
    return sb_fail(err, SB_NO_CONVERGENCE,
                   "part %d of %d, near %.4g, %.4g, %.4g m, can move without "
                   "being deformed: there are %d such motions where %d are "
                   "those of a rigid body; look for a part that hangs on a "
                   "single point or edge",
                   part, part_count, at.x, at.y, at.z, zeros, expected);
}
