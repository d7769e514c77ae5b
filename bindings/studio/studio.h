/* SPDX-License-Identifier: MIT */
/* bindings/studio/studio.h -- a live page for the running scene.
 *
 * The studio serves the page over HTTP and WebSocket. What pages do is carried
 * out by its session (session.h), which also has all news of the scene and the
 * answers to what pages ask for; the studio moves them. It belongs to the
 * control thread, which calls it like the prompt: between control steps, at the
 * start of each, and with the frames that were played. A thread moves messages
 * (net.h), one looks at the sound (publisher.h).
 *
 * protocol.md has the messages.
 *
 * Thread: control. All functions except open allow NULL.
 * Memory: owns its threads and session; host and output are the caller's.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct sb_host sb_host;
typedef struct sb_output sb_output;
typedef struct session session;
typedef struct studio studio;

typedef struct studio_def {
    int port;           /* 0: the folder's, or any free one */
    const char *folder; /* whose port and token are kept; NULL: none are */
    const char *record; /* write what pages do to this file; or NULL */
    void (*report)(void *user, const char *line); /* what the user must know */
    void *user;
} studio_def;

/* Start the server. IO_ERROR: the port is taken; NOT_FOUND: a package or the
 * page is missing. */
SB_NODISCARD sb_status studio_open(const studio_def *def, studio **out,
                                   sb_error *err);
void studio_close(studio *self);

/* "http://127.0.0.1:PORT/#token=HEX"; valid until it is closed. */
const char *studio_url(const studio *self);
/* Write a page that leads there to a file that only the user may read, and
 * open it in the user's browser, if there is a display. */
void studio_open_browser(studio *self);

/* What pages act on: to tell it what the host reports, and to ask which scene
 * they want. NULL of NULL. */
session *studio_session(const studio *self);

/* As those of the session. */
void studio_attach(studio *self, sb_host *host, sb_output *output,
                   const char *path, bool is_gallery);
void studio_step(studio *self, double from_s, double to_s);
void studio_idle(studio *self);
/* With the frames that were played. */
void studio_hear(studio *self, const float *stereo, int frames);
/* As session_show_computing and session_progress; pages are heard, too. */
void studio_show_computing(studio *self, double time_s, double of_s,
                           bool is_exact);
void studio_progress(studio *self, const char *body, const char *stage,
                     int done, int expected);
