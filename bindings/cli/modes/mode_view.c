/* Renders a triangle surface by parallel projection, with depth and shading.
 * Thread: control. */
#include "bindings/cli/modes/mode_view.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

/* Displacement drawn for a body that is not flat, as a share of its size. */
#define BEND 0.035

/* A corner whose normal differs this much from its vertex's normal is on an
 * edge: 37 degrees. */
#define EDGE_COSINE 0.8

/* A mode that moves less than this along the normals moves tangentially; its
 * normal motion is noise. */
#define LEAST_NORMAL 0.15

/* Nodal lines are drawn only in triangles along which the value changes this
 * much. */
#define LEAST_CHANGE 0.012

/* A body this much higher than wide is drawn along the diagonal. */
#define TALL      3.0
#define HALF_ROOT 0.70710678118654752

/* A mode of a flat body is in-plane if this share of its motion is. */
#define IN_PLANE_SHARE 0.2

typedef struct camera {
    sb_vec3 right, down, toward; /* unit vectors */
    double scale;                /* pixels per metre */
    double x, y;                 /* position of the origin, pixels */
} camera;

typedef struct corner {
    double x, y, depth, value;
    sb_vec3 normal;
} corner;

sb_status mode_view_make(int width, int height, mode_view *out, sb_error *err) {
    mode_view made = {.width = width, .height = height};
    made.pixels = sb_alloc((size_t)width * (size_t)height, sizeof *made.pixels);
    if (!made.pixels)
        return sb_fail(err, SB_NO_MEMORY, "--plot: out of memory");
    *out = made;
    return SB_OK;
}

void mode_view_free(mode_view *view) {
    sb_free(view->pixels);
    memset(view, 0, sizeof *view);
}

/* --- the camera ----------------------------------------------------------- */

static double along(sb_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static sb_vec3 unit(int axis) {
    return (sb_vec3){axis == 0, axis == 1, axis == 2};
}

/* From above, with the longer side to the right. */
static camera flat_camera(const mode_surface *surface) {
    int t = surface->across, r = (t + 2) % 3, d = (t + 1) % 3;
    sb_vec3 size = sb_vec3_sub(surface->high, surface->low);
    camera view = {.toward = unit(t), .right = unit(r), .down = unit(d)};
    if (along(size, d) > 1.05 * along(size, r)) {
        view.right = unit(d);
        view.down = sb_vec3_scale(unit(r), -1);
    }
    return view;
}

/* From the side and above; the shallower the body, the more from above. */
static camera side_camera(const mode_surface *surface) {
    sb_vec3 size = sb_vec3_sub(surface->high, surface->low);
    double breadth = fmax(size.x, size.z);
    double azimuth = 0.55, height = size.y < 0.6 * breadth ? 0.62 : 0.38;
    camera view = {
        .toward = {sin(azimuth) * cos(height), sin(height),
                   cos(azimuth) * cos(height)},
        .right = {cos(azimuth), 0, -sin(azimuth)},
    };
    view.down = sb_vec3_cross(view.right, view.toward);
    return view;
}

typedef struct frame {
    double left, right, top, bottom;
} frame;

static frame frame_of(const mode_surface *surface, const camera *view) {
    frame all = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int v = 0; v < surface->vertex_count; v++) {
        double x = sb_vec3_dot(surface->vertices[v], view->right);
        double y = sb_vec3_dot(surface->vertices[v], view->down);
        all.left = fmin(all.left, x);
        all.right = fmax(all.right, x);
        all.top = fmin(all.top, y);
        all.bottom = fmax(all.bottom, y);
    }
    return all;
}

static double aspect_of(const mode_surface *surface, const camera *view) {
    frame all = frame_of(surface, view);
    return (all.bottom - all.top) / fmax(all.right - all.left, 1e-12);
}

static camera camera_of(const mode_surface *surface) {
    if (surface->is_flat) return flat_camera(surface);
    camera view = side_camera(surface);
    if (aspect_of(surface, &view) < TALL) return view;
    sb_vec3 right = view.right, down = view.down;
    view.right = sb_vec3_scale(sb_vec3_sub(right, down), HALF_ROOT);
    view.down = sb_vec3_scale(sb_vec3_add(right, down), HALF_ROOT);
    return view;
}

