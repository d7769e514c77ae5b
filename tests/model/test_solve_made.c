/* SPDX-License-Identifier: MIT */
/* Models made through the cache, interrupted, out of memory. */
#include "runtime/store/model_maker.h"
#include "tests/model/fill/boundaries.h"
#include "tests/model/solve_fixture.h"
#include "tests/scratch.h"

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
    return run_suite(suite);
}
