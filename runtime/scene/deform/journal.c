/* SPDX-License-Identifier: MIT */
/* Reads and writes journals and checkpoints (journal.h). Control thread. */
#include "runtime/scene/deform/journal.h"

#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/deform/deform.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char journal_magic[8] = "SBDEFJ2", state_magic[8] = "SBDEFS1";

enum { TICK_MAGIC = 0x4b434954, MOST_FRAMES = 1 << 20, MOST_TOUCHES = 1 << 22 };

typedef struct journal_head {
    char magic[8];
    journal_sizes sizes;
} journal_head;

typedef struct tick_head {
    uint32_t magic;
    int count, touch_count, blow_count, has_pose;
    double time_s;
    uint64_t inputs;
    int64_t first;
} tick_head;

/* --- ticks in memory ----------------------------------------------------- */

sb_status deform_tick_make(deform_tick *tick, const journal_sizes *sizes,
                           sb_error *err) {
    *tick = (deform_tick){
        .reactions =
            sb_alloc((size_t)sizes->colliders, sizeof *tick->reactions),
        .places = sb_alloc((size_t)sizes->bodies, sizeof *tick->places),
        .pose = sb_alloc(3 * (size_t)sizes->vertices, sizeof *tick->pose)};
    if (tick->reactions && tick->places && tick->pose) return SB_OK;
    deform_tick_free(tick);
    return sb_no_memory(err, "deformable bodies");
}

void deform_tick_free(deform_tick *tick) {
    sb_free_all(tick->frames, tick->touches, tick->reactions, tick->places,
                tick->pose);
    *tick = (deform_tick){0};
}

sb_status deform_tick_grow(deform_tick *tick, const journal_sizes *sizes,
                           int frames, int touches, sb_error *err) {
    if (sb_grow((void **)&tick->frames, &tick->frame_capacity, frames,
                (size_t)sizes->channels * sizeof *tick->frames) &&
        sb_grow_list(tick->touches, tick->touch_capacity, touches))
        return SB_OK;
    return sb_no_memory(err, "deformable bodies");
}

/* --- the file ------------------------------------------------------------ */

static sb_status broken(const deform_journal *journal, sb_error *err) {
    return sb_fail(err, SB_IO_ERROR, "%.300s: %s", journal->path,
                   strerror(errno));
}

static bool is_same(const journal_sizes *a, const journal_sizes *b) {
    return a->fingerprint == b->fingerprint && a->channels == b->channels &&
           a->bodies == b->bodies && a->colliders == b->colliders &&
           a->vertices == b->vertices;
}

static bool put(deform_journal *journal, const void *bytes, size_t size,
                size_t count) {
    if (count == 0) return true;
    if (fwrite(bytes, size, count, journal->file) != count) return false;
    journal->bytes += (int64_t)(size * count);
    return true;
}

static bool get(deform_journal *journal, void *bytes, size_t size,
                size_t count) {
    if (count == 0) return true;
    if (fread(bytes, size, count, journal->file) != count) return false;
    journal->bytes += (int64_t)(size * count);
    return true;
}

static journal_head head_of(const journal_sizes *sizes) {
    journal_head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, journal_magic, sizeof head.magic);
    head.sizes.fingerprint = sizes->fingerprint;
    head.sizes.channels = sizes->channels;
    head.sizes.bodies = sizes->bodies;
    head.sizes.colliders = sizes->colliders;
    head.sizes.vertices = sizes->vertices;
    return head;
}

sb_status journal_create(deform_journal *journal, const char *path,
                         const journal_sizes *sizes, sb_error *err) {
    char state[1100];
    *journal = (deform_journal){.sizes = *sizes};
    (void)snprintf(journal->path, sizeof journal->path, "%s", path);
    (void)snprintf(state, sizeof state, "%s.state", path);
    (void)unlink(state);
    journal->file = fopen(path, "wb+");
    if (!journal->file) return broken(journal, err);
    journal_head head = head_of(sizes);
    if (put(journal, &head, sizeof head, 1)) return SB_OK;
    sb_status status = broken(journal, err);
    journal_close(journal);
    return status;
}

