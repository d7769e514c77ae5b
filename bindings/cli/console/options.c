/* SPDX-License-Identifier: MIT */
/* Parses the options of a verb from its table, and reports mistakes; refuses
 * outputs that would overwrite each other or an input, and keeps the standard
 * streams apart from files.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/pipe_out.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/host/host.h"
#include "bindings/script/script.h"
#include "runtime/base/memory.h"
#include "runtime/base/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *row_name_at(const void *names, int i) {
    return ((const option_row *)names)[i].name;
}

static const option_row *find_row(const cli_verb *verb, const char *name,
                                  size_t length) {
    for (const option_row *row = verb->options; row->name; row++) {
        bool is_long = strlen(row->name) == length &&
                       strncmp(row->name, name, length) == 0;
        bool is_short = row->short_name && strlen(row->short_name) == length &&
                        strncmp(row->short_name, name, length) == 0;
        if (is_long || is_short) return row;
    }
    return NULL;
}

static bool complain_unknown(const cli_verb *verb, const char *name) {
    int count = 0;
    while (verb->options[count].name)
        count++;
    const char *near = sb_nearest(name, count, row_name_at, verb->options);
    complain(verb->name,
             "unknown option '%s'%s%s%s (sandbell help %s lists them)", name,
             near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
             verb->name);
    return false;
}

static bool read_number(const char *text, double *out) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(value)) return false;
    *out = value;
    return true;
}

/* Gigabytes; MB or GB may follow the number. */
static bool read_memory(const char *text, double *out_gb) {
    static const struct {
        const char *name;
        double gb;
    } units[] = {{"", 1}, {"GB", 1}, {"MB", 1e-3}};
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || errno || !isfinite(value)) return false;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(end, units[i].name) != 0) continue;
        *out_gb = value * units[i].gb;
        return true;
    }
    return false;
}

static bool read_pair(const char *text, double out[2]) {
    char first[64];
    const char *comma = strchr(text, ',');
    if (!comma || comma - text >= (long)sizeof first) return false;
    (void)snprintf(first, sizeof first, "%.*s", (int)(comma - text), text);
    return read_number(first, &out[0]) && read_number(comma + 1, &out[1]);
}

bool read_places(const char *text, double min, double max,
                 option_places *places) {
    option_places all = *places;
    while (*text) {
        size_t length = strcspn(text, " ");
        char one[64];
        if (length >= sizeof one || all.count == MOST_PLACES) return false;
        (void)snprintf(one, sizeof one, "%.*s", (int)length, text);
        double *pair = all.items[all.count++];
        if (!read_pair(one, pair)) return false;
        for (int i = 0; i < 2; i++)
            if (pair[i] < min || pair[i] > max) return false;
        text += length;
        text += strspn(text, " ");
    }
    bool has_some = all.count > places->count;
    *places = all;
    return has_some;
}

static bool read_setting(const char *text, option_settings *settings) {
    const char *equals = strchr(text, '=');
    int i = settings->count;
    if (!equals || equals == text || i == MOST_SETTINGS ||
        equals - text >= (long)sizeof settings->names[0]) {
        return false;
    }
    (void)snprintf(settings->names[i], sizeof settings->names[i], "%.*s",
                   (int)(equals - text), text);
    settings->items[i].name = settings->names[i];
    if (!read_number(equals + 1, &settings->items[i].value)) return false;
    settings->count++;
    return true;
}

static bool in_range(const option_row *row, double value) {
    return value >= row->min && value <= row->max;
}

static bool read_value(const option_row *row, const char *text, void *slot) {
    double value, pair[2];
    switch (row->kind) {
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_OUTPUT:
        *(const char **)slot = text;
        return *text != '\0';
    case OPTION_NUMBER:
    case OPTION_MEMORY:
    case OPTION_MAYBE:
        if (!(row->kind == OPTION_MEMORY ? read_memory(text, &value)
                                         : read_number(text, &value)) ||
            !in_range(row, value))
            return false;
        if (row->kind == OPTION_MAYBE)
            *(option_maybe *)slot = (option_maybe){true, value};
        else
            *(double *)slot = value;
        return true;
    case OPTION_PAIR:
        if (!read_pair(text, pair) || !in_range(row, pair[0]) ||
            !in_range(row, pair[1]))
            return false;
        memcpy(slot, pair, sizeof pair);
        return true;
    case OPTION_PLACES:
        return read_places(text, row->min, row->max, slot);
    case OPTION_SETTING:
        return read_setting(text, slot);
    case OPTION_FLAG:
        break;
    }
    return false;
}

