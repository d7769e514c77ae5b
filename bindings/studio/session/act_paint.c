/* SPDX-License-Identifier: MIT */
/* Painting weights while they sound. Thread: control; the mode shapes of a body
 * are put into a texture by the worker. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/studio/session/paint.h"
#include "runtime/base/clock.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/media/image/png_file.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/planned.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAR_S 0.025 /* at most so often a stroke is heard anew */

enum { RECT_HEADER = 16, HEADER = 16, SAVED_BYTES = 64 << 20 };

/* The body's weights, ready to be painted on. */
static body_paint *paint_of(session *self, session_body *body, sb_error *err) {
    if (body->paint) return body->paint;
    if (!body->texture) {
        (void)sb_fail(err, SB_BAD_ARGUMENT,
                      "'%s' has no texture; make one first", body->name);
        return NULL;
    }
    sb_status status = paint_open(body->texture, session_planned(self, body),
                                  &body->paint, err);
    return status ? NULL : body->paint;
}

/* --- what is heard ------------------------------------------------------------- */

/* Give the scene this texture for the body. */
static sb_status repaint(session *self, session_body *body, sb_texture *texture,
                         double time_s, sb_error *err) {
    sb_plan *plan;
    sb_status status = sb_plan_create(&plan, err);
    if (status) return status;
    status = sb_plan_add_solved(plan, session_planned(self, body), err);
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

static void hear(session *self, session_body *body, double time_s) {
    body_paint *paint = body->paint;
    sb_texture *texture;
    if (!paint || !paint->is_dirty || sb_clock_s() - paint->heard_s < HEAR_S ||
        !sb_scene_has(sb_host_scene(self->host), body->id)) {
        return;
    }
    paint->heard_s = sb_clock_s();
    if (paint_texture(paint, &texture, NULL)) return;
    if (repaint(self, body, texture, time_s, NULL) == SB_OK) {
        paint->is_dirty = false;
        /* Hands know this texture already. The scene keeps its own if they are
         * equal. */
        sb_texture_release(body->texture);
        body->texture =
            sb_texture_retain(session_planned(self, body)->def.weights);
    }
    sb_texture_release(texture);
}

void session_hear_paint(session *self, double time_s) {
    for (int i = 0; i < self->roster.count; i++)
        hear(self, &self->roster.bodies[i], time_s);
}

/* --- rects ---------------------------------------------------------------------- */

/* Tell all others than `from`. */
static void echo(session *self, uint32_t from, const session_body *body,
                 const paint_rect *rect, const void *codes) {
    size_t count = 2 * (size_t)rect->w * (size_t)rect->h;
    session_news heard = {0};
    session_news news = {.class = NEWS_MUST,
                         .type = RECORD_TEXTURE,
                         .time_s = self->clock.now_s,
                         .count = RECT_HEADER + count};
    session_find_listeners(self, TOPIC_TEXTURES, &heard);
    for (int i = 0; i < heard.hand_count; i++)
        if (heard.hands[i] != from)
            news.hands[news.hand_count++] = heard.hands[i];
    unsigned char *bytes =
        news.hand_count > 0 ? sb_alloc(RECT_HEADER + count, 1) : NULL;
    if (!bytes) return;
    uint16_t numbers[5] = {(uint16_t)rect->x, (uint16_t)rect->y,
                           (uint16_t)rect->w, (uint16_t)rect->h, 0};
    memcpy(bytes, &body->number, 4);
    bytes[4] = rect->channel < 0 ? 255 : (unsigned char)rect->channel;
    memcpy(bytes + 6, numbers, sizeof numbers);
    memcpy(bytes + RECT_HEADER, codes, count);
    news.bytes = bytes;
    self->def.send(self->def.user, &news);
    sb_free(bytes);
}

bool session_paint_rect(session *self, uint32_t from, session_body *body,
                        const paint_rect *rect, const unsigned char *codes,
                        size_t count, sb_error *err) {
    body_paint *paint = paint_of(self, body, err);
    if (!paint) return false;
    if (!paint_has_rect(paint, rect) ||
        count < 2 * (size_t)rect->w * (size_t)rect->h) {
        (void)sb_fail(err, SB_BAD_ARGUMENT,
                      "the rect is not in the texture, or too short");
        return false;
    }
    paint_set(paint, rect, codes);
    session_note_rect(self, body, rect, codes);
    echo(self, from, body, rect, codes);
    return true;
}

static bool paint_one(session *self, uint32_t from, const unsigned char *bytes,
                      size_t count, sb_error *err) {
    uint32_t number;
    uint16_t n[4];
    if (count < RECT_HEADER) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "a texture rect is too short");
        return false;
    }
    memcpy(&number, bytes, 4);
    memcpy(n, bytes + 6, sizeof n);
    paint_rect rect = {bytes[4] == 255 ? -1 : bytes[4], n[0], n[1], n[2], n[3]};
    session_body *body = session_body_of(self, number);
    if (!self->host || !body) {
        (void)sb_fail(err, SB_BAD_ARGUMENT, "there is no such body");
        return false;
    }
    return session_paint_rect(self, from, body, &rect, bytes + RECT_HEADER,
                              count - RECT_HEADER, err);
}

