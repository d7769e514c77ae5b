/* SPDX-License-Identifier: MIT */
/* runtime/scene/state/state.h -- struct sb_scene and its bodies.
 *
 * Private to the rooms of runtime/scene. Functions without the prefix sb_ are
 * shared by these rooms only.
 *
 * Thread: control. Memory: the scene's.
 */
#pragma once

#include "runtime/base/quality_def.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/ears/path.h"
#include "runtime/engine/engine.h"
#include "runtime/model/model.h"
#include "runtime/scene/plan/listener.h"
#include "runtime/scene/plan/names.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/plan/room_def.h"
#include "runtime/scene/state/body.h"
#include "runtime/scene/state/track.h"
#include "runtime/scene/state/tuning.h"

/* Fade-out of a removed body. */
#define SCENE_FADE_S 0.05

typedef struct scene_touch {
    uint64_t number; /* unique in the scene */
    sb_touch_def def;
    double *sigma_per_s; /* damping it adds, one per mode */
} scene_touch;

/* Touches and strain of a body (tuning.c). */
typedef struct scene_tuning {
    scene_touch *touches;
    int touch_count, touch_capacity;
    double strain;
    double *bend;     /* one per mode; NULL until it is deformed or flexed */
    bool wobbles;     /* may still swing */
    sb_wobble wobble; /* without its push */
    bool *silenced;   /* one per mode: it rings, but is not heard; or NULL */
} scene_tuning;

typedef struct scene_body {
    uint32_t generation;  /* odd while in use */
    sb_planned declared;  /* as the script declared it */
    sb_pose pose;         /* now: the script or the world may have moved it */
    sb_collider collider; /* given, or found from the shape; kept because
                             looking at all edges of a mesh takes too long to
                             do per impact */
    uint32_t user;        /* its number in the world; 0: not in the world */
    bool is_lost;         /* it left the world's bounds and is not heard */
    bool is_driven;       /* for ever: its modes are not those of its model */
    sb_pose heard;        /* pose last sent to the ears, at a step's start */
    double gain;
    sb_track track;      /* its motion as it is heard, */
    sb_track axes[2];    /* and that of the tips of its x and y axes */
    sb_shade shade;      /* what is in the way of its sound */
    double sent_s;       /* latest start of a leg that the engine has */
    sb_voice_id voice;   /* null for a body that does not ring */
    scene_tuning tuning; /* all zero: no touch and no strain */
    sb_random random;    /* its own random stream */
    sb_surface *surface; /* made from its material once needed; or NULL */
    sb_planned *faded;   /* owner of its old texture while that fades out */
} scene_body;

/* A value of a lasting contact on its way, as the engine moves it. */
typedef struct scene_ramp {
    double from, to, start_s, ramp_s;
} scene_ramp;

enum { SCENE_LOAD_VALUES = 4 }; /* force, two speeds, slip */

/* A lasting contact, and the path of its place. */
typedef struct scene_contact {
    uint32_t generation; /* odd while in use */
    sb_lasting_id lasting;
    sb_body_id body[2]; /* the second may be the null id */
    double sign[2];     /* of the weights: direction of the force */
    bool is_ball;       /* it rolls, and is solved with the modes */
    sb_place from[2], to[2];
    double start_s, ramp_s;
    /* For the reports. */
    uint32_t number;  /* counted from 1; 0: the world reports it */
    const char *kind; /* its name */
    bool rolls;       /* its kind does */
    double begun_s;
    scene_ramp load[SCENE_LOAD_VALUES];
} scene_contact;

/* A blow that may throw what lies on the body (strike/shake.h). */
typedef struct scene_blow {
    sb_body_id body;
    sb_body_id striker; /* which is not thrown; or none */
    sb_model_point point;
    sb_vec3 direction; /* in the body's axes, when has_direction; else straight
                          into the surface */
    bool has_direction;
    double impulse_ns, duration_s, time_s;
} scene_blow;

/* --- the parts of a scene: each is used by one file, or one room ------------ */

/* What the script declared, to be compared with by the next commit. */
typedef struct scene_declared {
    sb_listener listener;
    sb_quality_def quality;
    sb_room_def room;
    sb_world_rules world;
} scene_declared;

