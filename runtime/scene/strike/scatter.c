#include "runtime/scene/strike/scatter.h"

#include <math.h>

/* With E a sum of exponential waiting times, the next event of a process of
 * varying rate comes when the integral of the rate, N (1 - e^(-t/T)), reaches
 * E. There is none once E > N. */
int sb_scatter_draw(const sb_scatter *scatter, double speed_m_s,
                    sb_random *random,
                    sb_micro_impact impacts[SB_SCATTER_IMPACTS]) {
    double expected = scatter->per_m_s * speed_m_s, reached = 0.0;
    if (!(expected > 0.0)) return 0;
    int count = 0;
    while (count < SB_SCATTER_IMPACTS) {
        reached -= log1p(-sb_random_unit(random));
        if (reached >= expected) break;
        impacts[count++] = (sb_micro_impact){
            .after_s = -scatter->spread_s * log1p(-reached / expected),
            .share = scatter->level * sb_random_unit(random),
        };
    }
    return count;
}
