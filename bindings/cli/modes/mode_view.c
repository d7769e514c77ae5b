/* SPDX-License-Identifier: MIT */
#include "bindings/cli/modes/mode_view.h"

#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/model.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"

#include <math.h>
#include <stdint.h>
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
    if (!reserve(out, solution->vertex_count, solution->face_count, modes))
        return false;
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

/* --- the view ------------------------------------------------------------- */

/* Displacement drawn for a body that is not flat, as a share of its size. */
#define BEND 0.035

/* A mode that moves less than this along the normals moves tangentially; its
 * normal motion is noise. */
#define LEAST_NORMAL 0.15

/* A body this much higher than wide is drawn along the diagonal. */
#define TALL      3.0
#define HALF_ROOT 0.70710678118654752

/* A mode of a flat body is in-plane if this share of its motion is. */
#define IN_PLANE_SHARE 0.2

/* --- the camera ----------------------------------------------------------- */

static double along(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static sb_vec3 unit(int axis) {
    return (sb_vec3){axis == 0, axis == 1, axis == 2};
}

/* From above, with the longer side to the right. */
static sb_camera flat_camera(const mode_surface *surface) {
    int t = surface->across, r = (t + 2) % 3, d = (t + 1) % 3;
    sb_vec3 size = sb_vec3_sub(surface->high, surface->low);
    sb_camera view = {.toward = unit(t), .right = unit(r), .down = unit(d)};
    if (along(size, d) > 1.05 * along(size, r)) {
        view.right = unit(d);
        view.down = sb_vec3_scale(unit(r), -1);
    }
    return view;
}

/* From the side and above; the shallower the body, the more from above. */
static sb_camera side_camera(const mode_surface *surface) {
    sb_vec3 size = sb_vec3_sub(surface->high, surface->low);
    double breadth = fmax(size.x, size.z);
    return sb_camera_from(0.55, size.y < 0.6 * breadth ? 0.62 : 0.38);
}

static sb_view_extent extent_of(const mode_surface *surface,
                                const sb_camera *view) {
    sb_view_extent all = sb_view_extent_none();
    for (int v = 0; v < surface->vertex_count; v++)
        sb_view_extent_add(&all, view, surface->vertices[v]);
    return all;
}

static double aspect_of(const mode_surface *surface, const sb_camera *view) {
    sb_view_extent all = extent_of(surface, view);
    return (all.bottom - all.top) / fmax(all.right - all.left, 1e-12);
}

static sb_camera camera_of(const mode_surface *surface) {
    if (surface->is_flat) return flat_camera(surface);
    sb_camera view = side_camera(surface);
    if (aspect_of(surface, &view) < TALL) return view;
    sb_vec3 right = view.right, down = view.down;
    view.right = sb_vec3_scale(sb_vec3_sub(right, down), HALF_ROOT);
    view.down = sb_vec3_scale(sb_vec3_add(right, down), HALF_ROOT);
    return view;
}

double mode_view_aspect(const mode_surface *surface) {
    sb_camera view = camera_of(surface);
    return aspect_of(surface, &view);
}

static double bend_of(const mode_surface *surface) {
    if (surface->is_flat) return 0;
    return BEND * sb_vec3_length(sb_vec3_sub(surface->high, surface->low));
}

static sb_camera fitted_camera(const sb_view *view, const mode_surface *surface,
                               double margin) {
    sb_camera eye = camera_of(surface);
    sb_view_extent all = extent_of(surface, &eye);
    sb_camera_fit(&eye, &all, view->width, view->height, margin,
                  2 * bend_of(surface));
    return eye;
}

/* --- a mode --------------------------------------------------------------- */

/* Direction in which a flat body's mode is drawn: along the normal, unless it
 * hardly moves that way. */
static sb_vec3 shown_direction(const mode_surface *surface,
                               const sb_vec3 *moves, bool *is_in_plane) {
    double sums[3] = {0};
    for (int v = 0; v < surface->vertex_count; v++) {
        for (int axis = 0; axis < 3; axis++)
            sums[axis] += along(moves[v], axis) * along(moves[v], axis);
    }
    int best = 0;
    for (int axis = 1; axis < 3; axis++)
        best = sums[axis] > sums[best] ? axis : best;
    double total = sums[0] + sums[1] + sums[2];
    *is_in_plane = sums[surface->across] < IN_PLANE_SHARE * total;
    return unit(*is_in_plane ? best : surface->across);
}

typedef struct drawing {
    const mode_surface *surface;
    const sb_vec3 *moves;
    sb_camera eye;
    double bend;
    sb_vec3 shown; /* direction drawn, for flat bodies */
    double value_scale;
} drawing;

static sb_view_corner corner_of(const drawing *self, int vertex,
                                sb_vec3 of_face) {
    const mode_surface *surface = self->surface;
    sb_vec3 move = self->moves[vertex];
    sb_vec3 normal = sb_view_corner_normal(surface->normals[vertex], of_face);
    sb_vec3 at =
        sb_vec3_add(surface->vertices[vertex], sb_vec3_scale(move, self->bend));
    sb_view_corner made = sb_camera_project(&self->eye, at);
    made.value = self->value_scale *
                 sb_vec3_dot(move, surface->is_flat ? self->shown : normal);
    made.normal = normal;
    return made;
}

static double largest_value(const drawing *self) {
    double largest = 0;
    for (int i = 0; i < self->surface->face_count; i++) {
        sb_vec3 normal = sb_view_face_normal(self->surface->vertices,
                                             self->surface->faces[i]);
        for (int c = 0; c < 3; c++) {
            sb_view_corner at =
                corner_of(self, self->surface->faces[i][c], normal);
            largest = fmax(largest, fabs(at.value));
        }
    }
    return largest;
}

bool mode_view_draw(sb_view *view, const mode_surface *surface, int mode,
                    double margin) {
    sb_view_clear(view);
    drawing self = {
        .surface = surface,
        .moves = surface->moves + (size_t)mode * (size_t)surface->vertex_count,
        .eye = fitted_camera(view, surface, margin),
        .bend = bend_of(surface),
        .value_scale = 1,
    };
    bool is_in_plane = false;
    if (surface->is_flat)
        self.shown = shown_direction(surface, self.moves, &is_in_plane);
    double largest = largest_value(&self);
    if (largest < LEAST_NORMAL) is_in_plane = true;
    self.value_scale = 1 / fmax(largest, LEAST_NORMAL);
    for (int i = 0; i < surface->face_count; i++) {
        sb_view_corner corners[3];
        sb_vec3 normal =
            sb_view_face_normal(surface->vertices, surface->faces[i]);
        for (int c = 0; c < 3; c++)
            corners[c] = corner_of(&self, surface->faces[i][c], normal);
        sb_view_triangle(view, &self.eye, corners, 0);
    }
    return is_in_plane;
}

/* --- colours -------------------------------------------------------------- */

const sb_colour mode_paint_page = {17, 19, 23, 255};
const sb_colour mode_paint_panel = {24, 27, 32, 255};
const sb_colour mode_paint_ink = {232, 230, 224, 255};
const sb_colour mode_paint_faint = {150, 154, 160, 255};

static const sb_rgb panel = {24, 27, 32};
static const sb_rgb metal = {52, 57, 64}, body_grey = {176, 178, 180};
static const sb_rgb up = {232, 112, 48}, down = {56, 128, 232};
static const sb_rgb sand = {244, 232, 204};

/* Noise 0 .. 1, a function of the position only. */
static double noise(int x, int y) {
    uint32_t n = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    n ^= n >> 15;
    n *= 0x2c1b3c6du;
    n ^= n >> 12;
    n *= 0x297a2d39u;
    n ^= n >> 15;
    return n / 4294967296.0;
}

static double bell_curve(double x) {
    return exp(-x * x);
}

/* Colour of one fine pixel, and the amount of sand on it. */
static sb_rgb look(const sb_view_pixel *pixel, bool is_flat, double *grains) {
    *grains = 0;
    if (!(pixel->depth > -INFINITY)) return panel;
    double value = pixel->value, size = fabs(value);
    sb_rgb tint = value > 0 ? up : down;
    if (is_flat) {
        /* Sand is dense on the nodal line and sparse where the motion is small.
         */
        *grains = fmax(bell_curve(pixel->line / (1.9 * MODE_PAINT_FINE)),
                       0.34 * bell_curve(size / 0.09));
        return sb_rgb_mix(metal, tint, 0.5 * pow(size, 1.3));
    }
    sb_rgb base = sb_rgb_mix(body_grey, tint, 0.92 * pow(size, 0.75));
    sb_rgb lit = sb_rgb_lit(base, pixel);
    double line = bell_curve(pixel->line / (1.05 * MODE_PAINT_FINE));
    return sb_rgb_mix(lit, sand, 0.95 * line);
}

static void paint_pixel(sb_picture *picture, const sb_view *view, bool is_flat,
                        int x, int y, int left, int top) {
    sb_rgb sum = {0, 0, 0};
    double grains = 0;
    for (int i = 0; i < MODE_PAINT_FINE * MODE_PAINT_FINE; i++) {
        size_t row = (size_t)(MODE_PAINT_FINE * y + i / MODE_PAINT_FINE);
        size_t at = row * (size_t)view->width +
                    (size_t)(MODE_PAINT_FINE * x + i % MODE_PAINT_FINE);
        double here;
        sb_rgb seen = look(&view->pixels[at], is_flat, &here);
        sum.red += seen.red;
        sum.green += seen.green;
        sum.blue += seen.blue;
        grains += here;
    }
    double share = 1.0 / (MODE_PAINT_FINE * MODE_PAINT_FINE);
    sb_rgb mean = {sum.red * share, sum.green * share, sum.blue * share};
    grains *= share;
    if (noise(x, y) < grains) {
        double bright = 0.72 + 0.28 * noise(y + 7919, x);
        mean = sb_rgb_mix(mean, sand, bright);
    }
    sb_picture_pixel(picture, left + x, top + y, sb_rgb_colour(mean));
}

void mode_paint(sb_picture *picture, const sb_view *view, bool is_flat,
                int left, int top) {
    for (int y = 0; y < view->height / MODE_PAINT_FINE; y++) {
        for (int x = 0; x < view->width / MODE_PAINT_FINE; x++)
            paint_pixel(picture, view, is_flat, x, y, left, top);
    }
}
