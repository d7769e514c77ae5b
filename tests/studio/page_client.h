/* SPDX-License-Identifier: MIT */
/* tests/studio/page_client.h -- a page without a browser: HTTP and WebSocket by
 * plain sockets, and a scene that is stepped while it waits.
 *
 * Everything runs on one thread, without a sound card and without a clock: time
 * goes on as fast as the test asks for replies.
 */
#pragma once

#include "bindings/host/host.h"
#include "bindings/studio/net/net.h"
#include "bindings/studio/session/session.h"
#include "bindings/studio/studio.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scene with a studio. */
typedef struct stage {
    sb_host *host;
    studio *studio;
    int port;
    char token[65];
    int64_t steps;
    int error_count; /* of reports with "error" */
    float *heard;    /* mono, since stage_listen; or NULL */
    int heard_count, heard_most;
} stage;

void stage_open(stage *self, const char *path);
void stage_close(stage *self);
/* Take one control step of 10 ms, and let the studio look around. */
void stage_step(stage *self);
/* Keep the next `frames` of sound. */
void stage_listen(stage *self, int frames);
/* Amplitude of a frequency in what was heard from frame `from` on. */
double stage_line(const stage *self, double hz, int from, int count);

typedef struct page {
    int socket;
    unsigned char *bytes; /* read and not yet used */
    size_t count, capacity;
    bool is_closed;
    int close_code;
    int next_id;
    uint32_t binary_count;
    bool acks; /* acknowledges binary messages at once; else never */
} page;

int page_connect(const stage *self); /* a socket, or -1 */
/* The status of the answer to a handshake with these headers; each ends with
 * \r\n. */
int page_handshake(page *self, const stage *to, const char *path,
                   const char *headers);
/* A good handshake, and hello with these topics (a JSON list). */
void page_open(page *self, stage *to, const char *topics);
void page_close(page *self);

void page_send(page *self, int opcode, const void *bytes, size_t count);
void page_say(page *self, const char *text);

typedef struct page_message {
    cJSON *json;          /* or NULL: binary */
    unsigned char *bytes; /* of a binary one */
    size_t count;
} page_message;
/* The next message, while the scene is stepped; false: it was closed, or none
 * came in 20 s. */
bool page_next(page *self, stage *to, page_message *out);
void page_message_free(page_message *message);

/* Send a message with an id, and wait for its reply, which the caller
 * deletes. */
cJSON *page_ask(page *self, stage *to, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The next message of this type. */
cJSON *page_wait(page *self, stage *to, const char *type);

/* GET; the body goes to *body, which the caller frees; returns the status. */
int page_get(stage *to, const char *path, const char *headers, char **body,
             size_t *count);
/* The same below /api/v1/ with the token, as JSON. */
cJSON *page_fetch(stage *to, const char *path);
