/* Writes every contact of a render as one line of JSON.
 * Thread: control. */
#include "bindings/cli/render/events_file.h"

#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/scene/world/scene_world.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void add_number(cJSON *json, const char *name, double value) {
    (void)cJSON_AddNumberToObject(json, name, value);
}

/* The JSON text, allocated by cJSON, or NULL. */
static char *line_of(const sb_scene_impact *impact) {
    const sb_impact_record *r = &impact->record;
    cJSON *json = cJSON_CreateObject();
    add_number(json, "t", impact->time_s);
    (void)cJSON_AddStringToObject(json, "kind",
                                  sb_impact_kind_name(impact->kind));
    (void)cJSON_AddStringToObject(json, "a", impact->body);
    (void)cJSON_AddStringToObject(json, "b", impact->striker);
    (void)cJSON_AddStringToObject(json, "contact",
                                  sb_impact_model_name(impact->model));
    add_number(json, "impulse_ns", r->impulse_ns);
    add_number(json, "duration_s", r->duration_s);
    add_number(json, "peak_force_n", r->peak_force_n);
    if (r->restitution < 0.0) {
        (void)cJSON_AddNullToObject(json, "restitution");
    } else {
        add_number(json, "restitution", r->restitution);
    }
    add_number(json, "speed_in", r->speed_in_m_s);
    add_number(json, "speed_out", r->speed_out_m_s);
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    return text;
}

static void add_vec3(cJSON *json, const char *name, sb_vec3 v) {
    const double xyz[3] = {v.x, v.y, v.z};
    (void)cJSON_AddItemToObject(json, name, cJSON_CreateDoubleArray(xyz, 3));
}

static char *line_of_world(const sb_world_event *event) {
    cJSON *json = cJSON_CreateObject();
    add_number(json, "t", event->time_s);
    (void)cJSON_AddStringToObject(json, "kind",
                                  sb_world_event_kind_name(event->kind));
    (void)cJSON_AddStringToObject(json, "a", event->name[0]);
    (void)cJSON_AddStringToObject(json, "b", event->name[1]);
    add_vec3(json, "point", event->point);
    add_vec3(json, "normal", event->normal);
    add_number(json, "impulse_ns", event->impulse_ns);
    add_number(json, "speed", event->speed_m_s);
    add_number(json, "slip", event->slip_m_s);
    add_number(json, "force_n", event->force_n);
    add_number(json, "duration_s", event->duration_s);
    add_number(json, "restitution", event->restitution);
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    return text;
}

/* Add a line; takes ownership of `text`. NULL: NO_MEMORY. */
static sb_status add_line(events_file *events, double time_s, char *text,
                          sb_error *err) {
    if (!text || !sb_grow((void **)&events->lines, &events->capacity,
                          events->count + 1, sizeof *events->lines)) {
        cJSON_free(text);
        return sb_fail(err, SB_NO_MEMORY, "out of memory for the events");
    }
    events->lines[events->count] = (events_line){time_s, events->count, text};
    events->count++;
    return SB_OK;
}

sb_status events_collect(events_file *events, sb_scene *scene, sb_error *err) {
    sb_scene_impact impact;
    sb_world_event event;
    sb_status status = SB_OK;
    while (!status && sb_scene_next_impact(scene, &impact))
        status = add_line(events, impact.time_s, line_of(&impact), err);
    while (!status && sb_scene_next_event(scene, &events->reader, &event))
        status = add_line(events, event.time_s, line_of_world(&event), err);
    return status;
}

static int by_time(const void *left, const void *right) {
    const events_line *a = left, *b = right;
    if (a->time_s != b->time_s) return a->time_s < b->time_s ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

sb_status events_write(events_file *events, const char *path, sb_error *err) {
    sb_out_file *file = NULL;
    sb_status status = sb_out_file_create(&file, path, err);
    if (status) return status;
    if (events->count > 0)
        qsort(events->lines, (size_t)events->count, sizeof *events->lines,
              by_time);
    for (int i = 0; i < events->count && !status; i++) {
        const char *text = events->lines[i].text;
        status = sb_out_file_write(file, text, strlen(text), err);
        if (!status) status = sb_out_file_write(file, "\n", 1, err);
    }
    if (!status) return sb_out_file_commit(file, err);
    sb_out_file_abort(file);
    return status;
}

void events_free(events_file *events) {
    for (int i = 0; i < events->count; i++)
        cJSON_free(events->lines[i].text);
    sb_free(events->lines);
    *events = (events_file){0};
}
