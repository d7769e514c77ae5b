/* SPDX-License-Identifier: MIT */
/* Opens libasound, libjack and libpulse as miniaudio does. */
#include "runtime/engine/output/sound_libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

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

/* --- messages -------------------------------------------------------------*/

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

void sb_sound_messages_off(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, turn_off);
}

/* --- PulseAudio -----------------------------------------------------------*/

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

bool sb_pulse_is_running(void) {
    pulse p;
    bool answers = load(&p) && connect_once(&p);
    if (p.library) (void)dlclose(p.library);
    return answers;
}
