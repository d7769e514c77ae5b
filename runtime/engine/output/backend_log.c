#include "runtime/engine/output/backend_log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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

void sb_backend_log_off(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, turn_off);
}
