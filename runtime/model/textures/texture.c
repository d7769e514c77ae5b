/* SPDX-License-Identifier: MIT */
/* Textures of modal weights: planes, their users, and bilinear reading
 * (texture.h). Thread: any. */
#include "runtime/model/textures/texture.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

struct sb_texture {
    atomic_int users;
    int width, height, plane_count;
    sb_texture_wrap wrap;
    int mode_count;
    bool is_plain;  /* mode k has plane k: the short path */
    bool goes_on;   /* all planes are absolute: see the header */
    int *plane_of;  /* of each mode, or -1 */
    bool *relative; /* of each plane */
    uint64_t *fingerprints;
    float *texels;
};

/* --- making --------------------------------------------------------------- */

static sb_status check_size(const sb_texture_def *def, sb_error *err) {
    long long texels = (long long)def->width * def->height;
    if (def->width < 1 || def->height < 1 || texels == 1) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%d x %d texels cannot tell places apart; a texture has "
                       "2 or more along a side",
                       def->width, def->height);
    }
    if (def->plane_count < 1 || def->plane_count > SB_TEXTURE_MODES) {
        return sb_fail(err, SB_BAD_ARGUMENT, "%d planes; a texture has 1 to %d",
                       def->plane_count, (int)SB_TEXTURE_MODES);
    }
    if (texels > SB_TEXTURE_MOST_TEXELS / def->plane_count) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%d x %d texels for %s%d mode%s are more than %lld "
                       "million in all",
                       def->width, def->height,
                       def->plane_count > 1 ? "each of " : "", def->plane_count,
                       def->plane_count > 1 ? "s" : "",
                       SB_TEXTURE_MOST_TEXELS / 1000000);
    }
    return SB_OK;
}

static sb_status check_modes(const sb_texture_def *def, sb_error *err) {
    bool is_taken[SB_TEXTURE_MODES] = {false};
    for (int p = 0; p < def->plane_count; p++) {
        const sb_texture_plane *plane = &def->planes[p];
        if (plane->first < 1 || plane->last < plane->first ||
            plane->last > SB_TEXTURE_MODES) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "image %d is for the modes %d to %d; modes are "
                           "counted from 1 to %d",
                           p + 1, plane->first, plane->last,
                           (int)SB_TEXTURE_MODES);
        }
        for (int k = plane->first - 1; k < plane->last; k++) {
            if (is_taken[k]) {
                return sb_fail(err, SB_BAD_ARGUMENT, "mode %d has two images",
                               k + 1);
            }
            is_taken[k] = true;
        }
    }
    return SB_OK;
}

sb_status sb_texture_check(const sb_texture_def *def, sb_error *err) {
    sb_status status = check_size(def, err);
    return status ? status : check_modes(def, err);
}

static void destroy(sb_texture *texture) {
    sb_free_all(texture->plane_of, texture->relative, texture->fingerprints,
                texture->texels, texture);
}

static void spread_planes(sb_texture *texture, const sb_texture_def *def) {
    texture->is_plain = texture->mode_count == def->plane_count;
    texture->goes_on = def->wrap == SB_TEXTURE_CLAMP;
    for (int k = 0; k < texture->mode_count; k++)
        texture->plane_of[k] = -1;
    for (int p = 0; p < def->plane_count; p++) {
        const sb_texture_plane *plane = &def->planes[p];
        texture->relative[p] = plane->is_relative;
        if (plane->is_relative) texture->goes_on = false;
        for (int k = plane->first - 1; k < plane->last; k++)
            texture->plane_of[k] = p;
        if (plane->first != p + 1) texture->is_plain = false;
    }
}

