/* SPDX-License-Identifier: MIT */
#include "tests/bench/figures.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static figure *next_figure(figure_sheet *to, double value, double bound,
                           const char *unit) {
    assert(to->count < FIGURES_MOST);
    figure *next = &to->figures[to->count++];
    *next = (figure){
        .value = value, .bound = bound, .unit = unit, .is_ok = value <= bound};
    return next;
}

void figures_add(figure_sheet *to, double value, double bound, const char *unit,
                 const char *what, ...) {
    figure *next = next_figure(to, value, bound, unit);
    va_list list;
    va_start(list, what);
    (void)vsnprintf(next->what, sizeof next->what, what, list);
    va_end(list);
}

void figures_add_timed(figure_sheet *to, double value, double bound,
                       const char *unit, const char *what) {
    figure *next = next_figure(to, value, bound, unit);
    (void)snprintf(next->what, sizeof next->what, "%s", what);
    next->is_timed = true;
}
