#include "runtime/store/texture_read.h"

#include "runtime/base/memory.h"
#include "runtime/media/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the values of a picture are. */
typedef struct meaning {
    bool is_signed;
    bool is_relative;
    double scale;
} meaning;

static sb_status bad_note(const char *path, const char *note, sb_error *err) {
    return sb_fail(err, SB_BAD_FORMAT,
                   "%s: its text sandbell.weights must be 'signed' or 'signed "
                   "scale=' and a number above 0, not '%.60s'",
                   path, note);
}

static sb_status meaning_of(const char *path, const sb_image *image,
                            sb_texture_encoding encoding, meaning *out,
                            sb_error *err) {
    static const char with_scale[] = "signed scale=";
    const char *note = image->note;
    *out = (meaning){.is_signed = encoding == SB_TEXTURE_SIGNED,
                     .is_relative = true,
                     .scale = 1.0};
    if (!*note || encoding == SB_TEXTURE_PLAIN) return SB_OK;
    out->is_signed = true;
    if (strcmp(note, "signed") == 0) return SB_OK;
    size_t length = sizeof with_scale - 1;
    if (strncmp(note, with_scale, length) != 0)
        return bad_note(path, note, err);
    char *end;
    out->scale = strtod(note + length, &end);
    out->is_relative = false;
    bool is_number = end != note + length && *end == '\0';
    if (!is_number || !(out->scale > 0.0 && out->scale < 1e12))
        return bad_note(path, note, err);
    return SB_OK;
}

/* From 0 .. 1, as pictures are read, to a weight; exact at the middle. */
static float weight_of(float value, int bits, const meaning *means) {
    if (!means->is_signed) return value;
    double v = (double)value, weight = 2.0 * v - 1.0;
    if (bits == 16) weight = (round(v * 65535.0) - 32768.0) / 32767.0;
    if (bits == 8) weight = (round(v * 255.0) - 128.0) / 127.0;
    return (float)(weight * means->scale);
}

/* --- before anything is decoded ------------------------------------------------- */

/* A sentence about a texture, after the first of its files. */
static sb_status blame(const char *path, sb_status status,
                       const sb_error *reason, sb_error *err) {
    if (status == SB_BAD_ARGUMENT) status = SB_BAD_FORMAT;
    return sb_fail(err, status, "%.300s: %.200s", path, reason->message);
}

static sb_status check_like(const char *path, const sb_image *image,
                            const char *first_path, const sb_image *first,
                            sb_error *err) {
    const char *slash = strrchr(first_path, '/');
    if (slash) first_path = slash + 1;
    if (image->width == first->width && image->height == first->height)
        return SB_OK;
    return sb_fail(err, SB_BAD_FORMAT,
                   "%.200s: %d x %d pixels, but the first of its set, %.200s, "
                   "has %d x %d",
                   path, image->width, image->height, first_path, first->width,
                   first->height);
}

static sb_status check_channels(const char *path, const sb_image *image,
                                sb_texture_channels channels, sb_error *err) {
    if (channels == SB_TEXTURE_GREY || image->channel_count == 4) return SB_OK;
    return sb_fail(err, SB_BAD_FORMAT,
                   "%s: has %d channel%s; four modes in a picture need red, "
                   "green, blue and alpha",
                   path, image->channel_count,
                   image->channel_count == 1 ? "" : "s");
}

/* All of the files, by their heads; what is in each plane goes to `planes`. */
static sb_status look_at_all(const sb_texture_files *files, sb_image *first,
                             sb_texture_plane *planes, int each,
                             sb_error *err) {
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
        }
    }
    return SB_OK;
}

/* --- filling -------------------------------------------------------------------- */

static sb_status fill(const sb_texture_files *files, int i, int each,
                      const sb_texture_plane *planned, sb_texture *texture,
                      sb_error *err) {
    const char *path = files->paths[i];
    sb_image image;
    meaning means;
    sb_status status = sb_image_read(&image, path, err);
    if (status) return status;
    status = meaning_of(path, &image, files->encoding, &means, err);
    /* It may have been saved anew since it was looked at. */
    if (!status && (image.width != sb_texture_width(texture) ||
                    image.height != sb_texture_height(texture) ||
                    means.is_relative != planned->is_relative ||
                    (each == 4 && image.channel_count != 4))) {
        status =
            sb_fail(err, SB_IO_ERROR, "%s: changed while it was read", path);
    }
    int planes = sb_texture_plane_count(texture);
    float *texel = sb_texture_texels(texture) + (ptrdiff_t)each * i;
    for (int y = 0; !status && y < image.height; y++) {
        for (int x = 0; x < image.width; x++, texel += planes) {
            const float *pixel =
                image.values +
                ((ptrdiff_t)y * image.width + x) * image.channel_count;
            for (int c = 0; c < each; c++) {
                float value =
                    each == 1 ? sb_image_grey(&image, x, y) : pixel[c];
                texel[c] = weight_of(value, image.bits, &means);
            }
        }
    }
    sb_image_free(&image);
    return status;
}

static sb_status read_into(const sb_texture_files *files, int each,
                           sb_texture_plane *planes, sb_texture **out,
                           sb_error *err) {
    sb_image first;
    sb_error reason;
    sb_texture *texture;
    sb_status status = look_at_all(files, &first, planes, each, err);
    if (status) return status;
    sb_texture_def def = {.width = first.width,
                          .height = first.height,
                          .planes = planes,
                          .plane_count = each * files->path_count,
                          .wrap = files->wrap};
    status = sb_texture_create(&def, &texture, &reason);
    if (status) return blame(files->paths[0], status, &reason, err);
    for (int i = 0; i < files->path_count && !status; i++)
        status = fill(files, i, each, &planes[each * i], texture, err);
    if (status) {
        sb_texture_release(texture);
        return status;
    }
    *out = texture;
    return SB_OK;
}

/* A mistake of the caller's, whatever is in the files. */
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
                       "modes for %d images are given, and there are %d",
                       files->group_count, planes);
    }
    sb_texture_plane *room = sb_alloc((size_t)planes, sizeof *room);
    if (!room) return sb_fail(err, SB_NO_MEMORY, "texture: out of memory");
    sb_status status = check_groups(files, room, planes, err);
    if (!status) status = read_into(files, each, room, out, err);
    sb_free(room);
    return status;
}
