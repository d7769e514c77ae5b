/* runtime/scene/contact/scene_strike.h -- strikes on bodies, and their reports.
 *
 * A strike definition (strike/strike.h) and a place become an impact
 * (impact.h), which is played by the engine. Impacts can be reported with their
 * measured forces, and one contact can be watched sample by sample.
 *
 * Thread: control. Memory: the scene's; definitions are copied.
 */
#ifndef SB_SCENE_CONTACT_SCENE_STRIKE_H
#define SB_SCENE_CONTACT_SCENE_STRIKE_H

#include "runtime/dsp/contact/striker.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/strike/strike_def.h"

typedef struct sb_impact_estimate sb_impact_estimate;
typedef struct sb_traced sb_traced;

/* Strike at `time_s`, which may lie ahead. A body that does not ring takes the
 * strike silently. STALE_HANDLE, NO_MEMORY, QUEUE_FULL. */
SB_NODISCARD sb_status sb_scene_strike(sb_scene *scene, sb_body_id id,
                                       const sb_place *place,
                                       const sb_strike_def *def, double time_s,
                                       sb_impact_estimate *out, sb_error *err);

/* Strike with another body of the scene, at a place of its own. Material,
 * hardness and effective mass of the striker are those of that body, as is its
 * radius if it is a ball; a mass in the definition takes precedence. Both
 * bodies receive the same force in opposite directions: straight into their
 * surfaces, or the body along the direction of `place` and the striker against
 * it. Also BAD_ARGUMENT: the striker is the body itself, is a resonator, or
 * cannot move as a whole and no mass is given. */
SB_NODISCARD sb_status sb_scene_strike_with(
    sb_scene *scene, sb_body_id id, const sb_place *place, sb_body_id striker,
    const sb_place *striker_place, const sb_strike_def *def, double time_s,
    sb_impact_estimate *out, sb_error *err);

/* --- the latest strikes --------------------------------------------------- */

/* Strikes of scripts and of hands, as they were estimated when they were made;
 * not those of the world. `hits` gets the latest since the scene started, at
 * most SB_HITS, oldest first; returns their number. */
int sb_scene_hits(const sb_scene *scene, sb_hit hits[SB_HITS]);

/* --- reports ------------------------------------------------------------- */

/* One impact as it was measured. A striker that bounces makes many. */
typedef struct sb_scene_impact {
    sb_impact_kind kind; /* WORLD: completes the event with record.label */
    double time_s;
    const char *body, *striker; /* names; valid until the next call */
    sb_impact_model model;
    bool bounces; /* the strike is not one blow */
    sb_spot spot; /* on the body that was struck, when it was struck */
    sb_impact_record record;
} sb_scene_impact;

/* From now on, report the impacts of strikes. */
void sb_scene_want_impacts(sb_scene *scene, bool are_wanted);
/* The same for runs without an end: place and bodies of the latest `most`
 * strikes are kept, and an older one that still bounces is reported as one of
 * them. */
void sb_scene_want_recent_impacts(sb_scene *scene, int most);
bool sb_scene_next_impact(sb_scene *scene, sb_scene_impact *out);

/* Watch the contact that is the `number`th to begin from now on, counted from
 * 1: strikes and lasting contacts count, micro-impacts of strikes do not; by
 * steps if they are wanted (sb_engine_trace). NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_watch(sb_scene *scene, long long number,
                                      bool wants_steps, sb_error *err);
long long sb_scene_contacts_begun(const sb_scene *scene);
/* The name of the first body of the contact that was watched last, "" if there
 * was none, and its kind: "strike", "world", or that of a lasting contact. */
const char *sb_scene_watched(const sb_scene *scene, const char **kind);
/* Its next row; false when there is none. If neither body rings, all rows are
 * available at once. */
bool sb_scene_next_traced(sb_scene *scene, sb_traced *out);

#endif
