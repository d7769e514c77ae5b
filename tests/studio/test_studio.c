/* SPDX-License-Identifier: MIT */
/* The studio and its pages: files, solves and sessions, by messages to a scene
 * that really runs. */
#include "runtime/base/memory.h"
#include "tests/studio/stage_test.h"

#include "runtime/base/digest.h"

#include <time.h>

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
    ck_assert(cJSON_IsNull(cJSON_GetObjectItem(error, "hint")));
    cJSON_Delete(error);
    saved = page_ask(&one, &on,
                     "{\"type\":\"script.put\",\"rev\":\"%s\",\"text\":\"\\n"
                     "local sb = require 'sandbell'\\nsb.bar { lenght = 1 }\"",
                     rev);
    (void)snprintf(rev, sizeof rev, "%s", text(saved, "rev"));
    cJSON_Delete(saved);
    error = page_wait(&one, &on, "reload.error");
    ck_assert_int_eq((int)number(error, "line"), 3);
    ck_assert_str_eq(text(error, "hint"), "did you mean 'length'?");
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

static void expect_value(page *one, const char *what, const char *value) {
    cJSON *reply =
        page_ask(one, &on, "{\"type\":\"eval\",\"text\":\"=%s\"", what);
    ck_assert_str_eq(text(reply, "text"), value);
    cJSON_Delete(reply);
}

START_TEST(a_click_calls_scene_contact_as_a_strike_does) {
    page one;
    page_open(&one, &on, "[]");
    ASK(&one, "eval.result",
        "{\"type\":\"eval\",\"text\":\"heard = {}; scene = scene or {}; "
        "function scene.contact(c) heard[#heard + 1] = c end\"");
    strike_end(&one, body_id("bar"));
    stage_listen(&on, 4800);
    expect_value(&one, "#heard", "1");
    expect_value(&one, "heard[1].kind .. heard[1].a:name()", "strikebar");
    expect_value(&one, "heard[1].b", "nil");
    expect_value(&one, "heard[1].impulse == sb.strikes()[1].impulse", "true");
    expect_value(&one, "sb.strikes()[1].by", "hand");
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

/* The folder is a stranger's: every name that the studio writes is a link. */
START_TEST(links_lead_no_write_out_of_the_folder) {
    static const char *const names[] = {"answers.json",
                                        "scene.lua.session.jsonl", "t.png"};
    enum { COUNT = sizeof names / sizeof *names };
    char outside[100], path[200], link_path[400];
    page one;
    (void)snprintf(outside, sizeof outside, "%s-mine", scratch_directory);
    ck_assert_int_eq(mkdir(outside, 0700), 0);
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", outside, names[i]);
        FILE *file = fopen(path, "w");
        (void)fputs("{\"mine\":1}", file);
        (void)fclose(file);
        ck_assert_int_eq(symlink(path, scratch_path(names[i])), 0);
    }
    ck_assert_int_eq(symlink(outside, scratch_path("sub")), 0);
    write_text("scene.md", "# A lesson\n\n> **Predict** `p`: What?\n");
    (void)snprintf(link_path, sizeof link_path, "%s",
                   scratch_path("scene.lua"));
    stage_close(&on);
    stage_open(&on, link_path);
    page_open(&one, &on, "[]");
    ASK(&one, "ok",
        "{\"type\":\"lesson.predict\",\"name\":\"p\",\"text\":\"x\"");
    EXPECT_ERROR(&one, "failed", "{\"type\":\"record\",\"action\":\"start\"");
    ASK(&one, "ok", "{\"type\":\"texture.make\",\"body\":%d", body_id("plate"));
    ASK(&one, "ok",
        "{\"type\":\"texture.save\",\"body\":%d,\"channel\":0,"
        "\"file\":\"u.png\"",
        body_id("plate"));
    EXPECT_ERROR(&one, "failed",
                 "{\"type\":\"texture.save\",\"body\":%d,\"channel\":0,"
                 "\"file\":\"t.png\"",
                 body_id("plate"));
    /* What was not saved cannot be taken back; what was, not through a link. */
    EXPECT_ERROR(&one, "failed",
                 "{\"type\":\"texture.unsave\",\"file\":\"t.png\"");
    ck_assert_int_eq(unlink(scratch_path("u.png")), 0);
    (void)snprintf(path, sizeof path, "%s/t.png", outside);
    ck_assert_int_eq(symlink(path, scratch_path("u.png")), 0);
    EXPECT_ERROR(&one, "failed",
                 "{\"type\":\"texture.unsave\",\"file\":\"u.png\"");
    struct stat info;
    ck_assert_int_eq(lstat(scratch_path("u.png"), &info), 0);
    ck_assert(S_ISLNK(info.st_mode));
    EXPECT_ERROR(&one, "refused",
                 "{\"type\":\"script.put\",\"file\":\"sub/x.lua\",\"text\":"
                 "\"x\",\"force\":true");
    page_close(&one);
    stage_close(&on); /* says and stores what is left to be stored */
    stage_open(&on, link_path);
    for (size_t i = 0; i < COUNT; i++) {
        char content[100] = "";
        (void)snprintf(path, sizeof path, "%s/%s", outside, names[i]);
        ck_assert_int_gt(scratch_get(path, content, sizeof content - 1), 0);
        ck_assert_msg(strcmp(content, "{\"mine\":1}") == 0, "%s was replaced",
                      names[i]);
        (void)unlink(path);
    }
    ck_assert_int_eq(rmdir(outside), 0); /* nothing came to lie there */
}
END_TEST

