/* runtime/scene/plan/removed_part.h -- the modes that merging and truncation
 * took away.
 *
 * A body whose definition says `hears_removed` has all its modes, nothing
 * merged and their number not limited. Heard are only those that the body as
 * described has no oscillator for: of the modes that were merged into one, all
 * but the one nearest to it in frequency, and those beyond the number of modes.
 * The others vibrate and yield, but are silent. There is no diffuse field.
 *
 * Thread: control, workers. Memory: the planned body's.
 */
#ifndef SB_SCENE_PLAN_REMOVED_PART_H
#define SB_SCENE_PLAN_REMOVED_PART_H

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_model sb_model;
typedef struct sb_planned sb_planned;

/* The body as it must be solved to have all modes. */
void sb_planned_want_all(sb_planned *planned);

/* Note which modes of the planned body's model `usual`, that of the body as
 * described, has as well. NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_kept(sb_planned *planned,
                                            const sb_model *usual,
                                            sb_error *err);

/* Are the same modes silent because of `hears_removed`? */
bool sb_planned_has_same_kept(const sb_planned *a, const sb_planned *b);

/* How many modes are heard of a body with `hears_removed`, else 0. */
int sb_planned_removed_count(const sb_planned *planned);

#endif
