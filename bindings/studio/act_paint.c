/* Painting weights while they sound. Thread: control; the mode shapes of a body
 * are put into a texture by the worker. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/paint.h"
#include "runtime/base/clock.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/media/image/png16.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/planned.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAR_S 0.025 /* at most so often a stroke is heard anew */

enum { RECT_HEADER = 16, HEADER = 16, SAVED_BYTES = 64 << 20 };

void studio_paint_free(studio_paint *paint) {
    paint_close(paint);
}

static const sb_planned *planned_of(studio *self, const studio_body *body) {
    return sb_scene_body_planned(sb_host_scene(self->host), body->id);
}

/* The body's weights, ready to be painted on. */
static studio_paint *paint_of(studio *self, studio_body *body, sb_error *err) {
    if (body->paint) return body->paint;
    if (!body->texture) {
        (void)sb_fail(err, SB_BAD_ARGUMENT,
                      "'%s' has no texture; make one first", body->name);
        return NULL;
    }
    sb_status status =
        paint_open(body->texture, planned_of(self, body), &body->paint, err);
    return status ? NULL : body->paint;
}

/* --- what is heard ------------------------------------------------------------- */

/* Give the scene this texture for the body. */
static sb_status repaint(studio *self, studio_body *body, sb_texture *texture,
                         double time_s, sb_error *err) {
    sb_plan *plan;
    sb_status status = sb_plan_create(&plan, err);
    if (status) return status;
    status = sb_plan_add_solved(plan, planned_of(self, body), err);
    if (!status) {
        sb_planned *planned = sb_plan_take(plan, 0);
        sb_commit_counts counts;
        sb_texture_release(planned->def.weights);
        planned->def.weights = sb_texture_retain(texture);
        sb_scene_repaint(sb_host_scene(self->host), plan, time_s, &counts);
    }
    sb_plan_destroy(plan);
    return status;
}

static void hear(studio *self, studio_body *body, double time_s) {
    studio_paint *paint = body->paint;
    sb_texture *texture;
    if (!paint || !paint->is_dirty || sb_clock_s() - paint->heard_s < HEAR_S ||
        !sb_scene_has(sb_host_scene(self->host), body->id)) {
        return;
    }
    paint->heard_s = sb_clock_s();
    if (paint_texture(paint, &texture, NULL)) return;
    if (repaint(self, body, texture, time_s, NULL) == SB_OK) {
        paint->is_dirty = false;
        /* Pages know this texture already. The scene keeps its own if they are
         * equal. */
        sb_texture_release(body->texture);
        body->texture = sb_texture_retain(planned_of(self, body)->def.weights);
    }
    sb_texture_release(texture);
}

void studio_hear_paint(studio *self, double time_s) {
    for (int i = 0; i < self->body_count; i++)
        hear(self, &self->bodies[i], time_s);
}

/* --- rects ---------------------------------------------------------------------- */

static letter *rect_record(studio *self, const studio_body *body,
                           const paint_rect *rect, const void *codes) {
    size_t bytes = 2 * (size_t)rect->w * (size_t)rect->h;
    letter *mail =
        studio_record(self, RECORD_TEXTURE, RECT_HEADER + bytes, self->now_s);
    if (!mail) return NULL;
    uint16_t numbers[5] = {(uint16_t)rect->x, (uint16_t)rect->y,
                           (uint16_t)rect->w, (uint16_t)rect->h, 0};
    memcpy(mail->bytes + HEADER, &body->number, 4);
    mail->bytes[HEADER + 4] =
        rect->channel < 0 ? 255 : (unsigned char)rect->channel;
    memcpy(mail->bytes + HEADER + 6, numbers, sizeof numbers);
    memcpy(mail->bytes + HEADER + RECT_HEADER, codes, bytes);
    return mail;
}

static void echo(studio *self, const studio_client *from, letter *mail) {
    for (int i = 0; i < NET_CLIENTS && mail; i++) {
        const studio_client *client = &self->clients[i];
        if (client->number && client->has_hello && client != from &&
            (client->topics & TOPIC_TEXTURES)) {
            net_send(self->net, client->number, MAIL_MUST, 0, mail);
        }
    }
    letter_drop(mail);
}

