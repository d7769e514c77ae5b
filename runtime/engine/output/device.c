/* SPDX-License-Identifier: MIT */
/* Opens, starts and closes a card through miniaudio. Thread: the card
 * thread; the callback runs on a thread of miniaudio. */
#include "runtime/engine/output/device.h"

#include "runtime/base/memory.h"
#include "runtime/engine/output/feed.h"
#include "runtime/engine/output/miniaudio.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- what miniaudio does not prevent ---------------------------------------

   Without a sound card or server, libasound writes dozens of lines to standard
   error, and libjack some more: the program reports that in one line, so theirs
   are turned off. And miniaudio 0.11.22 leaks the memory of a connection and an
   open file whenever no PulseAudio server is running, while a program that
   waits for a sound device tries every few seconds, for days: so this checks
   first, and cleans up. All three libraries are optional at run time; the first
   two stay open until the program ends. */

/* The address of `name`, as a pointer to a function, which ISO C does not
 * convert a void pointer to. */
static bool find(void *library, const char *name, void *function_pointer) {
    void *address = dlsym(library, name);
    memcpy(function_pointer, &address, sizeof address);
    return address != NULL;
}

static void *open_first(const char *const *names) {
    void *library = NULL;
    for (; *names && !library; names++)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

typedef void alsa_handler(const char *file, int line, const char *function,
                          int code, const char *format, ...);
typedef int alsa_setter(alsa_handler *handler);
typedef void jack_handler(const char *message);
typedef void jack_setter(jack_handler *handler);

static void hear_alsa(const char *file, int line, const char *function,
                      int code, const char *format, ...) {
    (void)file;
    (void)line;
    (void)function;
    (void)code;
    (void)format;
}

static void hear_jack(const char *message) {
    (void)message;
}

static void turn_off(void) {
    static const char *const alsa_names[] = {"libasound.so.2", "libasound.so",
                                             NULL};
    static const char *const jack_names[] = {"libjack.so.0", "libjack.so",
                                             NULL};
    alsa_setter *set_alsa;
    jack_setter *set_jack;
    void *alsa = open_first(alsa_names);
    if (alsa && find(alsa, "snd_lib_error_set_handler", &set_alsa)) {
        (void)set_alsa(hear_alsa);
    }
    void *jack = open_first(jack_names);
    if (jack && find(jack, "jack_set_error_function", &set_jack)) {
        set_jack(hear_jack);
    }
    if (jack && find(jack, "jack_set_info_function", &set_jack)) {
        set_jack(hear_jack);
    }
}

static void turn_messages_off(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, turn_off);
}

/* Constants of libpulse's interface, unchanged since 2008. */
enum { NO_AUTOSPAWN = 1, READY = 4, FAILED = 5, TERMINATED = 6 };

typedef struct pulse {
    void *library;
    void *(*mainloop_new)(void);
    void *(*mainloop_get_api)(void *loop);
    int (*mainloop_iterate)(void *loop, int block, int *result);
    void (*mainloop_free)(void *loop);
    void *(*context_new)(void *api, const char *name);
    int (*context_connect)(void *context, const char *server, int flags,
                           const void *spawn);
    int (*context_get_state)(const void *context);
    void (*context_disconnect)(void *context);
    void (*context_unref)(void *context);
} pulse;

static bool load(pulse *p) {
    p->library =
        open_first((const char *[]){"libpulse.so.0", "libpulse.so", NULL});
    return p->library &&
           find(p->library, "pa_mainloop_new", &p->mainloop_new) &&
           find(p->library, "pa_mainloop_get_api", &p->mainloop_get_api) &&
           find(p->library, "pa_mainloop_iterate", &p->mainloop_iterate) &&
           find(p->library, "pa_mainloop_free", &p->mainloop_free) &&
           find(p->library, "pa_context_new", &p->context_new) &&
           find(p->library, "pa_context_connect", &p->context_connect) &&
           find(p->library, "pa_context_get_state", &p->context_get_state) &&
           find(p->library, "pa_context_disconnect", &p->context_disconnect) &&
           find(p->library, "pa_context_unref", &p->context_unref);
}

static bool gets_ready(const pulse *p, void *loop, const void *context) {
    for (;;) {
        int state = p->context_get_state(context);
        if (state == READY) return true;
        if (state == FAILED || state == TERMINATED) return false;
        if (p->mainloop_iterate(loop, 1, NULL) < 0) return false;
    }
}

static bool connect_once(const pulse *p) {
    void *loop = p->mainloop_new();
    if (!loop) return false;
    bool answers = false;
    void *context = p->context_new(p->mainloop_get_api(loop), "Sandbell");
    if (context) {
        answers = p->context_connect(context, NULL, NO_AUTOSPAWN, NULL) >= 0 &&
                  gets_ready(p, loop, context);
        p->context_disconnect(context);
        p->context_unref(context);
    }
    p->mainloop_free(loop);
    return answers;
}

/* False also where libpulse is not installed. Starts no server. It may wait as
 * long as a server that hangs. */
static bool is_pulse_running(void) {
    pulse p;
    bool answers = load(&p) && connect_once(&p);
    if (p.library) (void)dlclose(p.library);
    return answers;
}

/* --- cards ----------------------------------------------------------------- */

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

/* Leave out PulseAudio if no server is running. */
static ma_uint32 drop_unanswered(ma_backend *order, ma_uint32 count) {
    ma_uint32 kept = 0;
    for (ma_uint32 i = 0; i < count; i++) {
        if (order[i] != ma_backend_pulseaudio || is_pulse_running())
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
    turn_messages_off();
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
    turn_messages_off();
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
