/* bindings/cli/verbs/verb_check.c -- sandbell check: loads a scene and reports
 * errors without playing it. */
#include "bindings/cli/console/cli.h"
#include "bindings/cli/console/progress.h"
#include "runtime/model/solve/remark.h"
#include "runtime/scene/conductor.h"

#include <stdio.h>

typedef struct check_options {
    double duration_s;
    scene_options scene;
} check_options;

#define AT(field) offsetof(check_options, field)
const option_row check_rows[] = {
    {"--for", NULL, OPTION_NUMBER, AT(duration_s), 0.001, 3600, "SECONDS",
     "how much of the scene to run, silently (default 1)"},
    SCENE_OPTION_ROWS(check_options),
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static bool must_stop(void *user, double now_s) {
    (void)user;
    (void)now_s;
    return is_interrupted();
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

int check_main(int argc, char **argv) {
    check_options options = {.duration_s = 1.0, .scene = SCENE_OPTIONS_DEFAULT};
    const char *path;
    if (!parse_options(&verb_check, argc, argv, &options, &path, 1, 1)) {
        return EXIT_USAGE;
    }
    catch_interrupts();
    sb_host_def def;
    if (!host_def_of(&verb_check, &options.scene, &def)) return EXIT_USAGE;
    sb_host *host;
    sb_error err;
    if (open_host(path, &def, &host, &err)) return fail_with(&err);

    sb_conductor_def conductor = sb_conductor_def_default();
    conductor.engine = sb_host_engine(host);
    conductor.step = sb_host_step;
    conductor.must_stop = must_stop;
    conductor.user = host;
    sb_span span = {.duration_s = options.duration_s};
    sb_conduct_result result;
    int code = EXIT_OK;
    if (sb_conduct_render(&conductor, &span, &result, &err)) {
        code = fail_with(&err);
    } else {
        const sb_scene *scene = sb_host_scene(host);
        int modes = 0;
        for (int i = 0; i < sb_scene_body_count(scene); i++) {
            modes += sb_model_mode_count(
                sb_scene_body_model(scene, sb_scene_body_at(scene, i)));
        }
        int bodies = sb_scene_body_count(scene);
        if (bodies > 0 && result.peak <= 0.0) {
            (void)fprintf(stderr,
                          "sandbell check: warning: nothing sounds in the "
                          "first %g s; does scene.start strike a body?\n",
                          options.duration_s);
        }
        report_theories(scene);
        char within[48];
        (void)snprintf(within, sizeof within, " in the first %g s",
                       options.duration_s);
        report_level("check", scene, sb_host_engine(host), result.peak, within);
        (void)printf("%s: ok, %d %s, %d %s\n", path,
                     COUNTED(bodies, "body", "bodies"),
                     COUNTED(modes, "mode", "modes"));
    }
    sb_host_close(host);
    return code;
}
