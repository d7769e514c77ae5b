/* SPDX-License-Identifier: MIT */
/* sandbell.h -- Sandbell as a library: sounding bodies in your program.
 *
 * A scene has bodies that ring, a listener, and a clock in frames. Its bodies
 * come from a Lua script, or from this interface, or from both. Two sides drive
 * it:
 *
 *   control   opens scenes, strikes, moves, reads events. sandbell_advance runs
 *             the scene up to a frame: its script, its rigid-body world.
 *   audio     sandbell_render computes the next frames, any number of them.
 *
 *     sandbell_scene_def def = sandbell_scene_def_default();
 *     sandbell_scene *scene;
 *     sandbell_error err;
 *     if (sandbell_scene_open("marimba.lua", &def, &scene, &err))
 *         return fputs(err.text, stderr), 1;
 *     for (;;) {
 *         sandbell_advance(scene, sandbell_clock(scene) + 256, &err);
 *         sandbell_render(scene, stereo, 256);
 *     }
 *
 * Threads   Control functions may be called from any thread but the audio
 *           thread; those of one scene wait for each other. Functions marked RT
 *           are for the one thread that renders: they never allocate, lock or
 *           wait. Several scenes may run on several threads.
 * Time      `frame` counts from 0 at the scene's sample rate. A frame that has
 *           been prepared already (before sandbell_horizon), and SANDBELL_NOW,
 *           mean the horizon. Sound of frame n leaves sandbell_render at frame
 *           n + sandbell_latency.
 * Errors    A function that can fail returns a status, 0 for success, and fills
 *           `err`, if it is not NULL, with one sentence. Then nothing has
 *           changed. The audio side cannot fail; it counts (sandbell_stats).
 * Defs      A struct that begins with `size` is filled in by its _default()
 *           function, then changed. The library reads `size` bytes of it, so
 *           programs built against an older header go on working.
 * Units     SI: m, kg, s, N, Pa, Hz. y is up.
 * Process   Signal handlers, locale, float modes, the current folder, and the
 *           threads of BLAS are after each call what they were before, and do
 *           not change results. Nothing is printed.
 *
 * Guide: scripts/guide/library.md. Examples: scripts/c.
 */
#ifndef SANDBELL_H
#define SANDBELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SANDBELL_VERSION_MAJOR 0
#define SANDBELL_VERSION_MINOR 2
#define SANDBELL_VERSION_PATCH 0
#define SANDBELL_VERSION_NUMBER                                       \
    ((SANDBELL_VERSION_MAJOR << 16) | (SANDBELL_VERSION_MINOR << 8) | \
     SANDBELL_VERSION_PATCH)

#if defined(__GNUC__)
#define SANDBELL_API __attribute__((visibility("default")))
#else
#define SANDBELL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- words ------------------------------------------------------------------ */

enum {
    SANDBELL_OK,
    SANDBELL_NO_MEMORY,
    SANDBELL_BAD_ARGUMENT, /* outside its valid range */
    SANDBELL_BAD_FORMAT,   /* a script or a file has an error */
    SANDBELL_NOT_FOUND,    /* no such file or object */
    SANDBELL_STALE_HANDLE, /* the object has been removed */
    SANDBELL_QUEUE_FULL,   /* too many commands in a control step */
    SANDBELL_NO_CONVERGENCE,
    SANDBELL_NO_MODES,  /* nothing that would sound */
    SANDBELL_NO_DEVICE, /* no usable audio device */
    SANDBELL_IO_ERROR,
    SANDBELL_INTERRUPTED
};

typedef struct sandbell_error {
    int32_t status;
    int32_t line;   /* of that file, from 1 on; or 0 */
    char file[256]; /* the script, mesh or picture that is wrong; or "" */
    char text[512]; /* one sentence, with file and line */
} sandbell_error;

typedef struct sandbell_scene sandbell_scene;

/* Ids: zero is none, and an id that is out of date is detected. */
typedef struct sandbell_body {
    uint32_t index, generation;
} sandbell_body;
typedef struct sandbell_contact {
    uint32_t index, generation;
} sandbell_contact;
typedef struct sandbell_pad {
    uint32_t index, generation;
} sandbell_pad;

typedef struct sandbell_vec3 {
    double x, y, z;
} sandbell_vec3;
typedef struct sandbell_quat {
    double w, x, y, z;
} sandbell_quat;

#define SANDBELL_NOW (-1)

