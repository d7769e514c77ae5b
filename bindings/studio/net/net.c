/* SPDX-License-Identifier: MIT */
/* The network thread, by libwebsockets. Everything here runs on it, except
 * what says otherwise. */
#include "bindings/studio/net/net_internal.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"

#include <libwebsockets.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

_Static_assert(LETTER_LEAD >= LWS_PRE, "room for the frame's header");

#define API   "/api/v1/"
#define PLAIN "text/plain; charset=utf-8"

enum {
    CHUNK = 16384,  /* of an answer, per write */
    HEADERS = 2048, /* of an answer */
    STOP_MS = 300,  /* for goodbyes */
    ANSWER_S = 60,  /* for an answer by the control thread */
    CLOSE_POLICY = 1008,
    CLOSE_AWAY = 1001,
    CLOSE_LATER = 1013,
    NET_FILES = NET_CLIENTS + NET_REQUESTS + IDLE_MOST + 64,
    NET_TIMEOUT_S = 5 /* connections that send no request give way */
};

_Static_assert((int)NET_FILES <= (int)IDLE_PLACES, "each may be idle");

/* What belongs to one connection; zero at first. */
typedef struct connection {
    net_client *client;
    net_request *request;
    unsigned char *message; /* fragments so far */
    size_t count;
    bool is_too_long;
} connection;

/* --- what a request says -------------------------------------------------- */

static bool header(struct lws *wsi, enum lws_token_indexes which, char *out,
                   int size) {
    out[0] = '\0';
    int length = lws_hdr_total_length(wsi, which);
    if (length <= 0) return length == 0;
    return lws_hdr_copy(wsi, out, size, which) >= 0;
}

static bool is_own(struct lws *wsi) {
    char host[256], origin[300];
    return header(wsi, WSI_TOKEN_HOST, host, sizeof host) &&
           header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin) &&
           studio_host_is_loopback(host) && studio_origin_is_own(origin, host);
}

static bool has_bearer(const net *self, struct lws *wsi) {
    char text[200];
    return header(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, text, sizeof text) &&
           studio_bearer_is(self->def.token, text);
}

/* Did it come over 127.0.0.1? Asked of the socket itself, whatever the library
 * has made of the address to listen on. */
static bool is_local(int descriptor) {
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    return getsockname(descriptor, (struct sockaddr *)&own, &size) == 0 &&
           own.sin_family == AF_INET &&
           own.sin_addr.s_addr == htonl(INADDR_LOOPBACK);
}

/* Refuse an upgrade with a status; the connection ends. */
static int refuse(struct lws *wsi, unsigned status) {
    (void)lws_return_http_status(wsi, status, NULL);
    return 1;
}

/* CONNECT: the library leaves HTTP and would wait for ever. */
static int refuse_tunnel(struct lws *wsi) {
    static const char answer[] = "HTTP/1.1 405 Method Not Allowed\r\n"
                                 "allow: GET, HEAD\r\ncontent-length: 0\r\n"
                                 "connection: close\r\n\r\n";
    unsigned char bytes[LWS_PRE + sizeof answer];
    memcpy(bytes + LWS_PRE, answer, sizeof answer);
    (void)lws_write(wsi, bytes + LWS_PRE, sizeof answer - 1, LWS_WRITE_RAW);
    return -1;
}

/* An upgrade: to a socket of ours with the token, and to nothing else. The
 * argument of the callback may be freed memory on 4.1.6: the header is read
 * again. */
static int confirm_upgrade(const net *self, struct lws *wsi) {
    char to[32], path[64], protocols[300];
    if (!header(wsi, WSI_TOKEN_UPGRADE, to, sizeof to) ||
        strcasecmp(to, "websocket") != 0) {
        return -1;
    }
    if (!header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) ||
        strcmp(path, API "socket") != 0) {
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    }
    if (!is_own(wsi) ||
        !header(wsi, WSI_TOKEN_PROTOCOL, protocols, sizeof protocols) ||
        !studio_protocols_are(self->def.token, protocols)) {
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    }
    return 0;
}

/* --- answers -------------------------------------------------------------- */

