/* bindings/cli/render/events_file.h -- every contact of a render, one JSON
 * object per line, sorted by time. scripts/guide/events.md describes the fields
 * of the three forms: strikes, impacts of the world, and lasting contacts
 * (begin, what they do every 10 ms, end).
 *
 * Lines are written as soon as nothing earlier can follow, so that long renders
 * need little memory. A line after the end of the render is left out: a
 * striker that bounces on a silent body, or a contact of a control step that
 * was not rendered.
 *
 * Thread: control.
 * Memory: the caller's struct, initialised to zero; events_abort unless
 *         written.
 */
#ifndef SB_BINDINGS_CLI_RENDER_EVENTS_FILE_H
#define SB_BINDINGS_CLI_RENDER_EVENTS_FILE_H

#include "runtime/base/out_file.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/world/scene_world.h"

typedef struct events_line {
    double time_s;
    int order;
    char *text;
} events_line;

typedef struct events_file {
    sb_out_file *file; /* NULL: not requested */
    events_line *lines;
    int count, capacity, order;
    sb_world_event *open; /* impacts whose force is still being measured */
    int open_count, open_capacity;
    uint64_t reader; /* position in the world's events */
} events_file;

SB_NODISCARD sb_status events_open(events_file *events, const char *path,
                                   sb_error *err);
/* Collect the scene's new contacts, up to `time_s`, the end of the control
 * step. */
SB_NODISCARD sb_status events_collect(events_file *events, sb_scene *scene,
                                      double time_s, sb_error *err);
/* Write those up to the end of the render. */
SB_NODISCARD sb_status events_write(events_file *events, double end_s,
                                    sb_error *err);
void events_abort(events_file *events);

#endif
