/* The studio, by the messages of pages, on a scene that really runs. */
#include "runtime/base/pi.h"
#include "tests/scratch.h"
#include "tests/studio/page_client.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local p = sb.param('p', { max = 2, default = 1 })\n"
    "bar = sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 } })\n"
    "sb.body('plate', { material = 'glass', position = { 0.5, 0, 0 },\n"
    "  shape = sb.plate { width = 0.2, depth = 0.15, thickness = 0.004 } })\n";

static stage on;

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(scratch_path(name), "w");
    ck_assert_ptr_nonnull(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

static void setup(void) {
    scratch_make();
    write_text("scene.lua", scene_text);
    static char path[300];
    (void)snprintf(path, sizeof path, "%s", scratch_path("scene.lua"));
    stage_open(&on, path);
}

static void teardown(void) {
    stage_close(&on);
    (void)unlink(scratch_path("link.lua"));
    scratch_remove();
}

static const char *type_of(const cJSON *json) {
    const cJSON *type = cJSON_GetObjectItem(json, "type");
    return cJSON_IsString(type) ? type->valuestring : "none";
}

static double number(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(json, name);
    ck_assert_msg(cJSON_IsNumber(item), "%s is missing", name);
    return item->valuedouble;
}

static const char *text(const cJSON *json, const char *name) {
    const cJSON *item = cJSON_GetObjectItem(json, name);
    ck_assert_msg(cJSON_IsString(item), "%s is missing", name);
    return item->valuestring;
}

#define ASK(one, type, ...)                                             \
    do {                                                                \
        cJSON *reply_ = page_ask(one, &on, __VA_ARGS__);                \
        ck_assert_ptr_nonnull(reply_);                                  \
        ck_assert_msg(strcmp(type_of(reply_), type) == 0, "%s: %s",     \
                      type_of(reply_), cJSON_PrintUnformatted(reply_)); \
        cJSON_Delete(reply_);                                           \
    } while (0)

#define EXPECT_ERROR(one, code_, ...)                    \
    do {                                                 \
        cJSON *reply_ = page_ask(one, &on, __VA_ARGS__); \
        ck_assert_str_eq(type_of(reply_), "error");      \
        ck_assert_str_eq(text(reply_, "code"), code_);   \
        cJSON_Delete(reply_);                            \
    } while (0)

static int body_id(const char *name) {
    cJSON *all = page_fetch(&on, "scene");
    const cJSON *bodies =
        cJSON_GetObjectItem(cJSON_GetObjectItem(all, "scene"), "bodies");
    const cJSON *body;
    int id = 0;
    cJSON_ArrayForEach(body, bodies) {
        if (strcmp(text(body, "name"), name) == 0) id = (int)number(body, "id");
    }
    cJSON_Delete(all);
    ck_assert_int_gt(id, 0);
    return id;
}

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

/* --- the scene ----------------------------------------------------------------------- */

START_TEST(meshes_and_mode_shapes_belong_together) {
    char path[100], headers[200], *mesh, *mode;
    size_t mesh_count, mode_count;
    uint32_t head[4];
    float scale;
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %s\r\n", on.token);
    (void)snprintf(path, sizeof path, "/api/v1/bodies/%d/mesh.bin",
                   body_id("bar"));
    ck_assert_int_eq(page_get(&on, path, headers, &mesh, &mesh_count), 200);
    memcpy(head, mesh, sizeof head);
    ck_assert_int_eq(memcmp(mesh, "SBM1", 4), 0);
    ck_assert_uint_eq(mesh_count,
                      32 + (size_t)head[1] * 32 + (size_t)head[2] * 12);
    (void)snprintf(path, sizeof path, "/api/v1/bodies/%d/modes/1.bin",
                   body_id("bar"));
    ck_assert_int_eq(page_get(&on, path, headers, &mode, &mode_count), 200);
    ck_assert_uint_eq(mode_count, 16 + (size_t)head[1] * 8);
    memcpy(&scale, mode + 8, sizeof scale);
    /* The first bending mode of a free bar: 0 at 0.224 of its length, and
     * -0.608 in the middle of what it is at its ends (Euler's beam; this one is
     * a little thick). */
    double ends = 0, middle = 0, node = 1;
    for (uint32_t v = 0; v < head[1]; v++) {
        float at[3];
        int16_t move[4];
        memcpy(at, mesh + 32 + 12 * (size_t)v, sizeof at);
        memcpy(move, mode + 16 + 8 * (size_t)v, sizeof move);
        double y = move[1] / 32767.0 * (double)scale;
        if (fabs((double)at[0]) > 0.0999) ends = y;
        if (fabs((double)at[0]) < 1e-4) middle = y;
        if (fabs(fabs((double)at[0]) - 0.2 * (0.5 - 0.2242)) < 1.2e-3)
            node = fmin(node, fabs(y));
    }
    ck_assert_double_eq_tol(middle / ends, -0.608, 0.01);
    ck_assert_double_lt(node, 0.06 * fabs(ends));
    free(mesh);
    free(mode);
}
END_TEST

/* --- strikes ---------------------------------------------------------------------------- */

/* The energy of mode 1, after a strike at x and some steps. */
static void strike_and_read(page *one, int body, double x, double out[3]) {
    page_message message;
    ASK(one, "struck",
        "{\"type\":\"strike\",\"body\":%d,\"point\":[%.6f,0.0025,0],"
        "\"speed\":1,\"striker\":{\"mass\":0.01}",
        body, x);
    for (int i = 0; i < 12; i++)
        stage_step(&on);
    for (int seen = 0; seen < 3 && page_next(one, &on, &message);) {
        if (message.bytes && message.bytes[0] == 3) {
            float energy[3];
            memcpy(energy, message.bytes + 32, sizeof energy);
            for (int k = 0; k < 3; k++)
                out[k] = (double)energy[k];
            seen++;
        }
        page_message_free(&message);
    }
}

/* Where the first mode of the bar does not move, by the program's own shape. */
static double find_node(page *one, int body) {
    double low = 0.05, high = 0.06;
    for (int i = 0; i < 40; i++) {
        double x = 0.5 * (low + high);
        cJSON *reply = NULL;
        do {
            cJSON_Delete(reply);
            reply = page_ask(one, &on,
                             "{\"type\":\"probe\",\"body\":%d,\"point\":"
                             "[%.9f,0.0025,0]",
                             body, x);
        } while (strcmp(type_of(reply), "error") == 0); /* too soon */
        double phi = cJSON_GetArrayItem(cJSON_GetObjectItem(reply, "phi"), 0)
                         ->valuedouble;
        cJSON_Delete(reply);
        if (phi > 0) {
            low = x;
        } else {
            high = x;
        }
        if (i > 12) break;
    }
    return 0.5 * (low + high);
}

START_TEST(a_strike_on_a_node_leaves_its_mode_silent) {
    page one;
    double there[3] = {0}, node[3] = {0};
    int body = body_id("bar");
    page_open(&one, &on, "[\"energies\",\"contacts\"]");
    ASK(&one, "ok", "{\"type\":\"watch\",\"body\":%d", body);
    double x = find_node(&one, body);
    ck_assert_double_eq_tol(x, 0.2 * (0.5 - 0.2242), 5e-4);
    strike_and_read(&one, body, x, node);
    ck_assert_double_gt(node[1], 1e-7);
    /* 40 dB below the second mode, which is struck where it moves. */
    ck_assert_double_lt(node[0], 1e-4 * node[1]);
    strike_and_read(&one, body, 0.1, there);
    ck_assert_double_gt(there[0], 1e3 * node[0]);
    page_close(&one);
}
END_TEST

/* --- tuning ------------------------------------------------------------------------------- */

static double mode_hz(int body, int n, double *t60) {
    char path[64];
    (void)snprintf(path, sizeof path, "bodies/%d/modes", body);
    cJSON *modes = page_fetch(&on, path);
    const cJSON *row =
        cJSON_GetArrayItem(cJSON_GetObjectItem(modes, "rows"), n - 1);
    double hz = cJSON_GetArrayItem(row, 0)->valuedouble;
    if (t60) *t60 = cJSON_GetArrayItem(row, 1)->valuedouble;
    cJSON_Delete(modes);
    return hz;
}

static void strike_end(page *one, int body) {
    ASK(one, "struck",
        "{\"type\":\"strike\",\"body\":%d,\"point\":[0.1,0.0025,0],"
        "\"speed\":1,\"striker\":{\"mass\":0.01}",
        body);
}

START_TEST(a_soloed_mode_is_the_only_line) {
    page one;
    int body = body_id("bar");
    double first = mode_hz(body, 1, NULL), second = mode_hz(body, 2, NULL);
    page_open(&one, &on, "[]");
    strike_end(&one, body);
    stage_listen(&on, 24000);
    double both = stage_line(&on, first, 4000, 16384);
    ck_assert_double_gt(both, 1e-5);
    ASK(&one, "ok", "{\"type\":\"mode.set\",\"body\":%d,\"n\":2,\"solo\":true",
        body);
    cJSON *settings = page_wait(&one, &on, "settings");
    ck_assert_int_eq(cJSON_GetArraySize(cJSON_GetObjectItem(settings, "solo")),
                     1);
    cJSON_Delete(settings);
    strike_end(&one, body);
    stage_listen(&on, 24000);
    ck_assert_double_gt(stage_line(&on, second, 6000, 16384), 1e-5);
    ck_assert_double_lt(stage_line(&on, first, 6000, 16384), 1e-3 * both);
    ASK(&one, "ok", "{\"type\":\"mode.set\",\"body\":%d,\"n\":null", body);
    stage_listen(&on, 24000);
    ck_assert_double_gt(stage_line(&on, first, 6000, 16384), 0.1 * both);
    page_close(&one);
}
END_TEST

START_TEST(damping_changes_table_and_sound) {
    page one;
    int body = body_id("bar");
    double t60, hz = mode_hz(body, 1, NULL);
    page_open(&one, &on, "[]");
    strike_end(&one, body);
    /* alpha = 2 ln(1000) / T60 for a mode without beta. */
    cJSON *reply = page_ask(&one, &on,
                            "{\"type\":\"material.set\",\"body\":%d,"
                            "\"alpha\":%.9f,\"beta\":0",
                            body, 2.0 * log(1000.0) / 2.0);
    ck_assert_str_eq(text(reply, "change"), "retuned");
    cJSON_Delete(reply);
    ck_assert_double_eq_tol(mode_hz(body, 1, &t60), hz, 1e-6);
    ck_assert_double_eq_tol(t60, 2.0, 1e-6);
    strike_end(&one, body);
    stage_listen(&on, 24000);
    double from = stage_line(&on, hz, 2000, 4800);
    double to = stage_line(&on, hz, 2000 + 12000, 4800);
    /* A quarter of a second is an eighth of its T60: 7.5 dB. Steel as it was
     * loses 1.6 dB in that time. */
    ck_assert_double_gt(to, 1e-6);
    ck_assert_double_eq_tol(20.0 * log10(from / to), 7.5, 0.1);
    EXPECT_ERROR(&one, "bad_field",
                 "{\"type\":\"material.set\",\"body\":%d,\"density\":-1", body);
    EXPECT_ERROR(&one, "no_such_body",
                 "{\"type\":\"material.set\",\"body\":999,\"alpha\":1");
    page_close(&one);
}
END_TEST

START_TEST(two_pages_stay_equal) {
    page one, two;
    page_open(&one, &on, "[\"params\"]");
    page_open(&two, &on, "[\"params\"]");
    ASK(&one, "ok", "{\"type\":\"param.set\",\"name\":\"p\",\"value\":1.25");
    cJSON *params = page_wait(&two, &on, "params");
    const cJSON *first =
        cJSON_GetArrayItem(cJSON_GetObjectItem(params, "params"), 0);
    ck_assert_double_eq_tol(number(first, "value"), 1.25, 1e-12);
    cJSON_Delete(params);
    EXPECT_ERROR(&one, "bad_field",
                 "{\"type\":\"param.set\",\"name\":\"p\",\"value\":3");
    page_close(&one);
    page_close(&two);
}
END_TEST

/* --- time ------------------------------------------------------------------------------------ */

START_TEST(a_pause_stops_time_and_nothing_else) {
    page one;
    page_open(&one, &on, "[]");
    ASK(&one, "ok", "{\"type\":\"transport\",\"action\":\"pause\"");
    for (int i = 0; i < 5; i++)
        stage_step(&on);
    int64_t clock = sb_engine_clock(sb_host_engine(on.host));
    for (int i = 0; i < 20; i++)
        stage_step(&on);
    ck_assert_int_eq(sb_engine_clock(sb_host_engine(on.host)), clock);
    cJSON *reply =
        page_ask(&one, &on, "{\"type\":\"eval\",\"text\":\"=1 + 1\"");
    ck_assert_str_eq(text(reply, "text"), "2");
    cJSON_Delete(reply);
    ASK(&one, "ok", "{\"type\":\"transport\",\"action\":\"step\"");
    for (int i = 0; i < 20; i++)
        stage_step(&on);
    int64_t later = sb_engine_clock(sb_host_engine(on.host));
    ck_assert_int_ge(later, clock + 480);
    ck_assert_int_le(later, clock + 480 + 128);
    ASK(&one, "ok", "{\"type\":\"transport\",\"action\":\"play\"");
    for (int i = 0; i < 20; i++)
        stage_step(&on);
    ck_assert_int_gt(sb_engine_clock(sb_host_engine(on.host)), later + 4800);
    page_close(&one);
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
    ck_assert_int_eq((int)number(error, "line"), 7);
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
    ck_assert_int_eq((int)number(loaded, "kept"), 2);
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
    ck_assert_int_eq((int)number(loaded, "kept"), 1);
    cJSON_Delete(loaded);
    page_close(&one);
}
END_TEST

/* --- painting ------------------------------------------------------------------------------------ */

static double phi_of(page *one, int body, int mode) {
    cJSON *reply = NULL;
    do {
        cJSON_Delete(reply);
        reply = page_ask(one, &on,
                         "{\"type\":\"probe\",\"body\":%d,\"point\":"
                         "[0.09,0.002,0.065]",
                         body);
    } while (strcmp(type_of(reply), "error") == 0);
    double phi = cJSON_GetArrayItem(cJSON_GetObjectItem(reply, "phi"), mode)
                     ->valuedouble;
    cJSON_Delete(reply);
    return phi;
}

static void paint_all(page *one, uint32_t body, unsigned char channel,
                      uint16_t code) {
    unsigned char record[32 + 2 * 32 * 32] = {6, 1};
    uint16_t size = (sizeof record - 16) / 16, n[4] = {0, 0, 32, 32};
    memcpy(record + 2, &size, 2);
    memcpy(record + 16, &body, 4);
    record[20] = channel;
    memcpy(record + 22, n, sizeof n);
    for (int i = 0; i < 32 * 32; i++)
        memcpy(record + 32 + 2 * i, &code, 2);
    page_send(one, 2, record, sizeof record);
}

START_TEST(paint_is_weight) {
    page one, two;
    page_message message;
    int body = body_id("plate");
    page_open(&one, &on, "[\"textures\"]");
    page_open(&two, &on, "[\"textures\"]");
    double before = phi_of(&one, body, 0);
    ck_assert_double_gt(fabs(before), 0.5);
    ASK(&one, "ok",
        "{\"type\":\"texture.make\",\"body\":%d,\"width\":32,\"height\":32",
        body);
    /* The mode shapes, read from a picture of 32 x 32 texels. */
    double made = phi_of(&one, body, 0), third = phi_of(&one, body, 2);
    ck_assert_double_eq_tol(made, before, 0.02 * fabs(before));
    ASK(&one, "ok", "{\"type\":\"texture.begin\",\"body\":%d,\"channel\":0",
        body);
    paint_all(&one, (uint32_t)body, 0, 32768);
    ASK(&one, "ok", "{\"type\":\"texture.commit\",\"body\":%d", body);
    for (int i = 0; i < 5; i++)
        stage_step(&on);
    ck_assert_double_eq_tol(phi_of(&one, body, 0), 0.0, 1e-6);
    ck_assert_double_eq_tol(phi_of(&one, body, 2), third, 1e-6);
    bool is_echoed = false;
    while (!is_echoed && page_next(&two, &on, &message)) {
        is_echoed = message.bytes && message.bytes[0] == 6;
        page_message_free(&message);
    }
    ck_assert(is_echoed);
    ASK(&one, "ok", "{\"type\":\"texture.undo\",\"body\":%d", body);
    for (int i = 0; i < 5; i++)
        stage_step(&on);
    ck_assert_double_eq_tol(phi_of(&one, body, 0), made, 1e-6);
    EXPECT_ERROR(&one, "refused",
                 "{\"type\":\"texture.save\",\"body\":%d,\"channel\":0,"
                 "\"file\":\"../x.png\"",
                 body);
    page_close(&one);
    page_close(&two);
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
    Suite *suite = suite_create("studio");
    TCase *tcase = tcase_create("studio");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, strangers_are_refused);
    tcase_add_test(tcase, sockets_need_host_origin_and_token);
    tcase_add_test(tcase, meshes_and_mode_shapes_belong_together);
    tcase_add_test(tcase, a_strike_on_a_node_leaves_its_mode_silent);
    tcase_add_test(tcase, a_soloed_mode_is_the_only_line);
    tcase_add_test(tcase, damping_changes_table_and_sound);
    tcase_add_test(tcase, two_pages_stay_equal);
    tcase_add_test(tcase, a_pause_stops_time_and_nothing_else);
    tcase_add_test(tcase, a_broken_save_changes_nothing_that_sounds);
    tcase_add_test(tcase, files_elsewhere_cannot_be_read_or_written);
    tcase_add_test(tcase, one_literal_is_written);
    tcase_add_test(tcase, paint_is_weight);
    tcase_add_test(tcase, nonsense_is_answered_and_then_closed);
    tcase_add_test(tcase, a_page_that_never_acknowledges_gets_its_window);
    tcase_add_test(tcase, a_flood_does_not_keep_others_waiting);
    tcase_add_test(tcase, a_recorded_session_renders_to_the_same_bytes);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
