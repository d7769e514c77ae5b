/* SPDX-License-Identifier: MIT */
/* Reads and converts an impulse response. Control thread. */
#include "runtime/scene/state/response.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/media/sound_file.h"

#include <math.h>

enum { HALF = 32 };

static sb_status check(const sb_sound *sound, const char *path, sb_error *err) {
    if (sound->channel_count > 2)
        return sb_fail(err, SB_BAD_FORMAT,
                       "%s: a response has 1 or 2 channels, this one %d", path,
                       sound->channel_count);
    if (sound->frame_count < 1)
        return sb_fail(err, SB_BAD_FORMAT, "%s: there is no sound", path);
    if (sound->frame_count > (int64_t)SCENE_RESPONSE_SECONDS * sound->rate_hz)
        return sb_fail(err, SB_BAD_FORMAT, "%s: longer than %d s", path,
                       (int)SCENE_RESPONSE_SECONDS);
    return SB_OK;
}

static double sample(const sb_sound *sound, int64_t at, int channel) {
    if (at < 0 || at >= sound->frame_count) return 0.0;
    return (double)sound->samples[at * sound->channel_count + channel];
}

/* The value at a place between frames, of what is below `band` of half the
 * file's rate. */
static double between(const sb_sound *sound, double place, double band,
                      int channel) {
    double sum = 0.0, reach = HALF / band;
    int64_t first = (int64_t)ceil(place - reach);
    for (int64_t at = first; (double)at <= place + reach; at++) {
        double off = (double)at - place, x = SB_PI * band * off;
        double sinc = x == 0.0 ? 1.0 : sin(x) / x;
        double window = 0.5 + 0.5 * cos(SB_PI * off / reach);
        sum += band * sinc * window * sample(sound, at, channel);
    }
    return sum;
}

static void convert(const sb_sound *sound, double rate_hz, double gain,
                    float *out, int frames) {
    double ratio = sound->rate_hz / rate_hz, band = fmin(1.0, 1.0 / ratio);
    for (int n = 0; n < frames; n++) {
        for (int ear = 0; ear < 2; ear++) {
            int channel = ear < sound->channel_count ? ear : 0;
            double value =
                ratio == 1.0 ? sample(sound, n, channel)
                             : ratio * between(sound, n * ratio, band, channel);
            out[2 * n + ear] = (float)(gain * value);
        }
    }
}

sb_status scene_read_response(const char *path, double gain, double rate_hz,
                              float **out, int *frames, sb_error *err) {
    sb_sound sound;
    sb_status status = sb_sound_read(&sound, path, err);
    if (status) return status;
    status = check(&sound, path, err);
    if (!status) {
        *frames =
            (int)ceil((double)sound.frame_count * rate_hz / sound.rate_hz);
        *out = sb_alloc(2 * (size_t)*frames, sizeof **out);
        if (*out) {
            convert(&sound, rate_hz, gain, *out, *frames);
        } else {
            status = sb_fail(err, SB_NO_MEMORY, "%s: out of memory", path);
        }
    }
    sb_sound_free(&sound);
    return status;
}
