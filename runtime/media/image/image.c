/* SPDX-License-Identifier: MIT */
/* Reads a picture file: detects its format, checks its size, decodes it (PNG in
 * png_file.c, the others with stb_image). Control thread and workers.
 *
 * stb_image decodes a truncated file as if the rest were black, and does not
 * check checksums. Since a weight of zero is meaningful here, files are checked
 * before they are decoded:
 *   JPEG  has its end marker, and is grey or RGB, not CMYK
 *   BMP, TGA, HDR   have all the bytes that the header implies; for run-length
 *         encoded rows, the packets are followed */
#include "runtime/media/image/image.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/media/image/image_internal.h"

#include <stb_image.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static const char cut_off[] = "is cut off";
static const char bad_codes[] = "is damaged: its Huffman tables are too long";

static bool begins(const unsigned char *bytes, size_t count, const char *magic,
                   size_t length) {
    return count >= length && memcmp(bytes, magic, length) == 0;
}

static uint32_t little32(const unsigned char *at) {
    return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 |
           (uint32_t)at[1] << 8 | at[0];
}

static uint32_t little16(const unsigned char *at) {
    return (uint32_t)at[1] << 8 | at[0];
}

/* --- JPEG ----------------------------------------------------------------- */

static bool is_frame_head(unsigned char marker) {
    /* SOF0 .. SOF15 without DHT, JPG and DAC, which are in the same range. */
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 &&
           marker != 0xc8 && marker != 0xcc;
}

/* Huffman tables, from their length field on. A table has at most 256 symbols,
 * but stb_image writes as many as the file declares. */
static bool has_sane_codes(const unsigned char *at, size_t count) {
    size_t length = count >= 2 ? (size_t)at[0] << 8 | at[1] : 0;
    /* stb_image reads a table as long as bytes of the segment remain, and may
     * read past its end. */
    for (size_t i = 2; i < length;) {
        size_t symbols = 0;
        for (size_t k = i + 1; k <= i + 16; k++)
            symbols += k < count ? at[k] : 0;
        if (symbols > 256) return false;
        i += 17 + symbols;
    }
    return true;
}

/* After the header of the first scan, where markers may be anywhere. */
static const char *flaw_of_scans(const unsigned char *bytes, size_t count,
                                 size_t at) {
    bool has_end = false;
    for (; at + 1 < count; at++) {
        if (bytes[at] != 0xff) continue;
        unsigned char marker = bytes[at + 1];
        if (marker == 0xd9) has_end = true;
        if (marker == 0xc4 && !has_sane_codes(bytes + at + 2, count - at - 2))
            return bad_codes;
    }
    return has_end ? NULL : cut_off;
}

static const char *flaw_of_jpeg(const unsigned char *bytes, size_t count) {
    size_t at = 2;
    while (at + 4 <= count) {
        if (bytes[at] != 0xff) return "is damaged: a marker is missing";
        unsigned char marker = bytes[at + 1];
        if (marker == 0xff) { /* fill bytes may precede a marker */
            at++;
            continue;
        }
        size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length < 2) return "is damaged: a segment has an invalid length";
        if (length > count - at - 2) return cut_off;
        if (marker == 0xc4 && !has_sane_codes(bytes + at + 2, count - at - 2))
            return bad_codes;
        if (is_frame_head(marker) && length >= 8 && bytes[at + 9] == 4)
            return "is a CMYK JPEG; save it as grey or RGB";
        at += 2 + length;
        if (marker == 0xda) return flaw_of_scans(bytes, count, at);
    }
    return cut_off;
}

/* --- BMP, TGA ------------------------------------------------------------- */

