/* runtime/dsp/surface/bearing.h -- how two surfaces bear on each other at one moment.
 *
 * A lasting contact is told four things, and each of them moves in a straight
 * line from one end of a block to the other.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_DSP_SURFACE_BEARING_H
#define SB_DSP_SURFACE_BEARING_H

typedef struct sb_bearing {
    double force_n;      /* normal, >= 0; 0: they do not touch */
    double speed_m_s[2]; /* of the contact point along each surface, signed:
                            how fast the first and the second surface's
                            profile pass under it */
    double slip_m_s;     /* between the surfaces, signed; 0 when one rolls */
} sb_bearing;

/* Part `way`, 0 .. 1, of the way from one to the other. */
static inline sb_bearing sb_bearing_between(const sb_bearing *from,
                                            const sb_bearing *to, double way) {
    return (sb_bearing){
        from->force_n + way * (to->force_n - from->force_n),
        {from->speed_m_s[0] + way * (to->speed_m_s[0] - from->speed_m_s[0]),
         from->speed_m_s[1] + way * (to->speed_m_s[1] - from->speed_m_s[1])},
        from->slip_m_s + way * (to->slip_m_s - from->slip_m_s)};
}

#endif
