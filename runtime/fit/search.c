/* SPDX-License-Identifier: MIT */
/* Searches poles band by band: splits the signals, runs ESPRIT on each band,
 * converts the poles back to the full rate. Control thread.
 *
 * A band is a signal at a lower rate, shifted to 0:
 *     y[m] = sum_j h[j] exp(-i w0 (m D + j)) x[m D + j],   j = 0 .. J-1
 * The filter is anticausal: an exponential that begins with the signal remains
 * an exponential from the first sample on, p^n -> H(p) (p exp(-i w0))^(D m),
 * without a filter transient. Instead, the last J samples have no complete
 * output; there the signal is weakest. One transform of x serves all bands.
 *
 * ESPRIT finds the exponentials that all signals of a band share,
 *     y_r[m] = sum_k c_kr p_k^m + noise,   r = 0 .. R-1
 * Apart from noise, the windows of `rows` successive samples of all signals
 * span one K-dimensional space. Its basis U consists of eigenvectors of the sum
 * of all y y^H. Moving the window by one sample multiplies each exponential by
 * its pole: U without its first row equals U without its last row times a
 * matrix whose eigenvalues are the p_k. Amplitudes and phases do not enter, so
 * signals need not be aligned. K is the number of eigenvalues above the level
 * that noise alone reaches.
 *
 * Symbols: w0 -> centre; D -> step; J -> tap_count; p -> poles; K -> count;
 *          R -> takes->count.
 * Source:  R. Roy & T. Kailath, ESPRIT, IEEE Trans. ASSP 37(7), 1989;
 *          R. Badeau, B. David & G. Richard, A New Perturbation Analysis for
 *          Signal Enumeration in Rotational Invariance Techniques, IEEE Trans.
 *          SP 54(2), 2006. */
#include "runtime/fit/search.h"

#include "runtime/base/cmplx.h"
#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/fit/linear.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Parts of the band's rate: the pass band that is used, and the edge of the
 * stop band, chosen so that nothing aliases into the pass band. */
#define KEPT_PART   0.4
#define CLOSED_PART 1.0
#define STOP_DB     100.0

enum { MOST_OF_A_BAND = 24 };

/* Lower bound of the noise density: the measured one may be too low in
 * places. */
#define LEAST_DENSITY 0.01

typedef struct subbands {
    sb_fft *whole, *part;
    double complex *response; /* of the filter, at the band's bins */
    double rate_hz;
    int step, tap_count;
    int size;          /* samples of a band */
    int spectrum_size; /* of two signals, or of one */
} subbands;

typedef struct searcher {
    const sb_takes *takes;
    const sb_search_def *def;
    subbands bands;
    double complex *spectra; /* of pairs of signals, contiguous */
    double complex *parts;   /* one band of all signals */
    int length, rows;        /* in samples of a band */
} searcher;

/* --- bands ---------------------------------------------------------------- */

