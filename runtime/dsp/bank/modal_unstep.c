/* sb_modal_bank_unstep and _unhold: corrections for a continuous force that is
 * given as impulses, or as constant in every step. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_bank.h"
#include "runtime/dsp/bank/modal_bank_internal.h"
#include "runtime/dsp/bank/modal_heavy.h"

#include <math.h>

/* The sum of a mode's velocity over the frames after a unit impulse. A constant
 * force would make it audible in every frame; it should be 0. It is
 *     Re (1 + i s / wd) / (1 - Z),
 * that is 1/2 and, since 1 / (1 - e^y) = -1/y + 1/2 - y/12 + y^3/720 - ..., a
 * little more where the mode is damped: `square` is (w0 dt)^2, up to Nyquist.
 */
static float steady_sum(float sigma_dt, float square) {
    const float c[] = {1 / 6.0f,    1 / 180.0f,  1 / 5040.0f,  1 / 151200.0f,
                       2.08767e-7f, 6.34103e-9f, 1.87356e-10f, 5.42349e-12f};
    square = fminf(square, 10.0f);
    float more = c[7];
    for (int i = 6; i >= 0; i--)
        more = c[i] + square * more;
    return 0.5f + sigma_dt * more;
}

/* The excess of the mode's displacement under a slowly growing force, in units
 * of its impulses: 1 / (2 sin x/2)^2 - 1 / x^2, x = w0 dt, as a series. */
static float bend_excess(float square) {
    const float c[] = {1 / 12.0f, 1 / 240.0f, 1 / 6048.0f, 1 / 172800.0f,
                       1 / 5322240.0f};
    square = fminf(square, 10.0f); /* the Nyquist frequency */
    float sum = c[4];
    for (int i = 3; i >= 0; i--)
        sum = c[i] + square * sum;
    return sum;
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
        float heard = (float)group->gain[lane];
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
    square = fminf(square, 10.0f);
    float sum = c[4];
    for (int i = 3; i >= 0; i--)
        sum = c[i] + square * sum;
    return sum;
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
        float lack =
            (float)group->gain[lane] * share * hold_lack(turn * turn * share);
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
