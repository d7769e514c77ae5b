/* SPDX-License-Identifier: MIT */
#include "runtime/fit/known_modes.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/refine_modes.h"

#include <math.h>

static sb_pole pole_of(const sb_fit_mode *mode, int rate_hz) {
    return (sb_pole){log(1000.0) / (mode->t60_s * rate_hz),
                     2.0 * SB_PI * mode->freq_hz / rate_hz};
}

/* Less than a tenth of a turn apart in the time in which both are heard, with
 * similar decays: least squares would give them large, opposite gains. */
static bool are_alike(sb_pole a, sb_pole b, int length) {
    double heard = fmin(3.0 / fmax(a.decay, b.decay), length);
    return fabs(a.turn - b.turn) * heard < 0.2 * SB_PI &&
           fabs(a.decay - b.decay) < 0.5 * fmax(a.decay, b.decay);
}

/* Add the modes that differ; of each, its place in the list. */
static int add_poles(sb_refine *refine, const sb_fit_mode *modes, int count,
                     int rate_hz, int length, int *places) {
    int added = 0;
    for (int k = 0; k < count; k++) {
        sb_pole pole = pole_of(&modes[k], rate_hz);
        const sb_pole *poles = sb_refine_poles(refine);
        bool is_new = true;
        for (int i = 0; i < added && is_new; i++)
            is_new = !are_alike(pole, poles[i], length);
        places[k] = is_new && sb_refine_add(refine, pole) ? added++ : -1;
    }
    return added;
}

static sb_status solve(const sb_takes *takes, const sb_fit_mode *modes,
                       int count, int *places, double *gains, sb_error *err) {
    const sb_take *take = &takes->items[0];
    sb_refine *refine;
    sb_status status = sb_refine_create(&refine, takes, count, 1e-9, 1.0, err);
    if (status) return status;
    (void)add_poles(refine, modes, count, takes->rate_hz, take->length, places);
    if (!sb_refine_run(refine, 0))
        status = sb_fail(err, SB_NO_CONVERGENCE,
                         "modes too similar to be told apart in this sound");
    for (int k = 0; k < count && !status; k++) {
        gains[k] = 0.0;
        if (places[k] < 0) continue;
        double start =
            exp(sb_refine_poles(refine)[places[k]].decay * take->skip);
        gains[k] = take->scale * start *
                   cabs(sb_refine_amplitude(refine, 0, places[k]));
    }
    sb_refine_destroy(refine);
    return status;
}

sb_status sb_fit_known(const sb_recording *sound, int rate_hz,
                       const sb_fit_mode *modes, int count, double *gains,
                       sb_error *err) {
    sb_takes takes;
    if (count > SB_FIT_MAX_MODES)
        return sb_fail(err, SB_BAD_ARGUMENT, "more than %d modes to be fitted",
                       SB_FIT_MAX_MODES);
    sb_status status = sb_takes_make(&takes, sound, 1, rate_hz, err);
    if (status) return status;
    int *places = sb_alloc((size_t)count + 1, sizeof *places);
    if (places)
        status = solve(&takes, modes, count, places, gains, err);
    else
        status = sb_no_memory(err, "fit");
    sb_free(places);
    sb_takes_free(&takes);
    return status;
}
