/* SPDX-License-Identifier: MIT */
#include "runtime/model/solve/mesh_prepare.h"

#include "runtime/base/pi.h"
#include "runtime/model/fill/inside.h"
#include "runtime/model/fill/thin.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"
#include "runtime/model/textures/skin_uv.h"

#include <math.h>
#include <stdio.h>

/* --- shell or full -------------------------------------------------------- */

#define TOLERANCE 1.05

static bool is_solid(sb_method method) {
    return method == SB_METHOD_SOLID || method == SB_METHOD_TET4;
}

static bool is_closed(const sb_shape *shape) {
    return sb_mesh_source_report(shape->mesh)->is_closed &&
           sb_mesh_source_mesh(shape->mesh)->tet_count == 0;
}

/* A shape whose modes are known is not solved. */
static bool is_solved_mesh(const sb_shape *shape) {
    return shape->mesh && !sb_mesh_source_solution(shape->mesh);
}

static void print_length(char text[24], double length_m) {
    (void)snprintf(text, 24, length_m < 1 ? "%.3g mm" : "%.3g m",
                   length_m < 1 ? 1e3 * length_m : length_m);
}

static sb_status settle_closed(sb_shape *shape, char *remark, size_t size,
                               sb_error *err) {
    const char *path = sb_mesh_source_path(shape->mesh);
    double inside_m;
    sb_status status =
        sb_inside_measure(sb_mesh_source_mesh(shape->mesh), &inside_m, err);
    if (status || inside_m == 0) return status;
    char wall[24], inside[24];
    print_length(wall, shape->thickness);
    print_length(inside, inside_m);
    if (shape->thickness > TOLERANCE * inside_m) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: a wall of %s is thicker than the body, which "
                       "is %s thick: leave out thickness to take it as full",
                       path, wall, inside);
    }
    if (TOLERANCE * 2 * shape->thickness < inside_m) return SB_OK;
    if (shape->method == SB_METHOD_AUTO) {
        shape->thickness = 0;
        (void)snprintf(remark, size,
                       "%.300s: taken as full: its surface is closed and %s "
                       "thick inside, no more than two walls of %s",
                       path, inside, wall);
    } else {
        (void)snprintf(remark, size,
                       "%.300s: method = \"%s\" takes it as hollow with walls "
                       "of %s, though it is only %s thick inside; without a "
                       "method it is full",
                       path, sb_method_name(shape->method), wall, inside);
    }
    return SB_OK;
}

sb_status sb_wall_settle(sb_shape *shape, char *remark, size_t size,
                         sb_error *err) {
    remark[0] = '\0';
    if (!is_solved_mesh(shape) || !(shape->thickness > 0)) return SB_OK;
    bool is_auto = shape->method == SB_METHOD_AUTO;
    bool has_tets = sb_mesh_source_mesh(shape->mesh)->tet_count > 0;
    bool is_filled = is_solid(shape->method) || (is_auto && has_tets);
    if (is_filled && (has_tets || is_closed(shape))) {
        shape->thickness = 0; /* so that its mass, too, is a full body's */
        return SB_OK;
    }
    return is_closed(shape) ? settle_closed(shape, remark, size, err) : SB_OK;
}

bool sb_wall_allows(const sb_shape *shape, sb_method method, char *why,
                    size_t size) {
    if (!is_solved_mesh(shape) || !is_closed(shape)) return true;
    bool is_full = !(shape->thickness > 0);
    if (is_solid(method) == is_full) return true;
    (void)snprintf(why, size,
                   is_full ? "not comparable: its closed surface as a sheet "
                             "is a hollow body, and this one is full"
                           : "not comparable: it fills the closed surface, "
                             "and this body is hollow");
    return false;
}

/* --- thinned -------------------------------------------------------------- */

enum {
    UNTOUCHED_MOST = 12000, /* vertices of a mesh that is solved as it is */
    TARGET_LEAST = 5000,    /* whatever the frequencies need */
    TARGET_MOST = 9000,     /* what is solved in seconds */
    EDGES_PER_WAVE = 8
};

static const double WORTH = 1.3; /* at least this many times too many */
static const double EQUILATERAL = 0.8660254037844386; /* area per vertex */
static const double LONGEST = 1.7;   /* edges, over that of the target */
static const double FIDELITY = 0.05; /* deviation over thickness */
static const double SECONDS_PER_VERTEX = 1e-5;

