/* SPDX-License-Identifier: MIT */
/* tests/fuzz/random_host.h -- the host of random scenes: silent, and errors in
 * callbacks do not end it. Larger solves than its memory allows would only
 * take time. */
#pragma once

#include "bindings/host/host.h"

static void ignore(void *user, const char *line) {
    (void)user, (void)line;
}

static inline sb_host_def random_host(double memory_bytes) {
    sb_host_def def = sb_host_def_default();
    def.memory_bytes = memory_bytes;
    def.report = ignore;
    def.parks_errors = true;
    return def;
}