enum { SANDBELL_NAME_SIZE = 64 };

/* --- the library ------------------------------------------------------------ */

/* Which struct sandbell_def_init fills in. */
enum {
    SANDBELL_SETUP_DEF,
    SANDBELL_SCENE_DEF,
    SANDBELL_MATERIAL,
    SANDBELL_BODY_DEF,
    SANDBELL_POSE,
    SANDBELL_LISTENER,
    SANDBELL_PLACE,
    SANDBELL_STRIKE_DEF,
    SANDBELL_IMPACT,
    SANDBELL_CONTACT_DEF,
    SANDBELL_LOAD,
    SANDBELL_POINT,
    SANDBELL_STEP,
    SANDBELL_EVENT,
    SANDBELL_STATS,
    SANDBELL_PLAY_DEF,
    SANDBELL_DEF_COUNT
};

SANDBELL_API uint32_t
sandbell_version(void); /* SANDBELL_VERSION_NUMBER, as built */
SANDBELL_API const char *sandbell_status_name(int status); /* "NOT_FOUND" */
/* The licence of the library and of what it is linked with, in a line. */
SANDBELL_API const char *sandbell_licence(void);

/* Fill `size` bytes with the default values of a struct. The _default()
 * functions below call it. */
SANDBELL_API void sandbell_def_init(int which, void *def, size_t size);

#define SANDBELL_DEFAULT_OF(type, which)            \
    static inline type type##_default(void) {       \
        type def;                                   \
        sandbell_def_init(which, &def, sizeof def); \
        return def;                                 \
    }

/* Of the whole process; optional, before the first scene. */
typedef struct sandbell_setup_def {
    uint32_t size;
    /* Folder with models/ and textures/; NULL: as installed with the library. */
    const char *library;
    const char *mesh_reader; /* program that reads meshes; NULL: likewise */
    const char *cache;       /* folder for solved models; NULL: the user's */
    double memory_bytes;     /* most that all scenes may take; 0: no limit */
} sandbell_setup_def;
SANDBELL_DEFAULT_OF(sandbell_setup_def, SANDBELL_SETUP_DEF)

SANDBELL_API int sandbell_setup(const sandbell_setup_def *def,
                                sandbell_error *err);

/* --- scenes ------------------------------------------------------------------ */

/* Who takes the control steps. */
enum {
    SANDBELL_CONTROL_CALLER, /* sandbell_advance */
    SANDBELL_CONTROL_THREAD  /* a thread of the library, ahead of the clock; not
                                for scenes with deformable bodies */
};

typedef struct sandbell_setting {
    const char *name;
    double value;
} sandbell_setting;

typedef struct sandbell_scene_def {
    uint32_t size;
    int32_t control;
    double rate_hz; /* 8000 .. 384000; default 48000 */
    uint64_t seed;  /* default 1 */
    /* How far control runs ahead of the sound: CONTROL_THREAD, and
     * sandbell_advance to SANDBELL_NOW. Default 2048: 43 ms. */
    int64_t lead_frames;
    /* The sound is played in real time: modes are dropped when the audio thread
     * has no time for them (sandbell_report_duration). Default false. */
    bool is_live;
    bool is_trusted; /* no sandbox: scripts may open files, start programs */
    bool watches;    /* reload when a file of the scene is saved */
    /* True: an error of a callback of the script is logged, that callback is not
     * called again, and the scene goes on. False, the default: sandbell_advance
     * fails. CONTROL_THREAD: always true. */
    bool parks_errors;
    /* Endless loops of a script are ended by the processor time they take, with
     * a thread and the signal SIGURG, instead of by a count of instructions. */
    bool measures_time;
    const sandbell_setting *params; /* values of params, as --set */
    int32_t param_count;
    double memory_bytes; /* that a solve may take; 0: 2 GB */
    /* Free bodies are moved by sandbell_physics_step alone, from the start. */
    bool has_physics;
    int32_t dry_most; /* room for sandbell_choose_dry, 0 .. 256; default 0 */
    /* Messages, and what the script prints (is_print); on the thread of the
     * control call or of the library. It may strike and read, but advance,
     * reload, evaluate and set params return an error within it, and it must
     * not close the scene. NULL: none. */
    void (*log)(void *user, const char *line, bool is_print);
    /* While a load solves a body; true ends it with INTERRUPTED. May be NULL. */
    bool (*progress)(void *user, const char *body, const char *stage, int done,
                     int expected);
    void *user;
} sandbell_scene_def;
SANDBELL_DEFAULT_OF(sandbell_scene_def, SANDBELL_SCENE_DEF)

