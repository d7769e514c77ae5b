/* SPDX-License-Identifier: MIT */
/* Stores and finds solved models in a cache folder, and trims it to its limit.
 * Control thread and workers, in several processes at once. */
#include "runtime/store/model_cache.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/solution.h"
#include "runtime/store/model_file.h"
#include "runtime/store/model_sections.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    KEY_LENGTH = SB_DIGEST_TEXT_SIZE - 1,
    PATH_SIZE = 1024 + 80,
    FORMAT = 1, /* of .modal files; part of the key */
    HEARD_MOST = 64 << 20,
    STALE_S = 60 * 60, /* a temporary file this old has no writer any more */
};

static const char ending[] = ".modal";
static const char heard_ending[] = ".heard"; /* of the same length */

/* --- names ---------------------------------------------------------------- */

static void use_folder(sb_model_cache *cache, const char *parent,
                       const char *below) {
    int length =
        snprintf(cache->folder, sizeof cache->folder, "%s%s", parent, below);
    if (length < 0 || length >= (int)sizeof cache->folder) {
        cache->folder[0] = '\0';
    }
}

static pthread_mutex_t chosen_lock = PTHREAD_MUTEX_INITIALIZER;
static char chosen[sizeof((sb_model_cache *)0)->folder];

sb_status sb_model_cache_set_folder(const char *folder, sb_error *err) {
    if (folder && strlen(folder) >= sizeof chosen)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the path of the folder of the cache is too long");
    (void)pthread_mutex_lock(&chosen_lock);
    (void)snprintf(chosen, sizeof chosen, "%s", folder ? folder : "");
    (void)pthread_mutex_unlock(&chosen_lock);
    return SB_OK;
}

sb_model_cache sb_model_cache_default(void) {
    sb_model_cache cache = {.max_bytes = (uint64_t)1 << 30};
    char folder[sizeof chosen];
    (void)pthread_mutex_lock(&chosen_lock);
    memcpy(folder, chosen, sizeof folder);
    (void)pthread_mutex_unlock(&chosen_lock);
    const char *own = *folder ? folder : getenv("SANDBELL_CACHE");
    const char *shared = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own && *own) {
        if (strcmp(own, "off") != 0) use_folder(&cache, own, "");
    } else if (shared && *shared == '/') { /* the XDG specification ignores
                                            * relative paths */
        use_folder(&cache, shared, "/sandbell");
    } else if (home && *home == '/') {
        use_folder(&cache, home, "/.cache/sandbell");
    }
    return cache;
}

static void digest_array(const void *bytes, size_t count, size_t size,
                         char text[SB_DIGEST_TEXT_SIZE]) {
    sb_digest_bytes(bytes && count ? bytes : "", bytes ? count * size : 0,
                    text);
}

void sb_problem_key(const sb_problem *problem, char key[SB_DIGEST_TEXT_SIZE]) {
    const sb_mesh *mesh = problem->mesh;
    char parts[5][SB_DIGEST_TEXT_SIZE], text[1024];
    digest_array(mesh->vertices, (size_t)mesh->vertex_count,
                 sizeof *mesh->vertices, parts[0]);
    digest_array(mesh->faces, (size_t)mesh->face_count, sizeof *mesh->faces,
                 parts[1]);
    digest_array(mesh->tets, (size_t)mesh->tet_count, sizeof *mesh->tets,
                 parts[2]);
    digest_array(mesh->uvs, (size_t)mesh->face_count, sizeof *mesh->uvs,
                 parts[3]);
    digest_array(problem->held, problem->held_bytes, 1, parts[4]);
    int length =
        snprintf(text, sizeof text,
                 "format %d solver %d method %d nu %a t %a "
                 /* of a method that had some; keys of old files stay */
                 "options 0x0p+0 0x0p+0 0x0p+0 0x0p+0 "
                 "vertices %d %s faces %d %s tets %d %s uvs %s held %s",
                 (int)FORMAT, problem->solver_version, (int)problem->method,
                 problem->poisson_ratio, problem->thickness_m,
                 mesh->vertex_count, parts[0], mesh->face_count, parts[1],
                 mesh->tet_count, parts[2], parts[3], parts[4]);
    sb_digest_bytes(text, (unsigned long)length, key);
}

