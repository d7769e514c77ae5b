/* SPDX-License-Identifier: MIT */
#include "runtime/base/locale.h"

#include <locale.h>

/* The C locale is a constant of the C library: nothing is allocated. */
sb_locale sb_locale_enter(void) {
    return (sb_locale){uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0))};
}

void sb_locale_leave(sb_locale own) {
    (void)uselocale(own.before);
}
