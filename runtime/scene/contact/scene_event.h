/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/scene_event.h -- what meets what, and how hard: one
 * record for strikes of scripts, pages and programs, for hits of pads, for the
 * micro-impacts that follow, and for impacts and contacts of the world.
 *
 * Events are kept in one ring. Each reader has its own place in it: what calls
 * scene.contact, `render --events`, pages, and programs that use the library.
 *
 * A strike is told as it begins, with the numbers that it is expected to have.
 * What the audio thread computes follows, one record per contact, if that is
 * wanted. Where nothing is known beforehand, as of a hit of a pad or of a ball
 * on a deformable body, there is only the record of what was computed.
 *
 * Thread: control. Memory: the scene's; names are copied.
 */
#pragma once

#include "runtime/scene/state/body.h"
#include "runtime/scene/strike/strike_def.h"

typedef struct sb_impact_estimate sb_impact_estimate;
typedef struct sb_impact_record sb_impact_record;
typedef struct scene_impact scene_impact;

typedef enum sb_event_kind {
    SB_EVENT_STRIKE,
    SB_EVENT_SCATTER, /* a micro-impact that follows a strike or an impact */
    SB_EVENT_IMPACT,  /* of the rigid-body world */
    SB_EVENT_ROLL,    /* begins, likewise */
    SB_EVENT_SLIDE,
    SB_EVENT_REST,
    SB_EVENT_END, /* of what rolls, slides or rests */
    SB_EVENT_KINDS
} sb_event_kind;

const char *sb_event_kind_name(sb_event_kind kind); /* "strike", ... */

typedef enum sb_event_stage {
    SB_EVENT_WHOLE,    /* all that is told of it */
    SB_EVENT_EXPECTED, /* told as it begins */
    SB_EVENT_MEASURED, /* what was computed of it, later */
    SB_EVENT_HIDDEN    /* readers do not get it: nothing is known yet */
} sb_event_stage;

typedef struct sb_event {
    sb_event_kind kind;
    sb_event_stage stage;
    uint32_t number; /* the same in all that is told of one event */
    double time_s;
    sb_body_id body[2];         /* the second struck the first, or is null */
    char name[2][SB_NAME_SIZE]; /* of the bodies, or of what struck */
    char by[SB_NAME_SIZE]; /* who struck: "hand", a button; "": the scene */
    sb_spot spot;          /* the normal is into the first body */
    sb_impact_model model; /* of a strike */
    bool bounces;          /* the striker may touch again */
    bool comes_back;       /* gravity brings it back */
    double impulse_ns;
    double speed_m_s, speed_out_m_s; /* along the normal, before and after */
    double restitution;              /* out / in; < 0: not known */
    double slip_m_s;                 /* along the surface */
    double force_n;                  /* normal; greatest of an impact */
    double duration_s;
    uint32_t before;  /* contacts of the same strike before this one */
    uint32_t contact; /* of the world, what lasts: its number */
} sb_event;

/* The next event that this reader has not seen; a reader starts at 0. False
 * when there is none. The latest 8192 are kept. */
bool sb_scene_next_event(sb_scene *scene, uint64_t *reader, sb_event *out);

/* Two ways to read each event once: as soon as it is known, or with what was
 * computed. Impacts of the world are told as they begin in both. */
bool sb_event_is_news(const sb_event *event);
bool sb_event_is_played(const sb_event *event);

/* From now on, what is computed of strikes is told, too, and lasting contacts
 * are reported. */
void sb_scene_want_impacts(sb_scene *scene, bool are_wanted);

/* --- the latest strikes --------------------------------------------------- */

/* A strike, and the energy that its pulse gives to the lowest modes:
 * J^2 phi^2 / 2 times the square of the spectrum of a half sine of its duration
 * T, cos(w T / 2) / (1 - (w T / pi)^2). A deformable body has none. */
enum { SB_HIT_MODES = 24, SB_HITS = 64 };
typedef struct sb_hit {
    sb_event event;
    int mode_count; /* of the energies */
    double energy_j[SB_HIT_MODES];
} sb_hit;

/* Strikes as they became known; not those of the world. `hits` gets the latest
 * since the scene started, at most SB_HITS, oldest first; returns their
 * number. */
int sb_scene_hits(const sb_scene *scene, sb_hit hits[SB_HITS]);

/* --- for the rooms of the scene ------------------------------------------- */

SB_NODISCARD sb_status scene_open_events(sb_scene *scene, sb_error *err);
void scene_forget_hits(sb_scene *scene); /* it starts again */

/* Add an event; returns it, to be completed before the next one is added. */
sb_event *scene_event_add(sb_scene *scene, const sb_event *event);
/* NULL: the ring has gone round. */
sb_event *scene_event_find(sb_scene *scene, uint32_t number);
/* Label of what is to be measured of it; 0 when that is not wanted. */
uint32_t scene_event_label(const sb_scene *scene, const sb_event *event);
/* Numbers of a contact. */
void scene_event_fill(sb_event *event, const sb_impact_record *record);
/* What was measured under a label, at its time in frames. */
void scene_event_measured(sb_scene *scene, const sb_impact_record *record);
/* Remember a strike on the first side, which has been weighed. */
void scene_hit_add(sb_scene *scene, const sb_event *event,
                   const scene_impact *impact);
/* The names of its bodies. */
void scene_event_name(const sb_scene *scene, sb_event *event);
