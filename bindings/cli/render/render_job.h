/* SPDX-License-Identifier: MIT */
/* bindings/cli/render/render_job.h -- one render: what was asked for, and what
 * it works with. Private to verb_render.c and render_report.c.
 *
 * Thread: control. Memory: render_main's.
 */
#pragma once

#include "bindings/cli/console/console.h"
#include "bindings/cli/render/contact_file.h"
#include "bindings/cli/render/deform_compute.h"
#include "bindings/cli/render/deform_film.h"
#include "bindings/cli/render/log_files.h"
#include "bindings/cli/render/mix_and_stems.h"
#include "bindings/cli/render/spectra.h"
#include "bindings/host/host.h"

typedef struct render_options {
    const char *output;
    double duration_s, silence_dbfs, limit_s;
    scene_options scene;
    bool is_float;
    option_maybe normalize; /* dBFS */
    bool wants_stems;
    const char *solo;  /* "removed" or NULL */
    const char *press; /* an action of a lesson, or NULL */
    bool is_json;
    const char *spectrogram;
    spectrum_options spectrum;
    const char *events, *poses, *contacts, *contact_plot;
    double contact;
    bool resumes;
    double checkpoint_s, threads;
    double film_frames;
    const char *film_span;
    double exaggerate;
} render_options;

typedef struct render_job {
    const render_options *options;
    sb_host *host;
    take take;
    stems stems;
    picture_samples samples; /* for the spectrogram */
    spectrum_of spectrum;
    events_file events;
    json_log poses;
    surfaces_file surfaces;
    contact_rows contact;
    int64_t frames;   /* rendered */
    double gain;      /* of --normalize */
    double reached_s; /* end of the last control step */
    bool has_said_world;
    deform_work deform;
    deform_film film;
    sb_status posed; /* of what is done with each surface */
    sb_error posed_err;
    bool is_short; /* interrupted after some frames */
} render_job;

/* render_report.c: how many modes the scene has, and how many are heard of
 * bodies with hears_removed. */
int count_modes(const sb_scene *scene);
int count_removed(const sb_scene *scene);
/* Prints what came of it, as text or as JSON; returns the exit code. */
int render_report(const render_job *render, const sb_conduct_result *result,
                  sb_error *err);
