/* SPDX-License-Identifier: MIT */
/* runtime/model/shapes/shapes.h -- all there is to know about a kind of shape.
 *
 * Each kind is one row, an sb_shape_family, in a source file of its own: bar.c
 * has sb_shape_bar and sb_bar_fields. shapes.def lists the rows. Columns that a
 * kind does not have are left out, that is NULL or 0. Nothing outside this
 * folder distinguishes between all kinds: whoever needs something new of every
 * kind adds a column.
 *
 * Thread: any. Memory: rows are constant.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/base/vec3.h"
#include "runtime/model/collider.h"
#include "runtime/model/grain.h"
#include "runtime/model/shape.h"

typedef struct sb_material sb_material;
typedef struct sb_mesh sb_mesh;
typedef struct sb_model sb_model;
typedef struct sb_sheet sb_sheet;
typedef struct sb_solid_mesh sb_solid_mesh;
typedef struct sb_turned_def sb_turned_def;

typedef struct sb_model_ops sb_model_ops; /* model_internal.h */
typedef struct sb_face_form sb_face_form; /* likewise */

/* A set of sb_support or of sb_method values. */
#define SB_BIT(value) (1u << (unsigned)(value))
#define SB_ALL_BITS   (~0u)

/* What the unit square of (u, v) is on the surface of a closed form. */
typedef enum sb_uv_layout {
    SB_UV_RECTANGLE, /* u and v along two sides */
    SB_UV_ROUND,     /* a disk inside the square if it has a radius, else a
                      * rectangle */
    SB_UV_LINE,      /* u along it; v is not used */
    SB_UV_TORUS,     /* two angles: u and v repeat */
    SB_UV_TURNED,    /* an angle and a length: u repeats */
    SB_UV_FACES,     /* a square per face (solid.h), or a mesh's own map */
    SB_UV_NONE       /* all points are alike */
} sb_uv_layout;

/* Of unit density: volume, centre, moments of inertia about x, y, z there. */
typedef struct sb_shape_mass {
    double volume_m3;
    sb_vec3 centre_m;
    double inertia_m5[3];
} sb_shape_mass;

typedef struct sb_shape_family {
    /* --- what a script gives, and checks ---
     * `fields` are offsets in sb_shape; they end with a NULL name. Every number
     * that is needed or not 0 must be in range. */
    const sb_field *fields;
    unsigned supports;         /* bits of sb_support; 0: free only */
    const char *support_words; /* for the message: "free or clamped" */
    unsigned methods;          /* bits of sb_method; 0: analytic only */
    const char *method_words;  /* for the message: "auto or solid" */
    /* How the sizes fit together; called when all sizes are in range. */
    sb_status (*check)(const sb_shape *shape, sb_error *err);
    bool material_is_optional;

    /* --- modes ---
     * Either one closed form, or a function that chooses one. */
    const sb_model_ops *ops;
    const sb_model_ops *(*choose_ops)(const sb_shape *shape);
    bool is_computed; /* modes come from elements, whatever the method */
    /* Whether a closed form errs and elements are better, unless the script
     * wants it; NULL: no. */
    bool (*is_too_thick)(const sb_shape *shape);
    bool is_rescalable; /* elastic: frequencies follow size and stiffness */

    /* --- solids: sphere, box, cylinder (solid.h) --- */
    const sb_face_form *faces;
    void (*set_mass)(sb_model *model); /* mass, inertia and area */
    /* A frequency (Hz) below its lowest mode and near it, from the velocities
     * of stretch and shear waves in m/s; NULL: not a solid. */
    double (*least_hz)(const sb_shape *shape, double along, double shear);

    /* --- elements ---
     * A sheet of constant thickness, or the two functions; `elements` are
     * counted along the longest side, 0 means as many as are needed. */
    sb_sheet (*sheet)(const sb_shape *shape);
    sb_status (*surface)(const sb_shape *shape, int elements, sb_mesh *out,
                         sb_error *err);
    sb_status (*solid)(const sb_shape *shape, sb_grain grain,
                       sb_solid_mesh *out, sb_error *err);
    /* Default number; 0: chosen by `solid`. Solves take as many as a wave
     * needs. */
    int solid_elements;
    /* Default number for `surface`; NULL: that of sheets (discrete.c). */
    int (*surface_elements)(const sb_shape *shape);
    int modes_most; /* default limit of its modes; 0: that of solve.h */
    /* Whether `surface` has no border: it sounds outward only. NULL: it has. */
    bool (*is_closed)(const sb_shape *shape);

    /* Whether a support holds a node of `surface`; NULL: `sheet` says so. */
    sb_hold (*hold)(const sb_shape *shape, sb_vec3 at);

    /* --- shells of revolution: tube, cone, revolve (turned.c) --- */
    void (*turned)(const sb_shape *shape, sb_turned_def *out);

    /* --- sound in air ---
     * The outside as a closed mesh (hearing.h); NULL: both sides of `sheet`, or
     * `surface`; a kind that has none of them radiates like a sphere. */
    sb_status (*outside)(const sb_shape *shape, sb_mesh *out, sb_error *err);

    /* --- strikes ---
     * The point of the surface (m) that is struck unless a script says where:
     * one where most modes move; NULL: (u, v) = (0.5, 0.5). */
    sb_vec3 (*usual)(const sb_shape *shape);

    /* --- pictures --- */
    sb_uv_layout layout;
    double (*aspect)(const sb_shape *shape); /* v over u; NULL: 1 */
    /* Texture coordinates of a face of its skin; NULL: those of `sheet`. */
    void (*face_uv)(const sb_shape *shape, const sb_vec3 at[3],
                    float uvs[3][2]);

    /* --- collisions --- */
    sb_collider (*collider)(const sb_shape *shape); /* NULL: none */
    /* The faces of a mesh collider; NULL: those of the shape's mesh. */
    sb_status (*collider_mesh)(const sb_shape *shape, sb_mesh *out,
                               sb_error *err);
    /* Of walls; NULL: the collider is full. */
    sb_shape_mass (*mass)(const sb_shape *shape);
} sb_shape_family;

