/* bindings/studio/studio_internal.h -- the state of the studio.
 *
 * Private to bindings/studio. A page names a body by a number that is never
 * used again in this run of the program; the roster knows which body that is.
 *
 * Thread: control. Memory: the studio's.
 */
#ifndef SB_BINDINGS_STUDIO_STUDIO_INTERNAL_H
#define SB_BINDINGS_STUDIO_STUDIO_INTERNAL_H

#include "bindings/studio/net/net.h"
#include "bindings/studio/studio.h"
#include "bindings/studio/worker.h"
#include "runtime/base/pose.h"
#include "runtime/base/voice_id.h"
#include "runtime/engine/audio/gauge.h"
#include "runtime/scene/contact/lasting.h"

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

typedef struct publisher publisher;
typedef struct sb_body_def sb_body_def;
typedef struct sb_texture sb_texture;

enum { STUDIO_PROTOCOL = 1, STUDIO_FILES = 16, STUDIO_SAVED = 16 };

/* What a page subscribes to; bits. */
typedef enum studio_topic {
    TOPIC_POSES = 1 << 0,
    TOPIC_CONTACTS = 1 << 1,
    TOPIC_SPECTRUM = 1 << 2,
    TOPIC_SCOPE = 1 << 3,
    TOPIC_ENERGIES = 1 << 4,
    TOPIC_STATS = 1 << 5,
    TOPIC_PARAMS = 1 << 6,
    TOPIC_LOG = 1 << 7,
    TOPIC_PCM = 1 << 8,
    TOPIC_TRACE = 1 << 9,
    TOPIC_TEXTURES = 1 << 10
} studio_topic;

/* Kinds of binary records (protocol.md). */
enum {
    RECORD_SPECTRUM = 1,
    RECORD_SCOPE = 2,
    RECORD_ENERGIES = 3,
    RECORD_POSES = 4,
    RECORD_PCM = 5,
    RECORD_TEXTURE = 6,
    RECORD_SURFACES = 7,
    RECORD_TRACE = 8
};

typedef struct studio_client {
    uint32_t number; /* 0: free */
    bool has_hello;
    unsigned topics;
    int bad_count;      /* messages that were no messages */
    uint32_t watch;     /* body whose energies it wants, or 0 */
    double probed_s;    /* when it was last answered */
    net_event *waiting; /* messages for the next step, oldest first */
    net_event **waiting_last;
    sb_contact_id scrape;
    sb_contact_kind kind; /* of that */
    uint32_t scraped;     /* the body, or 0 */
    uint32_t grabbed;     /* the body it holds, or 0 */
    sb_vec3 hand;         /* where that is to go */
} studio_client;

/* A weight texture that pages paint on. */
typedef struct studio_paint studio_paint; /* paint.h */

/* How many modes a body has: fields of its shape. */
typedef struct studio_merging {
    double merge;
    bool keeps_beats;
    int max_modes;
} studio_merging;

typedef struct studio_body {
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
    /* Modes that pages silence; one per mode, or NULL. */
    bool *solo, *mute;
    int mode_count;
    int limit;           /* modes that are heard; 0: all */
    bool has_choices;    /* some may be soloed or muted */
    bool is_masked;      /* some are silenced now */
    studio_paint *paint; /* or NULL */
    /* As the script has it, noted when a page first changes it; and as it is,
     * which the shape does not say while what was removed is heard. */
    studio_merging scripted, merging;
    bool has_scripted;
    bool is_tuned; /* its material is no longer the script's */
} studio_body;

/* A file of the scene, as last seen. */
typedef struct studio_watched {
    char name[200]; /* in the scene's folder */
    char rev[65];   /* digest */
    double changed; /* time of its last change */
    bool is_stored; /* by a page, since the last look */
} studio_watched;

/* A picture that a page has saved, as it was before. */
typedef struct studio_saved {
    char name[200]; /* in the scene's folder; "": none */
    char *bytes;    /* NULL: there was no such file */
    size_t count;
} studio_saved;

