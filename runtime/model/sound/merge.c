/* Merges the modes of a closed form (merge.h). Thread: control, workers. */
#include "runtime/model/sound/merge.h"

#include "runtime/base/memory.h"
#include "runtime/model/merging.h"
#include "runtime/model/sound/bands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- one group ------------------------------------------------------------ */

/* Shares of its modes in the radiation, or equal ones if all are silent. */
static double share_of(const sb_mode *plain, int k, double power, int count) {
    double g = plain[k].radiation;
    return power > 0 ? g * g / power : 1.0 / count;
}

static double power_of(const sb_mode *plain, const sb_group *group) {
    double sum = 0;
    for (int k = 0; k < group->mode_count; k++) {
        double g = plain[group->first_mode + k].radiation;
        sum += g * g;
    }
    return sum;
}

static void name_group(const sb_mode *loudest, int count, char *label) {
    char number[16];
    int length = snprintf(number, sizeof number, " (%d)", count);
    (void)snprintf(label, SB_MODE_LABEL_SIZE, "%.*s%s",
                   SB_MODE_LABEL_SIZE - 1 - length, loudest->label, number);
}

static sb_mode mode_of(const sb_mode *plain, const sb_group *group) {
    int first = group->first_mode, count = group->mode_count;
    sb_mode mode = plain[first];
    if (count == 1) return mode;
    double power = power_of(plain, group);
    int loudest = first;
    mode.freq_hz = group->freq_hz;
    mode.radiation = group->radiation;
    mode.sigma_per_s = 0;
    for (int k = first; k < first + count; k++) {
        mode.sigma_per_s +=
            share_of(plain, k, power, count) * plain[k].sigma_per_s;
        if (plain[k].radiation > plain[loudest].radiation) loudest = k;
    }
    name_group(&plain[loudest], count, mode.label);
    return mode;
}

static double slope_of(const double *slopes, const sb_mode *plain,
                       const sb_group *group) {
    double power = power_of(plain, group), slope = 0;
    for (int k = group->first_mode; k < group->first_mode + group->mode_count;
         k++)
        slope += share_of(plain, k, power, group->mode_count) * slopes[k];
    return slope;
}

/* --- all groups ----------------------------------------------------------- */

/* Plain modes are orthogonal and have the same mass, so over the whole surface
 * the mean of phi^2 is the same for all of them. */
static double error_of(const sb_mode *plain, int count,
                       const sb_groups *groups) {
    double before[SB_BANDS] = {0}, after[SB_BANDS] = {0};
    for (int k = 0; k < count; k++) {
        double g = plain[k].radiation;
        sb_bands_add(before, plain[k].freq_hz,
                     g * g / (plain[k].sigma_per_s + 1e-3));
    }
    for (int i = 0; i < groups->group_count; i++) {
        sb_mode mode = mode_of(plain, &groups->groups[i]);
        sb_bands_add(after, mode.freq_hz,
                     power_of(plain, &groups->groups[i]) /
                         (mode.sigma_per_s + 1e-3));
    }
    return sb_bands_error_db(before, after);
}

/* Take over the arrays of `groups`. */
static bool adopt(sb_model *model, sb_groups *groups, sb_merging *merging) {
    size_t count = (size_t)groups->group_count;
    merging->groups = sb_alloc(count, sizeof *merging->groups);
    sb_mode *modes = sb_alloc(count, sizeof *modes);
    if (!merging->groups || !modes) {
        sb_free(modes);
        return false;
    }
    merging->plain = model->modes;
    merging->plain_count = model->mode_count;
    merging->group_count = groups->group_count;
    merging->error_db = error_of(merging->plain, merging->plain_count, groups);
    merging->terms = groups->terms;
    groups->terms = NULL;
    for (int i = 0; i < groups->group_count; i++) {
        const sb_group *group = &groups->groups[i];
        modes[i] = mode_of(merging->plain, group);
        merging->groups[i] =
            (sb_merged_group){group->first_mode, group->mode_count,
                              group->row_count, group->first_term};
        /* In place: no group begins below its own number. */
        if (model->slopes) {
            model->slopes[i] = slope_of(model->slopes, merging->plain, group);
        }
    }
    model->modes = modes;
    model->mode_count = groups->group_count;
    model->merging = merging;
    return true;
}

static sb_status group_modes(sb_model *model, sb_far_set *heard,
                             double *freqs_hz, double *levels,
                             sb_groups *groups, sb_error *err) {
    int count = model->mode_count;
    double merge = sb_shape_merge(&model->shape, false);
    for (int k = 0; k < count; k++) {
        freqs_hz[k] = model->modes[k].freq_hz;
        levels[k] = model->modes[k].radiation;
    }
    heard->levels = levels;
    sb_compress_pool(freqs_hz, count);
    /* Fewer limens than one need more groups. */
    int most = merge < 1 ? count : SB_COMPRESS_MOST;
    return sb_compress_set(freqs_hz, heard, count, merge, most, groups, err);
}

sb_status sb_model_merge(sb_model *model, const sb_far *fars, int far_count,
                         sb_error *err) {
    int count = model->mode_count;
    if (count < 2 || !(sb_shape_merge(&model->shape, false) > 0)) return SB_OK;
    sb_far_set heard = {.fars = fars, .far_count = far_count};
    sb_groups groups = {0};
    double *freqs_hz = sb_alloc((size_t)count, sizeof *freqs_hz);
    double *levels = sb_alloc((size_t)count, sizeof *levels);
    sb_merging *merging = sb_alloc(1, sizeof *merging);
    sb_status status = SB_NO_MEMORY;
    if (freqs_hz && levels && merging) {
        status = group_modes(model, &heard, freqs_hz, levels, &groups, err);
        bool is_merged = !status && groups.group_count < count;
        if (is_merged && !adopt(model, &groups, merging)) status = SB_NO_MEMORY;
    }
    if (!model->merging) sb_merging_free(merging);
    sb_free(freqs_hz);
    sb_free(levels);
    sb_groups_free(&groups);
    if (status != SB_NO_MEMORY) return status;
    return sb_fail(err, status, "%s: out of memory to merge %d modes",
                   sb_shape_kind_name(model->shape.kind), count);
}
