/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_move.h -- forces at a contact that moves.
 *
 * Part of modal_kernel_body.h.
 *
 * If every frame has its own weights, there is no impulse response to convolve
 * with. So the modes are run frame by frame, from rest, and the result is added
 * to the state. With Z = e^(l dt), t = s / wd and p the push of a frame, which
 * enters u as p (1 + i t),
 *
 *     x' = (Re Z + t Im Z) x + o,
 *     o' = (Re Z - t Im Z) o - (1 + t^2) (Im Z)^2 x + p
 *
 * rotates as Z does; o is Re u, which is the output, and
 * x = (Im u - t Re u) / ((1 + t^2) Im Z). Slow modes, whose Re Z is close to 1,
 * and fast ones, close to -1, keep their precision in (Im Z)^2.
 *
 * Everything is scaled by the output gain, so that the output is a plain sum.
 *
 * The weights are linear between every eighth frame.
 *
 * Modes that ring already can be run along instead of being rendered. The float
 * factors then represent a Z' that differs slightly from Z. So the effect of
 * Z'^128 on the state is subtracted from the result, and that of Z^128 is added
 * in double.
 */
#pragma once

#include "runtime/dsp/bank/modal_kernel_math.h"
#include "runtime/dsp/bank/modal_kernel_ring.h"

/* Vectors of modes run in parallel to hide latency. Their x, o and weights fill
 * the registers of AVX2. */
enum { TRACKS = 4, PIECE = 8 };

typedef struct track {
    vf x, o, weight;          /* phi */
    vf keep_x, keep_o, cross; /* of the equations above */
    vf rise;                  /* change of phi per frame, */
    vf bend;                  /* and its change per piece */
    vf heard;                 /* gain, where it is not in o already */
    vf start_x, start_o;      /* ringing state, one frame before the block */
    bool is_ringing;
    bool is_scaled; /* x and o include the gain */
    sb_modal_group *group;
    int lane;
} track;

/* In double, for precision. */
static inline void tune_move(sb_modal_group *group, int lane, vd_complex z) {
    vd slope = load_double(group->sigma + lane) *
               load_double(group->inverse_damped + lane);
    vd unit = VD_FMA(slope * slope, z.im, z.im);
    store_half(group->cross + lane, unit * z.im);
    store_half(group->keep_x + lane, VD_FMA(slope, z.im, z.re));
    store_half(group->keep_o + lane, VD_FNMA(slope, z.im, z.re));
}

/* The effect of 128 frames with float factors on x and o. A power of a 2 x 2
 * matrix is a combination of the matrix and the identity, so two of its four
 * numbers determine it. */
static inline void tune_after(sb_modal_group *group, int lane) {
    vd xx = VD_FROM_HALF(load_half(group->keep_x + lane));
    vd oo = VD_FROM_HALF(load_half(group->keep_o + lane));
    vd cross = VD_FROM_HALF(load_half(group->cross + lane));
    vd xo = VD_SPLAT(1.0);
    for (int frames = 1; frames < SB_BLOCK_FRAMES; frames *= 2) {
        vd both = xo * xo * cross, trace = xx + oo;
        xx = VD_FMA(xx, xx, -both);
        oo = VD_FMA(oo, oo, -both);
        xo *= trace;
    }
    store_half(group->after.re + lane, xx);
    store_half(group->after.im + lane, xo);
}

static inline vf vf_select(vm mask, vf yes, vf no) {
    return (vf)(((vm)yes & mask) | ((vm)no & ~mask));
}

/* 1 / a, or 0 where a is too small. */
static inline vf vf_inverse(vf a) {
    vm is_small = (a < VF_SPLAT(1e-12f)) & (a > VF_SPLAT(-1e-12f));
    vf one = VF_SPLAT(1.0f);
    return vf_select(is_small, VF_SPLAT(0.0f),
                     one / vf_select(is_small, one, a));
}

/* (1 + t^2) Im Z. */
static inline vf unit_of(const sb_modal_group *group, int lane) {
    vf slope = load(group->slope + lane), im = load(group->row[0].im + lane);
    return VF_FMA(slope * slope, im, im);
}

