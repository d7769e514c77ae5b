/* SPDX-License-Identifier: MIT */
/* Reads and writes PNG files with libpng. Control thread and workers. libpng
 * reports errors by a longjmp to the setjmp in read_all or encode, so all
 * that must survive the jump is in `reading`, not in local variables. */
#include "runtime/media/image/png_file.h"

#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"
#include "runtime/media/image/image_internal.h"

#include <png.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- reading -------------------------------------------------------------- */

/* Limits on what a small file can make libpng allocate: decompressed bytes of
 * one chunk, and number of texts. */
enum { CHUNK_MOST = 8000000, TEXTS_MOST = 64 };

typedef struct reading {
    const char *path;
    const unsigned char *bytes;
    size_t count, at;
    bool is_cut;        /* libpng read past the end of the file */
    bool has_no_memory; /* an allocation failed */
    char flaw[100];     /* libpng's message */
    sb_status status;   /* of our own checks */
    sb_image *out;
    unsigned char *pixels; /* the rows as libpng delivers them */
    png_structp png;
    png_infop info;
} reading;

/* --- callbacks of libpng -------------------------------------------------- */

/* A chunk may declare 2 GB in a file of 200 bytes: libpng only warns, and would
 * allocate it. Without the block it finds the file damaged. */
static png_voidp take_memory(png_structp png, png_alloc_size_t size) {
    reading *self = png_get_mem_ptr(png);
    if (size > self->count + CHUNK_MOST) return NULL;
    void *block = sb_alloc(size, 1);
    if (!block) self->has_no_memory = true;
    return block;
}

static void give_memory(png_structp png, png_voidp block) {
    (void)png;
    sb_free(block);
}

static void on_error(png_structp png, png_const_charp message) {
    reading *self = png_get_error_ptr(png);
    size_t length = strlen(message);
    if (length >= sizeof self->flaw) length = sizeof self->flaw - 1;
    memcpy(self->flaw, message, length);
    self->flaw[length] = '\0';
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep to, size_t count) {
    reading *self = png_get_io_ptr(png);
    if (count > self->count - self->at) {
        self->is_cut = true;
        png_error(png, "cut off");
    }
    memcpy(to, self->bytes + self->at, count);
    self->at += count;
}

/* --- the note ------------------------------------------------------------- */

/* The note may be quoted in a message, so unprintable characters become '?'. A
 * longer one is truncated, and then rejected by the parser of the note. */
static void copy_note(const char *text, sb_image *out) {
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof out->note; i++)
        out->note[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
    out->note[i] = '\0';
    out->has_note = true;
}

static void find_note(reading *self) {
    png_textp texts = NULL;
    int count = png_get_text(self->png, self->info, &texts, NULL);
    for (int i = 0; i < count && !self->out->has_note; i++) {
        if (strcmp(texts[i].key, SB_IMAGE_NOTE_KEYWORD) == 0)
            copy_note(texts[i].text ? texts[i].text : "", self->out);
    }
}

/* --- header and pixels ---------------------------------------------------- */

/* Make libpng convert the pixels to samples of 8 or 16 bits. */
static void set_transformations(reading *self) {
    png_set_expand(self->png); /* palettes, 1 to 4 bits, transparent colours */
    (void)png_set_interlace_handling(self->png);
    png_read_update_info(self->png, self->info);
    self->out->channel_count = png_get_channels(self->png, self->info);
    self->out->bits = png_get_bit_depth(self->png, self->info);
}

/* The resulting format, without starting the decompressor. */
static void foresee_transformations(reading *self) {
    int type = png_get_color_type(self->png, self->info);
    bool is_clear = png_get_valid(self->png, self->info, PNG_INFO_tRNS) != 0;
    bool has_alpha = (type & PNG_COLOR_MASK_ALPHA) != 0 || is_clear;
    self->out->channel_count =
        (type & PNG_COLOR_MASK_COLOR ? 3 : 1) + (has_alpha ? 1 : 0);
    self->out->bits = png_get_bit_depth(self->png, self->info) == 16 ? 16 : 8;
}

