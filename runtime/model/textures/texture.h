/* SPDX-License-Identifier: MIT */
/* runtime/model/textures/texture.h -- weights of modes over a surface.
 *
 * A texture is a stack of planes over (u, v), each the weights of one mode or
 * of a group of modes. Modes without a plane keep their mode shapes. The values
 * of all planes at one texel are adjacent, so that reading a point touches four
 * runs of memory, whatever the number of modes. u goes from the left
 * column to the right one, v from the top row to the bottom one; the middle of
 * texel i is at (i + 1/2) / width, and between middles weights are bilinear:
 *
 *     w = (1 - a)(1 - b) w00 + a (1 - b) w10 + (1 - a) b w01 + a b w11
 *
 * A strip of height 1 is the same for all v. Between the outermost middles and
 * the edge a painted picture is constant, and absolute weights, such as
 * computed ones, are extrapolated linearly.
 *
 * A plane is absolute, in kg^-1/2 like mode shapes, or relative: 1 is then the
 * largest value of the mode on the surface.
 *
 * Thread: any. Immutable once its maker has filled it; retain and release count
 *         users across threads.
 * Memory: four bytes per texel and plane; the last release frees it.
 * Source: Maunsbach & Serafin 4.5; Zhang, Ye & Pan for the layout.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Largest number of texels of all planes, and of modes. */
#define SB_TEXTURE_MOST_TEXELS 64000000LL
enum { SB_TEXTURE_MODES = 4096 };

typedef enum sb_texture_wrap {
    SB_TEXTURE_CLAMP, /* beyond an edge, the value at the edge */
    SB_TEXTURE_REPEAT /* the right edge meets the left one, for rings */
} sb_texture_wrap;

typedef struct sb_texture_plane {
    int first, last; /* modes that it is for; the lowest is 1 */
    bool is_relative;
} sb_texture_plane;

typedef struct sb_texture_def {
    int width, height; /* texels; not both 1 */
    const sb_texture_plane *planes;
    int plane_count;
    sb_texture_wrap wrap;
} sb_texture_def;

typedef struct sb_texture sb_texture;

/* BAD_ARGUMENT: too many texels, or none; a mode out of range or in two planes.
 * A cheap check before sb_texture_create. */
SB_NODISCARD sb_status sb_texture_check(const sb_texture_def *def,
                                        sb_error *err);

/* All weights are 0; its maker fills them in. Also NO_MEMORY. */
SB_NODISCARD sb_status sb_texture_create(const sb_texture_def *def,
                                         sb_texture **out, sb_error *err);
/* For its maker: texel (x, y) of plane p is [(y width + x) plane_count + p]. */
float *sb_texture_texels(sb_texture *texture);

/* For its maker: a hash of the contents of a plane, 0 for none, to find planes
 * that have not changed. */
void sb_texture_set_fingerprint(sb_texture *texture, int plane,
                                uint64_t fingerprint);
uint64_t sb_texture_fingerprint(const sb_texture *texture, int plane);

sb_texture *sb_texture_retain(sb_texture *texture); /* NULL is allowed */
void sb_texture_release(sb_texture *texture);       /* NULL is allowed */

int sb_texture_width(const sb_texture *texture);
int sb_texture_height(const sb_texture *texture);
int sb_texture_plane_count(const sb_texture *texture);
/* The highest mode that has a plane. */
int sb_texture_mode_count(const sb_texture *texture);
/* Whether the lowest `count` modes all have a plane; whether any of those is
 * relative. */
bool sb_texture_has_all(const sb_texture *texture, int count);
bool sb_texture_is_relative(const sb_texture *texture, int count);
/* The plane of mode k, from 0; or -1. */
int sb_texture_plane_of(const sb_texture *texture, int k);

/* Its definition; `planes` has room for plane_count rows and is out->planes. */
void sb_texture_describe(const sb_texture *texture, sb_texture_plane *planes,
                         sb_texture_def *out);
/* Its weights, laid out as for its maker. */
const float *sb_texture_weights_of(const sb_texture *texture);

/* Whether all weights are equal. NULL means no texture. */
bool sb_texture_is_same(const sb_texture *a, const sb_texture *b);

/* Weights at (u, v) of the lowest `count` modes that have a plane; those of
 * other modes in `out` are not changed. Relative ones are multiplied by
 * peaks[k], the largest value of the mode (sb_model_peaks), unless that is
 * NULL. */
void sb_texture_weights(const sb_texture *texture, double u, double v,
                        int count, const double *peaks, double *out);
