/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel_ring.h -- free ringing: the matrix product.
 *
 * Part of modal_kernel_body.h.
 */
#pragma once

#include "runtime/dsp/bank/modal_kernel_math.h"

/* Set negligible lanes of `lanes` to rest. Strongly damped and inaudible lanes
 * are checked in every block, because A does not represent them. */
static bool rest(sb_modal_group *group, unsigned lanes) {
    unsigned gone = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        if (!(lanes >> lane & 1)) continue;
        double re = group->u.re[lane], im = group->u.im[lane];
        double gain = group->gain[lane] / group->least;
        if (gain == 0) gain = 1 / group->quiet;
        if ((re * re + im * im) * gain * gain >= 1) continue;
        group->u.re[lane] = group->u.im[lane] = 0;
        gone |= 1u << lane;
    }
    group->active = (uint16_t)(group->active & ~gone);
    return gone != 0; /* NaN compares as negligible, too */
}

/* g, which decides what is loud in whatever direction. */
static inline const float *level_of(const sb_modal_group *group) {
    return group->aimed ? group->aimed->level : group->heard;
}

/* Advance LANES modes of u by one block; returns u times `gains` at its start. */
static inline vf_complex swing_by(sb_modal_group *group, const float *gains,
                                  int lane) {
    for (;;) {
        vd_complex low = load_state(&group->u, lane);
        vd_complex high = load_state(&group->u, lane + HALF);
        vf gain = load(gains + lane), level = load(level_of(group) + lane);
        vf_complex u = {narrow(low.re, high.re), narrow(low.im, high.im)};
        vf_complex a = {u.re * gain, u.im * gain};
        u.re *= level;
        u.im *= level;
        vf power = VF_FMA(u.re, u.re, u.im * u.im);
        unsigned heard = VF_AT_LEAST(power, VF_SPLAT(group->loud)) << lane;
        unsigned here = ((1u << LANES) - 1) << lane;
        unsigned weak = group->active & here & ~heard;
        if (__builtin_expect(weak != 0, false) && rest(group, weak)) continue;
        store_state(&group->u, lane,
                    vd_times(low, load_state(&group->turn, lane)));
        store_state(&group->u, lane + HALF,
                    vd_times(high, load_state(&group->turn, lane + HALF)));
        return a;
    }
}

/* A. */
static inline vf_complex swing(sb_modal_group *group, int lane) {
    return swing_by(group, group->heard, lane);
}

static void advance(sb_modal_group *group) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES)
        (void)swing(group, lane);
}

/* Z^(128 blocks), by squaring: for a few blocks no precision is lost. */
static inline vd_complex turns(const sb_modal_group *group, int lane,
                               int blocks) {
    vd_complex square = load_state(&group->turn, lane);
    vd_complex power = {VD_SPLAT(1.0), VD_SPLAT(0.0)};
    for (; blocks > 0; blocks /= 2) {
        if (blocks % 2) power = vd_times(power, square);
        square = vd_times(square, square);
    }
    return power;
}

static void coast(sb_modal_group *group, int blocks) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += HALF)
        store_state(
            &group->u, lane,
            vd_times(load_state(&group->u, lane), turns(group, lane, blocks)));
    /* Set to rest what is negligible by now, as after a block. */
    (void)rest(group, group->active);
}

static inline float sum_of_lanes(vf a) {
    _Alignas(64) float lane[LANES];
    store(lane, a);
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int i = 0; i < width; i++)
            lane[i] += lane[i + width];
    return lane[0];
}

static void weigh(const sb_modal_group *group, float power[2]) {
    vf sum = VF_SPLAT(0.0f), loss = VF_SPLAT(0.0f);
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
        vd_complex low = load_state(&group->u, lane);
        vd_complex high = load_state(&group->u, lane + HALF);
        vf gain = load(level_of(group) + lane);
        vf re = narrow(low.re, high.re) * gain;
        vf im = narrow(low.im, high.im) * gain;
        vf here = VF_FMA(re, re, im * im);
        vf twice = narrow(load_double(group->sigma + lane),
                          load_double(group->sigma + lane + HALF));
        sum += here;
        loss = VF_FMA(here, twice, loss);
    }
    power[0] = 0.5f * sum_of_lanes(sum);
    power[1] = sum_of_lanes(loss);
}

typedef struct coefficients {
    vf c[SB_MODAL_CHUNK][PARTS][SB_MODAL_POINTS][2];
} coefficients;

/* Row i = 0 of the sums, Re C_p, in registers. */
typedef struct first_row {
    vf acc[SB_MODAL_POINTS];
} first_row;

