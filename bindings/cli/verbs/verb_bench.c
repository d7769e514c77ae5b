/* SPDX-License-Identifier: MIT */
/* sandbell bench: checks the options and hands over to sandbell_bench, which
 * lies beside the program in a build tree and is not installed.
 * Thread: control. */
#include "bindings/cli/console/console.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

int bench_main(int argc, char **argv) {
    bench_options options;
    const char *what = NULL;
    char path[PATH_MAX];
    if (!bench_options_read(argc, argv, &options, &what)) return EXIT_USAGE;
    char **words = sb_alloc((size_t)argc + 2, sizeof *words);
    if (words && sb_self_path("sandbell_bench", path, sizeof path)) {
        words[0] = path;
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        (void)execv(path, words);
    }
    sb_free(words);
    complain("bench",
             "the benches are a program of their own, sandbell_bench, which a "
             "checkout of the sources builds: ./sandbell bench");
    return EXIT_ASSET;
}
