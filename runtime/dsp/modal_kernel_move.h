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
 */
#ifndef SB_DSP_MODAL_KERNEL_MOVE_H
#define SB_DSP_MODAL_KERNEL_MOVE_H

#include "runtime/dsp/modal_kernel_drive.h"
#include "runtime/dsp/modal_kernel_math.h"

/* Vectors of modes run side by side, each in the other's waiting. More would not
 * find registers, and loads become the bottleneck. */
enum { TRACKS = LANES == 16 ? 4 : 2, PIECE = 8 };

/* [2]: at even frames and at odd ones. */
typedef struct track {
    vf keep, pull; /* 2 Re Z - 1, |1 - Z|^2 */
    vf heard_x[2], heard_y[2];
    vf weight[2], rise[2]; /* phi, and its change over two frames */
    vf bend[2];            /* the change of `rise` from piece to piece */
    vf x, y;
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

/* phi is a + b n + c n^2 where a piece begins and ends. Returns the lanes that
 * have weight; without any the track need not be run. */
static inline unsigned track_begin(track *t, const sb_modal_move *move,
                                   int lane) {
    const float frames = SB_BLOCK_FRAMES;
    vf a = *(const vf_unaligned *)(move->from + lane);
    vf middle = *(const vf_unaligned *)(move->middle + lane);
    vf end = *(const vf_unaligned *)(move->to + lane);
    unsigned here = VF_NOT_ZERO(a) | VF_NOT_ZERO(middle) | VF_NOT_ZERO(end);
    if (!here) return 0;
    sb_modal_group *group = move->group;
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
    t->group = group;
    t->lane = lane;
    return here << lane;
}

/* The last frame's x and y as the u they are at the block's end. */
static inline void track_end(const track *t) {
    sb_modal_group *group = t->group;
    int lane = t->lane;
    vf_complex z = load_complex(&group->row[0], lane);
    vf sign = sign_of(group, lane), slope = load(group->slope + lane);
    z = (vf_complex){z.re * sign, z.im * sign};
    vf sine = z.im * t->x;
    vf cosine =
        VF_FMA(VF_FMA(slope, z.im, load(group->lean + lane)), t->x, t->y);
    vf_complex u = {VF_FNMA(slope, sine, cosine), VF_FMA(slope, cosine, sine)};
    u = times(u, z);
    add_to_state(group->u.re + lane, u.re);
    add_to_state(group->u.im + lane, u.im);
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
                         const float *impulse, sb_modal_sum *sum) {
    track tracks[TRACKS];
    int found = 0;
    for (int i = 0; i < count; i++) {
        unsigned touched = 0;
        for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
            unsigned here = track_begin(&tracks[found], &moves[i], lane);
            touched |= here;
            if (here) found++;
            if (found < TRACKS) continue;
            run_some(tracks, found, impulse, sum);
            found = 0;
        }
        sb_modal_group *group = moves[i].group;
        group->active = (uint16_t)(group->active | touched);
    }
    run_some(tracks, found, impulse, sum);
}

#endif