static const char *flaw_of_bmp(const unsigned char *bytes, size_t count) {
    if (count < 30) return cut_off;
    uint64_t offset = little32(bytes + 10), width, height, bits;
    if (little32(bytes + 14) == 12) {
        width = little16(bytes + 18);
        height = little16(bytes + 20);
        bits = little16(bytes + 24);
    } else {
        width = little32(bytes + 18);
        height = little32(bytes + 22);
        bits = little16(bytes + 28);
        if (height & 0x80000000u) height = 0x100000000u - height; /* top down */
    }
    uint64_t row = (width * bits + 31) / 32 * 4;
    if (height > 0 && row > (UINT64_MAX >> 1) / height) return cut_off;
    return offset + row * height > count ? cut_off : NULL;
}

/* Run-length packets of TGA: one repeated pixel, or several pixels. */
static bool has_packets(const unsigned char *bytes, size_t count, size_t at,
                        uint64_t pixels, size_t pixel_bytes) {
    while (pixels > 0) {
        if (at >= count) return false;
        unsigned char head = bytes[at++];
        uint64_t run = (uint64_t)(head & 0x7f) + 1;
        size_t size = head & 0x80 ? pixel_bytes : (size_t)run * pixel_bytes;
        if (size > count - at) return false;
        at += size;
        pixels -= run < pixels ? run : pixels;
    }
    return true;
}

static const char *flaw_of_tga(const unsigned char *bytes, size_t count) {
    if (count < 18) return cut_off;
    size_t colours = bytes[1] ? little16(bytes + 5) : 0;
    size_t at = 18 + bytes[0] + colours * ((bytes[7] + 7u) / 8);
    uint64_t pixels =
        (uint64_t)little16(bytes + 12) * (uint64_t)little16(bytes + 14);
    size_t pixel_bytes = (bytes[16] + 7u) / 8;
    if (at > count) return cut_off;
    bool is_packed = bytes[2] >= 8;
    bool is_there = is_packed
                        ? has_packets(bytes, count, at, pixels, pixel_bytes)
                        : pixels * pixel_bytes <= count - at;
    return is_there ? NULL : cut_off;
}

/* --- HDR ------------------------------------------------------------------ */

/* Skip one row of one of the four components; returns its end, or 0. */
static size_t pass_runs(const unsigned char *bytes, size_t count, size_t at,
                        size_t width) {
    size_t done = 0;
    while (done < width) {
        if (at >= count) return 0;
        size_t head = bytes[at++];
        size_t run = head > 128 ? head - 128 : head;
        size_t size = head > 128 ? 1 : run;
        if (run == 0 || run > width - done || size > count - at) return 0;
        at += size;
        done += run;
    }
    return at;
}

static size_t read_size(const unsigned char **at, const unsigned char *end) {
    size_t size = 0;
    while (*at < end && **at >= '0' && **at <= '9' && size < 1000000)
        size = 10 * size + (size_t)(*(*at)++ - '0');
    return size;
}

static const char *flaw_of_hdr(const unsigned char *bytes, size_t count) {
    static const char damaged_row[] = "is cut off, or a row of it is damaged";
    size_t at = 0;
    while (at + 1 < count && (bytes[at] != '\n' || bytes[at + 1] != '\n'))
        at++;
    const unsigned char *text = bytes + at + 2, *end = bytes + count;
    if (at + 2 >= count || end - text < 3 || memcmp(text, "-Y ", 3) != 0)
        return "has no size in the usual form -Y height +X width";
    text += 3;
    size_t height = read_size(&text, end);
    if (end - text < 4 || memcmp(text, " +X ", 4) != 0)
        return "has no size in the usual form -Y height +X width";
    text += 4;
    size_t width = read_size(&text, end);
    if (text == end) return cut_off;
    /* stb_image also accepts blanks here, and would read a different size. */
    if (width == 0 || height == 0 || *text != '\n')
        return "has no size in the usual form -Y height +X width";
    at = (size_t)(text - bytes) + 1; /* after the end of the line */
    bool is_packed = width >= 8 && width < 32768 && count - at >= 4 &&
                     bytes[at] == 2 && bytes[at + 1] == 2 &&
                     !(bytes[at + 2] & 0x80);
    if (!is_packed) return 4 * width * height > count - at ? cut_off : NULL;
    for (size_t row = 0; row < height; row++) {
        if (count - at < 4) return cut_off;
        at += 4;
        for (int part = 0; part < 4; part++) {
            at = pass_runs(bytes, count, at, width);
            if (at == 0) return damaged_row;
        }
    }
    return NULL;
}

