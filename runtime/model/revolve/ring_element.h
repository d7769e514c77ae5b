/* runtime/model/revolve/ring_element.h -- stiffness and mass of one element of
 * a shell of revolution (harmonic.h).
 *
 * Thread: any. Memory: the caller's.
 */
#ifndef SB_MODEL_REVOLVE_RING_ELEMENT_H
#define SB_MODEL_REVOLVE_RING_ELEMENT_H

#include "runtime/model/revolve/meridian.h"

/* Per node: u_r, u_a, u_y, the lean along the profile and that round it. */
enum { SB_RING_NODE = 5, SB_RING_DOFS = 3 * SB_RING_NODE };

typedef struct sb_ring_element {
    double k[SB_RING_DOFS][SB_RING_DOFS];
    double m[SB_RING_DOFS][SB_RING_DOFS];
} sb_ring_element;

void sb_ring_element_make(const sb_meridian *meridian, int element, int waves,
                          double poisson_ratio, sb_ring_element *out);

#endif
