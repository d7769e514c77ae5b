/* SPDX-License-Identifier: MIT */
#include "runtime/model/revolve/harmonic.h"

#include "runtime/base/memory.h"
#include "runtime/model/eigen/eigen_sparse.h"
#include "runtime/model/linear/sparse.h"
#include "runtime/model/revolve/outline.h"

#include <math.h>
#include <string.h>

/* --- one element ---------------------------------------------------------- */

/* Per node: u_r, u_a, u_y, the lean along the profile and that round it. */
enum { RING_NODE = 5, RING_DOFS = 3 * RING_NODE };

typedef struct ring_element {
    double k[RING_DOFS][RING_DOFS];
    double m[RING_DOFS][RING_DOFS];
} ring_element;

enum { STRAINS = 5 }; /* ss, aa, sa, and across the wall sn, an */

#define SHEAR_SHARE (5.0 / 6.0)

/* Near the tip of a cone the inner face would lie beyond the axis. */
#define LEAST_SHARE 0.2

/* A scalar field, and its slopes along xi and zeta, later along r and y. */
typedef struct scalar {
    double value, xi, zeta;
} scalar;

/* All that is known of a point of the wall: xi along the element, zeta across
 * the wall, both -1 .. 1. */
typedef struct place {
    double n[3], slope[3]; /* of the three nodes */
    double zeta;
    double r, r_xi, r_zeta, y_xi, y_zeta;
    double det;
} place;

static place place_at(const sb_meridian *meridian, int element, double xi,
                      double zeta) {
    place at = {.n = {0.5 * xi * (xi - 1), 1 - xi * xi, 0.5 * xi * (xi + 1)},
                .slope = {xi - 0.5, -2 * xi, xi + 0.5},
                .zeta = zeta};
    double middle = 0;
    for (int i = 0; i < 3; i++) {
        const sb_director *d = &meridian->directors[element][i];
        const sb_meridian_node *node =
            &meridian->nodes[sb_meridian_node_of(meridian, element, i)];
        double half_r = 0.5 * d->wall_m * d->unit[0];
        double half_y = 0.5 * d->wall_m * d->unit[1];
        middle += at.n[i] * node->r;
        at.r += at.n[i] * (node->r + zeta * half_r);
        at.r_xi += at.slope[i] * (node->r + zeta * half_r);
        at.y_xi += at.slope[i] * (node->y + zeta * half_y);
        at.r_zeta += at.n[i] * half_r;
        at.y_zeta += at.n[i] * half_y;
    }
    at.r = fmax(at.r, LEAST_SHARE * middle);
    at.det = at.r_xi * at.y_zeta - at.y_xi * at.r_zeta;
    return at;
}

/* What one number of the element moves: a direction (r, a, y) times a scalar
 * field. */
static scalar motion_of(const sb_meridian *meridian, int element,
                        const place *at, int dof, double direction[3]) {
    int i = dof / RING_NODE, which = dof % RING_NODE;
    const sb_director *d = &meridian->directors[element][i];
    memset(direction, 0, 3 * sizeof *direction);
    if (which < 3) {
        direction[which] = 1;
        return (scalar){at->n[i], at->slope[i], 0};
    }
    double half = 0.5 * d->wall_m;
    if (which == 3) {
        direction[0] = d->tangent[0];
        direction[2] = d->tangent[1];
    } else {
        direction[1] = 1;
    }
    return (scalar){at->n[i] * at->zeta * half, at->slope[i] * at->zeta * half,
                    at->n[i] * half};
}

/* The strains along the wall (s), round it (a) and across it (n). */
static void strain_of(const place *at, int waves, scalar f,
                      const double direction[3], double out[STRAINS]) {
    double u = direction[0], v = direction[1], w = direction[2];
    double f_r = (f.xi * at->y_zeta - f.zeta * at->y_xi) / at->det;
    double f_y = (f.zeta * at->r_xi - f.xi * at->r_zeta) / at->det;
    double turn = waves * f.value / at->r;
    double rr = u * f_r, yy = w * f_y, ry = u * f_y + w * f_r;
    double ra = -u * turn + v * (f_r - f.value / at->r);
    double ya = v * f_y - w * turn;
    double length = hypot(at->r_xi, at->y_xi);
    double s_r = at->r_xi / length, s_y = at->y_xi / length;
    double n_r = s_y, n_y = -s_r;
    out[0] = s_r * s_r * rr + s_y * s_y * yy + s_r * s_y * ry;
    out[1] = u * f.value / at->r + v * turn;
    out[2] = s_r * ra + s_y * ya;
    out[3] =
        2 * s_r * n_r * rr + 2 * s_y * n_y * yy + (s_r * n_y + s_y * n_r) * ry;
    out[4] = n_r * ra + n_y * ya;
}

