#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>
#include <string.h>

static void begin_place(sb_rub *rub, int side) {
    const sb_surface *surface = rub->def.surface[side];
    double start = rub->def.start_m[side], across = rub->def.across_m[side];
    rub->place[side] =
        (sb_rub_place){.phase = surface ? sb_surface_phase(surface, start) : 0,
                       .along_m = start,
                       .level = -1,
                       .across_m = across};
}

void sb_rub_init(sb_rub *rub, const sb_rub_def *def, double sample_rate_hz) {
    *rub = (sb_rub){.def = *def, .rate_hz = sample_rate_hz};
    for (int side = 0; side < 2; side++)
        begin_place(rub, side);
    sb_rub_events_start(rub);
}

static bool same_load(const sb_contact_load *a, const sb_contact_load *b) {
    return a->force_n == b->force_n && a->slip_m_s == b->slip_m_s &&
           a->speed_m_s[0] == b->speed_m_s[0] &&
           a->speed_m_s[1] == b->speed_m_s[1];
}

/* The parameters of the contact at both ends of a block. */
typedef struct ends {
    const sb_rub_pose *start, *end;
    /* used where they differ from the end of the last block */
    sb_rub_pose made[2];
} ends;

/* The start is the end of the previous block, unless the load has jumped or
 * there was no block. */
static void find_ends(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, ends *e) {
    e->start = &rub->pose;
    bool has_pose = rub->pose.corner_rad_s > 0.0;
    if (!has_pose || !same_load(from, &rub->pose.load)) {
        sb_rub_pose_find(rub, from, &rub->pose, &e->made[0]);
        e->start = &e->made[0];
    }
    e->end = e->start;
    if (!same_load(to, &e->start->load)) {
        sb_rub_pose_find(rub, to, e->start, &e->made[1]);
        e->end = &e->made[1];
    }
}

/* The low-pass has decayed: a nanometre per second squared is no force. */
static bool is_quiet(const sb_rub *rub) {
    return fabs(rub->state[0]) + fabs(rub->state[1]) < 1e-9;
}

void sb_rub_ball_load(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, double load_n[2]) {
    const sb_rub_def *d = &rub->def;
    const sb_contact_load *at[2] = {from, to};
    double turns = 0.5 * (from->speed_m_s[0] + to->speed_m_s[0]) *
                   SB_BLOCK_FRAMES / rub->rate_hz / (SB_TAU * d->radius_m);
    double ratio = rub->pose.slip_ratio;
    for (int i = 0; i < 2; i++) {
        load_n[i] = at[i]->force_n;
        if (d->gain[SB_RUB_PROFILE] != 0.0) {
            ratio = sb_rub_slip_ratio(at[i], ratio);
            load_n[i] *= 1.0 - ratio;
        }
        if (d->eccentricity > 0.0)
            load_n[i] *=
                1.0 + d->eccentricity * cos(SB_TAU * (rub->turn + i * turns));
    }
}

void sb_rub_block(sb_rub *rub, const sb_contact_load *from,
                  const sb_contact_load *to, float *impulse_ns) {
    const double *gain = rub->def.gain;
    ends e;
    find_ends(rub, from, to, &e);
    const sb_rub_pose *start = e.start, *end = e.end;
    float lift_m_s[SB_BLOCK_FRAMES], wobble[SB_BLOCK_FRAMES], *swell = 0;
    bool is_touching = from->force_n > 0.0 || to->force_n > 0.0;
    if (rub->def.eccentricity > 0.0) {
        sb_rub_places_wobble(rub, &rub->turn, from, to, wobble);
        swell = wobble;
    }
    /* A ball that rolls without slip has no needle. */
    bool has_needle = !rub->def.is_rolling || start->profile_gain != 0.0 ||
                      end->profile_gain != 0.0;
    if (gain[SB_RUB_PROFILE] != 0.0 && has_needle) {
        if (rub->def.is_rolling)
            memcpy(rub->place, rub->began, sizeof rub->place);
        bool is_moved = sb_rub_places_speed(rub, from, to, lift_m_s);
        if (!is_touching || (!is_moved && is_quiet(rub))) {
            rub->state[0] = rub->state[1] = 0.0;
            rub->heard[0] = rub->heard[1] = 0.0;
        } else {
            sb_rub_scrape(rub, start, end, lift_m_s, swell, impulse_ns);
        }
    } else {
        rub->state[0] = rub->state[1] = 0.0;
        rub->heard[0] = rub->heard[1] = 0.0;
    }
    if (is_touching) {
        if (gain[SB_RUB_IMPACTS] != 0.0) sb_rub_impacts(rub, start, end, swell);
        if (start->grains_hz > 0.0 || end->grains_hz > 0.0)
            sb_rub_gravel(rub, start, end, swell);
        if (start->creaks_hz > 0.0 || end->creaks_hz > 0.0)
            sb_rub_creak(rub, start, end);
    }
    if (rub->pulses.count > 0) sb_pulses_block(&rub->pulses, impulse_ns);
    if (end != &rub->pose) rub->pose = *end;
}
