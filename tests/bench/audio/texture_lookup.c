/* SPDX-License-Identifier: MIT */
/* Texture look-ups of moving contacts, timed block by block (texture_lookup.h).
 * Thread: control. */
#include "tests/bench/audio/texture_lookup.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/random.h"
#include "runtime/model/textures/texture.h"
#include "tests/bench/measure.h"

#include <math.h>

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

static void measure(bench *self, double bytes, report *to) {
    for (int n = 0; n < WARM_UP; n++)
        play_block(self);
    for (int n = 0; n < BLOCKS; n++) {
        double from_s = sb_clock_s();
        play_block(self);
        self->blocks_s[n] = (sb_clock_s() - from_s) / BLOCK_S;
    }
    spread share = spread_of(self->blocks_s, BLOCKS);
    report_say(to,
               "%d contacts rolling over %d bodies of %d modes, textures of "
               "%d x %d, %.0f MB in all\n\n",
               CONTACTS, BODIES, MODES, SIDE, SIDE, bytes * 1e-6);
    report_put(to, "contacts", CONTACTS);
    report_put(to, "body_modes", MODES);
    report_put(to, "megabytes", bytes * 1e-6);
    report_value(to, "p50", "lookups in every block, p50 of a core", "%8.1f %%",
                 100, share.p50);
    report_value(to, "p99", "  p99", "%8.1f %%", 100, share.p99);
    report_value(to, "best", "  best", "%8.1f %%", 100, share.best);
    report_value(to, "lookup_ns", "one place, all modes", "%8.0f ns", 1,
                 share.p50 * BLOCK_S / CONTACTS * 1e9);
    report_value(to, "times_16_bit", "memory, of that at 16 bits",
                 "%8.2f times", 1, bytes / BODIES / SIDE / SIDE / MODES / 2.0);
}

sb_status report_lookups(report *to, sb_error *err) {
    bench *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_fail(err, SB_NO_MEMORY, "bench: out of memory");
    sb_random random = sb_random_make(1, 1);
    size_t before = peak_begin();
    sb_status status = SB_OK;
    for (int i = 0; i < BODIES && !status; i++)
        status = make_texture(&random, &self->textures[i], err);
    double bytes = (double)peak_end(before);
    for (int i = 0; i < CONTACTS; i++)
        set_rolling(&random, &self->contacts[i]);
    if (!status) measure(self, bytes, to);
    for (int i = 0; i < BODIES; i++)
        sb_texture_release(self->textures[i]);
    sb_free(self);
    return status;
}
