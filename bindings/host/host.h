/* bindings/host/host.h -- a running scene, and how it changes while it runs.
 *
 * The host owns the engine, the scene and the running script. When a file of
 * the scene is saved, a new script is loaded beside the old one on its own
 * thread, where it describes a scene and its models are solved. On success the
 * new scene is committed at the start of a control step and the new script
 * replaces the old one. On failure nothing changes except that a message is
 * reported.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_HOST_HOST_H
#define SB_BINDINGS_HOST_HOST_H

#include "bindings/script/script.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/scene.h"

#include <stdint.h>

typedef struct sb_host sb_host;

typedef struct sb_host_def {
    double sample_rate_hz;      /* default 48000 */
    uint64_t seed;              /* default 1 */
    const sb_setting *settings; /* must outlive the host */
    int setting_count;
    bool watches; /* load again when a file of the scene is saved */
    /* An error in a callback ends the run, or is reported and that callback
     * is parked while everything else goes on. */
    bool parks_errors;
    /* Someone listens: a callback has 50 ms. Otherwise it has so many
     * instructions, and the same script does the same on every machine. */
    bool is_live;
    bool is_trusted; /* the script may do anything: files, programs, all */
    /* Share of the load budget (guard.h) that a load has; default 1. A test of
     * scripts that never end sets less, to see them stopped sooner. */
    double load_share;
    void (*report)(void *user, const char *message); /* print and errors */
    /* Asked while a script runs, on any thread; true ends it with INTERRUPTED.
     * May be NULL. */
    bool (*must_stop)(void *user);
    /* How far the first load is with computing a body; may be NULL. */
    void (*progress)(void *user, const char *body, const char *stage, int done,
                     int expected);
    void *user;
} sb_host_def;

sb_host_def sb_host_def_default(void);

/* Load `path`, which must outlive the host, and commit its scene; NULL is an
 * empty scene, to be filled from the prompt. BAD_FORMAT: the script has an
 * error (the message names file and line); NOT_FOUND; NO_MODES; NO_MEMORY. */
SB_NODISCARD sb_status sb_host_open(const char *path, const sb_host_def *def,
                                    sb_host **out, sb_error *err);
void sb_host_close(sb_host *host); /* NULL is allowed */

sb_engine *sb_host_engine(const sb_host *host);
sb_scene *sb_host_scene(const sb_host *host);

/* For the conductor; `user` is the host. */
sb_status sb_host_step(void *user, double from_s, double to_s, sb_error *err);
bool sb_host_is_busy(void *user); /* something is going to happen */

/* Between steps, as often as one likes: has a file been saved? What is loaded
 * because of it is taken over by a later step. */
void sb_host_idle(sb_host *host);

/* Errors that have been reported and parked since the last good load. */
int sb_host_error_count(const sb_host *host);

/* Load again as soon as may be; `is_reset` empties `state` and runs scene.start
 * again. What comes of it is reported. */
void sb_host_request_reload(sb_host *host, bool is_reset);

/* The same at once, on this thread, with the commit at `time_s`. The scene goes
 * on as it was when this fails. For tests and benches. */
SB_NODISCARD sb_status sb_host_reload_now(sb_host *host, bool is_reset,
                                          double time_s,
                                          sb_commit_counts *counts,
                                          sb_error *err);
int sb_host_reload_count(const sb_host *host); /* good ones so far */

/* Run a line of Lua in the scene's environment: see script_evaluate. */
SB_NODISCARD sb_status sb_host_evaluate(sb_host *host, const char *text,
                                        char **result, bool *is_incomplete,
                                        sb_error *err);
sb_script *sb_host_script(const sb_host *host);

/* Where the sound goes, for sb.stats(); NULL when there is none. */
void sb_host_set_output(sb_host *host, const sb_output *output);

/* How the audio thread keeps up with it. */
script_output sb_host_read_output(const sb_host *host);

#endif