sb_status sb_texture_create(const sb_texture_def *def, sb_texture **out,
                            sb_error *err) {
    sb_status status = sb_texture_check(def, err);
    if (status) return status;
    sb_texture *texture = sb_alloc(1, sizeof *texture);
    if (!texture) return sb_no_memory(err, "texture");
    *texture = (sb_texture){.users = 1,
                            .width = def->width,
                            .height = def->height,
                            .plane_count = def->plane_count,
                            .wrap = def->wrap};
    for (int p = 0; p < def->plane_count; p++) {
        if (def->planes[p].last > texture->mode_count)
            texture->mode_count = def->planes[p].last;
    }
    size_t texels = (size_t)def->width * (size_t)def->height;
    size_t modes = (size_t)texture->mode_count;
    texture->plane_of = sb_alloc(modes, sizeof *texture->plane_of);
    texture->relative =
        sb_alloc((size_t)def->plane_count, sizeof *texture->relative);
    texture->fingerprints =
        sb_alloc((size_t)def->plane_count, sizeof *texture->fingerprints);
    texture->texels =
        sb_alloc(texels * (size_t)def->plane_count, sizeof *texture->texels);
    if (!texture->plane_of || !texture->relative || !texture->fingerprints ||
        !texture->texels) {
        destroy(texture);
        return sb_no_memory(err, "texture");
    }
    spread_planes(texture, def);
    *out = texture;
    return SB_OK;
}

float *sb_texture_texels(sb_texture *texture) {
    return texture->texels;
}

void sb_texture_set_fingerprint(sb_texture *texture, int plane,
                                uint64_t fingerprint) {
    texture->fingerprints[plane] = fingerprint;
}

uint64_t sb_texture_fingerprint(const sb_texture *texture, int plane) {
    return texture->fingerprints[plane];
}

sb_texture *sb_texture_retain(sb_texture *texture) {
    if (texture)
        atomic_fetch_add_explicit(&texture->users, 1, memory_order_relaxed);
    return texture;
}

void sb_texture_release(sb_texture *texture) {
    /* The last user must see all that the others wrote before their release. */
    if (texture && atomic_fetch_sub_explicit(&texture->users, 1,
                                             memory_order_acq_rel) == 1) {
        destroy(texture);
    }
}

/* --- questions ------------------------------------------------------------ */

void sb_texture_describe(const sb_texture *texture, sb_texture_plane *planes,
                         sb_texture_def *out) {
    for (int p = 0; p < texture->plane_count; p++)
        planes[p] = (sb_texture_plane){.is_relative = texture->relative[p]};
    for (int k = texture->mode_count - 1; k >= 0; k--) {
        int p = texture->plane_of[k];
        if (p < 0) continue;
        planes[p].first = k + 1;
        if (planes[p].last == 0) planes[p].last = k + 1;
    }
    *out = (sb_texture_def){.width = texture->width,
                            .height = texture->height,
                            .planes = planes,
                            .plane_count = texture->plane_count,
                            .wrap = texture->wrap};
}

const float *sb_texture_weights_of(const sb_texture *texture) {
    return texture->texels;
}

int sb_texture_width(const sb_texture *texture) {
    return texture->width;
}

int sb_texture_height(const sb_texture *texture) {
    return texture->height;
}

int sb_texture_plane_count(const sb_texture *texture) {
    return texture->plane_count;
}

int sb_texture_mode_count(const sb_texture *texture) {
    return texture->mode_count;
}

int sb_texture_plane_of(const sb_texture *texture, int k) {
    return k < texture->mode_count ? texture->plane_of[k] : -1;
}

bool sb_texture_has_all(const sb_texture *texture, int count) {
    if (count > texture->mode_count) return false;
    for (int k = 0; k < count && !texture->is_plain; k++) {
        if (texture->plane_of[k] < 0) return false;
    }
    return true;
}

bool sb_texture_is_relative(const sb_texture *texture, int count) {
    for (int k = 0; k < count && k < texture->mode_count; k++) {
        int p = texture->plane_of[k];
        if (p >= 0 && texture->relative[p]) return true;
    }
    return false;
}

