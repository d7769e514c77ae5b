/* SPDX-License-Identifier: MIT */
/* runtime/store/texture_read.h -- textures of weights, read from pictures.
 *
 * One picture per mode, or four modes in the channels of an RGBA picture. The
 * values of a picture are interpreted as one of:
 *
 *   plain    grey 0 .. 1, relative to the largest weight of the mode
 *   signed   the middle is zero: 16 bits (v - 32768) / 32767, 8 bits
 *            (v - 128) / 127; relative as above or, if the file has a scale,
 *            absolute, in kg^-1/2
 *
 * A PNG declares this by a tEXt chunk with the keyword sandbell.weights and the
 * text "signed" or "signed scale=0.25"; other files are plain unless the caller
 * says otherwise. Values are linear: no gamma correction.
 *
 * Thread: control, workers. Memory: the caller releases the texture.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/textures/texture.h"

typedef enum sb_texture_channels {
    SB_TEXTURE_GREY, /* a picture is one plane: the mean of its colours */
    SB_TEXTURE_RGBA  /* a picture is four planes, one per channel */
} sb_texture_channels;

typedef enum sb_texture_encoding {
    SB_TEXTURE_AS_SAID, /* as the file declares; else plain */
    SB_TEXTURE_PLAIN,
    SB_TEXTURE_SIGNED
} sb_texture_encoding;

/* The modes that a plane applies to; the lowest is 1. */
typedef struct sb_texture_group {
    int first, last;
} sb_texture_group;

typedef struct sb_texture_files {
    const char *const *paths;
    int path_count;
    sb_texture_channels channels;
    sb_texture_encoding encoding;
    sb_texture_wrap wrap;
    const sb_texture_group *groups; /* one per plane; NULL: mode 1, 2, 3 ... */
    int group_count;
    /* Textures read earlier, perhaps from some of the same files; planes whose
     * files have not changed are copied from them. */
    const sb_texture *const *known;
    int known_count;
} sb_texture_files;

/* NOT_FOUND, IO_ERROR, NO_MEMORY, or BAD_FORMAT with a message that begins with
 * the path: a file that sb_image_read rejects, pictures of different sizes,
 * missing channels, or too many texels in all (checked before decoding).
 * BAD_ARGUMENT for groups that do not fit. */
SB_NODISCARD sb_status sb_texture_read(const sb_texture_files *files,
                                       sb_texture **out, sb_error *err);
