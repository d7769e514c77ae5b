/* SPDX-License-Identifier: MIT */
/* Creates and destroys the engine, queues commands by time, sends them to the
 * audio thread and reads what it shows. Thread: control. */
#include "runtime/engine/engine.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/engine/engine_internal.h"

#include <math.h>
#include <string.h>

/* --- the machine ----------------------------------------------------------*/

/* Some bodies of typical size: more than the first-level cache holds. */
enum { BANKS = 32, MODES = 96, ROUNDS = 20 };

static double ring_ns(sb_modal_bank *const *banks) {
    float out[SB_BLOCK_FRAMES] = {0};
    int64_t from_ns = sb_clock_ns();
    for (int b = 0; b < BANKS; b++)
        sb_modal_bank_render(banks[b], out);
    return (double)(sb_clock_ns() - from_ns);
}

static bool make_ring(sb_modal_bank *bank) {
    sb_bank_mode modes[MODES];
    float weights[MODES], out[SB_BLOCK_FRAMES] = {0};
    for (int k = 0; k < MODES; k++) {
        modes[k] = (sb_bank_mode){600.0 * (k + 1.0), 1.0, 1.0};
        weights[k] = 1.0f;
    }
    if (sb_modal_bank_set_modes(bank, modes, MODES)) return false;
    sb_bank_impulse impulse = {1.0, 0.0, 0.0, weights};
    sb_modal_bank_impulse(bank, &impulse, out);
    return true;
}

/* The time of one unit of cost on this machine (quality.h). */
static double measure_unit_ns(const sb_engine_def *def) {
    /* Without memory for the measurement: the value of a machine of 2020. */
    const double usual_ns = 15.0, groups_of = 16.0;
    size_t bytes = sb_modal_bank_aligned(sb_modal_bank_bytes(MODES));
    char *memory = sb_alloc_aligned(BANKS * bytes);
    if (!memory) return usual_ns;
    sb_modal_bank *banks[BANKS];
    bool is_well = true;
    for (int b = 0; b < BANKS; b++) {
        banks[b] = sb_modal_bank_init(memory + (size_t)b * bytes, MODES,
                                      def->sample_rate_hz);
        is_well = is_well && make_ring(banks[b]);
    }
    /* Disturbances only add time, so the shortest is the best estimate. */
    double best_ns = (double)INFINITY;
    for (int i = 0; is_well && i < ROUNDS; i++)
        best_ns = fmin(best_ns, ring_ns(banks));
    sb_free(memory);
    double modes = BANKS * (MODES / groups_of) * groups_of;
    return is_well ? best_ns / modes : usual_ns;
}

/* --- life -----------------------------------------------------------------*/

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
        sb_free_all(audio, commands, retired, impacts, posts);
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
                    def->is_live ? measure_unit_ns(def) : 0.0);
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
        return sb_no_memory(err, "engine");
    }
    engine->audio = audio;
    engine->unit_ns = audio->quality.first_unit_ns;
    engine->threshold = def->threshold;
    *out = engine;
    return SB_OK;
}

static void free_retired(const sb_retired *thing) {
    const sb_strike *strike = thing->pointer;
    if (thing->kind == SB_RETIRED_STRIKE && strike->pad) return;
    if (thing->kind == SB_RETIRED_LASTING) {
        engine_free_lasting(thing->pointer);
    } else if (thing->kind == SB_RETIRED_RETUNE) {
        sb_engine_drop_retune(thing->pointer);
    } else {
        if (thing->kind == SB_RETIRED_VOICE)
            sb_free(((sb_voice *)thing->pointer)->aims);
        sb_free(thing->pointer);
    }
}

void sb_engine_destroy(sb_engine *engine) {
    if (!engine) return;
    sb_retired thing;
    for (int i = 0; i < engine->pending_count; i++)
        if (sb_audio_take_back(&engine->pending[i], &thing))
            free_retired(&thing);
    while (sb_audio_release(engine->audio, &thing))
        if (thing.kind != SB_RETIRED_PAD) free_retired(&thing);
    engine_free_pads(engine);
    engine_free_end_moves(engine);
    sb_free_all(engine->audio->commands.items, engine->audio->retired.items,
                engine->audio->impacts.items, engine->audio->pads.posts.items,
                engine->audio->traced.items);
    engine_free_stems(engine);
    engine_free_dry(engine);
    sb_free_all(engine->audio->hearing.ears, engine->audio->hearing.air,
                engine->audio->hearing.head, engine->audio->hearing.room,
                engine->audio->hearing.left, engine->audio, engine->pending,
                engine);
}

