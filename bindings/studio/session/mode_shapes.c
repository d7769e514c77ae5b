/* SPDX-License-Identifier: MIT */
/* Surfaces and their displacements in modes, as bytes (protocol.md): only the mode
 * that is asked for is evaluated. Thread: control; the worker has the shapes. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/studio/session/body_surface.h"
#include "runtime/base/memory.h"
#include "runtime/model/model.h"
#include "runtime/model/sound/finish.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <string.h>

enum { KEPT = 6, HEADER = 16, FLAG_UV = 1, FLAG_STAND_IN = 2 };

typedef struct body_shapes {
    sb_model *model; /* retained; NULL: free */
    surface surface;
    float (*moves)[3]; /* of each vertex, in the mode that was asked for */
    unsigned used;     /* when it was last asked for */
} body_shapes;

struct mode_shapes {
    body_shapes kept[KEPT];
    unsigned turn;
};

static void forget(body_shapes *self) {
    sb_model_release(self->model);
    surface_free(&self->surface);
    sb_free(self->moves);
    *self = (body_shapes){0};
}

mode_shapes *mode_shapes_open(void) {
    return sb_alloc(1, sizeof(mode_shapes));
}

void mode_shapes_close(mode_shapes *self) {
    for (int i = 0; self && i < KEPT; i++)
        forget(&self->kept[i]);
    sb_free(self);
}

/* Returns the longest. */
static double find_moves(body_shapes *self, int mode, int member) {
    double longest = 0.0;
    for (int v = 0; v < self->surface.vertex_count; v++) {
        sb_vec3 move =
            sb_model_member(self->model, mode, member, self->surface.points[v]);
        float *to = self->moves[v];
        to[0] = (float)move.x;
        to[1] = (float)move.y;
        to[2] = (float)move.z;
        longest = fmax(longest, sb_vec3_length((sb_vec3){to[0], to[1], to[2]}));
    }
    return longest;
}

/* --- bodies ---------------------------------------------------------------------- */

static body_shapes *oldest(mode_shapes *self) {
    body_shapes *found = &self->kept[0];
    for (int i = 1; i < KEPT; i++)
        if (self->kept[i].used < found->used) found = &self->kept[i];
    return found;
}

static body_shapes *find(mode_shapes *self, sb_model *model,
                         const sb_shape *shape) {
    body_shapes *body = NULL;
    for (int i = 0; i < KEPT; i++)
        if (self->kept[i].model == model) body = &self->kept[i];
    if (!body) {
        body = oldest(self);
        forget(body);
        if (surface_make(model, shape, &body->surface, NULL)) return NULL;
        body->moves = sb_alloc((size_t)body->surface.vertex_count + 1,
                               sizeof *body->moves);
        body->model = sb_model_retain(model);
        if (!body->moves) {
            forget(body);
            return NULL;
        }
    }
    body->used = ++self->turn;
    return body;
}

static int16_t part(double value, double scale) {
    return (int16_t)lround(scale > 0 ? 32767.0 * value / scale : 0.0);
}

static void *mode_shapes_bytes(mode_shapes *self, sb_model *model,
                               const sb_shape *shape, int mode, int member,
                               size_t *size) {
    body_shapes *body = find(self, model, shape);
    int count = body ? body->surface.vertex_count : 0;
    *size = HEADER + 8 * (size_t)count;
    unsigned char *bytes = body ? sb_alloc(*size, 1) : NULL;
    if (!bytes) return NULL;
    double scale = find_moves(body, mode, member);
    float shown = (float)scale;
    uint32_t head[4] = {0, (uint32_t)count, 0, (uint32_t)mode + 1};
    memcpy(&head[0], "SBS1", 4);
    memcpy(&head[2], &shown, 4);
    memcpy(bytes, head, sizeof head);
    for (int v = 0; v < count; v++) {
        const float *m = body->moves[v];
        const float *n = body->surface.normals[v];
        double out = (double)(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]);
        int16_t row[4] = {part((double)m[0], scale), part((double)m[1], scale),
                          part((double)m[2], scale), part(out, scale)};
        memcpy(bytes + HEADER + 8 * (size_t)v, row, sizeof row);
    }
    return bytes;
}

/* --- meshes ---------------------------------------------------------------------- */

static void *mesh_bytes(const sb_model *model, const sb_shape *shape,
                        uint32_t rev, size_t *count) {
    surface made;
    if (surface_make(model, shape, &made, NULL)) return NULL;
    size_t v = (size_t)made.vertex_count, f = (size_t)made.face_count;
    uint32_t header[8] = {0, (uint32_t)v, (uint32_t)f,
                          (made.has_uv ? FLAG_UV : 0u) |
                              (made.is_stand_in ? FLAG_STAND_IN : 0u),
                          rev};
    *count = sizeof header + v * 32 + f * 12;
    unsigned char *bytes = sb_alloc(*count, 1), *p = bytes;
    if (bytes) {
        memcpy(header, "SBM1", 4);
        memcpy(p, header, sizeof header);
        p += sizeof header;
        memcpy(p, made.positions, v * 12);
        p += v * 12;
        memcpy(p, made.normals, v * 12);
        p += v * 12;
        if (made.has_uv) memcpy(p, made.uvs, v * 8);
        p += v * 8;
        memcpy(p, made.faces, f * 12);
    }
    surface_free(&made);
    return bytes;
}

/* --- answers ------------------------------------------------------------------------ */

typedef struct surface_job {
    session *session;
    uint32_t request;
    sb_model *model;
    sb_shape shape;
    uint32_t rev;
    int mode;   /* from 0; -1: the mesh */
    int member; /* of the mode, from 0 */
    char etag[48];
} surface_job;

static void end_surface(surface_job *job, int status, const void *bytes,
                        size_t count) {
    const session_def *def = &job->session->def;
    session_answer answer = {status, BINARY, job->etag, bytes, count};
    if (def->answer) def->answer(def->user, job->request, &answer);
    sb_model_release(job->model);
    sb_free(job);
}

static void make_surface(void *data, bool is_over) {
    surface_job *job = data;
    void *bytes = NULL;
    size_t count = 0;
    if (!is_over && job->mode < 0) {
        bytes = mesh_bytes(job->model, &job->shape, job->rev, &count);
    } else if (!is_over) {
        bytes = mode_shapes_bytes(job->session->workers.shapes, job->model,
                                  &job->shape, job->mode, job->member, &count);
    }
    end_surface(job, bytes ? 200 : 503, bytes, count);
    sb_free(bytes);
}

void session_ask_surface(session *self, uint32_t request, const char *etag,
                         const session_body *body, int mode, int member) {
    surface_job *job = sb_alloc(1, sizeof *job);
    if (!job) {
        session_answer_error(self, request, 503, "busy", "out of memory");
        return;
    }
    *job = (surface_job){.session = self,
                         .request = request,
                         .model = sb_model_retain(body->model),
                         .shape = session_planned(self, body)->def.shape,
                         .rev = body->mesh_rev,
                         .mode = mode,
                         .member = member};
    (void)snprintf(job->etag, sizeof job->etag, "\"%.8s-%u-%u-%d-%d\"",
                   self->def.salt ? self->def.salt : "", body->number,
                   body->mesh_rev, mode, member);
    if (strcmp(job->etag, etag) == 0) {
        end_surface(job, 304, NULL, 0);
    } else if (!worker_post(self->workers.worker, make_surface, job)) {
        end_surface(job, 503, NULL, 0);
    }
}
