#include "runtime/engine/output/pulse_probe.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

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

/* ISO C does not convert a void pointer to one to a function. */
static bool find(const pulse *p, const char *name, void *function_pointer) {
    void *address = dlsym(p->library, name);
    memcpy(function_pointer, &address, sizeof address);
    return address != NULL;
}

static bool load(pulse *p) {
    p->library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!p->library) p->library = dlopen("libpulse.so", RTLD_NOW | RTLD_LOCAL);
    return p->library && find(p, "pa_mainloop_new", &p->mainloop_new) &&
           find(p, "pa_mainloop_get_api", &p->mainloop_get_api) &&
           find(p, "pa_mainloop_iterate", &p->mainloop_iterate) &&
           find(p, "pa_mainloop_free", &p->mainloop_free) &&
           find(p, "pa_context_new", &p->context_new) &&
           find(p, "pa_context_connect", &p->context_connect) &&
           find(p, "pa_context_get_state", &p->context_get_state) &&
           find(p, "pa_context_disconnect", &p->context_disconnect) &&
           find(p, "pa_context_unref", &p->context_unref);
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
