#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>

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
    rub->asperities.random = sb_random_make(def->seed, 4);
    sb_rub_events_start(rub);
}

static bool same_load(const sb_contact_load *a, const sb_contact_load *b) {
    return a->force_n == b->force_n && a->slip_m_s == b->slip_m_s &&
           a->speed_m_s[0] == b->speed_m_s[0] &&
           a->speed_m_s[1] == b->speed_m_s[1];
}

/* The start is the end of the previous block, unless the load has jumped or
 * there was no block. */
void sb_rub_ends_find(const sb_rub *rub, const sb_contact_load *from,
                      const sb_contact_load *to, sb_rub_ends *e) {
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
    double turns = 0.5 * (from->speed_m_s[0] + to->speed_m_s[0]) *
                   SB_BLOCK_FRAMES / rub->rate_hz /
                   (SB_TAU * d->contact.radius_m);
    load_n[0] = from->force_n;
    load_n[1] = to->force_n;
    for (int i = 0; i < 2 && d->eccentricity > 0.0; i++)
        load_n[i] *=
            1.0 + d->eccentricity * cos(SB_TAU * (rub->turn + i * turns));
}

/* Of the asperities in units of what the load bears of the surfaces. */
static double asperities_of(const sb_rub_pose *pose, const sb_rub_pose *other) {
    if (!(pose->profile_part > 0.0)) pose = other;
    if (!(pose->profile_part > 0.0)) return 0.0;
    return pose->asperities_m / pose->profile_part;
}

/* dh/dt of surfaces and asperities; false when it is all zero. The load bears
 * only a part of what the surfaces do, but all of the asperities. */
static bool lift(sb_rub *rub, const sb_rub_ends *e, const sb_contact_load *from,
                 const sb_contact_load *to, float lift_m_s[SB_BLOCK_FRAMES]) {
    double height[SB_BLOCK_FRAMES + 1];
    bool is_moved = sb_rub_places_speed(rub, from, to, lift_m_s);
    /* Both the mean over a frame and the difference are a sinc. */
    if (!sb_rub_asperities_block(rub, e, 1.0 / 12.0, height)) return is_moved;
    double size = asperities_of(e->start, e->end) * rub->rate_hz;
    double rise = asperities_of(e->end, e->start) * rub->rate_hz - size;
    rise /= SB_BLOCK_FRAMES;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        lift_m_s[n] += (float)((size + rise * n) * (height[n + 1] - height[n]));
    return true;
}

void sb_rub_block(sb_rub *rub, const sb_contact_load *from,
                  const sb_contact_load *to, float *impulse_ns) {
    const double *gain = rub->def.gain;
    sb_rub_ends e;
    sb_rub_ends_find(rub, from, to, &e);
    const sb_rub_pose *start = e.start, *end = e.end;
    float lift_m_s[SB_BLOCK_FRAMES], wobble[SB_BLOCK_FRAMES], *swell = NULL;
    bool is_touching = from->force_n > 0.0 || to->force_n > 0.0;
    if (rub->def.eccentricity > 0.0) {
        sb_rub_places_wobble(rub, &rub->turn, from, to, wobble);
        swell = wobble;
    }
    if (gain[SB_RUB_PROFILE] != 0.0) {
        bool is_moved = lift(rub, &e, from, to, lift_m_s);
        if (!is_touching || (!is_moved && is_quiet(rub))) {
            rub->state[0] = rub->state[1] = 0.0;
            rub->heard[0] = rub->heard[1] = 0.0;
        } else {
            sb_rub_scrape(rub, start, end, lift_m_s, swell, impulse_ns);
        }
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
