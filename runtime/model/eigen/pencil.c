/* SPDX-License-Identifier: MIT */
#include "runtime/model/eigen/pencil.h"

#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen.h"
#include "runtime/model/linear/workers.h"

#include <math.h>
#include <string.h>

/* One call of apply, weigh or expand. */
typedef struct job {
    const sb_pencil *pencil;
    const double *in;
    double *out;
    int count; /* of vectors */
    bool is_expanding;
} job;

static sb_status check_masses(sb_pencil *pencil, const double *masses,
                              sb_error *err) {
    for (int i = 0; i < pencil->n; i++) {
        if (!(masses[i] >= 0) || isinf(masses[i])) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "eigenproblem of size %d: the mass of unknown %d "
                           "is %g",
                           pencil->n, i, masses[i]);
        }
        pencil->rank += masses[i] > 0;
    }
    if (pencil->rank > 0) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "eigenproblem of size %d: nothing has mass: make the body "
                   "larger or thicker, or its density higher (lengths are in "
                   "metres)",
                   pencil->n);
}

static sb_status take_masses(sb_pencil *pencil, const sb_sparse *m,
                             const double *masses, sb_error *err) {
    pencil->is_diagonal = sb_sparse_is_diagonal(m);
    if (!pencil->is_diagonal) {
        pencil->dim = pencil->n;
        sb_sparse lower = {0};
        sb_status status = sb_sparse_permute(m, pencil->order, &lower, err);
        if (!status) status = sb_sparse_unfold(&lower, &pencil->all_m, err);
        sb_sparse_free(&lower);
        return status;
    }
    pencil->dim = pencil->rank;
    pencil->massive = sb_alloc((size_t)pencil->dim, sizeof(int));
    pencil->roots = sb_alloc((size_t)pencil->dim, sizeof(double));
    if (!pencil->massive || !pencil->roots)
        return sb_no_memory(err, "eigenproblem of size %d", pencil->n);
    int count = 0;
    for (int i = 0; i < pencil->n; i++) {
        double mass = masses[pencil->order[i]];
        if (mass <= 0) continue;
        pencil->massive[count] = i;
        pencil->roots[count++] = sqrt(mass);
    }
    return SB_OK;
}

static sb_status fill(sb_pencil *pencil, const sb_sparse *k, const sb_sparse *m,
                      sb_error *err) {
    double *masses = sb_alloc((size_t)pencil->n, sizeof *masses);
    if (!masses) return sb_no_memory(err, "eigenproblem of size %d", pencil->n);
    sb_sparse_diagonal(m, masses);
    sb_status status = check_masses(pencil, masses, err);
    if (!status) status = sb_cholesky_create(&pencil->factor, k, m, err);
    if (!status) {
        pencil->order = sb_cholesky_order(pencil->factor);
        status = take_masses(pencil, m, masses, err);
    }
    sb_free(masses);
    if (status) return status;
    pencil->panels = sb_alloc_aligned((size_t)pencil->n * SB_PENCIL_COLUMNS *
                                      sizeof *pencil->panels);
    return pencil->panels
               ? SB_OK
               : sb_no_memory(err, "eigenproblem of size %d", pencil->n);
}

sb_status sb_pencil_create(sb_pencil **out, const sb_sparse *k,
                           const sb_sparse *m, int threads, sb_error *err) {
    sb_pencil *pencil = sb_alloc(1, sizeof *pencil);
    if (!pencil) return sb_no_memory(err, "eigenproblem of size %d", k->n);
    pencil->n = k->n;
    pencil->threads = threads;
    sb_status status = fill(pencil, k, m, err);
    if (status) {
        sb_pencil_destroy(pencil);
        return status;
    }
    *out = pencil;
    return SB_OK;
}

void sb_pencil_destroy(sb_pencil *pencil) {
    if (!pencil) return;
    sb_cholesky_destroy(pencil->factor);
    sb_sparse_free(&pencil->all_m);
    sb_free_all(pencil->massive, pencil->roots, pencil->panels, pencil);
}

sb_status sb_pencil_factor(sb_pencil *pencil, double shift, sb_error *err) {
    pencil->shift = shift;
    return sb_cholesky_factor(pencil->factor, shift, err);
}

/* M^1/2 y or M y, a panel. */
static void load(const sb_pencil *pencil, const double *y, double *x) {
    if (!pencil->is_diagonal) {
        sb_panel_multiply(&pencil->all_m, y, x);
        return;
    }
    memset(x, 0, (size_t)pencil->n * SB_PANEL * sizeof *x);
    for (int i = 0; i < pencil->dim; i++) {
        double *to = x + (size_t)pencil->massive[i] * SB_PANEL;
        for (int k = 0; k < SB_PANEL; k++) {
            to[k] = pencil->roots[i] * y[k];
        }
        y += SB_PANEL;
    }
}

