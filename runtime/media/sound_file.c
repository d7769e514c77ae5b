/* SPDX-License-Identifier: MIT */
#include "runtime/media/sound_file.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/base/out_file.h"

#include <sndfile.h>

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK_SAMPLES = 4096,
    MAX_READ_SAMPLES = 1 << 28 /* 1 GiB; 46 minutes of stereo at 48 kHz */
};

/* A WAV file counts its bytes in 32 bits; the headers get the last 4 KiB. */
static const int64_t max_wav_bytes = 0xFFFFFFFFll - 4096;

struct sb_sound_writer {
    sb_out_file *file;
    SNDFILE *sound;
    sb_sound_def def;
    int64_t frame_count; /* written so far */
    bool is_wav;
    sf_count_t position; /* libsndfile's position in the file, bytes */
    int failure;         /* errno of the first failed access, or 0 */
    sf_count_t start;    /* WAV: where the samples begin; 0: none yet */
    sf_count_t whole;    /* FLAC: bytes up to the end of the last block */
    int64_t block_count; /* FLAC */
    int ints[CHUNK_SAMPLES];
    float floats[CHUNK_SAMPLES];
};

/* --- file access for libsndfile ------------------------------------------- */

/* These callbacks replace sf_open_fd: libsndfile does not report a write that
 * fails in sf_close, so that a full disk would go unnoticed. */

static sf_count_t io_length(void *user) {
    const sb_sound_writer *writer = user;
    struct stat info;
    int descriptor = sb_out_file_descriptor(writer->file);
    return fstat(descriptor, &info) == 0 ? info.st_size : -1;
}

static sf_count_t io_seek(sf_count_t offset, int whence, void *user) {
    sb_sound_writer *writer = user;
    sf_count_t start = 0;
    if (whence == SEEK_CUR) start = writer->position;
    if (whence == SEEK_END) start = io_length(user);
    if (start < 0 || start + offset < 0) return -1;
    writer->position = start + offset;
    return writer->position;
}

static sf_count_t io_read(void *bytes, sf_count_t count, void *user) {
    sb_sound_writer *writer = user;
    ssize_t done = pread(sb_out_file_descriptor(writer->file), bytes,
                         (size_t)count, writer->position);
    if (done < 0) return 0;
    writer->position += done;
    return done;
}

static sf_count_t io_write(const void *bytes, sf_count_t count, void *user) {
    sb_sound_writer *writer = user;
    int descriptor = sb_out_file_descriptor(writer->file);
    sf_count_t total = 0;
    while (total < count) {
        ssize_t done = pwrite(descriptor, (const char *)bytes + total,
                              (size_t)(count - total), writer->position);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) {
            if (!writer->failure) writer->failure = done ? errno : ENOSPC;
            return total;
        }
        total += done;
        writer->position += done;
    }
    /* libFLAC writes each block in one piece, which begins with its mark. */
    if (!writer->is_wav && !writer->failure && count > 0) {
        writer->whole = writer->position;
        writer->block_count += *(const unsigned char *)bytes == 0xFF;
    }
    return total;
}

static sf_count_t io_tell(void *user) {
    const sb_sound_writer *writer = user;
    return writer->position;
}

/* --- writing -------------------------------------------------------------- */

sb_sound_def sb_sound_def_default(void) {
    return (sb_sound_def){
        .rate_hz = 48000, .channel_count = 2, .format = SB_SOUND_PCM24};
}

static bool has_extension(const char *path, const char *extension) {
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') && strcasecmp(dot, extension) == 0;
}

static sb_status check_def(const char *path, const sb_sound_def *def,
                           sb_error *err) {
    if (def->rate_hz < 1 || def->rate_hz > SB_SOUND_MAX_RATE_HZ) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: a sample rate must be 1 to %d Hz, not %d", path,
                       SB_SOUND_MAX_RATE_HZ, def->rate_hz);
    }
    if (def->channel_count < 1 || def->channel_count > SB_SOUND_MAX_CHANNELS) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: a sound file has 1 to %d channels, not %d",
                       path, SB_SOUND_MAX_CHANNELS, def->channel_count);
    }
    if (def->format != SB_SOUND_PCM24 && def->format != SB_SOUND_FLOAT32) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: sample format %d is unknown", path,
                       (int)def->format);
    }
    if (has_extension(path, ".flac") && def->format == SB_SOUND_FLOAT32) {
        return sb_fail(
            err, SB_BAD_ARGUMENT,
            "%.300s: FLAC cannot store floats; write 24 bits or a .wav", path);
    }
    if (strcmp(path, "-") != 0 && !has_extension(path, ".wav") &&
        !has_extension(path, ".flac")) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: the name of a sound file must end in .wav or "
                       ".flac",
                       path);
    }
    return SB_OK;
}

