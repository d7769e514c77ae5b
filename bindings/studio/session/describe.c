/* SPDX-License-Identifier: MIT */
/* Which bodies hands know, and what has changed; they and the scene as JSON
 * (protocol.md). Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/script/script.h"
#include "bindings/studio/session/body_surface.h"
#include "bindings/studio/session/paint.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/model/model.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"
#include "runtime/model/sound/hearing.h"
#include "runtime/model/sound/radiation.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/param.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/state/tuning.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <string.h>

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

static cJSON *describe_material(const session_body *body,
                                const sb_body_def *def) {
    cJSON *json = cJSON_CreateObject();
    const char *scripted = def->material_name;
    const char *name = name_of(&def->material);
    if (!name && !sb_material_find(scripted)) name = scripted;
    json_text_or_null(json, "name", name && *name ? name : NULL);
    json_text(json, "script_name", scripted);
    add_numbers(json, &def->material);
    add_numbers(cJSON_AddObjectToObject(json, "scripted"),
                &body->scripted_material);
    return json;
}

static cJSON *describe_texture(const session_body *body) {
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
    for (int i = 0; i < count && planes; i++)
        json_add_numbers(modes, (double[]){planes[i].first, planes[i].last}, 2);
    sb_free(planes);
    return json;
}

/* Equal for bodies with the same mesh.bin, so that a hand need not fetch and
 * hold it twice. */
static void add_mesh_key(cJSON *json, const session_body *body,
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
    if (solved || shape->profile || shape->mode_count > 0)
        hash ^= (uint64_t)(uintptr_t)body->model * 0x9E3779B97F4A7C15u;
    (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)hash);
    json_text(json, "mesh_key", key);
}

static cJSON *describe_body(session *self, const session_body *body) {
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
    json_bool(json, "deforms", session_deforms(self, body));
    json_vec3(json, "position", pose.position);
    sb_quat q = pose.rotation;
    json_numbers(json, "orientation", (double[]){q.x, q.y, q.z, q.w}, 4);
    json_number(json, "mass", sb_model_mass_kg(body->model));
    json_number(json, "mode_count", sb_model_mode_count(body->model));
    json_text(json, "method", sb_model_method(body->model));
    json_number(json, "gain", body->gain);
    json_number(json, "merge", session_merging_of(body, &planned->def).merge);
    json_bool(json, "hears_removed", planned->def.hears_removed);
    json_add(json, "material",
             planned->def.has_material ? describe_material(body, &planned->def)
                                       : cJSON_CreateNull());
    json_number(json, "mesh_rev", body->mesh_rev);
    add_mesh_key(json, body, &planned->def.shape);
    json_number(json, "modes_rev", body->modes_rev);
    json_add(json, "texture", describe_texture(body));
    cJSON *bounds = cJSON_AddArrayToObject(json, "bounds");
    sb_vec3 low = body->low, high = body->high, size = sb_vec3_sub(high, low);
    json_add_numbers(bounds, (double[]){low.x, low.y, low.z}, 3);
    json_add_numbers(bounds, (double[]){high.x, high.y, high.z}, 3);
    json_number(json, "size", fmax(size.x, fmax(size.y, size.z)));
    return json;
}

/* --- which hands know -------------------------------------------------------- */

session_body *session_body_of(session *self, uint32_t number) {
    for (int i = 0; i < self->roster.count && number; i++)
        if (self->roster.bodies[i].number == number)
            return &self->roster.bodies[i];
    return NULL;
}

session_body *session_body_named(session *self, const char *name) {
    for (int i = 0; i < self->roster.count && *name; i++)
        if (strcmp(self->roster.bodies[i].name, name) == 0)
            return &self->roster.bodies[i];
    return NULL;
}

const sb_planned *session_planned(const session *self,
                                  const session_body *body) {
    return sb_scene_body_planned(sb_host_scene(self->host), body->id);
}

static void free_body(session_body *body) {
    sb_model_release(body->model);
    sb_texture_release(body->texture);
    sb_free(body->solo);
    sb_free(body->mute);
    paint_close(body->paint);
}

void session_forget_bodies(session *self) {
    for (int i = 0; i < self->roster.count; i++)
        free_body(&self->roster.bodies[i]);
    sb_free(self->roster.bodies);
    self->roster.bodies = NULL;
    self->roster.count = self->roster.capacity = 0;
}

