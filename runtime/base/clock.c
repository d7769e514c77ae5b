/* SPDX-License-Identifier: MIT */
#include "runtime/base/clock.h"

enum { NS_PER_S = 1000000000 };

double sb_clock_read_s(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now)) return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double sb_clock_s(void) {
    return sb_clock_read_s(CLOCK_MONOTONIC);
}

double sb_clock_thread_s(void) {
    return sb_clock_read_s(CLOCK_THREAD_CPUTIME_ID);
}

double sb_clock_process_s(void) {
    return sb_clock_read_s(CLOCK_PROCESS_CPUTIME_ID);
}

struct timespec sb_clock_after(double seconds) {
    int64_t ns = sb_clock_ns() + (int64_t)(seconds * 1e9);
    return (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S),
                             .tv_nsec = (long)(ns % NS_PER_S)};
}

double sb_clock_age_s(struct timespec date) {
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (double)(now.tv_sec - date.tv_sec) +
           1e-9 * (double)(now.tv_nsec - date.tv_nsec);
}

/* --- effort ---------------------------------------------------------------*/

static _Thread_local sb_effort_ns helped_ns;

double sb_effort_s(void) {
    return sb_clock_thread_s() + 1e-9 * (double)atomic_load(&helped_ns);
}

void sb_effort_add_ns(int64_t ns) {
    (void)atomic_fetch_add(&helped_ns, ns);
}

sb_effort_ns *sb_effort_helped(void) {
    return &helped_ns;
}

int64_t sb_effort_of_ns(pthread_t thread, const sb_effort_ns *helped) {
    clockid_t clock;
    if (pthread_getcpuclockid(thread, &clock)) return 0;
    return (int64_t)(1e9 * sb_clock_read_s(clock)) + atomic_load(helped);
}