static sb_status open_sound(sb_sound_writer *writer, sb_error *err) {
    static SF_VIRTUAL_IO io = {io_length, io_seek, io_read, io_write, io_tell};
    int samples = writer->def.format == SB_SOUND_FLOAT32 ? SF_FORMAT_FLOAT
                                                         : SF_FORMAT_PCM_24;
    SF_INFO info = {0};
    info.samplerate = writer->def.rate_hz;
    info.channels = writer->def.channel_count;
    info.format = (writer->is_wav ? SF_FORMAT_WAV : SF_FORMAT_FLAC) | samples;
    writer->sound = sf_open_virtual(&io, SFM_WRITE, &info, writer);
    if (!writer->sound) {
        return sb_fail(err, SB_IO_ERROR, "%.300s cannot be written: %s",
                       sb_out_file_path(writer->file), sf_strerror(NULL));
    }
    /* The PEAK chunk contains the time of writing; without it equal samples
     * give equal files. */
    (void)sf_command(writer->sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
    return SB_OK;
}

sb_status sb_sound_writer_open(sb_sound_writer **out, const char *path,
                               const sb_sound_def *def, sb_error *err) {
    if (!path)
        return sb_fail(err, SB_BAD_ARGUMENT, "a sound file needs a name");
    sb_status status = check_def(path, def, err);
    if (status != SB_OK) return status;
    sb_sound_writer *writer = sb_alloc(1, sizeof *writer);
    if (!writer) {
        return sb_no_memory(err, "%.300s cannot be written", path);
    }
    writer->def = *def;
    writer->is_wav = !has_extension(path, ".flac");
    status = sb_out_file_create(&writer->file, path, err);
    if (status == SB_OK) status = open_sound(writer, err);
    if (status != SB_OK) {
        sb_sound_writer_abort(writer);
        return status;
    }
    *out = writer;
    return SB_OK;
}

/* NaN and infinities are written as 0. */
static float finite_or_zero(float x) {
    return isfinite(x) ? x : 0.0f;
}

/* libsndfile wraps values that are too large or, with clipping enabled,
 * truncates instead of rounding; therefore samples are converted here.
 * libsndfile takes the upper 24 bits of an int. */
static int as_pcm24(float x) {
    double scaled = rint((double)x * 8388608.0);
    scaled = fmin(fmax(scaled, -8388608.0), 8388607.0);
    return (int)scaled * 256;
}

static int frame_bytes(const sb_sound_writer *writer) {
    return writer->def.channel_count *
           (writer->def.format == SB_SOUND_FLOAT32 ? 4 : 3);
}

static bool write_chunk(sb_sound_writer *writer, const float *samples,
                        int count) {
    sf_count_t done = 0;
    if (writer->def.format == SB_SOUND_FLOAT32) {
        for (int i = 0; i < count; i++) {
            writer->floats[i] = finite_or_zero(samples[i]);
        }
        done = sf_write_float(writer->sound, writer->floats, count);
    } else {
        for (int i = 0; i < count; i++) {
            writer->ints[i] = as_pcm24(finite_or_zero(samples[i]));
        }
        done = sf_write_int(writer->sound, writer->ints, count);
    }
    int64_t frames = done / writer->def.channel_count;
    writer->frame_count += frames;
    bool is_well = done == count && !writer->failure;
    if (is_well && !writer->start)
        writer->start = writer->position - frames * frame_bytes(writer);
    return is_well;
}

static sb_status fail_write(const sb_sound_writer *writer, sb_error *err) {
    return sb_fail(err, SB_IO_ERROR, "%.300s cannot be written: %s",
                   sb_out_file_path(writer->file), strerror(writer->failure));
}

sb_status sb_sound_writer_write(sb_sound_writer *writer, const float *frames,
                                int64_t frame_count, sb_error *err) {
    if (writer->failure) return fail_write(writer, err);
    int channel_count = writer->def.channel_count;
    int64_t max_frames = max_wav_bytes / frame_bytes(writer);
    if (writer->is_wav && frame_count > max_frames - writer->frame_count) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.300s: a WAV file is limited to 4 GiB, which here are "
                       "%.1f hours",
                       sb_out_file_path(writer->file),
                       (double)max_frames / writer->def.rate_hz / 3600.0);
    }
    int chunk = CHUNK_SAMPLES / channel_count;
    while (frame_count > 0) {
        int count = frame_count < chunk ? (int)frame_count : chunk;
        if (!write_chunk(writer, frames, count * channel_count)) {
            if (!writer->failure) writer->failure = EIO;
            return fail_write(writer, err);
        }
        frames += (ptrdiff_t)count * channel_count;
        frame_count -= count;
    }
    return SB_OK;
}

/* Cut off what is behind the last whole frame, which is where libsndfile ends
 * the samples, and let it write the header. */
static bool mend_wav(sb_sound_writer *writer) {
    sf_count_t end = writer->start + writer->frame_count * frame_bytes(writer);
    writer->failure = 0;
    bool is_well = writer->start > 0 &&
                   !ftruncate(sb_out_file_descriptor(writer->file), end);
    if (sf_close(writer->sound)) is_well = false;
    writer->sound = NULL;
    return is_well && !writer->failure;
}

/* libFLAC does not finish a stream that has failed. Cut off what is behind the
 * last whole block, and write the number of frames: the low 36 bits of bytes 18
 * to 25 of the file. The size of a block is in bytes 8 and 9 (RFC 9639, 8.2).
 * The checksum stays 0, which means that it is unknown. */
