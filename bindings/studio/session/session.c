/* SPDX-License-Identifier: MIT */
/* Opens, steps and closes a session, and carries out acts. Thread: control. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_strike.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- opening and closing ------------------------------------------------------ */

sb_status session_open(const session_def *def, session **out, sb_error *err) {
    session *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "studio");
    session_place *place = &self->place;
    session_workers *workers = &self->workers;
    self->def = *def;
    (void)pthread_mutex_init(&workers->lock, NULL);
    sb_status status = SB_OK;
    if (!sb_self_find(SB_SELF_LIBRARY, place->library, sizeof place->library))
        status = sb_fail(err, SB_NOT_FOUND,
                         "studio: the program's data are not to be found");
    if (!getcwd(place->copies, sizeof place->copies) ||
        access(place->copies, W_OK)) {
        const char *home = getenv("HOME");
        if (!home || !realpath(home, place->copies)) place->copies[0] = '\0';
    }
    workers->shapes = mode_shapes_open();
    if (!status && !workers->shapes) status = sb_no_memory(err, "studio");
    if (!status) status = worker_open(&workers->worker, err);
    if (!status) status = worker_open(&workers->solver, err);
    if (!status) status = session_open_record(self, err);
    if (status) {
        session_close(self);
        return status;
    }
    *out = self;
    return SB_OK;
}

void session_close(session *self) {
    if (!self) return;
    session_detach(self);
    worker_close(self->workers.solver);
    worker_close(self->workers.worker);
    mode_shapes_close(self->workers.shapes);
    session_take_finished(self, 0.0);
    session_close_record(self);
    (void)pthread_mutex_destroy(&self->workers.lock);
    cJSON_free(self->stream.params);
    cJSON_free(self->stream.settings);
    cJSON_free(self->stream.quality);
    cJSON_free(self->stream.room);
    sb_free(self);
}

/* --- the scene ----------------------------------------------------------------- */

void session_forget_wanted(session *self) {
    self->place.wanted[0] = '\0';
    self->place.wants_gallery = false;
}

void session_attach(session *self, sb_host *host, sb_output *output,
                    const char *path, bool is_gallery) {
    if (!self) return;
    self->host = host;
    self->output = output;
    if (!self->computing.is_opening) session_forget_wanted(self);
    self->computing = (session_computing){0};
    self->clock = (session_clock){0};
    self->trace.is_on = false;
    self->trace.rows = -1;
    memset(self->stream.gauged, 0, sizeof self->stream.gauged);
    self->stream.event_reader = 0;
    self->stream.surfaced_s = -1.0;
    self->stream.has_said_large = self->stream.wants_heard = false;
    session_find_place(self, path, is_gallery);
    session_lesson_begin(self);
    session_note_version(self);
    if (self->def.send) {
        /* Its memory must be there before the sound begins; its cost begins
         * when a hand asks for it. */
        sb_scene_want_impacts(sb_host_scene(host), true);
        sb_status status = sb_engine_trace(sb_host_engine(host), true, NULL);
        (void)status;
        sb_engine_end_energy(sb_host_engine(host));
    }
    session_look(self);
    self->roster.rev++;
    cJSON *json = session_message("opened");
    json_number(json, "rev", self->roster.rev);
    session_say_all(self, json);
}

void session_attach_computing(session *self, sb_host *host, const char *path) {
    if (!self) return;
    session_attach(self, host, NULL, path, false);
    self->computing.is_computing = true;
}

void session_detach(session *self) {
    if (!self) return;
    if (self->computing.is_opening) {
        self->computing.is_opening = false;
        /* There is no scene: what waits is refused. */
        if (self->def.act) self->def.act(self->def.user, 0.0);
    }
    if (!self->host) return;
    for (int i = 0; i < SESSION_HANDS; i++) {
        self->hands[i].grabbed = self->hands[i].watch = 0;
        self->hands[i].scrape = (sb_contact_id){0};
    }
    session_forget_tuning(self);
    session_forget_bodies(self);
    session_forget_saved(self);
    session_lesson_end(self);
    self->host = NULL;
    self->output = NULL;
    self->roster.rev++;
}

void session_set_output(session *self, sb_output *output) {
    if (self) self->output = output;
}

const char *session_wanted(const session *self) {
    return self && (*self->place.wanted || self->place.wants_gallery)
               ? self->place.wanted
               : NULL;
}

bool session_is_left(const session *self) {
    return self && self->computing.is_opening && session_wanted(self);
}

