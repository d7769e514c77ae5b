/* SPDX-License-Identifier: MIT */
/* Mirror images: where they are, and what they have lost. Control thread. */
#include "runtime/scene/state/mirror.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/room/early_fit.h"

#include <math.h>
#include <stdlib.h>

enum { OCTAVES = SB_ROOM_OCTAVES + 1 };

/* Between these, losses are interpolated; beyond, they stay. */
static const double stops_m[SCENE_MIRROR_STOPS] = {0, 10, 30, 80, 200, 500};

/* --- losses ---------------------------------------------------------------*/

/* Reflections of image n at the low and at the high wall of an axis. */
static int hits(int n, bool is_high) {
    int more = (abs(n) + 1) / 2, less = abs(n) / 2;
    return (n > 0) == is_high ? more : less;
}

static double wall_loss(const sb_hall_def *hall, const int n[3], int octave) {
    double loss = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            sb_wall wall = (sb_wall)(2 * axis + side);
            double kept = 1.0 - sb_hall_absorption(hall, wall, octave);
            loss *= pow(sqrt(kept), hits(n[axis], side == 1));
        }
    }
    return loss;
}

static void find_gains(const sb_hall_def *hall, const sb_air *air,
                       double sample_rate_hz, scene_image *image) {
    sb_early_fit fit = {.sample_rate_hz = sample_rate_hz};
    while (fit.count < OCTAVES &&
           125.0 * (1 << fit.count) < 0.45 * sample_rate_hz) {
        fit.freq_hz[fit.count] = 125.0 * (1 << fit.count);
        fit.count++;
    }
    for (int stop = 0; stop < SCENE_MIRROR_STOPS; stop++) {
        double magnitude[OCTAVES];
        for (int i = 0; i < fit.count; i++) {
            double air_db =
                air->absorbs
                    ? stops_m[stop] * sb_air_loss_db_m(air, fit.freq_hz[i])
                    : 0.0;
            magnitude[i] =
                wall_loss(hall, image->n, i) * pow(10.0, -air_db / 20.0);
        }
        sb_early_fit_loss(&fit, magnitude, image->gain[stop][0]);
        sb_early_fit_low(&fit, image->gain[stop][0], SB_SHADOW_HZ,
                         image->gain[stop][1]);
    }
}

scene_mirror *scene_mirror_make(const sb_hall_def *hall, const sb_air *air,
                                double sample_rate_hz) {
    enum { MOST = SCENE_MIRROR_ORDER };
    scene_mirror *mirror = sb_alloc(1, sizeof *mirror);
    if (!mirror) return NULL;
    mirror->sample_rate_hz = sample_rate_hz;
    mirror->size = hall->size;
    mirror->low = sb_vec3_plus(
        hall->position, (sb_vec3){hall->size.x, 0.0, hall->size.z}, -0.5);
    int count = 0;
    for (int x = -MOST; x <= MOST; x++) {
        for (int y = -MOST; y <= MOST; y++) {
            for (int z = -MOST; z <= MOST; z++) {
                int order = abs(x) + abs(y) + abs(z);
                if (order == 0 || order > MOST) continue;
                scene_image *image = &mirror->images[count++];
                *image = (scene_image){.n = {x, y, z}};
                find_gains(hall, air, sample_rate_hz, image);
            }
        }
    }
    return mirror;
}

/* --- places ---------------------------------------------------------------*/

static double mirrored(int n, double length, double x) {
    double inside = fmin(fmax(x, 0.0), length);
    return n * length + (n % 2 ? length - inside : inside);
}

sb_vec3 scene_mirror_image(const scene_mirror *mirror, int image,
                           sb_vec3 body) {
    const int *n = mirror->images[image].n;
    sb_vec3 at = sb_vec3_sub(body, mirror->low);
    sb_vec3 seen = {mirrored(n[0], mirror->size.x, at.x),
                    mirrored(n[1], mirror->size.y, at.y),
                    mirrored(n[2], mirror->size.z, at.z)};
    return sb_vec3_add(seen, mirror->low);
}

double scene_mirror_longest_s(const sb_hall_def *hall, const sb_air *air) {
    double across = (SCENE_MIRROR_ORDER + 1) * sb_vec3_length(hall->size);
    return (across + SB_PI * SB_HEAD_M) / sb_air_speed(air);
}

/* --- taps -----------------------------------------------------------------*/

/* full times the gains of the whole and dull times those of the low part, at a
 * distance. */
static void mix_gains(const scene_image *image, double distance_m, double full,
                      double dull, float *out) {
    int stop = 0;
    while (stop < SCENE_MIRROR_STOPS - 2 && distance_m > stops_m[stop + 1])
        stop++;
    double share =
        (distance_m - stops_m[stop]) / (stops_m[stop + 1] - stops_m[stop]);
    share = fmin(share, 1.0);
    for (int k = 0; k < SB_EARLY_PARTS; k++) {
        double near = full * (double)image->gain[stop][0][k] +
                      dull * (double)image->gain[stop][1][k];
        double far = full * (double)image->gain[stop + 1][0][k] +
                     dull * (double)image->gain[stop + 1][1][k];
        out[k] = (float)(near + share * (far - near));
    }
}

sb_taps *scene_mirror_taps(const scene_mirror *mirror,
                           const sb_listener *listener, sb_vec3 body,
                           double gain) {
    sb_taps *taps =
        sb_alloc(1, sizeof *taps + SCENE_IMAGES * sizeof taps->taps[0]);
    if (!taps) return NULL;
    taps->count = SCENE_IMAGES;
    /* Filters are for what comes directly: reflections reach a sphere. */
    sb_listener sphere = *listener;
    if (sphere.ears == SB_EARS_MEASURED) sphere.ears = SB_EARS_HEAD;
    listener = &sphere;
    double speed = sb_air_speed(&listener->air);
    double direct_m = sb_vec3_length(sb_vec3_sub(body, listener->position));
    for (int i = 0; i < SCENE_IMAGES; i++) {
        sb_vec3 seen = scene_mirror_image(mirror, i, body);
        double far_m = sb_vec3_length(sb_vec3_sub(seen, listener->position));
        sb_tap *tap = &taps->taps[i];
        for (int ear = 0; ear < 2; ear++) {
            sb_heard heard = sb_listener_listen(listener, ear, seen);
            /* Panning has no travel time: only what is longer than the direct
             * way counts. */
            if (listener->ears == SB_EARS_PAN)
                heard.delay_s = fmax(far_m - direct_m, 0.0) / speed;
            tap->delay[ear] =
                (int)(heard.delay_s * mirror->sample_rate_hz + 0.5);
            mix_gains(&mirror->images[i], far_m, gain * heard.full,
                      gain * heard.dull, tap->gain[ear]);
        }
    }
    return taps;
}
