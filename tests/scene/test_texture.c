/* SPDX-License-Identifier: MIT */
/* Mode weights as pictures: looked up, read from files, and in the sound. */
#include "runtime/model/textures/texture.h"

#include "runtime/base/memory.h"
#include "runtime/model/solve/solve.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/store/texture_read.h"
#include "tests/scene/scene_fixture.h"
#include "tests/scratch.h"

#include <png.h>

/* --- made in memory ------------------------------------------------------ */

/* Painted: without peaks given, relative weights are read as they are. */
static sb_texture *made(int width, int height, int planes,
                        sb_texture_wrap wrap) {
    sb_texture_plane list[8];
    for (int p = 0; p < planes; p++)
        list[p] = (sb_texture_plane){p + 1, p + 1, true};
    sb_texture_def def = {width, height, list, planes, wrap};
    sb_texture *texture;
    ck_assert_int_eq(sb_texture_create(&def, &texture, NULL), SB_OK);
    return texture;
}

static float *texel(sb_texture *texture, int x, int y) {
    return sb_texture_texels(texture) + (y * sb_texture_width(texture) + x) *
                                            sb_texture_plane_count(texture);
}

static double one_at(const sb_texture *texture, double u, double v) {
    double weight = -1e9;
    sb_texture_weights(texture, u, v, 1, NULL, &weight);
    return weight;
}

/* A bilinear function is itself between the outermost middles. */
START_TEST(between_middles_it_is_bilinear) {
    sb_texture *texture = made(8, 5, 3, SB_TEXTURE_CLAMP);
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 8; x++) {
            double u = (x + 0.5) / 8, v = (y + 0.5) / 5;
            texel(texture, x, y)[0] = (float)u;
            texel(texture, x, y)[1] = (float)(1 - 2 * v);
            texel(texture, x, y)[2] = (float)(u * v);
        }
    }
    for (int i = 0; i < 1000; i++) {
        double u = 0.0625 + 0.875 * fmod(i * 0.7548776662, 1);
        double v = 0.1 + 0.8 * fmod(i * 0.5698402910, 1), w[3];
        sb_texture_weights(texture, u, v, 3, NULL, w);
        ck_assert_double_eq_tol(w[0], u, 1e-6);
        ck_assert_double_eq_tol(w[1], 1 - 2 * v, 1e-6);
        ck_assert_double_eq_tol(w[2], u * v, 1e-6);
    }
    sb_texture_release(texture);
}
END_TEST

START_TEST(u_goes_right_and_v_goes_down) {
    sb_texture *texture = made(2, 2, 1, SB_TEXTURE_CLAMP);
    *texel(texture, 1, 0) = 1; /* top right */
    *texel(texture, 0, 1) = 2; /* bottom left */
    ck_assert_double_eq(one_at(texture, 1, 0), 1);
    ck_assert_double_eq(one_at(texture, 0, 1), 2);
    ck_assert_double_eq(one_at(texture, 0, 0), 0);
    sb_texture_release(texture);
}
END_TEST

START_TEST(beyond_the_edge_it_stays_or_comes_round) {
    for (int wraps = 0; wraps < 2; wraps++) {
        sb_texture *texture = made(4, 1, 1, (sb_texture_wrap)wraps);
        for (int x = 0; x < 4; x++)
            *texel(texture, x, 0) = (float)x;
        ck_assert_double_eq(one_at(texture, 0.375, 0.9), 1);
        ck_assert_double_eq(one_at(texture, 0.0, 0), wraps ? 1.5 : 0);
        ck_assert_double_eq(one_at(texture, 1.0, 1), wraps ? 1.5 : 3);
        ck_assert_double_eq(one_at(texture, 1.375, 0), wraps ? 1 : 3);
        ck_assert_double_eq(one_at(texture, -0.625, 0), wraps ? 1 : 0);
        /* NaN and infinity give finite weights. */
        ck_assert(isfinite(one_at(texture, NAN, INFINITY)));
        ck_assert(isfinite(one_at(texture, 1e300, -1e300)));
        sb_texture_release(texture);
    }
}
END_TEST

