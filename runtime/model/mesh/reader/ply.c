/* SPDX-License-Identifier: MIT */
/* Reads PLY files: text, little and big endian. Runs in the reader process.
 *
 * The header declares the content in text: elements ("element vertex 8"), each
 * with properties ("float x", "list uchar int vertex_indices"). The data follow
 * as text or in either byte order. */
#include "runtime/base/memory.h"
#include "runtime/base/status.h"
#include "runtime/model/mesh/reader/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLY_MOST_ELEMENTS = 16, PLY_MOST_PROPERTIES = 64 };

typedef enum ply_type {
    PLY_NO_TYPE,
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64
} ply_type;

/* The meaning of a property; names are the same in all elements. */
typedef enum ply_role {
    PLY_OTHER,
    PLY_X,
    PLY_Y,
    PLY_Z,
    PLY_U,
    PLY_V,
    PLY_CORNERS,
    PLY_CORNER_UVS
} ply_role;

typedef struct ply_property {
    ply_type count_type; /* type of a list's length; NO_TYPE: one value */
    ply_type type;
    ply_role role;
} ply_property;

typedef struct ply_element {
    enum { PLY_VERTEX = 1, PLY_FACE } kind; /* 0: ignored */
    long long count;
    int property_count;
    ply_property properties[PLY_MOST_PROPERTIES];
} ply_element;

struct ply {
    enum { PLY_TEXT, PLY_LITTLE, PLY_BIG } format;
    int element_count;
    ply_element elements[PLY_MOST_ELEMENTS];
    const char *data; /* the first byte after the header */
};

/* --- the header ----------------------------------------------------------- */

enum { MOST_WORD = 32, MOST_LINE = 400, MOST_WORDS = 5 };

struct words {
    int count; /* all of the line; only the first few are stored */
    char word[MOST_WORDS][MOST_WORD];
};

static struct words split(const char *line) {
    struct words words = {0};
    const char *at = line + strspn(line, " \t\r");
    while (*at) {
        size_t length = strcspn(at, " \t\r");
        if (words.count < MOST_WORDS) {
            (void)snprintf(words.word[words.count], MOST_WORD, "%.*s",
                           (int)(length < MOST_WORD ? length : MOST_WORD), at);
        }
        words.count++;
        at += length;
        at += strspn(at, " \t\r");
    }
    return words;
}

static ply_type type_named(const char *name) {
    static const struct {
        const char *name, *other;
        ply_type type;
    } types[] = {
        {"char", "int8", PLY_INT8},        {"uchar", "uint8", PLY_UINT8},
        {"short", "int16", PLY_INT16},     {"ushort", "uint16", PLY_UINT16},
        {"int", "int32", PLY_INT32},       {"uint", "uint32", PLY_UINT32},
        {"float", "float32", PLY_FLOAT32}, {"double", "float64", PLY_FLOAT64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!strcmp(name, types[i].name) || !strcmp(name, types[i].other)) {
            return types[i].type;
        }
    }
    return PLY_NO_TYPE;
}

static ply_role role_named(const char *name, bool is_list) {
    static const struct {
        const char *name;
        bool is_list;
        ply_role role;
    } roles[] = {{"x", false, PLY_X},
                 {"y", false, PLY_Y},
                 {"z", false, PLY_Z},
                 {"s", false, PLY_U},
                 {"u", false, PLY_U},
                 {"texture_u", false, PLY_U},
                 {"t", false, PLY_V},
                 {"v", false, PLY_V},
                 {"texture_v", false, PLY_V},
                 {"vertex_indices", true, PLY_CORNERS},
                 {"vertex_index", true, PLY_CORNERS},
                 {"texcoord", true, PLY_CORNER_UVS}};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        if (is_list == roles[i].is_list && !strcmp(name, roles[i].name)) {
            return roles[i].role;
        }
    }
    return PLY_OTHER;
}

static bool add_element(struct ply *ply, const struct words *words) {
    char *stop = NULL;
    long long count = strtoll(words->word[2], &stop, 10);
    if (words->count != 3 || *stop || count < 0 ||
        ply->element_count == PLY_MOST_ELEMENTS) {
        return false;
    }
    ply_element *element = &ply->elements[ply->element_count++];
    element->count = count;
    if (!strcmp(words->word[1], "vertex")) element->kind = PLY_VERTEX;
    if (!strcmp(words->word[1], "face")) element->kind = PLY_FACE;
    return true;
}

