/* SPDX-License-Identifier: MIT */
/* runtime/scene/plan/room_def.h -- the room as a script describes it.
 *
 * hall    a box of six walls, each of which absorbs a share of the energy that
 *         meets it. Mirror images give the early reflections. Of the late field,
 *         T60 = 24 ln 10 V / (c (A + 4 m V)), A = S a (Sabine) or -S ln(1 - a)
 *         (Eyring), a being the mean of what the walls absorb, and it begins
 *         with the energy of a diffuse field, 4 pi c / V per second relative to
 *         the direct sound from 1 m away.
 * reverb  a free choice of the late field, also instead of a hall's: how long
 *         each octave rings, how loud, how late. Its energy is given relative
 *         to the direct sound from 1 m away, in the octave of 1 kHz. All
 *         octaves begin equally loud, so one that rings longer has more energy.
 *
 * response  what was measured in a real room, instead of a hall.
 *
 * Symbols: V, S -> volume and surface; m -> loss of energy in the air per metre.
 * Thread:  any. Memory: plain values.
 * Source:  H. Kuttruff, Room Acoustics, 4 and 5.
 */
#pragma once

#include "runtime/base/air.h"
#include "runtime/base/field.h"
#include "runtime/base/vec3.h"

#include <stdbool.h>

enum { SB_ROOM_OCTAVES = 7 }; /* 125 Hz to 8 kHz */

/* Ranges and meanings are in sb_reverb_fields. */
typedef struct sb_reverb_def {
    double t60_s[SB_ROOM_OCTAVES]; /* all 0: no reverberation */
    double level_db, predelay_s;
} sb_reverb_def;

typedef enum sb_wall {
    SB_WALL_LEFT,  /* -x */
    SB_WALL_RIGHT, /* +x */
    SB_WALL_FLOOR, /* -y */
    SB_WALL_CEILING,
    SB_WALL_FRONT, /* -z */
    SB_WALL_BACK,
    SB_WALLS
} sb_wall;

extern const char *const sb_wall_names[SB_WALLS];

typedef enum sb_decay_law { SB_DECAY_EYRING, SB_DECAY_SABINE } sb_decay_law;

/* Ranges and meanings are in sb_hall_fields. */
typedef struct sb_hall_def {
    sb_vec3 size;     /* all 0: no hall */
    sb_vec3 position; /* of the middle of the floor */
    double absorption[SB_WALLS][SB_ROOM_OCTAVES];
    sb_decay_law law;
} sb_hall_def;

enum { SB_RESPONSE_PATH = 1024 };

/* An impulse response from a file, mono or stereo: 1 is the direct sound from
 * 1 m away, which it should not contain. */
typedef struct sb_response_def {
    char path[SB_RESPONSE_PATH]; /* "": none */
    char digest[65];             /* of its content */
    double level_db;
} sb_response_def;

typedef struct sb_room_def {
    sb_hall_def hall;
    sb_response_def response;
    sb_reverb_def reverb;
} sb_room_def;

extern const sb_field sb_reverb_fields[];
extern const sb_field sb_t60_row; /* of one T60 */
extern const sb_field sb_hall_fields[];
extern const sb_field sb_response_level_row;
extern const sb_field sb_absorption_row; /* of one octave of a wall */

/* A row of wall_materials.def. */
typedef struct sb_wall_material {
    const char *name; /* NULL ends the list */
    double absorption[SB_ROOM_OCTAVES];
    const char *what;
} sb_wall_material;

extern const sb_wall_material sb_wall_materials[];
const sb_wall_material *sb_wall_material_find(const char *name); /* or NULL */

sb_room_def sb_room_default(void); /* none */
bool sb_room_is_same(const sb_room_def *a, const sb_room_def *b);
bool sb_reverb_is_on(const sb_reverb_def *reverb);
bool sb_hall_is_on(const sb_hall_def *hall);
bool sb_room_is_on(const sb_room_def *room); /* any part of it */

/* BAD_ARGUMENT: a size that is not within the limits, or both a size and a
 * response. */
SB_NODISCARD sb_status sb_room_check(const sb_room_def *room, sb_error *err);

double sb_hall_volume(const sb_hall_def *hall);
double sb_hall_surface(const sb_hall_def *hall);
/* T60 of octave 0 .. SB_ROOM_OCTAVES, the last being 16 kHz, where walls absorb
 * as at 8 kHz. */
double sb_hall_t60_s(const sb_hall_def *hall, const sb_air *air, int octave);
/* T60 of octave 0 .. SB_ROOM_OCTAVES - 1 of what rings: the reverb, else the hall;
 * 0: neither. */
double sb_room_t60_s(const sb_room_def *room, const sb_air *air, int octave);
/* What a wall absorbs in such an octave. */
double sb_hall_absorption(const sb_hall_def *hall, sb_wall wall, int octave);