static bool add_header(struct lws *wsi, const char *name, const char *value,
                       unsigned char **p, unsigned char *end) {
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value,
                                       (int)strlen(value), p, end) == 0;
}

static const char *const fixed_headers[][2] = {
    {"x-content-type-options:", "nosniff"},
    {"referrer-policy:", "no-referrer"},
    {"cache-control:", "no-cache"},
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
     "'self'; img-src 'self' blob:; worker-src 'self'; font-src 'self'"},
};

static bool begin_answer(struct lws *wsi, net_request *request) {
    unsigned char buffer[LWS_PRE + HEADERS];
    unsigned char *start = buffer + LWS_PRE, *p = start;
    unsigned char *end = buffer + sizeof buffer - 1;
    const net_reply *reply = &request->reply;
    size_t count = reply->body ? reply->body->count : 0;
    if (lws_add_http_common_headers(wsi, (unsigned)reply->status, reply->type,
                                    count, &p, end)) {
        return false;
    }
    for (size_t i = 0; i < sizeof fixed_headers / sizeof *fixed_headers; i++)
        if (!add_header(wsi, fixed_headers[i][0], fixed_headers[i][1], &p, end))
            return false;
    if (*reply->etag && !add_header(wsi, "etag:", reply->etag, &p, end))
        return false;
    if (lws_finalize_write_http_header(wsi, start, &p, end)) return false;
    request->has_begun = true;
    return true;
}

static void be_idle(net *self, struct lws *wsi) {
    struct lws *oldest = idle_add(&self->idle, wsi, lws_get_socket_fd(wsi));
    /* After this event, in which it may have a part. */
    if (oldest)
        lws_set_timeout(oldest, PENDING_TIMEOUT_KILLED_BY_PARENT,
                        LWS_TO_KILL_ASYNC);
}

static int end_answer(net *self, struct lws *wsi, connection *s) {
    net_remove_request(self, s->request);
    s->request = NULL;
    be_idle(self, wsi);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

/* Write the next part; the rest follows when the socket can take more. */
static int go_on(net *self, struct lws *wsi, connection *s) {
    net_request *request = s->request;
    if (!request || !request->is_answered) return 0;
    if (!request->has_begun && !begin_answer(wsi, request)) return -1;
    const letter *body = request->reply.body;
    size_t left = body ? body->count - request->sent : 0;
    if (left == 0 || request->is_head) return end_answer(self, wsi, s);
    size_t count = left < CHUNK ? left : CHUNK;
    unsigned char part[LWS_PRE + CHUNK];
    memcpy(part + LWS_PRE, body->bytes + request->sent, count);
    enum lws_write_protocol how =
        count == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
    if (lws_write(wsi, part + LWS_PRE, count, how) < (int)count) return -1;
    request->sent += count;
    if (count == left) return end_answer(self, wsi, s);
    (void)lws_callback_on_writable(wsi);
    return 0;
}

static int answer_now(net *self, struct lws *wsi, connection *s,
                      const net_reply *reply) {
    net_answer(self, s->request->number, reply);
    letter_drop(reply->body);
    return go_on(self, wsi, s);
}

static int answer_text(net *self, struct lws *wsi, connection *s, int status,
                       const char *type, const char *text) {
    net_reply reply = {
        .status = status, .type = type, .body = letter_text(text)};
    return answer_now(self, wsi, s, &reply);
}

static int answer_code(net *self, struct lws *wsi, connection *s, int status,
                       const char *code, const char *message) {
    char text[300];
    (void)snprintf(text, sizeof text, "{\"code\":\"%s\",\"message\":\"%s\"}",
                   code, message);
    return answer_text(self, wsi, s, status, "application/json", text);
}

static int answer_file(net *self, struct lws *wsi, connection *s,
                       const char *path, const char *known) {
    net_reply reply = {0};
    if (!studio_file_read(&self->def.files, path, known, &reply))
        return answer_text(self, wsi, s, 404, PLAIN, "no such file\n");
    return answer_now(self, wsi, s, &reply);
}

static int answer_api(net *self, struct lws *wsi, connection *s,
                      const char *path, const char *known) {
    if (!has_bearer(self, wsi)) {
        return answer_code(self, wsi, s, 401, "refused",
                           "the token is missing or wrong");
    }
    if (strncmp(path, API, sizeof API - 1) != 0)
        return answer_code(self, wsi, s, 404, "not_found", "no such address");
    const char *rest = path + sizeof API - 1;
    if (!net_post(self, NET_GET, s->request->number, rest, strlen(rest), known))
        return answer_code(self, wsi, s, 503, "busy", "out of memory");
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, ANSWER_S);
    return 0;
}

