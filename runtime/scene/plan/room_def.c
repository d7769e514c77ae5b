/* SPDX-License-Identifier: MIT */
/* The fields of sb_room_def. Thread: any. */
#include "runtime/scene/plan/room_def.h"

#include <math.h>
#include <string.h>

/* --- reverb ---------------------------------------------------------------*/

#define AT(field) offsetof(sb_reverb_def, field)

const sb_field sb_t60_row = SB_FIELD_ROW("t60", 0, 0.05, 60, 0.2, 8, "none",
                                         "s", "time to fall by 60 dB");

const sb_field sb_reverb_fields[] = {
    {.name = "t60",
     .kind = SB_FIELD_OTHER,
     .min = 0.05,
     .max = 60,
     .usual = {0.2, 8},
     .unit = "s",
     .type = "number|number[]",
     .help =
         "time to fall by 60 dB, one number, or seven for the octaves of 125 "
         "Hz to 8 kHz, from 0.05 to 60; 0, the default: no reverberation"},
    SB_FIELD_ROW("level", AT(level_db), -120, 40, -40, 10, NULL, "dB",
                 "energy at 1 kHz, relative to the direct sound from 1 m away; "
                 "default -6"),
    SB_FIELD_ROW("predelay", AT(predelay_s), 0, 1, 0, 0.1, NULL, "s",
                 "time before it begins; default 0.01"),
    SB_FIELDS_END,
};

bool sb_reverb_is_on(const sb_reverb_def *reverb) {
    return reverb->t60_s[0] > 0.0;
}

/* --- hall ------------------------------------------------------------------*/

#define IN(field) offsetof(sb_hall_def, field)

/* Smaller and larger rooms: images nearer than a block, or farther than the
 * longest delay. */
#define LEAST_M 0.5
#define MOST_M  200.0

/* Where walls absorb nothing. */
#define LONGEST_S 100.0

const char *const sb_wall_names[SB_WALLS] = {"left",    "right", "floor",
                                             "ceiling", "front", "back"};

static const char *const law_names[] = {"eyring", "sabine", NULL};

const sb_field sb_absorption_row =
    SB_FIELD_ROW("absorption", 0, 0, 1, 0, 1, NULL, "",
                 "share of the energy that a wall absorbs");

const sb_field sb_response_level_row =
    SB_FIELD_ROW("level", 0, -120, 40, -40, 10, NULL, "dB", "of the response");

const sb_field sb_hall_fields[] = {
    {.name = "size",
     .kind = SB_FIELD_VEC3,
     .offset = IN(size),
     .min = -MOST_M,
     .max = MOST_M,
     .usual = {1, 60},
     .unit = "m",
     .help = "width (x), height (y) and length (z), each from 0.5 to 200; "
             "{ 0, 0, 0 }, the default: no room"},
    SB_FIELD_XYZ("position", IN(position), SB_FARTHEST_M, "m",
                 "of the middle of the floor; default { 0, -1.2, 0 }"),
    SB_FIELD_READ_BY_CALLER(
        "walls", "string|number|number[]|table", "",
        "of all walls: a material of sb.wall_materials(), what they absorb (0 "
        "to 1), or seven such numbers for 125 Hz to 8 kHz; or a table of these "
        "by wall: left, right, floor, ceiling, front (-z), back, and [1] for "
        "the others; default plaster"),
    SB_FIELD_READ_BY_CALLER(
        "response", "string", "",
        "instead of a size: a file with an impulse response, mono or stereo, "
        "without the direct sound; \"\": none"),
    SB_FIELD_READ_BY_CALLER("level", "number", "dB",
                            "of the response, -120 to 40; at 0, the default, a "
                            "sample of 1 is the direct sound from 1 m away"),
    SB_FIELD_ONE_OF("decay", IN(law), law_names,
                    "T60 by Eyring's formula, or by Sabine's; default eyring"),
    SB_FIELDS_END,
};

