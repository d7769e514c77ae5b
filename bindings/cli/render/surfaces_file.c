/* Writes the surfaces of deformable bodies (surfaces_file.h). Control
 * thread. */
#include "bindings/cli/render/surfaces_file.h"

#include "runtime/base/memory.h"

#include <string.h>
#include <strings.h>

bool surfaces_is_name(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot &&
           (strcasecmp(dot, ".glb") == 0 || strcasecmp(dot, ".pc2") == 0);
}

static sb_status no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "--poses: out of memory");
}

static void take_points(surfaces_file *file, const sb_scene *scene) {
    sb_deform_surface surface;
    for (int i = 0; sb_scene_deform_surface(scene, i, &surface); i++) {
        for (int k = 0; k < surface.vertex_count; k++) {
            const float *p = surface.vertices + 3 * (size_t)k;
            file->of_body[i][k] =
                (sb_vec3){(double)p[0], (double)p[1], (double)p[2]};
        }
    }
}

static sb_status make_room(surfaces_file *file, const sb_scene *scene,
                           sb_error *err) {
    sb_deform_surface surface;
    size_t points = 0, at = 0;
    while (sb_scene_deform_surface(scene, file->body_count, &surface)) {
        points += (size_t)surface.vertex_count;
        file->body_count++;
    }
    file->points = sb_alloc(points, sizeof *file->points);
    file->of_body = sb_alloc((size_t)file->body_count, sizeof *file->of_body);
    if (!file->points || !file->of_body) return no_memory(err);
    for (int i = 0; sb_scene_deform_surface(scene, i, &surface); i++) {
        file->of_body[i] = file->points + at;
        at += (size_t)surface.vertex_count;
    }
    return SB_OK;
}

/* The first surfaces are the base. */
static sb_status begin(surfaces_file *file, const sb_scene *scene,
                       sb_error *err) {
    sb_deform_surface surface;
    sb_status status = make_room(file, scene, err);
    if (status) return status;
    take_points(file, scene);
    sb_pose_body *bodies = sb_alloc((size_t)file->body_count, sizeof *bodies);
    if (!bodies) return no_memory(err);
    for (int i = 0; sb_scene_deform_surface(scene, i, &surface); i++) {
        bodies[i] =
            (sb_pose_body){.name = sb_scene_body_name(scene, surface.body),
                           .base = file->of_body[i],
                           .vertex_count = surface.vertex_count,
                           .faces = surface.faces,
                           .face_count = surface.face_count};
    }
    sb_pose_writer_def def = {
        .path = file->path, .bodies = bodies, .body_count = file->body_count};
    status = sb_pose_writer_open(&file->writer, &def, err);
    sb_free(bodies);
    return status;
}

sb_status surfaces_add(surfaces_file *file, const sb_scene *scene,
                       sb_error *err) {
    sb_deform_surface surface;
    if (!file->path || !sb_scene_deform_surface(scene, 0, &surface))
        return SB_OK;
    sb_status status = SB_OK;
    if (!file->writer) status = begin(file, scene, err);
    if (status) return status;
    take_points(file, scene);
    return sb_pose_writer_add(file->writer, surface.time_s,
                              (const sb_vec3 *const *)file->of_body, err);
}

sb_status surfaces_write(surfaces_file *file, sb_error *err) {
    if (!file->path) return SB_OK;
    if (!file->writer)
        return sb_fail(err, SB_NOT_FOUND,
                       "--poses %s: no deformable body was there; only "
                       "sb.deformable makes such bodies",
                       file->path);
    sb_pose_writer *writer = file->writer;
    file->writer = NULL;
    return sb_pose_writer_close(writer, err);
}

void surfaces_abort(surfaces_file *file) {
    sb_pose_writer_abort(file->writer);
    sb_free(file->points);
    sb_free(file->of_body);
    *file = (surfaces_file){0};
}
