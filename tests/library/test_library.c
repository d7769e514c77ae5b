/* SPDX-License-Identifier: MIT */
/* Scenes through sandbell.h: the same sound as the host's, bodies and contacts
 * from C, params, events, reloads, and what is refused. */
#include "tests/library/library_fixture.h"

#include "bindings/host/host.h"
#include "runtime/scene/conductor.h"
#include "tests/scratch.h"
#include "tests/suite.h"

static const char tune[] =
    "local sb = require 'sandbell'\n"
    "local bar = sb.body('bar', { shape = sb.bar { length = .3, width = .03,\n"
    "  thickness = .006 }, material = 'steel' })\n"
    "sb.param('speed', { min = .1, max = 4, default = 1 })\n"
    "function scene.start()\n"
    "  sb.go(function() for i = 1, 4 do\n"
    "    bar:strike { at = { u = .1 * i, v = .5 }, speed = 1 } sb.sleep(.05)\n"
    "  end end)\n"
    "end\n";

enum { SPAN = 12000 };

typedef struct taken {
    float stereo[2 * SPAN];
    int count;
} taken;

static sb_status take(void *user, const float *stereo, int frames,
                      sb_error *err) {
    taken *own = user;
    (void)err;
    memcpy(own->stereo + 2 * own->count, stereo,
           (size_t)frames * 2 * sizeof *stereo);
    own->count += frames;
    return SB_OK;
}

static void render_by_host(const char *path, taken *out) {
    sb_host_def def = sb_host_def_default();
    sb_host *host;
    sb_error err;
    sb_conduct_result result;
    sb_span span = {.duration_s = (double)SPAN / RATE};
    sb_host_hooks hooks = {.sink = take, .user = out};
    out->count = 0;
    ck_assert_msg(!sb_host_open(path, &def, &host, &err), "%s", err.message);
    ck_assert(!sb_host_render(host, &hooks, &span, &result, &err));
    sb_host_close(host);
}

START_TEST(any_block_size_gives_the_samples_of_a_render) {
    static taken expected;
    static float stereo[2 * (SPAN + 2048)];
    static const int sizes[] = {1, 64, 127, 128, 1000, SPAN};
    const char *path = scratch_path("tune.lua");
    FILE *file = fopen(path, "w");
    (void)fputs(tune, file);
    (void)fclose(file);
    render_by_host(path, &expected);
    ck_assert_double_gt(peak_of(expected.stereo, 2 * SPAN), 0.01);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sandbell_scene *scene;
        ck_well(sandbell_scene_open(path, NULL, &scene, ERR));
        int skip = sandbell_latency(scene);
        pull(scene, stereo, SPAN + skip, sizes[i]);
        ck_assert_msg(
            !memcmp(stereo + 2 * skip, expected.stereo, sizeof expected.stereo),
            "blocks of %d frames", sizes[i]);
        sandbell_scene_close(scene);
    }
}
END_TEST

START_TEST(a_body_from_c_rings_at_its_closed_form) {
    static float stereo[2 * SPAN];
    sandbell_scene *scene;
    sandbell_body bar, same;
    sandbell_mode modes[8];
    sandbell_impact hit = sandbell_impact_default();
    char name[SANDBELL_NAME_SIZE];
    sandbell_body_def def = sandbell_body_def_default();
    sandbell_material steel = sandbell_material_default();
    ck_well(sandbell_scene_create(NULL, &scene, ERR));
    def.name = "bar";
    def.shape = "bar";
    def.length = 1.0;
    def.width = 0.02;
    def.thickness = 0.002;
    def.own_material = &steel;
    ck_well(sandbell_body_add(scene, &def, SANDBELL_NOW, &bar, ERR));
    same = sandbell_body_find(scene, "bar");
    ck_assert(same.index == bar.index && same.generation == bar.generation);
    ck_assert_int_eq(sandbell_bodies(scene, &same, 1), 1);
    ck_assert_int_eq(sandbell_body_name(scene, bar, name), 0);
    ck_assert_str_eq(name, "bar");
    ck_assert_int_ge(sandbell_body_modes(scene, bar, modes, 8), 8);
    /* Thin and free: f = 4.730^2 / (2 pi L^2) sqrt(E h^2 / 12 rho). */
    double c = sqrt(steel.youngs_modulus * 0.002 * 0.002 / 12 / steel.density);
    double f = 4.730041 * 4.730041 / (2 * 3.14159265358979) * c;
    ck_assert_double_eq_tol(modes[0].freq_hz, f, 1e-3 * f);
    pull(scene, stereo, 1000, 100);
    ck_assert(peak_of(stereo, 2000) == 0.0);
    ck_well(sandbell_strike(scene, bar, NULL, NULL, SANDBELL_NOW, &hit, ERR));
    ck_assert_double_gt(hit.impulse_ns, 0.0);
    pull(scene, stereo, SPAN, 480);
    ck_assert_double_gt(peak_of(stereo, 2 * SPAN), 1e-4);
    ck_well(sandbell_body_remove(scene, bar, SANDBELL_NOW, ERR));
    ck_assert_int_eq(sandbell_strike(scene, bar, NULL, NULL, 0, NULL, NULL),
                     SANDBELL_STALE_HANDLE);
    ck_assert_int_eq(sandbell_body_modes(scene, bar, modes, 8), -1);
    sandbell_scene_close(scene);
}
END_TEST