/* --- commands waiting for their time --------------------------------------*/

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
    return sb_no_memory_for(err, "%d more commands", count);
}

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

/* --- between the threads --------------------------------------------------*/

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

/* --- limits ---------------------------------------------------------------*/

sb_status sb_engine_set_quality(sb_engine *engine, double time_frames,
                                const sb_quality_def *def, sb_error *err) {
    sb_status status = sb_quality_check(def, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_QUALITY,
                                     .with.quality = *def});
    engine->threshold = def->tau / 32768.0;
    return SB_OK;
}

/* --- what the audio thread shows ------------------------------------------*/

void sb_engine_count_energy(sb_engine *engine) {
    atomic_store_explicit(&engine->audio->tracer.wants_account, true,
                          memory_order_relaxed);
}

void sb_engine_end_energy(sb_engine *engine) {
    atomic_store_explicit(&engine->audio->tracer.wants_account, false,
                          memory_order_relaxed);
}

void sb_engine_gauge(sb_engine *engine, int which, sb_voice_id id) {
    sb_gauge *gauge = &engine->audio->gauges[which];
    bool is_there = sb_engine_has_voice(engine, id);
    atomic_store_explicit(&gauge->generation, id.generation,
                          memory_order_relaxed);
    atomic_store_explicit(&gauge->place, is_there ? id.index + 1 : 0,
                          memory_order_release);
}

int sb_engine_read_gauge(const sb_engine *engine, int which, float *energy_j,
                         int most) {
    return sb_gauge_read(&engine->audio->gauges[which], energy_j, most);
}

void sb_engine_want_heard(sb_engine *engine, bool is_wanted) {
    sb_tally *heard = &engine->audio->heard;
    heard->modes = engine->audio->heard_modes;
    atomic_store_explicit(&heard->is_wanted, is_wanted, memory_order_release);
}

void sb_engine_read_heard(const sb_engine *engine, sb_voice_id id, int *wanted,
                          int *mixed) {
    unsigned both =
        sb_engine_has_voice(engine, id)
            ? atomic_load_explicit(&engine->audio->heard_modes[id.index],
                                   memory_order_relaxed)
            : 0;
    *wanted = (int)(both >> 16);
    *mixed = (int)(both & 65535u);
}

sb_status sb_engine_trace(sb_engine *engine, bool wants_steps, sb_error *err) {
    sb_tracer *tracer = &engine->audio->tracer;
    sb_engine_count_energy(engine);
    atomic_store_explicit(&tracer->wants_steps, wants_steps,
                          memory_order_relaxed);
    if (tracer->rows) return SB_OK;
    void *items = sb_alloc(SB_TRACER_ROWS, sizeof(sb_traced));
    if (!items)
        return sb_fail(err, SB_NO_MEMORY, "out of memory to watch a contact");
    sb_ring_init(&engine->audio->traced, items, SB_TRACER_ROWS,
                 sizeof(sb_traced));
    tracer->rows = &engine->audio->traced;
    return SB_OK;
}

bool sb_engine_next_traced(sb_engine *engine, sb_traced *out) {
    return engine->audio->traced.items &&
           sb_ring_pop(&engine->audio->traced, out);
}

sb_engine_energy sb_engine_read_energy(const sb_engine *engine) {
    const sb_tracer *t = &engine->audio->tracer;
#define READ(name) atomic_load_explicit(&t->name, memory_order_relaxed)
    return (sb_engine_energy){READ(shown_in_j), READ(shown_out_j),
                              READ(shown_now_j), READ(shown_drift)};
#undef READ
}

long long sb_engine_rows_lost(const sb_engine *engine) {
    return atomic_load_explicit(&engine->audio->tracer.rows_lost,
                                memory_order_relaxed);
}

bool sb_engine_take_muted(sb_engine *engine, sb_voice_id id) {
    return sb_engine_has_voice(engine, id) &&
           atomic_exchange_explicit(&engine->audio->is_muted[id.index], false,
                                    memory_order_relaxed);
}