static bool add_property(struct ply *ply, const struct words *words) {
    if (ply->element_count == 0) return false;
    ply_element *element = &ply->elements[ply->element_count - 1];
    if (element->property_count == PLY_MOST_PROPERTIES) return false;
    bool is_list = !strcmp(words->word[1], "list");
    if (words->count != (is_list ? 5 : 3)) return false;
    ply_property property = {
        .count_type = is_list ? type_named(words->word[2]) : PLY_NO_TYPE,
        .type = type_named(words->word[is_list ? 3 : 1]),
        .role = role_named(words->word[is_list ? 4 : 2], is_list)};
    element->properties[element->property_count++] = property;
    bool is_countable = !is_list || (property.count_type != PLY_NO_TYPE &&
                                     property.count_type < PLY_FLOAT32);
    return property.type != PLY_NO_TYPE && is_countable;
}

static bool set_format(struct ply *ply, const struct words *words) {
    const char *name = words->word[1];
    if (!strcmp(name, "ascii")) ply->format = PLY_TEXT;
    if (!strcmp(name, "binary_little_endian")) ply->format = PLY_LITTLE;
    if (!strcmp(name, "binary_big_endian")) ply->format = PLY_BIG;
    return words->count == 3 && (!strcmp(name, "ascii") ||
                                 !strncmp(name, "binary_", strlen("binary_")));
}

static bool take_line(struct ply *ply, const char *line, bool *is_end) {
    struct words words = split(line);
    const char *first = words.word[0];
    *is_end = !strcmp(first, "end_header");
    if (!strcmp(first, "format")) return set_format(ply, &words);
    if (!strcmp(first, "element")) return add_element(ply, &words);
    if (!strcmp(first, "property")) return add_property(ply, &words);
    return *is_end || !strcmp(first, "comment") || !strcmp(first, "obj_info") ||
           words.count == 0;
}

/* An element without properties occupies no bytes, so any count would be
 * valid. */
static sb_status check(const struct ply *ply, sb_error *err) {
    for (int i = 0; i < ply->element_count; i++) {
        const ply_element *element = &ply->elements[i];
        if (element->count > 0 && element->property_count == 0) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "its header has an element without properties");
        }
    }
    return SB_OK;
}

/* `bytes` ends with a zero that `size` does not include. */
static sb_status read_head(struct ply *ply, const char *bytes, size_t size,
                           sb_error *err) {
    const char *at = bytes, *end = bytes + size;
    bool is_end = false;
    for (int number = 1; at < end && !is_end; number++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        char line[MOST_LINE] = {0};
        memcpy(line, at, length < MOST_LINE ? length : MOST_LINE - 1);
        at = stop ? stop + 1 : end;
        if (number == 1 && strncmp(line, "ply", 3) != 0) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "it does not begin with the word ply");
        }
        if (number > 1 && !take_line(ply, line, &is_end)) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "line %d of its header is invalid: "
                           "\"%.60s\"",
                           number, line);
        }
    }
    if (!is_end) {
        return sb_fail(err, SB_BAD_FORMAT, "its header has no end");
    }
    ply->data = at;
    return check(ply, err);
}

enum { MOST_CORNERS = 256 };

/* One vertex or face while it is being read. */
struct item {
    double values[PLY_V + 1]; /* by role, from PLY_X on */
    int corner_count, uv_count;
    int corners[MOST_CORNERS];
    float uvs[2 * MOST_CORNERS];
};

struct source {
    const struct ply *ply;
    const char *at, *end;
    sb_soup *soup;
    float (*vertex_uvs)[2]; /* NULL: none */
    int uv_room;
};

/* --- numbers -------------------------------------------------------------- */

static double number_of(ply_type type, uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float single = 0;
    double whole = 0;
    switch (type) {
    case PLY_INT8:
        return (int8_t)bits;
    case PLY_UINT8:
        return (uint8_t)bits;
    case PLY_INT16:
        return (int16_t)bits;
    case PLY_UINT16:
        return (uint16_t)bits;
    case PLY_INT32:
        return (int32_t)bits;
    case PLY_UINT32:
        return low;
    case PLY_FLOAT32:
        memcpy(&single, &low, sizeof low);
        return single;
    case PLY_FLOAT64:
        memcpy(&whole, &bits, sizeof bits);
        return whole;
    case PLY_NO_TYPE:
    default:
        return 0;
    }
}

