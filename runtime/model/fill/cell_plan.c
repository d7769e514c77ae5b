/* Chooses the size of lattice cells. Runs on the control thread or a worker. */
#include "runtime/model/fill/lattice.h"

#include "runtime/base/memory.h"

#include <stdlib.h>

/* With fewer elements than this across a thin place they would be
 * degenerate. */
static const double ACROSS_LEAST = 0.4;

enum { SAMPLES = 800, CELLS_LEAST = 400 };

/* Depth of the material behind one point of the surface, and its axis. */
typedef struct depth {
    double depth_m;
    int axis; /* 3: along no axis */
} depth;

static double component(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static depth depth_behind(const sb_boundary *boundary, int face, double u,
                          double v) {
    const int *f = boundary->faces[face];
    sb_vec3 a = boundary->vertices[f[0]];
    sb_vec3 p = a, n = boundary->normals[face];
    p = sb_vec3_add(p,
                    sb_vec3_scale(sb_vec3_sub(boundary->vertices[f[1]], a), u));
    p = sb_vec3_add(p,
                    sb_vec3_scale(sb_vec3_sub(boundary->vertices[f[2]], a), v));
    double reach = boundary->tree.reach;
    sb_vec3 to = sb_vec3_sub(p, sb_vec3_scale(n, reach));
    int hit = -1;
    double t = sb_triangle_tree_first_hit(&boundary->tree, p, to, 1e-6, &hit);
    depth d = {INFINITY, 3};
    /* Near a sharp edge the face that the ray hits is not the opposite one. */
    if (hit < 0 || sb_vec3_dot(n, boundary->normals[hit]) > -0.7) {
        return d;
    }
    d.depth_m = t * reach;
    for (int axis = 0; axis < 3; axis++) {
        if (fabs(component(n, axis)) > 0.9) d.axis = axis;
    }
    return d;
}

static double face_area(const sb_boundary *boundary, int face) {
    const int *f = boundary->faces[face];
    sb_vec3 a = boundary->vertices[f[0]];
    return 0.5 * sb_vec3_length(
                     sb_vec3_cross(sb_vec3_sub(boundary->vertices[f[1]], a),
                                   sb_vec3_sub(boundary->vertices[f[2]], a)));
}

/* The number of samples is proportional to area; within a face they follow a
 * low-discrepancy sequence. */
static int sample_depths(const sb_boundary *boundary, depth depths[SAMPLES]) {
    double each = boundary->area_m2 / SAMPLES, passed = 0;
    int count = 0;
    for (int i = 0; i < boundary->face_count; i++) {
        passed += face_area(boundary, i);
        while (count < SAMPLES && passed > (count + 0.5) * each) {
            double u = fmod(count * 0.7548776662466927, 1);
            double v = fmod(count * 0.5698402909980532, 1);
            if (u + v > 1) {
                u = 1 - u;
                v = 1 - v;
            }
            depths[count++] =
                depth_behind(boundary, i, 0.98 * u + 0.0066, 0.98 * v + 0.0066);
        }
    }
    return count;
}

static int compare_depths(const void *left, const void *right) {
    const depth *a = left, *b = right;
    return a->depth_m < b->depth_m ? -1 : a->depth_m > b->depth_m;
}

/* The 10 % quantile of the depths along `axis`, but at least half of the
 * median: at a sharp edge the depth goes to zero. INFINITY when too few
 * samples are along the axis to matter. `depths` are sorted. */
static double thin_depth(const depth *depths, int count, int axis) {
    int along = 0, seen = 0;
    double tenth = INFINITY;
    for (int i = 0; i < count; i++) {
        along += depths[i].axis == axis && depths[i].depth_m < INFINITY;
    }
    if (along * 25 < count) return INFINITY;
    for (int i = 0; i < count; i++) {
        if (depths[i].axis != axis) continue;
        if (seen * 10 >= along && tenth == INFINITY) tenth = depths[i].depth_m;
        if (seen++ * 2 >= along) return fmax(tenth, 0.5 * depths[i].depth_m);
    }
    return tenth;
}

/* Number of quadratic nodes of such cells, two planes of nodes per cell. The
 * volume counts a node on the surface half, since the other half would
 * belong to a missing neighbour; the projected areas add that half. */
double sb_cell_plan_nodes(const sb_boundary *boundary, const double cell[3]) {
    double a = 2 / cell[0], b = 2 / cell[1], c = 2 / cell[2];
    sb_vec3 shadow = {0, 0, 0};
    for (int i = 0; i < boundary->face_count; i++) {
        sb_vec3 n = boundary->normals[i];
        double half = 0.5 * face_area(boundary, i);
        shadow.x += fabs(n.x) * half;
        shadow.y += fabs(n.y) * half;
        shadow.z += fabs(n.z) * half;
    }
    return boundary->volume_m3 * a * b * c + shadow.x * b * c +
           shadow.y * a * c + shadow.z * a * b;
}

/* `across`: elements across thin places. No cell is more than `aspect` times
 * as long as it is wide. */
static void cells_for(const double thin[4], double bulk, double across,
                      double aspect, double cell[3]) {
    double all = fmin(bulk, thin[3] / across), least = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = fmin(all, thin[axis] / across);
        least = fmin(least, cell[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = fmin(cell[axis], aspect * least);
    }
}

/* Fraction of the surface that is flat and perpendicular to an axis. */
static double flat_part(const sb_boundary *boundary) {
    double flat = 0;
    for (int i = 0; i < boundary->face_count; i++) {
        sb_vec3 n = boundary->normals[i];
        double most = fmax(fabs(n.x), fmax(fabs(n.y), fabs(n.z)));
        if (most > 0.99999) flat += face_area(boundary, i);
    }
    return flat / boundary->area_m2;
}

sb_status sb_cell_plan_make(const sb_boundary *boundary, int most_nodes,
                            double coarser, sb_cell_plan *out, sb_error *err) {
    depth *depths = sb_alloc(SAMPLES, sizeof *depths);
    if (!depths) return sb_fail(err, SB_NO_MEMORY, "no memory for depths");
    int count = sample_depths(boundary, depths);
    qsort(depths, (size_t)count, sizeof *depths, compare_depths);
    double thin[4];
    sb_cell_plan plan = {.thickness_m = INFINITY};
    for (int axis = 0; axis < 4; axis++) {
        thin[axis] = thin_depth(depths, count, axis);
        plan.thickness_m = fmin(plan.thickness_m, thin[axis]);
    }
    sb_free(depths);
    double flat = flat_part(boundary);
    double aspect = flat > 0.9 ? 4 : flat > 0.5 ? 3 : 2;
    double bulk = cbrt(boundary->volume_m3 / CELLS_LEAST);
    double room = most_nodes / (1.5 - 0.45 * flat);
    for (double across = 2; across > ACROSS_LEAST * coarser; across *= 0.92) {
        double larger = across < 1 ? 1 / across : 1;
        cells_for(thin, bulk * larger, across, aspect, plan.cell_m);
        if (sb_cell_plan_nodes(boundary, plan.cell_m) > room) continue;
        for (int axis = 0; axis < 3; axis++) {
            plan.cell_m[axis] *= coarser;
        }
        *out = plan;
        return SB_OK;
    }
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "the body is too thin (%.3g mm) for %d nodes: give its "
                   "thickness and method = \"shell\", or more nodes",
                   plan.thickness_m * 1e3, most_nodes);
}
