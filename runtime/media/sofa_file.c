/* SPDX-License-Identifier: MIT */
/* Reads SOFA files with libmysofa. Thread: control. */
#include "runtime/media/sofa_file.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"

#include <mysofa.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A larger file is no file of ears. */
#define BYTES_MOST (256 << 20)

typedef struct MYSOFA_HRTF measured;

static sb_status refuse(const char *path, sb_error *err) {
    return sb_fail(err, SB_BAD_FORMAT,
                   "%s: not a SOFA file of ears (AES69, "
                   "SimpleFreeFieldHRIR, two receivers)",
                   path);
}

/* libmysofa does not check all that is used here. */
static bool is_complete(const measured *from) {
    size_t all = (size_t)from->M * from->N * 2;
    return from->R == 2 && from->C == 3 && from->DataIR.values &&
           from->DataIR.elements == all && from->SourcePosition.values &&
           from->SourcePosition.elements == 3 * (size_t)from->M &&
           from->DataSamplingRate.values && from->DataSamplingRate.elements > 0;
}

static sb_status check(const measured *from, const char *path, sb_error *err) {
    if (from->M < SB_SOFA_DIRECTIONS_LEAST ||
        from->M > SB_SOFA_DIRECTIONS_MOST || from->N < 1 ||
        from->N > SB_SOFA_FRAMES_MOST)
        return sb_fail(err, SB_BAD_FORMAT,
                       "%s: ears have %d to %d directions of 1 to %d frames, "
                       "this file %u of %u",
                       path, (int)SB_SOFA_DIRECTIONS_LEAST,
                       (int)SB_SOFA_DIRECTIONS_MOST, (int)SB_SOFA_FRAMES_MOST,
                       from->M, from->N);
    if ((int64_t)from->M * from->N > SB_SOFA_VALUES_MOST)
        return sb_fail(err, SB_BAD_FORMAT,
                       "%s: ears have at most %d values each, this file %u "
                       "times %u",
                       path, (int)SB_SOFA_VALUES_MOST, from->M, from->N);
    if (!is_complete(from)) return refuse(path, err);
    double rate_hz = (double)from->DataSamplingRate.values[0];
    if (!(rate_hz >= 8000.0 && rate_hz <= 384000.0))
        return sb_fail(err, SB_BAD_FORMAT,
                       "%s: the rate of ears is 8000 to 384000 Hz, here %g",
                       path, rate_hz);
    for (unsigned i = 0; i < from->DataIR.elements; i++)
        if (!(fabsf(from->DataIR.values[i]) < 1e6f))
            return sb_fail(err, SB_BAD_FORMAT,
                           "%s: a value is not finite, or too large", path);
    return SB_OK;
}

/* Per direction and ear, the same for all directions, or none. */
static float delay_of(const measured *from, size_t i) {
    const struct MYSOFA_ARRAY *delays = &from->DataDelay;
    if (!delays->values || delays->elements < 2) return 0.0f;
    size_t all = 2 * (size_t)from->M;
    float delay = delays->values[delays->elements == all ? i : i % 2];
    return fabsf(delay) <= SB_SOFA_FRAMES_MOST ? delay : 0.0f;
}

/* In the file x is straight ahead, y left, z up. */
static bool take_direction(const measured *from, size_t i, sb_vec3 *out) {
    const float *at = from->SourcePosition.values + 3 * i;
    sb_vec3 toward = {-(double)at[1], (double)at[2], (double)at[0]};
    double length = sb_vec3_length(toward);
    *out = sb_vec3_scale(toward, 1.0 / length);
    return length > 1e-6 && length < 1e6;
}

static sb_status take(measured *from, const char *path, sb_sofa *out,
                      sb_error *err) {
    size_t count = from->M, ears = 2 * count, frames = from->N;
    mysofa_tocartesian(from);
    *out = (sb_sofa){.count = (int)count,
                     .frames = (int)frames,
                     .rate_hz = (double)from->DataSamplingRate.values[0]};
    out->toward = sb_alloc(count, sizeof *out->toward);
    out->responses = sb_alloc(ears * frames, sizeof *out->responses);
    out->delays = sb_alloc(ears, sizeof *out->delays);
    if (!out->toward || !out->responses || !out->delays)
        return sb_no_memory(err, "%s", path);
    memcpy(out->responses, from->DataIR.values,
           ears * frames * sizeof *out->responses);
    for (size_t i = 0; i < ears; i++)
        out->delays[i] = delay_of(from, i);
    for (size_t i = 0; i < count; i++)
        if (!take_direction(from, i, &out->toward[i])) return refuse(path, err);
    return SB_OK;
}

/* By name: from memory libmysofa reads beyond the end of a file that was cut. */
static sb_status load(sb_sofa *out, const char *path, sb_error *err) {
    int why = MYSOFA_OK;
    measured *from = mysofa_load(path, &why);
    if (!from && why == MYSOFA_NO_MEMORY) return sb_no_memory(err, "%s", path);
    if (!from) return refuse(path, err);
    sb_status status = mysofa_check(from) == MYSOFA_OK ? check(from, path, err)
                                                       : refuse(path, err);
    if (!status) status = take(from, path, out, err);
    mysofa_free(from);
    return status;
}

sb_status sb_sofa_read(sb_sofa *out, const char *path, sb_error *err) {
    sb_sofa sofa = {0};
    FILE *file = NULL;
    sb_status status = sb_in_file_open(path, BYTES_MOST, &file, err);
    if (status) return status;
    (void)fclose(file);
    status = load(&sofa, path, err);
    if (status) {
        sb_sofa_free(&sofa);
    } else {
        *out = sofa;
    }
    return status;
}

const char *sb_sofa_kemar(void) {
    return SANDBELL_EARS_DIR "/MIT_KEMAR_normal_pinna.sofa";
}

void sb_sofa_free(sb_sofa *sofa) {
    sb_free_all(sofa->toward, sofa->responses, sofa->delays);
    *sofa = (sb_sofa){0};
}