sb_status journal_open(deform_journal *journal, const char *path,
                       const journal_sizes *sizes, bool may_write,
                       sb_error *err) {
    *journal = (deform_journal){.sizes = *sizes};
    (void)snprintf(journal->path, sizeof journal->path, "%s", path);
    journal->file = fopen(path, may_write ? "rb+" : "rb");
    if (!journal->file)
        return sb_fail(err, SB_NOT_FOUND, "%.300s: %s", path, strerror(errno));
    journal_head head;
    if (get(journal, &head, sizeof head, 1) &&
        memcmp(head.magic, journal_magic, sizeof head.magic) == 0 &&
        is_same(&head.sizes, sizes))
        return SB_OK;
    journal_close(journal);
    return sb_fail(err, SB_BAD_FORMAT,
                   "%.300s: it belongs to other bodies, or it is damaged",
                   path);
}

sb_status journal_rewind(deform_journal *journal) {
    journal->bytes = (int64_t)sizeof(journal_head);
    if (!journal->file) return SB_IO_ERROR;
    return fseeko(journal->file, journal->bytes, SEEK_SET) ? SB_IO_ERROR
                                                           : SB_OK;
}

void journal_close(deform_journal *journal) {
    if (journal->file) (void)fclose(journal->file);
    journal->file = NULL;
}

enum { PARTS = 6 };
typedef struct tick_part {
    void *items;
    size_t size, count;
} tick_part;

/* What follows the head of a tick. */
static void list_parts(const deform_tick *tick, const journal_sizes *sizes,
                       tick_part parts[PARTS]) {
    const tick_part all[PARTS] = {
        {tick->places, sizeof *tick->places, (size_t)sizes->bodies},
        {tick->reactions, sizeof *tick->reactions, (size_t)sizes->colliders},
        {tick->touches, sizeof *tick->touches, (size_t)tick->touch_count},
        {(void *)(uintptr_t)tick->blows, sizeof *tick->blows,
         (size_t)tick->blow_count},
        {tick->frames, sizeof *tick->frames,
         (size_t)sizes->channels * (size_t)tick->count},
        {tick->pose, 3 * sizeof *tick->pose,
         tick->has_pose ? (size_t)sizes->vertices : 0}};
    memcpy(parts, all, sizeof all);
}

sb_status journal_write(deform_journal *journal, const deform_tick *tick,
                        sb_error *err) {
    const journal_sizes *sizes = &journal->sizes;
    tick_head head;
    memset(&head, 0, sizeof head);
    head.magic = TICK_MAGIC;
    head.count = tick->count;
    head.touch_count = tick->touch_count;
    head.blow_count = tick->blow_count;
    head.has_pose = tick->has_pose;
    head.time_s = tick->time_s;
    head.inputs = tick->inputs;
    head.first = tick->first;
    tick_part parts[PARTS];
    list_parts(tick, sizes, parts);
    bool is_written = put(journal, &head, sizeof head, 1);
    for (int i = 0; is_written && i < PARTS; i++)
        is_written =
            put(journal, parts[i].items, parts[i].size, parts[i].count);
    return is_written ? SB_OK : broken(journal, err);
}

