/* runtime/dsp/modal_kernel_move.h -- forces at a contact that moves.
 *
 * Part of modal_kernel_body.h, which see.
 *
 * Where every frame has weights of its own there is no response to convolve
 * with, so the modes are run frame by frame, from rest, and what they have got
 * to is added to the state. With Z = e^(l dt) and p the push of a frame,
 *
 *     x' = x + y,    y' = (2 Re Z - 1) y - |1 - Z|^2 x + p
 *
 * turns as Z does, with fewer operations than a complex product and a shorter
 * wait from frame to frame; and as it is written in differences, the digits of
 * slow modes stay. What is heard is y' + h x', h = 1 - Re Z - (s / wd) Im Z.
 *
 * Modes above a quarter of the sample rate would lose theirs. They are run with
 * -Z instead, and have the sign of every odd frame turned round on its way in
 * and out: hence two sets of weights and gains, for even and for odd frames.
 *
 * Between every eighth frame the weights move in straight lines.
 *
 * What rings already can be run along, instead of being rendered. The floats
 * then stand for a Z' that is not quite Z; so what Z'^128 has made of the state
 * is taken off what has come out, and what Z^128 makes of it added, in double.
 */
#ifndef SB_DSP_MODAL_KERNEL_MOVE_H
#define SB_DSP_MODAL_KERNEL_MOVE_H

#include "runtime/dsp/modal_kernel_drive.h"
#include "runtime/dsp/modal_kernel_math.h"
#include "runtime/dsp/modal_kernel_ring.h"

/* Vectors of modes run side by side, each in the other's waiting. More would not
 * find registers, and loads become the bottleneck. */
enum { TRACKS = LANES == 16 ? 4 : 2, PIECE = 8 };

/* Z' as the floats have it, half a vector: 1 - Re, Im, |Z'|^2. */
typedef struct run_turn {
    vd gap, im, square;
} run_turn;

/* [2]: at even frames and at odd ones. */
typedef struct track {
    vf keep, pull; /* 2 Re Z - 1, |1 - Z|^2 */
    vf heard_x[2], heard_y[2];
    vf weight[2], rise[2]; /* phi, and its change over two frames */
    vf bend[2];            /* the change of `rise` from piece to piece */
    vf x, y;
    bool is_ringing;
    run_turn turn[2];    /* by halves, where it rings, */
    vd_complex start[2]; /* and what does, a frame before the block */
    sb_modal_group *group;
    int lane;
} track;

/* 1, or -1 where Z is run as -Z. */
static inline vf sign_of(const sb_modal_group *group, int lane) {
    typedef int32_t vw __attribute__((vector_size(LANES * 4)));
    vw below = load(group->row[0].re + lane) < VF_SPLAT(0.0f);
    return __builtin_convertvector(below + below + 1, vf);
}

/* In double, where 1 - Re Z has digits left. */
static inline void tune_move(sb_modal_group *group, int lane, vd_complex z) {
    vi below = z.re < VD_SPLAT(0.0);
    vd_complex run = {vd_select(below, -z.re, z.re),
                      vd_select(below, -z.im, z.im)};
    vd slope = load_double(group->sigma + lane) *
               load_double(group->inverse_damped + lane);
    vd gap = VD_SPLAT(1.0) - run.re;
    store_half(group->keep + lane, run.re - gap);
    store_half(group->pull + lane, VD_FMA(gap, gap, z.im * z.im));
    store_half(group->lean + lane, VD_FNMA(slope, run.im, gap));
}

static inline run_turn run_turn_of(const sb_modal_group *group, int lane) {
    vd keep = VD_FROM_HALF(load_half(group->keep + lane));
    vd pull = VD_FROM_HALF(load_half(group->pull + lane));
    vd gap = VD_SPLAT(0.5) - VD_SPLAT(0.5) * keep;
    vd across = VD_FNMA(gap, gap, pull), least = VD_SPLAT(1e-4) * pull;
    /* Only modes far below any pitch come near to nothing here. */
    across = vd_select((vi)(across > least), across, least) + VD_SPLAT(1e-300);
    vd im = VD_SQRT(across);
    vd z_re = VD_FROM_HALF(load_half(group->row[0].re + lane));
    im = vd_select((vi)(z_re < VD_SPLAT(0.0)), -im, im);
    return (run_turn){gap, im, keep + pull};
}

