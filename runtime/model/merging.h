/* runtime/model/merging.h -- modes of a closed form that sound as one.
 *
 * Private to runtime/model. A closed form with `merge` evaluates all of its
 * modes, the plain ones; each of its own modes is a group of consecutive plain
 * ones. The weight of a group is
 *
 *     phi, with its sign, for one mode;  |L phi| for more
 *
 * with L of compress.h. Models of elements do not use this: their members are
 * stored on the vertices (finish.h).
 *
 * Symbols: L terms, row by row.
 * Thread: control, workers. Immutable once made.
 * Memory: sb_merging_free frees it and its arrays.
 */
#ifndef SB_MODEL_MERGING_H
#define SB_MODEL_MERGING_H

#include <stddef.h>

typedef struct sb_mode sb_mode;

enum { SB_PLAIN_MODES_MOST = 4096 };

typedef struct sb_merged_group {
    int first_mode, mode_count; /* plain modes */
    int row_count;              /* of L */
    size_t first_term;
} sb_merged_group;

typedef struct sb_merging {
    int plain_count; /* up to SB_PLAIN_MODES_MOST */
    sb_mode *plain;
    int group_count;
    sb_merged_group *groups;
    double *terms;
    double error_db; /* of merging, as in finish.h */
} sb_merging;

void sb_merging_free(sb_merging *merging); /* NULL is allowed */

/* Weights of the groups from those of the plain modes. */
void sb_merging_weights(const sb_merging *merging, const double *plain,
                        double *weights);

#endif
