/* bindings/studio/net/idle.h -- connections that have no request under way.
 *
 * They stand in the order in which they became idle. When there are more than
 * IDLE_MOST, the oldest that has sent nothing is to be ended, so that connections
 * that are opened and stay silent do not keep pages out. A browser opens another
 * when it has a request.
 *
 * Thread: network.
 */
#ifndef SB_BINDINGS_STUDIO_NET_IDLE_H
#define SB_BINDINGS_STUDIO_NET_IDLE_H

enum {
    IDLE_MOST = 32,   /* six for each page, and some to spare */
    IDLE_PLACES = 512 /* as many as there can be connections */
};

struct lws;

typedef struct idle_list {
    struct lws *connections[IDLE_PLACES];
    int sockets[IDLE_PLACES];
    int count;
} idle_list;

/* Returns the connection to end, which is no longer in the list; or NULL. */
struct lws *idle_add(idle_list *self, struct lws *connection, int socket);
void idle_remove(idle_list *self, const struct lws *connection);

#endif
