/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/finish.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/compress.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <string.h>

enum {
    JUDGED_VERTICES =
        1024 /* impacts over which the error of merging is averaged */
};

typedef struct making {
    const sb_solution *solution;
    const sb_material *material;
    const sb_finish_def *def;
    int first, count;      /* modes in the audible range */
    double *freqs_hz;      /* [count], pooled */
    sb_far *fars;          /* [count] */
    sb_patterns *patterns; /* of them; or NULL */
    sb_groups groups;
    sb_finish_report report;
    double shape_scale;
    int exact_count;
    sb_radiating radiation; /* that it could have */
} making;

sb_finish_def sb_finish_def_default(void) {
    return (sb_finish_def){
        .min_hz = 20, .max_hz = 22000, .merge = 1, .max_modes = 4096};
}

double sb_solution_lambda(const sb_material *material, double freq_hz) {
    double omega = SB_TAU * freq_hz;
    return omega * omega * material->density / material->youngs_modulus;
}

static double frequency(const making *m, int mode) {
    return sqrt(m->solution->lambdas[mode] * m->material->youngs_modulus /
                m->material->density) /
           SB_TAU;
}

static sb_status check(const sb_material *material, const sb_finish_def *def,
                       sb_error *err) {
    if (!(def->min_hz > 0 && def->max_hz > def->min_hz && def->max_hz <= 1e6)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "limits: min_hz must be above 0 and below max_hz, and "
                       "max_hz at most 1e+06 Hz, got %g and %g",
                       def->min_hz, def->max_hz);
    }
    if (def->max_modes < 1) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "limits: max_modes must be 1 or more, got %d",
                       def->max_modes);
    }
    if (!(def->merge >= 0 && def->merge <= 100)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "limits: merge must be 0 to 100, got %g", def->merge);
    }
    return sb_material_check(material, err);
}

/* --- the audible part ----------------------------------------------------- */

static sb_status cut(making *m, sb_error *err) {
    int all = m->solution->mode_count;
    int total = all < m->def->max_modes ? all : m->def->max_modes;
    while (m->first < total && frequency(m, m->first) < m->def->min_hz)
        m->first++;
    int end = m->first;
    while (end < total && frequency(m, end) <= m->def->max_hz)
        end++;
    m->count = end - m->first;
    m->report.below_count = m->first;
    m->report.above_count = all - end;
    m->report.is_incomplete =
        (total < all && frequency(m, total) <= m->def->max_hz) ||
        m->solution->facts.lambda_bound <
            sb_solution_lambda(m->material, m->def->max_hz);
    if (m->count > 0) return SB_OK;
    if (total == 0) return sb_fail(err, SB_NO_MODES, "there are no modes");
    bool is_high = m->first < total;
    double hz = frequency(m, is_high ? m->first : total - 1);
    return sb_fail(err, SB_NO_MODES,
                   "the %s mode lies at %.4g Hz, %s the limit of %.4g Hz",
                   is_high ? "lowest" : "highest", hz,
                   is_high ? "above" : "below",
                   is_high ? m->def->max_hz : m->def->min_hz);
}

static double sheet_of(const sb_solution *solution) {
    if (!solution->facts.is_sheet) return 0;
    return fmax(solution->facts.thickness_m, 1e-9);
}

static double deform_radius_of(const sb_solution *solution, bool is_exact) {
    const sb_solution_facts *facts = &solution->facts;
    if (!facts->is_lumped || is_exact) return 0;
    return sb_surface_radius_m(facts->area_m2 / (facts->is_sheet ? 2 : 1),
                               facts->is_sheet);
}

/* The motion of a deformable body is split into all of its modes: not even those
 * of equal pitch become one. */
static void part_pitches(making *m) {
    for (int k = 1; k < m->count; k++) {
        double *hz = &m->freqs_hz[k];
        if (!(*hz > hz[-1])) *hz = nextafter(hz[-1], INFINITY);
    }
}

