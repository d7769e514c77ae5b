/* The control side of prepared places. Thread: control. */
#include "runtime/engine/engine_pad.h"

#include "runtime/base/memory.h"
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/impact_def.h"

#include <string.h>

bool sb_engine_has_pad(const sb_engine *engine, sb_pad_id id) {
    return (id.generation & 1) && id.index < SB_AUDIO_PADS &&
           engine->pad_generation[id.index] == id.generation;
}

/* Room for the release of every pad is kept. */
static bool has_room(const sb_engine *engine, int releases) {
    return sb_ring_room(&engine->audio->pads.posts) > (uint32_t)releases;
}

static void post(sb_engine *engine, sb_pad_post item) {
    (void)sb_ring_push(&engine->audio->pads.posts, &item);
}

/* --- making one ------------------------------------------------------------*/

/* The pad, its weights, the law's data, and a striker's work space. */
static sb_pad *make(const sb_pad_def *def, int count) {
    size_t own = engine_aligned(sizeof(sb_pad));
    size_t weights =
        engine_aligned((size_t)sb_modal_field_padded(count) * sizeof(float));
    size_t law = engine_aligned(def->law_bytes);
    size_t room = def->striker ? sb_modal_field_bytes(count) : 0;
    char *memory = sb_alloc_aligned(own + weights + law + room);
    if (!memory) return NULL;
    sb_pad *pad = (sb_pad *)(void *)memory;
    pad->weights = (float *)(void *)(memory + own);
    for (int k = 0; k < count; k++)
        pad->weights[k] = (float)def->weights[k];
    pad->law_data =
        memcpy(memory + own + weights, def->law_data, def->law_bytes);
    if (def->striker) {
        sb_modal_field_init(&pad->field, memory + own + weights + law, count);
        pad->striker = *def->striker;
    }
    pad->is_striker = def->striker != NULL;
    pad->voice = def->voice;
    pad->mode_count = count;
    pad->label = def->label;
    pad->law = def->law;
    for (int i = 0; i < SB_PAD_HITS; i++)
        pad->free[pad->free_count++] = &pad->strikes[i];
    return pad;
}

/* Loudness of a hit of 1 m/s, by which hits are ranked. */
static double response_of(const sb_engine *engine, const sb_pad_def *def) {
    sb_blow blow = {0};
    if (!def->law(def->law_data, 1.0, &blow)) return 0.0;
    return engine_response(engine, def->voice.index,
                           &(sb_impact_def){.duration_s = blow.duration_s,
                                            .weights = def->weights});
}

static int find_slot(const sb_engine *engine) {
    for (int i = 0; i < SB_AUDIO_PADS; i++)
        if (engine->pad_generation[i] % 2 == 0) return i;
    return -1;
}

sb_status sb_engine_prepare_pad(sb_engine *engine, const sb_pad_def *def,
                                sb_pad_id *id, sb_error *err) {
    sb_status status = engine_check_voice(engine, def->voice, err);
    if (status) return status;
    bool is_new = !sb_engine_has_pad(engine, *id);
    int slot = is_new ? find_slot(engine) : (int)id->index;
    if (slot < 0)
        return sb_fail(err, SB_NO_MEMORY, "all %d prepared places are taken",
                       (int)SB_AUDIO_PADS);
    if (!has_room(engine, engine->pad_count + is_new))
        return sb_fail(err, SB_QUEUE_FULL,
                       "the audio thread has not taken the places that were "
                       "prepared");
    sb_pad *pad = make(def, engine->mode_count[def->voice.index]);
    if (!pad)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a prepared place");
    pad->response = response_of(engine, def);
    engine->pad_generation[slot] += is_new;
    engine->pad_count += is_new;
    *id = (sb_pad_id){(uint32_t)slot, engine->pad_generation[slot]};
    pad->id = *id;
    pad->next = engine->pads;
    engine->pads = pad;
    post(engine, (sb_pad_post){.kind = SB_POST_PAD, .id = *id, .pad = pad});
    return SB_OK;
}

void sb_engine_release_pad(sb_engine *engine, sb_pad_id id) {
    if (!sb_engine_has_pad(engine, id)) return;
    engine->pad_generation[id.index]++;
    engine->pad_count--;
    post(engine, (sb_pad_post){.kind = SB_POST_PAD, .id = id});
}

bool sb_engine_post_hit(sb_engine *engine, sb_pad_id id, double speed_m_s,
                        int64_t frame) {
    if (!has_room(engine, engine->pad_count)) return false;
    post(engine, (sb_pad_post){.kind = SB_POST_HIT,
                               .id = id,
                               .speed_m_s = speed_m_s,
                               .frame = frame});
    return true;
}

/* --- freeing ---------------------------------------------------------------*/

void engine_free_pad(sb_engine *engine, const sb_pad *gone) {
    sb_pad **at = &engine->pads;
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    sb_free((void *)gone);
}

void engine_free_pads(sb_engine *engine) {
    while (engine->pads)
        engine_free_pad(engine, engine->pads);
}
