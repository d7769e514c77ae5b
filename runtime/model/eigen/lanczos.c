/* Steps of block Lanczos and the memory of its basis. Runs on the thread that
 * solves and on its workers. */
#include "runtime/model/eigen/lanczos.h"

#include "runtime/base/memory.h"
#include "runtime/model/eigen/lanczos_internal.h"

#include <math.h>
#include <string.h>

static sb_status no_memory(const sb_lanczos *lanczos, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "eigenproblem of size %d: out of memory",
                   lanczos->pencil->n);
}

static double *new_block(const sb_lanczos *lanczos, int panels) {
    return sb_alloc_aligned((size_t)panels * sb_lanczos_panel(lanczos) *
                            sizeof(double));
}

sb_status sb_lanczos_create(sb_lanczos **out, sb_pencil *pencil, int panels,
                            sb_error *err) {
    sb_lanczos *lanczos = sb_alloc(1, sizeof *lanczos);
    if (!lanczos) {
        return sb_fail(err, SB_NO_MEMORY,
                       "eigenproblem of size %d: out of memory", pencil->n);
    }
    *lanczos = (sb_lanczos){.pencil = pencil,
                            .dim = pencil->dim,
                            .panels = panels,
                            .size = panels * SB_PANEL,
                            .random = sb_random_make(1, 0)};
    lanczos->w = new_block(lanczos, panels);
    lanczos->spare = new_block(lanczos, panels);
    if (!pencil->is_diagonal) lanczos->weighed = new_block(lanczos, panels);
    if (!lanczos->w || !lanczos->spare ||
        (!lanczos->weighed && !pencil->is_diagonal)) {
        sb_status status = no_memory(lanczos, err);
        sb_lanczos_destroy(lanczos);
        return status;
    }
    *out = lanczos;
    return SB_OK;
}

void sb_lanczos_destroy(sb_lanczos *lanczos) {
    if (!lanczos) return;
    for (int i = 0; i < lanczos->panel_count; i++) {
        sb_free(lanczos->v[i]);
    }
    sb_free(lanczos->v);
    sb_free(lanczos->w);
    sb_free(lanczos->a);
    sb_free(lanczos->b);
    sb_free(lanczos->c);
    sb_free(lanczos->spare);
    sb_free(lanczos->weighed);
    sb_free(lanczos);
}

static sb_status add_panel(sb_lanczos *lanczos, sb_error *err) {
    int count = lanczos->panel_count;
    double *panel = new_block(lanczos, 1);
    if (!panel || !sb_grow((void **)&lanczos->v, &lanczos->panel_capacity,
                           count + 1, sizeof *lanczos->v)) {
        sb_free(panel);
        return no_memory(lanczos, err);
    }
    lanczos->v[lanczos->panel_count++] = panel;
    return SB_OK;
}

static int locked_panels(const sb_lanczos *lanczos) {
    return (lanczos->locked + SB_PANEL - 1) / SB_PANEL;
}

/* Room for one more step: V_j, A_j, B_j. */
static sb_status hold_step(sb_lanczos *lanczos, sb_error *err) {
    int square = lanczos->size * lanczos->size;
    int size = (lanczos->steps + 1) * square;
    sb_status status = SB_OK;
    for (int i = 0; !status && i < lanczos->panels; i++) {
        status = add_panel(lanczos, err);
    }
    if (status) return status;
    int products =
        (lanczos->panel_count + 1) * lanczos->panels * SB_PANEL_SQUARE;
    if (!sb_grow((void **)&lanczos->a, &lanczos->a_capacity, size,
                 sizeof(double)) ||
        !sb_grow((void **)&lanczos->b, &lanczos->b_capacity, size,
                 sizeof(double)) ||
        !sb_grow((void **)&lanczos->c, &lanczos->c_capacity, products,
                 sizeof(double))) {
        return no_memory(lanczos, err);
    }
    return SB_OK;
}

sb_status sb_lanczos_lock(sb_lanczos *lanczos, const double *y, sb_error *err) {
    int lane = lanczos->locked % SB_PANEL;
    sb_status status = lane == 0 ? add_panel(lanczos, err) : SB_OK;
    if (status) return status;
    double *panel = lanczos->v[lanczos->locked++ / SB_PANEL];
    for (int i = 0; i < lanczos->dim; i++) {
        panel[i * SB_PANEL + lane] = y[i];
    }
    return SB_OK;
}

static void begin(sb_lanczos *lanczos) {
    double r[SB_LANCZOS_SQUARE];
    sb_lanczos_fill(lanczos, lanczos->w, lanczos->panels);
    sb_lanczos_take_out(lanczos, lanczos->v, lanczos->panel_count, lanczos->w,
                        lanczos->panels);
    sb_lanczos_orthonormalise(lanczos, r);
}

