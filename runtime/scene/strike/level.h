/* runtime/scene/strike/level.h -- the speed that a strike is played with.
 *
 * A sound designer decides how strikes get louder (Menzies 2.1.1): breakpoints
 * map the true speed of a strike to the speed it is played with. The curve is
 * linear between breakpoints and from the origin to the first. It is constant
 * after the last, whose level is therefore an upper limit. Without breakpoints
 * the curve is the identity, which is the physical law.
 *
 * Thread: any. Memory: plain values.
 * Source: Menzies, Phya, 2.1.1.
 */
#ifndef SB_SCENE_STRIKE_LEVEL_H
#define SB_SCENE_STRIKE_LEVEL_H

#include "runtime/base/status.h"

enum { SB_LEVEL_POINTS = 16 };

typedef struct sb_level_point {
    double speed_m_s; /* strictly rising from point to point; >= 0 */
    double level_m_s; /* >= 0 */
} sb_level_point;

typedef struct sb_level_curve {
    sb_level_point points[SB_LEVEL_POINTS];
    int count; /* 0: the identity */
} sb_level_curve;

double sb_level_read(const sb_level_curve *curve, double speed_m_s) SB_RT;

#endif
