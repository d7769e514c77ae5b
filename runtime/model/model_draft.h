/* SPDX-License-Identifier: MIT */
/* runtime/model/model_draft.h -- what a model is made of.
 *
 * Private to runtime/model. A model holds its modes, its mass properties and a
 * table of functions (sb_model_ops) that evaluate its surface and mode shapes.
 * A closed form (shapes/bar.c, shapes/plate.c, ...) sets mass, inertia and area
 * and adds its modes in any order by sb_model_add; sb_model_finish sorts them
 * and cuts them off at the limits. Models of elements are made by
 * solve/solved.c.
 *
 * Thread: control, workers. Memory: `extra` belongs to the model.
 */
#pragma once

#include "runtime/model/clicks.h"
#include "runtime/model/material.h"
#include "runtime/model/model.h"
#include "runtime/model/patterns.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct sb_merging sb_merging;

enum { SB_MODE_COEFS = 8 };

/* All that a closed form needs to evaluate one mode. Each form gives the
 * numbers its own meaning. */
typedef struct sb_mode_shape {
    int kind;
    int m, n;
    double c[SB_MODE_COEFS];
} sb_mode_shape;

typedef struct sb_draft_mode {
    sb_mode mode;
    sb_mode_shape shape;
    /* Equal for frequencies that differ by rounding only. */
    long long pitch_key;
    int order; /* in which it was added: breaks ties */
} sb_draft_mode;

/* One of several separate parts of a mesh, as a rigid body. */
typedef struct sb_model_part {
    double mass_kg;
    sb_vec3 centre_m;
    double inverse_inertia[6]; /* as in sb_model */
} sb_model_part;

/* Points on a body with numbered faces: see shapes/solid.h. */
typedef struct sb_face_form {
    int face_count;
    bool is_unbounded; /* (u, v) are not limited to 0 .. 1 */
    sb_model_point (*nearest)(const sb_shape *shape, sb_vec3 at);
    sb_vec3 (*position)(const sb_shape *shape, sb_model_point point);
    sb_vec3 (*normal)(sb_model_point point);
    /* The point at `at`, on the face that looks along `facing`. */
    sb_model_point (*on_face)(const sb_shape *shape, sb_vec3 at,
                              sb_vec3 facing);
} sb_face_form;

/* Functions of a model whose points carry the number of a face: a mesh or a
 * solid. */
typedef struct sb_face_ops {
    /* NULL: it has no modes. */
    void (*weights)(const sb_model *model, sb_model_point point,
                    sb_vec3 direction, double *weights);
    sb_vec3 (*position)(const sb_model *model, sb_model_point point);
    sb_vec3 (*normal)(const sb_model *model, sb_model_point point);
    sb_model_point (*nearest)(const sb_model *model, sb_vec3 point_m);
    sb_model_point (*at_uv)(const sb_model *model, double u, double v);
    bool (*has_uv)(const sb_model *model); /* NULL: it has */
    void (*uv_of)(const sb_model *model, sb_model_point point, double *u,
                  double *v);
    int (*face_count)(const sb_model *model);
    /* The part that the point lies on; NULL, it or its result: the body has one
     * part only. */
    const sb_model_part *(*part)(const sb_model *model, sb_model_point point);
} sb_face_ops;

/* How a model's surface and mode shapes are evaluated. */
typedef struct sb_model_ops {
    const char *method;       /* sb_model_method */
    const sb_face_ops *faces; /* if set, weights .. normal below are NULL */
    bool may_be_silent;       /* a model without modes is no error */
    /* Points along u and v at which sb_model_peaks looks; 0: 49. */
    int peaks_u, peaks_v;
    sb_status (*build)(sb_model *model, sb_error *err);
    /* `direction` is of unit length or zero; u and v lie in 0 .. 1. */
    void (*weights)(const sb_model *model, double u, double v,
                    sb_vec3 direction, double *weights);
    sb_vec3 (*position)(const sb_model *model, double u, double v);
    void (*nearest)(const sb_model *model, sb_vec3 point_m, double *u,
                    double *v);
    sb_vec3 (*normal)(const sb_model *model, double u, double v); /* NULL: y */
    /* Of a closed form with faces beyond face 0, to which (u, v) above belong;
     * else NULL. Weights there are those of a place. */
    const sb_face_form *sides;
    void (*side_weights)(const sb_model *model, sb_vec3 at, sb_vec3 direction,
                         double *weights);
    void (*free_extra)(void *extra); /* or NULL */
} sb_model_ops;

