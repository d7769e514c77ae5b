/* runtime/dsp/ears/air_internal.h -- where the distances of an air table lie.
 * Nobody but air*.c looks in here.
 *
 * Stop i is AIR_FIRST_M (q^(i - 1) - 1) / (q - 1) away, q = AIR_GROWTH: from a
 * little less than 0, for the cubic through the first four, up to a kilometre.
 * From one to the next no frequency that can still be heard loses more than
 * some 8 dB, of which a cubic through four stops misses less than a tenth.
 */
#ifndef SB_DSP_EARS_AIR_INTERNAL_H
#define SB_DSP_EARS_AIR_INTERNAL_H

#define AIR_FIRST_M 8.0
#define AIR_GROWTH  1.06

#endif
