/* Splits signals into decimated bands by one large Fourier transform and one
 * small transform per band. Control thread. */
#include "runtime/fit/subband.h"

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

/* Parts of the band's rate: the pass band that is used, and the edge of the
 * stop band, chosen so that nothing aliases into the pass band. */
#define KEPT_PART   0.4
#define CLOSED_PART 1.0
#define STOP_DB     100.0

struct sb_subbands {
    sb_fft *whole, *part;
    double complex *response; /* of the filter, at the band's bins */
    double rate_hz;
    int step, tap_count;
};

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
static sb_status find_response(sb_subbands *bands, sb_error *err) {
    int size = sb_fft_size(bands->whole);
    int part = sb_fft_size(bands->part);
    double complex *work = sb_alloc((size_t)size, sizeof *work);
    double *taps = sb_alloc((size_t)bands->tap_count, sizeof *taps);
    if (!work || !taps) {
        sb_free(work);
        sb_free(taps);
        return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
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

sb_status sb_subbands_create(sb_subbands **out, int length, int rate_hz,
                             double band_rate_hz, sb_error *err) {
    int bits = 5, step_bits = 0;
    while (1 << bits < length)
        bits++;
    while (rate_hz / (double)(2 << step_bits) >= 0.7 * band_rate_hz &&
           step_bits + 5 < bits)
        step_bits++;
    sb_subbands *bands = sb_alloc(1, sizeof *bands);
    if (!bands) return sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    bands->rate_hz = rate_hz;
    bands->step = 1 << step_bits;
    bands->tap_count =
        (int)((STOP_DB - 8.0) /
              (2.285 * SB_PI * (CLOSED_PART - KEPT_PART) / bands->step)) +
        1;
    bands->whole = sb_fft_create(1 << bits);
    bands->part = sb_fft_create(1 << (bits - step_bits));
    bands->response =
        sb_alloc((size_t)1 << (bits - step_bits), sizeof *bands->response);
    sb_status status = SB_OK;
    if (!bands->whole || !bands->part || !bands->response) {
        status = sb_fail(err, SB_NO_MEMORY, "fit: out of memory");
    } else if (bands->tap_count >= 1 << bits) {
        bands->tap_count = (1 << bits) / 2;
    }
    if (!status) status = find_response(bands, err);
    if (status) {
        sb_subbands_destroy(bands);
        return status;
    }
    *out = bands;
    return SB_OK;
}

void sb_subbands_destroy(sb_subbands *bands) {
    if (!bands) return;
    sb_fft_destroy(bands->whole);
    sb_fft_destroy(bands->part);
    sb_free(bands->response);
    sb_free(bands);
}

int sb_subbands_step(const sb_subbands *bands) {
    return bands->step;
}

int sb_subbands_tap_count(const sb_subbands *bands) {
    return bands->tap_count;
}

int sb_subbands_size(const sb_subbands *bands) {
    return sb_fft_size(bands->part);
}

int sb_subbands_spectrum_size(const sb_subbands *bands) {
    return sb_fft_size(bands->whole);
}

/* Distance of band centres, a whole number of bins. */
static int bins_apart(const sb_subbands *bands) {
    return (int)(KEPT_PART * sb_fft_size(bands->part));
}

double sb_subbands_width_hz(const sb_subbands *bands) {
    return bins_apart(bands) * bands->rate_hz / sb_fft_size(bands->whole);
}

static int centre_bin(const sb_subbands *bands, int i) {
    return bins_apart(bands) * i + bins_apart(bands) / 2;
}

double sb_subbands_centre_hz(const sb_subbands *bands, int i) {
    return centre_bin(bands, i) * bands->rate_hz / sb_fft_size(bands->whole);
}

void sb_subbands_look(const sb_subbands *bands, const double *const x[2],
                      const int lengths[2], double complex *spectrum) {
    int size = sb_fft_size(bands->whole);
    memset(spectrum, 0, (size_t)size * sizeof *spectrum);
    for (int i = 0; i < 2; i++) {
        for (int n = 0; x[i] && n < lengths[i]; n++)
            ((double *)spectrum)[2 * n + i] = x[i][n];
    }
    sb_fft_forward(bands->whole, spectrum);
}

void sb_subbands_take(const sb_subbands *bands, const double complex *spectrum,
                      int which, int i, double complex *band) {
    int size = sb_fft_size(bands->whole);
    int part = sb_fft_size(bands->part);
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
