/* Reads a mesh file through the child process and composes error messages.
 * Runs on the control thread or a worker. */
#include "runtime/model/mesh/mesh_file.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_child.h"
#include "runtime/model/mesh/mesh_internal.h"
#include "runtime/model/mesh/mesh_wire.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* One second more than the reader's own limit of processor time, so that a
 * slow reader is stopped by its own limit. */
enum { TIME_LIMIT_MS = 9000 };
static const off_t largest_bytes = (off_t)1 << 29;

static atomic_int time_limit_ms = TIME_LIMIT_MS;

void sb_mesh_read_set_time_limit(int limit_ms) {
    atomic_store(&time_limit_ms, limit_ms > 0 ? limit_ms : TIME_LIMIT_MS);
}

static bool has_known_ending(const char *path) {
    static const char *const endings[] = {".obj", ".ply",  ".stl", ".gltf",
                                          ".glb", ".node", ".ele", ".msh"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
        if (!strcasecmp(dot, endings[i])) return true;
    }
    return false;
}

/* A long path is truncated, the reason is not. */
static sb_status fail_of(const char *path, sb_error *err, sb_status status,
                         const char *reason) {
    return sb_fail(err, status, "%.200s: %s", path, reason);
}

static sb_status check_file(const char *path, sb_error *err) {
    struct stat facts;
    if (stat(path, &facts) != 0) {
        sb_status status =
            errno == ENOENT || errno == ENOTDIR ? SB_NOT_FOUND : SB_IO_ERROR;
        return fail_of(path, err, status,
                       status == SB_NOT_FOUND ? "there is no such file"
                                              : strerror(errno));
    }
    if (S_ISDIR(facts.st_mode)) {
        return fail_of(path, err, SB_BAD_FORMAT, "is a folder, not a mesh");
    }
    if (!S_ISREG(facts.st_mode)) {
        return fail_of(path, err, SB_BAD_FORMAT, "is not a regular file");
    }
    if (!has_known_ending(path)) {
        return fail_of(
            path, err, SB_BAD_FORMAT,
            "has no known mesh extension; .obj, .ply, .stl, .gltf, .glb, "
            ".node, .ele and .msh are read");
    }
    if (access(path, R_OK) != 0) {
        return fail_of(path, err, SB_IO_ERROR, "may not be read");
    }
    if (facts.st_size == 0) {
        return fail_of(path, err, SB_BAD_FORMAT, "is empty");
    }
    if (facts.st_size > largest_bytes) {
        return fail_of(path, err, SB_BAD_FORMAT,
                       "is larger than 512 MB; reduce it first");
    }
    return SB_OK;
}

/* The reason for a missing answer, from how the reader ended. */
static sb_status fail_of_child(const char *path,
                               const sb_mesh_child_end_facts *facts,
                               sb_error *err) {
    bool took_long = facts->is_late || facts->signal == SIGXCPU;
    if (took_long) {
        return fail_of(path, err, SB_BAD_FORMAT,
                       "reading it took too long and was stopped; the file is "
                       "damaged, or too large");
    }
    if (facts->signal) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.200s: the importer crashed while reading it (signal "
                       "%d); the file is probably damaged",
                       path, facts->signal);
    }
    if (facts->exit_code) {
        return sb_fail(err, SB_IO_ERROR,
                       "%.200s: the importer failed without a message (exit "
                       "code %d)",
                       path, facts->exit_code);
    }
    return fail_of(path, err, SB_IO_ERROR, "the importer's output is invalid");
}

static sb_status ask_reader(const char *path, sb_mesh *soup, sb_error *err) {
    char reader[PATH_MAX];
    sb_error reason = {0};
    sb_mesh_child child;
    sb_status status = sb_mesh_child_find(reader, sizeof reader, &reason);
    if (!status) {
        status = sb_mesh_child_start(&child, reader, path,
                                     atomic_load(&time_limit_ms), &reason);
    }
    if (status) return fail_of(path, err, status, reason.message);
    sb_wire_answer answer = sb_mesh_wire_read(&child, soup, &reason);
    bool is_answer =
        answer == SB_WIRE_GOT_MESH || answer == SB_WIRE_GOT_SENTENCE;
    sb_mesh_child_end_facts facts =
        sb_mesh_child_end(&child, !is_answer && !child.has_ended);
    switch (answer) {
    case SB_WIRE_GOT_MESH:
        if (!facts.is_late && !facts.signal && !facts.exit_code) return SB_OK;
        sb_mesh_free(soup);
        return fail_of_child(path, &facts, err);
    case SB_WIRE_GOT_SENTENCE:
        return fail_of(path, err, reason.status, reason.message);
    case SB_WIRE_NO_MEMORY:
        return fail_of(path, err, SB_NO_MEMORY, "no memory for the mesh");
    case SB_WIRE_GOT_NONSENSE:
    default:
        return fail_of_child(path, &facts, err);
    }
}

sb_status sb_mesh_read(const char *path, double scale, sb_mesh *out,
                       sb_mesh_report *report, sb_error *err) {
    if (!isfinite(scale) || scale <= 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%.200s: scale is %g, and must be above 0", path, scale);
    }
    if (strlen(path) >= PATH_MAX) {
        return fail_of(path, err, SB_NOT_FOUND, "the path is too long");
    }
    sb_mesh soup = {0};
    sb_status status = check_file(path, err);
    if (!status) status = ask_reader(path, &soup, err);
    if (status) return status;
    for (int i = 0; i < soup.vertex_count; i++) {
        soup.vertices[i] = sb_vec3_scale(soup.vertices[i], scale);
    }
    sb_error reason = {0};
    status = sb_mesh_clean(&soup, out, report, &reason);
    if (status) return fail_of(path, err, status, reason.message);
    return SB_OK;
}
