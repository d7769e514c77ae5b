#include "bindings/cli/render/poses_file.h"

#include <cjson/cJSON.h>
#include <string.h>

sb_status poses_open(poses_file *poses, const char *path, sb_error *err) {
    return sb_out_file_create(&poses->file, path, err);
}

static void add_pose(cJSON *list, const char *name, const sb_pose *pose) {
    const double position[3] = {pose->position.x, pose->position.y,
                                pose->position.z};
    const double rotation[4] = {pose->rotation.w, pose->rotation.x,
                                pose->rotation.y, pose->rotation.z};
    cJSON *item = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(item, "body", name);
    (void)cJSON_AddItemToObject(item, "position",
                                cJSON_CreateDoubleArray(position, 3));
    (void)cJSON_AddItemToObject(item, "rotation",
                                cJSON_CreateDoubleArray(rotation, 4));
    (void)cJSON_AddItemToArray(list, item);
}

sb_status poses_add(poses_file *poses, const sb_scene *scene, sb_error *err) {
    sb_world_info world = sb_scene_world_info(scene);
    if (!poses->file || !world.is_there) return SB_OK;
    cJSON *json = cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(json, "t", world.time_s);
    cJSON *list = cJSON_AddArrayToObject(json, "poses");
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        if (sb_scene_motion(scene, id) == SB_MOTION_FIXED) continue;
        sb_pose pose = sb_scene_pose(scene, id);
        add_pose(list, sb_scene_body_name(scene, id), &pose);
    }
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    if (!text) return sb_fail(err, SB_NO_MEMORY, "out of memory for poses");
    sb_status status = sb_out_file_write(poses->file, text, strlen(text), err);
    cJSON_free(text);
    if (!status) status = sb_out_file_write(poses->file, "\n", 1, err);
    return status;
}

sb_status poses_write(poses_file *poses, sb_error *err) {
    if (!poses->file) return SB_OK;
    sb_out_file *file = poses->file;
    poses->file = NULL;
    return sb_out_file_commit(file, err);
}

void poses_abort(poses_file *poses) {
    sb_out_file_abort(poses->file);
    poses->file = NULL;
}
