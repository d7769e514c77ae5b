/* SPDX-License-Identifier: MIT */
/* What a running scene says (host_internal.h). Thread: control. */
#include "bindings/host/host_internal.h"
#include "runtime/base/clock.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/engine/engine.h"
#include "runtime/model/model.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/scene/commit.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/hear.h"
#include "runtime/scene/world/scene_world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- how much a scene may print -------------------------------------------- */

#define MOST_LINES  1000.0
#define LINES_PER_S 100.0
#define MOST_BYTES  131072.0
#define BYTES_PER_S 16384.0
#define SAY_EVERY_S 1.0

static bool may_pass(line_count *count, double now_s, double bytes) {
    double span_s = fmax(now_s - count->at_s, 0.0);
    count->at_s = now_s;
    count->lines = fmax(count->lines - span_s * LINES_PER_S, 0.0);
    count->bytes = fmax(count->bytes - span_s * BYTES_PER_S, 0.0);
    if (count->left_out > 0 || count->lines + 1.0 > MOST_LINES ||
        count->bytes + bytes > MOST_BYTES) {
        if (count->left_out++ == 0) count->said_s = now_s;
        return false;
    }
    count->lines += 1.0;
    count->bytes += bytes;
    return true;
}

/* The callback may be NULL. */
static void put(const sb_host *host, int stream, const char *line) {
    const sb_host_def *def = &host->def;
    void (*to)(void *, const char *) =
        stream == LINE_PRINTED && def->print ? def->print : def->report;
    if (to) to(def->user, line);
}

bool host_put_line(sb_host *host, line_stream stream, const char *line) {
    bool passes =
        host->def.is_trusted ||
        may_pass(&host->lines[stream], host->now_s, (double)strlen(line) + 1.0);
    if (passes) put(host, stream, line);
    return passes;
}

void host_say_left_out(sb_host *host, bool is_last) {
    for (int i = 0; i < LINE_STREAMS; i++) {
        line_count *count = &host->lines[i];
        if (!is_last && host->now_s - count->said_s < SAY_EVERY_S) continue;
        char line[64];
        (void)snprintf(line, sizeof line, SCRIPT_LINES_MORE, count->left_out);
        if (count->left_out > 0) put(host, i, line);
        count->said_s = host->now_s;
        count->left_out = 0;
    }
}

static void report(sb_host *host, const char *line) {
    (void)host_put_line(host, LINE_REPORTED, line);
}

/* --- the world ------------------------------------------------------------- */

/* Bodies that begin inside others are named this often. */
enum { MOST_OVERLAPS = 10 };

static void tell_overlap(void *user, sb_body_id first, sb_body_id second,
                         double depth_m) {
    sb_host *host = user;
    const sb_scene *scene = host->scene;
    char line[SB_OVERLAP_TEXT_SIZE];
    if (!sb_scene_has(scene, first) || !sb_scene_has(scene, second)) return;
    int count = ++host->said.overlap_count;
    if (count > MOST_OVERLAPS + 1) return;
    sb_scene_overlap_text(scene, first, second, depth_m, line);
    report(host,
           count <= MOST_OVERLAPS ? line : "more bodies begin inside others");
}

static void tell_lost(sb_host *host) {
    sb_body_id id;
    char line[200];
    while (sb_scene_next_lost(host->scene, &id)) {
        (void)snprintf(line, sizeof line,
                       "body '%s' has left all bounds of the world; it is "
                       "stopped and not heard",
                       sb_scene_body_name(host->scene, id));
        report(host, line);
    }
}

void host_begin_reports(sb_host *host) {
    if (host->said.has_begun) return;
    host->said.has_begun = true;
    (void)sb_scene_new_overlaps(host->scene, NULL, NULL);
}

void host_report_world(sb_host *host) {
    host_said *said = &host->said;
    tell_lost(host);
    bool is_whole = sb_scene_new_overlaps(host->scene, tell_overlap, host);
    if (!is_whole && !said->has_told_cut && !sb_stop_is_wanted()) {
        said->has_told_cut = true;
        report(host, "too many bodies are near each other: not all pairs are "
                     "checked for overlaps");
    }
    if (said->has_told_limit || !sb_scene_world_info(host->scene).was_limited)
        return;
    said->has_told_limit = true;
    report(host, "more bodies in one place than the world solves at once: some "
                 "pass through others for a while");
}

/* --- strikes and sound ----------------------------------------------------- */

void host_report_strikes(sb_host *host) {
    if (host->said.has_told_drops ||
        sb_engine_read_stats(host->engine).crowded == 0)
        return;
    host->said.has_told_drops = true;
    report(host,
           "more strikes at once than the audio thread has time for: some "
           "are left out (sb.stats().dropped_strikes counts them)");
}

void sb_host_report_muted(sb_host *host) {
    long long muted = sb_engine_read_stats(host->engine).muted;
    if (muted == host->said.muted) return;
    host->said.muted = muted;
    for (int i = 0; i < sb_scene_body_count(host->scene); i++) {
        sb_body_id id = sb_scene_body_at(host->scene, i);
        char line[240];
        if (!sb_engine_take_muted(host->engine,
                                  sb_scene_voice(host->scene, id)))
            continue;
        (void)snprintf(line, sizeof line,
                       "body '%s' is muted: its sound is a million times full "
                       "scale or not a number; strike it less, or make its "
                       "modes quieter",
                       sb_scene_body_name(host->scene, id));
        report(host, line);
    }
}

typedef struct worst_mode {
    int mode; /* from 0; -1: none */
    double freq_hz, cents;
} worst_mode;

