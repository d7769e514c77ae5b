/* bindings/host/host_internal.h -- what only host.c and its tests see of a
 * host.
 *
 * Thread: control.
 */
#ifndef SB_BINDINGS_HOST_HOST_INTERNAL_H
#define SB_BINDINGS_HOST_HOST_INTERNAL_H

#include "bindings/host/host.h"

/* Number of successful reloads since the host was opened. */
int sb_host_reload_count(const sb_host *host);

#endif
