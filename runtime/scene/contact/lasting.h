/* SPDX-License-Identifier: MIT */
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
#pragma once

#include "runtime/base/voice_types.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/strike/strike_def.h"

typedef struct sb_surface sb_surface;

typedef enum sb_contact_kind {
#define CONTACT_KIND(kind, ...) SB_CONTACT_##kind,
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_KIND
    SB_CONTACT_KINDS
} sb_contact_kind;

extern const char *const sb_contact_kind_names[]; /* ends with NULL */

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

/* Rows of an sb_lasting_change that is at `at` in a struct. */
#define SB_LOAD_ROWS(at)                                                       \
    SB_FIELD_ROW("force", (at) + offsetof(sb_lasting_change, load.force_n), 0, \
                 1e5, 0.01, 100, NULL, "N",                                    \
                 "normal force; default the weight of the thing"),             \
        SB_FIELD_ROW("speed",                                                  \
                     (at) + offsetof(sb_lasting_change, load.speed_m_s[0]),    \
                     -1e3, 1e3, 0, 0, NULL, "m/s",                             \
                     "of the contact along the body; default 0"),              \
        SB_FIELD_ROW("with_speed",                                             \
                     (at) + offsetof(sb_lasting_change, load.speed_m_s[1]),    \
                     -1e3, 1e3, 0, 0, NULL, "m/s",                             \
                     "along the other surface; default speed for kinds that "  \
                     "roll, else 0"),                                          \
        SB_FIELD_ROW("slip",                                                   \
                     (at) + offsetof(sb_lasting_change, load.slip_m_s), -1e3,  \
                     1e3, 0, 0, NULL, "m/s",                                   \
                     "between the two; default speed - with_speed"),           \
        SB_FIELD_ROW("ramp", (at) + offsetof(sb_lasting_change, ramp_s), 0,    \
                     1e4, 0, 0, NULL, "s",                                     \
                     "time to reach these values; default 0.01")
extern const sb_field sb_lasting_change_fields[];

/* With only the first speed given, the other surface moves along if the contact
 * rolls, else it rests; slip is their difference unless it is given. */
void sb_lasting_change_settle(sb_lasting_change *change, bool rolls);

/* What a contact is, for as long as it lasts. */
typedef struct sb_lasting_setup {
    sb_contact_kind kind;
    sb_body_id body;
    sb_body_id with;        /* the other body, or the null id: a silent thing */
    sb_indenter thing;      /* a body brings its own mass and material */
    sb_surface *surface[2]; /* of the body and of the thing, instead of their
                               own; or NULL */
    bool is_of_world;       /* the world reports it */
    bool is_flat;           /* the thing lies on a face */
    uint64_t seed;
#define CONTACT_PARAM(field, ...)  double field;
#define CONTACT_CHOICE(field, ...) int field;
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_PARAM
#undef CONTACT_CHOICE
} sb_lasting_setup;

/* Rows of an sb_lasting_setup that begins a struct, beside those that
 * contact_kinds.def makes with these two. */
#define SB_LASTING_ROWS                                                    \
    SB_FIELD_ONE_OF("kind", offsetof(sb_lasting_setup, kind),              \
                    sb_contact_kind_names, "of contact; default roll"),    \
        SB_INDENTER_ROWS(                                                  \
            offsetof(sb_lasting_setup, thing), 1e-4, 1e-2,                 \
            "of the thing; default that of a ball of its radius, at most " \
            "1e5, and of what slides at least 0.01, as a tool in a hand; " \
            "else 0.03")
#define SB_CONTACT_PARAM_ROW(field, name, least, most, unit, text)           \
    SB_FIELD_ROW(name, offsetof(sb_lasting_setup, field), least, most, 0, 0, \
                 NULL, unit, text),
#define SB_CONTACT_CHOICE_ROW(field, name, text, ...)        \
    SB_FIELD_ONE_OF(name, offsetof(sb_lasting_setup, field), \
                    ((const char *const[]){__VA_ARGS__, NULL}), text),
extern const sb_field sb_lasting_fields[];

/* BAD_ARGUMENT: a number that its row does not allow (0: not given), or gaps
 * that have no room for a spread. */
SB_NODISCARD sb_status sb_lasting_check(const sb_lasting_setup *setup,
                                        sb_error *err);

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
 * are wanted (sb_scene_want_impacts). */
void sb_scene_sample_contacts(sb_scene *scene, double time_s);
/* One reader; the latest 8192 are kept. */
bool sb_scene_next_lasting(sb_scene *scene, sb_lasting_report *out);

/* End all of them, as when the script that began them ends. */
void sb_scene_end_contacts(sb_scene *scene, double time_s, double fade_s);
