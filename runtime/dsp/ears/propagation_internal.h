/* runtime/dsp/ears/propagation_internal.h -- shared by propagation*.c only.
 */
#ifndef SB_DSP_EARS_PROPAGATION_INTERNAL_H
#define SB_DSP_EARS_PROPAGATION_INTERNAL_H

#include "runtime/dsp/ears/propagation.h"

/* Limits of the reading speed, frames heard per frame sent. A body that
 * approaches at more than nine tenths of the speed of sound is limited to that
 * and catches up later. */
#define HEAR_SLOWEST 0.1
#define HEAR_FASTEST 4.0

/* Half of the interpolation filter: its taps reach from 11 before to 12
 * after. */
enum { HEAR_HALF = SB_HEAR_TAPS / 2 };

/* Fade time of an old position after a jump. */
#define HEAR_FADE_S 0.02

#endif
