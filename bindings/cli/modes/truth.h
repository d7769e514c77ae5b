/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/truth.h -- shared by the files of `sandbell truth`.
 *
 * A scene says in a global table, `truth`, what was measured of the real thing,
 * by whom, and how far off a computed value may be. verb_truth.c reads the
 * command line and prints; truth_read.c loads a scene and compares;
 * truth_plot.c draws. truth_recording.c compares a scene with a recording;
 * truth_lines.c draws that.
 *
 * An error is 100 (computed / measured - 1), in per cent; of levels, in dB,
 * computed - measured. A value holds if its error is within its bound. Where the
 * source gives the root mean square of all errors, that is held to the bound.
 *
 * Thread: control. Memory: plain values.
 */
#pragma once

#include "bindings/cli/console/console.h"

enum { TRUTH_VALUES_MOST = 64, TRUTH_NAME_SIZE = 40, TRUTH_TEXT_SIZE = 300 };

typedef enum truth_verdict {
    TRUTH_HOLDS,
    TRUTH_MISS,
    TRUTH_KNOWN_MISS, /* the scene says that it is one, and why */
    TRUTH_NOW_HOLDS   /* the scene says that it is a miss, and it holds */
} truth_verdict;

typedef struct truth_value {
    char name[TRUTH_NAME_SIZE]; /* of the mode, or what the scene calls it */
    double measured, computed;
    double bound;      /* per cent, or dB */
    bool has_computed; /* false: there is no such mode */
} truth_value;

typedef struct truth_object {
    char path[TRUTH_TEXT_SIZE];
    char object[TRUTH_TEXT_SIZE], source[TRUTH_TEXT_SIZE];
    char unit[16];               /* "Hz", "dB", ...; "" of ratios */
    char cause[TRUTH_TEXT_SIZE]; /* of a known miss; "": none is known */
    bool is_ratio;               /* values are relative to the first */
    bool is_rms;                 /* the bound is that of the root mean square */
    truth_value values[TRUTH_VALUES_MOST];
    int count;
    truth_verdict verdict;
} truth_object;

/* Load a scene, run it as long as it says, and compare. Returns an exit code; on
 * failure a message has been printed. */
int truth_read(const char *path, const scene_options *options,
               truth_object *out);

/* For sb_host_hooks: true after Ctrl-C. */
bool truth_must_stop(void *user, double now_s);

bool truth_is_level(const truth_object *object); /* errors are in dB */
bool truth_is_pitch(const truth_object *object); /* errors are in cents, too */
/* In per cent, or in dB. */
double truth_error(const truth_object *object, const truth_value *value);
double truth_rms(const truth_object *object);
bool truth_value_holds(const truth_object *object, const truth_value *value);
const char *truth_verdict_name(truth_verdict verdict);

/* Draw all objects as a PNG. NO_MEMORY; errors of picture.h. */
SB_NODISCARD sb_status truth_plot(const truth_object *objects, int count,
                                  const char *path, sb_error *err);

/* --- a recording ---------------------------------------------------------- */

typedef struct truth_tone {
    const char *label; /* of the mode, or ""; NULL: there is none */
    double freq_hz, level_db, t60_s;
} truth_tone;

typedef struct truth_partial {
    truth_tone predicted, recorded; /* at least one of them is there */
} truth_partial;

typedef struct truth_comparison {
    truth_partial *partials; /* by frequency */
    int count, matched, predicted_count;
    const float *samples; /* of the recording */
    int sample_count, rate_hz;
    double onset_s;
} truth_comparison;

double truth_partial_cents(const truth_partial *partial);

/* Compare what the scene plays with a recording; `plot` may be NULL. Returns an
 * exit code; on failure a message has been printed. */
int truth_compare_recording(const char *path, const char *recording,
                            const scene_options *options, bool is_json,
                            const char *plot);

/* Draw the recording's spectrum and the predicted partials over it, as a PNG.
 * NO_MEMORY; errors of picture.h. */
SB_NODISCARD sb_status truth_plot_recording(const truth_comparison *found,
                                            const char *scene,
                                            const char *recording,
                                            const char *path, sb_error *err);