START_TEST(absolute_weights_go_on_in_a_straight_line_up_to_the_edge) {
    const sb_texture_plane plane = {1, 1, false};
    sb_texture_def def = {4, 1, &plane, 1, SB_TEXTURE_CLAMP};
    sb_texture *texture;
    ck_assert_int_eq(sb_texture_create(&def, &texture, NULL), SB_OK);
    for (int x = 0; x < 4; x++)
        *texel(texture, x, 0) = (float)x;
    ck_assert_double_eq(one_at(texture, 0.375, 0.9), 1);
    ck_assert_double_eq(one_at(texture, 0, 0), -0.5);
    ck_assert_double_eq(one_at(texture, 1, 1), 3.5);
    ck_assert_double_eq(one_at(texture, 7, 0), 3.5);
    ck_assert_double_eq(one_at(texture, -7, 0), -0.5);
    sb_texture_release(texture);
}
END_TEST

START_TEST(groups_share_a_plane_and_modes_without_one_are_left) {
    const sb_texture_plane planes[] = {{2, 2, false}, {4, 6, true}};
    sb_texture_def def = {2, 1, planes, 2, SB_TEXTURE_CLAMP};
    sb_texture *texture;
    ck_assert_int_eq(sb_texture_create(&def, &texture, NULL), SB_OK);
    for (int x = 0; x < 2; x++) {
        texel(texture, x, 0)[0] = -0.25f;
        texel(texture, x, 0)[1] = 0.5f;
    }
    double w[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    const double peaks[6] = {7, 7, 7, 2, 4, 8};
    sb_texture_weights(texture, 0.5, 0.5, 8, peaks, w);
    const double expected[8] = {9, -0.25, 9, 1, 2, 4, 9, 9};
    for (int k = 0; k < 8; k++)
        ck_assert_double_eq(w[k], expected[k]);
    ck_assert(!sb_texture_has_all(texture, 2));
    ck_assert_int_eq(sb_texture_mode_count(texture), 6);
    ck_assert(!sb_texture_is_relative(texture, 3));
    ck_assert(sb_texture_is_relative(texture, 4));
    sb_texture_release(texture);
}
END_TEST

static void refuses_def(sb_texture_def def, const char *says) {
    sb_texture *texture;
    sb_error err;
    ck_assert_int_eq(sb_texture_create(&def, &texture, &err), SB_BAD_ARGUMENT);
    ck_assert_msg(strstr(err.message, says) != NULL, "'%s' lacks '%s'",
                  err.message, says);
}

START_TEST(what_cannot_be_is_refused) {
    const sb_texture_plane one[] = {{1, 1, false}};
    const sb_texture_plane twice[] = {{1, 3, false}, {3, 4, false}};
    const sb_texture_plane backward[] = {{3, 2, false}};
    const sb_texture_plane four[] = {
        {1, 1, false}, {2, 2, false}, {3, 3, false}, {4, 4, false}};
    refuses_def((sb_texture_def){1, 1, one, 1, 0}, "1 x 1 texels");
    refuses_def((sb_texture_def){0, 4, one, 1, 0}, "0 x 4 texels");
    refuses_def((sb_texture_def){8001, 8000, one, 1, 0},
                "more than 64 million in all");
    refuses_def((sb_texture_def){4001, 4000, four, 4, 0},
                "4001 x 4000 texels for each of 4 modes");
    refuses_def((sb_texture_def){2, 2, twice, 2, 0}, "mode 3 has two images");
    refuses_def((sb_texture_def){2, 2, backward, 1, 0}, "the modes 3 to 2");
}
END_TEST

/* --- read from files ----------------------------------------------------- */

/* Grey or RGBA rows of 8 or 16 bits, as they stand in the file. */
static void put_png(const char *name, int width, int height, int bits,
                    int colour, const unsigned char *rows, const char *note) {
    FILE *file = fopen(scratch_path(name), "wb");
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    ck_assert_ptr_nonnull(info);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, bits,
                 colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE,
                     .key = (char *)(uintptr_t) "sandbell.weights",
                     .text = (char *)(uintptr_t)note};
    if (note) png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    size_t row = png_get_rowbytes(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, rows + (size_t)y * row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    ck_assert_int_eq(fclose(file), 0);
}

/* scratch_path returns the same buffer each time. */
static const char *path_of(const char *name) {
    static char paths[4][512];
    static int turn;
    char *path = paths[turn++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s", scratch_path(name));
    return path;
}

static sb_texture *read_well(const sb_texture_files *files) {
    sb_texture *texture = NULL;
    sb_error err = {0};
    ck_assert_msg(sb_texture_read(files, &texture, &err) == SB_OK, "%s",
                  err.message);
    return texture;
}

static void refuses_files(const sb_texture_files *files, sb_status expected,
                          const char *says) {
    sb_texture *texture;
    sb_error err;
    ck_assert_int_eq(sb_texture_read(files, &texture, &err), expected);
    ck_assert_msg(strstr(err.message, says) != NULL, "'%s' lacks '%s'",
                  err.message, says);
}

START_TEST(signed_values_are_exact_and_their_middle_is_zero) {
    const unsigned char rows[] = {0x00, 0x01, 0x80, 0x00, 0xff, 0xff,
                                  0x40, 0x00, 0xc0, 0x00, 0x80, 0x01};
    put_png("w.png", 6, 1, 16, PNG_COLOR_TYPE_GRAY, rows, "signed scale=2.5");
    const char *paths[] = {path_of("w.png")};
    sb_texture_files files = {.paths = paths, .path_count = 1};
    sb_texture *texture = read_well(&files);
    const double v[6] = {1, 32768, 65535, 16384, 49152, 32769};
    for (int x = 0; x < 6; x++) {
        ck_assert_double_eq_tol(one_at(texture, (x + 0.5) / 6, 0.5),
                                2.5 * (v[x] - 32768) / 32767, 3e-7);
    }
    ck_assert_double_eq(one_at(texture, 1.5 / 6, 0.5), 0);
    ck_assert(!sb_texture_is_relative(texture, 1));
    sb_texture_release(texture);
    /* The caller overrides it. */
    files.encoding = SB_TEXTURE_PLAIN;
    texture = read_well(&files);
    ck_assert_double_eq_tol(one_at(texture, 1.5 / 6, 0.5), 32768 / 65535.0,
                            1e-7);
    ck_assert(sb_texture_is_relative(texture, 1));
    sb_texture_release(texture);
}
END_TEST

START_TEST(eight_bits_may_be_signed_and_say_so_or_not) {
    const unsigned char rows[] = {1, 128, 255};
    put_png("w.png", 3, 1, 8, PNG_COLOR_TYPE_GRAY, rows, NULL);
    put_png("said.png", 3, 1, 8, PNG_COLOR_TYPE_GRAY, rows, "signed");
    const char *paths[] = {path_of("w.png"), path_of("said.png")};
    sb_texture_files files = {.paths = paths, .path_count = 2};
    sb_texture *texture = read_well(&files);
    double w[2];
    sb_texture_weights(texture, 0.5, 0.5, 2, NULL, w);
    ck_assert_double_eq_tol(w[0], 128 / 255.0, 1e-7);
    ck_assert_double_eq(w[1], 0);
    sb_texture_release(texture);
    files.encoding = SB_TEXTURE_SIGNED;
    texture = read_well(&files);
    sb_texture_weights(texture, 0, 0, 2, NULL, w);
    ck_assert_double_eq(w[0], -1);
    ck_assert_double_eq(w[1], -1);
    sb_texture_release(texture);
}
END_TEST

START_TEST(four_modes_are_packed_in_a_picture) {
    unsigned char rows[2 * 4] = {255, 0, 51, 102, 0, 255, 51, 204};
    put_png("pack.png", 2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, rows, NULL);
    const char *paths[] = {path_of("pack.png"), path_of("pack.png")};
    sb_texture_files files = {
        .paths = paths, .path_count = 2, .channels = SB_TEXTURE_RGBA};
    sb_texture *texture = read_well(&files);
    double w[8];
    sb_texture_weights(texture, 0, 0, 8, NULL, w);
    const double expected[4] = {1, 0, 0.2, 0.4};
    for (int k = 0; k < 8; k++)
        ck_assert_double_eq_tol(w[k], expected[k % 4], 1e-6);
    sb_texture_release(texture);
    const sb_texture_group groups[] = {{1, 1}};
    files.groups = groups;
    files.group_count = 1;
    refuses_files(&files, SB_BAD_ARGUMENT,
                  "`modes` has 1 entries; 8 are needed");
}
END_TEST

START_TEST(files_that_do_not_fit_are_named) {
    const unsigned char rows[16] = {0};
    put_png("a.png", 4, 2, 8, PNG_COLOR_TYPE_GRAY, rows, NULL);
    put_png("b.png", 2, 4, 8, PNG_COLOR_TYPE_GRAY, rows, NULL);
    put_png("one.png", 1, 1, 8, PNG_COLOR_TYPE_GRAY, rows, NULL);
    put_png("said.png", 2, 2, 8, PNG_COLOR_TYPE_GRAY, rows, "signed scale=-1");
    put_png("odd.png", 2, 2, 8, PNG_COLOR_TYPE_GRAY, rows, "loud");
    const char *paths[] = {path_of("a.png"), path_of("b.png")};
    sb_texture_files files = {.paths = paths, .path_count = 2};
    refuses_files(&files, SB_BAD_FORMAT,
                  "b.png: 2 x 4 pixels, but the first of its set, a.png, has "
                  "4 x 2");
    files.path_count = 1;
    files.channels = SB_TEXTURE_RGBA;
    refuses_files(&files, SB_BAD_FORMAT, "a.png: has 1 channel;");
    files.channels = SB_TEXTURE_GREY;
    paths[0] = path_of("one.png");
    refuses_files(&files, SB_BAD_FORMAT, "one.png: 1 x 1 texels");
    paths[0] = path_of("said.png");
    refuses_files(&files, SB_BAD_FORMAT, "not 'signed scale=-1'");
    paths[0] = path_of("odd.png");
    refuses_files(&files, SB_BAD_FORMAT, "not 'loud'");
    paths[0] = path_of("nowhere.png");
    refuses_files(&files, SB_NOT_FOUND, "nowhere.png");
}
END_TEST

/* A mark on the old texture shows which planes are reused. */
START_TEST(pictures_that_have_not_changed_are_not_read_again) {
    const unsigned char dark[2] = {0, 0}, light[2] = {255, 255};
    put_png("a.png", 2, 1, 8, PNG_COLOR_TYPE_GRAY, dark, NULL);
    put_png("b.png", 2, 1, 8, PNG_COLOR_TYPE_GRAY, dark, NULL);
    const char *paths[] = {path_of("a.png"), path_of("b.png")};
    sb_texture_files files = {.paths = paths, .path_count = 2};
    sb_texture *old = read_well(&files);
    texel(old, 0, 0)[0] = texel(old, 0, 0)[1] = 0.75f;
    put_png("b.png", 2, 1, 8, PNG_COLOR_TYPE_GRAY, light, NULL);
    const sb_texture *known[] = {old};
    files.known = known;
    files.known_count = 1;
    sb_texture *texture = read_well(&files);
    double w[2];
    sb_texture_weights(texture, 0, 0, 2, NULL, w);
    ck_assert_double_eq(w[0], 0.75);
    ck_assert_double_eq(w[1], 1);
    sb_texture_release(texture);
    /* Read with another encoding, it is another picture. */
    files.encoding = SB_TEXTURE_SIGNED;
    texture = read_well(&files);
    sb_texture_weights(texture, 0, 0, 2, NULL, w);
    ck_assert_double_eq_tol(w[0], -128 / 127.0, 1e-6);
    sb_texture_release(texture);
    sb_texture_release(old);
}
END_TEST

START_TEST(a_failed_allocation_changes_nothing) {
    const unsigned char rows[16] = {0};
    put_png("a.png", 4, 2, 8, PNG_COLOR_TYPE_GRAY, rows, NULL);
    const char *paths[] = {path_of("a.png"), path_of("a.png")};
    sb_texture_files files = {.paths = paths, .path_count = 2};
    long before = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_texture *texture;
        sb_memory_fail_after(n);
        status = sb_texture_read(&files, &texture, NULL);
        sb_memory_fail_after(-1);
        ck_assert(status == SB_OK || status == SB_NO_MEMORY);
        if (!status) sb_texture_release(texture);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
}
END_TEST

/* --- on a body ----------------------------------------------------------- */

/* The bar's own mode shapes as a texture of sufficient resolution. */
static sb_texture *shapes_of(const sb_model *model, int texels) {
    int modes = sb_model_mode_count(model);
    sb_texture_plane *planes = sb_alloc((size_t)modes, sizeof *planes);
    for (int k = 0; k < modes; k++)
        planes[k] = (sb_texture_plane){k + 1, k + 1, false};
    sb_texture_def def = {texels, 3, planes, modes, SB_TEXTURE_CLAMP};
    sb_texture *texture;
    ck_assert_int_eq(sb_texture_create(&def, &texture, NULL), SB_OK);
    double *weights = sb_alloc((size_t)modes, sizeof *weights);
    for (int i = 0; i < texels * 3; i++) {
        double u = (i % texels + 0.5) / texels;
        double v = (i / texels + 0.5) / 3; /* torsion is linear across */
        sb_model_weights(model, sb_model_point_at(model, u, v), NULL, weights);
        for (int k = 0; k < modes; k++)
            sb_texture_texels(texture)[i * modes + k] = (float)weights[k];
    }
    sb_free(weights);
    sb_free(planes);
    return texture;
}

static double level_of_difference(const float *a, const float *b, int count) {
    double of_a = 0, of_difference = 0;
    for (int i = 0; i < count; i++) {
        of_a += (double)a[i] * a[i];
        of_difference += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
    }
    return 10 * log10(of_difference / of_a);
}

START_TEST(its_own_shapes_as_a_texture_sound_the_same) {
    enum { FRAMES = 4800 };
    static float plain[2 * FRAMES], painted[2 * FRAMES];
    for (int turn = 0; turn < 2; turn++) {
        stage on = stage_new();
        sb_body_def def = bar_def("bar");
        sb_model *model;
        ck_assert_int_eq(
            sb_model_create(&def.shape, &def.material, NULL, &model, NULL),
            SB_OK);
        sb_texture *texture = turn ? shapes_of(model, 4096) : NULL;
        def.weights = texture;
        sb_body_id id = add(on, def);
        sb_texture_release(texture);
        sb_model_release(model);
        sb_place place = {.u = 0.31, .v = 0.4};
        sb_strike_def strike_def = {.speed_m_s = 1,
                                    .striker.mass_kg = 0.01,
                                    .striker.hardness_n_m = 1e6};
        sb_impact_estimate result;
        for (int i = 0; i < 2; i++) {
            strike_def.model =
                i ? SB_IMPACT_MODEL_KMETHOD : SB_IMPACT_MODEL_PULSE;
            ck_assert_int_eq(sb_scene_strike(on.scene, id, &place, &strike_def,
                                             0.04 * i, &result, NULL),
                             SB_OK);
        }
        play(on, turn ? painted : plain, FRAMES);
        stage_free(on);
    }
    ck_assert_double_lt(level_of_difference(plain, painted, 2 * FRAMES), -60);
}
END_TEST

static void weights_along(stage on, sb_body_id id, double u,
                          const sb_vec3 *direction, double *out) {
    sb_place place = {.u = u, .v = 0.5, .has_direction = direction != NULL};
    if (direction) place.direction = *direction;
    weights_at(on, id, &place, out);
}

START_TEST(white_is_as_strong_as_the_mode_is_anywhere) {
    stage on = stage_new();
    const sb_texture_plane planes[] = {{1, 2, true}};
    sb_texture_def made_of = {2, 1, planes, 1, SB_TEXTURE_CLAMP};
    sb_body_def def = bar_def("bar");
    ck_assert_int_eq(sb_texture_create(&made_of, &def.weights, NULL), SB_OK);
    texel(def.weights, 0, 0)[0] = 1;
    texel(def.weights, 1, 0)[0] = -0.5f;
    sb_body_id id = add(on, def), plain = add(on, bar_def("plain"));
    sb_texture_release(def.weights);
    double w[256], own[256], strongest = 2 / sqrt(0.157);
    weights_along(on, id, 0, NULL, w);
    weights_along(on, plain, 0, NULL, own);
    /* A free bar is strongest at its ends, by 2 / sqrt(m); Timoshenko's theory
     * has it a little lower. */
    ck_assert_double_eq_tol(w[0] / strongest, 1, 0.01);
    ck_assert_double_eq_tol(w[1] / strongest, 1, 0.02);
    ck_assert_double_eq(w[2], own[2]); /* no image: its own weight */
    weights_along(on, id, 1, NULL, w);
    ck_assert_double_eq_tol(w[0] / strongest, -0.5, 0.01);
    /* At an angle only the component into the surface counts. */
    sb_vec3 aslant = {3, -4, 0}, along = {1, 0, 0};
    double turned[256];
    weights_along(on, id, 1, &aslant, turned);
    ck_assert_double_eq_tol(turned[0], 0.8 * w[0], 1e-12);
    weights_along(on, id, 1, &along, turned);
    ck_assert_double_eq_tol(turned[0], 0, 1e-12);
    stage_free(on);
}
END_TEST

START_TEST(a_touch_where_it_is_black_takes_nothing) {
    stage on = stage_new();
    const sb_texture_plane planes[] = {{1, 1, true}, {2, 2, true}};
    sb_texture_def made_of = {2, 1, planes, 2, SB_TEXTURE_CLAMP};
    sb_body_def def = hand_def("modes");
    ck_assert_int_eq(sb_texture_create(&made_of, &def.weights, NULL), SB_OK);
    texel(def.weights, 0, 0)[0] = 1; /* left: the first, right: the second */
    texel(def.weights, 1, 0)[1] = 1;
    sb_body_id id = add(on, def);
    sb_texture_release(def.weights);
    double before[2], after[2], hz;
    for (int k = 0; k < 2; k++)
        sb_scene_mode_now(on.scene, id, k, &hz, &before[k]);
    sb_touch_def touch = {.place = {.u = 1, .v = 0.5}, .damping_ns_m = 8};
    sb_touch_id unused;
    ck_assert_int_eq(sb_scene_touch(on.scene, id, &touch, 0, &unused, NULL),
                     SB_OK);
    for (int k = 0; k < 2; k++)
        sb_scene_mode_now(on.scene, id, k, &hz, &after[k]);
    ck_assert_double_eq(after[0], before[0]);
    /* c phi^2 / 2, phi being the second mode's gain, 0.5. */
    ck_assert_double_eq_tol(after[1] - before[1], 8 * 0.25 / 2, 1e-9);
    stage_free(on);
}
END_TEST

START_TEST(a_body_that_does_not_ring_takes_no_weights) {
    stage on = stage_new();
    sb_body_def def = rigid_def("wall");
    def.weights = made(2, 1, 1, SB_TEXTURE_CLAMP);
    sb_body_id id;
    sb_error err;
    ck_assert_int_eq(sb_scene_add(on.scene, &def, 0, &id, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "body 'wall': weights needs a shape that "
                                  "rings, and a rigid one does not");
    sb_texture_release(def.weights);
    stage_free(on);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("texture");
    TCase *tcase = tcase_create("texture");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_add_test(tcase, between_middles_it_is_bilinear);
    tcase_add_test(tcase, u_goes_right_and_v_goes_down);
    tcase_add_test(tcase, beyond_the_edge_it_stays_or_comes_round);
    tcase_add_test(tcase,
                   absolute_weights_go_on_in_a_straight_line_up_to_the_edge);
    tcase_add_test(tcase, groups_share_a_plane_and_modes_without_one_are_left);
    tcase_add_test(tcase, what_cannot_be_is_refused);
    tcase_add_test(tcase, signed_values_are_exact_and_their_middle_is_zero);
    tcase_add_test(tcase, eight_bits_may_be_signed_and_say_so_or_not);
    tcase_add_test(tcase, four_modes_are_packed_in_a_picture);
    tcase_add_test(tcase, files_that_do_not_fit_are_named);
    tcase_add_test(tcase, pictures_that_have_not_changed_are_not_read_again);
    tcase_add_test(tcase, a_failed_allocation_changes_nothing);
    tcase_add_test(tcase, its_own_shapes_as_a_texture_sound_the_same);
    tcase_add_test(tcase, white_is_as_strong_as_the_mode_is_anywhere);
    tcase_add_test(tcase, a_touch_where_it_is_black_takes_nothing);
    tcase_add_test(tcase, a_body_that_does_not_ring_takes_no_weights);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
