/* SPDX-License-Identifier: MIT */
/* Spectra, waveforms and packets of sound for pages. */
#include "bindings/studio/studio_internal.h"

#include "runtime/base/fft.h"
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/ring.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum {
    RING_FRAMES = 1 << 16,
    WINDOW = 4096, /* frames of a spectrum */
    BINS = WINDOW / 2,
    SHOWN = 1024, /* frames of a waveform */
    PACKET = 256, /* frames of sound */
    PER_SECOND = 30,
    WAIT_MS = 4,
    SLEEP_MS = 50,
    PUBLISHED = TOPIC_SPECTRUM | TOPIC_SCOPE | TOPIC_PCM
};

#define TOP_DB  6.0
#define STEP_DB 0.5

struct publisher {
    net *net;
    pthread_t thread;
    atomic_bool must_stop;
    _Atomic double rate_hz;
    atomic_uint starts; /* another scene: count again from 0 */
    sb_ring ring;
    float *memory;
    /* The thread's own. */
    unsigned seen_starts;
    long long frames;      /* read so far */
    float last[WINDOW][2]; /* a circle */
    int16_t packet[PACKET][2];
    int packed;
    long long next_picture;
    uint32_t sequence[8];
    double window[WINDOW];
    float mono[WINDOW];
    sb_fft *fft;
    double complex lines[BINS + 1];
};

/* --- sending: the thread's own --------------------------------------------- */

static void send(publisher *self, unsigned topic, mail_class class,
                 letter *record) {
    net_publish(self->net, topic, class, record->bytes[0], record);
    letter_drop(record);
}

static letter *record(publisher *self, int type, size_t payload,
                      long long frame) {
    double rate = atomic_load(&self->rate_hz);
    return letter_record(type, self->sequence[type]++, payload,
                         (double)frame / rate);
}

static const float *frame_back(const publisher *self, long long back) {
    return self->last[(self->frames - back) & (WINDOW - 1)];
}

static void send_spectrum(publisher *self) {
    for (int n = 0; n < WINDOW; n++) {
        const float *at = frame_back(self, WINDOW - n);
        self->mono[n] = (float)(self->window[n] * 0.5 * (at[0] + at[1]));
    }
    sb_fft_real(self->fft, self->mono, self->lines);
    letter *mail = record(self, RECORD_SPECTRUM, 16 + BINS, self->frames);
    if (!mail) return;
    uint16_t bins = BINS;
    float numbers[3] = {(float)(atomic_load(&self->rate_hz) / WINDOW),
                        (float)TOP_DB, (float)STEP_DB};
    memcpy(mail->bytes + 16, &bins, 2);
    memcpy(mail->bytes + 20, numbers, sizeof numbers);
    for (int k = 0; k < BINS; k++) {
        /* The window has the mean 1/2: a sine of amplitude 1 is 0 dB. */
        double level =
            20.0 * log10(cabs(self->lines[k]) * 4.0 / WINDOW + 1e-12);
        double value = 255.0 - (TOP_DB - level) / STEP_DB;
        mail->bytes[32 + k] =
            (unsigned char)lround(fmin(255.0, fmax(0.0, value)));
    }
    send(self, TOPIC_SPECTRUM, MAIL_STREAM, mail);
}

static int16_t sample(double value) {
    return (int16_t)lround(32767.0 * fmin(1.0, fmax(-1.0, value)));
}

static void send_scope(publisher *self) {
    letter *mail =
        record(self, RECORD_SCOPE, 16 + (size_t)SHOWN * 4, self->frames);
    if (!mail) return;
    float largest = 1e-9F;
    for (int n = 1; n <= SHOWN; n++) {
        const float *at = frame_back(self, n);
        largest = fmaxf(largest, fmaxf(fabsf(at[0]), fabsf(at[1])));
    }
    uint16_t counts[2] = {SHOWN, 2};
    float numbers[2] = {(float)atomic_load(&self->rate_hz), largest};
    memcpy(mail->bytes + 16, counts, sizeof counts);
    memcpy(mail->bytes + 20, numbers, sizeof numbers);
    for (int n = 0; n < SHOWN; n++) {
        const float *at = frame_back(self, SHOWN - n);
        int16_t pair[2] = {sample((double)(at[0] / largest)),
                           sample((double)(at[1] / largest))};
        memcpy(mail->bytes + 32 + 4 * n, pair, sizeof pair);
    }
    send(self, TOPIC_SCOPE, MAIL_STREAM, mail);
}

