/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/deform_film.h"

#include "bindings/cli/console/console.h"
#include "bindings/studio/session/body_surface.h"
#include "runtime/base/memory.h"
#include "runtime/media/picture/film_strip.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_KEPT = 256 };

struct film_shape {
    char name[SB_NAME_SIZE];
    int vertex_count, face_count;
    int (*faces)[3];
    sb_body_id body;
    sb_vec3 *vertices; /* of a rigid body, in its own axes; else NULL */
};

bool film_open(deform_film *film, const char *output, int frames,
               const char *span, double exaggerate) {
    film->wanted = frames;
    film->exaggerate = exaggerate;
    film->to_s = INFINITY;
    film->last_s = -1.0;
    if (frames == 0 && !span && exaggerate == 1.0) return true;
    if (frames == 0 || strcmp(output, "-") == 0) {
        complain("render", "--film-span and --exaggerate need --film, and a "
                           "film needs -o FILE");
        return false;
    }
    if (span && (sscanf(span, "%lf,%lf", &film->from_s, &film->to_s) != 2 ||
                 !(film->from_s >= 0.0) || !(film->to_s > film->from_s))) {
        complain("render",
                 "--film-span needs two times such as 0.1,0.15; got '%s'",
                 span);
        return false;
    }
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(slash ? slash : output, '.');
    int length = dot ? (int)(dot - output) : (int)strlen(output);
    (void)snprintf(film->path, sizeof film->path, "%.*s.film.png", length,
                   output);
    return true;
}

double film_step_s(const deform_film *film) {
    if (film->wanted == 0 || !isfinite(film->to_s)) return 0.0;
    double gaps = film->wanted > 1 ? film->wanted - 1 : 1;
    return fmin(0.01, fmax((film->to_s - film->from_s) / gaps, 1e-4));
}

static void find_floor(deform_film *film, const sb_scene *scene) {
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        const sb_body_def *def = &sb_scene_body_planned(scene, id)->def;
        if (def->shape.kind != SB_SHAPE_FLOOR) continue;
        film->has_floor = true;
        film->floor_m = def->position;
        film->floor_normal =
            sb_quat_turn(def->moves.rotation, (sb_vec3){0, 1, 0});
    }
}

/* Faces without contents. */
static struct film_shape *add_shape(deform_film *film, const sb_scene *scene,
                                    sb_body_id body, int vertices, int faces) {
    struct film_shape *shapes =
        sb_resize(film->shapes, (size_t)film->shape_count + 1, sizeof *shapes);
    if (!shapes) return NULL;
    film->shapes = shapes;
    struct film_shape *own = &shapes[film->shape_count];
    *own = (struct film_shape){.body = body,
                               .vertex_count = vertices,
                               .face_count = faces,
                               .faces =
                                   sb_alloc((size_t)faces, sizeof *own->faces)};
    if (!own->faces) return NULL;
    (void)snprintf(own->name, sizeof own->name, "%s",
                   sb_scene_body_name(scene, body));
    film->shape_count++;
    film->point_count += vertices;
    return own;
}

static sb_status add_deformable(deform_film *film, const sb_scene *scene,
                                const sb_deform_surface *from, sb_error *err) {
    struct film_shape *own = add_shape(film, scene, from->body,
                                       from->vertex_count, from->face_count);
    if (!own) return sb_no_memory(err, "--film");
    memcpy(own->faces, from->faces,
           (size_t)from->face_count * sizeof *own->faces);
    return SB_OK;
}

