/* SPDX-License-Identifier: MIT */
/* bindings/cli/verbs/verb_check.c -- sandbell check: loads a scene and reports
 * errors without playing it. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/cli/lesson/lesson_files.h"
#include "bindings/host/host.h"
#include "runtime/base/in_file.h"
#include "runtime/engine/engine.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/remark.h"
#include "runtime/scene/conductor.h"
#include "runtime/scene/state/body.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATHS_MOST = 256 };

typedef struct check_options {
    double duration_s;
    scene_options scene;
} check_options;

#define AT(field) offsetof(check_options, field)
const option_row check_rows[] = {
    NUMBER_ROW("--for", duration_s, 0.001, 3600, "SECONDS",
               "how much of the scene to run, silently (default 1)"),
    SCENE_OPTION_ROWS,
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static bool must_stop(void *user, double now_s) {
    (void)user;
    (void)now_s;
    return is_interrupted();
}

/* --- one scene ------------------------------------------------------------ */

static int total_modes(const sb_scene *scene) {
    int modes = 0;
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        modes += sb_model_mode_count(
            sb_scene_body_model(scene, sb_scene_body_at(scene, i)));
    }
    return modes;
}

/* One line per plate, on its theory, and per body whose modes need a word. */
static void report_theories(const sb_scene *scene) {
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id body = sb_scene_body_at(scene, i);
        const sb_model *model = sb_scene_body_model(scene, body);
        const char *theory = sb_model_plate_theory(model);
        char remark[SB_REMARK_SIZE];
        sb_model_remark(model, remark);
        if (!*theory && !*remark) continue;
        (void)printf("%s: %s%s%s\n", sb_scene_body_name(scene, body), theory,
                     *theory && *remark ? "; " : "", remark);
    }
}

static void say_ok(const char *path, const check_options *options,
                   const sb_host *host, double peak) {
    const sb_scene *scene = sb_host_scene(host);
    int bodies = sb_scene_body_count(scene), modes = total_modes(scene);
    bool is_muted = sb_engine_read_stats(sb_host_engine(host)).muted > 0;
    if (bodies > 0 && peak <= 0.0 && !is_muted) {
        complain("check",
                 "warning: nothing sounds in the first %g s; does scene.start "
                 "strike a body?",
                 options->duration_s);
    }
    report_theories(scene);
    char within[48];
    (void)snprintf(within, sizeof within, " in the first %g s",
                   options->duration_s);
    report_level("check", scene, sb_host_engine(host), peak, within);
    (void)printf("%s: ok, %d %s, %d %s\n", path,
                 COUNTED(bodies, "body", "bodies"),
                 COUNTED(modes, "mode", "modes"));
}

static int check_scene(const char *path, const check_options *options) {
    sb_host_def def;
    if (!host_def_of(&verb_check, &options->scene, &def)) return EXIT_USAGE;
    sb_host *host;
    sb_error err;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);
    warn_of_scene("check", sb_host_scene(host), options->scene.rate_hz);
    sb_host_hooks hooks = {.must_stop = must_stop};
    sb_span span = {.duration_s = options->duration_s};
    sb_conduct_result result;
    int code = EXIT_OK;
    if (sb_host_render(host, &hooks, &span, &result, &err)) {
        code = fail_with(&err);
    } else {
        report_beyond("check", sb_host_scene(host));
        say_ok(path, options, host, result.peak);
    }
    sb_host_close(host);
    return code;
}

/* --- a folder ------------------------------------------------------------- */

static int is_script(const struct dirent *item) {
    size_t length = strlen(item->d_name);
    return item->d_name[0] != '.' && length > 4 &&
           strcmp(item->d_name + length - 4, ".lua") == 0;
}

/* A module that scenes require returns something and describes no scene. */
static bool is_module(const char *path) {
    FILE *file;
    char line[512];
    bool has_scene = false, returns = false;
    if (sb_in_file_open(path, SB_SCRIPT_BYTES, &file, NULL)) return false;
    while (fgets(line, sizeof line, file)) {
        has_scene |= strncmp(line, "function scene.", 15) == 0 ||
                     strstr(line, "sb.body(") != NULL ||
                     strstr(line, "sb.body (") != NULL;
        returns |= strncmp(line, "return", 6) == 0;
    }
    (void)fclose(file);
    return returns && !has_scene;
}

static int check_folder(const char *folder, const check_options *options) {
    struct dirent **items;
    int count = scandir(folder, &items, is_script, alphasort);
    int code = EXIT_OK, done = 0, failed = 0;
    if (count < 0) {
        complain("check", "%s: cannot be read: %s", folder, strerror(errno));
        return EXIT_ASSET;
    }
    for (int i = 0; i < count; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, items[i]->d_name);
        free(items[i]);
        if (is_interrupted() || is_module(path)) continue;
        int its_code = check_scene(path, options);
        done++;
        failed += its_code != EXIT_OK;
        if (code == EXIT_OK) code = its_code;
    }
    free(items); /* allocated by scandir */
    if (is_interrupted()) return EXIT_INTERRUPTED;
    if (done == 0) return complain("check", "%s holds no scene (.lua)", folder);
    (void)printf("%s: %d %s, %d with errors\n", folder,
                 COUNTED(done, "scene", "scenes"), failed);
    return code;
}

static int check_path(const char *path, const check_options *options) {
    struct stat facts;
    bool is_folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    if (is_folder && is_student_folder(path)) return grade_folder(path);
    return is_folder ? check_folder(path, options) : check_scene(path, options);
}

int check_main(int argc, char **argv) {
    check_options options = {.duration_s = 1.0, .scene = SCENE_OPTIONS_DEFAULT};
    const char *paths[PATHS_MOST] = {NULL};
    int code = EXIT_OK;
    if (!parse_options(&verb_check, argc, argv, &options, paths, 1,
                       PATHS_MOST)) {
        return EXIT_USAGE;
    }
    catch_interrupts();
    for (int i = 0; i < PATHS_MOST && paths[i]; i++) {
        if (is_interrupted()) return EXIT_INTERRUPTED;
        int its_code = check_path(paths[i], &options);
        if (code == EXIT_OK) code = its_code;
    }
    return code;
}
