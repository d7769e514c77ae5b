/* SPDX-License-Identifier: MIT */
/* runtime/dsp/bank/modal_kernel.h -- the inner loops of the modal bank.
 *
 * Sixteen modes make a group, one mode per lane. With Z = e^(l dt) and A the
 * amplitude at the first frame, the samples of a block are
 *
 *     y[16 p + i] = sum over modes of Re(C_p Z^i),   C_p = A Z^(16 p),
 *
 * 8 x 16 sums over the modes of products of two complex numbers: a matrix
 * product, with two fused multiply-adds per mode and sample. The lanes are
 * summed separately until the whole bank has been added, so that every load is
 * a full vector and nothing is broadcast or shuffled. Row i = 0 is C_p itself
 * and needs no table.
 *
 * Driving is the transposed product. With r the time-reversed force,
 *
 *     u at the end = phi (1 + i s / wd) sum_p Z^(16 p)
 *                    sum_(i=1..16) r[16 p + i - 1] Z^i.
 *
 * The same source (modal_kernel_body.h) is compiled for each instruction set.
 *
 * Thread: any; a kernel touches only its arguments. Memory: the caller's.
 */
#pragma once

#include "runtime/base/harmonics.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/bank/modal_field.h"

#include <stdint.h>

enum {
    SB_MODAL_LANES = 16,
    SB_MODAL_STEPS = 16,  /* i: frames from one C_p to the next */
    SB_MODAL_POINTS = 8,  /* p: values of C_p in a block */
    SB_MODAL_ROWS = 18,   /* Z^1 .. Z^16, Z^32, Z^64 */
    SB_MODAL_ROW_16 = 15, /* indices of Z^16, Z^32 and Z^64 */
    SB_MODAL_ROW_32 = 16,
    SB_MODAL_ROW_64 = 17,
    SB_MODAL_SPANS = 4,   /* of 32 frames in a block */
    SB_MODAL_HALVES = 16, /* frames of half a span */
    SB_MODAL_ROW_OF_M = 32,
    /* Groups processed at a time. Their C_p (12 KiB) and the sums (8 KiB) are
     * reused and should stay in the first-level cache while the tables stream
     * past; fewer groups would load and store the sums more often. */
    SB_MODAL_CHUNK = 12
};

/* One complex number per lane. */
typedef struct sb_modal_row {
    _Alignas(64) float re[SB_MODAL_LANES];
    float im[SB_MODAL_LANES];
} sb_modal_row;

typedef struct sb_modal_state {
    _Alignas(64) double re[SB_MODAL_LANES];
    double im[SB_MODAL_LANES];
} sb_modal_state;

/* What modal_kernel_turn.h has of 16 modes. */
typedef struct sb_modal_halves {
    sb_modal_row middle;                /* Z^15.5 */
    sb_modal_row half[SB_MODAL_HALVES]; /* c and s, j = .5, 1.5 ... */
} sb_modal_halves;

/* a of 16 modes along a cubic, in differences between the middles of spans of 32
 * frames. */
typedef struct sb_modal_aimed {
    _Alignas(64) float level[SB_MODAL_LANES]; /* g */
    uint16_t steep; /* lanes for which halves are not exact */
    bool is_tuned;  /* fade, halves and steep are valid */
    sb_modal_halves *halves;
    _Alignas(64) float now[SB_MODAL_LANES]; /* a at the start of a block */
    float next[SB_MODAL_LANES];             /* in the middle of a span, */
    float change[3][SB_MODAL_LANES];        /* and its differences */
    float fade[SB_MODAL_LANES];             /* 2 s per span */
} sb_modal_aimed;

/* A direction and its rate per span. */
typedef struct sb_modal_heading {
    float at[3], rate[3];
} sb_modal_heading;

