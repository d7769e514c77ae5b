/* SPDX-License-Identifier: MIT */
/* Impacts of the rigid-body world as a sound designer wants them: the fields of a
 * strike that bend its physics (strike.h), given for all of them by sb.world or by
 * a body for its own. How bodies move does not depend on it. Control thread. */
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>
#include <stdio.h>

const sb_strike_def *scene_design(const sb_scene *scene,
                                  const sb_body_id body[2]) {
    for (int i = 0; i < 2; i++) {
        const sb_motion_part *moves =
            &scene_side(scene, body[i])->declared.def.moves;
        if (moves->has_impacts) return &moves->impacts;
    }
    return &scene->declared.world.impact;
}

static bool bends(const sb_strike_def *design) {
    return design->curve.count > 0 || design->limit_ns > 0.0 ||
           design->onset_m_s > 0.0 || design->stiffening_per_m > 0.0;
}

/* A surface that stiffens by s per depth makes an impact of the depth A shorter, as
 * the onset does at s A = v / v0 (strike.h). */
static void stiffen(const sb_strike_def *strike, sb_hertz *hertz) {
    if (!(strike->stiffening_per_m > 0.0)) return;
    sb_contact_law *law = &hertz->law;
    sb_impact_estimate e = sb_strike_press(strike, hertz, 0.0);
    double deep = pow(e.peak_force_n / law->stiffness, 1.0 / law->exponent);
    double a = sb_strike_shortening(strike->stiffening_per_m * deep);
    law->stiffness *= pow(a, -(law->exponent + 1.0));
}

void scene_design_impact(const sb_strike_def *design, sb_hertz *hertz,
                         sb_impact_estimate *heard) {
    double speed_m_s = heard->speed_m_s, impulse_ns = heard->impulse_ns;
    if (!bends(design) || !(impulse_ns > 0.0)) return;
    sb_strike_def strike = *design;
    strike.speed_m_s = speed_m_s;
    strike.limit_ns = 0.0;
    sb_strike_harden(&strike, 0.0, hertz);
    stiffen(&strike, hertz);
    sb_impact_estimate e = sb_strike_press(&strike, hertz, 0.0);
    double share = e.speed_m_s / speed_m_s;
    if (design->limit_ns > 0.0)
        share = fmin(share, design->limit_ns / impulse_ns);
    heard->speed_m_s *= share;
    heard->impulse_ns *= share;
    heard->peak_force_n *= share;
    if (!(share > 0.0)) return;
    heard->peak_force_n *= heard->duration_s / e.duration_s;
    heard->duration_s = e.duration_s;
}

/* Smaller impacts at the same place; each as long as its own speed says. */
static sb_status scatter(sb_scene *scene, const sb_strike_def *design,
                         scene_impact impact, const sb_body_id body[2],
                         const sb_hertz *hertz, const sb_impact_estimate *heard,
                         double time_s) {
    sb_micro_impact impacts[SB_SCATTER_IMPACTS];
    const scene_body *at = impact.side[0].body;
    int count = sb_scatter_draw(&design->scatter, heard->strength_m_s,
                                &impact.side[0].body->random, impacts);
    sb_event told = {.kind = SB_EVENT_SCATTER,
                     .stage = SB_EVENT_HIDDEN,
                     .body = {body[0], body[1]},
                     .spot = scene_spot(at, impact.side[0].point),
                     .model = SB_IMPACT_MODEL_PULSE};
    scene_event_name(scene, &told);
    impact.is_watched = false;
    sb_status status = SB_OK;
    if (count > 0)
        impact.label = scene_event_label(scene, scene_event_add(scene, &told));
    for (int i = 0; i < count && !status; i++) {
        double share = impacts[i].share;
        sb_strike_def small = {.speed_m_s = share * heard->speed_m_s};
        if (!(small.speed_m_s > 0.0)) continue;
        sb_impact_estimate e = sb_strike_press(&small, hertz, 0.0);
        sb_impact_record record = {.duration_s = e.duration_s,
                                   .impulse_ns = share * heard->impulse_ns,
                                   .peak_force_n = share * heard->peak_force_n *
                                                   heard->duration_s /
                                                   e.duration_s,
                                   .speed_in_m_s = small.speed_m_s,
                                   .restitution = -1.0};
        impact.frames = scene_frames(scene, time_s + impacts[i].after_s);
        status = scene_impact_push(scene, &impact, record.impulse_ns,
                                   e.duration_s, &record, NULL);
    }
    return status;
}

/* What slips as it strikes scrapes for a while. */
static sb_status graze(sb_scene *scene, const sb_strike_def *design,
                       const sb_body_id body[2], const sb_tracked *event,
                       const sb_hertz *hertz, const sb_impact_estimate *heard,
                       double time_s) {
    double into = event->speed_m_s, along = sb_vec3_length(event->slip_m_s);
    if (!design->grazes || !(along > 0.0)) return SB_OK;
    double all = into * into + along * along;
    sb_graze_split split = {.into_m_s = into,
                            .along_m_s = along,
                            .along_share = along * along / all,
                            .along =
                                sb_vec3_scale(event->slip_m_s, 1.0 / along)};
    sb_graze slide =
        sb_graze_of(&design->graze, &split, heard->impulse_ns, 0.0);
    sb_strike_def def = *design;
    def.striker = (sb_indenter){.mass_kg = hertz->mass_kg,
                                .stiffness = hertz->law.stiffness,
                                .exponent = hertz->law.exponent};
    sb_place place[2];
    for (int i = 0; i < 2; i++)
        place[i] = (sb_place){.point = event->point, .has_point = true};
    return scene_graze(scene, &def, &slide, body, place, time_s, NULL);
}

void scene_follow_impact(sb_scene *scene, const scene_impact *impact,
                         const sb_body_id body[2], const sb_tracked *event,
                         const sb_hertz *hertz, const sb_impact_estimate *heard,
                         double time_s) {
    const sb_strike_def *design = scene_design(scene, body);
    /* The side that rings is the one that is struck. */
    int first = impact->side[0].rings ? 0 : 1;
    if (!impact->side[first].rings || !(heard->impulse_ns > 0.0)) return;
    scene_impact turned = *impact;
    sb_body_id sides[2] = {body[first], body[1 - first]};
    for (int i = 0; i < 2; i++)
        turned.side[i] = impact->side[i == 0 ? first : 1 - first];
    turned.reporter = 0;
    sb_status status =
        scatter(scene, design, turned, sides, hertz, heard, time_s);
    if (!status)
        status = graze(scene, design, sides, event, hertz, heard, time_s);
    if (status) scene->world->unheard++;
}
