#include "runtime/media/image/png16.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MOST = 16384 };

uint16_t sb_code_of_weight(double weight, double scale) {
    double share = fmin(fmax(weight / scale, -1.0), 1.0);
    return (uint16_t)(SB_CODE_ZERO + lround(share * SB_CODE_REACH));
}

bool sb_weights_note_read(const char *text, sb_weights_note *out) {
    static const char plain[] = "signed", with_scale[] = "signed scale=";
    if (strcmp(text, plain) == 0) {
        *out = (sb_weights_note){.scale = 1.0};
        return true;
    }
    size_t length = sizeof with_scale - 1;
    if (strncmp(text, with_scale, length) != 0) return false;
    char *end;
    double scale = strtod(text + length, &end);
    if (end == text + length || *end) return false;
    if (!(scale > 0.0 && scale < 1e12)) return false;
    *out = (sb_weights_note){.has_scale = true, .scale = scale};
    return true;
}

static sb_status check_sides(const char *path, int width, int height,
                             sb_error *err) {
    if (width >= 1 && height >= 1 && width <= SIDE_MOST && height <= SIDE_MOST)
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%.300s: %d x %d pixels; each side must be 1 to %d", path,
                   width, height, (int)SIDE_MOST);
}

/* Takes ownership of `bytes`. NULL means that its allocation failed. */
static sb_status write_bytes(const char *path, int width, int height,
                             unsigned char *bytes, const sb_png_text *texts,
                             int text_count, sb_error *err) {
    if (!bytes) {
        return sb_fail(err, SB_NO_MEMORY,
                       "%.300s cannot be written: out of memory", path);
    }
    sb_png_out out = {.kind = SB_PNG_GREY16,
                      .width = width,
                      .height = height,
                      .bytes = bytes,
                      .texts = texts,
                      .text_count = text_count};
    sb_status status = sb_png_write(path, &out, err);
    sb_free(bytes);
    return status;
}

static void put_code(unsigned char *bytes, size_t i, uint16_t code) {
    bytes[2 * i] = (unsigned char)(code >> 8);
    bytes[2 * i + 1] = (unsigned char)(code & 255);
}

sb_status sb_png16_write(const char *path, int width, int height,
                         const uint16_t *values, const sb_png_text *texts,
                         int text_count, sb_error *err) {
    sb_status status = check_sides(path, width, height, err);
    if (status) return status;
    size_t count = (size_t)width * (size_t)height;
    unsigned char *bytes = sb_alloc(count, 2);
    for (size_t i = 0; bytes && i < count; i++)
        put_code(bytes, i, values[i]);
    return write_bytes(path, width, height, bytes, texts, text_count, err);
}

sb_status sb_png16_write_weights(const char *path, int width, int height,
                                 const float *weights, double scale,
                                 sb_error *err) {
    sb_status status = check_sides(path, width, height, err);
    if (status) return status;
    char note[64];
    (void)snprintf(note, sizeof note, "signed scale=%.17g", scale);
    const sb_png_text text = {SB_IMAGE_NOTE_KEYWORD, note};
    size_t count = (size_t)width * (size_t)height;
    unsigned char *bytes = sb_alloc(count, 2);
    for (size_t i = 0; bytes && i < count; i++)
        put_code(bytes, i, sb_code_of_weight((double)weights[i], scale));
    return write_bytes(path, width, height, bytes, &text, 1, err);
}
