/* SPDX-License-Identifier: MIT */
/* Groups of unknowns, and their order by AMD, or by nested dissection with
 * separators from METIS. Runs on the thread that solves, control or a worker.
 * METIS allocates from the C library, after as much was refused or granted by
 * memory.h. */
#include "runtime/model/linear/ordering.h"

#include "runtime/base/memory.h"
#include "runtime/base/status.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/elimination.h"
#include "runtime/model/linear/term_guard.h"

#include <metis.h>
#include <suitesparse/amd.h>

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A graph, or a part of one: its edges as a lower triangle. */
typedef struct piece {
    int n;
    int *starts, *rows;
    int *names; /* [n] the nodes */
} piece;

/* The same edges, each in both directions. */
typedef struct graph {
    int *starts, *rows;
} graph;

/* --- nested dissection ---------------------------------------------------- */

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS was built with long ids");

/* Pieces up to this size are ordered whole, in some hundredths of a second. */
enum { WHOLE = 3000 };

/* A dissection under way: groups are put into `order` from the left. */
typedef struct dissection {
    int *order;
    int at;
    sb_error *err;
} dissection;

/* --- pieces --------------------------------------------------------------- */

static void free_piece(piece *p) {
    sb_free_all(p->starts, p->rows, p->names);
    *p = (piece){0};
}

static void free_graph(graph *g) {
    sb_free(g->starts);
    sb_free(g->rows);
    *g = (graph){0};
}

static bool make_piece(piece *p, int n, int edges) {
    *p = (piece){n, sb_alloc((size_t)n + 1, sizeof(int)),
                 sb_alloc((size_t)edges, sizeof(int)),
                 sb_alloc((size_t)n, sizeof(int))};
    return p->starts && p->rows && p->names;
}

static sb_sparsity sparsity_of(const piece *p) {
    return (sb_sparsity){p->n, p->starts, p->rows};
}

/* Both triangles, without the diagonal, and room for `spare` edges more. */
static sb_status unfold_piece(const piece *p, size_t spare, graph *out,
                              sb_error *err) {
    size_t edges = 2 * (size_t)p->starts[p->n];
    *out = (graph){sb_alloc((size_t)p->n + 1, sizeof(int)),
                   sb_resize(NULL, edges + spare, sizeof(int))};
    if (!out->starts || !out->rows) {
        free_graph(out);
        return sb_no_memory(err, "ordering of a sparse matrix");
    }
    int *starts = out->starts, *rows = out->rows;
    for (int j = 0; j < p->n; j++) {
        for (int e = p->starts[j]; e < p->starts[j + 1]; e++) {
            if (p->rows[e] == j) continue;
            starts[j + 1]++;
            starts[p->rows[e] + 1]++;
        }
    }
    for (int j = 0; j < p->n; j++)
        starts[j + 1] += starts[j];
    for (int j = 0; j < p->n; j++) { /* moves each start to its list's end */
        for (int e = p->starts[j]; e < p->starts[j + 1]; e++) {
            int row = p->rows[e];
            if (row == j) continue;
            rows[starts[j]++] = row;
            rows[starts[row]++] = j;
        }
    }
    memmove(starts + 1, starts, (size_t)p->n * sizeof *starts);
    starts[0] = 0;
    return SB_OK;
}

/* The nodes of `p` whose part is `which`, and the edges between them. */
static sb_status take_part(const piece *p, const int *parts, int which,
                           piece *out, sb_error *err) {
    int count = 0, edges = 0;
    int *places = sb_alloc((size_t)p->n, sizeof *places);
    if (!places) return sb_no_memory(err, "ordering of a sparse matrix");
    for (int j = 0; j < p->n; j++) {
        if (parts[j] != which) continue;
        places[j] = count++;
        edges += p->starts[j + 1] - p->starts[j];
    }
    sb_status status = make_piece(out, count, edges)
                           ? SB_OK
                           : sb_no_memory(err, "ordering of a sparse matrix");
    for (int j = 0, at = 0; !status && j < p->n; j++) {
        if (parts[j] != which) continue;
        out->names[places[j]] = p->names[j];
        for (int e = p->starts[j]; e < p->starts[j + 1]; e++) {
            int row = p->rows[e];
            if (parts[row] == which) out->rows[at++] = places[row];
        }
        out->starts[places[j] + 1] = at;
    }
    sb_free(places);
    if (status) free_piece(out);
    return status;
}