static bool next_binary(struct source *source, ply_type type, double *value) {
    static const int sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    int size = sizes[type];
    if (source->end - source->at < size) return false;
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) {
        bool is_big = source->ply->format == PLY_BIG;
        int place = is_big ? size - 1 - i : i;
        bits |= (uint64_t)(uint8_t)source->at[i] << (8 * place);
    }
    source->at += size;
    *value = number_of(type, bits);
    return true;
}

/* strtod stops at the zero after the file. */
static bool next(struct source *source, ply_type type, double *value) {
    if (source->ply->format != PLY_TEXT) {
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

static void keep(struct item *item, ply_role role, double value, long long at) {
    if (role >= PLY_X && role <= PLY_V) item->values[role] = value;
    if (role == PLY_CORNERS) item->corners[at] = corner_from(value);
    if (role == PLY_CORNER_UVS) item->uvs[at] = (float)value;
}

/* False when the file ends or a face has implausibly many corners. */
static bool read_property(struct source *source, const ply_property *property,
                          struct item *item) {
    double count = 1, value = 0;
    if (property->count_type != PLY_NO_TYPE) {
        if (!next(source, property->count_type, &count)) return false;
        long long most = INT32_MAX;
        if (property->role == PLY_CORNERS) most = MOST_CORNERS;
        if (property->role == PLY_CORNER_UVS) most = 2LL * MOST_CORNERS;
        if (!(count >= 0 && count <= (double)most)) return false;
        if (property->role == PLY_CORNERS) item->corner_count = (int)count;
        if (property->role == PLY_CORNER_UVS) item->uv_count = (int)count;
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
        int count = source->soup->mesh.vertex_count;
        if (!sb_grow((void **)&source->vertex_uvs, &source->uv_room, count + 1,
                     sizeof(float[2]))) {
            return sb_fail(err, SB_NO_MEMORY, "there is not enough memory");
        }
        source->vertex_uvs[count][0] = (float)item->values[PLY_U];
        source->vertex_uvs[count][1] = (float)item->values[PLY_V];
    }
    sb_vec3 point_m = {item->values[PLY_X], item->values[PLY_Y],
                       item->values[PLY_Z]};
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
                         const ply_element *element, long long number,
                         sb_error *err) {
    const char *what = "item";
    if (element->kind == PLY_VERTEX) what = "vertex";
    if (element->kind == PLY_FACE) what = "face";
    const char *rest = source->at + strspn(source->at, " \t\r\n");
    return sb_fail(err, SB_BAD_FORMAT, "%s %lld of %lld: %s", what, number,
                   element->count,
                   rest >= source->end || source->ply->format != PLY_TEXT
                       ? "the file ends, or the header is wrong"
                       : "a value is not a number");
}

static sb_status read_element(struct source *source, const ply_element *element,
                              sb_error *err) {
    sb_status status = SB_OK;
    static struct item item;
    for (long long i = 0; !status && i < element->count; i++) {
        item.corner_count = item.uv_count = 0;
        for (int p = 0; p < element->property_count; p++) {
            if (!read_property(source, &element->properties[p], &item)) {
                return fail_at(source, element, i + 1, err);
            }
        }
        if (element->kind == PLY_VERTEX) {
            status = add_vertex(source, &item, err);
        }
        if (element->kind == PLY_FACE) {
            status = add_face(source, &item, i + 1, err);
        }
    }
    return status;
}

/* --- the whole ------------------------------------------------------------ */

static bool has_role(const ply_element *element, ply_role role) {
    for (int i = 0; i < element->property_count; i++) {
        if (element->properties[i].role == role) return true;
    }
    return false;
}

static sb_status read_elements(struct source *source, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; !status && i < source->ply->element_count; i++) {
        const ply_element *element = &source->ply->elements[i];
        if (element->kind == PLY_VERTEX && !source->vertex_uvs &&
            has_role(element, PLY_U) && has_role(element, PLY_V)) {
            if (!sb_grow((void **)&source->vertex_uvs, &source->uv_room, 1,
                         sizeof(float[2])))
                return sb_fail(err, SB_NO_MEMORY, "there is not enough memory");
        }
        status = read_element(source, element, err);
    }
    return status;
}

sb_status sb_read_ply(const char *path, sb_soup *soup, sb_error *err) {
    static struct ply ply;
    char *bytes = NULL;
    size_t size = 0;
    if (sb_folder_read(path, path, &bytes, &size) != SB_FOLDER_OK) {
        return sb_fail(err, SB_IO_ERROR, "it cannot be read");
    }
    ply = (struct ply){0};
    sb_status status = read_head(&ply, bytes, size, err);
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
