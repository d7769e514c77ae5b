/* The scene as JSON (protocol.md). Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/members.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/param.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/tuning.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cJSON *quat(sb_quat q) {
    const double xyzw[4] = {q.x, q.y, q.z, q.w};
    return cJSON_CreateDoubleArray(xyzw, 4);
}

/* --- bodies ----------------------------------------------------------------- */

static const char *name_of(const sb_material *material) {
    for (int i = 0; i < sb_material_count(); i++)
        if (memcmp(sb_material_at(i), material, sizeof *material) == 0)
            return sb_material_name(i);
    return NULL;
}

static void add_numbers(cJSON *json, const sb_material *material) {
    for (const sb_field *field = sb_material_fields; field->name; field++)
        json_number(json, field->name, sb_field_value(field, material));
}

static cJSON *describe_material(const studio_body *body,
                                const sb_body_def *def) {
    cJSON *json = cJSON_CreateObject();
    const char *scripted = def->material_name;
    const char *name = name_of(&def->material);
    if (!name && !sb_material_find(scripted)) name = scripted;
    if (name && *name) {
        json_text(json, "name", name);
    } else {
        (void)cJSON_AddNullToObject(json, "name");
    }
    json_text(json, "script_name", scripted);
    add_numbers(json, &def->material);
    add_numbers(cJSON_AddObjectToObject(json, "scripted"),
                &body->scripted_material);
    return json;
}

static cJSON *describe_texture(const studio_body *body) {
    if (!body->texture) return cJSON_CreateNull();
    cJSON *json = cJSON_CreateObject();
    json_number(json, "channels", sb_texture_plane_count(body->texture));
    json_number(json, "width", sb_texture_width(body->texture));
    json_number(json, "height", sb_texture_height(body->texture));
    json_number(json, "rev", body->texture_rev);
    int count = sb_texture_plane_count(body->texture);
    sb_texture_plane *planes = sb_alloc((size_t)count, sizeof *planes);
    sb_texture_def def;
    cJSON *modes = cJSON_AddArrayToObject(json, "modes");
    if (planes) sb_texture_describe(body->texture, planes, &def);
    for (int i = 0; i < count && planes; i++) {
        const double range[2] = {planes[i].first, planes[i].last};
        (void)cJSON_AddItemToArray(modes, cJSON_CreateDoubleArray(range, 2));
    }
    sb_free(planes);
    return json;
}

/* Equal for bodies with the same mesh.bin, so that a page need not fetch and
 * hold it twice. */
static void add_mesh_key(cJSON *json, const studio_body *body,
                         const sb_shape *shape) {
    const sb_solution *solved = sb_model_solution(body->model);
    double sizes[SB_SHAPE_SIZE_COUNT + 2];
    char key[32];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    sb_shape_sizes(shape, sizes);
    sizes[SB_SHAPE_SIZE_COUNT] = shape->diameter;
    sizes[SB_SHAPE_SIZE_COUNT + 1] = shape->kind;
    const unsigned char *bytes = (const unsigned char *)sizes;
    for (size_t i = 0; i < sizeof sizes; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    /* What is solved, turned or given by hand has its own surface. */
    const void *own = solved                  ? (const void *)body->model
                      : shape->profile        ? (const void *)body->model
                      : shape->mode_count > 0 ? (const void *)body->model
                                              : NULL;
    hash ^= (uint64_t)(uintptr_t)own * 0x9E3779B97F4A7C15u;
    (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)hash);
    json_text(json, "mesh_key", key);
}

cJSON *studio_describe_body(studio *self, const studio_body *body) {
    const sb_scene *scene = sb_host_scene(self->host);
    const sb_planned *planned = sb_scene_body_planned(scene, body->id);
    sb_pose pose = sb_scene_pose(scene, body->id);
    cJSON *json = cJSON_CreateObject();
    json_number(json, "id", body->number);
    json_text(json, "name", body->name);
    json_text(json, "shape", sb_shape_kind_name(planned->def.shape.kind));
    json_bool(json, "rings", sb_planned_rings(planned));
    json_bool(json, "is_free",
              sb_scene_motion(scene, body->id) == SB_MOTION_FREE);
    json_bool(json, "deforms", studio_deforms(self, body));
    json_vec3(json, "position", pose.position);
    (void)cJSON_AddItemToObject(json, "orientation", quat(pose.rotation));
    json_number(json, "mass", sb_model_mass_kg(body->model));
    json_number(json, "mode_count", sb_model_mode_count(body->model));
    json_text(json, "method", sb_model_method(body->model));
    json_number(json, "gain", body->gain);
    json_number(json, "merge", studio_merging_of(body, &planned->def).merge);
    json_bool(json, "hears_removed", planned->def.hears_removed);
    (void)cJSON_AddItemToObject(json, "material",
                                planned->def.has_material
                                    ? describe_material(body, &planned->def)
                                    : cJSON_CreateNull());
    json_number(json, "mesh_rev", body->mesh_rev);
    add_mesh_key(json, body, &planned->def.shape);
    json_number(json, "modes_rev", body->modes_rev);
    (void)cJSON_AddItemToObject(json, "texture", describe_texture(body));
    cJSON *bounds = cJSON_AddArrayToObject(json, "bounds");
    (void)cJSON_AddItemToArray(bounds, json_array3(body->low));
    (void)cJSON_AddItemToArray(bounds, json_array3(body->high));
    sb_vec3 size = sb_vec3_sub(body->high, body->low);
    json_number(json, "size", fmax(size.x, fmax(size.y, size.z)));
    return json;
}

