/* SPDX-License-Identifier: MIT */
#include "runtime/model/fill/fill.h"

#include "runtime/model/fill/fill_internal.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>

enum {
    TRIES = 8,
    NODES_DEFAULT = 20000,
    NODES_LEAST = 100,
    NODES_MOST = 4000000
};
static const double MEND_BELOW = 0.34; /* sine of 20 degrees */
static const double VOLUME_ERROR_MOST = 0.03, VOLUME_ERROR_GOOD = 0.004;
static const double SINE_GOOD = 0.14; /* 8 degrees */

sb_fill_def sb_fill_def_default(void) {
    return (sb_fill_def){.cell_m = 0, .most_nodes = NODES_DEFAULT};
}

/* Regular cells that are longer than wide are left unchanged: the target is
 * below the quality of the lattice itself. */
static double mend_target(const sb_tet_mesh *mesh) {
    double least = MEND_BELOW;
    for (int t = 0; t < mesh->tet_count; t++) {
        double quality = sb_tet_mesh_quality(mesh, mesh->tets[t]);
        least = fmin(least, 0.98 * quality);
    }
    return least;
}

static sb_status shape_lattice(const sb_boundary *boundary, sb_tet_mesh *mesh,
                               int *piece_count, sb_error *err) {
    double target = mend_target(mesh);
    sb_status status = sb_cut_trace_chains(boundary, mesh, err);
    if (!status) status = sb_cut_to_boundary(boundary, mesh, err);
    if (status) return status;
    sb_cut_mend(boundary, mesh, target);
    if (mesh->is_out_of_memory) {
        return sb_fail(err, SB_NO_MEMORY, "no memory to mend the lattice");
    }
    return sb_cut_drop_crumbs(mesh, piece_count, err);
}

static sb_status fill_once(const sb_boundary *boundary,
                           const sb_cell_plan *plan, sb_solid_mesh *out,
                           int *piece_count, sb_error *err) {
    sb_tet_mesh mesh = {0};
    sb_status status = sb_lattice_make(boundary, plan, &mesh, err);
    if (!status) status = shape_lattice(boundary, &mesh, piece_count, err);
    if (!status) status = sb_solid_mesh_make(boundary, &mesh, out, err);
    sb_tet_mesh_free(&mesh);
    return status;
}

/* Volume from winding numbers at evenly spread points. It is also right for
 * components that intersect, which the divergence theorem counts twice. */
static double sampled_volume_m3(const sb_boundary *boundary) {
    enum { POINTS = 40000 };
    sb_vec3 size = sb_vec3_sub(boundary->high, boundary->low);
    int inside = 0;
    for (int i = 0; i < POINTS; i++) {
        sb_vec3 p = boundary->low;
        p.x += size.x * fmod(i * 0.8191725133961645, 1);
        p.y += size.y * fmod(i * 0.6710436067037893, 1);
        p.z += size.z * fmod(i * 0.5497004779019703, 1);
        inside += sb_boundary_has_inside(boundary, p);
    }
    return size.x * size.y * size.z * inside / POINTS;
}

static bool has_right_volume(const sb_boundary *boundary,
                             const sb_solid_mesh *solid) {
    double volume = sb_solid_mesh_volume_m3(solid);
    if (fabs(volume / boundary->volume_m3 - 1) <= VOLUME_ERROR_MOST)
        return true;
    return volume < boundary->volume_m3 &&
           fabs(volume / sampled_volume_m3(boundary) - 1) <= VOLUME_ERROR_MOST;
}

/* Components may merge where they touch, but must not fall apart. */
static sb_status check(const sb_boundary *boundary, const sb_cell_plan *plan,
                       const sb_solid_mesh *solid, int piece_count,
                       int most_nodes, sb_error *err) {
    if (solid->tet_count > 0 && piece_count <= boundary->solid_count &&
        has_right_volume(boundary, solid)) {
        return SB_OK;
    }
    double cell = fmax(plan->cell_m[0], fmax(plan->cell_m[1], plan->cell_m[2]));
    if (piece_count > boundary->solid_count && plan->thickness_m > 2 * cell) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the body falls into %d pieces that touch in a point or "
                       "an edge only: separate them, or join them along a face",
                       piece_count);
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "the body is too thin in places (about %.3g mm) for cells "
                   "of %.3g mm: give its thickness and method = \"shell\", or "
                   "more than %d nodes",
                   plan->thickness_m * 1e3, cell * 1e3, most_nodes);
}

/* Deviation of a mesh from the requirements: 1 or less is acceptable. */
static double fault_of(const sb_boundary *boundary,
                       const sb_solid_mesh *solid) {
    double volume = sb_solid_mesh_volume_m3(solid) / boundary->volume_m3;
    double worst = 1;
    for (int i = 0; i < solid->tet_count; i++) {
        const int *t = solid->tets[i];
        worst =
            fmin(worst, sb_tet_quality(solid->nodes[t[0]], solid->nodes[t[1]],
                                       solid->nodes[t[2]], solid->nodes[t[3]]));
    }
    return fmax(fabs(volume - 1) / VOLUME_ERROR_GOOD, SINE_GOOD / worst);
}

/* The search for a cell size: the best mesh so far, and the next size. */
typedef struct search {
    const sb_boundary *boundary;
    int most_nodes; /* for finer = 1 */
    int limit;
    bool is_coarse; /* larger cells than those for most_nodes */
    double coarser;
    sb_solid_mesh best, spare;
    double best_fault; /* INFINITY: none yet */
    bool is_over;
} search;

/* Tries smaller cells while the limit allows half as many nodes again;
 * otherwise slightly larger ones, whose planes lie elsewhere. */
