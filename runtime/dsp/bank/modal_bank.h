/* runtime/dsp/bank/modal_bank.h -- the ringing modes of one body.
 *
 * Mode k, in mass-normalised coordinates, is pushed by a force f through its
 * shape value phi at the contact:
 *
 *     q'' + 2 s q' + w0^2 q = phi f,        wd = sqrt(w0^2 - s^2)
 *
 * and is held as one complex number z that turns, so that pitch and decay are
 * exact at every sample rate and silence stays silent:
 *
 *     z' = l z + phi f / wd,   l = -s + i wd,   q = Im z,   q' = Re((wd + i s) z)
 *
 * What is heard is the sum of g q' over the modes, g the radiation weight. The
 * state lives at block boundaries, in double; the samples of a block are a
 * product of two small complex tables, Z^(16 p) and Z^i with Z = e^(l dt), in
 * float, with no recurrence from sample to sample. Modes near or above critical
 * damping are integrated sample by sample in double.
 *
 * Per block: sb_modal_bank_render once, then any number of impulses and drives
 * for that same block. Each adds its part to `out` and to the state at the
 * block's end; everything superposes.
 *
 * Modes live in groups of sixteen neighbours. A group in which nothing rings
 * costs nothing; so keep modes that fade together, as by frequency, together.
 *
 * Symbols: w0 omega_rad_s, s sigma_per_s, g out_gain, phi weights[k] (kg^-1/2).
 * Thread:  audio (one bank, one thread). No allocation, no lock, no I/O.
 * Memory:  the caller's. The bank never allocates and owns nothing. At most
 *          256 bytes a mode.
 */
#ifndef SB_DSP_BANK_MODAL_BANK_H
#define SB_DSP_BANK_MODAL_BANK_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sb_modal_bank sb_modal_bank;

/* The engine's inner block. Device callbacks of any size are cut from it. */
enum { SB_BLOCK_FRAMES = 128, SB_MODAL_BANK_ALIGN = 64 };

typedef struct sb_bank_mode {
    double omega_rad_s; /* > 0, undamped; at or above Nyquist it stays mute */
    double sigma_per_s; /* >= 0; at or above omega the mode is overdamped */
    double out_gain;    /* heard per modal velocity; 0 is allowed */
} sb_bank_mode;

/* A half-sine force F sin(W t), 0 <= t <= pi / W, or an ideal impulse. */
typedef struct sb_bank_impulse {
    double impulse_ns;    /* the whole impulse J = 2 F / W */
    double pulse_rad_s;   /* W = pi / duration; 0 is an ideal impulse */
    double at_frame;      /* 0 <= at_frame < SB_BLOCK_FRAMES, fractional */
    const float *weights; /* phi at the contact, one a mode */
} sb_bank_impulse;

/* Bytes to set aside for a bank of up to `capacity` modes; 0 if capacity < 1.
 * Thread: any. */
size_t sb_modal_bank_bytes(int capacity);

/* Make an empty, silent bank in `memory`, which must hold that many bytes, be
 * aligned to SB_MODAL_BANK_ALIGN, and outlive the bank. Cannot fail. */
sb_modal_bank *sb_modal_bank_init(void *memory, int capacity,
                                  double sample_rate_hz) SB_RT;

/* Replace the modes and silence the bank. BAD_ARGUMENT if `count` exceeds the
 * capacity or a mode breaks its stated range; the bank is then unchanged. */
SB_NODISCARD sb_status sb_modal_bank_set_modes(sb_modal_bank *bank,
                                               const sb_bank_mode *modes,
                                               int count) SB_RT;

/* Give the same number of modes new values while they ring: (w0 q, q') of every
 * mode stays, so its energy stays, its velocity does not jump and its phase
 * goes on. A mode that moves to or above Nyquist falls silent. BAD_ARGUMENT as
 * above; the bank is then unchanged. */
SB_NODISCARD sb_status sb_modal_bank_retune(sb_modal_bank *bank,
                                            const sb_bank_mode *modes,
                                            int count) SB_RT;

/* A mode whose envelope |g w0 z| falls below `amplitude` is set to rest and
 * costs nothing until it is excited again (Raghuvanshi & Lin 4.2). 0, the start
 * value, keeps every mode until it is far below any hearing (1e-30). A mode
 * with out_gain 0 rests when its velocity is below 1e-30, or below 1e-12 once
 * a threshold is set. So does one that is not a number any more. */
void sb_modal_bank_set_threshold(sb_modal_bank *bank, double amplitude) SB_RT;

/* Add SB_BLOCK_FRAMES samples of what rings to `out` and move the state to the
 * block's end. */
void sb_modal_bank_render(sb_modal_bank *bank, float *out) SB_RT;

/* The same for a block in which the modes move, in straight lines, from the
 * values they have to these, which they keep from then on. Pitch, decay and
 * gain change with every sample, phase and energy go on, and nothing clicks.
 * BAD_ARGUMENT as for a retune; then nothing has happened, and the block is
 * still to be rendered. */
