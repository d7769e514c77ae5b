/* SPDX-License-Identifier: MIT */
/* reload_once SCENE: plays a scene and reloads it three times. A reload may
 * fail, with a sentence, and the scene plays on; the last must succeed. The
 * exit code is 1 if the scene cannot be opened, with a sentence. */
#include "bindings/host/host.h"
#include "runtime/engine/engine.h"
#include "runtime/scene/commit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RELOADS = 3, STEP_FRAMES = 480 };

static void print(void *user, const char *line) {
    (void)user;
    (void)fprintf(stderr, "%s\n", line);
}

static int play(sb_host *host, int step) {
    static float stereo[2 * STEP_FRAMES];
    sb_error err = {0};
    if (sb_host_step(host, step * .01, (step + 1) * .01, &err)) {
        print(NULL, err.message);
        return 9;
    }
    (void)sb_engine_flush(sb_host_engine(host),
                          (step + 1) * (int64_t)STEP_FRAMES);
    sb_engine_pull(sb_host_engine(host), stereo, STEP_FRAMES);
    double loudest = 0;
    for (int n = 0; n < 2 * STEP_FRAMES; n++)
        loudest = fmax(loudest, fabs((double)stereo[n]));
    return step == 0 || (loudest > 1e-6 && loudest < 1) ? 0 : 8;
}

int main(int argc, char **argv) {
    sb_host_def def = sb_host_def_default();
    sb_host *host = NULL;
    sb_commit_counts counts;
    sb_error err = {0};
    def.report = print;
    if (argc != 2) return 2;
    if (sb_host_open(argv[1], &def, &host, &err)) {
        print(NULL, err.message);
        return strlen(err.message) > 5 ? EXIT_FAILURE : 7;
    }
    int code = play(host, 0);
    sb_status failed = SB_OK;
    for (int i = 0; i < RELOADS && !code; i++) {
        failed = sb_host_reload_now(host, false, (i + 1) * .01, &counts, &err);
        if (failed) print(NULL, err.message);
        if (failed && strlen(err.message) < 6) code = 7;
        if (!code) code = play(host, i + 1);
    }
    sb_host_close(host);
    return failed && !code ? EXIT_FAILURE : code;
}
