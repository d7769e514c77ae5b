/* Searches poles band by band: splits the signals, runs sb_esprit on each band,
 * converts the poles back to the full rate. Control thread. */
#include "runtime/fit/search.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/esprit.h"
#include "runtime/fit/subband.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_OF_A_BAND = 24 };

/* Lower bound of the noise density: the measured one may be too low in
 * places. */
#define LEAST_DENSITY 0.01

typedef struct searcher {
    const sb_takes *takes;
    const sb_search_def *def;
    sb_subbands *bands;
    double complex *spectra; /* of pairs of signals, contiguous */
    double complex *parts;   /* one band of all signals */
    int length, rows;        /* in samples of a band */
} searcher;

static void release(searcher *s) {
    sb_subbands_destroy(s->bands);
    sb_free(s->spectra);
    sb_free(s->parts);
}

/* Length of a band: that of the shortest signal, without the end at which the
 * filter has too few samples. */
static bool choose_lengths(searcher *s) {
    int least = sb_takes_length(s->takes);
    for (int r = 0; r < s->takes->count; r++)
        if (s->takes->items[r].length < least)
            least = s->takes->items[r].length;
    int step = sb_subbands_step(s->bands);
    int length = (least - sb_subbands_tap_count(s->bands)) / step;
    int span = (int)(s->def->span_s * s->takes->rate_hz) / step;
    s->length = length < span ? length : span;
    s->rows = s->def->rows < s->length / 2 ? s->def->rows : s->length / 2;
    return s->rows >= 8;
}

static sb_status prepare(searcher *s, const double *const *signals,
                         sb_error *err) {
    sb_status status =
        sb_subbands_create(&s->bands, sb_takes_length(s->takes),
                           s->takes->rate_hz, s->def->band_rate_hz, err);
    if (status) return status;
    size_t count = (size_t)s->takes->count;
    size_t size = (size_t)sb_subbands_spectrum_size(s->bands);
    s->spectra = sb_alloc((count + 1) / 2 * size, sizeof *s->spectra);
    s->parts =
        sb_alloc(count * (size_t)sb_subbands_size(s->bands), sizeof *s->parts);
    if (!s->spectra || !s->parts)
        return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    for (size_t r = 0; r < count; r += 2) {
        bool is_last = r + 1 == count;
        const double *const pair[2] = {signals[r],
                                       is_last ? NULL : signals[r + 1]};
        int lengths[2] = {s->takes->items[r].length,
                          is_last ? 0 : s->takes->items[r + 1].length};
        sb_subbands_look(s->bands, pair, lengths, s->spectra + r / 2 * size);
    }
    return SB_OK;
}

/* Convert a pole of band i to the full rate; false when it lies outside the
 * part that this band covers. */
static bool convert(const searcher *s, int i, double complex of_band,
                    sb_pole *out) {
    double step = sb_subbands_step(s->bands), rate_hz = s->takes->rate_hz;
    double centre_hz = sb_subbands_centre_hz(s->bands, i);
    double off_hz = carg(of_band) / step * rate_hz / (2.0 * SB_PI);
    double freq_hz = centre_hz + off_hz;
    if (fabs(off_hz) > 0.5 * sb_subbands_width_hz(s->bands)) return false;
    if (freq_hz < s->def->low_hz || freq_hz > s->def->high_hz) return false;
    double decay = -log(cabs(of_band)) / step;
    double slowest = log(1000.0) / (s->def->most_t60_s * rate_hz);
    double fastest = log(1000.0) / (s->def->least_t60_s * rate_hz);
    /* A slightly growing pole is a slow decay or noise. */
    if (decay > fastest || decay < -4.0 * slowest) return false;
    out->decay = fmax(decay, slowest);
    out->turn = freq_hz * 2.0 * SB_PI / rate_hz;
    return true;
}

static sb_status search_band(searcher *s, int i, sb_pole *poles, int capacity,
                             int *count, sb_error *err) {
    int size = sb_subbands_size(s->bands), takes = s->takes->count;
    size_t spectrum_size = (size_t)sb_subbands_spectrum_size(s->bands);
    for (int r = 0; r < takes; r++)
        sb_subbands_take(s->bands, s->spectra + (size_t)(r / 2) * spectrum_size,
                         r % 2, i, s->parts + (size_t)r * (size_t)size);
    double width_hz = sb_subbands_width_hz(s->bands);
    double centre_hz = sb_subbands_centre_hz(s->bands, i);
    double density =
        sb_density_noise(s->def->density, centre_hz - 0.5 * width_hz,
                         centre_hz + 0.5 * width_hz);
    /* The largest eigenvalue of pure noise (Marchenko & Pastur). */
    double columns = (double)(s->length - s->rows + 1) * takes;
    double edge = 1.0 + sqrt(s->rows / columns);
    sb_esprit_def esprit = {
        .signals = s->parts,
        .stride = size,
        .signal_count = takes,
        .length = s->length,
        .rows = s->rows,
        .noise_level = s->def->margin * fmax(density, LEAST_DENSITY) * columns *
                       edge * edge / sb_subbands_step(s->bands),
        .most = s->rows / 2 < MOST_OF_A_BAND ? s->rows / 2 : MOST_OF_A_BAND};
    double complex found[MOST_OF_A_BAND];
    int found_count = 0;
    sb_status status = sb_esprit(&esprit, found, &found_count, err);
    for (int k = 0; !status && k < found_count && *count < capacity; k++)
        if (convert(s, i, found[k], &poles[*count])) ++*count;
    return status;
}

sb_status sb_search_poles(const sb_takes *takes, const double *const *signals,
                          const sb_search_def *def, sb_pole *poles,
                          int capacity, int *count_out, sb_error *err) {
    searcher s = {.takes = takes, .def = def};
    int count = 0;
    sb_status status = prepare(&s, signals, err);
    if (!status && choose_lengths(&s)) {
        double half_hz = 0.5 * sb_subbands_width_hz(s.bands);
        for (int i = 0; !status; i++) {
            double centre_hz = sb_subbands_centre_hz(s.bands, i);
            if (centre_hz - half_hz > def->high_hz) break;
            if (centre_hz + half_hz < def->low_hz) continue;
            status = search_band(&s, i, poles, capacity, &count, err);
        }
    }
    release(&s);
    if (!status) *count_out = count;
    return status;
}
