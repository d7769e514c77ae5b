/* SPDX-License-Identifier: MIT */
/* A mass on a profile, solved on a small copy of the bodies (rolling_ride.h). */
#include "runtime/dsp/contact/rolling_ride.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_field.h"

#include <math.h>
#include <string.h>

/* A mode that is wider than this share of its pitch stands for many. */
#define WIDE 0.05

/* Floats per row of weights. */
enum { PADDED = SB_RIDE_MODES + 64 };

struct sb_ride {
    sb_ride_def def;
    double dt_s;
    sb_link link;
    sb_striker striker;
    sb_modal_bank *bank;
    sb_modal_field field;
    float weights[PADDED];
};

/* --- choosing -------------------------------------------------------------*/

static bool is_wide(const sb_bank_mode *mode) {
    return mode->sigma_per_s > WIDE * mode->omega_rad_s;
}

/* Insert the mode among the lowest; the one that falls out is a band's. */
static void insert(sb_ride_def *def, sb_ride_mode mode) {
    double key = is_wide(&mode.mode) ? 0.0 : mode.mode.omega_rad_s;
    int at = def->mode_count;
    while (at > 0) {
        const sb_bank_mode *before = &def->modes[at - 1].mode;
        if (is_wide(before) || before->omega_rad_s <= key) break;
        at--;
    }
    if (at == SB_RIDE_LOWEST) return;
    int moved = def->mode_count - at;
    if (def->mode_count == SB_RIDE_LOWEST) moved--;
    memmove(&def->modes[at + 1], &def->modes[at],
            (size_t)moved * sizeof def->modes[0]);
    def->modes[at] = mode;
    if (def->mode_count < SB_RIDE_LOWEST) def->mode_count++;
}

static bool is_copied(const sb_ride_def *def, int side, int index) {
    for (int i = 0; i < def->mode_count; i++)
        if (def->modes[i].side == side && def->modes[i].index == index)
            return true;
    return false;
}

/* First mode of the side from this pitch on. */
static int first_from(const sb_ride_side *side, double omega) {
    int k = 0;
    while (k < side->mode_count && side->modes[k].omega_rad_s < omega)
        k++;
    return k;
}

/* Between two pitches, rad/s. False when no mode is there. */
static bool make_band(const sb_ride_def *def,
                      const sb_ride_side sides[SB_RIDE_SIDES], double low,
                      double high, sb_ride_band *out) {
    double square = 0.0, soft = 0.0; /* sum phi^2, sum phi^2 / w^2 */
    for (int i = 0; i < SB_RIDE_SIDES; i++) {
        out->first[i] = first_from(&sides[i], low);
        out->end[i] = first_from(&sides[i], high);
        for (int k = out->first[i]; k < out->end[i]; k++) {
            if (is_copied(def, i, k)) continue;
            double phi = sides[i].weights[k];
            double omega = sides[i].modes[k].omega_rad_s;
            square += phi * phi;
            soft += phi * phi / (omega * omega);
        }
    }
    /* At a node of all of them, where it may be later. */
    double omega = soft > 0.0 ? sqrt(square / soft) : sqrt(low * high);
    out->mode = (sb_bank_mode){omega, (high - low) / SB_PI, 0.0};
    return out->end[0] > out->first[0] || out->end[1] > out->first[1];
}

static void make_bands(sb_ride_def *def,
                       const sb_ride_side sides[SB_RIDE_SIDES],
                       double highest) {
    double low = def->modes[def->mode_count - 1].mode.omega_rad_s;
    double step = pow(highest / low, 1.0 / SB_RIDE_BANDS);
    for (int i = 0; i < SB_RIDE_BANDS; i++, low *= step) {
        double high = i < SB_RIDE_BANDS - 1 ? low * step : 1.0001 * highest;
        sb_ride_band *band = &def->bands[def->band_count];
        def->band_count += make_band(def, sides, low, high, band);
    }
}

void sb_ride_choose(sb_ride_def *def, const sb_ride_side sides[SB_RIDE_SIDES],
                    double sample_rate_hz) {
    double nyquist = SB_PI * sample_rate_hz, highest = 0.0;
    int count = 0;
    def->mode_count = def->band_count = 0;
    for (int i = 0; i < SB_RIDE_SIDES; i++)
        for (int k = 0; k < sides[i].mode_count; k++) {
            if (!(sides[i].modes[k].omega_rad_s < nyquist)) continue;
            insert(def, (sb_ride_mode){sides[i].modes[k], i, k});
            if (!is_wide(&sides[i].modes[k]))
                highest = fmax(highest, sides[i].modes[k].omega_rad_s);
            count++;
        }
    bool has_others =
        count > def->mode_count &&
        !is_wide(&def->modes[def->mode_count - 1].mode) &&
        highest > def->modes[def->mode_count - 1].mode.omega_rad_s;
    if (has_others) make_bands(def, sides, highest);
}

