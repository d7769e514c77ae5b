/* SPDX-License-Identifier: MIT */
/* Modes that change while they ring: from one set of values to another, and
 * with the wobble of the body. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/engine/voice/voice.h"

#include <math.h>
#include <string.h>

/* A wobble below this moves no pitch by a hundredth of a cent, and ends. */
#define STILL 1e-5

/* The range of a mode's stiffness under any strain, relative to its own. */
#define SOFTEST  0.05
#define STIFFEST 20.0

static sb_bank_mode difference(const sb_bank_mode *a, const sb_bank_mode *b) {
    return (sb_bank_mode){a->omega_rad_s - b->omega_rad_s,
                          a->sigma_per_s - b->sigma_per_s,
                          a->out_gain - b->out_gain};
}

/* Continue from the present values and slopes of the previous glide. */
static void take_over(sb_retune *retune, const sb_retune *before) {
    size_t bytes = (size_t)retune->mode_count * sizeof *retune->from;
    /* A wobble that continues is not part of the glide; one that ends here
     * is. */
    memcpy(retune->from, retune->wobbles ? before->calm : before->now, bytes);
    memcpy(retune->calm, retune->from, bytes);
    memcpy(retune->now, before->now, bytes);
    for (int k = 0; k < retune->mode_count; k++) {
        retune->slope[k] = difference(&before->calm[k], &before->was[k]);
        retune->was[k] = difference(&retune->from[k], &retune->slope[k]);
    }
    if (retune->wobbles) {
        retune->strain_re = before->strain_re;
        retune->strain_im = before->strain_im;
    }
}

/* The springs start from their present values; springs of a replaced glide
 * continue to its target. */
static void take_springs(const sb_voice *voice, sb_retune *retune) {
    const sb_retune *before = voice->retune;
    if (retune->spring_count == 0 && before) {
        retune->spring_count = before->spring_count;
        memcpy(retune->springs, before->springs, sizeof retune->springs);
    }
    if (retune->spring_count > voice->spring_count)
        retune->spring_count = voice->spring_count;
    for (int i = 0; i < retune->spring_count; i++)
        retune->springs_from[i] = voice->springs[i].spring;
}

sb_retune *sb_voice_retune(sb_voice *voice, sb_retune *retune) {
    sb_retune *before = voice->retune;
    if (before && before->mode_count == retune->mode_count) {
        take_over(retune, before);
    }
    take_springs(voice, retune);
    if (retune->has_aims) {
        sb_modal_aims *gone = voice->aims;
        voice->aims = retune->aims;
        sb_modal_bank_set_aims(voice->bank, voice->aims);
        retune->aims = gone;
        voice->aim.is_stale = true;
        sb_voice_aim_anew(voice);
        voice->aim.glide_blocks = (int)fmin(retune->glide_blocks, 1000.0);
        retune->has_aims = false;
    }
    if (voice->diffuse && retune->has_diffuse)
        sb_diffuse_retune(voice->diffuse, &retune->diffuse,
                          retune->glide_blocks);
    retune->strain_re += retune->wobble.push;
    voice->retune = retune;
    return before;
}

/* From 0 to 1 with zero slope at both ends: a pitch with a corner spreads over
 * the spectrum. */
