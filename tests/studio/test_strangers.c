/* SPDX-License-Identifier: MIT */
/* The studio: who may connect, and pages that misbehave. */
#include "runtime/base/memory.h"
#include "tests/studio/stage_test.h"

#include "runtime/base/clock.h"

#include <ifaddrs.h>
#include <netinet/in.h>

/* --- where it listens -------------------------------------------------------------- */

/* The lines of /proc/net/tcp or tcp6 that listen on our port; the first one's
 * address goes to `address`. */
static int listener_count(const char *table, char address[40]) {
    char line[300], local[40];
    unsigned port, state;
    int count = 0;
    FILE *file = fopen(table, "r");
    if (!file) return 0; /* a machine without IPv6 */
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, " %*d: %39[0-9A-F]:%x %*[0-9A-F]:%*x %x", local, &port,
                   &state) != 3 ||
            (int)port != on.port || state != 0x0A) {
            continue;
        }
        if (count++ == 0) memcpy(address, local, sizeof local);
    }
    (void)fclose(file);
    return count;
}

/* Bytes that the studio answers to a request over this address. */
static long answer_over(const struct sockaddr *to, socklen_t size) {
    static const char request[] =
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    char answer[100];
    struct timeval patience = {.tv_sec = 10};
    int descriptor = socket(to->sa_family, SOCK_STREAM, 0);
    long count = 0;
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
                     sizeof patience);
    if (connect(descriptor, to, size) == 0 &&
        send(descriptor, request, sizeof request - 1, MSG_NOSIGNAL) > 0)
        count = (long)recv(descriptor, answer, sizeof answer, 0);
    (void)close(descriptor);
    return count > 0 ? count : 0;
}

START_TEST(it_listens_on_this_machine_only) {
    char address[40] = "";
    ck_assert_int_eq(listener_count("/proc/net/tcp6", address), 0);
    ck_assert_int_eq(listener_count("/proc/net/tcp", address), 1);
    struct in_addr bound = {(in_addr_t)strtoul(address, NULL, 16)};
    ck_assert_uint_eq(bound.s_addr, htonl(INADDR_LOOPBACK));
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)on.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    ck_assert_int_gt(answer_over((struct sockaddr *)&to, sizeof to), 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1); /* 127.0.0.2 */
    ck_assert_int_eq(answer_over((struct sockaddr *)&to, sizeof to), 0);
}
END_TEST

START_TEST(other_addresses_of_this_machine_do_not_answer) {
    struct ifaddrs *all;
    ck_assert_int_eq(getifaddrs(&all), 0);
    for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
        int family = at->ifa_addr ? at->ifa_addr->sa_family : AF_UNSPEC;
        struct sockaddr_storage to = {0};
        in_port_t port = htons((uint16_t)on.port);
        if (family == AF_INET) {
            struct sockaddr_in *v4 = (struct sockaddr_in *)&to;
            memcpy(v4, at->ifa_addr, sizeof *v4);
            if (v4->sin_addr.s_addr == htonl(INADDR_LOOPBACK)) continue;
            v4->sin_port = port;
        } else if (family == AF_INET6) {
            struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&to;
            memcpy(v6, at->ifa_addr, sizeof *v6);
            v6->sin6_port = port;
        } else {
            continue;
        }
        socklen_t size = family == AF_INET ? sizeof(struct sockaddr_in)
                                           : sizeof(struct sockaddr_in6);
        ck_assert_msg(answer_over((struct sockaddr *)&to, size) == 0,
                      "an address of %s is answered", at->ifa_name);
    }
    freeifaddrs(all);
}
END_TEST

/* --- who may connect --------------------------------------------------------------- */

static int status_of(const char *path, const char *headers) {
    char *body;
    size_t count;
    int status = page_get(&on, path, headers, &body, &count);
    free(body);
    return status;
}

