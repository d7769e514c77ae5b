/* SPDX-License-Identifier: MIT */
/* runtime/base/nearest.h -- which name was meant.
 *
 * Thread: any. Memory: nothing is copied.
 */
#pragma once

#include <stddef.h>

/* The name nearest to `wanted` among `count` names, or NULL if none is similar.
 * `name_at` returns the i-th name. */
const char *sb_nearest(const char *wanted, int count,
                       const char *(*name_at)(const void *names, int i),
                       const void *names);
