/* The API description as JSON, for completion and hover. Thread: any. */
#include "bindings/studio/studio_internal.h"

#include "bindings/api/api.h"

#include <string.h>

static void add_fields(cJSON *entry, const bind_field *fields) {
    cJSON *list = cJSON_AddArrayToObject(entry, "fields");
    for (; fields->name; fields++) {
        cJSON *json = cJSON_CreateObject();
        json_text(json, "name", fields->name);
        json_text(json, "type", fields->type ? fields->type : "number");
        json_text(json, "unit", fields->unit ? fields->unit : "");
        json_text(json, "text", fields->help ? fields->help : "");
        if (fields->kind == SB_FIELD_NUMBER) {
            const double range[2] = {sb_field_least(fields), fields->max};
            bool is_usual = fields->usual[1] > fields->usual[0];
            (void)cJSON_AddItemToObject(json, "range",
                                        cJSON_CreateDoubleArray(range, 2));
            (void)cJSON_AddItemToObject(
                json, "usual",
                cJSON_CreateDoubleArray(is_usual ? fields->usual : range, 2));
        }
        (void)cJSON_AddItemToArray(list, json);
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
    (void)cJSON_AddItemToArray(entries, json);
}

static void add_row(cJSON *entries, const char *owner,
                    const bind_field *field) {
    char text[200];
    cJSON *json = cJSON_CreateObject();
    (void)snprintf(text, sizeof text, "%s%s", owner, field->name);
    json_text(json, "name", text);
    json_text(json, "call", text);
    json_text(json, "text", field->help ? field->help : "");
    (void)cJSON_AddItemToArray(entries, json);
}

cJSON *studio_describe_reference(void) {
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