START_TEST(strangers_are_refused) {
    char headers[400];
    ck_assert_int_eq(status_of("/healthz", "Host: localhost\r\n"), 200);
    ck_assert_int_eq(status_of("/healthz", "Host: evil.com\r\n"), 403);
    ck_assert_int_eq(
        status_of("/healthz", "Host: localhost\r\nOrigin: http://evil.com\r\n"),
        403);
    ck_assert_int_eq(status_of("/api/v1/scene", "Host: localhost\r\n"), 401);
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %064d\r\n", 0);
    ck_assert_int_eq(status_of("/api/v1/scene", headers), 401);
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %s\r\n", on.token);
    ck_assert_int_eq(status_of("/api/v1/scene", headers), 200);
    ck_assert_int_eq(status_of("/api/v1/nothing", headers), 404);
    ck_assert_int_eq(status_of("POST /api/v1/scene",
                               "Host: localhost\r\nContent-Length: 0\r\n"),
                     405);
    ck_assert_int_eq(
        status_of("CONNECT example.com:443", "Host: localhost\r\n"), 405);
    ck_assert_int_eq(status_of("/page/../studio.h", "Host: localhost\r\n"),
                     404);
    ck_assert_int_eq(status_of("/page/%2e%2e/studio.h", "Host: localhost\r\n"),
                     404);
    ck_assert_int_eq(
        status_of("/lib/three/build/three.module.js", "Host: localhost\r\n"),
        200);
}
END_TEST

/* RFC 6455, 5.1. Also behind frames with a mask, of every length. */
START_TEST(a_frame_without_a_mask_ends_the_connection) {
    static const char *const before[] = {"", "{}", "[1,2]"};
    static char padded[70000];
    for (int i = 0; i < 4; i++) {
        page one, two;
        page_open(&one, &on, "[]");
        page_open(&two, &on, "[]");
        memset(padded, ' ', sizeof padded);
        if (i == 3) page_send(&one, 1, padded, sizeof padded);
        if (i > 0 && i < 3) page_say(&one, before[i]);
        ASK(&one, "pong", "{\"type\":\"ping\",\"t\":1");
        char frame[128] = "\x81 {\"type\":\"eval\",\"text\":\"bad = true\"}";
        frame[1] = (char)strlen(frame + 2);
        ck_assert_int_gt(send(one.socket, frame, strlen(frame), 0), 2);
        page_message message;
        while (page_next(&one, &on, &message))
            page_message_free(&message);
        ck_assert(one.is_closed);
        page_close(&one);
        cJSON *reply =
            page_ask(&two, &on, "{\"type\":\"eval\",\"text\":\"return bad\"");
        ck_assert_str_eq(text(reply, "text"), "nil");
        cJSON_Delete(reply);
        page_close(&two);
    }
}
END_TEST

/* A good handshake with one header changed. */
static int handshake(const char *host, const char *origin, const char *upgrade,
                     const char *token) {
    char headers[700];
    page one;
    (void)snprintf(headers, sizeof headers,
                   "Host: %s\r\n%s%s%sUpgrade: %s\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Version: 13\r\n"
                   "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                   "Sec-WebSocket-Protocol: sandbell.v1, token.%s\r\n",
                   host, *origin ? "Origin: " : "", origin,
                   *origin ? "\r\n" : "", upgrade, token);
    int status = page_handshake(&one, &on, "/api/v1/socket", headers);
    page_close(&one);
    return status;
}

START_TEST(sockets_need_host_origin_and_token) {
    char zeros[65];
    (void)snprintf(zeros, sizeof zeros, "%064d", 0);
    ck_assert_int_eq(handshake("localhost", "", "websocket", on.token), 101);
    ck_assert_int_eq(
        handshake("localhost", "http://localhost", "websocket", on.token), 101);
    ck_assert_int_eq(
        handshake("localhost", "http://evil.com", "websocket", on.token), 403);
    ck_assert_int_eq(handshake("evil.com", "", "websocket", on.token), 403);
    ck_assert_int_eq(
        handshake("evil.com", "http://evil.com", "websocket", on.token), 403);
    ck_assert_int_eq(handshake("localhost", "", "websocket", zeros), 403);
    ck_assert_int_ne(handshake("localhost", "", "h2c", on.token), 101);
}
END_TEST

/* --- bad pages ------------------------------------------------------------------------------------- */

