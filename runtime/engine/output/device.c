/* SPDX-License-Identifier: MIT */
/* Opens, starts and closes a card through miniaudio. Thread: the card
 * thread; the callback runs on a thread of miniaudio. */
#include "runtime/engine/output/device.h"

#include "runtime/base/memory.h"
#include "runtime/engine/output/feed.h"
#include "runtime/engine/output/miniaudio.h"
#include "runtime/engine/output/sound_libraries.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct card {
    sb_feed *feed;
    ma_context context;
    ma_device playback;
} card;

/* miniaudio's own null backend is left out: it would be chosen silently where
 * there is no sound card, and it does not report underruns. */
static const struct {
    const char *name;
    ma_backend backend;
} backends[] = {
    {"wasapi", ma_backend_wasapi}, {"coreaudio", ma_backend_coreaudio},
    {"sndio", ma_backend_sndio},   {"audio4", ma_backend_audio4},
    {"oss", ma_backend_oss},       {"pulseaudio", ma_backend_pulseaudio},
    {"alsa", ma_backend_alsa},     {"jack", ma_backend_jack},
};

enum { BACKEND_COUNT = sizeof backends / sizeof backends[0] };

static const char *backend_name(ma_backend backend) {
    for (int i = 0; i < BACKEND_COUNT; i++) {
        if (backends[i].backend == backend) return backends[i].name;
    }
    return "unknown";
}

/* The audio callback. Nothing here allocates, locks, logs or waits. */
static void on_frames(ma_device *playback, void *output, const void *input,
                      ma_uint32 frames) {
    (void)input;
    const card *opened = playback->pUserData;
    sb_feed_pull(opened->feed, output, (int)frames);
}

/* On a thread of miniaudio, often that of the audio callback. */
static void on_notice(const ma_device_notification *notification) {
    const card *opened = notification->pDevice->pUserData;
    switch (notification->type) {
    case ma_device_notification_type_stopped:
    case ma_device_notification_type_interruption_began:
        sb_feed_notice(opened->feed, SB_NOTICE_STOPPED);
        break;
    case ma_device_notification_type_rerouted:
        sb_feed_notice(opened->feed, SB_NOTICE_REROUTED);
        break;
    case ma_device_notification_type_started:
    case ma_device_notification_type_interruption_ended:
    case ma_device_notification_type_unlocked:
        break; /* callbacks resume, which is detected elsewhere */
    }
}

static sb_status choose_backends(const char *wanted, ma_backend *out,
                                 ma_uint32 *count, sb_error *err) {
    char known[160] = "null";
    for (ma_uint32 i = 0; i < BACKEND_COUNT; i++) {
        out[i] = backends[i].backend;
        if (wanted && strcasecmp(wanted, backends[i].name) == 0) {
            out[0] = backends[i].backend;
            *count = 1;
            return SB_OK;
        }
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, ", %s",
                       backends[i].name);
    }
    *count = BACKEND_COUNT;
    if (!wanted) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT, "unknown backend '%s'; known are %s",
                   wanted, known);
}

/* The first device whose name contains `wanted`, ignoring case. */
static sb_status find_device(ma_context *context, const char *wanted,
                             ma_device_id *out, sb_error *err) {
    ma_device_info *infos;
    ma_uint32 count = 0;
    if (ma_context_get_devices(context, &infos, &count, NULL, NULL) !=
        MA_SUCCESS) {
        count = 0;
    }
    for (ma_uint32 i = 0; i < count; i++) {
        if (strcasestr(infos[i].name, wanted)) {
            *out = infos[i].id;
            return SB_OK;
        }
    }
    return sb_fail(err, SB_NO_DEVICE,
                   "no playback device has '%s' in its name; `sandbell doctor` "
                   "lists them",
                   wanted);
}

static ma_device_config playback_config(card *opened, double rate_hz) {
    ma_device_config config = ma_device_config_init(ma_device_type_playback);
    config.playback.format = ma_format_f32;
    config.playback.channels = 2;
    config.sampleRate = (ma_uint32)rate_hz;
    config.periodSizeInMilliseconds = 10;
    config.dataCallback = on_frames;
    config.notificationCallback = on_notice;
    config.pUserData = opened;
    config.noPreSilencedOutputBuffer = MA_TRUE; /* we fill all of it */
    config.noClip = MA_TRUE;                    /* the limiter has done that */
    config.noFixedSizedCallback = MA_TRUE;
    config.noDisableDenormals = MA_TRUE; /* sb_audio_pull does that */
    config.pulse.pStreamNamePlayback = "Sandbell";
    return config;
}

