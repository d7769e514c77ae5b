/* SPDX-License-Identifier: MIT */
/* The audio callback over a busy scene makes no allocation, takes no lock and
 * enters no system call; and a callback that did would be seen.
 *
 * Allocations and locks are counted by functions of this program that stand
 * before those of the C library. System calls are forbidden by the kernel: a
 * child process gives up the right to any but its own exit, and then pulls. */
#include "runtime/base/clock.h"
#include "tests/engine/engine_fixture.h"

#include "runtime/base/air.h"
#include "runtime/engine/audio/deadline.h"
#include "runtime/engine/output/feed.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#endif

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif

enum { BLOCKS = 4000, VOICES = 64, TAP_PLACES = 1 << 13 };

/* --- a busy scene ----------------------------------------------------------*/

typedef struct scene {
    sb_engine *engine;
    sb_ring tap;
    float tap_memory[2 * TAP_PLACES];
    sb_deadlines deadlines;
    sb_feed feed;
} scene;

static void set_path(sb_engine *engine, sb_voice_id id, double time) {
    sb_path_knot knot = knot_of(0.3f, 0.6f);
    knot.time_frames = time + 5000;
    ck_assert_int_eq(sb_engine_set_path(engine, id, time, &knot, NULL), SB_OK);
}

static void add_busy_voice(sb_engine *engine, int i, sb_random *random) {
    enum { MODES = 40 };
    sb_bank_mode modes[MODES];
    for (int k = 0; k < MODES; k++) /* ringing, heavy and overdamped ones */
        modes[k] = (sb_bank_mode){2 * SB_PI * (60 + 20 * i + 300 * k),
                                  k % 9 == 7 ? 3e4 : 2 + k, 0.01};
    sb_voice_id id = voice_of(engine, modes, MODES, 5 * i);
    double last = BLOCKS * 0.95 * BLOCK;
    for (int j = 0; j < 60; j++) {
        double time = 500 + (last - 500) * sb_random_unit(random);
        double duration = j % 3 ? 0.02 * sb_random_unit(random) : 0;
        ck_assert_int_eq(try_strike(engine, id, time, 0.2, duration), SB_OK);
    }
    for (int j = 0; j < 80; j++) /* more than there is room for */
        strike(engine, id, last + j, 0.01);
    if (i % 4 == 0) set_path(engine, id, 9000.3 + i);
    if (i % 4 == 3) retune(engine, id, 7000.3 * i, modes, MODES, 0.94);
    if (i % 4 == 1) leave(engine, id, 20000.7 + 5000 * i, 0.05);
    if (i % 8 == 2) strike(engine, id, 30000.5 * (1 + i / 8), (double)NAN);
}

/* All commands are sent before the observation begins. */
static scene *scene_new(void) {
    scene *busy = sb_alloc_aligned(sizeof *busy);
    ck_assert_ptr_nonnull(busy);
    busy->engine = engine_new();
    sb_air air = sb_air_default();
    ck_assert_int_eq(sb_engine_open_ears(busy->engine, &air, NULL), SB_OK);
    sb_ring_init(&busy->tap, busy->tap_memory, TAP_PLACES, 2 * sizeof(float));
    sb_engine_set_tap(busy->engine, &busy->tap);
    sb_random random = sb_random_make(8, 8);
    play_unheard(busy->engine, BLOCK);
    for (int i = 0; i < VOICES; i++)
        add_busy_voice(busy->engine, i, &random);
    ck_assert(sb_engine_flush(busy->engine, (BLOCKS + 9) * BLOCK));
    sb_feed_init(&busy->feed, busy->engine, &busy->deadlines);
    sb_feed_open(&busy->feed, 4800);
    return busy;
}

static void scene_free(scene *busy) {
    sb_engine_destroy(busy->engine);
    sb_free(busy);
}

/* What the device's callback does. */
static void call_back(scene *busy, int frames, bool is_timed) {
    static float stereo[2 * 4096];
    busy->feed.deadlines = is_timed ? &busy->deadlines : NULL;
    sb_feed_pull(&busy->feed, stereo, frames);
    if (sb_engine_clock(busy->engine) % 4096 == 0) /* a slow recorder */
        (void)sb_ring_read(&busy->tap, stereo, 4000);
}

static void run_scene(scene *busy, bool is_timed) {
    const int sizes[] = {128, 480, 64, 1000, 1, 4096, 37};
    for (int i = 0; sb_engine_clock(busy->engine) < BLOCKS * BLOCK; i++)
        call_back(busy, sizes[i % 7], is_timed);
}

static void expect_it_was_busy(const sb_engine *engine) {
    sb_engine_stats stats = sb_engine_read_stats(engine);
    ck_assert_int_ge(stats.frames, BLOCKS * BLOCK);
    ck_assert_int_gt(stats.strikes, 3000);
    ck_assert_int_gt(stats.dropped, 100);
    ck_assert_int_gt(stats.muted, 4);
    ck_assert_int_gt(stats.late, 10);
    ck_assert_int_gt(stats.tap_dropped, 0);
    ck_assert_int_eq(stats.voices, VOICES - VOICES / 4);
}

/* --- allocations and locks -------------------------------------------------*/

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
#define CAN_COUNT 1

/* Volatile: the compiler knows that malloc touches no variable of ours. */
static _Thread_local volatile bool is_watched;
static _Thread_local volatile int seen;

static void see(void) {
    if (is_watched) seen = seen + 1;
}

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

void *malloc(size_t bytes) {
    see();
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size) {
    see();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t bytes) {
    see();
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    see();
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes) {
    see();
    *out = __libc_memalign(alignment, bytes);
    return *out ? 0 : ENOMEM;
}

