/* SPDX-License-Identifier: MIT */
/* bindings/studio/session/session_internal.h -- the state of a session.
 *
 * Private to bindings/studio/session. A hand names a body by a number that is
 * never used again in this run of the program; the roster knows which body that
 * is. Each part of the state belongs to the file that is named beside it.
 *
 * Thread: control. Memory: the session's.
 */
#pragma once

#include "bindings/host/host.h"
#include "bindings/studio/session/json.h"
#include "bindings/studio/session/session.h"
#include "runtime/base/pose.h"
#include "runtime/base/voice_types.h"
#include "runtime/engine/audio/gauge.h"
#include "runtime/scene/contact/lasting.h"
#include "runtime/scene/plan/room_def.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>

typedef struct sb_body_def sb_body_def;
typedef struct sb_planned sb_planned;
typedef struct sb_texture sb_texture;
typedef struct worker worker;

enum { SESSION_FILES = 16, SESSION_SAVED = 16 };

typedef struct session_hand {
    uint32_t number; /* 0: free; or what is replayed */
    unsigned topics;
    uint32_t watch;  /* body whose energies it wants, or 0 */
    double probed_s; /* when it was last answered */
    sb_contact_id scrape;
    sb_contact_kind kind; /* of that */
    uint32_t grabbed;     /* the body it holds, or 0 */
    sb_vec3 hand;         /* where that is to go */
} session_hand;

/* A weight texture that hands paint on. */
typedef struct body_paint body_paint; /* paint.h */

/* How many modes a body has: fields of its shape. */
typedef struct session_merging {
    double merge;
    bool keeps_beats;
    int max_modes;
} session_merging;

typedef struct session_body {
    uint32_t number;
    sb_body_id id;
    char name[SB_NAME_SIZE];
    sb_model *model;                         /* retained */
    sb_texture *texture;                     /* retained; or NULL */
    sb_material material, scripted_material; /* as it is; by the script */
    double gain;
    uint32_t mesh_rev, modes_rev, texture_rev;
    bool is_seen;      /* in the present look */
    sb_vec3 low, high; /* the box around it, local */
    sb_pose pose;      /* as last sent */
    /* Modes that hands silence; one per mode, or NULL. */
    bool *solo, *mute;
    int mode_count;
    int limit;         /* modes that are heard; 0: all */
    bool has_choices;  /* some may be soloed or muted */
    bool is_masked;    /* some are silenced now */
    body_paint *paint; /* or NULL */
    /* As the script has it, noted when a hand first changes it; and as it is,
     * which the shape does not say while what was removed is heard. */
    session_merging scripted, merging;
    bool has_scripted;
    bool is_tuned; /* its material is no longer the script's */
} session_body;

/* A file of the scene, as last seen. */
typedef struct session_watched {
    char name[200]; /* in the scene's folder */
    char rev[65];   /* digest */
    double changed; /* time of its last change */
    bool is_stored; /* by a hand, since the last look */
} session_watched;

/* A picture that a hand has saved, as it was before. */
typedef struct session_saved {
    char name[200]; /* in the scene's folder; "": none */
    char *bytes;    /* NULL: there was no such file */
    size_t count;
} session_saved;

/* The running scene (session.c). */
typedef struct session_place {
    char path[PATH_MAX];   /* of the scene, or "" */
    char folder[PATH_MAX]; /* resolved; what hands may read and write */
    char library[PATH_MAX];
    bool is_shipped;       /* with the program: a save makes a copy ... */
    char copies[PATH_MAX]; /* ... there */
    bool is_gallery;
    char wanted[PATH_MAX];
    bool wants_gallery;
    bool is_gone;   /* the scene's file */
    char since[16]; /* the version that runs, as clock text */
} session_place;

typedef struct session_clock {
    double now_s;    /* start of the present or next step */
    double origin_s; /* when the scene was last reset */
    bool is_paused, is_resetting;
} session_clock;

