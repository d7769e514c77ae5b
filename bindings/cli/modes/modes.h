/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/modes.h -- shared by the files of `sandbell modes` and
 * `sandbell bake`.
 *
 * verb_modes.c reads the command line and finds the bodies of a scene;
 * modes_files.c makes a body of a mesh and writes one; modes_list.c prints its
 * modes; modes_compare.c compares the methods; mode_pages.c and merge_plot.c
 * draw. verb_bake.c makes textures.
 *
 * Thread: control.
 */
#pragma once

#include "bindings/cli/console/console.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/state/body.h"

#include <cjson/cJSON.h>
#include <limits.h>

typedef struct sb_model sb_model;
typedef struct sb_scene sb_scene;
typedef struct sb_texel_map sb_texel_map;

typedef struct modes_options {
    const char *body;
    double at[2];      /* negative: not given */
    const char *point; /* X,Y,Z or NULL */
    double limit;
    bool is_json;
    const char *plot, *merge_plot, *export_path;
    double balloon;     /* the number of a mode; 0: none */
    const char *output; /* of the balloon */
    const char *method; /* a name, "all", or NULL */
    /* Settings of the solver; 0 or NULL: those of the body. */
    double mode_count, max_hz, elements;
    bool keeps_beats;
    double merge;  /* negative: that of the body */
    bool is_given; /* use the modes stored in the file */
    /* For a mesh only. */
    const char *material, *clamp;
    double thickness_m, scale;
    scene_options scene;
} modes_options;

/* A body to be listed. The scene, or `source`, owns shape and mesh. */
typedef struct mode_body {
    char name[SB_NAME_SIZE];
    sb_shape shape;
    sb_material material;
    bool has_material;
    sb_model *model;        /* NULL if all methods are compared */
    sb_mesh_source *source; /* or NULL */
    bool is_cached;
    sb_diffuse_part diffuse;
    bool is_nonlinear;
    sb_discretisation discretisation; /* of its sound, at rate_hz */
    double rate_hz;
} mode_body;

/* The body of a scene; its model is retained. */
mode_body mode_body_of(const sb_scene *scene, sb_body_id id);
void mode_body_free(mode_body *body);

/* Find the body of that name, or the only one if that is NULL. Returns an exit
 * code; on failure a message has been printed. The scene has bodies. */
int find_body(const char *verb, const sb_scene *scene, const char *name,
              sb_body_id *out);

/* Apply the options that change how the body is solved. */
void mode_body_override(mode_body *body, const modes_options *options);
bool compares_methods(const modes_options *options);

/* Solve the modes or read them from the cache, with a progress bar. */
SB_NODISCARD sb_status mode_body_solve(mode_body *body,
                                       const modes_options *options,
                                       sb_error *err);

/* Name of the body's material in the library, or NULL. */
const char *mode_body_material(const mode_body *body);

/* Number of motions without stiffness of a rigid body. A body of springs may
 * have more, which are mechanisms. */
int mode_body_rigid_motions(const mode_body *body);

/* --- meshes --------------------------------------------------------------- */

bool is_mesh_path(const char *path); /* by its file extension */
extern const char mesh_endings[];    /* ".obj, .ply, ..." */

/* Read a mesh, describe it on standard error, and solve it unless methods are
 * compared. Returns an exit code; on failure a message has been printed. */
int mode_body_of_mesh(const char *path, const modes_options *options,
                      mode_body *out);

/* --- what is shown -------------------------------------------------------- */

/* Add the modes to the array, or print them if it is NULL. Return exit codes.
 */
int list_modes(const mode_body *body, const modes_options *options,
               cJSON *bodies);
int compare_methods(const mode_body *body, const modes_options *options,
                    cJSON *bodies);

/* For each of `count` frequencies find the index of the matching one among
 * `others`, or -1. Matches keep the order, are at most 300 cents apart, and
 * minimize the total distance. Both lists are ascending. False if out of
 * memory. */
bool match_modes(const double *freqs_hz, int count, const double *others_hz,
                 int other_count, int *fellows);
double cents_between(double freq_hz, double reference_hz);

/* True if the extension is .json, .csv, .gltf or .modal. */
bool can_export_to(const char *path);
SB_NODISCARD sb_status export_modes(const mode_body *body, const char *path,
                                    sb_error *err);

/* Draw the first twelve modes, as Chladni figures, as a PNG. BAD_ARGUMENT for a
 * body without a surface or modes, NO_MEMORY, and errors of picture.h. */
SB_NODISCARD sb_status plot_modes(const mode_body *body, const char *path,
                                  sb_error *err);

/* Draw the directions of a mode, counted from 1. BAD_ARGUMENT if there is no
 * such mode, or there are no directions; errors of picture.h. */
SB_NODISCARD sb_status plot_balloon(const mode_body *body, int mode,
                                    const char *path, sb_error *err);

/* Draw which modes are merged. A model of elements is finished a second time,
 * without merging. BAD_ARGUMENT for a body without modes, errors of solving and
 * of picture.h. */
SB_NODISCARD sb_status plot_merging(const mode_body *body,
                                    const modes_options *options,
                                    const char *path, sb_error *err);

/* --- textures ------------------------------------------------------------- */

/* A name with one %d and no other % stands for the files of all modes. */
bool is_numbered(const char *name);
void name_numbered(char path[PATH_MAX], const char *pattern, int number);

typedef struct bake_sheet bake_sheet;

/* Begin an empty page for the textures of the first `mode_count` modes. */
SB_NODISCARD sb_status bake_sheet_begin(const mode_body *body,
                                        const sb_texel_map *map, int mode_count,
                                        bake_sheet **out, sb_error *err);
/* Draw one mode's texture at its position. */
void bake_sheet_add(bake_sheet *sheet, int mode, const float *weights);
SB_NODISCARD sb_status bake_sheet_save(const bake_sheet *sheet,
                                       const char *path, sb_error *err);
void bake_sheet_free(bake_sheet *sheet); /* NULL is allowed */
