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
#ifndef SB_BINDINGS_STUDIO_NET_NET_H
#define SB_BINDINGS_STUDIO_NET_NET_H

#include "bindings/studio/net/files.h"
#include "bindings/studio/net/mailbox.h"
#include "bindings/studio/net/net_guard.h"
#include "runtime/base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    NET_CLIENTS = 32,           /* sockets at once */
    NET_MESSAGE_BYTES = 1 << 20 /* longest message of a page */
};

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
/* The page may have `window` binary messages on their way; it has acknowledged
 * `count`. */
void net_set_window(net *self, uint32_t client, int window);
void net_ack(net *self, uint32_t client, uint32_t count);
/* Close a client with a code of RFC 6455. */
void net_dismiss(net *self, uint32_t client, int code);

#endif
