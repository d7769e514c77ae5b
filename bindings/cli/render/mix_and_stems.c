/* SPDX-License-Identifier: MIT */
#include "bindings/cli/render/mix_and_stems.h"

#include "runtime/base/memory.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/engine.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { FRAMES = 4096 };

sb_status take_open(take *self, const char *path, const sb_sound_def *def,
                    bool is_kept, sb_error *err) {
    *self = (take){.is_float = def->format == SB_SOUND_FLOAT32};
    if (is_kept && !(self->kept = tmpfile()))
        return sb_fail(err, SB_IO_ERROR,
                       "--normalize: cannot make a temporary file");
    return sb_sound_writer_open(&self->writer, path, def, err);
}

static sb_status write_on(take *self, const float *stereo, int frames,
                          double gain, sb_error *err) {
    float scaled[2 * FRAMES];
    for (int i = 0; i < 2 * frames; i++) {
        scaled[i] = gain == 1.0 ? stereo[i] : (float)(gain * (double)stereo[i]);
        self->clips |= !self->is_float && fabsf(scaled[i]) > 1.0f;
    }
    return sb_sound_writer_write(self->writer, scaled, frames, err);
}

static sb_status no_room(sb_error *err) {
    return sb_fail(err, SB_IO_ERROR,
                   "--normalize: the temporary file could not be used; is the "
                   "disk full?");
}

sb_status take_add(take *self, const float *stereo, int frames, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < 2 * frames; i++)
        self->peak = fmax(self->peak, fabs((double)stereo[i]));
    if (self->kept) {
        size_t count = 2 * (size_t)frames;
        bool is_well =
            fwrite(stereo, sizeof *stereo, count, self->kept) == count;
        return is_well ? SB_OK : no_room(err);
    }
    for (int at = 0; at < frames && !status; at += FRAMES) {
        int count = frames - at < FRAMES ? frames - at : FRAMES;
        status = write_on(self, stereo + 2 * (size_t)at, count, 1.0, err);
    }
    return status;
}

static sb_status write_kept(take *self, double gain, sb_error *err) {
    float stereo[2 * FRAMES];
    sb_status status = SB_OK;
    size_t frames;
    if (fseek(self->kept, 0, SEEK_SET)) return no_room(err);
    while (!status &&
           (frames = fread(stereo, 2 * sizeof *stereo, FRAMES, self->kept)) > 0)
        status = write_on(self, stereo, (int)frames, gain, err);
    return !status && ferror(self->kept) ? no_room(err) : status;
}

sb_status take_close(take *self, double gain, sb_error *err) {
    sb_status status = self->kept ? write_kept(self, gain, err) : SB_OK;
    if (status) return status;
    if (self->kept) self->peak *= gain;
    sb_sound_writer *writer = self->writer;
    self->writer = NULL;
    take_abort(self);
    return sb_sound_writer_close(writer, err);
}

void take_abort(take *self) {
    sb_sound_writer_abort(self->writer);
    self->writer = NULL;
    if (self->kept) (void)fclose(self->kept);
    self->kept = NULL;
}

/* The mix is behind by the look-ahead of the limiter, about a block, and a
 * block is computed at once. */
enum { HELD = 8 * SB_BLOCK_FRAMES };

/* --- names ---------------------------------------------------------------- */

static void safe_name(const char *body, char name[SB_NAME_SIZE]) {
    size_t i = 0;
    for (; body[i] && i + 1 < SB_NAME_SIZE; i++) {
        unsigned char c = (unsigned char)body[i];
        bool is_safe = c >= 0x80 || isalnum(c) || strchr("-_+", c);
        name[i] = is_safe ? body[i] : '_';
    }
    name[i] = '\0';
}

/* Some file systems do not distinguish upper and lower case. */
static bool is_taken(const stems *self, const char *path) {
    for (int i = 0; i < self->count; i++)
        if (strcasecmp(self->files[i]->path, path) == 0) return true;
    return option_that_names(self->verb, self->options, path) != NULL;
}

