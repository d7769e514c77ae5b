/* The surface of a box as triangles. Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/model/grid/solids.h"
#include "runtime/model/mesh/mesh.h"

#include <string.h>

/* Corners of the cells on all six sides, without inner ones. */
typedef struct box {
    int cells[3];
    double size[3];
    sb_mesh *mesh;
} box;

static int corner(const box *self, const int at[3], int *numbers) {
    int wide = self->cells[0] + 1, tall = self->cells[1] + 1;
    int *number = &numbers[(at[2] * tall + at[1]) * wide + at[0]];
    if (*number == 0) {
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = self->size[i] * ((double)at[i] / self->cells[i] - 0.5);
        self->mesh->vertices[self->mesh->vertex_count++] =
            (sb_vec3){x[0], x[1], x[2]};
        *number = self->mesh->vertex_count;
    }
    return *number - 1;
}

static void add_cell(box *self, int axis, bool is_high, int i, int j,
                     int *numbers) {
    int a = (axis + 1) % 3, b = (axis + 2) % 3, corners[4];
    for (int k = 0; k < 4; k++) {
        int at[3];
        at[axis] = is_high ? self->cells[axis] : 0;
        at[a] = i + (k == 1 || k == 2);
        at[b] = j + (k >= 2);
        corners[k] = corner(self, at, numbers);
    }
    int first = self->mesh->face_count, turn = is_high ? 1 : 3;
    int faces[2][3] = {{corners[0], corners[turn], corners[2]},
                       {corners[0], corners[2], corners[4 - turn]}};
    memcpy(self->mesh->faces[first], faces, sizeof faces);
    self->mesh->face_count += 2;
}

sb_status sb_grid_box_surface(const double sides_m[3], const int cells[3],
                              sb_mesh *out, sb_error *err) {
    box self = {{cells[0], cells[1], cells[2]},
                {sides_m[0], sides_m[1], sides_m[2]},
                out};
    int count =
        2 * (cells[0] * cells[1] + cells[0] * cells[2] + cells[2] * cells[1]);
    size_t corners = (size_t)(cells[0] + 1) * (size_t)(cells[1] + 1) *
                     (size_t)(cells[2] + 1);
    int *numbers = sb_alloc(corners, sizeof *numbers);
    out->vertices = sb_alloc(corners, sizeof *out->vertices);
    out->faces = sb_alloc(2 * (size_t)count, sizeof *out->faces);
    bool is_made = numbers && out->vertices && out->faces;
    for (int side = 0; is_made && side < 6; side++) {
        int axis = side / 2;
        for (int i = 0; i < self.cells[(axis + 1) % 3]; i++) {
            for (int j = 0; j < self.cells[(axis + 2) % 3]; j++)
                add_cell(&self, axis, side % 2, i, j, numbers);
        }
    }
    sb_free(numbers);
    return is_made ? SB_OK : sb_fail(err, SB_NO_MEMORY, "grid: out of memory");
}