/* --- making ---------------------------------------------------------------*/

size_t sb_ride_bytes(void) {
    return sb_modal_bank_aligned(sizeof(sb_ride)) +
           sb_modal_bank_aligned(sb_modal_bank_bytes(SB_RIDE_MODES)) +
           sb_modal_bank_aligned(sb_modal_field_bytes(SB_RIDE_MODES));
}

sb_status sb_ride_init(void *memory, const sb_ride_def *def,
                       double sample_rate_hz, sb_ride **out) {
    sb_ride *ride = memory;
    char *room = (char *)memory + sb_modal_bank_aligned(sizeof *ride);
    ride->def = *def;
    ride->dt_s = 1.0 / sample_rate_hz;
    ride->bank = sb_modal_bank_init(room, SB_RIDE_MODES, sample_rate_hz);
    room += sb_modal_bank_aligned(sb_modal_bank_bytes(SB_RIDE_MODES));
    sb_bank_mode modes[SB_RIDE_MODES] = {{1.0, 1.0, 0.0}};
    int count = def->mode_count + def->band_count;
    if (count == 0) count = 1; /* nothing rings: a mode that nothing drives */
    sb_modal_field_init(&ride->field, room, count);
    sb_link_init_press(&ride->link, &ride->striker, &def->law, def->mass_kg,
                       def->inverse_mass);
    ride->link.side[0].body = 0;
    ride->link.side[0].weights = ride->weights;
    for (int i = 0; i < def->mode_count; i++) {
        modes[i] = def->modes[i].mode;
        modes[i].out_gain = 0.0;
    }
    for (int i = 0; i < def->band_count; i++)
        modes[def->mode_count + i] = def->bands[i].mode;
    *out = ride;
    return sb_modal_bank_set_modes(ride->bank, modes, count);
}

/* --- playing --------------------------------------------------------------*/

/* Sum of phi^2 over the modes of a band that are not in the copy. */
static double band_square(const sb_ride_def *def, const sb_ride_band *band,
                          const sb_ride_place places[SB_RIDE_SIDES]) {
    double square = 0.0;
    for (int i = 0; i < SB_RIDE_SIDES; i++) {
        const float *weights = places[i].weights;
        for (int k = band->first[i]; k < band->end[i] && k < places[i].count;
             k++)
            square += (double)weights[k] * (double)weights[k];
    }
    for (int i = 0; i < def->mode_count; i++) {
        const sb_ride_mode *felt = &def->modes[i];
        int side = felt->side, k = felt->index;
        if (k < band->first[side] || k >= band->end[side] ||
            k >= places[side].count)
            continue;
        double phi = (double)places[side].weights[k];
        square -= phi * phi;
    }
    return fmax(square, 0.0);
}

static void set_weights(sb_ride *ride,
                        const sb_ride_place places[SB_RIDE_SIDES]) {
    const sb_ride_def *def = &ride->def;
    for (int i = 0; i < def->mode_count; i++) {
        const sb_ride_mode *felt = &def->modes[i];
        const sb_ride_place *place = &places[felt->side];
        ride->weights[i] =
            felt->index < place->count ? place->weights[felt->index] : 0.0f;
    }
    for (int i = 0; i < def->band_count; i++)
        ride->weights[def->mode_count + i] =
            (float)sqrt(band_square(def, &def->bands[i], places));
}

void sb_ride_block(sb_ride *ride, const sb_ride_place places[SB_RIDE_SIDES],
                   const double load_n[2], const double *profile_m,
                   double *excess_ns) {
    float unheard[SB_BLOCK_FRAMES] = {0};
    set_weights(ride, places);
    sb_link *link = &ride->link;
    link->load_n[0] = load_n[0];
    link->load_n[1] = load_n[1];
    link->profile_m = profile_m;
    link->excess_ns = excess_ns;
    sb_island island = {.dt_s = ride->dt_s,
                        .body_count = 1,
                        .link_count = 1,
                        .bank = {ride->bank},
                        .field = {&ride->field},
                        .out = {unheard},
                        .link = {link}};
    if (sb_island_look(&island)) {
        if (!sb_island_play(&island))
            memset(excess_ns, 0, SB_BLOCK_FRAMES * sizeof *excess_ns);
    } else {
        sb_modal_bank_reset(ride->bank); /* lifted off: nothing to feel */
    }
    sb_island_fly(&island);
}
