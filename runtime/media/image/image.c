/* Reads a picture file: detects its format, checks its size, decodes it (PNG in
 * png_in.c, the others with stb_image). Control thread and workers. */
#include "runtime/media/image/image.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/media/image/image_internal.h"
#include "runtime/media/image/image_whole.h"
#include "runtime/media/image/png_in.h"

#include <stb_image.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* A larger file cannot be a picture within the limits of image.h. */
enum { FILE_MAX = 1 << 28 };

static sb_status bad(const char *path, const char *why, sb_error *err) {
    return sb_fail(err, SB_BAD_FORMAT, "%s: %s", path, why);
}

/* --- the file ------------------------------------------------------------- */

typedef struct bytes {
    const unsigned char *at;
    int count;
} bytes;

static sb_status read_file(const char *path, bytes *out, sb_error *err) {
    char *text;
    size_t count;
    sb_error why;
    sb_status status = sb_in_file_read(path, FILE_MAX, &text, &count, &why);
    if (status) {
        /* "NAME cannot ..." becomes "NAME: cannot ..." */
        const char *after = strstr(why.message, " cannot be read");
        return after ? sb_fail(err, status, "%s:%s", path, after)
                     : sb_fail(err, status, "%s", why.message);
    }
    if (count == 0) {
        sb_free(text);
        return bad(path, "is empty", err);
    }
    *out = (bytes){(unsigned char *)text, (int)count};
    return SB_OK;
}

/* --- format --------------------------------------------------------------- */

static bool begins(const bytes *file, const char *magic, size_t length) {
    return (size_t)file->count >= length &&
           memcmp(file->at, magic, length) == 0;
}

/* TGA has no signature, only the extension of its name. Its type byte excludes
 * the other formats that stb_image would detect. */
static bool may_be_tga(const bytes *file, const char *path) {
    size_t length = strlen(path);
    if (length < 5 || strcasecmp(path + length - 4, ".tga") != 0) return false;
    if (file->count < 3) return file->count < 2 || file->at[1] <= 1;
    int kind = file->at[2] & ~8; /* bit 3: run-length encoded */
    return file->at[1] <= 1 && kind >= 1 && kind <= 3;
}

/* stb_image also decodes GIF, PIC, PSD and PNM. These are not needed, and their
 * decoders have known bugs. */
static bool is_known_kind(const bytes *file, const char *path) {
    return begins(file, "\xff\xd8\xff", 3) || begins(file, "BM", 2) ||
           begins(file, "#?RADIANCE", 10) || begins(file, "#?RGBE", 6) ||
           may_be_tga(file, path);
}

sb_status sb_image_check_size(const char *path, int64_t width, int64_t height,
                              sb_error *err) {
    if (width < 1 || height < 1) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%s: %lld x %lld pixels: a picture needs at least 1 x 1",
                       path, (long long)width, (long long)height);
    }
    if (width > SB_IMAGE_MAX_SIDE || height > SB_IMAGE_MAX_SIDE ||
        width > SB_IMAGE_MAX_PIXELS / height) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%s: %lld x %lld pixels exceed the limit of %d per "
                       "side or %d in all",
                       path, (long long)width, (long long)height,
                       (int)SB_IMAGE_MAX_SIDE, (int)SB_IMAGE_MAX_PIXELS);
    }
    return SB_OK;
}

/* Eight bytes at a time, each mixed into all bits of the hash. */
static uint64_t fingerprint_of(const bytes *file) {
    uint64_t sum = 0x9e3779b97f4a7c15u ^ (uint64_t)file->count;
    for (int i = 0; i < file->count; i += 8) {
        uint64_t word = 0;
        int rest = file->count - i;
        memcpy(&word, file->at + i, rest < 8 ? (size_t)rest : 8);
        sum = (sum ^ word) * 0xff51afd7ed558ccdu;
        sum ^= sum >> 32;
    }
    return sum;
}

static sb_status look(const char *path, const bytes *file, sb_image *out,
                      sb_error *err) {
    size_t count = (size_t)file->count;
    out->fingerprint = fingerprint_of(file);
    if (sb_png_is(file->at, count))
        return sb_png_read(path, file->at, count, false, out, err);
    if (!is_known_kind(file, path))
        return bad(path, "is not a PNG, JPEG, BMP, TGA or HDR picture", err);
    /* stb_image fails on overlong tables even when it only reads the header. */
    const char *flaw =
        begins(file, "\xff\xd8\xff", 3) ? sb_image_flaw(file->at, count) : NULL;
    if (flaw) return bad(path, flaw, err);
    if (!stbi_info_from_memory(file->at, file->count, &out->width, &out->height,
                               &out->channel_count)) {
        flaw = sb_image_flaw(file->at, count);
        return bad(
            path, flaw ? flaw : "has a header that is damaged or not supported",
            err);
    }
    out->bits = stbi_is_hdr_from_memory(file->at, file->count) ? 32 : 8;
    return sb_image_check_size(path, out->width, out->height, err);
}

