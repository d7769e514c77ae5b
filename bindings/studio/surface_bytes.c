/* Surfaces and mode shapes as bytes (protocol.md). Thread: any. */
#include "bindings/studio/body_surface.h"

#include "bindings/studio/net/mailbox.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/solution.h"

#include <math.h>
#include <string.h>

enum { MESH_HEADER = 32, FLAG_UV = 1, FLAG_STAND_IN = 2 };

letter *surface_mesh_bytes(const surface *self, uint32_t rev) {
    size_t v = (size_t)self->vertex_count, f = (size_t)self->face_count;
    letter *mail = letter_make(MESH_HEADER + v * 32 + f * 12, true);
    if (!mail) return NULL;
    uint32_t header[8] = {0, (uint32_t)v, (uint32_t)f,
                          (self->has_uv ? FLAG_UV : 0u) |
                              (self->is_stand_in ? FLAG_STAND_IN : 0u),
                          rev};
    unsigned char *p = mail->bytes;
    memcpy(header, "SBM1", 4);
    memcpy(p, header, sizeof header);
    p += sizeof header;
    memcpy(p, self->positions, v * 12);
    p += v * 12;
    memcpy(p, self->normals, v * 12);
    p += v * 12;
    if (self->has_uv) memcpy(p, self->uvs, v * 8);
    p += v * 8;
    memcpy(p, self->faces, f * 12);
    return mail;
}

static void include(sb_vec3 at, sb_vec3 *low, sb_vec3 *high) {
    *low =
        (sb_vec3){fmin(low->x, at.x), fmin(low->y, at.y), fmin(low->z, at.z)};
    *high = (sb_vec3){fmax(high->x, at.x), fmax(high->y, at.y),
                      fmax(high->z, at.z)};
}

void surface_bounds(const sb_model *model, const sb_shape *shape, sb_vec3 *low,
                    sb_vec3 *high) {
    const sb_solution *solved = sb_model_solution(model);
    *low = (sb_vec3){INFINITY, INFINITY, INFINITY};
    *high = (sb_vec3){-INFINITY, -INFINITY, -INFINITY};
    if (!solved) {
        /* Closed forms are small. */
        surface made;
        if (surface_make(model, shape, &made, NULL) == SB_OK) {
            for (int v = 0; v < made.vertex_count; v++) {
                const float *p = made.positions[v];
                include((sb_vec3){p[0], p[1], p[2]}, low, high);
            }
            surface_free(&made);
        }
    }
    for (int i = 0; solved && i < solved->face_count; i++) {
        for (int c = 0; c < 3; c++) {
            sb_model_point point = {i, c == 1, c == 2};
            include(sb_model_position(model, point), low, high);
        }
    }
    if (!(low->x <= high->x)) *low = *high = (sb_vec3){0, 0, 0};
}
