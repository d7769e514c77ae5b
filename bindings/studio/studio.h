/* bindings/studio/studio.h -- a live page for the running scene.
 *
 * The studio serves the page, tells all pages what the scene does, and carries
 * out what they ask. It belongs to the control thread, which calls it like the
 * prompt: between control steps, at the start of each, and with the frames that
 * were played. A thread moves messages (net.h), one makes surfaces and mode
 * shapes (worker.h), one looks at the sound (publisher.h).
 *
 * protocol.md has the messages.
 *
 * Thread: control. All functions except open allow NULL.
 * Memory: owns its threads; host and output are the caller's.
 */
#ifndef SB_BINDINGS_STUDIO_STUDIO_H
#define SB_BINDINGS_STUDIO_STUDIO_H

#include "bindings/host/host.h"
#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_error sb_error;
typedef struct studio studio;

typedef struct studio_def {
    int port;           /* 0: the folder's, or any free one */
    const char *folder; /* whose port and token are kept; NULL: none are */
    const char *record; /* write what pages do to this file; or NULL */
    const char *replay; /* do what such a text says; or NULL */
    bool is_serving;    /* false: only replay, without a server */
    void (*report)(void *user, const char *line); /* what the user must know */
    /* A question of a lesson was asked; or NULL. */
    void (*verdict)(void *user, const char *question, bool is_right,
                    const char *text);
    void *user;
} studio_def;

/* Start the server. IO_ERROR: the port is taken; NOT_FOUND: a package or the
 * page is missing; BAD_FORMAT: in the file to replay. */
SB_NODISCARD sb_status studio_open(const studio_def *def, studio **out,
                                   sb_error *err);
void studio_close(studio *self);

/* "http://127.0.0.1:PORT/#token=HEX"; valid until it is closed. */
const char *studio_url(const studio *self);
/* Write a page that leads there to a file that only the user may read, and
 * open it in the user's browser, if there is a display. */
void studio_open_browser(studio *self);

/* A scene runs, from the file `path` or, if NULL, from none; the gallery is
 * shown then if `is_gallery`. Detach before host or output are closed. */
void studio_attach(studio *self, sb_host *host, sb_output *output,
                   const char *path, bool is_gallery);
void studio_detach(studio *self); /* also if it was not opened to the end */
/* The same while deformable bodies are computed, before the scene is played:
 * pages see the bodies as far as they are, and can change nothing. Show what
 * has been computed up to this time, of `of_s` or, if not `is_exact`, of at
 * most that, and hear pages. */
void studio_attach_computing(studio *self, sb_host *host, const char *path);
void studio_show_computing(studio *self, double time_s, double of_s,
                           bool is_exact);
/* The output may be opened after the host. */
void studio_set_output(studio *self, sb_output *output);

/* At the start of a control step, before the script's; between steps; with the
 * frames that were played. */
void studio_step(studio *self, double from_s, double to_s);
void studio_idle(studio *self);
void studio_hear(studio *self, const float *stereo, int frames);

/* For the callbacks of a host: a line that it reports or that a script prints,
 * what is being solved, and the end of a load; `err` is NULL on success. While
 * the first load solves, pages are heard at each progress. */
void studio_tell(studio *self, const char *line, bool is_printed);
void studio_progress(studio *self, const char *body, const char *stage,
                     int done, int expected);
void studio_loaded(studio *self, const sb_commit_counts *counts,
                   const sb_error *err);

/* The scene that a page wants to see instead of this one, "" for the gallery,
 * or NULL. */
const char *studio_wanted(const studio *self);
/* True if a page wants another scene than the one whose bodies are being
 * solved, before it is attached. */
bool studio_is_left(const studio *self);
/* True if everything that was to be replayed has been done. */
bool studio_has_replayed(const studio *self);

/* What was done in pages, done again in a scene of its own and written as a
 * sound file: the same bytes on every run. */
typedef struct studio_session {
    const char *scene, *output; /* files */
    const char *text;           /* what was recorded; or NULL: `file` has it */
    const char *file;
    double seconds;   /* 0: until it is silent, at most 10 minutes */
    sb_host_def host; /* rate, seed, settings; its callbacks are used */
} studio_session;

/* The same without sound, for its verdicts on questions of a lesson. */
typedef struct studio_replaying {
    const char *scene; /* file */
    const char *text;  /* what was recorded */
    double seconds;
    sb_host_def host; /* rate, seed; its callbacks are used */
    void (*verdict)(void *user, const char *question, bool is_right,
                    const char *text);
    void *user;
} studio_replaying;

SB_NODISCARD sb_status studio_replay_quietly(const studio_replaying *replaying,
                                             sb_error *err);

/* The length goes to `seconds`. Thread: any, one. */
SB_NODISCARD sb_status studio_render(const studio_session *session,
                                     double *seconds, sb_error *err);

#endif