static bool paint_one(studio *self, const studio_client *from,
                      const unsigned char *bytes, size_t count, sb_error *err) {
    uint32_t number;
    uint16_t n[4];
    if (count < RECT_HEADER) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "a texture rect is too short");
        return false;
    }
    memcpy(&number, bytes, 4);
    memcpy(n, bytes + 6, sizeof n);
    paint_rect rect = {bytes[4] == 255 ? -1 : bytes[4], n[0], n[1], n[2], n[3]};
    studio_body *body = studio_body_of(self, number);
    if (!self->host || !body) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "there is no such body");
        return false;
    }
    studio_paint *paint = paint_of(self, body, err);
    if (!paint) return false;
    if (!paint_has_rect(paint, &rect) ||
        count < RECT_HEADER + 2 * (size_t)rect.w * (size_t)rect.h) {
        (void)sb_fail(err, SB_BAD_ARGUMENT,
                      "the rect is not in the texture, or too short");
        return false;
    }
    paint_set(paint, &rect, bytes + RECT_HEADER);
    studio_note_rect(self, body, &rect, bytes + RECT_HEADER);
    if (self->net)
        echo(self, from, rect_record(self, body, &rect, bytes + RECT_HEADER));
    return true;
}

bool studio_paint_bytes(studio *self, const studio_client *from,
                        const unsigned char *bytes, size_t count,
                        sb_error *err) {
    while (count > 0) {
        uint16_t size;
        if (count < HEADER || bytes[0] != RECORD_TEXTURE || bytes[1] != 1) {
            (void)sb_fail(err, SB_BAD_ARGUMENT,
                          "a binary message must be texture rects");
            return false;
        }
        memcpy(&size, bytes + 2, sizeof size);
        size_t payload = 16 * (size_t)size;
        if (count < HEADER + payload) {
            (void)sb_fail(err, SB_BAD_ARGUMENT, "a record is cut off");
            return false;
        }
        if (!paint_one(self, from, bytes + HEADER, payload, err)) return false;
        bytes += HEADER + payload;
        count -= HEADER + payload;
    }
    return true;
}

/* --- strokes --------------------------------------------------------------------- */

static studio_paint *painted(studio_call *call, studio_body **body,
                             sb_error *err) {
    *body = studio_call_body(call, err);
    return *body ? paint_of(call->studio, *body, err) : NULL;
}

bool studio_do_texture_begin(studio_call *call, sb_error *err) {
    studio_body *body;
    studio_paint *paint = painted(call, &body, err);
    if (!paint) return false;
    return paint_begin(paint) ||
           studio_fail(call, "failed", err, "out of memory");
}

bool studio_do_texture_commit(studio_call *call, sb_error *err) {
    studio_body *body;
    studio_paint *paint = painted(call, &body, err);
    if (!paint) return false;
    paint->heard_s = 0.0;
    return true;
}

static bool go(studio_call *call, bool (*step)(studio_paint *), sb_error *err) {
    studio_body *body;
    studio *self = call->studio;
    studio_paint *paint = painted(call, &body, err);
    if (!paint) return false;
    if (!step(paint))
        return studio_fail(call, "failed", err, "there is no such stroke");
    paint->heard_s = 0.0;
    size_t texels = (size_t)paint->def.width * (size_t)paint->def.height;
    uint16_t *codes = sb_alloc(texels, sizeof *codes);
    for (int c = 0; codes && self->net && c < paint->def.plane_count; c++) {
        paint_rect rect = {c, 0, 0, paint->def.width, paint->def.height};
        paint_get(paint, c, codes);
        echo(self, NULL, rect_record(self, body, &rect, codes));
    }
    sb_free(codes);
    return true;
}

bool studio_do_texture_undo(studio_call *call, sb_error *err) {
    return go(call, paint_undo, err);
}

bool studio_do_texture_redo(studio_call *call, sb_error *err) {
    return go(call, paint_redo, err);
}

/* --- pictures --------------------------------------------------------------------- */

static sb_status write_channel(const studio_paint *paint, int channel,
                               const char *path, sb_error *err) {
    size_t texels = (size_t)paint->def.width * (size_t)paint->def.height;
    sb_status status;
    if (paint->planes[channel].is_relative) {
        uint16_t *codes = sb_alloc(texels, sizeof *codes);
        sb_png_text note = {SB_IMAGE_NOTE_KEYWORD, "signed"};
        if (!codes) return sb_fail(err, SB_NO_MEMORY, "paint: out of memory");
        paint_get(paint, channel, codes);
        status = sb_png16_write(path, paint->def.width, paint->def.height,
                                codes, &note, 1, err);
        sb_free(codes);
        return status;
    }
    float *weights = sb_alloc(texels, sizeof *weights);
    if (!weights) return sb_fail(err, SB_NO_MEMORY, "paint: out of memory");
    paint_weights(paint, channel, weights);
    status =
        sb_png16_write_weights(path, paint->def.width, paint->def.height,
                               weights, (double)paint->scales[channel], err);
    sb_free(weights);
    return status;
}

