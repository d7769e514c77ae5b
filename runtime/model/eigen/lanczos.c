/* SPDX-License-Identifier: MIT */
/* Steps of block Lanczos, orthogonal blocks and the memory of the basis. Runs
 * on the thread that solves and on its workers. */
#include "runtime/model/eigen/lanczos.h"

#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen.h"

#include <math.h>
#include <string.h>

/* --- orthogonal blocks ---------------------------------------------------- */

enum { SQUARE = SB_PENCIL_COLUMNS * SB_PENCIL_COLUMNS };

static size_t panel_size(const sb_lanczos *lanczos) {
    return (size_t)lanczos->dim * SB_PANEL;
}

static void project(sb_lanczos *lanczos, double *const *v, int left,
                    const double *w, int panels) {
    sb_panel_shape shape = {lanczos->dim, left, panels,
                            lanczos->pencil->threads};
    sb_panel_project(
        shape, v, sb_pencil_weigh(lanczos->pencil, w, lanczos->weighed, panels),
        lanczos->c);
}

/* w = w - V V' M w for `left` panels from v on; leaves -V' M w in
 * lanczos->c. */
static void take_out(sb_lanczos *lanczos, double *const *v, int left, double *w,
                     int panels) {
    if (left == 0) return;
    sb_panel_shape shape = {lanczos->dim, left, panels,
                            lanczos->pencil->threads};
    project(lanczos, v, left, w, panels);
    for (int i = 0; i < left * panels * SB_PANEL_SQUARE; i++) {
        lanczos->c[i] = -lanczos->c[i];
    }
    sb_panel_combine(shape, v, lanczos->c, w);
}

/* g = r' r; false when a column depends on those before it, to half of the
 * digits. `r` may be `g`. */
static bool small_cholesky(int size, double *g, double least) {
    for (int j = 0; j < size; j++) {
        double *column_j = g + (size_t)j * (size_t)size;
        double whole = column_j[j];
        for (int i = 0; i <= j; i++) {
            const double *column_i = g + (size_t)i * (size_t)size;
            double sum = column_j[i];
            for (int k = 0; k < i; k++) {
                sum -= column_i[k] * column_j[k];
            }
            if (i < j) column_j[i] = sum / column_i[i];
            if (i == j && !(sum > 1e-12 * whole && sum > least)) return false;
            if (i == j) column_j[j] = sqrt(sum);
        }
        for (int i = j + 1; i < size; i++) {
            column_j[i] = 0;
        }
    }
    return true;
}

/* r = s r, both upper triangles. */
static void multiply_triangles(int size, const double *s, double *r) {
    for (int j = 0; j < size; j++) {
        double *column_j = r + (size_t)j * (size_t)size;
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int k = i; k <= j; k++) {
                sum += s[(size_t)k * (size_t)size + (size_t)i] * column_j[k];
            }
            column_j[i] = sum;
        }
    }
}

/* The inverse of the upper triangle r, as products are stored. */
static void invert_triangle(const sb_lanczos *lanczos, const double *r,
                            double *out) {
    int size = lanczos->size;
    memset(out, 0, SQUARE * sizeof *out);
    for (int j = 0; j < size; j++) {
        for (int i = j; i >= 0; i--) {
            double sum = i == j;
            for (int k = i + 1; k <= j; k++) {
                sum -=
                    r[k * size + i] * out[sb_panel_at(lanczos->panels, k, j)];
            }
            out[sb_panel_at(lanczos->panels, i, j)] = sum / r[i * size + i];
        }
    }
}

/* Random vectors in the range of C. */
static void fill_randomly(sb_lanczos *lanczos, double *w, int panels) {
    size_t count = (size_t)panels * panel_size(lanczos);
    for (size_t i = 0; i < count; i++) {
        w[i] = 2 * sb_random_unit(&lanczos->random) - 1;
    }
    sb_pencil_apply(lanczos->pencil, w, w, panels);
}

