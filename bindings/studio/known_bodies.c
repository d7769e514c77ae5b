/* Which bodies pages know, and what has changed. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/body_surface.h"
#include "runtime/base/memory.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/textures/texture.h"
#include "runtime/scene/plan/planned.h"

#include <string.h>

studio_body *studio_body_of(studio *self, uint32_t number) {
    for (int i = 0; i < self->body_count && number; i++)
        if (self->bodies[i].number == number) return &self->bodies[i];
    return NULL;
}

studio_body *studio_body_named(studio *self, const char *name) {
    for (int i = 0; i < self->body_count && *name; i++)
        if (strcmp(self->bodies[i].name, name) == 0) return &self->bodies[i];
    return NULL;
}

static void free_body(studio_body *body) {
    sb_model_release(body->model);
    sb_texture_release(body->texture);
    sb_free(body->solo);
    sb_free(body->mute);
    studio_paint_free(body->paint);
}

void studio_forget_bodies(studio *self) {
    for (int i = 0; i < self->body_count; i++)
        free_body(&self->bodies[i]);
    sb_free(self->bodies);
    self->bodies = NULL;
    self->body_count = self->body_capacity = 0;
}

/* A body with the same model has the same box. */
static void find_bounds(studio *self, studio_body *body,
                        const sb_planned *planned) {
    for (int i = 0; i < self->body_count; i++) {
        const studio_body *other = &self->bodies[i];
        if (other != body && other->model == body->model &&
            other->mesh_rev > 0) {
            body->low = other->low;
            body->high = other->high;
            return;
        }
    }
    surface_bounds(body->model, &planned->def.shape, &body->low, &body->high);
}

/* Another number of modes: what pages silenced is not kept. */
static void take_model(studio *self, studio_body *body,
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
static bool refresh(studio *self, studio_body *body, const sb_planned *planned,
                    double gain) {
    bool has_changed = false;
    if (body->model != planned->model) {
        take_model(self, body, planned);
        has_changed = true;
    }
    if (body->texture != planned->def.weights) {
        sb_texture_release(body->texture);
        body->texture = sb_texture_retain(planned->def.weights);
        /* What was painted here before is gone, and so are its strokes. */
        studio_paint_free(body->paint);
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

static studio_body *add(studio *self, sb_body_id id, const char *name) {
    void *items = self->bodies;
    if (!sb_grow(&items, &self->body_capacity, self->body_count + 1,
                 sizeof *self->bodies)) {
        return NULL;
    }
    self->bodies = items;
    studio_body *body = &self->bodies[self->body_count++];
    *body = (studio_body){.number = ++self->next_body, .id = id};
    (void)snprintf(body->name, sizeof body->name, "%s", name);
    return body;
}

static studio_body *known(studio *self, sb_body_id id, int guess) {
    for (int k = 0; k < self->body_count; k++) {
        studio_body *body = &self->bodies[(guess + k) % self->body_count];
        if (body->id.index == id.index && body->id.generation == id.generation)
            return body;
    }
    return NULL;
}

static int drop_missing(studio *self, cJSON *removed) {
    int left = 0, gone = 0;
    for (int i = 0; i < self->body_count; i++) {
        if (self->bodies[i].is_seen) {
            self->bodies[left++] = self->bodies[i];
            continue;
        }
        (void)cJSON_AddItemToArray(removed,
                                   cJSON_CreateNumber(self->bodies[i].number));
        free_body(&self->bodies[i]);
        gone++;
    }
    self->body_count = left;
    return gone;
}

static void look_at(studio *self, int i, cJSON *added, cJSON *updated) {
    sb_scene *scene = sb_host_scene(self->host);
    sb_body_id id = sb_scene_body_at(scene, i);
    const sb_planned *planned = sb_scene_body_planned(scene, id);
    studio_body *body = known(self, id, i);
    bool is_new = !body;
    if (is_new) body = add(self, id, sb_scene_body_name(scene, id));
    if (!body) return;
    body->is_seen = true;
    if (!refresh(self, body, planned, sb_scene_body_gain(scene, id))) return;
    if (body->is_masked) studio_apply_mask(self, body, self->now_s);
    (void)cJSON_AddItemToArray(is_new ? added : updated,
                               studio_describe_body(self, body));
}

void studio_look(studio *self) {
    if (!self->host) return;
    const sb_scene *scene = sb_host_scene(self->host);
    cJSON *patch = studio_message("scene.patch");
    cJSON *added = cJSON_CreateArray(), *updated = cJSON_CreateArray();
    cJSON *removed = cJSON_CreateArray();
    for (int i = 0; i < self->body_count; i++)
        self->bodies[i].is_seen = false;
    for (int i = 0; i < sb_scene_body_count(scene); i++)
        look_at(self, i, added, updated);
    int gone = drop_missing(self, removed);
    bool has_changed = gone > 0 || cJSON_GetArraySize(added) > 0 ||
                       cJSON_GetArraySize(updated) > 0;
    if (has_changed) self->rev++;
    json_number(patch, "rev", self->rev);
    (void)cJSON_AddItemToObject(patch, "add", added);
    (void)cJSON_AddItemToObject(patch, "update", updated);
    (void)cJSON_AddItemToObject(patch, "remove", removed);
    if (has_changed) {
        studio_send_all(self, MAIL_MUST, 0, patch);
    } else {
        cJSON_Delete(patch);
    }
}
