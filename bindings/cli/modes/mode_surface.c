/* Makes the surface of a body, with its motion in each of the first modes.
 * Thread: control. */
#include "bindings/cli/modes/mode_surface.h"

#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/picture/surface_view.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A mesh whose thinnest side is below this fraction of its middle side is flat.
 */
#define FLAT_SHARE 0.08

enum { GRID = 120 }; /* cells along each side of a closed form */

void mode_surface_free(mode_surface *surface) {
    sb_free(surface->vertices);
    sb_free(surface->faces);
    sb_free(surface->moves);
    sb_free(surface->normals);
    memset(surface, 0, sizeof *surface);
}

static bool reserve(mode_surface *out, int vertices, int faces, int modes) {
    out->vertex_count = vertices;
    out->face_count = faces;
    out->mode_count = modes;
    size_t count = (size_t)vertices;
    out->vertices = sb_alloc(count, sizeof *out->vertices);
    out->normals = sb_alloc(count, sizeof *out->normals);
    out->moves = sb_alloc(count * (size_t)modes, sizeof *out->moves);
    out->faces = sb_alloc((size_t)faces, sizeof *out->faces);
    return out->vertices && out->normals && out->moves && out->faces;
}

static sb_vec3 *moves_of(const mode_surface *surface, int mode) {
    return surface->moves + (size_t)mode * (size_t)surface->vertex_count;
}

/* --- of what elements have computed --------------------------------------- */

/* The first of several merged modes represents all of them. */
static bool take_solved(const mode_body *body, int modes, mode_surface *out) {
    const sb_solution *solution = sb_model_solution(body->model);
    const sb_finished *finished = sb_model_finished(body->model);
    if (!reserve(out, solution->vertex_count, solution->face_count, modes)) {
        return false;
    }
    for (int v = 0; v < out->vertex_count; v++) {
        const float *p = solution->vertices[v];
        out->vertices[v] = (sb_vec3){p[0], p[1], p[2]};
        for (int k = 0; k < modes; k++) {
            size_t member = (size_t)v * (size_t)finished->member_count +
                            (size_t)finished->modes[k].first_member;
            const float *d = finished->shapes + 3 * member;
            moves_of(out, k)[v] = (sb_vec3){d[0], d[1], d[2]};
        }
    }
    for (int i = 0; i < out->face_count; i++) {
        for (int c = 0; c < 3; c++)
            out->faces[i][c] = solution->faces[i][c];
    }
    return true;
}

/* --- of closed forms ------------------------------------------------------ */

/* Row i of the grid is a circle of a disk, or a line parallel to one side. */
static sb_model_point grid_point(const sb_shape *shape, int i, int j) {
    double u = (double)j / GRID, v = (double)i / GRID;
    if (!sb_shape_is_round(shape)) return (sb_model_point){0, u, v};
    return (sb_model_point){0, 0.5 + 0.5 * v * cos(SB_TAU * u),
                            0.5 + 0.5 * v * sin(SB_TAU * u)};
}

/* Add two triangles whose normals point out of the surface: y is up, u along x
 * and v along z, or the reverse on a disk. */
static void add_cell(mode_surface *out, int cell, int a, int right, int below,
                     int opposite, bool is_turned) {
    int halves[2][3] = {{a, below, right}, {right, below, opposite}};
    for (int h = 0; h < 2; h++) {
        int *face = out->faces[2 * cell + h];
        memcpy(face, halves[h], sizeof halves[h]);
        if (is_turned) {
            face[1] = halves[h][2];
            face[2] = halves[h][1];
        }
    }
}

static void place_vertices(const mode_body *body, double *weights,
                           mode_surface *out) {
    static const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int v = 0; v < out->vertex_count; v++) {
        sb_model_point point =
            grid_point(&body->shape, v / (GRID + 1), v % (GRID + 1));
        out->vertices[v] = sb_model_position(body->model, point);
        for (int axis = 0; axis < 3; axis++) {
            sb_model_weights(body->model, point, &axes[axis], weights);
            for (int k = 0; k < out->mode_count; k++) {
                sb_vec3 *move = &moves_of(out, k)[v];
                double *part = axis == 0   ? &move->x
                               : axis == 1 ? &move->y
                                           : &move->z;
                *part = weights[k];
            }
        }
    }
}

