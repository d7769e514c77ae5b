/* SPDX-License-Identifier: MIT */
/* What pages see, strike, tune and paint, by messages to a scene that really
 * runs and is heard. */
#include "runtime/engine/engine.h"
#include "tests/studio/stage_test.h"

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

/* The roster is looked at ten times a second, and pages may ask earlier. */
START_TEST(a_body_that_was_removed_has_nothing_to_fetch) {
    const char *const names[] = {"mesh.bin", "modes", "modes/1.bin"};
    char path[100], headers[200], *bytes;
    size_t count;
    page one;
    page_open(&one, &on, "[]");
    int id = body_id("plate");
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %s\r\n", on.token);
    cJSON_Delete(page_ask(&one, &on,
                          "{\"type\":\"eval\",\"text\":"
                          "\"sb.find('plate'):remove()\""));
    /* It fades out first. */
    int status = 200, gone = 0;
    for (int i = 0; i < 2000 && gone < 6; i++) {
        (void)snprintf(path, sizeof path, "/api/v1/bodies/%d/%s", id,
                       names[i % 3]);
        status = page_get(&on, path, headers, &bytes, &count);
        free(bytes);
        ck_assert_int_eq(status, gone > 0 || status == 204 ? 204 : 200);
        gone += status == 204;
    }
    ck_assert_int_eq(gone, 6);
    (void)snprintf(path, sizeof path, "/api/v1/bodies/%d/mesh.bin", 999);
    ck_assert_int_eq(page_get(&on, path, headers, &bytes, &count), 404);
    free(bytes);
    page_close(&one);
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

/* What pointing there shows is what a strike there does, on every face: a mode
 * with phi = 0 along the strike stays silent, and one with the most does not. */
START_TEST(a_probe_shows_what_a_strike_in_its_direction_excites) {
    static const struct {
        const char *point, *direction;
        int least, most; /* of modes 1 to 3: flexural 1, 2, lateral 1 */
    } faces[] = {{"[0.07,0.0025,0]", "[0,-1,0]", 2, 0},
                 {"[0.07,0,0.01]", "[0,0,-1]", 0, 2},
                 {"[0.07,0,-0.01]", "[0,0,1]", 1, 2}};
    page one;
    page_message message;
    int body = body_id("bar");
    page_open(&one, &on, "[\"energies\"]");
    ASK(&one, "ok", "{\"type\":\"watch\",\"body\":%d", body);
    for (int f = 0; f < 3; f++) {
        char where[200];
        (void)snprintf(where, sizeof where,
                       "\"body\":%d,\"point\":%s,\"direction\":%s", body,
                       faces[f].point, faces[f].direction);
        cJSON *reply = NULL;
        do {
            cJSON_Delete(reply);
            reply = page_ask(&one, &on, "{\"type\":\"probe\",%s", where);
        } while (strcmp(type_of(reply), "error") == 0); /* too soon */
        const cJSON *phi = cJSON_GetObjectItem(reply, "phi");
        char *told =
            cJSON_PrintUnformatted(cJSON_GetObjectItem(reply, "direction"));
        ck_assert_str_eq(told, faces[f].direction);
        cJSON_free(told);
        ck_assert_double_eq_tol(
            cJSON_GetArrayItem(phi, faces[f].least)->valuedouble, 0, 1e-12);
        ck_assert_double_gt(
            fabs(cJSON_GetArrayItem(phi, faces[f].most)->valuedouble), 1);
        cJSON_Delete(reply);
        ASK(&one, "ok", "{\"type\":\"transport\",\"action\":\"reset\"");
        cJSON_Delete(page_wait(&one, &on, "reload.ok"));
        ASK(&one, "struck",
            "{\"type\":\"strike\",%s,\"speed\":1,\"striker\":{\"mass\":0.01}",
            where);
        float energy[3] = {0};
        while (!(energy[faces[f].most] > 0) && page_next(&one, &on, &message)) {
            if (message.bytes && message.bytes[0] == 3)
                memcpy(energy, message.bytes + 32, sizeof energy);
            page_message_free(&message);
        }
        ck_assert_float_gt(energy[faces[f].most], 1e-9f);
        ck_assert_float_lt(energy[faces[f].least],
                           1e-12f * energy[faces[f].most]);
    }
    page_close(&one);
}
END_TEST

START_TEST(a_traced_contact_has_the_impulse_that_is_reported) {
    page one;
    page_message message;
    int body = body_id("bar");
    double sum_ns = 0, impulse_ns = 0, seen_rows = 0, told_rows = -1;
    double last_s = 0, most_n = 0, peak_n = 0;
    int pushing = 0;
    int later = 0;
    page_open(&one, &on, "[\"trace\",\"contacts\",\"stats\"]");
    ASK(&one, "ok", "{\"type\":\"trace\",\"on\":true");
    for (int i = 0; i < 5; i++)
        stage_step(&on);
    ASK(&one, "struck",
        "{\"type\":\"strike\",\"body\":%d,\"point\":[0.1,0.0025,0],"
        "\"speed\":1,\"striker\":{\"mass\":0.01,\"radius\":0.02}",
        body);
    /* The bar may come back and touch the striker again: all their contacts are
     * in the trace, and are reported, some of them later. */
    while (later < 2 && page_next(&one, &on, &message)) {
        later += told_rows >= 0 && strcmp(type_of(message.json), "stats") == 0;
        if (message.bytes && message.bytes[0] == 8) {
            uint16_t rows;
            memcpy(&rows, message.bytes + 16, sizeof rows);
            for (int r = 0; r < rows; r++) {
                float time_force[2]; /* s, N */
                memcpy(time_force, message.bytes + 32 + 32 * r, 8);
                double force_n = (double)time_force[1];
                if (seen_rows == 0 && r == 0) ck_assert_double_eq(force_n, 0);
                sum_ns += force_n * ((double)time_force[0] - last_s);
                last_s = (double)time_force[0];
                most_n = fmax(most_n, force_n);
                pushing += force_n > 0;
            }
            seen_rows += rows;
        } else if (strcmp(type_of(message.json), "trace.end") == 0) {
            told_rows = number(message.json, "rows");
        } else if (strcmp(type_of(message.json), "contacts") == 0) {
            const cJSON *item;
            cJSON_ArrayForEach(item,
                               cJSON_GetObjectItem(message.json, "items")) {
                ck_assert_int_eq(cJSON_GetArrayItem(item, 1)->valueint, body);
                impulse_ns += cJSON_GetArrayItem(item, 3)->valuedouble;
                peak_n =
                    fmax(peak_n, cJSON_GetArrayItem(item, 13)->valuedouble);
            }
        }
        page_message_free(&message);
    }
    ck_assert_double_gt(seen_rows, 10);
    ck_assert_double_eq_tol(seen_rows, told_rows, 0.5);
    ck_assert_double_gt(impulse_ns, 1e-4);
    ck_assert_double_eq_tol(sum_ns / impulse_ns, 1.0, 1e-3);
    /* Steel on steel, 3 frames of 48 kHz: the curve is one all the same, and
     * its peak the one that is reported. */
    ck_assert_int_ge(pushing, 28);
    ck_assert_double_eq_tol(most_n / peak_n, 1.0, 5e-3);
    page_close(&one);
}
END_TEST

START_TEST(a_mouse_that_scrapes_is_heard_until_it_leaves) {
    page one;
    int body = body_id("bar");
    page_open(&one, &on, "[]");
    ASK(&one, "ok",
        "{\"type\":\"scrape\",\"phase\":\"begin\",\"body\":%d,\"kind\":"
        "\"slide\",\"point\":[0.05,0.0025,0],\"force\":5,\"velocity\":"
        "[0.5,0,0],\"striker\":{\"radius\":0.001}",
        body);
    page_say(&one, "{\"type\":\"scrape\",\"phase\":\"move\",\"point\":"
                   "[0.1,0.0025,0],\"force\":5,\"velocity\":[0.5,0,0]}");
    stage_listen(&on, 9600);
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(on.host));
    ck_assert_int_eq(stats.touching, 1);
    double loud = 0;
    for (int n = 0; n < 9600; n++)
        loud = fmax(loud, fabs((double)on.heard[n]));
    ck_assert_double_gt(loud, 1e-6);
    EXPECT_ERROR(&one, "bad_field",
                 "{\"type\":\"scrape\",\"phase\":\"begin\",\"body\":%d,"
                 "\"kind\":\"none\"",
                 body);
    page_close(&one); /* without saying goodbye */
    for (int i = 0; i < 200 && stats.touching > 0; i++) {
        (void)usleep(1000);
        stage_step(&on);
        stats = sb_engine_read_stats(sb_host_engine(on.host));
    }
    ck_assert_int_eq(stats.touching, 0);
}
END_TEST

