/* runtime/engine/audio/quality_internal.h -- shared by quality.c and its test.
 *
 * Thread: any. Memory: none.
 */
#ifndef SB_ENGINE_AUDIO_QUALITY_INTERNAL_H
#define SB_ENGINE_AUDIO_QUALITY_INTERNAL_H

#include "runtime/base/status.h"

/* F(x) of quality.h: the share of the budget of all ranks up to x. */
double sb_quality_ramp(double slope, double x) SB_RT;

#endif
