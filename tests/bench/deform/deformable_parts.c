/* SPDX-License-Identifier: MIT */
/* The parts of bench deformable: how fast and how right deformable bodies are.
 * Times are processor times of the least disturbed of many short runs; only the
 * ratio of one and two threads is of the steady clock. Thread: control. */
#include "runtime/base/clock.h"
#include "tests/bench/deform/deformable_body.h"
#include "tests/deform/deform_motion.h"

#include <math.h>

/* Each run is shorter than a time slice, so that some are not disturbed. */
enum { RUN_STEPS = 64 };

static sb_status run_steps(sb_deform *deform, sb_error *err) {
    double steps_per_s = sb_deform_cost_of(deform).steps_per_s;
    return sb_deform_reach(
        deform, sb_deform_time_s(deform) + RUN_STEPS / steps_per_s, err);
}

/* Least processor or steady time of a step, over many runs. */
static sb_status least_step_s(sb_deform *deform, int runs, bool is_steady,
                              double *out, sb_error *err) {
    float heard[64];
    sb_status status = SB_OK;
    for (int i = 0; i < runs && !status; i++) {
        double from = is_steady ? sb_clock_s() : sb_clock_process_s();
        status = run_steps(deform, err);
        double to = is_steady ? sb_clock_s() : sb_clock_process_s();
        *out = fmin(*out, (to - from) / RUN_STEPS);
        while (sb_deform_read(deform, 64, heard) > 0) {
        }
    }
    return status;
}

/* The least time of a step without ears. */
static sb_status measure(const deformable_body *body, int runs,
                         sb_deform_cost *cost, double *step_s, sb_error *err) {
    sb_deform *deform;
    sb_status status = deformable_create(body, false, 1, &deform, err);
    if (status) return status;
    *cost = sb_deform_cost_of(deform);
    *step_s = INFINITY;
    status = least_step_s(deform, runs, false, step_s, err);
    sb_deform_destroy(deform);
    return status;
}

static sb_status add_speed(const deformable_body *body, int runs, double bound,
                           figure_sheet *out, sb_error *err) {
    sb_deform_cost cost;
    double step_s;
    sb_status status = measure(body, runs, &cost, &step_s, err);
    if (!status)
        figures_add_timed(out,
                          step_s / (cost.tet_count + cost.triangle_count) * 1e9,
                          bound, "ns", "per element and step");
    return status;
}

/* Sound is computed in batches of frames: the least time of one of those with
 * and without an ear, in turn, so that both meet the same disturbances. */
static sb_status add_sound(const deformable_body *body, int rounds,
                           figure_sheet *out, sb_error *err) {
    enum { BATCH = 16 };
    sb_deform *deforms[2] = {NULL, NULL};
    double least[2] = {INFINITY, INFINITY};
    float heard[BATCH];
    sb_status status = SB_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = deformable_create(body, i == 1, 1, &deforms[i], err);
    }
    for (int k = 0; k < rounds && !status; k++) {
        for (int i = 0; i < 2 && !status; i++) {
            double from = sb_clock_process_s();
            status = deform_advance(deforms[i],
                                    deforms[i]->state->frames + BATCH, err);
            double used = sb_clock_process_s() - from;
            (void)sb_deform_read(deforms[i], BATCH, heard);
            /* The first has more steps, for the filters. */
            if (k > 0) least[i] = fmin(least[i], used);
        }
    }
    sb_deform_destroy(deforms[0]);
    sb_deform_destroy(deforms[1]);
    if (!status)
        figures_add_timed(out, 100 * (least[1] / least[0] - 1), 35, "%",
                          "sound, on top");
    return status;
}

/* Steady time of one and of two threads, in turn. */
static sb_status add_threads(const deformable_body *body, int rounds,
                             figure_sheet *out, sb_error *err) {
    sb_deform *deforms[2] = {NULL, NULL};
    double least[2] = {INFINITY, INFINITY};
    sb_status status = SB_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = deformable_create(body, false, i + 1, &deforms[i], err);
    }
    for (int k = 0; k < rounds && !status; k++) {
        for (int i = 0; i < 2 && !status; i++) {
            status = least_step_s(deforms[i], 4, true, &least[i], err);
        }
    }
    sb_deform_destroy(deforms[0]);
    sb_deform_destroy(deforms[1]);
    if (!status)
        figures_add_timed(out, least[1] / least[0], 1 / 1.8, "",
                          "time on two threads, of that on one");
    return status;
}

static sb_status measure_solid(bool is_quick, figure_sheet *out,
                               sb_error *err) {
    const deformable_body bar = {.size_m = {0.2, 0.005, 0.02},
                                 .cells = {20, 1, 2}};
    const deformable_body block = {.size_m = {0.2, 0.1, 0.1},
                                   .cells = {10, 4, 4}};
    int rounds = is_quick ? 10 : 60;
    sb_status status = add_speed(&bar, 20 * rounds, 60, out, err);
    if (!status) status = add_sound(&bar, rounds, out, err);
    if (!status) status = add_threads(&block, 3 * rounds, out, err);
    return status;
}

