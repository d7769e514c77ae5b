/* SPDX-License-Identifier: MIT */
/* Watches folders with inotify and compares contents by digest. Control
 * thread. */
#include "runtime/scene/watch.h"

#include "runtime/base/clock.h"
#include "runtime/base/digest.h"
#include "runtime/base/memory.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/inotify.h>
#define HAS_INOTIFY 1
#else
#define HAS_INOTIFY 0
#endif

/* Long enough for an editor that writes, closes and renames; too short for a
 * person to notice. */
#define QUIET_NS 8000000

/* Interval of polls without inotify. */
#define LOOK_NS 50000000

/* Longer than any editor leaves a file missing while it saves. */
#define GONE_NS 1000000000

/* Larger files, and those that are not regular, are compared by their facts:
 * reading them would stop the scene. */
enum { MOST_BYTES = 64 << 20 };

typedef struct watched {
    char *path;
    char digest[SB_DIGEST_TEXT_SIZE]; /* empty: missing or unreadable */
    struct timespec date; /* of contents or inode, whichever is later */
    long long size, inode;
    bool is_regular;
    bool is_stale;   /* its date has changed since the digest was taken */
    bool is_changed; /* by contents, at the last poll */
    int64_t gone_ns; /* when it was found missing; 0: there, or told */
} watched;

struct sb_watch {
    watched *files;
    int count, capacity;
    int inotify; /* a descriptor, or -1 */
    bool is_dirty;
    int64_t dirty_since_ns; /* time of the last event */
    int64_t looked_ns;
    bool is_any_gone; /* a file may have a gone_ns */
};

/* --- state of a file ----------------------------------------------------- */

/* Read date, size and inode; false when they are unchanged. Every write to a
 * file changes its inode's date, which cannot be set back. */
static bool take_date(watched *file) {
    struct stat info = {0};
    if (stat(file->path, &info)) memset(&info, 0, sizeof info);
    file->is_regular = S_ISREG(info.st_mode);
    bool is_new = info.st_ctim.tv_sec != file->date.tv_sec ||
                  info.st_ctim.tv_nsec != file->date.tv_nsec ||
                  (long long)info.st_size != file->size ||
                  (long long)info.st_ino != file->inode;
    file->date = info.st_ctim;
    file->is_stale = file->is_stale || is_new;
    file->size = (long long)info.st_size;
    file->inode = (long long)info.st_ino;
    return is_new;
}

/* Dates have the resolution of the kernel's clock, about 4 ms: a file that was
 * just written may be written again with the same date. */
static bool is_recent(const watched *file) {
    return sb_clock_age_s(file->date) < 0.05;
}

/* Read the contents; false when they are unchanged. A file that is missing for
 * a moment, as with some editors, has not changed: it will return. */
static bool take_digest(watched *file) {
    char digest[SB_DIGEST_TEXT_SIZE] = "";
    sb_status status = sb_digest_file(file->path, MOST_BYTES, digest, NULL);
    if (status == SB_BAD_FORMAT) {
        /* A special file has a new date whenever it is written to. */
        long long s = file->is_regular ? (long long)file->date.tv_sec : 0;
        (void)snprintf(digest, sizeof digest, "%lld %lld %lld %ld", file->size,
                       file->inode, s, s ? file->date.tv_nsec : 0L);
        status = SB_OK;
    }
    if (status) return false;
    bool is_new = strcmp(digest, file->digest) != 0;
    memcpy(file->digest, digest, sizeof digest);
    return is_new;
}

/* A file that was there and is missing now; not one that never was. */
static bool notice_gone(watched *file) {
    bool is_gone = file->inode == 0 && *file->digest;
    if (!is_gone) file->gone_ns = 0;
    if (is_gone && file->gone_ns == 0) file->gone_ns = sb_clock_ns();
    return is_gone;
}

/* --- watching folders ---------------------------------------------------- */

static void watch_folder(const sb_watch *watch, const char *path) {
#if HAS_INOTIFY
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash) {
        (void)snprintf(folder, sizeof folder, ".");
    } else {
        slash[slash == folder] = '\0';
    }
    /* Adding a folder twice has no effect. A folder that is missing is noticed
     * at the next load. */
    (void)inotify_add_watch(watch->inotify, folder,
                            IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE |
                                IN_DELETE | IN_MOVED_FROM | IN_ATTRIB);
