/* runtime/scene/contact/level.h -- how fast a blow is heard to be.
 *
 * A sound designer's say in how blows get louder (Menzies 2.1.1): breakpoints
 * from the speed of a blow to the speed it is played with. It runs straight from
 * one breakpoint to the next, from the origin to the first, and flat after the
 * last, whose level so is an upper limit. No breakpoints are the physical law:
 * a blow is heard to be as fast as it is.
 *
 * Thread: any. Memory: plain values.
 * Source: Menzies, Phya, 2.1.1.
 */
#ifndef SB_SCENE_CONTACT_LEVEL_H
#define SB_SCENE_CONTACT_LEVEL_H

enum { SB_LEVEL_POINTS = 16 };

typedef struct sb_level_point {
    double speed_m_s; /* rising strictly from one to the next; >= 0 */
    double level_m_s; /* >= 0 */
} sb_level_point;

typedef struct sb_level_curve {
    sb_level_point points[SB_LEVEL_POINTS];
    int count; /* 0: the identity */
} sb_level_curve;

double sb_level_read(const sb_level_curve *curve, double speed_m_s);

#endif
