/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/verb_modes.c -- sandbell modes: reads the command line and
 * lists the modes of the bodies of a scene, or of a mesh.
 * Thread: control. */
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/modes/modes.h"
#include "bindings/host/host.h"
#include "runtime/base/nearest.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/body.h"
#include "runtime/store/model_maker.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define AT(field) offsetof(modes_options, field)
const option_row modes_rows[] = {
    TEXT_ROW("--body", TEXT, body, "NAME", "only this body of a scene"),
    OPTION_ROW(
        "--at", NULL, PAIR, at, 0, 1, "U,V",
        "show the mode shapes at this place, along the normal (kg^-1/2)"),
    TEXT_ROW("--point", TEXT, point, "X,Y,Z",
             "the same at the point of the surface nearest to this one (m), "
             "for meshes without texture coordinates"),
    NUMBER_ROW("--limit", limit, 1, 1e6, "N",
               "show at most this many modes per body"),
    FLAG_ROW("--json", is_json, "print one JSON object"),
    TEXT_ROW("--plot", OUTPUT, plot, "PNG",
             "draw the first twelve modes with their nodal lines"),
    TEXT_ROW("--merge-plot", OUTPUT, merge_plot, "PNG",
             "draw the frequencies before and after merging, and the least "
             "differences that are heard"),
    NUMBER_ROW("--balloon", balloon, 1, 4096, "N",
               "draw what mode N radiates into which direction, in three "
               "planes"),
    OPTION_ROW("--output", "-o", OUTPUT, output, 0, 0, "PNG",
               "name of the balloon's picture (default balloon.png)"),
    TEXT_ROW("--export", OUTPUT, export_path, "FILE",
             "write the model as .json, .csv, .gltf or .modal"),
    TEXT_ROW("--method", TEXT, method, "NAME",
             "shell, solid, tet4, springs, springs-literal or analytic; all "
             "compares them"),
    NUMBER_ROW("--modes", mode_count, 1, 4096, "N",
               "compute at most this many modes"),
    NUMBER_ROW("--max-hz", max_hz, 1, 1e6, "HZ",
               "compute modes up to this frequency (default 22000)"),
    NUMBER_ROW(
        "--elements", elements, 1, 500, "N",
        "elements along the longest side (default: chosen for accuracy)"),
    FLAG_ROW("--no-merge", keeps_beats,
             "do not merge modes that are too close to be told apart by ear"),
    NUMBER_ROW("--merge", merge, 0, 100, "X",
               "merge modes nearer than X just noticeable differences (default "
               "1, of closed forms 0: none)"),
    FLAG_ROW("--given", is_given,
             "use the modes stored in a .gltf file instead of computing them, "
             "with its material unless --material is given"),
    TEXT_ROW("--material", TEXT, material, "NAME", "material of a mesh"),
    NUMBER_ROW("--thickness", thickness_m, 1e-6, 10, "M",
               "thickness of a shell whose middle surface is the mesh; "
               "default: solid, as is a closed mesh that is thinner inside "
               "than two such walls"),
    NUMBER_ROW("--scale", scale, 1e-9, 1e9, "S",
               "multiply all lengths of a mesh by this (default 1)"),
    TEXT_ROW("--clamp", TEXT, clamp, "WHERE",
             "clamp a mesh at its open edges (edges) or inside a box, "
             "X0,Y0,Z0,X1,Y1,Z1 in metres"),
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

/* --- bodies --------------------------------------------------------------- */

mode_body mode_body_of(const sb_scene *scene, sb_body_id id) {
    const sb_planned *planned = sb_scene_body_planned(scene, id);
    mode_body body = {.shape = planned->def.shape,
                      .material = planned->def.material,
                      .has_material = planned->def.has_material,
                      .model = sb_model_retain(planned->model),
                      .diffuse = planned->def.diffuse,
                      .is_nonlinear = planned->def.nonlinear.is_on,
                      .discretisation = planned->def.discretisation};
    (void)snprintf(body.name, sizeof body.name, "%s", planned->name);
    return body;
}

void mode_body_free(mode_body *body) {
    sb_model_release(body->model);
    sb_mesh_source_release(body->source);
    memset(body, 0, sizeof *body);
}

bool compares_methods(const modes_options *options) {
    return options->method && strcmp(options->method, "all") == 0;
}

static bool is_overridden(const modes_options *options) {
    return options->method || options->mode_count > 0 || options->max_hz > 0 ||
           options->elements > 0 || options->keeps_beats || options->merge >= 0;
}

void mode_body_override(mode_body *body, const modes_options *options) {
    sb_shape *shape = &body->shape;
    if (options->method && !compares_methods(options))
        shape->method = (sb_method)sb_method_from_name(options->method);
    if (options->mode_count > 0) shape->max_modes = (int)options->mode_count;
    if (options->max_hz > 0) shape->max_hz = options->max_hz;
    if (options->elements > 0) shape->elements = (int)options->elements;
    if (options->merge >= 0) {
        shape->merge = options->merge;
        shape->keeps_beats = !(options->merge > 0);
    }
    if (options->keeps_beats) shape->keeps_beats = true;
}

sb_status mode_body_solve(mode_body *body, const modes_options *options,
                          sb_error *err) {
    sb_maker maker = sb_maker_default();
    maker.progress = solving_goes_on;
    maker.context = body->name;
    maker.memory_bytes = 1e9 * options->scene.memory_gb;
    sb_model_limits limits = sb_model_limits_default();
    if (options->max_hz > 0) limits.max_hz = options->max_hz;
    if (options->mode_count > 0) limits.max_modes = (int)options->mode_count;
    sb_model *model;
    sb_status status = sb_maker_make(
        &maker, &body->shape, body->has_material ? &body->material : NULL,
        &limits, &model, err);
    solving_end();
    body->is_cached = solving_was_cached();
    if (status) return status;
    sb_model_release(body->model);
    body->model = model;
    return SB_OK;
}

const char *mode_body_material(const mode_body *body) {
    for (int i = 0; body->has_material && i < sb_material_count(); i++) {
        const sb_material *known = sb_material_at(i);
        if (memcmp(known, &body->material, sizeof *known) == 0)
            return sb_material_name(i);
    }
    return NULL;
}

int mode_body_rigid_motions(const mode_body *body) {
    const sb_shape *shape = &body->shape;
    if (shape->kind != SB_SHAPE_MESH)
        return shape->support == SB_SUPPORT_FREE ? 6 : 0;
    if (shape->hold.where != SB_HOLD_NOWHERE) return 0;
    return 6 * sb_mesh_source_report(shape->mesh)->component_count;
}

/* --- one body ------------------------------------------------------------- */

static bool writes_files(const modes_options *options) {
    return options->plot || options->merge_plot || options->export_path ||
           options->balloon > 0;
}

static int write_files(const mode_body *body, const modes_options *options) {
    sb_error err;
    sb_status status = SB_OK;
    if (options->export_path)
        status = export_modes(body, options->export_path, &err);
    if (!status && options->plot)
        status = plot_modes(body, options->plot, &err);
    if (!status && options->merge_plot)
        status = plot_merging(body, options, options->merge_plot, &err);
    if (!status && options->balloon > 0)
        status = plot_balloon(body, (int)options->balloon,
                              options->output ? options->output : "balloon.png",
                              &err);
    return status ? fail_with(&err) : EXIT_OK;
}

static int show_body(const mode_body *body, const modes_options *options,
                     cJSON *bodies) {
    if (compares_methods(options))
        return compare_methods(body, options, bodies);
    int code = write_files(body, options);
    return code == EXIT_OK ? list_modes(body, options, bodies) : code;
}

static int show_scene_body(const sb_scene *scene, sb_body_id id,
                           const modes_options *options, cJSON *bodies) {
    mode_body body = mode_body_of(scene, id);
    body.rate_hz = options->scene.rate_hz;
    mode_body_override(&body, options);
    int code = EXIT_OK;
    sb_error err;
    bool rings = sb_model_mode_count(body.model) > 0 &&
                 body.shape.kind != SB_SHAPE_MODES;
    if (rings && is_overridden(options) && !compares_methods(options) &&
        mode_body_solve(&body, options, &err)) {
        (void)fail_with(&err);
        code = err.status == SB_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_SOLVE;
    }
    if (code == EXIT_OK) code = show_body(&body, options, bodies);
    mode_body_free(&body);
    return code;
}

/* --- a scene -------------------------------------------------------------- */

static const char *body_name_at(const void *names, int i) {
    const sb_scene *scene = names;
    return sb_scene_body_name(scene, sb_scene_body_at(scene, i));
}

int find_body(const char *verb, const sb_scene *scene, const char *name,
              sb_body_id *out) {
    int count = sb_scene_body_count(scene);
    if (!name && count > 1)
        return complain(verb,
                        "the scene has %d bodies; choose one with --body NAME",
                        count);
    *out = name ? sb_scene_find(scene, name) : sb_scene_body_at(scene, 0);
    if (sb_scene_has(scene, *out)) return EXIT_OK;
    const char *near = sb_nearest(name, count, body_name_at, scene);
    return complain(verb, "no body is called '%s'%s%s%s", name,
                    near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
}

static int show_scene(const sb_scene *scene, const modes_options *options,
                      cJSON *bodies) {
    int count = sb_scene_body_count(scene);
    if (count == 0 && !options->body) {
        complain("modes", "the scene has no bodies");
        return EXIT_SOLVE;
    }
    if (options->body || writes_files(options)) {
        sb_body_id id;
        int code = find_body("modes", scene, options->body, &id);
        return code == EXIT_OK ? show_scene_body(scene, id, options, bodies)
                               : code;
    }
    int code = EXIT_OK;
    for (int i = 0; i < count && code == EXIT_OK; i++) {
        code =
            show_scene_body(scene, sb_scene_body_at(scene, i), options, bodies);
    }
    return code;
}

static int run_scene(const char *path, const modes_options *options,
                     cJSON *bodies) {
    sb_host_def def;
    if (!host_def_of(&verb_modes, &options->scene, &def)) return EXIT_USAGE;
    sb_host *host;
    sb_error err;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);
    int code = show_scene(sb_host_scene(host), options, bodies);
    sb_host_close(host);
    return code;
}

static int run_mesh(const char *path, const modes_options *options,
                    cJSON *bodies) {
    mode_body body;
    int code = mode_body_of_mesh(path, options, &body);
    if (code != EXIT_OK) return code;
    code = show_body(&body, options, bodies);
    mode_body_free(&body);
    return code;
}

/* --- the command line ----------------------------------------------------- */

static int check_files(const modes_options *options) {
    if (options->plot && !ends_in(options->plot, ".png"))
        return complain("modes", "--plot needs a name that ends in .png");
    if (options->export_path && !can_export_to(options->export_path)) {
        return complain("modes", "--export needs a name that ends in .json, "
                                 ".csv, .gltf or .modal");
    }
    if (options->output && !(options->balloon > 0))
        return complain("modes", "--output is for --balloon");
    if (options->output && !ends_in(options->output, ".png"))
        return complain("modes", "--output needs a name that ends in .png");
    if (options->merge_plot && !ends_in(options->merge_plot, ".png"))
        return complain("modes", "--merge-plot needs a name that ends in .png");
    if (compares_methods(options) && writes_files(options)) {
        return complain("modes", "--plot, --merge-plot, --balloon and --export "
                                 "need one method, not all");
    }
    return EXIT_OK;
}

static int check_options(const char *path, const modes_options *options) {
    if (options->method && !compares_methods(options) &&
        sb_method_from_name(options->method) < 0) {
        return complain("modes",
                        "no method is called '%s'; there are analytic, shell, "
                        "solid, tet4, springs, springs-literal and all",
                        options->method);
    }
    if (check_files(options) != EXIT_OK) return EXIT_USAGE;
    if (is_mesh_path(path)) {
        return options->body
                   ? complain("modes", "--body is for scenes; a mesh is one")
                   : EXIT_OK;
    }
    if (options->material || options->clamp || options->thickness_m > 0 ||
        options->scale > 0) {
        return complain("modes", "--material, --thickness, --scale and --clamp "
                                 "are for meshes; a scene says these itself");
    }
    return EXIT_OK;
}

/* True for a scene. A missing file counts as one: the host reports the error.
 */
static bool is_scene_path(const char *path) {
    struct stat facts;
    return ends_in(path, ".lua") || stat(path, &facts) != 0 ||
           !S_ISREG(facts.st_mode);
}

static int run_path(const char *path, const modes_options *options,
                    cJSON *bodies) {
    if (is_mesh_path(path)) return run_mesh(path, options, bodies);
    if (is_scene_path(path)) return run_scene(path, options, bodies);
    return complain("modes", "%s is neither a scene (.lua) nor a mesh (%s)",
                    path, mesh_endings);
}

int modes_main(int argc, char **argv) {
    modes_options options = {
        .at = {-1.0, -1.0}, .merge = -1.0, .scene = SCENE_OPTIONS_DEFAULT};
    const char *path;
    if (!parse_options(&verb_modes, argc, argv, &options, &path, 1, 1))
        return EXIT_USAGE;
    int code = check_options(path, &options);
    if (code != EXIT_OK) return code;
    if (!are_outputs_separate(&verb_modes, &options)) return EXIT_USAGE;
    catch_interrupts();
    if (!options.is_json) return run_path(path, &options, NULL);
    cJSON *json = cJSON_CreateObject();
    cJSON *bodies = cJSON_AddArrayToObject(json, "bodies");
    code = run_path(path, &options, bodies);
    if (code == EXIT_OK) return print_json(json);
    cJSON_Delete(json);
    return code;
}
