/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/device.h -- a sound card, through miniaudio.
 *
 * An open card requests frames from its feed on its own thread, and uses
 * nothing else of the engine. Calls into sound systems may take long or never
 * return, so they are made on a thread that can be abandoned: see
 * card_thread.h.
 *
 * Thread: any one thread per card. Memory: owned by the card.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_feed sb_feed;

enum { SB_DEVICE_BACKEND_SIZE = 32, SB_DEVICE_NAME_SIZE = 256 };

typedef struct sb_device_def {
    const char *backend; /* NULL: any that works; "null": the silent clock;
                            else "pulseaudio", "alsa", "jack", ... */
    const char *device;  /* NULL: the default; else part of a device's name */
    double sample_rate_hz;
} sb_device_def;

typedef struct sb_device_facts {
    char backend[SB_DEVICE_BACKEND_SIZE]; /* "pulseaudio" */
    char name[SB_DEVICE_NAME_SIZE];
    int period_frames; /* of one callback */
} sb_device_facts;

/* An output backend: miniaudio's cards, or a test's. */
typedef struct sb_device_api {
    /* Open and start: callbacks come at once and until close has returned.
     * NO_DEVICE when there is none; BAD_ARGUMENT for an unknown backend,
     * listing the known ones. */
    sb_status (*open)(void *user, const sb_device_def *def, sb_feed *feed,
                      void **card, sb_device_facts *facts, sb_error *err);
    void (*close)(void *user, void *card);
    void *user;
} sb_device_api;

extern const sb_device_api sb_device_cards; /* the cards of miniaudio */

/* For `doctor`: one call per playback device; plugins of ALSA are not. */
typedef void sb_device_visitor(void *user, const char *backend,
                               const char *name, bool is_default);
void sb_device_list(sb_device_visitor *visit, void *user);
