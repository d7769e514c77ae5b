/* SPDX-License-Identifier: MIT */
/* Acts as lines of JSON, and done again: as they were, as sound, and for the
 * verdicts on a student's answers. Thread: control; session_replay any, one. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/host/host.h"
#include "bindings/studio/session/paint.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/scene/conductor.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Longest record, bytes: hours of mouse. */
enum { RECORD_MOST = 256 << 20 };

/* --- writing ---------------------------------------------------------------------- */

static void add_line(session_record *record, cJSON *json) {
    char *text = json_print(json);
    size_t length = text ? strlen(text) : 0;
    size_t need = record->count + length + 2;
    if (text && need < RECORD_MOST && need > record->capacity) {
        char *grown = sb_resize(record->text, 2 * need, 1);
        if (grown) {
            record->text = grown;
            record->capacity = 2 * need;
        }
    }
    if (text && need <= record->capacity) {
        memcpy(record->text + record->count, text, length);
        record->count += length + 1;
        record->text[record->count - 1] = '\n';
        record->text[record->count] = '\0';
    }
    cJSON_free(text);
}

/* `folder` may be "". */
static sb_status begin_record(session_record *record, const char *folder,
                              const char *path, sb_error *err) {
    record->capacity = 4096;
    record->count = 0;
    record->text = sb_alloc(record->capacity, 1);
    if (!record->text) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    (void)snprintf(record->path, sizeof record->path, "%s", path);
    (void)snprintf(record->folder, sizeof record->folder, "%s", folder);
    cJSON *json = cJSON_CreateObject();
    json_text(json, "sandbell", "session");
    json_number(json, "version", 1);
    add_line(record, json);
    return SB_OK;
}

sb_status session_end_record(session *self, sb_error *err) {
    session_record *record = &self->record;
    if (!record->text) return SB_OK;
    sb_status status =
        *record->folder
            ? sb_out_file_put_in(record->folder, record->path, record->text,
                                 record->count, err)
            : sb_out_file_put(record->path, record->text, record->count, err);
    sb_free(record->text);
    record->text = NULL;
    return status;
}

/* A record in the scene's folder. What cannot be written is refused now. */
bool session_begin_record(session *self, const char **code, sb_error *err) {
    const char *folder = session_save_folder(self);
    char name[1000];
    sb_out_file *trial;
    *code = "no_scene";
    if (!*self->place.folder)
        return sb_fail(err, SB_BAD_ARGUMENT, "no scene is open") == SB_OK;
    if (self->record.text) return true;
    *code = "failed";
    (void)snprintf(name, sizeof name, "%.900s.session.jsonl",
                   session_file_name(self->place.path));
    if (sb_out_file_create_in(&trial, folder, name, err)) return false;
    sb_out_file_abort(trial);
    return begin_record(&self->record, folder, name, err) == SB_OK;
}

const char *session_record_name(const session *self) {
    return self->record.text ? session_file_name(self->record.path) : "";
}

void session_note(session *self, const cJSON *json, double time_s) {
    if (!self->record.text && !self->lesson) return;
    cJSON *line = cJSON_CreateObject();
    cJSON *message = cJSON_Duplicate(json, true);
    const cJSON *number = json_field(message, "body");
    const session_body *body =
        cJSON_IsNumber(number)
            ? session_body_of(self, (uint32_t)number->valuedouble)
            : NULL;
    cJSON_DeleteItemFromObjectCaseSensitive(message, "id");
    if (body)
        (void)cJSON_ReplaceItemInObjectCaseSensitive(
            message, "body", cJSON_CreateString(body->name));
    json_number(line, "t", time_s);
    json_add(line, "message", message);
    session_lesson_note(self, line);
    if (self->record.text) {
        add_line(&self->record, line);
    } else {
        cJSON_Delete(line);
    }
}

void session_note_rect(session *self, const session_body *body,
                       const struct paint_rect *rect,
                       const unsigned char *codes) {
    static const char digits[] = "0123456789abcdef";
    size_t bytes = 2 * (size_t)rect->w * (size_t)rect->h;
    char *hex = self->record.text ? sb_alloc(2 * bytes + 1, 1) : NULL;
    if (!hex) return;
    for (size_t i = 0; i < bytes; i++) {
        hex[2 * i] = digits[codes[i] >> 4];
        hex[2 * i + 1] = digits[codes[i] & 15];
    }
    cJSON *line = cJSON_CreateObject();
    json_number(line, "t", self->clock.now_s);
    cJSON *message = cJSON_AddObjectToObject(line, "message");
    json_text(message, "type", "texture.rect");
    json_text(message, "body", body->name);
    json_number(message, "channel", rect->channel);
    const double place[4] = {rect->x, rect->y, rect->w, rect->h};
    json_numbers(message, "rect", place, 4);
    json_text(message, "codes", hex);
    sb_free(hex);
    add_line(&self->record, line);
}