#define SHAPE(kind, name, def, argument, fields, help) \
    extern const sb_shape_family sb_shape_##name;      \
    extern const sb_field sb_##name##_fields[];
#include "runtime/model/shapes.def"

/* Rows of field lists. */
#define SB_SHAPE_LENGTH(field, text)                                      \
    {                                                                     \
        .name = #field, .offset = offsetof(sb_shape, field), .min = 1e-5, \
        .max = 100, .unit = "m", .help = text                             \
    }
#define SB_SHAPE_LENGTH_NEEDED(field, text)                           \
    {                                                                 \
        .name = #field, .is_needed = true,                            \
        .offset = offsetof(sb_shape, field), .min = 1e-5, .max = 100, \
        .unit = "m", .help = text                                     \
    }
#define SB_SHAPE_NUMBER_NEEDED(field, least, most, in, text)            \
    {                                                                   \
        .name = #field, .is_needed = true,                              \
        .offset = offsetof(sb_shape, field), .min = least, .max = most, \
        .unit = in, .help = text                                        \
    }
#define SB_SHAPE_CHOICE(field, list, numbers, text)                       \
    {                                                                     \
        .name = #field, .kind = SB_FIELD_CHOICE,                          \
        .offset = offsetof(sb_shape, field), .unit = "", .choices = list, \
        .values = numbers, .help = text                                   \
    }
#define SB_SHAPE_PLATE_THEORY                                                 \
    SB_SHAPE_CHOICE(theory, sb_plate_theory_names, sb_plate_theories,         \
                    "kirchhoff for thin ones, mindlin with shear and rotary " \
                    "inertia; default auto, whichever is right, and a solid " \
                    "if thicker than a fifth of its shorter side")
/* For kinds that have a closed form and can be cut into elements, too. */
#define SB_SHAPE_METHOD                                               \
    SB_SHAPE_CHOICE(method, sb_shape_method_names, sb_shape_methods,  \
                    "how its modes are found; default analytic, the " \
                    "others cut it into elements"),                   \
    {                                                                 \
        .name = "elements", .kind = SB_FIELD_COUNT,                   \
        .offset = offsetof(sb_shape, elements), .min = 1, .max = 500, \
        .unit = "",                                                   \
        .help = "along its longest side; default chosen by its size"  \
    }
#define SB_SHAPE_FIELDS_STOP \
    { .name = NULL }
/* The end of the list of a kind that rings: what all of these take. */
#define SB_SHAPE_FIELDS_END                                                   \
    {.name = "modes",                                                         \
     .kind = SB_FIELD_COUNT,                                                  \
     .offset = offsetof(sb_shape, max_modes),                                 \
     .min = 1,                                                                \
     .max = 4096,                                                             \
     .unit = "",                                                              \
     .help = "at most this many, the lowest; default as many as are needed"}, \
        {.name = "max_hz",                                                    \
         .offset = offsetof(sb_shape, max_hz),                                \
         .min = 1,                                                            \
         .max = 1e6,                                                          \
         .unit = "Hz",                                                        \
         .help = "modes up to here; default 22000"},                          \
        {.name = "merge",                                                     \
         .kind = SB_FIELD_OTHER,                                              \
         .unit = "",                                                          \
         .type = "number|boolean",                                            \
         .help = "modes nearer than this many just noticeable differences "   \
                 "become one; 0 or false is off; default 1 for shapes of "    \
                 "elements, 0 for closed forms"},                             \
        SB_SHAPE_CHOICE(radiation, sb_radiating_names, sb_radiating_values,   \
                        "how loud its modes are in the air; exact, the "      \
                        "default: by boundary elements, in about half a "     \
                        "second, once, and they lose it; quick: by a law "    \
                        "too soft for the low modes of free plates"),         \
        SB_SHAPE_FIELDS_STOP
extern const char *const sb_shape_method_names[];
extern const int sb_shape_methods[];
extern const char *const sb_radiating_names[];
extern const int sb_radiating_values[];
extern const char *const sb_plate_theory_names[];
extern const int sb_plate_theories[];

