/* SPDX-License-Identifier: MIT */
#include "runtime/model/method.h"

#include <string.h>

static const char *const method_names[SB_METHOD_COUNT] = {
    [SB_METHOD_AUTO] = "auto",
    [SB_METHOD_ANALYTIC] = "analytic",
    [SB_METHOD_SHELL] = "shell",
    [SB_METHOD_SOLID] = "solid",
    [SB_METHOD_TET4] = "tet4",
    [SB_METHOD_SPRINGS] = "springs",
    [SB_METHOD_SPRINGS_LITERAL] = "springs-literal",
};

int sb_method_from_name(const char *name) {
    for (int i = 0; i < SB_METHOD_COUNT; i++) {
        if (strcmp(name, method_names[i]) == 0) return i;
    }
    return -1;
}

const char *sb_method_name(sb_method method) {
    return (unsigned)method < SB_METHOD_COUNT ? method_names[method]
                                              : "unknown";
}
