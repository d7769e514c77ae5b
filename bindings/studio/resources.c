/* Answers requests below /api/v1/ (protocol.md). Thread: control; surfaces and
 * mode shapes are made by the worker. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/body_surface.h"
#include "bindings/studio/lesson.h"
#include "bindings/studio/mode_shapes.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/model/sound/members.h"
#include "runtime/scene/plan/planned.h"

#include <stdlib.h>
#include <string.h>

/* --- answers ------------------------------------------------------------------- */

/* A tree that is printed by the worker: numbers take long. */
typedef struct print_job {
    net *net;
    uint32_t request;
    int status;
    cJSON *json;
    /* Of a mode table: the largest weights are added to its rows. */
    sb_model *model;
} print_job;

/* Column 4 of each row is the largest |phi . n| of the mode. */
static void add_peaks(cJSON *table, const sb_model *model) {
    int count = sb_model_mode_count(model);
    double *peaks = sb_alloc((size_t)count + 1, sizeof *peaks);
    cJSON *row;
    int k = 0;
    if (!peaks || sb_model_peaks(model, count, peaks, NULL)) {
        sb_free(peaks);
        return;
    }
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(table, "rows")) {
        if (k < count)
            cJSON_SetNumberValue(cJSON_GetArrayItem(row, 3), peaks[k]);
        k++;
    }
    sb_free(peaks);
}

static void print_json(void *data, bool is_over) {
    print_job *job = data;
    net_reply reply = {.status = 503, .type = "application/json"};
    if (!is_over) {
        if (job->model) add_peaks(job->json, job->model);
        char *text = cJSON_PrintUnformatted(job->json);
        sb_utf8_mend(text);
        reply.body = text ? letter_text(text) : NULL;
        if (reply.body) reply.status = job->status;
        cJSON_free(text);
    }
    net_answer(job->net, job->request, &reply);
    letter_drop(reply.body);
    cJSON_Delete(job->json);
    sb_model_release(job->model);
    sb_free(job);
}

static void answer_with(studio *self, const net_event *event, int status,
                        cJSON *json, sb_model *model) {
    print_job *job = sb_alloc(1, sizeof *job);
    if (!job) {
        cJSON_Delete(json);
        net_reply reply = {.status = 503, .type = "application/json"};
        net_answer(self->net, event->number, &reply);
        return;
    }
    *job = (print_job){.net = self->net,
                       .request = event->number,
                       .status = status,
                       .json = json,
                       .model = model ? sb_model_retain(model) : NULL};
    if (!worker_post(self->worker, print_json, job)) print_json(job, true);
}

static void answer_json(studio *self, const net_event *event, int status,
                        cJSON *json) {
    answer_with(self, event, status, json, NULL);
}

static void answer_error(studio *self, const net_event *event, int status,
                         const char *code, const char *message) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "code", code);
    json_text(json, "message", message);
    answer_json(self, event, status, json);
}

void studio_answer_bytes(studio *self, const net_event *event, int status,
                         const char *type, letter *body) {
    net_reply reply = {.status = status, .type = type, .body = body};
    net_answer(self->net, event->number, &reply);
    letter_drop(body);
}

/* A WAV file is at most that long. */
#define LETTER_MOST ((int64_t)1 << 32)

letter *studio_read_letter(const char *path) {
    FILE *file;
    letter *mail = NULL;
    if (sb_in_file_open(path, LETTER_MOST, &file, NULL)) return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        mail = size > 0 ? letter_make((size_t)size, true) : NULL;
        if (mail && fread(mail->bytes, 1, (size_t)size, file) != (size_t)size) {
            letter_drop(mail);
            mail = NULL;
        }
    }
    (void)fclose(file);
    return mail;
}

/* --- jobs ------------------------------------------------------------------------ */

typedef struct surface_job {
    net *net;
    mode_shapes *shapes;
    uint32_t request;
    sb_model *model;
    sb_shape shape;
    uint32_t rev;
    int mode;   /* from 0; -1: the mesh */
    int member; /* of the mode, from 0 */
    char etag[STUDIO_ETAG_SIZE];
} surface_job;

static letter *make_mesh(const surface_job *job) {
    surface made;
    if (surface_make(job->model, &job->shape, &made, NULL)) return NULL;
    letter *mail = surface_mesh_bytes(&made, job->rev);
    surface_free(&made);
    return mail;
}

static void make_surface(void *data, bool is_over) {
    surface_job *job = data;
    net_reply reply = {.status = 503, .type = "application/octet-stream"};
    if (!is_over) {
        reply.body = job->mode < 0 ? make_mesh(job)
                                   : mode_shapes_bytes(job->shapes, job->model,
                                                       &job->shape, job->mode,
                                                       job->member);
        if (reply.body) reply.status = 200;
        memcpy(reply.etag, job->etag, sizeof reply.etag);
    }
    net_answer(job->net, job->request, &reply);
    letter_drop(reply.body);
    sb_model_release(job->model);
    sb_free(job);
}