/* A body with the same model has the same box. */
static void find_bounds(session *self, session_body *body,
                        const sb_planned *planned) {
    for (int i = 0; i < self->roster.count; i++) {
        const session_body *other = &self->roster.bodies[i];
        if (other != body && other->model == body->model &&
            other->mesh_rev > 0) {
            body->low = other->low;
            body->high = other->high;
            return;
        }
    }
    surface_bounds(body->model, &planned->def.shape, &body->low, &body->high);
}

/* Another number of modes: what hands silenced is not kept. */
static void take_model(session *self, session_body *body,
                       const sb_planned *planned) {
    int count = sb_model_mode_count(planned->model);
    sb_model_release(body->model);
    body->model = sb_model_retain(planned->model);
    if (count != body->mode_count) {
        sb_free(body->solo);
        sb_free(body->mute);
        body->solo = sb_alloc((size_t)count + 1, sizeof *body->solo);
        body->mute = sb_alloc((size_t)count + 1, sizeof *body->mute);
        body->mode_count = body->solo && body->mute ? count : 0;
        body->limit = 0;
    }
    body->modes_rev++;
    body->mesh_rev++;
    find_bounds(self, body, planned);
}

/* Copy what the scene says of a body; true if that differs. */
static bool refresh(session *self, session_body *body,
                    const sb_planned *planned, double gain) {
    bool has_changed = false;
    if (body->model != planned->model) {
        take_model(self, body, planned);
        has_changed = true;
    }
    if (body->texture != planned->def.weights) {
        sb_texture_release(body->texture);
        body->texture = sb_texture_retain(planned->def.weights);
        /* What was painted here before is gone, and so are its strokes. */
        paint_close(body->paint);
        body->paint = NULL;
        body->texture_rev++;
        has_changed = true;
    }
    if (memcmp(&body->material, &planned->def.material,
               sizeof body->material) != 0 ||
        body->gain != gain) {
        body->material = planned->def.material;
        body->gain = gain;
        has_changed = true;
    }
    if (!body->is_tuned && memcmp(&body->scripted_material, &body->material,
                                  sizeof body->material) != 0) {
        body->scripted_material = body->material;
        has_changed = true;
    }
    return has_changed;
}

static session_body *known(session *self, sb_body_id id, int guess) {
    for (int k = 0; k < self->roster.count; k++) {
        session_body *body =
            &self->roster.bodies[(guess + k) % self->roster.count];
        if (body->id.index == id.index && body->id.generation == id.generation)
            return body;
    }
    return NULL;
}

session_body *session_body_with(session *self, sb_body_id id) {
    return known(self, id, 0);
}

static session_body *add(session *self, sb_body_id id, const char *name) {
    void *items = self->roster.bodies;
    if (!sb_grow(&items, &self->roster.capacity, self->roster.count + 1,
                 sizeof *self->roster.bodies)) {
        return NULL;
    }
    self->roster.bodies = items;
    session_body *body = &self->roster.bodies[self->roster.count++];
    *body = (session_body){.number = ++self->roster.last_number, .id = id};
    (void)snprintf(body->name, sizeof body->name, "%s", name);
    return body;
}

static int drop_missing(session *self, cJSON *removed) {
    int left = 0, gone = 0;
    for (int i = 0; i < self->roster.count; i++) {
        if (self->roster.bodies[i].is_seen) {
            self->roster.bodies[left++] = self->roster.bodies[i];
            continue;
        }
        json_push(removed, cJSON_CreateNumber(self->roster.bodies[i].number));
        free_body(&self->roster.bodies[i]);
        gone++;
    }
    self->roster.count = left;
    return gone;
}

static void look_at(session *self, int i, cJSON *added, cJSON *updated) {
    sb_scene *scene = sb_host_scene(self->host);
    sb_body_id id = sb_scene_body_at(scene, i);
    const sb_planned *planned = sb_scene_body_planned(scene, id);
    session_body *body = known(self, id, i);
    bool is_new = !body;
    if (is_new) body = add(self, id, sb_scene_body_name(scene, id));
    if (!body) return;
    body->is_seen = true;
    if (!refresh(self, body, planned, sb_scene_body_gain(scene, id))) return;
    if (body->is_masked) session_apply_mask(self, body, self->clock.now_s);
    json_push(is_new ? added : updated, describe_body(self, body));
}

