/* bindings/cli/modes/verb_bake.c -- sandbell bake: reads the command line, finds
 * the body and calls bake_files.c, bake_sheet.c or bake_unwrap.c.
 * Thread: control. */
#include "bindings/cli/console/progress_bar.h"
#include "bindings/cli/modes/bake.h"
#include "bindings/cli/modes/modes.h"
#include "bindings/host/host.h"
#include "runtime/base/nearest.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/textures/texel_map.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/body.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define AT(field) offsetof(bake_options, field)
const option_row bake_rows[] = {
    {"--body", NULL, OPTION_TEXT, AT(body), 0, 0, "NAME",
     "body of the scene; required if the scene has several"},
    {"--output", "-o", OPTION_OUTPUT, AT(output), 0, 0, "NAME_%d.png",
     "one file per mode, numbered from 1; with --unwrap, OUT.obj"},
    {"--size", NULL, OPTION_NUMBER, AT(size), 2, SB_TEXEL_MAP_SIDE_MOST, "N",
     "texels per side (default 256)"},
    {"--modes", NULL, OPTION_NUMBER, AT(mode_count), 1, 4096, "N",
     "only the lowest N modes"},
    {"--sheet", NULL, OPTION_OUTPUT, AT(sheet), 0, 0, "PNG",
     "draw all modes on one page"},
    {"--json", NULL, OPTION_FLAG, AT(is_json), 0, 0, NULL,
     "print one JSON object"},
    {"--unwrap", NULL, OPTION_FLAG, AT(unwraps), 0, 0, NULL,
     "give a mesh texture coordinates: sandbell bake --unwrap MESH -o OUT.obj"},
    {"--material", NULL, OPTION_TEXT, AT(material), 0, 0, "NAME",
     "material of a mesh"},
    {"--thickness", NULL, OPTION_NUMBER, AT(thickness_m), 1e-6, 10, "M",
     "of a mesh that is a sheet, as in sandbell modes"},
    {"--scale", NULL, OPTION_NUMBER, AT(scale), 1e-9, 1e9, "S",
     "multiply all lengths of a mesh by this (default 1)"},
    {"--method", NULL, OPTION_TEXT, AT(method), 0, 0, "NAME",
     "how a mesh is solved: shell, solid, tet4, springs or springs-literal"},
    SCENE_OPTION_ROWS(bake_options),
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static int refuse(const char *sentence) {
    (void)fprintf(stderr, "sandbell bake: %s\n", sentence);
    return EXIT_USAGE;
}

/* --- which body ----------------------------------------------------------- */

static const char *body_name_at(const void *names, int i) {
    const sb_scene *scene = names;
    return sb_scene_body_name(scene, sb_scene_body_at(scene, i));
}

static int find_body(const sb_scene *scene, const char *name, sb_body_id *out) {
    int count = sb_scene_body_count(scene);
    if (count == 0) {
        (void)fprintf(stderr, "sandbell bake: the scene has no bodies\n");
        return EXIT_SOLVE;
    }
    if (!name && count > 1) {
        (void)fprintf(stderr,
                      "sandbell bake: the scene has %d bodies; choose one with "
                      "--body NAME\n",
                      count);
        return EXIT_USAGE;
    }
    *out = name ? sb_scene_find(scene, name) : sb_scene_body_at(scene, 0);
    if (sb_scene_has(scene, *out)) return EXIT_OK;
    const char *near = sb_nearest(name, count, body_name_at, scene);
    (void)fprintf(stderr, "sandbell bake: no body is called '%s'%s%s%s\n", name,
                  near ? "; did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
    return EXIT_USAGE;
}

static int bake_scene(const char *path, const bake_options *options) {
    sb_host_def def;
    if (!host_def_of(&verb_bake, &options->scene, &def)) return EXIT_USAGE;
    sb_host *host;
    sb_error err;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);
    const sb_scene *scene = sb_host_scene(host);
    sb_body_id id;
    int code = find_body(scene, options->body, &id);
    if (code == EXIT_OK) {
        const sb_planned *planned = sb_scene_body_planned(scene, id);
        mode_body body = {.shape = planned->def.shape,
                          .material = planned->def.material,
                          .has_material = planned->def.has_material,
                          .model = sb_model_retain(planned->model)};
        (void)snprintf(body.name, sizeof body.name, "%s", planned->name);
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
        (void)fprintf(stderr,
                      "sandbell bake: %s has no texture coordinates; this "
                      "gives it some:\n  sandbell bake --unwrap %s -o "
                      "%s_unwrapped.obj\n",
                      path, path, body.name);
        code = EXIT_ASSET;
    } else {
        code = bake_body(&body, options);
    }
    mode_body_free(&body);
    return code;
}

/* --- the command line ----------------------------------------------------- */

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static int check_unwrap(const char *path, const bake_options *options) {
    if (!is_mesh_path(path) || ends_in(path, ".modal")) {
        return refuse("--unwrap needs a mesh: a file that ends in .obj, .ply, "
                      ".stl, .gltf, .glb, .node, .ele or .msh");
    }
    if (!options->output || !ends_in(options->output, ".obj"))
        return refuse("--unwrap needs -o and a name that ends in .obj");
    if (options->body || options->mode_count > 0 || options->sheet) {
        return refuse("--body, --modes and --sheet are for scenes; --unwrap "
                      "has a mesh");
    }
    return EXIT_OK;
}

static int check(const char *path, const bake_options *options) {
    if (options->sheet && !ends_in(options->sheet, ".png"))
        return refuse("--sheet needs a name that ends in .png");
    if (options->size != floor(options->size) ||
        options->mode_count != floor(options->mode_count)) {
        return refuse("--size and --modes need whole numbers");
    }
    if (options->unwraps) return check_unwrap(path, options);
    if (is_mesh_path(path) && options->body)
        return refuse("--body is for scenes; a mesh is one");
    if (!is_mesh_path(path) && (options->material || options->method ||
                                options->thickness_m > 0 || options->scale > 0))
        return refuse("--material, --thickness, --scale and --method are for "
                      "meshes; a scene says these itself");
    if (options->method && sb_method_from_name(options->method) < 0)
        return refuse("--method needs shell, solid, tet4, springs or "
                      "springs-literal");
    if (!options->output && !options->sheet)
        return refuse("-o NAME_%d.png or --sheet PNG says where to write");
    if (options->output &&
        (!is_numbered(options->output) || !ends_in(options->output, ".png"))) {
        return refuse("-o needs a name that ends in .png and has one %d where "
                      "the number goes, as in textures/plate_%d.png");
    }
    if (options->output && options->sheet &&
        is_of_numbered(options->output, options->sheet))
        return refuse("--sheet has a name that -o gives to the file of a mode");
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
