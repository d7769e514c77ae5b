/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_field.h -- the modes of a touched body, step by step.
 *
 * A contact needs the displacement of the surface at every step. So for the
 * blocks in which something touches the body, the modes are copied from the
 * bank into plain arrays of displacement q and velocity v in double, stepped
 * there, and copied back at the end of the block. Over a step h with a constant
 * force F every mode moves exactly as its equation says:
 *
 *     p  = phi F - w0^2 q
 *     dq = G p + S v,     v <- T v + S p
 *
 * S(h) is the displacement of the mode after a unit impulse, T its velocity,
 * and G the integral of S. Pitch and decay are exact for any h. The work F phi
 * dq done on a mode equals, to rounding, the gain of its energy plus its
 * losses.
 *
 * There are two step lengths: a whole frame and a fraction of one.
 *
 * Per step: loops->advance computes dq and the new v without a force,
 * loops->commit makes them the state, with or without a force, and
 * sb_modal_field_push adds further forces to the same step.
 *
 * Symbols: phi weights[k]; every `weights` here has
 *          sb_modal_field_padded(modes) floats, zeros after the last mode.
 * Thread:  audio. Memory: the caller's.
 */
#pragma once

#include "runtime/dsp/bank/bank.h"

typedef struct sb_field_loops sb_field_loops;

enum { SB_FIELD_POINTS = 6 }; /* most points with a force in one step */

typedef struct sb_modal_stride {
    double step_s;
    double *g, *s, *t; /* G, S, T of each mode */
} sb_modal_stride;

typedef struct sb_modal_field {
    const sb_field_loops *loops;
    int count;         /* length of the arrays, padded */
    double *stiffness; /* w0^2 */
    double *soft;      /* 1 / w0^2 */
    double *gain;      /* output per velocity */
    double *q, *v;     /* the state */
    double *dq, *vn;   /* computed by `advance` */
    double *ahead[2];  /* set up by `aim` */
    sb_modal_stride whole, part;
    int parts;      /* steps of `part` per frame; 0: not set */
    unsigned tuned; /* the bank's `tuned` for which the strides were computed */
    unsigned aimed; /* and its `aimed` of the gains */
} sb_modal_field;

/* The motion of a point of the surface in a step without a force. */
typedef struct sb_point_motion {
    double moved_m;      /* sum phi dq */
    double velocity_m_s; /* sum phi v at the end of the step */
    double heard;        /* output at its start; loops->step only */
} sb_point_motion;

int sb_modal_field_padded(int mode_count); /* Thread: any */
size_t sb_modal_field_bytes(int mode_count);

/* `memory` must be aligned to SB_MODAL_BANK_ALIGN. */
void sb_modal_field_init(sb_modal_field *field, void *memory, int mode_count);

/* Copy the modes from the bank, whose state is at the start of a block, for
 * `parts` steps per frame; copy them back at the end of the block. */
void sb_modal_field_load(sb_modal_field *field, const sb_modal_bank *bank,
                         int parts) SB_RT;
void sb_modal_field_store(const sb_modal_field *field,
                          sb_modal_bank *bank) SB_RT;

/* Steps under one force that is known late. The motion of the point in a step
 * without a force is a sum over the state at its start. It is also a sum over
 * the state one step earlier, plus the effect of the force in that step. So it
 * is known before the modes have been advanced, and the next force can be
 * computed while they are. */
typedef struct sb_modal_aim {
    /* m/N: how far a force in a step moves the point in that step, */
    double give;
    double later;   /* and, if it ends then, in the next step */
    double moved_m; /* motion in the first step without a force */
} sb_modal_aim;

/* The state of a mass in Hertz contact, and up to 128 steps of it. */
enum { SB_MODAL_HOLD_STEPS = 128 };
typedef struct sb_modal_hold {
    double stiffness, lambda; /* K and b of contact.h; the exponent is 3/2 */
    double give;              /* m/N in a step, of mass and body, */
    double later;             /* and in the next step, of the body alone */
    double yield;             /* 1/kg, of mass and body as rigid bodies */
    double gravity_m_s2;
    /* The present state; the modes are one step behind. */
    double depth_m;    /* x, > 0 */
    double speed_m_s;  /* closing speed of mass and body as rigid bodies */
    double ahead_m;    /* the result of loops->press */
    double force_n[3]; /* of the step the modes are behind, and of the two
                          steps before it */
    /* Results, step by step. */
    double forces_n[SB_MODAL_HOLD_STEPS];
    double depths_m[SB_MODAL_HOLD_STEPS];
    float heard[SB_MODAL_HOLD_STEPS];
    bool is_open;  /* the modes have moved by one more step whose force is not
                      known yet; */
    double free_m; /* the depth at its end without a force */
} sb_modal_hold;

