/* Reads messages of pages and has them carried out. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/lesson.h"
#include "bindings/studio/publisher.h"
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"

#include <stdarg.h>
#include <string.h>

enum {
    MOST_BAD = 20,
    CLOSE_POLICY = 1008,
    MOST_WINDOW = 1000,
    MOST_WAITING = 64
};

/* --- replies ------------------------------------------------------------------ */

bool(studio_fail)(studio_call *call, const char *code, sb_error *err,
                  const char *format, ...) {
    va_list values;
    va_start(values, format);
    err->status = SB_BAD_ARGUMENT;
    (void)vsnprintf(err->message, sizeof err->message, format, values);
    va_end(values);
    call->code = code;
    return false;
}

void studio_error(studio *self, uint32_t client, const cJSON *id,
                  const char *code, const char *message) {
    cJSON *json = studio_message("error");
    (void)cJSON_AddItemToObject(
        json, "id", id ? cJSON_Duplicate(id, false) : cJSON_CreateNull());
    json_text(json, "code", code);
    json_text(json, "message", message);
    studio_send(self, client, json);
}

studio_body *studio_call_body(studio_call *call, sb_error *err) {
    long long number = 0;
    const cJSON *named = cJSON_GetObjectItemCaseSensitive(call->json, "body");
    studio_body *body = NULL;
    if (!call->studio->host) {
        (void)studio_fail(call, "no_scene", err, "no scene is open");
        return NULL;
    }
    if (!call->client && cJSON_IsString(named)) {
        /* A replayed message names the body as the script does. */
        body = studio_body_named(call->studio, named->valuestring);
    } else if (read_whole(call->json, "body", 0, UINT32_MAX, &number, err)) {
        body = studio_body_of(call->studio, (uint32_t)number);
    } else {
        return NULL;
    }
    if (!body || !sb_scene_has(sb_host_scene(call->studio->host), body->id)) {
        (void)studio_fail(call, "no_such_body", err, "there is no such body");
        return NULL;
    }
    return body;
}

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

static bool read_topics(studio_call *call, const char *field, unsigned *out,
                        sb_error *err) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(call->json, field);
    const cJSON *item;
    unsigned found = 0;
    if (list && !cJSON_IsArray(list))
        return studio_fail(call, "bad_field", err, "%s must be a list", field);
    cJSON_ArrayForEach(item, list) {
        unsigned topic = 0;
        for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
            if (cJSON_IsString(item) &&
                strcmp(item->valuestring, topics[i].name) == 0) {
                topic = topics[i].topic;
            }
        if (!topic)
            return studio_fail(call, "bad_field", err,
                               "%s: there is no such topic", field);
        found |= topic;
    }
    *out = found;
    return true;
}

static void set_topics(studio_call *call, unsigned wanted) {
    studio_client *client = call->client;
    client->topics = wanted;
    unsigned what = (wanted & TOPIC_SPECTRUM ? PUBLISHES_SPECTRUM : 0u) |
                    (wanted & TOPIC_SCOPE ? PUBLISHES_SCOPE : 0u) |
                    (wanted & TOPIC_PCM ? PUBLISHES_PCM : 0u);
    publisher_subscribe(call->studio->publisher, client->number, what);
}

static bool do_hello(studio_call *call, sb_error *err) {
    long long protocol = 0, window = 20;
    unsigned wanted = 0;
    studio *self = call->studio;
    if (!call->client) return true;
    if (!read_whole(call->json, "protocol", 0, 1000, &protocol, err) ||
        !read_whole(call->json, "window", 1, MOST_WINDOW, &window, err) ||
        !read_topics(call, "subscribe", &wanted, err)) {
        return false;
    }
    if (protocol != STUDIO_PROTOCOL)
        return studio_fail(call, "bad_field", err,
                           "protocol must be %d: load the page again",
                           STUDIO_PROTOCOL);
    call->client->has_hello = true;
    net_set_window(self->net, call->client->number, (int)window);
    set_topics(call, wanted);
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), "welcome");
    json_number(call->reply, "protocol", STUDIO_PROTOCOL);
    json_number(call->reply, "client", call->client->number);
    json_number(call->reply, "rev", self->rev);
    json_number(call->reply, "rate",
                self->host ? sb_engine_sample_rate(sb_host_engine(self->host))
                           : 0.0);
    json_text(call->reply, "version", SANDBELL_VERSION);
    json_text(call->reply, "build", SANDBELL_VERSION);
    json_number(call->reply, "time", self->now_s);
    return true;
}

static bool do_subscribe(studio_call *call, sb_error *err) {
    unsigned more = 0, less = 0;
    if (!call->client) return true;
    if (!read_topics(call, "add", &more, err) ||
        !read_topics(call, "remove", &less, err)) {
        return false;
    }
    set_topics(call, (call->client->topics | more) & ~less);
    return true;
}

static bool do_ack(studio_call *call, sb_error *err) {
    long long count = 0;
    if (!read_whole(call->json, "n", 0, UINT32_MAX, &count, err)) return false;
    if (call->client)
        net_ack(call->studio->net, call->client->number, (uint32_t)count);
    cJSON_Delete(call->reply);
    call->reply = NULL;
    return true;
}

