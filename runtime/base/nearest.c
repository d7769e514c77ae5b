/* SPDX-License-Identifier: MIT */
#include "runtime/base/nearest.h"

#include <string.h>

enum { LONGEST_NAME = 64 };

/* How many letters must be changed, added, dropped or swapped with their
 * neighbour to get from a to b (Damerau-Levenshtein, adjacent swaps). */
static int distance(const char *a, const char *b) {
    int la = (int)strlen(a), lb = (int)strlen(b);
    if (la > LONGEST_NAME || lb > LONGEST_NAME) return LONGEST_NAME;
    int d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (int i = 0; i <= la; i++)
        d[i][0] = i;
    for (int j = 0; j <= lb; j++)
        d[0][j] = j;
    for (int i = 1; i <= la; i++) {
        for (int j = 1; j <= lb; j++) {
            int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
            if (change < best) best = change;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best) {
                best = d[i - 2][j - 2] + 1;
            }
            d[i][j] = best;
        }
    }
    return d[la][lb];
}

const char *sb_nearest(const char *wanted, int count,
                       const char *(*name_at)(const void *names, int i),
                       const void *names) {
    const char *best = NULL;
    int least = (int)strlen(wanted) / 2 + 1;
    for (int i = 0; i < count; i++) {
        const char *name = name_at(names, i);
        int changes = distance(wanted, name);
        if (changes < least) {
            least = changes;
            best = name;
        }
    }
    return best;
}