/* Before the scene plays (session.c). */
typedef struct session_computing {
    bool is_opening;        /* the first load solves: no host, hands look */
    bool is_computing;      /* what is deformable; likewise */
    double began_s, from_s; /* wall clock, and scene, at its begin */
    double told_s;
} session_computing;

typedef struct session_roster { /* describe.c */
    uint32_t rev;               /* of the scene as hands see it */
    uint32_t last_number;
    session_body *bodies;
    int count, capacity;
} session_roster;

typedef struct session_stream { /* streams.c */
    double looked_s;            /* wall clock, of the roster, ... */
    double posed_s, all_posed_s, told_s, contacted_s, energy_s;
    double surfaced_s; /* scene time of the surfaces last sent */
    bool has_said_large;
    uint64_t event_reader;
    char *params, *settings, *quality, *room; /* as last told */
    sb_voice_id gauged[SB_GAUGES];
    bool wants_heard;
    double spent_s; /* processor time of the control thread, for hands */
} session_stream;

typedef struct session_trace { /* streams.c */
    bool is_wanted, is_on;
    int rows; /* of the present contact; -1: none */
    double from_s, seen_s, rest_s, due_s;
    long long begun; /* contacts when it was armed */
} session_trace;

typedef struct session_files { /* act_scene.c; saved: act_paint.c */
    session_watched watched[SESSION_FILES];
    double looked_s;
    session_saved saved[SESSION_SAVED];
} session_files;

typedef struct session_record { /* act_record.c */
    char *text;                 /* lines so far; NULL: nothing is recorded */
    size_t count, capacity;
    char path[PATH_MAX];   /* the user's own, or ... */
    char folder[PATH_MAX]; /* ... a name in this one; else "" */
    const cJSON *next;     /* of what is replayed, or NULL */
} session_record;

typedef struct session_workers { /* session.c */
    worker *worker;              /* surfaces, texts: short */
    worker *solver;              /* models and textures */
    struct mode_shapes *shapes;  /* the worker's */
    pthread_mutex_t lock;        /* of what is finished */
    struct session_done *done;
} session_workers;

typedef struct session_tuner { /* act_tune.c */
    struct tuning_job
        *waiting; /* not yet given to the solver: newest per body */
    struct tuning_job *solving; /* or NULL */
} session_tuner;

struct session {
    session_def def;
    sb_host *host; /* NULL: no scene */
    sb_output *output;
    session_place place;
    session_clock clock;
    session_computing computing;
    session_roster roster;
    session_stream stream;
    session_trace trace;
    session_files files;
    session_record record;
    session_workers workers;
    session_hand hands[SESSION_HANDS];
    session_hand replayed; /* what is replayed is done by this one */
    bool is_touched;       /* something was done in the scene */
    session_tuner tuner;
    sb_response_def response;      /* of the room, as last heard (act_room.c) */
    struct session_lesson *lesson; /* lesson.c; or NULL */
};

/* --- say.c: news ------------------------------------------------------------ */

cJSON *session_message(const char *type);
/* Send and delete the JSON to all hands that have all these topics. */
void session_send_all(session *self, session_class class, unsigned topics,
                      cJSON *json);
/* Send what follows the header of a record; likewise. */
void session_send_record(session *self, unsigned topics, session_class class,
                         session_record_type type, double time_s,
                         const void *bytes, size_t count);
/* Add the hands that have all these topics. */
void session_find_listeners(const session *self, unsigned topics,
                            session_news *news);
bool session_has_listener(const session *self, unsigned topics);
/* What the user must know. */
void session_report(const session *self, const char *line);
/* A line for those who read the log; of this level: "info", "error". */
void session_log(session *self, const char *level, const char *text);
/* The scene goes on as it is, for this reason. */
void session_tell_broken(session *self, const sb_error *err);
void session_note_version(session *self);
void session_forget_wanted(session *self);

/* --- describe.c --------------------------------------------------------- */

