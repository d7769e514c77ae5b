/* bindings/studio/net/net_internal.h -- the queues between the network thread and
 * the others. Only net.c and net_queue.c include it.
 *
 * Thread: any; `lock` guards everything here, except what is said to belong to
 * the network thread.
 */
#ifndef SB_BINDINGS_STUDIO_NET_NET_INTERNAL_H
#define SB_BINDINGS_STUDIO_NET_NET_INTERNAL_H

#include "bindings/studio/net/idle.h"
#include "bindings/studio/net/net.h"

#include <pthread.h>

enum {
    NET_REQUESTS = 128,
    NET_UNREAD = 64 /* messages of one client that wait for control */
};

struct lws;
struct lws_context;
struct lws_vhost;

typedef struct net_client {
    uint32_t number; /* 0: free */
    struct lws *wsi; /* network thread */
    mailbox box;
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

#endif
