#include "runtime/base/effort.h"

#include "runtime/base/clock.h"

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
