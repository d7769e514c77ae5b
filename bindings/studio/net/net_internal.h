/* SPDX-License-Identifier: MIT */
/* bindings/studio/net/net_internal.h -- the queues between the network thread and
 * the others. Only net.c and net_queue.c include it.
 *
 * Thread: any; `lock` guards everything here, except what is said to belong to
 * the network thread.
 */
#pragma once

#include "bindings/studio/net/net.h"

#include <pthread.h>

enum {
    NET_REQUESTS = 128,
    NET_UNREAD = 64 /* messages of one client that wait for control */
};

/* Connections that have no request under way, in the order in which they became
 * idle. When there are more than IDLE_MOST, the oldest that has sent nothing is
 * to be ended, so that connections that are opened and stay silent do not keep
 * pages out. A browser opens another when it has a request. */
enum {
    IDLE_MOST = 32,   /* six for each page, and some to spare */
    IDLE_PLACES = 512 /* as many as there can be connections */
};

struct lws;

typedef struct idle_item {
    struct lws *connection;
    int socket;
} idle_item;

typedef struct idle_list {
    idle_item items[IDLE_PLACES];
    int count;
} idle_list;

struct lws_context;
struct lws_vhost;

typedef struct net_client {
    uint32_t number; /* 0: free */
    struct lws *wsi; /* network thread */
    mailbox box;
    unsigned topics;
    int unread;
    bool is_stalled; /* not read from; network thread */
    int close_code;  /* 0: stays */
} net_client;

typedef struct net_request {
    uint32_t number; /* 0: free */
    struct lws *wsi; /* network thread */
    bool is_answered, is_head;
    net_reply reply;
    bool has_begun; /* headers are sent; network thread */
    size_t sent;    /* network thread */
} net_request;

struct net {
    net_def def;
    int port;
    pthread_mutex_t lock;
    pthread_t thread;
    bool has_thread;
    struct lws_context *context;
    struct lws_vhost *vhost;
    atomic_bool must_stop, is_woken;
    uint32_t next_number;
    net_client clients[NET_CLIENTS];
    net_request requests[NET_REQUESTS];
    net_event *first, **last; /* the queue to control */
    idle_list idle;           /* network thread */
};

/* Call lws_cancel_service unless that was done already (net.c). */
void net_wake(net *self);

/* --- net_queue.c; network thread, without the lock ------------------------- */

net_client *net_add_client(net *self, struct lws *wsi); /* NULL: too many */
void net_remove_client(net *self, net_client *client);
net_request *net_add_request(net *self, struct lws *wsi); /* likewise */
void net_remove_request(net *self, net_request *request);
/* Queue an event; false: no memory. `bytes` is copied and may be NULL. */
bool net_post(net *self, net_kind kind, uint32_t number, const void *bytes,
              size_t count, const char *etag);
/* Post a message of a client; true if no more may be read from it now. */
bool net_post_message(net *self, net_client *client, net_kind kind,
                      const void *bytes, size_t count);
bool net_may_read(net *self, const net_client *client);

/* Returns the connection to end, which is no longer in the list; or NULL. */
struct lws *idle_add(idle_list *self, struct lws *connection, int socket);
void idle_remove(idle_list *self, const struct lws *connection);

/* The answer with a file and its etag, or, if that is `known`, without; false:
 * there is no such file (files.c). */
bool studio_file_read(const studio_files *files, const char *address,
                      const char *known, net_reply *out);

/* --- masks.c ------------------------------------------------------------------
 *
 * Frames that a client did not mask end its connection (RFC 6455, 5.1).
 * libwebsockets 4.1 takes such frames and shows nobody the bytes as they come.
 * It reads connections by recv, so the program has a recv of its own, which the
 * dynamic linker prefers to that of the C library: it does the same, follows the
 * headers of the frames on the sockets that are watched, and fails where one
 * lacks the mask. What came with it is not handed out.
 *
 * Thread: network; recv any. Memory: static. */

/* From now on, what is received there are frames. No effect if too many are
 * watched. */
void masks_watch(int descriptor);
void masks_forget(int descriptor); /* no effect if it is not watched */
