/* SPDX-License-Identifier: MIT */
/* The queues between the network thread and the others, and its list of idle
 * connections. Thread: any. */
#include "bindings/studio/net/net_internal.h"

#include "runtime/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

static void lock(net *self) {
    (void)pthread_mutex_lock(&self->lock);
}

static void unlock(net *self) {
    (void)pthread_mutex_unlock(&self->lock);
}

static net_client *find_client(net *self, uint32_t number) {
    for (int i = 0; i < NET_CLIENTS && number; i++)
        if (self->clients[i].number == number) return &self->clients[i];
    return NULL;
}

static uint32_t new_number(net *self) {
    self->next_number++;
    if (self->next_number == 0) self->next_number = 1;
    return self->next_number;
}

/* --- for the network thread ----------------------------------------------- */

net_client *net_add_client(net *self, struct lws *wsi) {
    net_client *client = NULL;
    lock(self);
    for (int i = 0; i < NET_CLIENTS && !client; i++)
        if (!self->clients[i].number) client = &self->clients[i];
    if (client) *client = (net_client){.number = new_number(self), .wsi = wsi};
    unlock(self);
    return client;
}

void net_remove_client(net *self, net_client *client) {
    uint32_t number = client->number;
    lock(self);
    mailbox_clear(&client->box);
    *client = (net_client){0};
    unlock(self);
    (void)net_post(self, NET_CLOSED, number, NULL, 0, NULL);
}

net_request *net_add_request(net *self, struct lws *wsi) {
    net_request *request = NULL;
    lock(self);
    for (int i = 0; i < NET_REQUESTS && !request; i++)
        if (!self->requests[i].number) request = &self->requests[i];
    if (request)
        *request = (net_request){.number = new_number(self), .wsi = wsi};
    unlock(self);
    return request;
}

void net_remove_request(net *self, net_request *request) {
    if (!request) return;
    lock(self);
    letter_drop(request->reply.body);
    *request = (net_request){0};
    unlock(self);
}

bool net_post(net *self, net_kind kind, uint32_t number, const void *bytes,
              size_t count, const char *etag) {
    net_event *event = sb_alloc(1, sizeof *event + count + 1);
    if (!event) return false;
    event->kind = kind;
    event->number = number;
    event->bytes = (char *)(event + 1);
    event->count = count;
    if (count) memcpy(event->bytes, bytes, count);
    if (etag) (void)snprintf(event->etag, sizeof event->etag, "%s", etag);
    lock(self);
    *self->last = event;
    self->last = &event->next;
    unlock(self);
    return true;
}

bool net_post_message(net *self, net_client *client, net_kind kind,
                      const void *bytes, size_t count) {
    bool is_posted = net_post(self, kind, client->number, bytes, count, NULL);
    lock(self);
    client->unread += is_posted;
    bool is_full = client->unread >= NET_UNREAD;
    unlock(self);
    return is_full;
}

bool net_may_read(net *self, const net_client *client) {
    lock(self);
    bool may = client->unread < NET_UNREAD / 2;
    unlock(self);
    return may;
}

/* --- for the others ------------------------------------------------------- */

net_event *net_next(net *self) {
    bool must_wake = false;
    lock(self);
    net_event *event = self->first;
    if (event) {
        self->first = event->next;
        if (!self->first) self->last = &self->first;
        net_client *client = event->kind == NET_TEXT ||
                                     event->kind == NET_BINARY ||
                                     event->kind == NET_TOO_LONG
                                 ? find_client(self, event->number)
                                 : NULL;
        if (client) {
            client->unread--;
            must_wake = client->unread == NET_UNREAD / 2 - 1;
        }
    }
    unlock(self);
    if (must_wake) net_wake(self);
    return event;
}

void net_event_free(net_event *event) {
    sb_free(event);
}

void net_answer(net *self, uint32_t request, const net_reply *reply) {
    bool is_found = false;
    lock(self);
    for (int i = 0; i < NET_REQUESTS && request; i++) {
        net_request *r = &self->requests[i];
        if (r->number != request || r->is_answered) continue;
        r->reply = *reply;
        (void)letter_keep(r->reply.body);
        r->is_answered = true;
        is_found = true;
    }
    unlock(self);
    if (is_found) net_wake(self);
}

/* A client, or NULL, until it is left. */
static net_client *take(net *self, uint32_t number) {
    lock(self);
    return find_client(self, number);
}

static void leave(net *self, const net_client *client) {
    bool has_mail =
        client && (client->close_code || mailbox_has_mail(&client->box));
    unlock(self);
    if (has_mail) net_wake(self);
}

void net_send(net *self, uint32_t number, mail_class class, int kind,
              letter *mail) {
    net_client *client = take(self, number);
    if (client) mailbox_put(&client->box, class, kind, mail);
    leave(self, client);
}

void net_subscribe(net *self, uint32_t number, unsigned topics) {
    net_client *client = take(self, number);
    if (client) client->topics = topics;
    leave(self, client);
}

unsigned net_topics(net *self) {
    unsigned all = 0;
    lock(self);
    for (int i = 0; i < NET_CLIENTS; i++)
        all |= self->clients[i].topics;
    unlock(self);
    return all;
}

void net_publish(net *self, unsigned topics, mail_class class, int kind,
                 letter *mail) {
    for (int i = 0; i < NET_CLIENTS; i++) {
        net_client *client = &self->clients[i];
        lock(self);
        if (client->topics & topics)
            mailbox_put(&client->box, class, kind, mail);
        leave(self, client);
    }
}

void net_set_window(net *self, uint32_t number, int window) {
    net_client *client = take(self, number);
    if (client) client->box.window = window;
    leave(self, client);
}

void net_ack(net *self, uint32_t number, uint32_t count) {
    net_client *client = take(self, number);
    if (client) mailbox_ack(&client->box, count);
    leave(self, client);
}

void net_dismiss(net *self, uint32_t number, int code) {
    net_client *client = take(self, number);
    if (client && !client->close_code) client->close_code = code;
    leave(self, client);
}

/* --- idle connections: the network thread's ----------------------------------- */

static void remove_at(idle_list *self, int at) {
    self->count--;
    memmove(self->items + at, self->items + at + 1,
            (size_t)(self->count - at) * sizeof *self->items);
}

/* A request that has come and was not looked at yet. */
static bool has_sent(int socket) {
    int bytes = 0;
    return ioctl(socket, FIONREAD, &bytes) == 0 && bytes > 0;
}

static struct lws *take_oldest(idle_list *self) {
    for (int i = 0; i < self->count; i++) {
        struct lws *oldest = self->items[i].connection;
        if (has_sent(self->items[i].socket)) continue;
        remove_at(self, i);
        return oldest;
    }
    return NULL;
}

struct lws *idle_add(idle_list *self, struct lws *connection, int socket) {
    idle_remove(self, connection);
    struct lws *oldest = self->count >= IDLE_MOST ? take_oldest(self) : NULL;
    if (self->count < IDLE_PLACES)
        self->items[self->count++] = (idle_item){connection, socket};
    return oldest;
}

void idle_remove(idle_list *self, const struct lws *connection) {
    for (int i = self->count - 1; i >= 0; i--)
        if (self->items[i].connection == connection) remove_at(self, i);
}