static bool complain_value(const cli_verb *verb, const option_row *row,
                           const char *text) {
    (void)fprintf(stderr, "sandbell %s: %s needs ", verb->name, row->name);
    switch (row->kind) {
    case OPTION_NUMBER:
    case OPTION_MAYBE:
        (void)fprintf(stderr, "a number from %g to %g", row->min, row->max);
        break;
    case OPTION_MEMORY:
        (void)fprintf(stderr, "%g to %g GB, as in 0.5, 2GB or 500MB", row->min,
                      row->max);
        break;
    case OPTION_PAIR:
    case OPTION_PLACES:
        (void)fprintf(stderr, "two numbers from %g to %g, as in 0.5,0.25",
                      row->min, row->max);
        break;
    case OPTION_SETTING:
        (void)fprintf(stderr, "name=number");
        break;
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_OUTPUT:
    case OPTION_FLAG:
        (void)fprintf(stderr, "%s", row->value ? row->value : "no value");
        break;
    }
    (void)fprintf(stderr, text ? ", got '%s'\n" : "\n", text);
    return false;
}

/* One option at argv[*i], which may be --name value, --name=value or -o value;
 * *i is left at the last word used. */
static bool take_option(const cli_verb *verb, int argc, char **argv, int *i,
                        void *def) {
    const char *word = argv[*i];
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const option_row *row = find_row(verb, word, length);
    if (!row) return complain_unknown(verb, word);
    void *slot = (char *)def + row->offset;
    if (row->kind == OPTION_FLAG) {
        if (equals) return complain_value(verb, row, equals + 1);
        *(bool *)slot = true;
        return true;
    }
    double unused;
    bool has_number =
        equals || (*i + 1 < argc && read_number(argv[*i + 1], &unused));
    if (row->kind == OPTION_MAYBE && !has_number) {
        ((option_maybe *)slot)->is_given = true;
        return true;
    }
    const char *text = equals ? equals + 1 : NULL;
    if (!text && *i + 1 < argc) text = argv[++*i];
    if (!text || !read_value(row, text, slot))
        return complain_value(verb, row, text);
    return true;
}

bool parse_options(const cli_verb *verb, int argc, char **argv, void *def,
                   const char **positional, int least, int most) {
    int count = 0;
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (!only_words && strcmp(word, "--") == 0) {
            only_words = true;
        } else if (!only_words && word[0] == '-' && word[1]) {
            if (!take_option(verb, argc, argv, &i, def)) return false;
        } else if (count == most) {
            complain(verb->name,
                     "'%s' is one argument too many; usage: sandbell %s %s",
                     word, verb->name, verb->arguments);
            return false;
        } else {
            positional[count++] = word;
        }
    }
    if (count < least) {
        (void)fprintf(stderr, "usage: sandbell %s %s\n", verb->name,
                      verb->arguments);
        return false;
    }
    for (int i = 0; i < count; i++)
        if (!is_output_separate(verb, def, positional[i])) return false;
    return true;
}

bool host_def_of(const cli_verb *verb, const scene_options *options,
                 sb_host_def *out) {
    if (options->rate_hz != floor(options->rate_hz)) {
        complain(verb->name, "--rate needs a whole number, got %g",
                 options->rate_hz);
        return false;
    }
    *out = sb_host_def_default();
    out->sample_rate_hz = options->rate_hz;
    out->seed = (uint64_t)options->seed;
    out->settings = options->settings.items;
    out->setting_count = options->settings.count;
    out->is_trusted = options->is_trusted;
    out->memory_bytes = 1e9 * options->memory_gb;
    out->is_linear = options->is_linear;
    /* What the scene holds, too, not only a solve. */
    if (!out->is_trusted) sb_memory_set_limit((size_t)out->memory_bytes);
    out->report = report_line;
    out->must_stop = must_stop_now;
    out->progress = solving_show;
    return true;
}

/* --- bench ---------------------------------------------------------------- */

