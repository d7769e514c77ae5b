/* SPDX-License-Identifier: MIT */
/* Mutated handshakes and messages, thrown at a studio that runs a scene. It
 * must neither crash nor leak, and a good page must still be answered.
 *
 *   studio_fuzz [handshakes [messages [seed]]]
 */
#include "runtime/base/random.h"
#include "runtime/engine/engine.h"
#include "tests/studio/page_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char scene[] =
    "local sb = require 'sandbell'\n"
    "sb.param('p', { max = 2 })\n"
    "sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.2, width = 0.02, thickness = 0.005 } })\n"
    "sb.body('ball', { material = 'steel', shape = sb.sphere { radius = 0.01 },\n"
    "  motion = 'free', position = { 0, 0.05, 0 } })\n";

/* Good messages, which are mutated. */
static const char *const seeds[] = {
    "{\"type\":\"hello\",\"protocol\":1,\"subscribe\":[\"poses\",\"contacts\","
    "\"spectrum\",\"scope\",\"energies\",\"stats\",\"params\",\"log\",\"pcm\","
    "\"trace\",\"textures\"],\"window\":20,\"id\":1}",
    "{\"type\":\"strike\",\"body\":1,\"point\":[0.05,0.0025,0],\"direction\":"
    "[0,-1,0],\"speed\":2,\"striker\":{\"mass\":0.02,\"radius\":0.01,"
    "\"material\":\"steel\",\"model\":\"gradient\"},\"id\":2}",
    "{\"type\":\"probe\",\"body\":1,\"point\":[0,0,0],\"id\":3}",
    "{\"type\":\"scrape\",\"phase\":\"begin\",\"body\":1,\"kind\":\"slide\","
    "\"point\":[0,0,0],\"force\":1,\"velocity\":[0.1,0,0],\"id\":4}",
    "{\"type\":\"scrape\",\"phase\":\"move\",\"point\":[0.01,0,0],\"force\":2}",
    "{\"type\":\"scrape\",\"phase\":\"end\",\"id\":5}",
    "{\"type\":\"throw\",\"body\":2,\"phase\":\"grab\",\"point\":[0,0.2,0]}",
    "{\"type\":\"throw\",\"phase\":\"release\",\"velocity\":[0,1,0],\"spin\":"
    "[1,0,0]}",
    "{\"type\":\"param.set\",\"name\":\"p\",\"value\":1.5,\"id\":6}",
    "{\"type\":\"material.set\",\"body\":1,\"alpha\":3,\"beta\":1e-8,"
    "\"name\":\"glass\",\"id\":7}",
    "{\"type\":\"merge.set\",\"body\":1,\"merge\":2,\"removed\":true}",
    "{\"type\":\"mode.set\",\"body\":1,\"n\":2,\"solo\":true,\"mute\":false}",
    "{\"type\":\"mode.limit\",\"body\":1,\"count\":3}",
    "{\"type\":\"quality.set\",\"budget\":0.5,\"tau\":1,\"slope\":8}",
    "{\"type\":\"room.set\",\"size\":[6,3,8],\"decay\":\"sabine\",\"walls\":"
    "{\"floor\":\"carpet\",\"left\":[0.1,0.1,0.1,0.1,0.1,0.1,0.1]},"
    "\"reverb\":{\"t60\":2,\"level\":-3,\"predelay\":0},\"response\":false}",
    "{\"type\":\"pattern\",\"body\":1,\"n\":2,\"id\":14}",
    "{\"type\":\"watch\",\"body\":1}",
    "{\"type\":\"trace\",\"on\":true}",
    "{\"type\":\"transport\",\"action\":\"play\"}",
    "{\"type\":\"script.get\",\"file\":\"fuzz.lua\",\"id\":8}",
    "{\"type\":\"eval\",\"text\":\"return 1 + 1\",\"id\":9}",
    "{\"type\":\"texture.make\",\"body\":1,\"width\":8,\"height\":8,\"id\":10}",
    "{\"type\":\"texture.begin\",\"body\":1,\"channel\":0}",
    "{\"type\":\"texture.undo\",\"body\":1}",
    "{\"type\":\"texture.commit\",\"body\":1}",
    "{\"type\":\"script.put\",\"file\":\"fuzz.lua\",\"text\":\"local x = 1\","
    "\"rev\":\"0\",\"id\":11}",
    "{\"type\":\"texture.save\",\"body\":1,\"channel\":0,\"file\":\"a.png\"}",
    "{\"type\":\"texture.unsave\","
    "\"file\":\"a.png\"}",
    "{\"type\":\"texture.redo\","
    "\"body\":1}",
    "{\"type\":\"texture.remove\","
    "\"body\":1}",
    "{\"type\":\"open\",\"file\":\"scripts/hello.lua\"}",
    "{\"type\":\"record\",\"action\":\"start\"}",
    "{\"type\":\"record\","
    "\"action\":\"stop\",\"id\":12}",
    "{\"type\":\"recent\","
    "\"seconds\":0.5,\"id\":13}",
    "{\"type\":\"subscribe\",\"add\":[\"pcm\"],\"remove\":[\"log\"]}",
    "{\"type\":\"ack\",\"n\":3}",
    "{\"type\":\"ping\",\"t\":1}",
};
enum { SEEDS = sizeof seeds / sizeof *seeds };

static sb_random stream;

/* Without its end. */
static void put(unsigned char *to, const char *text) {
    while (*text)
        *to++ = (unsigned char)*text++;
}

