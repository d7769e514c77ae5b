/* SPDX-License-Identifier: MIT */
/* The parts of bench motion. Thread: control. */
#include "tests/bench/motion/motion_scene.h"

const figure_part motion_parts[] = {
    {"disk", "Euler's disk, no loss, from 30 degrees", motion_disk},
    {"lever", "disk and coin with a rolling lever, against exact times",
     motion_lever},
    {"sizes", "disks of other sizes, against an integration of their equations",
     motion_sizes},
    {"coin", "a coin dropped at many tilts", motion_coin},
    {"chain", "chains of rings", motion_chain},
    {"heap", "100 rings fall on a floor", motion_heap},
    {"tray", "100 rings fall into a tray of 0.9 m by 0.6 m", motion_tray},
    {"big_heap", "500 rings fall on a floor", motion_big_heap},
    {"stack", "a stack of 20 boxes", motion_stack},
    {"incline", "a box half a degree from its friction angle", motion_incline},
    {"landing", "rolling solids thrown on a floor: spin after the first blow",
     motion_landing},
    {"rolling", "rolling solids on a slope of 0.1 rad, and on a floor",
     motion_rolling_down},
    {"cone", "a cone rolls about its tip", motion_cone},
    {"drop", "a ball dropped from 1 m, restitution 0.8", motion_drop},
    {"bowl", "a ball slides in a mesh bowl without friction", motion_bowl},
    {"turned_bowl", "the same in a bowl of revolution", motion_turned_bowl},
    {"crowd", "1000 solids at one point", motion_crowd},
    {"cradle", "Newton's cradle of five balls", motion_cradle},
    {NULL, NULL, NULL},
};
