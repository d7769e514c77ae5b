/* SPDX-License-Identifier: MIT */
/* Boxes with sides along x, y and z: full, and hollow. The modes of a hollow
 * one come from a shell of triangles in the middle of its six walls (solve.h).
 * Thread: control, workers. */
#include "runtime/base/memory.h"
#include "runtime/model/grid/grid.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/shapes/solid.h"

#include <math.h>

enum { TOP, FACES = 6 };

/* Faces 2 k and 2 k + 1 lie across axis box_axes[k].across; u and v go along
 * the two others. */
static const struct {
    int across, u, v;
} box_axes[3] = {{1, 0, 2}, {0, 2, 1}, {2, 0, 1}};

/* Bars have these faces, too; their sides have other names. */
static void half_sides(const sb_shape *shape, double half[3]) {
    sb_collider box = sb_shape_family_of(shape)->collider(shape);
    half[0] = 0.5 * box.width;
    half[1] = 0.5 * box.height;
    half[2] = 0.5 * box.depth;
}

static sb_model_point point_on(const sb_shape *shape, sb_vec3 at, int face) {
    const double p[3] = {at.x, at.y, at.z};
    double half[3];
    half_sides(shape, half);
    int u = box_axes[face / 2].u, v = box_axes[face / 2].v;
    return (sb_model_point){face,
                            sb_solid_unit_range(0.5 + 0.5 * p[u] / half[u]),
                            sb_solid_unit_range(0.5 + 0.5 * p[v] / half[v])};
}

static int box_face(int pair, double side) {
    return 2 * pair + (side < 0 ? 1 : 0);
}

/* The face whose plane the point is farthest outside of or, if it is inside,
 * nearest to. An edge belongs to the top or bottom, in spite of rounding. */
static sb_model_point nearest(const sb_shape *shape, sb_vec3 at) {
    const double p[3] = {at.x, at.y, at.z};
    double half[3], most = -INFINITY;
    int face = TOP;
    half_sides(shape, half);
    double rounding = 1e-6 * fmax(half[0], fmax(half[1], half[2]));
    for (int pair = 0; pair < 3; pair++) {
        int axis = box_axes[pair].across;
        double out = fabs(p[axis]) - half[axis];
        if (out > most + rounding) most = out, face = box_face(pair, p[axis]);
    }
    return point_on(shape, at, face);
}

static sb_vec3 normal(sb_model_point point) {
    double p[3] = {0, 0, 0};
    p[box_axes[point.face / 2].across] = point.face % 2 ? -1 : 1;
    return (sb_vec3){p[0], p[1], p[2]};
}

static sb_vec3 position(const sb_shape *shape, sb_model_point point) {
    double half[3], p[3];
    half_sides(shape, half);
    int pair = point.face / 2;
    int across = box_axes[pair].across;
    p[across] = point.face % 2 ? -half[across] : half[across];
    p[box_axes[pair].u] = (2 * point.u - 1) * half[box_axes[pair].u];
    p[box_axes[pair].v] = (2 * point.v - 1) * half[box_axes[pair].v];
    return (sb_vec3){p[0], p[1], p[2]};
}

static int face_towards(sb_vec3 facing) {
    const double n[3] = {facing.x, facing.y, facing.z};
    int best = 0;
    for (int pair = 1; pair < 3; pair++) {
        if (fabs(n[box_axes[pair].across]) > fabs(n[box_axes[best].across]))
            best = pair;
    }
    return box_face(best, n[box_axes[best].across]);
}

static sb_model_point on_face(const sb_shape *shape, sb_vec3 at,
                              sb_vec3 facing) {
    return point_on(shape, at, face_towards(facing));
}

const sb_face_form sb_box_form = {.face_count = FACES,
                                  .nearest = nearest,
                                  .position = position,
                                  .normal = normal,
                                  .on_face = on_face};

/* --- the row -------------------------------------------------------------- */

static sb_status check(const sb_shape *box, sb_error *err) {
    double x = box->width, y = box->height, z = box->depth;
    return sb_solid_check_aspect(box, fmin(x, fmin(y, z)), fmax(x, fmax(y, z)),
                                 err);
}

static void set_mass(sb_model *model) {
    const sb_shape *box = &model->shape;
    sb_model_set_box(model, box->width, box->height, box->depth);
}

/* Bending, twist and stretch along the longest side a. */
static double least_hz(const sb_shape *box, double along, double shear) {
    double a = fmax(box->width, fmax(box->height, box->depth));
    double c = fmin(box->width, fmin(box->height, box->depth));
    double b = box->width * box->height * box->depth / (a * c);
    double polar = b * c * (b * b + c * c) / 12;
    double twist = 0.5 * shear / a * sqrt(sb_rectangle_torsion(b, c) / polar);
    double bend = sb_solid_bending_hz(a, c / sqrt(12.0), along, shear);
    return fmin(fmin(twist, bend), 0.5 * shear / a);
}

static double aspect(const sb_shape *box) {
    return box->depth / box->width;
}

/* On its largest face, the top if there are several. */
static sb_vec3 box_usual(const sb_shape *box) {
    double x = box->width, y = box->height, z = box->depth;
    sb_vec3 on_top = sb_usual_on_rectangle(x, y, z);
    if (y <= fmin(x, z)) return on_top;
    if (z <= x) { /* the front */
        sb_vec3 front = sb_usual_on_rectangle(x, z, y);
        return (sb_vec3){front.x, front.z, front.y};
    }
    sb_vec3 right = sb_usual_on_rectangle(z, x, y);
    return (sb_vec3){right.y, right.z, right.x};
}

