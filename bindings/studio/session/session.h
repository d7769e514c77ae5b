/* SPDX-License-Identifier: MIT */
/* bindings/studio/session/session.h -- a running scene in people's hands.
 *
 * A session carries out what people do to a scene while it runs: they strike,
 * scrape and throw bodies, change materials, paint weights, edit the script,
 * and ask the questions of a lesson. Each of these is an act: a JSON object
 * such as {"type":"strike","body":3} (protocol.md), at a time of the scene.
 * Acts are recorded with their times, and a record is done again with the same
 * sound on every machine: session_replay renders one, and `sandbell check`
 * grades a student's answers by it.
 *
 * Whoever follows the scene enters as a hand: a number, with the topics it wants
 * to hear of. News go out by def.send, answers to questions by def.answer. Both
 * are plain bytes: a session knows neither sockets nor pages. The server of
 * bindings/studio is one of its callers; a replay has no hands at all.
 *
 *     session_open, session_attach,
 *     session_step before each control step, session_idle between them,
 *     session_detach, session_close.
 *
 * Thread: control, except where said. Functions for a scene that plays allow
 * NULL: nothing happens.
 * Memory: owns two threads for what takes long; host and output are the
 * caller's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cJSON cJSON;
typedef struct sb_commit_counts sb_commit_counts;
typedef struct sb_host sb_host;
typedef struct sb_host_def sb_host_def;
typedef struct sb_output sb_output;
typedef struct session session;

enum {
    SESSION_PROTOCOL = 1,
    SESSION_HANDS = 32,
    SESSION_RECORD_BYTES = 16 * UINT16_MAX /* after its header */
};

/* What a hand subscribes to; bits. */
typedef enum session_topic {
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
} session_topic;

/* Kinds of binary records (protocol.md); RECORD_NONE is a JSON text. */
typedef enum session_record_type {
    RECORD_NONE = 0,
    RECORD_SPECTRUM = 1,
    RECORD_SCOPE = 2,
    RECORD_ENERGIES = 3,
    RECORD_POSES = 4,
    RECORD_PCM = 5,
    RECORD_TEXTURE = 6,
    RECORD_SURFACES = 7,
    RECORD_TRACE = 8
} session_record_type;

/* What may become of news that a hand is too slow for. */
typedef enum session_class {
    NEWS_MUST,
    NEWS_EVENT,  /* it may be left out */
    NEWS_STREAM, /* only the newest record of its type matters */
    NEWS_QUEUE   /* the oldest are lost */
} session_class;

typedef struct session_news {
    session_class class;
    session_record_type type;
    double time_s;     /* of a record */
    const void *bytes; /* a text, or what follows the header of a record */
    size_t count;
    uint32_t hands[SESSION_HANDS]; /* to whom */
    int hand_count;
} session_news;

typedef struct session_answer {
    int status;       /* of HTTP: 200, 304, 404, ... */
    const char *type; /* a constant: "application/json" */
    const char *etag; /* or "" */
    const void *bytes;
    size_t count;
} session_answer;

typedef struct session_def {
    const char *record; /* write acts to this file; or NULL */
    /* All may be NULL; without `send` nobody follows, nothing is kept for those
     * who might ask, and a student's file is not written. */
    void (*send)(void *user, const session_news *news);
    /* Thread: any. */
    void (*answer)(void *user, uint32_t request, const session_answer *answer);
    const char *salt; /* in etags, which last longer than a run; or NULL */
    /* At the start of a step: carry out the acts that wait for it. */
    void (*act)(void *user, double time_s);
    void (*report)(void *user, const char *line); /* what the user must know */
    /* A question of a lesson was asked. */
    void (*verdict)(void *user, const char *question, bool is_right,
                    const char *text);
    void *user;
} session_def;

/* NO_MEMORY; NOT_FOUND: the program's data. */
SB_NODISCARD sb_status session_open(const session_def *def, session **out,
                                    sb_error *err);
void session_close(session *self);

/* --- the scene ------------------------------------------------------------- */

/* A scene runs, from the file `path` or, if NULL, from none; the gallery is
 * shown then if `is_gallery`. Detach before host or output are closed. */
void session_attach(session *self, sb_host *host, sb_output *output,
                    const char *path, bool is_gallery);
void session_detach(session *self); /* also if it was not opened to the end */
/* The same while deformable bodies are computed, before the scene is played:
 * hands see the bodies as far as they are, and can change nothing. Show what
 * has been computed up to this time, of `of_s` or, if not `is_exact`, of at
 * most that. */
void session_attach_computing(session *self, sb_host *host, const char *path);
void session_show_computing(session *self, double time_s, double of_s,
                            bool is_exact);
/* The output may be opened after the host. */
void session_set_output(session *self, sb_output *output);

/* At the start of a control step, before the script's; between steps. */
void session_step(session *self, double from_s, double to_s);
void session_idle(session *self);

/* For the callbacks of a host: a line that it reports or that a script prints,
 * an error that is parked, what is being solved, and the end of a load; `err` is
 * NULL on success. */
