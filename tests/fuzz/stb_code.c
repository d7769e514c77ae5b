/* SPDX-License-Identifier: MIT */
/* The decoder as part of the fuzzed program, so that it is instrumented. */
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