/* The listener now (hear.c). */
typedef struct scene_hearing {
    sb_listener listener;
    sb_track head, nose;           /* its position and facing */
    double exposure;               /* automatic gain; 0: nothing has rung yet */
    sb_room_def room;              /* around.c */
    struct scene_mirror *mirror;   /* its walls; NULL: none */
    sb_ears_file worn;             /* the measured head (head_change.c) ... */
    struct sb_head_delays *delays; /* ... and its delays; NULL: none so far */
} scene_hearing;

/* Removed bodies, kept for their models (bodies.c). */
enum { SCENE_GONE = 8 };
typedef struct scene_gone {
    sb_planned bodies[SCENE_GONE]; /* replaced in turn */
    int next;
} scene_gone;

/* Bodies that are heard alone (scene.c). */
typedef struct scene_stems {
    bool are_wanted;
    char (*names)[SB_NAME_SIZE]; /* of bodies; stem i + 1 */
    int count, capacity;
} scene_stems;

/* Lasting contacts (contact/lasting.c). */
typedef struct scene_lasting {
    scene_contact *contacts;
    int count, capacity; /* places ever used */
    uint32_t number;     /* of scripts so far */
} scene_lasting;

/* The contact that is traced (contact/trace.c). */
typedef struct scene_watch {
    long long begun, watched;        /* contacts so far; this one, or 0 */
    char watched_name[SB_NAME_SIZE]; /* of its first body, when it began */
    const char *watched_kind;        /* "strike", "world", "roll" ... */
    sb_traced *traced;               /* its rows, if neither body has a voice */
    int traced_first, traced_count, traced_capacity;
} scene_watch;

/* Pads (contact/pad.c). */
typedef struct scene_pads {
    struct scene_pad *pads; /* by index of their ids */
    int count, capacity;
    uint32_t number; /* prepared so far */
} scene_pads;

/* Blows that wait for a step of the world (world/world_shake.c); of more, the
 * strongest. */
enum { SCENE_BLOWS = 32 };
typedef struct scene_blows {
    scene_blow blows[SCENE_BLOWS]; /* in no order */
    int count;
} scene_blows;

struct sb_scene {
    sb_engine *engine;
    uint64_t seed;
    /* Read by all rooms. */
    scene_body *bodies;
    int body_count, body_capacity; /* places ever used */
    int *order;                    /* places in use, oldest first */
    int order_count, order_capacity;
    sb_names names;
    double *weights;      /* scratch: weights_capacity for one body, then as
                             many for the body it meets, and for its turned
                             ones */
    int weights_capacity; /* modes of the largest model */
    scene_hearing hear;
    sb_quality_def quality; /* now */
    scene_declared declared;
    bool puts_off_air;     /* sb_scene_put_off_air */
    bool starts_over;      /* the next commit replaces all voices */
    uint64_t touch_number; /* of the last touch */
    scene_gone gone;
    scene_stems stems;
    /* Contacts. */
    struct scene_events *events; /* contact/scene_event.c */
    uint64_t event_count;        /* so far */
    bool wants_impacts;
    scene_lasting lasting;
    struct scene_surfaces *surfaces; /* contact/surfaces.c; NULL: none yet */
    scene_watch watch;
    scene_pads pads;
    /* Motion. */
    struct scene_world *world; /* NULL: nothing moves (world_internal.h) */
    scene_blows blows;
    struct scene_deform *deform; /* NULL: none (deform_internal.h) */
    bool has_changed_deform;     /* by a reload, and it was not said yet */
};

/* --- bodies.c ------------------------------------------------------------ */

int scene_find(const sb_scene *scene, const char *name); /* or SB_NO_NAME */
sb_body_id scene_id_at(const sb_scene *scene, int place);
scene_body *scene_body_of(const sb_scene *scene, sb_body_id id);
SB_NODISCARD sb_status scene_check_body(const sb_scene *scene, sb_body_id id,
                                        sb_error *err);
/* BAD_ARGUMENT where the body is deformable: `what` needs modes. */
SB_NODISCARD sb_status scene_check_modal(const sb_scene *scene, sb_body_id id,
                                         const char *what, sb_error *err);
double scene_frames(const sb_scene *scene, double time_s);
/* The pose that the script declared. */
sb_pose scene_declared_pose(const sb_planned *planned);
/* Modes of the model in the bank's form. NULL when out of memory. */
sb_bank_mode *scene_bank_modes(const sb_planned *planned);
/* The directions of all modes of its voice, in one block that the caller frees;
 * NULL: they are alike in all. False when out of memory. */
