/* Damping by resting contacts: a body that lies on another damps both. Control
 * thread.
 *
 * A thing that rests under the force F on a contact of Hertz' law F = K x^a has
 * the spring k = dF/dx = a K^(1/a) F^((a-1)/a) under its mass m = F / g. A
 * small share of the impedance sqrt(k m) is lost, more if they
 * bounce less:
 *
 *     c = s (1 - e^2) sqrt(k m),     s = 0.01
 *
 * A bronze ring of 100 g on wood then has about 2 N s/m, like a finger; a steel
 * ball of 10 mm on steel 0.1. s is chosen by ear.
 *
 * Symbols: K law.stiffness, a law.exponent, F force_n, e restitution.
 */
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

#define LOST_SHARE 0.01
#define RAMP_S     0.02

/* Most resting contacts that damp one body; more add little. */
enum { MOST_RESTING = 4 };

double scene_pair_restitution(const sb_scene *scene, const sb_body_id body[2]) {
    double e[2];
    bool says[2];
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def = &scene_side(scene, body[i])->declared.def;
        e[i] = sb_motion_restitution(&def->moves,
                                     def->has_material ? &def->material : NULL);
        says[i] = def->moves.restitution >= 0.0;
    }
    return sb_pair_mix(e[0], says[0], e[1], says[1]);
}

static double damping_of(const sb_scene *scene, const world_contact *contact) {
    const world_foreign *foreign = &scene->world->foreign;
    double gravity = sb_vec3_length(
        foreign->is_on ? foreign->gravity : scene->world_rules.gravity);
    double force = contact->last.force_n;
    if (!(gravity > 0.0) || !(force > 0.0)) return 0.0;
    double both = scene_pair_restitution(scene, contact->body);
    double kept = both * both;
    double mass_kg = force / gravity;
    sb_hertz hertz = scene_hertz(scene, contact->body, mass_kg);
    double a = hertz.law.exponent;
    double k =
        a * pow(hertz.law.stiffness, 1.0 / a) * pow(force, (a - 1.0) / a);
    return LOST_SHARE * (1.0 - kept) * sqrt(k * mass_kg);
}

static int count_resting(const scene_world *world, sb_body_id id) {
    int count = 0;
    for (int i = 0; i < world->contact_count; i++) {
        for (int k = 0; k < 2; k++) {
            const sb_touch_id *touch = &world->contacts[i].touch[k];
            count += touch->number != 0 && touch->body.index == id.index &&
                     touch->body.generation == id.generation;
        }
    }
    return count;
}

static bool needs_touch(const sb_scene *scene, const world_contact *contact,
                        int side) {
    sb_body_id id = contact->body[side];
    return !sb_scene_has_touch(scene, contact->touch[side]) &&
           sb_planned_rings(&scene_side(scene, id)->declared) &&
           count_resting(scene->world, id) < MOST_RESTING;
}

void scene_rest(sb_scene *scene, world_contact *contact, double time_s) {
    if (contact->is_settled) return;
    for (int i = 0; i < 2; i++) {
        /* A new script removes all touches. */
        if (!sb_scene_has_touch(scene, contact->touch[i]))
            contact->touch[i] = (sb_touch_id){{0, 0}, 0};
        if (!needs_touch(scene, contact, i)) continue;
        sb_touch_def def = {.place = {.point = contact->last.point,
                                      .has_point = true,
                                      .direction = contact->last.normal,
                                      .has_direction = true},
                            .damping_ns_m = damping_of(scene, contact),
                            .ramp_s = RAMP_S};
        if (!(def.damping_ns_m > 0.0)) continue;
        /* When out of memory, the contact does not damp. */
        sb_status status = sb_scene_touch(scene, contact->body[i], &def, time_s,
                                          &contact->touch[i], NULL);
        if (status) contact->touch[i] = (sb_touch_id){{0, 0}, 0};
    }
    contact->is_settled = true;
}

void scene_unrest(sb_scene *scene, world_contact *contact, double time_s) {
    contact->is_settled = false;
    for (int i = 0; i < 2; i++) {
        if (sb_scene_has_touch(scene, contact->touch[i])) {
            /* When out of memory, it stays until the body is removed. */
            sb_status status =
                sb_scene_lift(scene, contact->touch[i], RAMP_S, time_s, NULL);
            (void)status;
        }
        contact->touch[i] = (sb_touch_id){{0, 0}, 0};
    }
}

void scene_rest_again(sb_scene *scene) {
    scene_world *world = scene->world;
    for (int i = 0; world && i < world->contact_count; i++)
        world->contacts[i].is_settled = false;
}