/* Modes that are sent with their names: for those who read. */
enum { LABELS_MOST = 64 };

cJSON *studio_describe_modes(studio *self, const studio_body *body) {
    static const char *const columns[] = {"hz",     "t60",       "sigma",
                                          "weight", "radiation", "members"};
    const sb_scene *scene = sb_host_scene(self->host);
    int count = sb_model_mode_count(body->model);
    cJSON *json = cJSON_CreateObject();
    json_number(json, "body", body->number);
    json_number(json, "rev", body->modes_rev);
    (void)cJSON_AddItemToObject(json, "columns",
                                cJSON_CreateStringArray(columns, 6));
    cJSON *labels = cJSON_AddArrayToObject(json, "labels");
    for (int k = 0; k < count && k < LABELS_MOST; k++)
        (void)cJSON_AddItemToArray(
            labels, cJSON_CreateString(sb_model_modes(body->model)[k].label));
    cJSON *rows = cJSON_AddArrayToObject(json, "rows");
    for (int k = 0; k < count; k++) {
        double hz, sigma;
        sb_scene_mode_now(scene, body->id, k, &hz, &sigma);
        /* The weights follow (resources.c). */
        double row[6] = {hz,
                         sigma > 0 ? log(1000.0) / sigma : 1e9,
                         sigma,
                         0.0,
                         sb_model_modes(body->model)[k].radiation,
                         sb_model_member_count(body->model, k)};
        (void)cJSON_AddItemToArray(rows, cJSON_CreateDoubleArray(row, 6));
    }
    return json;
}

/* --- what belongs to the whole scene ------------------------------------------ */

cJSON *studio_describe_params(studio *self) {
    cJSON *list = cJSON_CreateArray();
    const sb_params *params = script_params(sb_host_script(self->host));
    for (int i = 0; i < params->count; i++) {
        const sb_param *param = &params->items[i];
        cJSON *json = cJSON_CreateObject();
        json_text(json, "name", param->name);
        json_number(json, "min", param->min);
        json_number(json, "max", param->max);
        json_number(json, "default", param->initial);
        json_number(json, "value", param->value);
        json_text(json, "curve",
                  param->curve == SB_CURVE_LOG ? "log" : "linear");
        json_bool(json, "rebuilds", param->is_described);
        (void)cJSON_AddItemToArray(list, json);
    }
    return list;
}

cJSON *studio_describe_quality(studio *self) {
    sb_quality_def quality = sb_scene_quality(sb_host_scene(self->host));
    cJSON *json = cJSON_CreateObject();
    json_number(json, "budget", quality.budget);
    json_number(json, "slope", quality.slope);
    json_number(json, "tau", quality.tau);
    json_number(json, "modes", quality.modes);
    json_number(json, "gain",
                sb_scene_listener(sb_host_scene(self->host)).gain);
    return json;
}

static void add_chosen(cJSON *list, const studio_body *body,
                       const bool *chosen) {
    for (int k = 0; k < body->mode_count && chosen; k++) {
        if (!chosen[k]) continue;
        double pair[2] = {body->number, k + 1};
        (void)cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(pair, 2));
    }
}