/* From a file; from a text, with the folder of its assets (NULL: the current
 * one); without a script. `def` may be NULL. */
SANDBELL_API int sandbell_scene_open(const char *path,
                                     const sandbell_scene_def *def,
                                     sandbell_scene **out, sandbell_error *err);
SANDBELL_API int sandbell_scene_open_text(const char *lua, const char *folder,
                                          const sandbell_scene_def *def,
                                          sandbell_scene **out,
                                          sandbell_error *err);
SANDBELL_API int sandbell_scene_create(const sandbell_scene_def *def,
                                       sandbell_scene **out,
                                       sandbell_error *err);
/* Nobody may render any more. NULL is allowed. */
SANDBELL_API void sandbell_scene_close(sandbell_scene *scene);

/* Load the script again and turn the running scene into what it describes; what
 * is unchanged rings on. `lua` replaces the text of a scene that was opened as a
 * text; NULL: the same text or file. `is_reset` empties `state` and calls
 * scene.start. Bodies that were added by sandbell_body_add leave. */
SANDBELL_API int sandbell_scene_reload(sandbell_scene *scene, const char *lua,
                                       bool is_reset, sandbell_error *err);

/* --- the clock ----------------------------------------------------------------- */

/* Take control steps of 10 ms until all frames before `until` are prepared;
 * SANDBELL_NOW: lead_frames beyond the clock. Only with CONTROL_CALLER. */
SANDBELL_API int sandbell_advance(sandbell_scene *scene, int64_t until,
                                  sandbell_error *err);
/* Frames computed so far, a multiple of 128; RT. */
SANDBELL_API int64_t sandbell_clock(const sandbell_scene *scene);
/* All frames before this one are prepared; RT. */
SANDBELL_API int64_t sandbell_horizon(const sandbell_scene *scene);
SANDBELL_API double sandbell_rate(const sandbell_scene *scene); /* Hz; RT */
SANDBELL_API int sandbell_latency(const sandbell_scene *scene); /* frames; RT */
/* The script has something scheduled, or something still moves. */
SANDBELL_API bool sandbell_is_busy(sandbell_scene *scene);

/* The next frames, interleaved stereo, full scale is 1; RT. */
SANDBELL_API void sandbell_render(sandbell_scene *scene, float *stereo,
                                  int frames);

/* Dry sound of single bodies, for a spatialiser of your own: at most `dry_most`
 * bodies of the scene's def, in this order, from the next block on. An id that is out of date is
 * silent. */
SANDBELL_API int sandbell_choose_dry(sandbell_scene *scene,
                                     const sandbell_body *bodies, int count,
                                     sandbell_error *err);
/* In place of sandbell_render: also the pressure in Pa at 1 m of each chosen
 * body, before distance, ears and limiter, without the latency. `stereo` is the
 * mix of all bodies, or NULL; RT. */
SANDBELL_API void sandbell_render_dry(sandbell_scene *scene, float *const *mono,
                                      int count, float *stereo, int frames);

/* How long the callback that rendered took: with is_live, modes that cannot be
 * heard are dropped before it takes too long; RT. */
SANDBELL_API void sandbell_report_duration(sandbell_scene *scene, int64_t ns);

/* Play on a sound device until sandbell_stop or sandbell_scene_close; nobody
 * else may render. Only with CONTROL_THREAD. */
typedef struct sandbell_play_def {
    uint32_t size;
    const char *backend; /* NULL: the best; "null": a silent clock */
    const char *device;  /* part of its name; NULL: the default */
    bool needs_device;   /* fail, instead of a silent clock */
} sandbell_play_def;
SANDBELL_DEFAULT_OF(sandbell_play_def, SANDBELL_PLAY_DEF)

SANDBELL_API int sandbell_play(sandbell_scene *scene,
                               const sandbell_play_def *def,
                               sandbell_error *err);
SANDBELL_API void sandbell_stop(sandbell_scene *scene);

/* --- materials ------------------------------------------------------------------ */

