/* What a reload says of itself. Thread: control. */
#include "bindings/host/reload_report.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void add_count(char *text, size_t size, int count, const char *what) {
    size_t used = strlen(text);
    if (count == 0) return;
    (void)snprintf(text + used, size - used, "%s%d %s", used ? ", " : "", count,
                   what);
}

void reload_success_text(char text[RELOAD_TEXT_SIZE], const char *path,
                         const sb_commit_counts *counts, double took_ms,
                         bool is_reset) {
    char what[160] = "";
    const char *slash = strrchr(path, '/');
    add_count(what, sizeof what, counts->retuned, "retuned");
    add_count(what, sizeof what, counts->replaced, "replaced");
    add_count(what, sizeof what, counts->painted, "painted");
    add_count(what, sizeof what, counts->moved, "moved");
    add_count(what, sizeof what, counts->added, "added");
    add_count(what, sizeof what, counts->kept, "kept");
    add_count(what, sizeof what, counts->removed, "removed");
    (void)snprintf(text, RELOAD_TEXT_SIZE, "%s %.100s in %.1f ms: %s",
                   is_reset ? "reset" : "reloaded", slash ? slash + 1 : path,
                   took_ms, *what ? what : "no bodies");
}

void reload_failure_text(char text[RELOAD_TEXT_SIZE], const sb_error *err,
                         const char *quote, time_t version) {
    char clock[16] = "";
    struct tm when;
    if (localtime_r(&version, &when)) {
        (void)strftime(clock, sizeof clock, "%H:%M:%S", &when);
    }
    (void)snprintf(text, RELOAD_TEXT_SIZE,
                   "%s%s%s\nstill running the version of %s", err->message,
                   *quote ? "\n" : "", quote, clock);
}
