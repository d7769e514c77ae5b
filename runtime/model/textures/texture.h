/* runtime/model/textures/texture.h -- how strongly each mode answers at each place.
 *
 * A texture is a stack of planes over (u, v), each the weights of one mode or
 * of a group of modes. Modes that no plane is for keep their mode shapes. The
 * values of all planes at one texel lie side by side, so that a place asks for
 * four runs of memory, whatever the number of modes. u goes from the left
 * column to the right one, v from the top row to the bottom one; the middle of
 * texel i is at (i + 1/2) / width, and between middles it is bilinear:
 *
 *     w = (1 - a)(1 - b) w00 + a (1 - b) w10 + (1 - a) b w01 + a b w11
 *
 * A strip of height 1 is the same for all v. Between the outermost middles and
 * the edge a painted picture stays as it is, and weights that are absolute, as
 * computed ones are, go on in a straight line.
 *
 * A plane is absolute, in kg^-1/2 as mode shapes are, or relative: then 1 is as
 * strong as the mode is at its strongest place.
 *
 * Thread: any. Immutable once its maker has filled it; retain and release count
 *         users across threads.
 * Memory: four bytes a texel and plane; the last release frees it.
 * Source: Maunsbach & Serafin 4.5; Zhang, Ye & Pan for the layout.
 */
#ifndef SB_MODEL_TEXTURES_TEXTURE_H
#define SB_MODEL_TEXTURES_TEXTURE_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Of all planes together; and modes that planes may be for. */
#define SB_TEXTURE_MOST_TEXELS 64000000LL
enum { SB_TEXTURE_MODES = 4096 };

typedef enum sb_texture_wrap {
    SB_TEXTURE_CLAMP, /* beyond the edge it is as at the edge */
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
 * Cheap: to know beforehand whether sb_texture_create would be refused. */
SB_NODISCARD sb_status sb_texture_check(const sb_texture_def *def,
                                        sb_error *err);

/* All weights are 0; its maker goes on to fill it. Also NO_MEMORY. */
SB_NODISCARD sb_status sb_texture_create(const sb_texture_def *def,
                                         sb_texture **out, sb_error *err);
/* For its maker: texel (x, y) of plane p is [(y width + x) plane_count + p]. */
float *sb_texture_texels(sb_texture *texture);

/* For its maker, too: a number that other contents of a plane hardly have, 0 for
 * none, so that who makes the next one knows what has not changed. */
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
/* Do the lowest `count` modes all have one? Is any of them relative? */
bool sb_texture_has_all(const sb_texture *texture, int count);
bool sb_texture_is_relative(const sb_texture *texture, int count);
/* Of mode k, from 0: the plane, or -1. */
int sb_texture_plane_of(const sb_texture *texture, int k);

/* The same weights everywhere? NULL is no texture. */
bool sb_texture_is_same(const sb_texture *a, const sb_texture *b);

/* Weights at (u, v) of the lowest `count` modes that have a plane, the others
 * stay as they are in `out`. Relative ones are times peaks[k], what the mode is
 * at its strongest place; NULL: as they are. */
void sb_texture_weights(const sb_texture *texture, double u, double v,
                        int count, const double *peaks, double *out);

#endif
