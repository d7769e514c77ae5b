/* A recorded session as a sound file. Thread: any, one. */
#include "bindings/studio/studio.h"

#include "bindings/host/host_run.h"
#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"
#include "runtime/media/sound_file.h"
#include "runtime/scene/conductor.h"

#include <stdio.h>

/* Longest session without a given length, s. */
#define LIMIT_S 600.0
enum { MOST_BYTES = 256 << 20 };

typedef struct rendering {
    sb_host *host;
    studio *studio;
    sb_sound_writer *writer;
    const sb_host_def *def;
} rendering;

static bool must_stop(void *user, double now_s) {
    const sb_host_def *def = ((rendering *)user)->def;
    (void)now_s;
    return def->must_stop && def->must_stop(def->user);
}

static void before_step(void *user, double from_s, double to_s) {
    studio_step(((rendering *)user)->studio, from_s, to_s);
}

static bool is_busy(void *user) {
    return !studio_has_replayed(((rendering *)user)->studio);
}

static sb_status sink(void *user, const float *stereo, int frames,
                      sb_error *err) {
    rendering *self = user;
    return sb_sound_writer_write(self->writer, stereo, frames, err);
}

static char *read_text(const char *path, sb_error *err) {
    char *text = NULL;
    return sb_in_file_read(path, MOST_BYTES, &text, NULL, err) ? NULL : text;
}

static sb_status render(rendering *self, const studio_session *session,
                        double *seconds, sb_error *err) {
    sb_sound_def sound = sb_sound_def_default();
    sb_host_hooks hooks = {.before = before_step,
                           .is_busy = is_busy,
                           .sink = sink,
                           .must_stop = must_stop,
                           .user = self};
    sb_conduct_result result;
    sb_span span = {.duration_s = session->seconds,
                    .silence_dbfs = -60.0,
                    .limit_s = LIMIT_S};
    double rate = session->host.sample_rate_hz;
    sound.rate_hz = (int)rate;
    sound.channel_count = 2;
    sb_status status =
        sb_sound_writer_open(&self->writer, session->output, &sound, err);
    if (status) return status;
    status = sb_host_render(self->host, &hooks, &span, &result, err);
    if (status) return status;
    sb_sound_writer *writer = self->writer;
    self->writer = NULL;
    *seconds = (double)result.frames / rate;
    return sb_sound_writer_close(writer, err);
}

sb_status studio_render(const studio_session *session, double *seconds,
                        sb_error *err) {
    rendering self = {.def = &session->host};
    char *text = session->text ? NULL : read_text(session->file, err);
    if (!session->text && !text) return SB_NOT_FOUND;
    studio_def def = {.replay = text ? text : session->text,
                      .report = session->host.report,
                      .user = session->host.user};
    sb_host_def host = session->host;
    host.watches = host.is_live = false;
    host.parks_errors = true;
    sb_status status = studio_open(&def, &self.studio, err);
    if (!status) status = sb_host_open(session->scene, &host, &self.host, err);
    if (!status) {
        studio_attach(self.studio, self.host, NULL, session->scene, false);
        status = render(&self, session, seconds, err);
        studio_detach(self.studio);
    }
    sb_sound_writer_abort(self.writer);
    studio_close(self.studio);
    sb_host_close(self.host);
    sb_free(text);
    return status;
}

/* --- without sound ----------------------------------------------------------- */

sb_status studio_replay_quietly(const studio_replaying *replaying,
                                sb_error *err) {
    rendering self = {.def = &replaying->host};
    studio_def def = {.replay = replaying->text,
                      .verdict = replaying->verdict,
                      .user = replaying->user};
    sb_host_def host = replaying->host;
    host.watches = host.is_live = false;
    host.parks_errors = true;
    sb_status status = studio_open(&def, &self.studio, err);
    if (!status)
        status = sb_host_open(replaying->scene, &host, &self.host, err);
    if (!status) {
        sb_host_hooks hooks = {
            .before = before_step, .must_stop = must_stop, .user = &self};
        sb_span span = {.duration_s = replaying->seconds};
        sb_conduct_result result;
        studio_attach(self.studio, self.host, NULL, replaying->scene, false);
        status = sb_host_render(self.host, &hooks, &span, &result, err);
        studio_detach(self.studio);
    }
    studio_close(self.studio);
    sb_host_close(self.host);
    return status;
}
