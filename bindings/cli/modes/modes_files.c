/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/modes_files.c -- makes a body of a mesh file named on the
 * command line, and writes a solved body to a file.
 * Thread: control. */
#include "bindings/cli/modes/modes.h"
#include "runtime/base/nearest.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/mesh_prepare.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/model_file.h"
#include "runtime/store/model_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char mesh_endings[] =
    ".obj, .ply, .stl, .gltf, .glb, .node, .ele, .msh or .modal";

/* The place in the list of the ending that `path` has, or the list's length. */
static int ending_of(const char *path, const char *const *endings, int count) {
    int i = 0;
    while (i < count && !ends_in(path, endings[i]))
        i++;
    return i;
}

bool is_mesh_path(const char *path) {
    static const char *const endings[] = {".obj",  ".ply", ".stl",
                                          ".gltf", ".glb", ".node",
                                          ".ele",  ".msh", ".modal"};
    enum { COUNT = sizeof endings / sizeof *endings };
    return ending_of(path, endings, COUNT) < COUNT;
}

/* --- what it is made of --------------------------------------------------- */

static const char *material_name_at(const void *names, int i) {
    (void)names;
    return sb_material_name(i);
}

static void list_materials(void) {
    for (int i = 0; i < sb_material_count(); i++)
        (void)fprintf(stderr, "%s%s", i ? ", " : "", sb_material_name(i));
    (void)fprintf(stderr, "\n");
}

static const sb_material *find_material(const char *name) {
    const sb_material *found = name ? sb_material_find(name) : NULL;
    if (found) return found;
    if (!name) {
        (void)fprintf(stderr, "sandbell: --material is needed, as in "
                              "--material steel; there are ");
        list_materials();
        return NULL;
    }
    const char *near =
        sb_nearest(name, sb_material_count(), material_name_at, NULL);
    const char *alike = sb_material_alike(name);
    if (alike) {
        complain(NULL, "no material is called '%s'; like it are %s", name,
                 alike);
    } else if (near) {
        complain(NULL, "no material is called '%s'; did you mean '%s'?", name,
                 near);
    } else {
        (void)fprintf(stderr,
                      "sandbell: no material is called '%s'; there are ", name);
        list_materials();
    }
    return NULL;
}

/* --- what is held --------------------------------------------------------- */

static bool read_box(const char *text, double box[6]) {
    for (int i = 0; i < 6; i++) {
        char *end;
        box[i] = strtod(text, &end);
        if (end == text || !(box[i] >= -1e9 && box[i] <= 1e9)) return false;
        if (*end != (i < 5 ? ',' : '\0')) return false;
        text = end + 1;
    }
    return box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5];
}

static bool read_clamp(const char *text, sb_hold_rule *rule) {
    double box[6];
    rule->how = SB_HOLD_CLAMPED;
    if (!text) return true;
    if (strcmp(text, "edges") == 0) {
        rule->where = SB_HOLD_AT_BORDER;
    } else if (read_box(text, box)) {
        rule->where = SB_HOLD_IN_BOX;
        rule->low = (sb_vec3){box[0], box[1], box[2]};
        rule->high = (sb_vec3){box[3], box[4], box[5]};
    } else {
        complain("modes",
                 "--clamp needs 'edges' or the low and high corner of a box, "
                 "X0,Y0,Z0,X1,Y1,Z1, got '%s'",
                 text);
        return false;
    }
    return true;
}

/* --- what it is ----------------------------------------------------------- */

/* In most formats each face has its own corners. */
static bool has_loose_corners(const char *path) {
    static const char *const others[] = {".ply", ".msh", ".node", ".ele"};
    return ending_of(path, others, 4) == 4;
}

static void describe(const char *path, const sb_mesh *mesh,
                     const sb_mesh_report *report) {
    sb_vec3 size = sb_vec3_sub(report->high_m, report->low_m);
    char remark[200] = "";
    (void)fprintf(stderr, "%s: %d %s, %d %s", path,
                  COUNTED(mesh->vertex_count, "vertex", "vertices"),
                  COUNTED(mesh->face_count, "face", "faces"));
    if (mesh->tet_count > 0) {
        (void)fprintf(stderr, ", %d %s",
                      COUNTED(mesh->tet_count, "tetrahedron", "tetrahedra"));
    }
    (void)fprintf(stderr, ", %d %s, %d %s, %d non-manifold %s\n",
                  COUNTED(report->component_count, "component", "components"),
                  COUNTED(report->hole_count, "hole", "holes"),
                  COUNTED(report->nonmanifold_edges, "edge", "edges"));
    (void)fprintf(stderr, "  %.4g x %.4g x %.4g m, %s%s; %d %s welded, ",
                  size.x, size.y, size.z, report->is_closed ? "closed" : "open",
                  report->was_inside_out ? ", was inside out" : "",
                  report->welded_vertices,
                  has_loose_corners(path) ? "corners" : "vertices");
    (void)fprintf(stderr, "%d %s dropped\n",
                  COUNTED(report->dropped_faces, "face", "faces"));
    if (sb_mesh_cut_remark(report, remark, sizeof remark))
        (void)fprintf(stderr, "  %s\n", remark);
    if (sb_mesh_size_remark(report, remark, sizeof remark))
        (void)fprintf(stderr, "  warning: %s\n", remark);
}

