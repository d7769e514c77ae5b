/* SPDX-License-Identifier: MIT */
/* Meshes of a bowl and of a convex gem. Thread: control. */
#include "tests/bench/motion/motion_mesh.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh.h"

#include <math.h>

/* Room for a soup. */
static sb_status make(sb_mesh *soup, int vertices, int faces, sb_error *err) {
    *soup = (sb_mesh){.vertex_count = vertices, .face_count = faces};
    soup->vertices = sb_alloc((size_t)vertices, sizeof *soup->vertices);
    soup->faces = sb_alloc((size_t)faces, sizeof *soup->faces);
    if (soup->vertices && soup->faces) return SB_OK;
    sb_mesh_free(soup);
    return sb_fail(err, SB_NO_MEMORY, "no memory for a mesh");
}

static sb_status finish(sb_mesh *soup, const char *name, sb_mesh_source **out,
                        sb_error *err) {
    sb_mesh clean = {0};
    sb_mesh_report report;
    sb_status status = sb_mesh_clean(soup, &clean, &report, err);
    if (status) return status;
    return sb_mesh_source_create(name, &clean, &report, out, err);
}

static void set_face(sb_mesh *mesh, int at, int a, int b, int c) {
    mesh->faces[at][0] = a;
    mesh->faces[at][1] = b;
    mesh->faces[at][2] = c;
}

sb_status motion_cap_mesh(double radius, double angle_rad, int rings,
                          int sectors, sb_mesh_source **out, sb_error *err) {
    sb_mesh soup;
    sb_status status = make(&soup, 1 + rings * sectors,
                            sectors + 2 * (rings - 1) * sectors, err);
    if (status) return status;
    soup.vertices[0] = (sb_vec3){0.0, -radius, 0.0};
    int face = 0;
    for (int ring = 0; ring < rings; ring++) {
        double tilt = angle_rad * (ring + 1) / rings;
        int row = 1 + ring * sectors, below = row - sectors;
        for (int i = 0; i < sectors; i++) {
            double turn = 2.0 * SB_PI * i / sectors;
            int next = (i + 1) % sectors;
            soup.vertices[row + i] =
                (sb_vec3){radius * sin(tilt) * cos(turn), -radius * cos(tilt),
                          radius * sin(tilt) * sin(turn)};
            if (ring == 0) {
                set_face(&soup, face++, 0, row + i, row + next);
                continue;
            }
            set_face(&soup, face++, below + i, row + i, row + next);
            set_face(&soup, face++, below + i, row + next, below + next);
        }
    }
    return finish(&soup, "bowl", out, err);
}

sb_status motion_cone_mesh(double radius, double height, int sectors,
                           sb_mesh_source **out, sb_error *err) {
    sb_mesh soup;
    sb_status status = make(&soup, sectors + 2, 2 * sectors, err);
    if (status) return status;
    soup.vertices[sectors] = (sb_vec3){0.0, 0.0, 0.0};
    soup.vertices[sectors + 1] = (sb_vec3){0.0, -height, 0.0};
    for (int i = 0; i < sectors; i++) {
        double turn = 2.0 * SB_PI * i / sectors;
        int next = (i + 1) % sectors;
        soup.vertices[i] =
            (sb_vec3){radius * cos(turn), -height, radius * sin(turn)};
        set_face(&soup, 2 * i, sectors, next, i);
        set_face(&soup, 2 * i + 1, sectors + 1, i, next);
    }
    return finish(&soup, "cone", out, err);
}

sb_status motion_gem_mesh(double radius, sb_mesh_source **out, sb_error *err) {
    sb_mesh soup;
    sb_status status = make(&soup, 5, 6, err);
    if (status) return status;
    soup.vertices[3] = (sb_vec3){0.0, 0.8 * radius, 0.0};
    soup.vertices[4] = (sb_vec3){0.0, -0.6 * radius, 0.0};
    for (int i = 0; i < 3; i++) {
        double turn = 2.0 * SB_PI * i / 3.0;
        soup.vertices[i] =
            (sb_vec3){radius * cos(turn), 0.0, radius * sin(turn)};
        set_face(&soup, i, i, 3, (i + 1) % 3);
        set_face(&soup, 3 + i, i, (i + 1) % 3, 4);
    }
    return finish(&soup, "gem", out, err);
}