struct studio {
    studio_def def;
    net *net;                   /* NULL: replays only */
    worker *worker;             /* surfaces, texts: short */
    worker *solver;             /* models and textures */
    struct mode_shapes *shapes; /* the worker's */
    publisher *publisher;
    char token[STUDIO_TOKEN_SIZE], url[160], library[PATH_MAX];
    char redirect[PATH_MAX]; /* the file that leads the browser here, or "" */
    studio_client clients[NET_CLIENTS];

    sb_host *host; /* NULL: no scene */
    sb_output *output;
    char path[PATH_MAX];   /* of the scene, or "" */
    char folder[PATH_MAX]; /* resolved; what pages may read and write */
    bool is_shipped;       /* with the program: a save makes a copy ... */
    char copies[PATH_MAX]; /* ... there */
    bool is_gallery;
    char wanted[PATH_MAX];
    bool wants_gallery;
    bool is_opening; /* the first load solves: no host, pages only look */
    uint32_t rev;    /* of the scene as pages see it */
    uint32_t next_body;
    studio_body *bodies;
    int body_count, body_capacity;
    double now_s;    /* start of the present or next step */
    double origin_s; /* when the scene was last reset */
    bool is_resetting;
    bool is_touched; /* something was done in the scene since it started */
    double looked_s; /* wall clock, of the roster, ... */
    double posed_s, all_posed_s, told_s, contacted_s;
    double surfaced_s; /* scene time of the surfaces last sent */
    bool has_said_large;
    bool is_computing;              /* what is deformable: pages only look */
    double computing_s, computed_s; /* wall clock, and scene, at its begin */
    double computing_told_s;
    uint64_t event_reader;
    uint32_t sequence[16]; /* of records, by type */
    double pages_s;        /* processor time of the control thread, for pages */
    char since[16];        /* the same as clock text */
    bool is_broken;        /* the banner is shown */
    char *params;          /* as last told; also ... */
    char *settings, *quality;
    double energy_s;
    bool is_paused;
    sb_voice_id gauged[SB_GAUGES];
    bool wants_heard;
    bool traces, is_tracing; /* wanted; under way */
    int trace_rows;          /* of the present contact; -1: none */
    double trace_from_s, trace_seen_s, trace_rest_s, trace_due_s;
    long long trace_begun; /* contacts when it was armed */
    studio_watched files[STUDIO_FILES];
    double files_s;
    bool is_gone; /* the scene's file */
    studio_saved saved[STUDIO_SAVED];
    struct studio_tuner *tuner; /* act_tune.c */
    studio_client replayed;     /* the hand of what is replayed */
    pthread_mutex_t lock;       /* of what is finished */
    struct studio_done *done;
    char *record; /* lines so far; NULL: nothing is recorded */
    size_t record_count, record_capacity;
    char record_path[PATH_MAX];   /* the user's own, or ... */
    char record_folder[PATH_MAX]; /* ... a name in this one; else "" */
    cJSON *replay;                /* what is to be done, in order; or NULL */
    const cJSON *next;
    struct studio_lesson *lesson; /* lesson.h; or NULL */
    struct studio_takes *takes;   /* recorded_takes.c */
    bool is_recording;            /* a take, for pages */
    letter *sound;                /* the last file of it; or NULL */
};

/* --- known_bodies.c ------------------------------------------------------------- */

studio_body *studio_body_of(studio *self, uint32_t number); /* or NULL */
studio_body *studio_body_named(studio *self, const char *name);
/* Compare with the scene; tells pages what has changed. */
void studio_look(studio *self);
void studio_forget_bodies(studio *self);

/* --- describe.c: JSON; the caller deletes it -------------------------------- */

cJSON *studio_describe_body(studio *self, const studio_body *body);
cJSON *studio_describe_scene(studio *self);
cJSON *studio_describe_params(studio *self);
cJSON *studio_describe_quality(studio *self);
cJSON *studio_describe_settings(studio *self);
cJSON *studio_describe_modes(studio *self, const studio_body *body);
cJSON *studio_describe_gallery(studio *self);
cJSON *studio_describe_reference(void); /* reference.c */

