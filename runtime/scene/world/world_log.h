/* runtime/scene/world/world_log.h -- a recording of the world, for replay.
 *
 * While a scene records, every step of its world stores the events of the
 * tracker and the poses of everything that moves. A scene that replays takes
 * its steps from the log: it plays the same contacts at the same places and
 * sends the same commands to the engine, but computes no rigid-body motion. So
 * the sound can be measured alone, and with more bodies than a world can move
 * in real time.
 *
 * Bodies are identified by their numbers in the world, which is their order in
 * the script, from 1. Bodies that leave the bounds are not recorded.
 *
 * Thread: control. Memory: a log is the caller's and must outlive its use.
 */
#ifndef SB_SCENE_WORLD_WORLD_LOG_H
#define SB_SCENE_WORLD_WORLD_LOG_H

#include "runtime/base/status.h"

#include <stdint.h>

typedef struct sb_scene sb_scene;
typedef struct sb_world_log sb_world_log;

SB_NODISCARD sb_status sb_world_log_create(sb_world_log **out, sb_error *err);
void sb_world_log_destroy(sb_world_log *log); /* NULL is allowed */

/* Number of impacts in it. */
int sb_world_log_impacts(const sb_world_log *log);
double sb_world_log_rate_hz(const sb_world_log *log); /* 0: nothing yet */

/* A log of `copies` that overlap, each `late_steps` after the one before.
 * Bodies with numbers from `first` on are different ones in every copy: in the
 * script they follow one another, copy by copy. NO_MEMORY. */
SB_NODISCARD sb_status sb_world_log_copies(const sb_world_log *log, int copies,
                                           uint32_t first, int late_steps,
                                           sb_world_log **out, sb_error *err);

/* Record the steps that the scene takes from now on into an empty log; NULL
 * ends it. BAD_ARGUMENT: nothing moves there. */
SB_NODISCARD sb_status sb_scene_record(sb_scene *scene, sb_world_log *log,
                                       sb_error *err);
/* Replay the log from now on; NULL: return to the scene's own world, which has
 * not moved. BAD_ARGUMENT: nothing moves there, another rate, or bodies that
 * the scene does not have. */
SB_NODISCARD sb_status sb_scene_replay(sb_scene *scene, const sb_world_log *log,
                                       sb_error *err);

#endif