static int below(int most) {
    return (int)(sb_random_unit(&stream) * most);
}

/* Change, cut, double or insert a few bytes. */
static size_t mutate(unsigned char *bytes, size_t count, size_t most) {
    static const char *const words[] = {"1e999",
                                        "-1",
                                        "null",
                                        "[[[[[[",
                                        "\"\"",
                                        "\\u0000",
                                        "18446744073709551616",
                                        "{",
                                        "nan",
                                        "0.0",
                                        "true",
                                        "[]",
                                        "\xff",
                                        "999999999"};
    for (int changes = 1 + below(4); changes > 0; changes--) {
        size_t at = count ? (size_t)below((int)count) : 0;
        const char *word = words[below((int)(sizeof words / sizeof *words))];
        size_t length = strlen(word);
        switch (below(5)) {
        case 0:
            if (count) bytes[at] = (unsigned char)below(256);
            break;
        case 1:
            if (count) bytes[at] ^= (unsigned char)(1 << below(8));
            break;
        case 2:
            count = at;
            break;
        case 3:
            if (count + length < most) {
                memmove(bytes + at + length, bytes + at, count - at);
                put(bytes + at, word);
                count += length;
            }
            break;
        default:
            if (2 * count < most) {
                memcpy(bytes + count, bytes, count);
                count *= 2;
            }
        }
    }
    return count;
}

/* A texture rect, right or nearly so. */
static size_t make_rect(unsigned char *bytes) {
    uint32_t body = 1;
    uint16_t n[5] = {(uint16_t)below(9), (uint16_t)below(9), 4, 4, 0};
    memset(bytes, 0, 64);
    bytes[0] = 6;
    bytes[1] = 1;
    bytes[2] = 3;
    memcpy(bytes + 16, &body, 4);
    bytes[20] = (unsigned char)(below(3) ? below(4) : 255);
    memcpy(bytes + 22, n, sizeof n);
    return 64;
}

static void throw_handshake(stage *on) {
    unsigned char text[2048];
    int length =
        snprintf((char *)text, sizeof text / 2,
                 "GET /api/v1/%s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
                 "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Version: 13\r\nOrigin: http://127.0.0.1:%d\r\n"
                 "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                 "Authorization: Bearer %s\r\n"
                 "Sec-WebSocket-Protocol: sandbell.v1, token.%s\r\n\r\n",
                 below(2) ? "socket" : "scene", on->port, on->port, on->token,
                 on->token);
    size_t count = mutate(text, (size_t)length, sizeof text);
    page thrown = {.socket = page_connect(on)};
    if (thrown.socket < 0) return;
    ssize_t sent = send(thrown.socket, text, count, MSG_NOSIGNAL);
    (void)sent;
    for (int i = 0; i < 3; i++)
        stage_step(on);
    page_close(&thrown);
}

static void throw_messages(stage *on, int messages) {
    page one = {.socket = -1};
    unsigned char bytes[4096];
    for (int i = 0; i < messages; i++) {
        if (one.socket < 0 || one.is_closed || i % 2000 == 1999) {
            page_close(&one);
            page_open(&one, on, "[\"poses\",\"contacts\",\"textures\"]");
        }
        const char *seed = seeds[below(SEEDS)];
        size_t count = strlen(seed);
        bool is_binary = below(10) == 0;
        put(bytes, seed);
        if (is_binary) count = make_rect(bytes);
        if (below(4)) count = mutate(bytes, count, sizeof bytes);
        page_send(&one, is_binary ? 2 : 1, bytes, count);
        /* All have been read when the ping is answered; a page that has sent
         * too much nonsense is closed instead. */
        if (i % 16 != 15) continue;
        cJSON *pong = page_ask(&one, on, "{\"type\":\"ping\"");
        if (!pong) one.is_closed = true;
        cJSON_Delete(pong);
    }
    page_close(&one);
}

int main(int argc, char **argv) {
    int handshakes = argc > 1 ? atoi(argv[1]) : 60;
    int messages = argc > 2 ? atoi(argv[2]) : 2000;
    char folder[] = "/tmp/sandbell-fuzz-XXXXXX", path[96];
    stage on;
    stream = sb_random_make(argc > 3 ? (uint64_t)atoll(argv[3]) : 1, 0);
    if (!mkdtemp(folder)) return 1;
    (void)snprintf(path, sizeof path, "%s/fuzz.lua", folder);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    (void)fputs(scene, file);
    (void)fclose(file);
    stage_open(&on, path);
    for (int i = 0; i < handshakes; i++)
        throw_handshake(&on);
    throw_messages(&on, messages);
    page good;
    page_open(&good, &on, "[]");
    cJSON *pong = page_ask(&good, &on, "{\"type\":\"ping\",\"t\":7");
    const cJSON *t = cJSON_GetObjectItem(pong, "t");
    bool is_answered = cJSON_IsNumber(t) && t->valuedouble == 7;
    cJSON_Delete(pong);
    page_close(&good);
    long long strikes = sb_engine_read_stats(sb_host_engine(on.host)).strikes;
    stage_close(&on);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/fuzz.lua.session.jsonl", folder);
    (void)unlink(path);
    (void)rmdir(folder);
    (void)printf("%d handshakes, %d messages, %lld strikes: %s\n", handshakes,
                 messages, strikes,
                 is_answered ? "a good page is still answered" : "no answer");
    /* Without strikes the messages have not reached the scene. */
    return is_answered && (strikes > 0 || messages < 1000) ? 0 : 1;
}