/* The inner loops, compiled for each instruction set (modal_kernel_body.h). */
struct sb_field_loops {
    /* The output now. */
    double (*hear)(const sb_modal_field *field);
    /* Ring freely for at most a block of whole frames. */
    void (*coast)(sb_modal_field *field, int frames, float *out);
    /* Like `coast`, but the state is kept: adds the output to heard[0 .. frames
     * - 1] and stores the displacement of the point in path_m[0 .. frames].
     * sb_modal_field_go then moves the state there. */
    void (*watch)(sb_modal_field *field, const float *weights, int frames,
                  float *heard, double *path_m);
    /* Displacement and velocity of a point. */
    sb_point_motion (*read)(const sb_modal_field *field, const float *weights);
    double (*energy_j)(const sb_modal_field *field);
    /* Begin a step; returns the motion of one point. */
    sb_point_motion (*advance)(sb_modal_field *field,
                               const sb_modal_stride *stride,
                               const float *weights);
    /* The motion of another point in the step just begun. */
    sb_point_motion (*point)(const sb_modal_field *field, const float *weights);
    /* End the step. */
    void (*commit)(sb_modal_field *field, const sb_modal_stride *stride,
                   const float *weights, double force_n);
    /* End a step with a force and begin the next of the same length: commit and
     * advance in one pass. */
    sb_point_motion (*step)(sb_modal_field *field,
                            const sb_modal_stride *stride, const float *weights,
                            double force_n);
    /* The same with forces at up to SB_FIELD_POINTS points; `seen` gets the
     * motion of each in the next step. Returns the output at its start. */
    double (*step_points)(sb_modal_field *field, const sb_modal_stride *stride,
                          const float *const *weights, const double *force_n,
                          int count, sb_point_motion *seen);
    /* Set up steps under a late force at this point from the present state. */
    sb_modal_aim (*aim)(sb_modal_field *field, const sb_modal_stride *stride,
                        const float *weights);
    /* The motion of the point in the step after the coming one, if neither has a
     * force, and the output now; velocity is not set. */
    sb_point_motion (*ahead)(const sb_modal_field *field);
    /* Advance by one step with a force, then return the same. */
    sb_point_motion (*press)(sb_modal_field *field,
                             const sb_modal_stride *stride,
                             const float *weights, double force_n);
    /* Up to `steps` steps, for as long as the force is found at the first
     * iteration and the contact lasts. Returns the number of steps; `hold` is
     * updated. */
    int (*hold)(sb_modal_field *field, const sb_modal_stride *stride,
                const float *weights, sb_modal_hold *hold, int steps);
};

void sb_modal_field_go(sb_modal_field *field) SB_RT;

/* Add a force to the step that has just ended. */
void sb_modal_field_push(sb_modal_field *field, const sb_modal_stride *stride,
                         const float *weights, double force_n) SB_RT;

/* How far a force at `from` moves the point `at` in a step, per newton, and by
 * how much it changes its velocity. */
void sb_modal_field_give(const sb_modal_field *field,
                         const sb_modal_stride *stride, const float *from,
                         const float *at, double *give,
                         double *give_speed) SB_RT;

/* Static compliance of a point: sum phi^2 / w0^2. With energy E in the modes
 * the point moves no farther than sqrt(2 E softness) from rest, if nothing
 * pushes the body. */
double sb_modal_field_softness(const sb_modal_field *field,
                               const float *weights) SB_RT;

/* Upper bounds of the displacement and the speed of a point, from the modes in
 * the bank. */
double sb_modal_field_max_reach(const sb_modal_bank *bank,
                                const float *weights) SB_RT;
double sb_modal_field_max_speed(const sb_modal_bank *bank,
                                const float *weights) SB_RT;

/* The most compliant mode at a point: max phi^2 / w0^2, from the bank. */
double sb_modal_field_softest(const sb_modal_bank *bank,
                              const float *weights) SB_RT;