/* 64 hex digits; nothing else may become part of a path. */
static bool is_key(const char *key) {
    return strspn(key, "0123456789abcdef") == KEY_LENGTH &&
           key[KEY_LENGTH] == '\0';
}

static bool path_of(const sb_model_cache *cache, const char *key,
                    const char *end, char path[PATH_SIZE]) {
    if (cache->folder[0] == '\0' || !is_key(key)) return false;
    int length = snprintf(path, PATH_SIZE, "%s/%s%s", cache->folder, key, end);
    return length > 0 && length < PATH_SIZE;
}

/* --- what is heard --------------------------------------------------------
 * A checksum, then the bytes. */

bool sb_model_cache_find_heard(const sb_model_cache *cache, const char *key,
                               char **bytes, size_t *count) {
    char path[PATH_SIZE];
    uint64_t sum;
    if (!path_of(cache, key, heard_ending, path) ||
        sb_in_file_read_unlinked(path, HEARD_MOST, bytes, count, NULL))
        return false;
    bool is_whole = *count >= sizeof sum;
    if (is_whole) {
        memcpy(&sum, *bytes, sizeof sum);
        *count -= sizeof sum;
        is_whole = sb_checksum(*bytes + sizeof sum, *count) == sum;
        memmove(*bytes, *bytes + sizeof sum, *count);
    }
    if (is_whole) {
        (void)utimensat(AT_FDCWD, path, NULL, 0);
    } else {
        (void)unlink(path);
        sb_free(*bytes);
    }
    return is_whole;
}

/* --- finding -------------------------------------------------------------- */

static bool find(const char *path, const char *key, double lambda_needed,
                 sb_model_file *out) {
    sb_model_file file;
    sb_status status = sb_model_file_read(path, &file, NULL);
    if (status == SB_BAD_FORMAT) (void)unlink(path);
    if (status) return false;
    if (strcmp(file.key, key) != 0 ||
        file.solution->facts.lambda_bound < lambda_needed) {
        sb_model_file_free(&file);
        return false;
    }
    *out = file;
    return true;
}

bool sb_model_cache_find(const sb_model_cache *cache, const char *key,
                         double lambda_needed, sb_model_file *out) {
    char path[PATH_SIZE];
    if (!path_of(cache, key, ending, path)) return false;
    if (!find(path, key, lambda_needed, out)) return false;
    /* The modification time records the last use. */
    (void)utimensat(AT_FDCWD, path, NULL, 0);
    return true;
}

/* --- the limit ------------------------------------------------------------ */

typedef struct entry {
    char name[KEY_LENGTH + sizeof ending];
    uint64_t bytes;
    struct timespec used;
} entry;

