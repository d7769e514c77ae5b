/* SPDX-License-Identifier: MIT */
/* bindings/cli/modes/verb_fit.h -- shared by the files of `sandbell fit`.
 *
 * verb_fit.c reads the recordings, fits and writes; fit_compare.c compares the
 * sound of the fit with the recordings. `sandbell truth --recording` reads and
 * fits with it, too.
 *
 * Thread: control.
 */
#pragma once

#include "bindings/cli/console/console.h"
#include "runtime/fit/fit.h"

#include <cjson/cJSON.h>

typedef struct fit_options {
    option_places places;
    bool is_line, is_round, is_scattered;
    const char *output;
    const char *textures;
    double size; /* texels per side */
    bool compares;
    const char *picture; /* of the comparison */
    bool is_json;
    double mode_count, range_db, low_hz, high_hz;
} fit_options;

/* The recordings and the fitted modes. */
typedef struct fit_job {
    const fit_options *options;
    const char **paths;
    float **samples; /* one channel per recording */
    int *counts;
    int take_count;
    int rate_hz;
    sb_fit fit;
    double *weights; /* see sb_fit_weights */
    double *largest;
    double agreement; /* agreement of phases */
    sb_spread spread;
} fit_job;

/* Read job->paths; find the modes that all samples share. Exit codes; on failure
 * a message has been printed. */
int fit_read(fit_job *job);
int fit_find(fit_job *job);
void fit_release(fit_job *job);

/* Fill `report` with one row per recording, print it unless JSON is requested,
 * and draw it if a picture is requested. */
int fit_compare(const fit_job *job, cJSON **report);