bool scene_patterns(const sb_planned *planned, sb_pattern **out);
/* Move them to where the body's discretisation plays them. */
void scene_discretise(const sb_scene *scene, const sb_planned *planned,
                      sb_bank_mode *modes);

/* A body, present or gone, of the same shape and material; or NULL. */
const sb_planned *scene_twin(const sb_scene *scene, const sb_planned *planned);
/* Keep the model of a body that leaves; takes `planned` over. */
void scene_remember(sb_scene *scene, sb_planned *planned);
void scene_forget_gone(sb_scene *scene);

/* Places on bodies, and mode weights there. */

sb_model_point scene_model_point(const scene_body *body, const sb_place *place);
sb_spot scene_spot(const scene_body *body, sb_model_point point);
/* The same place in the body's own axes, and in those of the world. */
sb_place scene_to_local(const scene_body *body, const sb_place *place);
sb_place scene_to_world(const scene_body *body, const sb_place *place);

/* Weights of a force at a place, one per mode, times `sign`. */
void scene_weights(const scene_body *body, const sb_place *place, double sign,
                   double *weights);
/* The same, with `share` of them from the texture that the body had before. */
void scene_weights_between(const sb_scene *scene, const scene_body *body,
                           const sb_place *place, double sign, double share,
                           double *weights);

/* --- hear.c -------------------------------------------------------------- */

/* The axes of a body that does not turn. */
void scene_turn_rest(sb_quat turn, sb_track axes[2]);

/* How sound that leaves a body on that track at that time is heard. */
sb_path_knot scene_knot(const sb_scene *scene, const sb_track *track,
                        const sb_track axes[2], double gain, sb_shade shade,
                        double time_s);

/* Send the engine a body's path from `time_s` on, as far as its track and the
 * listener's are known. A jump to a place at rest takes one command if the
 * listener is at rest and no later leg has been sent. */
SB_NODISCARD sb_status scene_send(sb_scene *scene, scene_body *body,
                                  double time_s, bool is_jump, sb_error *err);

/* The same for a body that was just added, needed only while the listener
 * moves; room for the commands must have been reserved. */
void scene_send_new(sb_scene *scene, scene_body *body, double time_s);
int scene_send_new_commands(const sb_scene *scene, double time_s,
                            int body_count);

/* Send a body's early reflections, if there are walls; room for a command must
 * have been reserved. Without memory for them the body keeps those it has. */
void scene_reflect(sb_scene *scene, const scene_body *body, double time_s);

/* What is in the way from the body to the listener: at once, or in a short
 * ramp. */
SB_NODISCARD sb_status scene_shade(sb_scene *scene, scene_body *body,
                                   sb_shade shade, double time_s, bool at_once,
                                   sb_error *err);
/* Place the body where its pose is, as a script does. */
SB_NODISCARD sb_status scene_put(sb_scene *scene, scene_body *body,
                                 double time_s, sb_error *err);

/* Send one leg of a body's motion. Called per control step, before the audio
 * thread reaches its start, and once more, at rest, when the body stops. A
 * start far from where the body is heard now counts as a jump. */
SB_NODISCARD sb_status scene_send_motion(sb_scene *scene, scene_body *body,
                                         const sb_leg *leg, sb_error *err);

/* A table for the listener's air if that has changed, else NULL. */
SB_NODISCARD sb_status scene_prepare_air(const sb_scene *scene,
                                         const sb_listener *listener,
                                         sb_air_table **out, sb_error *err);
/* Upper bound of the commands that move this many bodies and change air and
 * head. */
int scene_send_commands(int body_count);
/* Take listener and air over, by a jump or by a smooth motion; room for the
 * commands must have been reserved. */
void scene_set_listener(sb_scene *scene, const sb_listener *listener,
                        sb_air_table *air, bool is_jump, double time_s);

/* --- tuning.c ------------------------------------------------------------ */

/* Modes of a body in the bank's form, touches and strain included. */
sb_bank_mode *scene_tuned_modes(const sb_scene *scene, const scene_body *body);

/* Does it have a touch or a strain? Remove them all. */
bool scene_is_tuned(const scene_body *body);
void scene_untune(scene_body *body);

/* Bodies have new textures (`faded` owns the old): recompute their touches. */
void scene_repaint_touches(sb_scene *scene, double time_s);