static inline first_row first_begin(const sb_modal_sum *sum) {
    first_row first;
    UNROLL
    for (int p = 0; p < SB_MODAL_POINTS; p++) {
        first.acc[p] = VF_SPLAT(0.0f);
        if (!sum->is_empty) first.acc[p] = load(sum->lane[p * SB_MODAL_STEPS]);
    }
    return first;
}

static inline void first_end(const first_row *first, sb_modal_sum *sum) {
    UNROLL
    for (int p = 0; p < SB_MODAL_POINTS; p++)
        store(sum->lane[p * SB_MODAL_STEPS], first->acc[p]);
}

/* C_p from A. */
static inline void powers_of(const sb_modal_group *group, int lane,
                             vf_complex amplitude,
                             vf_complex c[SB_MODAL_POINTS]) {
    vf_complex z16 = load_complex(&group->row[SB_MODAL_ROW_16], lane);
    vf_complex z32 = load_complex(&group->row[SB_MODAL_ROW_32], lane);
    vf_complex z64 = load_complex(&group->row[SB_MODAL_ROW_64], lane);
    c[0] = amplitude;
    c[4] = times(c[0], z64);
    c[2] = times(c[0], z32);
    c[6] = times(c[4], z32);
    UNROLL
    for (int p = 0; p < SB_MODAL_POINTS; p += 2)
        c[p + 1] = times(c[p], z16);
}

static inline void spread(const sb_modal_group *group, int lane,
                          vf_complex amplitude, vf out[SB_MODAL_POINTS][2],
                          first_row *first) {
    vf_complex c[SB_MODAL_POINTS];
    powers_of(group, lane, amplitude, c);
    UNROLL
    for (int p = 0; p < SB_MODAL_POINTS; p++) {
        out[p][0] = c[p].re;
        out[p][1] = c[p].im;
        first->acc[p] += c[p].re;
    }
}

/* One tile of the matrix product, held in registers over the whole chunk. It
 * starts at zero and is added to the sums when complete: starting from loaded
 * sums would delay the multiplications behind the loads, which costs more than
 * these additions. */
typedef struct tile {
    vf acc[TILE_POINTS][TILE_STEPS];
} tile;

static inline tile tile_begin(void) {
    tile t;
    UNROLL
    for (int p = 0; p < TILE_POINTS; p++) {
        UNROLL
        for (int i = 0; i < TILE_STEPS; i++)
            t.acc[p][i] = VF_SPLAT(0.0f);
    }
    return t;
}

static inline void tile_end(const tile *t, sb_modal_sum *sum, int first) {
    const bool is_empty = sum->is_empty;
    UNROLL
    for (int p = 0; p < TILE_POINTS; p++) {
        UNROLL
        for (int i = 0; i < TILE_STEPS; i++) {
            float *lane = sum->lane[first + p * SB_MODAL_STEPS + i];
            vf acc = t->acc[p][i];
            store(lane, is_empty ? acc : load(lane) + acc);
        }
    }
}

/* Add factor Z^i to the sums, or subtract it for the imaginary parts. */
static inline vf add_product(vf sum, vf factor, vf z, bool is_imaginary) {
    return is_imaginary ? VF_FNMA(factor, z, sum) : VF_FMA(factor, z, sum);
}

/* Add Re(C_p Z^i) = Re C_p Re Z^i - Im C_p Im Z^i, the real parts first. The
 * shorter side of the tile stays in registers, the longer passes through
 * one. */
static inline void tile_add(tile *t, const vf c[][2], const sb_modal_row *row,
                            int lane) {
    enum { SHORT = TILE_POINTS < TILE_STEPS ? TILE_POINTS : TILE_STEPS };
    enum { LONG = TILE_POINTS < TILE_STEPS ? TILE_STEPS : TILE_POINTS };
    const bool holds_points = TILE_POINTS < TILE_STEPS;
    UNROLL
    for (int part = 0; part < 2; part++) {
        vf held[SHORT];
        UNROLL
        for (int i = 0; i < SHORT; i++) {
            held[i] = holds_points
                          ? c[i][part]
                          : load((part ? row[i].im : row[i].re) + lane);
            IN_REGISTER(held[i]);
        }
        UNROLL
        for (int k = 0; k < LONG; k++) {
            vf passing = holds_points
                             ? load((part ? row[k].im : row[k].re) + lane)
                             : c[k][part];
            IN_REGISTER(passing);
            UNROLL
            for (int i = 0; i < SHORT; i++) {
                vf *sum = holds_points ? &t->acc[i][k] : &t->acc[k][i];
                *sum = add_product(*sum, passing, held[i], part);
            }
        }
    }
}

