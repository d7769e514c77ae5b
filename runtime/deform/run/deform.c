/* Creation, time, and what can be seen (deform.h). Thread: as deform.h. */
#include "runtime/deform/deform.h"

#include "runtime/base/memory.h"
#include "runtime/deform/contact/deform_touch.h"
#include "runtime/deform/contact/heard.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"
#include "runtime/model/linear/workers.h"

#include <math.h>
#include <string.h>

/* Shares of the limit 2 / w_max. Damping by stiffness lowers the limit to 0.88,
 * contacts need some more. */
static const double step_share = 0.85, step_share_contact = 0.8;

sb_deform_def sb_deform_def_default(void) {
    return (sb_deform_def){.air_density = 1.204, .speed_of_sound_m_s = 343.2};
}

sb_deform_body_def sb_deform_body_def_default(void) {
    const sb_material *steel = sb_material_find("steel");
    sb_deform_body_def def = {.rotation = sb_quat_identity()};
    if (steel) def.material = *steel;
    return def;
}

static sb_status check(const sb_deform_def *def, sb_error *err) {
    if (def->body_count < 1 || def->body_count > SB_DEFORM_BODIES)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: 1 to %d, got %d",
                       (int)SB_DEFORM_BODIES, def->body_count);
    if (def->collider_count < 0 || def->collider_count > SB_DEFORM_COLLIDERS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: at most %d colliders, got %d",
                       (int)SB_DEFORM_COLLIDERS, def->collider_count);
    if (def->ear_count < 0 || def->ear_count > SB_DEFORM_EARS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: at most %d ears, got %d",
                       (int)SB_DEFORM_EARS, def->ear_count);
    if (def->is_source && def->ear_count != 1)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: sources are heard by one ear, got "
                       "%d",
                       def->ear_count);
    if (!(def->air_density > 0) || !(def->speed_of_sound_m_s > 1) ||
        !isfinite(def->air_density) || !isfinite(def->speed_of_sound_m_s))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: air needs a density and a speed of "
                       "sound above 0");
    return SB_OK;
}

/* A mode that swings exactly once or half between two applications of damping
 * by mass may have no velocity at each of them. That must be above 40 kHz. */
static const double alpha_s = 12.5e-6;

/* In which what hovers loses its motion as a whole. */
static const double hover_s = 0.03;

static void choose_step(sb_deform *deform, double limit_s, double given_s) {
    bool touches = deform->collider_count > 0 || deform->touch;
    double share = touches ? step_share_contact : step_share;
    double step = given_s > 0 ? given_s : share * limit_s;
    deform->fine_steps = (int)fmax(1, ceil(1 / (FINE_RATE_HZ * step) - 1e-9));
    deform->step_s = 1.0 / ((double)FINE_RATE_HZ * deform->fine_steps);
    double dt = deform->step_s;
    deform->alpha_steps = ALPHA_STEPS;
    while (deform->alpha_steps > 1 && deform->alpha_steps * dt > alpha_s) {
        deform->alpha_steps /= 2;
    }
    for (int b = 0; b < deform->body_count; b++) {
        deform_body *body = &deform->bodies[b];
        double beta = body->material.beta;
        body->alpha_keep =
            exp(-body->material.alpha * deform->alpha_steps * dt);
        bool drifts = body->hovers && body->rigid == RIGID_FREE;
        body->rigid_keep =
            drifts ? exp(-deform->alpha_steps * dt / hover_s) : 1;
        if (is_braked(body)) deform->has_alpha = true;
        if (beta > 0) {
            body->rate = -expm1(-dt / (4 * beta));
            body->gain = beta * body->rate / dt;
        }
    }
}

static sb_status make(sb_deform *deform, const sb_deform_def *def,
                      sb_error *err) {
    double omega = 0;
    sb_status status = deform_build(deform, def, err);
    if (!status) status = deform_link(deform, err);
    if (!status) status = deform_centre_make(deform, err);
    if (!status && def->collider_count > 0)
        status = deform_colliders_make(deform, def, err);
    if (!status && def->bodies_touch) status = deform_touch_make(deform, err);
    if (!status) status = deform_sound_make(deform, err);
    if (!status) status = deform_state_make(deform, def, err);
    if (!status) status = deform_find_limit(deform, &omega, err);
    if (status) return status;
    choose_step(deform, 2 / omega, def->step_s);
    deform_smooth_set(deform);
    status = deform_sound_begin(deform, err);
    if (!status) deform_state_seal(deform);
    return status;
}

