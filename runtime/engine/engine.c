#include "runtime/engine/engine.h"

#include "runtime/base/memory.h"
#include "runtime/engine/engine_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

sb_engine_def sb_engine_def_default(void) {
    return (sb_engine_def){.sample_rate_hz = 48000.0,
                           .threshold = 0.01 / 32768.0,
                           .ceiling = 0.989};
}

static sb_status check_def(const sb_engine_def *def, sb_error *err) {
    if (!(def->sample_rate_hz >= 8000.0 && def->sample_rate_hz <= 384000.0)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the sample rate must be 8000 to 384000 Hz, got %g",
                       def->sample_rate_hz);
    }
    if (!(def->threshold >= 0.0 && def->threshold <= 1.0) ||
        !(def->ceiling > 0.0 && def->ceiling <= 1.0)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "threshold and ceiling must be 0 to 1, got %g and %g",
                       def->threshold, def->ceiling);
    }
    return SB_OK;
}

static sb_audio *audio_create(const sb_engine_def *def) {
    sb_audio *audio = sb_alloc_aligned(sizeof *audio);
    void *commands = sb_alloc(SB_AUDIO_COMMANDS, sizeof(sb_command));
    void *retired = sb_alloc(SB_AUDIO_RETIRED, sizeof(sb_retired));
    void *impacts = sb_alloc(SB_AUDIO_IMPACTS, sizeof(sb_impact_record));
    if (!audio || !commands || !retired || !impacts) {
        sb_free(audio);
        sb_free(commands);
        sb_free(retired);
        sb_free(impacts);
        return NULL;
    }
    audio->sample_rate_hz = def->sample_rate_hz;
    audio->threshold = def->threshold;
    sb_ring_init(&audio->commands, commands, SB_AUDIO_COMMANDS,
                 sizeof(sb_command));
    sb_ring_init(&audio->retired, retired, SB_AUDIO_RETIRED,
                 sizeof(sb_retired));
    sb_ring_init(&audio->impacts, impacts, SB_AUDIO_IMPACTS,
                 sizeof(sb_impact_record));
    sb_limiter_init(&audio->limiter, def->sample_rate_hz, (float)def->ceiling);
    atomic_init(&audio->counters.limiter_micro, 1000000);
    atomic_init(&audio->counters.least_micro, 1000000);
    return audio;
}

sb_status sb_engine_create(const sb_engine_def *def, sb_engine **out,
                           sb_error *err) {
    sb_status status = check_def(def, err);
    if (status) return status;
    sb_engine *engine = sb_alloc(1, sizeof *engine);
    sb_audio *audio = engine ? audio_create(def) : NULL;
    if (!audio) {
        sb_free(engine);
        return sb_fail(err, SB_NO_MEMORY, "engine: out of memory");
    }
    engine->audio = audio;
    *out = engine;
    return SB_OK;
}

static void free_command(const sb_command *command) {
    if (command->kind == SB_COMMAND_ADD) sb_free(command->with.voice);
    if (command->kind == SB_COMMAND_STRIKE) sb_free(command->with.strike);
    if (command->kind == SB_COMMAND_RETUNE) sb_free(command->with.retune);
    if (command->kind == SB_COMMAND_MOVE) sb_free(command->with.move);
    if (command->kind == SB_COMMAND_CONTACT)
        engine_free_lasting(command->with.lasting);
}

static void free_retired(const sb_retired *thing) {
    if (thing->kind == SB_RETIRED_LASTING) {
        engine_free_lasting(thing->pointer);
    } else {
        sb_free(thing->pointer);
    }
}

void sb_engine_destroy(sb_engine *engine) {
    if (!engine) return;
    for (int i = 0; i < engine->pending_count; i++)
        free_command(&engine->pending[i]);
    sb_retired thing;
    while (sb_audio_surrender(engine->audio, &thing))
        free_retired(&thing);
    engine_free_farewells(engine);
    sb_free(engine->audio->commands.items);
    sb_free(engine->audio->retired.items);
    sb_free(engine->audio->impacts.items);
    sb_free(engine->audio->traced.items);
    sb_free(engine->audio);
    sb_free(engine->pending);
    sb_free(engine);
}

