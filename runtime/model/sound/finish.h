/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/finish.h -- from a solved problem to audible modes.
 *
 * A solution gets a material (omega^2 = lambda E / rho, phi = shape /
 * sqrt(rho)), is cut to the audible range, gets its radiation (radiation.h) and
 * is merged (compress.h). Each finished mode is one oscillator with one or more
 * members: shapes psi on the vertices, whose weight for an impulse along d is
 *
 *     psi.d, with its sign, for one member;  sqrt(sum (psi_j.d)^2) for more.
 *
 * The same solution, material and definition give the same bits.
 *
 * Error of merging, in dB: energies of the modes, averaged over impulses at all
 * vertices in all directions (mean of (g psi)^2 / sigma), are summed in bands
 * one ERB apart, each mode shared by its two neighbours; the error is the rms
 * difference of the bands' levels before and after, weighted by energy.
 *
 * Thread: control, workers. Immutable once made.
 * Memory: sb_finished_free frees the arrays or releases their owner.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/model/method.h"
#include "runtime/model/model.h"
#include "runtime/model/sound/compress.h"

typedef struct sb_material sb_material;
typedef struct sb_solution sb_solution;

typedef struct sb_finish_def {
    double min_hz; /* > 0; default 20 */
    double max_hz; /* above min_hz, up to 1e6; default 22000 */
    /* 0 .. 100: modes nearer than this many just noticeable differences become
     * one; 0 keeps them all, and the beats between them; default 1. */
    double merge;
    /* At least 1; the lowest modes of the solution are taken; default 4096. */
    int max_modes;
    sb_radiating radiation; /* default quick */
} sb_finish_def;

sb_finish_def sb_finish_def_default(void);

typedef struct sb_finished_mode {
    double freq_hz; /* undamped */
    double sigma_per_s;
    double radiation; /* g, Pa m per (kg^1/2 m/s) */
    int32_t first_member, member_count;
} sb_finished_mode;

typedef struct sb_finish_report {
    int32_t below_count;   /* modes under min_hz */
    int32_t above_count;   /* modes over max_hz, or beyond max_modes */
    int32_t merged_count;  /* modes that were taken into another */
    int32_t is_incomplete; /* the solution ends below max_hz */
    double error_db;       /* of merging */
} sb_finish_report;

typedef struct sb_finished {
    int vertex_count, mode_count, member_count;
    const sb_finished_mode *modes; /* ascending */
    const float *shapes;           /* [vertex][member][3], kg^-1/2 */
    sb_finish_report report;
    sb_radiating radiation; /* quick: there was no time for more (memo.h) */
    int exact_count;    /* modes, before merging, heard by boundary elements */
    sb_solution *owner; /* of the arrays; NULL: each is freed by itself */
    sb_patterns *patterns; /* its own; NULL: of the quick law */
} sb_finished;

/* BAD_ARGUMENT from the checks of material and definition; NO_MODES when none
 * lies in the range. */
SB_NODISCARD sb_status sb_solution_finish(const sb_solution *solution,
                                          const sb_material *material,
                                          const sb_finish_def *def,
                                          sb_finished *out, sb_error *err);
void sb_finished_free(sb_finished *finished); /* an empty one is allowed */

/* Weights of all modes for an impulse along `direction` at the point of a face
 * with these corners and barycentric coordinates. */
void sb_finished_weights(const sb_finished *finished, const int32_t corners[3],
                         const double parts[3], sb_vec3 direction,
                         double *weights);

/* The level of each mode's members together in the air if they sounded at these
 * frequencies: shows how radiation changes with frequency. The same object in
 * size s at frequency f is s times as loud as this one at s f. `how` becomes
 * quick if there is no time for more (memo.h). `patterns` of as many modes gets
 * those of modes of one member; or NULL. */
SB_NODISCARD sb_status sb_finished_hear(const sb_solution *solution,
                                        const sb_finished *finished,
                                        const double *freqs_hz,
                                        sb_radiating *how, double *levels,
                                        sb_patterns *patterns, sb_error *err);

/* The eigenvalue, for E = 1 and rho = 1, of a frequency in this material. */
double sb_solution_lambda(const sb_material *material, double freq_hz);

/* Of a model of elements; else NULL. Of a rescaled model they are those of the
 * model that was solved. */
const sb_finished *sb_model_finished(const sb_model *model);
const sb_finish_report *sb_model_finish_report(const sb_model *model);

/* How the model was to be heard, and how many of its modes, before they were
 * merged, were heard by boundary elements. Of a rescaled model: of the one that
 * it comes from. */
sb_radiating sb_model_radiating(const sb_model *model, int *exact_count);

/* --- the shapes behind one mode: its members, with signs, which can be drawn
 * ---
 *
 *     weight of the mode along d = |psi_1 . d|, |psi_2 . d|, ... as one length
 */

/* How many members the mode has, `mode` from 0. */
int sb_model_member_count(const sb_model *model, int mode);

/* The displacement of a member, from 0, at a point. Other modes are not
 * evaluated. */
sb_vec3 sb_model_member(const sb_model *model, int mode, int member,
                        sb_model_point point);
