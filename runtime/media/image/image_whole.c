/* Checks that JPEG, BMP, TGA and HDR files are complete before stb_image
 * decodes them. Control thread and workers. */
#include "runtime/media/image/image_whole.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

const char *sb_image_flaw(const unsigned char *bytes, size_t count) {
    if (begins(bytes, count, "\xff\xd8\xff", 3))
        return flaw_of_jpeg(bytes, count);
    if (begins(bytes, count, "BM", 2)) return flaw_of_bmp(bytes, count);
    if (begins(bytes, count, "#?", 2)) return flaw_of_hdr(bytes, count);
    return flaw_of_tga(bytes, count);
}
