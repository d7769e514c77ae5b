/* SPDX-License-Identifier: MIT */
/* Takes control steps ahead of the audio clock, into a file or with a device.
 * Control thread. */
#include "runtime/scene/conductor.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"

#include <math.h>

/* Silence before a render ends: longer than a period of the slowest beat worth
 * waiting for. */
#define SILENCE_S 0.2

/* Frames that a recorder may lag behind: 5 s at 48 kHz. A power of two. */
enum { TAP_FRAMES = 1 << 18 };

typedef struct conducted {
    sb_conductor steps;
    int64_t skip; /* frames of look-ahead still to be dropped */
    sb_conduct_result result;
    int64_t quiet_frames; /* since the last frame above silence */
    double silence;       /* as an amplitude */
    bool was_busy;        /* at the last call of is_busy */
    int64_t idle_from;    /* nothing is scheduled from this frame on */
} conducted;

sb_conductor_def sb_conductor_def_default(void) {
    return (sb_conductor_def){.step_s = 0.01};
}

void sb_conductor_init(sb_conductor *self, const sb_conductor_def *def) {
    double rate_hz = sb_engine_sample_rate(def->engine);
    *self = (sb_conductor){.def = *def,
                           .rate_hz = rate_hz,
                           .step_frames = llround(def->step_s * rate_hz)};
}

static conducted run_begin(const sb_conductor_def *def, double silence_dbfs) {
    conducted run = {.skip = sb_engine_latency(def->engine),
                     .silence = pow(10.0, silence_dbfs / 20.0)};
    sb_conductor_init(&run.steps, def);
    sb_engine_set_silence(def->engine, run.silence);
    return run;
}

/* 1.16 * 48000 is slightly less than 55680. With these times the events of a
 * step fall into its frames, and earlier events do not, however a product is
 * rounded. */
double sb_conductor_time_s(double rate_hz, int64_t frames) {
    double exact = (double)frames;
    double time_s = exact / rate_hz;
    while (time_s * rate_hz < exact)
        time_s = nextafter(time_s, INFINITY);
    while (time_s > 0.0 && nextafter(time_s, 0.0) * rate_hz >= exact)
        time_s = nextafter(time_s, 0.0);
    return time_s;
}

static double step_time(const sb_conductor *self, int64_t step) {
    return sb_conductor_time_s(self->rate_hz, step * self->step_frames);
}

/* Take one control step and send its commands. */
static sb_status take_step(sb_conductor *self, sb_error *err) {
    double from_s = step_time(self, self->step);
    double to_s = step_time(self, self->step + 1);
    sb_status status = self->def.step(self->def.user, from_s, to_s, err);
    if (status) return status;
    self->step++;
    return SB_OK;
}

/* The next step sends nothing for frames before this one. */
static int64_t settled(const sb_conductor *self) {
    return self->step * self->step_frames - self->def.lead_frames;
}

sb_status sb_conductor_reach(sb_conductor *self, int64_t frames,
                             sb_error *err) {
    sb_engine *engine = self->def.engine;
    while (sb_engine_horizon(engine) < frames) {
        int64_t horizon = settled(self);
        if (sb_engine_horizon(engine) >= horizon) {
            sb_status status = take_step(self, err);
            if (status) return status;
            horizon = settled(self);
            if (sb_engine_horizon(engine) >= horizon) continue;
        }
        /* A full ring is emptied by the audio side: try again later. */
        if (!sb_engine_flush(engine, horizon)) break;
    }
    return SB_OK;
}

static sb_status hand_out(conducted *run, const float *stereo, int frames,
                          sb_error *err) {
    const sb_conductor_def *def = &run->steps.def;
    for (int n = 0; n < frames; n++) {
        double peak =
            fmax(fabs((double)stereo[2 * n]), fabs((double)stereo[2 * n + 1]));
        run->result.peak = fmax(run->result.peak, peak);
        run->quiet_frames = peak > run->silence ? 0 : run->quiet_frames + 1;
    }
    run->result.frames += frames;
    if (!def->sink || frames == 0) return SB_OK;
    return def->sink(def->user, stereo, frames, err);
}

/* Drop the look-ahead, and stop at `limit` frames in all (0: no limit). */
static sb_status take_frames(conducted *run, const float *stereo, int frames,
                             int64_t limit, sb_error *err) {
    int dropped = run->skip < frames ? (int)run->skip : frames;
    run->skip -= dropped;
    int64_t count = frames - dropped;
    if (limit && count > limit - run->result.frames) {
        count = limit - run->result.frames;
    }
    return hand_out(run, stereo + 2 * dropped, (int)count, err);
}

/* Has everything that is scheduled come out, except sound that is still
 * travelling? Steps run ahead of the sound. */
static bool is_idle(conducted *run) {
    const sb_conductor_def *def = &run->steps.def;
    bool is_busy = def->is_busy && def->is_busy(def->user);
    if (run->was_busy && !is_busy)
        run->idle_from = sb_engine_horizon(def->engine) + def->lead_frames;
    run->was_busy = is_busy;
    return !is_busy && run->result.frames >= run->idle_from;
}