double sb_engine_sample_rate(const sb_engine *engine) {
    return engine->audio->sample_rate_hz;
}

/* --- commands waiting for their time -------------------------------------- */

static bool is_earlier(const sb_command *a, const sb_command *b) {
    if (a->time_frames != b->time_frames) {
        return a->time_frames < b->time_frames;
    }
    return a->order < b->order;
}

/* A step that asks for more than this is a script gone wild. */
enum { PENDING_MAX = 1 << 17 };

sb_status sb_engine_reserve(sb_engine *engine, int count, sb_error *err) {
    if (engine->pending_count > PENDING_MAX - count) {
        return sb_fail(err, SB_QUEUE_FULL,
                       "more than %d strikes and changes are waiting for "
                       "their time",
                       (int)PENDING_MAX);
    }
    if (sb_grow((void **)&engine->pending, &engine->pending_capacity,
                engine->pending_count + count, sizeof(sb_command))) {
        return SB_OK;
    }
    return sb_fail(err, SB_NO_MEMORY, "out of memory for %d more commands",
                   count);
}

static sb_status reserve_command(sb_engine *engine, sb_error *err) {
    return sb_engine_reserve(engine, 1, err);
}

/* Place for it has been reserved. */
void engine_post(sb_engine *engine, sb_command command) {
    command.order = engine->order++;
    sb_command *heap = engine->pending;
    int i = engine->pending_count++;
    while (i > 0 && is_earlier(&command, &heap[(i - 1) / 2])) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = command;
}

static void drop_earliest(sb_engine *engine) {
    sb_command *heap = engine->pending;
    int count = --engine->pending_count;
    sb_command last = heap[count];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && is_earlier(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (!is_earlier(&heap[child], &last)) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
}

/* --- voices ----------------------------------------------------------------- */

bool sb_engine_has_voice(const sb_engine *engine, sb_voice_id id) {
    return (id.generation & 1) && id.index < SB_AUDIO_VOICES &&
           engine->generation[id.index] == id.generation;
}

static bool find_slot(sb_engine *engine, uint32_t *slot) {
    for (uint32_t i = 0; i < SB_AUDIO_VOICES; i++) {
        uint32_t at = (engine->next_slot + i) % SB_AUDIO_VOICES;
        if (engine->generation[at] % 2 == 0 && !engine->is_resting[at]) {
            *slot = at;
            return true;
        }
    }
    return false;
}

static void add_spring(sb_voice *voice, const sb_spring_def *def) {
    const sb_spring *spring = &def->spring;
    sb_link link;
    if (def->is_distortion) {
        sb_link_init_distortion(&link, spring->loss_ns_m, spring->knee_m_s);
    } else {
        sb_link_init_spring(&link, spring->linear_n_m, spring->cubic_n_m3);
    }
    sb_voice_add_spring(voice, &link, def->weights);
}

static sb_status make_voice(const sb_engine *engine, const sb_voice_def *def,
                            sb_voice **out, sb_error *err) {
    const sb_audio *audio = engine->audio;
    if (def->mode_count < 1) {
        return sb_fail(err, SB_BAD_ARGUMENT, "a voice needs at least one mode");
    }
    if (def->spring_count < 0 || def->spring_count > SB_VOICE_SPRINGS) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a voice has 0 to %d springs, not %d",
                       (int)SB_VOICE_SPRINGS, def->spring_count);
    }
    size_t mask = SB_MODAL_BANK_ALIGN - 1;
    size_t bytes =
        (sb_voice_bytes(def->mode_count, def->spring_count) + mask) & ~mask;
    sb_voice *voice =
        sb_alloc_aligned(bytes + (def->diffuse ? sizeof(sb_diffuse) : 0));
    if (!voice) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                       def->mode_count);
    }
    sb_status status = sb_voice_init(voice, def->modes, def->mode_count,
                                     audio->sample_rate_hz);
    if (status) {
        sb_free(voice);
        return sb_fail(err, status,
                       "a mode's frequency, decay or gain is not a finite "
                       "number in its range");
    }
    for (int i = 0; i < def->spring_count; i++)
        add_spring(voice, &def->springs[i]);
    if (def->diffuse) {
        void *memory = (char *)voice + bytes;
        sb_voice_set_diffuse(voice, memory, def->diffuse);
    }
    sb_voice_set_ears(voice, def->ear_gain, audio->threshold);
    *out = voice;
    return SB_OK;
}

