/* bindings/cli/render/picture_of.h -- the spectrogram of a render, with the
 * frequencies of the bodies marked.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_CLI_RENDER_PICTURE_OF_H
#define SB_BINDINGS_CLI_RENDER_PICTURE_OF_H

#include "runtime/base/status.h"
#include "runtime/scene/scene.h"

#include <stdint.h>

/* Stereo frames, collected; zero-initialised is empty. */
typedef struct picture_samples {
    float *stereo;
    int64_t frames;
    int64_t capacity;
} picture_samples;

/* NO_MEMORY, also beyond 20 minutes at 48 kHz. */
SB_NODISCARD sb_status picture_samples_add(picture_samples *samples,
                                           const float *stereo, int frames,
                                           sb_error *err);
void picture_samples_free(picture_samples *samples);

SB_NODISCARD sb_status picture_write(const char *path, const char *scene_path,
                                     const sb_scene *scene,
                                     const picture_samples *samples,
                                     int rate_hz, sb_error *err);

#endif