/* Start from the ringing state, and advance u over the block. */
static inline void track_ring(track *t, sb_modal_group *group, int lane,
                              vf scale) {
    vd_complex low = load_state(&group->u, lane);
    vd_complex high = load_state(&group->u, lane + HALF);
    vf re = narrow(low.re, high.re) * scale;
    vf im = narrow(low.im, high.im) * scale;
    unsigned all = ((1u << LANES) - 1) << lane, was = group->active & all;
    (void)swing(group, lane);
    unsigned rings = group->active & group->ringing & all;
    for (int i = 0; i < LANES && rings != was; i++)
        if (!(rings >> (lane + i) & 1)) re[i] = im[i] = 0.0f;
    vf slope = load(group->slope + lane);
    vf x = VF_FNMA(slope, re, im) * vf_inverse(unit_of(group, lane));
    /* One frame back. */
    vf square = VF_FMA(t->keep_x, t->keep_o, t->cross);
    vf by = VF_SPLAT(1.0f) / (square + VF_SPLAT(1e-30f));
    t->start_x = VF_FMA(t->keep_o, x, -re) * by;
    t->start_o = VF_FMA(t->keep_x, re, t->cross * x) * by;
    t->x = t->start_x;
    t->o = t->start_o;
}

/* phi is a + b n + c n^2 at the boundaries of a piece. */
static inline void track_aim(track *t, vf a, vf middle, vf end) {
    const float frames = SB_BLOCK_FRAMES;
    vf arc = a + end - (middle + middle);
    vf c = arc * VF_SPLAT(2.0f / (frames * frames));
    vf b = (end - a - (arc + arc)) * VF_SPLAT(1.0f / frames);
    t->weight = a;
    t->rise = b + c * VF_SPLAT(PIECE);
    t->bend = c * VF_SPLAT(2.0f * PIECE);
}

/* False when no lane has weight or rings, and the track need not be run. */
static inline bool track_begin(track *t, const sb_modal_move *move, int lane,
                               bool is_ringing) {
    vf from = *(const vf_unaligned *)(move->from + lane);
    vf middle = *(const vf_unaligned *)(move->middle + lane);
    vf to = *(const vf_unaligned *)(move->to + lane);
    unsigned here = VF_NOT_ZERO(from) | VF_NOT_ZERO(middle) | VF_NOT_ZERO(to);
    sb_modal_group *group = move->group;
    const unsigned lanes = (1u << LANES) - 1;
    is_ringing = is_ringing && group->active & group->ringing & lanes << lane;
    if (!here && !is_ringing) return false;
    vf gain = load(group->heard + lane), size = gain * gain;
    /* A tiny gain would lose the precision of the state. */
    unsigned is_fit = VF_AT_LEAST(size, VF_SPLAT(1e-16f)) &
                      VF_AT_LEAST(VF_SPLAT(1e16f), size);
    t->is_scaled = !(~is_fit & lanes & (unsigned)group->ringing >> lane);
    vf scale = t->is_scaled ? gain : VF_SPLAT(1.0f);
    t->heard = gain;
    t->keep_x = load(group->keep_x + lane);
    t->keep_o = load(group->keep_o + lane);
    t->cross = load(group->cross + lane);
    t->x = t->o = VF_SPLAT(0.0f);
    t->is_ringing = is_ringing;
    t->group = group;
    t->lane = lane;
    track_aim(t, from * scale, middle * scale, to * scale);
    if (is_ringing) track_ring(t, group, lane, scale);
    group->active = (uint16_t)(group->active | here << lane);
    return true;
}

/* The state of the last frame without what was ringing before, as u at the end
 * of the block. */
static inline void track_end(const track *t) {
    sb_modal_group *group = t->group;
    const int lane = t->lane;
    vf x = t->x, o = t->o;
    if (t->is_ringing) {
        vf_complex by = load_complex(&group->after, lane);
        vf by_o = VF_FNMA(by.im, t->keep_x - t->keep_o, by.re);
        vf aside = by.im * t->cross;
        x -= VF_FMA(by.re, t->start_x, by.im * t->start_o);
        o -= VF_FNMA(aside, t->start_x, by_o * t->start_o);
    }
    if (t->is_scaled) {
        vf by = vf_inverse(load(group->heard + lane));
        x *= by;
        o *= by;
    }
    vf_complex u = {
        o, VF_FMA(unit_of(group, lane), x, load(group->slope + lane) * o)};
    u = times(u, load_complex(&group->row[0], lane));
    add_to_state(group->u.re + lane, u.re);
    add_to_state(group->u.im + lane, u.im);
}