static void name_after(const char *path, char name[SB_NAME_SIZE]) {
    const char *base = file_name(path);
    const char *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    (void)snprintf(name, SB_NAME_SIZE, "%.*s", length, base);
}

/* --- all of it ------------------------------------------------------------ */

/* Print the message and return the exit code. */
static int fail_mesh(const sb_error *err, int code) {
    (void)fail_with(err);
    return is_interrupted() ? EXIT_INTERRUPTED : code;
}

static bool has_modes(const char *path, const modes_options *options) {
    return options->is_given || ends_in(path, ".modal");
}

static int read_source(const char *path, const modes_options *options,
                       sb_mesh_source **out) {
    sb_mesh mesh;
    sb_mesh_report report;
    sb_error err;
    double scale = options->scale;
    if (has_modes(path, options)) {
        if (!sb_model_source_is_file(path)) {
            (void)sb_fail(&err, SB_BAD_FORMAT,
                          "%.300s: only .modal and .gltf files hold modes",
                          path);
            return fail_mesh(&err, EXIT_ASSET);
        }
        return sb_model_source_read(path, path, out, &err)
                   ? fail_mesh(&err, EXIT_ASSET)
                   : EXIT_OK;
    }
    if (sb_mesh_read(path, scale > 0 ? scale : 1.0, &mesh, &report, &err))
        return fail_mesh(&err, EXIT_ASSET);
    describe(path, &mesh, &report);
    if (sb_mesh_source_create(path, &mesh, &report, out, &err))
        return fail_mesh(&err, EXIT_ASSET);
    return EXIT_OK;
}

/* Say so if a closed surface with a thickness is full, or a mesh is thinned. */
static int settle_wall(sb_shape *shape) {
    char remark[512];
    sb_error err;
    if (sb_wall_settle(shape, remark, sizeof remark, &err))
        return fail_mesh(&err, EXIT_ASSET);
    if (remark[0]) (void)fprintf(stderr, "%s\n", remark);
    if (sb_thinned_remark(shape, remark, sizeof remark))
        (void)fprintf(stderr, "%s\n", remark);
    return EXIT_OK;
}

int mode_body_of_mesh(const char *path, const modes_options *options,
                      mode_body *out) {
    mode_body body = {.shape = {.kind = SB_SHAPE_MESH,
                                .thickness = options->thickness_m,
                                .radiation = SB_RADIATES_USUALLY},
                      .has_material = true};
    /* A file with modes also has the material that they were found for. */
    bool is_known = !options->material && has_modes(path, options) &&
                    sb_model_source_material(path, &body.material);
    if (!is_known) {
        const sb_material *material = find_material(options->material);
        if (!material) return EXIT_USAGE;
        body.material = *material;
    }
    if (!read_clamp(options->clamp, &body.shape.hold)) return EXIT_USAGE;
    name_after(path, body.name);
    int code = read_source(path, options, &body.source);
    if (code != EXIT_OK) return code;
    body.shape.mesh = body.source;
    mode_body_override(&body, options);
    sb_error err;
    code = settle_wall(&body.shape);
    if (code != EXIT_OK) {
        mode_body_free(&body);
        return code;
    }
    if (!compares_methods(options) && mode_body_solve(&body, options, &err)) {
        code = fail_mesh(&err, EXIT_SOLVE);
        mode_body_free(&body);
        return code;
    }
    *out = body;
    return EXIT_OK;
}

/* --- a file of a body ----------------------------------------------------- */

static const char *const export_endings[] = {".json", ".csv", ".gltf",
                                             ".modal"};
enum { EXPORT_MODAL = 3, EXPORT_COUNT };

bool can_export_to(const char *path) {
    return ending_of(path, export_endings, EXPORT_COUNT) < EXPORT_COUNT;
}

static sb_status write_modal(const mode_body *body, const char *path,
                             sb_error *err) {
    sb_model_file file = {
        /* Only read here; the struct is used for reading and writing. */
        .solution = (sb_solution *)sb_model_solution(body->model),
        .has_material = true,
        .material = body->material,
        .has_finished = true,
        .finish = sb_solved_finish_def(&body->shape),
        .finished = *sb_model_finished(body->model),
    };
    return sb_model_file_write(path, &file, err);
}

sb_status export_modes(const mode_body *body, const char *path, sb_error *err) {
    if (!sb_model_solution(body->model)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "--export: the modes of '%s' are %s, without a mesh to "
                       "write; --method shell or solid computes one",
                       body->name, sb_model_method(body->model));
    }
    sb_model_export model = {
        .name = body->name,
        .method = sb_model_method(body->model),
        .solution = sb_model_solution(body->model),
        .finished = sb_model_finished(body->model),
        .material = &body->material,
        .material_name = mode_body_material(body),
    };
    static sb_status (*const writers[])(
        const char *path, const sb_model_export *model, sb_error *err) = {
        sb_model_export_json, sb_model_export_csv, sb_model_export_gltf};
    int kind = ending_of(path, export_endings, EXPORT_COUNT);
    return kind < EXPORT_MODAL ? writers[kind](path, &model, err)
                               : write_modal(body, path, err);
}
