/* SPDX-License-Identifier: MIT */
#include "runtime/base/memo.h"

static _Thread_local const sb_memo *used;

void sb_memo_use(const sb_memo *memo) {
    used = memo;
}

const sb_memo *sb_memo_used(void) {
    return used;
}
