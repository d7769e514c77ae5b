/* runtime/scene/strike/scatter.h -- the micro-impacts that follow a strike.
 *
 * Things seldom strike just once. A Poisson process draws secondary impacts,
 * more of them the harder the strike (Menzies 2.1.3). Its rate at a time t
 * after the strike is
 *
 *     r v / T  e^(-t / T),
 *
 * so r v micro-impacts are expected in all, half of them within 0.7 T. Each is
 * an impact of the same model. Its speed is uniformly distributed between 0 and
 * a share of the first speed. Times are in seconds, so every sample rate draws
 * the same micro-impacts.
 *
 * Symbols: r per_m_s, T spread_s, v speed_m_s.
 * Thread:  any. Memory: plain values.
 * Source:  Menzies, Phya, 2.1.3.
 */
#ifndef SB_SCENE_STRIKE_SCATTER_H
#define SB_SCENE_STRIKE_SCATTER_H

#include "runtime/base/random.h"

/* Defaults. */
#define SB_SCATTER_SPREAD_S 0.02
#define SB_SCATTER_LEVEL    0.3

/* At most this many per strike: more cannot be heard separately. */
enum { SB_SCATTER_IMPACTS = 64 };

typedef struct sb_scatter {
    double per_m_s;  /* >= 0; 0: none */
    double spread_s; /* > 0 */
    double level;    /* highest speed, as a share of the strike's */
} sb_scatter;

typedef struct sb_micro_impact {
    double after_s; /* since the strike; rising */
    double share;   /* of the strike's speed */
} sb_micro_impact;

/* Draw the micro-impacts of a strike of this speed; returns their number. */
int sb_scatter_draw(const sb_scatter *scatter, double speed_m_s,
                    sb_random *random,
                    sb_micro_impact impacts[SB_SCATTER_IMPACTS]);

#endif
