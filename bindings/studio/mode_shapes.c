/* Displacements of surfaces in modes. Thread: the worker's. */
#include "bindings/studio/mode_shapes.h"

#include "bindings/studio/net/mailbox.h"
#include "runtime/base/memory.h"
#include "runtime/model/sound/members.h"

#include <math.h>
#include <string.h>

enum { KEPT = 6, HEADER = 16 };

typedef struct body_shapes {
    sb_model *model; /* retained; NULL: free */
    surface surface;
    int *place_of;     /* of each vertex */
    int *first;        /* vertex of each place */
    int place_count;   /* different places of the model */
    float (*moves)[3]; /* of each place, in the mode that was asked for */
    unsigned used;     /* when it was last asked for */
} body_shapes;

struct mode_shapes {
    body_shapes kept[KEPT];
    unsigned turn;
};

static void forget(body_shapes *self) {
    sb_model_release(self->model);
    surface_free(&self->surface);
    sb_free(self->place_of);
    sb_free(self->first);
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

/* --- places ------------------------------------------------------------------ */

static uint64_t hash(const sb_model_point *point) {
    uint64_t bits[2];
    memcpy(&bits[0], &point->u, sizeof bits[0]);
    memcpy(&bits[1], &point->v, sizeof bits[1]);
    uint64_t mixed = bits[0] * 0x9E3779B97F4A7C15u ^ bits[1];
    mixed = (mixed ^ (uint64_t)point->face) * 0xBF58476D1CE4E5B9u;
    return mixed ^ mixed >> 29;
}

static bool is_same(const sb_model_point *a, const sb_model_point *b) {
    return a->face == b->face && a->u == b->u && a->v == b->v;
}

/* Number the different places. */
static bool find_places(body_shapes *self) {
    int count = self->surface.vertex_count;
    size_t size = 1;
    while (size < 2 * (size_t)count)
        size *= 2;
    int *table = sb_alloc(size, sizeof *table); /* place plus 1 */
    self->place_of = sb_alloc((size_t)count + 1, sizeof *self->place_of);
    self->first = sb_alloc((size_t)count + 1, sizeof *self->first);
    bool is_made = table && self->place_of && self->first;
    for (int v = 0; v < count && is_made; v++) {
        const sb_model_point *point = &self->surface.points[v];
        size_t at = hash(point) & (size - 1);
        while (
            table[at] &&
            !is_same(point, &self->surface.points[self->first[table[at] - 1]]))
            at = (at + 1) & (size - 1);
        if (!table[at]) {
            self->first[self->place_count] = v;
            table[at] = ++self->place_count;
        }
        self->place_of[v] = table[at] - 1;
    }
    sb_free(table);
    return is_made;
}

/* --- moves --------------------------------------------------------------------- */

static sb_vec3 move_at(const body_shapes *self, int mode, int member,
                       int place) {
    return sb_model_member(self->model, mode, member,
                           self->surface.points[self->first[place]]);
}

static void find_moves(body_shapes *self, int mode, int member) {
    for (int place = 0; place < self->place_count; place++) {
        sb_vec3 move = move_at(self, mode, member, place);
        float *to = self->moves[place];
        to[0] = (float)move.x;
        to[1] = (float)move.y;
        to[2] = (float)move.z;
    }
}

/* --- bodies ---------------------------------------------------------------------- */

static body_shapes *oldest(mode_shapes *self) {
    body_shapes *found = &self->kept[0];
    for (int i = 1; i < KEPT; i++)
        if (self->kept[i].used < found->used) found = &self->kept[i];
    return found;
}

static bool fill(body_shapes *self, sb_model *model, const sb_shape *shape) {
    self->model = sb_model_retain(model);
    if (surface_make(model, shape, &self->surface, NULL) || !find_places(self))
        return false;
    self->moves = sb_alloc((size_t)self->place_count + 1, sizeof *self->moves);
    return self->moves != NULL;
}

static body_shapes *find(mode_shapes *self, sb_model *model,
                         const sb_shape *shape) {
    body_shapes *body = NULL;
    for (int i = 0; i < KEPT; i++)
        if (self->kept[i].model == model) body = &self->kept[i];
    if (!body) {
        body = oldest(self);
        forget(body);
        if (!fill(body, model, shape)) {
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

letter *mode_shapes_bytes(mode_shapes *self, sb_model *model,
                          const sb_shape *shape, int mode, int member) {
    body_shapes *body = find(self, model, shape);
    int count = body ? body->surface.vertex_count : 0;
    letter *mail = body ? letter_make(HEADER + 8 * (size_t)count, true) : NULL;
    if (!mail) return NULL;
    find_moves(body, mode, member);
    double scale = 0;
    for (int v = 0; v < count; v++) {
        const float *m = body->moves[body->place_of[v]];
        scale = fmax(scale, sb_vec3_length((sb_vec3){m[0], m[1], m[2]}));
    }
    float shown = (float)scale;
    uint32_t vertices = (uint32_t)count, number = (uint32_t)mode + 1;
    memcpy(mail->bytes, "SBS1", 4);
    memcpy(mail->bytes + 4, &vertices, 4);
    memcpy(mail->bytes + 8, &shown, 4);
    memcpy(mail->bytes + 12, &number, 4);
    for (int v = 0; v < count; v++) {
        const float *m = body->moves[body->place_of[v]];
        const float *n = body->surface.normals[v];
        double out = (double)(m[0] * n[0] + m[1] * n[1] + m[2] * n[2]);
        int16_t row[4] = {part((double)m[0], scale), part((double)m[1], scale),
                          part((double)m[2], scale), part(out, scale)};
        memcpy(mail->bytes + HEADER + 8 * (size_t)v, row, sizeof row);
    }
    return mail;
}
