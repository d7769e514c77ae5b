/* Watches one contact sample by sample. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/engine/audio/tracer.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <stdio.h>

/* A minute at 48 kHz: a striker that bounces on and on must not use up all
 * memory. */
enum { TRACED_MAX = 3 << 20 };

sb_status sb_scene_watch(sb_scene *scene, long long number, bool wants_steps,
                         sb_error *err) {
    scene->watched = scene->begun + number;
    return sb_engine_trace(scene->engine, wants_steps, err);
}

long long sb_scene_contacts_begun(const sb_scene *scene) {
    return scene->begun;
}

bool scene_begins(sb_scene *scene, const scene_body *body, const char *kind) {
    if (++scene->begun != scene->watched) return false;
    (void)snprintf(scene->watched_name, sizeof scene->watched_name, "%s",
                   body ? body->declared.name : "");
    scene->watched_kind = kind;
    return true;
}

const char *sb_scene_watched(const sb_scene *scene, const char **kind) {
    *kind = scene->watched_kind ? scene->watched_kind : "contact";
    return scene->watched_name;
}

bool sb_scene_next_traced(sb_scene *scene, sb_traced *out) {
    if (sb_engine_next_traced(scene->engine, out)) return true;
    if (scene->traced_first == scene->traced_count) return false;
    *out = scene->traced[scene->traced_first++];
    if (scene->traced_first == scene->traced_count)
        scene->traced_first = scene->traced_count = 0;
    return true;
}

sb_status scene_trace_row(sb_scene *scene, double time_frames,
                          const sb_trace_row *row, sb_error *err) {
    if (scene->traced_count == TRACED_MAX) {
        return sb_fail(err, SB_NO_MEMORY,
                       "the contact that is watched lasts more than %d samples",
                       (int)TRACED_MAX);
    }
    if (!sb_grow((void **)&scene->traced, &scene->traced_capacity,
                 scene->traced_count + 1, sizeof *scene->traced)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory to watch a contact");
    }
    scene->traced[scene->traced_count++] = (sb_traced){time_frames, *row};
    return SB_OK;
}

sb_status scene_trace_pulse(sb_scene *scene, double frames, double impulse_ns,
                            double duration_s, sb_error *err) {
    double rate = sb_engine_sample_rate(scene->engine);
    double first = floor(frames), duration = duration_s * rate;
    sb_status status = SB_OK;
    for (int n = 0; !status && first + n <= frames + duration; n++) {
        sb_trace_row row = {sb_pulse_mean_n(impulse_ns, frames - first,
                                            duration, n, 1.0, 1.0 / rate),
                            NAN,
                            {NAN, NAN},
                            NAN,
                            NAN,
                            NAN,
                            NAN};
        status = scene_trace_row(scene, first + n + 1.0, &row, err);
    }
    return status;
}
