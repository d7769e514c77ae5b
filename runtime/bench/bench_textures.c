/* Texture look-ups of moving contacts, timed block by block. Runs on the
 * control thread. */
#include "runtime/bench/bench_textures.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/bench/peak_memory.h"
#include "runtime/model/textures/texture.h"

#include <math.h>
#include <stdlib.h>

enum {
    CONTACTS = 100,
    MODES = 512,
    BODIES = 8,
    SIDE = 64,
    BLOCKS = 4000,
    WARM_UP = 200
};

#define BLOCK_S (128.0 / 48000.0)

typedef struct rolling {
    double u, v, speed_u, speed_v; /* texture sides per block */
} rolling;

typedef struct bench {
    sb_texture *textures[BODIES];
    rolling contacts[CONTACTS];
    double weights[MODES];
    double blocks_s[BLOCKS];
    double kept; /* keeps the compiler from removing the work */
} bench;

static sb_status make_texture(sb_random *random, sb_texture **out,
                              sb_error *err) {
    static sb_texture_plane planes[MODES];
    for (int k = 0; k < MODES; k++)
        planes[k] = (sb_texture_plane){k + 1, k + 1, false};
    sb_texture_def def = {SIDE, SIDE, planes, MODES, SB_TEXTURE_CLAMP};
    sb_status status = sb_texture_create(&def, out, err);
    if (status) return status;
    float *texels = sb_texture_texels(*out);
    for (int i = 0; i < SIDE * SIDE * MODES; i++)
        texels[i] = (float)sb_random_unit(random) - 0.5f;
    return SB_OK;
}

/* Roll from side to side at 0.2 to 1 m/s over half a metre. */
static void set_rolling(sb_random *random, rolling *contact) {
    *contact =
        (rolling){.u = sb_random_unit(random), .v = sb_random_unit(random)};
    double speed = (0.4 + 1.6 * sb_random_unit(random)) * BLOCK_S;
    double angle = SB_TAU * sb_random_unit(random);
    contact->speed_u = speed * cos(angle);
    contact->speed_v = speed * sin(angle);
}

static void roll_on(double *at, double *speed) {
    *at += *speed;
    if (*at >= 0.0 && *at <= 1.0) return;
    *speed = -*speed;
    *at += 2.0 * *speed;
}

static void play_block(bench *self) {
    for (int i = 0; i < CONTACTS; i++) {
        rolling *contact = &self->contacts[i];
        roll_on(&contact->u, &contact->speed_u);
        roll_on(&contact->v, &contact->speed_v);
        sb_texture_weights(self->textures[i % BODIES], contact->u, contact->v,
                           MODES, NULL, self->weights);
        self->kept += self->weights[i];
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(bench *self, sb_bench_textures_result *out) {
    for (int n = 0; n < WARM_UP; n++)
        play_block(self);
    for (int n = 0; n < BLOCKS; n++) {
        double from_s = sb_clock_s();
        play_block(self);
        self->blocks_s[n] = sb_clock_s() - from_s;
    }
    qsort(self->blocks_s, BLOCKS, sizeof self->blocks_s[0], by_size);
    out->best = self->blocks_s[0] / BLOCK_S;
    out->p50 = self->blocks_s[BLOCKS / 2] / BLOCK_S;
    out->p99 = self->blocks_s[BLOCKS * 99 / 100] / BLOCK_S;
    out->lookup_ns = self->blocks_s[BLOCKS / 2] / CONTACTS * 1e9;
}

sb_status sb_bench_textures(sb_bench_textures_result *out, sb_error *err) {
    bench *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
    sb_random random = sb_random_make(1, 1);
    size_t before = sb_bench_peak_begin();
    sb_status status = SB_OK;
    for (int i = 0; i < BODIES && !status; i++)
        status = make_texture(&random, &self->textures[i], err);
    double bytes = (double)sb_bench_peak_end(before);
    for (int i = 0; i < CONTACTS; i++)
        set_rolling(&random, &self->contacts[i]);
    *out = (sb_bench_textures_result){
        .contacts = CONTACTS,
        .body_modes = MODES,
        .bodies = BODIES,
        .width = SIDE,
        .height = SIDE,
        .megabytes = bytes * 1e-6,
        .bytes_a_texel = bytes / BODIES / SIDE / SIDE / MODES,
    };
    if (!status) measure(self, out);
    for (int i = 0; i < BODIES; i++)
        sb_texture_release(self->textures[i]);
    sb_free(self);
    return status;
}
