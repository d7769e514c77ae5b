/* Finds the modes that merging and truncation took away (removed_part.h).
 * Thread: control, workers. */
#include "runtime/scene/plan/removed_part.h"

#include "runtime/base/memory.h"
#include "runtime/model/modal_model.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <string.h>

void sb_planned_want_all(sb_planned *planned) {
    sb_shape *shape = &planned->def.shape;
    shape->merge = 0.0;
    shape->keeps_beats = true;
    shape->max_modes = 0;
}

/* Both lists ascend. Modes that were merged are neighbours, and the frequency
 * of the result lies between theirs. */
static void find_kept(const sb_model *all, const sb_model *usual, bool *kept) {
    const sb_mode *modes = sb_model_modes(all);
    const sb_mode *others = sb_model_modes(usual);
    int count = sb_model_mode_count(all), next = 0;
    for (int i = 0; i < sb_model_mode_count(usual) && next < count; i++) {
        double hz = others[i].freq_hz;
        int k = next;
        while (k + 1 < count &&
               fabs(modes[k + 1].freq_hz - hz) < fabs(modes[k].freq_hz - hz))
            k++;
        kept[k] = true;
        next = k + 1;
    }
}

sb_status sb_planned_fill_kept(sb_planned *planned, const sb_model *usual,
                               sb_error *err) {
    int count = sb_model_mode_count(planned->model);
    sb_free(planned->kept);
    planned->kept = sb_alloc((size_t)count + 1, sizeof *planned->kept);
    if (!planned->kept)
        return sb_fail(err, SB_NO_MEMORY, "body '%s': out of memory",
                       planned->name);
    find_kept(planned->model, usual, planned->kept);
    return SB_OK;
}

bool sb_planned_has_same_kept(const sb_planned *a, const sb_planned *b) {
    if (!a->kept || !b->kept) return !a->kept && !b->kept;
    int count = sb_model_mode_count(a->model);
    return count == sb_model_mode_count(b->model) &&
           memcmp(a->kept, b->kept, (size_t)count * sizeof *a->kept) == 0;
}

int sb_planned_removed_count(const sb_planned *planned) {
    int removed = 0;
    for (int k = 0; planned->kept && k < sb_model_mode_count(planned->model);
         k++)
        removed += !planned->kept[k];
    return removed;
}
