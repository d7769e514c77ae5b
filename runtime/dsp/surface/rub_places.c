/* Moves a contact along its two surfaces and reads slopes, heights and wobble.
 * Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>
#include <string.h>

/* The position of the contact on one surface at every frame and at the end. */
typedef struct path {
    uint64_t phases[SB_BLOCK_FRAMES + 1];
    float speeds[SB_BLOCK_FRAMES];
} path;

/* The position is v0 n + (v1 - v0) n^2 / 256 frames along. Integer differences
 * add up exactly. */
static void go_round(const sb_rub *rub, sb_rub_place *place,
                     const sb_surface *surface, const double speed[2],
                     path *p) {
    double step_s = 1.0 / rub->rate_hz;
    double gain = (speed[1] - speed[0]) / SB_BLOCK_FRAMES;
    uint64_t bend = sb_surface_phase(surface, 0.5 * gain * step_s);
    uint64_t pace = sb_surface_phase(surface, speed[0] * step_s) + bend;
    uint64_t phase = place->phase;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        p->phases[n] = phase;
        phase += pace;
        pace += 2 * bend;
    }
    p->phases[SB_BLOCK_FRAMES] = phase;
    float first = (float)speed[0], rise = (float)gain;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        p->speeds[n] = first + rise * (float)n;
    place->phase = p->phases[SB_BLOCK_FRAMES];
}

/* The same for a clamped surface, which is level beyond both ends. */
static void go_between(const sb_rub *rub, sb_rub_place *place,
                       const sb_surface *surface, const double speed[2],
                       path *p) {
    double step_s = 1.0 / rub->rate_hz, length = surface->length_m;
    double gain = (speed[1] - speed[0]) / SB_BLOCK_FRAMES;
    for (int n = 0; n <= SB_BLOCK_FRAMES; n++) {
        double along =
            place->along_m + step_s * n * (speed[0] + 0.5 * gain * n);
        bool is_beyond = along < 0.0 || along > length;
        double held = along < 0.0 ? 0.0 : along > length ? length : along;
        p->phases[n] = sb_surface_phase(surface, held);
        if (n < SB_BLOCK_FRAMES)
            p->speeds[n] = is_beyond ? 0.0f : (float)(speed[0] + gain * n);
    }
    double block_s = SB_BLOCK_FRAMES * step_s;
    place->along_m += 0.5 * block_s * (speed[0] + speed[1]);
}

static void go(sb_rub *rub, int side, const sb_contact_load *from,
               const sb_contact_load *to, path *p) {
    const sb_surface *surface = rub->def.surface[side];
    double speed[2] = {from->speed_m_s[side], to->speed_m_s[side]};
    sb_rub_place *place = &rub->place[side];
    if (surface->is_clamped) {
        go_between(rub, place, surface, speed, p);
    } else {
        go_round(rub, place, surface, speed, p);
    }
}

/* The level at the end of the block; true when it differs from the level at its
 * start. */
static bool next_view(const sb_rub *rub, int side, const sb_contact_load *from,
                      const sb_contact_load *to, sb_rub_place *next) {
    const sb_rub_place *place = &rub->place[side];
    double fastest =
        fmax(fabs(from->speed_m_s[side]), fabs(to->speed_m_s[side]));
    *next = *place;
    bool is_first = place->level < 0;
    next->level =
        sb_surface_level_for(rub->def.surface[side], fastest / rub->rate_hz,
                             is_first ? 0 : place->level);
    return next->level != place->level && !is_first;
}

static void read_speed(sb_rub *rub, int side, const sb_contact_load *from,
                       const sb_contact_load *to, float *lift) {
    const sb_surface *surface = rub->def.surface[side];
    path p;
    sb_rub_place next, last = rub->place[side];
    bool is_new = next_view(rub, side, from, to, &next);
    go(rub, side, from, to, &p);
    rub->place[side].level = next.level;
    rub->place[side].across_m = next.across_m;
    if (!is_new) {
        sb_surface_slopes(surface, next.level, next.across_m, p.phases,
                          p.speeds, SB_BLOCK_FRAMES, lift);
        return;
    }
    float old[SB_BLOCK_FRAMES] = {0}, new[SB_BLOCK_FRAMES] = {0};
    sb_surface_slopes(surface, last.level, last.across_m, p.phases, p.speeds,
                      SB_BLOCK_FRAMES, old);
    sb_surface_slopes(surface, next.level, next.across_m, p.phases, p.speeds,
                      SB_BLOCK_FRAMES, new);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float part = (float)n * (1.0f / SB_BLOCK_FRAMES);
        lift[n] += old[n] + part * (new[n] - old[n]);
    }
}