static void unload(const sb_pencil *pencil, const double *x, double *y) {
    if (!pencil->is_diagonal) {
        memcpy(y, x, (size_t)pencil->n * SB_PANEL * sizeof *y);
        return;
    }
    for (int i = 0; i < pencil->dim; i++) {
        const double *from = x + (size_t)pencil->massive[i] * SB_PANEL;
        for (int k = 0; k < SB_PANEL; k++) {
            y[k] = pencil->roots[i] * from[k];
        }
        y += SB_PANEL;
    }
}

static void spread(const sb_pencil *pencil, const double *panel, double *x,
                   int count) {
    for (size_t j = 0; j < (size_t)count; j++) {
        double *to = x + j * (size_t)pencil->n;
        for (size_t i = 0; i < (size_t)pencil->n; i++) {
            to[pencil->order[i]] = panel[i * SB_PANEL + j];
        }
    }
}

static void solve_part(void *context, int part) {
    const job *own = context;
    const sb_pencil *pencil = own->pencil;
    size_t n = (size_t)pencil->n, dim = (size_t)pencil->dim;
    size_t first = (size_t)part * SB_PANEL;
    double *x = pencil->panels + first * n;
    load(pencil, own->in + first * dim, x);
    sb_panel_solve(sb_cholesky_supernodes(pencil->factor), x);
    if (own->is_expanding) {
        int count = own->count - (int)first;
        spread(pencil, x, own->out + first * n,
               count < SB_PANEL ? count : SB_PANEL);
    } else {
        unload(pencil, x, own->out + first * dim);
    }
}

static void solve(job shared) {
    sb_workers_run(shared.pencil->threads,
                   (shared.count + SB_PANEL - 1) / SB_PANEL, solve_part,
                   &shared);
}

void sb_pencil_apply(sb_pencil *pencil, const double *v, double *w,
                     int panels) {
    solve((job){pencil, v, w, panels * SB_PANEL, false});
}

void sb_pencil_expand(sb_pencil *pencil, const double *y, double *x,
                      int count) {
    solve((job){pencil, y, x, count, true});
}

static void correct_part(void *context, int part) {
    const job *own = context;
    const sb_pencil *pencil = own->pencil;
    size_t n = (size_t)pencil->n, first = (size_t)part * SB_PANEL;
    size_t count = (size_t)own->count - first;
    double *panel = pencil->panels + first * n;
    if (count > SB_PANEL) count = SB_PANEL;
    memset(panel, 0, n * SB_PANEL * sizeof *panel);
    for (size_t j = 0; j < count; j++) {
        const double *r = own->in + (first + j) * n;
        for (size_t i = 0; i < n; i++) {
            panel[i * SB_PANEL + j] = r[pencil->order[i]];
        }
    }
    sb_panel_solve(sb_cholesky_supernodes(pencil->factor), panel);
    for (size_t j = 0; j < count; j++) {
        double *x = own->out + (first + j) * n;
        for (size_t i = 0; i < n; i++) {
            x[pencil->order[i]] -= panel[i * SB_PANEL + j];
        }
    }
}

void sb_pencil_correct(sb_pencil *pencil, const double *r, double *x,
                       int count) {
    job shared = {pencil, r, x, count, false};
    sb_workers_run(pencil->threads, (count + SB_PANEL - 1) / SB_PANEL,
                   correct_part, &shared);
}

static void weigh_part(void *context, int part) {
    const job *own = context;
    size_t from = (size_t)part * (size_t)own->pencil->dim * SB_PANEL;
    sb_panel_multiply(&own->pencil->all_m, own->in + from, own->out + from);
}

const double *sb_pencil_weigh(const sb_pencil *pencil, const double *w,
                              double *scratch, int panels) {
    if (pencil->is_diagonal) return w;
    job shared = {pencil, w, scratch, panels * SB_PANEL, false};
    sb_workers_run(pencil->threads, panels, weigh_part, &shared);
    return scratch;
}

void sb_pencil_contract(const sb_pencil *pencil, const double *x, double *y) {
    for (int i = 0; i < pencil->dim; i++) {
        int place = pencil->is_diagonal ? pencil->massive[i] : i;
        double root = pencil->is_diagonal ? pencil->roots[i] : 1;
        y[i] = root * x[pencil->order[place]];
    }
}