static bool do_ping(studio_call *call, sb_error *err) {
    (void)err;
    const cJSON *t = cJSON_GetObjectItemCaseSensitive(call->json, "t");
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"), "pong");
    json_number(call->reply, "t", cJSON_IsNumber(t) ? t->valuedouble : 0.0);
    json_number(call->reply, "now", 1e3 * sb_clock_s());
    return true;
}

/* --- the table ------------------------------------------------------------------- */

typedef enum studio_moment {
    AT_ONCE, /* between steps */
    IN_STEP  /* at the start of the next one, as lines of the prompt */
} studio_moment;

static const struct action_row {
    const char *type;
    studio_action *run;
    studio_moment when;
    bool is_recorded; /* it changes what is heard or seen */
} rows[] = {
    {"hello", do_hello, AT_ONCE, false},
    {"subscribe", do_subscribe, AT_ONCE, false},
    {"ack", do_ack, AT_ONCE, false},
    {"ping", do_ping, AT_ONCE, false},
    {"strike", studio_do_strike, AT_ONCE, true},
    {"probe", studio_do_probe, AT_ONCE, false},
    {"watch", studio_do_watch, AT_ONCE, false},
    {"open", studio_do_open, AT_ONCE, false},
    {"trace", studio_do_trace, IN_STEP, false},
    {"scrape", studio_do_scrape, IN_STEP, true},
    {"throw", studio_do_throw, IN_STEP, true},
    {"param.set", studio_do_param, IN_STEP, true},
    {"material.set", studio_do_material, IN_STEP, true},
    {"merge.set", studio_do_merge, IN_STEP, true},
    {"mode.set", studio_do_mode, IN_STEP, true},
    {"mode.limit", studio_do_limit, IN_STEP, true},
    {"quality.set", studio_do_quality, IN_STEP, true},
    {"transport", studio_do_transport, IN_STEP, true},
    {"script.get", studio_do_get, IN_STEP, false},
    {"script.put", studio_do_put, IN_STEP, false},
    {"eval", studio_do_eval, IN_STEP, true},
    /* Before the rects of its stroke, which are taken at once, too. */
    {"texture.begin", studio_do_texture_begin, AT_ONCE, true},
    {"texture.commit", studio_do_texture_commit, IN_STEP, true},
    {"texture.undo", studio_do_texture_undo, IN_STEP, true},
    {"texture.redo", studio_do_texture_redo, IN_STEP, true},
    {"texture.save", studio_do_texture_save, IN_STEP, false},
    {"texture.unsave", studio_do_texture_unsave, IN_STEP, false},
    {"texture.make", studio_do_texture_make, IN_STEP, true},
    {"texture.remove", studio_do_texture_remove, IN_STEP, true},
    {"lesson.press", studio_do_press, IN_STEP, true},
    {"lesson.predict", studio_do_predict, IN_STEP, false},
    {"lesson.check", studio_do_check, IN_STEP, true},
    {"record", studio_do_record, IN_STEP, false},
    {"recent", studio_do_recent, IN_STEP, false},
};

static const struct action_row *find_row(const cJSON *json) {
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(json, "type");
    for (size_t i = 0; cJSON_IsString(type) && i < sizeof rows / sizeof *rows;
         i++) {
        if (strcmp(rows[i].type, type->valuestring) == 0) return &rows[i];
    }
    return NULL;
}

/* --- running ----------------------------------------------------------------------- */

static void run(studio *self, studio_client *client,
                const struct action_row *row, const cJSON *json,
                double time_s) {
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(json, "id");
    studio_call call = {.studio = self,
                        .client = client,
                        .json = json,
                        .time_s = time_s,
                        .reply = studio_message("ok")};
    sb_error err = {0};
    uint32_t number = client ? client->number : 0;
    if (cJSON_IsNumber(id)) json_number(call.reply, "id", id->valuedouble);
    bool is_done = row->run(&call, &err);
    if (is_done && row->is_recorded && row->run != studio_do_check &&
        row->run != studio_do_transport) {
        self->is_touched = true;
    }
    if (is_done && row->is_recorded && client)
        studio_note(self, json, call.time_s);
    if (!is_done && !client && self->def.report) {
        char line[SB_MESSAGE_SIZE + 100];
        (void)snprintf(line, sizeof line, "replay, at %.3f s: %s: %s", time_s,
                       row->type, err.message);
        self->def.report(self->def.user, line);
    }
    if (!is_done) {
        cJSON_Delete(call.reply);
        studio_error(self, number, cJSON_IsNumber(id) ? id : NULL,
                     call.code ? call.code : "bad_field", err.message);
    } else if (call.reply && client) {
        studio_send(self, number, call.reply);
    } else {
        cJSON_Delete(call.reply);
    }
}

static studio_client *find_client(studio *self, uint32_t number) {
    for (int i = 0; i < NET_CLIENTS && number; i++)
        if (self->clients[i].number == number) return &self->clients[i];
    return NULL;
}

