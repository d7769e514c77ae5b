#include "bindings/cli/events_file.h"

#include "runtime/base/memory.h"
#include "runtime/media/out_file.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static void add_number(cJSON *json, const char *name, double value) {
    (void)cJSON_AddNumberToObject(json, name, value);
}

/* cJSON's own text, or NULL. */
static char *line_of(const sb_scene_impact *impact) {
    const sb_impact_record *r = &impact->record;
    cJSON *json = cJSON_CreateObject();
    add_number(json, "t", impact->time_s);
    (void)cJSON_AddStringToObject(json, "kind",
                                  sb_impact_kind_name(impact->kind));
    (void)cJSON_AddStringToObject(json, "a", impact->body);
    (void)cJSON_AddStringToObject(json, "b", impact->striker);
    (void)cJSON_AddStringToObject(json, "contact",
                                  sb_contact_model_name(impact->model));
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

sb_status events_collect(events_file *events, sb_scene *scene, sb_error *err) {
    sb_scene_impact impact;
    while (sb_scene_next_impact(scene, &impact)) {
        char *text = line_of(&impact);
        if (!text || !sb_grow((void **)&events->lines, &events->capacity,
                              events->count + 1, sizeof *events->lines)) {
            cJSON_free(text);
            return sb_fail(err, SB_NO_MEMORY, "out of memory for the events");
        }
        events->lines[events->count] =
            (events_line){impact.time_s, events->count, text};
        events->count++;
    }
    return SB_OK;
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
    *events = (events_file){NULL, 0, 0};
}
