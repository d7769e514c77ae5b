/* SPDX-License-Identifier: MIT */
/* A page without a browser (page_client.h). */
#include "tests/studio/page_client.h"

#include "runtime/base/clock.h"
#include "runtime/base/pi.h"
#include "runtime/engine/engine.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* Only a program that does not answer at all takes so long: with the thread checks
 * on a busy machine an answer may take half a minute. */
#define PATIENCE_S 120.0
enum { STEP_FRAMES = 480 };

/* A test that cannot go on ends here: it must not be taken for a success. */
static void must(bool is_true, const char *what) {
    if (is_true) return;
    (void)fprintf(stderr, "page_client: %s\n", what);
    abort();
}

/* --- the scene ------------------------------------------------------------------ */

static void report(void *user, const char *line) {
    (void)line;
    ((stage *)user)->error_count++;
}

static void loaded(void *user, const sb_commit_counts *counts,
                   const sb_error *err) {
    session_loaded(studio_session(((stage *)user)->studio), counts, err);
}

void stage_open(stage *self, const char *path) {
    sb_error err;
    *self = (stage){0};
    (void)setenv("SANDBELL_LIBRARY", SANDBELL_SOURCE, 1);
    sb_host_def def = sb_host_def_default();
    def.watches = def.parks_errors = true;
    def.report = report;
    def.loaded = loaded;
    def.user = self;
    studio_def server = {0};
    sb_status status = studio_open(&server, &self->studio, &err);
    must(!status, status ? err.message : "");
    status = sb_host_open(path, &def, &self->host, &err);
    must(!status, status ? err.message : "");
    studio_attach(self->studio, self->host, NULL, path, false);
    must(sscanf(studio_url(self->studio), "http://127.0.0.1:%d/#token=%64s",
                &self->port, self->token) == 2,
         "the address is another one");
}

void stage_close(stage *self) {
    session_detach(studio_session(self->studio));
    sb_host_close(self->host);
    studio_close(self->studio);
    free(self->heard);
}

void stage_step(stage *self) {
    float stereo[2 * STEP_FRAMES];
    sb_engine *engine = sb_host_engine(self->host);
    sb_error err;
    int64_t end = (self->steps + 1) * STEP_FRAMES;
    studio_idle(self->studio);
    if (sb_engine_horizon(engine) < end) {
        double from_s = (double)self->steps * STEP_FRAMES / 48000.0;
        double to_s = (double)end / 48000.0;
        studio_step(self->studio, from_s, to_s);
        must(sb_host_step(self->host, from_s, to_s, &err) == SB_OK, "a step");
        (void)sb_engine_flush(engine, end);
    }
    sb_engine_pull(engine, stereo, STEP_FRAMES);
    /* While time stands still, nothing is heard and no step is taken. */
    if (sb_engine_clock(engine) < end) return;
    self->steps++;
    studio_hear(self->studio, stereo, STEP_FRAMES);
    for (int n = 0; n < STEP_FRAMES && self->heard_count < self->heard_most;
         n++)
        self->heard[self->heard_count++] =
            0.5F * (stereo[2 * n] + stereo[2 * n + 1]);
}

void stage_listen(stage *self, int frames) {
    free(self->heard);
    self->heard = calloc((size_t)frames, sizeof *self->heard);
    self->heard_count = 0;
    self->heard_most = frames;
    while (self->heard_count < frames)
        stage_step(self);
}

double stage_line(const stage *self, double hz, int from, int count) {
    double re = 0, im = 0, sum = 0;
    for (int n = 0; n < count; n++) {
        double window = 0.5 - 0.5 * cos(SB_TAU * n / count);
        double angle = SB_TAU * hz * n / 48000.0;
        re += window * (double)self->heard[from + n] * cos(angle);
        im += window * (double)self->heard[from + n] * sin(angle);
        sum += window;
    }
    return 2.0 * sqrt(re * re + im * im) / sum;
}

/* --- connections ----------------------------------------------------------------- */

int page_connect(const stage *self) {
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)self->port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(descriptor, (struct sockaddr *)&to, sizeof to)) {
        (void)close(descriptor);
        return -1;
    }
    return descriptor;
}

