/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/balloon.c -- draws what a mode radiates into each
 * direction: three cuts through its pattern, in the planes of the body's axes.
 *
 * A cut is a polar curve: the distance from the middle is the level, over 40 dB
 * up to 10 dB above the mean over all directions, whose circle is pale. Orange
 * and blue are opposite in phase.
 *
 * Thread: control. */
#include "bindings/cli/modes/modes.h"
#include "runtime/base/pattern.h"
#include "runtime/base/pi.h"
#include "runtime/media/picture/picture.h"
#include "runtime/model/model.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 440, TOP = 76, BELOW = 40, RADIUS = 180, POINTS = 1440 };

/* Above the mean, and in all, dB. */
#define HIGHEST 10.0
#define RANGE   40.0

static const sb_colour one = {240, 160, 70, 255}, other = {90, 170, 255, 255};
static const sb_colour mean = {176, 180, 192, 255};

/* Across and upwards. */
static const struct {
    sb_vec3 across, up;
    const char *name;
} cuts[] = {{{1, 0, 0}, {0, 1, 0}, "x right, y up"},
            {{1, 0, 0}, {0, 0, -1}, "x right, z down"},
            {{0, 0, 1}, {0, 1, 0}, "z right, y up"}};
enum { CUTS = sizeof cuts / sizeof *cuts };

typedef struct balloon {
    const sb_pattern *pattern;
    double g, phase;
} balloon;

/* The distance from the middle, negative for the opposite phase. */
static double reach(const balloon *b, sb_vec3 unit) {
    double at[2] = {0, 0};
    if (b->pattern->order >= 0) sb_pattern_at(b->pattern, unit, at);
    double power = at[0] * at[0] + at[1] * at[1] + (double)b->pattern->rest;
    double db = 10 * log10(power / (b->g * b->g) + 1e-30);
    double sign = at[0] * cos(b->phase) + at[1] * sin(b->phase);
    double part = fmin(fmax((db - HIGHEST) / RANGE + 1, 0), 1.05);
    return sign < 0 ? -part : part;
}

static void circle(sb_picture *picture, double x, double y, double radius,
                   sb_colour colour) {
    enum { SIDES = 180 };
    for (int i = 0; i < SIDES; i++) {
        double a = SB_TAU * i / SIDES, c = SB_TAU * (i + 1) / SIDES;
        sb_picture_line(picture, x + radius * cos(a), y + radius * sin(a),
                        x + radius * cos(c), y + radius * sin(c), colour);
    }
}

static void draw_cut(const balloon *b, int cut, sb_picture *picture) {
    double x = SIDE * (cut + 0.5), y = TOP + SIDE / 2.0;
    for (int step = 1; step <= 4; step++)
        circle(picture, x, y, RADIUS * step / 4.0,
               step == 3 ? mean : sb_colour_grid);
    sb_picture_line(picture, x - RADIUS, y, x + RADIUS, y, sb_colour_grid);
    sb_picture_line(picture, x, y - RADIUS, x, y + RADIUS, sb_colour_grid);
    double before[2] = {x, y};
    for (int i = 0; i <= POINTS; i++) {
        double angle = SB_TAU * i / POINTS, part;
        sb_vec3 unit = sb_vec3_add(sb_vec3_scale(cuts[cut].across, cos(angle)),
                                   sb_vec3_scale(cuts[cut].up, sin(angle)));
        part = reach(b, unit);
        double far = RADIUS * fabs(part);
        double now[2] = {x + far * cos(angle), y - far * sin(angle)};
        sb_colour colour = part < 0 ? other : one;
        for (int wide = 0; i > 0 && wide < 2; wide++)
            sb_picture_line(picture, before[0] + wide, before[1], now[0] + wide,
                            now[1], colour);
        before[0] = now[0];
        before[1] = now[1];
    }
    sb_label_below(picture, x, TOP + SIDE, cuts[cut].name);
}

sb_status plot_balloon(const mode_body *body, int mode, const char *path,
                       sb_error *err) {
    const sb_pattern *patterns = sb_model_patterns(body->model);
    if (!patterns)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: the quick law has no directions; give its shape "
                       "radiation = \"exact\"",
                       body->name);
    if (mode < 1 || mode > sb_model_mode_count(body->model))
        return sb_fail(err, SB_BAD_ARGUMENT, "%s has %d modes, not %d",
                       body->name, sb_model_mode_count(body->model), mode);
    const sb_mode *own = &sb_model_modes(body->model)[mode - 1];
    balloon b = {.pattern = &patterns[mode - 1], .g = own->radiation};
    if (b.pattern->order >= 0) (void)sb_pattern_real(b.pattern, &b.phase);
    sb_picture *picture;
    sb_status status =
        sb_picture_create(&picture, CUTS * SIDE, TOP + SIDE + BELOW, err);
    if (status) return status;
    char title[160], facts[96];
    (void)snprintf(title, sizeof title, "%s, mode %d, %.1f Hz", body->name,
                   mode, own->freq_hz);
    (void)snprintf(facts, sizeof facts,
                   b.pattern->order < 0 ? "alike in all directions"
                                        : "order %d; 10 dB per circle, "
                                          "the pale one is the mean",
                   b.pattern->order);
    sb_picture_fill(picture, sb_colour_ground);
    sb_picture_text(picture, SB_LABEL_TITLE_TOP, SB_LABEL_TITLE_TOP, title,
                    SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_title);
    sb_picture_text(picture, SB_LABEL_TITLE_TOP,
                    SB_LABEL_TITLE_TOP + 2 * SB_LABEL_CAPITAL, facts,
                    SB_LABEL_SCALE, SB_TEXT_RIGHT, sb_colour_label);
    for (int cut = 0; cut < CUTS; cut++)
        draw_cut(&b, cut, picture);
    status = sb_picture_save(picture, path, err);
    sb_picture_destroy(picture);
    return status;
}
