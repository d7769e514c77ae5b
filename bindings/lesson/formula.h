/* SPDX-License-Identifier: MIT */
/* bindings/lesson/formula.h -- formulas of lessons, in a small subset of TeX.
 *
 * Letters, numbers, operators, { }, ^ and _, \frac{}{}, \sqrt{}, \left \right
 * before a bracket, \sin and other functions, Greek letters and a few signs. An
 * unknown command is written as it is, so nothing is lost in silence.
 *
 * Thread: any. Memory: writes to the caller's stream.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* A <math> element with its namespace; `is_block` stands on a line alone. */
void formula_mathml(FILE *out, const char *tex, bool is_block);

/* The same as a line of text: e^(-σ t), (a) / (b), √(x). */
void formula_text(FILE *out, const char *tex);

/* Write text with & < > " escaped. */
void write_escaped(FILE *out, const char *text, size_t count);
