/* SPDX-License-Identifier: MIT */
/* runtime/media/sofa_file.h -- measured ears from SOFA files (AES69).
 *
 * A file has an impulse response per ear and direction: the convention
 * SimpleFreeFieldHRIR, with two receivers.
 *
 * Thread: control. Memory: sb_sofa_free frees what a reader has filled.
 */
#pragma once

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"

enum {
    SB_SOFA_DIRECTIONS_LEAST = 16,
    SB_SOFA_DIRECTIONS_MOST = 20000,
    SB_SOFA_FRAMES_MOST = 4096,
    SB_SOFA_VALUES_MOST = 8000000 /* per ear: fitted in some seconds */
};

typedef struct sb_sofa {
    int count, frames; /* directions; of a response */
    double rate_hz;
    sb_vec3 *toward;  /* of unit length: x right, y up, z straight ahead */
    float *responses; /* per direction left, then right */
    float *delays;    /* frames, likewise; before the response */
} sb_sofa;

/* NOT_FOUND, IO_ERROR, NO_MEMORY; BAD_FORMAT for another kind of file, or numbers of
 * directions and frames outside the above. */
SB_NODISCARD sb_status sb_sofa_read(sb_sofa *out, const char *path,
                                    sb_error *err);

/* The file of MIT's KEMAR head, which Debian's libmysofa1 brings. */
const char *sb_sofa_kemar(void);

void sb_sofa_free(sb_sofa *sofa); /* leaves it empty */
