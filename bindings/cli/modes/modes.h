/* bindings/cli/modes/modes.h -- shared by the files of `sandbell modes`.
 *
 * verb_modes.c reads the command line and finds the bodies of a scene;
 * modes_mesh.c makes a body of a mesh; modes_list.c prints its modes;
 * modes_compare.c compares the methods; modes_export.c writes a file;
 * mode_plot.h and merge_plot.h draw images.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODES_H
#define SB_BINDINGS_CLI_MODES_MODES_H

#include "bindings/cli/console/cli.h"
#include "runtime/scene/plan/body_def.h"

#include <cjson/cJSON.h>

typedef struct sb_model sb_model;
typedef struct sb_model_point sb_model_point;

typedef struct modes_options {
    const char *body;
    double at[2];      /* negative: not given */
    const char *point; /* X,Y,Z or NULL */
    double limit;
    bool is_json;
    const char *plot;
    const char *merge_plot;
    const char *export_path;
    const char *method; /* a name, "all", or NULL */
    /* Settings of the solver; 0 or NULL: those of the body. */
    double mode_count, max_hz, elements;
    bool keeps_beats;
    double merge;  /* negative: that of the body */
    bool is_given; /* use the modes stored in the file */
    /* For a mesh only. */
    const char *material;
    const char *clamp;
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

void mode_body_free(mode_body *body);

/* Apply the options that change how the body is solved. */
void mode_body_override(mode_body *body, const modes_options *options);
bool is_overridden(const modes_options *options);
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

/* The place given with --at or --point. False: there was none, or the body has
 * no such place; *code is then EXIT_OK, or that of a printed message. */
bool mode_body_place(const mode_body *body, const modes_options *options,
                     sb_model_point *out, int *code);

/* True if the extension is .json, .csv, .gltf or .modal. */
bool can_export_to(const char *path);
SB_NODISCARD sb_status export_modes(const mode_body *body, const char *path,
                                    sb_error *err);

#endif