sb_status sb_engine_add_voice(sb_engine *engine, const sb_voice_def *def,
                              double time_frames, sb_voice_id *out,
                              sb_error *err) {
    uint32_t slot;
    if (!find_slot(engine, &slot)) {
        return sb_fail(err, SB_NO_MEMORY,
                       "all %d places for bodies that sound are taken",
                       (int)SB_AUDIO_VOICES);
    }
    sb_status status = reserve_command(engine, err);
    if (status) return status;
    sb_voice *voice = NULL;
    status = make_voice(engine, def, &voice, err);
    if (status) return status;

    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_ADD,
                                     .slot = slot,
                                     .generation = engine->generation[slot] + 1,
                                     .with.voice = voice});
    engine->generation[slot]++;
    engine->mode_count[slot] = def->mode_count;
    engine->added_frames[slot] = time_frames;
    engine->next_slot = slot + 1;
    *out = (sb_voice_id){slot, engine->generation[slot]};
    return SB_OK;
}

sb_status sb_engine_remove_voice(sb_engine *engine, sb_voice_id id,
                                 double time_frames, double fade_s,
                                 sb_error *err) {
    if (!sb_engine_has_voice(engine, id)) return SB_OK;
    sb_status status = reserve_command(engine, err);
    if (status) return status;
    double rate = engine->audio->sample_rate_hz;
    /* It cannot leave before it came. */
    double from = fmax(time_frames, engine->added_frames[id.index]);
    engine_post(engine, (sb_command){.time_frames = from,
                                     .kind = SB_COMMAND_REMOVE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.fade_frames = fade_s * rate});
    engine->generation[id.index]++;
    engine->is_resting[id.index] = true;
    return SB_OK;
}

static sb_status check_voice(const sb_engine *engine, sb_voice_id id,
                             sb_error *err) {
    if (sb_engine_has_voice(engine, id)) return SB_OK;
    return sb_fail(err, SB_STALE_HANDLE, "this voice has been removed");
}

sb_status sb_engine_set_ears(sb_engine *engine, sb_voice_id id,
                             double time_frames, const float ear_gain[2],
                             sb_error *err) {
    sb_status status = check_voice(engine, id, err);
    if (status) return status;
    status = reserve_command(engine, err);
    if (status) return status;
    engine_post(engine,
                (sb_command){.time_frames = time_frames,
                             .kind = SB_COMMAND_EARS,
                             .slot = id.index,
                             .generation = id.generation,
                             .with.ear_gain = {ear_gain[0], ear_gain[1]}});
    return SB_OK;
}

sb_status sb_engine_prepare_retune(const sb_engine *engine,
                                   const sb_bank_mode *from,
                                   const sb_bank_mode *to, int count,
                                   double glide_s, sb_retune **out,
                                   sb_error *err) {
    size_t bytes = (size_t)count * sizeof(sb_bank_mode);
    sb_retune *retune = sb_alloc(1, sizeof *retune + 6 * bytes +
                                        (size_t)count * sizeof(double));
    if (!retune) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory to retune %d modes",
                       count);
    }
    double frames = glide_s * engine->audio->sample_rate_hz;
    retune->mode_count = count;
    retune->glide_blocks = fmax(ceil(frames / SB_BLOCK_FRAMES), 1.0);
    retune->from = (sb_bank_mode *)(void *)(retune + 1);
    retune->to = retune->from + count;
    retune->slope = retune->to + count; /* none: zeros */
    retune->calm = retune->slope + count;
    retune->was = retune->calm + count;
    retune->now = retune->was + count;
    retune->bend = (double *)(void *)(retune->now + count);
    memcpy(retune->from, from, bytes);
    memcpy(retune->calm, from, bytes);
    memcpy(retune->was, from, bytes);
    memcpy(retune->now, from, bytes);
    memcpy(retune->to, to, bytes);
    *out = retune;
    return SB_OK;
}