static void ask_surface(studio *self, const net_event *event,
                        const studio_body *body, int mode, int member) {
    const sb_planned *planned =
        sb_scene_body_planned(sb_host_scene(self->host), body->id);
    surface_job *job = sb_alloc(1, sizeof *job);
    if (!job) {
        answer_error(self, event, 503, "busy", "out of memory");
        return;
    }
    *job = (surface_job){.net = self->net,
                         .shapes = self->shapes,
                         .request = event->number,
                         .model = sb_model_retain(body->model),
                         .shape = planned->def.shape,
                         .rev = body->mesh_rev,
                         .mode = mode,
                         .member = member};
    (void)snprintf(job->etag, sizeof job->etag, "\"%.8s-%u-%u-%d-%d\"",
                   self->token, body->number, body->mesh_rev, mode, member);
    bool is_known = strcmp(job->etag, event->etag) == 0;
    if (!is_known && worker_post(self->worker, make_surface, job)) return;
    net_reply reply = {.status = is_known ? 304 : 503,
                       .type = "application/octet-stream"};
    memcpy(reply.etag, job->etag, sizeof reply.etag);
    net_answer(self->net, event->number, &reply);
    sb_model_release(job->model);
    sb_free(job);
}

/* --- addresses --------------------------------------------------------------------- */

/* N.bin, or N.M.bin for member M of a merged mode. */
static bool get_mode(studio *self, const net_event *event,
                     const studio_body *body, const char *name) {
    char *rest;
    long mode = strtol(name, &rest, 10), member = 1;
    if (rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9')
        member = strtol(rest + 1, &rest, 10);
    if (strcmp(rest, ".bin") != 0) return false;
    if (mode < 1 || mode > sb_model_mode_count(body->model) || member < 1 ||
        member > sb_model_member_count(body->model, (int)mode - 1)) {
        answer_error(self, event, 404, "no_such_mode", "there is no such mode");
    } else {
        ask_surface(self, event, body, (int)mode - 1, (int)member - 1);
    }
    return true;
}

static bool get_body(studio *self, const net_event *event) {
    char *rest;
    unsigned long number = strtoul(event->bytes + strlen("bodies/"), &rest, 10);
    studio_body *body = studio_body_of(self, (uint32_t)number);
    if (*rest != '/' || !self->host) return false;
    rest++;
    /* The roster is a little older than the scene. */
    if (body && !sb_scene_has(sb_host_scene(self->host), body->id)) body = NULL;
    if (!body && number > 0 && number <= self->next_body) {
        /* It was there when the page asked: dice of a scene come and go. */
        studio_answer_bytes(self, event, 204, "application/octet-stream", NULL);
        return true;
    }
    if (!body) {
        answer_error(self, event, 404, "no_such_body", "there is no such body");
        return true;
    }
    if (strcmp(rest, "mesh.bin") == 0) {
        ask_surface(self, event, body, -1, 0);
        return true;
    }
    if (strcmp(rest, "deformed.bin") == 0) {
        letter *faces = studio_deformed_faces(self, body);
        studio_answer_bytes(self, event, faces ? 200 : 404,
                            "application/octet-stream", faces);
        return true;
    }
    if (strcmp(rest, "modes") == 0) {
        answer_with(self, event, 200, studio_describe_modes(self, body),
                    body->model);
        return true;
    }
    if (strncmp(rest, "textures/", 9) == 0)
        return studio_get_texture(self, event, body, rest + 9);
    if (strncmp(rest, "modes/", 6) != 0) return false;
    return get_mode(self, event, body, rest + 6);
}

void studio_get(studio *self, const net_event *event) {
    if (strcmp(event->bytes, "scene") == 0) {
        studio_look(self);
        answer_json(self, event, 200, studio_describe_scene(self));
    } else if (strcmp(event->bytes, "gallery") == 0) {
        answer_json(self, event, 200, studio_describe_gallery(self));
    } else if (strcmp(event->bytes, "lesson") == 0) {
        answer_json(self, event, 200, studio_describe_lesson(self));
    } else if (strcmp(event->bytes, "reference") == 0) {
        answer_json(self, event, 200, studio_describe_reference());
    } else if (strcmp(event->bytes, "sound.wav") == 0 && self->sound) {
        studio_answer_bytes(self, event, 200, "audio/wav",
                            letter_keep(self->sound));
    } else if (strncmp(event->bytes, "bodies/", 7) != 0 ||
               !get_body(self, event)) {
        answer_error(self, event, 404, "not_found", "no such address");
    }
}
