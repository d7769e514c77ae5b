/* SPDX-License-Identifier: MIT */
#include "runtime/media/picture/surface_view.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

/* A corner whose normal differs this much from its vertex's normal is on an
 * edge: 37 degrees. */
#define EDGE_COSINE 0.8

/* Lines of value 0 are drawn only in triangles along which the value changes
 * this much. */
#define LEAST_CHANGE 0.012

sb_status sb_view_make(int width, int height, sb_view *out, sb_error *err) {
    sb_view made = {.width = width, .height = height};
    made.pixels = sb_alloc((size_t)width * (size_t)height, sizeof *made.pixels);
    if (!made.pixels)
        return sb_no_memory_for(err, "a view of %d x %d pixels", width, height);
    sb_view_clear(&made);
    *out = made;
    return SB_OK;
}

void sb_view_free(sb_view *view) {
    sb_free(view->pixels);
    memset(view, 0, sizeof *view);
}

void sb_view_clear(sb_view *view) {
    size_t count = (size_t)view->width * (size_t)view->height;
    for (size_t i = 0; i < count; i++)
        view->pixels[i] = (sb_view_pixel){.depth = -INFINITY, .line = INFINITY};
}

/* --- the camera ----------------------------------------------------------- */

sb_camera sb_camera_from(double azimuth, double elevation) {
    sb_camera camera = {
        .toward = {sin(azimuth) * cos(elevation), sin(elevation),
                   cos(azimuth) * cos(elevation)},
        .right = {cos(azimuth), 0, -sin(azimuth)},
    };
    camera.down = sb_vec3_cross(camera.right, camera.toward);
    return camera;
}

sb_view_extent sb_view_extent_none(void) {
    return (sb_view_extent){INFINITY, -INFINITY, INFINITY, -INFINITY};
}

void sb_view_extent_add(sb_view_extent *extent, const sb_camera *camera,
                        sb_vec3 point) {
    double x = sb_vec3_dot(point, camera->right);
    double y = sb_vec3_dot(point, camera->down);
    extent->left = fmin(extent->left, x);
    extent->right = fmax(extent->right, x);
    extent->top = fmin(extent->top, y);
    extent->bottom = fmax(extent->bottom, y);
}

void sb_camera_fit(sb_camera *camera, const sb_view_extent *extent, int width,
                   int height, double margin, double slack) {
    double wide = extent->right - extent->left + slack,
           high = extent->bottom - extent->top + slack;
    camera->scale = fmin((width - 2 * margin) / fmax(wide, 1e-12),
                         (height - 2 * margin) / fmax(high, 1e-12));
    camera->x =
        0.5 * width - 0.5 * (extent->left + extent->right) * camera->scale;
    camera->y =
        0.5 * height - 0.5 * (extent->top + extent->bottom) * camera->scale;
}

sb_view_corner sb_camera_project(const sb_camera *camera, sb_vec3 point) {
    return (sb_view_corner){
        .x = camera->x + camera->scale * sb_vec3_dot(point, camera->right),
        .y = camera->y + camera->scale * sb_vec3_dot(point, camera->down),
        .depth = sb_vec3_dot(point, camera->toward),
    };
}

sb_vec3 sb_camera_light(const sb_camera *camera) {
    return sb_vec3_normalised(
        sb_vec3_sub(sb_vec3_sub(sb_vec3_scale(camera->toward, 1.0),
                                sb_vec3_scale(camera->down, 0.9)),
                    sb_vec3_scale(camera->right, 0.55)));
}

/* --- triangles ------------------------------------------------------------ */

typedef struct triangle {
    const sb_view_corner *corners;
    int surface;
    double area;  /* twice the signed area */
    double slope; /* of the value, 1/pixel */
    bool has_line;
    sb_vec3 toward, light, half; /* the last is between the other two */
} triangle;

static void shade(sb_view_pixel *pixel, const triangle *self, sb_vec3 normal) {
    sb_vec3 n = sb_vec3_normalised(normal);
    if (sb_vec3_dot(n, self->toward) < 0) n = sb_vec3_scale(n, -1);
    double facing = fmax(0.0, sb_vec3_dot(n, self->light));
    pixel->shade = (float)(0.28 + 0.72 * facing);
    pixel->gloss = (float)pow(fmax(0.0, sb_vec3_dot(n, self->half)), 40.0);
}