/* A scene that cannot be written does not send its writes elsewhere: a stranger
 * would choose the names of files in the user's own folder. */
START_TEST(a_read_only_scene_writes_nothing_elsewhere) {
    char home[100], path[200], scene[400], before[PATH_MAX];
    page one;
    (void)snprintf(home, sizeof home, "%s-home", scratch_directory);
    (void)snprintf(path, sizeof path, "%s/scene.lua.session.jsonl", home);
    (void)snprintf(scene, sizeof scene, "%s", scratch_path("scene.lua"));
    ck_assert_int_eq(mkdir(home, 0777), 0);
    ck_assert_int_eq(chmod(home, 0777), 0);
    FILE *file = fopen(path, "w");
    (void)fputs("mine", file);
    (void)fclose(file);
    ck_assert_int_eq(chmod(path, 0666), 0);
    ck_assert_int_eq(chmod(scratch_directory, 0555), 0);
    ck_assert_int_eq(chmod(scene, 0444), 0);
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(home), 0);
    stage_close(&on);
    bool is_root = geteuid() == 0; /* who may write everywhere */
    if (is_root) ck_assert_int_eq(setresuid(65534, 65534, 0), 0);
    stage_open(&on, scene);
    page_open(&one, &on, "[]");
    EXPECT_ERROR(&one, "failed", "{\"type\":\"record\",\"action\":\"start\"");
    EXPECT_ERROR(&one, "failed",
                 "{\"type\":\"script.put\",\"text\":\"x\",\"force\":true");
    page_close(&one);
    stage_close(&on);
    if (is_root) ck_assert_int_eq(setresuid(0, 0, 0), 0);
    ck_assert_int_eq(chdir(before), 0);
    ck_assert_int_eq(chmod(scratch_directory, 0700), 0);
    char content[100] = "";
    ck_assert_int_eq(scratch_get(path, content, sizeof content - 1), 4);
    ck_assert_str_eq(content, "mine");
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(home), 0); /* nothing else came to lie there */
    stage_open(&on, scene);
}
END_TEST

static cJSON *material_of(const char *name) {
    cJSON *all = page_fetch(&on, "scene");
    const cJSON *body, *found = NULL;
    cJSON_ArrayForEach(body, cJSON_GetObjectItem(
                                 cJSON_GetObjectItem(all, "scene"), "bodies")) {
        if (strcmp(text(body, "name"), name) == 0) found = body;
    }
    cJSON *material =
        cJSON_Duplicate(cJSON_GetObjectItem(found, "material"), true);
    cJSON_Delete(all);
    return material;
}

/* A name of the script, its numbers, and those of now: a page can write one
 * into the file, and go back. */