/* P_lm = ((2l - 1) z P_(l-1)m - sum P_(l-2)m) part + start, m in lanes. */
typedef struct sb_modal_legendre {
    _Alignas(64) float sum[SB_MODAL_ROW_OF_M], part[SB_MODAL_ROW_OF_M];
    float start[SB_MODAL_ROW_OF_M];
} sb_modal_legendre;

/* Harmonics without their norms, P_lm Re (x + iy)^m and P_lm Im (x + iy)^m,
 * and their rates per span. The order of coefficients: first all cosines, then
 * all sines, m >= 1. */
static inline int sb_modal_cosine(int l, int m) {
    return l * (l + 1) / 2 + m;
}
static inline int sb_modal_sine(int l, int m) {
    return l * (l - 1) / 2 + m;
}

typedef struct sb_modal_harmonics {
    float cosine[2][SB_MODAL_ROW_OF_M * (SB_HARMONICS_ORDER_MOST + 2) / 2];
    float sine[2][SB_MODAL_ROW_OF_M * (SB_HARMONICS_ORDER_MOST + 2) / 2];
} sb_modal_harmonics;

/* How a gets where it should be (modal_aim.h). */
typedef struct sb_modal_course {
    int blocks;
    float share;
    bool is_onward;
} sb_modal_course;

/* 252 bytes per mode. The state is u = (wd + i s) z, whose real part is the
 * modal velocity; |u|^2 / 2 is about the energy, and the output is g a Re u,
 * with a of modal_aim.h.
 * Lanes without a mode, above the Nyquist frequency, or strongly damped have
 * zero rows and zero `heard`; a strongly damped lane holds u = q' + i w0 q and
 * has turn = 1. Fields that rendering reads come first, contiguously. */
typedef struct sb_modal_group {
    sb_modal_row row[SB_MODAL_ROWS];
    sb_modal_state turn;         /* Z^128 */
    sb_modal_state u;            /* the state; 0 where not active */
    float heard[SB_MODAL_LANES]; /* g a */
    float loud;                  /* not negligible at or above this |A|^2 */
    uint16_t active;             /* one bit per lane: u is not 0 */
    uint16_t audible;            /* out_gain is not 0 */
    uint16_t ringing;            /* processed by the kernels */
    uint16_t heavy;              /* strongly damped: modal_heavy.c */
    double least;                /* a smaller |A| is negligible, */
    double quiet;                /* or a smaller |u| where out_gain is 0 */
    sb_modal_aimed *aimed;       /* NULL: a = 1 */
    float power;                 /* this and the next two: modal_choice.h */
    uint16_t expected;
    uint8_t hearing;
    uint16_t turning; /* blocks for which a still moves; 0: it stays */
    _Alignas(64) float slope[SB_MODAL_LANES]; /* s / wd */
    /* For modal_kernel_move.h, t being s / wd. */
    float keep_x[SB_MODAL_LANES]; /* Re Z + t Im Z */
    float keep_o[SB_MODAL_LANES]; /* Re Z - t Im Z */
    float cross[SB_MODAL_LANES];  /* (1 + t^2) (Im Z)^2 */
    sb_modal_row after; /* x after 128 frames: re times x, im times o before */
    double omega[SB_MODAL_LANES];
    double sigma[SB_MODAL_LANES];
    double gain[SB_MODAL_LANES];
    double damped[SB_MODAL_LANES];         /* wd; 0 unless ringing */
    double inverse_damped[SB_MODAL_LANES]; /* 1 / wd; 0 unless ringing */
} sb_modal_group;

/* Up to SB_MODAL_CHUNK groups and, for `ring`, their amplitudes A at the first
 * frame. */
typedef struct sb_modal_chunk {
    sb_modal_row amplitude[SB_MODAL_CHUNK];
    sb_modal_group *group[SB_MODAL_CHUNK];
    int count;
    bool is_far; /* likely not in the cache: prefetch */
} sb_modal_chunk;

