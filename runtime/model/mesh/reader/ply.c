/* Reads the data of PLY files: text, little and big endian. Runs in the
 * reader process. */
#include "runtime/model/mesh/reader/ply.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/reader/folder.h"
#include "runtime/model/mesh/reader/soup.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 256 };

/* One vertex or face while it is being read. */
struct item {
    double x, y, z, u, v;
    int corner_count, uv_count;
    int corners[MOST_CORNERS];
    float uvs[2 * MOST_CORNERS];
};

struct source {
    const sb_ply *ply;
    const char *at, *end;
    sb_soup *soup;
    float (*vertex_uvs)[2]; /* NULL: none */
    int uv_room;
};

/* --- numbers -------------------------------------------------------------- */

static double number_of(sb_ply_type type, uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float single = 0;
    double whole = 0;
    switch (type) {
    case SB_PLY_INT8:
        return (int8_t)bits;
    case SB_PLY_UINT8:
        return (uint8_t)bits;
    case SB_PLY_INT16:
        return (int16_t)bits;
    case SB_PLY_UINT16:
        return (uint16_t)bits;
    case SB_PLY_INT32:
        return (int32_t)bits;
    case SB_PLY_UINT32:
        return low;
    case SB_PLY_FLOAT32:
        memcpy(&single, &low, sizeof low);
        return single;
    case SB_PLY_FLOAT64:
        memcpy(&whole, &bits, sizeof bits);
        return whole;
    case SB_PLY_NO_TYPE:
    default:
        return 0;
    }
}

static bool next_binary(struct source *source, sb_ply_type type,
                        double *value) {
    static const int sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    int size = sizes[type];
    if (source->end - source->at < size) return false;
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) {
        bool is_big = source->ply->format == SB_PLY_BIG;
        int place = is_big ? size - 1 - i : i;
        bits |= (uint64_t)(uint8_t)source->at[i] << (8 * place);
    }
    source->at += size;
    *value = number_of(type, bits);
    return true;
}

/* strtod stops at the zero after the file. */
static bool next(struct source *source, sb_ply_type type, double *value) {
    if (source->ply->format != SB_PLY_TEXT) {
        return next_binary(source, type, value);
    }
    char *stop = NULL;
    *value = strtod(source->at, &stop);
    if (stop == source->at || stop > source->end) return false;
    source->at = stop;
    return true;
}

/* --- items ---------------------------------------------------------------- */

static int corner_from(double value) {
    return value >= 0 && value < INT32_MAX ? (int)value : -1;
}

static void keep(struct item *item, sb_ply_role role, double value,
                 long long at) {
    switch (role) {
    case SB_PLY_X:
        item->x = value;
        break;
    case SB_PLY_Y:
        item->y = value;
        break;
    case SB_PLY_Z:
        item->z = value;
        break;
    case SB_PLY_U:
        item->u = value;
        break;
    case SB_PLY_V:
        item->v = value;
        break;
    case SB_PLY_CORNERS:
        item->corners[at] = corner_from(value);
        break;
    case SB_PLY_CORNER_UVS:
        item->uvs[at] = (float)value;
        break;
    case SB_PLY_OTHER:
    default:
        break;
    }
}

/* False when the file ends or a face has implausibly many corners. */
static bool read_property(struct source *source,
                          const sb_ply_property *property, struct item *item) {
    double count = 1, value = 0;
    if (property->count_type != SB_PLY_NO_TYPE) {
        if (!next(source, property->count_type, &count)) return false;
        long long most = INT32_MAX;
        if (property->role == SB_PLY_CORNERS) most = MOST_CORNERS;
        if (property->role == SB_PLY_CORNER_UVS) most = 2LL * MOST_CORNERS;
        if (!(count >= 0 && count <= (double)most)) return false;
        if (property->role == SB_PLY_CORNERS) item->corner_count = (int)count;
        if (property->role == SB_PLY_CORNER_UVS) item->uv_count = (int)count;
    }
    for (long long i = 0; i < (long long)count; i++) {
        if (!next(source, property->type, &value)) return false;
        keep(item, property->role, value, i);
    }
    return true;
}

static sb_status add_vertex(struct source *source, const struct item *item,
                            sb_error *err) {
    if (source->vertex_uvs) {
        void *uvs = source->vertex_uvs;
        int count = source->soup->mesh.vertex_count;
        if (!sb_grow(&uvs, &source->uv_room, count + 1, sizeof(float[2]))) {
            return sb_fail(err, SB_NO_MEMORY, "there is not enough memory");
        }
        source->vertex_uvs = uvs;
        source->vertex_uvs[count][0] = (float)item->u;
        source->vertex_uvs[count][1] = (float)item->v;
    }
    sb_vec3 point_m = {item->x, item->y, item->z};
    return sb_soup_add_vertex(source->soup, point_m, err);
}