START_TEST(a_material_keeps_the_name_and_numbers_of_the_script) {
    page one;
    page_open(&one, &on, "[]");
    int bar = body_id("bar");
    cJSON *was = material_of("bar");
    double alpha = number(was, "alpha"), density = number(was, "density");
    ck_assert_str_eq(text(was, "script_name"), "steel");
    cJSON_Delete(was);
    /* The second is asked for while the first is solved: both count. */
    static const char *const first[] = {"\"alpha\":77.25", "\"beta\":1e-6"};
    for (int i = 0; i < 2; i++) {
        char said[200];
        (void)snprintf(said, sizeof said,
                       "{\"type\":\"material.set\",\"id\":%d,\"body\":%d,%s}",
                       900 + i, bar, first[i]);
        page_say(&one, said);
    }
    ASK(&one, "ok", "{\"type\":\"material.set\",\"body\":%d,\"density\":5000",
        bar);
    cJSON *now = material_of("bar");
    ck_assert_double_eq(number(now, "alpha"), 77.25);
    ck_assert_double_eq(number(now, "beta"), 1e-6);
    ck_assert_double_eq(number(now, "density"), 5000);
    cJSON *scripted = cJSON_GetObjectItem(now, "scripted");
    ck_assert_double_eq(number(scripted, "alpha"), alpha);
    ck_assert_double_eq(number(scripted, "density"), density);
    cJSON_Delete(now);
    ASK(&one, "ok", "{\"type\":\"material.set\",\"body\":%d,\"scripted\":true",
        bar);
    now = material_of("bar");
    ck_assert_str_eq(text(now, "name"), "steel");
    cJSON_Delete(now);
    page_close(&one);
}
END_TEST

/* --- solves that are not wanted any more ------------------------------------------------------------ */

/* Begin a solve of many seconds: thousands of modes lie below 20 kHz. */
static void begin_long_solve(page *one) {
    char message[200];
    (void)setenv("SANDBELL_CACHE", "off", 1);
    (void)snprintf(message, sizeof message,
                   "{\"type\":\"material.set\",\"id\":1000,\"body\":%d,"
                   "\"youngs_modulus\":1e3,\"density\":1e5}",
                   body_id("ball"));
    page_say(one, message);
    ASK(one, "pong", "{\"type\":\"ping\",\"t\":5");
}

START_TEST(closing_ends_a_solve) {
    page one;
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("scene.lua"));
    page_open(&one, &on, "[]");
    begin_long_solve(&one);
    page_close(&one);
    clock_t before = clock();
    stage_close(&on);
    ck_assert_double_lt((double)(clock() - before) / CLOCKS_PER_SEC, 3);
    stage_open(&on, path);
}
END_TEST

START_TEST(a_newer_material_ends_the_solve_of_an_older_one) {
    page one;
    page_message message;
    page_open(&one, &on, "[]");
    begin_long_solve(&one);
    clock_t before = clock();
    char newer[200], first[40] = "", second[40] = "";
    (void)snprintf(newer, sizeof newer,
                   "{\"type\":\"material.set\",\"id\":1001,\"body\":%d,"
                   "\"name\":\"steel\",\"alpha\":20}",
                   body_id("ball"));
    page_say(&one, newer);
    while (!*second && page_next(&one, &on, &message)) {
        const cJSON *id = cJSON_GetObjectItem(message.json, "id");
        if (cJSON_IsNumber(id) && id->valueint == 1000)
            (void)snprintf(first, sizeof first, "%s",
                           text(message.json, "change"));
        if (cJSON_IsNumber(id) && id->valueint == 1001)
            (void)snprintf(second, sizeof second, "%s",
                           text(message.json, "change"));
        page_message_free(&message);
    }
    ck_assert_str_eq(first, "none");
    ck_assert_str_eq(second, "retuned");
    ck_assert_double_lt((double)(clock() - before) / CLOCKS_PER_SEC, 5);
    page_close(&one);
}
END_TEST