/* First frame above silence, less the latency. */
static int onset(const float *stereo, int frames, int latency) {
    int n = 0;
    while (n < frames && fabsf(stereo[2 * n]) < 1e-9f)
        n++;
    return n - latency;
}

START_TEST(a_strike_is_heard_at_its_frame) {
    static float stereo[2 * SPAN];
    const int frames[] = {1000, 1001, 1129};
    int first = 0;
    for (int i = 0; i < 3; i++) {
        sandbell_scene *scene = open_text(tune);
        ck_well(sandbell_evaluate(scene, "scene.start = nil", NULL, 0, ERR));
        sandbell_strike_def def = sandbell_strike_def_default();
        def.model = SANDBELL_MODEL_IMPULSE;
        def.impulse_ns = 0.01;
        ck_well(sandbell_strike(scene, sandbell_body_find(scene, "bar"), NULL,
                                &def, frames[i], NULL, ERR));
        pull(scene, stereo, SPAN, 256);
        int at = onset(stereo, SPAN, sandbell_latency(scene));
        if (i == 0) first = at;
        ck_assert_int_eq(at - first, frames[i] - frames[0]);
        sandbell_scene_close(scene);
    }
}
END_TEST

START_TEST(a_hit_on_a_pad_sounds_as_the_strike_does) {
    static float struck[2 * SPAN], hit[2 * SPAN];
    for (int i = 0; i < 2; i++) {
        sandbell_scene *scene = open_text(tune);
        sandbell_body bar = sandbell_body_find(scene, "bar");
        sandbell_place place = sandbell_place_default();
        sandbell_strike_def def = sandbell_strike_def_default();
        sandbell_pad pad;
        float *stereo = i ? hit : struck;
        place.kind = SANDBELL_PLACE_UV;
        place.u = 0.3;
        place.v = 0.5;
        def.speed_m_s = 1.5;
        ck_well(sandbell_evaluate(scene, "scene.start = nil", NULL, 0, ERR));
        if (i) {
            ck_well(sandbell_pad_prepare(scene, bar, &place, &def, &pad, ERR));
            /* Control is far ahead already. */
            ck_well(sandbell_advance(scene, 9600, ERR));
            ck_assert(sandbell_pad_hit(scene, pad, 1.5, 1000));
        } else {
            ck_well(sandbell_strike(scene, bar, &place, &def, 1000, NULL, ERR));
        }
        pull(scene, stereo, SPAN, 256);
        if (i) {
            ck_assert(sandbell_pad_post(scene, pad, 1.0, SANDBELL_NOW));
            sandbell_pad_release(scene, pad);
            ck_assert(!sandbell_pad_hit(scene, pad, 1.0, SANDBELL_NOW));
        }
        sandbell_scene_close(scene);
    }
    ck_assert_double_gt(peak_of(struck, 2 * SPAN), 1e-3);
    ck_assert(!memcmp(struck, hit, sizeof hit));
}
END_TEST