/* The samples of a block, not yet summed over the lanes. */
typedef struct sb_modal_sum {
    _Alignas(64) float lane[SB_BLOCK_FRAMES][SB_MODAL_LANES];
    bool is_empty; /* lane[] has no values yet */
} sb_modal_sum;

/* Linear changes of the lanes of a group within one block. A lane with zeros
 * keeps its u and is not heard. */
typedef struct sb_modal_glide {
    _Alignas(64) double from_damped[SB_MODAL_LANES];
    double from_sigma[SB_MODAL_LANES];
    double from_heard[SB_MODAL_LANES];
    double to_damped[SB_MODAL_LANES];
    double to_sigma[SB_MODAL_LANES];
    double to_heard[SB_MODAL_LANES];
} sb_modal_glide;

/* A group's weights at the start, in the middle and at the end of a block. */
typedef struct sb_modal_move {
    sb_modal_group *group;
    const float *from, *middle, *to;
} sb_modal_move;

typedef struct sb_modal_kernel {
    /* Compute rows and turn of all lanes from damped and sigma. */
    void (*tune)(sb_modal_group *group, double dt_s);
    /* Advance u by one block; negligible lanes are set to rest. */
    void (*advance)(sb_modal_group *group);
    /* Advance by so many blocks; and measure the power of the output, |A|^2 /
     * 2, summed over the lanes, and the same times 2 s. */
    void (*coast)(sb_modal_group *group, int blocks);
    void (*weigh)(const sb_modal_group *group, float power[2]);
    /* Add the samples of the block, and advance every group. */
    void (*render)(const sb_modal_chunk *chunk, sb_modal_sum *sum);
    /* The same for groups of which a changes, into `out`; and only what it
     * does to a. Needs tune_turn once after the modes have changed. */
    void (*turn)(const sb_modal_chunk *chunk, float *out);
    void (*turned)(sb_modal_group *group);
    void (*tune_turn)(sb_modal_group *group, double dt_s);
    void (*harmonics)(const sb_modal_heading *to, const sb_modal_legendre *by,
                      int order, sb_modal_harmonics *out);
    /* Begin to move a of the group to the sum of coefs[i][lane] y[i]; it is
     * there at once if nothing rings. */
    void (*aim)(sb_modal_group *group, const float *coefs, int order,
                const sb_modal_harmonics *y, const sb_modal_course *course);
    /* Add the samples that follow from the amplitudes of the chunk. */
    void (*ring)(const sb_modal_chunk *chunk, sb_modal_sum *sum);
    /* Add the samples of a block in which the lanes glide, and advance u. */
    void (*glide)(sb_modal_group *group, const sb_modal_glide *glide,
                  double dt_s, sb_modal_sum *sum);
    /* Sum over the lanes: out[n] += sum[n - first], first <= n < 128. */
    void (*finish)(const sb_modal_sum *sum, int first, float *out);
    /* Add `jump` (complex, one per lane) to u, `until_end_s` before the end of
     * the block, and compute A `until_first_s` after the jump. */
    void (*add_impulse)(sb_modal_group *group, const sb_modal_state *jump,
                        double until_first_s, double until_end_s,
                        sb_modal_row *amplitude);
    /* Add to u, at the end of the block, the effect of an impulse at every
     * frame with weights that move, and the output samples; marks the lanes
     * with weight as active. If `is_ringing`, also renders and advances what
     * rings. */
    void (*drive_moving)(const sb_modal_move *moves, int count,
                         const float *impulse, bool is_ringing,
                         sb_modal_sum *sum);
    sb_field_loops field; /* of modal_field.h */
} sb_modal_kernel;

/* bank.c chooses one by the instruction set (isa.h). */
extern const sb_modal_kernel sb_modal_kernel_portable;
#if defined(__x86_64__)
extern const sb_modal_kernel sb_modal_kernel_avx2;
extern const sb_modal_kernel sb_modal_kernel_avx512;
#endif
