/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/log_files.h"

#include "bindings/cli/console/console.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/scene/contact/lasting.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines are written in batches. A contact is reported when it ends, with the
 * time at which it began: at most this long ago. */
enum { BATCH = 16384 };
#define LATEST_S 2.0

/* --- lines with times ----------------------------------------------------- */

sb_status json_log_open(json_log *log, const char *path, const char *name,
                        sb_error *err) {
    log->name = name;
    return sb_out_file_create(&log->file, path, err);
}

/* Add a line; deletes `json`. */
static sb_status add_line(json_log *log, double time_s, cJSON *json,
                          sb_error *err) {
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    cJSON_Delete(json);
    if (!text || !sb_grow_list(log->lines, log->capacity, log->count + 1)) {
        cJSON_free(text);
        return sb_no_memory_for(err, "%s", log->name);
    }
    log->lines[log->count++] = (log_line){time_s, log->order++, text};
    return SB_OK;
}

static int by_time(const void *left, const void *right) {
    const log_line *a = left, *b = right;
    if (a->time_s != b->time_s) return a->time_s < b->time_s ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Write the lines up to `time_s` in order, and keep the later ones. */
static sb_status write_until(json_log *log, double time_s, sb_error *err) {
    int written = 0;
    sb_status status = SB_OK;
    if (log->count > 0)
        qsort(log->lines, (size_t)log->count, sizeof *log->lines, by_time);
    while (!status && written < log->count &&
           log->lines[written].time_s <= time_s) {
        char *text = log->lines[written++].text;
        status = sb_out_file_write(log->file, text, strlen(text), err);
        if (!status) status = sb_out_file_write(log->file, "\n", 1, err);
        cJSON_free(text);
    }
    log->count -= written;
    if (written > 0)
        memmove(log->lines, log->lines + written,
                (size_t)log->count * sizeof *log->lines);
    return status;
}

sb_status json_log_write(json_log *log, double end_s, sb_error *err) {
    if (!log->file) return SB_OK;
    sb_status status = write_until(log, end_s, err);
    if (status) return status;
    sb_out_file *file = log->file;
    log->file = NULL;
    return sb_out_file_commit(file, err);
}

void json_log_abort(json_log *log) {
    for (int i = 0; i < log->count; i++)
        cJSON_free(log->lines[i].text);
    sb_free(log->lines);
    sb_out_file_abort(log->file);
    *log = (json_log){0};
}

/* --- events: one line ----------------------------------------------------- */

static void add_vec3(cJSON *json, const char *name, sb_vec3 v) {
    const double xyz[3] = {v.x, v.y, v.z};
    (void)cJSON_AddItemToObject(json, name, cJSON_CreateDoubleArray(xyz, 3));
}

static void add_spot(cJSON *json, const sb_spot *spot) {
    add_vec3(json, "point", spot->point);
    add_vec3(json, "normal", spot->normal);
    add_number(json, "u", spot->has_uv ? spot->u : NAN);
    add_number(json, "v", spot->has_uv ? spot->v : NAN);
}

/* The number of a contact: "w3" of the world, "c3" of the script. */
static void add_id(cJSON *json, bool is_of_world, uint32_t number) {
    char id[16];
    (void)snprintf(id, sizeof id, "%c%u", is_of_world ? 'w' : 'c', number);
    add_text(json, "id", id);
}

static cJSON *begin_line(double time_s, const char *kind, const char *a,
                         const char *b) {
    cJSON *json = cJSON_CreateObject();
    add_number(json, "t", time_s);
    add_text(json, "kind", kind);
    add_text(json, "a", a);
    add_text(json, "b", b);
    return json;
}

static cJSON *strike_line(const sb_event *event) {
    cJSON *json = begin_line(event->time_s, sb_event_kind_name(event->kind),
                             event->name[0], event->name[1]);
    add_text(json, "contact", sb_impact_model_names[event->model]);
    (void)cJSON_AddBoolToObject(json, "bounces", event->bounces);
    add_number(json, "before", event->before);
    add_spot(json, &event->spot);
    add_number(json, "impulse_ns", event->impulse_ns);
    add_number(json, "duration_s", event->duration_s);
    add_number(json, "peak_force_n", event->force_n);
    add_number(json, "restitution",
               event->restitution < 0.0 ? NAN : event->restitution);
    add_number(json, "speed_in", event->speed_m_s);
    add_number(json, "speed_out", event->speed_out_m_s);
    return json;
}

static cJSON *impact_line(const sb_event *event) {
    cJSON *json = begin_line(event->time_s, sb_event_kind_name(event->kind),
                             event->name[0], event->name[1]);
    if (event->contact > 0) add_id(json, true, event->contact);
    add_vec3(json, "point", event->spot.point);
    add_vec3(json, "normal", event->spot.normal);
    add_number(json, "impulse_ns", event->impulse_ns);
    add_number(json, "speed", event->speed_m_s);
    add_number(json, "slip", event->slip_m_s);
    add_number(json, "force_n", event->force_n);
    add_number(json, "duration_s", event->duration_s);
    add_number(json, "restitution", event->restitution);
    return json;
}

static cJSON *lasting_line(const sb_lasting_report *report) {
    cJSON *json = begin_line(report->time_s, report->kind, report->name[0],
                             report->name[1]);
    add_text(json, "phase", sb_lasting_phase_name(report->phase));
    add_id(json, report->is_of_world, report->number);
    add_spot(json, &report->spot);
    add_number(json, "force_n", report->load.force_n);
    add_number(json, "speed_a", report->load.speed_m_s[0]);
    add_number(json, "speed_b", report->load.speed_m_s[1]);
    add_number(json, "slip", report->load.slip_m_s);
    return json;
}

/* --- collecting ----------------------------------------------------------- */

/* The first contact of a world impact has been measured: complete its event. */
static sb_status complete(events_file *events, const sb_event *measured,
                          sb_error *err) {
    for (int i = 0; i < events->open_count; i++) {
        sb_event event = events->open[i];
        if (event.number != measured->number) continue;
        events->open[i] = events->open[--events->open_count];
        event.force_n = measured->force_n;
        event.duration_s = measured->duration_s;
        return add_line(&events->log, event.time_s, impact_line(&event), err);
    }
    return SB_OK; /* a later contact of the same impact */
}

static sb_status keep_open(events_file *events, const sb_event *event,
                           sb_error *err) {
    if (!sb_grow_list(events->open, events->open_capacity,
                      events->open_count + 1))
        return sb_no_memory_for(err, "%s", events->log.name);
    events->open[events->open_count++] = *event;
    return SB_OK;
}

/* Impacts that were not played, to save time or memory, are never measured:
 * write what was estimated. */
static sb_status give_up(events_file *events, double before_s, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < events->open_count && !status;) {
        if (events->open[i].time_s >= before_s) {
            i++;
            continue;
        }
        status = add_line(&events->log, events->open[i].time_s,
                          impact_line(&events->open[i]), err);
        events->open[i] = events->open[--events->open_count];
    }
    return status;
}

