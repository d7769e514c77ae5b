/* A closed box of six walls. Its modes come from a shell of triangles in the
 * middle of the walls (solve.h). Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/model/grid/solids.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shapes/family.h"
#include "runtime/model/shapes/solid.h"

#include <math.h>

/* So many vertices and modes are solved in about two seconds; the lowest twenty
 * modes of a cube are right to 1.5 %, those from about 150 on are as dense as
 * the true ones but not in their places. */
enum { VERTICES = 1200, MODES = 400, CELLS_LEAST = 3 };

static void sides_of(const sb_shape *box, double sides[3]) {
    sides[0] = box->width;
    sides[1] = box->height;
    sides[2] = box->depth;
}

static void middle_of(const sb_shape *box, double sides[3]) {
    sides_of(box, sides);
    for (int i = 0; i < 3; i++)
        sides[i] -= box->thickness;
}

static sb_status check(const sb_shape *box, sb_error *err) {
    double least = fmin(box->width, fmin(box->height, box->depth));
    double most = fmax(box->width, fmax(box->height, box->depth));
    sb_status status = sb_solid_check_aspect(box, least, most, err);
    if (status || 2 * box->thickness < least) return status;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "hollow: walls of %g m fill a box of %g m: thickness must "
                   "be less than half its shortest side; sb.box is full",
                   box->thickness, least);
}

/* --- mass ----------------------------------------------------------------- */

static void add_box(const double sides[3], double sign, sb_shape_mass *sum) {
    double volume = sign * sides[0] * sides[1] * sides[2];
    sum->volume_m3 += volume;
    for (int i = 0; i < 3; i++) {
        double a = sides[(i + 1) % 3], b = sides[(i + 2) % 3];
        sum->inertia_m5[i] += volume * (a * a + b * b) / 12;
    }
}

/* The full box without the one inside. */
static sb_shape_mass mass(const sb_shape *box) {
    sb_shape_mass sum = {0};
    double sides[3];
    sides_of(box, sides);
    add_box(sides, 1, &sum);
    for (int i = 0; i < 3; i++)
        sides[i] -= 2 * box->thickness;
    add_box(sides, -1, &sum);
    return sum;
}

static void set_mass(sb_model *model) {
    sb_shape_mass wall = mass(&model->shape);
    double density = model->material.density, s[3];
    sides_of(&model->shape, s);
    model->mass_kg = density * wall.volume_m3;
    model->area_m2 = 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    for (int i = 0; i < 3; i++)
        model->inverse_inertia[i] = 1 / (density * wall.inertia_m5[i]);
}

/* --- mesh ----------------------------------------------------------------- */

static int elements(const sb_shape *box) {
    double s[3];
    middle_of(box, s);
    double area = 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    double longest = fmax(s[0], fmax(s[1], s[2]));
    return (int)fmax(longest * sqrt(VERTICES / area), CELLS_LEAST);
}

static sb_status surface(const sb_shape *box, int count, sb_mesh *out,
                         sb_error *err) {
    double s[3];
    int cells[3];
    middle_of(box, s);
    double edge = fmax(s[0], fmax(s[1], s[2])) / count;
    for (int i = 0; i < 3; i++)
        cells[i] = (int)fmax(round(s[i] / edge), CELLS_LEAST);
    sb_mesh mesh = {0};
    sb_status status = sb_grid_box_surface(s, cells, &mesh, err);
    if (!status) {
        mesh.uvs = sb_alloc((size_t)mesh.face_count, sizeof *mesh.uvs);
        if (!mesh.uvs)
            status = sb_fail(err, SB_NO_MEMORY, "grid: out of memory");
    }
    if (status) {
        sb_mesh_free(&mesh);
        return status;
    }
    for (int i = 0; i < mesh.face_count; i++) {
        sb_vec3 at[3];
        for (int c = 0; c < 3; c++)
            at[c] = mesh.vertices[mesh.faces[i][c]];
        sb_solid_face_uv(box, at, mesh.uvs[i]);
    }
    *out = mesh;
    return SB_OK;
}

static bool is_closed(const sb_shape *box) {
    (void)box;
    return true;
}

/* --- the row -------------------------------------------------------------- */

static double aspect(const sb_shape *box) {
    return box->depth / box->width;
}

static sb_collider collider(const sb_shape *box) {
    return sb_collider_box(box->width, box->height, box->depth);
}

const sb_field sb_hollow_fields[] = {
    SB_SHAPE_LENGTH_NEEDED(width, "along x, outside"),
    SB_SHAPE_LENGTH_NEEDED(height, "along y, up"),
    SB_SHAPE_LENGTH_NEEDED(depth, "along z"),
    SB_SHAPE_LENGTH_NEEDED(thickness, "of its walls"),
    {.name = "elements",
     .kind = SB_FIELD_COUNT,
     .offset = offsetof(sb_shape, elements),
     .min = 1,
     .max = 500,
     .unit = "",
     .help = "along its longest side; default chosen by its size"},
    SB_SHAPE_FIELDS_END};

const sb_shape_family sb_shape_hollow = {
    .fields = sb_hollow_fields,
    .methods = SB_BIT(SB_METHOD_AUTO) | SB_BIT(SB_METHOD_SHELL),
    .method_words = "auto or shell; it has walls",
    .check = check,
    .is_computed = true,
    .is_rescalable = true,
    .faces = &sb_box_form,
    .set_mass = set_mass,
    .mass = mass,
    .surface = surface,
    .surface_elements = elements,
    .modes_most = MODES,
    .is_closed = is_closed,
    .layout = SB_UV_FACES,
    .aspect = aspect,
    .face_uv = sb_solid_face_uv,
    .usual = sb_box_usual,
    .collider = collider,
};
