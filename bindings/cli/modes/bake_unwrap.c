/* bindings/cli/modes/bake_unwrap.c -- adds texture coordinates to a mesh that
 * has none. */
#include "bindings/cli/modes/bake.h"

#include "runtime/base/utf8.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/textures/atlas.h"
#include "runtime/store/export/obj_write.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static int print_json(const bake_options *options, const sb_mesh *mesh,
                      const sb_atlas *atlas) {
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(json, "file", options->output);
    (void)cJSON_AddNumberToObject(json, "faces", mesh->face_count);
    (void)cJSON_AddNumberToObject(json, "charts", atlas->chart_count);
    (void)cJSON_AddNumberToObject(json, "used", atlas->used);
    (void)cJSON_AddNumberToObject(json, "margin", atlas->margin);
    char *text = cJSON_Print(json);
    sb_utf8_mend(text);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

static int tell(const char *path, const bake_options *options,
                const sb_mesh *mesh, const sb_atlas *atlas) {
    if (mesh->uvs) {
        (void)fprintf(stderr,
                      "sandbell bake: %s has texture coordinates of its own; "
                      "those of %s are new\n",
                      path, options->output);
    }
    if (mesh->tet_count > 0) {
        (void)fprintf(stderr,
                      "sandbell bake: %s has the surface of %s, not its %d "
                      "tetrahedra\n",
                      options->output, path, mesh->tet_count);
    }
    if (options->is_json) return print_json(options, mesh, atlas);
    (void)printf("%s: %d %s in %d %s, which cover %.0f %% of the texture, at "
                 "least %.3g of its side apart\n",
                 options->output, COUNTED(mesh->face_count, "face", "faces"),
                 COUNTED(atlas->chart_count, "chart", "charts"),
                 100 * atlas->used, atlas->margin);
    return EXIT_OK;
}

int bake_unwrap(const char *path, const bake_options *options) {
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
