/* Writes every contact of a render as one line of JSON.
 * Thread: control. */
#include "bindings/cli/render/events_file.h"

#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/contact/scene_strike.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines are written in batches. A contact is reported when it ends, with the
 * time at which it began: at most this long ago. */
enum { BATCH = 16384 };
#define LATEST_S 2.0

/* --- one line ------------------------------------------------------------- */

static void add_number(cJSON *json, const char *name, double value) {
    if (isfinite(value)) {
        (void)cJSON_AddNumberToObject(json, name, value);
    } else {
        (void)cJSON_AddNullToObject(json, name);
    }
}

static void add_text(cJSON *json, const char *name, const char *text) {
    (void)cJSON_AddStringToObject(json, name, text);
}

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

static cJSON *strike_line(const sb_scene_impact *impact) {
    const sb_impact_record *r = &impact->record;
    cJSON *json = begin_line(impact->time_s, sb_impact_kind_name(impact->kind),
                             impact->body, impact->striker);
    add_text(json, "contact", sb_impact_model_name(impact->model));
    (void)cJSON_AddBoolToObject(json, "bounces", impact->bounces);
    add_number(json, "before", r->before);
    add_spot(json, &impact->spot);
    add_number(json, "impulse_ns", r->impulse_ns);
    add_number(json, "duration_s", r->duration_s);
    add_number(json, "peak_force_n", r->peak_force_n);
    add_number(json, "restitution",
               r->restitution < 0.0 ? NAN : r->restitution);
    add_number(json, "speed_in", r->speed_in_m_s);
    add_number(json, "speed_out", r->speed_out_m_s);
    return json;
}

static cJSON *impact_line(const sb_world_event *event) {
    cJSON *json =
        begin_line(event->time_s, sb_world_event_kind_name(event->kind),
                   event->name[0], event->name[1]);
    if (event->contact > 0) add_id(json, true, event->contact);
    add_vec3(json, "point", event->point);
    add_vec3(json, "normal", event->normal);
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

/* Add a line; deletes `json`. */
static sb_status add_line(events_file *events, double time_s, cJSON *json,
                          sb_error *err) {
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    cJSON_Delete(json);
    if (!text || !sb_grow((void **)&events->lines, &events->capacity,
                          events->count + 1, sizeof *events->lines)) {
        cJSON_free(text);
        return sb_fail(err, SB_NO_MEMORY, "out of memory for the events");
    }
    events->lines[events->count++] =
        (events_line){time_s, events->order++, text};
    return SB_OK;
}

/* The first contact of a world impact has been measured: complete its event. */
static sb_status complete(events_file *events, const sb_impact_record *r,
                          sb_error *err) {
    for (int i = 0; i < events->open_count; i++) {
        sb_world_event event = events->open[i];
        if (event.label != r->label) continue;
        events->open[i] = events->open[--events->open_count];
        event.force_n = r->peak_force_n;
        event.duration_s = r->duration_s;
        return add_line(events, event.time_s, impact_line(&event), err);
    }
    return SB_OK; /* a later contact of the same impact */
}

static sb_status keep_open(events_file *events, const sb_world_event *event,
                           sb_error *err) {
    if (!sb_grow((void **)&events->open, &events->open_capacity,
                 events->open_count + 1, sizeof *events->open))
        return sb_fail(err, SB_NO_MEMORY, "out of memory for the events");
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
        status = add_line(events, events->open[i].time_s,
                          impact_line(&events->open[i]), err);
        events->open[i] = events->open[--events->open_count];
    }
    return status;
}

/* Impacts only: lasting contacts have reports of their own. */
static sb_status collect_world(events_file *events, const sb_scene *scene,
                               sb_error *err) {
    sb_world_event event;
    sb_status status = SB_OK;
    while (!status && sb_scene_next_event(scene, &events->reader, &event)) {
        if (event.kind != SB_WORLD_IMPACT) continue;
        status = event.label > 0
                     ? keep_open(events, &event, err)
                     : add_line(events, event.time_s, impact_line(&event), err);
    }
    return status;
}

static sb_status collect_impacts(events_file *events, sb_scene *scene,
                                 sb_error *err) {
    sb_scene_impact impact;
    sb_status status = SB_OK;
    while (!status && sb_scene_next_impact(scene, &impact))
        status =
            impact.kind == SB_IMPACT_WORLD
                ? complete(events, &impact.record, err)
                : add_line(events, impact.time_s, strike_line(&impact), err);
    return status;
}

static sb_status collect_lasting(events_file *events, sb_scene *scene,
                                 double time_s, sb_error *err) {
    sb_lasting_report report;
    sb_status status = sb_scene_sample_contacts(scene, time_s, err);
    while (!status && sb_scene_next_lasting(scene, &report))
        status = add_line(events, report.time_s, lasting_line(&report), err);
    return status;
}

/* --- writing -------------------------------------------------------------- */

static int by_time(const void *left, const void *right) {
    const events_line *a = left, *b = right;
    if (a->time_s != b->time_s) return a->time_s < b->time_s ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Write the lines up to `time_s` in order, and keep the later ones. */
static sb_status write_until(events_file *events, double time_s,
                             sb_error *err) {
    int written = 0;
    sb_status status = SB_OK;
    if (events->count > 0)
        qsort(events->lines, (size_t)events->count, sizeof *events->lines,
              by_time);
    while (!status && written < events->count &&
           events->lines[written].time_s <= time_s) {
        char *text = events->lines[written++].text;
        status = sb_out_file_write(events->file, text, strlen(text), err);
        if (!status) status = sb_out_file_write(events->file, "\n", 1, err);
        cJSON_free(text);
    }
    events->count -= written;
    if (written > 0)
        memmove(events->lines, events->lines + written,
                (size_t)events->count * sizeof *events->lines);
    return status;
}

sb_status events_open(events_file *events, const char *path, sb_error *err) {
    return sb_out_file_create(&events->file, path, err);
}

sb_status events_collect(events_file *events, sb_scene *scene, double time_s,
                         sb_error *err) {
    if (!events->file) return SB_OK;
    sb_status status = collect_world(events, scene, err);
    if (!status) status = collect_impacts(events, scene, err);
    if (!status) status = collect_lasting(events, scene, time_s, err);
    if (!status) status = give_up(events, time_s - 0.5 * LATEST_S, err);
    if (!status && events->count >= BATCH)
        status = write_until(events, time_s - LATEST_S, err);
    return status;
}

sb_status events_write(events_file *events, double end_s, sb_error *err) {
    if (!events->file) return SB_OK;
    sb_status status = give_up(events, INFINITY, err);
    if (!status) status = write_until(events, end_s, err);
    if (status) return status;
    sb_out_file *file = events->file;
    events->file = NULL;
    return sb_out_file_commit(file, err);
}

void events_abort(events_file *events) {
    for (int i = 0; i < events->count; i++)
        cJSON_free(events->lines[i].text);
    sb_free(events->lines);
    sb_free(events->open);
    sb_out_file_abort(events->file);
    *events = (events_file){0};
}
