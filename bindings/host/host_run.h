/* bindings/host/host_run.h -- render or play the scene of a host.
 *
 * The host takes the control steps (runtime/scene/conductor.h); hooks add what a
 * caller does around them: log, record, show, stop. Deformable bodies are heard
 * later than they are computed: a render lets its steps run ahead by as much,
 * and ends where such a body fails, with what was computed.
 *
 * Thread: control. Memory: the caller's.
 */
#ifndef SB_BINDINGS_HOST_HOST_RUN_H
#define SB_BINDINGS_HOST_HOST_RUN_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sb_conduct_result sb_conduct_result;
typedef struct sb_host sb_host;
typedef struct sb_output sb_output;
typedef struct sb_span sb_span;

/* Any may be NULL. */
typedef struct sb_host_hooks {
    /* Before and after each control step. */
    void (*before)(void *user, double from_s, double to_s);
    sb_status (*after)(void *user, double to_s, sb_error *err);
    /* Something of the caller's is still to happen: a render until silence goes
     * on. */
    bool (*is_busy)(void *user);
    /* As of sb_conductor_def. */
    sb_status (*sink)(void *user, const float *stereo, int frames,
                      sb_error *err);
    sb_status (*computed)(void *user, sb_error *err);
    bool (*must_stop)(void *user, double now_s);
    void (*idle)(void *user); /* of sb_host_play, after that of the host */
    void *user;
} sb_host_hooks;

/* Frames by which steps must be ahead of the sound. */
int64_t sb_host_lead(const sb_host *host);

/* As sb_conduct_render. `hooks` may be NULL. */
SB_NODISCARD sb_status sb_host_render(sb_host *host, const sb_host_hooks *hooks,
                                      const sb_span *span,
                                      sb_conduct_result *out, sb_error *err);

/* As sb_conduct_play. */
SB_NODISCARD sb_status sb_host_play(sb_host *host, const sb_host_hooks *hooks,
                                    sb_output *output, double duration_s,
                                    sb_conduct_result *out, sb_error *err);

#endif
