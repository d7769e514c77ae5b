/* runtime/model/mesh/reader/ply.h -- the header of a PLY file.
 *
 * The header declares the content in text: elements ("element vertex 8"), each
 * with properties ("float x", "list uchar int vertex_indices"). The data follow
 * as text or in either byte order.
 *
 * Thread: the reader's only one. Memory: no pointers except into the file.
 */
#ifndef SB_MODEL_MESH_READER_PLY_H
#define SB_MODEL_MESH_READER_PLY_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { SB_PLY_MOST_ELEMENTS = 16, SB_PLY_MOST_PROPERTIES = 64 };

typedef enum sb_ply_type {
    SB_PLY_NO_TYPE,
    SB_PLY_INT8,
    SB_PLY_UINT8,
    SB_PLY_INT16,
    SB_PLY_UINT16,
    SB_PLY_INT32,
    SB_PLY_UINT32,
    SB_PLY_FLOAT32,
    SB_PLY_FLOAT64
} sb_ply_type;

/* The meaning of a property; names are the same in all elements. */
typedef enum sb_ply_role {
    SB_PLY_OTHER,
    SB_PLY_X,
    SB_PLY_Y,
    SB_PLY_Z,
    SB_PLY_U,
    SB_PLY_V,
    SB_PLY_CORNERS,
    SB_PLY_CORNER_UVS
} sb_ply_role;

typedef struct sb_ply_property {
    sb_ply_type count_type; /* type of a list's length; NO_TYPE: one value */
    sb_ply_type type;
    sb_ply_role role;
} sb_ply_property;

typedef struct sb_ply_element {
    enum { SB_PLY_VERTEX = 1, SB_PLY_FACE } kind; /* 0: ignored */
    long long count;
    int property_count;
    sb_ply_property properties[SB_PLY_MOST_PROPERTIES];
} sb_ply_element;

typedef struct sb_ply {
    enum { SB_PLY_TEXT, SB_PLY_LITTLE, SB_PLY_BIG } format;
    int element_count;
    sb_ply_element elements[SB_PLY_MOST_ELEMENTS];
    const char *data; /* the first byte after the header */
} sb_ply;

/* `bytes` ends with a zero that `size` does not include. */
SB_NODISCARD sb_status sb_ply_read_head(sb_ply *ply, const char *bytes,
                                        size_t size, sb_error *err);

#endif
