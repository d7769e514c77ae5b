/* SPDX-License-Identifier: MIT */
/* Delays and gains at two ears: head, microphone pair, pan, measured. Any
 * thread. */
#include "runtime/scene/plan/listener.h"

#include "runtime/base/head_delays.h"
#include "runtime/base/pi.h"

#include <string.h>

#define SQRT_2     1.4142135623730951
#define QUARTER_PI (SB_PI / 4.0)

/* Slower than sound, so that the listener cannot overtake a sound. */
#define FASTEST_M_S 300.0

const char *const sb_ears_names[] = {"head", "pair", "pan", "measured", NULL};

#define AT(field) offsetof(sb_listener, field)

const sb_field sb_listener_fields[] = {
    SB_FIELD_XYZ("position", AT(position), SB_FARTHEST_M, "m",
                 "of the head; default { 0, 0.6, 0.8 }: what lies is silent to "
                 "its own plane"),
    SB_FIELD_XYZ("facing", AT(facing), SB_FARTHEST_M, "",
                 "where the nose points; default { 0, 0, -1 }"),
    SB_FIELD_ROW("gain", AT(gain), 0, SB_LISTENER_GAIN_MOST, 1e-3, 1e4, NULL,
                 "",
                 "linear, on everything; 1: 40 Pa are full scale; default: "
                 "chosen when bodies first ring, so that the loudest peaks "
                 "near -20 dBFS when struck at 1 m/s, or falling or rolling as "
                 "it is about to, and heard from 1 m"),
    SB_FIELD_READ_BY_CALLER(
        "full_scale", "number|string", "Pa",
        "the pressure that full scale stands for, as 2 or \"2 Pa\", "
        "instead of gain: 40 / gain"),
    SB_FIELD_XYZ("velocity", AT(velocity), FASTEST_M_S, "m/s",
                 "velocity of the head; default { 0, 0, 0 }"),
    SB_FIELD_READ_BY_CALLER(
        "ears", "\"head\"|\"pair\"|\"pan\"|\"measured\"|string", "",
        "a sphere, a pair of microphones, panning without travel time, KEMAR's "
        "measured head, or a SOFA file, own.sofa; default head"),
    SB_FIELD_ROW("spacing", AT(spacing_m), 0, 100, 0, 0, NULL, "m",
                 "between the microphones of a pair; default 0.2"),
    SB_FIELDS_END,
};

sb_status sb_listener_check(const sb_listener *listener, sb_error *err) {
    sb_status status =
        sb_fields_check(sb_listener_fields, false, listener, "listener", err);
    if (status) return status;
    if (sb_vec3_length(listener->facing) < 1e-9)
        return sb_fail(err, SB_BAD_ARGUMENT, "facing must not be { 0, 0, 0 }");
    if (sb_vec3_length(listener->velocity) > FASTEST_M_S)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "velocity must be at most %g m/s, got %.0f", FASTEST_M_S,
                       sb_vec3_length(listener->velocity));
    if (listener->ears < 0 || listener->ears >= SB_EARS_KINDS)
        return sb_fail(err, SB_BAD_ARGUMENT, "listener: there are no ears %d",
                       (int)listener->ears);
    return SB_OK;
}

double sb_listener_db_spl(const sb_listener *listener, double peak) {
    double pressure = peak * SB_FULL_SCALE_PA / listener->gain;
    return listener->gain > 0 ? 20 * log10(pressure / 20e-6) : -INFINITY;
}

sb_listener sb_listener_default(void) {
    /* 1 m away, and not in the plane of plates that lie or stand. */
    return (sb_listener){.position = {0, 0.6, 0.8},
                         .facing = {0, 0, -1},
                         .gain = 1.0,
                         .ears = SB_EARS_HEAD,
                         .spacing_m = 0.2,
                         .air = sb_air_default()};
}