typedef struct run_kind {
    bool is_scaled; /* o is the output */
    bool is_first;  /* the sums are still empty */
} run_kind;

/* What changes from frame to frame; the rest of a track stays in memory for
 * lack of registers. */
typedef struct runner {
    vf x, o, weight;
} runner;

static inline __attribute__((always_inline)) void
run_frame(runner *r, const track *t, vf force) {
    vf push = VF_FNMA(t->cross, r->x, r->weight * force);
    r->x = VF_FMA(t->keep_x, r->x, r->o);
    r->o = VF_FMA(t->keep_o, r->o, push);
    r->weight += t->rise;
}

/* Run a piece of `count` tracks and add the output. */
static inline __attribute__((always_inline)) void
run_piece(runner *run, const track *t, const int count, const run_kind kind,
          const float *impulse, float (*lanes)[SB_MODAL_LANES]) {
#pragma GCC unroll 8
    for (int n = 0; n < PIECE; n++) {
        vf force = VF_SPLAT(impulse[n]), heard;
        UNROLL
        for (int k = 0; k < count; k++) {
            run_frame(&run[k], &t[k], force);
            vf one = run[k].o;
            if (!kind.is_scaled) one *= t[k].heard;
            heard = k > 0 ? heard + one : one;
        }
        if (!kind.is_first) heard += load(lanes[n]);
        store(lanes[n], heard);
    }
}

static inline __attribute__((always_inline)) void
run_tracks(track *t, const int count, const run_kind kind, const float *impulse,
           sb_modal_sum *sum) {
    runner run[TRACKS];
    UNROLL
    for (int k = 0; k < count; k++)
        run[k] = (runner){t[k].x, t[k].o, t[k].weight};
    for (int n = 0; n < SB_BLOCK_FRAMES; n += PIECE) {
        run_piece(run, t, count, kind, impulse + n, sum->lane + n);
        /* Not accumulated frame by frame, to avoid rounding errors. */
        UNROLL
        for (int k = 0; k < count; k++) {
            t[k].weight = VF_FMA(VF_SPLAT(PIECE), t[k].rise, t[k].weight);
            t[k].rise += t[k].bend;
            run[k].weight = t[k].weight;
        }
    }
    UNROLL
    for (int k = 0; k < count; k++) {
        t[k].x = run[k].x;
        t[k].o = run[k].o;
    }
}

static inline __attribute__((always_inline)) void
run_count(track *t, int count, const run_kind kind, const float *impulse,
          sb_modal_sum *sum) {
    switch (count) {
    case 1:
        run_tracks(t, 1, kind, impulse, sum);
        break;
    case 2:
        run_tracks(t, 2, kind, impulse, sum);
        break;
    case 3:
        run_tracks(t, 3, kind, impulse, sum);
        break;
    default:
        run_tracks(t, 4, kind, impulse, sum);
        break;
    }
}

static void run_some(track *tracks, int count, const float *impulse,
                     sb_modal_sum *sum) {
    run_kind kind = {true, sum->is_empty};
    if (count == 0) return;
    for (int i = 0; i < count; i++)
        kind.is_scaled = kind.is_scaled && tracks[i].is_scaled;
    for (int i = 0; i < count; i++)
        if (tracks[i].is_scaled) tracks[i].heard = VF_SPLAT(1.0f);
    if (kind.is_scaled && kind.is_first) {
        run_count(tracks, count, (run_kind){true, true}, impulse, sum);
    } else if (kind.is_scaled) {
        run_count(tracks, count, (run_kind){true, false}, impulse, sum);
    } else if (kind.is_first) {
        run_count(tracks, count, (run_kind){false, true}, impulse, sum);
    } else {
        run_count(tracks, count, (run_kind){false, false}, impulse, sum);
    }
    sum->is_empty = false;
    for (int i = 0; i < count; i++)
        track_end(&tracks[i]);
}

static void drive_moving(const sb_modal_move *moves, int count,
                         const float *impulse, bool is_ringing,
                         sb_modal_sum *sum) {
    track tracks[TRACKS];
    int found = 0;
    for (int i = 0; i < count * PARTS; i++) {
        int lane = i % PARTS * LANES;
        found +=
            track_begin(&tracks[found], &moves[i / PARTS], lane, is_ringing);
        if (found < TRACKS) continue;
        run_some(tracks, found, impulse, sum);
        found = 0;
    }
    run_some(tracks, found, impulse, sum);
}
