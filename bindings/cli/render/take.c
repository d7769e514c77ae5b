#include "bindings/cli/render/take.h"

#include <math.h>

enum { FRAMES = 4096 };

sb_status take_open(take *self, const char *path, const sb_sound_def *def,
                    bool is_kept, sb_error *err) {
    *self = (take){.is_float = def->format == SB_SOUND_FLOAT32};
    if (is_kept && !(self->kept = tmpfile()))
        return sb_fail(err, SB_IO_ERROR,
                       "--normalize: cannot make a temporary file");
    return sb_sound_writer_open(&self->writer, path, def, err);
}

static sb_status write_on(take *self, const float *stereo, int frames,
                          double gain, sb_error *err) {
    float scaled[2 * FRAMES];
    for (int i = 0; i < 2 * frames; i++) {
        scaled[i] = gain == 1.0 ? stereo[i] : (float)(gain * (double)stereo[i]);
        self->clips |= !self->is_float && fabsf(scaled[i]) > 1.0f;
    }
    return sb_sound_writer_write(self->writer, scaled, frames, err);
}

static sb_status no_room(sb_error *err) {
    return sb_fail(err, SB_IO_ERROR,
                   "--normalize: the temporary file could not be used; is the "
                   "disk full?");
}

sb_status take_add(take *self, const float *stereo, int frames, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < 2 * frames; i++)
        self->peak = fmax(self->peak, fabs((double)stereo[i]));
    if (self->kept) {
        size_t count = 2 * (size_t)frames;
        bool is_well =
            fwrite(stereo, sizeof *stereo, count, self->kept) == count;
        return is_well ? SB_OK : no_room(err);
    }
    for (int at = 0; at < frames && !status; at += FRAMES) {
        int count = frames - at < FRAMES ? frames - at : FRAMES;
        status = write_on(self, stereo + 2 * (size_t)at, count, 1.0, err);
    }
    return status;
}

static sb_status write_kept(take *self, double gain, sb_error *err) {
    float stereo[2 * FRAMES];
    sb_status status = SB_OK;
    size_t frames;
    if (fseek(self->kept, 0, SEEK_SET)) return no_room(err);
    while (!status &&
           (frames = fread(stereo, 2 * sizeof *stereo, FRAMES, self->kept)) > 0)
        status = write_on(self, stereo, (int)frames, gain, err);
    return !status && ferror(self->kept) ? no_room(err) : status;
}

sb_status take_close(take *self, double gain, sb_error *err) {
    sb_status status = self->kept ? write_kept(self, gain, err) : SB_OK;
    if (status) return status;
    if (self->kept) self->peak *= gain;
    sb_sound_writer *writer = self->writer;
    self->writer = NULL;
    take_abort(self);
    return sb_sound_writer_close(writer, err);
}

void take_abort(take *self) {
    sb_sound_writer_abort(self->writer);
    self->writer = NULL;
    if (self->kept) (void)fclose(self->kept);
    self->kept = NULL;
}
