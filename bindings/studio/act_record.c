/* What pages do, as lines of JSON, and done again. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/lesson.h"
#include "bindings/studio/paint.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Longest record, bytes: hours of mouse. */
enum { RECORD_MOST = 256 << 20 };

/* --- writing ---------------------------------------------------------------------- */

static void add_line(studio *self, cJSON *json) {
    char *text = cJSON_PrintUnformatted(json);
    sb_utf8_mend(text);
    cJSON_Delete(json);
    size_t length = text ? strlen(text) : 0;
    size_t need = self->record_count + length + 2;
    if (text && need < RECORD_MOST && need > self->record_capacity) {
        size_t capacity = 2 * need;
        char *grown = sb_resize(self->record, capacity, 1);
        if (grown) {
            self->record = grown;
            self->record_capacity = capacity;
        }
    }
    if (text && need <= self->record_capacity) {
        memcpy(self->record + self->record_count, text, length);
        self->record_count += length + 1;
        self->record[self->record_count - 1] = '\n';
        self->record[self->record_count] = '\0';
    }
    cJSON_free(text);
}

/* `folder` may be "". */
static bool begin_record(studio *self, const char *folder, const char *path) {
    self->record_capacity = 4096;
    self->record_count = 0;
    self->record = sb_alloc(self->record_capacity, 1);
    if (!self->record) return false;
    (void)snprintf(self->record_path, sizeof self->record_path, "%s", path);
    (void)snprintf(self->record_folder, sizeof self->record_folder, "%s",
                   folder);
    cJSON *json = cJSON_CreateObject();
    json_text(json, "sandbell", "session");
    json_number(json, "version", 1);
    add_line(self, json);
    return true;
}

static sb_status end_record(studio *self, sb_error *err) {
    if (!self->record) return SB_OK;
    sb_status status =
        *self->record_folder
            ? sb_out_file_put_in(self->record_folder, self->record_path,
                                 self->record, self->record_count, err)
            : sb_out_file_put(self->record_path, self->record,
                              self->record_count, err);
    sb_free(self->record);
    self->record = NULL;
    return status;
}

void studio_note(studio *self, const cJSON *json, double time_s) {
    if (!self->record && !self->lesson) return;
    cJSON *line = cJSON_CreateObject();
    cJSON *message = cJSON_Duplicate(json, true);
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(message, "body");
    const studio_body *body =
        cJSON_IsNumber(number)
            ? studio_body_of(self, (uint32_t)number->valuedouble)
            : NULL;
    cJSON_DeleteItemFromObjectCaseSensitive(message, "id");
    if (body)
        (void)cJSON_ReplaceItemInObjectCaseSensitive(
            message, "body", cJSON_CreateString(body->name));
    json_number(line, "t", time_s);
    (void)cJSON_AddItemToObject(line, "message", message);
    studio_lesson_note(self, line);
    if (self->record) {
        add_line(self, line);
    } else {
        cJSON_Delete(line);
    }
}

void studio_note_rect(studio *self, const studio_body *body,
                      const struct paint_rect *rect,
                      const unsigned char *codes) {
    static const char digits[] = "0123456789abcdef";
    size_t bytes = 2 * (size_t)rect->w * (size_t)rect->h;
    char *hex = self->record ? sb_alloc(2 * bytes + 1, 1) : NULL;
    if (!hex) return;
    for (size_t i = 0; i < bytes; i++) {
        hex[2 * i] = digits[codes[i] >> 4];
        hex[2 * i + 1] = digits[codes[i] & 15];
    }
    cJSON *line = cJSON_CreateObject();
    json_number(line, "t", self->now_s);
    cJSON *message = cJSON_AddObjectToObject(line, "message");
    json_text(message, "type", "texture.rect");
    json_text(message, "body", body->name);
    json_number(message, "channel", rect->channel);
    const double place[4] = {rect->x, rect->y, rect->w, rect->h};
    (void)cJSON_AddItemToObject(message, "rect",
                                cJSON_CreateDoubleArray(place, 4));
    json_text(message, "codes", hex);
    sb_free(hex);
    add_line(self, line);
}

/* --- reading ---------------------------------------------------------------------- */

static sb_status read_lines(studio *self, const char *text, sb_error *err) {
    int number = 0;
    self->replay = cJSON_CreateArray();
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        cJSON *line = cJSON_ParseWithLength(text, length);
        const cJSON *t = cJSON_GetObjectItemCaseSensitive(line, "t");
        const cJSON *head = cJSON_GetObjectItemCaseSensitive(line, "sandbell");
        number++;
        if (length > 0 && !cJSON_IsNumber(t) && !cJSON_IsString(head)) {
            cJSON_Delete(line);
            return sb_fail(err, SB_BAD_FORMAT,
                           "line %d is not one of a recorded session", number);
        }
        if (cJSON_IsNumber(t)) {
            (void)cJSON_AddItemToArray(self->replay, line);
        } else {
            cJSON_Delete(line);
        }
        text += length + (text[length] == '\n');
    }
    return SB_OK;
}

