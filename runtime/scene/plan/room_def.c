/* SPDX-License-Identifier: MIT */
/* The fields of sb_room_def. Thread: any. */
#include "runtime/scene/plan/room_def.h"

#define AT(field) offsetof(sb_reverb_def, field)

const sb_field sb_t60_row = SB_FIELD_ROW("t60", 0, 0.05, 60, 0.2, 8, "none",
                                         "s", "time to fall by 60 dB");

const sb_field sb_reverb_fields[] = {
    SB_FIELD_READ_BY_CALLER(
        "t60", "number|number[]", "s",
        "time to fall by 60 dB, one number, or seven for the octaves of 125 Hz "
        "to 8 kHz, from 0.05 to 60; 0, the default: no reverberation"),
    SB_FIELD_ROW("level", AT(level_db), -120, 40, -40, 10, NULL, "dB",
                 "energy at 1 kHz, relative to the direct sound from 1 m away; "
                 "default -6"),
    SB_FIELD_ROW("predelay", AT(predelay_s), 0, 1, 0, 0.1, NULL, "s",
                 "time before it begins; default 0.01"),
    SB_FIELDS_END,
};

sb_room_def sb_room_default(void) {
    return (sb_room_def){.reverb = {.level_db = -6.0, .predelay_s = 0.01}};
}

bool sb_reverb_is_on(const sb_reverb_def *reverb) {
    return reverb->t60_s[0] > 0.0;
}

bool sb_room_is_same(const sb_room_def *a, const sb_room_def *b) {
    const sb_reverb_def *x = &a->reverb, *y = &b->reverb;
    bool is_same = x->level_db == y->level_db && x->predelay_s == y->predelay_s;
    for (int i = 0; i < SB_ROOM_OCTAVES; i++)
        is_same = is_same && x->t60_s[i] == y->t60_s[i];
    return is_same;
}
