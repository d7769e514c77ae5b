/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/bank.h -- the ringing modes of one body.
 *
 * Mode k, in mass-normalised coordinates, is driven by a force f through its
 * shape value phi at the contact:
 *
 *     q'' + 2 s q' + w0^2 q = phi f,        wd = sqrt(w0^2 - s^2)
 *
 * Its state is one rotating complex number z, so that pitch and decay are exact
 * at every sample rate and silence stays silent:
 *
 *     z' = l z + phi f / wd,   l = -s + i wd,   q = Im z,
 *     q' = Re((wd + i s) z)
 *
 * The output is the sum of g q' over the modes, g being the radiation weight.
 * The state is kept in double at block boundaries. The samples of a block are a
 * product of two small complex tables in float, Z^(16 p) and Z^i with
 * Z = e^(l dt), without a recurrence from sample to sample. Modes near or above
 * critical damping are integrated sample by sample in double.
 *
 * Per block: call sb_modal_bank_render once, then any number of impulses and
 * drives for that same block. Each adds its contribution to `out` and to the
 * state at the end of the block; everything superposes.
 *
 * Modes are processed in groups of sixteen neighbours. A group without a
 * ringing mode costs nothing, so sort the modes such that modes which decay
 * together are neighbours, for example by frequency.
 *
 * Symbols: w0 omega_rad_s, s sigma_per_s, g out_gain, phi weights[k] (kg^-1/2).
 * Thread:  audio (one bank, one thread). No allocation, no lock, no I/O.
 * Memory:  the caller's; at most 256 bytes per mode. The bank owns nothing.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/voice_types.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_modal_bank sb_modal_bank;

enum { SB_MODAL_BANK_ALIGN = 64 };

/* Bytes rounded up to that, for what lies behind them. */
static inline size_t sb_modal_bank_aligned(size_t bytes) {
    size_t mask = SB_MODAL_BANK_ALIGN - 1;
    return (bytes + mask) & ~mask;
}

typedef struct sb_bank_mode {
    double omega_rad_s; /* > 0, undamped; muted from Nyquist on */
    double sigma_per_s; /* >= 0; at or above omega the mode is overdamped */
    double out_gain;    /* output per modal velocity; may be 0 */
} sb_bank_mode;

/* A half-sine force F sin(W t), 0 <= t <= pi / W, or an ideal impulse. */
typedef struct sb_bank_impulse {
    double impulse_ns;    /* total impulse J = 2 F / W */
    double pulse_rad_s;   /* W = pi / duration; 0 is an ideal impulse */
    double at_frame;      /* 0 <= at_frame < SB_BLOCK_FRAMES, fractional */
    const float *weights; /* phi at the contact, one per mode */
} sb_bank_impulse;

/* Bytes needed for a bank of up to `capacity` modes; 0 if capacity < 1. Thread:
 * any. */
size_t sb_modal_bank_bytes(int capacity);

/* Make an empty, silent bank in `memory`, which must hold that many bytes, be
 * aligned to SB_MODAL_BANK_ALIGN, and outlive the bank. Cannot fail. */
sb_modal_bank *sb_modal_bank_init(void *memory, int capacity,
                                  double sample_rate_hz) SB_RT;

/* Replace the modes and silence the bank. BAD_ARGUMENT if `count` exceeds
 * the capacity or a mode is outside its stated range; the bank is then
 * unchanged. */
SB_NODISCARD sb_status sb_modal_bank_set_modes(sb_modal_bank *bank,
                                               const sb_bank_mode *modes,
                                               int count) SB_RT;

/* Change the values of the modes while they ring. (w0 q, q') of every mode is
 * kept, so energy, velocity and phase are continuous. A mode that moves to or
 * above the Nyquist frequency becomes silent. BAD_ARGUMENT as above; the bank
 * is then unchanged. */
SB_NODISCARD sb_status sb_modal_bank_retune(sb_modal_bank *bank,
                                            const sb_bank_mode *modes,
                                            int count) SB_RT;

/* A mode whose envelope |g w0 z| falls below `amplitude` is set to rest and
 * costs nothing until it is excited again (Raghuvanshi & Lin 4.2). The default,
 * 0, keeps every mode until it is far below the limit of hearing (1e-30). A
 * mode with out_gain 0 is set to rest when its velocity is below 1e-30, or
 * below 1e-12 once a threshold is set. A mode that has become NaN is set to
 * rest, too. */
void sb_modal_bank_set_threshold(sb_modal_bank *bank, double amplitude) SB_RT;

/* Add SB_BLOCK_FRAMES samples of the ringing modes to `out` and advance the
 * state to the end of the block. */
