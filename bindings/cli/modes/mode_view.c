/* Places the surface of a mode before the camera and gives it its values.
 * Thread: control. */
#include "bindings/cli/modes/mode_view.h"

#include "bindings/cli/modes/mode_surface.h"

#include <math.h>

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

sb_status mode_view_make(int width, int height, mode_view *out, sb_error *err) {
    *out = (mode_view){.is_in_plane = false};
    return sb_view_make(width, height, &out->view, err);
}

void mode_view_free(mode_view *view) {
    sb_view_free(&view->view);
}

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

void mode_view_draw(mode_view *view, const mode_surface *surface, int mode,
                    double margin) {
    sb_view_clear(&view->view);
    drawing self = {
        .surface = surface,
        .moves = surface->moves + (size_t)mode * (size_t)surface->vertex_count,
        .eye = fitted_camera(&view->view, surface, margin),
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
        sb_view_corner corners[3];
        sb_vec3 normal =
            sb_view_face_normal(surface->vertices, surface->faces[i]);
        for (int c = 0; c < 3; c++)
            corners[c] = corner_of(&self, surface->faces[i][c], normal);
        sb_view_triangle(&view->view, &self.eye, corners, 0);
    }
}