void session_look(session *self) {
    if (!self->host) return;
    const sb_scene *scene = sb_host_scene(self->host);
    cJSON *patch = session_message("scene.patch");
    cJSON *added = cJSON_CreateArray(), *updated = cJSON_CreateArray();
    cJSON *removed = cJSON_CreateArray();
    for (int i = 0; i < self->roster.count; i++)
        self->roster.bodies[i].is_seen = false;
    for (int i = 0; i < sb_scene_body_count(scene); i++)
        look_at(self, i, added, updated);
    int gone = drop_missing(self, removed);
    bool has_changed = gone > 0 || cJSON_GetArraySize(added) > 0 ||
                       cJSON_GetArraySize(updated) > 0;
    if (has_changed) self->roster.rev++;
    json_number(patch, "rev", self->roster.rev);
    json_add(patch, "add", added);
    json_add(patch, "update", updated);
    json_add(patch, "remove", removed);
    if (has_changed) {
        session_say_all(self, patch);
    } else {
        cJSON_Delete(patch);
    }
}

/* --- modes -------------------------------------------------------------------- */

/* Modes that are sent with their names: for those who read. */
enum { LABELS_MOST = 64 };

cJSON *session_describe_modes(session *self, const session_body *body) {
    static const char *const columns[] = {
        "hz", "t60", "sigma", "weight", "radiation", "members", "air"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const sb_scene *scene = sb_host_scene(self->host);
    int count = sb_model_mode_count(body->model);
    bool loses = sb_model_loses(body->model);
    cJSON *json = cJSON_CreateObject();
    json_number(json, "body", body->number);
    json_number(json, "rev", body->modes_rev);
    json_add(json, "columns", cJSON_CreateStringArray(columns, COLUMNS));
    cJSON *labels = cJSON_AddArrayToObject(json, "labels");
    for (int k = 0; k < count && k < LABELS_MOST; k++)
        json_add_text(labels, sb_model_modes(body->model)[k].label);
    cJSON *rows = cJSON_AddArrayToObject(json, "rows");
    for (int k = 0; k < count; k++) {
        double hz, sigma;
        sb_scene_mode_now(scene, body->id, k, &hz, &sigma);
        /* The weights follow (answers.c). */
        double radiation = sb_model_modes(body->model)[k].radiation;
        double row[COLUMNS] = {hz,
                               sigma > 0 ? log(1000.0) / sigma : 1e9,
                               sigma,
                               0.0,
                               radiation,
                               sb_model_member_count(body->model, k),
                               loses ? sb_radiation_loss(radiation) : 0.0};
        json_add_numbers(rows, row, COLUMNS);
    }
    return json;
}

bool session_do_pattern(session_call *call, sb_error *err) {
    const session_body *body = call->body;
    long long n = 0;
    if (!read_whole(call->json, "n", 1, 1e6, &n, err)) return false;
    if (n < 1 || n > sb_model_mode_count(body->model))
        return session_fail(call, "no_such_mode", err, "'%s' has %d modes",
                            body->name, sb_model_mode_count(body->model));
    const sb_pattern *all = sb_model_patterns(body->model);
    sb_pattern pattern = all ? all[n - 1] : (sb_pattern){.order = -1};
    session_reply_as(call, "pattern");
    json_number(call->reply, "body", body->number);
    json_number(call->reply, "n", (double)n);
    json_number(call->reply, "order", pattern.order);
    json_number(call->reply, "rest", (double)pattern.rest);
    cJSON *coefs = cJSON_AddArrayToObject(call->reply, "coefs");
    for (int i = 0; i < sb_harmonics_count(pattern.order); i++) {
        const float *c = pattern.coefs[i];
        json_add_numbers(coefs, (double[]){(double)c[0], (double)c[1]}, 2);
    }
    return true;
}

/* --- what belongs to the whole scene ------------------------------------------ */

cJSON *session_describe_params(session *self) {
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
        json_push(list, json);
    }
    return list;
}

