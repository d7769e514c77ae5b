/* SPDX-License-Identifier: MIT */
/* Draws one frame of a film strip: bodies, floor, shadows. Thread: control. */
#include "runtime/media/picture/film_internal.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* How much a shadow takes from the floor's light. */
#define SHADOW_DEPTH 0.62

/* The floor is drawn if it is seen from above by at least this sine, and has
 * shadows if the light comes from above by as much. */
#define LEAST_SINE 0.05

enum { BLUR = 4, COLOURS = 8 }; /* half width of the blur, fine pixels */

/* Half the width of an edge, and the least height of a triangle that has edges,
 * fine pixels. */
#define EDGE_HALF   1.5
#define EDGE_HEIGHT 15.0

static const sb_rgb empty = {26, 29, 35};
static const sb_rgb floor_rgb = {66, 70, 80}, grid_rgb = {116, 122, 134};

static sb_rgb rgb_of(const film *f, int body) {
    static const sb_rgb usual[COLOURS] = {
        {222, 164, 92},  {120, 170, 236}, {134, 204, 140}, {226, 118, 108},
        {186, 142, 224}, {222, 208, 110}, {110, 204, 208}, {206, 206, 210}};
    sb_colour c = f->def->bodies[body].colour;
    if (c.opacity == 0) return usual[body % COLOURS];
    return (sb_rgb){c.red, c.green, c.blue};
}

/* --- bodies --------------------------------------------------------------- */

/* On the screen, over its longest side. */
static double height_of(const sb_view_corner c[3]) {
    double ax = c[1].x - c[0].x, ay = c[1].y - c[0].y;
    double bx = c[2].x - c[0].x, by = c[2].y - c[0].y;
    double longest =
        fmax(fmax(hypot(ax, ay), hypot(bx, by)), hypot(bx - ax, by - ay));
    return longest > 0 ? fabs(ax * by - ay * bx) / longest : 0;
}

/* Three triangles about its middle: the value is 0 along its sides, so that a
 * pixel has its distance from them. */
static void draw_with_edges(film *f, int body, const sb_view_corner c[3]) {
    sb_view_corner middle = {.x = (c[0].x + c[1].x + c[2].x) / 3,
                             .y = (c[0].y + c[1].y + c[2].y) / 3,
                             .depth =
                                 (c[0].depth + c[1].depth + c[2].depth) / 3,
                             .value = 1};
    middle.normal = sb_vec3_normalised(
        sb_vec3_add(c[0].normal, sb_vec3_add(c[1].normal, c[2].normal)));
    for (int i = 0; i < 3; i++) {
        const sb_view_corner part[3] = {c[i], c[(i + 1) % 3], middle};
        sb_view_triangle(&f->view, &f->camera, part, body);
    }
}

static void draw_body(film *f, int body, const sb_vec3 *positions) {
    const sb_film_body *of = &f->def->bodies[body];
    sb_view_normals(positions, of->vertex_count, of->faces, of->face_count,
                    f->normals);
    for (int i = 0; i < of->face_count; i++) {
        sb_view_corner corners[3];
        sb_vec3 normal = sb_view_face_normal(positions, of->faces[i]);
        for (int c = 0; c < 3; c++) {
            int vertex = of->faces[i][c];
            corners[c] = sb_camera_project(&f->camera, positions[vertex]);
            corners[c].normal =
                sb_view_corner_normal(f->normals[vertex], normal);
        }
        if (of->has_edges && height_of(corners) > EDGE_HEIGHT) {
            draw_with_edges(f, body, corners);
            continue;
        }
        for (int c = 0; c < 3; c++)
            corners[c].value = 1;
        sb_view_triangle(&f->view, &f->camera, corners, body);
    }
}

/* --- shadows -------------------------------------------------------------- */