static sb_status open_playback(card *opened, const sb_device_def *def,
                               sb_device_facts *facts, sb_error *err) {
    ma_device_id id;
    ma_device_config config = playback_config(opened, def->sample_rate_hz);
    if (def->device) {
        sb_status status = find_device(&opened->context, def->device, &id, err);
        if (status) return status;
        config.playback.pDeviceID = &id;
    }
    ma_result result =
        ma_device_init(&opened->context, &config, &opened->playback);
    if (result != MA_SUCCESS) {
        sb_miniaudio_free_failed(&opened->context, &opened->playback);
        return sb_fail(err, SB_NO_DEVICE, "no sound device could be opened: %s",
                       ma_result_description(result));
    }
    facts->period_frames =
        (int)opened->playback.playback.internalPeriodSizeInFrames;
    (void)snprintf(facts->name, sizeof facts->name, "%s",
                   opened->playback.playback.name);
    result = ma_device_start(&opened->playback);
    if (result == MA_SUCCESS) return SB_OK;
    ma_device_uninit(&opened->playback);
    return sb_fail(err, SB_NO_DEVICE, "'%s' did not start: %s", facts->name,
                   ma_result_description(result));
}

/* Leave out PulseAudio if no server is running: see sound_libraries.h. */
static ma_uint32 drop_unanswered(ma_backend *order, ma_uint32 count) {
    ma_uint32 kept = 0;
    for (ma_uint32 i = 0; i < count; i++) {
        if (order[i] != ma_backend_pulseaudio || sb_pulse_is_running())
            order[kept++] = order[i];
    }
    return kept;
}

static sb_status open_context(card *opened, const sb_device_def *def,
                              sb_device_facts *facts, sb_error *err) {
    ma_backend order[BACKEND_COUNT];
    ma_uint32 count;
    sb_status status = choose_backends(def->backend, order, &count, err);
    if (status) return status;
    sb_sound_messages_off();
    ma_context_config config = ma_context_config_init();
    config.pulse.pApplicationName = "Sandbell";
    count = drop_unanswered(order, count);
    ma_result result =
        count == 0 ? MA_NO_BACKEND /* with 0 miniaudio would try all */
                   : ma_context_init(order, count, &config, &opened->context);
    if (result != MA_SUCCESS) {
        return sb_fail(err, SB_NO_DEVICE, "no sound system was found: %s",
                       ma_result_description(result));
    }
    (void)snprintf(facts->backend, sizeof facts->backend, "%s",
                   backend_name(opened->context.backend));
    return SB_OK;
}

static sb_status open_card(void *user, const sb_device_def *def, sb_feed *feed,
                           void **out, sb_device_facts *facts, sb_error *err) {
    (void)user;
    card *opened = sb_alloc(1, sizeof *opened);
    if (!opened) return sb_no_memory(err, "device");
    opened->feed = feed;
    sb_status status = open_context(opened, def, facts, err);
    if (!status) {
        status = open_playback(opened, def, facts, err);
        if (status) (void)ma_context_uninit(&opened->context);
    }
    if (status) {
        sb_free(opened);
    } else {
        *out = opened;
    }
    return status;
}

static void close_card(void *user, void *opened_card) {
    (void)user;
    card *opened = opened_card;
    /* Uninit alone does not wake PulseAudio's loop, and would hang if the
     * stream has been killed; stop wakes it. */
    (void)ma_device_stop(&opened->playback);
    ma_device_uninit(&opened->playback);
    (void)ma_context_uninit(&opened->context);
    sb_free(opened);
}

const sb_device_api sb_device_cards = {open_card, close_card, NULL};

/* ALSA also lists its plugins: converters and the null device. The name of a
 * card has a colon ("hw:0,0"). */
static bool is_real(ma_backend backend, const ma_device_info *info) {
    if (backend != ma_backend_alsa) return true;
    const char *id = info->id.alsa;
    return strchr(id, ':') != NULL;
}

void sb_device_list(sb_device_visitor *visit, void *user) {
    sb_sound_messages_off();
    for (int i = 0; i < BACKEND_COUNT; i++) {
        ma_context context;
        if (ma_context_init(&backends[i].backend, 1, NULL, &context) !=
            MA_SUCCESS) {
            continue;
        }
        ma_device_info *infos;
        ma_uint32 count = 0;
        if (ma_context_get_devices(&context, &infos, &count, NULL, NULL) ==
            MA_SUCCESS) {
            for (ma_uint32 k = 0; k < count; k++) {
                if (!is_real(backends[i].backend, &infos[k])) continue;
                visit(user, backends[i].name, infos[k].name,
                      infos[k].isDefault);
            }
        }
        (void)ma_context_uninit(&context);
    }
}
