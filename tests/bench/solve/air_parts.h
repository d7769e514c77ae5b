/* SPDX-License-Identifier: MIT */
/* tests/bench/solve/air_parts.h -- how right and how fast boundary elements are:
 * the parts of bench air. Thread: control. */
#pragma once

#include "tests/bench/figures.h"

extern const figure_part air_parts[];
