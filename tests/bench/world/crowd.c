/* SPDX-License-Identifier: MIT */
/* Figure 4: the number of modes mixed for a struck bar; and an overloaded
 * scene with ten times the modes that fit, whose loudest modes must stay exact.
 * Thread: control. */
#include "runtime/base/fft.h"
#include "tests/bench/world/rings_world.h"

#include "runtime/base/memory.h"
#include "runtime/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- a bar ---------------------------------------------------------------- */

static const char bar_text[] =
    "local sb = require 'sandbell'\n"
    "sb.listener { position = { 0, 0.5, 0.5 }, gain = %.9g }\n"
    "local bar = sb.body('bar', { material = 'rosewood', shape = sb.bar {\n"
    "  length = 0.28, width = 0.04, thickness = 0.02, method = 'solid' } })\n"
    "function scene.start()\n"
    "  bar:strike { at = { u = 0.5, v = 0.5 }, speed = 2, mass = 0.03,\n"
    "    material = 'hard_plastic', gravity = 0 }\n"
    "end\n";

static sb_status play_bar(bench_stage *stage, double gain, double tau,
                          float *sound, int frames, sb_error *err) {
    char text[sizeof bar_text + 32];
    (void)snprintf(text, sizeof text, bar_text, gain);
    sb_quality_def quality = sb_quality_default();
    quality.tau = tau;
    sb_status status = bench_stage_open(stage, text, false, err);
    if (!status) status = bench_stage_quality(stage, &quality, err);
    stage->sound = sound;
    stage->sound_frames = frames;
    if (!status)
        status = bench_stage_play(stage, frames / BENCH_RATE_HZ, 0.0, err);
    return status;
}

static double peak_of(const float *sound, int frames) {
    double peak = 0.0;
    for (int n = 0; n < 2 * frames; n++)
        peak = fmax(peak, fabs((double)sound[n]));
    return peak;
}

static double difference_db(const float *a, const float *b, int frames) {
    double power = 0.0, apart = 0.0;
    for (int n = 0; n < 2 * frames; n++) {
        double d = (double)a[n] - (double)b[n];
        power += (double)a[n] * (double)a[n];
        apart += d * d;
    }
    return 10.0 * log10(fmax(apart, 1e-30) / fmax(power, 1e-30));
}

static void count_modes(const bench_stage *stage, int which, int *last,
                        bench_world_point *points, int count,
                        bench_world_bar *out) {
    double sum = 0.0;
    for (int i = 0; i < stage->block_count && i < count; i++) {
        points[i].time_s = i * BENCH_BLOCK_S;
        points[i].bar[which] = stage->blocks[i].mixed;
        sum += stage->blocks[i].mixed;
        if (stage->blocks[i].mixed > out->modes)
            out->modes = stage->blocks[i].mixed;
        if (which == 0 && stage->blocks[i].mixed > 0) *last = i + 1;
    }
    out->mixed[which] = sum / (*last > 0 ? *last : 1);
}

sb_status bench_world_bar_run(bench_world_point *points, int count,
                              bench_world_bar *out, sb_error *err) {
    static const double tau[2] = {0.01, 2.0};
    int frames = count * SB_BLOCK_FRAMES, last = 0;
    double gain = 1e-3;
    *out = (bench_world_bar){0};
    float *sound[2] = {sb_alloc(2 * (size_t)frames, sizeof(float)),
                       sb_alloc(2 * (size_t)frames, sizeof(float))};
    sb_status status = SB_OK;
    if (!sound[0] || !sound[1])
        status = sb_fail(err, SB_NO_MEMORY, "out of memory for a figure");
    /* tau is relative to full scale: a first run measures the bar's level. */
    for (int i = -1; i < 2 && !status; i++) {
        bench_stage stage = {0};
        int which = i < 0 ? 0 : i;
        status = play_bar(&stage, gain, tau[which], sound[which], frames, err);
        if (!status && i < 0) {
            gain *= 0.95 / fmax(peak_of(sound[0], frames), 1e-9);
        } else if (!status) {
            count_modes(&stage, which, &last, points, count, out);
        }
        bench_stage_close(&stage);
    }
    if (!status) {
        out->saving = 1.0 - out->mixed[1] / fmax(out->mixed[0], 1e-9);
        out->peak = peak_of(sound[0], frames);
        out->differ_db = difference_db(sound[0], sound[1], frames);
    }
    sb_free(sound[0]);
    sb_free(sound[1]);
    return status;
}

/* --- a crowd -------------------------------------------------------------- */

/* Every mode is at the middle of a bin of the transform and hardly decays, and
 * each of the ten loudest bodies has bins of its own, so that its level can be
 * read from the sound of all. */
enum {
    LOUD = 10,
    BODY_MODES = 1000,
    BITS = 15,
    FFT = 1 << BITS,
    RESIDUES = 12, /* one for each loud body, two for the others */
    FIRST_BIN = 120,
    FADE_FRAMES = 28800, /* strikes one after the other, then a pause */
    MOST_BODIES = 4000
};

