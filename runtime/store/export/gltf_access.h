/* runtime/store/export/gltf_access.h -- the JSON and the numbers of a glTF file.
 *
 * Private to runtime/store; the one place that knows cJSON. Nothing a file
 * says is believed before it is checked: indices, offsets, counts and strides
 * stay within what is there.
 *
 * Thread: control, workers. Memory: sb_gltf_close frees all; views point into
 *         it.
 */
#ifndef SB_STORE_EXPORT_GLTF_ACCESS_H
#define SB_STORE_EXPORT_GLTF_ACCESS_H

#include "runtime/base/status.h"

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SB_GLTF_UNSIGNED_SHORT = 5123,
    SB_GLTF_UNSIGNED_INT = 5125,
    SB_GLTF_FLOAT = 5126,
    SB_GLTF_BUFFERS = 16
};

typedef struct sb_gltf {
    const char *path;
    cJSON *root;
    unsigned char *buffers[SB_GLTF_BUFFERS]; /* read when first asked for */
    size_t sizes[SB_GLTF_BUFFERS];
} sb_gltf;

/* What an accessor reaches. */
typedef struct sb_gltf_view {
    const unsigned char *bytes;
    size_t count, stride;
    int component; /* SB_GLTF_FLOAT ... */
} sb_gltf_view;

SB_NODISCARD sb_status sb_gltf_open(sb_gltf *gltf, const char *path,
                                    sb_error *err);
void sb_gltf_close(sb_gltf *gltf);

/* BAD_FORMAT with the path in front. */
sb_status sb_gltf_fail(const sb_gltf *gltf, sb_error *err, const char *format,
                       ...) SB_PRINTF(3, 4);

const cJSON *sb_gltf_get(const cJSON *object, const char *name); /* or NULL */

/* A finite number; `otherwise` if it is not there or is none. */
double sb_gltf_number(const cJSON *object, const char *name, double otherwise);

/* An index or count from 0 to 2^53; -1 if it is not there or is none. */
int64_t sb_gltf_index(const cJSON *object, const char *name);

/* The accessor that `owner` names by `name`, of "SCALAR" or "VEC3". */
SB_NODISCARD sb_status sb_gltf_look(sb_gltf *gltf, const cJSON *owner,
                                    const char *name, const char *type,
                                    sb_gltf_view *out, sb_error *err);

float sb_gltf_float(const sb_gltf_view *view, size_t i, int part);
uint32_t sb_gltf_uint(const sb_gltf_view *view, size_t i);

#endif