static void add_stiffness(const sb_meridian *meridian, int element,
                          const place *at, int waves, double nu, double weight,
                          ring_element *out) {
    double b[RING_DOFS][STRAINS], stress[STRAINS];
    double plane = weight / (1 - nu * nu), shear = weight / (2 * (1 + nu));
    for (int i = 0; i < RING_DOFS; i++) {
        double direction[3];
        scalar f = motion_of(meridian, element, at, i, direction);
        strain_of(at, waves, f, direction, b[i]);
    }
    for (int i = 0; i < RING_DOFS; i++) {
        stress[0] = plane * (b[i][0] + nu * b[i][1]);
        stress[1] = plane * (b[i][1] + nu * b[i][0]);
        stress[2] = shear * b[i][2];
        stress[3] = SHEAR_SHARE * shear * b[i][3];
        stress[4] = SHEAR_SHARE * shear * b[i][4];
        for (int j = 0; j < RING_DOFS; j++) {
            double sum = 0;
            for (int k = 0; k < STRAINS; k++)
                sum += stress[k] * b[j][k];
            out->k[i][j] += sum;
        }
    }
}

static void add_mass(const sb_meridian *meridian, int element, const place *at,
                     double weight, ring_element *out) {
    double motions[RING_DOFS][3];
    for (int i = 0; i < RING_DOFS; i++) {
        scalar f = motion_of(meridian, element, at, i, motions[i]);
        for (int c = 0; c < 3; c++)
            motions[i][c] *= f.value;
    }
    for (int i = 0; i < RING_DOFS; i++) {
        for (int j = 0; j < RING_DOFS; j++) {
            out->m[i][j] += weight * (motions[i][0] * motions[j][0] +
                                      motions[i][1] * motions[j][1] +
                                      motions[i][2] * motions[j][2]);
        }
    }
}