bool session_paint(session *self, uint32_t hand, const void *records,
                   size_t count, sb_error *err) {
    for (const unsigned char *bytes = records; count > 0;) {
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
        if (!paint_one(self, hand, bytes + HEADER, payload, err)) return false;
        bytes += HEADER + payload;
        count -= HEADER + payload;
    }
    return true;
}

/* --- strokes --------------------------------------------------------------------- */

bool session_do_texture_begin(session_call *call, sb_error *err) {
    body_paint *paint = paint_of(call->session, call->body, err);
    if (!paint) return false;
    return paint_begin(paint) ||
           session_fail(call, "failed", err, "out of memory");
}

bool session_do_texture_commit(session_call *call, sb_error *err) {
    body_paint *paint = paint_of(call->session, call->body, err);
    if (paint) paint->heard_s = 0.0;
    return paint;
}

static bool go(session_call *call, bool (*step)(body_paint *), sb_error *err) {
    body_paint *paint = paint_of(call->session, call->body, err);
    if (!paint) return false;
    if (!step(paint))
        return session_fail(call, "failed", err, "there is no such stroke");
    paint->heard_s = 0.0;
    size_t texels = (size_t)paint->def.width * (size_t)paint->def.height;
    uint16_t *codes = sb_alloc(texels, sizeof *codes);
    for (int c = 0; codes && c < paint->def.plane_count; c++) {
        paint_rect rect = {c, 0, 0, paint->def.width, paint->def.height};
        paint_get(paint, c, codes);
        echo(call->session, 0, call->body, &rect, codes);
    }
    sb_free(codes);
    return true;
}

bool session_do_texture_undo(session_call *call, sb_error *err) {
    return go(call, paint_undo, err);
}

bool session_do_texture_redo(session_call *call, sb_error *err) {
    return go(call, paint_redo, err);
}

/* --- pictures --------------------------------------------------------------------- */

static sb_status write_channel(const body_paint *paint, int channel,
                               const char *path, sb_error *err) {
    int width = paint->def.width, height = paint->def.height;
    size_t texels = (size_t)width * (size_t)height;
    sb_png_text note = {SB_IMAGE_NOTE_KEYWORD, "signed"};
    uint16_t *codes = sb_alloc(texels, sizeof *codes);
    float *weights = sb_alloc(texels, sizeof *weights);
    sb_status status;
    if (!codes || !weights) {
        status = sb_no_memory(err, "paint");
    } else if (paint->planes[channel].is_relative) {
        paint_get(paint, channel, codes);
        status = sb_png16_write(path, width, height, codes, &note, 1, err);
    } else {
        paint_weights(paint, channel, weights);
        status = sb_png16_write_weights(path, width, height, weights,
                                        (double)paint->scales[channel], err);
    }
    sb_free(codes);
    sb_free(weights);
    return status;
}

