/* Creates and destroys the engine, queues commands by time and sends them to
 * the audio thread. Thread: control. */
#include "runtime/engine/engine.h"

#include "runtime/base/memory.h"
#include "runtime/engine/engine_internal.h"

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
    void *posts = sb_alloc(SB_AUDIO_PAD_POSTS, sizeof(sb_pad_post));
    if (!audio || !commands || !retired || !impacts || !posts) {
        sb_free(audio);
        sb_free(commands);
        sb_free(retired);
        sb_free(impacts);
        sb_free(posts);
        return NULL;
    }
    audio->sample_rate_hz = def->sample_rate_hz;
    atomic_init(&audio->hold_at, INT64_MAX);
    audio->threshold = def->threshold;
    sb_ring_init(&audio->commands, commands, SB_AUDIO_COMMANDS,
                 sizeof(sb_command));
    sb_ring_init(&audio->retired, retired, SB_AUDIO_RETIRED,
                 sizeof(sb_retired));
    sb_ring_init(&audio->impacts, impacts, SB_AUDIO_IMPACTS,
                 sizeof(sb_impact_record));
    sb_ring_init(&audio->pads.posts, posts, SB_AUDIO_PAD_POSTS,
                 sizeof(sb_pad_post));
    sb_quality_def quality = sb_quality_default();
    quality.tau = def->threshold * 32768.0;
    sb_quality_init(&audio->quality, &quality, def->sample_rate_hz,
                    def->is_live ? engine_measure_unit_ns(def) : 0.0);
    sb_limiter_init(&audio->limiter, def->sample_rate_hz, (float)def->ceiling);
    atomic_init(&audio->counters.dropped_centi_db, -20000);
    atomic_init(&audio->counters.budget_units, -1);
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
    engine->unit_ns = audio->quality.first_unit_ns;
    engine->threshold = def->threshold;
    *out = engine;
    return SB_OK;
}

static void free_command(const sb_command *command) {
    if (command->kind == SB_COMMAND_ADD) sb_free(command->with.voice);
    if (command->kind == SB_COMMAND_STRIKE) sb_free(command->with.strike);
    if (command->kind == SB_COMMAND_RETUNE) sb_free(command->with.retune);
    if (command->kind == SB_COMMAND_STREAM) sb_free(command->with.stream);
    if (command->kind == SB_COMMAND_AIR) sb_free(command->with.air);
    if (command->kind == SB_COMMAND_MOVE) sb_free(command->with.move);
    if (command->kind == SB_COMMAND_CONTACT)
        engine_free_lasting(command->with.lasting);
}

static void free_retired(const sb_retired *thing) {
    const sb_strike *strike = thing->pointer;
    if (thing->kind == SB_RETIRED_STRIKE && strike->pad) return;
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
    while (sb_audio_release(engine->audio, &thing))
        if (thing.kind != SB_RETIRED_PAD) free_retired(&thing);
    engine_free_pads(engine);
    engine_free_end_moves(engine);
    sb_free(engine->audio->commands.items);
    sb_free(engine->audio->retired.items);
    sb_free(engine->audio->impacts.items);
    sb_free(engine->audio->pads.posts.items);
    sb_free(engine->audio->traced.items);
    engine_free_stems(engine);
    engine_free_dry(engine);
    sb_free(engine->audio->ears);
    sb_free(engine->audio->air);
    sb_free(engine->audio);
    sb_free(engine->pending);
    sb_free(engine);
}

/* --- commands waiting for their time ---------------------------------------*/

static bool is_earlier(const sb_command *a, const sb_command *b) {
    if (a->time_frames != b->time_frames) {
        return a->time_frames < b->time_frames;
    }
    return a->order < b->order;
}

/* More pending commands than this are a runaway script. */
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

/* Room for it has been reserved. */
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

/* --- between the threads ---------------------------------------------------*/

static void collect_retired(sb_engine *engine) {
    sb_retired thing;
    while (sb_ring_pop(&engine->audio->retired, &thing)) {
        if (thing.kind == SB_RETIRED_VOICE) {
            engine->is_resting[thing.slot] = false;
        }
        if (thing.kind == SB_RETIRED_LASTING)
            engine_lasting_is_back(engine, thing.slot);
        if (thing.kind == SB_RETIRED_PAD) {
            engine_free_pad(engine, thing.pointer);
        } else {
            free_retired(&thing);
        }
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
            /* Everything up to there has been sent; the audio thread makes
             * room. */
            advance_horizon(engine, (int64_t)floor(next->time_frames));
            return false;
        }
        drop_earliest(engine);
    }
    advance_horizon(engine, horizon_frames);
    return true;
}

void sb_engine_set_tap(sb_engine *engine, sb_ring *tap) {
    engine->audio->tap = tap;
}

sb_engine_stats sb_engine_read_stats(const sb_engine *engine) {
    const sb_audio_counters *c = &engine->audio->counters;
#define READ(name) atomic_load_explicit(&c->name, memory_order_relaxed)
    return (sb_engine_stats){
        .frames = READ(frames),
        .late = READ(late),
        .muted = READ(muted),
        .dropped = READ(dropped),
        .crowded = READ(crowded),
        .strikes = READ(strikes),
        .retunes = READ(retunes),
        .travelling = READ(travelling),
        .tap_dropped = READ(tap_dropped),
        .impacts_lost = READ(impacts_lost),
        .voices = READ(voices),
        .flying = READ(flying),
        .touching = READ(touching),
        .sounding = READ(sounding),
        .active_modes = READ(active_modes),
        .modes_wanted = READ(modes_wanted),
        .modes_mixed = READ(modes_mixed),
        .dropped_db = READ(dropped_centi_db) * 1e-2,
        .units = READ(units),
        .budget_units = READ(budget_units),
        .unit_s = READ(unit_pico_s) * 1e-12,
        .peak = READ(peak_micro) * 1e-6,
        .limiter_gain = READ(limiter_micro) * 1e-6,
        .limiter_least = READ(least_micro) * 1e-6,
    };
#undef READ
}
