#include "runtime/scene/contact/scatter.h"

#include <math.h>

/* With E the sum of exponential waits, the n-th hit of a process of varying rate
 * comes when its integral, N (1 - e^(-t/T)), reaches E: never, once E > N. */
int sb_scatter_draw(const sb_scatter *scatter, double speed_m_s,
                    sb_random *random, sb_scatter_hit hits[SB_SCATTER_HITS]) {
    double expected = scatter->hits_per_m_s * speed_m_s, reached = 0.0;
    if (!(expected > 0.0)) return 0;
    int count = 0;
    while (count < SB_SCATTER_HITS) {
        reached -= log1p(-sb_random_unit(random));
        if (reached >= expected) break;
        hits[count++] = (sb_scatter_hit){
            .after_s = -scatter->spread_s * log1p(-reached / expected),
            .share = scatter->level * sb_random_unit(random),
        };
    }
    return count;
}
