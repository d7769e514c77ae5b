/* Weights of merged modes of closed forms (merging.h). Thread: control,
 * workers. */
#include "runtime/model/merging.h"

#include "runtime/base/memory.h"

#include <math.h>

void sb_merging_free(sb_merging *merging) {
    if (!merging) return;
    sb_free(merging->plain);
    sb_free(merging->groups);
    sb_free(merging->terms);
    sb_free(merging);
}

void sb_merging_weights(const sb_merging *merging, const double *plain,
                        double *weights) {
    for (int k = 0; k < merging->group_count; k++) {
        const sb_merged_group *group = &merging->groups[k];
        const double *phi = plain + group->first_mode;
        const double *l = merging->terms + group->first_term;
        double sum = 0;
        weights[k] = phi[0];
        if (group->mode_count == 1) continue;
        for (int r = 0; r < group->row_count; r++, l += group->mode_count) {
            double member = 0;
            for (int j = 0; j < group->mode_count; j++)
                member += l[j] * phi[j];
            sum += member * member;
        }
        weights[k] = sqrt(sum);
    }
}
