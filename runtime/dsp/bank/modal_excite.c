/* SPDX-License-Identifier: MIT */
/* Excitation of the bank: impulses, half-sine pulses and driving forces.
 * Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/dsp/bank/modal_bank_internal.h"
#include "runtime/dsp/bank/modal_choice.h"

#include <math.h>
#include <string.h>

/* The weights of a group's ringing lanes. Other lanes and entries past the last
 * mode read as 0, whatever the caller has there (even NaN). */
static const float *group_weights(const sb_modal_bank *bank, int index,
                                  const float *weights,
                                  float buffer[SB_MODAL_LANES]) {
    const float *from = &weights[index * SB_MODAL_LANES];
    unsigned ringing = bank->groups[index].ringing;
    if (ringing == (1u << SB_MODAL_LANES) - 1) return from;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++)
        buffer[lane] = ringing >> lane & 1 ? from[lane] : 0;
    return buffer;
}

/* --- impulses -------------------------------------------------------------*/

/* The step of (q, q') of a mode that an impulse makes, per phi. */
typedef struct step {
    double q, velocity;
} step;

/* The steady response to F sin W t is P cos W t + R sin W t. The free motion
 * must start at minus that, and again when the force ends: (-P, -R W). The step
 * is real and holds for any damping; as z it is D of bank.h. */
static inline step pulse_step(double omega, double sigma, double pulse,
                              double force) {
    double apart = (omega - pulse) * (omega + pulse);
    double cross = 2 * sigma * pulse;
    double scale = force / (apart * apart + cross * cross);
    return (step){scale * cross, -scale * apart * pulse};
}

static step step_of(const sb_modal_group *group, int lane,
                    const sb_bank_impulse *impulse) {
    double pulse = impulse->pulse_rad_s;
    if (!(pulse > 0)) return (step){0, impulse->impulse_ns};
    return pulse_step(group->omega[lane], group->sigma[lane], pulse,
                      0.5 * impulse->impulse_ns * pulse);
}

/* The step as a jump of u for all lanes, in plain loops that the compiler
 * vectorises. */
static void impulse_jump(const sb_modal_group *restrict group,
                         const float *restrict weights, double impulse,
                         sb_modal_state *restrict jump) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        double re = (double)weights[lane] * impulse;
        jump->re[lane] = re;
        jump->im[lane] =
            re * (group->sigma[lane] * group->inverse_damped[lane]);
    }
}

static void pulse_jump(const sb_modal_group *restrict group,
                       const float *restrict weights, double pulse,
                       double force, sb_modal_state *restrict jump) {
    for (int lane = 0; lane < SB_MODAL_LANES; lane++) {
        double omega = group->omega[lane], sigma = group->sigma[lane];
        double phi = (double)weights[lane];
        step by = pulse_step(omega, sigma, pulse, force);
        double across = sigma * by.velocity + omega * omega * by.q;
        jump->re[lane] = phi * by.velocity;
        jump->im[lane] = phi * (across * group->inverse_damped[lane]);
    }
}

static unsigned lanes_with_weight(const float *weights) {
    unsigned lanes = 0;
    for (int lane = 0; lane < SB_MODAL_LANES; lane++)
        lanes |= (unsigned)(weights[lane] != 0) << lane;
    return lanes;
}

static void impulse_heavy(sb_modal_bank *bank, const sb_bank_impulse *impulse,
                          double at, float *out) {
    for (int k = 0; k < bank->mode_count; k++) {
        sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!(group->heavy >> lane & 1) || impulse->weights[k] == 0) continue;
        step by = step_of(group, lane, impulse);
        double phi = (double)impulse->weights[k];
        float unheard[SB_BLOCK_FRAMES] = {0};
        sb_modal_heavy_impulse(group, lane, at, phi * by.q, phi * by.velocity,
                               bank->dt_s,
                               group->hearing == SB_UNHEARD ? unheard : out);
    }
}

/* Apply an impulse to every mode: to the state at the end of the block, and to
 * the output from the next whole frame on. */
void sb_modal_bank_impulse(sb_modal_bank *bank, const sb_bank_impulse *impulse,
                           float *out) {
    if (impulse->impulse_ns == 0) return;
    unsigned before = sb_modal_flush_begin();
    double at = fmin(fmax(impulse->at_frame, 0), SB_BLOCK_FRAMES);
    int first = (int)ceil(at);
    double pulse = impulse->pulse_rad_s;
    double until_first_s = (first - at) * bank->dt_s;
    double until_end_s = (SB_BLOCK_FRAMES - at) * bank->dt_s;
    sb_modal_chunk chunk;
    sb_modal_sum sum;
    chunk.count = 0;
    chunk.is_far = false;
    sum.is_empty = true;
    for (int g = 0; g < bank->group_count; g++) {
        sb_modal_group *group = &bank->groups[g];
        float buffer[SB_MODAL_LANES];
        sb_modal_state jump;
        const float *phi = group_weights(bank, g, impulse->weights, buffer);
        unsigned touched = lanes_with_weight(phi);
        if (!touched) continue;
        if (pulse > 0) {
            pulse_jump(group, phi, pulse, 0.5 * impulse->impulse_ns * pulse,
                       &jump);
        } else {
            impulse_jump(group, phi, impulse->impulse_ns, &jump);
        }
        bank->kernel->add_impulse(group, &jump, until_first_s, until_end_s,
                                  &chunk.amplitude[chunk.count]);
        group->active = (uint16_t)(group->active | touched);
        if (first == SB_BLOCK_FRAMES || !(touched & group->audible)) continue;
        if (group->hearing == SB_UNHEARD) continue;
        chunk.group[chunk.count++] = group;
        if (chunk.count == SB_MODAL_CHUNK)
            sb_modal_chunk_ring(bank, &chunk, &sum);
    }
    sb_modal_chunk_ring(bank, &chunk, &sum);
    if (!sum.is_empty) bank->kernel->finish(&sum, first, out);
    if (bank->has_heavy) impulse_heavy(bank, impulse, at, out);
    sb_modal_flush_end(before);
}