void sb_modal_bank_render(sb_modal_bank *bank, float *out) SB_RT;

/* The same for a block in which the modes move linearly from their present
 * values to these, which they then keep. Pitch, decay and gain change with
 * every sample; phase and energy are continuous, and nothing clicks.
 * BAD_ARGUMENT as for sb_modal_bank_retune; then nothing has changed, and the
 * block is still to be rendered. */
SB_NODISCARD sb_status sb_modal_bank_glide(sb_modal_bank *bank,
                                           const sb_bank_mode *modes, int count,
                                           float *out) SB_RT;

/* The response of each mode to a half-sine pulse has the closed form
 *
 *     z(t) = D e^(l t) - D (cos W t + (l / W) sin W t),
 *     D = phi F W / (wd (W^2 + l^2)),
 *
 * and rings freely, as e^(l t), after a second jump by D at the end of the
 * pulse. So a pulse costs a jump D at its start, the same jump at its end, and
 * one sinusoid shared by all modes in between:
 *
 *     out -= c cos W t + s sin W t,   c = sum Re(a D),  s = sum Re(a D l) / W.
 *
 * sb_modal_bank_impulse makes one jump, at a fractional frame of the block just
 * rendered: the start or the end of a pulse; or an ideal impulse, by which the
 * velocity of every mode steps by phi J. It is heard from that frame on.
 * _pulse_forced computes c and s. Both are exact at any sample rate and any
 * damping. If W is close to a resonance, ringing and sinusoid are much larger
 * than their sum, so take W from sb_modal_bank_safe_pulse. */
void sb_modal_bank_impulse(sb_modal_bank *bank, const sb_bank_impulse *impulse,
                           float *out) SB_RT;
void sb_modal_bank_pulse_forced(const sb_modal_bank *bank,
                                const sb_bank_impulse *impulse,
                                double *cos_part, double *sin_part) SB_RT;

/* The value nearest to `pulse_rad_s`, in steps of 0.1 %, at which |W^2 + l^2|
 * >= 0.015 W^2 for all modes. Where modes are too dense for that, the best
 * value within 1.2 %. */
double sb_modal_bank_safe_pulse(const sb_modal_bank *bank,
                                double pulse_rad_s) SB_RT;

/* Drive every mode with the force samples `impulse_ns[0 .. 127]`, each an
 * impulse (N s) at its frame, at a contact whose weights follow the parabola
 * through `from`, `middle` and `to`, at the start, in the middle and at the end
 * of the block; `to` is the next block's `from`. If `is_ringing`, render the
 * block as well, in one pass, which costs little more than either. */
void sb_modal_bank_drive(sb_modal_bank *bank, const float *impulse_ns,
                         const float *from, const float *middle,
                         const float *to, bool is_ringing, float *out) SB_RT;

/* Correct a drive whose impulses sample a continuous force. An impulse steps a
 * velocity at its very frame. Counted in full there, part of the force itself
 * is heard between and below the modes, the more the lower the sample rate.
 * This subtracts from `out` about half of each step (Poisson summation), such
 * that a constant force is not heard at all, and about 1/12 of the change from
 * step to step, such that a slow force bends the body by the right amount.
 * `before_ns` is the impulse of the frame before the block. */
void sb_modal_bank_unstep(const sb_modal_bank *bank, float before_ns,
                          const float *impulse_ns, const float *from,
                          const float *middle, const float *to,
                          float *out) SB_RT;

/* The same for a body whose modes were moved by a force that is constant in each
 * of `parts` steps per frame (modal_field.h). That bends the body too little
 * under a slow force; this adds to `out` what it lacks. impulse_ns is the
 * force's mean in each frame times its duration. */
void sb_modal_bank_unhold(const sb_modal_bank *bank, int parts,
                          double before_ns, const double *impulse_ns,
                          const float *from, const float *middle,
                          const float *to, float *out) SB_RT;

/* Silence the bank at once. */
void sb_modal_bank_reset(sb_modal_bank *bank) SB_RT;

int sb_modal_bank_mode_count(const sb_modal_bank *bank) SB_RT;

/* Mechanical energy stored in the modes, in joules. It never increases between
 * impulses; the tests check that. */
double sb_modal_bank_energy_j(const sb_modal_bank *bank) SB_RT;
/* That of one mode, counted from 0. */
double sb_modal_bank_mode_energy_j(const sb_modal_bank *bank, int mode) SB_RT;

/* False when the state of any mode is NaN or too large to be squared. */
bool sb_modal_bank_is_finite(const sb_modal_bank *bank) SB_RT;