/* For the `usual` column: on a rectangle or box, off the lines that divide it
 * into halves, thirds and quarters, where many modes are at rest; and on the
 * top of a round sheet, at this part of its radius. */
sb_vec3 sb_usual_on_rectangle(double x_m, double y_m, double z_m);
sb_vec3 sb_usual_on_disk(const sb_shape *shape, double share);

/* The row of a kind; of a kind that does not exist, that of a rigid shape. */
const sb_shape_family *sb_shape_family_of(const sb_shape *shape);

/* BAD_ARGUMENT naming the field that is missing, out of range or absurd: a bar
 * thicker than long, a support the kind does not have, a ring whose wire is
 * thicker than its radius, a strip that is no plate, a leaf that is no box. A
 * string or membrane that is free counts as pinned. A rigid shape may have a
 * radius: its mass is that of a ball of its material, else 1 kg. */
SB_NODISCARD sb_status sb_shape_check(const sb_shape *shape, sb_error *err);

/* For the `check` column. The first names an optional field that is missing;
 * the second refuses a value above `most`, which is called `other`. */
SB_NODISCARD sb_status sb_shape_need(const sb_shape *shape, const char *field,
                                     sb_error *err);
SB_NODISCARD sb_status sb_shape_not_above(const sb_shape *shape,
                                          const char *field, double value,
                                          const char *other, double most,
                                          sb_error *err);

/* Whether its modes come from elements, not from a closed form. A solid may
 * still have none to compute: sb_solid_is_silent. */
bool sb_shape_is_computed(const sb_shape *shape);

/* Whether it is computed as a solid though no method was given: it is too thick
 * for its closed form. */
bool sb_shape_is_too_thick(const sb_shape *shape);

/* Whether a plate that is too thick is better off with its closed form: elements
 * have no grain, and take minutes if it is held or large against its waves.
 * `out` is the same plate by Mindlin's theory, which is within 1 % of elasticity
 * up to a thickness of 0.3 of its side; sb_model_remark says so. */
bool sb_shape_needs_form(const sb_shape *shape, const sb_material *material,
                         sb_shape *out);

/* Up to this thickness over its shorter side, or diameter, a plate is solved by
 * a theory of plates: Mindlin's is then within 1 % of elasticity. */
#define SB_PLATE_THICK_MOST 0.2

bool sb_shape_needs_material(const sb_shape *shape);
bool sb_shape_is_solid(const sb_shape *shape); /* sphere, box, cylinder */
/* Whether the unit square of (u, v) holds a disk, as SB_UV_ROUND says. */
bool sb_shape_is_round(const sb_shape *shape);
double sb_shape_aspect(const sb_shape *shape); /* height over width */

/* The functions of its closed form, or of a rigid body. */
const sb_model_ops *sb_shape_ops(const sb_shape *shape);

/* --- closed-form shapes as meshes ---
 * Axes and (u, v) are those of shape.h. `resolution` is the number of edges
 * along the longest side, across a disk, or around a ring, 1 .. 2000; narrow
 * shapes get more, so that triangles stay compact. BAD_ARGUMENT for kinds that
 * have no such mesh and for a shape that sb_shape_check refuses.
 *
 * Surface of a bar, plate or disk: the middle surface, y = 0, facing up; of a
 * ring: the outside of the wire, closed. Solids are full; rims of disks and
 * rings are round: the middles of their edges lie on the circle. For a sphere,
 * box or cylinder 0 means as many elements as make the lowest modes right to
 * less than 1 % and are solved in about a second. */
SB_NODISCARD sb_status sb_shape_surface(const sb_shape *shape, int resolution,
                                        sb_mesh *out, sb_error *err);
SB_NODISCARD sb_status sb_shape_solid(const sb_shape *shape, int resolution,
                                      sb_solid_mesh *out, sb_error *err);

SB_NODISCARD sb_status sb_shape_fine_solid(const sb_shape *shape,
                                           sb_grain grain, sb_solid_mesh *out,
                                           sb_error *err);

/* How the shape's support holds nodes at these positions (grid/grid.h);
 * BAD_ARGUMENT for kinds without a sheet. */
SB_NODISCARD sb_status sb_shape_holds(const sb_shape *shape,
                                      const sb_vec3 *nodes, int count,
                                      sb_hold *holds);

/* --- for the face_uv column: `at` are the corners of a triangle on the
 * surface, `uvs` their texture coordinates --- */

/* Of a sheet: u along x, v along z. The unit square is the top; the other faces
 * lie beside it, at v + 2. */
void sb_face_uv_sheet(const sb_sheet *sheet, const sb_vec3 at[3],
                      float uvs[3][2]);

/* The first `axis_count` of u and v are angles over 2 pi: turn those of the
 * corners so that they lie together, their mean within 0 .. 1. */
void sb_face_uv_unwind(float uvs[3][2], int axis_count);

/* The normal of a face, not of unit length. */
sb_vec3 sb_face_normal(const sb_vec3 at[3]);
