/* SPDX-License-Identifier: MIT */
/* runtime/store/export/gltf_access.h -- what glTF files are read and written
 * with: JSON and arrays of a file, base64, principal axes.
 *
 * Private to runtime/store; the only user of cJSON. Every value in the file is
 * validated before it is used: indices, offsets, counts and strides stay within
 * the data.
 *
 * Thread: control, workers.
 * Memory: sb_gltf_close frees everything; views point into it.
 */
#pragma once

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
    unsigned char *buffers[SB_GLTF_BUFFERS]; /* loaded on first use */
    size_t sizes[SB_GLTF_BUFFERS];
} sb_gltf;

/* The data of an accessor. */
typedef struct sb_gltf_view {
    const unsigned char *bytes;
    size_t count, stride;
    int component; /* SB_GLTF_FLOAT ... */
} sb_gltf_view;

SB_NODISCARD sb_status sb_gltf_open(sb_gltf *gltf, const char *path,
                                    sb_error *err);
void sb_gltf_close(sb_gltf *gltf);

/* BAD_FORMAT with a message that begins with the path. */
sb_status sb_gltf_fail(const sb_gltf *gltf, sb_error *err, const char *format,
                       ...) SB_PRINTF(3, 4);

const cJSON *sb_gltf_get(const cJSON *object, const char *name); /* or NULL */

/* A finite number; `otherwise` if it is missing or not a number. */
double sb_gltf_number(const cJSON *object, const char *name, double otherwise);

/* An index or count from 0 to 2^53; -1 if it is missing or invalid. */
int64_t sb_gltf_index(const cJSON *object, const char *name);

/* The accessor whose index is owner[name], of type "SCALAR" or "VEC3". */
SB_NODISCARD sb_status sb_gltf_look(sb_gltf *gltf, const cJSON *owner,
                                    const char *name, const char *type,
                                    sb_gltf_view *out, sb_error *err);

/* What the draft calls the fields of a material, in the order of
 * sb_material_fields; from SB_GLTF_MATERIAL_OURS on they are in our extras. */
enum { SB_GLTF_MATERIAL_OURS = 5, SB_GLTF_MATERIAL_NUMBERS = 11 };
extern const char *const sb_gltf_material[SB_GLTF_MATERIAL_NUMBERS];

float sb_gltf_float(const sb_gltf_view *view, size_t i, int part);
uint32_t sb_gltf_uint(const sb_gltf_view *view, size_t i);

/* --- base64 (RFC 4648), for data inside JSON --- */

/* Encode up to 3 bytes as 4 characters, padded with '='. */
void sb_base64_group(const unsigned char *bytes, size_t count, char text[4]);

/* Decode `text` into exactly `count` bytes; false if it is not valid, does not
 * consist of whole groups of four, or has another size. */
bool sb_base64_decode(const char *text, size_t length, void *bytes,
                      size_t count);
