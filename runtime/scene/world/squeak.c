/* Squeaks: what slides slowly between bodies with more friction at rest than in
 * motion sticks and slips. Such a contact rubs (contact_kinds.def) along the
 * surface, while its asperities push into it as those of any slide: it has two
 * lasting contacts. Friction falls from the static to the kinetic coefficient over
 * the slip squeak_m_s of the world's rules, and what falls with speed feeds the
 * modes. The motion has the kinetic friction alone. The slide has the mean of the
 * slip, which is that of the bodies whether they stick in between or not.
 * Control thread. */
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

/* A squeak that has begun lasts up to this multiple of the slip. */
#define STAY 1.5

/* Static and kinetic friction of the pair. False: neither has a static one. */
static bool frictions(const sb_scene *scene, const world_contact *contact,
                      double *at_rest, double *moving) {
    double rest[2], slip[2];
    bool has_rest[2], has_slip[2];
    for (int i = 0; i < 2; i++) {
        const sb_body_def *def =
            &scene_side(scene, contact->body[i])->declared.def;
        const sb_motion_part *moves = &def->moves;
        slip[i] = sb_motion_friction(moves, scene_material(def));
        has_slip[i] = moves->friction >= 0.0;
        has_rest[i] = moves->static_friction >= 0.0;
        rest[i] = has_rest[i] ? moves->static_friction : slip[i];
    }
    *at_rest = sb_pair_mix(rest[0], has_rest[0], rest[1], has_rest[1]);
    *moving = sb_pair_mix(slip[0], has_slip[0], slip[1], has_slip[1]);
    return has_rest[0] || has_rest[1];
}

bool scene_squeaks(const sb_scene *scene, const world_contact *contact) {
    double at_rest, moving, most_m_s = scene->world_rules.squeak_m_s;
    if (contact->sounds_as_squeak) most_m_s *= STAY;
    return contact->last.state == SB_SLIDING &&
           sb_vec3_length(contact->last.slip_m_s) < most_m_s &&
           frictions(scene, contact, &at_rest, &moving) && at_rest > moving;
}

void scene_squeak_setup(const sb_scene *scene, const world_contact *contact,
                        sb_lasting_setup *setup) {
    setup->kind = SB_CONTACT_RUB;
    setup->stribeck_m_s = scene->world_rules.squeak_m_s;
    (void)frictions(scene, contact, &setup->mu_static, &setup->mu_kinetic);
    /* 0 stands for the default. */
    setup->mu_kinetic = fmax(setup->mu_kinetic, 1e-9);
}

/* Whether any mode of the body moves along `direction` there. */
static bool yields(const sb_scene *scene, sb_body_id id, sb_vec3 point,
                   sb_vec3 direction) {
    scene_body *body = scene_side(scene, id);
    if (!sb_planned_rings(&body->declared)) return false;
    sb_place place = {.point = point,
                      .has_point = true,
                      .direction = direction,
                      .has_direction = true};
    impact_side side = scene_impact_side(body, &place);
    scene_side_weigh(&side, scene->weights);
    for (int k = 0; k < sb_model_mode_count(body->declared.model); k++)
        if (fabs(scene->weights[k]) > 0.0) return true;
    return false;
}

void scene_squeak_aim(const sb_scene *scene, const world_contact *contact,
                      sb_lasting_change *change) {
    const sb_tracked *e = &contact->last;
    double slip = sb_vec3_length(e->slip_m_s);
    if (!(slip > 0.0)) return;
    /* Friction pulls the ground along with what slides on it. */
    double sign = contact->under == 1 ? 1.0 : -1.0;
    sb_vec3 along = sb_vec3_scale(e->slip_m_s, sign / slip);
    int under = contact->under;
    if (!yields(scene, contact->body[under], e->point, along) &&
        !yields(scene, contact->body[1 - under], e->point, along))
        return;
    change->place[0].direction = along;
    change->place[1].direction = sb_vec3_scale(along, -1.0);
}
