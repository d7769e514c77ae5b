/* runtime/store/texture_read.h -- textures of weights from pictures.
 *
 * One picture a mode, or four modes packed in the channels of an RGBA picture.
 * What a picture's values mean:
 *
 *   plain    grey 0 .. 1 as it is, times what the mode is at its strongest
 *   signed   the middle is zero: 16 bits (v - 32768) / 32767, 8 bits
 *            (v - 128) / 127; relative as above, or with a scale in the file
 *            absolute, in kg^-1/2
 *
 * A PNG says so itself by a tEXt chunk with the keyword sandbell.weights and
 * the text "signed" or "signed scale=0.25"; the others are plain unless the
 * caller knows better. Values are linear: no gamma is undone.
 *
 * Thread: control, workers. Memory: the texture is the caller's to release.
 */
#ifndef SB_STORE_TEXTURE_READ_H
#define SB_STORE_TEXTURE_READ_H

#include "runtime/base/status.h"
#include "runtime/model/textures/texture.h"

typedef enum sb_texture_channels {
    SB_TEXTURE_GREY, /* a picture is one plane: the mean of its colours */
    SB_TEXTURE_RGBA  /* a picture has four channels and is four planes */
} sb_texture_channels;

typedef enum sb_texture_encoding {
    SB_TEXTURE_AS_SAID, /* by the file; else plain */
    SB_TEXTURE_PLAIN,
    SB_TEXTURE_SIGNED
} sb_texture_encoding;

/* Modes that a plane is for; the lowest is 1. */
typedef struct sb_texture_group {
    int first, last;
} sb_texture_group;

typedef struct sb_texture_files {
    const char *const *paths;
    int path_count;
    sb_texture_channels channels;
    sb_texture_encoding encoding;
    sb_texture_wrap wrap;
    const sb_texture_group *groups; /* one a plane; NULL: mode 1, 2, 3 ... */
    int group_count;
    /* Textures that may have been read from some of the same files, as they
     * were then: what has not changed since is taken from them. */
    const sb_texture *const *known;
    int known_count;
} sb_texture_files;

/* NOT_FOUND, IO_ERROR, NO_MEMORY, or BAD_FORMAT with a sentence that begins
 * with the path: what sb_image_read refuses, pictures of different sizes, one
 * that has not the channels that are asked for, too many texels in all (known
 * before any is decoded). BAD_ARGUMENT for groups that do not fit. */
SB_NODISCARD sb_status sb_texture_read(const sb_texture_files *files,
                                       sb_texture **out, sb_error *err);

#endif
