/* runtime/scene/world/world_log.h -- what the world did, to be done again without it.
 *
 * While a scene records, every step of its world leaves what the tracker told of
 * it and where everything that moves was afterwards. A scene that replays takes
 * its steps from there: it hears the same contacts at the same places, and says
 * the same to the engine, but no rigid body is moved. So sound can be measured
 * alone, and with more bodies than a world can move in time.
 *
 * Bodies are known by their numbers in the world, which are those of their order
 * in the script, from 1 on. Who is lost is not recorded.
 *
 * Thread: control. Memory: a log is the caller's and must outlive its use.
 */
#ifndef SB_SCENE_WORLD_WORLD_LOG_H
#define SB_SCENE_WORLD_WORLD_LOG_H

#include "runtime/scene/state/body.h"

typedef struct sb_world_log sb_world_log;

SB_NODISCARD sb_status sb_world_log_create(sb_world_log **out, sb_error *err);
void sb_world_log_destroy(sb_world_log *log); /* NULL is allowed */

/* How much is in it, and how many of that are impacts. */
int sb_world_log_impacts(const sb_world_log *log);
double sb_world_log_rate_hz(const sb_world_log *log); /* 0: nothing yet */

/* A log of `copies` at once, each `late_steps` after the one before. Bodies from
 * the number `first` on, up to the highest, are others in every copy: they follow
 * one another in the script, copy by copy. NO_MEMORY. */
SB_NODISCARD sb_status sb_world_log_copies(const sb_world_log *log, int copies,
                                           uint32_t first, int late_steps,
                                           sb_world_log **out, sb_error *err);

/* Add the steps that the scene takes from now on to an empty log; NULL: no more.
 * BAD_ARGUMENT: nothing moves there. */
SB_NODISCARD sb_status sb_scene_record(sb_scene *scene, sb_world_log *log,
                                       sb_error *err);
/* Take them from the log from now on; NULL: from its own world again, which is
 * where it was. BAD_ARGUMENT: nothing moves there, or at another rate, or the
 * log knows bodies that the scene has not. */
SB_NODISCARD sb_status sb_scene_replay(sb_scene *scene, const sb_world_log *log,
                                       sb_error *err);

#endif