START_TEST(a_material_is_retuned_while_it_rings) {
    static float stereo[2 * SPAN];
    sandbell_scene *scene = open_text(tune);
    sandbell_body bar = sandbell_body_find(scene, "bar");
    sandbell_material glass = sandbell_material_default();
    sandbell_mode before, after;
    pull(scene, stereo, 4800, 480);
    (void)sandbell_body_modes(scene, bar, &before, 1);
    ck_well(sandbell_material_find("glass", &glass, ERR));
    ck_well(sandbell_body_set_material(scene, bar, &glass, SANDBELL_NOW, ERR));
    pull(scene, stereo, 4800, 480);
    (void)sandbell_body_modes(scene, bar, &after, 1);
    sandbell_material steel = sandbell_material_default();
    double expected = sqrt(glass.youngs_modulus / glass.density /
                           (steel.youngs_modulus / steel.density));
    ck_assert_double_eq_tol(after.freq_hz / before.freq_hz, expected, 0.01);
    ck_assert_double_gt(peak_of(stereo, 9600), 1e-4);
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(params_lines_and_events) {
    static float stereo[2 * SPAN];
    sandbell_scene *scene = open_text(tune);
    sandbell_param param;
    sandbell_event event = sandbell_event_default();
    char text[64];
    ck_assert_int_eq(sandbell_params(scene, &param, 1), 1);
    ck_assert_str_eq(param.name, "speed");
    ck_well(sandbell_param_set(scene, "speed", 2.5, ERR));
    ck_assert_int_eq(sandbell_params(scene, &param, 1), 1);
    ck_assert(param.value == 2.5);
    ck_assert_int_eq(sandbell_param_set(scene, "speed", 9, NULL),
                     SANDBELL_BAD_FORMAT);
    ck_assert_int_eq(sandbell_param_set(scene, "none", 1, NULL),
                     SANDBELL_NOT_FOUND);
    ck_well(sandbell_evaluate(scene, "1 + 1.5", text, sizeof text, ERR));
    ck_assert_str_eq(text, "2.5");
    pull(scene, stereo, SPAN, 480);
    int strikes = 0;
    while (sandbell_next_event(scene, &event)) {
        ck_assert_int_eq(event.kind, SANDBELL_EVENT_STRIKE);
        ck_assert_int_eq(event.a.index, sandbell_body_find(scene, "bar").index);
        ck_assert_double_gt(event.impulse_ns, 0.0);
        ck_assert_int_le(abs((int)event.frame - strikes * 2400), 2);
        strikes++;
    }
    ck_assert_int_eq(strikes, 4);
    sandbell_stats stats = sandbell_stats_default();
    sandbell_read_stats(scene, &stats);
    ck_assert_int_eq(stats.bodies, 1);
    ck_assert_int_eq((int)stats.strikes, 4);
    ck_assert_int_eq((int)stats.late, 0);
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(a_text_is_reloaded_and_a_bad_one_changes_nothing) {
    static float stereo[2 * SPAN];
    sandbell_scene *scene = open_text(tune);
    sandbell_error err;
    pull(scene, stereo, 4800, 480);
    ck_assert_int_eq(sandbell_scene_reload(scene, "local x = = 1", false, &err),
                     SANDBELL_BAD_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.text, "scene:1:"));
    ck_assert_str_eq(err.file, "scene");
    ck_assert_int_eq(err.line, 1);
    /* What a script writes itself names no place. */
    ck_assert_int_eq(sandbell_scene_reload(
                         scene, "\n\nerror('scene2:9: no', 0)", false, &err),
                     SANDBELL_BAD_FORMAT);
    ck_assert_str_eq(err.text, "scene2:9: no");
    ck_assert_str_eq(err.file, "");
    ck_assert_int_eq(err.line, 0);
    ck_assert_int_eq(
        sandbell_scene_reload(scene, "\n\nnothing.at = 1", false, &err),
        SANDBELL_BAD_FORMAT);
    ck_assert_int_eq(err.line, 3);
    ck_assert_int_eq(sandbell_bodies(scene, NULL, 0), 1);
    ck_well(sandbell_scene_reload(
        scene,
        "local sb = require 'sandbell'\n"
        "for i = 1, 3 do sb.body('b' .. i, { shape = sb.sphere { radius = .1 },"
        " material = 'glass' }) end",
        false, ERR));
    ck_assert_int_eq(sandbell_bodies(scene, NULL, 0), 3);
    pull(scene, stereo, 4800, 480);
    sandbell_scene_close(scene);
}
END_TEST

static double number_of(sandbell_scene *scene, const char *lua) {
    char text[64];
    ck_well(sandbell_evaluate(scene, lua, text, sizeof text, ERR));
    return strtod(text, NULL);
}

/* A ball on a thin plate that flies: what the plate has got is the impulse. */
START_TEST(a_strike_on_a_deformable_body_tells_what_was_computed) {
    static float stereo[2 * SPAN];
    sandbell_scene *scene = open_text(
        "local sb = require 'sandbell'\n"
        "sb.world { gravity = { 0, 0, 0 } }\n"
        "plate = sb.deformable('plate', { shape = sb.plate { width = .1,"
        " depth = .1, thickness = .002 }, material = 'steel', elements = 8,"
        " motion = 'free' })\n"
        "heard = {}\n"
        "function scene.start() told = plate:strike { speed = 2, mass = .01, at = { u = .5, v = .5 } }"
        " end\n"
        "function scene.contact(c) heard[#heard + 1] = c end");
    pull(scene, stereo, 960, 480);
    double mass_kg = 7850 * 0.1 * 0.1 * 0.002, ball_kg = 0.01, v = 2;
    sandbell_event event = sandbell_event_default(), other = event;
    ck_assert(sandbell_next_event(scene, &event));
    ck_assert(!sandbell_next_event(scene, &other));
    ck_assert_int_eq(event.kind, SANDBELL_EVENT_STRIKE);
    sandbell_pose pose = sandbell_pose_default();
    (void)sandbell_body_pose(scene, sandbell_body_find(scene, "plate"), &pose);
    double plate_m_s = fabs(pose.velocity.y);
    ck_assert_double_eq_tol(event.impulse_ns / (mass_kg * plate_m_s), 1, 1e-3);
    /* m (v before - v after): it parts from the plate with e v. */
    double after = plate_m_s - event.restitution * event.speed_m_s;
    ck_assert_double_eq(event.speed_m_s, v);
    ck_assert_double_eq_tol(event.impulse_ns / (ball_kg * (v - after)), 1,
                            1e-3);
    ck_assert_double_gt(event.restitution, 0);
    ck_assert_double_lt(event.restitution, 1);
    /* The mean force is at most the peak, and a good part of it. */
    double mean_n = event.impulse_ns / event.duration_s;
    ck_assert_double_lt(mean_n, event.force_n);
    ck_assert_double_gt(mean_n, 0.1 * event.force_n);
    ck_assert_double_gt(
        fabs(number_of(scene, "return told.impulse") - event.impulse_ns),
        0.01 * event.impulse_ns);
    /* Everybody is told the same, once. */
    ck_assert_double_eq(number_of(scene, "return #heard"), 1);
    ck_assert_double_eq(number_of(scene, "return #sb.strikes()"), 1);
    ck_assert_double_eq_tol(number_of(scene, "return heard[1].impulse"),
                            event.impulse_ns, 1e-12);
    ck_assert_double_eq_tol(number_of(scene, "return heard[1].duration"),
                            event.duration_s, 1e-12);
    ck_assert_double_eq_tol(number_of(scene, "return sb.strikes()[1].impulse"),
                            event.impulse_ns, 1e-12);
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(a_contact_slides_and_ends) {
    static float stereo[2 * SPAN];
    sandbell_scene *scene = open_text(tune);
    ck_well(sandbell_evaluate(scene, "scene.start = nil", NULL, 0, ERR));
    sandbell_contact_def def = sandbell_contact_def_default();
    sandbell_load load = sandbell_load_default();
    sandbell_contact contact;
    def.kind = "slide";
    def.body = sandbell_body_find(scene, "bar");
    load.force_n = 1.0;
    load.speed_m_s[0] = 0.3;
    ck_well(sandbell_contact_begin(scene, &def, &load, 0, &contact, ERR));
    pull(scene, stereo, SPAN, 480);
    double loud = peak_of(stereo + SPAN, SPAN);
    ck_assert_double_gt(loud, 1e-6);
    load = sandbell_load_default();
    load.force_n = 0.25;
    ck_well(sandbell_contact_move(scene, contact, &load, SANDBELL_NOW, ERR));
    ck_well(sandbell_contact_end(scene, contact, SANDBELL_NOW, 0.01, ERR));
    ck_assert_int_eq(
        sandbell_contact_move(scene, contact, &load, SANDBELL_NOW, NULL),
        SANDBELL_STALE_HANDLE);
    def.kind = "swim";
    ck_assert_int_eq(
        sandbell_contact_begin(scene, &def, &load, 0, &contact, NULL),
        SANDBELL_BAD_ARGUMENT);
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(dry_bodies_are_heard_alone) {
    static float stereo[2 * SPAN], dry[2][SPAN];
    float *const mono[2] = {dry[0], dry[1]};
    sandbell_scene_def def = sandbell_scene_def_default();
    sandbell_scene *scene;
    def.dry_most = 2;
    ck_well(sandbell_scene_open_text(tune, NULL, &def, &scene, ERR));
    sandbell_body chosen[3] = {sandbell_body_find(scene, "bar")};
    ck_well(sandbell_choose_dry(scene, chosen, 2, ERR));
    ck_assert_int_eq(sandbell_choose_dry(scene, chosen, 3, NULL),
                     SANDBELL_BAD_ARGUMENT);
    ck_well(sandbell_advance(scene, SPAN, ERR));
    sandbell_render_dry(scene, mono, 2, stereo, SPAN);
    ck_assert_double_gt(peak_of(dry[0], SPAN), 1e-3);
    ck_assert(peak_of(dry[1], SPAN) == 0.0);
    ck_assert_double_gt(peak_of(stereo, 2 * SPAN), 1e-3);
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(a_gain_is_heard_on_its_body_alone) {
    static float plain[2 * SPAN], half[2 * SPAN];
    for (int i = 0; i < 2; i++) {
        sandbell_scene *scene = open_text(tune);
        sandbell_body bar = sandbell_body_find(scene, "bar");
        ck_assert_int_eq(
            sandbell_body_set_gain(scene, bar, i ? 0.5 : 1.0, 0, NULL), 0);
        pull(scene, i ? half : plain, SPAN, 480);
        ck_assert_int_eq(sandbell_body_set_gain(scene, bar, NAN, 0, NULL),
                         SANDBELL_BAD_ARGUMENT);
        sandbell_scene_close(scene);
    }
    double peak = peak_of(plain, 2 * SPAN);
    ck_assert_double_gt(peak, 0.01);
    for (int n = 0; n < 2 * SPAN; n++)
        ck_assert_double_le(fabs((double)half[n] - 0.5 * (double)plain[n]),
                            1e-5 * peak);
}
END_TEST

START_TEST(the_process_is_set_up_before_the_first_scene) {
    sandbell_error err = {0};
    sandbell_setup_def def = sandbell_setup_def_default();
    sandbell_scene *scene = NULL;
    ck_assert_uint_eq(sandbell_version(), SANDBELL_VERSION_NUMBER);
    ck_assert_ptr_nonnull(strstr(sandbell_licence(), "none under the GPL"));
    def.memory_bytes = NAN;
    ck_assert_int_eq(sandbell_setup(&def, &err), SANDBELL_BAD_ARGUMENT);
    ck_assert_str_eq(err.text, "memory_bytes must be 0 or more");
    def.memory_bytes = 100000;
    ck_well(sandbell_setup(&def, ERR));
    ck_assert_int_eq(sandbell_scene_open_text(tune, NULL, NULL, &scene, &err),
                     SANDBELL_NO_MEMORY);
    ck_assert_ptr_null(scene);
    def.memory_bytes = 0;
    ck_well(sandbell_setup(&def, ERR));
    scene = open_text(tune);
    sandbell_scene_close(scene);
}
END_TEST

START_TEST(what_is_wrong_is_said) {
    sandbell_scene *scene = NULL;
    sandbell_scene_def def = sandbell_scene_def_default();
    sandbell_error err;
    ck_assert_int_eq(sandbell_scene_open("none.lua", NULL, &scene, &err),
                     SANDBELL_NOT_FOUND);
    ck_assert_int_eq(err.status, SANDBELL_NOT_FOUND);
    ck_assert_str_eq(err.text, "none.lua: there is no such file");
    ck_assert_ptr_null(scene);
    def.size = 0;
    ck_assert_int_eq(sandbell_scene_create(&def, &scene, &err),
                     SANDBELL_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "sandbell_scene_def_default()"));
    def = sandbell_scene_def_default();
    def.rate_hz = 1.0;
    ck_assert_int_eq(sandbell_scene_create(&def, &scene, &err),
                     SANDBELL_BAD_ARGUMENT);
    ck_well(sandbell_scene_create(NULL, &scene, ERR));
    sandbell_body_def body = sandbell_body_def_default();
    sandbell_body id;
    body.name = "x";
    body.shape = "blob";
    ck_assert_int_eq(sandbell_body_add(scene, &body, 0, &id, &err),
                     SANDBELL_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.text, "body 'x': shape must be bar"));
    body.shape = "plate";
    body.length = 0.5;
    ck_assert_int_eq(sandbell_body_add(scene, &body, 0, &id, &err),
                     SANDBELL_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(
        strstr(err.text, "a plate has no length; it has: width, depth"));
    body.length = 0.0;
    sandbell_strike_def both = sandbell_strike_def_default();
    both.speed_m_s = both.impulse_ns = 1.0;
    body.shape = "rigid";
    ck_well(sandbell_body_add(scene, &body, 0, &id, ERR));
    ck_assert_int_eq(sandbell_strike(scene, id, NULL, &both, 0, NULL, &err),
                     SANDBELL_BAD_ARGUMENT);
    ck_assert_str_eq(err.text,
                     "strike: give speed (m/s) or impulse (N s), one of them");
    ck_well(sandbell_body_remove(scene, id, 0, ERR));
    body.shape = "bar";
    ck_assert_int_eq(sandbell_body_add(scene, &body, 0, &id, &err),
                     SANDBELL_BAD_ARGUMENT);
    body.shape = "mesh";
    body.mesh = "none.obj";
    body.material = "steel";
    ck_assert_int_eq(sandbell_body_add(scene, &body, 0, &id, &err),
                     SANDBELL_NOT_FOUND);
    ck_assert_str_eq(err.text, "body 'x': none.obj: there is no such file");
    ck_assert_str_eq(err.file, "none.obj");
    ck_assert_int_eq(err.line, 0);
    body.material = "granite";
    ck_assert_int_eq(sandbell_body_add(scene, &body, 0, &id, &err),
                     SANDBELL_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.text, "stone"));
    ck_assert_int_eq(sandbell_bodies(scene, NULL, 0), 0);
    sandbell_scene_close(scene);
    sandbell_scene_close(NULL);
}
END_TEST

/* A program that was built with a newer header may have longer structs. */
START_TEST(structs_of_other_sizes_are_read_or_refused) {
    struct {
        sandbell_strike_def def;
        uint64_t later;
    } newer = {.def = sandbell_strike_def_default()};
    sandbell_scene *scene = open_text(tune);
    sandbell_body bar = sandbell_body_find(scene, "bar");
    newer.def.size = sizeof newer;
    ck_well(sandbell_strike(scene, bar, NULL, &newer.def, 0, NULL, ERR));
    newer.later = 1;
    ck_assert_int_eq(
        sandbell_strike(scene, bar, NULL, &newer.def, 0, NULL, NULL),
        SANDBELL_BAD_ARGUMENT);
    /* Not one that ends within a field. */
    newer.def.size = 12;
    ck_assert_int_eq(
        sandbell_strike(scene, bar, NULL, &newer.def, 0, NULL, NULL),
        SANDBELL_BAD_ARGUMENT);
    sandbell_scene_close(scene);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("library");
    TCase *tcase = tcase_create("library");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, any_block_size_gives_the_samples_of_a_render);
    tcase_add_test(tcase, a_body_from_c_rings_at_its_closed_form);
    tcase_add_test(tcase, a_strike_is_heard_at_its_frame);
    tcase_add_test(tcase, a_hit_on_a_pad_sounds_as_the_strike_does);
    tcase_add_test(tcase, a_material_is_retuned_while_it_rings);
    tcase_add_test(tcase, params_lines_and_events);
    tcase_add_test(tcase, a_text_is_reloaded_and_a_bad_one_changes_nothing);
    tcase_add_test(tcase,
                   a_strike_on_a_deformable_body_tells_what_was_computed);
    tcase_add_test(tcase, a_contact_slides_and_ends);
    tcase_add_test(tcase, dry_bodies_are_heard_alone);
    tcase_add_test(tcase, what_is_wrong_is_said);
    tcase_add_test(tcase, a_gain_is_heard_on_its_body_alone);
    tcase_add_test(tcase, the_process_is_set_up_before_the_first_scene);
    tcase_add_test(tcase, structs_of_other_sizes_are_read_or_refused);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
