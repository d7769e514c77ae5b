/* SPDX-License-Identifier: MIT */
/* Reads messages of pages: its own are carried out here, acts by the session.
 * Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/session/json.h"
#include "runtime/base/clock.h"

#include <string.h>

enum {
    MOST_BAD = 20,
    CLOSE_POLICY = 1008,
    MOST_WINDOW = 1000,
    MOST_WAITING = 64
};

/* --- hello and the like --------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned topic;
} topics[] = {
    {"poses", TOPIC_POSES},       {"contacts", TOPIC_CONTACTS},
    {"spectrum", TOPIC_SPECTRUM}, {"scope", TOPIC_SCOPE},
    {"energies", TOPIC_ENERGIES}, {"stats", TOPIC_STATS},
    {"params", TOPIC_PARAMS},     {"log", TOPIC_LOG},
    {"pcm", TOPIC_PCM},           {"trace", TOPIC_TRACE},
    {"textures", TOPIC_TEXTURES},
};

static bool read_topics(const cJSON *json, const char *field, unsigned *out,
                        sb_error *err) {
    const cJSON *list = json_field(json, field), *item;
    unsigned found = 0;
    if (list && !cJSON_IsArray(list))
        return !sb_fail(err, SB_BAD_ARGUMENT, "%s must be a list", field);
    cJSON_ArrayForEach(item, list) {
        unsigned topic = 0;
        for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
            if (cJSON_IsString(item) &&
                strcmp(item->valuestring, topics[i].name) == 0) {
                topic = topics[i].topic;
            }
        if (!topic)
            return !sb_fail(err, SB_BAD_ARGUMENT, "%s: there is no such topic",
                            field);
        found |= topic;
    }
    *out = found;
    return true;
}

static void set_topics(page_call *call, unsigned wanted) {
    studio *self = call->studio;
    studio_client *client = call->client;
    client->topics = wanted;
    session_subscribe(self->session, client->number, wanted);
    net_subscribe(self->net, client->number, wanted);
}

static bool do_hello(page_call *call, sb_error *err) {
    long long protocol = 0, window = 20;
    unsigned wanted = 0;
    if (!read_whole(call->json, "protocol", 0, 1000, &protocol, err) ||
        !read_whole(call->json, "window", 1, MOST_WINDOW, &window, err) ||
        !read_topics(call->json, "subscribe", &wanted, err)) {
        return false;
    }
    if (protocol != SESSION_PROTOCOL)
        return !sb_fail(err, SB_BAD_ARGUMENT,
                        "protocol must be %d: load the page again",
                        SESSION_PROTOCOL);
    session_state state = session_state_of(call->studio->session);
    call->client->has_hello =
        session_enter(call->studio->session, call->client->number);
    net_set_window(call->studio->net, call->client->number, (int)window);
    set_topics(call, wanted);
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), "welcome");
    json_number(call->reply, "protocol", SESSION_PROTOCOL);
    json_number(call->reply, "client", call->client->number);
    json_number(call->reply, "rev", state.rev);
    json_number(call->reply, "rate", state.rate_hz);
    json_text(call->reply, "version", SANDBELL_VERSION);
    json_text(call->reply, "build", SANDBELL_VERSION);
    json_number(call->reply, "time", state.now_s);
    return true;
}

static bool do_subscribe(page_call *call, sb_error *err) {
    unsigned more = 0, less = 0;
    if (!read_topics(call->json, "add", &more, err) ||
        !read_topics(call->json, "remove", &less, err)) {
        return false;
    }
    set_topics(call, (call->client->topics | more) & ~less);
    return true;
}

static bool do_ack(page_call *call, sb_error *err) {
    long long count = 0;
    if (!read_whole(call->json, "n", 0, UINT32_MAX, &count, err)) return false;
    cJSON_Delete(call->reply);
    call->reply = NULL;
    net_ack(call->studio->net, call->client->number, (uint32_t)count);
    return true;
}

static bool do_ping(page_call *call, sb_error *err) {
    const cJSON *t = json_field(call->json, "t");
    (void)err;
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), "pong");
    json_number(call->reply, "t", cJSON_IsNumber(t) ? t->valuedouble : 0.0);
    json_number(call->reply, "now", 1e3 * sb_clock_s());
    return true;
}

/* --- messages ------------------------------------------------------------------- */

/* Those that are no acts. */
static const struct page_row {
    const char *type;
    page_do *run;
    unsigned kind; /* as session_act_kind */
} rows[] = {
    {"hello", do_hello, ACT_IS_KNOWN | ACT_AT_ONCE | ACT_LOOKS},
    {"subscribe", do_subscribe, ACT_IS_KNOWN | ACT_AT_ONCE | ACT_LOOKS},
    {"ack", do_ack, ACT_IS_KNOWN | ACT_AT_ONCE | ACT_LOOKS},
    {"ping", do_ping, ACT_IS_KNOWN | ACT_AT_ONCE | ACT_LOOKS},
    {"record", studio_do_record, ACT_IS_KNOWN},
    {"recent", studio_do_recent, ACT_IS_KNOWN},
};

static const struct page_row *find_row(const char *type) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].type, type) == 0) return &rows[i];
    return NULL;
}

static const char *type_of(const cJSON *json) {
    const char *type = cJSON_GetStringValue(json_field(json, "type"));
    return type ? type : "";
}