bool journal_read(deform_journal *journal, deform_tick *tick) {
    const journal_sizes *sizes = &journal->sizes;
    tick_head head;
    if (!get(journal, &head, sizeof head, 1)) return false;
    if (head.magic != TICK_MAGIC || head.count < 0 ||
        head.count > MOST_FRAMES || head.touch_count < 0 ||
        head.touch_count > MOST_TOUCHES || head.blow_count < 0 ||
        head.blow_count > DEFORM_BLOWS ||
        deform_tick_grow(tick, sizes, head.count, head.touch_count, NULL))
        return false;
    tick->count = head.count;
    tick->touch_count = head.touch_count;
    tick->blow_count = head.blow_count;
    tick->has_pose = head.has_pose != 0;
    tick->time_s = head.time_s;
    tick->inputs = head.inputs;
    tick->first = head.first;
    tick_part parts[PARTS];
    list_parts(tick, sizes, parts);
    for (int i = 0; i < PARTS; i++)
        if (!get(journal, parts[i].items, parts[i].size, parts[i].count))
            return false;
    return true;
}

sb_status journal_cut(deform_journal *journal, sb_error *err) {
    if (fflush(journal->file) == 0 &&
        fseeko(journal->file, journal->bytes, SEEK_SET) == 0 &&
        ftruncate(fileno(journal->file), journal->bytes) == 0)
        return SB_OK;
    return broken(journal, err);
}

/* --- checkpoints --------------------------------------------------------- */

typedef struct mark_head {
    char magic[8];
    journal_sizes sizes;
    int64_t journal_bytes;
    double time_s;
    uint64_t inputs, is_over, state_bytes;
} mark_head;

sb_status journal_mark(deform_journal *journal,
                       const deform_checkpoint *checkpoint, sb_error *err) {
    if (fflush(journal->file) || fsync(fileno(journal->file)))
        return broken(journal, err);
    char path[1100];
    (void)snprintf(path, sizeof path, "%s.state", journal->path);
    mark_head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, state_magic, sizeof head.magic);
    head.sizes = head_of(&journal->sizes).sizes;
    head.journal_bytes = checkpoint->journal_bytes;
    head.time_s = checkpoint->time_s;
    head.inputs = checkpoint->inputs;
    head.is_over = checkpoint->is_over;
    head.state_bytes = checkpoint->state_bytes;
    sb_out_file *file;
    sb_status status = sb_out_file_create(&file, path, err);
    if (status) return status;
    status = sb_out_file_write(file, &head, sizeof head, err);
    if (!status)
        status = sb_out_file_write(file, checkpoint->state,
                                   checkpoint->state_bytes, err);
    if (status) {
        sb_out_file_abort(file);
        return status;
    }
    return sb_out_file_commit(file, err);
}

static sb_status read_mark(FILE *file, const char *path,
                           const journal_sizes *sizes, deform_checkpoint *out,
                           sb_error *err) {
    mark_head head;
    enum { MOST_GB = 64 };
    if (fread(&head, sizeof head, 1, file) != 1 ||
        memcmp(head.magic, state_magic, sizeof head.magic) != 0 ||
        !is_same(&head.sizes, sizes) ||
        head.state_bytes > (uint64_t)MOST_GB << 30)
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s: it belongs to other bodies, or it is damaged",
                       path);
    *out = (deform_checkpoint){.journal_bytes = head.journal_bytes,
                               .time_s = head.time_s,
                               .inputs = head.inputs,
                               .is_over = head.is_over != 0,
                               .state_bytes = (size_t)head.state_bytes};
    out->state = sb_alloc(out->state_bytes, 1);
    if (!out->state) return sb_no_memory(err, "checkpoint");
    if (fread(out->state, 1, out->state_bytes, file) == out->state_bytes)
        return SB_OK;
    sb_free(out->state);
    out->state = NULL;
    return sb_fail(err, SB_BAD_FORMAT, "%.300s: it is too short", path);
}

sb_status journal_find_mark(const char *path, const journal_sizes *sizes,
                            deform_checkpoint *out, sb_error *err) {
    char name[1100];
    (void)snprintf(name, sizeof name, "%s.state", path);
    FILE *file = fopen(name, "rb");
    if (!file)
        return sb_fail(err, SB_NOT_FOUND, "%.300s: %s", name, strerror(errno));
    sb_status status = read_mark(file, name, sizes, out, err);
    (void)fclose(file);
    return status;
}
