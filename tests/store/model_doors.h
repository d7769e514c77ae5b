/* SPDX-License-Identifier: MIT */
/* tests/store/model_doors.h -- opens every door of a model from a file: whatever
 * the reader accepts is a model that can be used in every way, with finite
 * answers. For test_model_lies and the fuzzer.
 */
#pragma once

#include "runtime/model/mesh_source.h"
#include "runtime/model/model.h"
#include "runtime/model/solve/solve.h"
#include "runtime/store/model_maker.h"
#include "runtime/store/model_sections.h"
#include "runtime/store/model_source.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOORS_MOST_MODES = 4096 };

/* Gives the sections and their table good checksums, as far as they lie within
 * the file. The bytes are aligned for a header. */
static inline void doors_sign(char *bytes, size_t count) {
    sb_model_header *header = (void *)bytes;
    sb_section *table = (void *)(bytes + sizeof *header);
    if (count < sizeof *header || header->section_count > SB_SECTIONS_MOST)
        return;
    size_t table_bytes = header->section_count * sizeof *table;
    if (count < sizeof *header + table_bytes) return;
    header->file_bytes = count;
    for (uint32_t s = 0; s < header->section_count; s++) {
        if (table[s].offset > count || table[s].bytes > count - table[s].offset)
            return;
        table[s].checksum =
            sb_checksum(bytes + table[s].offset, (size_t)table[s].bytes);
    }
    header->table_checksum = sb_checksum(table, table_bytes);
}

/* The first number that is not what it must be, as a sentence; NULL if all
 * are. */
static inline const char *doors_fault(const char *what, double value,
                                      double least, double most) {
    static char text[120];
    if (value >= least && value <= most) return NULL;
    (void)snprintf(text, sizeof text, "%s is %g", what, value);
    return text;
}

static inline const char *doors_point(const sb_model *model,
                                      sb_model_point point) {
    static double weights[DOORS_MOST_MODES];
    double u, v;
    sb_vec3 at = sb_model_position(model, point);
    sb_model_uv(model, point, &u, &v);
    const char *fault = doors_fault(
        "a coordinate", fabs(at.x) + fabs(at.y) + fabs(at.z), 0, 1e300);
    if (!fault)
        fault = doors_fault("a normal's length",
                            sb_vec3_length(sb_model_normal(model, point)), 0,
                            1.001);
    if (!fault) fault = doors_fault("u + v", fabs(u) + fabs(v), 0, 1e300);
    if (!fault)
        fault = doors_fault("1 / mass",
                            sb_model_inverse_mass(model, point, NULL), 0, 1e30);
    sb_model_weights(model, point, NULL, weights);
    for (int k = 0; k < sb_model_mode_count(model) && !fault; k++)
        fault = doors_fault("a weight", fabs(weights[k]), 0, 1e30);
    return fault;
}

static inline const char *doors_use(const sb_model *model) {
    static double peaks[DOORS_MOST_MODES];
    int count = sb_model_mode_count(model);
    const char *fault =
        doors_fault("the mass", sb_model_mass_kg(model), DBL_TRUE_MIN, DBL_MAX);
    if (!fault) fault = doors_fault("modes", count, 0, DOORS_MOST_MODES);
    if (fault) return fault;
    if (!*sb_model_method(model)) return "no method";
    for (int k = 0; k < count && !fault; k++) {
        const sb_mode *mode = &sb_model_modes(model)[k];
        fault =
            doors_fault("a frequency", mode->freq_hz, DBL_TRUE_MIN, DBL_MAX);
        if (!fault) fault = doors_fault("sigma", mode->sigma_per_s, 0, 1e300);
        if (!fault) fault = doors_fault("radiation", mode->radiation, 0, 1e300);
    }
    if (!fault && sb_model_peaks(model, count, peaks, NULL)) return "no peaks";
    const sb_model_point points[] = {
        sb_model_point_at(model, .5, .5),
        sb_model_point_at(model, -3, 1e9),
        sb_model_nearest(model, (sb_vec3){.1, .2, .3}),
        {1 << 30, .3, .9}};
    for (int i = 0; i < 4 && !fault; i++)
        fault = doors_point(model, points[i]);
    return fault;
}

/* As a file of the cache, and as a shape of a scene. `*is_read`: the reader
 * accepted it. */
static inline const char *
doors_open(const char *path, const sb_material *material, bool *is_read) {
    sb_error err = {0};
    sb_model_file file;
    sb_model *model = NULL;
    sb_mesh_source *source;
    const char *fault = NULL;
    *is_read = !sb_model_file_read(path, &file, &err);
    if (!*is_read)
        return strlen(err.message) > 5 ? NULL : "a failure without a sentence";
    sb_maker no_cache = {.cache = {.folder = ""}};
    sb_shape plate = {.kind = SB_SHAPE_PLATE,
                      .width = .3,
                      .depth = .2,
                      .thickness = .004,
                      .method = SB_METHOD_SHELL};
    sb_finished copy = file.finished;
    if (file.has_finished) {
        file.has_finished = false;
        if (!sb_model_from_solution(&plate, material, file.solution, &copy,
                                    &model, &err)) {
            fault = doors_use(model);
            sb_model_release(model);
        }
    }
    sb_model_file_free(&file);
    if (fault || sb_model_source_read(path, "lie", &source, &err)) return fault;
    sb_shape shape = {.kind = SB_SHAPE_MESH, .mesh = source, .max_hz = 3000};
    if (!sb_maker_make(&no_cache, &shape, material, NULL, &model, &err)) {
        fault = doors_use(model);
        sb_model_release(model);
    }
    sb_mesh_source_release(source);
    return fault;
}
