/* SPDX-License-Identifier: MIT */
#include "runtime/base/stop.h"

static _Thread_local const atomic_bool *watched;

void sb_stop_watch(const atomic_bool *flag) {
    watched = flag;
}

const atomic_bool *sb_stop_watched(void) {
    return watched;
}

bool sb_stop_is_wanted(void) {
    return watched && atomic_load_explicit(watched, memory_order_relaxed);
}

sb_status sb_stop_check(sb_error *err) {
    if (!sb_stop_is_wanted()) return SB_OK;
    return sb_fail(err, SB_INTERRUPTED, "interrupted while solving");
}