static void drop_body(film *f, int body, const sb_vec3 *positions,
                      sb_vec3 normal, sb_vec3 light) {
    const sb_film_body *of = &f->def->bodies[body];
    double down = sb_vec3_dot(light, normal);
    for (int v = 0; v < of->vertex_count; v++) {
        double height = sb_vec3_dot(
            sb_vec3_sub(positions[v], f->def->floor->point_m), normal);
        f->dropped[v] =
            sb_vec3_sub(positions[v], sb_vec3_scale(light, height / down));
    }
    for (int i = 0; i < of->face_count; i++) {
        sb_view_corner corners[3];
        for (int c = 0; c < 3; c++)
            corners[c] =
                sb_camera_project(&f->camera, f->dropped[of->faces[i][c]]);
        sb_view_triangle(&f->view, &f->camera, corners, 0);
    }
}

/* Box blur of `count` values `stride` apart. */
static void blur_line(film *f, uint8_t *line, int count, ptrdiff_t stride) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        f->row[i] = line[i * stride];
    for (int i = 0; i < BLUR && i < count; i++)
        sum += f->row[i];
    for (int i = 0; i < count; i++) {
        if (i + BLUR < count) sum += f->row[i + BLUR];
        if (i - BLUR - 1 >= 0) sum -= f->row[i - BLUR - 1];
        line[i * stride] = (uint8_t)(sum / (2 * BLUR + 1));
    }
}

static void draw_shadows(film *f, const sb_film_frame *frame, sb_vec3 normal) {
    /* Steeper than the light of the bodies: shadows stay near them. */
    sb_vec3 light =
        sb_vec3_normalised(sb_vec3_add(sb_camera_light(&f->camera), normal));
    int width = f->view.width, height = f->view.height;
    size_t count = (size_t)width * (size_t)height;
    memset(f->shadow, 0, count);
    if (sb_vec3_dot(light, normal) < LEAST_SINE) return;
    sb_view_clear(&f->view);
    for (int b = 0; b < f->def->body_count; b++) {
        if (frame->positions[b])
            drop_body(f, b, frame->positions[b], normal, light);
    }
    for (size_t i = 0; i < count; i++)
        f->shadow[i] = f->view.pixels[i].depth > -INFINITY ? 255 : 0;
    for (int y = 0; y < height; y++)
        blur_line(f, f->shadow + (ptrdiff_t)y * width, width, 1);
    for (int x = 0; x < width; x++)
        blur_line(f, f->shadow + x, height, width);
}

/* --- pixels --------------------------------------------------------------- */

/* A linear function of the place of a fine pixel. */
typedef struct ramp {
    double start, per_x, per_y;
} ramp;

static double ramp_at(ramp r, int x, int y) {
    return r.start + r.per_x * x + r.per_y * y;
}

/* The floor as the camera sees it. */
typedef struct ground {
    bool is_seen;
    sb_vec3 normal;
    ramp depth;         /* of the point of the floor behind a pixel, m */
    ramp along, across; /* its place on the floor, in cells of the grid */
} ground;

/* The point of the floor behind a fine pixel. */
static sb_vec3 floor_point(const film *f, sb_vec3 normal, double x, double y) {
    const sb_camera *c = &f->camera;
    sb_vec3 at = sb_vec3_add(sb_vec3_scale(c->right, (x - c->x) / c->scale),
                             sb_vec3_scale(c->down, (y - c->y) / c->scale));
    double above = sb_vec3_dot(sb_vec3_sub(at, f->def->floor->point_m), normal);
    double depth = -above / sb_vec3_dot(c->toward, normal);
    return sb_vec3_add(at, sb_vec3_scale(c->toward, depth));
}

static ramp ramp_along(const film *f, sb_vec3 normal, sb_vec3 axis,
                       sb_vec3 origin, double unit) {
    double wide = f->view.width, high = f->view.height;
    const double places[3][2] = {{0, 0}, {wide, 0}, {0, high}};
    double values[3];
    for (int i = 0; i < 3; i++) {
        sb_vec3 at = floor_point(f, normal, places[i][0], places[i][1]);
        values[i] = sb_vec3_dot(sb_vec3_sub(at, origin), axis) / unit;
    }
    return (ramp){values[0], (values[1] - values[0]) / wide,
                  (values[2] - values[0]) / high};
}