static int take_request(net *self, struct lws *wsi, connection *s) {
    char path[512] = "", known[STUDIO_ETAG_SIZE];
    bool is_get = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0;
    bool is_head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    net_remove_request(self, s->request);
    s->request = net_add_request(self, wsi);
    if (!s->request) return -1;
    s->request->is_head = is_head;
    if (!is_own(wsi))
        return answer_code(self, wsi, s, 403, "refused",
                           "the host or the origin is another one");
    if (!is_get && !is_head)
        return answer_code(self, wsi, s, 405, "refused", "GET and HEAD only");
    if (!header(wsi, is_get ? WSI_TOKEN_GET_URI : WSI_TOKEN_HEAD_URI, path,
                sizeof path)) {
        return answer_code(self, wsi, s, 404, "not_found", "too long");
    }
    if (!header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, known, sizeof known))
        known[0] = '\0';
    if (strcmp(path, "/healthz") == 0)
        return answer_text(self, wsi, s, 200, PLAIN, "ok\n");
    if (strncmp(path, "/api/", 5) == 0)
        return answer_api(self, wsi, s, path, known);
    return answer_file(self, wsi, s, path, known);
}

/* --- sockets -------------------------------------------------------------- */

static int add_client(net *self, struct lws *wsi, connection *s) {
    s->client = net_add_client(self, wsi);
    if (!s->client) {
        lws_close_reason(wsi, (enum lws_close_status)CLOSE_LATER, NULL, 0);
        return -1;
    }
    return net_post(self, NET_OPENED, s->client->number, NULL, 0, NULL) ? 0
                                                                        : -1;
}

/* Join the fragments of a message, and post it when it is whole. */
static int receive(net *self, struct lws *wsi, connection *s, const void *in,
                   size_t count) {
    lws_validity_confirmed(wsi);
    if (!s->client) return -1;
    if (lws_is_first_fragment(wsi)) {
        s->count = 0;
        s->is_too_long = false;
    }
    s->is_too_long |= s->count + count > NET_MESSAGE_BYTES;
    if (!s->is_too_long && count > 0) {
        unsigned char *grown = sb_resize(s->message, s->count + count, 1);
        if (!grown) return -1;
        s->message = grown;
        memcpy(s->message + s->count, in, count);
        s->count += count;
    }
    if (!lws_is_final_fragment(wsi)) return 0;
    net_kind kind = s->is_too_long             ? NET_TOO_LONG
                    : lws_frame_is_binary(wsi) ? NET_BINARY
                                               : NET_TEXT;
    size_t whole = s->is_too_long ? 0 : s->count;
    if (net_post_message(self, s->client, kind, s->message, whole)) {
        s->client->is_stalled = true;
        (void)lws_rx_flow_control(wsi, 0);
    }
    sb_free(s->message);
    s->message = NULL;
    s->count = 0;
    return 0;
}

static int say_goodbye(struct lws *wsi, int code) {
    lws_close_reason(wsi, (enum lws_close_status)code, NULL, 0);
    return -1;
}