static bool is_at(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool sb_ears_file_is_same(const sb_ears_file *a, const sb_ears_file *b) {
    return strcmp(a->path, b->path) == 0 && strcmp(a->digest, b->digest) == 0;
}

bool sb_listener_is_same(const sb_listener *a, const sb_listener *b) {
    return is_at(a->position, b->position) && is_at(a->facing, b->facing) &&
           is_at(a->velocity, b->velocity) && a->gain == b->gain &&
           a->is_exposed == b->is_exposed && a->ears == b->ears &&
           (a->ears != SB_EARS_MEASURED ||
            sb_ears_file_is_same(&a->file, &b->file)) &&
           a->spacing_m == b->spacing_m && sb_air_is_same(&a->air, &b->air);
}

/* A listener who looks straight up or down has x to the right. */
static sb_vec3 right_of(sb_vec3 facing) {
    sb_vec3 right = sb_vec3_cross(facing, (sb_vec3){0, 1, 0});
    if (sb_vec3_length(right) < 1e-9 * sb_vec3_length(facing)) {
        return (sb_vec3){1, 0, 0};
    }
    return sb_vec3_normalised(right);
}

static double level_at(const sb_listener *listener, double r) {
    return listener->gain / fmax(r, SB_NEAREST_M) / SB_FULL_SCALE_PA;
}

/* How far to the right, -1 .. 1. */
static double side_of(const sb_listener *listener, sb_vec3 to, double r) {
    if (!(r > 0.0)) return 0.0;
    double side = sb_vec3_dot(to, right_of(listener->facing)) / r;
    return fmax(-1.0, fmin(1.0, side));
}

/* Level of high frequencies by the angle from the ear's end of the axis. The
 * structural model has 0.1 at 150 degrees and 2 at 0. Divided by its value
 * straight ahead, so that nothing changes there, and bounded by 6 dB. */
static double shelf(double angle) {
    double ahead = 1.05 + 0.95 * cos(SB_PI * 90.0 / 150.0);
    double alpha = 1.05 + 0.95 * cos(angle * 180.0 / 150.0);
    return fmin(alpha / ahead, 2.0);
}

/* 0 straight ahead, negative on the near side. */
static double detour_m(double angle) {
    double behind = angle - 0.5 * SB_PI;
    return behind < 0.0 ? SB_HEAD_M * sin(behind) : SB_HEAD_M * behind;
}

static sb_heard listen_head(const sb_listener *listener, int ear, sb_vec3 to) {
    double r = sb_vec3_length(to);
    double side = side_of(listener, to, r) * (ear ? 1.0 : -1.0);
    double angle = acos(side);
    double level = level_at(listener, r), alpha = shelf(angle);
    double way_m = fmax(r + detour_m(angle), 0.0);
    return (sb_heard){.delay_s = way_m / sb_air_speed(&listener->air),
                      .full = level * alpha,
                      .dull = level * (1.0 - alpha),
                      .distance_m = r};
}

static sb_heard listen_pair(const sb_listener *listener, int ear, sb_vec3 to) {
    sb_vec3 right = right_of(listener->facing);
    double side = ear ? 0.5 : -0.5;
    sb_vec3 microphone = sb_vec3_scale(right, side * listener->spacing_m);
    double r = sb_vec3_length(sb_vec3_sub(to, microphone));
    return (sb_heard){.delay_s = r / sb_air_speed(&listener->air),
                      .full = level_at(listener, r),
                      .distance_m = r};
}

static sb_heard listen_pan(const sb_listener *listener, int ear, sb_vec3 to) {
    double r = sb_vec3_length(to);
    double angle = (1.0 + side_of(listener, to, r)) * QUARTER_PI;
    double level = level_at(listener, r) * SQRT_2;
    return (sb_heard){.full = level * (ear ? sin(angle) : cos(angle))};
}

/* As far to the right, up and ahead as a unit vector says. */
static sb_vec3 seen_from(const sb_listener *listener, sb_vec3 to, double r) {
    if (!(r > 0.0)) return (sb_vec3){0, 0, 0};
    sb_vec3 ahead = sb_vec3_normalised(listener->facing);
    sb_vec3 right = right_of(listener->facing);
    sb_vec3 up = sb_vec3_cross(right, ahead);
    return (sb_vec3){sb_vec3_dot(to, right) / r, sb_vec3_dot(to, up) / r,
                     sb_vec3_dot(to, ahead) / r};
}

static sb_heard listen_measured(const sb_listener *listener, int ear,
                                sb_vec3 to) {
    double r = sb_vec3_length(to), speed = sb_air_speed(&listener->air);
    sb_heard heard = {.full = level_at(listener, r),
                      .distance_m = r,
                      .toward = seen_from(listener, to, r)};
    double side = heard.toward.x * (ear ? 1.0 : -1.0);
    double later_s = detour_m(acos(fmax(-1.0, fmin(1.0, side)))) / speed;
    if (listener->delays && r > 0.0)
        later_s = sb_head_delay_s(listener->delays, ear, heard.toward);
    heard.delay_s = fmax(r / speed + later_s, 0.0);
    return heard;
}

sb_heard sb_listener_listen(const sb_listener *listener, int ear,
                            sb_vec3 source) {
    sb_vec3 to = sb_vec3_sub(source, listener->position);
    sb_heard heard;
    switch (listener->ears) {
    case SB_EARS_PAIR:
        heard = listen_pair(listener, ear, to);
        break;
    case SB_EARS_PAN:
        heard = listen_pan(listener, ear, to);
        break;
    case SB_EARS_MEASURED:
        heard = listen_measured(listener, ear, to);
        break;
    case SB_EARS_HEAD:
    case SB_EARS_KINDS:
    default:
        heard = listen_head(listener, ear, to);
        break;
    }
    return heard;
}

/* The low part (SB_SHADOW_HZ in dsp/ears/ears.h). */
static double low_part(double freq_hz) {
    double corner_hz = 1250.0;
    return 1.0 / hypot(1.0, freq_hz / corner_hz);
}

sb_heard sb_heard_behind(sb_heard heard, sb_shade shade) {
    if (shade.low == 0.0 && shade.high == 0.0) return heard;
    double low = low_part(SB_SHADE_LOW_HZ), high = low_part(SB_SHADE_HIGH_HZ);
    double at_low = (heard.full + heard.dull * low) * (1.0 - shade.low);
    double at_high = (heard.full + heard.dull * high) * (1.0 - shade.high);
    heard.dull = (at_low - at_high) / (low - high);
    heard.full = at_high - heard.dull * high;
    if (heard.full >= 0.0) return heard;
    heard.full = 0.0;
    heard.dull = sqrt(fmax(at_low / low * at_high / high, 0.0));
    return heard;
}
