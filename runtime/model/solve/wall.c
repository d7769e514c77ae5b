/* Closed meshes with a thickness: shell or full (wall.h). Thread: control,
 * workers. */
#include "runtime/model/solve/wall.h"

#include "runtime/model/fill/inside.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/shape.h"

#include <stdio.h>

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
