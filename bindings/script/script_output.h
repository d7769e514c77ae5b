/* SPDX-License-Identifier: MIT */
/* bindings/script/script_output.h -- what a script may read of the output.
 *
 * Thread: control.
 */
#pragma once

#include "runtime/engine/output/output.h"

/* Load of the audio thread, for sb.stats() and the meter. */
typedef struct script_output {
    long long missed;         /* deadlines missed */
    double share;             /* of real time that rendering takes, 0 .. 1 */
    sb_output_counts devices; /* devices lost and found again */
} script_output;