static sb_status measure_sheet(bool is_quick, figure_sheet *out,
                               sb_error *err) {
    const deformable_body small = {
        .size_m = {0.3, 0.002, 0.3}, .cells = {16, 0, 16}, .is_sheet = true};
    const deformable_body large = {
        .size_m = {0.3, 0.002, 0.3}, .cells = {23, 0, 23}, .is_sheet = true};
    int rounds = is_quick ? 10 : 60;
    sb_status status = add_speed(&small, 20 * rounds, 42, out, err);
    if (!status) status = add_sound(&large, rounds, out, err);
    if (!status) status = add_threads(&large, 3 * rounds, out, err);
    return status;
}

/* An undamped body, struck at a corner, for `time_s`: how far its energy has
 * gone, per second. */
static sb_status measure_energy(bool is_quick, figure_sheet *out,
                                sb_error *err) {
    const deformable_body bodies[2] = {
        {.size_m = {0.1, 0.005, 0.02}, .cells = {6, 1, 1}, .is_lossless = true},
        {.size_m = {0.1, 0.001, 0.1},
         .cells = {6, 0, 6},
         .is_sheet = true,
         .is_lossless = true}};
    double time_s = is_quick ? 0.1 : 1;
    for (int i = 0; i < 2; i++) {
        sb_deform *deform;
        sb_status status =
            deformable_create(&bodies[i], false, 1, &deform, err);
        if (status) return status;
        status = deform_advance(deform, 480, err);
        sb_deform_energy first = deform->state->energy;
        if (!status)
            status = deform_advance(deform,
                                    (int64_t)(time_s * SB_DEFORM_RATE_HZ), err);
        sb_deform_energy last = deform->state->energy;
        sb_deform_destroy(deform);
        if (status) return status;
        double ratio = (last.kinetic_j + last.elastic_j + last.smoothed_j) /
                       (first.kinetic_j + first.elastic_j + first.smoothed_j);
        figures_add(out, fabs(ratio - 1), 1e-5, "", "drift of a %s in %g s",
                    i == 0 ? "solid" : "sheet", time_s);
    }
    return SB_OK;
}

/* Figures of physics.md: exact elasticity. */
static sb_status measure_vibraphone(bool is_quick, figure_sheet *out,
                                    sb_error *err) {
    const deformable_body bar = {.size_m = {0.36, 0.0133736, 0.05},
                                 .cells = {18, 1, 2},
                                 .is_undercut = 1};
    double time_s = is_quick ? 0.15 : 1, seconds, pitches[2];
    static const double near_hz[2] = {185.29, 742.63};
    sb_status status =
        deformable_play(&bar, time_s, near_hz, 2, pitches, &seconds, err);
    if (status) return status;
    figures_add_timed(out, seconds / time_s, 120, "s",
                      "processor time for one second of sound");
    for (int i = 0; i < 2; i++) {
        figures_add(out, 100 * fabs(pitches[i] / near_hz[i] - 1),
                    i == 0 ? 0.5 : 1, "%", "pitch of line %d, off %g Hz", i + 1,
                    near_hz[i]);
    }
    return SB_OK;
}

static sb_status measure_pitch(bool is_quick, figure_sheet *out,
                               sb_error *err) {
    /* Bar B1 and the free plate P1 at their default elements. */
    const deformable_body bar = {.size_m = {0.2, 0.005, 0.02}};
    const deformable_body plate = {.size_m = {0.3, 0.002, 0.3},
                                   .is_sheet = true};
    static const double bar_hz[4] = {647.36, 1778.86, 6531.87, 7043.73};
    static const double plate_hz[3] = {73.003, 106.113, 188.290};
    double time_s = is_quick ? 0.15 : 0.25, seconds, pitches[4];
    sb_status status =
        deformable_play(&bar, time_s, bar_hz, 4, pitches, &seconds, err);
    for (int i = 0; i < 4 && !status; i++) {
        figures_add(out, 100 * fabs(pitches[i] / bar_hz[i] - 1), 1, "%",
                    "bar of steel, off %g Hz", bar_hz[i]);
    }
    if (!status)
        status = deformable_play(&plate, 2 * time_s, plate_hz, 3, pitches,
                                 &seconds, err);
    for (int i = 0; i < 3 && !status; i++) {
        figures_add(out, 100 * fabs(pitches[i] / plate_hz[i] - 1), 1.5, "%",
                    "plate of steel, off %g Hz", plate_hz[i]);
    }
    return status;
}

const figure_part deformable_parts[] = {
    {"solid", "solids, quadratic tetrahedra", measure_solid},
    {"sheet", "sheets, triangles", measure_sheet},
    {"energy", "energy without damping", measure_energy},
    {"pitch", "pitch at the default elements", measure_pitch},
    {"vibraphone", "an undercut vibraphone bar of 216 elements",
     measure_vibraphone},
    {"law", "radiation: deformable, linear(), and sb.body", deformable_law},
    {NULL, NULL, NULL},
};