static sb_status take_rows(reading *self, sb_error *err) {
    sb_image *out = self->out;
    size_t row = png_get_rowbytes(self->png, self->info);
    size_t samples =
        (size_t)out->width * (size_t)out->height * (size_t)out->channel_count;
    self->pixels = sb_alloc(row, (size_t)out->height);
    out->values = sb_alloc(samples, sizeof *out->values);
    if (!self->pixels || !out->values)
        return sb_fail_in(err, SB_NO_MEMORY, self->path, 0, "out of memory");
    int passes =
        png_get_interlace_type(self->png, self->info) == PNG_INTERLACE_NONE ? 1
                                                                            : 7;
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < out->height; y++)
            png_read_row(self->png, self->pixels + (size_t)y * row, NULL);
    }
    const unsigned char *from = self->pixels;
    for (size_t i = 0; i < samples && out->bits == 8; i++)
        out->values[i] = (float)from[i] / 255.0f;
    for (size_t i = 0; i < samples && out->bits == 16; i++)
        out->values[i] = (float)(from[2 * i] << 8 | from[2 * i + 1]) / 65535.0f;
    return SB_OK;
}

static void set_limits(reading *self) {
    png_structp png = self->png;
    png_set_read_fn(png, self, on_read);
    /* Disable libpng's limits: our own check of the size, with its message,
     * comes before any allocation. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png, CHUNK_MOST);
    png_set_chunk_cache_max(png, TEXTS_MOST);
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
#else
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
#endif
}

/* False after an error in libpng. */
static bool read_all(reading *self, bool has_values, sb_error *err) {
    if (setjmp(png_jmpbuf(self->png))) return false;
    set_limits(self);
    png_read_info(self->png, self->info);
    int64_t width = png_get_image_width(self->png, self->info);
    int64_t height = png_get_image_height(self->png, self->info);
    self->status = sb_image_check_size(self->path, width, height, err);
    if (self->status) return true;
    self->out->width = (int)width;
    self->out->height = (int)height;
    if (has_values) {
        set_transformations(self);
        self->status = take_rows(self, err);
        if (self->status) return true;
        png_read_end(self->png, self->info);
    } else {
        foresee_transformations(self);
    }
    find_note(self);
    return true;
}

static sb_status say_flaw(const reading *self, sb_error *err) {
    if (self->has_no_memory)
        return sb_fail_in(err, SB_NO_MEMORY, self->path, 0, "out of memory");
    if (self->is_cut)
        return sb_fail_in(err, SB_BAD_FORMAT, self->path, 0, "is cut off");
    if (strstr(self->flaw, "CRC error"))
        return sb_fail_in(err, SB_BAD_FORMAT, self->path, 0,
                          "is damaged: a checksum does not match");
    return sb_fail_in(err, SB_BAD_FORMAT, self->path, 0,
                      "is damaged or cut off: %s", self->flaw);
}

bool sb_png_is(const unsigned char *bytes, size_t count) {
    return count >= 8 && png_sig_cmp(bytes, 0, 8) == 0;
}

/* Is there a text after the pixels? libpng reaches it only by decoding them. */
static bool has_late_text(const unsigned char *bytes, size_t count) {
    enum { AROUND = 12 }; /* bytes of length, type and checksum */
    bool is_late = false;
    for (size_t at = 8; at < count && count - at >= AROUND;) {
        const unsigned char *type = bytes + at + 4;
        size_t length = png_get_uint_32(bytes + at);
        if (memcmp(type, "IDAT", 4) == 0) is_late = true;
        if (is_late &&
            (memcmp(type, "tEXt", 4) == 0 || memcmp(type, "zTXt", 4) == 0 ||
             memcmp(type, "iTXt", 4) == 0))
            return true;
        if (length > count - at - AROUND) return false;
        at += AROUND + length;
    }
    return false;
}

sb_status sb_png_read(const char *path, const unsigned char *bytes,
                      size_t count, bool has_values, sb_image *out,
                      sb_error *err) {
    reading self = {.path = path, .bytes = bytes, .count = count, .out = out};
    self.png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &self, on_error,
                                 on_warning, &self, take_memory, give_memory);
    self.info = self.png ? png_create_info_struct(self.png) : NULL;
    if (!self.info) self.has_no_memory = true;
    bool reads_values = has_values || has_late_text(bytes, count);
    bool is_read = self.info && read_all(&self, reads_values, err);
    sb_status status = is_read ? self.status : say_flaw(&self, err);
    if (self.png) png_destroy_read_struct(&self.png, &self.info, NULL);
    sb_free(self.pixels);
    if (status) sb_image_free(out);
    if (!status && !has_values) {
        sb_free(out->values);
        out->values = NULL;
    }
    return status;
}