SB_NODISCARD sb_status sb_modal_bank_glide(sb_modal_bank *bank,
                                           const sb_bank_mode *modes, int count,
                                           float *out) SB_RT;

/* An ideal impulse at a fractional frame of the block just rendered: every
 * mode's velocity steps by phi J there. Frames at or after it hear it.
 * impulse->pulse_rad_s is not read. */
void sb_modal_bank_impulse(sb_modal_bank *bank, const sb_bank_impulse *impulse,
                           float *out) SB_RT;

/* A half-sine pulse has, for each mode, the closed form
 *
 *     z(t) = D e^(l t) - D (cos W t + (l / W) sin W t),
 *     D = phi F W / (wd (W^2 + l^2)),
 *
 * and e^(l t) alone, kicked by D once more, after its end. So it costs one impulse
 * D at its start, the same at its end, and one sinusoid for all modes between:
 *
 *     out -= c cos W t + s sin W t,   c = sum Re(a D),  s = sum Re(a D l) / W.
 *
 * sb_modal_bank_pulse_edge does a impulse (at_frame being the start or the end of
 * the pulse), _pulse_forced gives c and s. Both are exact at any sample rate
 * and any damping. Ring and sinusoid are much larger than their sum when W is
 * close to a resonance, so take W from sb_modal_bank_safe_pulse. */
void sb_modal_bank_pulse_edge(sb_modal_bank *bank,
                              const sb_bank_impulse *impulse, float *out) SB_RT;
void sb_modal_bank_pulse_forced(const sb_modal_bank *bank,
                                const sb_bank_impulse *impulse,
                                double *cos_part, double *sin_part) SB_RT;

/* The value nearest to `pulse_rad_s`, in steps of 0.1 %, at which
 * |W^2 + l^2| >= 0.015 W^2 for all modes; where modes are too dense for that,
 * the best within 1.2 %. */
double sb_modal_bank_safe_pulse(const sb_modal_bank *bank,
                                double pulse_rad_s) SB_RT;

/* A place where force goes in: its weights, which must outlive it, and what is
 * heard there in a block after a unit impulse at its first frame. */
typedef struct sb_bank_contact {
    const float *weights;
    float response[SB_BLOCK_FRAMES];
} sb_bank_contact;

/* Costs about what rendering a block costs. Do it again after the weights or
 * the modes have changed; while they stay, so does the contact. */
void sb_modal_bank_contact_prepare(const sb_modal_bank *bank,
                                   const float *weights,
                                   sb_bank_contact *contact) SB_RT;

/* Drive every mode with the force samples `impulse_ns[0 .. 127]`, each an
 * impulse (N s) at its frame, at a contact that stays where it is. */
void sb_modal_bank_drive(sb_modal_bank *bank, const float *impulse_ns,
                         const sb_bank_contact *contact, float *out) SB_RT;

/* The same at a contact whose weights move along the parabola through `from`,
 * `middle` and `to`, at the block's start, in its middle and at its end, which
 * is the next block's `from`. Nothing needs to be prepared. It costs as much as
 * a drive of some 32 modes and, of many, twice as much; preparing anew in every
 * block costs more. */
void sb_modal_bank_drive_moving(sb_modal_bank *bank, const float *impulse_ns,
                                const float *from, const float *middle,
                                const float *to, float *out) SB_RT;

/* sb_modal_bank_render and that, for hardly more than the price of one. */
void sb_modal_bank_render_moving(sb_modal_bank *bank, const float *impulse_ns,
                                 const float *from, const float *middle,
                                 const float *to, float *out) SB_RT;

/* After a drive whose impulses stand for a force that goes on from frame to
 * frame, rather than for blows. An impulse steps a velocity at its very frame;
 * counted in full there, some of the force itself is heard between the modes
 * and below them, the more the lower the sample rate. Takes out of `out` about
 * half of each step (Poisson's sum), just so much that a steady force is not
 * heard at all, and about 1/12 of the change from step to step, so that a slow
 * one bends the body as it should. `before_ns` is the impulse of the frame
 * before the block. */
void sb_modal_bank_unstep(const sb_modal_bank *bank, float before_ns,
                          const float *impulse_ns, const float *from,
                          const float *middle, const float *to,
                          float *out) SB_RT;

/* Silence, at once. */
void sb_modal_bank_reset(sb_modal_bank *bank) SB_RT;

int sb_modal_bank_mode_count(const sb_modal_bank *bank) SB_RT;

/* How many modes with out_gain other than 0 are not at rest. */
int sb_modal_bank_active_count(const sb_modal_bank *bank) SB_RT;

/* Mechanical energy now stored in the modes, in joules. Never increases
 * between impulses; the tests hold the bank to that. */
double sb_modal_bank_energy_j(const sb_modal_bank *bank) SB_RT;

/* False when any mode's state is no number, or too large to be squared. */
bool sb_modal_bank_is_finite(const sb_modal_bank *bank) SB_RT;

#endif