bool sb_texture_is_same(const sb_texture *a, const sb_texture *b) {
    if (a == b) return true;
    if (!a || !b || a->width != b->width || a->height != b->height ||
        a->plane_count != b->plane_count || a->wrap != b->wrap ||
        a->mode_count != b->mode_count) {
        return false;
    }
    size_t planes = (size_t)a->plane_count;
    size_t texels = (size_t)a->width * (size_t)a->height * planes;
    return memcmp(a->plane_of, b->plane_of,
                  (size_t)a->mode_count * sizeof *a->plane_of) == 0 &&
           memcmp(a->relative, b->relative, planes * sizeof *a->relative) ==
               0 &&
           memcmp(a->texels, b->texels, texels * sizeof *a->texels) == 0;
}

/* --- looking up ----------------------------------------------------------- */

/* Two neighbours along one side, and how far it is to the second. */
static void neighbours(const sb_texture *texture, double at, int size, int *low,
                       int *high, float *part) {
    double x = at * size - 0.5;
    if (!(fabs(x) < 1e9)) x = 0.0; /* NaN or far outside */
    bool is_clamped = texture->wrap == SB_TEXTURE_CLAMP;
    double beyond = texture->goes_on && size > 1 ? 0.5 : 0.0;
    if (is_clamped) x = fmin(fmax(x, -beyond), size - 1.0 + beyond);
    double whole = floor(x);
    if (beyond > 0.0) whole = fmin(fmax(whole, 0.0), size - 2.0);
    int i = (int)whole;
    *part = (float)(x - whole);
    if (is_clamped) {
        *low = i;
        *high = i + 1 < size ? i + 1 : i;
        return;
    }
    *low = ((i % size) + size) % size;
    *high = *low + 1 < size ? *low + 1 : 0;
}

/* The four texels around a point, and their weights. */
typedef struct around {
    const float *texel[4];
    float share[4];
} around;

static around around_place(const sb_texture *texture, double u, double v) {
    int x[2], y[2];
    float a, b;
    neighbours(texture, u, texture->width, &x[0], &x[1], &a);
    neighbours(texture, v, texture->height, &y[0], &y[1], &b);
    around at = {.share = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b}};
    for (int i = 0; i < 4; i++) {
        size_t texel =
            (size_t)y[i / 2] * (size_t)texture->width + (size_t)x[i % 2];
        at.texel[i] = texture->texels + texel * (size_t)texture->plane_count;
    }
    return at;
}

static float mixed(const around *at, int p) {
    return at->share[0] * at->texel[0][p] + at->share[1] * at->texel[1][p] +
           at->share[2] * at->texel[2][p] + at->share[3] * at->texel[3][p];
}

/* Four planes at a time; unaligned loads. */
typedef float four_floats __attribute__((vector_size(16), aligned(4)));
typedef double four_doubles __attribute__((vector_size(32), aligned(8)));

static four_floats load(const float *from) {
    four_floats values;
    memcpy(&values, from, sizeof values);
    return values;
}

/* The same sums for all planes in turn. */
static void mix_all(const around *at, int count, double *out) {
    const float *a = at->texel[0], *b = at->texel[1];
    const float *c = at->texel[2], *d = at->texel[3];
    float r = at->share[0], s = at->share[1], t = at->share[2],
          u = at->share[3];
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        four_floats sum = r * load(a + k) + s * load(b + k) + t * load(c + k) +
                          u * load(d + k);
        four_doubles wide = __builtin_convertvector(sum, four_doubles);
        memcpy(out + k, &wide, sizeof wide);
    }
    for (; k < count; k++)
        out[k] = (double)mixed(at, k);
}

void sb_texture_weights(const sb_texture *texture, double u, double v,
                        int count, const double *peaks, double *out) {
    around at = around_place(texture, u, v);
    if (count > texture->mode_count) count = texture->mode_count;
    if (texture->is_plain) mix_all(&at, count, out);
    for (int k = 0; k < count && !texture->is_plain; k++) {
        int p = texture->plane_of[k];
        if (p >= 0) out[k] = (double)mixed(&at, p);
    }
    for (int k = 0; peaks && k < count; k++) {
        int p = texture->plane_of[k];
        if (p >= 0 && texture->relative[p]) out[k] *= peaks[k];
    }
}