session_body *session_body_of(session *self, uint32_t number); /* or NULL */
session_body *session_body_named(session *self, const char *name);
session_body *session_body_with(session *self, sb_body_id id);
/* As the scene has it. */
const sb_planned *session_planned(const session *self,
                                  const session_body *body);
/* Compare with the scene; tells hands what has changed. */
void session_look(session *self);
void session_forget_bodies(session *self);

/* JSON; the caller deletes it. */
cJSON *session_describe_scene(session *self);
cJSON *session_describe_params(session *self);
cJSON *session_describe_quality(session *self);
cJSON *session_describe_settings(session *self);
cJSON *session_describe_room(session *self); /* act_room.c */
cJSON *session_describe_wall_materials(void);
cJSON *session_describe_modes(session *self, const session_body *body);

/* --- acts (session.c) --------------------------------------------------------- */

/* An act that is being carried out. */
typedef struct session_call {
    session *session;
    session_hand *hand;
    session_body *body; /* or NULL: the act is not of one */
    bool is_replayed;
    const cJSON *json;
    double time_s;    /* scene time at which it happens */
    double id;        /* of the request; NaN: none */
    cJSON *reply;     /* "ok" at first; an act may change it */
    const char *code; /* of a failure */
} session_call;

typedef bool session_do(session_call *call, sb_error *err);

/* Fail with a code; returns false. */
bool session_fail(session_call *call, const char *code, sb_error *err,
                  const char *format, ...) SB_PRINTF(4, 5);
/* clang-tidy does not see its body. */
#ifdef __clang_analyzer__
#define session_fail(...) ((void)(session_fail)(__VA_ARGS__), false)
#endif

/* The body that an act names; NULL: it fails. */
session_body *session_call_body(session_call *call, sb_error *err);
/* True if it went well; else it has failed, with the message of the status. */
bool session_call_done(session_call *call, sb_status status);
/* The reply is of this type; or there is none, or it follows later. */
void session_reply_as(session_call *call, const char *type);
void session_reply_not(session_call *call);
/* What was asked for has been solved: "ok", or why not. */
cJSON *session_late_reply(double id, sb_status status, const sb_error *err);

session_do session_do_strike, session_do_probe, session_do_scrape,
    session_do_throw; /* act_touch.c */
session_do session_do_param, session_do_material, session_do_merge,
    session_do_mode, session_do_limit, session_do_quality; /* act_tune.c */
session_do session_do_room;                                /* act_room.c */
session_do session_do_transport, session_do_open, session_do_watch,
    session_do_trace, session_do_eval, session_do_get,
    session_do_put; /* act_scene.c */
session_do session_do_texture_begin, session_do_texture_commit,
    session_do_texture_undo, session_do_texture_redo, session_do_texture_save,
    session_do_texture_unsave, session_do_texture_make,
    session_do_texture_remove; /* act_paint.c */
session_do session_do_press, session_do_predict,
    session_do_check; /* lesson.c */

session_do session_do_pattern; /* describe.c */

/* --- act_touch.c --------------------------------------------------------------- */

/* Hands pull what they hold. */
void session_pull_held(session *self, double time_s);
void session_end_touches(session *self, session_hand *hand);

/* --- act_tune.c ----------------------------------------------------------------- */

/* The merging of a body, also while what it removed is heard. */
session_merging session_merging_of(const session_body *body,
                                   const sb_body_def *def);
/* Apply what hands silence after the bodies have changed. */
void session_apply_mask(session *self, session_body *body, double time_s);
void session_forget_tuning(session *self);
/* The script was loaded: what was asked for before has no effect. */
void session_drop_tuning(session *self);
/* End a solve that a newer one has replaced. */
void session_end_outdated(session *self);

/* --- act_paint.c ----------------------------------------------------------------- */

struct paint_rect;
/* Set w h codes of two bytes, of `count` bytes, and echo them to all hands but
 * `from`. */
SB_NODISCARD bool session_paint_rect(session *self, uint32_t from,
                                     session_body *body,
                                     const struct paint_rect *rect,
                                     const unsigned char *codes, size_t count,
                                     sb_error *err);