void sb_modal_bank_pulse_forced(const sb_modal_bank *bank,
                                const sb_bank_impulse *impulse,
                                double *cos_part, double *sin_part) {
    double cos_sum = 0, sin_sum = 0;
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!((group->ringing | group->heavy) >> lane & 1)) continue;
        if (group->hearing == SB_UNHEARD) continue;
        step by = step_of(group, lane, impulse);
        double heard = sb_modal_out(group, lane) * (double)impulse->weights[k];
        cos_sum += heard * by.velocity;
        sin_sum -= heard * by.q * impulse->pulse_rad_s;
    }
    *cos_part = cos_sum;
    *sin_part = sin_sum;
}

/* The distance of a pulse from the nearest resonance: the least |W^2 + l^2| /
 * W^2. */
static double clearance(const sb_modal_bank *bank, double pulse) {
    double least = INFINITY;
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!((group->ringing | group->heavy) >> lane & 1)) continue;
        double ratio = group->omega[lane] / pulse;
        double apart = (ratio - 1) * (ratio + 1);
        double cross = 2 * group->sigma[lane] / pulse;
        least = fmin(least, apart * apart + cross * cross);
    }
    return sqrt(least);
}

double sb_modal_bank_safe_pulse(const sb_modal_bank *bank, double pulse_rad_s) {
    /* At this distance the ringing and the forced sinusoid are some 40 times
     * their sum, which floats represent to better than -100 dB. */
    enum { TRIES = 25 };
    const double nudge = 1e-3, enough = 1.5e-2;
    if (!(pulse_rad_s > 0)) return pulse_rad_s;
    double best = pulse_rad_s, best_clearance = 0;
    for (int i = 0; i < TRIES && best_clearance < enough; i++) {
        int steps = (i + 1) / 2; /* 0, 1, 1, 2, 2 ... */
        double away = nudge * steps;
        double pulse = pulse_rad_s * (i % 2 ? 1 + away : 1 - away);
        double here = clearance(bank, pulse);
        if (here > best_clearance) {
            best = pulse;
            best_clearance = here;
        }
    }
    return best;
}

/* --- driving forces -------------------------------------------------------*/

static bool is_silent(const float *impulse_ns) {
    int pushes = 0; /* counted, so that the loop is vectorised */
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        pushes += impulse_ns[n] != 0;
    return pushes == 0;
}

static void move_heavy(sb_modal_bank *bank, const float *impulse_ns,
                       const float *from, const float *middle, const float *to,
                       float *out) {
    for (int k = 0; k < bank->mode_count; k++) {
        sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!(group->heavy >> lane & 1)) continue;
        if (from[k] == 0 && middle[k] == 0 && to[k] == 0) continue;
        sb_modal_curve weight =
            sb_modal_curve_through(from[k], middle[k], to[k]);
        sb_modal_heavy_drive(group, lane, &weight, impulse_ns, bank->dt_s, out);
    }
}

void sb_modal_bank_drive(sb_modal_bank *bank, const float *impulse_ns,
                         const float *from, const float *middle,
                         const float *to, bool is_ringing, float *out) {
    enum { AT_ONCE = 4 };
    if (is_silent(impulse_ns)) {
        if (is_ringing) sb_modal_bank_render(bank, out);
        return;
    }
    if (is_ringing && bank->is_turning) {
        sb_modal_bank_render(bank, out);
        is_ringing = false;
    }
    unsigned before = sb_modal_flush_begin();
    sb_modal_sum sum;
    sum.is_empty = true;
    for (int first = 0; first < bank->group_count; first += AT_ONCE) {
        sb_modal_move moves[AT_ONCE];
        float buffers[AT_ONCE][3][SB_MODAL_LANES];
        int count = 0;
        for (; count < AT_ONCE && first + count < bank->group_count; count++) {
            int g = first + count;
            float(*buffer)[SB_MODAL_LANES] = buffers[count];
            moves[count] = (sb_modal_move){
                &bank->groups[g], group_weights(bank, g, from, buffer[0]),
                group_weights(bank, g, middle, buffer[1]),
                group_weights(bank, g, to, buffer[2])};
        }
        bank->kernel->drive_moving(moves, count, impulse_ns, is_ringing, &sum);
    }
    if (!sum.is_empty) bank->kernel->finish(&sum, 0, out);
    if (is_ringing) sb_modal_bank_ring_heavy(bank, out);
    if (bank->has_heavy) move_heavy(bank, impulse_ns, from, middle, to, out);
    sb_modal_flush_end(before);
}

