/* SPDX-License-Identifier: MIT */
/* tests/bench/solve/air_parts.h -- how right and how fast boundary elements are:
 * the parts of bench air. Thread: control. */
#pragma once

#include "tests/bench/figures.h"

/* Of plate, tube, bowl, bell; nothing if it is quick. */
figures_measure air_refined;

extern const figure_part air_parts[];