/* Triangulates as a fan: faces of more than three corners are assumed to be
 * convex. */
static sb_status add_face(struct source *source, const struct item *item,
                          long long number, sb_error *err) {
    int vertex_count = source->soup->mesh.vertex_count;
    for (int i = 0; i < item->corner_count; i++) {
        if (item->corners[i] < 0 || item->corners[i] >= vertex_count) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "face %lld refers to a vertex that does not exist",
                           number);
        }
    }
    bool has_own = item->uv_count == 2 * item->corner_count;
    sb_status status = SB_OK;
    for (int k = 2; !status && k < item->corner_count; k++) {
        const int at[3] = {0, k - 1, k};
        int corners[3];
        float uvs[3][2] = {{0}};
        for (int c = 0; c < 3; c++) {
            corners[c] = item->corners[at[c]];
            const float *uv = NULL;
            if (source->vertex_uvs) uv = source->vertex_uvs[corners[c]];
            if (has_own) uv = &item->uvs[(size_t)2 * (size_t)at[c]];
            if (uv) memcpy(uvs[c], uv, sizeof uvs[c]);
        }
        bool has_uvs = has_own || source->vertex_uvs;
        status = sb_soup_add_face(source->soup, corners,
                                  has_uvs ? (const float(*)[2])uvs : NULL, err);
    }
    return status;
}

static sb_status fail_at(const struct source *source,
                         const sb_ply_element *element, long long number,
                         sb_error *err) {
    const char *what = "item";
    if (element->kind == SB_PLY_VERTEX) what = "vertex";
    if (element->kind == SB_PLY_FACE) what = "face";
    const char *rest = source->at + strspn(source->at, " \t\r\n");
    return sb_fail(err, SB_BAD_FORMAT, "%s %lld of %lld: %s", what, number,
                   element->count,
                   rest >= source->end || source->ply->format != SB_PLY_TEXT
                       ? "the file ends, or the header is wrong"
                       : "a value is not a number");
}

static sb_status read_element(struct source *source,
                              const sb_ply_element *element, sb_error *err) {
    sb_status status = SB_OK;
    static struct item item;
    for (long long i = 0; !status && i < element->count; i++) {
        item.corner_count = item.uv_count = 0;
        for (int p = 0; p < element->property_count; p++) {
            if (!read_property(source, &element->properties[p], &item)) {
                return fail_at(source, element, i + 1, err);
            }
        }
        if (element->kind == SB_PLY_VERTEX) {
            status = add_vertex(source, &item, err);
        }
        if (element->kind == SB_PLY_FACE) {
            status = add_face(source, &item, i + 1, err);
        }
    }
    return status;
}

/* --- the whole ------------------------------------------------------------ */

static bool has_role(const sb_ply_element *element, sb_ply_role role) {
    for (int i = 0; i < element->property_count; i++) {
        if (element->properties[i].role == role) return true;
    }
    return false;
}

static sb_status read_elements(struct source *source, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; !status && i < source->ply->element_count; i++) {
        const sb_ply_element *element = &source->ply->elements[i];
        if (element->kind == SB_PLY_VERTEX && !source->vertex_uvs &&
            has_role(element, SB_PLY_U) && has_role(element, SB_PLY_V)) {
            void *uvs = NULL;
            if (!sb_grow(&uvs, &source->uv_room, 1, sizeof(float[2]))) {
                return sb_fail(err, SB_NO_MEMORY, "there is not enough memory");
            }
            source->vertex_uvs = uvs;
        }
        status = read_element(source, element, err);
    }
    return status;
}

sb_status sb_read_ply(const char *path, sb_soup *soup, sb_error *err) {
    static sb_ply ply;
    char *bytes = NULL;
    size_t size = 0;
    if (sb_folder_read(path, path, &bytes, &size) != SB_FOLDER_OK) {
        return sb_fail(err, SB_IO_ERROR, "it cannot be read");
    }
    ply = (sb_ply){0};
    sb_status status = sb_ply_read_head(&ply, bytes, size, err);
    struct source source = {
        .ply = &ply, .at = ply.data, .end = bytes + size, .soup = soup};
    if (!status) status = read_elements(&source, err);
    if (!status && soup->mesh.face_count == 0) {
        status = sb_fail(err, SB_BAD_FORMAT, "it has no faces");
    }
    sb_free(source.vertex_uvs);
    sb_free(bytes);
    return status;
}
