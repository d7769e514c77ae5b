/* SPDX-License-Identifier: MIT */
/* tests/bench/bench.h -- the benches of sandbell_bench, which `sandbell bench`
 * starts: each measures something and reports it (main.c has the table).
 *
 * Times are processor times of the thread where that is possible, so that other
 * programs change them little.
 *
 * Thread: control.
 */
#pragma once

#include "bindings/cli/console/console.h"
#include "tests/bench/report.h"

/* Measures and reports. */
typedef sb_status bench_run(const bench_options *options, report *to,
                            sb_error *err);

bench_run bench_modal_bank, bench_live, bench_modes, bench_contacts,
    bench_energy, bench_textures, bench_world, bench_motion, bench_deformable,
    bench_levels, bench_first_sound, bench_air, bench_room, bench_ears,
    bench_directions;