static sb_status listen(making *m, sb_error *err) {
    const sb_solution *solution = m->solution;
    bool is_put_off = false;
    m->freqs_hz = sb_alloc((size_t)m->count, sizeof *m->freqs_hz);
    m->fars = sb_alloc((size_t)m->count, sizeof *m->fars);
    bool is_exact = m->def->radiation == SB_RADIATES_EXACT;
    if (is_exact) m->patterns = sb_patterns_make(m->count);
    if (!m->freqs_hz || !m->fars || (is_exact && !m->patterns)) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                       m->count);
    }
    for (int k = 0; k < m->count; k++)
        m->freqs_hz[k] = frequency(m, m->first + k);
    if (is_exact && solution->facts.is_lumped)
        part_pitches(m);
    else
        sb_compress_pool(m->freqs_hz, m->count);
    sb_radiation_def def = {
        .vertex_count = solution->vertex_count,
        .face_count = solution->face_count,
        .mode_count = m->count,
        .vertices = solution->vertices,
        .faces = solution->faces,
        .shapes = solution->shapes,
        .stride = solution->mode_count,
        .first_mode = m->first,
        .shape_scale = m->shape_scale,
        .freqs_hz = m->freqs_hz,
        .sheet_m = sheet_of(solution),
        .deform_radius_m = deform_radius_of(solution, is_exact),
        .is_exact = is_exact,
        .is_lumped = solution->facts.is_lumped,
        .exact_count = &m->exact_count,
        .patterns = m->patterns,
        .is_put_off = &is_put_off,
    };
    sb_status status = sb_radiation(&def, m->fars, err);
    if (!status) m->radiation = m->def->radiation;
    if (!is_put_off) return status;
    sb_patterns_free(m->patterns);
    m->patterns = NULL;
    m->radiation = SB_RADIATES_QUICK;
    m->exact_count = 0;
    return status;
}

/* --- the error of merging ------------------------------------------------- */

static const float *source_at(const making *m, int vertex,
                              const sb_group *group) {
    size_t row = (size_t)vertex * (size_t)m->solution->mode_count;
    size_t mode = (size_t)(m->first + group->first_mode);
    return m->solution->shapes + 3 * (row + mode);
}

/* psi of one row of L at a vertex. */
static void member_at(const making *m, const sb_group *group,
                      const double *terms, int row, int vertex, double psi[3]) {
    const float *phi = source_at(m, vertex, group);
    const double *l =
        terms + group->first_term + (size_t)row * (size_t)group->mode_count;
    psi[0] = psi[1] = psi[2] = 0;
    for (int j = 0; j < group->mode_count; j++, phi += 3) {
        double term = l[j] * m->shape_scale;
        psi[0] += term * phi[0];
        psi[1] += term * phi[1];
        psi[2] += term * phi[2];
    }
}

static double energy_of(const making *m, const sb_groups *groups, int i) {
    const sb_group *group = &groups->groups[i];
    int stride = m->solution->vertex_count / JUDGED_VERTICES + 1;
    double sum = 0, psi[3];
    for (int v = 0; v < m->solution->vertex_count; v += stride) {
        for (int r = 0; r < group->row_count; r++) {
            member_at(m, group, groups->terms, r, v, psi);
            sum += psi[0] * psi[0] + psi[1] * psi[1] + psi[2] * psi[2];
        }
    }
    double sigma = sb_material_sigma(m->material, SB_TAU * group->freq_hz);
    /* Undamped modes would have no finite energy. */
    return sum * group->radiation * group->radiation / (sigma + 1e-3);
}

static void fill_bands(const making *m, const sb_groups *groups,
                       double bands[SB_BANDS]) {
    for (int i = 0; i < groups->group_count; i++) {
        sb_bands_add(bands, groups->groups[i].freq_hz, energy_of(m, groups, i));
    }
}

/* The reference is the sound with nothing merged. */
static sb_status judge(making *m, sb_error *err) {
    m->report.merged_count = 0;
    int kept = 0;
    for (int i = 0; i < m->groups.group_count; i++)
        kept += m->groups.groups[i].mode_count;
    m->report.above_count += m->count - kept;
    m->report.merged_count = kept - m->groups.group_count;
    if (!(m->def->merge > 0) || m->report.merged_count == 0) return SB_OK;
    sb_groups apart;
    sb_status status =
        sb_compress(m->freqs_hz, m->fars, kept, 0, kept, &apart, err);
    if (status) return status;
    double before[SB_BANDS] = {0}, after[SB_BANDS] = {0};
    fill_bands(m, &apart, before);
    fill_bands(m, &m->groups, after);
    m->report.error_db = sb_bands_error_db(before, after);
    sb_groups_free(&apart);
    return SB_OK;
}

/* --- the result ----------------------------------------------------------- */