/* The modified Bessel function I0, by its series. */
static double bessel_0(double x) {
    double term = 1.0, sum = 1.0;
    for (int k = 1; term > 1e-17 * sum; k++) {
        term *= x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

/* A Kaiser-windowed low pass; edges in cycles per sample. */
static void design(double pass, double stop, int count, double *taps) {
    double beta = 0.1102 * (STOP_DB - 8.7), middle = 0.5 * (count - 1);
    double cutoff = 0.5 * (pass + stop);
    double sum = 0.0;
    for (int j = 0; j < count; j++) {
        double t = j - middle, part = t / (middle + 0.5);
        double ideal = t == 0.0 ? 2.0 * cutoff
                                : sin(2.0 * SB_PI * cutoff * t) / (SB_PI * t);
        taps[j] = ideal * bessel_0(beta * sqrt(fmax(0.0, 1.0 - part * part)));
        sum += taps[j];
    }
    for (int j = 0; j < count; j++)
        taps[j] /= sum;
}

/* The filter is anticausal, hence the conjugate. */
static sb_status find_response(subbands *bands, sb_error *err) {
    int size = bands->spectrum_size;
    int part = bands->size;
    double complex *work = sb_alloc((size_t)size, sizeof *work);
    double *taps = sb_alloc((size_t)bands->tap_count, sizeof *taps);
    if (!work || !taps) {
        sb_free(work);
        sb_free(taps);
        return sb_no_memory(err, "fit");
    }
    design(0.5 * KEPT_PART / bands->step, 0.5 * CLOSED_PART / bands->step,
           bands->tap_count, taps);
    for (int j = 0; j < bands->tap_count; j++)
        work[j] = taps[j];
    sb_fft_forward(bands->whole, work);
    for (int b = 0; b < part; b++) {
        int bin = b < part / 2 ? b : b - part + size;
        bands->response[b] = conj(work[bin]) / size;
    }
    sb_free(work);
    sb_free(taps);
    return SB_OK;
}

/* For signals of up to `length` samples at `rate_hz`. The band rate is the
 * signal rate divided by a power of two, near `band_rate_hz`. On failure, too,
 * the caller calls close_bands. */
static sb_status open_bands(subbands *bands, int length, int rate_hz,
                            double band_rate_hz, sb_error *err) {
    int bits = 5, step_bits = 0;
    while (1 << bits < length)
        bits++;
    while (rate_hz / (double)(2 << step_bits) >= 0.7 * band_rate_hz &&
           step_bits + 5 < bits)
        step_bits++;
    bands->rate_hz = rate_hz;
    bands->step = 1 << step_bits;
    bands->tap_count =
        (int)((STOP_DB - 8.0) /
              (2.285 * SB_PI * (CLOSED_PART - KEPT_PART) / bands->step)) +
        1;
    if (bands->tap_count >= 1 << bits) bands->tap_count = (1 << bits) / 2;
    bands->spectrum_size = 1 << bits;
    bands->size = 1 << (bits - step_bits);
    bands->whole = sb_fft_create(bands->spectrum_size);
    bands->part = sb_fft_create(bands->size);
    bands->response = sb_alloc((size_t)bands->size, sizeof *bands->response);
    if (!bands->whole || !bands->part || !bands->response)
        return sb_no_memory(err, "fit");
    return find_response(bands, err);
}

static void close_bands(subbands *bands) {
    sb_fft_destroy(bands->whole);
    sb_fft_destroy(bands->part);
    sb_free(bands->response);
}

/* Distance of band centres, a whole number of bins. */
static int bins_apart(const subbands *bands) {
    return (int)(KEPT_PART * bands->size);
}

/* Width of the pass band, Hz. */
static double width_hz_of(const subbands *bands) {
    return bins_apart(bands) * bands->rate_hz / bands->spectrum_size;
}

static int centre_bin(const subbands *bands, int i) {
    return bins_apart(bands) * i + bins_apart(bands) / 2;
}

/* The centre frequency of band i = 0, 1, ..., Hz. */
static double centre_hz_of(const subbands *bands, int i) {
    return centre_bin(bands, i) * bands->rate_hz / bands->spectrum_size;
}

static void look_at(const subbands *bands, const double *const x[2],
                    const int lengths[2], double complex *spectrum) {
    int size = bands->spectrum_size;
    memset(spectrum, 0, (size_t)size * sizeof *spectrum);
    for (int i = 0; i < 2; i++) {
        for (int n = 0; x[i] && n < lengths[i]; n++)
            ((double *)spectrum)[2 * n + i] = x[i][n];
    }
    sb_fft_forward(bands->whole, spectrum);
}

/* Band i of the first (0) or second (1) signal in that spectrum. */
static void take_band(const subbands *bands, const double complex *spectrum,
                      int which, int i, double complex *band) {
    int size = bands->spectrum_size;
    int part = bands->size;
    int centre = centre_bin(bands, i);
    for (int b = 0; b < part; b++) {
        int bin = centre + (b < part / 2 ? b : b - part);
        double complex parts[2];
        sb_fft_part(spectrum, size, bin & (size - 1), &parts[0], &parts[1]);
        double re = creal(parts[which]), im = cimag(parts[which]);
        double hr = creal(bands->response[b]), hi = cimag(bands->response[b]);
        band[b] = CMPLX(re * hr - im * hi, re * hi + im * hr);
    }
    sb_fft_backward(bands->part, band);
}

/* --- ESPRIT --------------------------------------------------------------- */

/* Eigenvalues below this part of the largest are rounding errors. */
#define LEAST_EIGENVALUE 1e-12

/* C_ij += sum_c y_(c+i) conj(y_(c+j)), lower half. Each diagonal is a running
 * sum: one step down removes the first product and adds one at the end. */
static void add_windows(int rows, int columns, const double complex *y,
                        double complex *matrix) {
    for (int lag = 0; lag < rows; lag++) {
        double re = 0.0, im = 0.0;
        for (int c = 0; c < columns; c++) {
            double a = creal(y[c + lag]), b = cimag(y[c + lag]);
            re += a * creal(y[c]) + b * cimag(y[c]);
            im += b * creal(y[c]) - a * cimag(y[c]);
        }
        double complex sum = CMPLX(re, im);
        for (int j = 0; j + lag < rows; j++) {
            matrix[(size_t)j * (size_t)rows + (size_t)(j + lag)] += sum;
            if (j + lag + 1 == rows) break;
            sum += y[j + lag + columns] * conj(y[j + columns]) -
                   y[j + lag] * conj(y[j]);
        }
    }
}

static int choose_order(const double *values, int rows, int most,
                        double noise_level) {
    double largest = values[rows - 1];
    int count = 0;
    while (count < most) {
        double value = values[rows - 1 - count];
        if (value <= noise_level || value <= LEAST_EIGENVALUE * largest) {
            break;
        }
        count++;
    }
    return count;
}

/* With l the conjugated last row of U, U1^H U1 = 1 - l l^H, so that the
 * least-squares solution of U1 X = U2 needs no factorisation. */
static sb_status rotate(int rows, int count, const double complex *vectors,
                        double complex *turn, double complex *poles,
                        sb_error *err) {
    const double complex *last = vectors + rows - 1;
    double left = 1.0;
    for (int i = 0; i < count; i++) {
        double complex l = last[(size_t)i * (size_t)rows];
        left -= creal(l * conj(l));
    }
    if (left < 1e-12) left = 1e-12;
    for (int j = 0; j < count; j++) {
        const double complex *uj = vectors + (size_t)j * (size_t)rows;
        double complex *column = turn + (size_t)j * (size_t)count;
        double complex along = 0.0;
        for (int i = 0; i < count; i++) {
            const double complex *ui = vectors + (size_t)i * (size_t)rows;
            double complex sum = 0.0;
            for (int n = 0; n + 1 < rows; n++)
                sum += conj(ui[n]) * uj[n + 1];
            column[i] = sum;
            along += ui[rows - 1] * sum;
        }
        for (int i = 0; i < count; i++)
            column[i] += conj(last[(size_t)i * (size_t)rows]) * along / left;
    }
    return sb_linear_general(count, turn, poles, err);
}

/* The poles of s->parts, in no particular order; `*count_out` may be 0.
 * `noise_level` is the largest eigenvalue that noise may reach. NO_MEMORY,
 * NO_CONVERGENCE. */
static sb_status esprit(const searcher *s, double noise_level,
                        double complex poles[MOST_OF_A_BAND], int *count_out,
                        sb_error *err) {
    size_t rows = (size_t)s->rows, most = s->rows / 2 < MOST_OF_A_BAND
                                              ? (size_t)s->rows / 2
                                              : MOST_OF_A_BAND;
    double complex *matrix = sb_alloc(rows * rows, sizeof *matrix);
    double complex *turn = sb_alloc(most * most, sizeof *turn);
    double *values = sb_alloc(rows, sizeof *values);
    sb_status status = SB_OK;
    int count = 0;
    if (!matrix || !turn || !values) {
        status = sb_no_memory(err, "fit");
    } else {
        for (int r = 0; r < s->takes->count; r++)
            add_windows(s->rows, s->length - s->rows + 1,
                        s->parts + (size_t)r * (size_t)s->bands.size, matrix);
        status = sb_linear_hermitian(s->rows, matrix, values, err);
    }
    if (!status) {
        count = choose_order(values, s->rows, (int)most, noise_level);
        /* Eigenvalues ascend: the signal subspace is the last `count`
         * columns. */
        if (count > 0)
            status =
                rotate(s->rows, count, matrix + (rows - (size_t)count) * rows,
                       turn, poles, err);
    }
    if (!status) *count_out = count;
    sb_free_all(matrix, turn, values);
    return status;
}

/* --- the search ----------------------------------------------------------- */

static void release(searcher *s) {
    close_bands(&s->bands);
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
    int step = s->bands.step;
    int length = (least - s->bands.tap_count) / step;
    int span = (int)(s->def->span_s * s->takes->rate_hz) / step;
    s->length = length < span ? length : span;
    s->rows = s->def->rows < s->length / 2 ? s->def->rows : s->length / 2;
    return s->rows >= 8;
}

static sb_status prepare(searcher *s, const double *const *signals,
                         sb_error *err) {
    sb_status status = open_bands(&s->bands, sb_takes_length(s->takes),
                                  s->takes->rate_hz, s->def->band_rate_hz, err);
    if (status) return status;
    size_t count = (size_t)s->takes->count;
    size_t size = (size_t)s->bands.spectrum_size;
    s->spectra = sb_alloc((count + 1) / 2 * size, sizeof *s->spectra);
    s->parts = sb_alloc(count * (size_t)s->bands.size, sizeof *s->parts);
    if (!s->spectra || !s->parts) return sb_no_memory(err, "fit");
    for (size_t r = 0; r < count; r += 2) {
        bool is_last = r + 1 == count;
        const double *const pair[2] = {signals[r],
                                       is_last ? NULL : signals[r + 1]};
        int lengths[2] = {s->takes->items[r].length,
                          is_last ? 0 : s->takes->items[r + 1].length};
        look_at(&s->bands, pair, lengths, s->spectra + r / 2 * size);
    }
    return SB_OK;
}

/* Convert a pole of band i to the full rate; false when it lies outside the
 * part that this band covers. */
static bool convert(const searcher *s, int i, double complex of_band,
                    sb_pole *out) {
    double step = s->bands.step, rate_hz = s->takes->rate_hz;
    double centre_hz = centre_hz_of(&s->bands, i);
    double off_hz = carg(of_band) / step * rate_hz / (2.0 * SB_PI);
    double freq_hz = centre_hz + off_hz;
    if (fabs(off_hz) > 0.5 * width_hz_of(&s->bands)) return false;
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
    int size = s->bands.size, takes = s->takes->count;
    size_t spectrum_size = (size_t)s->bands.spectrum_size;
    for (int r = 0; r < takes; r++)
        take_band(&s->bands, s->spectra + (size_t)(r / 2) * spectrum_size,
                  r % 2, i, s->parts + (size_t)r * (size_t)size);
    double width_hz = width_hz_of(&s->bands);
    double centre_hz = centre_hz_of(&s->bands, i);
    double density =
        sb_density_noise(s->def->density, centre_hz - 0.5 * width_hz,
                         centre_hz + 0.5 * width_hz);
    /* The largest eigenvalue of pure noise (Marchenko & Pastur). */
    double columns = (double)(s->length - s->rows + 1) * takes;
    double edge = 1.0 + sqrt(s->rows / columns);
    double noise_level = s->def->margin * fmax(density, LEAST_DENSITY) *
                         columns * edge * edge / s->bands.step;
    double complex found[MOST_OF_A_BAND];
    int found_count = 0;
    sb_status status = esprit(s, noise_level, found, &found_count, err);
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
        double half_hz = 0.5 * width_hz_of(&s.bands);
        for (int i = 0; !status; i++) {
            double centre_hz = centre_hz_of(&s.bands, i);
            if (centre_hz - half_hz > def->high_hz) break;
            if (centre_hz + half_hz < def->low_hz) continue;
            status = search_band(&s, i, poles, capacity, &count, err);
        }
    }
    release(&s);
    if (!status) *count_out = count;
    return status;
}
