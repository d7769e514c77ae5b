#include "bindings/cli/render/picture_of.h"

#include "runtime/base/memory.h"
#include "runtime/media/picture/spectrogram.h"
#include "runtime/model/modal_model.h"
#include "runtime/scene/deform/scene_deform.h"

#include <stdio.h>
#include <string.h>

enum { MOST_FRAMES = 20 * 60 * 48000, LABEL_SIZE = 48 };

sb_status picture_samples_add(picture_samples *samples, const float *stereo,
                              int frames, sb_error *err) {
    int64_t need = samples->frames + frames;
    if (need > MOST_FRAMES) {
        return sb_fail(err, SB_NO_MEMORY,
                       "a spectrogram takes at most %d frames; render a "
                       "shorter --duration",
                       (int)MOST_FRAMES);
    }
    if (need > samples->capacity) {
        int64_t larger = need * 2;
        float *moved =
            sb_resize(samples->stereo, (size_t)larger * 2, sizeof *moved);
        if (!moved) {
            return sb_fail(err, SB_NO_MEMORY, "spectrogram: out of memory");
        }
        samples->stereo = moved;
        samples->capacity = larger;
    }
    memcpy(samples->stereo + 2 * samples->frames, stereo,
           (size_t)frames * 2 * sizeof *stereo);
    samples->frames = need;
    return SB_OK;
}

void picture_samples_free(picture_samples *samples) {
    sb_free(samples->stereo);
    *samples = (picture_samples){0};
}

typedef struct mark_list {
    sb_spectrogram_mark items[SB_SPECTROGRAM_MAX_MARKS];
    char labels[SB_SPECTROGRAM_MAX_MARKS][LABEL_SIZE];
    int count;
} mark_list;

static void add_mark(mark_list *marks, const char *body, const sb_mode *mode,
                     bool is_only) {
    if (marks->count == SB_SPECTROGRAM_MAX_MARKS) return;
    char *label = marks->labels[marks->count];
    (void)snprintf(label, LABEL_SIZE, is_only ? "%.0f Hz" : "%.0f %.12s",
                   mode->freq_hz, body);
    marks->items[marks->count] = (sb_spectrogram_mark){mode->freq_hz, label};
    marks->count++;
}

/* Bodies that are driven ring otherwise than free ones, whose modes are known.
 */
static int modes_to_mark(const sb_scene *scene, sb_body_id id) {
    if (sb_scene_is_driven(scene, id)) return 0;
    return sb_model_mode_count(sb_scene_body_model(scene, id));
}

static void say_unmarked(const sb_scene *scene) {
    for (int i = 0; i < sb_scene_body_count(scene); i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        if (!sb_scene_is_driven(scene, id)) continue;
        (void)fprintf(stderr,
                      "sandbell render: --spectrogram has no labels of '%s': a "
                      "part of it is driven, and its modes are known without "
                      "that only\n",
                      sb_scene_body_name(scene, id));
    }
}

/* Mark the lowest mode of every body first: not all marks fit. */
static void collect_marks(const sb_scene *scene, mark_list *marks) {
    int body_count = sb_scene_body_count(scene);
    int most = 0;
    for (int k = 0; k == 0 || k < most; k++) {
        for (int i = 0; i < body_count; i++) {
            sb_body_id id = sb_scene_body_at(scene, i);
            const sb_model *model = sb_scene_body_model(scene, id);
            int count = modes_to_mark(scene, id);
            if (count > most) most = count;
            if (k >= count) continue;
            add_mark(marks, sb_scene_body_name(scene, id),
                     &sb_model_modes(model)[k], body_count == 1);
        }
        if (marks->count == SB_SPECTROGRAM_MAX_MARKS) break;
    }
}

sb_status picture_write(const char *path, const char *scene_path,
                        const sb_scene *scene, const picture_samples *samples,
                        int rate_hz, sb_error *err) {
    mark_list *marks = sb_alloc(1, sizeof *marks);
    if (!marks) return sb_fail(err, SB_NO_MEMORY, "spectrogram: out of memory");
    collect_marks(scene, marks);
    say_unmarked(scene);
    const char *slash = strrchr(scene_path, '/');
    sb_spectrogram_def def = sb_spectrogram_def_default();
    def.samples = samples->stereo;
    def.frame_count = samples->frames;
    def.channel_count = 2;
    def.rate_hz = rate_hz;
    def.title = slash ? slash + 1 : scene_path;
    if (def.high_hz > rate_hz / 2.0) def.high_hz = rate_hz / 2.0;
    def.marks = marks->items;
    def.mark_count = marks->count;
    sb_status status = sb_spectrogram_write(path, &def, err);
    sb_free(marks);
    return status;
}
