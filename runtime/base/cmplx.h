/* SPDX-License-Identifier: MIT */
/* runtime/base/cmplx.h -- complex.h, with CMPLX on every compiler.
 *
 * glibc defines CMPLX for gcc only. With clang a call of it would be one of an
 * undeclared function that returns int.
 *
 * Thread: any. Memory: none.
 */
#pragma once

#include <complex.h>

#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif
