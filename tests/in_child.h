/* SPDX-License-Identifier: MIT */
/* tests/in_child.h -- work that leaves what it works on as it was.
 *
 * Solving a body often takes most of the time of a test. It is solved once, and
 * each sound of it is made by a child, which has the scene as it was before any
 * sound. No threads may run. */
#pragma once

#include <check.h>

#include <sys/wait.h>
#include <unistd.h>

/* Calls work(in, out) in a child and brings the `size` bytes of `out` back, at
 * most what a pipe holds, 64 kB. */
static inline void in_child(void (*work)(const void *in, void *out),
                            const void *in, void *out, size_t size) {
    int ends[2], status = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        work(in, out);
        _exit(write(ends[1], out, size) == (ssize_t)size ? 0 : 1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq((int)read(ends[0], out, size), (int)size);
    (void)close(ends[0]);
    (void)close(ends[1]);
}