static sb_collider collider(const sb_shape *box) {
    return sb_collider_box(box->width, box->height, box->depth);
}

const sb_field sb_box_fields[] = {SB_SHAPE_LENGTH_NEEDED(width, "along x"),
                                  SB_SHAPE_LENGTH_NEEDED(height, "along y, up"),
                                  SB_SHAPE_LENGTH_NEEDED(depth, "along z"),
                                  SB_SHAPE_FIELDS_END};

/* About as fine along all sides. */
static sb_status outside(const sb_shape *box, sb_mesh *out, sb_error *err) {
    const double sides[3] = {box->width, box->height, box->depth};
    double longest = fmax(fmax(sides[0], sides[1]), sides[2]);
    int cells[3];
    for (int i = 0; i < 3; i++)
        cells[i] = (int)fmax(1, round(12 * sides[i] / longest));
    return sb_grid_box_surface(sides, cells, out, err);
}

const sb_shape_family sb_shape_box = {
    .fields = sb_box_fields,
    SB_SOLID_COLUMNS,
    .check = check,
    .faces = &sb_box_form,
    .set_mass = set_mass,
    .least_hz = least_hz,
    .solid = sb_grid_box,
    .outside = outside,
    .aspect = aspect,
    .face_uv = sb_solid_face_uv,
    .usual = box_usual,
    .collider = collider,
};

/* --- hollow boxes --------------------------------------------------------- */

/* So many vertices and modes are solved in about two seconds; the lowest twenty
 * modes of a cube are right to 1.5 %, those from about 150 on are as dense as
 * the true ones but not in their places. */
enum { VERTICES = 1200, MODES = 400, CELLS_LEAST = 3 };

static void hollow_sides_of(const sb_shape *box, double sides[3]) {
    sides[0] = box->width;
    sides[1] = box->height;
    sides[2] = box->depth;
}

static void hollow_middle_of(const sb_shape *box, double sides[3]) {
    hollow_sides_of(box, sides);
    for (int i = 0; i < 3; i++)
        sides[i] -= box->thickness;
}

static sb_status hollow_check(const sb_shape *box, sb_error *err) {
    double least = fmin(box->width, fmin(box->height, box->depth));
    double most = fmax(box->width, fmax(box->height, box->depth));
    sb_status status = sb_solid_check_aspect(box, least, most, err);
    if (status || 2 * box->thickness < least) return status;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "hollow: walls of %g m fill a box of %g m: thickness must "
                   "be less than half its shortest side; sb.box is full",
                   box->thickness, least);
}

static void hollow_add_box(const double sides[3], double sign,
                           sb_shape_mass *sum) {
    double volume = sign * sides[0] * sides[1] * sides[2];
    sum->volume_m3 += volume;
    for (int i = 0; i < 3; i++) {
        double a = sides[(i + 1) % 3], b = sides[(i + 2) % 3];
        sum->inertia_m5[i] += volume * (a * a + b * b) / 12;
    }
}

/* The full box without the one inside. */
static sb_shape_mass hollow_mass(const sb_shape *box) {
    sb_shape_mass sum = {0};
    double sides[3];
    hollow_sides_of(box, sides);
    hollow_add_box(sides, 1, &sum);
    for (int i = 0; i < 3; i++)
        sides[i] -= 2 * box->thickness;
    hollow_add_box(sides, -1, &sum);
    return sum;
}

static void hollow_set_mass(sb_model *model) {
    sb_shape_mass wall = hollow_mass(&model->shape);
    double density = model->material.density, s[3];
    hollow_sides_of(&model->shape, s);
    model->mass_kg = density * wall.volume_m3;
    model->area_m2 = 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    for (int i = 0; i < 3; i++)
        model->inverse_inertia[i] = 1 / (density * wall.inertia_m5[i]);
}

static int hollow_elements(const sb_shape *box) {
    double s[3];
    hollow_middle_of(box, s);
    double area = 2 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    double longest = fmax(s[0], fmax(s[1], s[2]));
    return (int)fmax(longest * sqrt(VERTICES / area), CELLS_LEAST);
}

static sb_status hollow_surface(const sb_shape *box, int count, sb_mesh *out,
                                sb_error *err) {
    double s[3];
    int cells[3];
    hollow_middle_of(box, s);
    double edge = fmax(s[0], fmax(s[1], s[2])) / count;
    for (int i = 0; i < 3; i++)
        cells[i] = (int)fmax(round(s[i] / edge), CELLS_LEAST);
    sb_mesh mesh = {0};
    sb_status status = sb_grid_box_surface(s, cells, &mesh, err);
    if (!status) {
        mesh.uvs = sb_alloc((size_t)mesh.face_count, sizeof *mesh.uvs);
        if (!mesh.uvs) status = sb_no_memory(err, "grid");
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

static bool hollow_is_closed(const sb_shape *box) {
    (void)box;
    return true;
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
    .check = hollow_check,
    .is_computed = true,
    .is_rescalable = true,
    .faces = &sb_box_form,
    .set_mass = hollow_set_mass,
    .mass = hollow_mass,
    .surface = hollow_surface,
    .surface_elements = hollow_elements,
    .modes_most = MODES,
    .is_closed = hollow_is_closed,
    .layout = SB_UV_FACES,
    .aspect = aspect,
    .face_uv = sb_solid_face_uv,
    .usual = box_usual,
    .collider = collider,
};
