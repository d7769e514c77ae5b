/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/verb_bake.c -- sandbell bake: writes one texture per mode of
 * a body, and adds texture coordinates to a mesh that has none.
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/modes/modes.h"
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/media/image/png_file.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/model.h"
#include "runtime/model/textures/atlas.h"
#include "runtime/model/textures/texel_map.h"
#include "runtime/scene/state/body.h"
#include "runtime/store/export/pose_writer.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

#define AT(field) offsetof(bake_options, field)
const option_row bake_rows[] = {
    TEXT_ROW("--body", TEXT, body, "NAME",
             "body of the scene; required if the scene has several"),
    OPTION_ROW("--output", "-o", OUTPUT, output, 0, 0, "NAME_%d.png",
               "one file per mode, numbered from 1; with --unwrap, OUT.obj"),
    NUMBER_ROW("--size", size, 2, SB_TEXEL_MAP_SIDE_MOST, "N",
               "texels per side (default 256)"),
    NUMBER_ROW("--modes", mode_count, 1, 4096, "N", "only the lowest N modes"),
    TEXT_ROW("--sheet", OUTPUT, sheet, "PNG", "draw all modes on one page"),
    FLAG_ROW("--json", is_json, "print one JSON object"),
    FLAG_ROW("--unwrap", unwraps,
             "give a mesh texture coordinates: sandbell bake --unwrap MESH -o "
             "OUT.obj"),
    TEXT_ROW("--material", TEXT, material, "NAME", "material of a mesh"),
    NUMBER_ROW("--thickness", thickness_m, 1e-6, 10, "M",
               "of a mesh that is a sheet, as in sandbell modes"),
    NUMBER_ROW("--scale", scale, 1e-9, 1e9, "S",
               "multiply all lengths of a mesh by this (default 1)"),
    TEXT_ROW(
        "--method", TEXT, method, "NAME",
        "how a mesh is solved: shell, solid, tet4, springs or springs-literal"),
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

/* Texels of the modes that are computed at once: 64 MB. */
enum { BATCH_TEXELS = 1 << 24 };

typedef struct bake_job {
    const mode_body *body;
    const bake_options *options;
    sb_texel_map map;
    int mode_count;
    bake_sheet *sheet;
    cJSON *modes; /* or NULL */
} bake_job;

/* --- names ---------------------------------------------------------------- */

bool is_numbered(const char *name) {
    const char *percent = strchr(name, '%');
    return percent && percent[1] == 'd' && !strchr(percent + 1, '%');
}

/* Can it be one of the names that this pattern gives? */
static bool is_of_numbered(const char *pattern, const char *name) {
    size_t before = strcspn(pattern, "%");
    if (strncmp(pattern, name, before) != 0) return false;
    size_t digits = strspn(name + before, "0123456789");
    return digits > 0 &&
           strcmp(name + before + digits, pattern + before + 2) == 0;
}

void name_numbered(char path[PATH_MAX], const char *pattern, int number) {
    const char *percent = strchr(pattern, '%');
    (void)snprintf(path, PATH_MAX, "%.*s%d%s", (int)(percent - pattern),
                   pattern, number, percent + 2);
}

/* --- one mode ------------------------------------------------------------- */

static void tell_mode(const bake_job *job, int mode, const char *path,
                      const float *weights) {
    const sb_mode *of = &sb_model_modes(job->body->model)[mode];
    if (!job->modes) return;
    cJSON *row = cJSON_CreateObject();
    (void)cJSON_AddItemToArray(job->modes, row);
    add_number(row, "mode", mode + 1);
    add_number(row, "freq_hz", of->freq_hz);
    add_text(row, "label", of->label);
    if (path) add_text(row, "file", path);
    add_number(row, "scale", sb_texel_map_scale(&job->map, weights));
    add_number(row, "largest", sb_texel_map_largest(&job->map, weights));
}

static sb_status finish_mode(const bake_job *job, int mode,
                             const float *weights, sb_error *err) {
    const char *pattern = job->options->output;
    char path[PATH_MAX];
    if (is_interrupted()) return sb_fail(err, SB_INTERRUPTED, "interrupted");
    if (pattern) {
        name_numbered(path, pattern, mode + 1);
        sb_status status = sb_png16_write_weights(
            path, job->map.width, job->map.height, weights,
            sb_texel_map_scale(&job->map, weights), err);
        if (status) return status;
    }
    if (job->sheet) bake_sheet_add(job->sheet, mode, weights);
    tell_mode(job, mode, pattern ? path : NULL, weights);
    return SB_OK;
}

/* --- all of them ---------------------------------------------------------- */

static sb_status finish_modes(const bake_job *job, sb_error *err) {
    size_t texels = (size_t)job->map.width * (size_t)job->map.height;
    int batch = (int)(BATCH_TEXELS / texels);
    if (batch < 1) batch = 1;
    if (batch > job->mode_count) batch = job->mode_count;
    float *weights = sb_alloc((size_t)batch * texels, sizeof *weights);
    if (!weights) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d %s of texels",
                       COUNTED(batch, "mode", "modes"));
    }
    sb_status status = SB_OK;
    for (int first = 0; !status && first < job->mode_count; first += batch) {
        int count = job->mode_count - first;
        if (count > batch) count = batch;
        status = sb_texel_map_weights(&job->map, job->body->model, first, count,
                                      weights, err);
        for (int k = 0; !status && k < count; k++) {
            status =
                finish_mode(job, first + k, weights + (size_t)k * texels, err);
        }
    }
    sb_free(weights);
    return status;
}

