#include "runtime/model/sound/hearing.h"

#include "runtime/base/memory.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/sound/compress.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <string.h>

enum {
    SHEET_EDGES = 24, /* across; levels are then within 3 dB of a finer one */
    RING_EDGES = 32,
    BAR_LONG = 16, /* cells of a box, along and around */
    BAR_WIDE = 2
};

/* A step of the pitch, to see how the level follows it. */
#define STEP 1.1

/* The surface, and all modes on it. */
typedef struct skin {
    sb_mesh mesh;
    float (*vertices)[3];
    float *shapes;
    double *freqs_hz;
    double *weights;
    sb_far *fars;
    double sheet_m;
} skin;

static void free_skin(skin *self) {
    sb_mesh_free(&self->mesh);
    sb_free(self->vertices);
    sb_free(self->shapes);
    sb_free(self->freqs_hz);
    sb_free(self->weights);
    sb_free(self->fars);
}

/* --- the box of a bar ------------------------------------------------------------- */

/* Corners of the cells on all six sides; those inside are left out. */
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

static sb_status make_box(const sb_shape *bar, sb_mesh *out, sb_error *err) {
    box self = {{BAR_LONG, 1, BAR_WIDE},
                {bar->length, bar->thickness, bar->width},
                out};
    int cells = 2 * (BAR_LONG * 1 + BAR_LONG * BAR_WIDE + BAR_WIDE * 1);
    size_t corners = (BAR_LONG + 1) * 2 * (BAR_WIDE + 1);
    int *numbers = sb_alloc(corners, sizeof *numbers);
    out->vertices = sb_alloc(corners, sizeof *out->vertices);
    out->faces = sb_alloc(2 * (size_t)cells, sizeof *out->faces);
    bool is_made = numbers && out->vertices && out->faces;
    for (int side = 0; is_made && side < 6; side++) {
        int axis = side / 2;
        for (int i = 0; i < self.cells[(axis + 1) % 3]; i++) {
            for (int j = 0; j < self.cells[(axis + 2) % 3]; j++)
                add_cell(&self, axis, side % 2, i, j, numbers);
        }
    }
    sb_free(numbers);
    return is_made ? SB_OK : sb_fail(err, SB_NO_MEMORY, "bar: out of memory");
}

/* --- shapes on the surface ---------------------------------------------------------- */

static sb_status lay_out(const sb_model *model, skin *self, sb_error *err) {
    const sb_shape *shape = &model->shape;
    if (shape->kind == SB_SHAPE_BAR) return make_box(shape, &self->mesh, err);
    if (shape->kind == SB_SHAPE_RING) {
        return sb_grid_surface(shape, RING_EDGES, &self->mesh, err);
    }
    self->sheet_m = shape->thickness;
    return sb_grid_surface(shape, SHEET_EDGES, &self->mesh, err);
}

static bool reserve(const sb_model *model, skin *self) {
    size_t modes = (size_t)model->mode_count;
    size_t vertices = (size_t)self->mesh.vertex_count;
    self->vertices = sb_alloc(vertices, sizeof *self->vertices);
    self->shapes = sb_alloc(3 * vertices, modes * sizeof *self->shapes);
    self->freqs_hz = sb_alloc(modes, sizeof *self->freqs_hz);
    self->weights = sb_alloc(modes, sizeof *self->weights);
    self->fars = sb_alloc(modes, sizeof *self->fars);
    return self->vertices && self->shapes && self->freqs_hz && self->weights &&
           self->fars;
}

/* Flat sheets move only up and down, as far as the air is concerned. */
static void sample(const sb_model *model, skin *self) {
    static const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool is_sheet = self->sheet_m > 0;
    for (int i = 0; i < self->mesh.vertex_count; i++) {
        sb_vec3 at = self->mesh.vertices[i];
        float xyz[3] = {(float)at.x, (float)at.y, (float)at.z};
        memcpy(self->vertices[i], xyz, sizeof xyz);
        sb_model_point point = sb_model_nearest(model, at);
        for (int c = 0; c < 3; c++) {
            if (is_sheet && c != 1) continue;
            sb_model_weights(model, point, &axes[c], self->weights);
            float *shapes =
                self->shapes + 3 * (size_t)i * (size_t)model->mode_count;
            for (int k = 0; k < model->mode_count; k++)
                shapes[3 * k + c] = (float)self->weights[k];
        }
    }
}

static sb_status listen(const sb_model *model, skin *self, double pitch,
                        double *levels, sb_error *err) {
    for (int k = 0; k < model->mode_count; k++)
        self->freqs_hz[k] = model->modes[k].freq_hz * pitch;
    sb_compress_pool(self->freqs_hz, model->mode_count);
    sb_radiation_def def = {
        .vertex_count = self->mesh.vertex_count,
        .face_count = self->mesh.face_count,
        .mode_count = model->mode_count,
        .vertices = (const float(*)[3])self->vertices,
        .faces = (const int32_t(*)[3])self->mesh.faces,
        .shapes = self->shapes,
        .stride = model->mode_count,
        .shape_scale = 1,
        .freqs_hz = self->freqs_hz,
        .sheet_m = self->sheet_m,
    };
    sb_status status = sb_radiation(&def, self->fars, err);
    for (int k = 0; !status && k < model->mode_count; k++)
        levels[k] = sqrt(sb_far_product(&self->fars[k], &self->fars[k]));
    return status;
}

static bool has_surface(sb_shape_kind kind) {
    return kind == SB_SHAPE_BAR || kind == SB_SHAPE_PLATE ||
           kind == SB_SHAPE_DISK || kind == SB_SHAPE_RING;
}

sb_status sb_model_hear(sb_model *model, sb_error *err) {
    size_t count = (size_t)model->mode_count;
    if (!has_surface(model->shape.kind) || count == 0) return SB_OK;
    skin self = {0};
    double *levels = sb_alloc(2 * count, sizeof *levels);
    model->slopes = sb_alloc(count, sizeof *model->slopes);
    sb_status status = lay_out(model, &self, err);
    if (!status && (!levels || !model->slopes || !reserve(model, &self))) {
        status = sb_fail(err, SB_NO_MEMORY, "%s: out of memory",
                         sb_shape_kind_name(model->shape.kind));
    }
    if (!status) {
        sample(model, &self);
        status = listen(model, &self, 1.0, levels, err);
    }
    if (!status) status = listen(model, &self, STEP, levels + count, err);
    for (size_t k = 0; !status && k < count; k++) {
        bool is_heard = levels[k] > 0 && levels[count + k] > 0;
        model->modes[k].radiation = levels[k];
        if (is_heard) {
            model->slopes[k] = log(levels[count + k] / levels[k]) / log(STEP);
        }
    }
    sb_free(levels);
    free_skin(&self);
    return status;
}
