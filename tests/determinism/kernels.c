/* SPDX-License-Identifier: MIT */
/* kernels SECONDS SCENE...: every scene with each kernel that runs here (portable,
 * AVX2, AVX-512). The same kernel gives the same samples; others agree below
 * -100 dB of the peak. */
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "runtime/dsp/vector/isa.h"
#include "runtime/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_FRAMES = 480 };

static void ignore(void *user, const char *line) {
    (void)user, (void)line;
}

/* Stereo, `steps` of 10 ms; NULL, with a message, if it cannot be played. */
static float *render(const char *scene, int steps) {
    sb_host_def def = sb_host_def_default();
    sb_host *host = NULL;
    sb_error err = {0};
    def.report = ignore;
    if (sb_host_open(scene, &def, &host, &err)) {
        (void)fprintf(stderr, "%s\n", err.message);
        return NULL;
    }
    size_t block = 2 * (size_t)STEP_FRAMES;
    float *sound = sb_alloc((size_t)steps * block, sizeof *sound);
    for (int i = 0; i < steps && sound; i++) {
        sb_status failed = sb_host_step(host, i * .01, (i + 1) * .01, &err) ||
                           !sb_engine_flush(sb_host_engine(host),
                                            (i + 1) * (int64_t)STEP_FRAMES);
        if (failed) break;
        sb_engine_pull(sb_host_engine(host), sound + (size_t)i * block,
                       STEP_FRAMES);
    }
    sb_host_close(host);
    return sound;
}

static double peak(const float *a, const float *b, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs((double)a[i] - (b ? (double)b[i] : 0)));
    return most;
}

static int compare(const char *scene, int steps) {
    static const char *const kernels[] = {"portable", "portable", "avx2",
                                          "avx512"};
    size_t count = (size_t)steps * 2 * STEP_FRAMES;
    float *first = NULL;
    int faults = 0;
    for (int i = 0; i < 4; i++) {
        if (!sb_isa_choose(kernels[i])) continue;
        float *sound = render(scene, steps);
        if (!sound) return 1;
        if (!first) {
            first = sound;
            faults += !(peak(first, NULL, count) > 1e-4);
            continue;
        }
        double off = peak(sound, first, count) / peak(first, NULL, count);
        bool is_good = i == 1 ? off == 0 : off < 1e-5;
        (void)printf("%-40s %-9s %7.1f dB%s\n", scene, kernels[i],
                     20 * log10(off + 1e-15), is_good ? "" : "  FAULT");
        faults += !is_good;
        sb_free(sound);
    }
    sb_free(first);
    return faults;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int steps = (int)(strtod(argv[1], NULL) * 100), faults = 0;
    for (int i = 2; i < argc; i++)
        faults += compare(argv[i], steps);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
