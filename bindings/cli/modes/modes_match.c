/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/modes_match.c -- matches the modes of two lists.
 *
 * Two ascending lists are aligned by dynamic programming, like words by edit
 * distance. A pair costs its distance in cents; an unmatched mode costs half of
 * the largest distance allowed, so that near modes are paired.
 */
#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"

#include <math.h>

#define FARTHEST_CENTS 300.0
#define ALONE_CENTS    (FARTHEST_CENTS / 2)

enum { PAIR, SKIP_OURS, SKIP_OTHER };

double cents_between(double freq_hz, double reference_hz) {
    return 1200.0 * log2(freq_hz / reference_hz);
}

/* Cost of the best alignment of the first i and j modes, row after row. */
typedef struct alignment {
    double *above, *row; /* [other_count + 1] */
    unsigned char *steps;
    size_t width;
} alignment;

static void fill_row(alignment *a, const double *freqs_hz, int i,
                     const double *others_hz) {
    unsigned char *steps = a->steps + (size_t)i * a->width;
    a->row[0] = i * ALONE_CENTS;
    steps[0] = SKIP_OURS;
    for (size_t j = 1; j < a->width; j++) {
        double best = a->row[j - 1] + ALONE_CENTS;
        steps[j] = SKIP_OTHER;
        if (i == 0) {
            a->row[j] = best;
            continue;
        }
        if (a->above[j] + ALONE_CENTS < best) {
            best = a->above[j] + ALONE_CENTS;
            steps[j] = SKIP_OURS;
        }
        double cents = fabs(cents_between(others_hz[j - 1], freqs_hz[i - 1]));
        if (cents <= FARTHEST_CENTS && a->above[j - 1] + cents <= best) {
            best = a->above[j - 1] + cents;
            steps[j] = PAIR;
        }
        a->row[j] = best;
    }
}

static void walk_back(const alignment *a, int count, int *fellows) {
    size_t i = (size_t)count, j = a->width - 1;
    while (i > 0) {
        switch (a->steps[i * a->width + j]) {
        case PAIR:
            fellows[--i] = (int)--j;
            break;
        case SKIP_OURS:
            fellows[--i] = -1;
            break;
        default:
            j--;
        }
    }
}

bool match_modes(const double *freqs_hz, int count, const double *others_hz,
                 int other_count, int *fellows) {
    alignment a = {.width = (size_t)other_count + 1};
    a.above = sb_alloc(a.width, sizeof *a.above);
    a.row = sb_alloc(a.width, sizeof *a.row);
    a.steps = sb_alloc((size_t)count + 1, a.width);
    bool is_made = a.above && a.row && a.steps;
    for (int i = 0; is_made && i <= count; i++) {
        fill_row(&a, freqs_hz, i, others_hz);
        double *above = a.above;
        a.above = a.row;
        a.row = above;
    }
    if (is_made) walk_back(&a, count, fellows);
    sb_free(a.above);
    sb_free(a.row);
    sb_free(a.steps);
    return is_made;
}
