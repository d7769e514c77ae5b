/* Makes Lanczos blocks orthonormal and orthogonal to the basis. Runs on the
 * thread that solves and on its workers. */
#include "runtime/model/eigen/lanczos_internal.h"

#include <math.h>
#include <string.h>

static void project(sb_lanczos *lanczos, double *const *v, int left,
                    const double *w, int panels) {
    sb_panel_shape shape = {lanczos->dim, left, panels,
                            lanczos->pencil->threads};
    sb_panel_project(
        shape, v, sb_pencil_weigh(lanczos->pencil, w, lanczos->weighed, panels),
        lanczos->c);
}

void sb_lanczos_take_out(sb_lanczos *lanczos, double *const *v, int left,
                         double *w, int panels) {
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
    memset(out, 0, SB_LANCZOS_SQUARE * sizeof *out);
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

void sb_lanczos_fill(sb_lanczos *lanczos, double *w, int panels) {
    size_t count = (size_t)panels * sb_lanczos_panel(lanczos);
    for (size_t i = 0; i < count; i++) {
        w[i] = 2 * sb_random_unit(&lanczos->random) - 1;
    }
    sb_pencil_apply(lanczos->pencil, w, w, panels);
}

/* One vector of w alone: z holds it in its first column, zeros elsewhere. */
static void pick(const sb_lanczos *lanczos, double *w, int j, double *z,
                 bool is_back) {
    double *from = w + (size_t)(j / SB_PANEL) * sb_lanczos_panel(lanczos);
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
    sb_lanczos_take_out(lanczos, lanczos->v, lanczos->panel_count, z, 1);
    sb_panel_shape shape = {lanczos->dim, 1, 1, 1};
    for (int p = 0; p * SB_PANEL < count; p++) {
        double *panel = w + (size_t)p * sb_lanczos_panel(lanczos);
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
    for (size_t i = 0; i < sb_lanczos_panel(lanczos); i++) {
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
            sb_lanczos_fill(lanczos, z, 1);
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
    double inverse[SB_LANCZOS_SQUARE], *panels[SB_PENCIL_PANELS];
    size_t count = (size_t)lanczos->panels * sb_lanczos_panel(lanczos);
    sb_panel_shape shape = {lanczos->dim, lanczos->panels, lanczos->panels,
                            lanczos->pencil->threads};
    invert_triangle(lanczos, g, inverse);
    for (int p = 0; p < lanczos->panels; p++) {
        panels[p] = lanczos->w + (size_t)p * sb_lanczos_panel(lanczos);
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
        panels[p] = lanczos->w + (size_t)p * sb_lanczos_panel(lanczos);
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

/* Orthogonal to the basis once more if normalising has magnified errors. */
void sb_lanczos_orthonormalise(sb_lanczos *lanczos, double *r) {
    double least = 1e-26 * lanczos->largest * lanczos->largest,
           g[SB_LANCZOS_SQUARE];
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
            sb_lanczos_take_out(lanczos, lanczos->v, lanczos->panel_count,
                                lanczos->w, lanczos->panels);
        }
    }
}
