/* SPDX-License-Identifier: MIT */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/bem/bem_rings.h"

#include <math.h>

bool sb_bem_rings_bench_make(const sb_bem_rings_mesh *mesh, int angles,
                             sb_bem_rings_bench *bench) {
    size_t nodes = (size_t)mesh->node_count, parts = mesh->is_sheet ? 1 : 3;
    size_t each = (size_t)angles;
    *bench = (sb_bem_rings_bench){0};
    bench->w = sb_alloc(parts * nodes * nodes, sizeof *bench->w);
    double *block = sb_alloc((1 + SB_BEM_ANGLE_SUMS) * each, sizeof *block);
    bench->angle_block = block;
    if (!bench->w || !block) return false;
    if (parts > 1) {
        bench->front = bench->w + nodes * nodes;
        bench->back = bench->front + nodes * nodes;
    }
    bench->angles.bends = block;
    for (int i = 0; i < SB_BEM_ANGLE_SUMS; i++)
        bench->angles.weights[i] = block + (size_t)(i + 1) * each;
    return true;
}

void sb_bem_rings_bench_free(sb_bem_rings_bench *bench) {
    sb_free_all(bench->w, bench->angle_block);
    *bench = (sb_bem_rings_bench){0};
}

/* --- at a wave number ----------------------------------------------------- */

int sb_bem_rings_angles(const sb_bem_rings_mesh *mesh, int waves,
                        double wavenumber) {
    int least = waves + 8 + (int)ceil(wavenumber * mesh->widest_m);
    return (least + SB_BEM_LANES - 1) / SB_BEM_LANES * SB_BEM_LANES;
}

/* Middles of equal parts; 1/4 pi is in the weights. */
static void set_angles(sb_bem_angles *angles, int count, int waves) {
    angles->count = count;
    for (int i = 0; i < count; i++) {
        double a = SB_PI * (i + 0.5) / count, half = sin(a / 2);
        double round = cos(waves * a) / (2 * count);
        angles->bends[i] = 2 * half * half;
        angles->weights[0][i] = round;
        angles->weights[1][i] = cos(a) * round;
        angles->weights[2][i] = sin(a) * sin(waves * a) / (2 * count);
    }
}

/* Where the rest of G is being added. */
typedef struct rest {
    const sb_bem_rings_mesh *mesh;
    const sb_bem_rings_bench *bench;
    const sb_bem_kernel *kernel;
    int waves;
    double wavenumber;
} rest;

static void add_rest(const rest *s, const sb_bem_spot *x, const sb_bem_spot *y,
                     double part) {
    double dr = x->r - y->r, dy = x->y - y->y, k = s->wavenumber;
    sb_bem_rings rings = {dr * dr + dy * dy, 2 * x->r * y->r};
    double g[SB_BEM_ANGLE_SUMS][2], steep[SB_BEM_ANGLE_SUMS][2];
    bool has_k = !s->mesh->is_sheet;
    s->kernel->rings(&s->bench->angles, rings, k, g, has_k ? steep : NULL);
    const double *n = x->element->normal, *u = y->element->normal;
    double complex front = 0, back = 0;
    if (has_k) {
        double complex all = steep[0][0] + I * steep[0][1];
        double complex across = steep[1][0] + I * steep[1][1];
        front = (n[0] * x->r + n[1] * dy) * all - n[0] * y->r * across;
        back = (u[0] * y->r - u[1] * dy) * all - u[0] * x->r * across;
    }
    sb_bem_terms own;
    sb_bem_rings_terms(x, y, s->waves, &own);
    for (int i = 0; i < 4; i++) {
        size_t at =
            (size_t)x->element->nodes[i / 2] * (size_t)s->mesh->node_count +
            (size_t)y->element->nodes[i % 2];
        double sum[2];
        for (int c = 0; c < 2; c++) {
            double mass = own.mass[i][0] * g[0][c] + own.mass[i][1] * g[1][c];
            double curl = own.curl[i][0] * g[0][c] + own.curl[i][1] * g[1][c] +
                          own.curl[i][2] * g[2][c];
            sum[c] = part * (k * k * mass - curl);
        }
        s->bench->w[at] += sum[0] + I * sum[1];
        if (!has_k) continue;
        double both = part * x->weight * y->weight *
                      (i / 2 ? x->share : 1 - x->share) *
                      (i % 2 ? y->share : 1 - y->share);
        s->bench->front[at] += both * front;
        s->bench->back[at] += both * back;
    }
}

static void add_element(const rest *s, int e) {
    for (int f = e; f < s->mesh->element_count; f++) {
        for (int i = 0; i < 4; i++) {
            sb_bem_spot x = sb_bem_spot_of(&s->mesh->elements[e], i / 2);
            sb_bem_spot y = sb_bem_spot_of(&s->mesh->elements[f], i % 2);
            add_rest(s, &x, &y, e == f ? 0.5 : 1);
        }
    }
}

/* Both halves of W; i eta K'. */
static void join(const rest *s, double eta) {
    double complex *w = s->bench->w;
    const double complex *front = s->bench->front, *back = s->bench->back;
    size_t count = (size_t)s->mesh->node_count;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++) {
            size_t at = i * count + j, across = j * count + i;
            double complex sum = w[at] + w[across];
            w[at] = w[across] = sum;
            if (!front) continue;
            w[at] += I * eta * (front[at] + back[across]);
            if (i != j) w[across] += I * eta * (front[across] + back[at]);
        }
    }
}

static void take_mass(const rest *s, double eta) {
    for (int e = 0; e < s->mesh->element_count; e++) {
        const sb_bem_element *own = &s->mesh->elements[e];
        for (int i = 0; i < 8; i++) {
            sb_bem_spot x = sb_bem_spot_of(own, i / 4);
            size_t row = (size_t)own->nodes[i / 2 % 2];
            double mass = x.weight * (i / 2 % 2 ? x.share : 1 - x.share) *
                          (i % 2 ? x.share : 1 - x.share);
            s->bench->w[row * (size_t)s->mesh->node_count +
                        (size_t)own->nodes[i % 2]] -= I * eta * mass / 2;
        }
    }
}

/* Nodes that have no unknown: on a free edge, and where cos(n a) has no value. */
static void leave_out(const rest *s) {
    size_t count = (size_t)s->mesh->node_count;
    for (size_t i = 0; i < count; i++) {
        bool is_out =
            s->mesh->is_edge[i] || (s->waves > 0 && s->mesh->is_tip[i]);
        for (size_t j = 0; is_out && j < count; j++)
            s->bench->w[i * count + j] = s->bench->w[j * count + i] = i == j;
    }
}

void sb_bem_rings_system(const sb_bem_rings_mesh *mesh, int index,
                         double wavenumber, double eta,
                         sb_bem_rings_bench *bench) {
    const sb_bem_static *from = &mesh->statics[index];
    size_t size = (size_t)mesh->node_count * (size_t)mesh->node_count;
    int waves = mesh->waves[index];
    for (size_t i = 0; i < size; i++) {
        bench->w[i] = wavenumber * wavenumber * from->mass[i] - from->curl[i];
        if (!bench->front) continue;
        bench->front[i] = from->front[i];
        bench->back[i] = from->back[i];
    }
    set_angles(&bench->angles, sb_bem_rings_angles(mesh, waves, wavenumber),
               waves);
    const rest s = {mesh, bench, sb_bem_kernel_best(), waves, wavenumber};
    for (int e = 0; e < mesh->element_count && !sb_stop_is_wanted(); e++)
        add_element(&s, e);
    join(&s, eta);
    if (!mesh->is_sheet) take_mass(&s, eta);
    leave_out(&s);
}
