/* Which scene runs, how its time goes, and the console. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "bindings/script/script.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"

#include <string.h>

bool studio_do_open(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *file;
    char folder[PATH_MAX], path[PATH_MAX];
    if (!read_text(call->json, "file", &file, err)) return false;
    if (!file) {
        self->wants_gallery = true;
        self->wanted[0] = '\0';
        return true;
    }
    (void)snprintf(folder, sizeof folder, "%.4000s/scripts", self->library);
    /* One of the gallery, and nothing else: the page names no other files. */
    const char *name = strncmp(file, "scripts/", 8) == 0 ? file + 8 : "";
    bool is_lesson = strncmp(name, "lessons/", 8) == 0;
    if (!*name || strchr(is_lesson ? name + 8 : name, '/') ||
        !studio_resolve(folder, name, path) ||
        strcmp(path + strlen(path) - 4, ".lua") != 0) {
        return studio_fail(call, "refused", err,
                           "file must be one of the gallery");
    }
    (void)snprintf(self->wanted, sizeof self->wanted, "%s", path);
    return true;
}

bool studio_do_watch(studio_call *call, sb_error *err) {
    long long number = 0;
    if (!read_whole(call->json, "body", 0, UINT32_MAX, &number, err))
        return false;
    if (call->client) call->client->watch = (uint32_t)number;
    return true;
}

bool studio_do_trace(studio_call *call, sb_error *err) {
    bool is_on = true;
    if (!read_bool(call->json, "on", &is_on, NULL, err)) return false;
    call->studio->traces = is_on;
    return true;
}

bool studio_do_eval(studio_call *call, sb_error *err) {
    const char *text;
    char *result = NULL;
    bool is_incomplete = false;
    sb_error reason = {0};
    if (!read_text(call->json, "text", &text, err)) return false;
    if (!call->studio->host || !text)
        return studio_fail(call, call->studio->host ? "bad_field" : "no_scene",
                           err, "text is missing, or no scene is open");
    char *line = NULL;
    if (*text == '=') { /* like the prompt */
        size_t size = strlen(text) + 16;
        line = sb_alloc(size, 1);
        if (line) (void)snprintf(line, size, "return %s", text + 1);
    }
    script_set_now(sb_host_script(call->studio->host), call->time_s);
    sb_status status = sb_host_evaluate(call->studio->host, line ? line : text,
                                        &result, &is_incomplete, &reason);
    cJSON_SetValuestring(cJSON_GetObjectItem(call->reply, "type"),
                         "eval.result");
    json_bool(call->reply, "ok", !status);
    json_text(call->reply, "text",
              status ? reason.message : (result ? result : ""));
    json_bool(call->reply, "incomplete", status && is_incomplete);
    sb_free(result);
    sb_free(line);
    return true;
}

static void tell_transport(studio *self) {
    cJSON *json = studio_message("transport");
    json_bool(json, "paused", self->is_paused);
    json_number(json, "time", self->now_s);
    studio_send_all(self, MAIL_MUST, 0, json);
}

bool studio_do_transport(studio_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *action;
    if (!self->host)
        return studio_fail(call, "no_scene", err, "no scene is open");
    if (!read_text(call->json, "action", &action, err)) return false;
    sb_engine *engine = sb_host_engine(self->host);
    if (!action) action = "";
    if (strcmp(action, "reload") == 0 || strcmp(action, "reset") == 0) {
        self->is_resetting = strcmp(action, "reset") == 0;
        sb_host_request_reload(self->host, self->is_resetting);
        if (self->is_resetting) self->is_touched = false;
    } else if (strcmp(action, "pause") == 0) {
        sb_engine_hold(engine, sb_engine_clock(engine));
        self->is_paused = true;
        tell_transport(self);
    } else if (strcmp(action, "play") == 0) {
        sb_engine_hold(engine, INT64_MAX);
        self->is_paused = false;
        tell_transport(self);
    } else if (strcmp(action, "step") == 0) {
        sb_engine_hold(engine,
                       sb_engine_clock(engine) +
                           (int64_t)(0.01 * sb_engine_sample_rate(engine)));
        self->is_paused = true;
        tell_transport(self);
    } else {
        return studio_fail(call, "bad_field", err,
                           "action must be play, pause, step, reload or "
                           "reset");
    }
    return true;
}
