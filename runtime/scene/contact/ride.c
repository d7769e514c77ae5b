/* How a ball that rolls is computed: with all modes of its bodies, as a press,
 * or, where there are many, by a known force (dsp/contact/rolling_ride.h). Control
 * thread. */
#include "runtime/base/memory.h"
#include "runtime/dsp/contact/rolling_ride.h"
#include "runtime/engine/lasting_def.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/plan/diffuse_part.h"
#include "runtime/scene/state/state.h"

#include <math.h>

/* Balls on one body that are solved together with its modes. The time for each
 * grows with the modes and with the number of balls. */
enum { BALLS_MOST = 4 };

static bool is_same(sb_body_id a, sb_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/* A held wall or floor that does not ring joins no bodies. */
static bool rings(const sb_scene *scene, sb_body_id id) {
    return sb_scene_has(scene, id) &&
           sb_planned_rings(&scene_body_of(scene, id)->declared);
}

static int count_balls(const sb_scene *scene, sb_body_id body) {
    int count = 0;
    for (int i = 0; i < scene->contact_count; i++) {
        const scene_contact *contact = &scene->contacts[i];
        sb_contact_id id = {(uint32_t)i, contact->generation};
        bool is_on =
            is_same(contact->body[0], body) || is_same(contact->body[1], body);
        count += contact->is_ball && is_on && sb_scene_has_contact(scene, id);
    }
    return count;
}

bool scene_rides(const sb_scene *scene, const sb_lasting_setup *setup) {
    if (setup->kind != SB_CONTACT_ROLL) return false;
    /* A press has the force it has. The world may roll anything on anything:
     * its bodies would become one large system. */
    if (setup->level != 1.0 || setup->is_of_world) return true;
    sb_body_id bodies[2] = {setup->body, setup->with};
    for (int i = 0; i < 2; i++)
        if (rings(scene, bodies[i]) &&
            count_balls(scene, bodies[i]) >= BALLS_MOST)
            return true;
    return false;
}

double scene_mobility(const double *weights, const scene_body *body) {
    if (!body || !sb_planned_rings(&body->declared)) return 0.0;
    const sb_mode *modes = sb_model_modes(body->declared.model);
    int count = sb_model_mode_count(body->declared.model);
    double square = 0.0, highest_hz = 0.0;
    for (int k = 0; k < count; k++) {
        square += weights[k] * weights[k];
        highest_hz = fmax(highest_hz, modes[k].freq_hz);
    }
    return highest_hz > 0.0 ? 0.25 * square / highest_hz : 0.0;
}

sb_status scene_ride(const sb_scene *scene, sb_lasting_def *def,
                     const scene_body *const body[2], sb_ride_def *ride,
                     sb_error *err) {
    sb_bank_mode *modes[2] = {NULL, NULL};
    sb_ride_side sides[2] = {{0}};
    sb_status status = SB_OK;
    for (int i = 0; i < 2; i++) {
        if (!body[i] || !sb_planned_rings(&body[i]->declared)) continue;
        modes[i] = scene_tuned_modes(scene, body[i]);
        if (!modes[i])
            status = sb_fail(err, SB_NO_MEMORY, "out of memory for modes");
        sides[i] = (sb_ride_side){modes[i], def->weights[i],
                                  sb_planned_mode_count(&body[i]->declared)};
    }
    if (!status) {
        ride->law = def->law;
        ride->mass_kg = def->mass_kg;
        ride->inverse_mass = def->inverse_mass;
        sb_ride_choose(ride, sides, sb_engine_sample_rate(scene->engine));
        def->ride = ride;
        def->model = SB_LASTING_KNOWN;
    }
    sb_free(modes[0]);
    sb_free(modes[1]);
    return status;
}