START_TEST(nonsense_is_answered_and_then_closed) {
    page one;
    page_message message;
    int errors = 0;
    page_open(&one, &on, "[]");
    for (int i = 0; i < 25; i++)
        page_say(&one, "nonsense");
    while (page_next(&one, &on, &message)) {
        errors += strcmp(type_of(message.json), "error") == 0;
        page_message_free(&message);
    }
    ck_assert_int_ge(errors, 20);
    ck_assert_int_eq(one.close_code, 1008);
    page_close(&one);
}
END_TEST

START_TEST(a_page_that_never_acknowledges_gets_its_window) {
    page one;
    page_message message;
    page_open(&one, &on, "[\"stats\"]");
    one.acks = false;
    ASK(&one, "ok", "{\"type\":\"subscribe\",\"add\":[\"spectrum\"]");
    for (int i = 0; i < 400; i++)
        stage_step(&on);
    int texts = 0;
    while (texts < 3 && page_next(&one, &on, &message)) {
        texts += message.json != NULL;
        page_message_free(&message);
    }
    ck_assert_uint_le(one.binary_count, 20);
    page_close(&one);
}
END_TEST

START_TEST(a_flood_does_not_keep_others_waiting) {
    page flood, calm;
    char long_text[2000];
    page_open(&flood, &on, "[]");
    page_open(&calm, &on, "[]");
    (void)snprintf(long_text, sizeof long_text, "%*s", 1999,
                   "{\"type\":\"ping\",\"t\":1}");
    /* More than the program takes at once, and less than the kernel holds. */
    for (int i = 0; i < 300; i++)
        page_send(&flood, 1, long_text, sizeof long_text - 1);
    cJSON *pong = page_ask(&calm, &on, "{\"type\":\"ping\",\"t\":5");
    ck_assert_str_eq(type_of(pong), "pong");
    cJSON_Delete(pong);
    int pongs = 0;
    page_message message;
    while (pongs < 300 && page_next(&flood, &on, &message)) {
        pongs += strcmp(type_of(message.json), "pong") == 0;
        page_message_free(&message);
    }
    ck_assert_int_eq(pongs, 300);
    page_close(&flood);
    page_close(&calm);
}
END_TEST

/* Connections that say nothing, half a request, or one request and then nothing:
 * more than the studio holds, and all are left open. */
START_TEST(silent_connections_do_not_keep_a_page_out) {
    static const char *const said[] = {
        "", "GET /healthz HTTP/1.1\r\nHost: local",
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"};
    enum { COUNT = 600 };
    int sockets[COUNT];
    for (int i = 0; i < COUNT; i++) {
        sockets[i] = page_connect(&on);
        ck_assert_int_ge(sockets[i], 0);
        const char *text = said[i % 3];
        /* One that was ended meanwhile refuses it. */
        (void)send(sockets[i], text, strlen(text), MSG_NOSIGNAL);
    }
    double begun_s = sb_clock_s();
    char *body;
    size_t count;
    ck_assert_int_eq(
        page_get(&on, "/healthz", "Host: localhost\r\n", &body, &count), 200);
    free(body);
    page one;
    page_open(&one, &on, "[]");
    cJSON *pong = page_ask(&one, &on, "{\"type\":\"ping\",\"t\":5");
    ck_assert_str_eq(type_of(pong), "pong");
    cJSON_Delete(pong);
    /* Not because the silent ones had given up: they are given 5 s each. */
    ck_assert_double_lt(sb_clock_s() - begun_s, 4);
    page_close(&one);
    for (int i = 0; i < COUNT; i++)
        (void)close(sockets[i]);
}
END_TEST

int main(void) {
    sb_memory_keep_little(); /* as the program does */
    Suite *suite = suite_create("studio: strangers");
    TCase *tcase = tcase_create("studio");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, it_listens_on_this_machine_only);
    tcase_add_test(tcase, other_addresses_of_this_machine_do_not_answer);
    tcase_add_test(tcase, strangers_are_refused);
    tcase_add_test(tcase, a_frame_without_a_mask_ends_the_connection);
    tcase_add_test(tcase, sockets_need_host_origin_and_token);
    tcase_add_test(tcase, nonsense_is_answered_and_then_closed);
    tcase_add_test(tcase, a_page_that_never_acknowledges_gets_its_window);
    tcase_add_test(tcase, a_flood_does_not_keep_others_waiting);
    tcase_add_test(tcase, silent_connections_do_not_keep_a_page_out);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
