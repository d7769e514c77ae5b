/* SPDX-License-Identifier: MIT */
/* bindings/host/host_internal.h -- the members of a host.
 *
 * host.c opens, steps and closes it; host_load.c loads the scene again;
 * host_report.c says what happens; deform_journal.c opens deformable bodies.
 *
 * Thread: control.
 */
#pragma once

#include "bindings/host/host.h"
#include "bindings/script/loader.h"
#include "bindings/script/script.h"
#include "runtime/scene/watch.h"

#include <limits.h>
#include <time.h>

typedef enum line_stream {
    LINE_REPORTED,
    LINE_PRINTED,
    LINE_STREAMS
} line_stream;

/* How much a scene has printed. */
typedef struct line_count {
    double lines, bytes; /* in stock at `at_s`; they fall with time */
    double at_s;
    double said_s;      /* when lines were last said to be left out */
    long long left_out; /* since then */
} line_count;

/* What was said of the world, the strikes and the muted bodies. */
typedef struct host_said {
    bool has_begun;      /* what was there at the start is known */
    bool has_told_limit; /* of contacts */
    bool has_told_cut;   /* that overlaps were not all looked for */
    bool has_told_drops; /* of strikes */
    int overlap_count;   /* since the start */
    long long muted;     /* as counted by the engine when last read */
} host_said;

struct sb_host {
    sb_host_def def;
    double now_s; /* scene time of the present step */
    line_count lines[LINE_STREAMS];
    sb_engine *engine;
    sb_scene *scene;
    sb_script *script;
    const sb_output *output;
    sb_watch *watch;      /* or NULL */
    sb_loader *loader;    /* a load under way, or NULL */
    struct air_work *air; /* radiation that is being computed, or NULL */
    bool is_wanted;       /* a reload has been requested */
    bool is_reset;        /* the requested reload also resets */
    bool paints;          /* the load under way only updates textures */
    bool is_behind;       /* the last load failed: the next must be complete */
    /* The body that is being solved while the scene plays, and when this was
     * last said. */
    char solving[SB_NAME_SIZE];
    double said_s;
    int error_count; /* of steps, outside the script */
    time_t version;  /* when the running script was loaded */
    const char *path;
    host_said said;
    bool is_empty; /* no script file: `path` is only a name */
    char *text;    /* the script instead of a file, or NULL */
    char folder[PATH_MAX];
};

/* --- host.c: what every load does ------------------------------------------ */

script_def host_script_def(sb_host *host);

/* No memory of the program's: say how to get more. */
void host_name_memory(const sb_host *host, sb_status status, sb_error *err);

/* Commit the plan of `script` at `time_s` and replace the running script by it.
 * On failure the old script keeps running and the caller still owns the new
 * one. */
SB_NODISCARD sb_status host_take_over(sb_host *host, sb_script *script,
                                      double time_s, sb_commit_counts *counts,
                                      sb_error *err);

/* Watch the files that the script has read or tried to read. A file that cannot
 * be watched is not an error: the key R still reloads. */
void host_watch_files(sb_host *host, const sb_script *script);

/* --- host_load.c ------------------------------------------------------------ */

/* At the begin of a step: start, collect or give up a later load. */
void host_step_loads(sb_host *host, double time_s);

/* --- host_air.c -------------------------------------------------------------- */

bool host_puts_off_air(const sb_host *host);
/* At the begin of a step: compute the radiation of bodies that was put off, on
 * a thread of low priority, and retune those that are ready. */
void host_step_air(sb_host *host, double time_s);
void host_end_air(sb_host *host);

/* --- host_report.c ---------------------------------------------------------- */

/* A line of the script or about it, as many as a scene may print: a long table
 * at once, then about as fast as one can read; what is more is counted, and one
 * line says how much it was. Time is scene time, so that a render leaves out the
 * same lines on every machine. Printed lines and messages are counted apart:
 * what a script prints hides no error.
 * False: it was left out. */
bool host_put_line(sb_host *host, line_stream stream, const char *line);
/* Say how many lines were left out: once per second, or at once if this is the
 * last call. */
void host_say_left_out(sb_host *host, bool is_last);

/* Before the script takes a step: bodies that are there now were reported when
 * the scene was loaded. */
void host_begin_reports(sb_host *host);
/* After the step: bodies that are lost, that begin inside others, and more
 * contacts than are solved. */
void host_report_world(sb_host *host);
/* Strikes for which the audio thread had no time. */
void host_report_strikes(sb_host *host);

/* One line per body that is not played exactly: how far its lowest mode and its
 * worst one are from their pitch (runtime/model/sound/discretise.h). */
void host_report_played(sb_host *host);

/* A body is being solved while the scene plays. */
void host_report_solving(sb_host *host, const loader_progress *progress);

/* "reloaded glass.lua in 3.1 ms: 2 retuned, 14 kept, 1 removed" */
void host_report_success(sb_host *host, const sb_commit_counts *counts,
                         double took_ms, bool is_reset);
/* The message, the script line that it names, and when the version that keeps
 * running was loaded. */
void host_report_failure(sb_host *host, const sb_error *err);

/* --- deform_journal.c ------------------------------------------------------- */

/* Opens the deformable bodies of the scene as the definition says. Errors of
 * sb_scene_open_deform. */
SB_NODISCARD sb_status host_open_deform(const sb_host *host, sb_error *err);
