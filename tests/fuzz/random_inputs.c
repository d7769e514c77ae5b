/* SPDX-License-Identifier: MIT */
/* tests/fuzz/random_inputs.c -- runs a fuzz target without libFuzzer:
 *
 *     TARGET COUNT [SEED]     on random inputs; a failing one is kept in
 *                             ./failed_input
 *     TARGET FILE...          on files
 */
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "tests/fuzz/bytes.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    LARGEST = 4096,
    LARGEST_FILE = 1 << 22,
    INPUT_CPU_S = 60, /* of the processor, so that other work does not count */
    INPUT_S = 1200    /* for one that waits without end */
};

static uint8_t input[LARGEST_FILE];
static size_t input_size;

static void keep_input(int number) {
    int out = open("failed_input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (out >= 0) {
        ssize_t done = write(out, input, input_size);
        (void)done;
        (void)close(out);
    }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static int run_files(int count, char **paths) {
    for (int i = 0; i < count; i++) {
        FILE *in = fopen(paths[i], "rb");
        if (!in) return EXIT_FAILURE;
        input_size = fread(input, 1, sizeof input, in);
        (void)fclose(in);
        (void)LLVMFuzzerTestOneInput(input, input_size);
    }
    (void)printf("%d files\n", count);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    char *end = NULL;
    long count = argc > 1 ? strtol(argv[1], &end, 10) : 0;
    if (argc < 2 || *end) return run_files(argc - 1, argv + 1);
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    (void)signal(SIGABRT, keep_input);
    (void)signal(SIGSEGV, keep_input);
    (void)signal(SIGFPE, keep_input);
    (void)signal(SIGALRM, keep_input);
    (void)signal(SIGPROF, keep_input);
    long slowest = 0;
    double slowest_s = 0.0;
    for (long n = 0; n < count; n++) {
        sb_random random = sb_random_make(seed, (uint64_t)n);
        input_size = (size_t)(sb_random_unit(&random) * LARGEST);
        for (size_t i = 0; i < input_size; i++)
            input[i] = (uint8_t)(sb_random_unit(&random) * 256);
        struct itimerval late = {.it_value = {.tv_sec = INPUT_CPU_S}};
        (void)setitimer(ITIMER_PROF, &late, NULL);
        (void)alarm(INPUT_S);
        double began_s = sb_clock_thread_s();
        (void)LLVMFuzzerTestOneInput(input, input_size);
        double took_s = sb_clock_thread_s() - began_s;
        if (took_s > slowest_s) slowest_s = took_s, slowest = n;
    }
    (void)printf("%ld random inputs from seed %llu; the slowest, number %ld, "
                 "took %.2f s\n",
                 count, (unsigned long long)seed, slowest, slowest_s);
    return EXIT_SUCCESS;
}