/* Where the ball is, by the poses that pages get. */
static void wait_for_ball(page *one, uint32_t ball, float at[3], int count) {
    page_message message;
    for (int seen = 0; seen < count && page_next(one, &on, &message);) {
        for (size_t i = 32;
             message.bytes && message.bytes[0] == 4 && i + 32 <= message.count;
             i += 32) {
            uint32_t number_of;
            memcpy(&number_of, message.bytes + i, 4);
            if (number_of != ball) continue;
            memcpy(at, message.bytes + i + 4, 12);
            seen++;
        }
        page_message_free(&message);
    }
}

START_TEST(a_held_body_follows_the_hand_and_can_be_thrown) {
    page one;
    float at[3] = {0}, later[3] = {0};
    int ball = body_id("ball");
    page_open(&one, &on, "[\"poses\"]");
    EXPECT_ERROR(&one, "bad_field",
                 "{\"type\":\"throw\",\"phase\":\"grab\",\"body\":%d,"
                 "\"point\":[0,0,0]",
                 body_id("bar"));
    ASK(&one, "ok",
        "{\"type\":\"throw\",\"phase\":\"grab\",\"body\":%d,\"point\":"
        "[5.5,2,0]",
        ball);
    for (int i = 0; i < 200; i++)
        stage_step(&on);
    wait_for_ball(&one, (uint32_t)ball, at, 20);
    ck_assert_double_eq_tol((double)at[0], 5.5, 0.02);
    ck_assert_double_eq_tol((double)at[1], 2.0, 0.02);
    ASK(&one, "ok",
        "{\"type\":\"throw\",\"phase\":\"release\",\"velocity\":[3,0,0]");
    for (int i = 0; i < 20; i++)
        stage_step(&on);
    wait_for_ball(&one, (uint32_t)ball, later, 3);
    ck_assert_double_gt((double)later[0], (double)at[0] + 0.3);
    ck_assert_double_lt((double)later[1], (double)at[1]);
    page_close(&one);
}
END_TEST

/* --- tuning ------------------------------------------------------------------------------- */

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

int main(void) {
    Suite *suite = suite_create("studio: sound");
    TCase *tcase = tcase_create("studio");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, meshes_and_mode_shapes_belong_together);
    tcase_add_test(tcase, a_body_that_was_removed_has_nothing_to_fetch);
    tcase_add_test(tcase, a_strike_on_a_node_leaves_its_mode_silent);
    tcase_add_test(tcase, a_probe_shows_what_a_strike_in_its_direction_excites);
    tcase_add_test(tcase, a_traced_contact_has_the_impulse_that_is_reported);
    tcase_add_test(tcase, a_mouse_that_scrapes_is_heard_until_it_leaves);
    tcase_add_test(tcase, a_held_body_follows_the_hand_and_can_be_thrown);
    tcase_add_test(tcase, a_soloed_mode_is_the_only_line);
    tcase_add_test(tcase, damping_changes_table_and_sound);
    tcase_add_test(tcase, two_pages_stay_equal);
    tcase_add_test(tcase, a_pause_stops_time_and_nothing_else);
    tcase_add_test(tcase, paint_is_weight);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
