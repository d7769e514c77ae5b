/* SPDX-License-Identifier: MIT */
/* bindings/cli/main.c -- the program: finds the verb and calls its function.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/pipe_out.h"
#include "bindings/cli/prompt/prompt.h"
#include "bindings/script/loader.h"
#include "runtime/base/memory.h"
#include "runtime/base/nearest.h"
#include "runtime/model/linear/blas.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERB(name, usage, summary, rows, function, help) \
    const cli_verb verb_##name = {#name, usage, summary, help, rows, function};
#include "bindings/cli/console/verbs.def"
#undef VERB

#define VERB(name, usage, summary, rows, function, help) &verb_##name,
const cli_verb *const all_verbs[] = {
#include "bindings/cli/console/verbs.def"
    NULL};
#undef VERB

const cli_verb *find_verb(const char *name) {
    for (const cli_verb *const *verb = all_verbs; *verb; verb++)
        if (strcmp((*verb)->name, name) == 0) return *verb;
    return NULL;
}

static const char *verb_name_at(const void *names, int i) {
    (void)names;
    return all_verbs[i]->name;
}

static int unknown_verb(const char *name) {
    int count = 0;
    while (all_verbs[count])
        count++;
    const char *near = sb_nearest(name, count, verb_name_at, NULL);
    return complain(NULL, "unknown verb '%s'%s%s%s (sandbell help lists them)",
                    name, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
}

/* OpenBLAS chooses its kernels when it is loaded, before main runs, and starts
 * its threads. Where it has chosen badly, or where there is no room for these
 * threads, set environment variables and start the program again. */
static void choose_blas(char **argv) {
    const char *core = sb_blas_better_core();
    bool sets_core = core && !getenv("OPENBLAS_CORETYPE");
    bool sets_threads = sb_blas_is_limited() && !getenv("OPENBLAS_NUM_THREADS");
    if ((!sets_core && !sets_threads) ||
        (sets_core && setenv("OPENBLAS_CORETYPE", core, 0)) ||
        (sets_threads && setenv("OPENBLAS_NUM_THREADS", "1", 0)))
        return;
    (void)execv("/proc/self/exe", argv); /* on failure: slower, but correct */
}

int main(int argc, char **argv) {
    hold_streams();
    choose_blas(argv);
    sb_memory_keep_little();
    /* Beyond the file size limit the write returns an error, and its caller
     * cleans up; the signal would end the program. */
    (void)signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        (void)verb_help.run(0, NULL);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) {
        (void)printf("sandbell %s\n", SANDBELL_VERSION);
        return EXIT_OK;
    }
    const cli_verb *verb = find_verb(name);
    if (!verb) return unknown_verb(name);
    if (argc > 2 && strcmp(argv[2], "--help") == 0)
        return verb_help.run(1, &argv[1]);
    int code = verb->run(argc - 2, argv + 2);
    if (!pipe_out_drain()) {
        complain(NULL, "writing to standard output failed");
        if (code == EXIT_OK) code = EXIT_ASSET;
        (void)pipe_out_drain();
    }
    /* A solve that was left may still run on its thread: end it without what
     * libraries do at exit. */
    if (code == EXIT_INTERRUPTED || loader_left_count() > 0) {
        (void)fflush(NULL);
        _exit(code);
    }
    return code;
}