typedef struct sandbell_material {
    uint32_t size;
    double density;        /* kg/m^3, 1 .. 1e5 */
    double youngs_modulus; /* Pa, 1e3 .. 2e12 */
    double poisson_ratio;  /* -0.99 .. 0.499 */
    double alpha;          /* 1/s, 0 .. 1e5: damping by mass */
    double beta;           /* s, 0 .. 1: damping by stiffness */
    double hardness;       /* N/m, 1 .. 1e13: of the contact spring */
    double roughness;      /* m rms, 0 .. 0.1 */
    double restitution;    /* 0 .. 1 */
    double friction;       /* 0 .. 10 */
    /* Both 0 (isotropic), or both given: a grain along the first side. */
    double youngs_modulus_across; /* Pa */
    double shear_modulus;         /* Pa */
} sandbell_material;
SANDBELL_DEFAULT_OF(sandbell_material, SANDBELL_MATERIAL) /* steel */

/* "steel", "glass", ...: NOT_FOUND names what is like it. */
SANDBELL_API int sandbell_material_find(const char *name,
                                        sandbell_material *out,
                                        sandbell_error *err);

/* --- bodies --------------------------------------------------------------------- */

/* A mode given by hand: shape "modes". */
typedef struct sandbell_hand_mode {
    double freq_hz, t60_s, gain;
} sandbell_hand_mode;

enum {
    SANDBELL_FIXED,
    SANDBELL_FREE,    /* moves by the scene's own world, or by physics steps */
    SANDBELL_SCRIPTED /* moves by sandbell_body_set_pose */
};

typedef struct sandbell_body_def {
    uint32_t size;
    const char *name; /* unique in the scene; must be given */
    /* bar, plate, disk, membrane, string, ring, sphere, box, cylinder, tube,
     * cone, hollow, floor, rigid, mesh, modes; must be given. The fields that a
     * shape has are those of sb.NAME in the Lua reference. */
    const char *shape;
    double length, width, depth, thickness, radius, wire_radius, height,
        top_radius, diameter; /* m */
    double tension;           /* N, membrane N/m */
    double surface_density;   /* membrane, kg/m^2 */
    /* "free", "clamped", "pinned", ...; NULL: strings and membranes are held,
     * all else is free. */
    const char *support;
    const char *mesh;  /* a file: OBJ, PLY, STL, glTF, ... */
    double mesh_scale; /* m per unit of the file; default 1 */
    const sandbell_hand_mode *modes;
    int32_t mode_count;
    int32_t max_modes; /* 0: chosen by the method */
    double max_hz;     /* 0: 22000 */
    /* Of the library of materials, or a struct, which counts first. */
    const char *material;
    const sandbell_material *own_material;
    int32_t motion;
    sandbell_vec3 position; /* of the centre */
    sandbell_quat rotation;
    sandbell_vec3 velocity, spin; /* m/s; rad/s about the world's axes */
    double mass_kg;               /* 0: from shape and material */
    double gain;                  /* linear; default 1 */
    double kettle;                /* m; of a round membrane */
    const char *radiation;        /* "exact", the default, or "quick" */
} sandbell_body_def;
SANDBELL_DEFAULT_OF(sandbell_body_def, SANDBELL_BODY_DEF)

/* Solve it, on this thread and beside the running scene, and add it. */
SANDBELL_API int sandbell_body_add(sandbell_scene *scene,
                                   const sandbell_body_def *def, int64_t frame,
                                   sandbell_body *out, sandbell_error *err);
/* Fade it out; its id is out of date at once. */
SANDBELL_API int sandbell_body_remove(sandbell_scene *scene, sandbell_body body,
                                      int64_t frame, sandbell_error *err);
SANDBELL_API sandbell_body sandbell_body_find(sandbell_scene *scene,
                                              const char *name);
/* All of them in the order of their creation; returns their number, which may be
 * more than `most`. */
SANDBELL_API int sandbell_bodies(sandbell_scene *scene, sandbell_body *out,
                                 int most);
SANDBELL_API int sandbell_body_name(sandbell_scene *scene, sandbell_body body,
                                    char name[SANDBELL_NAME_SIZE]);

typedef struct sandbell_mode {
    double freq_hz, t60_s;
    double radiation; /* Pa m per modal speed, kg^1/2 m/s */
} sandbell_mode;
/* Its modes, lowest first; returns their number, or -1 for an id that is out of
 * date. */
SANDBELL_API int sandbell_body_modes(sandbell_scene *scene, sandbell_body body,
                                     sandbell_mode *out, int most);

