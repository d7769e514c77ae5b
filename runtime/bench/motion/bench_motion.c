/* The table of parts of bench_motion.h. Thread: control. */
#include "runtime/bench/motion/bench_motion.h"

#include "runtime/bench/motion/motion_scene.h"

static const sb_bench_motion_part parts[] = {
    {"disk", "Euler's disk, no loss, from 30 degrees", sb_motion_disk},
    {"lever", "disk and coin with a rolling lever, against exact times",
     sb_motion_lever},
    {"sizes", "disks of other sizes, against an integration of their equations",
     sb_motion_sizes},
    {"coin", "a coin dropped at many tilts", sb_motion_coin},
    {"chain", "chains of rings", sb_motion_chain},
    {"heap", "100 rings fall on a floor", sb_motion_heap},
    {"tray", "100 rings fall into a tray of 0.9 m by 0.6 m", sb_motion_tray},
    {"big_heap", "500 rings fall on a floor", sb_motion_big_heap},
    {"stack", "a stack of 20 boxes", sb_motion_stack},
    {"incline", "a box half a degree from its friction angle",
     sb_motion_incline},
    {"landing", "rolling solids thrown on a floor: spin after the first blow",
     sb_motion_landing},
    {"rolling", "rolling solids on a slope of 0.1 rad, and on a floor",
     sb_motion_rolling_down},
    {"cone", "a cone rolls about its tip", sb_motion_cone},
    {"drop", "a ball dropped from 1 m, restitution 0.8", sb_motion_drop},
    {"bowl", "a ball slides in a mesh bowl without friction", sb_motion_bowl},
    {"turned_bowl", "the same in a bowl of revolution", sb_motion_turned_bowl},
    {"crowd", "1000 solids at one point", sb_motion_crowd},
    {"cradle", "Newton's cradle of five balls", sb_motion_cradle},
};

const sb_bench_motion_part *sb_bench_motion_parts(int *count) {
    *count = (int)(sizeof parts / sizeof *parts);
    return parts;
}

sb_status sb_bench_motion_run(const sb_bench_motion_part *part,
                              const sb_bench_motion_def *def,
                              sb_bench_motion_sheet *out, sb_error *err) {
    *out = (sb_bench_motion_sheet){0};
    return part->measure(def, out, err);
}
