/* SPDX-License-Identifier: MIT */
#include "tests/bench/live/save_delay.h"

#include "bindings/host/host.h"
#include "runtime/base/clock.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/scene/conductor.h"

enum { SAVES = 20 };

typedef struct watcher {
    sb_host *host;
    save_turn *save;
    void *user;
    int saves;
    long long retuned; /* count of retunings when last checked */
    int64_t saved_ns;  /* time of the last save; 0: already heard */
    int64_t next_ns;   /* time of the next save */
    double delays_ms[SAVES];
} watcher;

static sb_status step(void *user, double from_s, double to_s, sb_error *err) {
    return sb_host_step(((watcher *)user)->host, from_s, to_s, err);
}

static void idle(void *user) {
    sb_host_idle(((watcher *)user)->host);
}

/* Called about once per millisecond: save, wait until the audio thread has
 * begun the glide, save again. */
static bool watch_save(void *user, double now_s) {
    watcher *self = user;
    (void)now_s;
    int64_t now_ns = sb_clock_ns();
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(self->host));
    if (self->saved_ns) {
        if (stats.retunes > self->retuned) {
            self->delays_ms[self->saves++] =
                (double)(now_ns - self->saved_ns) * 1e-6;
            self->saved_ns = 0;
            self->next_ns = now_ns + 120000000;
        }
    } else if (now_ns >= self->next_ns) {
        self->retuned = stats.retunes;
        self->save(self->user, self->saves);
        self->saved_ns = sb_clock_ns();
    }
    return self->saves == SAVES;
}

static sb_status play(watcher *self, sb_error *err) {
    sb_output_def silent = sb_output_def_default();
    silent.engine = sb_host_engine(self->host);
    silent.backend = "null";
    sb_output *output;
    sb_status status = sb_output_open(&silent, &output, err);
    if (status) return status;
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = silent.engine;
    def.step = step;
    def.must_stop = watch_save;
    def.idle = idle;
    def.user = self;
    self->next_ns = sb_clock_ns() + 500000000;
    sb_conduct_result result;
    status = sb_conduct_play(&def, output, 30.0, &result, err);
    sb_output_close(output);
    if (!status && self->saves < SAVES)
        status = sb_fail(err, SB_NO_CONVERGENCE,
                         "only %d of %d saves were heard in 30 s", self->saves,
                         (int)SAVES);
    return status;
}

sb_status save_delay_measure(const char *path, save_turn *save, void *user,
                             spread *out_ms, sb_error *err) {
    watcher self = {.save = save, .user = user};
    sb_host_def def = sb_host_def_default();
    def.watches = true;
    sb_status status = sb_host_open(path, &def, &self.host, err);
    if (!status) status = play(&self, err);
    sb_host_close(self.host);
    if (!status) *out_ms = spread_of(self.delays_ms, SAVES);
    return status;
}