static const char crowd_text[] =
    "local sb = require 'sandbell'\n"
    "local bodies, modes, residues, bin = %d, %d, %d, 48000 / %d\n"
    "sb.listener { position = { 0, 0, 1 }, gain = 0.01 }\n"
    "local shapes = {}\n"
    "for b = 1, residues do\n"
    "  local list = {}\n"
    "  for k = 1, modes do\n"
    "    list[k] = { bin * (%d + residues * k + b), 1000, 50 / (50 + k) }\n"
    "  end\n"
    "  shapes[b] = sb.modes(list)\n"
    "end\n"
    "for i = 1, bodies do\n"
    "  local is_loud = i <= 10\n"
    "  local db = is_loud and -i or -20 - 40 * i / bodies\n"
    "  sb.body('body ' .. i, { gain = 10 ^ (db / 20),\n"
    "    shape = shapes[is_loud and i or 11 + i %% (residues - 10)] })\n"
    "end\n"
    "local struck = 0\n"
    "function scene.update()\n"
    "  for _ = 1, (bodies + 49) // 50 do\n"
    "    if struck == bodies then return end\n"
    "    struck = struck + 1\n"
    "    sb.find('body ' .. struck):strike { impulse = 0.01 }\n"
    "  end\n"
    "end\n";

static sb_status play_crowd(int bodies, const sb_quality_def *quality,
                            bench_stage *stage, float *sound, sb_error *err) {
    char text[sizeof crowd_text + 96];
    (void)snprintf(text, sizeof text, crowd_text, bodies, BODY_MODES, RESIDUES,
                   FFT, FIRST_BIN);
    sb_status status =
        bench_stage_open(stage, text, quality->budget > 0.0, err);
    if (!status) status = bench_stage_quality(stage, quality, err);
    stage->sound = sound;
    stage->sound_from = FADE_FRAMES;
    stage->sound_frames = FFT;
    if (!status)
        status = bench_stage_play(stage, (FADE_FRAMES + FFT) / BENCH_RATE_HZ,
                                  0.0, err);
    return status;
}

/* Energies of the loud bodies. */
static sb_status levels_of(const float *sound, double out[LOUD],
                           sb_error *err) {
    sb_fft *fft = sb_fft_create(1 << BITS);
    double complex *x = sb_alloc(FFT, sizeof *x);
    sb_status status =
        fft && x ? SB_OK
                 : sb_fail(err, SB_NO_MEMORY, "out of memory for levels");
    for (int n = 0; n < FFT && !status; n++)
        x[n] = (double)sound[2 * n];
    if (!status) sb_fft_forward(fft, x);
    for (int b = 0; b < LOUD && !status; b++) {
        out[b] = 0.0;
        for (int k = 1; k <= BODY_MODES; k++) {
            double complex bin = x[FIRST_BIN + RESIDUES * k + b + 1];
            out[b] += creal(bin * conj(bin));
        }
    }
    sb_free(x);
    sb_fft_destroy(fft);
    return status;
}

/* Number of modes within the budget, as measured by the engine. */
static sb_status fitting_modes(const sb_quality_def *quality, double *out,
                               sb_error *err) {
    bench_stage stage = {0};
    sb_status status = bench_stage_open(&stage, "", true, err);
    if (!status) status = bench_stage_play(&stage, 0.05, 0.0, err);
    if (!status) {
        double unit_s = sb_engine_read_stats(sb_host_engine(stage.host)).unit_s;
        *out = quality->budget * BENCH_BLOCK_S / unit_s;
    }
    bench_stage_close(&stage);
    return status;
}

static sb_status compare(bench_world_crowd *out, const sb_quality_def *quality,
                         float *sound, sb_error *err) {
    double part[LOUD], whole[LOUD];
    bench_stage stage = {0};
    sb_status status = play_crowd(out->bodies, quality, &stage, sound, err);
    if (!status) status = bench_stage_load(&stage, 0, &out->load, err);
    if (!status)
        out->impacts_dropped =
            sb_engine_read_stats(sb_host_engine(stage.host)).dropped;
    if (!status) status = levels_of(sound, part, err);
    bench_stage_close(&stage);
    if (status) return status;
    sb_quality_def all = *quality;
    all.budget = 0.0;
    status = play_crowd(out->bodies, &all, &stage, sound, err);
    if (!status) status = levels_of(sound, whole, err);
    bench_stage_close(&stage);
    for (int b = 0; b < LOUD && !status; b++) {
        out->error_db[b] = 10.0 * log10(part[b] / whole[b]);
        out->worst_db = fmax(out->worst_db, fabs(out->error_db[b]));
    }
    return status;
}

sb_status bench_world_crowd_run(const bench_world_def *def,
                                bench_world_crowd *out, sb_error *err) {
    sb_quality_def quality = sb_quality_default();
    memset(out, 0, sizeof *out);
    out->budget = quality.budget;
    sb_status status = fitting_modes(&quality, &out->fitting, err);
    if (status) return status;
    double bodies = ceil(def->crowd_times * out->fitting / BODY_MODES);
    out->bodies = (int)fmin(fmax(bodies, LOUD + 2), MOST_BODIES);
    out->modes = (double)out->bodies * BODY_MODES;
    float *sound = sb_alloc((size_t)2 * FFT, sizeof *sound);
    if (!sound) return sb_fail(err, SB_NO_MEMORY, "out of memory for a sound");
    status = compare(out, &quality, sound, err);
    sb_free(sound);
    return status;
}
