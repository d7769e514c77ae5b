/* The control side of strikes: checks a definition, allocates the strike and
 * sends it. Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/impact_def.h"

/* The weights, followed by the work space of a striker's contact; and both
 * again for a striker that rings itself. */
static sb_strike *create_strike(int mode_count, bool is_striker,
                                int second_count) {
    size_t padded = (size_t)sb_modal_field_padded(mode_count);
    size_t own = engine_aligned(sizeof(sb_strike) + padded * sizeof(float));
    size_t room = is_striker ? sb_modal_field_bytes(mode_count) : 0;
    size_t second_padded = (size_t)sb_modal_field_padded(second_count);
    size_t second = engine_aligned(second_padded * sizeof(float));
    size_t second_room =
        second_count > 0 ? sb_modal_field_bytes(second_count) : 0;
    sb_strike *strike = sb_alloc_aligned(own + room + second + second_room);
    if (!strike) return NULL;
    char *at = (char *)strike + own;
    strike->mode_count = mode_count;
    strike->weights = (float *)(void *)(strike + 1);
    strike->room = &strike->field;
    if (is_striker) sb_modal_field_init(&strike->field, at, mode_count);
    if (second_count == 0) return strike;
    strike->second_mode_count = second_count;
    strike->second_weights = (float *)(void *)(at + room);
    sb_modal_field_init(&strike->second_field, at + room + second,
                        second_count);
    return strike;
}

static void set_second(sb_strike *strike, const sb_impact_def *def) {
    strike->second_slot = def->second.index;
    strike->second_generation = def->second.generation;
    for (int k = 0; k < strike->second_mode_count; k++)
        strike->second_weights[k] = (float)def->second_weights[k];
}

/* The number of modes of the striker itself. */
static sb_status check_second(const sb_engine *engine, sb_voice_id id,
                              const sb_impact_def *def, int *count,
                              sb_error *err) {
    *count = 0;
    if (!def->striker || def->second.generation == 0) return SB_OK;
    sb_status status = engine_check_voice(engine, def->second, err);
    if (status) return status;
    if (def->second.index == id.index) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a voice cannot be its own striker");
    }
    *count = engine->mode_count[def->second.index];
    return SB_OK;
}

/* A moving mass has the highest priority: audio_strikes.h. */
static float power_of(const sb_strike *strike) {
    double impulse = strike->impulse_ns;
    double power = strike->response * impulse * impulse;
    if (strike->is_striker || !(power < 1e30)) return 1e30f;
    return (float)power;
}

sb_status sb_engine_strike(sb_engine *engine, sb_voice_id id,
                           double time_frames, const sb_impact_def *def,
                           sb_error *err) {
    int second_count = 0;
    sb_status status = engine_check_voice(engine, id, err);
    if (!status) status = check_second(engine, id, def, &second_count, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    int count = engine->mode_count[id.index];
    sb_strike *strike =
        create_strike(count, def->striker != NULL, second_count);
    if (!strike) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more strike");
    }
    strike->impulse_ns = def->impulse_ns;
    strike->duration_s = def->duration_s;
    strike->response = engine_response(engine, id.index, def);
    strike->record = def->record;
    strike->is_watched = def->is_watched;
    strike->is_striker = def->striker != NULL;
    if (def->striker) strike->striker = *def->striker;
    strike->striker.label = def->record.label;
    for (int k = 0; k < count; k++)
        strike->weights[k] = (float)def->weights[k];
    set_second(strike, def);
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_STRIKE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .power = power_of(strike),
                                     .with.strike = strike});
    return SB_OK;
}
