/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/diffuse.h -- the sound of densely spaced modes, as noise.
 *
 * Wood, doors and chairs have so many short modes that only their density and
 * decay are heard. The force on the body is split into bands. Each band
 * integrates the energy of its input with its own decay,
 *
 *     E' = -2 s E + y^2,        y the force within the band,
 *
 * and plays noise of the same band with the power
 *
 *     p E / (2 B),              B the width of the band.
 *
 * This is what modes of decay s with sum g^2 phi^2 / 2 = p give on average, for
 * impacts and for lasting forces: a unit impulse leaves 2 B in E. So the sound
 * has the spectrum of the force.
 *
 * The edges of the bands are the same at every sample rate; bands too close to
 * half of it are left out. The noise is the same in every run, and continues
 * from one impact to the next. A force at a place where the modes move more
 * than in the mean is louder: sb_diffuse_gain.
 *
 * Symbols: s sigma_per_s, p power.
 * Thread:  audio (init as well). Memory: the caller's.
 * Source:  Menzies, Phya, section 2.3.2 and figure 7 (perceptual resonator).
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Number of bands, and of filter sections for force and noise. */
enum {
    SB_DIFFUSE_BANDS = 64,
    SB_DIFFUSE_IN = 3,
    SB_DIFFUSE_OUT = 2,
    SB_DIFFUSE_STEEP = 4,   /* instead of OUT, if is_steep */
    SB_DIFFUSE_PLACES = 256 /* modes that show how loud a place is */
};

typedef struct sb_diffuse_band {
    double low_hz, high_hz; /* 0 < low < high; the -3 dB points */
    double power;           /* p, output^2 per (N s)^2, >= 0 */
    double sigma_per_s;     /* s, of the amplitude, > 0 */
} sb_diffuse_band;

typedef struct sb_diffuse_def {
    int band_count; /* 0 .. SB_DIFFUSE_BANDS, lowest first */
    uint32_t seed;  /* of the noise */
    /* Butterworth's filters: bands of very different power are kept apart, and
     * neighbours that share an edge add up to a flat spectrum */
    bool is_steep;
    sb_diffuse_band bands[SB_DIFFUSE_BANDS];
    /* sum of place[i] phi^2 over the modes from first_place on is 1 in the
     * mean over the surface; 0 of them: all places are alike */
    int first_place, place_count;
    float place[SB_DIFFUSE_PLACES];
    /* How loud a place is depends on the band: on the mode first_place +
     * place_of[b] alone, whose place[] is 1 / place_count where phi is 1. */
    bool is_toned;
    unsigned char place_of[SB_DIFFUSE_BANDS];
} sb_diffuse_def;

/* Four bands at a time. */
typedef float sb_four __attribute__((vector_size(16)));
typedef uint32_t sb_four_bits __attribute__((vector_size(16)));
enum { SB_DIFFUSE_FOURS = SB_DIFFUSE_BANDS / 4 };

/* A two-pole band-pass. a and b are the state, x is the input and y the output:
 *
 *     a <- aa a - ab b + ab x,   b <- ab a + bb b + bx x,
 *     y = ya a + yx (x - b)
 */
typedef struct sb_diffuse_section {
    sb_four aa, ab, bb, bx, ya, yx;
    sb_four a, b;
} sb_diffuse_section;

/* Some of them in series: equal ones, or Butterworth's if is_steep. */
typedef struct sb_diffuse_filter {
    sb_diffuse_section sections[SB_DIFFUSE_STEEP];
} sb_diffuse_filter;

typedef struct sb_diffuse_four {
    sb_diffuse_filter in, out; /* of the force, of the noise */
    sb_four_bits noise;
    sb_four account; /* E, N^2 s */
    sb_four fade;    /* decay of E per frame */
    sb_four tone;    /* factor of y^2, of the place where the force acts */
    sb_four gain;    /* of the raw noise per sqrt(E), now */
    sb_four step;    /* change of the gain per frame */
} sb_diffuse_four;

typedef struct sb_diffuse {
    sb_diffuse_four four[SB_DIFFUSE_FOURS];
    double sample_rate_hz;
    int band_count;
    bool is_steep;
    double raw[SB_DIFFUSE_BANDS];   /* rms of raw noise after its filter */
    double share[SB_DIFFUSE_BANDS]; /* gain per sqrt(p) */
    double goal[SB_DIFFUSE_BANDS];  /* target gain */
    double step_blocks;             /* blocks left until it is reached */
    int first_four;                 /* of those with a power */
    int tail[SB_DIFFUSE_BANDS];
    int tail_blocks; /* blocks for which the filters of the force ring on */
    int ringing;     /* blocks left of these */
    bool is_awake;
    double threshold;     /* amplitude below which it is silent */
    float mean_before[2]; /* last two values of force_ns */
    int first_place, place_count;
    float place[SB_DIFFUSE_PLACES];
    bool is_toned;
    unsigned char place_of[SB_DIFFUSE_BANDS];
    float tones[SB_DIFFUSE_BANDS]; /* sum over the forces of the block */
    int tone_count;
} sb_diffuse;

/* In zeroed memory, aligned to 16 bytes. */
void sb_diffuse_init(sb_diffuse *diffuse, const sb_diffuse_def *def,
                     double sample_rate_hz) SB_RT;

/* Change powers and decays of the bands: power glides over so many blocks,
 * decay changes at once, which does not click. */
void sb_diffuse_retune(sb_diffuse *diffuse, const sb_diffuse_def *def,
                       double blocks) SB_RT;

/* See sb_modal_bank_set_threshold. */
void sb_diffuse_set_threshold(sb_diffuse *diffuse, double amplitude) SB_RT;

/* The factor by which a force at a place with these weights, one per mode of
 * the body, counts. */
float sb_diffuse_gain(const sb_diffuse *diffuse, const float *weights) SB_RT;

/* In the coming block a force acts at a place with these weights: its bands are
 * as loud against each other as the place says. Several places count alike. */
void sb_diffuse_act(sb_diffuse *diffuse, const float *weights) SB_RT;

/* Add a block to `out`. `impulse_ns` are impulses (N s), each at its frame;
 * `force_ns` is the mean force of each frame times its duration, whose loss of
 * high frequencies is compensated. */
void sb_diffuse_render(sb_diffuse *diffuse, const float *impulse_ns,
                       const float *force_ns, float *out) SB_RT;

/* Advance by so many blocks without force and output. */
void sb_diffuse_coast(sb_diffuse *diffuse, int blocks) SB_RT;

/* Mean square of the present output. */
double sb_diffuse_power(const sb_diffuse *diffuse) SB_RT;

/* There is no output, and a block without a force costs nothing. */
bool sb_diffuse_is_silent(const sb_diffuse *diffuse) SB_RT;

/* Silence it at once. */
void sb_diffuse_reset(sb_diffuse *diffuse) SB_RT;