static void judge(search *s, sb_solid_mesh *solid, int tries) {
    double fault = fault_of(s->boundary, solid);
    bool has_room = solid->node_count < 0.6 * s->limit;
    if (fault < s->best_fault) {
        sb_solid_mesh swap = s->best;
        s->best = *solid;
        *solid = swap;
        s->best_fault = fault;
    }
    sb_solid_mesh_free(solid);
    s->is_over = fault <= 1 || tries >= 3;
    s->coarser *= has_room ? 0.85 : 1.04;
}

/* Over the limit: the next cells are larger. A thin body keeps most of its
 * nodes when its cells grow, until they are too large for it. So of coarse cells
 * two sizes are tried, and the larger one that is good is taken though it is
 * over the limit: it still has fewer nodes than most_nodes. */
static void judge_excess(search *s, const sb_cell_plan *plan,
                         sb_solid_mesh *solid, int piece_count, int tries) {
    double excess = (double)solid->node_count / s->limit;
    s->coarser *= fmax(1.04, 1.02 * pow(excess, 0.45));
    s->is_over = s->best_fault < INFINITY;
    if (s->is_coarse && solid->node_count <= s->most_nodes &&
        !check(s->boundary, plan, solid, piece_count, s->limit, NULL) &&
        fault_of(s->boundary, solid) <= 1) {
        sb_solid_mesh swap = s->spare;
        s->spare = *solid;
        *solid = swap;
    }
    sb_solid_mesh_free(solid);
    if (s->is_over || tries == 0 || s->spare.tet_count == 0) return;
    s->best = s->spare;
    s->best_fault = 1;
    s->spare = (sb_solid_mesh){0};
    s->is_over = true;
}

/* Tries one cell size. A failure after a success ends the search. */
static sb_status try_size(search *s, int tries, sb_error *err) {
    sb_cell_plan plan;
    sb_solid_mesh solid = {0};
    int piece_count = 0;
    sb_status status =
        sb_cell_plan_make(s->boundary, s->most_nodes, s->coarser, &plan, err);
    if (!status) {
        status = fill_once(s->boundary, &plan, &solid, &piece_count, err);
    }
    if (!status && solid.node_count > s->limit) {
        judge_excess(s, &plan, &solid, piece_count, tries);
        return SB_OK;
    }
    if (!status) {
        status = check(s->boundary, &plan, &solid, piece_count, s->limit, err);
    }
    if (!status) {
        judge(s, &solid, tries);
        return SB_OK;
    }
    sb_solid_mesh_free(&solid);
    s->is_over = true;
    return s->best_fault < INFINITY && status != SB_NO_MEMORY ? SB_OK : status;
}

static sb_status fill_to_size(const sb_boundary *boundary, int most_nodes,
                              double finer, sb_solid_mesh *out, sb_error *err) {
    double limit = most_nodes * finer * finer * finer;
    search s = {.boundary = boundary,
                .most_nodes = most_nodes,
                .limit = (int)fmin(limit, NODES_MOST),
                .is_coarse = finer < 1,
                .coarser = 1 / finer,
                .best_fault = INFINITY};
    sb_status status = SB_OK;
    for (int i = 0; i < TRIES && !status && !s.is_over; i++) {
        status = try_size(&s, i, err);
    }
    sb_solid_mesh_free(&s.spare);
    if (status) {
        sb_solid_mesh_free(&s.best);
        return status;
    }
    if (s.best_fault < INFINITY) {
        *out = s.best;
        return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "the body does not fit in %d nodes: give more, or its "
                   "thickness and method = \"shell\"",
                   s.limit);
}

static sb_status fill_with_cells(const sb_boundary *boundary, double cell_m,
                                 int most_nodes, sb_solid_mesh *out,
                                 sb_error *err) {
    sb_cell_plan plan = {{cell_m, cell_m, cell_m}, cell_m};
    sb_solid_mesh solid = {0};
    int piece_count = 0;
    double nodes = sb_cell_plan_nodes(boundary, plan.cell_m);
    sb_status status = SB_OK;
    if (nodes < 3.0 * most_nodes) {
        status = fill_once(boundary, &plan, &solid, &piece_count, err);
        if (status) return status;
        nodes = solid.node_count;
    }
    if (nodes > most_nodes) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "cells of %.3g mm make about %.0f nodes, more than "
                         "the %d allowed",
                         cell_m * 1e3, nodes, most_nodes);
    } else {
        status = check(boundary, &plan, &solid, piece_count, most_nodes, err);
    }
    if (status) {
        sb_solid_mesh_free(&solid);
    } else {
        *out = solid;
    }
    return status;
}

sb_status sb_fill(const sb_mesh *mesh, const sb_fill_def *def,
                  sb_solid_mesh *out, sb_error *err) {
    if (!(def->cell_m >= 0) || !isfinite(def->cell_m)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "cell_m must be 0 or positive, not %g", def->cell_m);
    }
    if (def->most_nodes < NODES_LEAST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "most_nodes must be at least %d, not %d", NODES_LEAST,
                       def->most_nodes);
    }
    sb_boundary boundary;
    sb_status status = sb_boundary_make(mesh, &boundary, err);
    if (status) return status;
    if (def->cell_m > 0) {
        status =
            fill_with_cells(&boundary, def->cell_m, def->most_nodes, out, err);
    } else {
        double finer = def->finer > 0 ? def->finer : 1;
        status = fill_to_size(&boundary, def->most_nodes, finer, out, err);
    }
    sb_boundary_free(&boundary);
    return status;
}
