#include "tests/fuzz/one_input.h"

#include "runtime/base/memory.h"
#include "runtime/media/image/image_internal.h"
#include "runtime/media/sound_file.h"
#include "runtime/store/texture_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void demand(bool is_so, const char *what) {
    if (is_so) return;
    (void)fprintf(stderr, "a loader broke its word: %s\n", what);
    abort();
}

static void check_failure(sb_status status, const sb_error *err) {
    demand(err->status == status, "the error has another status");
    demand(strlen(err->message) > 5, "a failure without a sentence");
    demand(!strchr(err->message, '\n'), "more than a sentence");
}

static void as_image(const char *name, const uint8_t *bytes, size_t count) {
    sb_image image;
    sb_error err = {0};
    sb_status status = sb_image_decode(&image, name, bytes, (int)count, &err);
    if (status) {
        check_failure(status, &err);
        return;
    }
    size_t values = (size_t)image.width * (size_t)image.height *
                    (size_t)image.channel_count;
    demand(image.width <= SB_IMAGE_MAX_SIDE &&
               image.height <= SB_IMAGE_MAX_SIDE && values > 0,
           "a picture of no size");
    for (size_t i = 0; i < values; i++)
        demand(isfinite(image.values[i]), "a value that is NaN or infinite");
    sb_image_free(&image);
}

/* A file that is nowhere but in memory, for loaders that want a path. */
static int open_bytes(const uint8_t *bytes, size_t count, char path[64]) {
    int file = memfd_create("input", 0);
    demand(file >= 0, "no file in memory");
    demand(write(file, bytes, count) == (ssize_t)count, "no room for the file");
    (void)snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

static void as_texture(const char *path, sb_texture_channels channels,
                       sb_texture_encoding encoding) {
    const char *paths[] = {path};
    sb_texture_files files = {.paths = paths,
                              .path_count = 1,
                              .channels = channels,
                              .encoding = encoding};
    sb_texture *texture;
    sb_error err = {0};
    sb_status status = sb_texture_read(&files, &texture, &err);
    if (status) {
        check_failure(status, &err);
        return;
    }
    double weights[4] = {0, 0, 0, 0};
    sb_texture_weights(texture, 0.3, 0.9, 4, NULL, weights);
    for (int k = 0; k < 4; k++)
        demand(isfinite(weights[k]), "a weight that is NaN or infinite");
    sb_texture_release(texture);
}

static void as_sound(const char *path) {
    sb_sound sound;
    sb_error err = {0};
    sb_status status = sb_sound_read(&sound, path, &err);
    if (status) {
        check_failure(status, &err);
        return;
    }
    for (int64_t i = 0; i < sound.frame_count * sound.channel_count; i++)
        demand(!isnan(sound.samples[i]), "a sample that is NaN or infinite");
    sb_sound_free(&sound);
}

void fuzz_one_input(const uint8_t *bytes, size_t count) {
    long before = sb_memory_live_blocks();
    char path[64];
    as_image("input.png", bytes, count);
    as_image("input.tga", bytes, count);
    int file = open_bytes(bytes, count, path);
    as_texture(path, SB_TEXTURE_GREY, SB_TEXTURE_AS_SAID);
    as_texture(path, SB_TEXTURE_RGBA, SB_TEXTURE_SIGNED);
    as_sound(path);
    (void)close(file);
    demand(sb_memory_live_blocks() == before, "memory left behind");
}
