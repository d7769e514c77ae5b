/* runtime/scene/scene_internal.h -- what the scene*.c files and commit.c
 * share: the bodies as they are stored. Nobody else looks in here.
 */
#ifndef SB_SCENE_SCENE_INTERNAL_H
#define SB_SCENE_SCENE_INTERNAL_H

#include "runtime/scene/names.h"
#include "runtime/scene/scene.h"
#include "runtime/scene/world/scene_world.h"
#include "runtime/scene/world/track.h"

/* How long a removed body takes to fall silent. */
#define SCENE_FADE_S 0.05

/* What rests on a body. */
typedef struct scene_touch {
    uint64_t number; /* its own among all touches of the scene */
    sb_touch_def def;
    double *sigma_per_s; /* that it adds to each mode */
} scene_touch;

/* What is done to a body's modes for a while: see scene_tuning.c. */
typedef struct scene_tuning {
    scene_touch *touches;
    int touch_count, touch_capacity;
    double strain;
    double *bend;     /* of each mode; NULL until it is deformed or flexed */
    bool wobbles;     /* may still swing */
    sb_wobble wobble; /* without its push */
} scene_tuning;

typedef struct scene_body {
    uint32_t generation; /* odd while in use */
    sb_planned declared; /* as the script said it */
    sb_pose
        pose; /* as it is now: the script, or the world, may have moved it */
    sb_collider collider; /* its own, or what its shape says: looking at all
                             edges of a mesh takes too long for every impact */
    uint32_t user;        /* its number in the world; 0: it is not in it */
    bool is_lost;         /* the world lost it, and it is not heard */
    sb_pose heard;        /* where the ears know it, at the start of a step */
    double gain;
    sb_track track;      /* how it gets there, as it is heard */
    double occlusion;    /* how much stands in the way, 0 .. 1 */
    double told_s;       /* the latest that a leg was told to begin */
    sb_voice_id voice;   /* null for a body that does not ring */
    scene_tuning tuning; /* all zero: nothing is done to it */
    sb_random random;    /* what chance does to it */
    sb_surface *surface; /* as its material is, once needed; or NULL */
    sb_planned *faded;   /* while its texture is changed: who has the old one */
} scene_body;

/* Who struck whom, for the reports: a strike's label is its place plus 1. */
typedef struct scene_pair {
    char body[SB_NAME_SIZE], striker[SB_NAME_SIZE];
    sb_contact_model model;
    sb_impact_kind kind;
} scene_pair;

/* A lasting contact, and the way that its place is on. */
typedef struct scene_contact {
    uint32_t generation; /* odd while in use */
    sb_lasting_id lasting;
    sb_body_id body[2]; /* the other one may be the null id */
    double sign[2];     /* of the weights: which way the force pushes */
    sb_place from[2], to[2];
    double start_s, ramp_s;
} scene_contact;

/* The profile that a ball of some radius makes of a surface. */
typedef struct scene_rolled {
    sb_surface *surface, *rolled;
    double radius_m;
} scene_rolled;

/* A surface of some roughness that a script asked for. */
typedef struct scene_roughness {
    sb_surface *surface;
    double roughness_m;
} scene_roughness;
enum { SCENE_ROLLED = 64, SCENE_ROUGH = 16, SCENE_GONE = 8 };

struct sb_scene {
    sb_engine *engine;
    uint64_t seed;
    sb_listener listener;                     /* now */
    sb_listener declared_listener;            /* as the script said it */
    sb_quality_def quality, declared_quality; /* likewise */
    sb_track head, nose; /* how its place and its facing move */
    scene_body *bodies;
    int body_count, body_capacity; /* places ever used */
    int *order;                    /* places in use, oldest first */
    int order_count, order_capacity;
    sb_names names;
    uint64_t touch_number; /* of the last touch */
    double *weights; /* room for the largest model, and as much again for what
                        it is struck with */
    int weights_capacity;
    bool wants_impacts;
    scene_pair *pairs;
    int pair_count, pair_capacity;
    scene_contact *contacts;
    int contact_count, contact_capacity; /* places ever used */
    scene_rolled rolled[SCENE_ROLLED];   /* in turn */
    int rolled_next;
    scene_roughness rough[SCENE_ROUGH]; /* in turn */
    int rough_next;
    sb_impact_record *unheard; /* contacts of bodies without a voice */
    int unheard_first, unheard_count, unheard_capacity;
    long long begun, watched; /* contacts so far; the one to be seen, or 0 */
    sb_traced *traced;        /* its rows, if it is one of those */
    int traced_first, traced_count, traced_capacity;
    sb_planned gone[SCENE_GONE]; /* bodies that left, for their models */
    int gone_next;
    struct scene_world *world;  /* or NULL: nothing moves (world_internal.h) */
    sb_world_rules world_rules; /* as the script said it */
    struct sb_world_events *events; /* what the world had to tell; or NULL */
};