double mode_view_aspect(const mode_surface *surface) {
    camera view = camera_of(surface);
    return aspect_of(surface, &view);
}

static double bend_of(const mode_surface *surface) {
    if (surface->is_flat) return 0;
    return BEND * sb_vec3_length(sb_vec3_sub(surface->high, surface->low));
}

static camera fitted_camera(const mode_view *view, const mode_surface *surface,
                            double margin) {
    camera eye = camera_of(surface);
    frame all = frame_of(surface, &eye);
    double bend = 2 * bend_of(surface);
    double wide = all.right - all.left + bend,
           high = all.bottom - all.top + bend;
    eye.scale = fmin((view->width - 2 * margin) / fmax(wide, 1e-12),
                     (view->height - 2 * margin) / fmax(high, 1e-12));
    eye.x = 0.5 * view->width - 0.5 * (all.left + all.right) * eye.scale;
    eye.y = 0.5 * view->height - 0.5 * (all.top + all.bottom) * eye.scale;
    return eye;
}

/* --- triangles ------------------------------------------------------------ */

static void shade(view_pixel *pixel, sb_vec3 normal, const camera *eye) {
    sb_vec3 n = sb_vec3_normalised(normal);
    if (sb_vec3_dot(n, eye->toward) < 0) n = sb_vec3_scale(n, -1);
    sb_vec3 light = sb_vec3_normalised(
        sb_vec3_sub(sb_vec3_sub(sb_vec3_scale(eye->toward, 1.0),
                                sb_vec3_scale(eye->down, 0.9)),
                    sb_vec3_scale(eye->right, 0.55)));
    sb_vec3 half = sb_vec3_normalised(sb_vec3_add(light, eye->toward));
    double facing = fmax(0.0, sb_vec3_dot(n, light));
    pixel->shade = (float)(0.28 + 0.72 * facing);
    pixel->gloss = (float)pow(fmax(0.0, sb_vec3_dot(n, half)), 40.0);
}

typedef struct triangle {
    const corner *corners;
    double area;  /* twice the signed area */
    double slope; /* of the value, 1/pixel */
    bool has_line;
} triangle;

