/* Surfaces of deformable bodies as they bend (protocol.md). Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "runtime/scene/deform/scene_deform.h"

#include <math.h>
#include <string.h>

/* Bytes of a record before the bodies, and of a body before its vertices. */
enum { HEAD = 16, PART = 32 };

static size_t part_bytes(int vertex_count) {
    return PART + (6 * (size_t)vertex_count + 15) / 16 * 16;
}

static uint32_t number_of(const studio *self, sb_body_id id) {
    for (int i = 0; i < self->body_count; i++)
        if (self->bodies[i].id.index == id.index &&
            self->bodies[i].id.generation == id.generation) {
            return self->bodies[i].number;
        }
    return 0;
}

/* Vertices in 16 bits of the box around them. */
static void write_part(unsigned char *to, uint32_t number,
                       const sb_deform_surface *surface) {
    float low[3], high[3], box[6];
    int count = surface->vertex_count;
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = surface->vertices[axis];
        for (int k = 1; k < count; k++) {
            float x = surface->vertices[3 * k + axis];
            low[axis] = fminf(low[axis], x);
            high[axis] = fmaxf(high[axis], x);
        }
        box[axis] = low[axis];
        box[3 + axis] = (high[axis] - low[axis]) / 65535.0F;
    }
    uint32_t head[2] = {number, (uint32_t)count};
    memcpy(to, head, sizeof head);
    memcpy(to + 8, box, sizeof box);
    for (int i = 0; i < 3 * count; i++) {
        float step = box[3 + i % 3];
        float code =
            step > 0.0F ? (surface->vertices[i] - low[i % 3]) / step : 0.0F;
        uint16_t value = (uint16_t)lrintf(fminf(fmaxf(code, 0.0F), 65535.0F));
        memcpy(to + PART + 2 * (size_t)i, &value, 2);
    }
}

static void say_too_large(studio *self) {
    cJSON *json = studio_message("log");
    if (self->has_said_large) {
        cJSON_Delete(json);
        return;
    }
    self->has_said_large = true;
    json_text(json, "level", "error");
    json_text(json, "text",
              "deformable bodies have too many vertices to be shown bent: "
              "they are drawn at rest");
    studio_send_all(self, MAIL_EVENT, TOPIC_LOG, json);
}

void studio_send_surfaces(studio *self, bool is_again) {
    const sb_scene *scene = sb_host_scene(self->host);
    sb_deform_surface surface;
    size_t bytes = HEAD;
    uint32_t count = 0;
    for (; sb_scene_deform_surface(scene, (int)count, &surface); count++)
        bytes += part_bytes(surface.vertex_count);
    if (count == 0 || (!is_again && surface.time_s == self->surfaced_s)) return;
    letter *mail = studio_record(self, RECORD_SURFACES, bytes, surface.time_s);
    if (!mail) {
        say_too_large(self);
        return;
    }
    self->surfaced_s = surface.time_s;
    memcpy(mail->bytes + 16, &count, 4);
    unsigned char *to = mail->bytes + 16 + HEAD;
    for (uint32_t i = 0; i < count; i++) {
        (void)sb_scene_deform_surface(scene, (int)i, &surface);
        write_part(to, number_of(self, surface.body), &surface);
        to += part_bytes(surface.vertex_count);
    }
    studio_send_record(self, TOPIC_POSES, MAIL_STREAM, RECORD_SURFACES, mail);
}

static bool find(const studio *self, const studio_body *body,
                 sb_deform_surface *out) {
    const sb_scene *scene = sb_host_scene(self->host);
    for (int i = 0; sb_scene_deform_surface(scene, i, out); i++)
        if (number_of(self, out->body) == body->number) return true;
    return false;
}

bool studio_deforms(const studio *self, const studio_body *body) {
    sb_deform_surface surface;
    return find(self, body, &surface);
}

letter *studio_deformed_faces(const studio *self, const studio_body *body) {
    sb_deform_surface surface;
    if (!find(self, body, &surface)) return NULL;
    size_t faces = 12 * (size_t)surface.face_count;
    letter *mail = letter_make(16 + faces, true);
    if (!mail) return NULL;
    uint32_t head[4] = {0, (uint32_t)surface.vertex_count,
                        (uint32_t)surface.face_count, 0};
    memcpy(head, "SBD1", 4);
    memcpy(mail->bytes, head, sizeof head);
    memcpy(mail->bytes + 16, surface.faces, faces);
    return mail;
}
