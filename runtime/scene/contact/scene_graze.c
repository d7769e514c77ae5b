/* The slide that follows a strike at an angle. Control thread. */
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

/* The contact law is that of the impact. A striker that slides is a needle,
 * however round it is: its edge scrapes, and the surface need not be rolled
 * over for each striker. */
static sb_lasting_setup setup_of(sb_scene *scene, const sb_strike_def *def,
                                 sb_body_id body, sb_body_id with) {
    scene_body *struck = scene_body_of(scene, body);
    sb_hertz hertz =
        sb_indenter_hertz(&def->striker, scene_material(&struck->declared.def));
    bool slides = def->graze.slide >= 1.0;
    sb_lasting_setup setup = {.kind =
                                  slides ? SB_CONTACT_SLIDE : SB_CONTACT_ROLL,
                              .body = body,
                              .with = with,
                              .thing = def->striker,
                              .level = def->graze.level,
                              .seed = sb_random_u32(&struck->random)};
    setup.thing.mass_kg = hertz.mass_kg;
    setup.thing.stiffness = hertz.law.stiffness;
    setup.thing.exponent = hertz.law.exponent;
    if (slides) setup.thing.radius_m = 0.0;
    return setup;
}

/* A striker that rolls has a speed along its own surface; slip reduces it. */
static sb_lasting_change change_of(const sb_graze *graze, const sb_place *place,
                                   const sb_place *with_place) {
    sb_lasting_change change = {
        .load = {graze->force_n,
                 {graze->contact_m_s, graze->contact_m_s - graze->slip_m_s},
                 graze->slip_m_s},
        .has_force = true,
        .has_speed = {true, true},
        .has_slip = true,
        .place = {*place, *with_place}};
    for (int i = 0; i < 2; i++)
        change.place[i].has_direction = false;
    return change;
}

sb_status scene_graze(sb_scene *scene, const sb_strike_def *def,
                      const sb_graze *graze, const sb_body_id body[2],
                      const sb_place place[2], double time_s, sb_error *err) {
    if (!(graze->time_s > 0.0)) return SB_OK;
    sb_lasting_setup setup = setup_of(scene, def, body[0], body[1]);
    sb_lasting_change change = change_of(graze, &place[0], &place[1]);
    sb_status status = SB_OK;
    if (graze->roughness_m > 0.0) {
        status = scene_rough(scene, graze->roughness_m, &setup.surface[0], err);
        if (status) return status;
    }
    /* For the three calls below, so that a contact that has begun can end. */
    status = sb_engine_reserve(scene->engine, 5, err);
    if (status) return status;
    sb_contact_id id;
    status = sb_scene_begin_contact(scene, &setup, &change, time_s, &id, err);
    if (status) return status;
    change = (sb_lasting_change){
        .has_speed = {true, true}, .has_slip = true, .ramp_s = graze->time_s};
    status = sb_scene_move_contact(scene, id, &change, time_s, err);
    double fade_s = status ? 0.0 : graze->time_s;
    sb_status ended = scene_end_contact(scene, id, time_s, fade_s,
                                        time_s + fade_s, status ? NULL : err);
    return status ? status : ended;
}
