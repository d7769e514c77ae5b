/* bindings/cli/modes/modes.h -- shared by the files of `sandbell modes`.
 *
 * verb_modes.c reads the command line and finds the bodies of a scene;
 * modes_mesh.c makes a body of a mesh; modes_list.c prints its modes;
 * modes_compare.c compares the methods; modes_export.c writes a file;
 * mode_plot.h draws an image.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_MODES_MODES_H
#define SB_BINDINGS_CLI_MODES_MODES_H

#include "bindings/cli/console/cli.h"
#include "runtime/model/modal_model.h"
#include "runtime/store/model_maker.h"

#include <cjson/cJSON.h>

typedef struct modes_options {
    const char *body;
    double at[2]; /* negative: not asked */
    double limit;
    bool is_json;
    const char *plot;
    const char *export_path;
    const char *method; /* a name, "all", or NULL */
    /* Of the computing; 0 or NULL: as the body has it. */
    double mode_count, max_hz, elements;
    bool keeps_beats;
    bool is_given; /* the modes of the file are wanted */
    /* Of a mesh. */
    const char *material;
    const char *clamp;
    double thickness_m, scale;
    scene_options scene;
} modes_options;

/* One body on its way to the table. Shape and mesh live as long as what they
 * came from: the scene, or `source`. */
typedef struct mode_body {
    char name[SB_NAME_SIZE];
    sb_shape shape;
    sb_material material;
    bool has_material;
    sb_model *model;        /* NULL when all methods are compared */
    sb_mesh_source *source; /* or NULL */
    bool is_cached;
} mode_body;

void mode_body_free(mode_body *body);

/* What the options change about how it is computed. */
void mode_body_override(mode_body *body, const modes_options *options);
bool is_overridden(const modes_options *options);
bool compares_methods(const modes_options *options);

/* Find or solve its modes, with a bar. */
SB_NODISCARD sb_status mode_body_solve(mode_body *body,
                                       const modes_options *options,
                                       sb_error *err);

/* Its material's name in the library, or NULL. */
const char *mode_body_material(const mode_body *body);

/* Motions without stiffness that a rigid body has, too; what springs have more
 * of them are mechanisms. */
int mode_body_rigid_motions(const mode_body *body);

/* --- meshes --------------------------------------------------------------- */

bool is_mesh_path(const char *path); /* by its ending */
extern const char mesh_endings[];    /* ".obj, .ply, ..." */

/* Read, describe on standard error, and solve unless methods are compared.
 * An exit code; on failure a sentence has been printed. */
int mode_body_of_mesh(const char *path, const modes_options *options,
                      mode_body *out);

/* --- what is shown -------------------------------------------------------- */

/* To the array, or printed when it is NULL. Exit codes. */
int list_modes(const mode_body *body, const modes_options *options,
               cJSON *bodies);
int compare_methods(const mode_body *body, const modes_options *options,
                    cJSON *bodies);

/* For each of `count` frequencies the index of its fellow among the `others`,
 * or -1: in order, none twice, never more than 300 cents apart, and all
 * together as near as they can be. Both are ascending. False: no memory. */
bool match_modes(const double *freqs_hz, int count, const double *others_hz,
                 int other_count, int *fellows);
double cents_between(double freq_hz, double reference_hz);

/* .json, .csv, .gltf or .modal, by the ending. */
bool can_export_to(const char *path);
SB_NODISCARD sb_status export_modes(const mode_body *body, const char *path,
                                    sb_error *err);

#endif
