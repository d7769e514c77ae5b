/* SPDX-License-Identifier: MIT */
#include "runtime/store/export/gltf_access.h"

#include "runtime/base/in_file.h"
#include "runtime/base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BYTES_MOST ((int64_t)1 << 30) /* maximum size of a file or buffer */

sb_status sb_gltf_fail(const sb_gltf *gltf, sb_error *err, const char *format,
                       ...) {
    char text[SB_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sb_fail(err, SB_BAD_FORMAT, "%.250s: %.200s", gltf->path, text);
}

/* --- files ---------------------------------------------------------------- */

static int line_of(const char *text, const char *at) {
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

sb_status sb_gltf_open(sb_gltf *gltf, const char *path, sb_error *err) {
    char *bytes = NULL;
    size_t size = 0;
    sb_status status = sb_in_file_read(path, BYTES_MOST, &bytes, &size, err);
    if (status) return status;
    *gltf = (sb_gltf){.path = path};
    const char *end = NULL;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        status =
            sb_gltf_fail(gltf, err, "it is binary (.glb); save it as .gltf");
    } else {
        gltf->root = cJSON_ParseWithLengthOpts(bytes, size, &end, 0);
        if (!cJSON_IsObject(gltf->root)) {
            status = sb_gltf_fail(gltf, err, "line %d: it is not a JSON object",
                                  end ? line_of(bytes, end) : 1);
            cJSON_Delete(gltf->root);
        }
    }
    sb_free(bytes);
    return status;
}

void sb_gltf_close(sb_gltf *gltf) {
    cJSON_Delete(gltf->root);
    for (int i = 0; i < SB_GLTF_BUFFERS; i++)
        sb_free(gltf->buffers[i]);
    *gltf = (sb_gltf){0};
}

/* --- JSON ----------------------------------------------------------------- */

const cJSON *sb_gltf_get(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

double sb_gltf_number(const cJSON *object, const char *name, double otherwise) {
    const cJSON *item = sb_gltf_get(object, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) {
        return otherwise;
    }
    return item->valuedouble;
}

int64_t sb_gltf_index(const cJSON *object, const char *name) {
    double value = sb_gltf_number(object, name, -1);
    if (!(value >= 0 && value <= 9007199254740992.0) || value != floor(value)) {
        return -1;
    }
    return (int64_t)value;
}

/* --- buffers -------------------------------------------------------------- */

/* The TEXT of "data:...;base64,TEXT", or NULL. */
static const char *inline_data(const char *uri) {
    if (strncmp(uri, "data:", 5) != 0) return NULL;
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncmp(comma - 7, ";base64", 7) != 0) {
        return NULL;
    }
    return comma + 1;
}

static sb_status read_neighbour(sb_gltf *gltf, const char *uri, int64_t bytes,
                                int i, sb_error *err) {
    if (strpbrk(uri, "/\\:%") || strcmp(uri, "..") == 0 || *uri == '\0') {
        return sb_gltf_fail(gltf, err,
                            "buffers[%d]: only data inside the file or in a "
                            "file next to it can be read",
                            i);
    }
    const char *slash = strrchr(gltf->path, '/');
    size_t folder = slash ? (size_t)(slash - gltf->path) + 1 : 0;
    size_t length = folder + strlen(uri) + 1;
    char *path = sb_alloc(length, 1);
    if (!path) return sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", uri);
    (void)snprintf(path, length, "%.*s%s", (int)folder, gltf->path, uri);
    size_t size = 0;
    char *read = NULL;
    sb_status status = sb_in_file_read(path, BYTES_MOST, &read, &size, err);
    gltf->buffers[i] = (unsigned char *)read;
    sb_free(path);
    if (!status && (int64_t)size < bytes) {
        status =
            sb_gltf_fail(gltf, err, "buffers[%d]: %.60s has %zu of %lld bytes",
                         i, uri, size, (long long)bytes);
    }
    return status;
}

static sb_status load_buffer(sb_gltf *gltf, int i, sb_error *err) {
    const cJSON *buffer =
        cJSON_GetArrayItem(sb_gltf_get(gltf->root, "buffers"), i);
    const char *uri = cJSON_GetStringValue(sb_gltf_get(buffer, "uri"));
    int64_t bytes = sb_gltf_index(buffer, "byteLength");
    if (!uri || bytes < 1 || bytes > BYTES_MOST) {
        return sb_gltf_fail(gltf, err,
                            "buffers[%d]: it has no uri, or no byteLength of "
                            "up to 1 GiB",
                            i);
    }
    gltf->sizes[i] = (size_t)bytes;
    const char *data = inline_data(uri);
    if (!data) return read_neighbour(gltf, uri, bytes, i, err);
    size_t length = strlen(data);
    if (length / 4 != ((size_t)bytes + 2) / 3) {
        return sb_gltf_fail(gltf, err,
                            "buffers[%d]: its data does not have byteLength "
                            "bytes",
                            i);
    }
    gltf->buffers[i] = sb_alloc((size_t)bytes, 1);
    if (!gltf->buffers[i]) {
        return sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", gltf->path);
    }
    if (!sb_base64_decode(data, length, gltf->buffers[i], (size_t)bytes)) {
        return sb_gltf_fail(gltf, err, "buffers[%d]: its data is not base64",
                            i);
    }
    return SB_OK;
}

/* --- accessors ------------------------------------------------------------ */

static const cJSON *item_of(const sb_gltf *gltf, const char *list,
                            int64_t index) {
    const cJSON *array = sb_gltf_get(gltf->root, list);
    if (!cJSON_IsArray(array) || index < 0 || index > 1000000) return NULL;
    return cJSON_GetArrayItem(array, (int)index);
}

/* Find the bytes of a bufferView, from `offset` within it. */
static sb_status look_at_view(sb_gltf *gltf, int64_t index, int64_t offset,
                              size_t size, sb_gltf_view *view, sb_error *err) {
    const cJSON *json = item_of(gltf, "bufferViews", index);
    int64_t buffer = sb_gltf_index(json, "buffer");
    int64_t start = sb_gltf_index(json, "byteOffset");
    int64_t bytes = sb_gltf_index(json, "byteLength");
    int64_t stride = sb_gltf_index(json, "byteStride");
    if (start < 0) start = 0;
    if (stride < 0) stride = (int64_t)size;
    if (buffer < 0 || buffer >= SB_GLTF_BUFFERS || bytes < 1 ||
        stride < (int64_t)size || stride > 252) {
        return sb_gltf_fail(gltf, err,
                            "bufferViews[%lld] is missing or invalid",
                            (long long)index);
    }
    sb_status status = SB_OK;
    if (!gltf->buffers[buffer]) status = load_buffer(gltf, (int)buffer, err);
    if (status) return status;
    int64_t total = (int64_t)gltf->sizes[buffer], count = (int64_t)view->count;
    bool fits = start <= total && bytes <= total - start && offset <= bytes &&
                (int64_t)size <= bytes - offset &&
                count - 1 <= (bytes - offset - (int64_t)size) / stride;
    if (!fits) {
        return sb_gltf_fail(gltf, err,
                            "bufferViews[%lld], or an accessor in it, exceeds "
                            "its buffer",
                            (long long)index);
    }
    view->bytes = gltf->buffers[buffer] + start + offset;
    view->stride = (size_t)stride;
    return SB_OK;
}

sb_status sb_gltf_look(sb_gltf *gltf, const cJSON *owner, const char *name,
                       const char *type, sb_gltf_view *out, sb_error *err) {
    int64_t index = sb_gltf_index(owner, name);
    const cJSON *json = item_of(gltf, "accessors", index);
    const char *has = cJSON_GetStringValue(sb_gltf_get(json, "type"));
    int64_t count = sb_gltf_index(json, "count");
    int64_t offset = sb_gltf_index(json, "byteOffset");
    if (!has || strcmp(has, type) != 0 || count < 1 || count > BYTES_MOST ||
        sb_gltf_get(json, "sparse")) {
        return sb_gltf_fail(gltf, err,
                            "%s: it must be a non-sparse accessor of type %s",
                            name, type);
    }
    sb_gltf_view view = {.count = (size_t)count};
    int64_t component = sb_gltf_index(json, "componentType");
    if (component <= SB_GLTF_FLOAT) view.component = (int)component;
    size_t size = view.component == SB_GLTF_UNSIGNED_SHORT ? 2 : 4;
    if (strcmp(type, "VEC3") == 0) size *= 3;
    sb_status status = look_at_view(gltf, sb_gltf_index(json, "bufferView"),
                                    offset < 0 ? 0 : offset, size, &view, err);
    if (!status) *out = view;
    return status;
}

float sb_gltf_float(const sb_gltf_view *view, size_t i, int part) {
    float value;
    memcpy(&value, view->bytes + i * view->stride + (size_t)part * 4,
           sizeof value);
    return value;
}

uint32_t sb_gltf_uint(const sb_gltf_view *view, size_t i) {
    const unsigned char *at = view->bytes + i * view->stride;
    uint32_t value = (uint32_t)at[0] | (uint32_t)at[1] << 8;
    if (view->component == SB_GLTF_UNSIGNED_SHORT) return value;
    return value | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

const char *const sb_gltf_material[SB_GLTF_MATERIAL_NUMBERS] = {
    "density",      "youngsModulus",
    "poissonRatio", "alpha",
    "beta",         "hardness",
    "roughness",    "restitution",
    "friction",     "youngsModulusAcross",
    "shearModulus"};

/* --- base64 --------------------------------------------------------------- */

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void sb_base64_group(const unsigned char *bytes, size_t count, char text[4]) {
    unsigned a = bytes[0], b = count > 1 ? bytes[1] : 0U;
    unsigned c = count > 2 ? bytes[2] : 0U;
    unsigned all = a << 16 | b << 8 | c;
    text[0] = digits[all >> 18 & 63];
    text[1] = digits[all >> 12 & 63];
    text[2] = '=';
    text[3] = '=';
    if (count > 1) text[2] = digits[all >> 6 & 63];
    if (count > 2) text[3] = digits[all & 63];
}

static int value_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+') return 62;
    return c == '/' ? 63 : -1;
}

bool sb_base64_decode(const char *text, size_t length, void *bytes,
                      size_t count) {
    if (length % 4 != 0 || (count + 2) / 3 != length / 4) return false;
    unsigned char *out = bytes;
    for (size_t i = 0; i < length; i += 4) {
        size_t left = count - i / 4 * 3;
        int given = left >= 3 ? 4 : (int)left + 1;
        unsigned all = 0;
        for (int j = 0; j < 4; j++) {
            int value = j < given ? value_of(text[i + (size_t)j]) : 0;
            if (value < 0) return false;
            if (j >= given && text[i + (size_t)j] != '=') return false;
            all = all << 6 | (unsigned)value;
        }
        for (int j = 0; j < given - 1; j++)
            *out++ = (unsigned char)(all >> (16 - 8 * j));
    }
    return true;
}