static sb_status check_amount(const bake_job *job, sb_error *err) {
    int64_t texels = (int64_t)job->map.width * job->map.height;
    if (texels * job->mode_count <= BAKE_TEXELS_MOST) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%d %s of %d x %d texels are more than the 64 million that "
                   "a scene takes back; --modes %d bakes the lowest",
                   COUNTED(job->mode_count, "mode", "modes"), job->map.width,
                   job->map.height, (int)(BAKE_TEXELS_MOST / texels));
}

static sb_status bake(bake_job *job, sb_error *err) {
    const bake_options *options = job->options;
    const sb_model *model = job->body->model;
    sb_error why;
    if (sb_texel_map_make(model, (int)options->size, &job->map, &why)) {
        return sb_fail(err, why.status, "'%s' cannot be baked: %s",
                       job->body->name, why.message);
    }
    job->mode_count = sb_model_mode_count(model);
    if (options->mode_count > 0 && options->mode_count < job->mode_count)
        job->mode_count = (int)options->mode_count;
    sb_status status = check_amount(job, err);
    if (!status && options->sheet) {
        status = bake_sheet_begin(job->body, &job->map, job->mode_count,
                                  &job->sheet, err);
    }
    if (!status) status = finish_modes(job, err);
    if (!status && options->sheet)
        status = bake_sheet_save(job->sheet, options->sheet, err);
    return status;
}

/* --- what is said --------------------------------------------------------- */

static void warn(const bake_job *job) {
    const sb_texel_map *map = &job->map;
    if (map->doubled_count * 100 > map->covered_count) {
        complain(
            "bake",
            "warning: %.0f %% of the texels belong to two places of '%s', "
            "which sound alike then; sandbell bake --unwrap spreads a mesh out "
            "anew",
            100.0 * map->doubled_count / map->covered_count, job->body->name);
    }
    if (map->outside_count > 0) {
        complain("bake",
                 "warning: %d %s of '%s' outside the texture, not baked",
                 COUNTED(map->outside_count, "face", "faces"), job->body->name);
    }
}

static int print_bake(const bake_job *job) {
    const sb_texel_map *map = &job->map;
    cJSON *json = cJSON_CreateObject();
    double texels = (double)map->width * map->height;
    add_text(json, "body", job->body->name);
    add_number(json, "width", map->width);
    add_number(json, "height", map->height);
    add_text(json, "edges", map->repeats ? "repeat" : "clamp");
    add_number(json, "covered", map->covered_count / texels);
    add_number(json, "doubled", map->doubled_count / texels);
    add_number(json, "faces_outside", map->outside_count);
    if (job->options->sheet) add_text(json, "sheet", job->options->sheet);
    (void)cJSON_AddItemReferenceToObject(json, "modes", job->modes);
    return print_json(json);
}

