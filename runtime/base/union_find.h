/* SPDX-License-Identifier: MIT */
/* runtime/base/union_find.h -- disjoint sets of the numbers 0 .. count - 1.
 *
 * parents[i] leads from i towards the root of its set; a root is its own
 * parent. Finding a root halves the path to it. The root is the smallest number
 * of its set, so it does not depend on the order of joins.
 *
 * Thread: any. Memory: the caller's array.
 * Source: Tarjan and van Leeuwen, "Worst-case analysis of set union
 *         algorithms", J. ACM 31 (1984).
 */
#pragma once

#include <stdbool.h>

/* Make each number a set of its own. */
static inline void sb_union_find_init(int *parents, int count) {
    for (int i = 0; i < count; i++) {
        parents[i] = i;
    }
}

static inline int sb_union_find_root(int *parents, int i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

/* Join the sets of a and b. False when they were already the same set. */
static inline bool sb_union_find_join(int *parents, int a, int b) {
    a = sb_union_find_root(parents, a);
    b = sb_union_find_root(parents, b);
    if (a < b) parents[b] = a;
    if (b < a) parents[a] = b;
    return a != b;
}