void sb_engine_set_wobble(sb_retune *retune, const sb_wobble *wobble,
                          const double *bend) {
    retune->wobbles = true;
    retune->wobble = *wobble;
    memcpy(retune->bend, bend, (size_t)retune->mode_count * sizeof *bend);
}

void sb_engine_set_diffuse(sb_retune *retune, const sb_diffuse_def *def) {
    retune->has_diffuse = true;
    retune->diffuse = *def;
}

void sb_engine_set_springs(sb_retune *retune, const sb_spring *springs,
                           int count) {
    assert(count <= SB_VOICE_SPRINGS);
    retune->spring_count = count;
    memcpy(retune->springs, springs, (size_t)count * sizeof *springs);
}

void sb_engine_drop_retune(sb_retune *retune) {
    sb_free(retune);
}

void sb_engine_retune(sb_engine *engine, sb_voice_id id, double time_frames,
                      sb_retune *retune) {
    assert(sb_engine_has_voice(engine, id));
    assert(engine->mode_count[id.index] == retune->mode_count);
    assert(engine->pending_count < engine->pending_capacity);
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_RETUNE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.retune = retune});
}

static size_t aligned(size_t bytes) {
    size_t mask = SB_MODAL_BANK_ALIGN - 1;
    return (bytes + mask) & ~mask;
}

/* The weights, and behind them the room that a striker's contact needs; and
 * both again for a striker that rings itself. */
static sb_strike *create_strike(int mode_count, bool is_striker,
                                int second_count) {
    size_t padded = (size_t)sb_modal_field_padded(mode_count);
    size_t own = aligned(sizeof(sb_strike) + padded * sizeof(float));
    size_t room = is_striker ? sb_modal_field_bytes(mode_count) : 0;
    size_t second_padded = (size_t)sb_modal_field_padded(second_count);
    size_t second = aligned(second_padded * sizeof(float));
    size_t second_room =
        second_count > 0 ? sb_modal_field_bytes(second_count) : 0;
    sb_strike *strike = sb_alloc_aligned(own + room + second + second_room);
    if (!strike) return NULL;
    char *at = (char *)strike + own;
    strike->mode_count = mode_count;
    if (is_striker) sb_modal_field_init(&strike->field, at, mode_count);
    if (second_count == 0) return strike;
    strike->second_mode_count = second_count;
    strike->second_weights = (float *)(void *)(at + room);
    sb_modal_field_init(&strike->second_field, at + room + second,
                        second_count);
    return strike;
}

static void set_second(sb_strike *strike, const sb_strike_def *def) {
    strike->second_slot = def->second.index;
    strike->second_generation = def->second.generation;
    for (int k = 0; k < strike->second_mode_count; k++)
        strike->second_weights[k] = (float)def->second_weights[k];
}

/* How many modes the striker itself has. */
static sb_status check_second(const sb_engine *engine, sb_voice_id id,
                              const sb_strike_def *def, int *count,
                              sb_error *err) {
    *count = 0;
    if (!def->striker || def->second.generation == 0) return SB_OK;
    sb_status status = check_voice(engine, def->second, err);
    if (status) return status;
    if (def->second.index == id.index) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a voice cannot be its own striker");
    }
    *count = engine->mode_count[def->second.index];
    return SB_OK;
}

