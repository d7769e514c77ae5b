/* runtime/dsp/bank/modal_field.h -- a body's modes, step by step, while it is touched.
 *
 * A contact must know at every step how far the surface has moved. So for the
 * blocks in which something touches, the bank's modes are taken out into plain
 * arrays of displacement q and velocity v, in double, stepped there, and put
 * back at the block's end. Over a step h, with a force F that is held through
 * it, every mode moves exactly as its equation says:
 *
 *     p  = phi F - w0^2 q
 *     dq = G p + S v,     v <- T v + S p
 *
 * S(h) being the mode's displacement after a unit impulse, T its velocity after
 * one, G the integral of S. Pitch and decay are exact for any h, and the work
 * F phi dq done on a mode is, to the last digit, what its energy gains and its
 * damping takes.
 *
 * There are two steps, a whole frame and a fraction of one.
 *
 * Per step: sb_modal_field_advance works out dq and the new v without a force;
 * sb_modal_field_commit makes them the state, with a force or without;
 * sb_modal_field_push adds further forces to the same step.
 *
 * Symbols: phi weights[k]; every `weights` here has sb_modal_field_padded(modes)
 *          floats, zeros after the last mode.
 * Thread:  audio. Memory: the caller's.
 */
#ifndef SB_DSP_BANK_MODAL_FIELD_H
#define SB_DSP_BANK_MODAL_FIELD_H

#include "runtime/dsp/bank/modal_bank.h"

struct sb_modal_kernel;

enum { SB_FIELD_POINTS = 6 }; /* that one step takes forces at, at most */

typedef struct sb_modal_stride {
    double step_s;
    double *g, *s, *t; /* G, S, T of each mode */
} sb_modal_stride;

typedef struct sb_modal_field {
    const struct sb_modal_kernel *kernel;
    int count;         /* of places in the arrays, padded */
    double *stiffness; /* w0^2 */
    double *soft;      /* 1 / w0^2 */
    double *gain;      /* heard per velocity */
    double *q, *v;     /* the state */
    double *dq, *vn;   /* what `advance` found */
    double *ahead[2];  /* what `aim` sets up */
    sb_modal_stride whole, part;
    int parts;      /* steps of `part` in a frame; 0: not set */
    unsigned tuned; /* the bank's tuning that the strides are for */
} sb_modal_field;

/* What a point of the surface does in a step without a force. */
typedef struct sb_point_motion {
    double moved_m;      /* sum phi dq */
    double velocity_m_s; /* sum phi v, at the step's end */
    double heard;        /* at its start; sb_modal_field_step only */
} sb_point_motion;

int sb_modal_field_padded(int mode_count); /* Thread: any */
size_t sb_modal_field_bytes(int mode_count);

/* `memory` aligned to SB_MODAL_BANK_ALIGN, for a bank of that many modes. */
void sb_modal_field_init(sb_modal_field *field, void *memory, int mode_count);

/* Take the modes out of the bank, whose state is at a block's start, with
 * `parts` steps in a frame; and put them back at its end. */
void sb_modal_field_load(sb_modal_field *field, const sb_modal_bank *bank,
                         int parts) SB_RT;
void sb_modal_field_store(const sb_modal_field *field,
                          sb_modal_bank *bank) SB_RT;

/* What is heard now. */
double sb_modal_field_hear(const sb_modal_field *field) SB_RT;

/* Ring on for so many whole frames, at most a block, with nothing touching. */
void sb_modal_field_coast(sb_modal_field *field, int frames, float *out) SB_RT;

/* Displacement and velocity of a point now. */
void sb_modal_field_read(const sb_modal_field *field, const float *weights,
                         double *q_m, double *v_m_s) SB_RT;

/* Begin a step, and see what it does to one point. */
sb_point_motion sb_modal_field_advance(sb_modal_field *field,
                                       const sb_modal_stride *stride,
                                       const float *weights) SB_RT;
/* End one step with a force and begin the next like it: commit and advance, in
 * less time. */
sb_point_motion sb_modal_field_step(sb_modal_field *field,
                                    const sb_modal_stride *stride,
                                    const float *weights, double force_n) SB_RT;
/* The same with forces at up to SB_FIELD_POINTS points at once, and what each
 * sees of the next step. Returns what is heard at its start. */
double sb_modal_field_step_points(sb_modal_field *field,
                                  const sb_modal_stride *stride,
                                  const float *const *weights,
                                  const double *force_n, int count,
                                  sb_point_motion *seen) SB_RT;