/* NULL, or the rest of a message that begins with the path. A file that is none
 * of the other formats is taken for TGA. */
static const char *flaw_of(const unsigned char *bytes, size_t count) {
    if (begins(bytes, count, "\xff\xd8\xff", 3))
        return flaw_of_jpeg(bytes, count);
    if (begins(bytes, count, "BM", 2)) return flaw_of_bmp(bytes, count);
    if (begins(bytes, count, "#?", 2)) return flaw_of_hdr(bytes, count);
    return flaw_of_tga(bytes, count);
}

/* A larger file cannot be a picture within the limits of image.h. */
enum { FILE_MAX = 1 << 28 };

static sb_status bad(const char *path, const char *why, sb_error *err) {
    return sb_fail_in(err, SB_BAD_FORMAT, path, 0, "%s", why);
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
        const char *after = why.message + strlen(why.file);
        return sb_fail_in(err, status, path, 0, "%s",
                          after + strspn(after, ": "));
    }
    if (count == 0) {
        sb_free(text);
        return bad(path, "is empty", err);
    }
    *out = (bytes){(unsigned char *)text, (int)count};
    return SB_OK;
}

/* --- format --------------------------------------------------------------- */

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
    return begins(file->at, (size_t)file->count, "\xff\xd8\xff", 3) ||
           begins(file->at, (size_t)file->count, "BM", 2) ||
           begins(file->at, (size_t)file->count, "#?RADIANCE", 10) ||
           begins(file->at, (size_t)file->count, "#?RGBE", 6) ||
           may_be_tga(file, path);
}

sb_status sb_image_check_size(const char *path, int64_t width, int64_t height,
                              sb_error *err) {
    if (width < 1 || height < 1) {
        return sb_fail_in(err, SB_BAD_FORMAT, path, 0,
                          "%lld x %lld pixels: a picture needs at least 1 x 1",
                          (long long)width, (long long)height);
    }
    if (width > SB_IMAGE_MAX_SIDE || height > SB_IMAGE_MAX_SIDE ||
        width > SB_IMAGE_MAX_PIXELS / height) {
        return sb_fail_in(
            err, SB_BAD_FORMAT, path, 0,
            "%lld x %lld pixels exceed the limit of %d per side or "
            "%d in all",
            (long long)width, (long long)height, (int)SB_IMAGE_MAX_SIDE,
            (int)SB_IMAGE_MAX_PIXELS);
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
    const char *flaw = begins(file->at, (size_t)file->count, "\xff\xd8\xff", 3)
                           ? flaw_of(file->at, count)
                           : NULL;
    if (flaw) return bad(path, flaw, err);
    if (!stbi_info_from_memory(file->at, file->count, &out->width, &out->height,
                               &out->channel_count)) {
        flaw = flaw_of(file->at, count);
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
    const char *flaw = flaw_of(file->at, (size_t)file->count);
    if (flaw) return bad(path, flaw, err);
    bool is_jpeg = begins(file->at, (size_t)file->count, "\xff\xd8\xff", 3);
    void *decoded = is_jpeg ? decode_jpeg(file, out) : decode(file, out);
    if (!decoded) return bad(path, "is damaged or cut off", err);
    size_t count =
        (size_t)out->width * (size_t)out->height * (size_t)out->channel_count;
    out->values = sb_alloc(count, sizeof *out->values);
    if (out->values) convert(decoded, count, out->bits, out->values);
    stbi_image_free(decoded);
    return out->values
               ? SB_OK
               : sb_fail_in(err, SB_NO_MEMORY, path, 0, "out of memory");
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
