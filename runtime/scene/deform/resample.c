/* SPDX-License-Identifier: MIT */
/* Sound at 48 kHz to the engine's rate (resample.h). Control thread. */
#include "runtime/scene/deform/resample.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

#define SOURCE_HZ 48000.0

sb_status resample_make(deform_resampler *self, int channels, double rate_hz,
                        sb_error *err) {
    *self =
        (deform_resampler){.ratio = SOURCE_HZ / rate_hz, .channels = channels};
    self->kept = sb_alloc((size_t)channels * RESAMPLE_KEPT, sizeof *self->kept);
    if (self->kept) return SB_OK;
    return sb_no_memory(err, "deformable bodies");
}

void resample_free(deform_resampler *self) {
    sb_free(self->kept);
    self->kept = NULL;
}

void resample_restart(deform_resampler *self) {
    self->known = self->next = 0;
    memset(self->kept, 0,
           (size_t)self->channels * RESAMPLE_KEPT * sizeof *self->kept);
}

static bool resample_is_plain(const deform_resampler *self) {
    return self->ratio == 1.0;
}

int resample_lag(const deform_resampler *self) {
    return resample_is_plain(self) ? 0 : RESAMPLE_HALF + 1;
}

static float *row(const deform_resampler *self, int64_t frame) {
    size_t at = (size_t)(frame & (RESAMPLE_KEPT - 1));
    return self->kept + at * (size_t)self->channels;
}

void resample_take(deform_resampler *self, const float *frames, int count) {
    size_t bytes = (size_t)self->channels * sizeof *frames;
    for (int i = 0; i < count; i++)
        memcpy(row(self, self->known++), frames + i * self->channels, bytes);
}

int resample_ready(const deform_resampler *self) {
    double last = (double)(self->known - resample_lag(self));
    double ready = floor(last / self->ratio) - (double)self->next;
    if (resample_is_plain(self)) ready = last - (double)self->next;
    return ready > 0.0 ? (int)ready : 0;
}

/* A sinc with a Blackman window; lower where the output has the lower rate. */
static double tap(double x, double band) {
    double window_x = x / RESAMPLE_HALF;
    if (fabs(window_x) >= 1.0) return 0.0;
    double window =
        0.42 + 0.5 * cos(SB_PI * window_x) + 0.08 * cos(2.0 * SB_PI * window_x);
    double arg = SB_PI * band * x;
    return band * window * (fabs(arg) < 1e-9 ? 1.0 : sin(arg) / arg);
}

float resample_at(const deform_resampler *self, int i, int channel) {
    if (resample_is_plain(self)) return row(self, self->next + i)[channel];
    double at = (double)(self->next + i) * self->ratio;
    double band = fmin(1.0, 0.95 / self->ratio);
    int64_t middle = (int64_t)floor(at);
    double sum = 0.0;
    for (int64_t k = middle - RESAMPLE_HALF + 1; k <= middle + RESAMPLE_HALF;
         k++) {
        if (k < 0) continue;
        sum += (double)row(self, k)[channel] * tap(at - (double)k, band);
    }
    return (float)sum;
}

void resample_drop(deform_resampler *self, int count) {
    self->next += count;
}
