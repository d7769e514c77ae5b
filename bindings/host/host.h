/* SPDX-License-Identifier: MIT */
/* bindings/host/host.h -- a running scene, and how it changes while it runs.
 *
 * The host owns the engine, the scene and the running script. When a file of
 * the scene is saved, a new script is loaded beside the old one on its own
 * thread, where it describes a scene and its models are solved. On success the
 * new scene is committed at the start of a control step and the new script
 * replaces the old one. On failure nothing changes except that a message is
 * reported. A host is rendered or played by the conductor
 * (runtime/scene/conductor.h).
 *
 * Thread: control.
 * Memory: owns engine, scene and script; the caller owns `path` and `settings`.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/scene/state/scene_deform_def.h"

#include <stdint.h>

typedef struct sb_commit_counts sb_commit_counts;
typedef struct sb_conduct_result sb_conduct_result;
typedef struct sb_engine sb_engine;
typedef struct sb_error sb_error;
typedef struct sb_host sb_host;
typedef struct sb_output sb_output;
typedef struct sb_script sb_script;
typedef struct sb_setting sb_setting;
typedef struct sb_span sb_span;
typedef struct script_output script_output;

typedef struct sb_host_def {
    double sample_rate_hz;      /* default 48000 */
    uint64_t seed;              /* default 1 */
    const sb_setting *settings; /* must outlive the host */
    int setting_count;
    bool watches; /* load again when a file of the scene is saved */
    /* False: an error in a callback ends the run. True: it is reported, that
     * callback is parked (not called again) and everything else continues. */
    bool parks_errors;
    /* The sound is played in real time: a callback may take 50 ms. Otherwise
     * its limit is a number of instructions, so that the same script does the
     * same on every machine. */
    bool is_live;
    /* Bodies have the quick law until their exact radiation, if it takes long,
     * has been computed beside the scene. Not while a render must be equal. */
    bool puts_off_air;
    bool wants_stems; /* every body has a stem (scene.h); not while live */
    bool is_trusted;  /* no sandbox: all of Lua, with files and programs */
    /* Scripts are limited by their instructions alone, not by time: the process
     * gets neither a signal handler nor a watchdog thread (guard.h). */
    bool counts_ticks;
    /* Fraction of the load budget (guard.h) that a load may use; default 1.
     * Tests of endless scripts set less, so that they are stopped sooner. */
    double load_share;
    double memory_bytes; /* that a solve may take; 0: the default, 2 GB */
    bool hears_removed; /* only what merging took away (scene/plan/planned.c) */
    bool is_linear;     /* deformable bodies are bodies of modes */
    /* What becomes of deformable bodies, without the journal's path: it is
     * named by the contents of all files of the scene (deform_journal.h). */
    sb_scene_deform_def deform;
    double exposure; /* > 0: instead of the automatic gain */
    /* A script instead of a file, `path` being NULL, and the folder of its
     * assets and modules (NULL: the current one); both are copied. */
    const char *text, *folder;
    void (*report)(void *user, const char *message); /* errors, remarks */
    void (*print)(void *user, const char *line);     /* NULL: like reports */
    /* After the report of an error that is parked, `text`; may be NULL. */
    void (*failed)(void *user, const sb_error *err, const char *text);
    /* A later load has ended: what it changed, or, with `err`, why it failed.
     * After the report about it; may be NULL. */
    void (*loaded)(void *user, const sb_commit_counts *counts,
                   const sb_error *err);
    /* Called while a script runs, on any thread; true ends it with INTERRUPTED.
     * May be NULL. */
    bool (*must_stop)(void *user);
    /* Called while the first load solves a body; may be NULL. */
    void (*progress)(void *user, const char *body, const char *stage, int done,
                     int expected);
    void *user;
} sb_host_def;

sb_host_def sb_host_def_default(void);

/* Load the script at `path` and commit its scene; the text must outlive the
 * host. NULL opens an empty scene, to be filled from the prompt. BAD_FORMAT:
 * the script has an error (the message names file and line); NOT_FOUND;
 * NO_MODES; NO_MEMORY. */