static double edge(const corner *a, const corner *b, double x, double y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static triangle triangle_of(const corner c[3]) {
    triangle made = {.corners = c, .area = edge(&c[0], &c[1], c[2].x, c[2].y)};
    double v1 = c[1].value - c[0].value, v2 = c[2].value - c[0].value;
    double gx = v1 * (c[2].y - c[0].y) - v2 * (c[1].y - c[0].y);
    double gy = v2 * (c[1].x - c[0].x) - v1 * (c[2].x - c[0].x);
    made.slope = sqrt(gx * gx + gy * gy) / fmax(fabs(made.area), 1e-12);
    double low = fmin(c[0].value, fmin(c[1].value, c[2].value));
    double high = fmax(c[0].value, fmax(c[1].value, c[2].value));
    made.has_line = high - low > LEAST_CHANGE;
    return made;
}

static void fill_pixel(mode_view *view, const triangle *self, int x, int y,
                       const camera *eye) {
    const corner *c = self->corners;
    double a = edge(&c[1], &c[2], x, y) / self->area;
    double b = edge(&c[2], &c[0], x, y) / self->area;
    double rest = 1 - a - b;
    /* Include a small margin beyond the edge, so that no seam shows. */
    if (a < -1e-6 || b < -1e-6 || rest < -1e-6) return;
    view_pixel *pixel =
        &view->pixels[(size_t)y * (size_t)view->width + (size_t)x];
    double depth = a * c[0].depth + b * c[1].depth + rest * c[2].depth;
    if (depth <= (double)pixel->depth) return;
    double value = a * c[0].value + b * c[1].value + rest * c[2].value;
    pixel->depth = (float)depth;
    pixel->value = (float)value;
    pixel->line =
        self->has_line ? (float)(fabs(value) / self->slope) : INFINITY;
    sb_vec3 normal = sb_vec3_add(sb_vec3_scale(c[0].normal, a),
                                 sb_vec3_add(sb_vec3_scale(c[1].normal, b),
                                             sb_vec3_scale(c[2].normal, rest)));
    shade(pixel, normal, eye);
}

static int clamp_to(double value, int most) {
    return value < 0 ? 0 : value > most ? most : (int)value;
}

static void fill_triangle(mode_view *view, const corner c[3],
                          const camera *eye) {
    triangle self = triangle_of(c);
    if (fabs(self.area) < 1e-9) return;
    int left =
        clamp_to(floor(fmin(c[0].x, fmin(c[1].x, c[2].x))), view->width - 1);
    int right =
        clamp_to(ceil(fmax(c[0].x, fmax(c[1].x, c[2].x))), view->width - 1);
    int top =
        clamp_to(floor(fmin(c[0].y, fmin(c[1].y, c[2].y))), view->height - 1);
    int bottom =
        clamp_to(ceil(fmax(c[0].y, fmax(c[1].y, c[2].y))), view->height - 1);
    for (int y = top; y <= bottom; y++) {
        for (int x = left; x <= right; x++)
            fill_pixel(view, &self, x, y, eye);
    }
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
    camera eye;
    double bend;
    sb_vec3 shown; /* direction drawn, for flat bodies */
    double value_scale;
} drawing;

static sb_vec3 face_normal(const mode_surface *surface, int face) {
    const int *f = surface->faces[face];
    sb_vec3 a = surface->vertices[f[0]];
    return sb_vec3_normalised(
        sb_vec3_cross(sb_vec3_sub(surface->vertices[f[1]], a),
                      sb_vec3_sub(surface->vertices[f[2]], a)));
}

static corner corner_of(const drawing *self, int vertex, sb_vec3 of_face) {
    const mode_surface *surface = self->surface;
    sb_vec3 move = self->moves[vertex];
    sb_vec3 normal = surface->normals[vertex];
    if (sb_vec3_dot(normal, of_face) < EDGE_COSINE) normal = of_face;
    sb_vec3 at =
        sb_vec3_add(surface->vertices[vertex], sb_vec3_scale(move, self->bend));
    const camera *eye = &self->eye;
    return (corner){
        .x = eye->x + eye->scale * sb_vec3_dot(at, eye->right),
        .y = eye->y + eye->scale * sb_vec3_dot(at, eye->down),
        .depth = sb_vec3_dot(at, eye->toward),
        .value = self->value_scale *
                 sb_vec3_dot(move, surface->is_flat ? self->shown : normal),
        .normal = normal,
    };
}

static double largest_value(const drawing *self) {
    double largest = 0;
    for (int i = 0; i < self->surface->face_count; i++) {
        sb_vec3 normal = face_normal(self->surface, i);
        for (int c = 0; c < 3; c++) {
            corner at = corner_of(self, self->surface->faces[i][c], normal);
            largest = fmax(largest, fabs(at.value));
        }
    }
    return largest;
}

void mode_view_draw(mode_view *view, const mode_surface *surface, int mode,
                    double margin) {
    size_t count = (size_t)view->width * (size_t)view->height;
    for (size_t i = 0; i < count; i++)
        view->pixels[i] = (view_pixel){-INFINITY, 0, INFINITY, 0, 0};
    drawing self = {
        .surface = surface,
        .moves = surface->moves + (size_t)mode * (size_t)surface->vertex_count,
        .eye = fitted_camera(view, surface, margin),
        .bend = bend_of(surface),
        .value_scale = 1,
    };
    view->is_in_plane = false;
    if (surface->is_flat) {
        self.shown = shown_direction(surface, self.moves, &view->is_in_plane);
    }
    double largest = largest_value(&self);
    if (largest < LEAST_NORMAL) view->is_in_plane = true;
    self.value_scale = 1 / fmax(largest, LEAST_NORMAL);
    for (int i = 0; i < surface->face_count; i++) {
        corner corners[3];
        sb_vec3 normal = face_normal(surface, i);
        for (int c = 0; c < 3; c++)
            corners[c] = corner_of(&self, surface->faces[i][c], normal);
        fill_triangle(view, corners, &self.eye);
    }
}
