/* runtime/deform/kernel_body.h -- all inner loops of one instruction set; the
 * including file defines WIDTH.
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_DEFORM_KERNEL_BODY_H
#define SB_DEFORM_KERNEL_BODY_H

#include "runtime/deform/node_body.h"
#include "runtime/deform/shell_body.h"
#include "runtime/deform/tet_body.h"

static void filter(const sb_filter_job *job) {
    row value = {0}, second = {0};
    for (int i = 0; i < job->taps; i++) {
        row x = load_row(job->history + 4 * (size_t)i);
        value = along_row(job->taps_value[i], x, value);
        second = along_row(job->taps_second[i], x, second);
    }
    store_row(job->value, value);
    store_row(job->second, second);
}

#define SB_DEFORM_KERNEL(name) \
    { name, tets, shells, nodes, turns, windows, filter }

#endif
