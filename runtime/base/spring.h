/* runtime/base/spring.h -- a spring, or a distortion, inside a body.
 *
 * Symbols: see dsp/contact/link.h. Thread: any. Memory: plain values.
 */
#ifndef SB_BASE_SPRING_H
#define SB_BASE_SPRING_H

typedef struct sb_spring {
    double linear_n_m; /* k1 >= 0 */
    double cubic_n_m3; /* k3 >= 0 */
    double loss_ns_m;  /* c >= 0, of a distortion */
    double knee_m_s;   /* > 0, of a distortion */
} sb_spring;

#endif
