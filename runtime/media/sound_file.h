/* SPDX-License-Identifier: MIT */
/* runtime/media/sound_file.h -- sound to and from WAV and FLAC files.
 *
 * The writer takes interleaved floats, full scale at +-1. 24-bit samples are
 * rounded to nearest, step 2^-23, and clipped, never wrapped. Equal samples
 * give equal bytes: nothing in the file depends on the time or the machine. The
 * file appears at close, complete (see out_file.h).
 *
 * Thread: control; one thread per writer.
 * Memory: close and abort free the writer, whatever they return; sb_sound_free
 *         frees the samples of an sb_sound.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdint.h>

enum {
    SB_SOUND_MAX_CHANNELS = 8,    /* FLAC's limit */
    SB_SOUND_MAX_RATE_HZ = 655350 /* FLAC's limit */
};

typedef enum sb_sound_format {
    SB_SOUND_PCM24,
    SB_SOUND_FLOAT32 /* WAV only */
} sb_sound_format;

typedef struct sb_sound_def {
    int rate_hz;            /* 1 .. SB_SOUND_MAX_RATE_HZ; default 48000 */
    int channel_count;      /* 1 .. SB_SOUND_MAX_CHANNELS; default 2 */
    sb_sound_format format; /* default 24-bit */
} sb_sound_def;

typedef struct sb_sound {
    float *samples; /* interleaved */
    int64_t frame_count;
    int channel_count;
    int rate_hz;
} sb_sound;

typedef struct sb_sound_writer sb_sound_writer;

sb_sound_def sb_sound_def_default(void);

/* Begin a file; its extension, .wav or .flac, selects the type. "-" is WAV to
 * the standard output, written at close. BAD_ARGUMENT for a number out of
 * range, another extension or a FLAC of floats; errors of
 * sb_out_file_create. */
SB_NODISCARD sb_status sb_sound_writer_open(sb_sound_writer **out,
                                            const char *path,
                                            const sb_sound_def *def,
                                            sb_error *err);

/* Append `frame_count` frames. After an IO_ERROR all further writes and the
 * close fail too. */
SB_NODISCARD sb_status sb_sound_writer_write(sb_sound_writer *writer,
                                             const float *frames,
                                             int64_t frame_count,
                                             sb_error *err);

/* Finish the file and move it into place; on failure there is no new file. */
SB_NODISCARD sb_status sb_sound_writer_close(sb_sound_writer *writer,
                                             sb_error *err);

/* After a write has failed, for example on a full disk: finish the file with
 * the frames that were written before, and move it into place. FLAC loses up to
 * a block of some thousand frames. On failure there is no new file. */
SB_NODISCARD sb_status sb_sound_writer_close_short(sb_sound_writer *writer,
                                                   int64_t *frame_count,
                                                   sb_error *err);

void sb_sound_writer_abort(sb_sound_writer *writer); /* NULL is allowed */

/* Read a whole file into memory, up to 2^28 samples. Float files may contain
 * values outside +-1. NOT_FOUND, IO_ERROR, BAD_FORMAT or NO_MEMORY. */
SB_NODISCARD sb_status sb_sound_read(sb_sound *out, const char *path,
                                     sb_error *err);

void sb_sound_free(sb_sound *sound); /* leaves it empty */