void free(void *block) {
    see();
    __libc_free(block);
}

/* The real one is out of reach from here; in this program none is contended. */
int pthread_mutex_lock(pthread_mutex_t *mutex) {
    see();
    return pthread_mutex_trylock(mutex) == 0 ? 0 : EBUSY;
}

static void watch(void) {
    seen = 0;
    is_watched = true;
}

static int watched(void) {
    is_watched = false;
    return seen;
}
#endif

START_TEST(a_busy_callback_neither_allocates_nor_locks) {
    scene *busy = scene_new();
#if defined(CAN_COUNT)
    watch();
    run_scene(busy, true);
    int count = watched();
    ck_assert_msg(count == 0, "%d allocations and locks", count);
#else
    printf("not counted: allocations are the sanitizer's here\n");
    run_scene(busy, true);
#endif
    expect_it_was_busy(busy->engine);
    scene_free(busy);
}
END_TEST

START_TEST(the_watch_sees_every_kind_of_offence) {
#if defined(CAN_COUNT)
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static void *volatile block;
    void *aligned = NULL;
    watch();
    block = malloc(10);
    ck_assert_int_eq(watched(), 1);
    watch();
    block = realloc(block, 10000);
    free(block);
    ck_assert_int_eq(watched(), 2);
    watch();
    block = sb_alloc(1, 1);
    sb_free(block);
    block = sb_alloc_aligned(1);
    sb_free(block);
    ck_assert_int_eq(watched(), 4);
    watch();
    int failed = posix_memalign(&aligned, 64, 64);
    free(aligned);
    ck_assert_int_eq(watched(), 2);
    watch();
    failed |= pthread_mutex_lock(&mutex);
    ck_assert_int_eq(watched(), 1);
    failed |= pthread_mutex_unlock(&mutex);
    ck_assert_int_eq(failed, 0);
    /* Inside the C library as well. */
    watch();
    FILE *file = fopen("/dev/null", "w");
    ck_assert_int_gt(watched(), 0);
    ck_assert_int_eq(fclose(file), 0);
#else
    printf("skipped: allocations are the sanitizer's here\n");
#endif
}
END_TEST

/* --- system calls ----------------------------------------------------------*/

#if defined(__linux__) && !defined(HAS_SANITIZER)
#define CAN_FORBID 1

/* From now on any system call but exit kills the process. Strict mode would
 * do, but for letting reads and writes through. */
static bool forbid_system_calls(void) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
    };
    struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { REFUSED = 77 };

/* Do it in a child without the right to system calls; how the child ended. */
static int end_of_child(void (*deed)(void *), void *with) {
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        if (!forbid_system_calls()) _exit(REFUSED);
        deed(with);
        (void)syscall(SYS_exit, 0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static bool was_killed(int status) {
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static bool is_refused(int status) {
    bool refused = WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
    if (refused) printf("skipped: this kernel has no system call filter\n");
    return refused;
}

static void do_nothing(void *with) {
    (void)with;
}

static void ask_who_am_i(void *with) {
    (void)with;
    (void)syscall(SYS_getpid);
}

static void write_nothing(void *with) {
    (void)with;
    (void)syscall(SYS_write, 1, "", 0);
}

static void allocate_much(void *with) {
    *(void *volatile *)with = malloc((size_t)1 << 28);
}

static void sleep_a_little(void *with) {
    (void)with;
    (void)usleep(1);
}

static void read_the_clock(void *with) {
    *(volatile int64_t *)with = sb_clock_ns();
}

static void run_untimed(void *with) {
    run_scene(with, false);
}

static void run_timed(void *with) {
    run_scene(with, true);
}
#endif

START_TEST(the_kernel_sees_every_system_call) {
#if defined(CAN_FORBID)
    void *room;
    int status = end_of_child(do_nothing, NULL);
    if (is_refused(status)) return;
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ck_assert(was_killed(end_of_child(ask_who_am_i, NULL)));
    ck_assert(was_killed(end_of_child(write_nothing, NULL)));
    ck_assert(was_killed(end_of_child(allocate_much, &room)));
    ck_assert(was_killed(end_of_child(sleep_a_little, NULL)));
#else
    printf("skipped: the sanitizer makes system calls of its own\n");
#endif
}
END_TEST

START_TEST(a_busy_callback_makes_no_system_call) {
#if defined(CAN_FORBID)
    int64_t now;
    /* Some virtual machines have no clock without a system call. */
    int of_clock = end_of_child(read_the_clock, &now);
    if (is_refused(of_clock)) return;
    bool is_timed = WIFEXITED(of_clock);
    if (!is_timed) printf("this machine's clock needs a system call\n");
    scene *busy = scene_new();
    int status = end_of_child(is_timed ? run_timed : run_untimed, busy);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  "the child ended with status %#x", (unsigned)status);
    /* The child's work is the same as ours, which can be looked at. */
    run_scene(busy, is_timed);
    expect_it_was_busy(busy->engine);
    scene_free(busy);
#else
    printf("skipped: the sanitizer makes system calls of its own\n");
#endif
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rt_guard");
    TCase *tcase = tcase_create("rt_guard");
    tcase_add_test(tcase, a_busy_callback_neither_allocates_nor_locks);
    tcase_add_test(tcase, the_watch_sees_every_kind_of_offence);
    tcase_add_test(tcase, the_kernel_sees_every_system_call);
    tcase_add_test(tcase, a_busy_callback_makes_no_system_call);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