sb_status sb_engine_strike(sb_engine *engine, sb_voice_id id,
                           double time_frames, const sb_strike_def *def,
                           sb_error *err) {
    int second_count = 0;
    sb_status status = check_voice(engine, id, err);
    if (!status) status = check_second(engine, id, def, &second_count, err);
    if (!status) status = reserve_command(engine, err);
    if (status) return status;
    int count = engine->mode_count[id.index];
    sb_strike *strike =
        create_strike(count, def->striker != NULL, second_count);
    if (!strike) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for one more strike");
    }
    strike->impulse_ns = def->impulse_ns;
    strike->duration_s = def->duration_s;
    strike->told = def->told;
    strike->is_watched = def->is_watched;
    strike->is_striker = def->striker != NULL;
    if (def->striker) strike->striker = *def->striker;
    strike->striker.label = def->told.label;
    for (int k = 0; k < count; k++)
        strike->weights[k] = (float)def->weights[k];
    set_second(strike, def);
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_STRIKE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.strike = strike});
    return SB_OK;
}

/* --- between the threads ----------------------------------------------------- */

static void collect_retired(sb_engine *engine) {
    sb_retired thing;
    while (sb_ring_pop(&engine->audio->retired, &thing)) {
        if (thing.kind == SB_RETIRED_VOICE) {
            engine->is_resting[thing.slot] = false;
        }
        if (thing.kind == SB_RETIRED_LASTING)
            engine_lasting_is_back(engine, thing.slot);
        free_retired(&thing);
    }
}

static void advance_horizon(sb_engine *engine, int64_t frames) {
    if (frames <= sb_engine_horizon(engine)) return;
    atomic_store_explicit(&engine->horizon, frames, memory_order_release);
}

bool sb_engine_next_impact(sb_engine *engine, sb_impact_record *out) {
    return sb_ring_pop(&engine->audio->impacts, out);
}

bool sb_engine_flush(sb_engine *engine, int64_t horizon_frames) {
    collect_retired(engine);
    while (engine->pending_count > 0) {
        const sb_command *next = &engine->pending[0];
        if (next->time_frames >= (double)horizon_frames) break;
        if (!sb_ring_push(&engine->audio->commands, next)) {
            /* Up to there all has been said, and audio makes room. */
            advance_horizon(engine, (int64_t)floor(next->time_frames));
            return false;
        }
        drop_earliest(engine);
    }
    advance_horizon(engine, horizon_frames);
    return true;
}

bool sb_engine_is_choked(const sb_engine *engine) {
    return sb_ring_room(&engine->audio->commands) == 0;
}

int64_t sb_engine_horizon(const sb_engine *engine) {
    return atomic_load_explicit(&engine->horizon, memory_order_acquire);
}

int64_t sb_engine_clock(const sb_engine *engine) {
    return atomic_load_explicit(&engine->audio->counters.frames,
                                memory_order_acquire);
}

void sb_engine_pull(sb_engine *engine, float *stereo, int frames) {
    sb_audio_pull(engine->audio, stereo, frames);
}

void sb_engine_set_tap(sb_engine *engine, sb_ring *tap) {
    engine->audio->tap = tap;
}

int64_t sb_engine_tap_room(const sb_engine *engine) {
    const sb_ring *tap = engine->audio->tap;
    return tap ? (int64_t)sb_ring_room(tap) : INT64_MAX;
}

sb_engine_stats sb_engine_read_stats(const sb_engine *engine) {
    const sb_audio_counters *c = &engine->audio->counters;
#define READ(name) atomic_load_explicit(&c->name, memory_order_relaxed)
    return (sb_engine_stats){
        .frames = READ(frames),
        .late = READ(late),
        .muted = READ(muted),
        .dropped = READ(dropped),
        .strikes = READ(strikes),
        .retunes = READ(retunes),
        .tap_dropped = READ(tap_dropped),
        .impacts_lost = READ(impacts_lost),
        .voices = READ(voices),
        .flying = READ(flying),
        .touching = READ(touching),
        .sounding = READ(sounding),
        .active_modes = READ(active_modes),
        .peak = READ(peak_micro) * 1e-6,
        .limiter_gain = READ(limiter_micro) * 1e-6,
        .limiter_least = READ(least_micro) * 1e-6,
    };
#undef READ
}
