/* The studio and its pages: who may connect, files, pages that misbehave, and
 * sessions, by messages to a scene that really runs. */
#include "tests/studio/stage_test.h"

#include <sys/socket.h>

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
    ck_assert_int_eq(status_of("/page/../studio.h", "Host: localhost\r\n"),
                     404);
    ck_assert_int_eq(status_of("/page/%2e%2e/studio.h", "Host: localhost\r\n"),
                     404);
    ck_assert_int_eq(
        status_of("/lib/three/build/three.module.js", "Host: localhost\r\n"),
        200);
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

/* --- the script -------------------------------------------------------------------------------- */

static void escape(const char *from, char *to) {
    for (; *from; from++) {
        if (*from == '\n') {
            *to++ = '\\';
            *to++ = 'n';
            continue;
        }
        if (*from == '"' || *from == '\\') *to++ = '\\';
        *to++ = *from;
    }
    *to = '\0';
}

START_TEST(a_broken_save_changes_nothing_that_sounds) {
    page one;
    char rev[70], good[2048], bad[2100];
    page_open(&one, &on, "[]");
    cJSON *script = page_ask(&one, &on, "{\"type\":\"script.get\"");
    ck_assert_str_eq(text(script, "text"), scene_text);
    (void)snprintf(rev, sizeof rev, "%s", text(script, "rev"));
    cJSON_Delete(script);
    strike_end(&one, body_id("bar"));
    stage_listen(&on, 9600);
    double before = stage_line(&on, mode_hz(body_id("bar"), 1, NULL), 0, 9600);
    escape(scene_text, good);
    (void)snprintf(bad, sizeof bad, "%sthis is not Lua\\n", good);
    cJSON *saved = page_ask(&one, &on,
                            "{\"type\":\"script.put\",\"text\":\"%s\","
                            "\"rev\":\"%s\"",
                            bad, rev);
    ck_assert_str_eq(type_of(saved), "script.saved");
    (void)snprintf(rev, sizeof rev, "%s", text(saved, "rev"));
    cJSON_Delete(saved);
    cJSON *error = page_wait(&one, &on, "reload.error");
    ck_assert_str_eq(text(error, "file"), "scene.lua");
    ck_assert_int_eq((int)number(error, "line"), 9);
    cJSON_Delete(error);
    stage_listen(&on, 9600);
    double after = stage_line(&on, mode_hz(body_id("bar"), 1, NULL), 0, 9600);
    ck_assert_double_gt(after, 0.05 * before);
    ck_assert_double_lt(after, before);
    saved = page_ask(&one, &on,
                     "{\"type\":\"script.put\",\"text\":\"%s\",\"rev\":\"%s\"",
                     good, rev);
    cJSON_Delete(saved);
    cJSON *loaded = page_wait(&one, &on, "reload.ok");
    ck_assert_int_eq((int)number(loaded, "kept"), 3);
    cJSON_Delete(loaded);
    page_close(&one);
}
END_TEST

static void expect_file(const char *name, const char *content) {
    char read[2048] = "";
    FILE *file = fopen(scratch_path(name), "r");
    ck_assert_ptr_nonnull(file);
    size_t count = fread(read, 1, sizeof read - 1, file);
    read[count] = '\0';
    (void)fclose(file);
    ck_assert_str_eq(read, content);
}

START_TEST(files_elsewhere_cannot_be_read_or_written) {
    page one;
    static const char *const names[] = {"../other.lua",
                                        "/etc/passwd",
                                        "link.lua",
                                        "..",
                                        "",
                                        "scene.lua/../x",
                                        "data.txt",
                                        "none.lua",
                                        "./../scene.lua"};
    write_text("data.txt", "data");
    ck_assert_int_eq(symlink("/etc/hostname", scratch_path("link.lua")), 0);
    page_open(&one, &on, "[]");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        EXPECT_ERROR(&one, "refused",
                     "{\"type\":\"script.get\",\"file\":\"%s\"", names[i]);
        EXPECT_ERROR(&one, "refused",
                     "{\"type\":\"script.put\",\"file\":\"%s\",\"text\":\"x\","
                     "\"force\":true",
                     names[i]);
    }
    EXPECT_ERROR(&one, "stale",
                 "{\"type\":\"script.put\",\"text\":\"x\",\"rev\":\"0\"");
    EXPECT_ERROR(&one, "refused",
                 "{\"type\":\"open\",\"file\":\"scripts/../tests/x.lua\"");
    expect_file("scene.lua", scene_text);
    expect_file("data.txt", "data");
    page_close(&one);
}
END_TEST

START_TEST(one_literal_is_written) {
    page one;
    page_open(&one, &on, "[]");
    cJSON *script = page_ask(&one, &on, "{\"type\":\"script.get\"");
    EXPECT_ERROR(&one, "bad_field",
                 "{\"type\":\"source.write\",\"line\":4,\"from\":\"0.005\","
                 "\"to\":\"os.exit()\",\"rev\":\"%s\"",
                 text(script, "rev"));
    EXPECT_ERROR(&one, "failed",
                 "{\"type\":\"source.write\",\"line\":4,\"from\":\"0.00\","
                 "\"to\":\"0.006\",\"rev\":\"%s\"",
                 text(script, "rev"));
    ASK(&one, "script.saved",
        "{\"type\":\"source.write\",\"line\":4,\"from\":\"0.005\",\"to\":"
        "\"0.006\",\"rev\":\"%s\"",
        text(script, "rev"));
    cJSON_Delete(script);
    cJSON *loaded = page_wait(&one, &on, "reload.ok");
    ck_assert_int_eq((int)number(loaded, "kept"), 2);
    cJSON_Delete(loaded);
    page_close(&one);
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

/* --- sessions ---------------------------------------------------------------------------------------- */

START_TEST(a_recorded_session_renders_to_the_same_bytes) {
    page one;
    char digest[2][70];
    page_open(&one, &on, "[]");
    EXPECT_ERROR(&one, "failed", "{\"type\":\"render\",\"seconds\":0.2");
    ASK(&one, "ok", "{\"type\":\"record\",\"action\":\"start\"");
    strike_end(&one, body_id("bar"));
    ASK(&one, "ok", "{\"type\":\"mode.set\",\"body\":%d,\"n\":1,\"mute\":true",
        body_id("bar"));
    strike_end(&one, body_id("bar"));
    ASK(&one, "ok", "{\"type\":\"record\",\"action\":\"stop\"");
    for (int i = 0; i < 2; i++) {
        cJSON *done = page_ask(&one, &on, "{\"type\":\"render\",\"seconds\":1");
        ck_assert_str_eq(type_of(done), "render.done");
        (void)snprintf(digest[i], sizeof digest[i], "%s", text(done, "digest"));
        cJSON_Delete(done);
    }
    ck_assert_str_eq(digest[0], digest[1]);
    page_close(&one);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("studio: pages");
    TCase *tcase = tcase_create("studio");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, strangers_are_refused);
    tcase_add_test(tcase, sockets_need_host_origin_and_token);
    tcase_add_test(tcase, a_broken_save_changes_nothing_that_sounds);
    tcase_add_test(tcase, files_elsewhere_cannot_be_read_or_written);
    tcase_add_test(tcase, one_literal_is_written);
    tcase_add_test(tcase, nonsense_is_answered_and_then_closed);
    tcase_add_test(tcase, a_page_that_never_acknowledges_gets_its_window);
    tcase_add_test(tcase, a_flood_does_not_keep_others_waiting);
    tcase_add_test(tcase, silent_connections_do_not_keep_a_page_out);
    tcase_add_test(tcase, a_recorded_session_renders_to_the_same_bytes);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