struct sb_model {
    atomic_int users;
    const sb_model_ops *ops;
    sb_shape shape; /* its `modes` is valid during build only */
    sb_material material;
    sb_model_limits limits;

    /* Of a closed form that has a choice, else NULL: sb_model_theory. */
    const char *theory;
    double mass_kg;
    double area_m2;   /* the whole surface */
    sb_vec3 centre_m; /* of mass; the origin for closed forms */
    /* 1/(kg m^2) about it: xx yy zz xy yz zx. */
    double inverse_inertia[6];
    bool is_held;
    bool is_put_off;      /* its exact radiation (memo.h); of a closed form */
    bool is_cut;          /* of a closed form: modes below max_hz are missing */
    int rigid_mode_count; /* motions without stiffness */

    sb_mode *modes;
    sb_mode_shape *shapes;
    int mode_count;
    sb_patterns *patterns; /* NULL: of `finished`, or none */
    double *slopes;        /* of radiation (hearing.h); NULL: like a sphere */
    int exact_count; /* modes heard by boundary elements, before merging */
    sb_click_axis click_axes[SB_CLICKS_MOST];
    int click_count;
    /* Of a closed form whose modes are merged: `shapes` are those of the plain
     * ones; else NULL. */
    sb_merging *merging;
    void *extra;
    /* Of a model of elements, owned by `extra`; else NULL. */
    const sb_solution *solution;
    const struct sb_finished *finished;

    /* A rescaled model (create.c) takes its mode shapes from this one; else
     * NULL. */
    sb_model *base;
    double base_size;   /* our lengths over its lengths */
    double base_weight; /* our phi over its phi */

    /* Only while it is being built. */
    sb_draft_mode *drafts;
    int draft_count, draft_capacity;
    double lowest_hz; /* of all modes added or noted; 0: none */
};

/* Add a mode. `mean_square` is that of phi . n over the whole surface, in
 * 1/kg. The label is printed; an empty one becomes "mode 7", its place in the
 * sorted list. A mode above the limit is noted and dropped. */
SB_NODISCARD sb_status sb_model_add(sb_model *model, double freq_hz,
                                    double mean_square,
                                    const sb_mode_shape *shape, sb_error *err,
                                    const char *label, ...) SB_PRINTF(6, 7);

/* The same for a mode whose decay and radiation are known already. */
SB_NODISCARD sb_status sb_model_add_mode(sb_model *model, const sb_mode *mode,
                                         const sb_mode_shape *shape,
                                         sb_error *err);

/* Note a frequency without adding a mode: the message of NO_MODES names the
 * lowest one noted. */
void sb_model_note(sb_model *model, double freq_hz);

/* Turn the added modes, in any order, into the model's modes and shapes, lowest
 * first, within the limits. NO_MODES, NO_MEMORY. */
SB_NODISCARD sb_status sb_model_finish(sb_model *model, sb_error *err);

/* NO_MODES naming the lowest mode and the limit. */
sb_status sb_model_fail_high(sb_shape_kind kind, double lowest_hz,
                             double limit_hz, sb_error *err);

/* Mass and inertia of a box of these edges along x, y, z. */
void sb_model_set_box(sb_model *model, double x_m, double y_m, double z_m);

/* Torsion constant J of a solid rectangle, m^4, by St Venant's series. */
double sb_rectangle_torsion(double width_m, double height_m);

/* --- modes of a closed form that sound as one ---
 *
 * A closed form with `merge` evaluates all of its modes, the plain ones; each
 * of its own modes is a group of consecutive plain ones. The weight of a group
 * is
 *
 *     phi, with its sign, for one mode;  |L phi| for more
 *
 * with L of compress.h, row by row in `terms`. Models of elements do not use
 * this: their members are stored on the vertices (finish.h). */

enum { SB_PLAIN_MODES_MOST = 4096 };

typedef struct sb_merged_group {
    int first_mode, mode_count; /* plain modes */
    int row_count;              /* of L */
    size_t first_term;
} sb_merged_group;

typedef struct sb_merging {
    int plain_count; /* up to SB_PLAIN_MODES_MOST */
    sb_mode *plain;
    int group_count;
    sb_merged_group *groups;
    double *terms;
    double error_db; /* of merging, as in finish.h */
} sb_merging;

void sb_merging_free(sb_merging *merging); /* NULL is allowed */
