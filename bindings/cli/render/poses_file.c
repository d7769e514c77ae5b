#include "bindings/cli/render/poses_file.h"

#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"

#include <cjson/cJSON.h>
#include <string.h>

sb_status poses_open(poses_file *poses, const char *path, sb_error *err) {
    return sb_out_file_create(&poses->file, path, err);
}

static void add_pose(cJSON *list, const char *name, const sb_pose *pose) {
    const double position[3] = {pose->position.x, pose->position.y,
                                pose->position.z};
    double rotation[4];
    sb_quat_to_axis(pose->rotation, rotation);
    cJSON *item = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(item, "body", name);
    (void)cJSON_AddItemToObject(item, "position",
                                cJSON_CreateDoubleArray(position, 3));
    (void)cJSON_AddItemToObject(item, "rotation",
                                cJSON_CreateDoubleArray(rotation, 4));
    (void)cJSON_AddItemToArray(list, item);
}

/* Write the lines up to `time_s`, and keep the later ones. */
static sb_status write_until(poses_file *poses, double time_s, sb_error *err) {
    int written = 0;
    sb_status status = SB_OK;
    while (!status && written < poses->count &&
           poses->lines[written].time_s <= time_s) {
        char *text = poses->lines[written++].text;
        status = sb_out_file_write(poses->file, text, strlen(text), err);
        if (!status) status = sb_out_file_write(poses->file, "\n", 1, err);
        cJSON_free(text);
    }
    poses->count -= written;
    if (written > 0)
        memmove(poses->lines, poses->lines + written,
                (size_t)poses->count * sizeof *poses->lines);
    return status;
}

static char *line_of(const sb_scene *scene, double time_s) {
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(json, "t", time_s);
    cJSON *list = cJSON_AddArrayToObject(json, "poses");
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        if (sb_scene_motion(scene, id) == SB_MOTION_FIXED) continue;
        sb_pose pose = sb_scene_pose(scene, id);
        add_pose(list, sb_scene_body_name(scene, id), &pose);
    }
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    cJSON_Delete(json);
    return text;
}

sb_status poses_add(poses_file *poses, const sb_scene *scene, double rendered_s,
                    sb_error *err) {
    sb_world_info world = sb_scene_world_info(scene);
    if (!poses->file || !world.is_there) return SB_OK;
    char *text = line_of(scene, world.time_s);
    if (!text || !sb_grow((void **)&poses->lines, &poses->capacity,
                          poses->count + 1, sizeof *poses->lines)) {
        cJSON_free(text);
        return sb_fail(err, SB_NO_MEMORY, "out of memory for poses");
    }
    poses->lines[poses->count++] = (struct poses_line){world.time_s, text};
    return write_until(poses, rendered_s, err);
}

sb_status poses_write(poses_file *poses, double end_s, sb_error *err) {
    if (!poses->file) return SB_OK;
    sb_status status = write_until(poses, end_s, err);
    if (status) return status;
    sb_out_file *file = poses->file;
    poses->file = NULL;
    return sb_out_file_commit(file, err);
}

void poses_abort(poses_file *poses) {
    for (int i = 0; i < poses->count; i++)
        cJSON_free(poses->lines[i].text);
    sb_free(poses->lines);
    sb_out_file_abort(poses->file);
    *poses = (poses_file){0};
}
