/* The shipped scenes, and the API description, as JSON. Thread: control. */
#include "bindings/studio/studio_internal.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
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

static cJSON *describe(studio *self, const char *name) {
    char path[PATH_MAX + 300], title[400], text[300];
    cJSON *json = cJSON_CreateObject();
    int length = (int)strlen(name) - 4;
    (void)snprintf(text, sizeof text, "scripts/%s", name);
    json_text(json, "file", text);
    (void)snprintf(text, sizeof text, "%.*s", length, name);
    json_text(json, "name", text);
    (void)snprintf(path, sizeof path, "%s/scripts/%s", self->library, name);
    read_title(path, title, sizeof title);
    json_text(json, "title", title);
    (void)snprintf(path, sizeof path, "%s/scripts/pictures/%.*s.png",
                   self->library, length, name);
    (void)snprintf(text, sizeof text, "/pictures/%.*s.png", length, name);
    if (access(path, R_OK) == 0) {
        json_text(json, "picture", text);
    } else {
        (void)cJSON_AddNullToObject(json, "picture");
    }
    return json;
}

cJSON *studio_describe_gallery(studio *self) {
    char folder[PATH_MAX];
    char **names = NULL;
    int count = 0, capacity = 0;
    (void)snprintf(folder, sizeof folder, "%.4000s/scripts", self->library);
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".lua") != 0) continue;
        void *items = names;
        if (!sb_grow(&items, &capacity, count + 1, sizeof *names)) break;
        names = items;
        names[count] = sb_copy_text(entry->d_name);
        if (!names[count]) break;
        count++;
    }
    if (dir) (void)closedir(dir);
    if (count > 1) qsort(names, (size_t)count, sizeof *names, compare);
    cJSON *json = cJSON_CreateObject();
    cJSON *scenes = cJSON_AddArrayToObject(json, "scenes");
    for (int i = 0; i < count; i++) {
        (void)cJSON_AddItemToArray(scenes, describe(self, names[i]));
        sb_free(names[i]);
    }
    sb_free(names);
    return json;
}
