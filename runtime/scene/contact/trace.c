/* SPDX-License-Identifier: MIT */
/* Watches one contact sample by sample, and computes contacts that no voice
 * plays. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/contact/link.h"
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
    scene->watch.watched = scene->watch.begun + number;
    return sb_engine_trace(scene->engine, wants_steps, err);
}

long long sb_scene_contacts_begun(const sb_scene *scene) {
    return scene->watch.begun;
}

bool scene_begins(sb_scene *scene, const scene_body *body, const char *kind) {
    if (++scene->watch.begun != scene->watch.watched) return false;
    (void)snprintf(scene->watch.watched_name, sizeof scene->watch.watched_name,
                   "%s", body ? body->declared.name : "");
    scene->watch.watched_kind = kind;
    return true;
}

const char *sb_scene_watched(const sb_scene *scene, const char **kind) {
    *kind = scene->watch.watched_kind ? scene->watch.watched_kind : "contact";
    return scene->watch.watched_name;
}

bool sb_scene_next_traced(sb_scene *scene, sb_traced *out) {
    if (sb_engine_next_traced(scene->engine, out)) return true;
    if (scene->watch.traced_first == scene->watch.traced_count) return false;
    *out = scene->watch.traced[scene->watch.traced_first++];
    if (scene->watch.traced_first == scene->watch.traced_count)
        scene->watch.traced_first = scene->watch.traced_count = 0;
    return true;
}

static sb_status trace_row(sb_scene *scene, double time_frames,
                           const sb_trace_row *row, sb_error *err) {
    if (scene->watch.traced_count == TRACED_MAX) {
        return sb_fail(err, SB_NO_MEMORY,
                       "the contact that is watched lasts more than %d samples",
                       (int)TRACED_MAX);
    }
    if (!sb_grow_list(scene->watch.traced, scene->watch.traced_capacity,
                      scene->watch.traced_count + 1)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory to watch a contact");
    }
    scene->watch.traced[scene->watch.traced_count++] =
        (sb_traced){time_frames, *row};
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
        status = trace_row(scene, first + n + 1.0, &row, err);
    }
    return status;
}

/* --- two silent bodies ---------------------------------------------------- */

/* Report the impacts of one block, and its rows if it is watched. */
static sb_status report(sb_scene *scene, const sb_island *island, double at,
                        sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < island->log->count; i++) {
        sb_impact_record record = island->log->items[i];
        record.time_frames += at;
        scene_event_measured(scene, &record);
    }
    if (!island->trace || !island->link[0]->is_near) return status;
    for (int n = 0; n < SB_BLOCK_FRAMES && !status; n++)
        status = trace_row(scene, at + n + 1.0, &island->trace->rows[n], err);
    return status;
}

/* The wall is one mode with zero weights. */
sb_status scene_play_on_wall(sb_scene *scene, sb_striker striker, double frames,
                             bool is_watched, sb_error *err) {
    static const float weights[64];
    double rate = sb_engine_sample_rate(scene->engine);
    sb_bank_mode mute = {1.0, 1.0, 0.0};
    _Alignas(64) char bank_memory[8192], field_memory[2048];
    sb_modal_field field;
    if (sb_modal_bank_bytes(1) > sizeof bank_memory ||
        sb_modal_field_bytes(1) > sizeof field_memory) {
        return sb_no_memory_for(err, "a wall");
    }
    sb_modal_bank *bank = sb_modal_bank_init(bank_memory, 1, rate);
    sb_status status = sb_modal_bank_set_modes(bank, &mute, 1);
    sb_modal_field_init(&field, field_memory, 1);
    striker.weights = weights;
    sb_striker_prepare(&striker, 1, rate);
    sb_link link;
    sb_link_init_striker(&link, &striker);
    sb_trace trace = {.link = &link};
    float out[SB_BLOCK_FRAMES] = {0}; /* discarded */
    sb_impact_log log;
    sb_island island = {.dt_s = 1.0 / rate,
                        .body_count = 1,
                        .link_count = 1,
                        .bank = {bank},
                        .field = {&field},
                        .out = {out},
                        .link = {&link},
                        .log = &log,
                        .trace = is_watched ? &trace : NULL};
    for (double at = frames; !status && striker.phase != SB_STRIKER_OVER;
         at += SB_BLOCK_FRAMES) {
        log.count = log.lost = 0;
        if (sb_island_look(&island)) (void)sb_island_play(&island);
        sb_island_fly(&island);
        status = report(scene, &island, at, err);
    }
    return status;
}