/* --- corrections of a continuous force ------------------------------------*/

/* A power series, up to the Nyquist frequency. */
static float series(const float *c, int count, float square) {
    float sum = c[count - 1];
    square = fminf(square, 10.0f);
    for (int i = count - 2; i >= 0; i--)
        sum = c[i] + square * sum;
    return sum;
}

/* The sum of a mode's velocity over the frames after a unit impulse. A constant
 * force would make it audible in every frame; it should be 0. It is
 *     Re (1 + i s / wd) / (1 - Z),
 * that is 1/2 and, since 1 / (1 - e^y) = -1/y + 1/2 - y/12 + y^3/720 - ..., a
 * little more where the mode is damped: `square` is (w0 dt)^2, up to Nyquist.
 */
static float steady_sum(float sigma_dt, float square) {
    const float c[] = {1 / 6.0f,    1 / 180.0f,  1 / 5040.0f,  1 / 151200.0f,
                       2.08767e-7f, 6.34103e-9f, 1.87356e-10f, 5.42349e-12f};
    return 0.5f + sigma_dt * series(c, 8, square);
}

/* The excess of the mode's displacement under a slowly growing force, in units
 * of its impulses: 1 / (2 sin x/2)^2 - 1 / x^2, x = w0 dt, as a series. */
static float bend_excess(float square) {
    const float c[] = {1 / 12.0f, 1 / 240.0f, 1 / 6048.0f, 1 / 172800.0f,
                       1 / 5322240.0f};
    return series(c, 5, square);
}

/* The sum over all modes at one point. */
typedef struct steps {
    float steady, bend;
} steps;

static void add_steps(steps *sum, const steps *mode, float weight) {
    sum->steady += weight * mode->steady;
    sum->bend += weight * mode->bend;
}

static double on_curve(const sb_modal_curve *curve, int n) {
    return curve->start + n * (curve->slope + n * curve->bend);
}

void sb_modal_bank_unstep(const sb_modal_bank *bank, float before_ns,
                          const float *impulse_ns, const float *from,
                          const float *middle, const float *to, float *out) {
    steps start = {0, 0}, half = {0, 0}, end = {0, 0};
    float dt_s = (float)bank->dt_s;
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        if (!((group->ringing | group->heavy) >> lane & 1)) continue;
        float heard = (float)sb_modal_out(group, lane);
        float turn = (float)group->omega[lane] * dt_s;
        float sigma_dt = (float)group->sigma[lane] * dt_s;
        steps mode = {heard * steady_sum(sigma_dt, turn * turn),
                      heard * bend_excess(turn * turn)};
        add_steps(&start, &mode, from[k]);
        add_steps(&half, &mode, middle[k]);
        add_steps(&end, &mode, to[k]);
    }
    sb_modal_curve steady =
        sb_modal_curve_through(start.steady, half.steady, end.steady);
    sb_modal_curve bend =
        sb_modal_curve_through(start.bend, half.bend, end.bend);
    double before = (double)before_ns;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        double here = (double)impulse_ns[n];
        out[n] -= (float)(on_curve(&steady, n) * here +
                          on_curve(&bend, n) * (here - before));
        before = here;
    }
}

/* What the mode's displacement lacks under a slowly growing force that is
 * constant in every step: 1 / x^2 - cot(x / 2) / 2x, x = w0 h, as a series. */
static float hold_lack(float square) {
    const float c[] = {1 / 12.0f, 1 / 720.0f, 1 / 30240.0f, 1 / 1209600.0f,
                       1 / 47900160.0f};
    return series(c, 5, square);
}

void sb_modal_bank_unhold(const sb_modal_bank *bank, int parts,
                          double before_ns, const double *impulse_ns,
                          const float *from, const float *middle,
                          const float *to, float *out) {
    /* Modes at rest count, too: a sum that changed from block to block would turn
     * high frequencies of the force into low ones. */
    float start = 0, half = 0, end = 0, share = 1.0f / (float)(parts * parts);
    float dt_s = (float)bank->dt_s;
    for (int k = 0; k < bank->mode_count; k++) {
        const sb_modal_group *group = &bank->groups[k / SB_MODAL_LANES];
        int lane = k % SB_MODAL_LANES;
        float turn = (float)group->omega[lane] * dt_s;
        if (!(turn < (float)SB_PI)) continue;
        float lack = (float)sb_modal_out(group, lane) * share *
                     hold_lack(turn * turn * share);
        start += lack * from[k];
        half += lack * middle[k];
        end += lack * to[k];
    }
    sb_modal_curve lack = sb_modal_curve_through(start, half, end);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        out[n] += (float)(on_curve(&lack, n) * (impulse_ns[n] - before_ns));
        before_ns = impulse_ns[n];
    }
}
