/* SPDX-License-Identifier: MIT */
/* bindings/lesson/number.h -- a number as a student types it.
 *
 * 0.67, .67, 0,67, 2/3, 2÷3, ~0.67, 44100/pi, 1.5e3, or with a unit: 0.667 s,
 * 667 ms, 0.67 sec, 14 kHz, 14,037 Hz. A comma between two or three digits and
 * three more is one of thousands.
 *
 * Thread: any. Memory: none.
 */
#pragma once

#include <stdbool.h>

/* Is this a unit that an answer may be asked in? "": a plain number. */
bool lesson_has_unit(const char *unit);

/* The number in `unit`; a unit that is typed must measure the same thing.
 * False: `text` is not one finite number. */
bool lesson_number(const char *text, const char *unit, double *out);