/* While the tiles of one chunk are added, prefetch the next: of the group
 * `places` further on, the rows of this tile and a share of the data behind the
 * rows. One of every two cache lines is requested; the other comes with it. An
 * address past the last group is harmless. (Without always_inline GCC 12 takes
 * this for a function without effect and drops it.) */
static inline __attribute__((always_inline)) void
fetch_ahead(const sb_modal_group *group, int places, int i) {
    enum { PAIR = sizeof(sb_modal_row) };
    enum { TILES = (SB_MODAL_STEPS - 1) / TILE_STEPS };
    enum { REST = offsetof(sb_modal_group, row[SB_MODAL_ROW_16]) };
    enum { REST_PAIRS = (offsetof(sb_modal_group, slope) - REST) / PAIR };
    enum { SHARE = (REST_PAIRS + TILES - 1) / TILES };
    const int tile_index = (i - 1) / TILE_STEPS;
    uintptr_t next = (uintptr_t)group + (size_t)places * sizeof *group;
    uintptr_t rows = next + (size_t)(tile_index * TILE_STEPS * PAIR);
    uintptr_t rest = next + REST + (size_t)(tile_index * SHARE * PAIR);
    UNROLL
    for (int k = 0; k < TILE_STEPS; k++)
        __builtin_prefetch((const void *)(rows + (size_t)(k * PAIR)), 0, 2);
    UNROLL
    for (int k = 0; k < SHARE; k++)
        __builtin_prefetch((const void *)(rest + (size_t)(k * PAIR)), 0, 2);
}

static void ring_tiles(const sb_modal_chunk *chunk, const coefficients *in,
                       sb_modal_sum *sum) {
    /* Narrower vectors are slow enough for memory to keep up. */
    const bool is_fetching = PARTS == 1 && chunk->is_far;
    for (int i = 1; i < SB_MODAL_STEPS; i += TILE_STEPS) {
        for (int p = 0; p < SB_MODAL_POINTS; p += TILE_POINTS) {
            int first = p * SB_MODAL_STEPS + i;
            tile t = tile_begin();
            for (int k = 0; k < chunk->count * PARTS; k++) {
                int index = k / PARTS, part = k % PARTS;
                const sb_modal_group *group = chunk->group[index];
                if (is_fetching) fetch_ahead(group, chunk->count, i);
                tile_add(&t, &in->c[index][part][p], &group->row[i - 1],
                         part * LANES);
            }
            tile_end(&t, sum, first);
        }
    }
    sum->is_empty = false;
}

static inline __attribute__((always_inline)) void
ring_from(const sb_modal_chunk *chunk, bool is_swinging, sb_modal_sum *sum) {
    coefficients c;
    first_row first = first_begin(sum);
    for (int k = 0; k < chunk->count * PARTS; k++) {
        int index = k / PARTS, part = k % PARTS, lane = part * LANES;
        vf_complex a = is_swinging
                           ? swing(chunk->group[index], lane)
                           : load_complex(&chunk->amplitude[index], lane);
        spread(chunk->group[index], lane, a, c.c[index][part], &first);
    }
    first_end(&first, sum);
    ring_tiles(chunk, &c, sum);
}

static void ring(const sb_modal_chunk *chunk, sb_modal_sum *sum) {
    ring_from(chunk, false, sum);
}

static void render(const sb_modal_chunk *chunk, sb_modal_sum *sum) {
    ring_from(chunk, true, sum);
}

/* The sums over the lanes of LANES frames, as one vector. */
#if LANES == 8
/* Frames four apart share a vector, so that no shuffle crosses its halves. */
static inline vf add_lanes(const float lane[][SB_MODAL_LANES]) {
    vf part[4];
    UNROLL
    for (int i = 0; i < 4; i++) {
        const float *u = lane[i], *v = lane[i + 4];
        part[i] = vf_from_halves(load_half(u), load_half(v)) +
                  vf_from_halves(load_half(u + HALF), load_half(v + HALF));
    }
    UNROLL
    for (int width = 2; width > 0; width /= 2) {
        UNROLL
        for (int i = 0; i < width; i++) {
            vf u = part[2 * i], v = part[2 * i + 1];
            part[i] = __builtin_shufflevector(u, v, 0, 2, 8, 10, 4, 6, 12, 14) +
                      __builtin_shufflevector(u, v, 1, 3, 9, 11, 5, 7, 13, 15);
        }
    }
    return part[0];
}
#else
static inline vf add_lanes(const float lane[][SB_MODAL_LANES]) {
    /* Halves first: combining halves costs no shuffle. */
    vf part[HALF];
    UNROLL
    for (int i = 0; i < HALF; i++) {
        const float *u = lane[2 * i], *v = lane[2 * i + 1];
        part[i] = vf_from_halves(load_half(u), load_half(v)) +
                  vf_from_halves(load_half(u + HALF), load_half(v + HALF));
    }
    UNROLL
    for (int width = HALF / 2; width > 0; width /= 2) {
        UNROLL
        for (int i = 0; i < width; i++)
            part[i] = vf_add_pairs(part[2 * i], part[2 * i + 1]);
    }
    return part[0];
}
#endif

