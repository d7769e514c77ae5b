/* SPDX-License-Identifier: MIT */
#include "runtime/store/texture_read.h"

#include "runtime/base/memory.h"
#include "runtime/media/image/image.h"
#include "runtime/media/image/png_file.h"

#include <stdint.h>
#include <string.h>

/* How the values of a picture are interpreted. */
typedef struct meaning {
    bool is_signed;
    bool is_relative;
    double scale;
} meaning;

static sb_status bad_note(const char *path, const char *note, sb_error *err) {
    return sb_fail_in(err, SB_BAD_FORMAT, path, 0,
                      "its text sandbell.weights must be 'signed' or 'signed "
                      "scale=' and a number above 0, not '%.60s'",
                      note);
}

static sb_status meaning_of(const char *path, const sb_image *image,
                            sb_texture_encoding encoding, meaning *out,
                            sb_error *err) {
    *out = (meaning){.is_signed = encoding == SB_TEXTURE_SIGNED,
                     .is_relative = true,
                     .scale = 1.0};
    if (!image->has_note || encoding == SB_TEXTURE_PLAIN) return SB_OK;
    sb_weights_note note;
    if (!sb_weights_note_read(image->note, &note))
        return bad_note(path, image->note, err);
    *out = (meaning){
        .is_signed = true, .is_relative = !note.has_scale, .scale = note.scale};
    return SB_OK;
}

/* Convert 0 .. 1, as pictures are read, to a weight; exact at the middle. */
static float weight_of(float value, int bits, const meaning *means) {
    if (!means->is_signed) return value;
    double v = (double)value, weight = 2.0 * v - 1.0;
    /* Rounded by hand: round() is a function call, and there are millions. */
    if (bits == 16) weight = ((int)(v * 65535.0 + 0.5) - 32768) / 32767.0;
    if (bits == 8) weight = ((int)(v * 255.0 + 0.5) - 128) / 127.0;
    return (float)(weight * means->scale);
}

/* --- checks before decoding ----------------------------------------------- */

/* A message about a texture, beginning with the path of its first file. */
static sb_status blame(const char *path, sb_status status,
                       const sb_error *reason, sb_error *err) {
    if (status == SB_BAD_ARGUMENT) status = SB_BAD_FORMAT;
    return sb_fail_in(err, status, path, 0, "%.200s", reason->message);
}

static sb_status check_like(const char *path, const sb_image *image,
                            const char *first_path, const sb_image *first,
                            sb_error *err) {
    const char *slash = strrchr(first_path, '/');
    if (slash) first_path = slash + 1;
    if (image->width == first->width && image->height == first->height)
        return SB_OK;
    return sb_fail_in(err, SB_BAD_FORMAT, path, 0,
                      "%d x %d pixels, but the first of its set, %.200s, has "
                      "%d x %d",
                      image->width, image->height, first_path, first->width,
                      first->height);
}

static sb_status check_channels(const char *path, const sb_image *image,
                                sb_texture_channels channels, sb_error *err) {
    if (channels == SB_TEXTURE_GREY || image->channel_count == 4) return SB_OK;
    return sb_fail_in(err, SB_BAD_FORMAT, path, 0,
                      "has %d channel%s; four modes in a picture need red, "
                      "green, blue and alpha",
                      image->channel_count,
                      image->channel_count == 1 ? "" : "s");
}

/* Hash of the file and of how it is interpreted. Never 0. */
static uint64_t fingerprint_of(const sb_texture_files *files,
                               const sb_image *image, int channel) {
    uint64_t how = (uint64_t)files->encoding << 8 |
                   (uint64_t)files->channels << 4 | (uint64_t)channel;
    return (image->fingerprint ^ how * 0x9e3779b97f4a7c15u) | 1;
}

