/* runtime/dsp/ears/propagation_internal.h -- what the propagation*.c files
 * share. Nobody else looks in here.
 */
#ifndef SB_DSP_EARS_PROPAGATION_INTERNAL_H
#define SB_DSP_EARS_PROPAGATION_INTERNAL_H

#include "runtime/dsp/ears/propagation.h"

/* Slowest and fastest that a body's sound is read, frames heard a frame sent. A
 * body that comes nearer faster than at nine tenths of the speed of sound is
 * held to that, and catches up later. */
#define HEAR_SLOWEST 0.1
#define HEAR_FASTEST 4.0

/* Half of the interpolating kernel: its taps reach from 11 before to 12
 * after. */
enum { HEAR_HALF = SB_HEAR_TAPS / 2 };

/* How long an old place takes to fade. */
#define HEAR_FADE_S 0.02

#endif