/* --- reading ---------------------------------------------------------------------- */

/* The lines of a record, in order. */
static sb_status read_lines(const char *text, cJSON *acts, sb_error *err) {
    for (int number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        cJSON *line = cJSON_ParseWithLength(text, length);
        bool is_act = cJSON_IsNumber(json_field(line, "t"));
        bool is_head = cJSON_IsString(json_field(line, "sandbell"));
        if (is_act) json_push(acts, line);
        if (!is_act) cJSON_Delete(line);
        if (length > 0 && !is_act && !is_head)
            return sb_fail(err, SB_BAD_FORMAT,
                           "line %d is not one of a recorded session", number);
        text += length + (text[length] == '\n');
    }
    return SB_OK;
}

sb_status session_open_record(session *self, sb_error *err) {
    if (!self->def.record) return SB_OK;
    return begin_record(&self->record, "", self->def.record, err);
}

void session_close_record(session *self) {
    sb_error err;
    if (session_end_record(self, &err)) session_report(self, err.message);
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 87 : 0;
}

static void replay_rect(session *self, const cJSON *json) {
    const char *name = cJSON_GetStringValue(json_field(json, "body"));
    const char *codes = cJSON_GetStringValue(json_field(json, "codes"));
    const cJSON *place = json_field(json, "rect");
    const cJSON *channel = json_field(json, "channel");
    session_body *body = name ? session_body_named(self, name) : NULL;
    if (!body || !codes || cJSON_GetArraySize(place) != 4) return;
    size_t count = strlen(codes) / 2;
    unsigned char *bytes = sb_alloc(count + 1, 1);
    for (size_t i = 0; i < count && bytes; i++)
        bytes[i] =
            (unsigned char)(16 * hex(codes[2 * i]) + hex(codes[2 * i + 1]));
    uint16_t n[4];
    for (int i = 0; i < 4; i++)
        n[i] = (uint16_t)cJSON_GetArrayItem(place, i)->valueint;
    paint_rect rect = {cJSON_IsNumber(channel) ? channel->valueint : -1, n[0],
                       n[1], n[2], n[3]};
    sb_error err;
    bool is_painted =
        bytes && session_paint_rect(self, 0, body, &rect, bytes, count, &err);
    (void)is_painted; /* of another texture, perhaps */
    sb_free(bytes);
}

void session_step_replay(session *self, double from_s, double to_s) {
    for (; self->record.next; self->record.next = self->record.next->next) {
        const cJSON *json = json_field(self->record.next, "message");
        const char *type = cJSON_GetStringValue(json_field(json, "type"));
        double time_s = json_field(self->record.next, "t")->valuedouble;
        sb_error err;
        if (time_s >= to_s) break;
        if (time_s < from_s) time_s = from_s;
        if (type && strcmp(type, "texture.rect") == 0) {
            replay_rect(self, json);
        } else {
            session_act(self, 0, json, time_s);
        }
        if (sb_host_load_wanted(self->host, from_s, &err))
            session_report(self, err.message);
        session_look(self);
    }
}

/* --- in a scene of its own ----------------------------------------------------- */

/* Longest record without a given length, s. */
#define LIMIT_S 600.0
enum { MOST_BYTES = 256 << 20 };

typedef struct rendering {
    sb_host *host;
    session *session;
    const session_replaying *def;
} rendering;

static bool must_stop(void *user, double now_s) {
    const sb_host_def *host = ((rendering *)user)->def->host;
    (void)now_s;
    return host->must_stop && host->must_stop(host->user);
}

static void before_step(void *user, double from_s, double to_s) {
    session_step(((rendering *)user)->session, from_s, to_s);
}

static bool is_busy(void *user) {
    return ((rendering *)user)->session->record.next;
}

static sb_status sink(void *user, const float *stereo, int frames,
                      sb_error *err) {
    const session_replaying *def = ((rendering *)user)->def;
    return def->sink(def->user, stereo, frames, err);
}

