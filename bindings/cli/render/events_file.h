/* bindings/cli/render/events_file.h -- every contact of a render, one JSON
 * object per line.
 *
 *     {"t":0.5,"kind":"strike","a":"bar","b":"steel","contact":"gradient",
 *      "impulse_ns":..,"duration_s":..,"peak_force_n":..,"restitution":..,
 *      "speed_in":..,"speed_out":..}
 *
 *     {"t":0.45,"kind":"impact","a":"plate","b":"ball","point":[x,y,z],
 *      "normal":[x,y,z],"impulse_ns":..,"speed":..,"slip":..,"force_n":..,
 *      "duration_s":..,"restitution":..}
 *
 * The second form is a contact of the world. Its kinds are also "roll", "slide"
 * and "rest", which mark a beginning, and "end". Lines are sorted by time. `b`
 * is "" if the script does not describe the striker; restitution is null if no
 * speed is known.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; events_free frees it.
 */
#ifndef SB_BINDINGS_CLI_RENDER_EVENTS_FILE_H
#define SB_BINDINGS_CLI_RENDER_EVENTS_FILE_H

#include "runtime/scene/scene.h"

typedef struct events_line {
    double time_s;
    int order;
    char *text;
} events_line;

typedef struct events_file {
    events_line *lines;
    int count, capacity;
    uint64_t reader; /* position in the world's events */
} events_file;

/* Collect the scene's new contacts. */
SB_NODISCARD sb_status events_collect(events_file *events, sb_scene *scene,
                                      sb_error *err);
SB_NODISCARD sb_status events_write(events_file *events, const char *path,
                                    sb_error *err);
void events_free(events_file *events);

#endif