/* x and y as a complex number that turns with Z'. */
static inline vd_complex run_state(const run_turn *turn, vd x, vd y) {
    return (vd_complex){VD_FMA(turn->gap, x, y), turn->im * x};
}

static inline void tune_drift(sb_modal_group *group, int lane,
                              vd_complex turn) {
    run_turn one = run_turn_of(group, lane);
    vd_complex z = {VD_SPLAT(1.0) - one.gap, one.im};
    for (int frames = 1; frames < SB_BLOCK_FRAMES; frames *= 2)
        z = vd_times(z, z);
    store_half(group->drift.re + lane, z.re - turn.re);
    store_half(group->drift.im + lane, z.im - turn.im);
}

/* Begin with what rings, and move u over the block. */
static inline void track_ring(track *t, sb_modal_group *group, int lane) {
    vd_complex u[2] = {load_state(&group->u, lane),
                       load_state(&group->u, lane + HALF)};
    unsigned all = ((1u << LANES) - 1) << lane, was = group->active & all;
    vd x[2], y[2];
    (void)swing(group, lane);
    unsigned rings = group->active & group->ringing & all;
    for (int i = 0; i < LANES && rings != was; i++) {
        if (rings >> (lane + i) & 1) continue;
        u[i / HALF].re[i % HALF] = u[i / HALF].im[i % HALF] = 0;
    }
    UNROLL
    for (int half = 0; half < 2; half++) {
        int at = lane + half * HALF;
        run_turn turn = run_turn_of(group, at);
        vd slope = VD_FROM_HALF(load_half(group->slope + at));
        vd re = VD_SPLAT(1.0) - turn.gap;
        vd scale = VD_FMA(slope, slope, VD_SPLAT(1.0)) * turn.square;
        scale = VD_SPLAT(1.0) / scale;
        /* u / ((1 + i s / wd) Z') */
        vd_complex c = vd_times(u[half], (vd_complex){VD_SPLAT(1.0), -slope});
        c = vd_times(c, (vd_complex){re * scale, -(turn.im * scale)});
        x[half] = c.im / turn.im;
        y[half] = VD_FNMA(turn.gap, x[half], c.re);
        vd x_run = VD_FROM_HALF(__builtin_convertvector(x[half], vh));
        vd y_run = VD_FROM_HALF(__builtin_convertvector(y[half], vh));
        t->start[half] = run_state(&turn, x_run, y_run);
        t->turn[half] = turn;
    }
    t->x = narrow(x[0], x[1]);
    t->y = narrow(y[0], y[1]);
}

/* phi is a + b n + c n^2 where a piece begins and ends. False when nothing has
 * weight or rings, and the track need not be run. */
static inline bool track_begin(track *t, const sb_modal_move *move, int lane,
                               bool is_ringing) {
    const float frames = SB_BLOCK_FRAMES;
    vf a = *(const vf_unaligned *)(move->from + lane);
    vf middle = *(const vf_unaligned *)(move->middle + lane);
    vf end = *(const vf_unaligned *)(move->to + lane);
    unsigned here = VF_NOT_ZERO(a) | VF_NOT_ZERO(middle) | VF_NOT_ZERO(end);
    sb_modal_group *group = move->group;
    const unsigned lanes = ((1u << LANES) - 1) << lane;
    is_ringing = is_ringing && group->active & group->ringing & lanes;
    if (!here && !is_ringing) return false;
    vf sign = sign_of(group, lane), gain = load(group->heard + lane);
    vf lean = load(group->lean + lane);
    vf arc = a + end - (middle + middle);
    vf c = arc * VF_SPLAT(2.0f / (frames * frames));
    vf b = (end - a - (arc + arc)) * VF_SPLAT(1.0f / frames);
    vf slope = b + c * VF_SPLAT(PIECE);
    t->keep = load(group->keep + lane);
    t->pull = load(group->pull + lane);
    t->heard_x[0] = gain * lean;
    t->heard_y[0] = gain;
    t->weight[0] = a;
    t->rise[0] = slope + slope;
    t->bend[0] = c * VF_SPLAT(4.0f * PIECE);
    t->heard_x[1] = t->heard_x[0] * sign;
    t->heard_y[1] = t->heard_y[0] * sign;
    t->weight[1] = (a + slope) * sign;
    t->rise[1] = t->rise[0] * sign;
    t->bend[1] = t->bend[0] * sign;
    t->x = t->y = VF_SPLAT(0.0f);
    t->is_ringing = is_ringing;
    t->group = group;
    t->lane = lane;
    if (is_ringing) track_ring(t, group, lane);
    group->active = (uint16_t)(group->active | here << lane);
    return true;
}

