/* runtime/dsp/diffuse.h -- the sound of modes too many to be told apart.
 *
 * Wood, doors and chairs have so many modes, each so short, that only their
 * number and their decay are heard. The force on the body is split into bands;
 * each keeps an account of what came in and forgets it at the band's own decay,
 *
 *     E' = -2 s E + y^2,        y the force within the band,
 *
 * and a noise of the same band is played with the power
 *
 *     p E / (2 B),              B the width of the band,
 *
 * which is what modes of the decay s with sum g^2 phi^2 / 2 = p would give on
 * average, for a blow and for a lasting force alike: 2 B is what a unit impulse
 * leaves in E. So the sound has the spectrum of what drives it.
 *
 * Bands are bounded by the same two frequencies at every sample rate; those
 * that come too near to half of it are left out. The noise is the same in every
 * run, and goes on from one blow to the next.
 *
 * Symbols: s sigma_per_s, p power.
 * Thread:  audio (init and render alike). Memory: the caller's.
 * Source:  Menzies, Phya, section 2.3.2 and figure 7 (perceptual resonator).
 */
#ifndef SB_DSP_DIFFUSE_H
#define SB_DSP_DIFFUSE_H

#include "runtime/base/status.h"
#include "runtime/dsp/bank/modal_bank.h"

#include <stdbool.h>
#include <stdint.h>

/* Bands, and sections in the filters of force and noise. */
enum { SB_DIFFUSE_BANDS = 16, SB_DIFFUSE_IN = 3, SB_DIFFUSE_OUT = 2 };

typedef struct sb_diffuse_band {
    double low_hz, high_hz; /* 0 < low < high; where it falls by 3 dB */
    double power;           /* p, heard^2 per (N s)^2, >= 0 */
    double sigma_per_s;     /* s, of the amplitude, > 0 */
} sb_diffuse_band;

typedef struct sb_diffuse_def {
    int band_count; /* 0 .. SB_DIFFUSE_BANDS, lowest first */
    uint32_t seed;  /* of the noise */
    sb_diffuse_band bands[SB_DIFFUSE_BANDS];
} sb_diffuse_def;

/* Four bands at a time. */
typedef float sb_four __attribute__((vector_size(16)));
typedef uint32_t sb_four_bits __attribute__((vector_size(16)));
enum { SB_DIFFUSE_FOURS = SB_DIFFUSE_BANDS / 4 };

/* Equal two-pole band-passes in a row. Of each, a and b are the state, x goes
 * in and y comes out:
 *
 *     a <- aa a - ab b + ab x,   b <- ab a + bb b + bx x,   y = ya a + yx (x - b)
 */
typedef struct sb_diffuse_filter {
    sb_four aa, ab, bb, bx, ya, yx;
    sb_four a[SB_DIFFUSE_IN], b[SB_DIFFUSE_IN];
} sb_diffuse_filter;

typedef struct sb_diffuse_four {
    sb_diffuse_filter in, out; /* of the force, of the noise */
    sb_four_bits noise;
    sb_four account; /* E, N^2 s */
    sb_four fade;    /* of E, a frame */
    sb_four gain;    /* of the raw noise per sqrt(E), now */
    sb_four step;    /* of the gain, a frame */
} sb_diffuse_four;

typedef struct sb_diffuse {
    sb_diffuse_four four[SB_DIFFUSE_FOURS];
    double sample_rate_hz;
    int band_count;
    double raw[SB_DIFFUSE_BANDS];   /* rms of raw noise after its filter */
    double share[SB_DIFFUSE_BANDS]; /* gain per sqrt(p) */
    double goal[SB_DIFFUSE_BANDS];  /* of the gain */
    double step_blocks;             /* that the way there still takes */
    int tail_blocks; /* for which the band-pass of the force rings on */
    int ringing;     /* blocks that it still does */
    bool is_awake;
    double threshold;     /* heard below: silent */
    float mean_before[2]; /* the last two of force_ns */
} sb_diffuse;

/* In zeroed memory, aligned to 16 bytes. */
void sb_diffuse_init(sb_diffuse *diffuse, const sb_diffuse_def *def,
                     double sample_rate_hz) SB_RT;

/* Other powers and decays of the same bands: power glides over so many blocks,
 * decay changes at once, which does not click. */
void sb_diffuse_retune(sb_diffuse *diffuse, const sb_diffuse_def *def,
                       double blocks) SB_RT;

/* As sb_modal_bank_set_threshold. */
void sb_diffuse_set_threshold(sb_diffuse *diffuse, double amplitude) SB_RT;

/* Add a block to `out`. `impulse_ns` are impulses (N s), each at its frame;
 * `force_ns` the mean force of each frame times its length, as a contact gives
 * it: the mean's loss of treble is made up for. */
void sb_diffuse_render(sb_diffuse *diffuse, const float *impulse_ns,
                       const float *force_ns, float *out) SB_RT;

/* So many blocks on, without a force and unheard. */
void sb_diffuse_coast(sb_diffuse *diffuse, int blocks) SB_RT;

/* Mean square of what is heard now. */
double sb_diffuse_power(const sb_diffuse *diffuse) SB_RT;

/* Nothing is heard, and a block without a force costs nothing. */
bool sb_diffuse_is_silent(const sb_diffuse *diffuse) SB_RT;

/* Silence, at once. */
void sb_diffuse_reset(sb_diffuse *diffuse) SB_RT;

#endif