#define AT(field) offsetof(bench_options, field)
const option_row bench_rows[] = {
    FLAG_ROW("--json", is_json, "print one JSON object"),
    FLAG_ROW("--quick", is_quick,
             "with modes: only the smaller problems; with world, motion and "
             "deformable: shorter runs"),
    NUMBER_ROW("--reloads", reloads, 10, 1e6, "N",
               "with live: number of reloads (default 10000)"),
    FLAG_ROW("--campaign", is_campaign,
             "with contacts: check that no impact gains energy"),
    NUMBER_ROW("--sets", sets, 100, 1e9, "N",
               "with --campaign: number of impacts (default 1000000)"),
    NUMBER_ROW("--rings", rings, 1, 800, "N",
               "with world: number of rings (default 100)"),
    TEXT_ROW("--plot", OUTPUT, plot, "PNG",
             "with world: draw figure 8 here, figure 4 as ..._bar.png"),
    TEXT_ROW("--part", TEXT, part, "NAME",
             "with motion and deformable: only this part of the table"),
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

bool bench_options_read(int argc, char **argv, bench_options *out,
                        const char **what) {
    static const cli_verb verb = {.name = "bench", .options = bench_rows};
    *out = (bench_options){.reloads = 10000, .sets = 1e6, .rings = 100};
    return parse_options(&verb, argc, argv, out, what, 0, 1);
}

/* --- outputs -------------------------------------------------------------- */

void hold_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        int mode = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        int held = open("/dev/null", mode); /* takes the lowest number */
        if (held >= 0 && held != stream) (void)close(held);
    }
}

static bool is_writable(int stream) {
    int flags = fcntl(stream, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void results_are_files(void) {
    pipe_out_outlive_readers();
    if (is_writable(STDOUT_FILENO)) return;
    if (is_writable(STDERR_FILENO)) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        return;
    }
    (void)close(STDOUT_FILENO);
    (void)open("/dev/null", O_WRONLY); /* takes that number */
}

/* One spelling per file: links and `..` resolved. False if it is a device or a
 * pipe, which several outputs may share, or if its folder is missing. */
static bool resolve(const char *path, char out[PATH_MAX]) {
    char folder[PATH_MAX], real[PATH_MAX];
    struct stat info;
    if (strcmp(path, "-") == 0)
        return snprintf(out, PATH_MAX, "-") > 0; /* standard output */
    if (realpath(path, out))
        return stat(out, &info) == 0 && S_ISREG(info.st_mode);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int length = slash == path ? 1 : (int)(slash ? slash - path : 0);
    if (snprintf(folder, sizeof folder, "%.*s", length, path) >= PATH_MAX)
        return false;
    if (!realpath(length ? folder : ".", real)) return false;
    return snprintf(out, PATH_MAX, "%s/%s", real, name) < PATH_MAX;
}

static bool is_same(const char *one, const char *two) {
    char first[PATH_MAX], second[PATH_MAX];
    return resolve(one, first) && resolve(two, second) &&
           strcmp(first, second) == 0;
}

static const char *value_of(const option_row *row, const void *def) {
    bool is_file = row->kind == OPTION_FILE || row->kind == OPTION_OUTPUT;
    const void *slot = (const char *)def + row->offset;
    return is_file ? *(const char *const *)slot : NULL;
}

bool is_output_separate(const cli_verb *verb, const void *def,
                        const char *input) {
    for (const option_row *row = verb->options; row->name; row++) {
        const char *path = value_of(row, def);
        if (!path || row->kind != OPTION_OUTPUT || !is_same(path, input))
            continue;
        complain(verb->name, "%s %s would overwrite %s, which is read",
                 row->name, path, input);
        return false;
    }
    return true;
}

bool are_outputs_separate(const cli_verb *verb, const void *def) {
    for (const option_row *row = verb->options; row->name; row++) {
        const char *path = value_of(row, def);
        if (!path || row->kind != OPTION_OUTPUT) continue;
        for (const option_row *other = verb->options; other->name; other++) {
            const char *its = value_of(other, def);
            /* Each pair of outputs once. */
            bool is_second = other->kind == OPTION_OUTPUT && other <= row;
            if (!its || is_second || !is_same(path, its)) continue;
            complain(verb->name, "%s and %s name the same file, %s", row->name,
                     other->name, its);
            return false;
        }
    }
    return true;
}

const char *option_that_names(const cli_verb *verb, const void *def,
                              const char *path) {
    for (const option_row *row = verb->options; row->name; row++) {
        const char *its = value_of(row, def);
        if (its && is_same(its, path)) return row->name;
    }
    return NULL;
}

bool is_scene_safe(const cli_verb *verb, const void *def, const sb_host *host) {
    const sb_script *script = sb_host_script(host);
    for (int i = 0; i < script_file_count(script); i++)
        if (!is_output_separate(verb, def, script_file(script, i)))
            return false;
    return true;
}