/* One vector of w alone: z holds it in its first column, zeros elsewhere. */
static void pick(const sb_lanczos *lanczos, double *w, int j, double *z,
                 bool is_back) {
    double *from = w + (size_t)(j / SB_PANEL) * panel_size(lanczos);
    for (size_t i = 0; i < (size_t)lanczos->dim; i++) {
        double *entry = &from[i * SB_PANEL + (size_t)(j % SB_PANEL)];
        if (is_back) {
            *entry = z[i * SB_PANEL];
            continue;
        }
        memset(z + i * SB_PANEL, 0, SB_PANEL * sizeof *z);
        z[i * SB_PANEL] = *entry;
    }
}

static double length(sb_lanczos *lanczos, double *z) {
    project(lanczos, &z, 1, z, 1);
    return sqrt(fmax(lanczos->c[0], 0));
}

/* Takes out of z the basis and the first `count` vectors of w; adds the
 * products with the latter to r, if there is one. */
static void take_out_slowly(sb_lanczos *lanczos, double *w, int count,
                            double *z, double *r) {
    take_out(lanczos, lanczos->v, lanczos->panel_count, z, 1);
    sb_panel_shape shape = {lanczos->dim, 1, 1, 1};
    for (int p = 0; p * SB_PANEL < count; p++) {
        double *panel = w + (size_t)p * panel_size(lanczos);
        project(lanczos, &panel, 1, z, 1);
        for (int i = 0; i < SB_PANEL; i++) {
            bool is_before = p * SB_PANEL + i < count;
            double *entry = &lanczos->c[i * SB_PANEL];
            if (is_before && r) r[p * SB_PANEL + i] += *entry;
            *entry = is_before ? -*entry : 0;
        }
        sb_panel_combine(shape, &panel, lanczos->c, z);
    }
}

static void scale_panel(const sb_lanczos *lanczos, double *z, double factor) {
    for (size_t i = 0; i < panel_size(lanczos); i++) {
        z[i] *= factor;
    }
}

/* Slow and robust, vector by vector; one that depends on the others is
 * replaced by a random one, whose entry in r is 0. */
static void orthonormalise_slowly(sb_lanczos *lanczos, double *r) {
    int size = lanczos->size;
    double *z = lanczos->spare, *w = lanczos->w;
    memset(r, 0, (size_t)(size * size) * sizeof *r);
    for (int j = 0; j < size; j++) {
        double *own = r + j * size;
        pick(lanczos, w, j, z, false);
        take_out_slowly(lanczos, w, j, z, own);
        take_out_slowly(lanczos, w, j, z, own);
        own[j] = length(lanczos, z);
        double norm = own[j];
        if (!(norm > 1e-13 * lanczos->largest)) {
            own[j] = 0;
            fill_randomly(lanczos, z, 1);
            pick(lanczos, z, 0, z, false);
            norm = length(lanczos, z);
        }
        for (int pass = 0; pass < 3; pass++) {
            if (norm > 0) scale_panel(lanczos, z, 1 / norm);
            take_out_slowly(lanczos, w, j, z, NULL);
            norm = length(lanczos, z);
        }
        if (norm > 0) scale_panel(lanczos, z, 1 / norm);
        pick(lanczos, w, j, z, true);
    }
}

/* w = w g^-1 */
static void divide(sb_lanczos *lanczos, const double *g) {
    double inverse[SQUARE], *panels[SB_PENCIL_PANELS];
    size_t count = (size_t)lanczos->panels * panel_size(lanczos);
    sb_panel_shape shape = {lanczos->dim, lanczos->panels, lanczos->panels,
                            lanczos->pencil->threads};
    invert_triangle(lanczos, g, inverse);
    for (int p = 0; p < lanczos->panels; p++) {
        panels[p] = lanczos->w + (size_t)p * panel_size(lanczos);
    }
    memset(lanczos->spare, 0, count * sizeof(double));
    sb_panel_combine(shape, panels, inverse, lanczos->spare);
    double *made = lanczos->spare;
    lanczos->spare = lanczos->w;
    lanczos->w = made;
}

/* g = w' M w, by columns. */
static void multiply_self(sb_lanczos *lanczos, double *g) {
    int size = lanczos->size, count = lanczos->panels;
    double *panels[SB_PENCIL_PANELS];
    for (int p = 0; p < count; p++) {
        panels[p] = lanczos->w + (size_t)p * panel_size(lanczos);
    }
    project(lanczos, panels, count, lanczos->w, count);
    for (int j = 0; j < size; j++) {
        for (int i = 0; i < size; i++) {
            g[j * size + i] = lanczos->c[sb_panel_at(count, i, j)];
        }
    }
}