static void send_packet(publisher *self) {
    long long first = self->frames - PACKET;
    letter *mail = record(self, RECORD_PCM, 16 + sizeof self->packet, first);
    self->packed = 0;
    if (!mail) return;
    uint16_t counts[2] = {PACKET, 2};
    uint32_t rate = (uint32_t)lround(atomic_load(&self->rate_hz));
    uint64_t from = (uint64_t)first;
    memcpy(mail->bytes + 16, counts, sizeof counts);
    memcpy(mail->bytes + 20, &rate, sizeof rate);
    memcpy(mail->bytes + 24, &from, sizeof from);
    memcpy(mail->bytes + 32, self->packet, sizeof self->packet);
    send(self, TOPIC_PCM, MAIL_QUEUE, mail);
}

static void take(publisher *self, const float *stereo, unsigned wants) {
    float *to = self->last[self->frames & (WINDOW - 1)];
    to[0] = stereo[0];
    to[1] = stereo[1];
    self->frames++;
    if (!(wants & TOPIC_PCM)) {
        self->packed = 0;
        return;
    }
    self->packet[self->packed][0] = sample((double)stereo[0]);
    self->packet[self->packed][1] = sample((double)stereo[1]);
    if (++self->packed == PACKET) send_packet(self);
}

static void restart(publisher *self) {
    unsigned starts = atomic_load(&self->starts);
    if (starts == self->seen_starts) return;
    self->seen_starts = starts;
    self->frames = self->next_picture = 0;
    self->packed = 0;
    memset(self->last, 0, sizeof self->last);
}

static void *publish(void *user) {
    publisher *self = user;
    float stereo[2 * PACKET];
    (void)pthread_setname_np(pthread_self(), "studio-sound");
    while (!atomic_load(&self->must_stop)) {
        unsigned wants = net_topics(self->net) & PUBLISHED;
        uint32_t count;
        restart(self);
        while ((count = sb_ring_read(&self->ring, stereo, PACKET)) > 0)
            for (uint32_t n = 0; n < count; n++)
                take(self, stereo + 2 * n, wants);
        if (self->frames >= self->next_picture) {
            if (wants & TOPIC_SPECTRUM) send_spectrum(self);
            if (wants & TOPIC_SCOPE) send_scope(self);
            self->next_picture =
                self->frames +
                (long long)(atomic_load(&self->rate_hz) / PER_SECOND);
        }
        struct timespec span = {0, (wants ? WAIT_MS : SLEEP_MS) *
                                       INT64_C(1000000)};
        (void)nanosleep(&span, NULL);
    }
    return NULL;
}

/* --- control ----------------------------------------------------------------- */

sb_status publisher_open(net *server, publisher **out, sb_error *err) {
    publisher *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "studio");
    self->net = server;
    self->fft = sb_fft_create(WINDOW);
    self->memory = sb_alloc(RING_FRAMES, 2 * sizeof(float));
    atomic_store(&self->rate_hz, 48000.0);
    for (int n = 0; n < WINDOW; n++)
        self->window[n] = 0.5 - 0.5 * cos(SB_TAU * n / WINDOW);
    if (self->memory)
        sb_ring_init(&self->ring, self->memory, RING_FRAMES, 2 * sizeof(float));
    if (!self->memory || !self->fft ||
        pthread_create(&self->thread, NULL, publish, self)) {
        sb_fft_destroy(self->fft);
        sb_free(self->memory);
        sb_free(self);
        return sb_no_memory(err, "studio");
    }
    *out = self;
    return SB_OK;
}

void publisher_close(publisher *self) {
    if (!self) return;
    atomic_store(&self->must_stop, true);
    (void)pthread_join(self->thread, NULL);
    sb_fft_destroy(self->fft);
    sb_free(self->memory);
    sb_free(self);
}

void publisher_start(publisher *self, double rate_hz) {
    atomic_store(&self->rate_hz, rate_hz);
    (void)atomic_fetch_add(&self->starts, 1);
}

void publisher_hear(publisher *self, const float *stereo, int frames) {
    (void)sb_ring_write(&self->ring, stereo, (uint32_t)frames);
}