bool sb_rub_places_speed(sb_rub *rub, const sb_contact_load *from,
                         const sb_contact_load *to,
                         float lift_m_s[SB_BLOCK_FRAMES]) {
    bool is_moved = false;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        lift_m_s[n] = 0.0f;
    for (int side = 0; side < 2; side++) {
        bool is_moving =
            from->speed_m_s[side] != 0.0 || to->speed_m_s[side] != 0.0;
        if (!rub->def.surface[side] || !is_moving) continue;
        read_speed(rub, side, from, to, lift_m_s);
        is_moved = true;
    }
    return is_moved;
}

enum { HEIGHTS = SB_BLOCK_FRAMES + 3 }; /* and one before and after */

static void read_heights(const sb_surface *surface, const sb_rub_place *at,
                         const path *p, double *height_m) {
    enum { LAST = SB_BLOCK_FRAMES };
    uint64_t phases[HEIGHTS];
    double raw[HEIGHTS];
    memcpy(phases + 1, p->phases, sizeof p->phases);
    phases[0] = 2 * p->phases[0] - p->phases[1];
    phases[HEIGHTS - 1] = 2 * p->phases[LAST] - p->phases[LAST - 1];
    sb_surface_heights(surface, at->level, at->across_m, phases, HEIGHTS, raw);
    for (int n = 0; n <= LAST; n++)
        height_m[n] = raw[n + 1] -
                      SB_RUB_SHARPEN * (raw[n] - 2.0 * raw[n + 1] + raw[n + 2]);
}

void sb_rub_profile(sb_rub *rub, const sb_contact_load *from,
                    const sb_contact_load *to,
                    double height_m[SB_BLOCK_FRAMES + 1]) {
    enum { COUNT = SB_BLOCK_FRAMES + 1 };
    sb_rub_ends e;
    sb_rub_ends_find(rub, from, to, &e);
    memset(height_m, 0, COUNT * sizeof *height_m);
    /* Their mean over a frame is one sinc more. */
    double size = e.start->asperities_m;
    double rise = (e.end->asperities_m - size) / SB_BLOCK_FRAMES;
    (void)sb_rub_asperities_block(rub, &e, SB_RUB_SHARPEN + 1.0 / 24.0,
                                  height_m);
    for (int n = 0; n < COUNT; n++)
        height_m[n] *= size + rise * n;
    for (int side = 0; side < 2; side++) {
        const sb_surface *surface = rub->def.surface[side];
        if (!surface) continue;
        path p;
        double old[COUNT], new[COUNT];
        sb_rub_place next, last = rub->place[side];
        bool is_new = next_view(rub, side, from, to, &next);
        go(rub, side, from, to, &p);
        rub->place[side].level = next.level;
        rub->place[side].across_m = next.across_m;
        read_heights(surface, &next, &p, new);
        if (is_new) read_heights(surface, &last, &p, old);
        for (int n = 0; n < COUNT; n++) {
            double part = n * (1.0 / SB_BLOCK_FRAMES);
            height_m[n] += is_new ? old[n] + part * (new[n] - old[n]) : new[n];
        }
    }
    if (rub->def.law.stiffness > 0.0)
        sb_rub_lag_block(rub, e.end->law_hz, height_m);
}

/* cos(2 pi u) for u in 0 .. 1: even in y = u - 1/2, to 1e-6. */
static inline float cosine(float u) {
    float y = u - 0.5f, q = y * y;
    return -1.0f +
           q * (19.739043f +
                q * (-64.930069f +
                     q * (85.284511f + q * (-58.841995f + q * 21.145939f))));
}

void sb_rub_places_wobble(const sb_rub *rub, double *turn,
                          const sb_contact_load *from,
                          const sb_contact_load *to,
                          float swell[SB_BLOCK_FRAMES]) {
    double turns_per_m = 1.0 / (SB_TAU * rub->def.contact.radius_m);
    double pace = from->speed_m_s[0] * turns_per_m / rub->rate_hz;
    double end = to->speed_m_s[0] * turns_per_m / rub->rate_hz;
    double bend = 0.5 * (end - pace) / SB_BLOCK_FRAMES;
    float part = (float)rub->def.eccentricity;
    /* Whole turns are added to stay above zero in either direction. */
    double whole = 1.0 + floor(SB_BLOCK_FRAMES * (fabs(pace) + fabs(end)));
    if (!(whole < 1e6)) whole = pace = bend = 0.0;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double at = *turn + whole + n * (pace + bend * n);
        at -= (double)(int)at;
        swell[n] = 1.0f + part * cosine((float)at);
    }
    double last = *turn + SB_BLOCK_FRAMES * (pace + bend * SB_BLOCK_FRAMES);
    *turn = last - floor(last);
}
