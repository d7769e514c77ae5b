/* Allocation number n fails, for every n, while a scene is opened, struck and
 * stepped: it says so, loses nothing, and does not crash. */
#include "bindings/host/host.h"
#include "runtime/base/memory.h"
#include "tests/scratch.h"

#include <check.h>

/* Everything that may want memory: modules, materials, models, voices, timers,
 * coroutines, contacts, params, prints. What returns nil is asserted. */
static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local part = require 'part'\n"
    "assert(sb.param('p', { max = 2 }))\n"
    "local bell = assert(sb.body('bell', { shape = part.shape }))\n"
    "local bar = assert(sb.body('bar', { material = 'steel',\n"
    "  shape = sb.bar { length = 0.1, width = 0.02, thickness = 0.01 } }))\n"
    "assert(sb.body('wall', { shape = sb.rigid() }))\n"
    "assert(sb.body('gong', { shape = part.shape, nonlinear = {} }))\n"
    "print 'described'\n"
    "function scene.start()\n"
    "  assert(bell:strike { impulse = 0.001 })\n"
    "  sb.go(function()\n"
    "    sb.sleep(0.005)\n"
    "    assert(bar:strike { speed = 1 })\n"
    "    local late = assert(sb.body('late', { shape = part.shape }))\n"
    "    assert(late:strike { speed = 1 })\n"
    "    assert(late:place { 0, 0, 1 })\n"
    "    assert(select('#', late:remove()) == 0)\n"
    "  end)\n"
    "  sb.every(0.004, function() assert(bar:gain(0.5)) end)\n"
    "end\n"
    "function scene.contact(c) state[#state + 1] = c.impulse end\n"
    "function scene.update()\n"
    "  assert(select('#', sb.listener { gain = 0.5 }) == 0)\n"
    "  assert(sb.stats().time >= 0)\n"
    "end\n";

static const char part_text[] =
    "local sb = require 'sandbell'\n"
    "return { shape = sb.modes { { 440, 0.2 }, { 660, 0.1, 0.5 } } }\n";

static void ignore(void *user, const char *message) {
    (void)user;
    (void)message;
}

static sb_status run_steps(sb_host *host, sb_error *err) {
    float stereo[2 * 480];
    for (int i = 0; i < 3; i++) {
        sb_status status = sb_host_step(host, i * 0.01, (i + 1) * 0.01, err);
        if (status) return status;
        if (!sb_engine_flush(sb_host_engine(host), (i + 1) * 480)) {
            return sb_fail(err, SB_QUEUE_FULL, "the ring is full");
        }
        sb_engine_pull(sb_host_engine(host), stereo, 480);
    }
    return SB_OK;
}

/* Open, run and close with `n` allocations; true if that was enough. */
static bool survives(const char *path, long n, bool parks, sb_error *err) {
    sb_host_def def = sb_host_def_default();
    def.report = ignore;
    def.parks_errors = parks;
    sb_host *host = NULL;
    *err = (sb_error){.status = SB_OK};
    sb_memory_fail_after(n);
    sb_status status = sb_host_open(path, &def, &host, err);
    if (!status) {
        status = run_steps(host, err);
        if (!status && sb_host_error_count(host)) {
            (void)sb_fail(err, SB_NO_MEMORY, "parked: out of memory");
            status = SB_NO_MEMORY;
        }
        sb_host_close(host);
    } else {
        ck_assert_ptr_null(host);
    }
    sb_memory_fail_after(-1);
    return status == SB_OK;
}

static bool opens(const char *path, long n) {
    sb_host_def def = sb_host_def_default();
    def.report = ignore;
    sb_host *host = NULL;
    sb_error err;
    sb_memory_fail_after(n);
    sb_status status = sb_host_open(path, &def, &host, &err);
    sb_memory_fail_after(-1);
    if (!status) sb_host_close(host);
    return status == SB_OK;
}

/* The least number of allocations that opens the scene, by bisection. */
static long opening_needs(const char *path) {
    long few = 0, enough = 100000;
    while (enough - few > 1) {
        long n = (few + enough) / 2;
        if (opens(path, n))
            enough = n;
        else
            few = n;
    }
    return enough;
}

/* Errors while a scene is opened are never parked: with `parks`, only the
 * allocations after that are failed again. */
static void try_every_n(bool parks) {
    scratch_put("scene.lua", scene_text);
    scratch_put("part.lua", part_text);
    char path[400];
    (void)snprintf(path, sizeof path, "%s", scratch_path("scene.lua"));
    long blocks = sb_memory_live_blocks();
    sb_error err;
    long first = parks ? opening_needs(path) - 1 : 0;
    long n = first;
    for (; n < 100000; n++) {
        bool is_enough = survives(path, n, parks, &err);
        ck_assert_msg(sb_memory_live_blocks() == blocks,
                      "allocation %ld: %ld blocks are lost (%s)", n,
                      sb_memory_live_blocks() - blocks, err.message);
        if (is_enough) break;
        ck_assert_msg(strstr(err.message, "memory") != NULL,
                      "allocation %ld: '%s'", n, err.message);
    }
    ck_assert_int_gt(n, 500);
    ck_assert_int_gt(n, first + 50);
    ck_assert_int_lt(n, 100000);
    (void)printf("allocations %ld to %ld, each failed once%s\n", first, n - 1,
                 parks ? ", errors parked" : "");
}

START_TEST(every_allocation_may_fail) {
    try_every_n(false);
}
END_TEST

START_TEST(every_allocation_may_fail_when_errors_are_parked) {
    try_every_n(true);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("host_memory");
    TCase *tcase = tcase_create("host_memory");
    tcase_add_checked_fixture(tcase, scratch_make, scratch_remove);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, every_allocation_may_fail);
    tcase_add_test(tcase, every_allocation_may_fail_when_errors_are_parked);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures ? 1 : 0;
}