static int deliver(net *self, struct lws *wsi, connection *s) {
    net_client *client = s->client;
    if (!client) return 0;
    (void)pthread_mutex_lock(&self->lock);
    int code = client->close_code;
    bool is_over = client->box.is_over;
    /* A page that is dismissed still gets what it was answered. */
    letter *mail = is_over ? NULL : mailbox_take(&client->box);
    bool has_more = mailbox_has_mail(&client->box);
    (void)pthread_mutex_unlock(&self->lock);
    if (is_over) return say_goodbye(wsi, CLOSE_POLICY);
    if (!mail && code) return say_goodbye(wsi, code);
    if (!mail) return 0;
    enum lws_write_protocol how =
        mail->is_binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT;
    int sent = lws_write(wsi, mail->bytes, mail->count, how);
    int status = sent < (int)mail->count ? -1 : 0;
    letter_drop(mail);
    if (has_more || code) (void)lws_callback_on_writable(wsi);
    return status;
}

/* Another thread has put something somewhere. */
static void look_around(net *self) {
    atomic_store(&self->is_woken, false);
    for (int i = 0; i < NET_CLIENTS; i++) {
        net_client *client = &self->clients[i];
        if (!client->wsi) continue;
        (void)pthread_mutex_lock(&self->lock);
        bool has_mail = client->close_code || mailbox_has_mail(&client->box);
        (void)pthread_mutex_unlock(&self->lock);
        if (has_mail) (void)lws_callback_on_writable(client->wsi);
        if (client->is_stalled && net_may_read(self, client)) {
            client->is_stalled = false;
            (void)lws_rx_flow_control(client->wsi, 1);
        }
    }
    for (int i = 0; i < NET_REQUESTS; i++) {
        net_request *request = &self->requests[i];
        (void)pthread_mutex_lock(&self->lock);
        bool is_due = request->wsi && request->is_answered;
        (void)pthread_mutex_unlock(&self->lock);
        if (is_due) (void)lws_callback_on_writable(request->wsi);
    }
}

static void drop_connection(net *self, connection *s) {
    if (s->client) net_remove_client(self, s->client);
    net_remove_request(self, s->request);
    sb_free(s->message);
    *s = (connection){0};
}

