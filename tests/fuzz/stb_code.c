/* The decoder as part of the fuzzed program, so that it is instrumented, too. */
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>
