/* runtime/base/contact_load.h -- the load on a lasting contact.
 *
 * The normal force and the velocities that drive a lasting contact at one
 * moment. Within a block each of them changes linearly.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_BASE_CONTACT_LOAD_H
#define SB_BASE_CONTACT_LOAD_H

typedef struct sb_contact_load {
    double force_n; /* normal force, >= 0; 0: no contact */
    /* of the contact point along each surface, signed: how fast the profile
     * of the first and of the second surface passes under it */
    double speed_m_s[2];
    double slip_m_s; /* slip between the surfaces, signed; 0 when rolling */
} sb_contact_load;

#endif
