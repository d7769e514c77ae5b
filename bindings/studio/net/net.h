/* SPDX-License-Identifier: MIT */
/* bindings/studio/net/net.h -- HTTP and WebSocket on a loopback port.
 *
 * One thread of its own serves files and moves messages: what pages send goes
 * into one queue, which the control thread reads; what is sent to pages waits
 * in a mailbox per page. It does nothing that takes long. A page that sends
 * faster than its messages are read is not read from until they are.
 *
 * Thread: any, except that one thread opens, reads the queue, and closes.
 * Memory: owns its thread, connections and queues.
 */
#pragma once

#include "bindings/studio/net/mailbox.h"
#include "bindings/studio/net/net_guard.h"
#include "runtime/base/status.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    NET_CLIENTS = 32,           /* sockets at once */
    NET_MESSAGE_BYTES = 1 << 20 /* longest message of a page */
};

/* --- files.c: the page, and the libraries of the page --------------------------
 *
 * An address is looked up in a fixed list of folders; the resolved file must
 * lie in its folder, whatever links and ".." the address goes through. */

enum { STUDIO_ETAG_SIZE = 48, STUDIO_ROOTS = 5 };

typedef struct studio_files {
    struct {
        const char *prefix; /* of the address: "/page/" */
        char folder[PATH_MAX];
    } roots[STUDIO_ROOTS];
    int count;
    bool has_font; /* for formulas */
} studio_files;

/* The folders, with the data of the program (scripts, models, page) in
 * `library`. NOT_FOUND names a missing folder and its package. */
SB_NODISCARD sb_status studio_files_find(studio_files *files,
                                         const char *library, sb_error *err);

/* --- the server ----------------------------------------------------------------- */

typedef struct net net;

typedef struct net_def {
    int port; /* 0: any free one */
    char token[STUDIO_TOKEN_SIZE];
    studio_files files;
} net_def;

/* IO_ERROR: the port is taken; NO_MEMORY. */
SB_NODISCARD sb_status net_open(const net_def *def, net **out, sb_error *err);
int net_port(const net *self);
/* Say goodbye to all pages (1001) and stop; NULL is allowed. */
void net_close(net *self);

typedef enum net_kind {
    NET_OPENED, /* a page has connected */
    NET_CLOSED,
    NET_TEXT,
    NET_BINARY,
    NET_TOO_LONG, /* a message was longer than NET_MESSAGE_BYTES, and dropped */
    NET_GET       /* answer it: the text is the path below /api/v1/ */
} net_kind;

typedef struct net_event {
    net_kind kind;
    uint32_t number; /* of the client, or of the request */
    char *bytes;     /* ends with a zero that is not counted */
    size_t count;
    char etag[STUDIO_ETAG_SIZE]; /* of a request: what the asker has, or "" */
    struct net_event *next;
} net_event;

/* The oldest event, which the caller frees; NULL if there is none. */
net_event *net_next(net *self);
void net_event_free(net_event *event);

typedef struct net_reply {
    int status;       /* 200, 304, 404, ... */
    const char *type; /* a constant */
    char etag[STUDIO_ETAG_SIZE];
    letter *body; /* or NULL; the caller drops its own use */
} net_reply;

/* Answer a request. If it has gone meanwhile, nothing happens. */
void net_answer(net *self, uint32_t request, const net_reply *reply);

/* Put mail into the mailbox of a client; likewise. */
void net_send(net *self, uint32_t client, mail_class class, int kind,
              letter *mail);
/* The client wants mail of these topics, a bit each; all that any client wants;
 * put mail into the mailboxes of all that want one of these. */
void net_subscribe(net *self, uint32_t client, unsigned topics);
unsigned net_topics(net *self);
void net_publish(net *self, unsigned topics, mail_class class, int kind,
                 letter *mail);
/* The page may have `window` binary messages on their way; it has acknowledged
 * `count`. */
void net_set_window(net *self, uint32_t client, int window);
void net_ack(net *self, uint32_t client, uint32_t count);
/* Close a client with a code of RFC 6455. */
void net_dismiss(net *self, uint32_t client, int code);