sb_status studio_open_record(studio *self, sb_error *err) {
    if (self->def.replay) return read_lines(self, self->def.replay, err);
    if (!self->def.record || begin_record(self, "", self->def.record))
        return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "studio: out of memory");
}

void studio_close_record(studio *self) {
    sb_error err;
    if (end_record(self, &err) && self->def.report)
        self->def.report(self->def.user, err.message);
    cJSON_Delete(self->replay);
}

static int hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 87 : 0;
}

static void replay_rect(studio *self, const cJSON *json) {
    const cJSON *named = cJSON_GetObjectItemCaseSensitive(json, "body");
    const cJSON *codes = cJSON_GetObjectItemCaseSensitive(json, "codes");
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(json, "rect");
    const cJSON *channel = cJSON_GetObjectItemCaseSensitive(json, "channel");
    if (!cJSON_IsString(named) || !cJSON_IsString(codes) ||
        cJSON_GetArraySize(place) != 4) {
        return;
    }
    const studio_body *body = studio_body_named(self, named->valuestring);
    size_t bytes = strlen(codes->valuestring) / 2;
    size_t padded = (16 + bytes + 15) / 16 * 16;
    unsigned char *record = sb_alloc(16 + padded, 1);
    if (!body || !record || padded / 16 > UINT16_MAX) {
        sb_free(record);
        return;
    }
    uint16_t size = (uint16_t)(padded / 16), n[4];
    record[0] = RECORD_TEXTURE;
    record[1] = 1;
    memcpy(record + 2, &size, 2);
    memcpy(record + 16, &body->number, 4);
    bool is_all = !cJSON_IsNumber(channel) || channel->valueint < 0;
    record[20] = is_all ? 255 : (unsigned char)channel->valueint;
    for (int i = 0; i < 4; i++)
        n[i] = (uint16_t)cJSON_GetArrayItem(place, i)->valueint;
    memcpy(record + 22, n, sizeof n);
    for (size_t i = 0; i < bytes; i++)
        record[32 + i] = (unsigned char)(16 * hex(codes->valuestring[2 * i]) +
                                         hex(codes->valuestring[2 * i + 1]));
    sb_error err;
    (void)studio_paint_bytes(self, NULL, record, 16 + padded, &err);
    sb_free(record);
}

void studio_step_replay(studio *self, double from_s, double to_s) {
    while (self->next) {
        const cJSON *t = cJSON_GetObjectItemCaseSensitive(self->next, "t");
        const cJSON *json =
            cJSON_GetObjectItemCaseSensitive(self->next, "message");
        const cJSON *type = cJSON_GetObjectItemCaseSensitive(json, "type");
        double time_s = t->valuedouble;
        sb_error err;
        if (time_s >= to_s) break;
        if (time_s < from_s) time_s = from_s;
        if (cJSON_IsString(type) &&
            strcmp(type->valuestring, "texture.rect") == 0) {
            replay_rect(self, json);
        } else {
            studio_replay_message(self, json, time_s);
        }
        if (sb_host_load_wanted(self->host, from_s, &err) && self->def.report)
            self->def.report(self->def.user, err.message);
        studio_look(self);
        self->next = self->next->next;
    }
}

bool studio_has_replayed(const studio *self) {
    return !self || !self->next;
}

/* --- asked for by pages --------------------------------------------------------------- */

static void tell_recording(studio *self) {
    const char *slash = strrchr(self->record_path, '/');
    cJSON *json = studio_message("recording");
    json_text(json, "file",
              !self->record ? ""
              : slash       ? slash + 1
                            : self->record_path);
    json_bool(json, "on", self->is_recording);
    studio_send_all(self, MAIL_MUST, 0, json);
}

/* A record in the scene's folder. What cannot be written is refused now. */
static bool start_record(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *slash = strrchr(self->path, '/');
    char name[1000];
    sb_out_file *trial;
    if (!*self->folder)
        return studio_fail(call, "no_scene", err, "no scene is open");
    if (self->record) return true;
    (void)snprintf(name, sizeof name, "%.900s.session.jsonl",
                   slash ? slash + 1 : self->path);
    call->code = "failed";
    if (sb_out_file_create_in(&trial, studio_save_folder(self), name, err))
        return false;
    sb_out_file_abort(trial);
    return begin_record(self, studio_save_folder(self), name) ||
           studio_fail(call, "failed", err, "out of memory");
}

bool studio_do_record(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *action;
    if (!read_text(call->json, "action", &action, err)) return false;
    if (action && strcmp(action, "stop") == 0) {
        self->is_recording = false;
        sb_status status = end_record(self, err);
        tell_recording(self);
        if (status) call->code = "failed";
        return !status && studio_end_take(call, err);
    } else if (action && strcmp(action, "start") == 0) {
        if (!start_record(call, err)) return false;
        self->is_recording = studio_begin_take(self);
        if (!self->is_recording)
            return studio_fail(call, "failed", err, "out of memory");
    } else {
        return studio_fail(call, "bad_field", err,
                           "action must be start or stop");
    }
    tell_recording(self);
    return true;
}