sb_status sb_deform_create(const sb_deform_def *def, sb_deform **out,
                           sb_error *err) {
    sb_status status = check(def, err);
    if (status) return status;
    const sb_deform_kernel *kernel =
        sb_deform_kernel_choose(def->instruction_set);
    if (!kernel)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: no instruction set \"%s\" here",
                       def->instruction_set);
    sb_deform *deform = sb_alloc(1, sizeof *deform);
    if (!deform)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    deform->kernel = kernel;
    deform->threads = def->threads > 0 ? def->threads : sb_workers_default();
    deform->team_s = deform->alone_s = INFINITY;
    deform->trial_step = CHECK_STEPS;
    deform->gravity_m_s2 = def->gravity_m_s2;
    deform->collider_count = def->collider_count;
    deform->ear_count = def->ear_count;
    deform->is_source = def->is_source;
    deform->must_stop = def->must_stop;
    deform->air_density = def->air_density;
    deform->speed_of_sound_m_s = def->speed_of_sound_m_s;
    status = make(deform, def, err);
    if (status) {
        sb_deform_destroy(deform);
        return status;
    }
    *out = deform;
    return SB_OK;
}

void sb_deform_destroy(sb_deform *deform) {
    if (!deform) return;
    void *blocks[] = {deform->bodies,       deform->rest,
                      deform->mass,         deform->moments,
                      deform->inverse_mass, deform->inertia,
                      deform->row_start,    deform->inverse_inertia,
                      deform->faces,        deform->tets,
                      deform->metrics,      deform->shells,
                      deform->forces,       deform->push,
                      deform->push_moment,  deform->chunk_of,
                      deform->energy_j,     deform->least,
                      deform->sums,         deform->node_chunks,
                      deform->group_chunks, deform->has_push,
                      deform->rigid,        deform->centre_weights,
                      deform->smooth_moves, deform->smooth_turns,
                      deform->state};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        sb_free(blocks[i]);
    }
    deform_sound_free(deform);
    deform_touch_free(deform);
    deform_colliders_free(deform);
    sb_free(deform);
}

/* ns per element and step, and per triangle, ear and frame: see `sandbell
 * bench deformable`. */
sb_deform_cost sb_deform_cost_of(const sb_deform *deform) {
    sb_deform_cost cost = {.step_s = deform->step_s,
                           .steps_per_s = 1 / deform->step_s,
                           .bytes = deform->bytes,
                           .node_count = deform->node_count};
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        if (body->is_sheet)
            cost.triangle_count += body->element_count;
        else
            cost.tet_count += body->element_count;
    }
    cost.seconds_per_s = cost.steps_per_s *
                         (55e-9 * cost.tet_count + 45e-9 * cost.triangle_count);
    if (!deform->sound) return cost;
    cost.surface_count = deform->sound->face_count;
    cost.seconds_per_s += SB_DEFORM_RATE_HZ * 40e-9 * cost.surface_count *
                              (2 + deform->ear_count) +
                          cost.steps_per_s * 2e-9 * deform->sound->node_count;
    return cost;
}

sb_deform_limit sb_deform_limit_of(const sb_deform *deform, int body) {
    const deform_sound *sound = deform->sound;
    int index = sound ? sound->body_of[body] : -1;
    if (index < 0) return (sb_deform_limit){INFINITY, INFINITY};
    double flat = deform->bodies[body].limit_hz;
    return (sb_deform_limit){flat, fmax(flat, sound->highest_hz[index])};
}

static sb_status failure_of(const sb_deform *deform, sb_error *err) {
    const sb_error *failure = &deform->state->failure;
    if (!failure->status) return SB_OK;
    return sb_fail(err, failure->status, "%s", failure->message);
}

static sb_status end_of(const sb_deform *deform, bool is_done, sb_error *err) {
    if (deform->state->failure.status || is_done)
        return failure_of(deform, err);
    return sb_fail(err, SB_INTERRUPTED,
                   "deformable bodies: stopped on the way at %.6g s",
                   sb_deform_time_s(deform));
}

static sb_status check_unread(const sb_deform *deform, double frames,
                              sb_error *err) {
    int64_t read = deform->state->frames_read;
    if (deform->colliders &&
        !deform_heard_has_room(deform, frames + sb_deform_lag_frames(deform)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: read the touches of colliders that "
                       "are heard before going on for more than %d frames",
                       (int)HEARD_FRAMES);
    if (!deform->sound || frames <= (double)read + SOUND_UNREAD_MOST)
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "deformable bodies: read the sound that is complete before "
                   "going on for more than %d frames",
                   (int)SOUND_UNREAD_MOST);
}

sb_status sb_deform_advance(sb_deform *deform, int64_t frames, sb_error *err) {
    sb_status status = check_unread(deform, (double)frames, err);
    return status ? status : end_of(deform, deform_run(deform, frames), err);
}

sb_status sb_deform_reach(sb_deform *deform, double time_s, sb_error *err) {
    if (!(time_s <= 1e6))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "deformable bodies: no time to reach: %g s", time_s);
    sb_status status = check_unread(deform, time_s * SB_DEFORM_RATE_HZ, err);
    if (status) return status;
    int64_t last = llround(time_s / deform->step_s);
    return end_of(deform, deform_steps(deform, last), err);
}

double sb_deform_time_s(const sb_deform *deform) {
    return (double)deform->state->step * deform->step_s;
}