/* --- writing -------------------------------------------------------------- */

/* State of one file for libpng's callbacks. */
typedef struct png_job {
    sb_out_file *file;
    sb_error failure; /* the first one */
} png_job;

/* Our allocator instead of malloc, so that tests can make it fail. */
static png_voidp take_any_memory(png_structp png, png_alloc_size_t size) {
    (void)png;
    return sb_alloc(size, 1);
}

static void on_write_error(png_structp png, png_const_charp message) {
    png_job *job = png_get_error_ptr(png);
    if (job->failure.status == SB_OK) {
        /* The picture is valid, so libpng can only fail for lack of memory. */
        (void)sb_fail(&job->failure, SB_NO_MEMORY,
                      "%.300s cannot be written: %s",
                      sb_out_file_path(job->file), message);
    }
    png_longjmp(png, 1);
}

static void on_write(png_structp png, png_bytep bytes, size_t count) {
    png_job *job = png_get_io_ptr(png);
    if (sb_out_file_write(job->file, bytes, count, &job->failure) != SB_OK) {
        png_error(png, "writing failed");
    }
}

static void on_flush(png_structp png) {
    (void)png;
}

/* libpng copies the texts. */
static void put_texts(png_structp png, png_infop info, const sb_png_out *out) {
    for (int i = 0; i < out->text_count; i++) {
        png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE,
                         .key = (png_charp)out->texts[i].keyword,
                         .text = (png_charp)out->texts[i].text};
        png_set_text(png, info, &text, 1);
    }
}

/* An error inside libpng jumps to the setjmp. */
static bool encode(png_structp png, png_infop info, const sb_png_out *out) {
    if (setjmp(png_jmpbuf(png))) return false;
    bool is_grey = out->kind == SB_PNG_GREY16;
    png_set_IHDR(png, info, (png_uint_32)out->width, (png_uint_32)out->height,
                 is_grey ? 16 : 8,
                 is_grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (!is_grey) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    put_texts(png, info, out);
    png_write_info(png, info);
    size_t row_bytes = (size_t)out->width * (is_grey ? 2 : 3);
    for (int y = 0; y < out->height; y++)
        png_write_row(png, out->bytes + (size_t)y * row_bytes);
    /* NULL instead of the info, which would write the texts again. */
    png_write_end(png, NULL);
    return true;
}

static bool encode_file(png_job *job, const sb_png_out *out) {
    png_structp png = png_create_write_struct_2(
        PNG_LIBPNG_VER_STRING, job, on_write_error, on_warning, NULL,
        take_any_memory, give_memory);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = false;
    if (info) {
        png_set_write_fn(png, job, on_write, on_flush);
        ok = encode(png, info, out);
    }
    if (png) png_destroy_write_struct(&png, &info);
    return ok;
}

sb_status sb_png_write(const char *path, const sb_png_out *out, sb_error *err) {
    png_job job = {0};
    sb_status status = sb_out_file_create(&job.file, path, err);
    if (status != SB_OK) return status;
    if (encode_file(&job, out)) return sb_out_file_commit(job.file, err);
    status = job.failure.status;
    if (status == SB_OK) {
        status = sb_no_memory(err, "%.300s cannot be written", path);
    } else if (err) {
        *err = job.failure;
    }
    sb_out_file_abort(job.file);
    return status;
}

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
        return sb_no_memory(err, "%.300s cannot be written", path);
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