cJSON *studio_describe_settings(studio *self) {
    cJSON *json = cJSON_CreateObject();
    cJSON *solo = cJSON_AddArrayToObject(json, "solo");
    cJSON *mute = cJSON_AddArrayToObject(json, "mute");
    cJSON *limit = cJSON_AddObjectToObject(json, "limit");
    for (int i = 0; i < self->body_count; i++) {
        const studio_body *body = &self->bodies[i];
        char number[16];
        if (body->has_choices) {
            add_chosen(solo, body, body->solo);
            add_chosen(mute, body, body->mute);
        }
        if (!body->limit) continue;
        (void)snprintf(number, sizeof number, "%u", body->number);
        json_number(limit, number, body->limit);
    }
    return json;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void add_files(studio *self, cJSON *json) {
    cJSON *files = cJSON_AddArrayToObject(json, "files");
    const sb_script *script = sb_host_script(self->host);
    if (!*self->path) return;
    (void)cJSON_AddItemToArray(files,
                               cJSON_CreateString(file_name(self->path)));
    for (int i = 1; i < script_file_count(script); i++) {
        char path[PATH_MAX];
        if (!studio_own_file(self, script_file(script, i), path)) continue;
        (void)cJSON_AddItemToArray(
            files, cJSON_CreateString(path + strlen(self->folder) + 1));
    }
}

static void add_names(cJSON *json) {
    static const char *const kinds[] = {
#define CONTACT_KIND(kind, name, ...) name,
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
    };
    cJSON *materials = cJSON_AddArrayToObject(json, "materials");
    for (int i = 0; i < sb_material_count(); i++)
        (void)cJSON_AddItemToArray(materials,
                                   cJSON_CreateString(sb_material_name(i)));
    cJSON *models = cJSON_AddArrayToObject(json, "models");
    for (int i = 0; i < SB_IMPACT_MODELS; i++)
        (void)cJSON_AddItemToArray(
            models,
            cJSON_CreateString(sb_impact_model_name((sb_impact_model)i)));
    (void)cJSON_AddItemToObject(
        json, "contact_kinds",
        cJSON_CreateStringArray(kinds, sizeof kinds / sizeof *kinds));
}

static void add_output(studio *self, cJSON *json) {
    cJSON *output = cJSON_AddObjectToObject(json, "output");
    const char *backend =
        self->output ? sb_output_backend(self->output) : "null";
    json_text(output, "name",
              self->output ? sb_output_name(self->output) : "none");
    json_text(output, "backend", backend);
    json_bool(output, "is_silent", strcmp(backend, "null") == 0);
}

static void add_world(studio *self, cJSON *json) {
    const sb_scene *scene = sb_host_scene(self->host);
    bool has_floor = false;
    double floor_y = 0.0;
    json_vec3(json, "gravity", sb_scene_world_rules(scene).gravity);
    for (int i = 0; i < self->body_count; i++) {
        const sb_planned *planned =
            sb_scene_body_planned(scene, self->bodies[i].id);
        if (planned->def.shape.kind != SB_SHAPE_FLOOR) continue;
        has_floor = true;
        floor_y = planned->def.position.y;
    }
    json_bool(json, "has_floor", has_floor);
    json_number(json, "floor_y", floor_y);
    sb_listener heard = sb_scene_listener(scene);
    cJSON *listener = cJSON_AddObjectToObject(json, "listener");
    json_vec3(listener, "position", heard.position);
    json_bool(listener, "has_ears", heard.ears == SB_EARS_HEAD);
}

cJSON *studio_describe_scene(studio *self) {
    cJSON *all = cJSON_CreateObject();
    json_number(all, "protocol", STUDIO_PROTOCOL);
    json_number(all, "rev", self->rev);
    if (!self->host || self->is_gallery) {
        (void)cJSON_AddNullToObject(all, "scene");
        json_bool(all, "opening", self->is_opening);
        return all;
    }
    cJSON *json = cJSON_AddObjectToObject(all, "scene");
    json_text(json, "file", *self->path ? self->path : "prompt");
    json_text(json, "folder", self->folder);
    add_files(self, json);
    json_number(json, "time", self->now_s);
    json_number(json, "rate",
                sb_engine_sample_rate(sb_host_engine(self->host)));
    json_number(json, "seed", (double)sb_host_definition(self->host)->seed);
    json_number(json, "origin", self->origin_s);
    json_bool(json, "paused", self->is_paused);
    json_bool(json, "computing", self->is_computing);
    add_world(self, json);
    add_output(self, json);
    cJSON *bodies = cJSON_AddArrayToObject(json, "bodies");
    for (int i = 0; i < self->body_count; i++)
        (void)cJSON_AddItemToArray(
            bodies, studio_describe_body(self, &self->bodies[i]));
    (void)cJSON_AddItemToObject(json, "params", studio_describe_params(self));
    add_names(json);
    (void)cJSON_AddItemToObject(json, "quality", studio_describe_quality(self));
    (void)cJSON_AddItemToObject(json, "settings",
                                studio_describe_settings(self));
    return all;
}
