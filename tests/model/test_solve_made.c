/* SPDX-License-Identifier: MIT */
/* Models made through the cache, rescaled for another material or size,
 * interrupted, out of memory; and places on the textures of model files. */
#include "runtime/base/pi.h"
#include "runtime/model/mesh/mesh_file.h"
#include "runtime/model/solve/solve.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/model_maker.h"
#include "tests/model/fill/boundaries.h"
#include "tests/model/solve_fixture.h"
#include "tests/scratch.h"

#include <stdlib.h>

/* --- progress reports ----------------------------------------------------- */

typedef struct listener {
    int calls, stop_at; /* -1: never */
    bool was_cached, was_solved;
} listener;

static bool hear(void *context, const char *stage, int done, int expected) {
    listener *self = context;
    (void)done;
    (void)expected;
    if (strcmp(stage, "cached") == 0) self->was_cached = true;
    if (strcmp(stage, "assembly") == 0) self->was_solved = true;
    return self->calls++ != self->stop_at;
}

static sb_maker maker_here(listener *told) {
    *told = (listener){.stop_at = -1};
    sb_maker maker = {
        .cache.max_bytes = 1 << 28, .progress = hear, .context = told};
    (void)snprintf(maker.cache.folder, sizeof maker.cache.folder, "%s",
                   scratch_directory);
    return maker;
}

