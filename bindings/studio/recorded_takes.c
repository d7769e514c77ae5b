/* SPDX-License-Identifier: MIT */
/* The sound of the last half minute, and takes, as files for pages. Thread:
 * control; files are made by the worker. */
#include "bindings/studio/studio_internal.h"

#include "bindings/studio/session/json.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <string.h>

#define RECENT_S  30.0
#define LONGEST_S 600.0
/* Below this share of the loudest sample it is silence: -80 dB. */
#define SILENCE  1e-4
#define BEFORE_S 0.005 /* kept before the first sound, and ... */
#define AFTER_S  0.02  /* ... after the last */

struct studio_takes {
    double rate_hz;
    float *recent; /* stereo, a circle */
    long long recent_frames, heard;
    float *take; /* NULL: none is recorded */
    long long count, capacity;
    bool is_cut; /* it is too long, or there was no memory for more */
    bool is_recording;
    letter *sound; /* the last file; or NULL */
};

typedef struct sound_job {
    studio *studio;
    float *stereo;
    long long first, count; /* frames; the first one's time of the scene */
    double rate_hz;
    bool is_trimmed, is_cut;
    const char *type; /* of the reply */
    uint32_t client;
    double id;
    letter *file;
} sound_job;

sb_status studio_open_takes(studio_takes **out, sb_error *err) {
    *out = sb_alloc(1, sizeof **out);
    if (*out) return SB_OK;
    return sb_no_memory(err, "studio");
}

void studio_close_takes(studio_takes *takes) {
    if (!takes) return;
    sb_free(takes->recent);
    sb_free(takes->take);
    letter_drop(takes->sound);
    sb_free(takes);
}

letter *studio_take_sound(const studio_takes *takes) {
    return takes->sound;
}

/* --- hearing -------------------------------------------------------------------- */

void studio_start_takes(studio_takes *takes, double rate_hz) {
    if (takes->rate_hz != rate_hz) {
        sb_free(takes->recent);
        sb_free(takes->take);
        takes->take = NULL;
        takes->rate_hz = rate_hz;
        takes->recent_frames = (long long)(RECENT_S * rate_hz);
        takes->recent =
            sb_alloc((size_t)takes->recent_frames, 2 * sizeof *takes->recent);
        if (!takes->recent) takes->recent_frames = 0;
    }
    takes->heard = 0;
}

static void add_to_take(studio_takes *takes, const float *stereo, int frames) {
    long long need = takes->count + frames;
    if (!takes->take || takes->is_cut) return;
    takes->is_cut = need > (long long)(LONGEST_S * takes->rate_hz);
    if (takes->is_cut) return;
    if (need > takes->capacity) {
        float *grown =
            sb_resize(takes->take, 2 * (size_t)need, 2 * sizeof *takes->take);
        takes->is_cut = !grown;
        if (!grown) return;
        takes->take = grown;
        takes->capacity = 2 * need;
    }
    memcpy(takes->take + 2 * takes->count, stereo,
           2 * sizeof *stereo * (size_t)frames);
    takes->count = need;
}

void studio_hear_takes(studio_takes *takes, const float *stereo, int frames) {
    if (takes->recent_frames <= 0) return;
    for (int n = 0; n < frames; n++)
        memcpy(takes->recent + 2 * ((takes->heard + n) % takes->recent_frames),
               stereo + 2 * (long long)n, 2 * sizeof *stereo);
    takes->heard += frames;
    add_to_take(takes, stereo, frames);
}

static bool begin_take(studio_takes *takes) {
    sb_free(takes->take);
    takes->count = 0;
    takes->is_cut = false;
    takes->capacity = (long long)takes->rate_hz;
    takes->take = sb_alloc((size_t)takes->capacity, 2 * sizeof *takes->take);
    return takes->take != NULL;
}

/* --- files: the worker's ----------------------------------------------------------- */

/* Cut silence off both ends. */
static void trim(sound_job *job) {
    double loudest = 0.0;
    for (long long n = 0; n < 2 * job->count; n++)
        loudest = fmax(loudest, fabs((double)job->stereo[n]));
    double floor = fmax(SILENCE * loudest, 1e-7);
    long long begin = 0, end = job->count;
    while (begin < end && fabs((double)job->stereo[2 * begin]) <= floor &&
           fabs((double)job->stereo[2 * begin + 1]) <= floor)
        begin++;
    while (end > begin && fabs((double)job->stereo[2 * end - 2]) <= floor &&
           fabs((double)job->stereo[2 * end - 1]) <= floor)
        end--;
    if (end > begin) {
        begin -= (long long)(BEFORE_S * job->rate_hz);
        end += (long long)(AFTER_S * job->rate_hz);
        if (begin < 0) begin = 0;
        if (end > job->count) end = job->count;
    }
    memmove(job->stereo, job->stereo + 2 * begin,
            2 * sizeof *job->stereo * (size_t)(end - begin));
    job->first += begin;
    job->count = end - begin;
}