void session_forget_saved(session *self);
void session_hear_paint(session *self, double time_s);
/* One weight of a body as the bytes of a picture, which the caller frees; NULL:
 * there is no such channel, or it fails, with a status of HTTP. */
char *session_texture(session *self, session_body *body, const char *name,
                      size_t *count, int *status);

/* --- act_scene.c ------------------------------------------------------------------ */

/* Where the scene's files are. */
void session_find_place(session *self, const char *path, bool is_gallery);
/* Tell hands of files that another program has saved. */
void session_watch_files(session *self);
/* Where hands may write: the scene's folder, or that of the copies. */
const char *session_save_folder(const session *self);
/* Is it a Lua file in the scene's folder? `resolved` is where it is. */
bool session_own_file(const session *self, const char *path,
                      char resolved[PATH_MAX]);
/* The name of a file without its folders. */
const char *session_file_name(const char *path);

/* --- act_record.c ------------------------------------------------------------------ */

SB_NODISCARD sb_status session_open_record(session *self, sb_error *err);
void session_close_record(session *self);
/* Write an act that was carried out to the record, if there is one. */
void session_note(session *self, const cJSON *json, double time_s);
void session_note_rect(session *self, const session_body *body,
                       const struct paint_rect *rect,
                       const unsigned char *codes);
void session_step_replay(session *self, double from_s, double to_s);

/* --- lesson.c: the text for hands, and the student's work ------------------------------
 *
 * A scene is a lesson if a text of the same name, NN_name.md, lies beside it. If
 * answers.json lies there as well, the folder is a student's, made by
 * `sandbell lesson N --copy`: then acts are kept in that file, with predictions
 * and verdicts, so that they can be done and judged again. The file is written
 * whole after each of them. */

void session_lesson_begin(session *self);
void session_lesson_end(session *self);
cJSON *session_describe_lesson(session *self); /* protocol.md */
/* Keep an act that was carried out, if this is a student's folder. */
void session_lesson_note(session *self, const cJSON *line);

/* --- answers.c, mode_shapes.c ---------------------------------------------------- */

#define BINARY "application/octet-stream"
void session_answer_error(session *self, uint32_t request, int status,
                          const char *code, const char *message);
typedef struct mode_shapes mode_shapes;    /* surfaces of the latest bodies */
mode_shapes *mode_shapes_open(void);       /* NULL: no memory */
void mode_shapes_close(mode_shapes *self); /* NULL is allowed */
/* Answer with the contents of modes/N.bin, or, if `mode` is -1, of mesh.bin;
 * `mode` and `member` (finish.h) from 0. */
void session_ask_surface(session *self, uint32_t request, const char *etag,
                         const session_body *body, int mode, int member);

/* --- streams.c, energies.c ------------------------------------------------------------ */

/* Tell all hands what was set, also if it is what it was when they were told
 * last: a value and its undo may come together, and the hand that sent them
 * shows the first. `told` is what they were told. */
void session_say_soon(session *self, char *told);
/* Poses, contacts, stats, energies: what is due now. */
void session_send_news(session *self);
void session_send_energies(session *self);
void session_send_heard(session *self);
void session_send_trace(session *self);
bool session_deforms(const session *self, const session_body *body);
/* The contents of deformed.bin, which the caller frees; or NULL. */
void *session_deformed_faces(const session *self, const session_body *body,
                             size_t *count);

/* --- worker.c: a thread for what takes too long for the control thread ------------
 *
 * Jobs run one after the other, in order. A job frees itself when it runs; what
 * has not run when the worker closes is run then with `is_over`. */

SB_NODISCARD sb_status worker_open(worker **out, sb_error *err);
void worker_close(worker *self); /* NULL is allowed */
/* Thread: control. False: no memory, or too many wait; the job is still the
 * caller's. */
bool worker_post(worker *self, worker_job *run, void *job);
/* Call what was handed over by session_finish. */
void session_take_finished(session *self, double time_s);