static int on_event(struct lws *wsi, enum lws_callback_reasons reason,
                    void *user, void *in, size_t count) {
    struct lws_context *context = lws_get_context(wsi);
    net *self = context ? lws_context_user(context) : NULL;
    connection *s = user;
    if (!self) return 0;
    switch ((int)reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
        return is_local((int)(intptr_t)in) ? 0 : -1;
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        masks_forget(lws_get_socket_fd(wsi)); /* of one before it */
        be_idle(self, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        idle_remove(&self->idle, wsi);
        return 0;
    case LWS_CALLBACK_RAW_ADOPT:
        return refuse_tunnel(wsi);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        idle_remove(&self->idle, wsi);
        return confirm_upgrade(self, wsi);
    case LWS_CALLBACK_HTTP:
        idle_remove(&self->idle, wsi);
        return s ? take_request(self, wsi, s) : -1;
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return s ? go_on(self, wsi, s) : -1;
    case LWS_CALLBACK_ESTABLISHED:
        masks_watch(lws_get_socket_fd(wsi));
        return s ? add_client(self, wsi, s) : -1;
    case LWS_CALLBACK_RECEIVE:
        return s ? receive(self, wsi, s, in, count) : -1;
    case LWS_CALLBACK_RECEIVE_PONG:
        lws_validity_confirmed(wsi);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return s ? deliver(self, wsi, s) : -1;
    case LWS_CALLBACK_CLOSED:
        masks_forget(lws_get_socket_fd(wsi));
        if (s) drop_connection(self, s);
        return 0;
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (s) drop_connection(self, s);
        return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        look_around(self);
        return 0;
    default:
        return 0;
    }
}

static const struct lws_protocols protocols[] = {
    {.name = "http",
     .callback = on_event,
     .per_session_data_size = sizeof(connection)},
    {.name = "sandbell.v1",
     .callback = on_event,
     .per_session_data_size = sizeof(connection),
     .rx_buffer_size = 65536},
    {.name = NULL},
};

/* After 10 s of silence a ping, after 30 the end. */
static const lws_retry_bo_t patience = {.secs_since_valid_ping = 10,
                                        .secs_since_valid_hangup = 30};

/* --- the thread ----------------------------------------------------------- */

static int client_count(net *self) {
    int count = 0;
    for (int i = 0; i < NET_CLIENTS; i++)
        count += self->clients[i].wsi != NULL;
    return count;
}

static void say_all_goodbye(net *self) {
    for (int i = 0; i < NET_CLIENTS; i++) {
        (void)pthread_mutex_lock(&self->lock);
        self->clients[i].close_code = CLOSE_AWAY;
        (void)pthread_mutex_unlock(&self->lock);
        if (self->clients[i].wsi)
            (void)lws_callback_on_writable(self->clients[i].wsi);
    }
    int64_t until_ns = sb_clock_ns() + STOP_MS * INT64_C(1000000);
    while (client_count(self) > 0 && sb_clock_ns() < until_ns) {
        /* Wakes itself: nothing else may happen on the sockets. */
        lws_cancel_service(self->context);
        if (lws_service(self->context, 0) < 0) break;
        struct timespec span = {0, 1000000};
        (void)nanosleep(&span, NULL);
    }
}

static void *serve(void *user) {
    net *self = user;
    (void)pthread_setname_np(pthread_self(), "studio-net");
    while (!atomic_load(&self->must_stop))
        if (lws_service(self->context, 0) < 0) break;
    say_all_goodbye(self);
    return NULL;
}

/* --- opening and closing: the thread that owns it ------------------------- */

/* Thread: any. */
void net_wake(net *self) {
    if (!atomic_exchange(&self->is_woken, true))
        lws_cancel_service(self->context);
}

static sb_status open_vhost(net *self, sb_error *err) {
    struct lws_context_creation_info info = {0};
    info.port = self->def.port;
    info.iface = "127.0.0.1";
    info.protocols = protocols;
    info.retry_and_idle_policy = &patience;
    /* With IPv6 the library ignores `iface` and listens on every address. */
    info.options =
        LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DISABLE_IPV6;
    info.fd_limit_per_thread = NET_FILES;
    /* Whoever is in the middle of its headers holds one. */
    info.max_http_header_pool = IDLE_MOST + NET_REQUESTS;
    info.user = self;
    info.keepalive_timeout = 30;
    info.timeout_secs = NET_TIMEOUT_S;
    self->context = lws_create_context(&info);
    if (!self->context)
        return sb_fail(err, SB_NO_MEMORY, "studio: the server did not start");
    self->vhost = lws_create_vhost(self->context, &info);
    self->port = self->vhost ? lws_get_vhost_listen_port(self->vhost) : -1;
    if (self->port > 0) return SB_OK;
    lws_context_destroy(self->context);
    self->context = NULL;
    return sb_fail(err, SB_IO_ERROR,
                   "studio: port %d of 127.0.0.1 is taken; choose another "
                   "with --port, or none for any free one",
                   self->def.port);
}

sb_status net_open(const net_def *def, net **out, sb_error *err) {
    net *self = sb_alloc(1, sizeof *self);
    if (!self) return sb_no_memory(err, "studio");
    self->def = *def;
    self->last = &self->first;
    (void)pthread_mutex_init(&self->lock, NULL);
    lws_set_log_level(0, NULL);
    sb_status status = open_vhost(self, err);
    if (!status && pthread_create(&self->thread, NULL, serve, self)) {
        lws_context_destroy(self->context);
        status = sb_fail(err, SB_NO_MEMORY, "studio: no thread for the server");
    }
    self->has_thread = !status;
    if (status) {
        net_close(self);
        return status;
    }
    *out = self;
    return SB_OK;
}

int net_port(const net *self) {
    return self->port;
}

void net_close(net *self) {
    if (!self) return;
    if (self->has_thread) {
        atomic_store(&self->must_stop, true);
        lws_cancel_service(self->context);
        (void)pthread_join(self->thread, NULL);
        lws_context_destroy(self->context);
    }
    for (int i = 0; i < NET_CLIENTS; i++)
        mailbox_clear(&self->clients[i].box);
    for (int i = 0; i < NET_REQUESTS; i++)
        letter_drop(self->requests[i].reply.body);
    net_event *event;
    while ((event = net_next(self)))
        net_event_free(event);
    (void)pthread_mutex_destroy(&self->lock);
    sb_free(self);
}