static void bad_message(studio *self, studio_client *client, const cJSON *json,
                        const char *message) {
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(json, "id");
    studio_error(self, client->number, cJSON_IsNumber(id) ? id : NULL,
                 "bad_message", message);
    if (++client->bad_count >= MOST_BAD)
        net_dismiss(self->net, client->number, CLOSE_POLICY);
}

static void put_off(studio_client *client, net_event *event) {
    event->next = NULL;
    if (!client->waiting) client->waiting_last = &client->waiting;
    *client->waiting_last = event;
    client->waiting_last = &event->next;
}

/* Before a scene plays, pages can look but not act. */
static bool may_look(const struct action_row *row) {
    return (row->when == AT_ONCE && !row->is_recorded) ||
           row->run == studio_do_get;
}

/* Acts wait for the next step; while a scene is opened, for its first one, but
 * not too many of them. */
static bool must_wait(const studio *self, const studio_client *client,
                      const struct action_row *row) {
    int count = 0;
    if (!self->is_opening)
        return self->host && !self->is_computing &&
               (row->when == IN_STEP ||
                (client->waiting && row->run != do_ack));
    for (const net_event *e = client->waiting; e; e = e->next)
        count++;
    return !may_look(row) && count < MOST_WAITING;
}

/* A message is read again when its step begins: that is rare enough. */
static void take_text(studio *self, studio_client *client, net_event *event) {
    cJSON *json = cJSON_ParseWithLength(event->bytes, event->count);
    const struct action_row *row = cJSON_IsObject(json) ? find_row(json) : NULL;
    bool is_kept = false;
    if (!json || !row) {
        bad_message(self, client, json,
                    json ? "there is no such type of message"
                         : "the message is not JSON");
    } else if (!client->has_hello && row->run != do_hello) {
        bad_message(self, client, json, "say hello first");
    } else if (must_wait(self, client, row)) {
        put_off(client, event);
        is_kept = true;
    } else if ((self->is_computing || self->is_opening) && !may_look(row)) {
        const cJSON *id = cJSON_GetObjectItemCaseSensitive(json, "id");
        studio_error(self, client->number, cJSON_IsNumber(id) ? id : NULL,
                     "busy",
                     self->is_opening
                         ? "bodies are being solved: wait until the scene plays"
                         : "deformable bodies are being computed: wait until "
                           "the scene plays");
    } else {
        run(self, client, row, json, self->now_s);
    }
    cJSON_Delete(json);
    if (!is_kept) net_event_free(event);
}

static void take_binary(studio *self, studio_client *client, net_event *event) {
    sb_error err = {0};
    if (!client->has_hello) {
        bad_message(self, client, NULL, "say hello first");
    } else if (self->is_computing || self->is_opening) {
        bad_message(self, client, NULL, "the scene does not play yet");
    } else if (!studio_paint_bytes(self, client,
                                   (const unsigned char *)event->bytes,
                                   event->count, &err)) {
        bad_message(self, client, NULL, err.message);
    }
    net_event_free(event);
}

static void add_client(studio *self, uint32_t number) {
    for (int i = 0; i < NET_CLIENTS; i++) {
        if (self->clients[i].number) continue;
        self->clients[i] = (studio_client){.number = number};
        return;
    }
    net_dismiss(self->net, number, CLOSE_POLICY);
}

void studio_drop_client(studio *self, studio_client *client) {
    studio_end_touches(self, client);
    publisher_subscribe(self->publisher, client->number, 0);
    while (client->waiting) {
        net_event *event = client->waiting;
        client->waiting = event->next;
        net_event_free(event);
    }
    *client = (studio_client){0};
}

void studio_receive(studio *self, net_event *event) {
    studio_client *client = find_client(self, event->number);
    switch (event->kind) {
    case NET_OPENED:
        add_client(self, event->number);
        break;
    case NET_CLOSED:
        if (client) studio_drop_client(self, client);
        break;
    case NET_TEXT:
        if (!client) break;
        take_text(self, client, event);
        return;
    case NET_BINARY:
        if (!client) break;
        take_binary(self, client, event);
        return;
    case NET_TOO_LONG:
        if (client)
            bad_message(self, client, NULL, "the message is longer than 1 MB");
        break;
    case NET_GET:
        studio_get(self, event);
        break;
    }
    net_event_free(event);
}

void studio_run_waiting(studio *self, double time_s) {
    for (int i = 0; i < NET_CLIENTS; i++) {
        studio_client *client = &self->clients[i];
        while (client->waiting) {
            net_event *event = client->waiting;
            client->waiting = event->next;
            cJSON *json = cJSON_ParseWithLength(event->bytes, event->count);
            const struct action_row *row = find_row(json);
            if (row) run(self, client, row, json, time_s);
            cJSON_Delete(json);
            net_event_free(event);
        }
    }
}

void studio_replay_message(studio *self, const cJSON *json, double time_s) {
    const struct action_row *row = find_row(json);
    if (row && row->is_recorded) run(self, NULL, row, json, time_s);
}
