/* SPDX-License-Identifier: MIT */
/* Params, lines of Lua, events and counters, for programs in C. Thread: control. */
#include "bindings/library/library_internal.h"

#include "bindings/script/script.h"
#include "bindings/script/script_output.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/contact/scene_event.h"
#include "runtime/scene/param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the script ------------------------------------------------------------------- */

int sandbell_params(sandbell_scene *scene, sandbell_param *out, int most) {
    library_call call = library_enter(scene);
    const sb_params *params = script_params(sb_host_script(scene->host));
    for (int i = 0; i < params->count && i < most; i++) {
        const sb_param *param = &params->items[i];
        out[i] = (sandbell_param){.min = param->min,
                                  .max = param->max,
                                  .initial = param->initial,
                                  .value = param->value,
                                  .is_log = param->curve == SB_CURVE_LOG};
        (void)snprintf(out[i].name, sizeof out[i].name, "%s", param->name);
    }
    int count = params->count;
    (void)library_leave(&call, SB_OK, NULL);
    return count;
}

static sb_status evaluate(library_call *call, const char *lua, char **result) {
    bool is_incomplete;
    sb_status status = library_check_outside(call, "a line of Lua");
    if (status) return status;
    return sb_host_evaluate(call->scene->host, lua, result, &is_incomplete,
                            &call->why);
}

int sandbell_param_set(sandbell_scene *scene, const char *name, double value,
                       sandbell_error *err) {
    library_call call = library_enter(scene);
    const sb_params *params = script_params(sb_host_script(scene->host));
    char line[2 * SB_NAME_SIZE + 64], *result = NULL;
    sb_status status = SB_OK;
    if (!name || sb_params_find(params, name) < 0)
        status = sb_fail(&call.why, SB_NOT_FOUND, "there is no param '%.60s'",
                         name ? name : "NULL");
    if (!status && !isfinite(value))
        status = sb_fail(&call.why, SB_BAD_ARGUMENT,
                         "param '%s': the value is not finite", name);
    if (!status) {
        /* As a line of the prompt: the script may have to run again. */
        (void)snprintf(line, sizeof line, "sb.params[ [==[%s]==] ] = %.17g",
                       name, value);
        status = evaluate(&call, line, &result);
    }
    sb_free(result);
    return library_leave(&call, status, err);
}

int sandbell_evaluate(sandbell_scene *scene, const char *lua, char *result,
                      size_t size, sandbell_error *err) {
    library_call call = library_enter(scene);
    char *text = NULL;
    sb_status status = evaluate(&call, lua ? lua : "", &text);
    if (result && size > 0)
        (void)snprintf(result, size, "%s", !status && text ? text : "");
    sb_free(text);
    return library_leave(&call, status, err);
}

/* --- events ------------------------------------------------------------------------- */

static bool next_event(sandbell_scene *scene, sandbell_event *out) {
    static const int kinds[] = {[SB_EVENT_STRIKE] = SANDBELL_EVENT_STRIKE,
                                [SB_EVENT_IMPACT] = SANDBELL_EVENT_IMPACT,
                                [SB_EVENT_ROLL] = SANDBELL_EVENT_ROLL,
                                [SB_EVENT_SLIDE] = SANDBELL_EVENT_SLIDE,
                                [SB_EVENT_REST] = SANDBELL_EVENT_REST,
                                [SB_EVENT_END] = SANDBELL_EVENT_END};
    sb_event event;
    do {
        if (!sb_scene_next_event(sb_host_scene(scene->host), &scene->reader,
                                 &event))
            return false;
    } while (event.kind == SB_EVENT_SCATTER || !sb_event_is_played(&event));
    *out =
        (sandbell_event){.kind = kinds[event.kind],
                         .frame = llround(event.time_s * scene->steps.rate_hz),
                         .a = body_out(event.body[0]),
                         .b = body_out(event.body[1]),
                         .point = vec3_out(event.spot.point),
                         .normal = vec3_out(event.spot.normal),
                         .impulse_ns = event.impulse_ns,
                         .speed_m_s = event.speed_m_s,
                         .slip_m_s = event.slip_m_s,
                         .force_n = event.force_n,
                         .duration_s = event.duration_s,
                         .restitution = event.restitution,
                         .contact = event.contact};
    return true;
}

bool sandbell_next_event(sandbell_scene *scene, sandbell_event *out) {
    library_call call = library_enter(scene);
    sandbell_event event;
    bool is_there = next_event(scene, &event);
    if (is_there) library_write(&event, sizeof event, out);
    (void)library_leave(&call, SB_OK, NULL);
    return is_there;
}

/* --- counters -------------------------------------------------------------------------- */

void sandbell_read_stats(sandbell_scene *scene, sandbell_stats *out) {
    library_call call = library_enter(scene);
    sb_engine_stats stats = sb_engine_read_stats(scene->steps.def.engine);
    script_output output = sb_host_read_output(scene->host);
    sandbell_stats own = {.bodies =
                              sb_scene_body_count(sb_host_scene(scene->host)),
                          .sounding = stats.sounding,
                          .modes = stats.modes_wanted,
                          .modes_mixed = stats.modes_mixed,
                          .late = stats.late,
                          .muted = stats.muted,
                          .dropped = stats.dropped,
                          .strikes = stats.strikes,
                          .peak = stats.peak,
                          .limiter_gain = stats.limiter_gain,
                          .underruns = atomic_load(&scene->underruns),
                          .missed = output.missed,
                          .busy = output.share};
    library_write(&own, sizeof own, out);
    (void)library_leave(&call, SB_OK, NULL);
}
