/* runtime/scene/contact/scatter.h -- the small hits that follow a large one.
 *
 * Things seldom strike once: a Poisson process of secondary hits, more of them
 * the harder the blow (Menzies 2.1.3). Its rate at a time t after the blow is
 *
 *     r v / T  e^(-t / T),
 *
 * so that r v are expected in all, half of them within 0.7 T. Each is a blow of
 * the same kind, at a speed that lies anywhere between none and a share of the
 * first one's. Times are seconds: every sample rate draws the same.
 *
 * Symbols: r hits_per_m_s, T spread_s, v speed_m_s.
 * Thread:  any. Memory: plain values.
 * Source:  Menzies, Phya, 2.1.3.
 */
#ifndef SB_SCENE_CONTACT_SCATTER_H
#define SB_SCENE_CONTACT_SCATTER_H

#include "runtime/base/random.h"

/* Used where a script does not say. */
#define SB_SCATTER_SPREAD_S 0.02
#define SB_SCATTER_LEVEL    0.3

/* More than these after one blow are not heard apart, and not made. */
enum { SB_SCATTER_HITS = 64 };

typedef struct sb_scatter {
    double hits_per_m_s; /* >= 0; 0: none */
    double spread_s;     /* > 0 */
    double level;        /* of the fastest, as a share of the blow's speed */
} sb_scatter;

typedef struct sb_scatter_hit {
    double after_s; /* the blow; rising */
    double share;   /* of its speed */
} sb_scatter_hit;

/* How many follow a blow of this speed. */
int sb_scatter_draw(const sb_scatter *scatter, double speed_m_s,
                    sb_random *random, sb_scatter_hit hits[SB_SCATTER_HITS]);

#endif