static cJSON *event_line(const sb_event *event) {
    return event->kind == SB_EVENT_IMPACT ? impact_line(event)
                                          : strike_line(event);
}

/* What lasts has reports of its own. */
static sb_status collect_events(events_file *events, sb_scene *scene,
                                sb_error *err) {
    sb_event event;
    sb_status status = SB_OK;
    while (!status && sb_scene_next_event(scene, &events->reader, &event)) {
        bool is_impact = event.kind == SB_EVENT_IMPACT;
        if (event.kind > SB_EVENT_IMPACT ||
            (!is_impact && !sb_event_is_played(&event)))
            continue;
        if (is_impact && event.stage == SB_EVENT_EXPECTED)
            status = keep_open(events, &event, err);
        else if (is_impact && event.stage == SB_EVENT_MEASURED)
            status = complete(events, &event, err);
        else
            status =
                add_line(&events->log, event.time_s, event_line(&event), err);
    }
    return status;
}

static sb_status collect_lasting(events_file *events, sb_scene *scene,
                                 double time_s, sb_error *err) {
    sb_lasting_report report;
    sb_status status = SB_OK;
    sb_scene_sample_contacts(scene, time_s);
    while (!status && sb_scene_next_lasting(scene, &report))
        status =
            add_line(&events->log, report.time_s, lasting_line(&report), err);
    return status;
}

sb_status events_collect(events_file *events, sb_scene *scene, double time_s,
                         sb_error *err) {
    if (!events->log.file) return SB_OK;
    sb_status status = collect_events(events, scene, err);
    if (!status) status = collect_lasting(events, scene, time_s, err);
    if (!status) status = give_up(events, time_s - 0.5 * LATEST_S, err);
    if (!status && events->log.count >= BATCH)
        status = write_until(&events->log, time_s - LATEST_S, err);
    return status;
}

sb_status events_write(events_file *events, double end_s, sb_error *err) {
    sb_status status = give_up(events, INFINITY, err);
    return status ? status : json_log_write(&events->log, end_s, err);
}

void events_abort(events_file *events) {
    json_log_abort(&events->log);
    sb_free(events->open);
    *events = (events_file){0};
}

/* --- poses ---------------------------------------------------------------- */

static void add_pose(cJSON *list, const char *name, const sb_pose *pose) {
    double rotation[4];
    sb_quat_to_axis(pose->rotation, rotation);
    cJSON *item = cJSON_CreateObject();
    add_text(item, "body", name);
    add_vec3(item, "position", pose->position);
    (void)cJSON_AddItemToObject(item, "rotation",
                                cJSON_CreateDoubleArray(rotation, 4));
    (void)cJSON_AddItemToArray(list, item);
}

sb_status poses_add(json_log *poses, const sb_scene *scene, double rendered_s,
                    sb_error *err) {
    sb_world_info world = sb_scene_world_info(scene);
    if (!poses->file || !world.is_there) return SB_OK;
    cJSON *json = cJSON_CreateObject();
    add_number(json, "t", world.time_s);
    cJSON *list = cJSON_AddArrayToObject(json, "poses");
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        if (sb_scene_motion(scene, id) == SB_MOTION_FIXED) continue;
        sb_pose pose = sb_scene_pose(scene, id);
        add_pose(list, sb_scene_body_name(scene, id), &pose);
    }
    sb_status status = add_line(poses, world.time_s, json, err);
    return status ? status : write_until(poses, rendered_s, err);
}

/* --- surfaces ------------------------------------------------------------- */

bool surfaces_is_name(const char *path) {
    return path && (ends_in(path, ".glb") || ends_in(path, ".pc2"));
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
    if (!file->points || !file->of_body) return sb_no_memory(err, "--poses");
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
    if (!bodies) return sb_no_memory(err, "--poses");
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
