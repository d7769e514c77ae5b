/* Parses the options of a verb from its table, and reports mistakes.
 * Thread: control. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/progress_bar.h"
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/base/nearest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    (void)fprintf(stderr,
                  "sandbell %s: unknown option '%s'%s%s%s "
                  "(sandbell help %s lists them)\n",
                  verb->name, name, near ? "; did you mean '" : "",
                  near ? near : "", near ? "'?" : "", verb->name);
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
    switch (row->kind) {
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_OUTPUT:
        *(const char **)slot = text;
        return *text != '\0';
    case OPTION_NUMBER: {
        double value;
        if (!read_number(text, &value) || !in_range(row, value)) return false;
        *(double *)slot = value;
        return true;
    }
    case OPTION_MEMORY: {
        double value;
        if (!read_memory(text, &value) || !in_range(row, value)) return false;
        *(double *)slot = value;
        return true;
    }
    case OPTION_MAYBE: {
        double value;
        if (!read_number(text, &value) || !in_range(row, value)) return false;
        *(option_maybe *)slot = (option_maybe){true, value};
        return true;
    }
    case OPTION_PAIR: {
        double pair[2];
        if (!read_pair(text, pair) || !in_range(row, pair[0]) ||
            !in_range(row, pair[1])) {
            return false;
        }
        memcpy(slot, pair, sizeof pair);
        return true;
    }
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
    if (!text || !read_value(row, text, slot)) {
        return complain_value(verb, row, text);
    }
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
            (void)fprintf(stderr,
                          "sandbell %s: '%s' is one argument too many; "
                          "usage: sandbell %s %s\n",
                          verb->name, word, verb->name, verb->arguments);
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
        (void)fprintf(stderr,
                      "sandbell %s: --rate needs a whole number, got %g\n",
                      verb->name, options->rate_hz);
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