session_state session_state_of(const session *self) {
    return (session_state){
        .phase = self->computing.is_opening     ? SESSION_OPENING
                 : !self->host                  ? SESSION_EMPTY
                 : self->computing.is_computing ? SESSION_COMPUTING
                                                : SESSION_PLAYING,
        .rev = self->roster.rev,
        .now_s = self->clock.now_s,
        .rate_hz = self->host
                       ? sb_engine_sample_rate(sb_host_engine(self->host))
                       : 0.0};
}

void session_spend(session *self, double seconds) {
    self->stream.spent_s += seconds;
}

/* --- the control thread comes by -------------------------------------------------- */

/* What was solved, what waits, and what is painted: also while time stands
 * still. */
static void carry_out(session *self, double time_s) {
    script_set_now(sb_host_script(self->host), time_s);
    session_take_finished(self, time_s);
    if (self->def.act) self->def.act(self->def.user, time_s);
}

void session_step(session *self, double from_s, double to_s) {
    if (!self) return;
    self->clock.now_s = from_s;
    if (!self->host) return;
    carry_out(self, from_s);
    session_step_replay(self, from_s, to_s);
    session_hear_paint(self, from_s);
    session_pull_held(self, from_s);
}

void session_idle(session *self) {
    if (!self) return;
    session_end_outdated(self);
    if (self->host && self->clock.is_paused) {
        /* There are no steps: hands are heard all the same. */
        const sb_engine *engine = sb_host_engine(self->host);
        double time_s =
            (double)sb_engine_horizon(engine) / sb_engine_sample_rate(engine);
        carry_out(self, time_s);
        session_hear_paint(self, time_s);
    }
    if (!self->host) return;
    session_send_news(self);
    session_watch_files(self);
}

/* --- hands ------------------------------------------------------------------------- */

static session_hand *find_hand(session *self, uint32_t number) {
    for (int i = 0; i < SESSION_HANDS; i++)
        if (self->hands[i].number == number) return &self->hands[i];
    return NULL;
}

bool session_enter(session *self, uint32_t hand) {
    if (find_hand(self, hand)) return true;
    session_hand *free = find_hand(self, 0);
    if (free) *free = (session_hand){.number = hand};
    return free;
}

void session_leave(session *self, uint32_t number) {
    session_hand *hand = find_hand(self, number);
    if (!hand) return;
    session_end_touches(self, hand);
    *hand = (session_hand){0};
}

void session_subscribe(session *self, uint32_t number, unsigned topics) {
    session_hand *hand = find_hand(self, number);
    if (hand) hand->topics = topics;
}

/* --- acts -------------------------------------------------------------------------- */

static const struct act_row {
    const char *type;
    session_do *run;
    enum { OF_ALL, OF_SCENE, OF_BODY } of; /* what must be there */
    unsigned kind;
    bool is_recorded; /* it changes what is heard or seen */
} rows[] = {
    {"strike", session_do_strike, OF_ALL, ACT_AT_ONCE, true},
    {"probe", session_do_probe, OF_ALL, ACT_AT_ONCE | ACT_LOOKS, false},
    {"pattern", session_do_pattern, OF_BODY, ACT_AT_ONCE | ACT_LOOKS, false},
    {"watch", session_do_watch, OF_ALL, ACT_AT_ONCE | ACT_LOOKS, false},
    {"open", session_do_open, OF_ALL, ACT_AT_ONCE | ACT_LOOKS, false},
    {"trace", session_do_trace, OF_ALL, 0, false},
    {"scrape", session_do_scrape, OF_SCENE, 0, true},
    {"throw", session_do_throw, OF_SCENE, 0, true},
    {"param.set", session_do_param, OF_SCENE, 0, true},
    {"material.set", session_do_material, OF_BODY, 0, true},
    {"merge.set", session_do_merge, OF_BODY, 0, true},
    {"mode.set", session_do_mode, OF_BODY, 0, true},
    {"mode.limit", session_do_limit, OF_BODY, 0, true},
    {"quality.set", session_do_quality, OF_SCENE, 0, true},
    {"room.set", session_do_room, OF_SCENE, 0, true},
    {"transport", session_do_transport, OF_SCENE, 0, true},
    {"script.get", session_do_get, OF_ALL, ACT_LOOKS, false},
    {"script.put", session_do_put, OF_ALL, 0, false},
    {"eval", session_do_eval, OF_SCENE, 0, true},
    /* Before the rects of its stroke, which are taken at once, too. */
    {"texture.begin", session_do_texture_begin, OF_BODY, ACT_AT_ONCE, true},
    {"texture.commit", session_do_texture_commit, OF_BODY, 0, true},
    {"texture.undo", session_do_texture_undo, OF_BODY, 0, true},
    {"texture.redo", session_do_texture_redo, OF_BODY, 0, true},
    {"texture.save", session_do_texture_save, OF_BODY, 0, false},
    {"texture.unsave", session_do_texture_unsave, OF_ALL, 0, false},
    {"texture.make", session_do_texture_make, OF_BODY, 0, true},
    {"texture.remove", session_do_texture_remove, OF_BODY, 0, true},
    {"lesson.press", session_do_press, OF_SCENE, 0, true},
    {"lesson.predict", session_do_predict, OF_SCENE, 0, false},
    {"lesson.check", session_do_check, OF_SCENE, 0, true},
};