static bool send_all(int descriptor, const void *bytes, size_t count) {
    const char *p = bytes;
    while (count > 0) {
        ssize_t sent = send(descriptor, p, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        p += sent;
        count -= (size_t)sent;
    }
    return true;
}

/* Read what there is, waiting up to a millisecond. False: closed. */
static bool read_some(page *self) {
    struct pollfd one = {.fd = self->socket, .events = POLLIN};
    if (poll(&one, 1, 1) <= 0) return true;
    if (self->capacity - self->count < 65536) {
        self->capacity = 2 * self->capacity + 65536;
        self->bytes = realloc(self->bytes, self->capacity);
    }
    ssize_t got =
        recv(self->socket, self->bytes + self->count, 65536, MSG_DONTWAIT);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    self->count += (size_t)got;
    return true;
}

static void drop(page *self, size_t count) {
    memmove(self->bytes, self->bytes + count, self->count - count);
    self->count -= count;
}

int page_handshake(page *self, const stage *to, const char *path,
                   const char *headers) {
    char text[4096];
    int status = 0;
    *self = (page){.socket = page_connect(to)};
    if (self->socket < 0) return -1;
    int length =
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\n%s\r\n", path, headers);
    if (!send_all(self->socket, text, (size_t)length)) return -1;
    double until_s = sb_clock_s() + PATIENCE_S;
    while (sb_clock_s() < until_s) {
        bool is_open = read_some(self);
        char *end = self->count
                        ? memmem(self->bytes, self->count, "\r\n\r\n", 4)
                        : NULL;
        if (end) {
            (void)sscanf((const char *)self->bytes, "HTTP/%*s %d", &status);
            drop(self, (size_t)((unsigned char *)end - self->bytes) + 4);
            return status;
        }
        if (!is_open) return 0;
    }
    return -1;
}

void page_open(page *self, stage *to, const char *topics) {
    char headers[600];
    (void)snprintf(headers, sizeof headers,
                   "Host: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                   "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                   "Sec-WebSocket-Protocol: sandbell.v1, token.%s\r\n",
                   to->port, to->token);
    must(page_handshake(self, to, "/api/v1/socket", headers) == 101,
         "no handshake");
    self->acks = true;
    cJSON *welcome = page_ask(self, to,
                              "{\"type\":\"hello\",\"protocol\":1,\"window\":"
                              "20,\"subscribe\":%s",
                              topics);
    must(welcome && strcmp(cJSON_GetObjectItem(welcome, "type")->valuestring,
                           "welcome") == 0,
         "no welcome");
    cJSON_Delete(welcome);
}

void page_close(page *self) {
    if (self->socket >= 0) (void)close(self->socket);
    free(self->bytes);
    *self = (page){.socket = -1};
}

/* --- messages ---------------------------------------------------------------------- */

void page_send(page *self, int opcode, const void *bytes, size_t count) {
    unsigned char *frame = malloc(count + 14);
    const unsigned char *from = bytes;
    size_t head = 2;
    frame[0] = (unsigned char)(0x80 | opcode);
    if (count < 126) {
        frame[1] = (unsigned char)(0x80 | count);
    } else if (count < 65536) {
        frame[1] = 0x80 | 126;
        frame[2] = (unsigned char)(count >> 8);
        frame[3] = (unsigned char)count;
        head = 4;
    } else {
        frame[1] = 0x80 | 127;
        for (int i = 0; i < 8; i++)
            frame[2 + i] = (unsigned char)((uint64_t)count >> (56 - 8 * i));
        head = 10;
    }
    memset(frame + head, 0, 4); /* a mask of zeros */
    if (count) memcpy(frame + head + 4, from, count);
    if (!send_all(self->socket, frame, head + 4 + count))
        self->is_closed = true;
    free(frame);
}

void page_say(page *self, const char *text) {
    page_send(self, 1, text, strlen(text));
}

/* The length of the first frame, or 0 if it is not complete. */
static size_t whole_frame(const page *self, size_t *head) {
    if (self->count < 2) return 0;
    size_t count = self->bytes[1] & 127u;
    *head = 2;
    if (count == 126) {
        if (self->count < 4) return 0;
        count = (size_t)self->bytes[2] << 8 | self->bytes[3];
        *head = 4;
    } else if (count == 127) {
        if (self->count < 10) return 0;
        count = 0;
        for (int i = 0; i < 8; i++)
            count = count << 8 | self->bytes[2 + i];
        *head = 10;
    }
    return self->count >= *head + count ? *head + count : 0;
}

static void acknowledge(page *self) {
    char text[64];
    self->binary_count++;
    if (!self->acks) return;
    (void)snprintf(text, sizeof text, "{\"type\":\"ack\",\"n\":%u}",
                   self->binary_count);
    page_say(self, text);
}

bool page_next(page *self, stage *to, page_message *out) {
    double until_s = sb_clock_s() + PATIENCE_S;
    while (sb_clock_s() < until_s && !self->is_closed) {
        size_t head = 0, frame = whole_frame(self, &head);
        if (!frame) {
            bool is_open = read_some(self);
            if (!is_open && !whole_frame(self, &head)) self->is_closed = true;
            stage_step(to);
            continue;
        }
        int opcode = self->bytes[0] & 15;
        size_t count = frame - head;
        const unsigned char *from = self->bytes + head;
        *out = (page_message){0};
        if (opcode == 1) {
            out->json = cJSON_ParseWithLength((const char *)from, count);
            must(out->json != NULL, "the program sent what is not JSON");
        } else if (opcode == 2) {
            out->bytes = malloc(count + 1);
            out->count = count;
            memcpy(out->bytes, from, count);
        } else if (opcode == 8) {
            self->close_code = count >= 2 ? from[0] << 8 | from[1] : 0;
            self->is_closed = true;
        } else if (opcode == 9) {
            page_send(self, 10, from, count);
        }
        drop(self, frame);
        if (opcode == 2) acknowledge(self);
        if (opcode <= 2) return true;
    }
    return false;
}

void page_message_free(page_message *message) {
    cJSON_Delete(message->json);
    free(message->bytes);
}

cJSON *page_ask(page *self, stage *to, const char *format, ...) {
    static char text[1 << 16];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text - 40, format, values);
    va_end(values);
    (void)snprintf(text + length, sizeof text - (size_t)length, ",\"id\":%d}",
                   ++self->next_id);
    page_say(self, text);
    page_message message;
    while (page_next(self, to, &message)) {
        const cJSON *id = cJSON_GetObjectItem(message.json, "id");
        if (message.json && cJSON_IsNumber(id) &&
            id->valueint == self->next_id) {
            free(message.bytes);
            return message.json;
        }
        page_message_free(&message);
    }
    return NULL;
}