static bool mend_flac(sb_sound_writer *writer) {
    int file = sb_out_file_descriptor(writer->file);
    unsigned char header[26];
    (void)sf_close(writer->sound);
    writer->sound = NULL;
    if (writer->block_count == 0 || ftruncate(file, writer->whole) ||
        pread(file, header, sizeof header, 0) != (ssize_t)sizeof header)
        return false;
    int64_t frames = writer->block_count * (header[8] << 8 | header[9]);
    writer->frame_count = frames;
    header[21] = (unsigned char)((header[21] & 0xF0) | (frames >> 32 & 0x0F));
    for (int i = 22; i < 26; i++)
        header[i] = (unsigned char)(frames >> 8 * (25 - i));
    return pwrite(file, header, sizeof header, 0) == (ssize_t)sizeof header;
}

/* The file under its name, or nothing after a failure. Frees the writer. */
static sb_status end_file(sb_sound_writer *writer, sb_error *err) {
    if (writer->failure) {
        sb_status status = fail_write(writer, err);
        sb_sound_writer_abort(writer);
        return status;
    }
    sb_status status = sb_out_file_commit(writer->file, err);
    sb_free(writer);
    return status;
}

sb_status sb_sound_writer_close_short(sb_sound_writer *writer,
                                      int64_t *frame_count, sb_error *err) {
    int failure = writer->failure;
    if (!failure) {
        *frame_count = writer->frame_count;
        return sb_sound_writer_close(writer, err);
    }
    bool is_mended = writer->is_wav ? mend_wav(writer) : mend_flac(writer);
    *frame_count = writer->frame_count;
    writer->failure = is_mended ? 0 : failure;
    return end_file(writer, err);
}

sb_status sb_sound_writer_close(sb_sound_writer *writer, sb_error *err) {
    int code = sf_close(writer->sound);
    writer->sound = NULL;
    if (code != 0 && !writer->failure) writer->failure = EIO;
    return end_file(writer, err);
}

void sb_sound_writer_abort(sb_sound_writer *writer) {
    if (!writer) return;
    if (writer->sound) (void)sf_close(writer->sound);
    sb_out_file_abort(writer->file);
    sb_free(writer);
}

/* --- reading -------------------------------------------------------------- */

/* Read to the end with a growing buffer: the length in the header is not
 * trusted. */
static sb_status read_samples(sb_sound *sound, SNDFILE *file, const char *path,
                              sb_error *err) {
    void *samples = NULL;
    int capacity = 0;
    int count = 0;
    int chunk = CHUNK_SAMPLES - CHUNK_SAMPLES % sound->channel_count;
    for (;;) {
        if (count > MAX_READ_SAMPLES - chunk) {
            sb_free(samples);
            return sb_fail(err, SB_BAD_FORMAT, "%.300s: more than %d samples",
                           path, MAX_READ_SAMPLES);
        }
        if (!sb_grow(&samples, &capacity, count + chunk, sizeof(float))) {
            sb_free(samples);
            return sb_no_memory(err, "%.300s cannot be read", path);
        }
        sf_count_t got = sf_read_float(file, (float *)samples + count, chunk);
        if (got <= 0) break;
        count += (int)got;
    }
    if (sf_error(file) != SF_ERR_NO_ERROR) {
        sb_free(samples);
        return sb_fail(err, SB_BAD_FORMAT, "%.300s: %s", path,
                       sf_strerror(file));
    }
    sound->samples = samples;
    sound->frame_count = count / sound->channel_count;
    return SB_OK;
}

/* What is open is read, whatever its name becomes meanwhile. */
static sb_status read_open(sb_sound *out, FILE *from, const char *path,
                           sb_error *err) {
    SF_INFO info = {0};
    SNDFILE *file = sf_open_fd(fileno(from), SFM_READ, &info, SF_FALSE);
    if (!file) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.300s is not a sound file that can be read: %s", path,
                       sf_strerror(NULL));
    }
    sb_sound sound = {NULL, 0, info.channels, info.samplerate};
    sb_status status = SB_OK;
    if (sound.channel_count < 1 ||
        sound.channel_count > SB_SOUND_MAX_CHANNELS || sound.rate_hz < 1) {
        status = sb_fail(err, SB_BAD_FORMAT,
                         "%.300s: %d channels at %d Hz; 1 to %d channels can "
                         "be read",
                         path, sound.channel_count, sound.rate_hz,
                         SB_SOUND_MAX_CHANNELS);
    } else {
        status = read_samples(&sound, file, path, err);
    }
    (void)sf_close(file);
    if (status == SB_OK) *out = sound;
    return status;
}

sb_status sb_sound_read(sb_sound *out, const char *path, sb_error *err) {
    FILE *file;
    sb_status status = sb_in_file_open(path, INT64_MAX, &file, err);
    if (status) return status;
    status = read_open(out, file, path, err);
    (void)fclose(file);
    return status;
}

void sb_sound_free(sb_sound *sound) {
    sb_free(sound->samples);
    *sound = (sb_sound){0};
}