static void write_modes(const making *m, sb_finished_mode *modes) {
    int32_t member = 0;
    for (int i = 0; i < m->groups.group_count; i++) {
        const sb_group *group = &m->groups.groups[i];
        double omega = SB_TAU * group->freq_hz;
        modes[i] = (sb_finished_mode){
            .freq_hz = group->freq_hz,
            .sigma_per_s = sb_material_sigma(m->material, omega),
            .radiation = group->radiation,
            .first_member = member,
            .member_count = group->row_count,
        };
        /* The steps of a deformable body do not take it from the motion. */
        if (m->radiation == SB_RADIATES_EXACT && !m->solution->facts.is_lumped)
            modes[i].sigma_per_s += sb_radiation_loss(group->radiation);
        member += group->row_count;
    }
}

static void write_shapes(const making *m, float *shapes) {
    double psi[3];
    for (int v = 0; v < m->solution->vertex_count; v++) {
        for (int i = 0; i < m->groups.group_count; i++) {
            const sb_group *group = &m->groups.groups[i];
            for (int r = 0; r < group->row_count; r++, shapes += 3) {
                member_at(m, group, m->groups.terms, r, v, psi);
                for (int j = 0; j < 3; j++)
                    shapes[j] = (float)psi[j];
            }
        }
    }
}

static sb_status deliver(const making *m, sb_finished *out, sb_error *err) {
    size_t vertices = (size_t)m->solution->vertex_count;
    size_t members = (size_t)m->groups.row_count;
    sb_finished_mode *modes =
        sb_alloc((size_t)m->groups.group_count, sizeof *modes);
    float *shapes = sb_alloc(vertices * members, sizeof(float[3]));
    sb_patterns *patterns =
        m->patterns ? sb_patterns_group(m->patterns, &m->groups) : NULL;
    if (!modes || !shapes || !m->patterns != !patterns) {
        sb_free(modes);
        sb_free(shapes);
        sb_patterns_free(patterns);
        return sb_fail(err, SB_NO_MEMORY,
                       "out of memory for %d modes at %d vertices",
                       m->groups.group_count, m->solution->vertex_count);
    }
    write_modes(m, modes);
    write_shapes(m, shapes);
    *out = (sb_finished){
        .vertex_count = m->solution->vertex_count,
        .mode_count = m->groups.group_count,
        .member_count = m->groups.row_count,
        .modes = modes,
        .shapes = shapes,
        .report = m->report,
        .radiation = m->radiation,
        .exact_count = m->exact_count,
        .patterns = patterns,
    };
    return SB_OK;
}