/* --- nested dissection ---------------------------------------------------- */

/* METIS takes its random numbers from the C library's rand, seeded anew by each
 * call, and sets handlers of two signals, which come back without their flags:
 * one call at a time, and for the program it is as if there had been none. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

typedef struct metis_call {
    const graph *both;
    int n;
    int *order, *places; /* METIS_NodeND; or */
    int *parts;          /* METIS_ComputeVertexSeparator */
} metis_call;

static bool call_metis(const metis_call *call) {
    static char states[128]; /* as many as rand begins with */
    idx_t n = call->n, separator = 0;
    idx_t *starts = call->both->starts, *rows = call->both->rows;
    struct sigaction term, abrt;
    (void)pthread_mutex_lock(&turn);
    (void)sigaction(SIGTERM, NULL, &term);
    (void)sigaction(SIGABRT, NULL, &abrt);
    char *program = initstate(1, states, sizeof states);
    int result =
        call->parts ? METIS_ComputeVertexSeparator(&n, starts, rows, NULL, NULL,
                                                   &separator, call->parts)
                    : METIS_NodeND(&n, starts, rows, NULL, NULL, call->order,
                                   call->places);
    (void)setstate(program);
    (void)sigaction(SIGTERM, &term, NULL);
    (void)sigaction(SIGABRT, &abrt, NULL);
    (void)pthread_mutex_unlock(&turn);
    return result == METIS_OK;
}

/* METIS allocates from the C library, and may end the process when it is
 * refused: what it needs is asked for and given back first. This is more than
 * it took of grids. */
static bool has_room(int n, int edges) {
    size_t numbers = 5 * (size_t)edges + 25 * (size_t)n + 2048;
    void *room = sb_resize(NULL, numbers, sizeof(idx_t));
    sb_free(room);
    return room != NULL;
}

/* METIS has no order for a graph without edges, and had none for large ones
 * that are almost full: any is good for both. */
static bool is_trivial(int n, int edges) {
    return edges == 0 || (n > WHOLE && edges > 0.66 * n * n);
}

static sb_status put_whole(const piece *p, dissection *d) {
    graph both = {0};
    sb_sparsity pattern = sparsity_of(p);
    int *order = d->order + d->at;
    int *places = sb_alloc((size_t)p->n, sizeof *places);
    sb_status status =
        places ? unfold_piece(p, 0, &both, d->err)
               : sb_no_memory(d->err, "ordering of a sparse matrix");
    for (int i = 0; i < p->n; i++)
        order[i] = i;
    if (!status && !is_trivial(p->n, both.starts[p->n])) {
        metis_call call = {&both, p->n, order, places, NULL};
        if (!has_room(p->n, both.starts[p->n]) || !call_metis(&call))
            status = sb_no_memory(d->err, "ordering of a sparse matrix");
        if (!status) status = sb_elimination_postorder(&pattern, order, d->err);
    }
    free_graph(&both);
    sb_free(places);
    if (status) return status;
    for (int i = 0; i < p->n; i++)
        order[i] = p->names[order[i]];
    d->at += p->n;
    return SB_OK;
}

static sb_status dissect(const piece *p, dissection *d);

enum { LEFT, RIGHT, SEPARATOR };

static sb_status put_parts(const piece *p, const int *parts, dissection *d) {
    sb_status status = SB_OK;
    for (int which = LEFT; !status && which <= RIGHT; which++) {
        piece part = {0};
        status = take_part(p, parts, which, &part, d->err);
        if (!status) status = dissect(&part, d);
        free_piece(&part);
    }
    for (int i = 0; !status && i < p->n; i++) {
        if (parts[i] == SEPARATOR) d->order[d->at++] = p->names[i];
    }
    return status;
}

