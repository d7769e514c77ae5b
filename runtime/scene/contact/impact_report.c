/* Reports of impacts, and impacts between bodies that have no voice. Control
 * thread. */
#include "runtime/base/memory.h"
#include "runtime/dsp/bank/modal_field.h"
#include "runtime/dsp/contact/link.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/state/state.h"

#include <stdio.h>
#include <string.h>

/* --- reports ------------------------------------------------------------- */

void sb_scene_want_impacts(sb_scene *scene, bool are_wanted) {
    scene->wants_impacts = are_wanted;
    scene->struck_most = 0;
}

void sb_scene_want_recent_impacts(sb_scene *scene, int most) {
    scene->wants_impacts = true;
    scene->struck_most = most;
}

static bool is_same_pair(const scene_pair *a, const scene_pair *b) {
    return a->model == b->model && a->kind == b->kind &&
           a->bounces == b->bounces && strcmp(a->body, b->body) == 0 &&
           strcmp(a->striker, b->striker) == 0;
}

/* The index of the pair, added if it is new; -1 when out of memory. */
static int find_pair(sb_scene *scene, const scene_pair *pair) {
    for (int i = 0; i < scene->pair_count; i++)
        if (is_same_pair(&scene->pairs[i], pair)) return i;
    if (!sb_grow((void **)&scene->pairs, &scene->pair_capacity,
                 scene->pair_count + 1, sizeof *scene->pairs))
        return -1;
    scene->pairs[scene->pair_count] = *pair;
    return scene->pair_count++;
}

sb_status scene_label(sb_scene *scene, const scene_pair *pair,
                      const sb_spot *spot, uint32_t *out, sb_error *err) {
    *out = 0;
    if (!scene->wants_impacts) return SB_OK;
    int at = find_pair(scene, pair);
    if (at >= 0 && scene->struck_most > 0 &&
        scene->struck_count >= scene->struck_most) {
        int oldest = scene->struck_next++ % scene->struck_most;
        scene->struck[oldest] = (scene_struck){at, *spot};
        *out = (uint32_t)oldest + 1;
        return SB_OK;
    }
    if (at < 0 || !sb_grow((void **)&scene->struck, &scene->struck_capacity,
                           scene->struck_count + 1, sizeof *scene->struck)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more report");
    }
    scene->struck[scene->struck_count++] = (scene_struck){at, *spot};
    *out = (uint32_t)scene->struck_count;
    return SB_OK;
}

static bool next_record(sb_scene *scene, sb_impact_record *out) {
    if (sb_engine_next_impact(scene->engine, out)) return true;
    if (scene->unheard_first == scene->unheard_count) return false;
    *out = scene->unheard[scene->unheard_first++];
    if (scene->unheard_first == scene->unheard_count)
        scene->unheard_first = scene->unheard_count = 0;
    return true;
}

/* False: it was a hit of a pad that is gone. */
static bool find_struck(const sb_scene *scene, uint32_t label,
                        const scene_pair **pair, const sb_spot **spot) {
    if (label & SCENE_PAD_LABEL)
        return scene_find_pad(scene, label, pair, spot);
    const scene_struck *struck = &scene->struck[label - 1];
    *pair = &scene->pairs[struck->pair];
    *spot = &struck->spot;
    return true;
}

bool sb_scene_next_impact(sb_scene *scene, sb_scene_impact *out) {
    sb_impact_record record;
    const scene_pair *pair;
    const sb_spot *spot;
    do {
        if (!next_record(scene, &record)) return false;
    } while (!find_struck(scene, record.label, &pair, &spot));
    *out = (sb_scene_impact){
        .kind = pair->kind,
        .bounces = pair->bounces,
        .spot = *spot,
        .time_s = record.time_frames / sb_engine_sample_rate(scene->engine),
        .body = pair->body,
        .striker = pair->striker,
        .model = pair->model,
        .record = record,
    };
    return true;
}

/* --- bodies without a voice ---------------------------------------------- */

sb_status scene_note(sb_scene *scene, sb_impact_record record, double frames,
                     sb_error *err) {
    if (!sb_grow((void **)&scene->unheard, &scene->unheard_capacity,
                 scene->unheard_count + 1, sizeof *scene->unheard)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more impact");
    }
    record.time_frames += frames;
    scene->unheard[scene->unheard_count++] = record;
    return SB_OK;
}

/* Report the impacts of one block, and its rows if it is watched. */
static sb_status report(sb_scene *scene, const sb_island *island, double at,
                        sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < island->log->count && !status; i++)
        if (island->log->items[i].label != 0)
            status = scene_note(scene, island->log->items[i], at, err);
    if (!island->trace || !island->link[0]->is_near) return status;
    for (int n = 0; n < SB_BLOCK_FRAMES && !status; n++)
        status =
            scene_trace_row(scene, at + n + 1.0, &island->trace->rows[n], err);
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
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a wall");
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