/* --- json.c ---------------------------------------------------------------- */

void json_number(cJSON *json, const char *name, double value); /* null: NaN */
void json_text(cJSON *json, const char *name, const char *text);
void json_bool(cJSON *json, const char *name, bool value);
void json_vec3(cJSON *json, const char *name, sb_vec3 v);
cJSON *json_array3(sb_vec3 v);

bool has_field(const cJSON *json, const char *name); /* and it is not null */

/* Reading a message: each returns false, with a message, if the field is there
 * and is not what it must be; `out` is unchanged if it is missing or null. */
bool read_number(const cJSON *json, const char *name, double min, double max,
                 double *out, sb_error *err);
/* All numbers that the rows describe, in `def`. */
bool read_fields(const cJSON *json, const sb_field *fields, void *def,
                 sb_error *err);
bool read_whole(const cJSON *json, const char *name, double min, double max,
                long long *out, sb_error *err);
bool read_vec3(const cJSON *json, const char *name, sb_vec3 *out,
               bool *is_there, sb_error *err);
bool read_bool(const cJSON *json, const char *name, bool *out, bool *is_there,
               sb_error *err);
/* The text, or NULL if it is missing. */
bool read_text(const cJSON *json, const char *name, const char **out,
               sb_error *err);

/* --- send.c ---------------------------------------------------------------- */

/* Send and delete the JSON: to one page, or to all that have said hello and
 * have all these topics. */
void studio_send(studio *self, uint32_t client, cJSON *json);
void studio_send_all(studio *self, mail_class class, unsigned topics,
                     cJSON *json);
void studio_send_record(studio *self, unsigned topics, mail_class class,
                        int type, letter *record);
/* A record with room for the payload; its bytes follow the header. */
letter *studio_record(studio *self, int type, size_t payload, double time_s);
cJSON *studio_message(const char *type);
bool studio_has_listener(const studio *self, unsigned topics);

/* --- messages.c ------------------------------------------------------------ */

/* A message that is being carried out. */
typedef struct studio_call {
    studio *studio;
    studio_client *client; /* NULL: replayed */
    const cJSON *json;
    double time_s;    /* scene time at which it happens */
    cJSON *reply;     /* "ok" at first; an action may change it, or delete it */
    const char *code; /* of a failure */
} studio_call;

typedef bool studio_action(studio_call *call, sb_error *err);

/* Fail with a code; returns false. */
bool studio_fail(studio_call *call, const char *code, sb_error *err,
                 const char *format, ...) SB_PRINTF(4, 5);
/* clang-tidy does not see its body. */
#ifdef __clang_analyzer__
#define studio_fail(...) ((void)(studio_fail)(__VA_ARGS__), false)
#endif

void studio_receive(studio *self, net_event *event); /* takes it over */
void studio_run_waiting(studio *self, double time_s);
/* Run one message, as by hand; for replays. */
void studio_replay_message(studio *self, const cJSON *json, double time_s);
void studio_drop_client(studio *self, studio_client *client);
void studio_error(studio *self, uint32_t client, const cJSON *id,
                  const char *code, const char *message);

/* The body that a message names; NULL: it fails. */
studio_body *studio_call_body(studio_call *call, sb_error *err);

/* --- actions --------------------------------------------------------------- */

studio_action studio_do_strike, studio_do_probe, studio_do_scrape,
    studio_do_throw; /* act_touch.c */
/* The merging of a body, also while what it removed is heard. */
studio_merging studio_merging_of(const studio_body *body,
                                 const sb_body_def *def);
studio_action studio_do_param, studio_do_material, studio_do_merge,
    studio_do_mode, studio_do_limit, studio_do_quality; /* act_tune.c */
studio_action studio_do_transport, studio_do_open, studio_do_watch,
    studio_do_trace, studio_do_eval;        /* act_scene.c */