sb_status sb_solution_finish(const sb_solution *solution,
                             const sb_material *material,
                             const sb_finish_def *def, sb_finished *out,
                             sb_error *err) {
    making m = {.solution = solution, .material = material, .def = def};
    sb_status status = check(material, def, err);
    if (status) return status;
    m.shape_scale = 1 / sqrt(material->density);
    status = cut(&m, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = listen(&m, err);
    if (!status) status = sb_stop_check(err);
    if (!status) {
        /* Fewer limens than one need more groups. */
        int most = def->merge < 1 ? m.count : SB_COMPRESS_MOST;
        status = sb_compress(m.freqs_hz, m.fars, m.count, def->merge, most,
                             &m.groups, err);
    }
    if (!status) status = sb_stop_check(err);
    if (!status) status = judge(&m, err);
    if (!status) status = sb_stop_check(err);
    if (!status) status = deliver(&m, out, err);
    sb_free(m.freqs_hz);
    sb_free(m.fars);
    sb_patterns_free(m.patterns);
    sb_groups_free(&m.groups);
    return status;
}

void sb_finished_free(sb_finished *finished) {
    sb_patterns_free(finished->patterns);
    if (finished->owner) {
        sb_solution_release(finished->owner);
    } else {
        sb_free((void *)finished->modes);
        sb_free((void *)finished->shapes);
    }
    *finished = (sb_finished){0};
}

/* --- questions ------------------------------------------------------------ */

static sb_status hear_members(const sb_solution *solution,
                              const sb_finished *finished,
                              const double *freqs_hz, double *member_hz,
                              sb_far *fars, sb_radiating *how, double *levels,
                              sb_patterns *members, sb_error *err) {
    bool is_put_off = false;
    for (int k = 0; k < finished->mode_count; k++) {
        const sb_finished_mode *mode = &finished->modes[k];
        for (int i = 0; i < mode->member_count; i++)
            member_hz[mode->first_member + i] = freqs_hz[k];
    }
    sb_radiation_def def = {
        .vertex_count = solution->vertex_count,
        .face_count = solution->face_count,
        .mode_count = finished->member_count,
        .vertices = solution->vertices,
        .faces = solution->faces,
        .shapes = finished->shapes,
        .stride = finished->member_count,
        .shape_scale = 1,
        .freqs_hz = member_hz,
        .sheet_m = sheet_of(solution),
        .deform_radius_m =
            deform_radius_of(solution, *how == SB_RADIATES_EXACT),
        .is_exact = *how == SB_RADIATES_EXACT,
        .is_lumped = solution->facts.is_lumped,
        .patterns = members,
        .is_put_off = &is_put_off,
    };
    sb_status status = sb_radiation(&def, fars, err);
    if (is_put_off) *how = SB_RADIATES_QUICK;
    for (int k = 0; !status && k < finished->mode_count; k++) {
        const sb_finished_mode *mode = &finished->modes[k];
        const sb_far *far = fars + mode->first_member;
        levels[k] = 0;
        for (int i = 0; i < mode->member_count; i++)
            levels[k] += sb_far_product(&far[i], &far[i]);
        levels[k] = sqrt(levels[k]);
    }
    return status;
}

/* The patterns of modes of one member. */
static bool take_single(const sb_finished *finished, const sb_patterns *members,
                        sb_patterns *patterns) {
    for (int k = 0; k < finished->mode_count; k++) {
        const sb_finished_mode *mode = &finished->modes[k];
        if (mode->member_count > 1) continue;
        if (!sb_patterns_put(patterns, k, &members->modes[mode->first_member]))
            return false;
    }
    return true;
}

sb_status sb_finished_hear(const sb_solution *solution,
                           const sb_finished *finished, const double *freqs_hz,
                           sb_radiating *how, double *levels,
                           sb_patterns *patterns, sb_error *err) {
    size_t members = (size_t)finished->member_count;
    double *member_hz = sb_alloc(members, sizeof *member_hz);
    sb_far *fars = sb_alloc(members, sizeof *fars);
    sb_patterns *own = patterns ? sb_patterns_make((int)members) : NULL;
    sb_status status = SB_OK;
    bool is_made = member_hz && fars && (own || !patterns);
    if (is_made)
        status = hear_members(solution, finished, freqs_hz, member_hz, fars,
                              how, levels, own, err);
    if (is_made && !status && own)
        is_made = take_single(finished, own, patterns);
    if (!is_made)
        status = sb_fail(err, SB_NO_MEMORY, "out of memory for %d modes",
                         finished->mode_count);
    sb_free(member_hz);
    sb_free(fars);
    sb_patterns_free(own);
    return status;
}

void sb_finished_weights(const sb_finished *finished, const int32_t corners[3],
                         const double parts[3], sb_vec3 direction,
                         double *weights) {
    const float *at[3];
    for (int j = 0; j < 3; j++) {
        at[j] = finished->shapes +
                (size_t)corners[j] * (size_t)finished->member_count * 3;
    }
    double d[3] = {direction.x, direction.y, direction.z};
    for (int k = 0; k < finished->mode_count; k++) {
        const sb_finished_mode *mode = &finished->modes[k];
        double one = 0, sum = 0;
        for (int i = 0; i < mode->member_count; i++) {
            size_t member = 3 * (size_t)(mode->first_member + i);
            one = 0;
            for (int j = 0; j < 3; j++) {
                const float *psi = at[j] + member;
                one +=
                    parts[j] * (psi[0] * d[0] + psi[1] * d[1] + psi[2] * d[2]);
            }
            sum += one * one;
        }
        weights[k] = mode->member_count == 1 ? one : sqrt(sum);
    }
}

const sb_finished *sb_model_finished(const sb_model *model) {
    return model->base ? model->base->finished : model->finished;
}

const sb_finish_report *sb_model_finish_report(const sb_model *model) {
    const sb_finished *finished = sb_model_finished(model);
    return finished ? &finished->report : NULL;
}

const sb_pattern *sb_model_patterns(const sb_model *model) {
    const sb_patterns *own = model->patterns;
    if (!own && model->finished) own = model->finished->patterns;
    return own ? own->modes : NULL;
}

sb_radiating sb_model_radiating(const sb_model *model, int *exact_count) {
    const sb_model *source = model->base ? model->base : model;
    const sb_finished *finished = source->finished;
    *exact_count = finished ? finished->exact_count : source->exact_count;
    if (source->is_put_off) return SB_RADIATES_QUICK;
    return finished ? finished->radiation : source->shape.radiation;
}

/* --- the shapes behind one mode ------------------------------------------- */

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