static bool is_over(conducted *run, const sb_span *span) {
    const sb_conductor_def *def = &run->steps.def;
    double now_s = (double)run->result.frames / run->steps.rate_hz;
    if (def->is_done && def->is_done(def->user)) return true;
    if (span->duration_s > 0.0) {
        return run->result.frames >=
               llround(span->duration_s * run->steps.rate_hz);
    }
    if (now_s >= span->limit_s) {
        run->result.was_cut = true;
        return true;
    }
    bool is_quiet = (double)run->quiet_frames >= SILENCE_S * run->steps.rate_hz;
    /* Sound that is still travelling must not be cut off. */
    bool is_still = sb_engine_read_stats(def->engine).travelling == 0;
    return is_idle(run) && is_quiet && is_still;
}

static bool is_stopped(const conducted *run) {
    const sb_conductor_def *def = &run->steps.def;
    double now_s = (double)run->result.frames / run->steps.rate_hz;
    return def->must_stop && def->must_stop(def->user, now_s);
}

sb_status sb_conduct_render(const sb_conductor_def *def, const sb_span *span,
                            sb_conduct_result *out, sb_error *err) {
    conducted run = run_begin(def, span->silence_dbfs);
    int64_t limit = span->duration_s > 0.0
                        ? llround(span->duration_s * run.steps.rate_hz)
                        : llround(span->limit_s * run.steps.rate_hz);
    int64_t from_ns = sb_clock_ns();
    sb_status status = SB_OK;
    while (!status && !is_over(&run, span)) {
        float stereo[SB_BLOCK_FRAMES * 2];
        status = sb_conductor_reach(
            &run.steps, sb_engine_clock(def->engine) + SB_BLOCK_FRAMES, err);
        if (status) break;
        if (is_stopped(&run)) {
            status = sb_fail(err, SB_INTERRUPTED, "interrupted");
            break;
        }
        sb_engine_pull(def->engine, stereo, SB_BLOCK_FRAMES);
        if (def->computed) status = def->computed(def->user, err);
        if (status) break;
        status = take_frames(&run, stereo, SB_BLOCK_FRAMES, limit, err);
    }
    run.result.seconds = (double)(sb_clock_ns() - from_ns) * 1e-9;
    if (!status || status == SB_INTERRUPTED) *out = run.result;
    return status;
}

static sb_status drain_tap(conducted *run, sb_ring *tap, int64_t limit,
                           sb_error *err) {
    float stereo[2 * SB_BLOCK_FRAMES];
    uint32_t count;
    while ((count = sb_ring_read(tap, stereo, SB_BLOCK_FRAMES)) > 0) {
        sb_status status = take_frames(run, stereo, (int)count, limit, err);
        if (status) return status;
    }
    return SB_OK;
}

static void pause_control(void) {
    struct timespec span = {0, 1000000};
    (void)nanosleep(&span, NULL);
}

/* How far control runs ahead: the device may ask for two of its periods before
 * this thread wakes. Another device may have other periods. */
static int64_t lead_of(const conducted *run, const sb_output *output) {
    return run->steps.step_frames +
           2 * (int64_t)sb_output_period_frames(output);
}

static sb_status play(conducted *run, sb_output *output, sb_ring *tap,
                      int64_t limit, sb_error *err) {
    const sb_conductor_def *def = &run->steps.def;
    sb_status status =
        sb_conductor_reach(&run->steps, lead_of(run, output), err);
    if (!status) status = sb_output_start(output, err);
    while (!status) {
        sb_output_watch(output, sb_clock_ns());
        int64_t clock = sb_engine_clock(def->engine);
        status =
            sb_conductor_reach(&run->steps, clock + lead_of(run, output), err);
        if (!status) status = drain_tap(run, tap, limit, err);
        if (limit && run->result.frames >= limit) break;
        if (is_stopped(run)) break;
        if (def->idle) def->idle(def->user);
        pause_control();
    }
    return status;
}

sb_status sb_conduct_play(const sb_conductor_def *def, sb_output *output,
                          double duration_s, sb_conduct_result *out,
                          sb_error *err) {
    conducted run = run_begin(def, -60.0);
    void *memory = sb_alloc(TAP_FRAMES, 2 * sizeof(float));
    if (!memory) return sb_no_memory(err, "recorder");
    sb_ring tap;
    sb_ring_init(&tap, memory, TAP_FRAMES, 2 * sizeof(float));
    sb_engine_set_tap(def->engine, &tap);
    int64_t from_ns = sb_clock_ns();
    int64_t limit = llround(duration_s * run.steps.rate_hz);
    sb_status status = play(&run, output, &tap, limit, err);
    /* What was played up to a step that was interrupted is whole. */
    if (status == SB_INTERRUPTED) status = SB_OK;
    sb_output_stop(output);
    /* Frames between the last look and the stop. */
    if (!status) status = drain_tap(&run, &tap, limit, err);
    sb_engine_set_tap(def->engine, NULL);
    sb_free(memory);
    run.result.seconds = (double)(sb_clock_ns() - from_ns) * 1e-9;
    if (!status) *out = run.result;
    return status;
}