#else
    (void)watch;
    (void)path;
#endif
}

/* The target of a link may be in another folder: watch that, too, but not /dev,
 * where every other program writes. */
static void watch_folders_of(const sb_watch *watch, const char *path) {
    char real[PATH_MAX];
    struct stat info;
    if (watch->inotify < 0) return;
    watch_folder(watch, path);
    if (realpath(path, real) && !stat(real, &info) && S_ISREG(info.st_mode))
        watch_folder(watch, real);
}

/* Drain the events; true if there were any. */
static bool take_events(sb_watch *watch) {
#if HAS_INOTIFY
    if (watch->inotify >= 0) {
        char buffer[4096];
        bool is_any = false;
        while (read(watch->inotify, buffer, sizeof buffer) > 0)
            is_any = true;
        return is_any;
    }
#endif
    int64_t now = sb_clock_ns();
    if (now - watch->looked_ns < LOOK_NS) return false;
    watch->looked_ns = now;
    bool is_any = false;
    for (int i = 0; i < watch->count; i++)
        is_any = take_date(&watch->files[i]) || is_any;
    return is_any;
}

/* --- the watch itself ---------------------------------------------------- */

sb_status sb_watch_create(sb_watch **out, sb_error *err) {
    sb_watch *watch = sb_alloc(1, sizeof *watch);
    if (!watch) return sb_no_memory(err, "watch");
    watch->inotify = -1;
#if HAS_INOTIFY
    watch->inotify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
    *out = watch;
    return SB_OK;
}

void sb_watch_destroy(sb_watch *watch) {
    if (!watch) return;
    for (int i = 0; i < watch->count; i++)
        sb_free(watch->files[i].path);
    sb_free(watch->files);
    if (watch->inotify >= 0) (void)close(watch->inotify);
    sb_free(watch);
}

static bool is_watched(const sb_watch *watch, const char *path) {
    for (int i = 0; i < watch->count; i++) {
        if (strcmp(watch->files[i].path, path) == 0) return true;
    }
    return false;
}

sb_status sb_watch_add(sb_watch *watch, const char *path, sb_error *err) {
    watch_folders_of(watch, path);
    if (is_watched(watch, path)) return SB_OK;
    char *copy = sb_copy_text(path);
    if (!copy ||
        !sb_grow_list(watch->files, watch->capacity, watch->count + 1)) {
        sb_free(copy);
        return sb_no_memory(err, "watch");
    }
    watched *file = &watch->files[watch->count++];
    *file = (watched){.path = copy};
    (void)take_date(file);
    (void)take_digest(file);
    file->is_stale = is_recent(file);
    return SB_OK;
}

bool sb_watch_poll(sb_watch *watch) {
    if (take_events(watch)) {
        watch->is_dirty = true;
        watch->dirty_since_ns = sb_clock_ns();
    }
    if (!watch->is_dirty || sb_clock_ns() - watch->dirty_since_ns < QUIET_NS) {
        return false;
    }
    watch->is_dirty = false;
    bool is_any = false;
    for (int i = 0; i < watch->count; i++) {
        watched *file = &watch->files[i];
        if (take_date(file))
            watch->is_any_gone = notice_gone(file) || watch->is_any_gone;
        file->is_changed = file->is_stale && take_digest(file);
        file->is_stale = is_recent(file);
        if (!file->is_changed) continue;
        is_any = true;
        watch_folders_of(watch, watch->files[i].path); /* a link may point
                                                          elsewhere now */
    }
    return is_any;
}

const char *sb_watch_next_changed(const sb_watch *watch, int *at) {
    while (*at < watch->count) {
        const watched *file = &watch->files[(*at)++];
        if (file->is_changed) return file->path;
    }
    return NULL;
}

const char *sb_watch_next_gone(sb_watch *watch) {
    int64_t now_ns = sb_clock_ns();
    bool is_any = false;
    for (int i = 0; watch->is_any_gone && i < watch->count; i++) {
        watched *file = &watch->files[i];
        if (file->gone_ns == 0) continue;
        if (now_ns - file->gone_ns >= GONE_NS) {
            file->gone_ns = 0;
            return file->path;
        }
        is_any = true;
    }
    watch->is_any_gone = is_any;
    return NULL;
}
