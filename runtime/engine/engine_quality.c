/* The control side of quality.h, and the measurement of the machine. Thread:
 * control. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/impact_def.h"

#include <math.h>

static sb_status check(const sb_quality_def *def, sb_error *err) {
    if (!(def->budget >= 0.0 && def->budget <= 1.0)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "budget must be 0 to 1 of one core, got %g",
                       def->budget);
    }
    if (!(def->slope >= 0.0)) {
        return sb_fail(err, SB_BAD_ARGUMENT, "slope must be 0 or more, got %g",
                       def->slope);
    }
    if (!(def->tau >= 0.0 && def->tau <= 32768.0)) {
        return sb_fail(err, SB_BAD_ARGUMENT, "tau must be 0 to 32768, got %g",
                       def->tau);
    }
    if (def->modes < 0 || !(def->units >= 0.0)) {
        return sb_fail(err, SB_BAD_ARGUMENT, "modes must be 0 or more, got %d",
                       def->modes);
    }
    return SB_OK;
}

sb_status sb_engine_set_quality(sb_engine *engine, double time_frames,
                                const sb_quality_def *def, sb_error *err) {
    sb_status status = check(def, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_QUALITY,
                                     .with.quality = *def});
    engine->threshold = def->tau / 32768.0;
    return SB_OK;
}

/* --- the loudness of a strike --------------------------------------------- */

void engine_keep_tones(engine_tone *tones, const sb_bank_mode *modes,
                       int count) {
    for (int k = 0; k < count; k++)
        tones[k] = (engine_tone){(float)modes[k].out_gain,
                                 (float)modes[k].omega_rad_s};
}

double engine_response(const sb_engine *engine, uint32_t slot,
                       const sb_impact_def *def) {
    const engine_tone *tones = engine->tones[slot];
    double nyquist = SB_PI * engine->audio->sample_rate_hz, sum = 0.0;
    double pulse = def->duration_s > 0.0 ? SB_PI / def->duration_s : 0.0;
    for (int k = 0; k < engine->mode_count[slot]; k++) {
        double omega = (double)tones[k].omega_rad_s;
        double part = (double)tones[k].gain * def->weights[k];
        double ratio = pulse > 0.0 ? omega / pulse : 0.0;
        if (omega >= nyquist) continue;
        /* An upper bound of the spectrum of a half-sine. */
        if (ratio * ratio > 2.0) part /= ratio * ratio - 1.0;
        sum += part * part;
    }
    return isfinite(sum) ? 0.5 * sum : 0.0;
}

/* --- the machine -----------------------------------------------------------*/

/* Some bodies of typical size: more than the first-level cache holds. */
enum { BANKS = 32, MODES = 96, ROUNDS = 20 };

static double ring_ns(sb_modal_bank *const *banks) {
    float out[SB_BLOCK_FRAMES] = {0};
    int64_t from_ns = sb_clock_ns();
    for (int b = 0; b < BANKS; b++)
        sb_modal_bank_render(banks[b], out);
    return (double)(sb_clock_ns() - from_ns);
}

static bool make_ring(sb_modal_bank *bank) {
    sb_bank_mode modes[MODES];
    float weights[MODES], out[SB_BLOCK_FRAMES] = {0};
    for (int k = 0; k < MODES; k++) {
        modes[k] = (sb_bank_mode){600.0 * (k + 1.0), 1.0, 1.0};
        weights[k] = 1.0f;
    }
    if (sb_modal_bank_set_modes(bank, modes, MODES)) return false;
    sb_bank_impulse impulse = {1.0, 0.0, 0.0, weights};
    sb_modal_bank_impulse(bank, &impulse, out);
    return true;
}

double engine_measure_unit_ns(const sb_engine_def *def) {
    /* Without memory for the measurement: the value of a machine of 2020. */
    const double usual_ns = 15.0, groups_of = 16.0;
    size_t bytes = engine_aligned(sb_modal_bank_bytes(MODES));
    char *memory = sb_alloc_aligned(BANKS * bytes);
    if (!memory) return usual_ns;
    sb_modal_bank *banks[BANKS];
    bool is_well = true;
    for (int b = 0; b < BANKS; b++) {
        banks[b] = sb_modal_bank_init(memory + (size_t)b * bytes, MODES,
                                      def->sample_rate_hz);
        is_well = is_well && make_ring(banks[b]);
    }
    /* Disturbances only add time, so the shortest is the best estimate. */
    double best_ns = (double)INFINITY;
    for (int i = 0; is_well && i < ROUNDS; i++)
        best_ns = fmin(best_ns, ring_ns(banks));
    sb_free(memory);
    double modes = BANKS * (MODES / groups_of) * groups_of;
    return is_well ? best_ns / modes : usual_ns;
}