studio_action studio_do_get, studio_do_put; /* act_script.c */
studio_action studio_do_texture_begin, studio_do_texture_commit,
    studio_do_texture_undo, studio_do_texture_redo, studio_do_texture_save,
    studio_do_texture_unsave, studio_do_texture_make,
    studio_do_texture_remove; /* act_paint.c */
void studio_forget_saved(studio *self);
/* Texture rects, as a page sends them; echoed to the others. */
bool studio_paint_bytes(studio *self, const studio_client *from,
                        const unsigned char *bytes, size_t count,
                        sb_error *err);
void studio_hear_paint(studio *self, double time_s);
void studio_paint_free(studio_paint *paint);
studio_action studio_do_record; /* act_record.c */
/* Write a message that was carried out to the record, if there is one. */
void studio_note(studio *self, const cJSON *json, double time_s);
struct paint_rect;
void studio_note_rect(studio *self, const studio_body *body,
                      const struct paint_rect *rect,
                      const unsigned char *codes);

/* --- recorded_takes.c ---------------------------------------------------------------- */

typedef struct studio_takes studio_takes;
studio_action studio_do_recent, studio_end_take;
bool studio_begin_take(studio *self); /* false: no memory */
void studio_start_takes(studio *self, double rate_hz);
void studio_hear_takes(studio *self, const float *stereo, int frames);
void studio_close_takes(studio *self);

/* Hands of pages pull what they hold. */
void studio_pull_held(studio *self, double time_s);
void studio_end_touches(studio *self, studio_client *client);
/* Apply what pages silence after the bodies have changed. */
void studio_apply_mask(studio *self, studio_body *body, double time_s);

/* --- resources.c ------------------------------------------------------------ */

void studio_get(studio *self, const net_event *event);
bool studio_get_texture(studio *self, const net_event *event, studio_body *body,
                        const char *name);
void studio_answer_bytes(studio *self, const net_event *event, int status,
                         const char *type, letter *body); /* drops it */
letter *studio_read_letter(const char *path);             /* or NULL */

/* --- deformed.c -------------------------------------------------------------- */

/* To all that see poses, if they are new or are to be sent again. */
void studio_send_surfaces(studio *self, bool is_again);
bool studio_deforms(const studio *self, const studio_body *body);
letter *studio_deformed_faces(const studio *self,
                              const studio_body *body); /* or NULL */

/* --- streams.c -------------------------------------------------------------- */

/* Poses, contacts, stats, energies: what is due now. */
void studio_stream(studio *self);
void studio_send_changes(studio *self);
void studio_send_energies(studio *self); /* energies.c */
void studio_send_heard(studio *self);    /* energies.c */
void studio_send_trace(studio *self);    /* energies.c */
/* Tell pages of files that another program has saved (act_script.c). */
void studio_watch_files(studio *self);
/* The scene goes on as it is, for this reason. */
void studio_tell_broken(studio *self, const char *text);
/* Where pages may write: the scene's folder, or that of the copies. */
const char *studio_save_folder(const studio *self);
/* Is it a Lua file in the scene's folder? `resolved` is where it is. */
bool studio_own_file(const studio *self, const char *path,
                     char resolved[PATH_MAX]);
/* What pages do, as a file, and such a file done again (act_record.c). */
SB_NODISCARD sb_status studio_open_record(studio *self, sb_error *err);
void studio_close_record(studio *self);
void studio_step_replay(studio *self, double from_s, double to_s);
/* act_tune.c */
SB_NODISCARD sb_status studio_open_tuning(studio *self, sb_error *err);
void studio_forget_tuning(studio *self);
/* The script was loaded: what was asked for before has no effect. */
void studio_drop_tuning(studio *self);
/* End a solve that a newer one has replaced. */
void studio_end_outdated(studio *self);
/* For the worker: hand something over to the control thread, which calls
 * `take` at the start of the next step. */
typedef void studio_taker(studio *self, void *data, double time_s);
void studio_finish(studio *self, studio_taker *take, void *data);
void studio_take_finished(studio *self, double time_s);

#endif
