/* SPDX-License-Identifier: MIT */
/* runtime/base/pi.h -- pi and the full turn, rounded to double.
 *
 * C17 has no such constant: M_PI is an extension of POSIX.
 *
 * Thread: any. Memory: none.
 */
#pragma once

#define SB_PI  3.14159265358979323846 /* half a turn, rad */
#define SB_TAU 6.28318530717958647693 /* a full turn, rad: 2 pi */
