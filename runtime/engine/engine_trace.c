/* The control side of tracing contacts and energies. Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"

void sb_engine_count_energy(sb_engine *engine) {
    atomic_store_explicit(&engine->audio->tracer.wants_account, true,
                          memory_order_relaxed);
}

sb_status sb_engine_trace(sb_engine *engine, sb_error *err) {
    sb_tracer *tracer = &engine->audio->tracer;
    sb_engine_count_energy(engine);
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
