/* SPDX-License-Identifier: MIT */
/* bench room: what a room around 50 bodies takes of one core.
 *
 * Bodies that all sound, each with 62 mirror images for two ears, as in a church
 * of 12 x 14 x 30 m, and one late field of eight octaves, in blocks of 128 frames
 * at 48 kHz:
 *
 *   late     the late field alone
 *   still    with early reflections
 *   moving   all bodies move: new taps every 10 ms, faded in
 *   response convolution with a response of 10 s, in place of all these
 *
 * Times are shares of the block's deadline, on the clock of the thread, which
 * stands still while another process has the core. Thread: control. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/dsp/room/room.h"
#include "runtime/dsp/vector/isa.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

#include <string.h>

enum {
    BODIES = 50,
    IMAGES = 62,
    BLOCKS = 1500,
    STEP = 4,
    FARTHEST = 20000,
    RESPONSE = 480000
};

typedef enum load { LATE, STILL, MOVING, CONVOLVED } load;

typedef struct nave {
    sb_room *room;
    sb_reflected bodies[BODIES];
    sb_taps *taps[BODIES][2]; /* now, and to move to */
    float mono[SB_BLOCK_FRAMES];
    double share[BLOCKS];
} nave;

static sb_taps *make_taps(sb_random *random) {
    sb_taps *taps = sb_alloc(1, sizeof *taps + IMAGES * sizeof taps->taps[0]);
    if (!taps) return NULL;
    taps->count = IMAGES;
    for (int i = 0; i < IMAGES; i++) {
        sb_tap *tap = &taps->taps[i];
        int delay = 200 + (int)(FARTHEST * sb_random_unit(random));
        for (int ear = 0; ear < 2; ear++) {
            tap->delay[ear] = delay + 10 * ear;
            for (int k = 0; k < SB_EARLY_PARTS; k++)
                tap->gain[ear][k] = (float)(0.1 * sb_random_unit(random));
        }
    }
    return taps;
}

static sb_status furnish(nave *n, load what, sb_error *err) {
    sb_room_design design = {.latency = 92,
                             .predelay_s = 0.05,
                             .early_s =
                                 what == STILL || what == MOVING ? 0.45 : 0.0,
                             .late = {.sample_rate_hz = BENCH_RATE_HZ,
                                      .size = what == CONVOLVED ? 0 : 5}};
    for (int i = 0; i < SB_LATE_BANDS; i++) {
        design.late.t60_s[i] = 4.0;
        design.late.gain[i] = 0.1;
    }
    sb_random random = sb_random_make(1, 1);
    for (int i = 0; i < BODIES; i++) {
        n->taps[i][0] = make_taps(&random);
        n->taps[i][1] = make_taps(&random);
        if (!n->taps[i][0] || !n->taps[i][1])
            return sb_fail(err, SB_NO_MEMORY, "no memory for the taps");
        n->bodies[i].now = n->taps[i][0];
    }
    for (int i = 0; i < SB_BLOCK_FRAMES; i++)
        n->mono[i] = (float)(sb_random_unit(&random) - 0.5);
    float *response = NULL;
    if (what == CONVOLVED) {
        design.response_frames = RESPONSE;
        response = sb_alloc(2 * (size_t)RESPONSE, sizeof *response);
        for (int i = 0; response && i < 2 * RESPONSE; i++)
            response[i] = (float)(sb_random_unit(&random) - 0.5);
        design.response = response;
    }
    void *memory = sb_alloc_aligned(sb_room_bytes(&design));
    if (memory) n->room = sb_room_init(memory, &design);
    sb_free(response);
    if (memory) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "no memory for the room");
}

/* Each set of taps becomes the next of the other. */
static void move(nave *n) {
    for (int i = 0; i < BODIES; i++) {
        sb_reflected *body = &n->bodies[i];
        while (sb_reflected_spent(body))
            continue;
        sb_taps *other = n->taps[i][body->now == n->taps[i][0]];
        sb_reflected_put(body, other, false);
    }
}

static void play(nave *n, bool is_moving) {
    float out[2 * SB_BLOCK_FRAMES];
    double deadline_s = SB_BLOCK_FRAMES / BENCH_RATE_HZ;
    for (int block = 0; block < BLOCKS; block++) {
        memset(out, 0, sizeof out);
        if (is_moving && block % STEP == 0) move(n);
        double from_s = sb_clock_thread_s();
        sb_room_begin(n->room, (int64_t)block * SB_BLOCK_FRAMES, 0.0f);
        for (int i = 0; i < BODIES; i++)
            sb_room_take(n->room, &n->bodies[i], n->mono, block > 0, 1.0f,
                         1.0f);
        sb_room_give(n->room, out);
        n->share[block] = (sb_clock_thread_s() - from_s) / deadline_s;
    }
}

static sb_status measure(const char *name, const char *label, load what,
                         report *to, sb_error *err) {
    nave *n = sb_alloc(1, sizeof *n);
    if (!n) return sb_fail(err, SB_NO_MEMORY, "no memory for the bench");
    sb_status status = furnish(n, what, err);
    if (!status) {
        play(n, what == MOVING);
        spread share = spread_of(n->share, BLOCKS);
        (void)report_row(to, name, label,
                         (double[]){share.p50, share.p99, share.best});
    }
    for (int i = 0; i < BODIES; i++) {
        sb_free(n->taps[i][0]);
        sb_free(n->taps[i][1]);
    }
    sb_free(n->room);
    sb_free(n);
    return status;
}

sb_status bench_room(const bench_options *options, report *to, sb_error *err) {
    static const report_column columns[] = {{"p50", "p50", "%6.2f %%", 100},
                                            {"p99", "p99", "%6.2f %%", 100},
                                            {"best", "best", "%6.2f %%", 100},
                                            {NULL, NULL, NULL, 0}};
    (void)options;
    report_put(to, "bodies", BODIES);
    report_put(to, "images", IMAGES);
    report_put_text(to, "isa", sb_isa_choose(NULL));
    report_say(to,
               "a room around %d bodies that all sound, %d images each, at 48 "
               "kHz in blocks of 128 frames, one core, %s\n\n",
               (int)BODIES, (int)IMAGES, sb_isa_choose(NULL));
    report_table(to, "", NULL, "of a block", 32, columns);
    sb_status status = measure("late", "late field alone", LATE, to, err);
    if (!status)
        status = measure("still", "and early reflections", STILL, to, err);
    if (!status)
        status = measure("moving", "and all bodies move", MOVING, to, err);
    if (!status)
        status = measure("response", "a response of 10 s instead", CONVOLVED,
                         to, err);
    report_end(to);
    return status;
}
