#include "bindings/host/host_run.h"

#include "bindings/host/host.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/deform/deform_info.h"

#include <math.h>

typedef struct host_run {
    sb_host *host;
    sb_host_hooks hooks;
} host_run;

static sb_status step(void *user, double from_s, double to_s, sb_error *err) {
    const host_run *run = user;
    if (run->hooks.before) run->hooks.before(run->hooks.user, from_s, to_s);
    sb_status status = sb_host_step(run->host, from_s, to_s, err);
    if (!status && run->hooks.after)
        status = run->hooks.after(run->hooks.user, to_s, err);
    return status;
}

static bool is_busy(void *user) {
    const host_run *run = user;
    return (run->hooks.is_busy && run->hooks.is_busy(run->hooks.user)) ||
           sb_host_is_busy(run->host);
}

static sb_status sink(void *user, const float *stereo, int frames,
                      sb_error *err) {
    const host_run *run = user;
    return run->hooks.sink(run->hooks.user, stereo, frames, err);
}

static sb_status computed(void *user, sb_error *err) {
    const host_run *run = user;
    return run->hooks.computed(run->hooks.user, err);
}

static bool must_stop(void *user, double now_s) {
    const host_run *run = user;
    return run->hooks.must_stop(run->hooks.user, now_s);
}

static void idle(void *user) {
    const host_run *run = user;
    sb_host_idle(run->host);
    if (run->hooks.idle) run->hooks.idle(run->hooks.user);
}

/* A deformable body has failed. */
static bool is_done(void *user) {
    const host_run *run = user;
    return sb_scene_deform_info(sb_host_scene(run->host)).failure.status !=
           SB_OK;
}

int64_t sb_host_lead(const sb_host *host) {
    sb_deform_info info = sb_scene_deform_info(sb_host_scene(host));
    double rate_hz = sb_engine_sample_rate(sb_host_engine(host));
    if (!info.is_open) return 0;
    return (int64_t)ceil(info.lead_frames * rate_hz / SB_DEFORM_RATE_HZ) + 2;
}

static sb_conductor_def conductor_of(host_run *run) {
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = sb_host_engine(run->host);
    def.step = step;
    def.is_busy = is_busy;
    def.sink = run->hooks.sink ? sink : NULL;
    def.computed = run->hooks.computed ? computed : NULL;
    def.must_stop = run->hooks.must_stop ? must_stop : NULL;
    def.idle = idle;
    def.is_done = is_done;
    def.lead_frames = sb_host_lead(run->host);
    def.user = run;
    return def;
}

sb_status sb_host_render(sb_host *host, const sb_host_hooks *hooks,
                         const sb_span *span, sb_conduct_result *out,
                         sb_error *err) {
    host_run run = {.host = host};
    if (hooks) run.hooks = *hooks;
    sb_conductor_def def = conductor_of(&run);
    return sb_conduct_render(&def, span, out, err);
}

sb_status sb_host_play(sb_host *host, const sb_host_hooks *hooks,
                       sb_output *output, double duration_s,
                       sb_conduct_result *out, sb_error *err) {
    host_run run = {.host = host};
    if (hooks) run.hooks = *hooks;
    sb_conductor_def def = conductor_of(&run);
    def.lead_frames = 0; /* their sound comes from a journal */
    sb_host_set_output(host, output);
    return sb_conduct_play(&def, output, duration_s, out, err);
}