/* `acts` are objects with the time "t" and the act "message". */
static sb_status replay(rendering *self, const cJSON *acts, double *seconds,
                        sb_error *err) {
    const session_replaying *def = self->def;
    session_def doing = {
        .report = def->report, .verdict = def->verdict, .user = def->user};
    sb_host_def host = *def->host;
    sb_host_hooks hooks = {.before = before_step,
                           .is_busy = def->sink ? is_busy : NULL,
                           .sink = def->sink ? sink : NULL,
                           .must_stop = must_stop,
                           .user = self};
    sb_span span = {
        .duration_s = def->seconds, .silence_dbfs = -60.0, .limit_s = LIMIT_S};
    sb_conduct_result result;
    host.watches = host.is_live = false;
    host.parks_errors = true;
    sb_status status = session_open(&doing, &self->session, err);
    if (!status) status = sb_host_open(def->scene, &host, &self->host, err);
    if (!status) {
        session_attach(self->session, self->host, NULL, def->scene, false);
        self->session->record.next = acts->child;
        status = sb_host_render(self->host, &hooks, &span, &result, err);
    }
    if (!status && seconds)
        *seconds = (double)result.frames / host.sample_rate_hz;
    session_close(self->session);
    sb_host_close(self->host);
    return status;
}

sb_status session_replay(const session_replaying *replaying, double *seconds,
                         sb_error *err) {
    rendering self = {.def = replaying};
    char *text = NULL;
    sb_status status = SB_OK;
    if (!replaying->text)
        status = sb_in_file_read(replaying->file, MOST_BYTES, &text, NULL, err);
    const char *lines = text ? text : replaying->text;
    cJSON *acts = cJSON_CreateArray();
    assert(status || lines);
    if (!status && !acts) status = sb_fail(err, SB_NO_MEMORY, "out of memory");
    if (!status) status = read_lines(lines, acts, err);
    if (!status) status = replay(&self, acts, seconds, err);
    cJSON_Delete(acts);
    sb_free(text);
    return status;
}

/* --- grading ----------------------------------------------------------------------- */

/* A pause that is longer is cut: the student was reading. */
#define LONGEST_PAUSE_S 30.0
#define LONGEST_S       36000.0

/* Lines of Lua could redefine a question; a pause has no meaning here. */
static bool is_graded(const cJSON *message) {
    const char *type = cJSON_GetStringValue(json_field(message, "type"));
    const char *action = cJSON_GetStringValue(json_field(message, "action"));
    if (!type || strcmp(type, "eval") == 0) return false;
    return strcmp(type, "transport") != 0 ||
           (action &&
            (strcmp(action, "reset") == 0 || strcmp(action, "reload") == 0));
}

/* The acts with long pauses cut; the caller deletes them. `end_s` is the time of
 * the last. */
static cJSON *shortened(const cJSON *messages, double *end_s) {
    cJSON *acts = cJSON_CreateArray();
    const cJSON *line;
    double before_s = 0.0, cut_s = 0.0;
    *end_s = 0.0;
    cJSON_ArrayForEach(line, messages) {
        const cJSON *t = json_field(line, "t");
        const cJSON *message = json_field(line, "message");
        if (!cJSON_IsNumber(t) || !isfinite(t->valuedouble)) continue;
        double pause_s = t->valuedouble - before_s;
        if (pause_s > LONGEST_PAUSE_S) cut_s += pause_s - LONGEST_PAUSE_S;
        if (pause_s > 0.0) before_s = t->valuedouble;
        if (!is_graded(message)) continue;
        cJSON *act = cJSON_CreateObject();
        json_number(act, "t", t->valuedouble - cut_s);
        json_add(act, "message", cJSON_Duplicate(message, true));
        json_push(acts, act);
        *end_s = fmin(fmax(t->valuedouble - cut_s, *end_s), LONGEST_S);
    }
    return acts;
}

sb_status session_grade(const session_grading *grading, sb_error *err) {
    const cJSON *rate = json_field(grading->work, "rate");
    const cJSON *seed = json_field(grading->work, "seed");
    double end_s;
    cJSON *acts = shortened(json_field(grading->work, "messages"), &end_s);
    if (!acts) return sb_fail(err, SB_NO_MEMORY, "out of memory");
    sb_host_def host = sb_host_def_default();
    if (cJSON_IsNumber(rate) && rate->valuedouble >= 8000.0 &&
        rate->valuedouble <= 384000.0) {
        host.sample_rate_hz = rate->valuedouble;
    }
    if (cJSON_IsNumber(seed) && seed->valuedouble >= 0.0 &&
        seed->valuedouble < 9e15) {
        host.seed = (uint64_t)seed->valuedouble;
    }
    host.must_stop = grading->must_stop;
    session_replaying def = {.scene = grading->scene,
                             .seconds = end_s + 0.2,
                             .host = &host,
                             .verdict = grading->verdict,
                             .user = grading->user};
    rendering self = {.def = &def};
    sb_status status = replay(&self, acts, NULL, err);
    cJSON_Delete(acts);
    return status;
}