static void print_words(const bake_job *job) {
    const sb_texel_map *map = &job->map;
    char first[PATH_MAX], last[PATH_MAX];
    (void)printf("%s: %d %s of %d x %d texels", job->body->name,
                 COUNTED(job->mode_count, "mode", "modes"), map->width,
                 map->height);
    if (map->covered_count < map->width * map->height) {
        (void)printf(", %.0f %% of them on the surface",
                     100.0 * map->covered_count / map->width / map->height);
    }
    if (job->options->output) {
        name_numbered(first, job->options->output, 1);
        name_numbered(last, job->options->output, job->mode_count);
        (void)printf(job->mode_count > 1 ? ", %s to %s" : ", %s", first, last);
    }
    if (job->options->sheet) (void)printf(", sheet %s", job->options->sheet);
    (void)printf("\n");
}

static int bake_body(const mode_body *body, const bake_options *options) {
    bake_job job = {.body = body, .options = options};
    sb_error err;
    job.modes = options->is_json ? cJSON_CreateArray() : NULL;
    int code = EXIT_OK;
    if (bake(&job, &err)) {
        code = fail_with(&err);
    } else {
        warn(&job);
        if (options->is_json)
            code = print_bake(&job);
        else
            print_words(&job);
    }
    cJSON_Delete(job.modes);
    bake_sheet_free(job.sheet);
    sb_texel_map_free(&job.map);
    return code;
}

/* --- texture coordinates -------------------------------------------------- */

static int print_unwrap(const bake_options *options, const sb_mesh *mesh,
                        const sb_atlas *atlas) {
    cJSON *json = cJSON_CreateObject();
    add_text(json, "file", options->output);
    add_number(json, "faces", mesh->face_count);
    add_number(json, "charts", atlas->chart_count);
    add_number(json, "used", atlas->used);
    add_number(json, "margin", atlas->margin);
    return print_json(json);
}

static int tell(const char *path, const bake_options *options,
                const sb_mesh *mesh, const sb_atlas *atlas) {
    if (mesh->uvs) {
        complain("bake",
                 "%s has texture coordinates of its own; those of %s are new",
                 path, options->output);
    }
    if (mesh->tet_count > 0) {
        complain("bake", "%s has the surface of %s, not its %d tetrahedra",
                 options->output, path, mesh->tet_count);
    }
    if (options->is_json) return print_unwrap(options, mesh, atlas);
    (void)printf("%s: %d %s in %d %s, which cover %.0f %% of the texture, at "
                 "least %.3g of its side apart\n",
                 options->output, COUNTED(mesh->face_count, "face", "faces"),
                 COUNTED(atlas->chart_count, "chart", "charts"),
                 100 * atlas->used, atlas->margin);
    return EXIT_OK;
}

static int bake_unwrap(const char *path, const bake_options *options) {
    sb_mesh mesh;
    sb_atlas atlas = {0};
    sb_error err;
    if (sb_mesh_read(path, 1.0, &mesh, NULL, &err)) {
        (void)fail_with(&err);
        return EXIT_ASSET;
    }
    int code;
    if (sb_atlas_make(&mesh, &atlas, &err) ||
        sb_obj_write(options->output, &mesh, (const float(*)[3][2])atlas.uvs,
                     &err)) {
        code = fail_with(&err);
    } else {
        code = tell(path, options, &mesh, &atlas);
    }
    sb_atlas_free(&atlas);
    sb_mesh_free(&mesh);
    return code;
}

/* --- which body ----------------------------------------------------------- */

static int bake_scene(const char *path, const bake_options *options) {
    sb_host_def def;
    if (!host_def_of(&verb_bake, &options->scene, &def)) return EXIT_USAGE;
    sb_host *host;
    sb_error err;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);
    const sb_scene *scene = sb_host_scene(host);
    sb_body_id id;
    int code = EXIT_SOLVE;
    if (sb_scene_body_count(scene) == 0)
        complain("bake", "the scene has no bodies");
    else
        code = find_body("bake", scene, options->body, &id);
    if (code == EXIT_OK) {
        mode_body body = mode_body_of(scene, id);
        code = bake_body(&body, options);
        mode_body_free(&body);
    }
    sb_host_close(host);
    return code;
}

