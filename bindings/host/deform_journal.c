/* SPDX-License-Identifier: MIT */
/* bindings/host/deform_journal.c -- where what deformable bodies did is kept.
 *
 * The folder is `deform` in the model cache. A journal is named by the SHA-256
 * of the contents of all files that the scene has read, the settings, the seed
 * and the version of the program: another scene has another journal. When the
 * folder exceeds its limit, the oldest journals are removed.
 *
 * Thread: control. */
#include "bindings/host/host_internal.h"
#include "runtime/base/digest.h"
#include "runtime/base/field.h"
#include "runtime/base/memory.h"
#include "runtime/scene/deform/scene_deform.h"
#include "runtime/store/model_cache.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of journals that are kept. */
#define MOST_BYTES ((int64_t)4 << 30)

/* Increase it when the same scene gives another result. */
enum { VERSION = 1 };

/* Larger than any file that a scene can read. */
enum { FILE_MOST = 1 << 29 };

static void add(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s ", more);
}

static void name_of(const sb_script *script, const sb_host_def *host,
                    char digest[SB_DIGEST_TEXT_SIZE]) {
    int files = script_file_count(script);
    size_t size = (size_t)(files + 1) * (SB_DIGEST_TEXT_SIZE + 1) +
                  (size_t)(host->setting_count + 1) * 128 + 128;
    char *text = sb_alloc(size, 1), one[160];
    memset(digest, 0, SB_DIGEST_TEXT_SIZE);
    if (!text) return;
    (void)snprintf(one, sizeof one, "%d %s %llu", (int)VERSION,
                   SANDBELL_VERSION, (unsigned long long)host->seed);
    add(text, size, one);
    for (int i = 0; i < files; i++) {
        char file[SB_DIGEST_TEXT_SIZE] = "missing";
        if (sb_digest_file(script_file(script, i), FILE_MOST, file, NULL))
            (void)snprintf(file, sizeof file, "missing");
        add(text, size, file);
    }
    for (int i = 0; i < host->setting_count; i++) {
        (void)snprintf(one, sizeof one, "%.60s=%a", host->settings[i].name,
                       host->settings[i].value);
        add(text, size, one);
    }
    sb_digest_bytes(text, strlen(text), digest);
    sb_free(text);
}

/* The oldest file of the folder, and the bytes of all. */
static int64_t measure(const char *folder, char oldest[PATH_MAX]) {
    DIR *dir = opendir(folder);
    int64_t bytes = 0;
    time_t least = 0;
    oldest[0] = '\0';
    const struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        char path[PATH_MAX];
        struct stat info;
        (void)snprintf(path, sizeof path, "%.3000s/%.255s", folder,
                       entry->d_name);
        if (stat(path, &info) || !S_ISREG(info.st_mode)) continue;
        bytes += info.st_size;
        if (oldest[0] && info.st_mtime >= least) continue;
        least = info.st_mtime;
        (void)snprintf(oldest, PATH_MAX, "%s", path);
    }
    if (dir) (void)closedir(dir);
    return bytes;
}

static void make_room(const char *folder) {
    char oldest[PATH_MAX];
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES && measure(folder, oldest) > MOST_BYTES; i++)
        if (!oldest[0] || unlink(oldest)) return;
}

/* False: there is no cache, or its folder cannot be made. */
static bool journal_path(const sb_script *script, const sb_host_def *host,
                         char path[PATH_MAX]) {
    sb_model_cache cache = sb_model_cache_default();
    char folder[PATH_MAX], digest[SB_DIGEST_TEXT_SIZE];
    struct stat info;
    if (!cache.folder[0]) return false;
    (void)mkdir(cache.folder, 0777);
    (void)snprintf(folder, sizeof folder, "%s/deform", cache.folder);
    (void)mkdir(folder, 0777);
    if (stat(folder, &info) || !S_ISDIR(info.st_mode)) return false;
    make_room(folder);
    name_of(script, host, digest);
    if (!digest[0]) return false;
    (void)snprintf(path, PATH_MAX, "%.3000s/%s", folder, digest);
    return true;
}

sb_status host_open_deform(const sb_host *host, sb_error *err) {
    sb_scene_deform_def def = host->def.deform;
    char path[PATH_MAX];
    if (def.how == SB_DEFORM_NOT || sb_scene_deformable_count(host->scene) == 0)
        return SB_OK;
    def.journal = journal_path(host->script, &host->def, path) ? path : NULL;
    if (def.memory_bytes == 0) def.memory_bytes = host->def.memory_bytes;
    return sb_scene_open_deform(host->scene, &def, err);
}