static void run(studio *self, studio_client *client, const cJSON *json,
                double time_s) {
    const struct page_row *row = find_row(type_of(json));
    const cJSON *id = json_field(json, "id");
    if (!row) {
        session_act(self->session, client->number, json, time_s);
        return;
    }
    page_call call = {.studio = self,
                      .client = client,
                      .json = json,
                      .reply = cJSON_CreateObject(),
                      .code = "bad_field"};
    sb_error err = {0};
    json_text(call.reply, "type", "ok");
    if (cJSON_IsNumber(id)) json_number(call.reply, "id", id->valuedouble);
    bool is_done = row->run(&call, &err);
    if (is_done && call.reply) {
        session_say(self->session, client->number, call.reply);
        return;
    }
    cJSON_Delete(call.reply);
    if (!is_done)
        session_refuse(self->session, client->number, id, call.code,
                       err.message);
}

static studio_client *find_client(studio *self, uint32_t number) {
    for (int i = 0; i < NET_CLIENTS && number; i++)
        if (self->clients[i].number == number) return &self->clients[i];
    return NULL;
}

static void bad_message(studio *self, studio_client *client, const cJSON *json,
                        const char *message) {
    session_refuse(self->session, client->number, json_field(json, "id"),
                   "bad_message", message);
    if (++client->bad_count >= MOST_BAD)
        net_dismiss(self->net, client->number, CLOSE_POLICY);
}

/* Acts wait for the next step; while a scene is opened, for its first one, but
 * not too many of them. */
static bool must_wait(session_phase phase, const studio_client *client,
                      const char *type, unsigned kind) {
    int count = cJSON_GetArraySize(client->waiting);
    if (phase == SESSION_PLAYING)
        return !(kind & ACT_AT_ONCE) || (count > 0 && strcmp(type, "ack") != 0);
    return phase == SESSION_OPENING && !(kind & ACT_LOOKS) &&
           count < MOST_WAITING;
}

static void take_text(studio *self, studio_client *client,
                      const net_event *event) {
    cJSON *json = cJSON_ParseWithLength(event->bytes, event->count);
    const char *type = cJSON_IsObject(json) ? type_of(json) : "";
    const struct page_row *row = find_row(type);
    unsigned kind = row ? row->kind : session_act_kind(type);
    session_state state = session_state_of(self->session);
    bool is_early =
        state.phase == SESSION_OPENING || state.phase == SESSION_COMPUTING;
    if (!kind) {
        bad_message(self, client, json,
                    json ? "there is no such type of message"
                         : "the message is not JSON");
    } else if (!client->has_hello && strcmp(type, "hello") != 0) {
        bad_message(self, client, json, "say hello first");
    } else if (must_wait(state.phase, client, type, kind)) {
        if (!client->waiting) client->waiting = cJSON_CreateArray();
        if (cJSON_AddItemToArray(client->waiting, json)) return;
    } else if (is_early && !(kind & ACT_LOOKS)) {
        session_refuse(self->session, client->number, json_field(json, "id"),
                       "busy",
                       state.phase == SESSION_OPENING
                           ? "bodies are being solved: wait until the scene "
                             "plays"
                           : "deformable bodies are being computed: wait until "
                             "the scene plays");
    } else {
        run(self, client, json, state.now_s);
    }
    cJSON_Delete(json);
}

static void take_binary(studio *self, studio_client *client,
                        const net_event *event) {
    sb_error err = {0};
    session_phase phase = session_state_of(self->session).phase;
    if (!client->has_hello) {
        bad_message(self, client, NULL, "say hello first");
    } else if (phase == SESSION_OPENING || phase == SESSION_COMPUTING) {
        bad_message(self, client, NULL, "the scene does not play yet");
    } else if (!session_paint(self->session, client->number, event->bytes,
                              event->count, &err)) {
        bad_message(self, client, NULL, err.message);
    }
}

static void drop_client(studio *self, studio_client *client) {
    session_leave(self->session, client->number);
    cJSON_Delete(client->waiting);
    *client = (studio_client){0};
}

static void take_get(studio *self, const net_event *event) {
    letter *sound = strcmp(event->bytes, "sound.wav") == 0
                        ? studio_take_sound(self->takes)
                        : NULL;
    if (!sound) {
        session_ask(self->session, event->number, event->bytes, event->etag);
        return;
    }
    net_reply reply = {.status = 200, .type = "audio/wav", .body = sound};
    net_answer(self->net, event->number, &reply);
}

void studio_receive(studio *self, const net_event *event) {
    studio_client *client = find_client(self, event->number);
    if (event->kind == NET_OPENED) {
        /* As many as the network lets in. */
        for (int i = 0; i < NET_CLIENTS && !client; i++)
            if (!self->clients[i].number) client = &self->clients[i];
        if (client) *client = (studio_client){.number = event->number};
        if (!client) net_dismiss(self->net, event->number, CLOSE_POLICY);
    } else if (event->kind == NET_GET) {
        take_get(self, event);
    } else if (client && event->kind == NET_TEXT) {
        take_text(self, client, event);
    } else if (client && event->kind == NET_BINARY) {
        take_binary(self, client, event);
    } else if (client && event->kind == NET_TOO_LONG) {
        bad_message(self, client, NULL, "the message is longer than 1 MB");
    } else if (client && event->kind == NET_CLOSED) {
        drop_client(self, client);
    }
}

void studio_run_waiting(studio *self, double time_s) {
    for (int i = 0; i < NET_CLIENTS; i++) {
        studio_client *client = &self->clients[i];
        cJSON *json;
        while ((json = cJSON_DetachItemFromArray(client->waiting, 0))) {
            run(self, client, json, time_s);
            cJSON_Delete(json);
        }
    }
}
