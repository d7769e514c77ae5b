/* bindings/host/host_world.h -- what the world has to report while it runs:
 * bodies that are lost, that begin inside others, and more contacts than are
 * solved; strikes for which the audio thread had no time; and bodies that it
 * has muted.
 *
 * Thread: control. Memory: plain values, zero to begin with.
 */
#ifndef SB_BINDINGS_HOST_HOST_WORLD_H
#define SB_BINDINGS_HOST_HOST_WORLD_H

#include "runtime/scene/scene.h"

typedef struct sb_world_reports {
    bool has_begun;      /* what was there at the start is known */
    bool has_told_limit; /* of contacts */
    bool has_told_cut;   /* that overlaps were not all looked for */
    bool has_told_drops; /* of strikes */
    int overlap_count;   /* since the start */
    long long muted;     /* as counted by the engine when last read */
} sb_world_reports;

typedef void sb_world_reporter(void *user, const char *line);

/* Before the script takes a step: bodies that are there now were reported when
 * the scene was loaded. */
void sb_world_reports_begin(sb_world_reports *self, sb_scene *scene);

/* After the step: one call per line. */
void sb_world_reports_tell(sb_world_reports *self, sb_scene *scene,
                           sb_world_reporter *report, void *user);
void sb_strike_reports_tell(sb_world_reports *self, const sb_engine *engine,
                            sb_world_reporter *report, void *user);
/* Bodies whose sound was set to rest. */
void sb_mute_reports_tell(sb_world_reports *self, const sb_scene *scene,
                          sb_engine *engine, sb_world_reporter *report,
                          void *user);

#endif