void session_tell(session *self, const char *line);
void session_failed(session *self, const sb_error *err, const char *text);
void session_progress(session *self, const char *body, const char *stage,
                      int done, int expected);
void session_loaded(session *self, const sb_commit_counts *counts,
                    const sb_error *err);

/* The scene that a hand wants to see instead of this one, "" for the gallery,
 * or NULL. */
const char *session_wanted(const session *self);
/* True if a hand wants another scene than the one whose bodies are being
 * solved, before it is attached. */
bool session_is_left(const session *self);

typedef enum session_phase {
    SESSION_EMPTY,
    SESSION_OPENING,   /* the first load solves: hands only look */
    SESSION_COMPUTING, /* deformable bodies; likewise */
    SESSION_PLAYING
} session_phase;

typedef struct session_state {
    session_phase phase;
    uint32_t rev;   /* of the scene as hands see it */
    double now_s;   /* start of the present or next step */
    double rate_hz; /* 0: no scene */
} session_state;
session_state session_state_of(const session *self);
/* The caller's processor time for hands, which stats report. */
void session_spend(session *self, double seconds);

/* --- hands and acts --------------------------------------------------------- */

/* False: there are too many. A hand that is here already stays as it is. */
bool session_enter(session *self, uint32_t hand);
void session_leave(session *self, uint32_t hand);
void session_subscribe(session *self, uint32_t hand, unsigned topics);

/* What a caller must know of an act before it is carried out; bits. */
enum {
    ACT_IS_KNOWN = 1,
    ACT_LOOKS = 2,  /* it changes nothing: also before the scene plays */
    ACT_AT_ONCE = 4 /* between steps; others are for the start of one */
};
unsigned session_act_kind(const char *type);
/* Carry out an act of a hand that has entered. The reply, "ok" or "error", goes
 * to the hand, now or when what was asked for has been solved. Hand 0 does what
 * a record says: it names bodies as the script does, and gets no replies;
 * failures are reported. */
void session_act(session *self, uint32_t hand, const cJSON *act, double time_s);
/* Texture rects, as records of that type (protocol.md). */
SB_NODISCARD bool session_paint(session *self, uint32_t hand, const void *bytes,
                                size_t count, sb_error *err);
/* A message for one hand, or for all; deletes the JSON. */
void session_say(session *self, uint32_t hand, cJSON *json);
void session_say_all(session *self, cJSON *json);
/* Tell a hand that its message, with this id or NULL, was not carried out. */
void session_refuse(session *self, uint32_t hand, const cJSON *id,
                    const char *code, const char *message);

/* Record acts to a file in the scene's folder; it is written at the end. On
 * failure `code` is that of the protocol. The name is "" if nothing is
 * recorded. */
SB_NODISCARD bool session_begin_record(session *self, const char **code,
                                       sb_error *err);
SB_NODISCARD sb_status session_end_record(session *self, sb_error *err);
const char *session_record_name(const session *self);

/* Answer what is asked for by a path below /api/v1/ (protocol.md); `etag` is
 * what the asker has, or "". */
void session_ask(session *self, uint32_t request, const char *path,
                 const char *etag);

/* Have a job done by the worker, after those before it; `is_over`: only end it.
 * False: there are too many, or no memory; the job is still the caller's. */
typedef void worker_job(void *job, bool is_over);
bool session_work(session *self, worker_job *run, void *job);
/* Thread: any. Hand something over to the control thread, which calls `take` at
 * the start of the next step. */
typedef void session_taker(session *self, void *data, double time_s);
void session_finish(session *self, session_taker *take, void *data);

/* --- records done again ------------------------------------------------------ */

typedef struct session_replaying {
    const char *scene; /* a file */
    const char *text;  /* what was recorded, or NULL: `file` has it */
    const char *file;
    double seconds;          /* 0: until it is silent, at most 10 minutes */
    const sb_host_def *host; /* rate, seed, settings; its callbacks are used */
    /* The sound; or NULL. */
    sb_status (*sink)(void *user, const float *stereo, int frames,
                      sb_error *err);
    void (*report)(void *user, const char *line);
    void (*verdict)(void *user, const char *question, bool is_right,
                    const char *text);
    void *user; /* of these three */
} session_replaying;

/* What was recorded, done again in a scene of its own; its length goes to
 * `seconds`, which may be NULL. BAD_FORMAT: it is no record. Thread: any, one. */
SB_NODISCARD sb_status session_replay(const session_replaying *replaying,
                                      double *seconds, sb_error *err);

/* Do again what a student did, an object of "sessions" in answers.json, in the
 * scene as shipped. Pauses longer than 30 s are cut; lines of Lua and pauses of
 * the transport are left out: they could redefine a question. */
typedef struct session_grading {
    const char *scene; /* a file */
    const cJSON *work;
    bool (*must_stop)(void *user);
    void (*verdict)(void *user, const char *question, bool is_right,
                    const char *text);
    void *user;
} session_grading;
SB_NODISCARD sb_status session_grade(const session_grading *grading,
                                     sb_error *err);
