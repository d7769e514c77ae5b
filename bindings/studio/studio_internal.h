/* SPDX-License-Identifier: MIT */
/* bindings/studio/studio_internal.h -- the state of the server.
 *
 * Private to bindings/studio. Thread: control. Memory: the studio's.
 */
#pragma once

#include "bindings/studio/net/net.h"
#include "bindings/studio/session/session.h"
#include "bindings/studio/studio.h"

#include <cjson/cJSON.h>

typedef struct publisher publisher;
typedef struct studio_takes studio_takes;

typedef struct studio_client {
    uint32_t number; /* 0: free */
    bool has_hello;
    unsigned topics;
    int bad_count;  /* messages that were no messages */
    cJSON *waiting; /* messages for the next step, oldest first; or NULL */
} studio_client;

struct studio {
    studio_def def;
    session *session;
    net *net;
    publisher *publisher;
    studio_takes *takes; /* recorded_takes.c */
    char token[STUDIO_TOKEN_SIZE], url[160];
    char redirect[PATH_MAX]; /* the file that leads the browser here, or "" */
    studio_client clients[NET_CLIENTS];
    uint32_t sequence[16]; /* of records, by type */
    double served_s;       /* wall clock, during a solve */
};

/* A message that is being carried out. */
typedef struct page_call {
    studio *studio;
    studio_client *client;
    const cJSON *json;
    cJSON *reply;     /* "ok" at first; NULL: none, or it follows */
    const char *code; /* of a failure */
} page_call;

typedef bool page_do(page_call *call, sb_error *err);

/* --- messages.c --------------------------------------------------------------- */

void studio_receive(studio *self, const net_event *event);
/* Carry out the messages that wait for the next step. */
void studio_run_waiting(studio *self, double time_s);

/* --- publisher.c: looks at the sound and sends it to pages -------------------------
 *
 * The control thread hands over the frames that were played, through a ring; a
 * thread of its own makes spectra, waveforms and packets of sound, and puts
 * them into the mailboxes. While nobody listens it sleeps. It owns thread and
 * ring; the net must outlive it. */

SB_NODISCARD sb_status publisher_open(net *server, publisher **out,
                                      sb_error *err);
void publisher_close(publisher *self); /* NULL is allowed */

/* Sound at another rate, from frame 0 on. */
void publisher_start(publisher *self, double rate_hz);
void publisher_hear(publisher *self, const float *stereo, int frames);

/* --- recorded_takes.c ---------------------------------------------------------- */

SB_NODISCARD sb_status studio_open_takes(studio_takes **out, sb_error *err);
void studio_start_takes(studio_takes *takes, double rate_hz);
void studio_hear_takes(studio_takes *takes, const float *stereo, int frames);
void studio_close_takes(studio_takes *takes); /* NULL is allowed */
page_do studio_do_record, studio_do_recent;
/* The last file, or NULL. */
letter *studio_take_sound(const studio_takes *takes);
