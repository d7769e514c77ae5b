/* bindings/cli/modes/modes_mesh.c -- makes a body of a mesh file named on the
 * command line.
 * Thread: control. */
#include "bindings/cli/modes/modes.h"
#include "runtime/base/nearest.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/mesh_source.h"
#include "runtime/model/solve/thinned.h"
#include "runtime/model/solve/wall.h"
#include "runtime/store/model_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char mesh_endings[] =
    ".obj, .ply, .stl, .gltf, .glb, .node, .ele, .msh or .modal";

bool is_mesh_path(const char *path) {
    static const char *const endings[] = {".obj",  ".ply", ".stl",
                                          ".gltf", ".glb", ".node",
                                          ".ele",  ".msh", ".modal"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t tail = strlen(endings[i]);
        if (length > tail &&
            strcasecmp(path + length - tail, endings[i]) == 0) {
            return true;
        }
    }
    return false;
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
    if (!name) {
        (void)fprintf(stderr, "sandbell: --material is needed, as in "
                              "--material steel; there are ");
        list_materials();
        return NULL;
    }
    const sb_material *found = sb_material_find(name);
    if (found) return found;
    const char *near =
        sb_nearest(name, sb_material_count(), material_name_at, NULL);
    const char *alike = sb_material_alike(name);
    (void)fprintf(stderr, "sandbell: no material is called '%s'", name);
    if (alike) {
        (void)fprintf(stderr, "; like it are %s\n", alike);
    } else if (near) {
        (void)fprintf(stderr, "; did you mean '%s'?\n", near);
    } else {
        (void)fprintf(stderr, "; there are ");
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
        (void)fprintf(stderr,
                      "sandbell modes: --clamp needs 'edges' or the low and "
                      "high corner of a box, X0,Y0,Z0,X1,Y1,Z1, got '%s'\n",
                      text);
        return false;
    }
    return true;
}

/* --- what it is ----------------------------------------------------------- */

/* In these formats each face has its own corners. */
static bool has_loose_corners(const char *path) {
    const char *dot = strrchr(path, '.');
    return strcasecmp(dot, ".ply") != 0 && strcasecmp(dot, ".msh") != 0 &&
           strcasecmp(dot, ".node") != 0 && strcasecmp(dot, ".ele") != 0;
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
    if (sb_mesh_cut_remark(report, remark, sizeof remark)) {
        (void)fprintf(stderr, "  %s\n", remark);
    }
    if (sb_mesh_size_remark(report, remark, sizeof remark)) {
        (void)fprintf(stderr, "  warning: %s\n", remark);
    }
}

static void name_after(const char *path, char name[SB_NAME_SIZE]) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
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
    return options->is_given || strcasecmp(strrchr(path, '.'), ".modal") == 0;
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
    if (sb_mesh_read(path, scale > 0 ? scale : 1.0, &mesh, &report, &err)) {
        return fail_mesh(&err, EXIT_ASSET);
    }
    describe(path, &mesh, &report);
    if (sb_mesh_source_create(path, &mesh, &report, out, &err)) {
        return fail_mesh(&err, EXIT_ASSET);
    }
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
    mode_body body = {
        .shape = {.kind = SB_SHAPE_MESH, .thickness = options->thickness_m},
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