/* Read the headers of all files; fill `planes` and `fingerprints`. */
static sb_status look_at_all(const sb_texture_files *files, sb_image *first,
                             sb_texture_plane *planes, uint64_t *fingerprints,
                             int each, sb_error *err) {
    for (int i = 0; i < files->path_count; i++) {
        const char *path = files->paths[i];
        sb_image image;
        meaning means;
        sb_status status = sb_image_look(&image, path, err);
        if (!status && i == 0) *first = image;
        if (!status)
            status = check_like(path, &image, files->paths[0], first, err);
        if (!status)
            status = check_channels(path, &image, files->channels, err);
        if (!status)
            status = meaning_of(path, &image, files->encoding, &means, err);
        if (status) return status;
        for (int p = each * i; p < each * (i + 1); p++) {
            sb_texture_group group = {p + 1, p + 1};
            if (files->groups) group = files->groups[p];
            planes[p] =
                (sb_texture_plane){group.first, group.last, means.is_relative};
            fingerprints[p] = fingerprint_of(files, &image, p - each * i);
        }
    }
    return SB_OK;
}

/* --- decoding ------------------------------------------------------------- */

/* Bounds values of HDR pictures, whose range is unlimited. */
#define MOST_WEIGHT 1e6f

static sb_status check_values(const char *path, const sb_image *image,
                              sb_error *err) {
    ptrdiff_t count =
        (ptrdiff_t)image->width * image->height * image->channel_count;
    for (ptrdiff_t i = 0; image->bits == 32 && i < count; i++) {
        if (!(image->values[i] <= MOST_WEIGHT)) {
            return sb_fail_in(err, SB_BAD_FORMAT, path, 0,
                              "contains %g; the largest weight is %g",
                              (double)image->values[i], (double)MOST_WEIGHT);
        }
    }
    return SB_OK;
}

static void lay_down(const sb_image *image, int each, int i,
                     const meaning *means, sb_texture *texture) {
    int planes = sb_texture_plane_count(texture);
    float *texel = sb_texture_texels(texture) + (ptrdiff_t)each * i;
    const float *pixel = image->values;
    for (int y = 0; y < image->height; y++) {
        for (int x = 0; x < image->width; x++) {
            for (int c = 0; c < each; c++) {
                float value = each == 1 ? sb_image_grey(image, x, y) : pixel[c];
                texel[c] = weight_of(value, image->bits, means);
            }
            pixel += image->channel_count;
            texel += planes;
        }
    }
}

static sb_status fill(const sb_texture_files *files, int i, int each,
                      const sb_texture_plane *planned, sb_texture *texture,
                      sb_error *err) {
    const char *path = files->paths[i];
    sb_image image;
    meaning means;
    sb_status status = sb_image_read(&image, path, err);
    if (status) return status;
    status = meaning_of(path, &image, files->encoding, &means, err);
    /* The file may have been replaced since its header was read. */
    if (!status && (image.width != sb_texture_width(texture) ||
                    image.height != sb_texture_height(texture) ||
                    means.is_relative != planned->is_relative ||
                    (each == 4 && image.channel_count != 4))) {
        status =
            sb_fail_in(err, SB_IO_ERROR, path, 0, "changed while it was read");
    }
    if (!status) status = check_values(path, &image, err);
    if (!status) lay_down(&image, each, i, &means, texture);
    for (int c = 0; c < each && !status; c++)
        sb_texture_set_fingerprint(texture, each * i + c,
                                   fingerprint_of(files, &image, c));
    sb_image_free(&image);
    return status;
}

/* --- unchanged planes ----------------------------------------------------- */

static int count_alike(const sb_texture *known, const uint64_t *fingerprints) {
    int count = 0;
    for (int p = 0; p < sb_texture_plane_count(known); p++)
        count += sb_texture_fingerprint(known, p) == fingerprints[p];
    return count;
}

/* Copy from the known texture with the most matching planes; planes with other
 * fingerprints remain to be read. */