/* The model of a mesh must have texture coordinates before it is solved. */
static int bake_mesh(const char *path, const bake_options *options) {
    modes_options how = {.at = {-1, -1},
                         .material = options->material,
                         .method = options->method,
                         .thickness_m = options->thickness_m,
                         .scale = options->scale,
                         .mode_count = options->mode_count};
    /* Pairs are merged: more are found than are baked. */
    if (how.mode_count > 0) how.mode_count = fmin(2 * how.mode_count + 6, 4096);
    mode_body body;
    int code = mode_body_of_mesh(path, &how, &body);
    if (code != EXIT_OK) return code;
    if (!sb_model_has_uv(body.model)) {
        complain("bake",
                 "%s has no texture coordinates; this gives it some:\n  "
                 "sandbell bake --unwrap %s -o %s_unwrapped.obj",
                 path, path, body.name);
        code = EXIT_ASSET;
    } else {
        code = bake_body(&body, options);
    }
    mode_body_free(&body);
    return code;
}

/* --- the command line ----------------------------------------------------- */

static int check_unwrap(const char *path, const bake_options *options) {
    if (!is_mesh_path(path) || ends_in(path, ".modal")) {
        return complain(
            "bake", "--unwrap needs a mesh: a file that ends in .obj, .ply, "
                    ".stl, .gltf, .glb, .node, .ele or .msh");
    }
    if (!options->output || !ends_in(options->output, ".obj"))
        return complain("bake",
                        "--unwrap needs -o and a name that ends in .obj");
    if (options->body || options->mode_count > 0 || options->sheet) {
        return complain("bake", "--body, --modes and --sheet are for scenes; "
                                "--unwrap has a mesh");
    }
    return EXIT_OK;
}

static int check(const char *path, const bake_options *options) {
    if (options->sheet && !ends_in(options->sheet, ".png"))
        return complain("bake", "--sheet needs a name that ends in .png");
    if (options->size != floor(options->size) ||
        options->mode_count != floor(options->mode_count)) {
        return complain("bake", "--size and --modes need whole numbers");
    }
    if (options->unwraps) return check_unwrap(path, options);
    if (is_mesh_path(path) && options->body)
        return complain("bake", "--body is for scenes; a mesh is one");
    if (!is_mesh_path(path) && (options->material || options->method ||
                                options->thickness_m > 0 || options->scale > 0))
        return complain("bake", "--material, --thickness, --scale and --method "
                                "are for meshes; a scene says these itself");
    if (options->method && sb_method_from_name(options->method) < 0)
        return complain("bake", "--method needs shell, solid, tet4, springs or "
                                "springs-literal");
    if (!options->output && !options->sheet)
        return complain("bake",
                        "-o NAME_%%d.png or --sheet PNG says where to write");
    if (options->output &&
        (!is_numbered(options->output) || !ends_in(options->output, ".png"))) {
        return complain(
            "bake", "-o needs a name that ends in .png and has one %%d where "
                    "the number goes, as in textures/plate_%%d.png");
    }
    if (options->output && options->sheet &&
        is_of_numbered(options->output, options->sheet))
        return complain(
            "bake", "--sheet has a name that -o gives to the file of a mode");
    return EXIT_OK;
}

int bake_main(int argc, char **argv) {
    bake_options options = {.size = 256, .scene = SCENE_OPTIONS_DEFAULT};
    const char *path;
    if (!parse_options(&verb_bake, argc, argv, &options, &path, 1, 1))
        return EXIT_USAGE;
    int code = check(path, &options);
    if (code != EXIT_OK) return code;
    if (!are_outputs_separate(&verb_bake, &options)) return EXIT_USAGE;
    if (!options.is_json) results_are_files();
    catch_interrupts();
    if (options.unwraps) return bake_unwrap(path, &options);
    return is_mesh_path(path) ? bake_mesh(path, &options)
                              : bake_scene(path, &options);
}