static bool is_uneven(const double *r, int size) {
    double smallest = INFINITY, biggest = 0;
    for (int j = 0; j < size; j++) {
        smallest = fmin(smallest, r[j * size + j]);
        biggest = fmax(biggest, r[j * size + j]);
    }
    return smallest < 1e-3 * biggest;
}

/* Makes lanczos->w orthonormal, and orthogonal to the basis: once more if
 * normalising has magnified errors. `r` gets an upper triangle by columns such
 * that the old w is the new w times r. */
static void orthonormalise(sb_lanczos *lanczos, double *r) {
    double least = 1e-26 * lanczos->largest * lanczos->largest, g[SQUARE];
    for (int pass = 0; pass < 2; pass++) {
        multiply_self(lanczos, g);
        if (!small_cholesky(lanczos->size, g, pass == 0 ? least : 0)) {
            orthonormalise_slowly(lanczos, r);
            return;
        }
        divide(lanczos, g);
        if (pass == 1) {
            multiply_triangles(lanczos->size, g, r);
            return;
        }
        memcpy(r, g, (size_t)(lanczos->size * lanczos->size) * sizeof *r);
        if (is_uneven(r, lanczos->size)) {
            take_out(lanczos, lanczos->v, lanczos->panel_count, lanczos->w,
                     lanczos->panels);
        }
    }
}

/* --- steps ---------------------------------------------------------------- */

static double *new_block(const sb_lanczos *lanczos, int panels) {
    return sb_alloc_aligned((size_t)panels * panel_size(lanczos) *
                            sizeof(double));
}

sb_status sb_lanczos_create(sb_lanczos **out, sb_pencil *pencil, int panels,
                            sb_error *err) {
    sb_lanczos *lanczos = sb_alloc(1, sizeof *lanczos);
    if (!lanczos) {
        return sb_no_memory(err, "eigenproblem of size %d", pencil->n);
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
        sb_status status =
            sb_no_memory(err, "eigenproblem of size %d", lanczos->pencil->n);
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
    sb_free_all(lanczos->v, lanczos->w, lanczos->a, lanczos->b, lanczos->c,
                lanczos->spare, lanczos->weighed, lanczos);
}

static sb_status add_panel(sb_lanczos *lanczos, sb_error *err) {
    int count = lanczos->panel_count;
    double *panel = new_block(lanczos, 1);
    if (!panel ||
        !sb_grow_list(lanczos->v, lanczos->panel_capacity, count + 1)) {
        sb_free(panel);
        return sb_no_memory(err, "eigenproblem of size %d", lanczos->pencil->n);
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
        return sb_no_memory(err, "eigenproblem of size %d", lanczos->pencil->n);
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
    double r[SQUARE];
    fill_randomly(lanczos, lanczos->w, lanczos->panels);
    take_out(lanczos, lanczos->v, lanczos->panel_count, lanczos->w,
             lanczos->panels);
    orthonormalise(lanczos, r);
}

/* The panels in hand become V_j: copied, since the basis is kept in panels. */
static void keep(sb_lanczos *lanczos, double *const *to) {
    for (int p = 0; p < lanczos->panels; p++) {
        memcpy(to[p], lanczos->w + (size_t)p * panel_size(lanczos),
               panel_size(lanczos) * sizeof(double));
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
        double turned[SQUARE];
        for (int i = 0; i < size; i++) {
            for (int k = 0; k < size; k++) {
                turned[sb_panel_at(panels, k, i)] = -b[k * size + i];
            }
        }
        sb_panel_combine(shape, v - panels, turned, lanczos->w);
    }
    take_out(lanczos, v, panels, lanczos->w, panels);
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
    take_out(lanczos, lanczos->v, lanczos->panel_count, lanczos->w,
             lanczos->panels);
    settle_diagonal(lanczos, a);
    orthonormalise(lanczos, b);
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
           (size_t)panels * panel_size(lanczos) * sizeof(double));
    sb_panel_combine(shape, lanczos->v + locked_panels(lanczos), lanczos->c,
                     lanczos->spare);
    return lanczos->spare;
}
