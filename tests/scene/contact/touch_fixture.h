/* SPDX-License-Identifier: MIT */
/* tests/scene/contact/touch_fixture.h -- lasting contacts on a plate. */
#pragma once

#include "runtime/scene/contact/scene_contact.h"
#include "tests/scene/scene_fixture.h"

/* A scene in which nothing is too soft to be computed. */
static inline stage quiet_stage(double sample_rate_hz) {
    stage made = {NULL, NULL};
    sb_engine_def def = sb_engine_def_default();
    def.threshold = 0;
    def.sample_rate_hz = sample_rate_hz;
    ck_assert_int_eq(sb_engine_create(&def, &made.engine, NULL), SB_OK);
    ck_assert_int_eq(sb_scene_create(made.engine, &made.scene, NULL), SB_OK);
    return made;
}

/* A thing of this material touches where many modes ring, from 10 ms on. */
static inline sb_contact_id begin_touch(stage on, sb_lasting_setup setup,
                                        const char *material,
                                        sb_contact_load load) {
    sb_place place = {.u = 0.31, .v = 0.43};
    sb_lasting_change first = {.load = load,
                               .has_force = true,
                               .has_speed = {true, true},
                               .has_slip = true,
                               .place = {place, place},
                               .ramp_s = 0.05};
    sb_contact_id id;
    sb_error err = {0};
    setup.thing.material = *sb_material_find(material);
    setup.thing.has_material = true;
    ck_assert_msg(sb_scene_begin_contact(on.scene, &setup, &first, 0.01, &id,
                                         &err) == SB_OK,
                  "%s", err.message);
    return id;
}
