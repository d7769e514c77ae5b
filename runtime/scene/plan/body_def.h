/* runtime/scene/plan/body_def.h -- a body as a script describes it.
 *
 * Thread: any. Memory: plain values; what is pointed to is the caller's.
 */
#ifndef SB_SCENE_PLAN_BODY_DEF_H
#define SB_SCENE_PLAN_BODY_DEF_H

#include "runtime/model/shape.h"
#include "runtime/scene/plan/motion.h"

#include <stdbool.h>

typedef struct sb_surface sb_surface;
typedef struct sb_texture sb_texture;

/* The role of a body when two meet (Maunsbach & Serafin 4.1). */
typedef enum sb_role {
    SB_ROLE_BOTH,     /* strikes, and rings */
    SB_ROLE_EXCITER,  /* strikes others, never sounds itself */
    SB_ROLE_RESONATOR /* sounds, cannot strike */
} sb_role;
/* Modes above a crossover that are heard as noise (diffuse_part.h). */
enum { SB_DIFFUSE_POINTS = 16 };
typedef struct sb_diffuse_part {
    bool is_on;
    /* Without it, what the body's model does not hold is noise of its own
     * accord (beyond_part.h): never, or also where the script chose the number
     * of modes. */
    bool is_off, is_wanted;
    double crossover_hz; /* 50 .. 15000; default 800 */
    double level;        /* of the noise, linear; default 1 */
    int t60_count;       /* 0: decays of the modes */
    struct {
        double freq_hz, t60_s;
    } t60[SB_DIFFUSE_POINTS]; /* rising frequencies; linear on log scales */
} sb_diffuse_part;

/* Stiffening and distortion inside a body (nonlinear_part.h). */
enum {
    SB_NONLINEAR_PLACES = 4,
    SB_NONLINEAR_SPRINGS = SB_NONLINEAR_PLACES + 1 /* and one distortion */
};
typedef struct sb_nonlinear_part {
    bool is_on;
    bool stiffens;
    double amplitude_m;     /* of the lowest mode, a semitone up; 0: default */
    double stiffness_n_m3;  /* at each place; 0: from the amplitude */
    double distortion_ns_m; /* at the first place; 0: none */
    double knee_m_s;        /* where it begins to saturate; default 0.1 */
    int place_count;        /* 0: chosen so that every mode is moved */
    struct {
        double u, v;
    } places[SB_NONLINEAR_PLACES];
} sb_nonlinear_part;

typedef struct sb_body_def {
    const char *name; /* 1 .. 63 bytes, unique in the scene */
    sb_shape shape;
    sb_material material; /* used when has_material */
    bool has_material;
    char material_name[SB_NAME_SIZE]; /* as the script has it, or "" */
    sb_vec3 position;                 /* of the centre, m; default the origin */
    double gain;                      /* linear, 0 .. 1000; default 1 */
    sb_surface *surface; /* its roughness; NULL: from its material */
    sb_texture *weights; /* mode weights instead of the mode shapes; or NULL */
    sb_role role;
    sb_diffuse_part diffuse;
    sb_nonlinear_part nonlinear;
    sb_motion_part moves; /* motion and collider */
    bool hears_removed;   /* removed_part.h */
    /* Computed by runtime/deform; its modes are silent. A fixed one hovers. */
    bool is_deformable;
    sb_discretisation discretisation; /* of its modes; default exact */
} sb_body_def;

sb_body_def sb_body_def_default(void);

#endif