static double ease(double t) {
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

/* From 0 to 0, starting with slope 1 and ending with slope 0. */
static double ease_out(double t) {
    return t * (1.0 + t * t * (t * (8.0 - 3.0 * t) - 6.0));
}

/* The weights of the target and of the initial slope. */
typedef struct progress {
    double there, onward;
} progress;

static double between(double from, double to, double slope, progress at) {
    return from + (to - from) * at.there + slope * at.onward;
}

/* An overshoot past a small target must not become negative. */
static sb_bank_mode mode_between(const sb_retune *retune, int k, progress at) {
    const sb_bank_mode *from = &retune->from[k], *to = &retune->to[k],
                       *slope = &retune->slope[k];
    double lowest = 0.5 * fmin(from->omega_rad_s, to->omega_rad_s);
    return (sb_bank_mode){
        fmax(
            between(from->omega_rad_s, to->omega_rad_s, slope->omega_rad_s, at),
            lowest),
        fmax(
            between(from->sigma_per_s, to->sigma_per_s, slope->sigma_per_s, at),
            0.0),
        between(from->out_gain, to->out_gain, slope->out_gain, at)};
}

static void walk(sb_retune *retune) {
    memcpy(retune->was, retune->calm,
           (size_t)retune->mode_count * sizeof *retune->was);
    if (retune->done_blocks >= retune->glide_blocks) return;
    retune->done_blocks += 1.0;
    double t = fmin(retune->done_blocks / retune->glide_blocks, 1.0);
    progress at = {ease(t), retune->glide_blocks * ease_out(t)};
    for (int k = 0; k < retune->mode_count; k++) {
        retune->calm[k] =
            t == 1.0 ? retune->to[k] : mode_between(retune, k, at);
    }
}

/* A silent voice needs no glide. */
static void jump(sb_retune *retune) {
    size_t bytes = (size_t)retune->mode_count * sizeof *retune->to;
    retune->done_blocks = retune->glide_blocks;
    memcpy(retune->calm, retune->to, bytes);
    memcpy(retune->was, retune->to, bytes);
    memcpy(retune->now, retune->to, bytes);
}

static void swing(sb_retune *retune, double block_s) {
    double angle = SB_TAU * retune->wobble.rate_hz * block_s;
    double fade = exp(-retune->wobble.decay_per_s * block_s);
    double re = retune->strain_re, im = retune->strain_im;
    retune->strain_re = fade * (re * cos(angle) - im * sin(angle));
    retune->strain_im = fade * (re * sin(angle) + im * cos(angle));
    if (fabs(retune->strain_re) + fabs(retune->strain_im) < STILL)
        retune->strain_re = retune->strain_im = 0.0;
}

static bool is_swinging(const sb_retune *retune) {
    return retune->strain_re != 0.0 || retune->strain_im != 0.0;
}

static void bend(sb_retune *retune) {
    double strain = retune->strain_im;
    for (int k = 0; k < retune->mode_count; k++) {
        double stiffness = 1.0 + retune->bend[k] * strain;
        retune->now[k] = retune->calm[k];
        retune->now[k].omega_rad_s *=
            sqrt(fmax(fmin(stiffness, STIFFEST), SOFTEST));
    }
}

static bool has_arrived(const sb_retune *retune) {
    return retune->done_blocks >= retune->glide_blocks && !is_swinging(retune);
}

/* Advance the springs by a block; their energy changes inaudibly little in
 * each. */
static void stiffen(sb_voice *voice, const sb_retune *retune) {
    double t = fmin(retune->done_blocks / retune->glide_blocks, 1.0);
    progress at = {ease(t), 0.0};
    for (int i = 0; i < retune->spring_count; i++) {
        const sb_spring *a = &retune->springs_from[i], *b = &retune->springs[i];
        voice->springs[i].spring = (sb_spring){
            between(a->linear_n_m, b->linear_n_m, 0.0, at),
            between(a->cubic_n_m3, b->cubic_n_m3, 0.0, at),
            between(a->loss_ns_m, b->loss_ns_m, 0.0, at),
            between(a->knee_m_s, b->knee_m_s, 0.0, at),
        };
    }
}

sb_retune *sb_voice_glide(sb_voice *voice) {
    sb_retune *retune = voice->retune;
    if (!retune) return NULL;
    voice->is_gliding = false;
    if (has_arrived(retune)) {
        voice->retune = NULL;
        return retune;
    }
    if (retune->wobbles) swing(retune, SB_BLOCK_FRAMES / voice->sample_rate_hz);
    if (!sb_voice_is_silent(voice)) {
        walk(retune);
        bend(retune);
        stiffen(voice, retune);
        voice->is_gliding = true;
        return NULL;
    }
    jump(retune);
    stiffen(voice, retune);
    if (!has_arrived(retune)) return NULL;
    /* Refused values leave the bank unchanged; control has checked them. */
    sb_status status =
        sb_modal_bank_retune(voice->bank, retune->to, retune->mode_count);
    (void)status;
    voice->retune = NULL;
    return retune;
}