static void take_known(const sb_texture_files *files,
                       const uint64_t *fingerprints, sb_texture *texture) {
    const sb_texture *best = NULL;
    int most = 0, planes = sb_texture_plane_count(texture);
    for (int i = 0; i < files->known_count; i++) {
        const sb_texture *known = files->known[i];
        if (sb_texture_width(known) != sb_texture_width(texture) ||
            sb_texture_height(known) != sb_texture_height(texture) ||
            sb_texture_plane_count(known) != planes) {
            continue;
        }
        int count = count_alike(known, fingerprints);
        if (count > most) best = known;
        if (count > most) most = count;
    }
    if (!best) return;
    size_t texels = (size_t)sb_texture_width(texture) *
                    (size_t)sb_texture_height(texture) * (size_t)planes;
    memcpy(sb_texture_texels(texture),
           sb_texture_texels((sb_texture *)(uintptr_t)best),
           texels * sizeof(float));
    for (int p = 0; p < planes; p++)
        sb_texture_set_fingerprint(texture, p, sb_texture_fingerprint(best, p));
}

static bool is_known(const sb_texture *texture, const uint64_t *fingerprints,
                     int first, int count) {
    for (int p = first; p < first + count; p++) {
        if (sb_texture_fingerprint(texture, p) != fingerprints[p]) return false;
    }
    return true;
}

static sb_status read_into(const sb_texture_files *files, int each,
                           sb_texture_plane *planes, uint64_t *fingerprints,
                           sb_texture **out, sb_error *err) {
    sb_image first;
    sb_error reason;
    sb_texture *texture;
    sb_status status =
        look_at_all(files, &first, planes, fingerprints, each, err);
    if (status) return status;
    sb_texture_def def = {.width = first.width,
                          .height = first.height,
                          .planes = planes,
                          .plane_count = each * files->path_count,
                          .wrap = files->wrap};
    status = sb_texture_create(&def, &texture, &reason);
    if (status) return blame(files->paths[0], status, &reason, err);
    take_known(files, fingerprints, texture);
    for (int i = 0; i < files->path_count && !status; i++) {
        if (!is_known(texture, fingerprints, each * i, each))
            status = fill(files, i, each, &planes[each * i], texture, err);
    }
    if (status) {
        sb_texture_release(texture);
        return status;
    }
    *out = texture;
    return SB_OK;
}

/* Reports an error of the caller, independent of the files' contents. */
static sb_status check_groups(const sb_texture_files *files,
                              sb_texture_plane *room, int planes,
                              sb_error *err) {
    for (int p = 0; files->groups && p < planes; p++) {
        sb_texture_group group = files->groups[p];
        room[p] = (sb_texture_plane){group.first, group.last, true};
    }
    sb_texture_def def = {
        .width = 2, .height = 1, .planes = room, .plane_count = planes};
    return files->groups ? sb_texture_check(&def, err) : SB_OK;
}

sb_status sb_texture_read(const sb_texture_files *files, sb_texture **out,
                          sb_error *err) {
    int each = files->channels == SB_TEXTURE_RGBA ? 4 : 1;
    if (files->path_count < 1 || files->path_count > SB_TEXTURE_MODES / each) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%d pictures; a texture has 1 to %d", files->path_count,
                       (int)SB_TEXTURE_MODES / each);
    }
    int planes = each * files->path_count;
    if (files->groups && files->group_count != planes) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "`modes` has %d entries; %d are needed",
                       files->group_count, planes);
    }
    sb_texture_plane *room = sb_alloc((size_t)planes, sizeof *room);
    uint64_t *fingerprints = sb_alloc((size_t)planes, sizeof *fingerprints);
    sb_status status = SB_OK;
    if (!room || !fingerprints) status = sb_no_memory(err, "texture");
    if (!status) status = check_groups(files, room, planes, err);
    if (!status) status = read_into(files, each, room, fingerprints, out, err);
    sb_free(room);
    sb_free(fingerprints);
    return status;
}