/* What would have rung anyway, as x + iy of half a track. */
static inline vd_complex track_rung(const track *t, int half) {
    const sb_modal_group *group = t->group;
    const run_turn *turn = &t->turn[half];
    int at = t->lane + half * HALF;
    vd_complex block = load_state(&group->turn, at);
    block.re += VD_FROM_HALF(load_half(group->drift.re + at));
    block.im += VD_FROM_HALF(load_half(group->drift.im + at));
    vd_complex rung = vd_times(t->start[half], block);
    vd x = rung.im / turn->im;
    return (vd_complex){x, VD_FNMA(turn->gap, x, rung.re)};
}

/* What the last frame's x and y have besides, as the u it is at the block's
 * end. */
static inline void track_end(const track *t) {
    sb_modal_group *group = t->group;
    UNROLL
    for (int half = 0; half < 2; half++) {
        int at = t->lane + half * HALF;
        vd x = VD_FROM_HALF(half ? vf_high_half(t->x) : vf_low_half(t->x));
        vd y = VD_FROM_HALF(half ? vf_high_half(t->y) : vf_low_half(t->y));
        if (t->is_ringing) {
            vd_complex rung = track_rung(t, half);
            x -= rung.re;
            y -= rung.im;
        }
        vd slope = VD_FROM_HALF(load_half(group->slope + at));
        vd re = VD_FROM_HALF(load_half(group->row[0].re + at));
        vd im = VD_FROM_HALF(load_half(group->row[0].im + at));
        im = vd_select((vi)(re < VD_SPLAT(0.0)), -im, im);
        vd gap = VD_FMA(slope, im, VD_FROM_HALF(load_half(group->lean + at)));
        vd_complex c = {VD_FMA(gap, x, y), im * x};
        c = vd_times(c, (vd_complex){VD_SPLAT(1.0), slope});
        c = vd_times(c, (vd_complex){VD_SPLAT(1.0) - gap, im});
        vd_complex u = load_state(&group->u, at);
        store_state(&group->u, at, (vd_complex){u.re + c.re, u.im + c.im});
    }
}

/* A frame of one track, `odd` or even; returns what is heard with it. */
static inline __attribute__((always_inline)) vf
track_frame(track *t, const int odd, vf force, vf heard) {
    vf push = VF_FNMA(t->pull, t->x, t->weight[odd] * force);
    t->weight[odd] += t->rise[odd];
    t->x += t->y;
    t->y = VF_FMA(t->keep, t->y, push);
    heard = VF_FMA(t->heard_y[odd], t->y, heard);
    return VF_FMA(t->heard_x[odd], t->x, heard);
}

static inline __attribute__((always_inline)) void
run_tracks(const track *from, const int count, const float *impulse,
           sb_modal_sum *sum) {
    const bool is_empty = sum->is_empty;
    track t[TRACKS];
    UNROLL
    for (int k = 0; k < count; k++) {
        t[k] = from[k];
        IN_REGISTER(t[k].keep);
        IN_REGISTER(t[k].pull);
    }
    for (int n = 0; n < SB_BLOCK_FRAMES; n += 2) {
        UNROLL
        for (int odd = 0; odd < 2; odd++) {
            float *lanes = sum->lane[n + odd];
            vf force = VF_SPLAT(impulse[n + odd]);
            vf heard = is_empty ? VF_SPLAT(0.0f) : load(lanes);
            UNROLL
            for (int k = 0; k < count; k++)
                heard = track_frame(&t[k], odd, force, heard);
            store(lanes, heard);
        }
        if (n % PIECE != PIECE - 2) continue;
        UNROLL
        for (int k = 0; k < count; k++) {
            t[k].rise[0] += t[k].bend[0];
            t[k].rise[1] += t[k].bend[1];
        }
    }
    UNROLL
    for (int k = 0; k < count; k++)
        track_end(&t[k]);
    sum->is_empty = false;
}

/* Full sets, and what is left over one by one. */
static void run_some(const track *tracks, int count, const float *impulse,
                     sb_modal_sum *sum) {
    if (count == TRACKS) {
        run_tracks(tracks, TRACKS, impulse, sum);
        return;
    }
    if (count >= 2) run_tracks(tracks, 2, impulse, sum);
    if (count % 2) run_tracks(&tracks[count - 1], 1, impulse, sum);
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

#endif