/* One weight as the bytes of a picture, which the caller frees, or NULL. */
static char *picture_of(const body_paint *paint, int channel, size_t *count,
                        sb_error *err) {
    char path[] = "/tmp/sandbell-texture-XXXXXX", *picture = NULL;
    int descriptor = mkstemp(path);
    if (descriptor < 0) {
        (void)sb_fail(err, SB_IO_ERROR, "no temporary file in /tmp");
        return NULL;
    }
    (void)close(descriptor);
    if (write_channel(paint, channel, path, err) ||
        sb_in_file_read(path, INT32_MAX, &picture, count, err))
        picture = NULL;
    (void)unlink(path);
    return picture;
}

char *session_texture(session *self, session_body *body, const char *name,
                      size_t *count, int *status) {
    char *rest;
    sb_error err;
    body_paint *paint = paint_of(self, body, &err);
    long channel = strtol(name, &rest, 10);
    *status = 404;
    if (!paint || strcmp(rest, ".png") != 0 || channel < 0 ||
        channel >= paint->def.plane_count) {
        return NULL;
    }
    char *picture = picture_of(paint, (int)channel, count, &err);
    *status = picture ? 200 : 503;
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
static bool read_saved(const char *path, session_saved *out) {
    sb_status status = sb_in_file_read_unlinked(path, SAVED_BYTES, &out->bytes,
                                                &out->count, NULL);
    if (status) out->bytes = NULL;
    return status == SB_OK || status == SB_NOT_FOUND;
}

/* For session_do_texture_unsave: of the last files only, SAVED_BYTES in all. */
static void keep_before(session *self, const char *name, session_saved before) {
    size_t kept = before.bytes ? before.count : 0;
    for (int i = 0; i < SESSION_SAVED; i++)
        kept += self->files.saved[i].bytes ? self->files.saved[i].count : 0;
    if (kept > SAVED_BYTES) session_forget_saved(self);
    session_saved *saved = self->files.saved;
    while (saved < self->files.saved + SESSION_SAVED - 1 && *saved->name &&
           strcmp(saved->name, name) != 0)
        saved++;
    sb_free(saved->bytes);
    *saved = before;
    (void)snprintf(saved->name, sizeof saved->name, "%s", name);
}

bool session_do_texture_save(session_call *call, sb_error *err) {
    session *self = call->session;
    const char *name;
    long long channel = 0;
    char path[PATH_MAX];
    body_paint *paint = paint_of(self, call->body, err);
    if (!paint || !read_text(call->json, "file", &name, err) ||
        !read_whole(call->json, "channel", 0, paint->def.plane_count - 1,
                    &channel, err)) {
        return false;
    }
    if (!name || !is_picture_name(name) || !*self->place.folder)
        return session_fail(call, "refused", err,
                            "file must be a name in the scene's folder that "
                            "ends in .png");
    (void)snprintf(path, sizeof path, "%.3000s/%s", session_save_folder(self),
                   name);
    session_saved before = {.name = ""};
    if (!read_saved(path, &before))
        return session_fail(call, "failed", err,
                            "%s is a link, has more than %d MB, or cannot be "
                            "read",
                            name, SAVED_BYTES >> 20);
    size_t count;
    char *picture = picture_of(paint, (int)channel, &count, err);
    bool is_saved = picture && !sb_out_file_put_in(session_save_folder(self),
                                                   name, picture, count, err);
    sb_free(picture);
    if (is_saved) {
        keep_before(self, name, before);
        return true;
    }
    sb_free(before.bytes);
    call->code = "failed";
    return false;
}

/* The file changes places with what was there before it was saved. */
bool session_do_texture_unsave(session_call *call, sb_error *err) {
    session *self = call->session;
    const char *name;
    char path[PATH_MAX];
    if (!read_text(call->json, "file", &name, err)) return false;
    session_saved *saved = self->files.saved;
    while (name && saved < self->files.saved + SESSION_SAVED &&
           strcmp(saved->name, name) != 0)
        saved++;
    if (!name || !*name || saved == self->files.saved + SESSION_SAVED)
        return session_fail(call, "failed", err, "it was not saved here");
    (void)snprintf(path, sizeof path, "%.3000s/%s", session_save_folder(self),
                   name);
    session_saved now = {.name = ""};
    if (!read_saved(path, &now))
        return session_fail(call, "failed", err, "%s cannot be read", name);
    sb_status status = SB_OK;
    if (saved->bytes) {
        status = sb_out_file_put_in(session_save_folder(self), name,
                                    saved->bytes, saved->count, err);
    } else if (now.bytes && unlink(path)) {
        status = sb_fail(err, SB_IO_ERROR, "%s cannot be removed", name);
    }
    char *unwanted = status ? now.bytes : saved->bytes;
    if (!status) {
        saved->bytes = now.bytes;
        saved->count = now.count;
    }
    sb_free(unwanted);
    return session_call_done(call, status);
}

void session_forget_saved(session *self) {
    for (int i = 0; i < SESSION_SAVED; i++)
        sb_free(self->files.saved[i].bytes);
    memset(self->files.saved, 0, sizeof self->files.saved);
}

/* --- a texture of the mode shapes ---------------------------------------------------- */

typedef struct make_job {
    session *session;
    sb_plan *plan; /* the body alone */
    int width, height;
    uint32_t body, hand;
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

static void take_made(session *self, void *data, double time_s) {
    make_job *job = data;
    session_body *body = self->host ? session_body_of(self, job->body) : NULL;
    if (!job->status && body) {
        job->status = repaint(self, body, job->texture, time_s, &job->err);
        session_look(self);
    }
    session_say(self, job->hand,
                session_late_reply(job->id, job->status, &job->err));
    free_job(job);
}

static void make(void *data, bool is_over) {
    make_job *job = data;
    job->status =
        is_over ? SB_INTERRUPTED
                : painting_of_modes(sb_plan_at(job->plan, 0), job->width,
                                    job->height, &job->texture, &job->err);
    session_finish(job->session, take_made, job);
}

bool session_do_texture_make(session_call *call, sb_error *err) {
    session *self = call->session;
    session_body *body = call->body;
    long long width = 128, height = 128;
    if (!read_whole(call->json, "width", 2, 512, &width, err) ||
        !read_whole(call->json, "height", 1, 512, &height, err)) {
        return false;
    }
    if (body->texture)
        return session_fail(call, "failed", err, "'%s' has a texture already",
                            body->name);
    make_job *job = sb_alloc(1, sizeof *job);
    if (!job) return session_fail(call, "failed", err, "out of memory");
    *job = (make_job){.session = self,
                      .width = (int)width,
                      .height = (int)height,
                      .body = body->number,
                      .hand = call->hand->number,
                      .id = call->id};
    if (sb_plan_create(&job->plan, err) ||
        sb_plan_add_solved(job->plan, session_planned(self, body), err)) {
        free_job(job);
        call->code = "failed";
        return false;
    }
    if (call->is_replayed) {
        make(job, false); /* a replay waits for it */
    } else if (!worker_post(self->workers.solver, make, job)) {
        free_job(job);
        return session_fail(call, "busy", err, "too much to do");
    }
    session_reply_not(call);
    return true;
}

/* The body sounds as its mode shapes say again. */
bool session_do_texture_remove(session_call *call, sb_error *err) {
    session *self = call->session;
    session_body *body = call->body;
    sb_status status = repaint(self, body, NULL, call->time_s, err);
    if (!status) session_look(self);
    return session_call_done(call, status);
}