typedef struct sandbell_pose {
    uint32_t size;
    sandbell_body body; /* of the poses of a physics step */
    sandbell_vec3 position;
    sandbell_quat rotation;
    sandbell_vec3 velocity, spin;
} sandbell_pose;
SANDBELL_DEFAULT_OF(sandbell_pose, SANDBELL_POSE)

SANDBELL_API int sandbell_body_set_pose(sandbell_scene *scene,
                                        sandbell_body body,
                                        const sandbell_pose *pose,
                                        int64_t frame, sandbell_error *err);
SANDBELL_API int sandbell_body_pose(sandbell_scene *scene, sandbell_body body,
                                    sandbell_pose *out);
SANDBELL_API int sandbell_body_set_gain(sandbell_scene *scene,
                                        sandbell_body body, double gain,
                                        int64_t frame, sandbell_error *err);
/* Retune it while it rings; solved on this thread, beside the running scene. */
SANDBELL_API int sandbell_body_set_material(sandbell_scene *scene,
                                            sandbell_body body,
                                            const sandbell_material *material,
                                            int64_t frame, sandbell_error *err);

/* --- the listener --------------------------------------------------------------- */

enum {
    SANDBELL_EARS_HEAD,
    SANDBELL_EARS_PAIR,
    SANDBELL_EARS_PAN,
    /* KEMAR's, or those of the SOFA file that the scene's script names */
    SANDBELL_EARS_MEASURED
};

typedef struct sandbell_listener {
    uint32_t size;
    int32_t ears;
    sandbell_vec3 position; /* default { 0, 0, 1 } */
    sandbell_vec3 facing;   /* default { 0, 0, -1 } */
    sandbell_vec3 velocity;
    double gain;      /* linear; default 1: full scale is 40 Pa */
    double spacing_m; /* of a pair; default 0.2 */
} sandbell_listener;
SANDBELL_DEFAULT_OF(sandbell_listener, SANDBELL_LISTENER)

SANDBELL_API int sandbell_set_listener(sandbell_scene *scene,
                                       const sandbell_listener *listener,
                                       int64_t frame, sandbell_error *err);

/* --- strikes ---------------------------------------------------------------------- */

enum {
    SANDBELL_PLACE_USUAL, /* where such a thing is usually struck */
    SANDBELL_PLACE_UV,
    SANDBELL_PLACE_POINT, /* of the world */
    SANDBELL_PLACE_LOCAL  /* in the body's own axes, and moves with it */
};

typedef struct sandbell_place {
    uint32_t size;
    int32_t kind;
    double u, v; /* 0 .. 1 */
    sandbell_vec3 point;
    sandbell_vec3 direction; /* of the force; zero: straight into the surface */
} sandbell_place;
SANDBELL_DEFAULT_OF(sandbell_place, SANDBELL_PLACE)

enum {
    SANDBELL_MODEL_AUTO,
    SANDBELL_MODEL_IMPULSE,
    SANDBELL_MODEL_PULSE,
    SANDBELL_MODEL_TRAPEZOID, /* the K-method, one step per sample */
    SANDBELL_MODEL_KMETHOD,   /* the same with fine steps */
    SANDBELL_MODEL_GRADIENT   /* Hertz' law, computed as the body moves */
};

/* What strikes. 0: the value follows from the others and from materials. */
typedef struct sandbell_strike_def {
    uint32_t size;
    int32_t model;
    double speed_m_s;  /* NaN, the default: 1, or none if an impulse is given */
    double impulse_ns; /* instead of a speed, or with it instead of a mass */
    double mass_kg;
    double radius_m;      /* where it touches */
    double hardness_n_m;  /* of its spring: PULSE */
    double stiffness;     /* K of K x^a: GRADIENT */
    double exponent;      /* a */
    double lambda;        /* loss of the contact */
    const char *material; /* of the library; NULL: that of the body */
    bool bounces;         /* it may touch again */
} sandbell_strike_def;
SANDBELL_DEFAULT_OF(sandbell_strike_def, SANDBELL_STRIKE_DEF)

/* What a strike amounts to, computed before it is heard. */
typedef struct sandbell_impact {
    uint32_t size;
    double impulse_ns, duration_s, peak_force_n, speed_m_s, mass_kg;
} sandbell_impact;
SANDBELL_DEFAULT_OF(sandbell_impact, SANDBELL_IMPACT)

