/* bindings/cli/prompt/meter.h -- level and load in one line.
 *
 *     -18.2 dBFS ██████████████░░░░░░  128 modes  cpu 3.2 %  0 missed
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_PROMPT_METER_H
#define SB_BINDINGS_CLI_PROMPT_METER_H

#include "bindings/host/host.h"

typedef struct meter {
    double peak;                /* since it was last shown, full scale is 1 */
    double level_db;            /* displayed level, falls slowly */
    double quiet_s;             /* time since the level was above -60 dBFS */
    double busy_frames, frames; /* of the audio thread, when last shown */
    double share;
} meter;

meter meter_start(void);

/* Measure the frames that are played. */
void meter_take(meter *self, const float *stereo, int frames, double rate_hz);

typedef struct meter_look {
    int columns;
    bool is_utf8;
    bool has_colour; /* in \001 ... \001, for line_editor.h */
} meter_look;

/* Write the meter as text, `span_s` seconds after the last call. */
void meter_show(meter *self, const sb_host *host, double span_s,
                const meter_look *look, char *out, size_t size);

#endif