const sb_wall_material sb_wall_materials[] = {
#define WALL(name, a125, a250, a500, a1k, a2k, a4k, what) \
    {#name, {a125, a250, a500, a1k, a2k, a4k, a4k}, what},
#include "runtime/scene/plan/wall_materials.def"
#undef WALL
    {.name = NULL},
};

const sb_wall_material *sb_wall_material_find(const char *name) {
    for (const sb_wall_material *at = sb_wall_materials; at->name; at++)
        if (strcmp(at->name, name) == 0) return at;
    return NULL;
}

bool sb_hall_is_on(const sb_hall_def *hall) {
    return hall->size.x > 0.0;
}

double sb_hall_volume(const sb_hall_def *hall) {
    return hall->size.x * hall->size.y * hall->size.z;
}

static double wall_area(const sb_hall_def *hall, int wall) {
    const sb_vec3 s = hall->size;
    return wall < SB_WALL_FLOOR   ? s.y * s.z
           : wall < SB_WALL_FRONT ? s.x * s.z
                                  : s.x * s.y;
}

double sb_hall_surface(const sb_hall_def *hall) {
    double sum = 0.0;
    for (int wall = 0; wall < SB_WALLS; wall++)
        sum += wall_area(hall, wall);
    return sum;
}

double sb_hall_absorption(const sb_hall_def *hall, sb_wall wall, int octave) {
    return hall
        ->absorption[wall]
                    [octave < SB_ROOM_OCTAVES ? octave : SB_ROOM_OCTAVES - 1];
}

double sb_hall_t60_s(const sb_hall_def *hall, const sb_air *air, int octave) {
    double surface = sb_hall_surface(hall), volume = sb_hall_volume(hall);
    double area = 0.0; /* Sabine's */
    for (int wall = 0; wall < SB_WALLS; wall++)
        area += wall_area(hall, wall) *
                sb_hall_absorption(hall, (sb_wall)wall, octave);
    if (hall->law == SB_DECAY_EYRING)
        area = -surface * log(fmax(1.0 - area / surface, 1e-12));
    double loss_db_m =
        air->absorbs ? sb_air_loss_db_m(air, 125.0 * (double)(1 << octave)) : 0;
    area += 4.0 * volume * loss_db_m * log(10.0) / 10.0;
    double t60_s = 24.0 * log(10.0) * volume / (sb_air_speed(air) * area);
    return fmin(t60_s, LONGEST_S);
}

/* --- both -----------------------------------------------------------------*/

sb_room_def sb_room_default(void) {
    sb_room_def room = {.hall.position = {0, -1.2, 0},
                        .reverb = {.level_db = -6.0, .predelay_s = 0.01}};
    const sb_wall_material *plaster = sb_wall_material_find("plaster");
    for (int wall = 0; plaster && wall < SB_WALLS; wall++)
        memcpy(room.hall.absorption[wall], plaster->absorption,
               sizeof plaster->absorption);
    return room;
}

static bool is_size(double m) {
    return m >= LEAST_M && m <= MOST_M;
}

double sb_room_t60_s(const sb_room_def *room, const sb_air *air, int octave) {
    bool has_hall = sb_hall_is_on(&room->hall);
    if (sb_reverb_is_on(&room->reverb) || !has_hall)
        return room->reverb.t60_s[octave];
    return sb_hall_t60_s(&room->hall, air, octave);
}

sb_status sb_room_check(const sb_room_def *room, sb_error *err) {
    const sb_vec3 s = room->hall.size;
    if (sb_hall_is_on(&room->hall) && room->response.path[0])
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "give a size or a response, not both; size = { 0, 0, 0 } "
            "and response = \"\" are none");
    if ((s.x == 0.0 && s.y == 0.0 && s.z == 0.0) ||
        (is_size(s.x) && is_size(s.y) && is_size(s.z)))
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "size must be three lengths from %g to %g m, or { 0, 0, 0 } "
                   "(no room), got { %g, %g, %g }",
                   LEAST_M, MOST_M, s.x, s.y, s.z);
}

static bool is_at(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool sb_room_is_on(const sb_room_def *room) {
    return sb_hall_is_on(&room->hall) || sb_reverb_is_on(&room->reverb) ||
           room->response.path[0];
}

bool sb_room_is_same(const sb_room_def *a, const sb_room_def *b) {
    const sb_reverb_def *x = &a->reverb, *y = &b->reverb;
    return strcmp(a->response.path, b->response.path) == 0 &&
           strcmp(a->response.digest, b->response.digest) == 0 &&
           a->response.level_db == b->response.level_db &&
           x->level_db == y->level_db && x->predelay_s == y->predelay_s &&
           memcmp(x->t60_s, y->t60_s, sizeof x->t60_s) == 0 &&
           is_at(a->hall.size, b->hall.size) &&
           is_at(a->hall.position, b->hall.position) &&
           a->hall.law == b->hall.law &&
           memcmp(a->hall.absorption, b->hall.absorption,
                  sizeof a->hall.absorption) == 0;
}