static const struct act_row *find_row(const char *type) {
    for (size_t i = 0; type && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0) return &rows[i];
    return NULL;
}

unsigned session_act_kind(const char *type) {
    const struct act_row *row = find_row(type);
    return row ? row->kind | ACT_IS_KNOWN : 0;
}

static bool run(const struct act_row *row, session_call *call, sb_error *err) {
    if (row->of == OF_SCENE && !call->session->host)
        return session_fail(call, "no_scene", err, "no scene is open");
    if (row->of == OF_BODY) call->body = session_call_body(call, err);
    return (row->of != OF_BODY || call->body) && row->run(call, err);
}

static void report_failure(const session *self, const session_call *call,
                           const char *type, const char *message) {
    char line[SB_MESSAGE_SIZE + 100];
    (void)snprintf(line, sizeof line, "replay, at %.3f s: %s: %s", call->time_s,
                   type, message);
    session_report(self, line);
}

void session_act(session *self, uint32_t number, const cJSON *act,
                 double time_s) {
    const cJSON *id = json_field(act, "id");
    const struct act_row *row =
        find_row(cJSON_GetStringValue(json_field(act, "type")));
    session_hand *hand = number ? find_hand(self, number) : &self->replayed;
    sb_error err = {0};
    if (!row || !hand || (number == 0 && !row->is_recorded)) return;
    session_call call = {.session = self,
                         .hand = hand,
                         .is_replayed = number == 0,
                         .json = act,
                         .time_s = time_s,
                         .id = cJSON_IsNumber(id) ? id->valuedouble : NAN,
                         .reply = session_message("ok")};
    if (isfinite(call.id)) json_number(call.reply, "id", call.id);
    if (run(row, &call, &err)) {
        bool changes = row->is_recorded && row->run != session_do_check &&
                       row->run != session_do_transport;
        self->is_touched = self->is_touched || changes;
        if (row->is_recorded && number) session_note(self, act, call.time_s);
        if (call.reply) session_say(self, number, call.reply);
        return;
    }
    cJSON_Delete(call.reply);
    if (call.is_replayed) report_failure(self, &call, row->type, err.message);
    session_refuse(self, number, id, call.code ? call.code : "bad_field",
                   err.message);
}

/* --- for acts ------------------------------------------------------------------------ */

bool(session_fail)(session_call *call, const char *code, sb_error *err,
                   const char *format, ...) {
    va_list values;
    va_start(values, format);
    err->status = SB_BAD_ARGUMENT;
    (void)vsnprintf(err->message, sizeof err->message, format, values);
    va_end(values);
    call->code = code;
    return false;
}

bool session_call_done(session_call *call, sb_status status) {
    if (status) call->code = "failed";
    return status == SB_OK;
}

session_body *session_call_body(session_call *call, sb_error *err) {
    long long number = 0;
    session *self = call->session;
    const char *name = cJSON_GetStringValue(json_field(call->json, "body"));
    session_body *body = NULL;
    if (!self->host) {
        (void)session_fail(call, "no_scene", err, "no scene is open");
        return NULL;
    }
    if (call->is_replayed && name) {
        /* A replayed act names the body as the script does. */
        body = session_body_named(self, name);
    } else if (read_whole(call->json, "body", 0, UINT32_MAX, &number, err)) {
        body = session_body_of(self, (uint32_t)number);
    } else {
        return NULL;
    }
    if (!body || !sb_scene_has(sb_host_scene(self->host), body->id)) {
        (void)session_fail(call, "no_such_body", err, "there is no such body");
        return NULL;
    }
    return body;
}

void session_reply_as(session_call *call, const char *type) {
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), type);
}

void session_reply_not(session_call *call) {
    cJSON_Delete(call->reply);
    call->reply = NULL;
}

cJSON *session_late_reply(double id, sb_status status, const sb_error *err) {
    cJSON *json = session_message(status ? "error" : "ok");
    if (isfinite(id)) json_number(json, "id", id);
    if (status) {
        json_text(json, "code", "failed");
        json_text(json, "message", err->message);
    }
    return json;
}
