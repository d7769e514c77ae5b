/* SPDX-License-Identifier: MIT */
/* Forces in fine steps to one impulse per frame (record.h). Thread: audio. */
#include "runtime/dsp/contact/record.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <string.h>

/* A sinc that ends at half the sample rate, in Blackman's window; its taps add
 * up to 1 per frame. */
void sb_record_init(sb_record *record) {
    double sum = 0.0;
    for (int i = 0; i < SB_RECORD_TAPS; i++) {
        double t = (i + 0.5) / SB_RECORD_TAPS;
        double x = SB_PI * SB_RECORD_REACH * (t - 0.5);
        double window =
            0.42 - 0.5 * cos(SB_TAU * t) + 0.08 * cos(2.0 * SB_TAU * t);
        record->taps[i] = (float)(window * sin(x) / x);
        sum += (double)record->taps[i];
    }
    for (int i = 0; i < SB_RECORD_TAPS; i++)
        record->taps[i] *= (float)(SB_RECORD_BINS / sum);
}

void sb_record_add(sb_record *record, double frame, double frames,
                   double impulse_ns) {
    double from = frame * SB_RECORD_BINS, width = frames * SB_RECORD_BINS;
    int first = (int)from, last = (int)(from + width);
    int most = SB_BLOCK_FRAMES * SB_RECORD_BINS - 1;
    float *bins_ns = record->bins_ns + SB_RECORD_TAPS;
    if (impulse_ns == 0.0 || first < 0 || first > most) return;
    record->is_fresh = true;
    if (last > most) last = most;
    for (int i = first; i <= last; i++) {
        double start = i > first ? i : from;
        double end = i < last ? i + 1 : from + width;
        bins_ns[i] += (float)(impulse_ns * (end - start) / width);
    }
}

void sb_record_take(sb_record *record, float *impulse_ns) {
    enum { BLOCK = SB_BLOCK_FRAMES * SB_RECORD_BINS };
    if (!record->is_fresh && !record->is_late) return;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        const float *from = record->bins_ns + (n + 1) * SB_RECORD_BINS;
        float sum[SB_RECORD_BINS] = {0};
        for (int i = 0; i < SB_RECORD_TAPS; i += SB_RECORD_BINS)
            for (int j = 0; j < SB_RECORD_BINS; j++)
                sum[j] += record->taps[i + j] * from[i + j];
        for (int j = 0; j < SB_RECORD_BINS; j++)
            impulse_ns[n] += sum[j];
    }
    memmove(record->bins_ns, record->bins_ns + BLOCK,
            SB_RECORD_TAPS * sizeof *record->bins_ns);
    memset(record->bins_ns + SB_RECORD_TAPS, 0,
           BLOCK * sizeof *record->bins_ns);
    record->is_late = record->is_fresh;
    record->is_fresh = false;
}