static unsigned char *put(unsigned char *to, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

static unsigned char *put_text(unsigned char *to, const char *text) {
    while (*text)
        *to++ = (unsigned char)*text++;
    return to;
}

/* WAV, 24 bit. */
static letter *wav_of(const sound_job *job) {
    enum { HEADER = 44, FRAME = 6 };
    uint32_t rate = (uint32_t)lround(job->rate_hz);
    uint32_t bytes = (uint32_t)(FRAME * job->count);
    letter *file = letter_make(HEADER + (size_t)bytes, true);
    if (!file) return NULL;
    unsigned char *to = file->bytes;
    to = put(put_text(to, "RIFF"), HEADER - 8 + bytes, 4);
    to = put(put_text(to, "WAVEfmt "), 16, 4);
    to = put(to, 1, 2); /* PCM */
    to = put(to, 2, 2);
    to = put(to, rate, 4);
    to = put(to, FRAME * rate, 4);
    to = put(to, FRAME, 2);
    to = put(to, 24, 2);
    to = put(put_text(to, "data"), bytes, 4);
    for (long long n = 0; n < 2 * job->count; n++) {
        double value = fmin(1.0, fmax(-1.0, (double)job->stereo[n]));
        to = put(to, (uint32_t)lround(8388607.0 * value), 3);
    }
    return file;
}

/* Control: the file is made. */
static void take_file(session *self, void *data, double time_s) {
    sound_job *job = data;
    studio_takes *takes = job->studio->takes;
    (void)time_s;
    cJSON *json = cJSON_CreateObject();
    json_text(json, "type", job->file ? job->type : "error");
    json_number(json, "id", job->id);
    if (job->file) {
        letter_drop(takes->sound);
        takes->sound = job->file;
        if (job->count > 0) json_text(json, "url", "/api/v1/sound.wav");
        json_number(json, "seconds", (double)job->count / job->rate_hz);
        json_number(json, "first", (double)job->first);
        json_number(json, "rate", job->rate_hz);
        json_bool(json, "cut", job->is_cut);
    } else {
        json_text(json, "code", "failed");
        json_text(json, "message", "out of memory");
    }
    session_say(self, job->client, json);
    sb_free(job->stereo);
    sb_free(job);
}

static void make_file(void *data, bool is_over) {
    sound_job *job = data;
    if (!is_over && job->is_trimmed) trim(job);
    if (!is_over) job->file = wav_of(job);
    session_finish(job->studio->session, take_file, job);
}

/* --- messages ------------------------------------------------------------------------ */

static bool fail(page_call *call, const char *code, const char *message,
                 sb_error *err) {
    call->code = code;
    return !sb_fail(err, SB_BAD_ARGUMENT, "%s", message);
}

/* Takes over the frames. The reply follows when the file is made. */
static bool post(page_call *call, const sound_job *wanted, sb_error *err) {
    const cJSON *id = json_field(call->json, "id");
    studio_takes *takes = call->studio->takes;
    sound_job *job = wanted->stereo ? sb_alloc(1, sizeof *job) : NULL;
    if (job) {
        *job = *wanted;
        job->studio = call->studio;
        job->rate_hz = takes->rate_hz;
        job->client = call->client->number;
        job->id = cJSON_IsNumber(id) ? id->valuedouble : 0.0;
    }
    if (!job || !session_work(call->studio->session, make_file, job)) {
        sb_free(wanted->stereo);
        sb_free(job);
        return fail(call, "busy", "too much to do", err);
    }
    cJSON_Delete(call->reply);
    call->reply = NULL;
    return true;
}

static bool end_take(page_call *call, sb_error *err) {
    studio_takes *takes = call->studio->takes;
    if (!takes->take) return true;
    sound_job job = {.stereo = takes->take,
                     .count = takes->count,
                     .is_trimmed = true,
                     .is_cut = takes->is_cut,
                     .type = "take"};
    takes->take = NULL;
    return post(call, &job, err);
}

static void tell_recording(const studio *self) {
    cJSON *json = cJSON_CreateObject();
    json_text(json, "type", "recording");
    json_text(json, "file", session_record_name(self->session));
    json_bool(json, "on", self->takes->is_recording);
    session_say_all(self->session, json);
}

bool studio_do_record(page_call *call, sb_error *err) {
    studio *self = call->studio;
    const char *action;
    if (!read_text(call->json, "action", &action, err)) return false;
    if (action && strcmp(action, "stop") == 0) {
        self->takes->is_recording = false;
        sb_status status = session_end_record(self->session, err);
        tell_recording(self);
        if (status) call->code = "failed";
        return !status && end_take(call, err);
    }
    if (!action || strcmp(action, "start") != 0)
        return fail(call, "bad_field", "action must be start or stop", err);
    if (!session_begin_record(self->session, &call->code, err)) return false;
    self->takes->is_recording = begin_take(self->takes);
    if (!self->takes->is_recording)
        return fail(call, "failed", "out of memory", err);
    tell_recording(self);
    return true;
}

bool studio_do_recent(page_call *call, sb_error *err) {
    const studio_takes *takes = call->studio->takes;
    double seconds = RECENT_S;
    bool is_whole = false;
    if (!read_number(call->json, "seconds", 0, RECENT_S, &seconds, err) ||
        !read_bool(call->json, "whole", &is_whole, NULL, err)) {
        return false;
    }
    if (takes->recent_frames <= 0)
        return fail(call, "no_scene", "no scene is open", err);
    long long count = (long long)(seconds * takes->rate_hz);
    if (count > takes->heard) count = takes->heard;
    if (count > takes->recent_frames) count = takes->recent_frames;
    sound_job job = {.first = takes->heard - count,
                     .count = count,
                     .is_trimmed = !is_whole,
                     .type = "recent"};
    job.stereo = sb_alloc((size_t)count + 1, 2 * sizeof *job.stereo);
    for (long long n = 0; n < count && job.stereo; n++)
        memcpy(job.stereo + 2 * n,
               takes->recent + 2 * ((job.first + n) % takes->recent_frames),
               2 * sizeof *job.stereo);
    return post(call, &job, err);
}
