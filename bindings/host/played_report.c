#include "bindings/host/played_report.h"

#include "runtime/base/pi.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/sound/discretise.h"
#include "runtime/scene/plan/planned.h"

#include <math.h>
#include <stdio.h>

typedef struct worst_mode {
    int mode; /* from 0; -1: none */
    double freq_hz, cents;
} worst_mode;

static void say_cents(char *text, size_t size, const worst_mode *at) {
    (void)snprintf(text, size, "mode %d at %.6g Hz is played %.3g cents %s",
                   at->mode + 1, at->freq_hz, fabs(at->cents),
                   at->cents < 0.0 ? "flat" : "sharp");
}

static void look(const sb_planned *planned, double rate_hz, worst_mode *lowest,
                 worst_mode *worst, int *silent) {
    const sb_mode *modes = sb_model_modes(planned->model);
    lowest->mode = worst->mode = -1;
    *silent = 0;
    for (int k = 0; k < sb_model_mode_count(planned->model); k++) {
        sb_played_mode played = sb_discretise(planned->def.discretisation,
                                              SB_TAU * modes[k].freq_hz,
                                              modes[k].sigma_per_s, rate_hz);
        *silent += played.is_silent;
        if (played.is_silent) continue;
        worst_mode now = {k, modes[k].freq_hz, played.cents};
        if (lowest->mode < 0) *lowest = now;
        if (worst->mode < 0 || fabs(now.cents) > fabs(worst->cents))
            *worst = now;
    }
}

static void report_body(const sb_planned *planned, double rate_hz,
                        sb_world_reporter *report, void *user) {
    worst_mode lowest = {0}, worst = {0};
    int silent = 0;
    char line[400], first[120] = "no mode is played", second[120] = "",
                    rest[100] = "";
    look(planned, rate_hz, &lowest, &worst, &silent);
    if (lowest.mode >= 0) say_cents(first, sizeof first, &lowest);
    if (worst.mode > lowest.mode) say_cents(second, sizeof second, &worst);
    if (silent > 0)
        (void)snprintf(rest, sizeof rest,
                       "; %d of %d modes would grow without end or cannot be "
                       "played, and are silent",
                       silent, sb_model_mode_count(planned->model));
    (void)snprintf(line, sizeof line, "body '%s', discretisation %s: %s%s%s%s",
                   planned->name,
                   sb_discretisation_names[planned->def.discretisation], first,
                   *second ? ", " : "", second, rest);
    report(user, line);
}

void sb_report_played(const sb_scene *scene, double rate_hz,
                      sb_world_reporter *report, void *user) {
    for (int i = 0; report && i < sb_scene_body_count(scene); i++) {
        const sb_planned *planned =
            sb_scene_body_planned(scene, sb_scene_body_at(scene, i));
        if (planned->def.discretisation != SB_DISCRETISE_EXACT)
            report_body(planned, rate_hz, report, user);
    }
}