static int by_age(const void *left, const void *right) {
    const entry *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec) {
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    }
    if (a->used.tv_nsec != b->used.tv_nsec) {
        return a->used.tv_nsec < b->used.tv_nsec ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

static bool is_ours(const char *name) {
    return strspn(name, "0123456789abcdef") == KEY_LENGTH &&
           (strcmp(name + KEY_LENGTH, ending) == 0 ||
            strcmp(name + KEY_LENGTH, heard_ending) == 0);
}

/* A temporary file left by a killed writer. */
static bool is_remnant(const char *name, const struct stat *info) {
    size_t length = strlen(name);
    return strncmp(name, ".sandbell-", 10) == 0 && length > 4 &&
           strcmp(name + length - 4, ".tmp") == 0 &&
           info->st_mtime < time(NULL) - STALE_S;
}

static entry *list_entries(DIR *folder, int *count) {
    entry *entries = NULL;
    int capacity = 0;
    struct dirent *item = NULL;
    while ((item = readdir(folder))) {
        struct stat info;
        if (fstatat(dirfd(folder), item->d_name, &info, AT_SYMLINK_NOFOLLOW) !=
                0 ||
            !S_ISREG(info.st_mode)) {
            continue;
        }
        if (is_remnant(item->d_name, &info)) {
            (void)unlinkat(dirfd(folder), item->d_name, 0);
        }
        if (!is_ours(item->d_name)) continue;
        if (!sb_grow_list(entries, capacity, *count + 1)) {
            break; /* out of memory: trim what is listed so far */
        }
        entry *next = &entries[(*count)++];
        memcpy(next->name, item->d_name, sizeof next->name);
        next->bytes = (uint64_t)info.st_size;
        next->used = info.st_mtim;
    }
    return entries;
}

static void trim(const sb_model_cache *cache, const char *newest_key) {
    DIR *folder = opendir(cache->folder);
    if (!folder) return;
    int count = 0;
    entry *entries = list_entries(folder, &count);
    uint64_t total = 0;
    for (int i = 0; i < count; i++)
        total += entries[i].bytes;
    if (count > 1) qsort(entries, (size_t)count, sizeof *entries, by_age);
    for (int i = 0; i < count && total > cache->max_bytes; i++) {
        if (strncmp(entries[i].name, newest_key, KEY_LENGTH) == 0) continue;
        /* Another process may have removed it already. */
        (void)unlinkat(dirfd(folder), entries[i].name, 0);
        total -= entries[i].bytes;
    }
    sb_free(entries);
    (void)closedir(folder);
}

void sb_model_cache_measure(const sb_model_cache *cache, int *count,
                            uint64_t *bytes) {
    *count = 0;
    *bytes = 0;
    DIR *folder = cache->folder[0] ? opendir(cache->folder) : NULL;
    if (!folder) return;
    int listed = 0;
    entry *entries = list_entries(folder, &listed);
    for (int i = 0; i < listed; i++) {
        *count += strcmp(entries[i].name + KEY_LENGTH, ending) == 0;
        *bytes += entries[i].bytes;
    }
    sb_free(entries);
    (void)closedir(folder);
}

/* --- storing -------------------------------------------------------------- */

static bool make_folders(const char *folder) {
    char path[sizeof((sb_model_cache *)NULL)->folder];
    memcpy(path, folder, strlen(folder) + 1);
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
        *at = '/';
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* Remove anything of that name that is not a regular file: a pipe or a link
 * would be written through, and opening a pipe waits for a reader. */
static bool make_way(const char *path) {
    struct stat info;
    return lstat(path, &info) != 0 || S_ISREG(info.st_mode) ||
           unlink(path) == 0;
}

bool sb_model_cache_store(const sb_model_cache *cache,
                          const sb_model_file *file) {
    char path[PATH_SIZE];
    if (!path_of(cache, file->key, ending, path)) return false;
    sb_model_file old;
    double bound = file->solution->facts.lambda_bound;
    if (find(path, file->key, bound, &old)) {
        bool is_whole = old.has_finished || !file->has_finished;
        sb_model_file_free(&old);
        if (is_whole) return true;
    }
    if (!make_folders(cache->folder) || !make_way(path)) return false;
    if (sb_model_file_write(path, file, NULL) != SB_OK) return false;
    trim(cache, file->key);
    return true;
}

bool sb_model_cache_store_heard(const sb_model_cache *cache, const char *key,
                                const char *bytes, size_t count) {
    char path[PATH_SIZE];
    uint64_t sum = sb_checksum(bytes, count);
    if (!path_of(cache, key, heard_ending, path) ||
        !make_folders(cache->folder) || !make_way(path))
        return false;
    sb_out_file *file;
    if (sb_out_file_create(&file, path, NULL)) return false;
    if (sb_out_file_write(file, &sum, sizeof sum, NULL) ||
        sb_out_file_write(file, bytes, count, NULL)) {
        sb_out_file_abort(file);
        return false;
    }
    if (sb_out_file_commit(file, NULL)) return false;
    trim(cache, key);
    return true;
}
