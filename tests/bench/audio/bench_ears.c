/* SPDX-License-Identifier: MIT */
/* bench ears: what travel to the ears takes of one core, for 50 bodies that all
 * sound, in blocks of 128 frames at 48 kHz:
 *
 *   head      a sphere, all bodies move
 *   still     a measured head, nothing moves: two filters of 2.7 ms per body
 *   moving    all bodies move round it: new filters twice per block, faded in
 *
 * Times are shares of the block's deadline, on the clock of the thread, which
 * stands still while another process has the core. Thread: control. */
#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/vector/isa.h"
#include "runtime/media/sofa_file.h"
#include "tests/bench/bench.h"
#include "tests/bench/measure.h"

#include <math.h>
#include <string.h>

enum { BODIES = 50, BLOCKS = 800, STEP_FRAMES = 480 };

typedef struct crowd {
    sb_ears *ears;
    sb_head *head; /* NULL: a sphere */
    sb_path paths[BODIES];
    float mono[SB_BLOCK_FRAMES];
    double share[BLOCKS];
} crowd;

/* On its own circle of 2 m, once per second. */
static sb_path_knot knot_at(const crowd *c, int body, double frame,
                            bool is_moving) {
    double w = is_moving ? 6.283 / BENCH_RATE_HZ : 0.0, a = body + w * frame;
    sb_path_knot knot = {.time_frames = frame, .distance_m = 2.0f};
    for (int ear = 0; ear < 2; ear++) {
        double side = ear ? -20.0 : 20.0;
        knot.ear[ear] = (sb_ear_knot){.delay = 280 + side * sin(a),
                                      .rate = side * w * cos(a),
                                      .full = 0.1f};
    }
    if (!c->head) return knot;
    knot.toward = (sb_vec3){sin(a), 0, cos(a)};
    knot.toward_rate = (sb_vec3){w * cos(a), 0, -w * sin(a)};
    return knot;
}

static sb_status make_head(sb_head **out, sb_error *err) {
    sb_sofa sofa;
    sb_head_delays delays;
    sb_status status = sb_sofa_read(&sofa, sb_sofa_kemar(), err);
    if (status) return status;
    sb_head_data data = {sofa.count,  sofa.frames,    sofa.rate_hz,
                         sofa.toward, sofa.responses, sofa.delays};
    *out = sb_head_make(&data, BENCH_RATE_HZ, &delays);
    sb_sofa_free(&sofa);
    return *out ? SB_OK : sb_fail(err, SB_NO_MEMORY, "no memory for the head");
}

static void play(crowd *c, bool is_moving) {
    float out[2 * SB_BLOCK_FRAMES];
    double deadline_s = SB_BLOCK_FRAMES / BENCH_RATE_HZ;
    int told = 0;
    for (int block = 0; block < BLOCKS; block++) {
        int frame = block * SB_BLOCK_FRAMES;
        memset(out, 0, sizeof out);
        double from_s = sb_clock_thread_s();
        for (; is_moving && told < frame + SB_BLOCK_FRAMES; told += STEP_FRAMES)
            for (int i = 0; i < BODIES; i++) {
                sb_path_knot to = knot_at(c, i, told + STEP_FRAMES, true);
                sb_path_add(&c->paths[i], told, &to);
            }
        sb_ears_begin(c->ears, frame);
        for (int i = 0; i < BODIES; i++)
            sb_ears_take(c->ears, &c->paths[i], c->mono);
        sb_ears_give(c->ears, out);
        c->share[block] = (sb_clock_thread_s() - from_s) / deadline_s;
    }
}

static sb_status measure(const char *name, const char *label, sb_head *head,
                         bool is_moving, report *to, sb_error *err) {
    crowd *c = sb_alloc_aligned(sizeof *c);
    void *memory = sb_alloc_aligned(sb_ears_bytes(BENCH_RATE_HZ));
    if (c && memory) {
        sb_random random = sb_random_make(1, 1);
        c->ears = sb_ears_init(memory, BENCH_RATE_HZ);
        c->ears->head = c->head = head;
        for (int i = 0; i < SB_BLOCK_FRAMES; i++)
            c->mono[i] = (float)(sb_random_unit(&random) - 0.5);
        for (int i = 0; i < BODIES; i++) {
            sb_path_knot knot = knot_at(c, i, 0, is_moving);
            sb_path_begin(&c->paths[i], &knot);
        }
        play(c, is_moving);
        spread share = spread_of(c->share, BLOCKS);
        (void)report_row(
            to, name, label,
            (double[]){share.p50, share.p99, share.best, share.p50 / BODIES});
    }
    sb_status status =
        c && memory ? SB_OK : sb_fail(err, SB_NO_MEMORY, "no memory");
    sb_free(memory);
    sb_free(c);
    return status;
}

sb_status bench_ears(const bench_options *options, report *to, sb_error *err) {
    static const report_column columns[] = {{"p50", "p50", "%6.2f %%", 100},
                                            {"p99", "p99", "%6.2f %%", 100},
                                            {"best", "best", "%6.2f %%", 100},
                                            {"body", "a body", "%6.3f %%", 100},
                                            {NULL, NULL, NULL, 0}};
    (void)options;
    sb_head *head = NULL;
    sb_status status = make_head(&head, err);
    if (status) return status;
    report_put(to, "bodies", BODIES);
    report_put_text(to, "isa", sb_isa_choose(NULL));
    report_say(to,
               "from %d bodies that all sound to two ears, at 48 kHz in blocks "
               "of 128 frames, one core, %s\n\n",
               (int)BODIES, sb_isa_choose(NULL));
    report_table(to, "", NULL, "of a block", 32, columns);
    status = measure("head", "a sphere, all move", NULL, true, to, err);
    if (!status)
        status =
            measure("still", "measured, nothing moves", head, false, to, err);
    if (!status)
        status = measure("moving", "measured, all move", head, true, to, err);
    report_end(to);
    sb_free(head);
    return status;
}