static void ring_element_make(const sb_meridian *meridian, int element,
                              int waves, double poisson_ratio,
                              ring_element *out) {
    static const double two = 0.5773502691896257, three = 0.7745966692414834;
    const double thirds[3] = {-three, 0, three};
    const double shares[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    memset(out, 0, sizeof *out);
    for (int side = 0; side < 2; side++) {
        double zeta = side == 0 ? -two : two;
        for (int i = 0; i < 2; i++) {
            place at = place_at(meridian, element, i == 0 ? -two : two, zeta);
            add_stiffness(meridian, element, &at, waves, poisson_ratio,
                          at.r * fabs(at.det), out);
        }
        for (int i = 0; i < 3; i++) {
            place at = place_at(meridian, element, thirds[i], zeta);
            add_mass(meridian, element, &at, shares[i] * at.r * fabs(at.det),
                     out);
        }
    }
}

/* --- one number of waves -------------------------------------------------- */

enum { U_R, U_A, U_Y, ALONG, KINDS }; /* the lean round the axis is apart */

/* A number of the mesh as a multiple of an unknown; -1: it is 0. */
typedef struct slot {
    int unknown;
    double factor;
    bool is_copy; /* of another number */
} slot;

typedef struct system_of {
    const sb_harmonic_def *def;
    slot (*nodes)[KINDS];
    slot *leans;
    int unknowns;
    sb_sparse k, m;
    sb_eigen_result modes;
} system_of;

static void free_system(system_of *self) {
    sb_free(self->nodes);
    sb_free(self->leans);
    sb_sparse_free(&self->k);
    sb_sparse_free(&self->m);
    sb_eigen_result_free(&self->modes);
}

/* --- unknowns ------------------------------------------------------------- */

static const slot fixed = {-1, 0, false};

static int lean_at(const sb_meridian *meridian, bool is_last) {
    int last = meridian->element_count - 1;
    return is_last ? meridian->directors[last][2].lean
                   : meridian->directors[0][0].lean;
}

/* On the axis. `radial` is how far the profile runs outward there. */
static void close_axis(system_of *self, int node, int lean, double radial) {
    slot *at = self->nodes[node];
    int waves = self->def->waves;
    slot u_r = at[U_R], along = at[ALONG];
    at[U_R] = at[U_A] = at[ALONG] = self->leans[lean] = fixed;
    if (waves != 0) at[U_Y] = fixed;
    if (waves != 1) return;
    at[U_R] = u_r;
    at[U_A] = (slot){0, -1, true};
    at[ALONG] = along;
    self->leans[lean] = (slot){0, -radial, true};
}

static void hold(system_of *self, int node, sb_rim rim) {
    slot *at = self->nodes[node];
    if (rim == SB_RIM_FREE) return;
    at[U_R] = at[U_A] = fixed;
    if (rim == SB_RIM_CLAMPED) at[U_Y] = at[ALONG] = fixed;
}

static void hold_lean(system_of *self, int lean, sb_rim rim) {
    if (rim != SB_RIM_FREE) self->leans[lean] = fixed;
}

static void hold_rims(system_of *self) {
    const sb_harmonic_def *def = self->def;
    const sb_meridian *meridian = def->meridian;
    int last = meridian->node_count - 1;
    int held = meridian->starts_on_axis ? meridian->held_nodes : 1;
    for (int i = 0; i < held; i++) {
        hold(self, i, def->first);
        if (i < meridian->lean_count) hold_lean(self, i, def->first);
    }
    hold(self, last, def->last);
    hold_lean(self, lean_at(meridian, true), def->last);
}

/* Unknowns are numbered along the profile, those that are fixed left out. */
static void number_unknowns(system_of *self) {
    const sb_meridian *meridian = self->def->meridian;
    int numbers = KINDS * meridian->node_count + meridian->lean_count;
    slot *all = &self->nodes[0][0];
    int next = 0;
    for (int i = 0; i < numbers; i++) {
        slot *at = i < KINDS * meridian->node_count
                       ? all + i
                       : self->leans + (i - KINDS * meridian->node_count);
        if (at->unknown >= 0 && !at->is_copy) at->unknown = next++;
    }
    self->unknowns = next;
}

/* The second of two coupled numbers follows the first. */
static void follow(system_of *self, int node, int lean) {
    if (self->def->waves != 1) return;
    slot *at = self->nodes[node], *turned = &self->leans[lean];
    if (at[U_A].is_copy) at[U_A].unknown = at[U_R].unknown;
    if (turned->is_copy) turned->unknown = at[ALONG].unknown;
}

static bool make_unknowns(system_of *self) {
    const sb_meridian *meridian = self->def->meridian;
    int last = meridian->node_count - 1;
    self->nodes = sb_alloc((size_t)meridian->node_count, sizeof *self->nodes);
    self->leans = sb_alloc((size_t)meridian->lean_count, sizeof *self->leans);
    if (!self->nodes || !self->leans) return false;
    for (int i = 0; i < KINDS * meridian->node_count; i++)
        (&self->nodes[0][0])[i] = (slot){0, 1, false};
    for (int i = 0; i < meridian->lean_count; i++)
        self->leans[i] = (slot){0, 1, false};
    int first_lean = lean_at(meridian, false),
        last_lean = lean_at(meridian, true);
    const sb_director *ends[2] = {
        &meridian->directors[0][0],
        &meridian->directors[meridian->element_count - 1][2]};
    if (meridian->starts_on_axis)
        close_axis(self, 0, first_lean, ends[0]->tangent[0]);
    if (meridian->ends_on_axis)
        close_axis(self, last, last_lean, ends[1]->tangent[0]);
    hold_rims(self);
    number_unknowns(self);
    if (meridian->starts_on_axis) follow(self, 0, first_lean);
    if (meridian->ends_on_axis) follow(self, last, last_lean);
    return true;
}

/* --- matrices ------------------------------------------------------------- */

static void slots_of(const system_of *self, int element,
                     slot slots[RING_DOFS]) {
    const sb_meridian *meridian = self->def->meridian;
    for (int j = 0; j < 3; j++) {
        int node = sb_meridian_node_of(meridian, element, j);
        memcpy(slots + RING_NODE * j, self->nodes[node],
               sizeof self->nodes[node]);
        slots[RING_NODE * j + KINDS] =
            self->leans[meridian->directors[element][j].lean];
    }
}

static sb_status add_element(const system_of *self, int element,
                             sb_sparse_builder *k, sb_sparse_builder *m,
                             sb_error *err) {
    ring_element made;
    slot slots[RING_DOFS];
    int indices[RING_DOFS];
    ring_element_make(self->def->meridian, element, self->def->waves,
                      self->def->poisson_ratio, &made);
    slots_of(self, element, slots);
    for (int i = 0; i < RING_DOFS; i++) {
        indices[i] = slots[i].unknown;
        for (int j = 0; j < RING_DOFS; j++) {
            double factor = slots[i].factor * slots[j].factor;
            made.k[i][j] *= factor;
            made.m[i][j] *= factor;
        }
    }
    sb_status status = sb_sparse_add(k, indices, RING_DOFS, &made.k[0][0], err);
    if (status) return status;
    return sb_sparse_add(m, indices, RING_DOFS, &made.m[0][0], err);
}

static sb_status assemble(system_of *self, sb_error *err) {
    sb_sparse_builder *k = NULL, *m = NULL;
    sb_status status = sb_sparse_begin(&k, self->unknowns, err);
    if (!status) status = sb_sparse_begin(&m, self->unknowns, err);
    int elements = self->def->meridian->element_count;
    for (int e = 0; !status && e < elements; e++)
        status = add_element(self, e, k, m, err);
    if (status) {
        sb_sparse_abandon(k);
        sb_sparse_abandon(m);
        return status;
    }
    status = sb_sparse_end(k, &self->k, err);
    if (status) {
        sb_sparse_abandon(m);
        return status;
    }
    return sb_sparse_end(m, &self->m, err);
}

/* --- modes ---------------------------------------------------------------- */

static int rigid_count(const sb_harmonic_def *def) {
    bool is_held = def->first != SB_RIM_FREE || def->last != SB_RIM_FREE;
    bool is_clamped =
        def->first == SB_RIM_CLAMPED || def->last == SB_RIM_CLAMPED;
    if (def->waves == 0) return !is_held ? 2 : is_clamped ? 0 : 1;
    if (def->waves > 1) return 0;
    if (!is_held) return 2;
    /* Pinned at one ring only, it swings about that ring's middle. */
    bool is_one = def->first == SB_RIM_FREE || def->last == SB_RIM_FREE;
    return is_clamped || !is_one ? 0 : 1;
}

static sb_status solve(system_of *self, int rigid, sb_error *err) {
    sb_eigen_def def = {.k = &self->k,
                        .m = &self->m,
                        .max_value = self->def->max_value,
                        .max_count = self->unknowns,
                        .threads = 1};
    sb_status status = sb_eigen_sparse(&def, &self->modes, err);
    if (status || self->modes.count > rigid) return status;
    /* None below the bound: find at least the lowest. */
    sb_eigen_result_free(&self->modes);
    def.max_value = INFINITY;
    def.max_count = rigid + 1 < self->unknowns ? rigid + 1 : self->unknowns;
    return sb_eigen_sparse(&def, &self->modes, err);
}

static sb_status keep(const system_of *self, int rigid, sb_harmonic *out,
                      sb_error *err) {
    const sb_eigen_result *modes = &self->modes;
    size_t nodes = (size_t)self->def->meridian->node_count;
    int count = modes->count - rigid;
    out->rigid_count = rigid;
    out->lowest = count > 0 ? modes->values[rigid] : INFINITY;
    while (count > 0 && modes->values[rigid + count - 1] > self->def->max_value)
        count--;
    out->values = sb_alloc((size_t)count + 1, sizeof *out->values);
    out->shapes = sb_alloc((size_t)count * nodes + 1, sizeof *out->shapes);
    if (!out->values || !out->shapes) {
        return sb_fail(err, SB_NO_MEMORY, "revolve: out of memory for %d modes",
                       count);
    }
    out->count = count;
    for (int k = 0; k < count; k++) {
        const double *x =
            modes->vectors + (size_t)(rigid + k) * (size_t)modes->n;
        out->values[k] = modes->values[rigid + k];
        for (size_t i = 0; i < nodes; i++) {
            for (int c = 0; c < 3; c++) {
                slot at = self->nodes[i][c];
                double value = at.unknown < 0 ? 0 : at.factor * x[at.unknown];
                out->shapes[(size_t)k * nodes + i][c] = value;
            }
        }
    }
    return SB_OK;
}

sb_status sb_harmonic_solve(const sb_harmonic_def *def, sb_harmonic *out,
                            sb_error *err) {
    system_of self = {.def = def};
    sb_harmonic made = {.lowest = INFINITY};
    int rigid = rigid_count(def);
    sb_status status = SB_OK;
    if (!make_unknowns(&self)) {
        status = sb_no_memory(err, "revolve");
    }
    if (!status && self.unknowns <= rigid) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "revolve: its support holds all of it");
    }
    if (!status) status = assemble(&self, err);
    if (!status) status = solve(&self, rigid, err);
    if (!status) status = keep(&self, rigid, &made, err);
    free_system(&self);
    if (status) {
        sb_harmonic_free(&made);
        return status;
    }
    *out = made;
    return SB_OK;
}

void sb_harmonic_free(sb_harmonic *harmonic) {
    sb_free(harmonic->values);
    sb_free(harmonic->shapes);
    *harmonic = (sb_harmonic){0};
}
