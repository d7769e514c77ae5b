/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/verb_truth.c -- sandbell truth: reads the command line and
 * prints what was measured of real things beside what is computed.
 * Thread: control. */
#include "bindings/cli/modes/truth.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OBJECTS_MOST = 256 };

typedef struct truth_options {
    bool is_json;
    const char *plot, *recording;
    scene_options scene;
} truth_options;

#define AT(field) offsetof(truth_options, field)
const option_row truth_rows[] = {
    FLAG_ROW("--json", is_json, "print one JSON object"),
    TEXT_ROW("--plot", OUTPUT, plot, "PNG",
             "draw measured and computed values, and the errors"),
    TEXT_ROW("--recording", FILE, recording, "WAV",
             "compare what one scene plays with a recording of the thing, "
             "which needs no table `truth`"),
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

typedef struct truth_run {
    const truth_options *options;
    truth_object *objects;
    int count;
} truth_run;

/* --- what is printed ------------------------------------------------------ */

static double cents_off(const truth_value *value) {
    return 1200.0 * log2(value->computed / value->measured);
}

static void print_error(const truth_object *object, const truth_value *value) {
    double error = truth_error(object, value);
    if (isnan(error)) {
        (void)printf(" %10s %9s", "", "no mode");
    } else if (truth_is_level(object)) {
        (void)printf(" %10s %+6.1f dB", "", error);
    } else if (truth_is_pitch(object)) {
        (void)printf(" %+10.1f %+7.2f %%", cents_off(value), error);
    } else {
        (void)printf(" %10s %+7.2f %%", "", error);
    }
}

static const char *bound_unit(const truth_object *object) {
    return truth_is_level(object) ? "dB" : "%";
}

static void print_value(const truth_object *object, int i) {
    const truth_value *value = &object->values[i];
    char name[TRUTH_NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s", value->name);
    if (!name[0]) (void)snprintf(name, sizeof name, "%d", i + 1);
    (void)printf("  %-24.24s %12.6g %12.6g", name, value->measured,
                 value->computed);
    print_error(object, value);
    if (object->is_rms)
        (void)printf("\n");
    else
        (void)printf(" %6g %-2s  %s\n", value->bound, bound_unit(object),
                     truth_value_holds(object, value) ? "holds" : "miss");
}

static void print_object(const truth_object *object) {
    char title[TRUTH_NAME_SIZE];
    (void)snprintf(title, sizeof title, "measured%s%s",
                   object->unit[0] ? ", " : "", object->unit);
    (void)printf("%s\n  source: %s\n", object->object, object->source);
    (void)printf("  %-24s %12s %12s %10s %9s %9s  %s\n", "",
                 object->is_ratio ? "ratio" : title, "computed",
                 truth_is_pitch(object) ? "cents" : "", "error",
                 object->is_rms ? "" : "bound",
                 object->is_rms ? "" : "verdict");
    for (int i = 0; i < object->count; i++)
        print_value(object, i);
    (void)printf("  ");
    if (object->is_rms)
        (void)printf("rms of %d errors %.3g %s, bound %g %s: ", object->count,
                     truth_rms(object), bound_unit(object),
                     object->values[0].bound, bound_unit(object));
    (void)printf("%s\n", truth_verdict_name(object->verdict));
    if (object->cause[0]) (void)printf("  cause: %s\n", object->cause);
    (void)printf("\n");
}

static int count_of(const truth_run *run, truth_verdict verdict) {
    int count = 0;
    for (int i = 0; i < run->count; i++)
        count += run->objects[i].verdict == verdict;
    return count;
}

static void print_end(const truth_run *run) {
    (void)printf("objects: %d, holds: %d", run->count,
                 count_of(run, TRUTH_HOLDS));
    for (truth_verdict v = TRUTH_MISS; v <= TRUTH_NOW_HOLDS; v++)
        if (count_of(run, v) > 0)
            (void)printf(", %s: %d", truth_verdict_name(v), count_of(run, v));
    (void)printf("\n");
}

static cJSON *value_object(const truth_object *object, int i) {
    const truth_value *value = &object->values[i];
    cJSON *row = cJSON_CreateObject();
    add_text(row, "name", value->name);
    add_number(row, "measured", value->measured);
    add_number(row, "computed",
               value->has_computed ? value->computed : (double)NAN);
    add_number(row, truth_is_level(object) ? "error_db" : "error_percent",
               truth_error(object, value));
    if (truth_is_pitch(object) && value->has_computed)
        add_number(row, "error_cents", cents_off(value));
    if (object->is_rms) return row;
    add_number(row, "bound", value->bound);
    (void)cJSON_AddBoolToObject(row, "holds", truth_value_holds(object, value));
    return row;
}

static int print_as_json(const truth_run *run) {
    cJSON *root = cJSON_CreateObject();
    cJSON *objects = cJSON_AddArrayToObject(root, "objects");
    for (int i = 0; i < run->count; i++) {
        const truth_object *object = &run->objects[i];
        cJSON *row = cJSON_CreateObject();
        (void)cJSON_AddItemToArray(objects, row);
        add_text(row, "object", object->object);
        add_text(row, "source", object->source);
        add_text(row, "file", object->path);
        add_text(row, "unit", object->unit);
        cJSON *values = cJSON_AddArrayToObject(row, "values");
        for (int k = 0; k < object->count; k++)
            (void)cJSON_AddItemToArray(values, value_object(object, k));
        add_number(row, "rms_error", truth_rms(object));
        if (object->is_rms)
            add_number(row, "rms_bound", object->values[0].bound);
        add_text(row, "verdict", truth_verdict_name(object->verdict));
        if (object->cause[0]) add_text(row, "cause", object->cause);
    }
    return print_json(root);
}

/* --- the objects ---------------------------------------------------------- */

static int read_one(truth_run *run, const char *path) {
    if (is_interrupted()) return EXIT_INTERRUPTED;
    if (run->count == OBJECTS_MOST)
        return complain("truth", "at most %d objects", OBJECTS_MOST);
    truth_object *object = &run->objects[run->count];
    int code = truth_read(path, &run->options->scene, object);
    if (code != EXIT_OK) return code;
    run->count++;
    if (!run->options->is_json) print_object(object);
    return EXIT_OK;
}

static int is_scene(const struct dirent *item) {
    return item->d_name[0] != '.' && ends_in(item->d_name, ".lua");
}

static int read_folder(truth_run *run, const char *folder) {
    struct dirent **items;
    int count = scandir(folder, &items, is_scene, alphasort);
    if (count < 0) {
        complain("truth", "%s: cannot be read: %s", folder, strerror(errno));
        return EXIT_ASSET;
    }
    int code = EXIT_OK;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        (void)snprintf(path, sizeof path, "%.3000s/%s", folder,
                       items[i]->d_name);
        free(items[i]);
        int its_code = read_one(run, path);
        if (code == EXIT_OK) code = its_code;
    }
    free(items); /* allocated by scandir */
    if (count == 0)
        return complain("truth", "%s holds no scene (.lua)", folder);
    return code;
}

static int read_path(truth_run *run, const char *path) {
    struct stat facts;
    bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    return is_folder ? read_folder(run, path) : read_one(run, path);
}

static int read_shipped(truth_run *run) {
    char library[PATH_MAX], folder[PATH_MAX];
    if (!sb_self_find(SB_SELF_LIBRARY, library, sizeof library)) {
        complain("truth", "the program's data are not to be found");
        return EXIT_ASSET;
    }
    (void)snprintf(folder, sizeof folder, "%.3000s/scripts/truth", library);
    return read_folder(run, folder);
}

/* --- the command line ----------------------------------------------------- */

static int show(const truth_run *run, int code) {
    int unexpected = count_of(run, TRUTH_MISS) + count_of(run, TRUTH_NOW_HOLDS);
    if (run->options->is_json) {
        int printed = print_as_json(run);
        if (code == EXIT_OK) code = printed;
    } else if (run->count > 0) {
        print_end(run);
    }
    sb_error err;
    if (run->options->plot && run->count > 0 &&
        truth_plot(run->objects, run->count, run->options->plot, &err)) {
        int failed = fail_with(&err);
        if (code == EXIT_OK) code = failed;
    }
    return code == EXIT_OK && unexpected > 0 ? EXIT_SCRIPT : code;
}

int truth_main(int argc, char **argv) {
    truth_options options = {.scene = SCENE_OPTIONS_DEFAULT};
    const char *paths[OBJECTS_MOST] = {NULL};
    if (!parse_options(&verb_truth, argc, argv, &options, paths, 0,
                       OBJECTS_MOST))
        return EXIT_USAGE;
    if (!are_outputs_separate(&verb_truth, &options)) return EXIT_USAGE;
    if (options.plot && !ends_in(options.plot, ".png"))
        return complain("truth", "--plot needs a name that ends in .png");
    if (options.recording && (!paths[0] || paths[1]))
        return complain("truth", "--recording needs one scene");
    catch_interrupts();
    if (options.recording) {
        return truth_compare_recording(paths[0], options.recording,
                                       &options.scene, options.is_json,
                                       options.plot);
    }
    truth_run run = {.options = &options};
    run.objects = sb_alloc(OBJECTS_MOST, sizeof *run.objects);
    if (!run.objects) {
        complain("truth", "out of memory");
        return EXIT_SCRIPT;
    }
    int code = paths[0] ? EXIT_OK : read_shipped(&run);
    for (int i = 0; i < OBJECTS_MOST && paths[i]; i++) {
        int its_code = read_path(&run, paths[i]);
        if (code == EXIT_OK) code = its_code;
    }
    code = show(&run, code);
    sb_free(run.objects);
    return code;
}