static sb_status name_file(const stems *self, const char *body,
                           char path[PATH_MAX], sb_error *err) {
    const char *dot = strrchr(file_name(self->mix), '.');
    int stem = dot ? (int)(dot - self->mix) : (int)strlen(self->mix);
    char name[SB_NAME_SIZE], number[16] = "";
    safe_name(body, name);
    for (int i = 2;; i++) {
        int length = snprintf(path, PATH_MAX, "%.*s.%s%s%s", stem, self->mix,
                              name, number, dot ? dot : "");
        if (length >= PATH_MAX)
            return sb_fail(
                err, SB_BAD_ARGUMENT,
                "--stems: the name of the file of body '%s' is too long", body);
        if (!is_taken(self, path)) return SB_OK;
        (void)snprintf(number, sizeof number, "-%d", i);
    }
}

/* --- files ---------------------------------------------------------------- */

static sb_status be_silent(stems *self, take *to, sb_error *err) {
    static const float silence[2 * SB_BLOCK_FRAMES];
    sb_status status = SB_OK;
    for (int64_t at = 0; at < self->written && !status; at += SB_BLOCK_FRAMES) {
        int64_t left = self->written - at;
        int frames = left < SB_BLOCK_FRAMES ? (int)left : SB_BLOCK_FRAMES;
        status = take_add(to, silence, frames, err);
    }
    return status;
}

/* `held_frames` of silence stand for what the others hold. */
static sb_status open_file(stems *self, const char *body, int held_frames,
                           sb_error *err) {
    stem_file *file = sb_alloc(1, sizeof *file);
    float *held = sb_alloc((size_t)2 * HELD, sizeof *held);
    if (!file || !held ||
        !sb_grow_list(self->files, self->capacity, self->count + 1)) {
        sb_free(file);
        sb_free(held);
        return sb_no_memory(err, "--stems");
    }
    file->held = held;
    file->held_frames = held_frames;
    (void)snprintf(file->body, sizeof file->body, "%s", body);
    sb_status status = name_file(self, body, file->path, err);
    self->files[self->count++] = file;
    if (!status)
        status =
            take_open(&file->take, file->path, &self->def, self->is_kept, err);
    return status ? status : be_silent(self, &file->take, err);
}

sb_status stems_compute(stems *self, const sb_scene *scene,
                        const sb_engine *engine, sb_error *err) {
    if (!self->mix) return SB_OK;
    int64_t left = sb_engine_stem_latency(engine) - self->skipped;
    int skip = left < SB_BLOCK_FRAMES ? (int)left : SB_BLOCK_FRAMES;
    int held = self->count > 0 ? self->files[0]->held_frames : 0;
    sb_status status = SB_OK;
    while (!status && self->count < sb_scene_stem_count(scene))
        status =
            open_file(self, sb_scene_stem_name(scene, self->count), held, err);
    for (int i = 0; i < self->count && !status; i++) {
        stem_file *file = self->files[i];
        int frames = SB_BLOCK_FRAMES - skip;
        memcpy(file->held + 2 * (size_t)file->held_frames,
               sb_scene_stem_block(scene, i) + 2 * (size_t)skip,
               2 * (size_t)frames * sizeof(float));
        file->held_frames += frames;
    }
    self->skipped += skip;
    return status;
}

sb_status stems_add(stems *self, int frames, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < self->count && !status; i++) {
        stem_file *file = self->files[i];
        status = take_add(&file->take, file->held, frames, err);
        file->held_frames -= frames;
        memmove(file->held, file->held + 2 * (size_t)frames,
                2 * (size_t)file->held_frames * sizeof(float));
    }
    self->written += frames;
    return status;
}

sb_status stems_close(stems *self, double gain, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < self->count && !status; i++)
        status = take_close(&self->files[i]->take, gain, err);
    return status;
}

void stems_abort(stems *self) {
    for (int i = 0; i < self->count; i++) {
        take_abort(&self->files[i]->take);
        sb_free(self->files[i]->held);
        sb_free(self->files[i]);
    }
    sb_free(self->files);
    *self = (stems){0};
}
