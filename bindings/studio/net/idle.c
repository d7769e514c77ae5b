#include "bindings/studio/net/idle.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>

static void remove_at(idle_list *self, int at) {
    self->count--;
    size_t after = (size_t)(self->count - at);
    memmove(self->connections + at, self->connections + at + 1,
            after * sizeof *self->connections);
    memmove(self->sockets + at, self->sockets + at + 1,
            after * sizeof *self->sockets);
}

/* A request that has come and was not looked at yet. */
static bool has_sent(int socket) {
    int bytes = 0;
    return ioctl(socket, FIONREAD, &bytes) == 0 && bytes > 0;
}

static struct lws *take_oldest(idle_list *self) {
    for (int i = 0; i < self->count; i++) {
        struct lws *oldest = self->connections[i];
        if (has_sent(self->sockets[i])) continue;
        remove_at(self, i);
        return oldest;
    }
    return NULL;
}

struct lws *idle_add(idle_list *self, struct lws *connection, int socket) {
    idle_remove(self, connection);
    struct lws *oldest = self->count >= IDLE_MOST ? take_oldest(self) : NULL;
    if (self->count < IDLE_PLACES) {
        self->connections[self->count] = connection;
        self->sockets[self->count++] = socket;
    }
    return oldest;
}

void idle_remove(idle_list *self, const struct lws *connection) {
    for (int i = self->count - 1; i >= 0; i--)
        if (self->connections[i] == connection) remove_at(self, i);
}
