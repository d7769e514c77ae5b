/* SPDX-License-Identifier: MIT */
#include "bindings/cli/prompt/history_file.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/base/self_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LINES = 1000, LINE_SIZE = 4096, MOST_BYTES = 64 << 20 };

typedef struct line_list {
    char *items[MOST_LINES]; /* the newest lines, oldest first */
    int count;
} line_list;

struct history_file {
    char path[PATH_MAX];
    line_list own; /* typed in this session */
};

static void list_add(line_list *list, const char *line) {
    if (!*line ||
        (list->count && strcmp(list->items[list->count - 1], line) == 0)) {
        return;
    }
    char *copy = sb_copy_text(line);
    if (!copy) return;
    if (list->count == MOST_LINES) {
        sb_free(list->items[0]);
        memmove(list->items, list->items + 1,
                (MOST_LINES - 1) * sizeof *list->items);
        list->count--;
    }
    list->items[list->count++] = copy;
}

static void list_free(line_list *list) {
    for (int i = 0; i < list->count; i++)
        sb_free(list->items[i]);
    list->count = 0;
}

static void read_file(const char *path, line_list *list) {
    char line[LINE_SIZE];
    FILE *file;
    if (sb_in_file_open(path, MOST_BYTES, &file, NULL)) return;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        list_add(list, line);
    }
    (void)fclose(file);
}

history_file *history_file_open(void (*each)(void *user, const char *line),
                                void *user) {
    history_file *self = sb_alloc(1, sizeof *self);
    line_list *kept = sb_alloc(1, sizeof *kept);
    if (!self || !kept || !sb_state_path("history", self->path)) {
        sb_free(self);
        sb_free(kept);
        return NULL;
    }
    read_file(self->path, kept);
    for (int i = 0; i < kept->count; i++)
        each(user, kept->items[i]);
    list_free(kept);
    sb_free(kept);
    return self;
}

void history_file_add(history_file *self, const char *line) {
    if (self) list_add(&self->own, line);
}

static sb_status write_file(const char *path, const line_list *list) {
    sb_out_file *file;
    sb_status status = sb_out_file_create(&file, path, NULL);
    if (status) return status;
    for (int i = 0; i < list->count && !status; i++) {
        const char *line = list->items[i];
        status = sb_out_file_write(file, line, strlen(line), NULL);
        if (!status) status = sb_out_file_write(file, "\n", 1, NULL);
    }
    if (!status) return sb_out_file_commit(file, NULL);
    sb_out_file_abort(file);
    return status;
}

void history_file_close(history_file *self) {
    if (!self) return;
    line_list *all = self->own.count ? sb_alloc(1, sizeof *all) : NULL;
    if (all) {
        read_file(self->path, all);
        for (int i = 0; i < self->own.count; i++)
            list_add(all, self->own.items[i]);
        sb_status status = write_file(self->path, all);
        (void)status; /* a lost history is not a failure */
        list_free(all);
        sb_free(all);
    }
    list_free(&self->own);
    sb_free(self);
}