static bool take_form(const mode_body *body, int modes, mode_surface *out) {
    double *weights =
        sb_alloc((size_t)sb_model_mode_count(body->model), sizeof *weights);
    if (!weights ||
        !reserve(out, (GRID + 1) * (GRID + 1), 2 * GRID * GRID, modes)) {
        sb_free(weights);
        return false;
    }
    bool is_turned = sb_shape_is_round(&body->shape);
    for (int i = 0; i < GRID; i++) {
        for (int j = 0; j < GRID; j++) {
            int a = i * (GRID + 1) + j;
            add_cell(out, i * GRID + j, a, a + 1, a + GRID + 1, a + GRID + 2,
                     is_turned);
        }
    }
    place_vertices(body, weights, out);
    sb_free(weights);
    return true;
}

/* --- what follows from it ------------------------------------------------- */

static void find_extent(mode_surface *self, const sb_shape *shape) {
    self->low = self->high = self->vertices[0];
    for (int v = 1; v < self->vertex_count; v++) {
        sb_vec3 p = self->vertices[v];
        self->low = (sb_vec3){fmin(self->low.x, p.x), fmin(self->low.y, p.y),
                              fmin(self->low.z, p.z)};
        self->high = (sb_vec3){fmax(self->high.x, p.x), fmax(self->high.y, p.y),
                               fmax(self->high.z, p.z)};
    }
    sb_vec3 size = sb_vec3_sub(self->high, self->low);
    double sides[3] = {size.x, size.y, size.z};
    int thin = 1; /* y, unless another is thinner */
    if (sides[0] < sides[thin]) thin = 0;
    if (sides[2] < sides[thin]) thin = 2;
    double middle = fmin(sides[(thin + 1) % 3], sides[(thin + 2) % 3]);
    sb_uv_layout layout = sb_shape_family_of(shape)->layout;
    bool is_form = layout != SB_UV_FACES && layout != SB_UV_TORUS;
    self->across = is_form ? 1 : thin;
    self->is_flat =
        is_form || (shape->mesh && sides[thin] <= FLAT_SHARE * middle);
}

static void normalise_moves(mode_surface *self) {
    for (int k = 0; k < self->mode_count; k++) {
        sb_vec3 *moves = moves_of(self, k);
        double largest = 0;
        for (int v = 0; v < self->vertex_count; v++)
            largest = fmax(largest, sb_vec3_length(moves[v]));
        for (int v = 0; v < self->vertex_count && largest > 0; v++)
            moves[v] = sb_vec3_scale(moves[v], 1 / largest);
    }
}

sb_status mode_surface_make(const mode_body *body, int mode_most,
                            mode_surface *out, sb_error *err) {
    int modes = sb_model_mode_count(body->model);
    sb_uv_layout layout = sb_shape_family_of(&body->shape)->layout;
    if (modes == 0 || layout == SB_UV_LINE || layout == SB_UV_NONE) {
        char what[40];
        (void)snprintf(what, sizeof what, "%s%s",
                       modes == 0             ? "a rigid body"
                       : layout == SB_UV_NONE ? "modes given by hand"
                                              : "a ",
                       modes > 0 && layout == SB_UV_LINE
                           ? sb_shape_kind_name(body->shape.kind)
                           : "");
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "--plot: '%s' is %s, which has no surface that moves",
                       body->name, what);
    }
    if (modes > mode_most) modes = mode_most;
    mode_surface made = {0};
    bool is_made = sb_model_solution(body->model)
                       ? take_solved(body, modes, &made)
                       : take_form(body, modes, &made);
    if (!is_made) {
        mode_surface_free(&made);
        return sb_fail(err, SB_NO_MEMORY, "--plot: out of memory");
    }
    sb_view_normals(made.vertices, made.vertex_count,
                    (const int(*)[3])made.faces, made.face_count, made.normals);
    find_extent(&made, &body->shape);
    normalise_moves(&made);
    *out = made;
    return SB_OK;
}
