/* SPDX-License-Identifier: MIT */
/* runtime/store/surface_source.h -- the finish of a surface from a glTF file
 * with the extension KHR_audio_rigid_bodies (export/model_gltf.h).
 *
 * It is that of the node of the first modal model, else the first one of
 * acousticSurfaces: roughness, correlationLength, spectralSlope,
 * shortWavelength, or a measured profile with its sampleSpacing. What is left
 * out has the draft's default, a machined surface.
 *
 * Thread: control, workers. Memory: sb_surface_source_free.
 */
#pragma once

#include "runtime/base/status.h"

typedef struct sb_surface_source {
    double roughness_m;           /* rms */
    double longest_m, shortest_m; /* waves */
    double exponent;              /* power ~ 1 / k^exponent */
    float *heights_m;             /* a measured profile; NULL: none */
    int count;
    double spacing_m;
    char unused[48]; /* fields that are not used: "waviness"; or "" */
} sb_surface_source;

/* NOT_FOUND, IO_ERROR, or BAD_FORMAT with a message that begins with the
 * path. */
SB_NODISCARD sb_status sb_surface_source_read(const char *path,
                                              sb_surface_source *out,
                                              sb_error *err);
void sb_surface_source_free(sb_surface_source *source);
