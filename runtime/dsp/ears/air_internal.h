/* runtime/dsp/ears/air_internal.h -- the distances of an air table.
 *
 * Only air*.c include this. Entry i is at the distance AIR_FIRST_M (q^(i - 1) -
 * 1) / (q - 1), q = AIR_GROWTH: from a little less than 0, for the cubic
 * through the first four, up to a kilometre. From one entry to the next no
 * audible frequency loses more than some 8 dB, of which a cubic through four
 * entries misses less than a tenth.
 */
#ifndef SB_DSP_EARS_AIR_INTERNAL_H
#define SB_DSP_EARS_AIR_INTERNAL_H

#define AIR_FIRST_M 8.0
#define AIR_GROWTH  1.06

#endif
