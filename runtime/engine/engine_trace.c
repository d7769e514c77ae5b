/* The control side of tracing contacts and energies. Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"

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
