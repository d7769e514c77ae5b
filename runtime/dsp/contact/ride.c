/* A mass on a profile, solved on a small copy of the bodies (ride.h). */
#include "runtime/dsp/contact/ride.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

/* A mode that is wider than this share of its pitch stands for many. */
#define WIDE 0.05

/* Least width of the band of the rest. */
#define BAND_LEAST 1.1

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

/* --- choosing --------------------------------------------------------------*/

/* Insert the mode among the lowest; the one that falls out is the rest's. */
static void insert(sb_ride_def *def, sb_ride_mode mode) {
    enum { MOST = SB_RIDE_MODES - 1 };
    double key = mode.mode.sigma_per_s > WIDE * mode.mode.omega_rad_s
                     ? 0.0
                     : mode.mode.omega_rad_s;
    int at = def->mode_count;
    while (at > 0) {
        const sb_bank_mode *before = &def->modes[at - 1].mode;
        bool is_wide = before->sigma_per_s > WIDE * before->omega_rad_s;
        if (is_wide || before->omega_rad_s <= key) break;
        at--;
    }
    if (at == MOST) return;
    int moved = def->mode_count - at;
    if (def->mode_count == MOST) moved--;
    memmove(&def->modes[at + 1], &def->modes[at],
            (size_t)moved * sizeof def->modes[0]);
    def->modes[at] = mode;
    if (def->mode_count < MOST) def->mode_count++;
}

typedef struct rest_sums {
    double square, soft; /* sum phi^2, sum phi^2 / w^2 */
    double low, high;    /* rad/s */
} rest_sums;

static void add_mode(rest_sums *sums, double weight, double omega,
                     double sign) {
    double square = sign * weight * weight;
    sums->square += square;
    sums->soft += square / (omega * omega);
}

static rest_sums sum_rest(const sb_ride_def *def,
                          const sb_ride_side sides[SB_RIDE_SIDES],
                          double nyquist) {
    rest_sums sums = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < SB_RIDE_SIDES; i++)
        for (int k = 0; k < sides[i].mode_count; k++) {
            double omega = sides[i].modes[k].omega_rad_s;
            if (!(omega < nyquist)) continue;
            add_mode(&sums, sides[i].weights[k], omega, 1.0);
            sums.high = fmax(sums.high, omega);
        }
    for (int i = 0; i < def->mode_count; i++) {
        const sb_ride_mode *felt = &def->modes[i];
        double omega = felt->mode.omega_rad_s;
        add_mode(&sums, sides[felt->side].weights[felt->index], omega, -1.0);
        if (felt->mode.sigma_per_s <= WIDE * omega)
            sums.low = fmax(sums.low, omega);
    }
    sums.high = fmax(sums.high, BAND_LEAST * sums.low);
    return sums;
}

void sb_ride_choose(sb_ride_def *def, const sb_ride_side sides[SB_RIDE_SIDES],
                    double sample_rate_hz) {
    double nyquist = SB_PI * sample_rate_hz;
    int count = 0;
    def->mode_count = 0;
    for (int i = 0; i < SB_RIDE_SIDES; i++)
        for (int k = 0; k < sides[i].mode_count; k++) {
            if (!(sides[i].modes[k].omega_rad_s < nyquist)) continue;
            insert(def, (sb_ride_mode){sides[i].modes[k], i, k});
            count++;
        }
    def->rest = (sb_bank_mode){1.0, 1.0, 0.0};
    def->rest_share = 0.0;
    rest_sums sums = sum_rest(def, sides, nyquist);
    bool has_rest = count > def->mode_count && sums.soft > 0.0 &&
                    sums.square > 1e-9 * sums.soft;
    if (!has_rest) return;
    double mobility = 0.5 * SB_PI * sums.square / (sums.high - sums.low);
    double wide = sums.high; /* 2 s */
    double omega = sqrt(wide * mobility / sums.soft);
    def->rest.sigma_per_s = 0.5 * wide;
    def->rest.omega_rad_s = fmin(omega, 0.9 * nyquist);
    def->rest_share = wide * mobility / sums.square;
}

/* --- making ----------------------------------------------------------------*/

static size_t aligned(size_t bytes) {
    size_t by = SB_MODAL_BANK_ALIGN;
    return (bytes + by - 1) / by * by;
}

size_t sb_ride_bytes(void) {
    return aligned(sizeof(sb_ride)) +
           aligned(sb_modal_bank_bytes(SB_RIDE_MODES)) +
           aligned(sb_modal_field_bytes(SB_RIDE_MODES));
}

sb_status sb_ride_init(void *memory, const sb_ride_def *def,
                       double sample_rate_hz, sb_ride **out) {
    sb_ride *ride = memory;
    char *room = (char *)memory + aligned(sizeof *ride);
    ride->def = *def;
    ride->dt_s = 1.0 / sample_rate_hz;
    ride->bank = sb_modal_bank_init(room, SB_RIDE_MODES, sample_rate_hz);
    room += aligned(sb_modal_bank_bytes(SB_RIDE_MODES));
    sb_modal_field_init(&ride->field, room, def->mode_count + 1);
    sb_link_init_press(&ride->link, &ride->striker, &def->law, def->mass_kg,
                       def->inverse_mass);
    ride->link.side[0].body = 0;
    ride->link.side[0].weights = ride->weights;
    sb_bank_mode modes[SB_RIDE_MODES];
    for (int i = 0; i < def->mode_count; i++) {
        modes[i] = def->modes[i].mode;
        modes[i].out_gain = 0.0;
    }
    modes[def->mode_count] = def->rest;
    *out = ride;
    return sb_modal_bank_set_modes(ride->bank, modes, def->mode_count + 1);
}

/* --- playing ---------------------------------------------------------------*/

static void set_weights(sb_ride *ride,
                        const sb_ride_place places[SB_RIDE_SIDES]) {
    const sb_ride_def *def = &ride->def;
    double square = 0.0;
    for (int i = 0; i < SB_RIDE_SIDES && def->rest_share > 0.0; i++)
        for (int k = 0; k < places[i].count; k++)
            square +=
                (double)places[i].weights[k] * (double)places[i].weights[k];
    for (int i = 0; i < def->mode_count; i++) {
        const sb_ride_mode *felt = &def->modes[i];
        const sb_ride_place *place = &places[felt->side];
        float weight =
            felt->index < place->count ? place->weights[felt->index] : 0.0f;
        ride->weights[i] = weight;
        square -= (double)weight * (double)weight;
    }
    ride->weights[def->mode_count] =
        (float)sqrt(def->rest_share * fmax(square, 0.0));
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