/* `place`, `def` and `estimate` may be NULL. */
SANDBELL_API int sandbell_strike(sandbell_scene *scene, sandbell_body body,
                                 const sandbell_place *place,
                                 const sandbell_strike_def *def, int64_t frame,
                                 sandbell_impact *estimate,
                                 sandbell_error *err);

/* A pad: a place that is prepared once, to be struck live. A strike on a plate of
 * 800 modes takes a millisecond of the control thread, a hit on a pad a few
 * microseconds, and no lead. It sounds as the strike does. A pad follows its body
 * through reloads and goes out of date when that is removed. BAD_ARGUMENT: the
 * body has no modes, or the strike bounces. */
SANDBELL_API int sandbell_pad_prepare(sandbell_scene *scene, sandbell_body body,
                                      const sandbell_place *place,
                                      const sandbell_strike_def *def,
                                      sandbell_pad *out, sandbell_error *err);
SANDBELL_API void sandbell_pad_release(sandbell_scene *scene, sandbell_pad pad);
/* Hit it at `frame`, or, if that is in the past, at the start of the next block
 * of 128 frames. False, and counted: it is out of date, or struck too often at
 * once. RT: on the thread that renders. */
SANDBELL_API bool sandbell_pad_hit(sandbell_scene *scene, sandbell_pad pad,
                                   double speed_m_s, int64_t frame);
/* The same from any other thread. */
SANDBELL_API bool sandbell_pad_post(sandbell_scene *scene, sandbell_pad pad,
                                    double speed_m_s, int64_t frame);

/* --- contacts that last ---------------------------------------------------------- */

/* Load and place of a contact. NaN and NULL: as before. */
typedef struct sandbell_load {
    uint32_t size;
    double force_n;
    double speed_m_s[2]; /* of the contact along each surface */
    double slip_m_s;
    const sandbell_place *place[2]; /* on the body, and on the other */
    double ramp_s;                  /* in which they are reached */
} sandbell_load;
SANDBELL_DEFAULT_OF(sandbell_load, SANDBELL_LOAD)

typedef struct sandbell_contact_def {
    uint32_t size;
    const char *kind; /* roll, profile, slide, creak, rub, buzz, rattle */
    sandbell_body body;
    sandbell_body with; /* zero: a silent thing, as follows */
    double mass_kg, radius_m, hardness_n_m, stiffness, exponent, lambda;
    const char *material;
    double level; /* linear, on the force; default 1 */
    /* Further params of the kind, named as in Lua: "mu_static", "apart", ... */
    const sandbell_setting *params;
    int32_t param_count;
} sandbell_contact_def;
SANDBELL_DEFAULT_OF(sandbell_contact_def, SANDBELL_CONTACT_DEF)

SANDBELL_API int sandbell_contact_begin(sandbell_scene *scene,
                                        const sandbell_contact_def *def,
                                        const sandbell_load *load,
                                        int64_t frame, sandbell_contact *out,
                                        sandbell_error *err);
SANDBELL_API int sandbell_contact_move(sandbell_scene *scene,
                                       sandbell_contact contact,
                                       const sandbell_load *load, int64_t frame,
                                       sandbell_error *err);
/* Fade its force out. */
SANDBELL_API int sandbell_contact_end(sandbell_scene *scene,
                                      sandbell_contact contact, int64_t frame,
                                      double fade_s, sandbell_error *err);

/* --- bring your own physics ------------------------------------------------------- */

/* One contact point of a step of another engine. */
typedef struct sandbell_point {
    uint32_t size;
    bool is_smooth;       /* facets that stand for a smooth shape */
    sandbell_body a, b;   /* b may be none: something that does not ring */
    sandbell_vec3 point;  /* world */
    sandbell_vec3 normal; /* unit, from b into a */
    double depth_m;
    double time_s; /* of first touch, from the start of the step; default 0 */
    /* Closing speed along the normal before the step, > 0: approaching. NaN, the
     * default: from the velocities. */
    double closing_m_s;
    /* Normal impulse of the step, not negative. NaN, the default: not known
     * (Box2D's hit events): m v (1 + e) of a blow; nothing rolls or rests. */
    double impulse_ns;
    sandbell_vec3 friction_ns; /* friction impulse on a */
    /* Velocities before the step, m/s: of each surface at the point, and of each
     * centre of mass. NaN, the default: from the poses of the step before. */
    sandbell_vec3 velocity_a, velocity_b, centre_velocity_a, centre_velocity_b;
    /* 1 / effective mass along the normal at the point; 0: not free; -1, the
     * default: from shape and material. */
    double inverse_mass_a, inverse_mass_b;
    double restitution; /* -1, the default: of the materials */
} sandbell_point;
SANDBELL_DEFAULT_OF(sandbell_point, SANDBELL_POINT)