/* The panels in hand become V_j: copied, since the basis is kept in panels. */
static void keep(sb_lanczos *lanczos, double *const *to) {
    for (int p = 0; p < lanczos->panels; p++) {
        memcpy(to[p], lanczos->w + (size_t)p * sb_lanczos_panel(lanczos),
               sb_lanczos_panel(lanczos) * sizeof(double));
    }
}

/* w = C V_j - V_(j-1) B' - V_j A_j, with A_j; w is V_j before. */
static void recur(sb_lanczos *lanczos, double *const *v, double *a) {
    int j = lanczos->steps, size = lanczos->size, panels = lanczos->panels;
    sb_panel_shape shape = {lanczos->dim, panels, panels,
                            lanczos->pencil->threads};
    sb_pencil_apply(lanczos->pencil, lanczos->w, lanczos->w, panels);
    if (j > 0) {
        const double *b = lanczos->b + (size_t)((j - 1) * size * size);
        double turned[SB_LANCZOS_SQUARE];
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                turned[sb_panel_at(panels, k, i)] = -b[k * size + i];
            }
        }
        sb_panel_combine(shape, v - panels, turned, lanczos->w);
    }
    sb_lanczos_take_out(lanczos, v, panels, lanczos->w, panels);
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < size; k++) {
            a[i * size + k] = -lanczos->c[sb_panel_at(panels, k, i)];
        }
    }
}

/* What the pass over the whole basis took along V_j belongs to A_j. */
static void settle_diagonal(sb_lanczos *lanczos, double *a) {
    int size = lanczos->size, panels = lanczos->panels;
    int first = (lanczos->panel_count - panels) * SB_PANEL;
    for (int i = 0; i < size; i++) {
        for (int k = 0; k < size; k++) {
            a[i * size + k] -= lanczos->c[sb_panel_at(panels, first + k, i)];
        }
    }
    for (int i = 0; i < size; i++) {
        lanczos->largest = fmax(lanczos->largest, a[i * size + i]);
        for (int k = 0; k < i; k++) {
            double mean = 0.5 * (a[i * size + k] + a[k * size + i]);
            a[i * size + k] = a[k * size + i] = mean;
        }
    }
}

sb_status sb_lanczos_step(sb_lanczos *lanczos, sb_error *err) {
    int before = lanczos->panel_count;
    sb_status status = hold_step(lanczos, err);
    if (status) return status;
    if (lanczos->steps == 0) {
        lanczos->panel_count = before; /* the new panels are not V yet */
        begin(lanczos);
        lanczos->panel_count = before + lanczos->panels;
    }
    int square = lanczos->size * lanczos->size;
    double *a = lanczos->a + (size_t)(lanczos->steps * square);
    double *b = lanczos->b + (size_t)(lanczos->steps * square);
    double *const *v = lanczos->v + before;
    keep(lanczos, v);
    recur(lanczos, v, a);
    sb_lanczos_take_out(lanczos, lanczos->v, lanczos->panel_count, lanczos->w,
                        lanczos->panels);
    settle_diagonal(lanczos, a);
    sb_lanczos_orthonormalise(lanczos, b);
    lanczos->steps++;
    return SB_OK;
}

int sb_lanczos_size(const sb_lanczos *lanczos) {
    return lanczos->steps * lanczos->size;
}

bool sb_lanczos_has_room(const sb_lanczos *lanczos) {
    return lanczos->locked + (lanczos->steps + 2) * lanczos->size <=
           lanczos->pencil->rank;
}

const double *sb_lanczos_vectors(sb_lanczos *lanczos,
                                 const sb_lanczos_pairs *ritz, int first) {
    int panels = lanczos->panels, size = lanczos->size;
    int left = ritz->size / SB_PANEL;
    int count = ritz->count - first < size ? ritz->count - first : size;
    sb_panel_shape shape = {lanczos->dim, left, panels,
                            lanczos->pencil->threads};
    if (left == 0) return NULL;
    memset(lanczos->c, 0,
           (size_t)(left * panels * SB_PANEL_SQUARE) * sizeof *lanczos->c);
    for (int j = 0; j < count; j++) {
        const double *vector =
            ritz->vectors + (size_t)(first + j) * (size_t)ritz->size;
        for (int i = 0; i < ritz->size; i++) {
            lanczos->c[sb_panel_at(panels, i, j)] = vector[i];
        }
    }
    memset(lanczos->spare, 0,
           (size_t)panels * sb_lanczos_panel(lanczos) * sizeof(double));
    sb_panel_combine(shape, lanczos->v + locked_panels(lanczos), lanczos->c,
                     lanczos->spare);
    return lanczos->spare;
}