/* Finds the part of each node. `is_cut`: all three have some, none too many. */
static sb_status cut(const piece *p, int *parts, bool *is_cut, sb_error *err) {
    graph both = {0};
    int counts[3] = {0}, most = p->n / 10 * 9;
    *is_cut = false;
    sb_status status = unfold_piece(p, 0, &both, err);
    if (status || both.starts[p->n] == 0) {
        free_graph(&both);
        return status;
    }
    metis_call call = {.both = &both, .n = p->n, .parts = parts};
    if (!has_room(p->n, both.starts[p->n]) || !call_metis(&call))
        status = sb_no_memory(err, "ordering of a sparse matrix");
    free_graph(&both);
    for (int i = 0; !status && i < p->n; i++)
        counts[parts[i]]++;
    /* Nothing connects the halves: the last node may do so. */
    if (!status && counts[SEPARATOR] == 0) {
        counts[parts[p->n - 1]]--;
        parts[p->n - 1] = SEPARATOR;
        counts[SEPARATOR]++;
    }
    *is_cut = !status && counts[LEFT] > 0 && counts[RIGHT] > 0;
    for (int i = 0; i < 3; i++)
        if (counts[i] > most) *is_cut = false;
    return status;
}

/* As deep as there are pieces: each has at most nine tenths of the nodes of the
 * one it is cut from. */
static sb_status dissect(const piece *p, dissection *d) {
    sb_status status = sb_stop_check(d->err);
    if (status || p->n == 0) return status;
    if (p->n <= WHOLE) return put_whole(p, d);
    int *parts = sb_alloc((size_t)p->n, sizeof *parts);
    if (!parts) return sb_no_memory(d->err, "ordering of a sparse matrix");
    bool is_cut;
    status = cut(p, parts, &is_cut, d->err);
    if (!status) status = is_cut ? put_parts(p, parts, d) : put_whole(p, d);
    sb_free(parts);
    return status;
}

/* order[i] is the name of the node that is eliminated as number i. */
static sb_status dissect_whole(const piece *whole, int *order, sb_error *err) {
    dissection d = {order, 0, err};
    sb_term_guard guard;
    sb_term_guard_begin(&guard);
    sb_status status = dissect(whole, &d);
    sb_term_guard_end(&guard);
    return status;
}

/* --- groups of unknowns --------------------------------------------------- */

struct sb_ordering {
    int n;       /* unknowns */
    int *groups; /* [n] of each unknown */
    piece whole;
};

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
    piece *p = &ordering->whole;
    int edges = 0, at = 0;
    for (int g = 0; g < count; g++)
        edges += a->starts[firsts[g] + 1] - a->starts[firsts[g]];
    if (!make_piece(p, count, edges))
        return sb_no_memory(err, "ordering of a sparse matrix");
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
    if (!ordering) return sb_no_memory(err, "ordering of a sparse matrix");
    uint64_t *marks = sb_alloc(n, sizeof *marks);
    int *firsts = sb_alloc(n, sizeof *firsts);
    ordering->n = a->n;
    ordering->groups = sb_alloc(n, sizeof *ordering->groups);
    sb_status status = marks && firsts && ordering->groups
                           ? SB_OK
                           : sb_no_memory(err, "ordering of a sparse matrix");
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
    free_piece(&ordering->whole);
    sb_free(ordering->groups);
    sb_free(ordering);
}

/* From the order of groups to that of their unknowns. */
static sb_status spread(const sb_ordering *ordering, const int *group_order,
                        int *order, sb_error *err) {
    int count = ordering->whole.n;
    int *places = sb_alloc((size_t)count + 1, sizeof *places);
    if (!places) return sb_no_memory(err, "ordering of a sparse matrix");
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

static sb_status by_degree(const piece *whole, int *order, sb_error *err) {
    size_t n = (size_t)whole->n;
    size_t spare = (size_t)whole->starts[n] + n; /* of edges, for elements */
    graph both = {0};
    sb_status status = unfold_piece(whole, spare, &both, err);
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
        status = sb_no_memory(err, "ordering of a sparse matrix");
    }
    sb_free(work);
    free_graph(&both);
    return status;
}

/* --- orders --------------------------------------------------------------- */

typedef sb_status method(const piece *whole, int *order, sb_error *err);

static sb_status order_by(const sb_ordering *ordering, method *by, int *order,
                          sb_error *err) {
    int count = ordering->whole.n;
    int *group_order = sb_alloc((size_t)count, sizeof *group_order);
    if (!group_order) return sb_no_memory(err, "ordering of a sparse matrix");
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
    return order_by(ordering, dissect_whole, order, err);
}