static double resident_mb(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%*d %ld", &pages), 1);
    (void)fclose(file);
    return 1e-6 * (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* The C library would keep what a solve has freed. The sanitizers do. */
START_TEST(memory_of_a_solve_goes_back) {
    page one;
    page_open(&one, &on, "[]");
    (void)setenv("SANDBELL_CACHE", "off", 1);
    /* What the studio keeps of the last half minute is there before. */
    for (int i = 0; i < 3200; i++)
        stage_step(&on);
    double before_mb = resident_mb();
    ASK(&one, "ok",
        "{\"type\":\"material.set\",\"body\":%d,\"youngs_modulus\":3e9",
        body_id("ball"));
    ASK(&one, "ok", "{\"type\":\"material.set\",\"body\":%d,\"name\":\"steel\"",
        body_id("ball"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    ck_assert_double_lt(resident_mb() - before_mb, 10);
#else
    (void)before_mb;
#endif
    page_close(&one);
}
END_TEST

/* A state of the texture has 23 MB: two of them are kept. */
START_TEST(undo_takes_a_limited_memory) {
    page one;
    int body = body_id("plate");
    page_open(&one, &on, "[]");
    ASK(&one, "ok",
        "{\"type\":\"texture.make\",\"body\":%d,\"width\":500,\"height\":480",
        body);
    ASK(&one, "ok", "{\"type\":\"texture.begin\",\"body\":%d", body);
    size_t live = sb_memory_live_bytes();
    for (int i = 0; i < 20; i++)
        ASK(&one, "ok", "{\"type\":\"texture.begin\",\"body\":%d", body);
    ck_assert_double_lt(1e-6 * ((double)sb_memory_live_bytes() - (double)live),
                        50);
    for (int i = 0; i < 2; i++)
        ASK(&one, "ok", "{\"type\":\"texture.undo\",\"body\":%d", body);
    EXPECT_ERROR(&one, "failed", "{\"type\":\"texture.undo\",\"body\":%d",
                 body);
    page_close(&one);
}
END_TEST

/* --- sessions ---------------------------------------------------------------------------------------- */

static sb_status keep_bytes(void *user, const float *stereo, int frames,
                            sb_error *err) {
    size_t count = 2 * (size_t)frames;
    (void)err;
    ck_assert_uint_eq(fwrite(stereo, sizeof *stereo, count, user), count);
    return SB_OK;
}

START_TEST(a_recorded_session_renders_to_the_same_bytes) {
    page one;
    char digest[2][SB_DIGEST_TEXT_SIZE];
    page_open(&one, &on, "[]");
    ASK(&one, "ok", "{\"type\":\"record\",\"action\":\"start\"");
    strike_end(&one, body_id("bar"));
    ASK(&one, "ok", "{\"type\":\"mode.set\",\"body\":%d,\"n\":1,\"mute\":true",
        body_id("bar"));
    strike_end(&one, body_id("bar"));
    ASK(&one, "take", "{\"type\":\"record\",\"action\":\"stop\"");
    char scene[300], file[300];
    (void)snprintf(scene, sizeof scene, "%s", scratch_path("scene.lua"));
    (void)snprintf(file, sizeof file, "%s",
                   scratch_path("scene.lua.session.jsonl"));
    for (int i = 0; i < 2; i++) {
        sb_host_def host = sb_host_def_default();
        FILE *out = fopen(scratch_path("out.raw"), "wb");
        session_replaying def = {.scene = scene,
                                 .file = file,
                                 .seconds = 1,
                                 .host = &host,
                                 .sink = keep_bytes,
                                 .user = out};
        double seconds;
        sb_error err = {0};
        ck_assert_int_eq(session_replay(&def, &seconds, &err), SB_OK);
        ck_assert_double_eq_tol(seconds, 1.0, 1e-3);
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_int_eq(
            sb_digest_file(scratch_path("out.raw"), 1 << 24, digest[i], &err),
            SB_OK);
    }
    ck_assert_str_eq(digest[0], digest[1]);
    page_close(&one);
}
END_TEST

/* From press to press: what is heard before and after is not in it, nor is the
 * silence; every sample is that of the output, at 24 bit. */
START_TEST(a_take_is_what_was_heard_from_press_to_press) {
    page one;
    page_open(&one, &on, "[]");
    strike_end(&one, body_id("bar"));
    stage_listen(&on, 24000); /* it rings, and is not recorded */
    ASK(&one, "eval.result", "{\"type\":\"eval\",\"text\":\"bar:gain(0)\"");
    stage_listen(&on, 96000);
    ASK(&one, "ok", "{\"type\":\"record\",\"action\":\"start\"");
    stage_listen(&on, 48000); /* silence */
    ASK(&one, "eval.result", "{\"type\":\"eval\",\"text\":\"bar:gain(1)\"");
    stage_listen(&on, 14400);
    ASK(&one, "eval.result", "{\"type\":\"eval\",\"text\":\"bar:gain(0)\"");
    stage_listen(&on, 48000);
    cJSON *take =
        page_ask(&one, &on, "{\"type\":\"record\",\"action\":\"stop\"");
    ck_assert_str_eq(type_of(take), "take");
    double seconds = number(take, "seconds");
    ck_assert_double_gt(seconds, 0.29);
    ck_assert_double_lt(seconds, 0.45); /* and the fades of the gain */
    cJSON_Delete(take);
    char headers[200], *body;
    size_t count;
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %s\r\n", on.token);
    ck_assert_int_eq(page_get(&on, "/api/v1/sound.wav", headers, &body, &count),
                     200);
    ck_assert_uint_eq(count, 44 + 6 * (size_t)lround(48000.0 * seconds));
    ck_assert_int_eq(body[34], 24);
    /* Low bytes are used: it is not 16 bit in 24. */
    int low = 0;
    for (size_t i = 44; i + 3 <= count; i += 3)
        low += body[i] != 0;
    ck_assert_int_gt(low, (int)(count / 6));
    free(body);
    /* A take of silence says so. */
    ASK(&one, "ok", "{\"type\":\"record\",\"action\":\"start\"");
    stage_listen(&on, 4800);
    take = page_ask(&one, &on, "{\"type\":\"record\",\"action\":\"stop\"");
    ck_assert_double_eq(number(take, "seconds"), 0);
    ck_assert_ptr_null(cJSON_GetObjectItem(take, "url"));
    cJSON_Delete(take);
    page_close(&one);
}
END_TEST

/* What is kept anyway: frame by frame the output. */
START_TEST(the_last_seconds_are_those_of_the_output) {
    page one;
    page_open(&one, &on, "[]");
    strike_end(&one, body_id("bar"));
    stage_listen(&on, 4800);
    long long last = on.steps * 480; /* frames heard, with the 4800 */
    cJSON *told = page_ask(&one, &on,
                           "{\"type\":\"recent\",\"seconds\":1,\"whole\":true");
    char headers[200], *body;
    size_t count;
    (void)snprintf(headers, sizeof headers,
                   "Host: localhost\r\nAuthorization: Bearer %s\r\n", on.token);
    ck_assert_int_eq(page_get(&on, "/api/v1/sound.wav", headers, &body, &count),
                     200);
    long long first = (long long)number(told, "first");
    for (int n = 0; n < 4800; n++) {
        const unsigned char *at =
            (const unsigned char *)body + 44 + 6 * (last - 4800 + n - first);
        double sum = 0;
        for (int c = 0; c < 2; c++)
            sum += (int32_t)((uint32_t)at[3 * c] << 8 |
                             (uint32_t)at[3 * c + 1] << 16 |
                             (uint32_t)at[3 * c + 2] << 24) /
                   256.0;
        ck_assert_double_eq_tol(sum / 2 / 8388607.0, (double)on.heard[n],
                                1.5e-7);
    }
    cJSON_Delete(told);
    free(body);
    page_close(&one);
}
END_TEST

int main(void) {
    sb_memory_keep_little(); /* as the program does */
    Suite *suite = suite_create("studio: pages");
    TCase *tcase = tcase_create("studio");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_click_calls_scene_contact_as_a_strike_does);
    tcase_add_test(tcase, a_broken_save_changes_nothing_that_sounds);
    tcase_add_test(tcase, files_elsewhere_cannot_be_read_or_written);
    tcase_add_test(tcase, links_lead_no_write_out_of_the_folder);
    tcase_add_test(tcase, a_read_only_scene_writes_nothing_elsewhere);
    tcase_add_test(tcase, a_material_keeps_the_name_and_numbers_of_the_script);
    tcase_add_test(tcase, closing_ends_a_solve);
    tcase_add_test(tcase, a_newer_material_ends_the_solve_of_an_older_one);
    tcase_add_test(tcase, memory_of_a_solve_goes_back);
    tcase_add_test(tcase, undo_takes_a_limited_memory);
    tcase_add_test(tcase, a_recorded_session_renders_to_the_same_bytes);
    tcase_add_test(tcase, a_take_is_what_was_heard_from_press_to_press);
    tcase_add_test(tcase, the_last_seconds_are_those_of_the_output);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
