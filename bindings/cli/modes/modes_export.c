/* bindings/cli/modes/modes_export.c -- writes a solved body to a file. */
#include "bindings/cli/modes/modes.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/solve/solved.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/model_file.h"

#include <string.h>
#include <strings.h>

typedef enum export_kind {
    EXPORT_JSON,
    EXPORT_CSV,
    EXPORT_GLTF,
    EXPORT_MODAL,
    EXPORT_COUNT
} export_kind;

static export_kind kind_of(const char *path) {
    static const char *const endings[EXPORT_COUNT] = {".json", ".csv", ".gltf",
                                                      ".modal"};
    const char *dot = strrchr(path, '.');
    int kind = 0;
    while (kind < EXPORT_COUNT && !(dot && strcasecmp(dot, endings[kind]) == 0))
        kind++;
    return (export_kind)kind;
}

bool can_export_to(const char *path) {
    return kind_of(path) != EXPORT_COUNT;
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
    switch (kind_of(path)) {
    case EXPORT_JSON:
        return sb_model_export_json(path, &model, err);
    case EXPORT_CSV:
        return sb_model_export_csv(path, &model, err);
    case EXPORT_GLTF:
        return sb_model_export_gltf(path, &model, err);
    case EXPORT_MODAL:
    case EXPORT_COUNT:
        break;
    }
    return write_modal(body, path, err);
}