static bool is_sheet(const sb_shape *shape) {
    if (!shape->mesh || !(shape->thickness > 0)) return false;
    if (sb_mesh_source_solution(shape->mesh)) return false;
    const sb_mesh *mesh = sb_mesh_source_mesh(shape->mesh);
    if (shape->method == SB_METHOD_AUTO) return mesh->tet_count == 0;
    /* springs-literal takes the mesh unchanged. */
    return shape->method == SB_METHOD_SHELL ||
           shape->method == SB_METHOD_SPRINGS;
}

static double area_of(const sb_mesh *mesh) {
    double area = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        const int *f = mesh->faces[i];
        sb_vec3 a = mesh->vertices[f[0]];
        area += 0.5 * sb_vec3_length(sb_vec3_span(a, mesh->vertices[f[1]],
                                                  mesh->vertices[f[2]]));
    }
    return area;
}

static double span_of(const sb_mesh_report *report) {
    return sb_vec3_length(sb_vec3_sub(report->high_m, report->low_m));
}

/* The number of vertices that the modes need. */
static double vertices_needed(const sb_thinned_def *def, double area_m2) {
    double h = def->shape->thickness, nu = def->poisson_ratio;
    double wave_m = sqrt(SB_PI * area_m2 / def->max_modes);
    if (isfinite(def->max_lambda)) {
        double stiffness = h * h / (12 * (1 - nu * nu));
        wave_m =
            fmax(wave_m, 2 * SB_PI * pow(stiffness / def->max_lambda, 0.25));
    }
    double edge_m = wave_m / EDGES_PER_WAVE;
    if (def->shape->elements > 0) {
        double span_m = span_of(sb_mesh_source_report(def->shape->mesh));
        edge_m = fmin(edge_m, span_m / def->shape->elements);
    }
    return area_m2 / (EQUILATERAL * edge_m * edge_m);
}

/* --- thinning ------------------------------------------------------------- */

static bool pass_on(void *context, int done, int expected) {
    const sb_thinned_def *def = context;
    return def->progress(def->context, "thinning", done, expected);
}

static sb_status thin(const sb_thinned_def *def, int target, double area_m2,
                      sb_mesh *out, sb_error *err) {
    const sb_mesh *mesh = sb_mesh_source_mesh(def->shape->mesh);
    sb_thinned_def copy = *def;
    sb_thin_def how = {
        .target = target,
        .most = TARGET_MOST,
        .longest_m = LONGEST * sqrt(area_m2 / (EQUILATERAL * target)),
        .fidelity_m = FIDELITY * def->shape->thickness,
        .progress = def->progress ? pass_on : NULL,
        .context = &copy,
    };
    sb_status status = sb_mesh_thin(mesh, &how, out, err);
    if (status || !mesh->uvs) return status;
    status = sb_uv_transfer(mesh, out, &out->uvs, err);
    if (status) sb_mesh_free(out);
    return status;
}

sb_status sb_thinned_make(const sb_thinned_def *def, sb_mesh_source **out,
                          sb_error *err) {
    *out = NULL;
    if (!is_sheet(def->shape)) return SB_OK;
    const sb_mesh_source *source = def->shape->mesh;
    const sb_mesh *mesh = sb_mesh_source_mesh(source);
    if (mesh->vertex_count <= UNTOUCHED_MOST) return SB_OK;
    double area_m2 = area_of(mesh);
    double wanted = fmax(vertices_needed(def, area_m2), TARGET_LEAST);
    int target = (int)fmin(wanted, TARGET_MOST);
    if (mesh->vertex_count < WORTH * target) return SB_OK;
    sb_mesh thinned = {0};
    sb_status status = thin(def, target, area_m2, &thinned, err);
    if (status) return status;
    return sb_mesh_source_create(sb_mesh_source_path(source), &thinned,
                                 sb_mesh_source_report(source), out, err);
}

bool sb_thinned_remark(const sb_shape *shape, char *text, size_t size) {
    if (!is_sheet(shape)) return false;
    int count = sb_mesh_source_mesh(shape->mesh)->vertex_count;
    if (count < WORTH * TARGET_MOST) return false;
    (void)snprintf(text, size,
                   "%.300s: %d vertices are more than its modes need: thinned "
                   "before it is solved (about %.0f s)",
                   sb_mesh_source_path(shape->mesh), count,
                   ceil(SECONDS_PER_VERTEX * count));
    return true;
}
