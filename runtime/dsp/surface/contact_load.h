/* runtime/dsp/surface/contact_load.h -- how two surfaces bear on each other at
 * one moment.
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

#endif