cJSON *page_wait(page *self, stage *to, const char *type) {
    page_message message;
    while (page_next(self, to, &message)) {
        const cJSON *found = cJSON_GetObjectItem(message.json, "type");
        if (cJSON_IsString(found) && strcmp(found->valuestring, type) == 0) {
            free(message.bytes);
            return message.json;
        }
        page_message_free(&message);
    }
    return NULL;
}

/* --- HTTP --------------------------------------------------------------------------- */

int page_get(stage *to, const char *path, const char *headers, char **body,
             size_t *count) {
    page http = {.socket = page_connect(to)};
    char text[1024];
    int status = -1;
    *body = NULL;
    *count = 0;
    if (http.socket < 0) return -1;
    int length = snprintf(text, sizeof text,
                          "%s%s HTTP/1.1\r\nConnection: close\r\n%s\r\n",
                          path[0] == '/' ? "GET " : "", path, headers);
    if (!send_all(http.socket, text, (size_t)length)) status = 0;
    double until_s = sb_clock_s() + PATIENCE_S;
    while (status < 0 && !*body && sb_clock_s() < until_s) {
        bool is_open = read_some(&http);
        char *end =
            http.count ? memmem(http.bytes, http.count, "\r\n\r\n", 4) : NULL;
        stage_step(to);
        if (!end && !is_open) status = 0;
        if (!end) continue;
        size_t head = (size_t)((unsigned char *)end - http.bytes) + 4;
        size_t want = 0;
        *end = '\0';
        const char *found = strcasestr((char *)http.bytes, "content-length:");
        if (found) want = strtoul(found + 15, NULL, 10);
        *end = '\r';
        if (http.count < head + want && is_open) continue;
        if (sscanf((const char *)http.bytes, "HTTP/%*s %d", &status) != 1)
            status = 0;
        *count = http.count - head;
        *body = malloc(*count + 1);
        memcpy(*body, http.bytes + head, *count);
        (*body)[*count] = '\0';
    }
    page_close(&http);
    return status;
}

cJSON *page_fetch(stage *to, const char *path) {
    char address[256], headers[256], *body;
    size_t count;
    (void)snprintf(address, sizeof address, "/api/v1/%s", path);
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %s\r\n",
                   to->token);
    int status = page_get(to, address, headers, &body, &count);
    cJSON *json = status == 200 ? cJSON_Parse(body) : NULL;
    free(body);
    return json;
}
