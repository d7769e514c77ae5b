/* bindings/cli/modes/bake.h -- shared by the files of `sandbell bake`.
 *
 * verb_bake.c reads the command line and finds the body, bake_files.c computes
 * and writes the textures, bake_sheet.c draws all of them on one page, and
 * bake_unwrap.c gives a mesh texture coordinates.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_MODES_BAKE_H
#define SB_BINDINGS_CLI_MODES_BAKE_H

#include "bindings/cli/console/cli.h"

typedef struct mode_body mode_body;
typedef struct sb_texel_map sb_texel_map;

typedef struct bake_options {
    const char *body;   /* or NULL: the only body */
    const char *output; /* a name with %d, or NULL */
    const char *sheet;  /* or NULL */
    double size;
    double mode_count; /* 0: all */
    bool is_json;
    bool unwraps;
    /* For a mesh: as in modes_options. */
    const char *material, *method;
    double thickness_m, scale;
    scene_options scene;
} bake_options;

/* Most texels in all modes together, so that a scene can load the textures. */
enum { BAKE_TEXELS_MOST = 1 << 26 };

/* True if the name has one %d and no other %. */
bool is_numbered(const char *name);
/* Can it be one of the names that this pattern gives? */
bool is_of_numbered(const char *pattern, const char *name);

/* Compute, write and report the textures. Returns an exit code; on failure a
 * message has been printed. */
int bake_body(const mode_body *body, const bake_options *options);
int bake_unwrap(const char *path, const bake_options *options);

/* --- the sheet ------------------------------------------------------------ */

typedef struct bake_sheet bake_sheet;

/* Begin an empty page for the first `mode_count` modes of a body. */
SB_NODISCARD sb_status bake_sheet_begin(const mode_body *body,
                                        const sb_texel_map *map, int mode_count,
                                        bake_sheet **out, sb_error *err);
/* Draw one mode's texture at its position. */
void bake_sheet_add(bake_sheet *sheet, int mode, const float *weights);
SB_NODISCARD sb_status bake_sheet_save(const bake_sheet *sheet,
                                       const char *path, sb_error *err);
void bake_sheet_free(bake_sheet *sheet); /* NULL is allowed */

#endif