static void say_cents(char *text, size_t size, const worst_mode *at) {
    (void)snprintf(text, size, "mode %d at %.6g Hz is played %.3g cents %s",
                   at->mode + 1, at->freq_hz, fabs(at->cents),
                   at->cents < 0.0 ? "flat" : "sharp");
}

static void look(const sb_planned *planned, double rate_hz, worst_mode *lowest,
                 worst_mode *worst, int *silent) {
    const sb_mode *modes = sb_model_modes(planned->model);
    lowest->mode = worst->mode = -1;
    *silent = 0;
    for (int k = 0; k < sb_model_mode_count(planned->model); k++) {
        sb_played_mode played = sb_discretise(planned->def.discretisation,
                                              SB_TAU * modes[k].freq_hz,
                                              modes[k].sigma_per_s, rate_hz);
        *silent += played.is_silent;
        if (played.is_silent) continue;
        worst_mode now = {k, modes[k].freq_hz, played.cents};
        if (lowest->mode < 0) *lowest = now;
        if (worst->mode < 0 || fabs(now.cents) > fabs(worst->cents))
            *worst = now;
    }
}

static void report_body(const sb_planned *planned, const sb_host *host) {
    worst_mode lowest = {0}, worst = {0};
    int silent = 0;
    char line[400], first[120] = "no mode is played", second[120] = "",
                    rest[100] = "";
    look(planned, host->def.sample_rate_hz, &lowest, &worst, &silent);
    if (lowest.mode >= 0) say_cents(first, sizeof first, &lowest);
    if (worst.mode > lowest.mode) say_cents(second, sizeof second, &worst);
    if (silent > 0)
        (void)snprintf(rest, sizeof rest,
                       "; %d of %d modes would grow without end or cannot be "
                       "played, and are silent",
                       silent, sb_model_mode_count(planned->model));
    (void)snprintf(line, sizeof line, "body '%s', discretisation %s: %s%s%s%s",
                   planned->name,
                   sb_discretisation_names[planned->def.discretisation], first,
                   *second ? ", " : "", second, rest);
    host->def.report(host->def.user, line);
}

void host_report_played(sb_host *host) {
    for (int i = 0; host->def.report && i < sb_scene_body_count(host->scene);
         i++) {
        const sb_planned *planned = sb_scene_body_planned(
            host->scene, sb_scene_body_at(host->scene, i));
        if (planned->def.discretisation != SB_DISCRETISE_EXACT)
            report_body(planned, host);
    }
    if (!(sb_scene_world_rules(host->scene).air_kg_m3 > 0.0) &&
        host->def.report)
        (void)host_put_line(host, LINE_REPORTED,
                            "sb.world { air = 0 } is a vacuum: bodies ring, "
                            "but nothing is heard");
}

/* --- loads ----------------------------------------------------------------- */

/* A solve is said at once, then once per this. */
#define SAY_S 1.0

void host_report_solving(sb_host *host, const loader_progress *p) {
    double now_s = sb_clock_s();
    bool is_new = strcmp(host->solving, p->body) != 0;
    if (!is_new && now_s - host->said_s < SAY_S) return;
    char line[SB_NAME_SIZE + 100], count[48] = "";
    if (p->expected > 0) {
        (void)snprintf(count, sizeof count, " %d of %d", p->done, p->expected);
    } else if (p->done > 0) {
        (void)snprintf(count, sizeof count, ", %d found", p->done);
    }
    (void)snprintf(line, sizeof line, is_new ? "solving %s ..." : "%s: %s%s",
                   p->body, p->stage, count);
    (void)snprintf(host->solving, sizeof host->solving, "%s", p->body);
    host->said_s = now_s;
    (void)host_put_line(host, LINE_REPORTED, line);
}

static void add_count(char *text, size_t size, int count, const char *what) {
    size_t used = strlen(text);
    if (count == 0) return;
    (void)snprintf(text + used, size - used, "%s%d %s", used ? ", " : "", count,
                   what);
}

void host_report_success(sb_host *host, const sb_commit_counts *counts,
                         double took_ms, bool is_reset) {
    char text[SB_MESSAGE_SIZE + 400];
    char what[160] = "";
    const char *slash = strrchr(host->path, '/');
    add_count(what, sizeof what, counts->retuned, "retuned");
    add_count(what, sizeof what, counts->replaced, "replaced");
    add_count(what, sizeof what, counts->painted, "painted");
    add_count(what, sizeof what, counts->moved, "moved");
    add_count(what, sizeof what, counts->added, "added");
    add_count(what, sizeof what, counts->kept, "kept");
    add_count(what, sizeof what, counts->removed, "removed");
    (void)snprintf(text, sizeof text, "%s %.100s in %.1f ms: %s",
                   is_reset ? "reset" : "reloaded",
                   slash ? slash + 1 : host->path, took_ms,
                   *what ? what : "no bodies");
    report(host, text);
    if (host->def.loaded) host->def.loaded(host->def.user, counts, NULL);
}

void host_report_failure(sb_host *host, const sb_error *err) {
    char text[SB_MESSAGE_SIZE + 400];
    char clock[16] = "", quote[200];
    struct tm when;
    if (localtime_r(&host->version, &when))
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &when);
    script_quote_line(err, host->text, quote, sizeof quote);
    (void)snprintf(text, sizeof text, "%s%s%s\nstill running the version of %s",
                   err->message, *quote ? "\n" : "", quote, clock);
    report(host, text);
    if (host->def.loaded) host->def.loaded(host->def.user, NULL, err);
}