/* --- values --------------------------------------------------------------- */

/* Decode at the bit depth of the file; NULL on failure. */
static void *decode(const bytes *file, sb_image *out) {
    int *w = &out->width, *h = &out->height, *c = &out->channel_count;
    if (out->bits == 32)
        return stbi_loadf_from_memory(file->at, file->count, w, h, c, 0);
    return stbi_load_from_memory(file->at, file->count, w, h, c, 0);
}

/* A JPEG may refer to a Huffman table that it does not define, and stb_image
 * then reads uninitialised memory. Therefore all eight tables are defined in
 * advance, with one code each. NULL when out of memory. */
static void *decode_jpeg(const bytes *file, sb_image *out) {
    enum { TABLES = 8, TABLE = 18, HEAD = 4, ADDED = HEAD + TABLES * TABLE };
    size_t count = (size_t)file->count;
    unsigned char *larger = sb_alloc(count + ADDED, 1);
    if (!larger) return NULL;
    memcpy(larger, file->at, 2);
    memcpy(larger + 2 + ADDED, file->at + 2, count - 2);
    unsigned char *at = larger + 2;
    memcpy(at, (const unsigned char[HEAD]){0xff, 0xc4, 0, ADDED - 2}, HEAD);
    for (int i = 0; i < TABLES; i++) {
        unsigned char *table = at + HEAD + (ptrdiff_t)i * TABLE;
        memset(table, 0, TABLE);
        table[0] = (unsigned char)(i / 4 << 4 | i % 4); /* class and id */
        table[1] = 1; /* one code of one bit */
    }
    bytes whole = {larger, file->count + ADDED};
    void *decoded = decode(&whole, out);
    sb_free(larger);
    return decoded;
}

static void convert(const void *decoded, size_t count, int bits, float *out) {
    if (bits == 32) memcpy(out, decoded, count * sizeof *out);
    for (size_t i = 0; bits == 8 && i < count; i++)
        out[i] = (float)((const stbi_uc *)decoded)[i] / 255.0f;
}

static sb_status decode_whole(const char *path, const bytes *file,
                              sb_image *out, sb_error *err) {
    if (sb_png_is(file->at, (size_t)file->count)) {
        out->fingerprint = fingerprint_of(file);
        return sb_png_read(path, file->at, (size_t)file->count, true, out, err);
    }
    sb_status status = look(path, file, out, err);
    if (status) return status;
    const char *flaw = sb_image_flaw(file->at, (size_t)file->count);
    if (flaw) return bad(path, flaw, err);
    bool is_jpeg = begins(file, "\xff\xd8\xff", 3);
    void *decoded = is_jpeg ? decode_jpeg(file, out) : decode(file, out);
    if (!decoded) return bad(path, "is damaged or cut off", err);
    size_t count =
        (size_t)out->width * (size_t)out->height * (size_t)out->channel_count;
    out->values = sb_alloc(count, sizeof *out->values);
    if (out->values) convert(decoded, count, out->bits, out->values);
    stbi_image_free(decoded);
    return out->values ? SB_OK
                       : sb_fail(err, SB_NO_MEMORY, "%s: out of memory", path);
}

static sb_status from_file(sb_image *out, const char *path,
                           sb_status (*take)(const char *path,
                                             const bytes *file, sb_image *out,
                                             sb_error *err),
                           sb_error *err) {
    bytes file = {0};
    sb_image image = {0};
    sb_status status = read_file(path, &file, err);
    if (status) return status;
    status = take(path, &file, &image, err);
    sb_free((void *)(uintptr_t)file.at);
    if (!status) *out = image;
    return status;
}

sb_status sb_image_read(sb_image *out, const char *path, sb_error *err) {
    return from_file(out, path, decode_whole, err);
}

sb_status sb_image_look(sb_image *out, const char *path, sb_error *err) {
    return from_file(out, path, look, err);
}

sb_status sb_image_decode(sb_image *out, const char *name, const void *data,
                          int count, sb_error *err) {
    bytes file = {data, count};
    sb_image image = {0};
    if (count < 1) return bad(name, "is empty", err);
    sb_status status = decode_whole(name, &file, &image, err);
    if (!status) *out = image;
    return status;
}

void sb_image_free(sb_image *image) {
    sb_free(image->values);
    *image = (sb_image){0};
}

float sb_image_grey(const sb_image *image, int x, int y) {
    const float *pixel =
        image->values + ((size_t)y * (size_t)image->width + (size_t)x) *
                            (size_t)image->channel_count;
    if (image->channel_count < 3) return pixel[0];
    return (pixel[0] + pixel[1] + pixel[2]) / 3.0f;
}