cJSON *session_describe_quality(session *self) {
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

static void add_chosen(cJSON *list, const session_body *body,
                       const bool *chosen) {
    for (int k = 0; k < body->mode_count && chosen; k++) {
        if (!chosen[k]) continue;
        json_add_numbers(list, (double[]){body->number, k + 1}, 2);
    }
}

cJSON *session_describe_settings(session *self) {
    cJSON *json = cJSON_CreateObject();
    cJSON *solo = cJSON_AddArrayToObject(json, "solo");
    cJSON *mute = cJSON_AddArrayToObject(json, "mute");
    cJSON *limit = cJSON_AddObjectToObject(json, "limit");
    for (int i = 0; i < self->roster.count; i++) {
        const session_body *body = &self->roster.bodies[i];
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

static void add_files(session *self, cJSON *json) {
    cJSON *files = cJSON_AddArrayToObject(json, "files");
    const sb_script *script = sb_host_script(self->host);
    if (!*self->place.path) return;
    json_add_text(files, session_file_name(self->place.path));
    for (int i = 1; i < script_file_count(script); i++) {
        char path[PATH_MAX];
        if (!session_own_file(self, script_file(script, i), path)) continue;
        json_add_text(files, path + strlen(self->place.folder) + 1);
    }
}

static void add_names(cJSON *json) {
    cJSON *materials = cJSON_AddArrayToObject(json, "materials");
    for (int i = 0; i < sb_material_count(); i++)
        json_add_text(materials, sb_material_name(i));
    cJSON *models = cJSON_AddArrayToObject(json, "models");
    for (int i = 0; i < SB_IMPACT_MODELS; i++)
        json_add_text(models, sb_impact_model_names[i]);
    json_add(json, "wall_materials", session_describe_wall_materials());
    json_add(json, "contact_kinds",
             cJSON_CreateStringArray(sb_contact_kind_names, SB_CONTACT_KINDS));
}

static void add_output(session *self, cJSON *json) {
    cJSON *output = cJSON_AddObjectToObject(json, "output");
    const char *backend =
        self->output ? sb_output_backend(self->output) : "null";
    json_text(output, "name",
              self->output ? sb_output_name(self->output) : "none");
    json_text(output, "backend", backend);
    json_bool(output, "is_silent", strcmp(backend, "null") == 0);
}

static void add_world(session *self, cJSON *json) {
    const sb_scene *scene = sb_host_scene(self->host);
    bool has_floor = false;
    double floor_y = 0.0;
    json_vec3(json, "gravity", sb_scene_world_rules(scene).gravity);
    for (int i = 0; i < self->roster.count; i++) {
        const sb_planned *planned =
            session_planned(self, &self->roster.bodies[i]);
        if (planned->def.shape.kind != SB_SHAPE_FLOOR) continue;
        has_floor = true;
        floor_y = planned->def.position.y;
    }
    json_bool(json, "has_floor", has_floor);
    json_number(json, "floor_y", floor_y);
    sb_listener heard = sb_scene_listener(scene);
    cJSON *listener = cJSON_AddObjectToObject(json, "listener");
    json_vec3(listener, "position", heard.position);
    json_bool(listener, "has_ears",
              heard.ears == SB_EARS_HEAD || heard.ears == SB_EARS_MEASURED);
}

cJSON *session_describe_scene(session *self) {
    cJSON *all = cJSON_CreateObject();
    json_number(all, "protocol", SESSION_PROTOCOL);
    json_number(all, "rev", self->roster.rev);
    if (!self->host || self->place.is_gallery) {
        (void)cJSON_AddNullToObject(all, "scene");
        json_bool(all, "opening", self->computing.is_opening);
        return all;
    }
    cJSON *json = cJSON_AddObjectToObject(all, "scene");
    json_text(json, "file", *self->place.path ? self->place.path : "prompt");
    json_text(json, "folder", self->place.folder);
    add_files(self, json);
    json_number(json, "time", self->clock.now_s);
    json_number(json, "rate",
                sb_engine_sample_rate(sb_host_engine(self->host)));
    json_number(json, "seed", (double)sb_host_definition(self->host)->seed);
    json_number(json, "origin", self->clock.origin_s);
    json_bool(json, "paused", self->clock.is_paused);
    json_bool(json, "computing", self->computing.is_computing);
    add_world(self, json);
    add_output(self, json);
    cJSON *bodies = cJSON_AddArrayToObject(json, "bodies");
    for (int i = 0; i < self->roster.count; i++)
        json_push(bodies, describe_body(self, &self->roster.bodies[i]));
    json_add(json, "params", session_describe_params(self));
    add_names(json);
    json_add(json, "quality", session_describe_quality(self));
    json_add(json, "room", session_describe_room(self));
    json_add(json, "settings", session_describe_settings(self));
    return all;
}