/* One weight as the bytes of a picture, or NULL. */
static letter *picture_of(const studio_paint *paint, int channel,
                          sb_error *err) {
    char path[] = "/tmp/sandbell-texture-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0) {
        (void)sb_fail(err, SB_IO_ERROR, "no temporary file in /tmp");
        return NULL;
    }
    (void)close(descriptor);
    letter *picture = NULL;
    if (write_channel(paint, channel, path, err) == SB_OK) {
        picture = studio_read_letter(path);
        if (!picture) (void)sb_fail(err, SB_NO_MEMORY, "out of memory");
    }
    (void)unlink(path);
    return picture;
}

/* A name without folders that ends in .png; the scene's folder is searched for
 * nothing else. */
static bool is_picture_name(const char *name) {
    size_t length = strlen(name);
    return length > 4 && length < 200 && name[0] != '.' && !strchr(name, '/') &&
           strcmp(name + length - 4, ".png") == 0;
}

/* What the file has now; no bytes: there is none. */
static bool read_saved(const char *path, studio_saved *out) {
    sb_status status = sb_in_file_read_unlinked(path, SAVED_BYTES, &out->bytes,
                                                &out->count, NULL);
    if (status) out->bytes = NULL;
    return status == SB_OK || status == SB_NOT_FOUND;
}

/* For studio_do_texture_unsave: of the last files only, SAVED_BYTES in all. */
static void keep_before(studio *self, const char *name, studio_saved before) {
    size_t kept = before.bytes ? before.count : 0;
    for (int i = 0; i < STUDIO_SAVED; i++)
        kept += self->saved[i].bytes ? self->saved[i].count : 0;
    if (kept > SAVED_BYTES) studio_forget_saved(self);
    studio_saved *saved = self->saved;
    while (saved < self->saved + STUDIO_SAVED - 1 && *saved->name &&
           strcmp(saved->name, name) != 0)
        saved++;
    sb_free(saved->bytes);
    *saved = before;
    (void)snprintf(saved->name, sizeof saved->name, "%s", name);
}

bool studio_do_texture_save(studio_call *call, sb_error *err) {
    studio_body *body;
    studio *self = call->studio;
    const char *name;
    long long channel = 0;
    char path[PATH_MAX];
    studio_paint *paint = painted(call, &body, err);
    if (!paint || !read_text(call->json, "file", &name, err) ||
        !read_whole(call->json, "channel", 0, paint->def.plane_count - 1,
                    &channel, err)) {
        return false;
    }
    if (!name || !is_picture_name(name) || !*self->folder)
        return studio_fail(call, "refused", err,
                           "file must be a name in the scene's folder that "
                           "ends in .png");
    (void)snprintf(path, sizeof path, "%.3000s/%s", studio_save_folder(self),
                   name);
    studio_saved before = {.name = ""};
    if (!read_saved(path, &before))
        return studio_fail(call, "failed", err,
                           "%s is a link, has more than %d MB, or cannot be "
                           "read",
                           name, SAVED_BYTES >> 20);
    letter *picture = picture_of(paint, (int)channel, err);
    bool is_saved =
        picture && !sb_out_file_put_in(studio_save_folder(self), name,
                                       picture->bytes, picture->count, err);
    letter_drop(picture);
    if (is_saved) {
        keep_before(self, name, before);
        return true;
    }
    sb_free(before.bytes);
    call->code = "failed";
    return false;
}

