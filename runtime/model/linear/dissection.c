/* Nested dissection with separators from METIS. Runs on the thread that solves,
 * control or a worker. */
#include "runtime/model/linear/dissection.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/elimination.h"
#include "runtime/model/linear/term_guard.h"

#include <metis.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS was built with long ids");

/* Pieces up to this size are ordered whole, in some hundredths of a second. */
enum { WHOLE = 3000 };

/* A dissection under way: groups are put into `order` from the left. */
typedef struct dissection {
    int *order;
    int at;
    sb_error *err;
} dissection;

static sb_status no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY,
                   "ordering of a sparse matrix: out of memory");
}

/* --- pieces --------------------------------------------------------------- */

void sb_piece_free(sb_piece *p) {
    sb_free(p->starts);
    sb_free(p->rows);
    sb_free(p->names);
    *p = (sb_piece){0};
}

void sb_graph_free(sb_graph *g) {
    sb_free(g->starts);
    sb_free(g->rows);
    *g = (sb_graph){0};
}

bool sb_piece_make(sb_piece *p, int n, int edges) {
    *p = (sb_piece){n, sb_alloc((size_t)n + 1, sizeof(int)),
                    sb_alloc((size_t)edges, sizeof(int)),
                    sb_alloc((size_t)n, sizeof(int))};
    return p->starts && p->rows && p->names;
}

static sb_pattern pattern_of(const sb_piece *p) {
    return (sb_pattern){p->n, p->starts, p->rows};
}

/* Both triangles, without the diagonal, and room for `spare` edges more. */
sb_status sb_piece_unfold(const sb_piece *p, size_t spare, sb_graph *out,
                          sb_error *err) {
    size_t edges = 2 * (size_t)p->starts[p->n];
    *out = (sb_graph){sb_alloc((size_t)p->n + 1, sizeof(int)),
                      sb_resize(NULL, edges + spare, sizeof(int))};
    if (!out->starts || !out->rows) {
        sb_graph_free(out);
        return no_memory(err);
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
static sb_status take_part(const sb_piece *p, const int *parts, int which,
                           sb_piece *out, sb_error *err) {
    int count = 0, edges = 0;
    int *places = sb_alloc((size_t)p->n, sizeof *places);
    if (!places) return no_memory(err);
    for (int j = 0; j < p->n; j++) {
        if (parts[j] != which) continue;
        places[j] = count++;
        edges += p->starts[j + 1] - p->starts[j];
    }
    sb_status status =
        sb_piece_make(out, count, edges) ? SB_OK : no_memory(err);
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
    if (status) sb_piece_free(out);
    return status;
}

/* --- nested dissection ---------------------------------------------------- */

/* METIS takes its random numbers from the C library's rand, seeded anew by each
 * call, and sets handlers of two signals, which come back without their flags:
 * one call at a time, and for the program it is as if there had been none. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

typedef struct metis_call {
    const sb_graph *both;
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

static sb_status put_whole(const sb_piece *p, dissection *d) {
    sb_graph both = {0};
    sb_pattern pattern = pattern_of(p);
    int *order = d->order + d->at;
    int *places = sb_alloc((size_t)p->n, sizeof *places);
    sb_status status =
        places ? sb_piece_unfold(p, 0, &both, d->err) : no_memory(d->err);
    for (int i = 0; i < p->n; i++)
        order[i] = i;
    if (!status && !is_trivial(p->n, both.starts[p->n])) {
        metis_call call = {&both, p->n, order, places, NULL};
        if (!has_room(p->n, both.starts[p->n]) || !call_metis(&call))
            status = no_memory(d->err);
        if (!status) status = sb_elimination_postorder(&pattern, order, d->err);
    }
    sb_graph_free(&both);
    sb_free(places);
    if (status) return status;
    for (int i = 0; i < p->n; i++)
        order[i] = p->names[order[i]];
    d->at += p->n;
    return SB_OK;
}

static sb_status dissect(const sb_piece *p, dissection *d);

enum { LEFT, RIGHT, SEPARATOR };

static sb_status put_parts(const sb_piece *p, const int *parts, dissection *d) {
    sb_status status = SB_OK;
    for (int which = LEFT; !status && which <= RIGHT; which++) {
        sb_piece part = {0};
        status = take_part(p, parts, which, &part, d->err);
        if (!status) status = dissect(&part, d);
        sb_piece_free(&part);
    }
    for (int i = 0; !status && i < p->n; i++) {
        if (parts[i] == SEPARATOR) d->order[d->at++] = p->names[i];
    }
    return status;
}

/* Finds the part of each node. `is_cut`: all three have some, none too many. */
static sb_status cut(const sb_piece *p, int *parts, bool *is_cut,
                     sb_error *err) {
    sb_graph both = {0};
    int counts[3] = {0}, most = p->n / 10 * 9;
    *is_cut = false;
    sb_status status = sb_piece_unfold(p, 0, &both, err);
    if (status || both.starts[p->n] == 0) {
        sb_graph_free(&both);
        return status;
    }
    metis_call call = {.both = &both, .n = p->n, .parts = parts};
    if (!has_room(p->n, both.starts[p->n]) || !call_metis(&call))
        status = no_memory(err);
    sb_graph_free(&both);
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
static sb_status dissect(const sb_piece *p, dissection *d) {
    sb_status status = sb_stop_check(d->err);
    if (status || p->n == 0) return status;
    if (p->n <= WHOLE) return put_whole(p, d);
    int *parts = sb_alloc((size_t)p->n, sizeof *parts);
    if (!parts) return no_memory(d->err);
    bool is_cut;
    status = cut(p, parts, &is_cut, d->err);
    if (!status) status = is_cut ? put_parts(p, parts, d) : put_whole(p, d);
    sb_free(parts);
    return status;
}

sb_status sb_dissect(const sb_piece *whole, int *order, sb_error *err) {
    dissection d = {order, 0, err};
    sb_term_guard guard;
    sb_term_guard_begin(&guard);
    sb_status status = dissect(whole, &d);
    sb_term_guard_end(&guard);
    return status;
}
