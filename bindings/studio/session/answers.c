/* SPDX-License-Identifier: MIT */
/* Answers questions by their paths below /api/v1/ (protocol.md): the scene, its
 * bodies, the gallery, the API description. Thread: control; surfaces, mode
 * shapes and long texts are made by the worker. */
#include "bindings/studio/session/session_internal.h"

#include "bindings/api/api.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/model/sound/finish.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the gallery ------------------------------------------------------------------ */

static int is_script(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".lua") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The first comment of the file, up to its first full stop or colon, in one
 * line. */
static void read_title(const char *path, char *title, size_t size) {
    FILE *file;
    char line[256];
    size_t used = 0;
    title[0] = '\0';
    if (sb_in_file_open(path, SB_SCRIPT_BYTES, &file, NULL)) return;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "-- ", 3) != 0) break;
        line[strcspn(line, "\n")] = '\0';
        int added = snprintf(title + used, size - used, "%s%s", used ? " " : "",
                             line + 3);
        if (added < 0 || (size_t)added >= size - used) break;
        used += (size_t)added;
        char last = title[used - 1];
        if (last == '.' || last == ':') break;
    }
    (void)fclose(file);
    if (used > 0 && title[used - 1] == ':') title[used - 1] = '.';
}

static cJSON *describe_shipped(session *self, const char *name) {
    char path[PATH_MAX + 300], title[400], text[300];
    cJSON *json = cJSON_CreateObject();
    int length = (int)strlen(name) - 4;
    (void)snprintf(text, sizeof text, "scripts/%s", name);
    json_text(json, "file", text);
    (void)snprintf(text, sizeof text, "%.*s", length, name);
    json_text(json, "name", text);
    (void)snprintf(path, sizeof path, "%s/scripts/%s", self->place.library,
                   name);
    read_title(path, title, sizeof title);
    json_text(json, "title", title);
    (void)snprintf(path, sizeof path, "%s/scripts/pictures/%.*s.png",
                   self->place.library, length, name);
    (void)snprintf(text, sizeof text, "/pictures/%.*s.png", length, name);
    json_text_or_null(json, "picture", access(path, R_OK) == 0 ? text : NULL);
    return json;
}

static cJSON *describe_gallery(session *self) {
    char folder[PATH_MAX];
    struct dirent **files = NULL;
    (void)snprintf(folder, sizeof folder, "%.4000s/scripts",
                   self->place.library);
    int count = scandir(folder, &files, is_script, by_name);
    cJSON *json = cJSON_CreateObject();
    cJSON *scenes = cJSON_AddArrayToObject(json, "scenes");
    for (int i = 0; i < count; i++) {
        json_push(scenes, describe_shipped(self, files[i]->d_name));
        free(files[i]); /* allocated by scandir */
    }
    free(files);
    return json;
}

/* --- the API description, for completion and hover ----------------------------------- */

static void add_fields(cJSON *entry, const bind_field *fields) {
    cJSON *list = cJSON_AddArrayToObject(entry, "fields");
    for (; fields->name; fields++) {
        cJSON *json = cJSON_CreateObject();
        json_text(json, "name", fields->name);
        json_text(json, "type", fields->type ? fields->type : "number");
        json_text(json, "unit", fields->unit ? fields->unit : "");
        json_text(json, "text", fields->help ? fields->help : "");
        if (fields->max > fields->min) {
            const double range[2] = {sb_field_least(fields), fields->max};
            bool is_usual = fields->usual[1] > fields->usual[0];
            json_numbers(json, "range", range, 2);
            json_numbers(json, "usual", is_usual ? fields->usual : range, 2);
        }
        json_push(list, json);
    }
}

/* A function of sb (owner "sb."), or a method (owner ":"). */
static void add_function(cJSON *entries, const char *owner,
                         const bind_function *function) {
    char text[400];
    cJSON *json = cJSON_CreateObject();
    (void)snprintf(text, sizeof text, "%s%s", owner, function->name);
    json_text(json, "name", text);
    const char *arguments = function->arguments ? function->arguments : "";
    (void)snprintf(text, sizeof text, "%s%s(%s)%s%s", owner, function->name,
                   arguments, *function->returns ? ": " : "",
                   function->returns);
    json_text(json, "call", text);
    json_text(json, "text", function->help ? function->help : "");
    const bind_record *record = api_find_record(arguments);
    if (record) add_fields(json, record->fields);
    json_push(entries, json);
}

static void add_row(cJSON *entries, const char *owner,
                    const bind_field *field) {
    char text[200];
    cJSON *json = cJSON_CreateObject();
    (void)snprintf(text, sizeof text, "%s%s", owner, field->name);
    json_text(json, "name", text);
    json_text(json, "call", text);
    json_text(json, "text", field->help ? field->help : "");
    json_push(entries, json);
}

static cJSON *describe_reference(void) {
    cJSON *json = cJSON_CreateObject();
    cJSON *entries = cJSON_AddArrayToObject(json, "entries");
    for (const api_chapter *const *c = api_chapters; *c; c++) {
        const bind_function *f = (*c)->functions;
        for (; f && f->name; f++)
            add_function(entries, "sb.", f);
        f = (*c)->type ? (*c)->type->methods : NULL;
        for (; f && f->name; f++)
            add_function(entries, ":", f);
    }
    for (const bind_field *f = scene_callbacks; f->name; f++)
        add_row(entries, "scene.", f);
    for (const bind_field *f = module_fields; f->name; f++)
        add_row(entries, "sb.", f);
    return json;
}

/* --- answers ------------------------------------------------------------------------ */