static ground ground_of(const film *f) {
    ground made = {0};
    if (!f->def->floor) return made;
    sb_vec3 n = sb_vec3_normalised(f->def->floor->normal);
    sb_vec3 origin = f->def->floor->point_m;
    made.normal = n;
    made.is_seen = sb_vec3_dot(n, f->camera.toward) > LEAST_SINE;
    if (!made.is_seen) return made;
    sb_vec3 axis = fabs(n.x) < 0.9 ? (sb_vec3){1, 0, 0} : (sb_vec3){0, 1, 0};
    sb_vec3 along = sb_vec3_normalised(
        sb_vec3_sub(axis, sb_vec3_scale(n, sb_vec3_dot(axis, n))));
    made.depth = ramp_along(f, n, f->camera.toward, (sb_vec3){0, 0, 0}, 1);
    made.along = ramp_along(f, n, along, origin, f->layout.grid_m);
    made.across =
        ramp_along(f, n, sb_vec3_cross(n, along), origin, f->layout.grid_m);
    return made;
}

/* Cells of the grid from its nearest line in one direction. */
static double line_distance(ramp r, int x, int y) {
    double cells = ramp_at(r, x, y);
    return fabs(cells - nearbyint(cells));
}

static sb_rgb floor_look(const film *f, const ground *g, int x, int y) {
    double cell = f->layout.grid_m * f->camera.scale / FILM_FINE; /* pixels */
    double line = cell * fmin(line_distance(g->along, x, y),
                              line_distance(g->across, x, y));
    sb_rgb base = sb_rgb_mix(floor_rgb, grid_rgb, 0.8 * fmax(0.0, 1.0 - line));
    size_t pixel = (size_t)y * (size_t)f->view.width + (size_t)x;
    base = sb_rgb_mix(base, (sb_rgb){12, 13, 17},
                      SHADOW_DEPTH * f->shadow[pixel] / 255.0);
    /* Darker towards the corners. */
    double u = 2.0 * x / f->view.width - 1.0;
    double v = 2.0 * y / f->view.height - 1.0;
    return sb_rgb_mix(base, empty, fmin(1.0, 0.35 * (u * u + v * v)));
}

static sb_rgb look(const film *f, const ground *g, int x, int y) {
    const sb_view_pixel *pixel =
        &f->view.pixels[(size_t)y * (size_t)f->view.width + (size_t)x];
    bool is_body = pixel->depth > -INFINITY;
    if (g->is_seen &&
        (!is_body || (double)pixel->depth < ramp_at(g->depth, x, y)))
        return floor_look(f, g, x, y);
    if (!is_body) return empty;
    sb_rgb lit = sb_rgb_lit(rgb_of(f, pixel->surface), pixel);
    double edge = 1.0 - (double)pixel->line / (2.0 * EDGE_HALF);
    if (f->def->bodies[pixel->surface].has_edges && edge > 0.0)
        lit = sb_rgb_mix(lit, (sb_rgb){20, 22, 28}, 0.7 * fmin(1.0, 2 * edge));
    return pixel->is_back ? sb_rgb_mix(lit, (sb_rgb){20, 24, 40}, 0.3) : lit;
}

static void paint_pixel(film *f, const ground *g, int x, int y, int left,
                        int top) {
    sb_rgb sum = {0, 0, 0};
    for (int i = 0; i < FILM_FINE * FILM_FINE; i++) {
        sb_rgb seen = look(f, g, FILM_FINE * x + i % FILM_FINE,
                           FILM_FINE * y + i / FILM_FINE);
        sum.red += seen.red;
        sum.green += seen.green;
        sum.blue += seen.blue;
    }
    double share = 1.0 / (FILM_FINE * FILM_FINE);
    sb_rgb mean = {sum.red * share, sum.green * share, sum.blue * share};
    sb_picture_pixel(f->picture, left + x, top + y, sb_rgb_colour(mean));
}

void film_paint_frame(film *f, const sb_film_frame *frame, int left, int top) {
    ground g = ground_of(f);
    if (g.is_seen) draw_shadows(f, frame, g.normal);
    sb_view_clear(&f->view);
    for (int b = 0; b < f->def->body_count; b++)
        if (frame->positions[b]) draw_body(f, b, frame->positions[b]);
    for (int y = 0; y < f->layout.height; y++) {
        for (int x = 0; x < f->layout.width; x++)
            paint_pixel(f, &g, x, y, left, top);
    }
}