typedef struct sandbell_step {
    uint32_t size;
    uint32_t point_size, pose_size; /* sizeof(sandbell_point), ..._pose */
    int32_t point_count, pose_count;
    /* At which the step begins: not before the end of the last one, at most a
     * minute ahead. It may be before the horizon; only what has been rendered
     * already is late. SANDBELL_NOW: at the horizon, or where the last ended.
     * Default 0. */
    int64_t frame;
    double step_s;         /* its length */
    sandbell_vec3 gravity; /* default { 0, -9.81, 0 } */
    const sandbell_point *points;
    const sandbell_pose *poses; /* at the end of the step */
} sandbell_step;
SANDBELL_DEFAULT_OF(sandbell_step, SANDBELL_STEP)

/* Once per step of the other engine, with all its contact points: they become
 * impacts and contacts that roll, slide and rest, as those of the scene's own
 * world do. */
SANDBELL_API int sandbell_physics_step(sandbell_scene *scene,
                                       const sandbell_step *step,
                                       sandbell_error *err);
/* A body was placed elsewhere: end its contacts without an impact. */
SANDBELL_API void sandbell_physics_forget(sandbell_scene *scene,
                                          sandbell_body body);

/* --- the script -------------------------------------------------------------------- */

typedef struct sandbell_param {
    char name[SANDBELL_NAME_SIZE];
    double min, max, initial, value;
    int32_t is_log; /* scale of a slider */
} sandbell_param;
SANDBELL_API int sandbell_params(sandbell_scene *scene, sandbell_param *out,
                                 int most);
SANDBELL_API int sandbell_param_set(sandbell_scene *scene, const char *name,
                                    double value, sandbell_error *err);

/* Run a line of Lua in the scene, as at the prompt. `result` gets its values as
 * text, cut to `size`; it may be NULL. */
SANDBELL_API int sandbell_evaluate(sandbell_scene *scene, const char *lua,
                                   char *result, size_t size,
                                   sandbell_error *err);

/* --- events and counters ------------------------------------------------------------ */

enum {
    SANDBELL_EVENT_STRIKE, /* as measured */
    SANDBELL_EVENT_IMPACT, /* of a world */
    SANDBELL_EVENT_ROLL,   /* begins */
    SANDBELL_EVENT_SLIDE,
    SANDBELL_EVENT_REST,
    SANDBELL_EVENT_END /* of a contact that lasts */
};

typedef struct sandbell_event {
    uint32_t size;
    int32_t kind;
    int64_t frame;
    sandbell_body a, b; /* b may be none */
    sandbell_vec3 point, normal;
    double impulse_ns, speed_m_s, slip_m_s;
    double force_n; /* normal; greatest of an impact */
    double duration_s, restitution;
    uint32_t contact; /* number of a lasting contact of the world */
} sandbell_event;
SANDBELL_DEFAULT_OF(sandbell_event, SANDBELL_EVENT)

/* The next one, in the order in which they became known; at most the latest 8192
 * are kept. False: none. */
SANDBELL_API bool sandbell_next_event(sandbell_scene *scene,
                                      sandbell_event *out);

typedef struct sandbell_stats {
    uint32_t size;
    int32_t bodies, sounding;
    int32_t modes, modes_mixed; /* that ring; of these, mixed */
    int64_t late;               /* commands that arrived after their time */
    int64_t muted;   /* bodies set to rest because of NaN or infinity */
    int64_t dropped; /* strikes that did not begin */
    int64_t strikes;
    int64_t underruns;   /* calls of sandbell_render beyond the horizon */
    double peak;         /* of the last block */
    double limiter_gain; /* smallest of the last block */
    int64_t missed;      /* deadlines, of sandbell_play */
    double busy;         /* share of real time, of sandbell_play */
} sandbell_stats;
SANDBELL_DEFAULT_OF(sandbell_stats, SANDBELL_STATS)

SANDBELL_API void sandbell_read_stats(sandbell_scene *scene,
                                      sandbell_stats *out);

#ifdef __cplusplus
}
#endif
#endif