/* The file changes places with what was there before it was saved. */
bool studio_do_texture_unsave(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *name;
    char path[PATH_MAX];
    if (!read_text(call->json, "file", &name, err)) return false;
    studio_saved *saved = self->saved;
    while (name && saved < self->saved + STUDIO_SAVED &&
           strcmp(saved->name, name) != 0)
        saved++;
    if (!name || !*name || saved == self->saved + STUDIO_SAVED)
        return studio_fail(call, "failed", err, "it was not saved here");
    (void)snprintf(path, sizeof path, "%.3000s/%s", studio_save_folder(self),
                   name);
    studio_saved now = {.name = ""};
    if (!read_saved(path, &now))
        return studio_fail(call, "failed", err, "%s cannot be read", name);
    sb_status status = SB_OK;
    if (saved->bytes) {
        status = sb_out_file_put_in(studio_save_folder(self), name,
                                    saved->bytes, saved->count, err);
    } else if (now.bytes && unlink(path)) {
        status = sb_fail(err, SB_IO_ERROR, "%s cannot be removed", name);
    }
    if (status) {
        sb_free(now.bytes);
        call->code = "failed";
        return false;
    }
    sb_free(saved->bytes);
    saved->bytes = now.bytes;
    saved->count = now.count;
    return true;
}

void studio_forget_saved(studio *self) {
    for (int i = 0; i < STUDIO_SAVED; i++)
        sb_free(self->saved[i].bytes);
    memset(self->saved, 0, sizeof self->saved);
}

bool studio_get_texture(studio *self, const net_event *event, studio_body *body,
                        const char *name) {
    char *rest;
    sb_error err;
    studio_paint *paint = paint_of(self, body, &err);
    long channel = strtol(name, &rest, 10);
    if (!paint || strcmp(rest, ".png") != 0 || channel < 0 ||
        channel >= paint->def.plane_count) {
        return false;
    }
    letter *picture = picture_of(paint, (int)channel, &err);
    studio_answer_bytes(self, event, picture ? 200 : 503, "image/png", picture);
    return true;
}

/* --- a texture of the mode shapes ---------------------------------------------------- */

typedef struct make_job {
    studio *studio;
    sb_plan *plan; /* the body alone */
    int width, height;
    uint32_t body, client;
    double id;
    sb_texture *texture;
    sb_status status;
    sb_error err;
} make_job;

static void free_job(make_job *job) {
    sb_plan_destroy(job->plan);
    sb_texture_release(job->texture);
    sb_free(job);
}

static void take_made(studio *self, void *data, double time_s) {
    make_job *job = data;
    studio_body *body = self->host ? studio_body_of(self, job->body) : NULL;
    if (!job->status && body) {
        job->status = repaint(self, body, job->texture, time_s, &job->err);
        studio_look(self);
    }
    cJSON *json = studio_message(job->status ? "error" : "ok");
    json_number(json, "id", job->id);
    if (job->status) {
        json_text(json, "code", "failed");
        json_text(json, "message", job->err.message);
    }
    studio_send(self, job->client, json);
    free_job(job);
}

static void make(void *data, bool is_over) {
    make_job *job = data;
    job->status =
        is_over ? SB_INTERRUPTED
                : painting_of_modes(sb_plan_at(job->plan, 0), job->width,
                                    job->height, &job->texture, &job->err);
    studio_finish(job->studio, take_made, job);
}

bool studio_do_texture_make(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    studio_body *body = studio_call_body(call, err);
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(call->json, "id");
    long long width = 128, height = 128;
    if (!body || !read_whole(call->json, "width", 2, 512, &width, err) ||
        !read_whole(call->json, "height", 1, 512, &height, err)) {
        return false;
    }
    if (body->texture)
        return studio_fail(call, "failed", err, "'%s' has a texture already",
                           body->name);
    make_job *job = sb_alloc(1, sizeof *job);
    if (!job) return studio_fail(call, "failed", err, "out of memory");
    *job = (make_job){.studio = self,
                      .width = (int)width,
                      .height = (int)height,
                      .body = body->number,
                      .client = call->client ? call->client->number : 0,
                      .id = cJSON_IsNumber(id) ? id->valuedouble : 0.0};
    if (sb_plan_create(&job->plan, err) ||
        sb_plan_add_solved(job->plan, planned_of(self, body), err)) {
        free_job(job);
        call->code = "failed";
        return false;
    }
    if (!call->client) {
        make(job, false); /* a replay waits for it */
    } else if (!worker_post(self->solver, make, job)) {
        free_job(job);
        return studio_fail(call, "busy", err, "too much to do");
    }
    cJSON_Delete(call->reply);
    call->reply = NULL;
    return true;
}

/* The body sounds as its mode shapes say again. */
bool studio_do_texture_remove(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    studio_body *body = studio_call_body(call, err);
    if (!body) return false;
    if (repaint(self, body, NULL, call->time_s, err)) {
        call->code = "failed";
        return false;
    }
    studio_look(self);
    return true;
}
