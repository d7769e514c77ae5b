#include "bindings/cli/prompt/meter.h"

#include "bindings/script/script_output.h"
#include "runtime/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLOOR_DB      -60.0
#define FALL_DB_PER_S 30.0 /* slow enough to read a strike */
#define QUIET         1e-3 /* -60 dBFS */

enum { CELLS = 20 };

meter meter_start(void) {
    return (meter){.level_db = -200.0};
}

void meter_take(meter *self, const float *stereo, int frames, double rate_hz) {
    double peak = 0.0;
    for (int i = 0; i < 2 * frames; i++)
        peak = fmax(peak, fabs((double)stereo[i]));
    self->peak = fmax(self->peak, peak);
    self->quiet_s = peak > QUIET ? 0.0 : self->quiet_s + frames / rate_hz;
}

static void fall(meter *self, double span_s) {
    double now_db = self->peak > 1e-10 ? 20.0 * log10(self->peak) : -200.0;
    self->level_db = fmax(now_db, self->level_db - FALL_DB_PER_S * span_s);
    self->peak = 0.0;
}

/* Load since the meter was last shown, not since the start. */
static void weigh(meter *self, double share, double frames) {
    double busy = share * frames;
    if (frames > self->frames) {
        double now = (busy - self->busy_frames) / (frames - self->frames);
        self->share = fmin(fmax(now, 0.0), 9.99);
    }
    self->busy_frames = busy;
    self->frames = frames;
}

static void add(char *out, size_t size, const char *text) {
    size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s", text);
}

static void add_bar(const meter *self, const meter_look *look, char *out,
                    size_t size) {
    double part = (self->level_db - FLOOR_DB) / -FLOOR_DB;
    int full = (int)lround(fmin(fmax(part, 0.0), 1.0) * CELLS);
    const char *colour = self->level_db > -1.0    ? "\001\033[31m\001"
                         : self->level_db > -12.0 ? "\001\033[33m\001"
                                                  : "\001\033[32m\001";
    if (look->has_colour) add(out, size, colour);
    for (int i = 0; i < CELLS; i++) {
        const char *cell =
            look->is_utf8 ? (i < full ? "█" : "░") : (i < full ? "#" : ".");
        add(out, size, cell);
    }
    if (look->has_colour) add(out, size, "\001\033[0m\001");
}

void meter_show(meter *self, const sb_host *host, double span_s,
                const meter_look *look, char *out, size_t size) {
    char text[160];
    script_output load = sb_host_read_output(host);
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(host));
    fall(self, span_s);
    weigh(self, load.share, (double)stats.frames);
    out[0] = '\0';
    if (self->level_db < -99.0) {
        add(out, size, "  -inf dBFS ");
    } else {
        (void)snprintf(text, sizeof text, "%6.1f dBFS ", self->level_db);
        add(out, size, text);
    }
    (void)snprintf(text, sizeof text, "%6d modes  cpu %4.1f %%  %lld missed",
                   stats.active_modes, self->share * 100.0, load.missed);
    /* In a narrow window the bar, or all of the text, is omitted. */
    int room = look->columns - 1 - (int)(strlen(out) + strlen(text));
    if (room >= CELLS) add_bar(self, look, out, size);
    if (room >= 0) {
        add(out, size, text);
    } else {
        out[0] = '\0';
    }
}