int scene_find(const sb_scene *scene, const char *name); /* or SB_NO_NAME */
scene_body *scene_body_of(const sb_scene *scene, sb_body_id id);
SB_NODISCARD sb_status scene_check_body(const sb_scene *scene, sb_body_id id,
                                        sb_error *err);
double scene_frames(const sb_scene *scene, double time_s);

/* Room for `count` more bodies, so that scene_enter cannot fail. */
SB_NODISCARD sb_status scene_reserve(sb_scene *scene, int count, sb_error *err);

/* Room for the weights of a model. */
SB_NODISCARD sb_status scene_reserve_weights(sb_scene *scene,
                                             const sb_model *model,
                                             sb_error *err);

/* A voice for a solved body; null for one that does not ring. */
SB_NODISCARD sb_status scene_make_voice(sb_scene *scene,
                                        const sb_planned *planned,
                                        double time_s, sb_voice_id *out,
                                        sb_error *err);

/* Put a body in its place; takes `planned` over. Room has been reserved. */
sb_body_id scene_enter(sb_scene *scene, sb_planned *planned, sb_voice_id voice);
/* Take it away, its voice not included. */
void scene_leave(sb_scene *scene, int place);

/* twins.c: one of the same shape and material, or NULL. */
const sb_planned *scene_twin(const sb_scene *scene, const sb_planned *planned);
/* A body that leaves: what was planned of it is taken. */
void scene_remember(sb_scene *scene, sb_planned *planned);
void scene_forget_gone(sb_scene *scene);

/* --- scene_hear.c --- */

/* How what leaves a body on that track at that time is heard. */
sb_path_knot scene_knot(const sb_scene *scene, const sb_track *track,
                        double gain, double occlusion, double time_s);

/* Tell the engine of a body's way from `time_s` on, as far as it and the
 * listener's are known. One command for a jump to a place at rest, when the
 * listener rests too and nothing was told of later. */
SB_NODISCARD sb_status scene_tell(sb_scene *scene, scene_body *body,
                                  double time_s, bool is_jump, sb_error *err);

/* The same of a body that has just come, should the listener be under way; room
 * must have been reserved. */
void scene_tell_new(sb_scene *scene, scene_body *body, double time_s);
int scene_tell_new_commands(const sb_scene *scene, double time_s,
                            int body_count);

/* Put there by a script. */
SB_NODISCARD sb_status scene_put(sb_scene *scene, scene_body *body,
                                 sb_vec3 position, double time_s,
                                 sb_error *err);

/* The body moves so: once a control step, before audio gets to its start, for
 * everything whose motion is known ahead; and once more, at rest, when it stops.
 * A start far from where it is heard now is a jump. */
SB_NODISCARD sb_status scene_tell_motion(sb_scene *scene, scene_body *body,
                                         const sb_leg *leg, sb_error *err);

/* A table for the listener's air if it is other than now, else NULL. */
SB_NODISCARD sb_status scene_prepare_air(const sb_scene *scene,
                                         const sb_listener *listener,
                                         sb_air_table **out, sb_error *err);
/* Commands that telling of so many bodies, and of the air, may take. */
int scene_tell_commands(int body_count);
/* Take both over, at once or as far as it has to go; room for the commands must
 * have been reserved. */
void scene_set_listener(sb_scene *scene, const sb_listener *listener,
                        sb_air_table *air, bool is_jump, double time_s);

/* The model's numbers as the bank wants them. NULL when out of memory. */
sb_bank_mode *scene_bank_modes(const sb_model *model);

/* The label of a pair, new or known; 0 when nobody wants one. */
SB_NODISCARD sb_status scene_label(sb_scene *scene, const scene_pair *pair,
                                   uint32_t *out, sb_error *err);