static sb_model *made(const sb_maker *maker, sb_shape shape,
                      sb_material material) {
    sb_model *model = NULL;
    sb_error err = {0};
    sb_status status =
        sb_maker_make(maker, &shape, &material, NULL, &model, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return model;
}

static void expect_same_bits(const sb_model *a, const sb_model *b) {
    int count = sb_model_mode_count(a);
    ck_assert_int_eq(sb_model_mode_count(b), count);
    ck_assert_mem_eq(sb_model_modes(a), sb_model_modes(b),
                     (size_t)count * sizeof(sb_mode));
    ck_assert_double_eq(sb_model_mass_kg(a), sb_model_mass_kg(b));
    ck_assert_str_eq(sb_model_method(a), sb_model_method(b));
    double x[1024], y[1024];
    ck_assert_int_le(count, 1024);
    for (int i = 0; i < 20; i++) {
        sb_vec3 at = {.01 * i - .1, .02, .03 * (i % 5)};
        sb_model_point point = sb_model_nearest(a, at);
        sb_model_weights(a, point, NULL, x);
        sb_model_weights(b, sb_model_nearest(b, at), NULL, y);
        ck_assert_mem_eq(x, y, (size_t)count * sizeof *x);
        ck_assert_double_eq(sb_model_inverse_mass(a, point, NULL),
                            sb_model_inverse_mass(b, point, NULL));
    }
}

static sb_shape small_sheet(void);

/* --- what is heard -------------------------------------------------------- */

static void expect_same_directions(const sb_model *a, const sb_model *b) {
    const sb_pattern *p = sb_model_patterns(a), *q = sb_model_patterns(b);
    ck_assert(p && q);
    for (int k = 0; k < sb_model_mode_count(a); k++) {
        ck_assert_int_eq(p[k].order, q[k].order);
        ck_assert_float_eq(p[k].rest, q[k].rest);
        size_t count = (size_t)sb_harmonics_count(p[k].order);
        if (count)
            ck_assert_mem_eq(p[k].coefs, q[k].coefs, count * sizeof *p->coefs);
    }
}

/* By boundary elements once, then from the cache, with the same bits; put off
 * only where it is not there, and then by the quick law. */
static void expect_kept(sb_shape shape, sb_material material) {
    listener told;
    sb_maker maker = maker_here(&told);
    double seconds = 0;
    int exact;
    shape.radiation = SB_RADIATES_EXACT;
    maker.put_off_s = &seconds;
    sb_model *early = made(&maker, shape, material);
    ck_assert_double_gt(seconds, 1e-4);
    ck_assert_int_eq(sb_model_radiating(early, &exact), SB_RADIATES_QUICK);
    ck_assert_int_eq(exact, 0);
    for (int k = 0; k < sb_model_mode_count(early); k++) {
        const sb_mode *mode = &sb_model_modes(early)[k];
        double own = sb_material_sigma(&material, SB_TAU * mode->freq_hz);
        ck_assert_double_eq_tol(mode->sigma_per_s, own, 1e-9 * own);
    }
    maker.put_off_s = NULL;
    sb_model *first = made(&maker, shape, material);
    ck_assert_int_eq(sb_model_radiating(first, &exact), SB_RADIATES_EXACT);
    ck_assert_int_gt(exact, 0);
    seconds = 0;
    maker.put_off_s = &seconds;
    sb_model *second = made(&maker, shape, material);
    ck_assert_double_eq(seconds, 0);
    expect_same_bits(first, second);
    expect_same_directions(first, second);
    sb_model_release(early);
    sb_model_release(first);
    sb_model_release(second);
}

START_TEST(what_is_heard_is_kept) {
    const sb_shape bar = {.kind = SB_SHAPE_BAR,
                          .length = .2,
                          .width = .02,
                          .thickness = .005,
                          .max_hz = 3000};
    const sb_shape drum = {.kind = SB_SHAPE_MEMBRANE,
                           .radius = .2,
                           .tension = 2000,
                           .surface_density = .26,
                           .max_modes = 6};
    expect_kept(bar, *sb_material_find("steel"));
    expect_kept(small_sheet(), *sb_material_find("glass"));
    sb_shape skin = drum;
    skin.radiation = SB_RADIATES_EXACT;
    listener told;
    sb_maker maker = maker_here(&told);
    sb_material plastic = *sb_material_find("plastic");
    sb_model *first = made(&maker, skin, plastic);
    double seconds = 0;
    maker.put_off_s = &seconds;
    sb_model *second = made(&maker, skin, plastic);
    ck_assert_double_eq(seconds, 0);
    expect_same_bits(first, second);
    sb_model_release(first);
    sb_model_release(second);
}
END_TEST

/* A file that was damaged counts as missing. */
START_TEST(a_damaged_file_is_heard_again) {
    sb_shape bar = {.kind = SB_SHAPE_BAR,
                    .length = .2,
                    .width = .02,
                    .thickness = .005,
                    .max_hz = 2000,
                    .radiation = SB_RADIATES_EXACT};
    listener told;
    sb_maker maker = maker_here(&told);
    sb_model *first = made(&maker, bar, *sb_material_find("steel"));
    char command[sizeof maker.cache.folder + 80];
    (void)snprintf(command, sizeof command,
                   "for f in '%s'/*.heard; do printf x >>\"$f\"; done",
                   maker.cache.folder);
    ck_assert_int_eq(system(command), 0);
    double seconds = 0;
    maker.put_off_s = &seconds;
    sb_model *quick = made(&maker, bar, *sb_material_find("steel"));
    ck_assert_double_gt(seconds, 1e-4);
    maker.put_off_s = NULL;
    sb_model *again = made(&maker, bar, *sb_material_find("steel"));
    expect_same_bits(first, again);
    sb_model_release(first);
    sb_model_release(quick);
    sb_model_release(again);
}
END_TEST

static sb_shape small_sheet(void) {
    sb_mesh mesh = square(.2, 6, JITTERED);
    for (int i = 0; i < mesh.vertex_count; i++)
        mesh.vertices[i].y = mesh.vertices[i].x * mesh.vertices[i].z;
    sb_shape shape = shape_of(mesh, .002);
    shape.max_hz = 5000;
    return shape;
}

/* --- the cache ------------------------------------------------------------ */

START_TEST(what_was_made_once_is_found_bit_for_bit) {
    listener told;
    sb_maker maker = maker_here(&told);
    sb_shape shape = small_sheet();
    sb_material m = heard_steel();
    sb_model *first = made(&maker, shape, m);
    ck_assert(told.was_solved && !told.was_cached);
    ck_assert_int_eq(scratch_entries(0), 1);
    maker = maker_here(&told);
    sb_model *second = made(&maker, shape, m);
    ck_assert(told.was_cached && !told.was_solved);
    expect_same_bits(first, second);
    maker.cache.folder[0] = '\0';
    sb_model *third = made(&maker, shape, m);
    expect_same_bits(first, third);
    sb_model *fourth = solved(shape, m);
    expect_same_bits(first, fourth);
    sb_model_release(first);
    sb_model_release(second);
    sb_model_release(third);
    sb_model_release(fourth);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

/* A solid is solved once, even if it has no audible modes; a solid that
 * certainly has none is not solved. */
START_TEST(a_solid_that_does_not_ring_is_solved_once_or_never) {
    listener told;
    sb_material m = *sb_material_find("steel");
    sb_shape cube = {
        .kind = SB_SHAPE_BOX, .width = .06, .height = .06, .depth = .06};
    for (int i = 0; i < 2; i++) {
        sb_maker maker = maker_here(&told);
        sb_model *model = made(&maker, cube, m); /* 23.8 kHz */
        ck_assert(told.was_solved == (i == 0) && told.was_cached == (i == 1));
        ck_assert_int_eq(sb_model_mode_count(model), 0);
        ck_assert_str_eq(sb_model_method(model), "rigid");
        ck_assert_double_eq_tol(sb_model_mass_kg(model), 7850 * 216e-6, 1e-9);
        sb_model_release(model);
    }
    cube.width = cube.height = cube.depth = .05; /* 28.6 kHz */
    sb_maker maker = maker_here(&told);
    sb_model_release(made(&maker, cube, m));
    ck_assert(!told.was_solved && !told.was_cached);
    cube.height = .04; /* another shape, although its other sizes are equal */
    cube.width = cube.depth = .1;
    maker = maker_here(&told);
    sb_model *low = made(&maker, cube, m);
    ck_assert(told.was_solved);
    cube.height = .05;
    maker = maker_here(&told);
    sb_model *high = made(&maker, cube, m);
    ck_assert(told.was_solved);
    ck_assert_double_gt(sb_model_modes(high)[0].freq_hz,
                        1.05 * sb_model_modes(low)[0].freq_hz);
    sb_model_release(low);
    sb_model_release(high);
}
END_TEST

START_TEST(another_damping_and_mass_need_no_solving) {
    listener told;
    sb_maker maker = maker_here(&told);
    sb_shape shape = small_sheet();
    sb_material m = heard_steel(), stiff = m;
    stiff.youngs_modulus *= 2;
    stiff.density *= 2;
    stiff.beta *= 3;
    sb_model *first = made(&maker, shape, m);
    maker = maker_here(&told);
    sb_model *second = made(&maker, shape, stiff);
    ck_assert(told.was_cached && !told.was_solved);
    ck_assert_double_eq_tol(sb_model_modes(second)[0].freq_hz /
                                sb_model_modes(first)[0].freq_hz,
                            1, 1e-12);
    /* A softer material: the limit admits more modes. */
    sb_material soft = m;
    soft.youngs_modulus /= 4;
    maker = maker_here(&told);
    sb_model *third = made(&maker, shape, soft);
    ck_assert(told.was_solved);
    ck_assert_int_gt(sb_model_mode_count(third), sb_model_mode_count(first));
    ck_assert_int_eq(scratch_entries(0), 2);
    /* Another Poisson's ratio, thickness or constraint is another problem. */
    sb_material other = m;
    other.poisson_ratio = 0.3;
    maker = maker_here(&told);
    sb_model_release(made(&maker, shape, other));
    ck_assert(told.was_solved);
    sb_shape thick = shape;
    thick.thickness = .003;
    maker = maker_here(&told);
    sb_model_release(made(&maker, thick, m));
    ck_assert(told.was_solved);
    sb_shape held = shape;
    held.hold =
        (sb_hold_rule){.where = SB_HOLD_AT_BORDER, .how = SB_HOLD_CLAMPED};
    maker = maker_here(&told);
    sb_model_release(made(&maker, held, m));
    ck_assert(told.was_solved);
    held.hold.how = SB_HOLD_PINNED;
    maker = maker_here(&told);
    sb_model_release(made(&maker, held, m));
    ck_assert(told.was_solved);
    ck_assert_int_eq(scratch_entries(0), 6);
    sb_model_release(first);
    sb_model_release(second);
    sb_model_release(third);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

/* If fewer modes are requested than are cached, the result has the bits of a
 * solution for just those. */
START_TEST(a_limit_on_modes_does_not_see_the_cache) {
    listener told;
    sb_maker maker = maker_here(&told);
    sb_shape shape = small_sheet(), few = shape;
    shape.keeps_beats = few.keeps_beats = false;
    few.max_modes = 4;
    sb_material m = heard_steel();
    sb_model *alone = solved(few, m);
    sb_model_release(made(&maker, shape, m));
    maker = maker_here(&told);
    sb_model *found = made(&maker, few, m);
    ck_assert(told.was_solved);
    ck_assert_int_eq(sb_model_mode_count(found), sb_model_mode_count(alone));
    for (int k = 0; k < sb_model_mode_count(alone); k++) {
        ck_assert(sb_model_modes(found)[k].freq_hz ==
                  sb_model_modes(alone)[k].freq_hz);
    }
    sb_model_release(alone);
    sb_model_release(found);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

START_TEST(a_damaged_file_is_solved_anew) {
    listener told;
    sb_maker maker = maker_here(&told);
    sb_shape shape = small_sheet();
    sb_material m = heard_steel();
    sb_model *first = made(&maker, shape, m);
    char path[400] = "";
    DIR *folder = opendir(scratch_directory);
    for (struct dirent *e; (e = readdir(folder));) {
        if (e->d_name[0] != '.') strcpy(path, scratch_path(e->d_name));
    }
    (void)closedir(folder);
    struct stat facts;
    ck_assert_int_eq(stat(path, &facts), 0);
    for (int i = 0; i < 3; i++) {
        if (i < 2) {
            FILE *file = fopen(path, "r+b");
            (void)fseek(file, i == 0 ? 5 : (long)facts.st_size / 2, SEEK_SET);
            (void)fputc('\x55' ^ i, file);
            (void)fclose(file);
        } else {
            ck_assert_int_eq(truncate(path, facts.st_size / 3), 0);
        }
        maker = maker_here(&told);
        sb_model *again = made(&maker, shape, m);
        ck_assert(told.was_solved && !told.was_cached);
        expect_same_bits(first, again);
        sb_model_release(again);
        maker = maker_here(&told);
        again = made(&maker, shape, m);
        ck_assert(told.was_cached);
        sb_model_release(again);
    }
    sb_model_release(first);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

START_TEST(a_closed_form_needs_no_cache) {
    listener told;
    sb_maker maker = maker_here(&told);
    sb_shape bar = {
        .kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005};
    sb_model_release(made(&maker, bar, heard_steel()));
    ck_assert_int_eq(told.calls, 0);
    ck_assert_int_eq(scratch_entries(0), 0);
    bar.method = SB_METHOD_SHELL;
    bar.elements = 12;
    sb_model_release(made(&maker, bar, heard_steel()));
    ck_assert(told.was_solved);
    maker = maker_here(&told);
    sb_model_release(made(&maker, bar, heard_steel()));
    ck_assert(told.was_cached);
    bar.elements = 14;
    maker = maker_here(&told);
    sb_model_release(made(&maker, bar, heard_steel()));
    ck_assert(told.was_solved);
    sb_model *model = NULL;
    sb_error err;
    ck_assert_int_eq(sb_maker_make(&maker, &bar, NULL, NULL, &model, &err),
                     SB_BAD_ARGUMENT);
    ck_assert_str_eq(err.message, "bar: a material is needed");
}
END_TEST

/* --- interrupts, out of memory -------------------------------------------- */

/* What is in the cache is found. */
static void is_whole(const sb_shape *shape, const sb_material *material) {
    listener told;
    sb_maker maker = maker_here(&told);
    sb_model *model = NULL;
    sb_error err;
    ck_assert_int_eq(sb_maker_make(&maker, shape, material, NULL, &model, &err),
                     SB_OK);
    ck_assert(told.was_cached);
    sb_model_release(model);
}

START_TEST(every_call_can_interrupt) {
    sb_shape shape = small_sheet();
    sb_material m = heard_steel();
    long before = sb_memory_live_blocks();
    sb_status status = SB_INTERRUPTED;
    for (int i = 0; status; i++) {
        listener told;
        sb_maker maker = maker_here(&told);
        told.stop_at = i;
        sb_model *model = NULL;
        sb_error err;
        status = sb_maker_make(&maker, &shape, &m, NULL, &model, &err);
        if (status) {
            ck_assert_int_eq(status, SB_INTERRUPTED);
            ck_assert_ptr_null(model);
            /* The thread that was left may have been done by then: what it
             * stored is whole. */
            if (scratch_entries(0) > 0) is_whole(&shape, &m);
            (void)scratch_entries(1);
        } else {
            ck_assert_int_ge(i, 3);
        }
        sb_model_release(model);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
    }
    sb_mesh_source_release(shape.mesh);
}
END_TEST

static void fail_every_allocation(sb_shape shape) {
    sb_material m = heard_steel();
    listener told;
    sb_maker maker = maker_here(&told);
    long before = sb_memory_live_blocks();
    sb_status status = SB_NO_MEMORY;
    int failures = 0;
    for (long n = 0; status; n++) {
        sb_model *model = NULL;
        sb_error err = {0};
        sb_memory_fail_after(n);
        status = sb_maker_make(&maker, &shape, &m, NULL, &model, &err);
        sb_memory_fail_after(-1);
        ck_assert_msg(!status || status == SB_NO_MEMORY, "after %ld: %s", n,
                      err.message);
        ck_assert((status != SB_OK) == (model == NULL));
        sb_model_release(model);
        ck_assert_int_eq(sb_memory_live_blocks(), before);
        failures += status != SB_OK;
        ck_assert_int_lt(failures, 5000);
    }
    ck_assert_int_gt(failures, 20);
    sb_mesh_source_release(shape.mesh);
}

START_TEST(a_sheet_survives_every_failing_allocation) {
    sb_shape shape = shape_of(square(.2, 2, SAME), .002);
    shape.hold = (sb_hold_rule){
        SB_HOLD_IN_BOX, SB_HOLD_PINNED, {-9, -9, -9}, {-.09, 9, -.09}};
    fail_every_allocation(shape);
}
END_TEST

START_TEST(a_solid_survives_every_failing_allocation) {
    sb_mesh box = {0};
    sb_error err;
    ck_assert_int_eq(sb_mesh_copy(&box, surface_box(.3, .3, .3), &err), SB_OK);
    sb_shape shape = shape_of(box, 0);
    shape.elements = 1;
    fail_every_allocation(shape);
}
END_TEST

/* --- another material, another size --------------------------------------- */

static sb_model *rescaled(sb_model *model, sb_shape shape, sb_material m) {
    sb_model *out = NULL;
    sb_error err = {0};
    sb_status status = sb_model_rescale(model, &shape, &m, &out, &err);
    ck_assert_msg(status == SB_OK, "%s", err.message);
    return out;
}

static sb_shape scaled_box(double scale) {
    sb_mesh box = {0};
    sb_error err;
    ck_assert_int_eq(
        sb_mesh_copy(&box, surface_box(.1 * scale, .02 * scale, .04 * scale),
                     &err),
        SB_OK);
    sb_shape shape = shape_of(box, 0);
    shape.elements = 8;
    shape.max_hz = 40000;
    return shape;
}

/* Rescaled against solved anew, for modes that both have. */
static void expect_alike(const sb_model *a, const sb_model *b, double at_scale,
                         double tolerance) {
    int count = sb_model_mode_count(b);
    if (count > sb_model_mode_count(a)) count = sb_model_mode_count(a);
    ck_assert_int_ge(count, 4);
    ck_assert_double_eq_tol(sb_model_mass_kg(a) / sb_model_mass_kg(b), 1, 1e-9);
    double x[512], y[512];
    sb_vec3 at = {.093 * at_scale, .02 * at_scale, .007 * at_scale};
    const sb_vec3 skew = {.2, -1, .3};
    sb_model_point one = sb_model_nearest(a, at),
                   other = sb_model_nearest(b, at);
    sb_model_weights(a, one, &skew, x);
    sb_model_weights(b, other, &skew, y);
    for (int k = 0; k < count; k++) {
        const sb_mode *p = &sb_model_modes(a)[k], *q = &sb_model_modes(b)[k];
        ck_assert_double_eq_tol(p->freq_hz / q->freq_hz, 1, 1e-9);
        ck_assert_double_eq_tol(p->sigma_per_s / q->sigma_per_s, 1, 1e-8);
        ck_assert_double_eq_tol(fabs(x[k]), fabs(y[k]), 1e-4);
        double db = 20 * log10(p->radiation / q->radiation);
        if (getenv("SHOW")) (void)printf("mode %d: %+.3f dB\n", k, db);
        ck_assert_msg(fabs(db) <= tolerance, "mode %d: %+.2f dB", k, db);
    }
    ck_assert_double_eq_tol(sb_model_inverse_mass(a, one, NULL) /
                                sb_model_inverse_mass(b, other, NULL),
                            1, 1e-6);
    sb_vec3 gap =
        sb_vec3_sub(sb_model_position(a, one), sb_model_position(b, other));
    ck_assert_double_le(sb_vec3_length(gap), 1e-7 * at_scale);
}

START_TEST(a_rescaled_mesh_is_what_it_would_be) {
    sb_material m = heard_steel(), stiff = m, heavy = m, dull = m;
    stiff.youngs_modulus *= 1.44;
    heavy.density *= 2;
    dull.alpha *= 4;
    dull.beta *= 2;
    sb_shape shape = scaled_box(1), larger = scaled_box(1.5);
    sb_model *model = solved(shape, m);
    const sb_material materials[] = {stiff, heavy, dull};
    for (int i = 0; i < 3; i++) {
        ck_assert(sb_model_can_rescale(model, &shape, &materials[i]));
        sb_model *quick = rescaled(model, shape, materials[i]);
        sb_model *slow = solved(shape, materials[i]);
        expect_alike(quick, slow, 1, 0.01);
        sb_model_release(quick);
        sb_model_release(slow);
    }
    ck_assert(sb_model_can_rescale(model, &larger, &m));
    sb_model *quick = rescaled(model, larger, m);
    sb_model *slow = solved(larger, m);
    expect_alike(quick, slow, 1.5, 0.01);
    /* Rescaled back. */
    sb_model *back = rescaled(quick, shape, m);
    expect_alike(back, model, 1, 0.01);
    sb_model_release(back);
    sb_model_release(quick);
    sb_model_release(slow);
    sb_model_release(model);
    sb_mesh_source_release(shape.mesh);
    sb_mesh_source_release(larger.mesh);
}
END_TEST

START_TEST(another_problem_is_not_rescaled) {
    sb_material m = heard_steel(), other = m;
    other.poisson_ratio = 0.3;
    sb_shape shape = small_sheet();
    sb_model *model = solved(shape, m);
    ck_assert(sb_model_can_rescale(model, &shape, &m));
    ck_assert(!sb_model_can_rescale(model, &shape, &other));
    sb_shape changed = shape;
    changed.thickness = .003;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    changed = shape;
    changed.hold.where = SB_HOLD_AT_BORDER;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    changed = shape;
    changed.method = SB_METHOD_SPRINGS;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    changed = shape;
    changed.keeps_beats = false;
    ck_assert(!sb_model_can_rescale(model, &changed, &m));
    sb_shape box = scaled_box(1);
    ck_assert(!sb_model_can_rescale(model, &box, &m));
    sb_mesh_source_release(box.mesh);
    sb_model_release(model);
    sb_mesh_source_release(shape.mesh);
}
END_TEST

/* --- textures ------------------------------------------------------------- */

static sb_model *from_file(const char *name, double thickness, int elements) {
    sb_shape shape = {.kind = SB_SHAPE_MESH,
                      .thickness = thickness,
                      .elements = elements,
                      .max_modes = 4};
    char path[400];
    (void)snprintf(path, sizeof path, "%s/%s.obj", MODELS, name);
    sb_mesh mesh = {0};
    sb_mesh_report report;
    sb_mesh_source *source = NULL;
    sb_error err = {0};
    sb_status status = sb_mesh_read(path, 1, &mesh, &report, &err);
    ck_assert_msg(!status, "%s", err.message);
    status = sb_mesh_source_create(name, &mesh, &report, &source, &err);
    ck_assert_msg(!status, "%s", err.message);
    shape.mesh = source;
    return solved_mesh(shape, heard_steel());
}

static sb_vec3 place(const sb_model *model, double u, double v) {
    return sb_model_position(model, sb_model_point_at(model, u, v));
}

START_TEST(a_bowl_is_found_by_its_texture) {
    sb_model *bowl = from_file("bowl", .003, 0);
    ck_assert(sb_model_has_uv(bowl));
    for (int i = 0; i <= 40; i++) {
        double u = i / 40.0;
        sb_vec3 rim = place(bowl, u, 1);
        double angle = atan2(rim.z, rim.x) / (2 * SB_PI);
        ck_assert_msg(fabs(remainder(angle - u, 1)) < 1e-3, "%g: %g", u, angle);
        ck_assert_double_gt(rim.y, .04);
        /* The inverse. */
        double back_u, back_v;
        sb_model_uv(bowl, sb_model_point_at(bowl, u, 0.7), &back_u, &back_v);
        ck_assert_double_eq_tol(back_u, u, 1e-6);
        ck_assert_double_eq_tol(back_v, 0.7, 1e-6);
    }
    sb_vec3 bottom = place(bowl, 0.3, 0);
    ck_assert_double_lt(hypot(bottom.x, bottom.z), .005);
    ck_assert_double_lt(bottom.y, -.04);
    sb_model_release(bowl);
}
END_TEST

/* The skin of a filled body takes its coordinates from the mesh. */
START_TEST(a_filled_bar_keeps_its_texture) {
    sb_model *bar = from_file("bar", 0, 20);
    ck_assert(sb_model_has_uv(bar));
    for (int i = 1; i < 10; i++) {
        sb_vec3 at = place(bar, i / 10.0, 0.5);
        ck_assert_double_eq_tol(at.x, .2 * (i / 10.0 - 0.5), 1e-4);
        ck_assert_double_eq_tol(at.y, .0025, 1e-5);
        ck_assert_double_eq_tol(at.z, 0, 1e-4);
    }
    sb_model_release(bar);
}
END_TEST

static void expect_ring(const sb_model *ring, double radius, double wire) {
    for (int i = 0; i <= 24; i++) {
        double u = i / 24.0;
        sb_vec3 out = place(ring, u, 0.02), up = place(ring, u, 0.25);
        double angle = atan2(out.z, out.x) / (2 * SB_PI);
        ck_assert_msg(fabs(remainder(angle - u, 1)) < 5e-3, "%g: %g", u, angle);
        ck_assert_double_eq_tol(hypot(out.x, out.z), radius + wire, .1 * wire);
        ck_assert_double_eq_tol(up.y, wire, .1 * wire);
        ck_assert_double_eq_tol(hypot(up.x, up.z), radius, .15 * wire);
    }
}

START_TEST(a_ring_has_no_gap_at_its_seam) {
    sb_model *ring = from_file("ring", 0, 36);
    ck_assert(sb_model_has_uv(ring));
    expect_ring(ring, .05, .004);
    sb_model_release(ring);
    sb_shape form = {.kind = SB_SHAPE_RING,
                     .radius = .05,
                     .wire_radius = .004,
                     .method = SB_METHOD_SOLID,
                     .elements = 36,
                     .max_modes = 4};
    ring = solved(form, heard_steel());
    ck_assert(sb_model_has_uv(ring));
    expect_ring(ring, .05, .004);
    sb_model_release(ring);
}
END_TEST

/* Closed forms solved by elements have the same places as in closed form. */
START_TEST(closed_forms_keep_their_places) {
    sb_shape forms[] = {
        {.kind = SB_SHAPE_BAR, .length = .2, .width = .02, .thickness = .005},
        {.kind = SB_SHAPE_PLATE, .width = .3, .depth = .2, .thickness = .002},
        {.kind = SB_SHAPE_DISK, .radius = .1, .thickness = .003}};
    static const sb_method methods[] = {SB_METHOD_SHELL, SB_METHOD_SPRINGS,
                                        SB_METHOD_SOLID};
    for (int i = 0; i < 3; i++) {
        sb_model *exact = solved(forms[i], heard_steel());
        for (int j = 0; j < 3; j++) {
            sb_shape shape = forms[i];
            shape.method = methods[j];
            shape.elements = 12;
            shape.max_modes = 4;
            sb_model *model = solved(shape, heard_steel());
            for (int k = 0; k < 25; k++) {
                double u = .3 + .1 * (k % 5), v = .3 + .1 * (k / 5);
                sb_vec3 a = place(exact, u, v), b = place(model, u, v);
                ck_assert_double_le(hypot(a.x - b.x, a.z - b.z), 1e-4);
                /* A sheet is the middle surface, a solid has its top. */
                ck_assert_double_le(fabs(a.y - b.y), .0026);
                ck_assert_double_gt(
                    sb_model_normal(model, sb_model_point_at(model, u, v)).y,
                    .99);
            }
            sb_model_release(model);
        }
        sb_model_release(exact);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve_made");
    TCase *cache = tcase_create("cache");
    tcase_add_checked_fixture(cache, scratch_make, scratch_remove);
    tcase_add_test(cache, what_is_heard_is_kept);
    tcase_add_test(cache, a_damaged_file_is_heard_again);
    tcase_add_test(cache, what_was_made_once_is_found_bit_for_bit);
    tcase_add_test(cache, a_solid_that_does_not_ring_is_solved_once_or_never);
    tcase_add_test(cache, another_damping_and_mass_need_no_solving);
    tcase_add_test(cache, a_limit_on_modes_does_not_see_the_cache);
    tcase_add_test(cache, a_damaged_file_is_solved_anew);
    tcase_add_test(cache, a_closed_form_needs_no_cache);
    tcase_add_test(cache, every_call_can_interrupt);
    tcase_add_test(cache, a_sheet_survives_every_failing_allocation);
    tcase_add_test(cache, a_solid_survives_every_failing_allocation);
    suite_add_tcase(suite, cache);
    TCase *again = tcase_create("again");
    tcase_add_test(again, a_rescaled_mesh_is_what_it_would_be);
    tcase_add_test(again, another_problem_is_not_rescaled);
    suite_add_tcase(suite, again);
    TCase *textures = tcase_create("textures");
    tcase_add_test(textures, a_bowl_is_found_by_its_texture);
    tcase_add_test(textures, a_filled_bar_keeps_its_texture);
    tcase_add_test(textures, a_ring_has_no_gap_at_its_seam);
    tcase_add_test(textures, closed_forms_keep_their_places);
    suite_add_tcase(suite, textures);
    return run_suite(suite);
}