SB_NODISCARD sb_status sb_host_open(const char *path, const sb_host_def *def,
                                    sb_host **out, sb_error *err);
void sb_host_close(sb_host *host); /* NULL is allowed */

sb_engine *sb_host_engine(const sb_host *host);
sb_scene *sb_host_scene(const sb_host *host);
const sb_host_def *sb_host_definition(const sb_host *host);

/* Callbacks of the conductor; `user` is the host. Busy: the script has timers,
 * or bodies or strikers are still moving. */
sb_status sb_host_step(void *user, double from_s, double to_s, sb_error *err);
bool sb_host_is_busy(void *user);

/* Report bodies that the audio thread has muted; each step does so as well.
 * After the last one, when its sound has been rendered. */
void sb_host_report_muted(sb_host *host);

/* Check for saved files and start loading. May be called between steps at any
 * rate; a later step commits the result. */
void sb_host_idle(sb_host *host);

/* Errors reported and parked since the last successful load. */
int sb_host_error_count(const sb_host *host);

/* Start a reload at the next step; `is_reset` empties `state` and runs
 * scene.start again. Success or failure is reported with a message. */
void sb_host_request_reload(sb_host *host, bool is_reset);

/* Reload at once, on this thread, with the commit at `time_s`. On failure the
 * scene is unchanged. */
SB_NODISCARD sb_status sb_host_reload_now(sb_host *host, bool is_reset,
                                          double time_s,
                                          sb_commit_counts *counts,
                                          sb_error *err);

/* The script that the next reload runs, of a scene that was opened as a text.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_host_set_text(sb_host *host, const char *text,
                                        sb_error *err);

/* Carry out a reload that was requested, now and on this thread, so that a
 * replay does the same on every machine. OK if none was requested. */
SB_NODISCARD sb_status sb_host_load_wanted(sb_host *host, double time_s,
                                           sb_error *err);

/* Run a line of Lua in the scene's environment: see script_evaluate. */
SB_NODISCARD sb_status sb_host_evaluate(sb_host *host, const char *text,
                                        char **result, bool *is_incomplete,
                                        sb_error *err);
sb_script *sb_host_script(const sb_host *host);

/* The output that sb.stats() reads; NULL if there is none. */
void sb_host_set_output(sb_host *host, const sb_output *output);

/* Load and missed deadlines of the audio thread. */
script_output sb_host_read_output(const sb_host *host);

/* --- render and play ------------------------------------------------------ */

/* What a caller does around the control steps of a render or while it plays: log,
 * record, show, stop. Any may be NULL. */
typedef struct sb_host_hooks {
    /* Before and after each control step. */
    void (*before)(void *user, double from_s, double to_s);
    sb_status (*after)(void *user, double to_s, sb_error *err);
    /* Something of the caller's is still to happen: a render until silence goes
     * on. */
    bool (*is_busy)(void *user);
    /* As of sb_conductor_def. */
    sb_status (*sink)(void *user, const float *stereo, int frames,
                      sb_error *err);
    sb_status (*computed)(void *user, sb_error *err);
    bool (*must_stop)(void *user, double now_s);
    void (*idle)(void *user); /* of sb_host_play, after that of the host */
    void *user;
} sb_host_hooks;

/* Frames by which steps must be ahead of the sound. */
int64_t sb_host_lead(const sb_host *host);

/* As sb_conduct_render; `hooks` may be NULL. Deformable bodies are heard later
 * than they are computed: the steps run ahead by as much, and the render ends
 * where such a body fails, with what was computed. */
SB_NODISCARD sb_status sb_host_render(sb_host *host, const sb_host_hooks *hooks,
                                      const sb_span *span,
                                      sb_conduct_result *out, sb_error *err);

/* The same for a given time; `peak`: of all frames. */
SB_NODISCARD sb_status sb_host_run(sb_host *host, const sb_host_hooks *hooks,
                                   double duration_s, double *peak,
                                   sb_error *err);

/* As sb_conduct_play. */
SB_NODISCARD sb_status sb_host_play(sb_host *host, const sb_host_hooks *hooks,
                                    sb_output *output, double duration_s,
                                    sb_conduct_result *out, sb_error *err);