/* Tell of an impact that no voice tells of; its time counts from `frames`. */
SB_NODISCARD sb_status scene_note(sb_scene *scene, sb_impact_record record,
                                  double frames, sb_error *err);

/* Play a blow between two that do not ring here and now, for what is to be told
 * of it: nobody else will. */
SB_NODISCARD sb_status scene_play_on_wall(sb_scene *scene, sb_striker striker,
                                          double frames, bool is_watched,
                                          sb_error *err);

/* Another contact begins: true when it is the one to be seen (scene_trace.c). */
bool scene_begins(sb_scene *scene);
/* The rows of a link and of a blow that no voice plays. */
SB_NODISCARD sb_status scene_trace_row(sb_scene *scene, double time_frames,
                                       const sb_trace_row *row, sb_error *err);
SB_NODISCARD sb_status scene_trace_blow(sb_scene *scene, double frames,
                                        double impulse_ns, double duration_s,
                                        sb_error *err);

/* Where a contact's forces go, one a mode. */
void scene_weights(const scene_body *body, const sb_place *place, double sign,
                   double *weights);
/* The same, as far as `share` of it by the texture that the body had before. */
void scene_weights_between(const sb_scene *scene, const scene_body *body,
                           const sb_place *place, double sign, double share,
                           double *weights);
/* Bodies have other textures, their `faded` the old ones: let what lasts on them
 * go over to those. */
void scene_repaint_contacts(sb_scene *scene, double time_s);
void scene_repaint_touches(sb_scene *scene, double time_s);
const sb_material *scene_material(const sb_body_def *def); /* or NULL: rigid */

/* Surfaces (scene_surface.c). Both are borrowed. The body's own, or one as rough
 * as its material; and what a ball makes of one. */
SB_NODISCARD sb_status scene_surface(scene_body *body, sb_surface **out,
                                     sb_error *err);
SB_NODISCARD sb_status scene_roll(sb_scene *scene, sb_surface *surface,
                                  double radius_m, sb_surface **out,
                                  sb_error *err);
/* One of this roughness, whatever body it is on. */
SB_NODISCARD sb_status scene_rough(sb_scene *scene, double roughness_m,
                                   sb_surface **out, sb_error *err);
void scene_smooth(scene_body *body); /* forget the one made for it */
void scene_free_surfaces(sb_scene *scene);

/* A body goes, and with it the contacts that it is in. */
void scene_drop_contacts(sb_scene *scene, sb_body_id body, double time_s);

/* A contact's sides, surfaces and force (scene_contact_make.c), and what the
 * thing weighs. */
struct sb_lasting_setup;
struct sb_lasting_change;
SB_NODISCARD sb_status scene_make_contact(sb_scene *scene,
                                          const struct sb_lasting_setup *setup,
                                          const struct sb_lasting_change *first,
                                          sb_lasting_def *def, double *load_n,
                                          sb_error *err);

sb_model_point scene_spot(const scene_body *body, const sb_place *place);
/* The same place in the body's own axes, and in those of the world. */
sb_place scene_to_local(const scene_body *body, const sb_place *place);
sb_place scene_to_world(const scene_body *body, const sb_place *place);
/* As a script declares it. */
sb_pose scene_declared_pose(const sb_planned *planned);

/* Begin what goes on after the impact of a blow that grazes, on the body and
 * with the striker, or the null id; nothing when it does not. */
SB_NODISCARD sb_status scene_graze(sb_scene *scene, const sb_blow *blow,
                                   const sb_graze *graze,
                                   const sb_body_id body[2],
                                   const sb_place place[2], double time_s,
                                   sb_error *err);

/* --- scene_tuning.c ---------------------------------------------------------- */

/* The same for a body as it is now: touched and deformed. */
sb_bank_mode *scene_tuned_modes(const scene_body *body);

/* A glide from there to what is now in body->tuning, if it rings, and a push of
 * its wobble. `from` may be NULL: out of memory. */
SB_NODISCARD sb_status scene_retune(sb_scene *scene, const scene_body *body,
                                    const sb_bank_mode *from, double push,
                                    double ramp_s, double time_s,
                                    sb_error *err);

/* Is anything done to it? And no more. */
bool scene_is_tuned(const scene_body *body);
void scene_untune(scene_body *body);

#endif