/* What the step just begun does to another point. */
sb_point_motion sb_modal_field_point(const sb_modal_field *field,
                                     const float *weights) SB_RT;
/* End it. */
void sb_modal_field_commit(sb_modal_field *field, const sb_modal_stride *stride,
                           const float *weights, double force_n) SB_RT;
/* Steps under one force that is not known until late. What the point does in a
 * step without a force is a sum over the state at its start; with the same sum
 * over the state one step earlier, and the force of that step, it is known
 * before the modes have been moved there. So the next force can be looked for
 * while they move. */
typedef struct sb_modal_aim {
    double give;    /* how far a newton in a step moves the point in it, */
    double later;   /* and, without another, in the next */
    double moved_m; /* how far it goes in the first step without a force */
} sb_modal_aim;

/* Set up for steps like this at this point, from the state as it is. */
sb_modal_aim sb_modal_field_aim(sb_modal_field *field,
                                const sb_modal_stride *stride,
                                const float *weights) SB_RT;
/* How far the point moves in the step after the one to come, if there is no
 * force in either; and what is heard now. Not its velocity. */
sb_point_motion sb_modal_field_ahead(const sb_modal_field *field) SB_RT;
/* Move on by one step with a force, then the same. */
sb_point_motion sb_modal_field_press(sb_modal_field *field,
                                     const sb_modal_stride *stride,
                                     const float *weights,
                                     double force_n) SB_RT;

/* A Hertz contact of a mass that is under way, and steps of it. */
enum { SB_MODAL_HOLD_STEPS = 128 };
typedef struct sb_modal_hold {
    double stiffness, lambda; /* contact.h's K and b; the exponent is 3/2 */
    double give;              /* of both in a step, m/N, */
    double later;             /* and of the body by itself in the next */
    double yield;             /* 1 / m of both as a whole, 1/kg */
    double gravity_m_s2;
    /* Where it is, the modes being one step behind. */
    double depth_m;    /* x, > 0 */
    double speed_m_s;  /* of both as a whole */
    double ahead_m;    /* what sb_modal_field_press has given */
    double force_n[3]; /* of the step that the modes are behind, and of
                               the two before it */
    /* What has come of it, step by step. */
    double forces_n[SB_MODAL_HOLD_STEPS];
    double depths_m[SB_MODAL_HOLD_STEPS];
    float heard[SB_MODAL_HOLD_STEPS];
    bool is_open; /* one more has been begun: the modes have moved, but there
                     is no force yet; free_m is where it gets to without one */
    double free_m;
} sb_modal_hold;

/* Up to so many steps under that contact, for as long as the force is found at
 * the first try and they keep touching. Returns how many. `hold` goes on. */
int sb_modal_field_hold(sb_modal_field *field, const sb_modal_stride *stride,
                        const float *weights, sb_modal_hold *hold,
                        int steps) SB_RT;

/* Ring on as `coast` does, but only to see: adds to heard[0 .. frames - 1],
 * and gives the displacement of the point in path_m[0 .. frames].
 * sb_modal_field_go then goes there. */
void sb_modal_field_watch(sb_modal_field *field, const float *weights,
                          int frames, float *heard, double *path_m) SB_RT;
void sb_modal_field_go(sb_modal_field *field) SB_RT;

/* One more force in the step that was just ended. */
void sb_modal_field_push(sb_modal_field *field, const sb_modal_stride *stride,
                         const float *weights, double force_n) SB_RT;

/* How much a force at `from` moves the point `at` in a step, per newton, and by
 * how much it changes its velocity. */
void sb_modal_field_give(const sb_modal_field *field,
                         const sb_modal_stride *stride, const float *from,
                         const float *at, double *give,
                         double *give_speed) SB_RT;

/* How far a point gives way to a steady newton: sum phi^2 / w0^2. With energy E
 * in the modes it gets no farther than sqrt(2 E softness) from where it rests,
 * if nothing pushes the body. */
double sb_modal_field_softness(const sb_modal_field *field,
                               const float *weights) SB_RT;
double sb_modal_field_energy_j(const sb_modal_field *field) SB_RT;

/* How far a point gets from where it rests, and how fast, of modes that are in
 * the bank. */
double sb_modal_field_max_reach(const sb_modal_bank *bank,
                                const float *weights) SB_RT;
double sb_modal_field_max_speed(const sb_modal_bank *bank,
                                const float *weights) SB_RT;

/* The mode that gives way most at a point: max phi^2 / w0^2, in the bank. */
double sb_modal_field_softest(const sb_modal_bank *bank,
                              const float *weights) SB_RT;

#endif