static double edge(const sb_view_corner *a, const sb_view_corner *b, double x,
                   double y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static triangle triangle_of(const sb_view_corner c[3], int surface,
                            const sb_camera *camera) {
    triangle made = {.corners = c,
                     .surface = surface,
                     .area = edge(&c[0], &c[1], c[2].x, c[2].y),
                     .toward = camera->toward,
                     .light = sb_camera_light(camera)};
    made.half = sb_vec3_normalised(sb_vec3_add(made.light, camera->toward));
    double v1 = c[1].value - c[0].value, v2 = c[2].value - c[0].value;
    double gx = v1 * (c[2].y - c[0].y) - v2 * (c[1].y - c[0].y);
    double gy = v2 * (c[1].x - c[0].x) - v1 * (c[2].x - c[0].x);
    made.slope = sqrt(gx * gx + gy * gy) / fmax(fabs(made.area), 1e-12);
    double low = fmin(c[0].value, fmin(c[1].value, c[2].value));
    double high = fmax(c[0].value, fmax(c[1].value, c[2].value));
    made.has_line = high - low > LEAST_CHANGE;
    return made;
}

static void fill_pixel(sb_view *view, const triangle *self, int x, int y) {
    const sb_view_corner *c = self->corners;
    double a = edge(&c[1], &c[2], x, y) / self->area;
    double b = edge(&c[2], &c[0], x, y) / self->area;
    double rest = 1 - a - b;
    /* Include a small margin beyond the edge, so that no seam shows. */
    if (a < -1e-6 || b < -1e-6 || rest < -1e-6) return;
    sb_view_pixel *pixel =
        &view->pixels[(size_t)y * (size_t)view->width + (size_t)x];
    double depth = a * c[0].depth + b * c[1].depth + rest * c[2].depth;
    if (depth <= (double)pixel->depth) return;
    double value = a * c[0].value + b * c[1].value + rest * c[2].value;
    pixel->depth = (float)depth;
    pixel->value = (float)value;
    pixel->line =
        self->has_line ? (float)(fabs(value) / self->slope) : INFINITY;
    pixel->surface = (int16_t)self->surface;
    pixel->is_back = self->area > 0; /* y is down */
    sb_vec3 normal = sb_vec3_add(sb_vec3_scale(c[0].normal, a),
                                 sb_vec3_add(sb_vec3_scale(c[1].normal, b),
                                             sb_vec3_scale(c[2].normal, rest)));
    shade(pixel, self, normal);
}

static int clamp_to(double value, int most) {
    return value < 0 ? 0 : value > most ? most : (int)value;
}

void sb_view_triangle(sb_view *view, const sb_camera *camera,
                      const sb_view_corner c[3], int surface) {
    triangle self = triangle_of(c, surface, camera);
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
            fill_pixel(view, &self, x, y);
    }
}

/* --- normals -------------------------------------------------------------- */

static sb_vec3 cross_of(const sb_vec3 *vertices, const int face[3]) {
    sb_vec3 a = vertices[face[0]];
    return sb_vec3_span(a, vertices[face[1]], vertices[face[2]]);
}

sb_vec3 sb_view_face_normal(const sb_vec3 *vertices, const int face[3]) {
    return sb_vec3_normalised(cross_of(vertices, face));
}

void sb_view_normals(const sb_vec3 *vertices, int vertex_count,
                     const int (*faces)[3], int face_count, sb_vec3 *normals) {
    memset(normals, 0, (size_t)vertex_count * sizeof *normals);
    for (int i = 0; i < face_count; i++) {
        sb_vec3 cross = cross_of(vertices, faces[i]);
        for (int c = 0; c < 3; c++) {
            sb_vec3 *normal = &normals[faces[i][c]];
            *normal = sb_vec3_add(*normal, cross);
        }
    }
    for (int v = 0; v < vertex_count; v++)
        normals[v] = sb_vec3_normalised(normals[v]);
}

sb_vec3 sb_view_corner_normal(sb_vec3 of_vertex, sb_vec3 of_face) {
    return sb_vec3_dot(of_vertex, of_face) < EDGE_COSINE ? of_face : of_vertex;
}

/* --- colours -------------------------------------------------------------- */

sb_rgb sb_rgb_mix(sb_rgb a, sb_rgb b, double share) {
    return (sb_rgb){a.red + (b.red - a.red) * share,
                    a.green + (b.green - a.green) * share,
                    a.blue + (b.blue - a.blue) * share};
}

sb_rgb sb_rgb_lit(sb_rgb base, const sb_view_pixel *pixel) {
    sb_rgb lit = sb_rgb_mix((sb_rgb){8, 10, 14}, base, (double)pixel->shade);
    return sb_rgb_mix(lit, (sb_rgb){255, 255, 255},
                      0.22 * (double)pixel->gloss);
}

static uint8_t byte_of(double value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

sb_colour sb_rgb_colour(sb_rgb rgb) {
    return (sb_colour){byte_of(rgb.red), byte_of(rgb.green), byte_of(rgb.blue),
                       255};
}