static void give(const session *self, uint32_t request, int status,
                 const char *type, const void *bytes, size_t count) {
    session_answer answer = {status, type, "", bytes, count};
    if (self->def.answer) self->def.answer(self->def.user, request, &answer);
}

/* A tree that is printed by the worker: numbers take long. */
typedef struct print_job {
    session *session;
    uint32_t request;
    int status;
    cJSON *json;
    /* Of a mode table: the largest weights are added to its rows. */
    sb_model *model;
} print_job;

/* Column 4 of each row is the largest |phi . n| of the mode. */
static void add_peaks(cJSON *table, const sb_model *model) {
    int count = sb_model_mode_count(model);
    double *peaks = sb_alloc((size_t)count + 1, sizeof *peaks);
    cJSON *row;
    int k = 0;
    if (!peaks || sb_model_peaks(model, count, peaks, NULL)) {
        sb_free(peaks);
        return;
    }
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(table, "rows")) {
        if (k < count)
            cJSON_SetNumberValue(cJSON_GetArrayItem(row, 3), peaks[k]);
        k++;
    }
    sb_free(peaks);
}

static void print_json(void *data, bool is_over) {
    print_job *job = data;
    if (!is_over && job->model) add_peaks(job->json, job->model);
    char *text = is_over ? NULL : cJSON_PrintUnformatted(job->json);
    sb_utf8_mend(text);
    give(job->session, job->request, text ? job->status : 503,
         "application/json", text, text ? strlen(text) : 0);
    cJSON_free(text);
    cJSON_Delete(job->json);
    sb_model_release(job->model);
    sb_free(job);
}

static void answer_with(session *self, uint32_t request, int status,
                        cJSON *json, sb_model *model) {
    print_job *job = sb_alloc(1, sizeof *job);
    if (!job) {
        cJSON_Delete(json);
        give(self, request, 503, "application/json", NULL, 0);
        return;
    }
    *job = (print_job){self, request, status, json,
                       model ? sb_model_retain(model) : NULL};
    if (!worker_post(self->workers.worker, print_json, job))
        print_json(job, true);
}

void session_answer_error(session *self, uint32_t request, int status,
                          const char *code, const char *message) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "code", code);
    json_text(json, "message", message);
    answer_with(self, request, status, json, NULL);
}

/* --- paths ----------------------------------------------------------------------------- */

/* N.bin, or N.M.bin for member M of a merged mode. */
static bool ask_mode(session *self, uint32_t request, const char *etag,
                     const session_body *body, const char *name) {
    char *rest;
    long mode = strtol(name, &rest, 10), member = 1;
    if (rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9')
        member = strtol(rest + 1, &rest, 10);
    if (strcmp(rest, ".bin") != 0) return false;
    if (mode < 1 || mode > sb_model_mode_count(body->model) || member < 1 ||
        member > sb_model_member_count(body->model, (int)mode - 1)) {
        session_answer_error(self, request, 404, "no_such_mode",
                             "there is no such mode");
    } else {
        session_ask_surface(self, request, etag, body, (int)mode - 1,
                            (int)member - 1);
    }
    return true;
}

static bool ask_body(session *self, uint32_t request, const char *path,
                     const char *etag) {
    char *rest;
    unsigned long number = strtoul(path, &rest, 10);
    session_body *body = session_body_of(self, (uint32_t)number);
    if (*rest++ != '/' || !self->host) return false;
    /* The roster is a little older than the scene. */
    if (body && !sb_scene_has(sb_host_scene(self->host), body->id)) body = NULL;
    if (!body && number > 0 && number <= self->roster.last_number) {
        /* It was there when the hand asked: dice of a scene come and go. */
        give(self, request, 204, BINARY, NULL, 0);
    } else if (!body) {
        session_answer_error(self, request, 404, "no_such_body",
                             "there is no such body");
    } else if (strcmp(rest, "mesh.bin") == 0) {
        session_ask_surface(self, request, etag, body, -1, 0);
    } else if (strcmp(rest, "deformed.bin") == 0) {
        size_t count = 0;
        void *faces = session_deformed_faces(self, body, &count);
        give(self, request, faces ? 200 : 404, BINARY, faces, count);
        sb_free(faces);
    } else if (strcmp(rest, "modes") == 0) {
        answer_with(self, request, 200, session_describe_modes(self, body),
                    body->model);
    } else if (strncmp(rest, "textures/", 9) == 0) {
        size_t count = 0;
        int status;
        char *picture = session_texture(self, body, rest + 9, &count, &status);
        if (status == 404) return false;
        give(self, request, status, "image/png", picture, count);
        sb_free(picture);
    } else {
        return strncmp(rest, "modes/", 6) == 0 &&
               ask_mode(self, request, etag, body, rest + 6);
    }
    return true;
}

void session_ask(session *self, uint32_t request, const char *path,
                 const char *etag) {
    cJSON *json = NULL;
    if (strcmp(path, "scene") == 0) {
        session_look(self);
        json = session_describe_scene(self);
    } else if (strcmp(path, "gallery") == 0) {
        json = describe_gallery(self);
    } else if (strcmp(path, "lesson") == 0) {
        json = session_describe_lesson(self);
    } else if (strcmp(path, "reference") == 0) {
        json = describe_reference();
    }
    if (json) {
        answer_with(self, request, 200, json, NULL);
    } else if (strncmp(path, "bodies/", 7) != 0 ||
               !ask_body(self, request, path + 7, etag)) {
        session_answer_error(self, request, 404, "not_found",
                             "no such address");
    }
}
