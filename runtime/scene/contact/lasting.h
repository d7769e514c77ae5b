/* runtime/scene/contact/lasting.h -- lasting contacts of a scene.
 *
 * Something rolls, slides, creaks, rubs or buzzes on a body: a silent thing of
 * some radius, mass and material, or another body, which then rings, too. A
 * contact is steered by changes of load, speeds and place, each with a time in
 * which it is reached. The kinds and their parameters are rows of
 * contact_kinds.def.
 *
 * Thread: control. Memory: the scene keeps its contacts until they end.
 */
#ifndef SB_SCENE_CONTACT_LASTING_H
#define SB_SCENE_CONTACT_LASTING_H

#include "runtime/base/contact_load.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/strike/strike_def.h"

typedef struct sb_surface sb_surface;

typedef enum sb_contact_kind {
#define CONTACT_KIND(kind, ...) SB_CONTACT_##kind,
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
    SB_CONTACT_KINDS
} sb_contact_kind;

/* Is the default speed along the other surface that along the body? */
bool sb_contact_kind_rolls(sb_contact_kind kind);

/* A stale id is detected, not followed; the all-zero id is "no contact". */
typedef struct sb_contact_id {
    uint32_t index;
    uint32_t generation;
} sb_contact_id;

/* New values for some of load, speeds and places; has_ says for which. */
typedef struct sb_lasting_change {
    sb_contact_load load;
    bool has_force, has_speed[2], has_slip;
    sb_place place[2]; /* on the body, and on the other */
    bool has_place[2]; /* a direction may be given without a place */
    double ramp_s;     /* time in which they are reached, >= 0 */
} sb_lasting_change;

/* What a contact is, for as long as it lasts. */
typedef struct sb_lasting_setup {
    sb_contact_kind kind;
    sb_body_id body;
    sb_body_id with;        /* the other body, or the null id: a silent thing */
    sb_indenter thing;      /* a body brings its own mass and material */
    sb_surface *surface[2]; /* of the body and of the thing, instead of their
                               own; or NULL */
    double level;           /* linear, on the force; 1 */
    bool is_of_world;       /* the world reports it */
    bool is_flat;           /* the thing lies on a face */
    uint64_t seed;
#define CONTACT_PARAM(field, ...)  double field;
#define CONTACT_CHOICE(field, ...) int field;
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_PARAM
#undef CONTACT_CHOICE
} sb_lasting_setup;

/* Begin at `time_s` with the values of `first`, reached in its ramp.
 * STALE_HANDLE, NO_MEMORY, QUEUE_FULL, or BAD_ARGUMENT: a body with itself. */
SB_NODISCARD sb_status sb_scene_begin_contact(sb_scene *scene,
                                              const sb_lasting_setup *setup,
                                              const sb_lasting_change *first,
                                              double time_s, sb_contact_id *out,
                                              sb_error *err);
SB_NODISCARD sb_status sb_scene_move_contact(sb_scene *scene, sb_contact_id id,
                                             const sb_lasting_change *change,
                                             double time_s, sb_error *err);
/* Fade its force out; the id is stale at once. A stale id is a no-op. */
SB_NODISCARD sb_status sb_scene_end_contact(sb_scene *scene, sb_contact_id id,
                                            double time_s, double fade_s,
                                            sb_error *err);
bool sb_scene_has_contact(const sb_scene *scene, sb_contact_id id);
/* As sb_contact_kind_rolls. The contact must exist. */
bool sb_scene_contact_rolls(const sb_scene *scene, sb_contact_id id);
int sb_scene_contact_count(const sb_scene *scene);

/* --- reports ------------------------------------------------------------- */

typedef enum sb_lasting_phase {
    SB_LASTING_BEGINS,
    SB_LASTING_GOES_ON,
    SB_LASTING_ENDS
} sb_lasting_phase;

const char *sb_lasting_phase_name(sb_lasting_phase phase); /* "begin", ... */

/* A lasting contact of a script or of the world at one time. */
typedef struct sb_lasting_report {
    sb_lasting_phase phase;
    double time_s;
    const char *kind; /* name of its kind; of the world also "rest" */
    bool is_of_world;
    uint32_t number;            /* of this contact, of the world or not */
    char name[2][SB_NAME_SIZE]; /* the second may be "" */
    sb_spot spot;               /* of the world: without u, v */
    sb_contact_load load;
} sb_lasting_report;

/* Report what every lasting contact of a script does at `time_s`, if reports
 * are wanted (sb_scene_want_impacts). NO_MEMORY. */
SB_NODISCARD sb_status sb_scene_sample_contacts(sb_scene *scene, double time_s,
                                                sb_error *err);
bool sb_scene_next_lasting(sb_scene *scene, sb_lasting_report *out);

/* End all of them, as when the script that began them ends. */
void sb_scene_end_contacts(sb_scene *scene, double time_s, double fade_s);

#endif
