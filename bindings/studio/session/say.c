/* SPDX-License-Identifier: MIT */
/* What hands are told: replies, news, and what the host reports.
 * Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "runtime/base/clock.h"
#include "runtime/scene/commit.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define TELL_S 0.25 /* how far it has computed */

/* --- sending ---------------------------------------------------------------- */

cJSON *session_message(const char *type) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "type", type);
    return json;
}

static void send_text(session *self, session_news *news, cJSON *json) {
    if (!self->def.send || news->hand_count == 0) {
        cJSON_Delete(json);
        return;
    }
    char *text = json_print(json);
    news->bytes = text;
    news->count = text ? strlen(text) : 0;
    self->def.send(self->def.user, news);
    cJSON_free(text);
}

void session_find_listeners(const session *self, unsigned topics,
                            session_news *news) {
    for (int i = 0; i < SESSION_HANDS; i++) {
        const session_hand *hand = &self->hands[i];
        if (hand->number && (hand->topics & topics) == topics)
            news->hands[news->hand_count++] = hand->number;
    }
}

bool session_has_listener(const session *self, unsigned topics) {
    session_news news = {0};
    session_find_listeners(self, topics, &news);
    return news.hand_count > 0;
}

void session_send_all(session *self, session_class class, unsigned topics,
                      cJSON *json) {
    session_news news = {.class = class};
    session_find_listeners(self, topics, &news);
    send_text(self, &news, json);
}

void session_say_all(session *self, cJSON *json) {
    session_send_all(self, NEWS_MUST, 0, json);
}

void session_say(session *self, uint32_t hand, cJSON *json) {
    session_news news = {.hands = {hand}, .hand_count = hand > 0};
    send_text(self, &news, json);
}

void session_send_record(session *self, unsigned topics, session_class class,
                         session_record_type type, double time_s,
                         const void *bytes, size_t count) {
    session_news news = {.class = class,
                         .type = type,
                         .time_s = time_s,
                         .bytes = bytes,
                         .count = count};
    session_find_listeners(self, topics, &news);
    if (self->def.send && news.hand_count > 0)
        self->def.send(self->def.user, &news);
}

void session_refuse(session *self, uint32_t hand, const cJSON *id,
                    const char *code, const char *message) {
    cJSON *json = session_message("error");
    json_add(json, "id",
             cJSON_IsNumber(id) ? cJSON_Duplicate(id, false)
                                : cJSON_CreateNull());
    json_text(json, "code", code);
    json_text(json, "message", message);
    session_say(self, hand, json);
}

/* --- what the host reports ----------------------------------------------------- */

void session_note_version(session *self) {
    time_t now = time(NULL);
    struct tm when;
    self->place.since[0] = '\0';
    if (localtime_r(&now, &when))
        (void)strftime(self->place.since, sizeof self->place.since, "%H:%M:%S",
                       &when);
}

/* `text` is the message, or more. */
static void send_error(session *self, const char *type, const sb_error *err,
                       const char *text) {
    const char *slash = strrchr(err->file, '/');
    const char *file = slash ? slash + 1 : err->file;
    cJSON *json = session_message(type);
    json_text_or_null(json, "file", err->line > 0 ? file : NULL);
    json_number(json, "line", err->line > 0 ? (double)err->line : (double)NAN);
    json_text(json, "message", text);
    json_text_or_null(json, "hint", *err->hint ? err->hint : NULL);
    json_text(json, "running_since", self->place.since);
    session_say_all(self, json);
}

void session_report(const session *self, const char *line) {
    if (self->def.report) self->def.report(self->def.user, line);
}

void session_log(session *self, const char *level, const char *text) {
    cJSON *json = session_message("log");
    json_text(json, "level", level);
    json_text(json, "text", text);
    session_send_all(self, NEWS_EVENT, TOPIC_LOG, json);
}

void session_tell_broken(session *self, const sb_error *err) {
    send_error(self, "reload.error", err, err->message);
}

void session_failed(session *self, const sb_error *err, const char *text) {
    if (self) send_error(self, "runtime.error", err, text);
}

void session_tell(session *self, const char *line) {
    if (self) session_log(self, "info", line);
}

void session_progress(session *self, const char *body, const char *stage,
                      int done, int expected) {
    if (!self) return;
    cJSON *json = session_message("solve.progress");
    json_text(json, "body", body ? body : "");
    json_text(json, "stage", stage);
    json_number(json, "done", done);
    json_number(json, "expected", expected);
    session_send_all(self, NEWS_EVENT, 0, json);
    if (self->host) return;
    if (!self->computing.is_opening) session_forget_wanted(self);
    self->computing.is_opening = true;
}

void session_loaded(session *self, const sb_commit_counts *counts,
                    const sb_error *err) {
    if (!self) return;
    if (err) {
        session_tell_broken(self, err);
        return;
    }
    session_note_version(self);
    if (self->clock.is_resetting) self->clock.origin_s = self->clock.now_s;
    self->clock.is_resetting = false;
    session_drop_tuning(self);
    for (int i = 0; i < self->roster.count; i++) {
        session_body *body = &self->roster.bodies[i];
        body->has_scripted = body->is_tuned = false;
    }
    session_look(self);
    cJSON *json = session_message("reload.ok");
    json_number(json, "rev", self->roster.rev);
    json_number(json, "kept", counts->kept);
    json_number(json, "moved", counts->moved);
    json_number(json, "painted", counts->painted);
    json_number(json, "retuned", counts->retuned);
    json_number(json, "replaced", counts->replaced);
    json_number(json, "added", counts->added);
    json_number(json, "removed", counts->removed);
    session_say_all(self, json);
}

static void tell_computing(session *self, double of_s, bool is_exact) {
    double now_s = sb_clock_s();
    double at_s = self->clock.now_s, began_s = self->computing.began_s;
    double done_s = at_s - self->computing.from_s;
    if (now_s - self->computing.told_s < TELL_S) return;
    self->computing.told_s = now_s;
    cJSON *json = session_message("computing");
    json_text(json, "file", session_file_name(self->place.path));
    json_number(json, "time", at_s);
    json_number(json, "of", of_s);
    json_bool(json, "exact", is_exact);
    /* What was computed in an earlier run is gone through in no time. */
    json_number(json, "left",
                done_s > 0.0 && now_s - began_s > 0.5
                    ? fmax(of_s - at_s, 0.0) * (now_s - began_s) / done_s
                    : NAN);
    session_send_all(self, NEWS_EVENT, 0, json);
}

void session_show_computing(session *self, double time_s, double of_s,
                            bool is_exact) {
    if (!self || !self->host) return;
    self->clock.now_s = time_s;
    if (self->computing.began_s == 0.0) {
        self->computing.began_s = sb_clock_s();
        self->computing.from_s = time_s;
    }
    tell_computing(self, of_s, is_exact);
}