static void finish(const sb_modal_sum *sum, int first, float *out) {
    _Alignas(64) float frames[SB_BLOCK_FRAMES];
    for (int n = 0; n < SB_BLOCK_FRAMES; n += LANES)
        store(frames + n, add_lanes(sum->lane + n));
    int n = first;
    for (; n + LANES <= SB_BLOCK_FRAMES; n += LANES) {
        vf_unaligned *at = (vf_unaligned *)(out + n);
        *at += *(const vf_unaligned *)(frames + n - first);
    }
    for (; n < SB_BLOCK_FRAMES; n++)
        out[n] += frames[n - first];
}

/* --- excitation -----------------------------------------------------------*/

static void add_impulse(sb_modal_group *group, const sb_modal_state *jump,
                        double until_first_s, double until_end_s,
                        sb_modal_row *amplitude) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += LANES) {
        vd_complex first[2];
        for (int half = 0; half < 2; half++) {
            int at = lane + half * HALF;
            vd s = load_double(group->sigma + at);
            vd w = load_double(group->damped + at);
            vd_complex du = load_state(jump, at);
            first[half] = vd_times(du, vd_swing(s, w, VD_SPLAT(until_first_s)));
            vd_complex end =
                vd_times(du, vd_swing(s, w, VD_SPLAT(until_end_s)));
            vd_complex u = load_state(&group->u, at);
            store_state(&group->u, at,
                        (vd_complex){u.re + end.re, u.im + end.im});
        }
        vf gain = load(group->heard + lane);
        store_complex(amplitude, lane,
                      (vf_complex){narrow(first[0].re, first[1].re) * gain,
                                   narrow(first[0].im, first[1].im) * gain});
    }
}

static inline void add_to_state(double *state, vf value) {
    vd low = load_double(state), high = load_double(state + HALF);
    store_double(state, low + VD_FROM_HALF(vf_low_half(value)));
    store_double(state + HALF, high + VD_FROM_HALF(vf_high_half(value)));
}

/* --- gliding ---------------------------------------------------------------
 *
 * In a block of N frames l changes linearly, so the factor from one frame to the
 * next is itself multiplied by a constant factor:
 *
 *     u[n+1] = u[n] r[n],   r[n+1] = r[n] d,
 *     r[0] = e^(l(1/2) dt),  d = e^((l(N) - l(0)) dt / N).
 *
 * The phase advances by exactly the integral of l, whatever the block size.
 * Computed in double: the products of one block lose no precision. */

static void glide_lanes(sb_modal_group *group, const sb_modal_glide *glide,
                        int lane, double dt_s, sb_modal_sum *sum) {
    const vd part = VD_SPLAT(1.0 / SB_BLOCK_FRAMES);
    const vd half = VD_SPLAT(0.5);
    const vd dt = VD_SPLAT(dt_s);
    /* Lanes that are a vector apart are added to the same entry. */
    const int place = lane % LANES;
    const bool is_empty = sum->is_empty && lane < LANES;
    vd s = load_double(glide->from_sigma + lane);
    vd w = load_double(glide->from_damped + lane);
    vd g = load_double(glide->from_heard + lane);
    vd s_step = (load_double(glide->to_sigma + lane) - s) * part;
    vd w_step = (load_double(glide->to_damped + lane) - w) * part;
    vd g_step = (load_double(glide->to_heard + lane) - g) * part;
    vd_complex u = load_state(&group->u, lane);
    vd_complex r =
        vd_swing(VD_FMA(s_step, half, s), VD_FMA(w_step, half, w), dt);
    vd_complex d = vd_swing(s_step, w_step, dt);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        float *at = &sum->lane[n][place];
        vh heard = __builtin_convertvector(g * u.re, vh);
        if (!is_empty) heard += load_half(at);
        memcpy(at, &heard, sizeof heard);
        u = vd_times(u, r);
        r = vd_times(r, d);
        g += g_step;
    }
    store_state(&group->u, lane, u);
}

static void glide(sb_modal_group *group, const sb_modal_glide *glide,
                  double dt_s, sb_modal_sum *sum) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane += HALF)
        glide_lanes(group, glide, lane, dt_s, sum);
    sum->is_empty = false;
}
