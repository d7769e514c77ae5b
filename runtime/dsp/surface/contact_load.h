/* runtime/dsp/surface/contact_load.h -- how two surfaces bear on each other at one moment.
 *
 * A lasting contact is told four things, and each of them moves in a straight
 * line from one end of a block to the other.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_DSP_SURFACE_CONTACT_LOAD_H
#define SB_DSP_SURFACE_CONTACT_LOAD_H

typedef struct sb_contact_load {
    double force_n;      /* normal, >= 0; 0: they do not touch */
    double speed_m_s[2]; /* of the contact point along each surface, signed:
                            how fast the first and the second surface's
                            profile pass under it */
    double slip_m_s;     /* between the surfaces, signed; 0 when one rolls */
} sb_contact_load;

/* Part `way`, 0 .. 1, of the way from one to the other. */
static inline sb_contact_load
sb_contact_load_between(const sb_contact_load *from, const sb_contact_load *to,
                        double way) {
    return (sb_contact_load){
        from->force_n + way * (to->force_n - from->force_n),
        {from->speed_m_s[0] + way * (to->speed_m_s[0] - from->speed_m_s[0]),
         from->speed_m_s[1] + way * (to->speed_m_s[1] - from->speed_m_s[1])},
        from->slip_m_s + way * (to->slip_m_s - from->slip_m_s)};
}

#endif
