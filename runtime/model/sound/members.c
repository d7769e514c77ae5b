/* Shapes of the members of merged modes (members.h). Thread: control,
 * workers. */
#include "runtime/model/sound/members.h"

#include "runtime/model/merging.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"

static const sb_model *source_of(const sb_model *model) {
    return model->base ? model->base : model;
}

int sb_model_member_count(const sb_model *model, int mode) {
    const sb_model *source = source_of(model);
    if (source->finished) return source->finished->modes[mode].member_count;
    if (!source->merging) return 1;
    const sb_merged_group *group = &source->merging->groups[mode];
    return group->mode_count > 1 ? group->row_count : 1;
}

/* --- models of elements --------------------------------------------------- */

static sb_vec3 of_elements(const sb_model *source, int member,
                           sb_model_point point) {
    const sb_finished *finished = source->finished;
    const int32_t *corners = source->solution->faces[point.face];
    const double parts[3] = {1 - point.u - point.v, point.u, point.v};
    sb_vec3 sum = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
        size_t row = (size_t)corners[j] * (size_t)finished->member_count;
        const float *psi = finished->shapes + 3 * (row + (size_t)member);
        sum = sb_vec3_add(
            sum, sb_vec3_scale((sb_vec3){psi[0], psi[1], psi[2]}, parts[j]));
    }
    return sum;
}

/* --- closed forms --------------------------------------------------------- */

/* Plain modes by the form itself, which knows a mode by its shape only. */
static sb_vec3 of_form(const sb_model *source, int first, int count,
                       const double *terms, sb_model_point point) {
    static const sb_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double phi[SB_PLAIN_MODES_MOST], sum[3] = {0, 0, 0};
    sb_model part = *source;
    part.shapes += first;
    part.mode_count = count;
    for (int axis = 0; axis < 3; axis++) {
        part.ops->weights(&part, point.u, point.v, axes[axis], phi);
        for (int j = 0; j < count; j++)
            sum[axis] += (terms ? terms[j] : 1.0) * phi[j];
    }
    return (sb_vec3){sum[0], sum[1], sum[2]};
}

static sb_vec3 of_group(const sb_model *source, int mode, int member,
                        sb_model_point point) {
    const sb_merging *merging = source->merging;
    if (!merging) return of_form(source, mode, 1, NULL, point);
    const sb_merged_group *group = &merging->groups[mode];
    if (group->mode_count == 1)
        return of_form(source, group->first_mode, 1, NULL, point);
    size_t row = (size_t)member * (size_t)group->mode_count;
    return of_form(source, group->first_mode, group->mode_count,
                   merging->terms + group->first_term + row, point);
}

sb_vec3 sb_model_member(const sb_model *model, int mode, int member,
                        sb_model_point point) {
    const sb_model *source = source_of(model);
    sb_vec3 move = {0, 0, 0};
    if (source->finished) {
        int first = source->finished->modes[mode].first_member;
        move = of_elements(source, first + member, point);
    } else if (!source->ops->faces) {
        move = of_group(source, mode, member, point);
    }
    return model->base ? sb_vec3_scale(move, model->base_weight) : move;
}
