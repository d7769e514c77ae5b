/* Groups of unknowns, and their order by CHOLMOD and METIS. Runs on the thread
 * that solves, control or a worker. */
#include "runtime/model/linear/ordering.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/term_guard.h"

#include <suitesparse/cholmod.h>

#include <pthread.h>
#include <stdint.h>

/* Pieces up to this size are ordered whole, in some hundredths of a second. */
enum { WHOLE = 3000 };

/* A part of the graph of groups: its edges as a lower triangle. */
typedef struct piece {
    int n;
    int *starts, *rows;
    int *names; /* [n] the groups */
} piece;

struct sb_ordering {
    int n;       /* unknowns */
    int *groups; /* [n] of each unknown */
    piece whole;
};

/* A dissection under way: groups are put into `order` from the left. */
typedef struct dissection {
    cholmod_common *common;
    int *order;
    int at;
    sb_error *err;
} dissection;

static sb_status no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY,
                   "ordering of a sparse matrix: out of memory");
}

/* --- memory --------------------------------------------------------------- */

static void *allocate_bytes(size_t bytes) {
    return sb_resize(NULL, bytes, 1);
}

static void *resize_bytes(void *block, size_t bytes) {
    return sb_resize(block, bytes, 1);
}

static void lend_memory(void) {
#if SUITESPARSE_VERSION >= SUITESPARSE_VER_CODE(7, 0)
    SuiteSparse_config_malloc_func_set(allocate_bytes);
    SuiteSparse_config_calloc_func_set(sb_alloc);
    SuiteSparse_config_realloc_func_set(resize_bytes);
    SuiteSparse_config_free_func_set(sb_free);
#else
    SuiteSparse_config.malloc_func = allocate_bytes;
    SuiteSparse_config.calloc_func = sb_alloc;
    SuiteSparse_config.realloc_func = resize_bytes;
    SuiteSparse_config.free_func = sb_free;
#endif
}

void sb_ordering_lend_memory(void) {
    static pthread_once_t is_lent = PTHREAD_ONCE_INIT;
    (void)pthread_once(&is_lent, lend_memory);
}

/* --- pieces --------------------------------------------------------------- */

static void free_piece(piece *p) {
    sb_free(p->starts);
    sb_free(p->rows);
    sb_free(p->names);
    *p = (piece){0};
}

static bool make_piece(piece *p, int n, int edges) {
    *p = (piece){n, sb_alloc((size_t)n + 1, sizeof(int)),
                 sb_alloc((size_t)edges, sizeof(int)),
                 sb_alloc((size_t)n, sizeof(int))};
    return p->starts && p->rows && p->names;
}

static cholmod_sparse lend(const piece *p) {
    return (cholmod_sparse){.nrow = (size_t)p->n,
                            .ncol = (size_t)p->n,
                            .nzmax = (size_t)p->starts[p->n],
                            .p = p->starts,
                            .i = p->rows,
                            .stype = -1, /* the lower triangle */
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

/* The nodes of `p` whose part is `which`, and the edges between them. */
static sb_status take_part(const piece *p, const int *parts, int which,
                           piece *out, sb_error *err) {
    int count = 0, edges = 0;
    int *places = sb_alloc((size_t)p->n, sizeof *places);
    if (!places) return no_memory(err);
    for (int j = 0; j < p->n; j++) {
        if (parts[j] != which) continue;
        places[j] = count++;
        edges += p->starts[j + 1] - p->starts[j];
    }
    sb_status status = make_piece(out, count, edges) ? SB_OK : no_memory(err);
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
    if (!make_piece(p, count, edges)) return no_memory(err);
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
    free_piece(&ordering->whole);
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

/* --- the methods ---------------------------------------------------------- */

typedef sb_status method(const piece *whole, dissection *d);

static sb_status by_degree(const piece *whole, dissection *d) {
    cholmod_sparse lent = lend(whole);
    return cholmod_amd(&lent, NULL, 0, d->order, d->common) ? SB_OK
                                                            : no_memory(d->err);
}

static sb_status put_whole(const piece *p, dissection *d) {
    cholmod_sparse lent = lend(p);
    int *order = d->order + d->at;
    if (!cholmod_metis(&lent, NULL, 0, 1, order, d->common))
        return no_memory(d->err);
    for (int i = 0; i < p->n; i++)
        order[i] = p->names[order[i]];
    d->at += p->n;
    return SB_OK;
}

static sb_status dissect(const piece *p, dissection *d);

static sb_status put_parts(const piece *p, const int *parts, dissection *d) {
    enum { LEFT, RIGHT, SEPARATOR };
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

/* As deep as there are pieces: each has at most nine tenths of the nodes of the
 * one it is cut from. */
static sb_status dissect(const piece *p, dissection *d) {
    sb_status status = sb_stop_check(d->err);
    if (status || p->n == 0) return status;
    if (p->n <= WHOLE) return put_whole(p, d);
    int *parts = sb_alloc((size_t)p->n, sizeof *parts);
    if (!parts) return no_memory(d->err);
    cholmod_sparse lent = lend(p);
    int counts[3] = {0};
    if (cholmod_bisect(&lent, NULL, 0, 0, parts, d->common) < 0)
        status = no_memory(d->err);
    for (int i = 0; !status && i < p->n; i++)
        counts[parts[i]]++;
    int most = p->n / 10 * 9;
    if (!status) {
        status = counts[0] > most || counts[1] > most || counts[2] > most
                     ? put_whole(p, d) /* it cannot be cut */
                     : put_parts(p, parts, d);
    }
    sb_free(parts);
    return status;
}

static sb_status order_by(const sb_ordering *ordering, method *by, int *order,
                          sb_error *err) {
    cholmod_common common;
    int count = ordering->whole.n;
    int *group_order = sb_alloc((size_t)count, sizeof *group_order);
    if (!group_order) return no_memory(err);
    sb_ordering_lend_memory();
    (void)cholmod_start(&common);
    common.print = 0;
    /* METIS allocates from the C library: what it needs is asked for and given
     * back first. Half of CHOLMOD's estimate is more than it took of grids. */
    common.metis_memory = 0.5;
    dissection d = {&common, group_order, 0, err};
    sb_term_guard guard;
    sb_term_guard_begin(&guard);
    sb_status status = by(&ordering->whole, &d);
    sb_term_guard_end(&guard);
    (void)cholmod_finish(&common);
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
    return order_by(ordering, dissect, order, err);
}
