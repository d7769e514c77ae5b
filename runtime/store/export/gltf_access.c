/* Reads a glTF file and gives checked access to its JSON, buffers and
 * accessors. Control thread and workers. */
#include "runtime/store/export/gltf_access.h"

#include "runtime/base/memory.h"
#include "runtime/store/export/base64.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static sb_status fail_read(const char *path, int code, sb_error *err) {
    return sb_fail(
        err, code == ENOENT || code == ENOTDIR ? SB_NOT_FOUND : SB_IO_ERROR,
        "%.300s cannot be read: %s", path, strerror(code));
}

static bool read_all(int descriptor, unsigned char *bytes, size_t count) {
    while (count > 0) {
        ssize_t part = read(descriptor, bytes, count);
        if (part < 0 && errno == EINTR) continue;
        if (part == 0) errno = EIO; /* truncated while it was being read */
        if (part <= 0) return false;
        bytes += part;
        count -= (size_t)part;
    }
    return true;
}

static sb_status read_open(const char *path, int descriptor,
                           unsigned char **out, size_t *size, sb_error *err) {
    struct stat info;
    if (fstat(descriptor, &info) != 0) return fail_read(path, errno, err);
    if (!S_ISREG(info.st_mode) || info.st_size > BYTES_MOST) {
        return sb_fail(err, SB_IO_ERROR,
                       "%.300s cannot be read: it is not a regular file, or "
                       "larger than 1 GiB",
                       path);
    }
    unsigned char *bytes = sb_alloc((size_t)info.st_size + 1, 1);
    if (!bytes) return sb_fail(err, SB_NO_MEMORY, "%.300s: no memory", path);
    if (!read_all(descriptor, bytes, (size_t)info.st_size)) {
        int code = errno;
        sb_free(bytes);
        return fail_read(path, code, err);
    }
    *out = bytes;
    *size = (size_t)info.st_size;
    return SB_OK;
}

static sb_status read_file(const char *path, unsigned char **out, size_t *size,
                           sb_error *err) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fail_read(path, errno, err);
    sb_status status = read_open(path, descriptor, out, size, err);
    (void)close(descriptor);
    return status;
}

static int line_of(const char *text, const char *at) {
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

sb_status sb_gltf_open(sb_gltf *gltf, const char *path, sb_error *err) {
    unsigned char *bytes = NULL;
    size_t size = 0;
    sb_status status = read_file(path, &bytes, &size, err);
    if (status) return status;
    *gltf = (sb_gltf){.path = path};
    const char *end = NULL;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        status =
            sb_gltf_fail(gltf, err, "it is binary (.glb); save it as .gltf");
    } else {
        gltf->root =
            cJSON_ParseWithLengthOpts((const char *)bytes, size, &end, 0);
        if (!cJSON_IsObject(gltf->root)) {
            status = sb_gltf_fail(gltf, err, "line %d: it is not a JSON object",
                                  end ? line_of((const char *)bytes, end) : 1);
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
    sb_status status = read_file(path, &gltf->buffers[i], &size, err);
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