/* A floor is drawn otherwise; what has no surface is not. */
static sb_status add_rigid(deform_film *film, const sb_scene *scene,
                           sb_body_id id, sb_error *err) {
    const sb_body_def *def = &sb_scene_body_planned(scene, id)->def;
    surface made;
    if (def->is_deformable || def->shape.kind == SB_SHAPE_FLOOR) return SB_OK;
    sb_status status =
        surface_make(sb_scene_body_model(scene, id), &def->shape, &made, err);
    if (status || made.is_stand_in) {
        if (!status) surface_free(&made);
        return status;
    }
    struct film_shape *own =
        add_shape(film, scene, id, made.vertex_count, made.face_count);
    if (own)
        own->vertices =
            sb_alloc((size_t)made.vertex_count, sizeof *own->vertices);
    for (int v = 0; own && own->vertices && v < made.vertex_count; v++) {
        const float *p = made.positions[v];
        own->vertices[v] = (sb_vec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    for (int i = 0; own && i < 3 * made.face_count; i++)
        own->faces[i / 3][i % 3] = (int)made.faces[i / 3][i % 3];
    surface_free(&made);
    return own && own->vertices ? SB_OK : sb_no_memory(err, "--film");
}

static sb_status find_shapes(deform_film *film, const sb_scene *scene,
                             sb_error *err) {
    sb_deform_surface skin;
    sb_status status = SB_OK;
    find_floor(film, scene);
    for (int i = 0; !status && sb_scene_deform_surface(scene, i, &skin); i++)
        status = add_deformable(film, scene, &skin, err);
    film->deformable_count = film->shape_count;
    for (int i = 0; !status && i < sb_scene_body_count(scene); i++)
        status = add_rigid(film, scene, sb_scene_body_at(scene, i), err);
    return status;
}

static sb_vec3 *copy_points(const deform_film *film, const sb_scene *scene) {
    sb_vec3 *points = sb_alloc((size_t)film->point_count, sizeof *points);
    sb_deform_surface skin;
    int at = 0;
    for (int i = 0; points && sb_scene_deform_surface(scene, i, &skin); i++) {
        for (int k = 0; k < skin.vertex_count; k++) {
            const float *p = skin.vertices + 3 * (size_t)k;
            points[at++] = (sb_vec3){(double)p[0], (double)p[1], (double)p[2]};
        }
    }
    for (int b = film->deformable_count; points && b < film->shape_count; b++) {
        const struct film_shape *own = &film->shapes[b];
        sb_pose pose = sb_scene_pose(scene, own->body);
        for (int k = 0; k < own->vertex_count; k++)
            points[at++] = sb_vec3_add(
                pose.position, sb_quat_turn(pose.rotation, own->vertices[k]));
    }
    return points;
}

static void drop_every_second(deform_film *film) {
    int count = 0;
    for (int i = 0; i < film->count; i++) {
        if (i % 2 == 0)
            film->kept[count++] = film->kept[i];
        else
            sb_free(film->kept[i].points);
    }
    film->count = count;
    film->every_s *= 2.0;
}

/* Surfaces come at the first world step after a multiple of their interval:
 * some gaps are shorter than the interval, which must not count. */
static bool is_due(const deform_film *film, double time_s) {
    if (film->count == 0 || film->every_s == 0.0) return true;
    double last_s = film->kept[film->count - 1].time_s;
    return floor(last_s / film->every_s + 1e-6) <
           floor(time_s / film->every_s + 1e-6);
}

sb_status film_add(deform_film *film, const sb_scene *scene, sb_error *err) {
    sb_deform_surface skin;
    if (film->wanted == 0 || !sb_scene_deform_surface(scene, 0, &skin))
        return SB_OK;
    if (film->shape_count == 0) {
        sb_status status = find_shapes(film, scene, err);
        if (status) return status;
        film->every_s = film_step_s(film);
    }
    if (skin.time_s <= film->last_s) return SB_OK;
    bool is_first = !film->first;
    film->last_s = skin.time_s;
    if (is_first) film->first = copy_points(film, scene);
    if (!film->first) return sb_no_memory(err, "--film");
    if (skin.time_s < film->from_s - 1e-9 || skin.time_s > film->to_s + 1e-9 ||
        !is_due(film, skin.time_s))
        return SB_OK;
    if (!sb_grow_list(film->kept, film->capacity, film->count + 1))
        return sb_no_memory(err, "--film");
    sb_vec3 *points = copy_points(film, scene);
    if (!points) return sb_no_memory(err, "--film");
    film->kept[film->count++] = (film_surface){skin.time_s, points};
    if (film->count == MOST_KEPT) {
        if (film->every_s == 0.0) film->every_s = 0.01;
        drop_every_second(film);
    }
    return SB_OK;
}

/* Displacements from the first surface, without the mean, times the factor. */
static void exaggerate(const deform_film *film, sb_vec3 *points) {
    int at = 0;
    for (int b = 0; b < film->deformable_count; b++) {
        int count = film->shapes[b].vertex_count;
        sb_vec3 mean = {0, 0, 0};
        for (int i = at; i < at + count; i++)
            mean = sb_vec3_add(mean, sb_vec3_sub(points[i], film->first[i]));
        mean = sb_vec3_scale(mean, 1.0 / count);
        for (int i = at; i < at + count; i++) {
            sb_vec3 rest = sb_vec3_add(film->first[i], mean);
            sb_vec3 off = sb_vec3_sub(points[i], rest);
            points[i] = sb_vec3_add(rest, sb_vec3_scale(off, film->exaggerate));
        }
        at += count;
    }
}

/* The surface that is nearest in time to frame `f` of `shown`. */
static film_surface *frame_of(const deform_film *film, int f, int shown) {
    double first_s = film->kept[0].time_s;
    double last_s = film->kept[film->count - 1].time_s;
    double wanted_s =
        shown > 1 ? first_s + (last_s - first_s) * f / (shown - 1) : first_s;
    int best = 0;
    for (int i = 1; i < film->count; i++) {
        if (fabs(film->kept[i].time_s - wanted_s) <
            fabs(film->kept[best].time_s - wanted_s))
            best = i;
    }
    return &film->kept[best];
}

static sb_status draw(deform_film *film, const char *title,
                      const sb_film_body *bodies, sb_film_frame *frames,
                      const sb_vec3 **positions, sb_error *err) {
    int shown = film->wanted < film->count ? film->wanted : film->count;
    for (int i = 0; i < film->count && film->exaggerate != 1.0; i++)
        exaggerate(film, film->kept[i].points);
    for (int f = 0; f < shown; f++) {
        film_surface *from = frame_of(film, f, shown);
        const sb_vec3 **own = positions + (size_t)f * (size_t)film->shape_count;
        int at = 0;
        for (int b = 0; b < film->shape_count; b++) {
            own[b] = from->points + at;
            at += film->shapes[b].vertex_count;
        }
        frames[f] = (sb_film_frame){.time_s = from->time_s, .positions = own};
    }
    char facts[80] = "";
    if (film->exaggerate != 1.0)
        (void)snprintf(facts, sizeof facts, "deformation %g times as large",
                       film->exaggerate);
    sb_film_floor floor = {film->floor_m, film->floor_normal};
    sb_film_def def = {.title = title,
                       .facts = facts,
                       .bodies = bodies,
                       .body_count = film->shape_count,
                       .frames = frames,
                       .frame_count = shown,
                       .floor = film->has_floor ? &floor : NULL};
    return sb_film_strip_write(film->path, &def, err);
}

sb_status film_write(deform_film *film, const char *title, sb_error *err) {
    if (film->wanted == 0) return SB_OK;
    if (film->shape_count == 0 || film->count == 0)
        return sb_fail(err, SB_NOT_FOUND,
                       "--film: no surface of a deformable body falls into "
                       "the span; only sb.deformable makes such bodies");
    size_t shapes = (size_t)film->shape_count;
    sb_film_body *bodies = sb_alloc(shapes, sizeof *bodies);
    sb_film_frame *frames = sb_alloc((size_t)film->wanted, sizeof *frames);
    const sb_vec3 **positions =
        sb_alloc(shapes * (size_t)film->wanted, sizeof *positions);
    sb_status status = SB_OK;
    if (!bodies || !frames || !positions) status = sb_no_memory(err, "--film");
    for (size_t b = 0; b < shapes && !status; b++)
        bodies[b] =
            (sb_film_body){.name = film->shapes[b].name,
                           .vertex_count = film->shapes[b].vertex_count,
                           .faces = (const int(*)[3])film->shapes[b].faces,
                           .face_count = film->shapes[b].face_count,
                           .has_edges = (int)b < film->deformable_count};
    if (!status) status = draw(film, title, bodies, frames, positions, err);
    sb_free_all(bodies, frames, (void *)positions);
    if (!status) (void)fprintf(stderr, "wrote %s\n", film->path);
    return status;
}

void film_free(deform_film *film) {
    for (int i = 0; i < film->count; i++)
        sb_free(film->kept[i].points);
    for (int i = 0; i < film->shape_count; i++) {
        sb_free(film->shapes[i].faces);
        sb_free(film->shapes[i].vertices);
    }
    sb_free_all(film->kept, film->shapes, film->first);
    *film = (deform_film){0};
}
