/* Groups of unknowns, and their order by AMD or METIS. Runs on the thread
 * that solves, control or a worker. */
#include "runtime/model/linear/ordering.h"

#include "runtime/base/memory.h"
#include "runtime/model/linear/dissection.h"

#include <suitesparse/amd.h>

#include <stdint.h>

struct sb_ordering {
    int n;       /* unknowns */
    int *groups; /* [n] of each unknown */
    sb_piece whole;
};

static sb_status no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY,
                   "ordering of a sparse matrix: out of memory");
}

/* --- groups --------------------------------------------------------------- */

/* A number for a row; sums of different rows differ (splitmix64). */
static uint64_t mixed(int row) {
    uint64_t x = ((uint64_t)row + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The fingerprint of each column, of both triangles and the diagonal. */
static void mark_columns(const sb_sparse *a, uint64_t *marks) {
    for (int j = 0; j < a->n; j++)
        marks[j] += mixed(j);
    for (int j = 0; j < a->n; j++) {
        for (int e = a->starts[j]; e < a->starts[j + 1]; e++) {
            int row = a->rows[e];
            if (row == j) continue;
            marks[j] += mixed(row);
            marks[row] += mixed(j);
        }
    }
}

/* Equal columns are neighbours: the first of them has entries in the rows of
 * all others. Returns the number of groups; firsts[g] is the first of g. */
static int find_groups(const sb_sparse *a, const uint64_t *marks, int *groups,
                       int *firsts) {
    int count = 0;
    for (int j = 0; j < a->n; j++)
        groups[j] = -1;
    for (int j = 0; j < a->n; j++) {
        if (groups[j] >= 0) continue;
        groups[j] = count;
        for (int e = a->starts[j]; e < a->starts[j + 1]; e++) {
            int row = a->rows[e];
            if (groups[row] < 0 && marks[row] == marks[j]) groups[row] = count;
        }
        firsts[count++] = j;
    }
    return count;
}

/* Groups are neighbours if their first unknowns are. */
static sb_status make_graph(sb_ordering *ordering, const sb_sparse *a,
                            const int *firsts, int count, sb_error *err) {
    sb_piece *p = &ordering->whole;
    int edges = 0, at = 0;
    for (int g = 0; g < count; g++)
        edges += a->starts[firsts[g] + 1] - a->starts[firsts[g]];
    if (!sb_piece_make(p, count, edges)) return no_memory(err);
    for (int g = 0; g < count; g++) {
        for (int e = a->starts[firsts[g]]; e < a->starts[firsts[g] + 1]; e++) {
            int group = ordering->groups[a->rows[e]];
            if (firsts[group] == a->rows[e]) p->rows[at++] = group;
        }
        p->names[g] = g;
        p->starts[g + 1] = at;
    }
    return SB_OK;
}

sb_status sb_ordering_create(sb_ordering **out, const sb_sparse *a,
                             sb_error *err) {
    size_t n = (size_t)a->n;
    sb_ordering *ordering = sb_alloc(1, sizeof *ordering);
    if (!ordering) return no_memory(err);
    uint64_t *marks = sb_alloc(n, sizeof *marks);
    int *firsts = sb_alloc(n, sizeof *firsts);
    ordering->n = a->n;
    ordering->groups = sb_alloc(n, sizeof *ordering->groups);
    sb_status status =
        marks && firsts && ordering->groups ? SB_OK : no_memory(err);
    if (!status) {
        mark_columns(a, marks);
        int count = find_groups(a, marks, ordering->groups, firsts);
        status = make_graph(ordering, a, firsts, count, err);
    }
    sb_free(marks);
    sb_free(firsts);
    if (status) {
        sb_ordering_destroy(ordering);
        return status;
    }
    *out = ordering;
    return SB_OK;
}

void sb_ordering_destroy(sb_ordering *ordering) {
    if (!ordering) return;
    sb_piece_free(&ordering->whole);
    sb_free(ordering->groups);
    sb_free(ordering);
}

int sb_ordering_group_count(const sb_ordering *ordering) {
    return ordering->whole.n;
}

/* From the order of groups to that of their unknowns. */
static sb_status spread(const sb_ordering *ordering, const int *group_order,
                        int *order, sb_error *err) {
    int count = ordering->whole.n;
    int *places = sb_alloc((size_t)count + 1, sizeof *places);
    if (!places) return no_memory(err);
    for (int i = 0; i < ordering->n; i++)
        places[ordering->groups[i]]++;
    for (int k = 0, at = 0; k < count; k++) {
        int size = places[group_order[k]];
        places[group_order[k]] = at;
        at += size;
    }
    for (int i = 0; i < ordering->n; i++)
        order[places[ordering->groups[i]]++] = i;
    sb_free(places);
    return SB_OK;
}

/* --- minimum degree ------------------------------------------------------- */

/* Work of AMD: arrays of n numbers. */
enum { LENGTHS, SIZES, NEXT, HEADS, ELEMENTS, DEGREES, MARKS, WORK_COUNT };

static sb_status by_degree(const sb_piece *whole, int *order, sb_error *err) {
    size_t n = (size_t)whole->n;
    size_t spare = (size_t)whole->starts[n] + n; /* of edges, for elements */
    sb_graph both = {0};
    sb_status status = sb_piece_unfold(whole, spare, &both, err);
    if (status) return status;
    int *work = sb_alloc(n * WORK_COUNT, sizeof *work);
    if (work) {
        int edges = both.starts[n];
        for (size_t j = 0; j < n; j++)
            work[LENGTHS * n + j] = both.starts[j + 1] - both.starts[j];
        double info[AMD_INFO];
        amd_2(whole->n, both.starts, both.rows, work + LENGTHS * n,
              edges + (int)spare, edges, work + SIZES * n, work + NEXT * n,
              order, work + HEADS * n, work + ELEMENTS * n, work + DEGREES * n,
              work + MARKS * n, NULL, info);
    } else {
        status = no_memory(err);
    }
    sb_free(work);
    sb_graph_free(&both);
    return status;
}

/* --- orders --------------------------------------------------------------- */

typedef sb_status method(const sb_piece *whole, int *order, sb_error *err);

static sb_status order_by(const sb_ordering *ordering, method *by, int *order,
                          sb_error *err) {
    int count = ordering->whole.n;
    int *group_order = sb_alloc((size_t)count, sizeof *group_order);
    if (!group_order) return no_memory(err);
    sb_status status = by(&ordering->whole, group_order, err);
    if (!status) status = spread(ordering, group_order, order, err);
    sb_free(group_order);
    return status;
}

sb_status sb_ordering_by_degree(const sb_ordering *ordering, int *order,
                                sb_error *err) {
    return order_by(ordering, by_degree, order, err);
}

sb_status sb_ordering_by_dissection(const sb_ordering *ordering, int *order,
                                    sb_error *err) {
    return order_by(ordering, sb_dissect, order, err);
}
