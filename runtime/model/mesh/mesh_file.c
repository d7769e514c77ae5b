/* SPDX-License-Identifier: MIT */
/* Reads a mesh file through the child process and composes error messages.
 * Runs on the control thread or a worker. */
#include "runtime/model/mesh/mesh_file.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/base/self_path.h"
#include "runtime/model/mesh/mesh_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* --- the child ------------------------------------------------------------ */

/* How it ended. */
typedef struct child_end {
    bool is_late; /* it exceeded its time and was killed */
    int signal;   /* signal that killed it; 0 if it exited or we killed it */
    int exit_code;
} child_end;

static int ms_left(const sb_mesh_child *child) {
    int64_t left_ns = child->deadline_ns - sb_clock_ns();
    return left_ns <= 0 ? 0 : (int)(left_ns / 1000000) + 1;
}

/* Finds the reader program: $SANDBELL_MESH_READER, otherwise beside the
 * running program, otherwise in the build directory. */
static sb_status find_reader(char *reader, size_t size, sb_error *err) {
    bool is_found = sb_self_find(SB_SELF_MESH_READER, reader, size);
    if (is_found && access(reader, X_OK) == 0) return SB_OK;
    return sb_fail(err, SB_NOT_FOUND,
                   "the program sandbell-mesh-reader is missing at %.200s; "
                   "install it, or set SANDBELL_MESH_READER to its path",
                   is_found ? reader : "any place");
}

/* Default signal handling and mask: the caller may ignore or block signals. */
static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    (void)sigdelset(&all, SIGKILL);
    (void)sigdelset(&all, SIGSTOP);
    short flags =
        POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    int code = posix_spawnattr_setflags(attributes, flags);
    if (!code) code = posix_spawnattr_setpgroup(attributes, 0);
    if (!code) code = posix_spawnattr_setsigmask(attributes, &none);
    if (!code) code = posix_spawnattr_setsigdefault(attributes, &all);
    return code;
}

static int set_actions(posix_spawn_file_actions_t *actions, int out) {
    int code = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
    if (!code) {
        code = posix_spawn_file_actions_addopen(actions, STDIN_FILENO,
                                                "/dev/null", O_RDONLY, 0);
    }
    if (!code) {
        code = posix_spawn_file_actions_addopen(actions, STDERR_FILENO,
                                                "/dev/null", O_WRONLY, 0);
    }
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return code;
}

static int spawn(sb_mesh_child *child, const char *reader,
                 const char *mesh_path, int out) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int code = posix_spawnattr_init(&attributes);
    if (code) return code;
    code = posix_spawn_file_actions_init(&actions);
    if (!code) {
        char name[PATH_MAX], path[PATH_MAX];
        char *arguments[] = {name, path, NULL};
        (void)snprintf(name, sizeof name, "%s", reader);
        (void)snprintf(path, sizeof path, "%s", mesh_path);
        code = set_attributes(&attributes);
        if (!code) code = set_actions(&actions, out);
        if (!code) {
            code = posix_spawn(&child->process, reader, &actions, &attributes,
                               arguments, environ);
        }
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    (void)posix_spawnattr_destroy(&attributes);
    return code;
}

/* Opens a pipe whose descriptors are not 0, 1 or 2, even if the program has
 * closed those: they would be overwritten by the child's own. */
static int open_pipe(int ends[2]) {
    int low[2];
    if (pipe2(low, O_CLOEXEC) != 0) return errno;
    ends[0] = fcntl(low[0], F_DUPFD_CLOEXEC, 3);
    ends[1] = fcntl(low[1], F_DUPFD_CLOEXEC, 3);
    int code = ends[0] < 0 || ends[1] < 0 ? errno : 0;
    (void)close(low[0]);
    (void)close(low[1]);
    if (code && ends[0] >= 0) (void)close(ends[0]);
    if (code && ends[1] >= 0) (void)close(ends[1]);
    return code;
}

static sb_status start_child(sb_mesh_child *child, const char *reader,
                             const char *mesh_path, int time_limit_ms,
                             sb_error *err) {
    int ends[2] = {-1, -1};
    int code = open_pipe(ends);
    sb_mesh_child fresh = {.process = -1, .pipe = ends[0]};
    fresh.deadline_ns = sb_clock_ns() + (int64_t)time_limit_ms * 1000000;
    if (!code) {
        code = spawn(&fresh, reader, mesh_path, ends[1]);
        (void)close(ends[1]);
        if (code) (void)close(ends[0]);
    }
    if (code) {
        return sb_fail(err, SB_IO_ERROR, "%.160s cannot be started: %s", reader,
                       strerror(code));
    }
    *child = fresh;
    return SB_OK;
}

/* Reads exactly `size` bytes; false when the child ends early or is late. */
static bool read_child(sb_mesh_child *child, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        struct pollfd pipe = {.fd = child->pipe, .events = POLLIN};
        int ready = poll(&pipe, 1, ms_left(child));
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) child->is_late = true;
        if (ready <= 0) return false;
        ssize_t got = read(child->pipe, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) child->has_ended = true;
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

/* Without reaping, so that the process id is not reused yet. */
static bool is_gone(const sb_mesh_child *child) {
    siginfo_t info = {0};
    int code =
        waitid(P_PID, (id_t)child->process, &info, WEXITED | WNOWAIT | WNOHANG);
    if (code < 0) return errno != EINTR; /* already reaped elsewhere */
    return info.si_pid != 0;
}

/* The child has finished its output, so this takes microseconds. */
static void wait_for(sb_mesh_child *child) {
    while (!is_gone(child)) {
        if (ms_left(child) == 0) {
            child->is_late = true;
            return;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

/* Waits for the child until the deadline, or kills it at once; then it has
 * ended and been reaped, and all resources are free. */
static child_end end_child(sb_mesh_child *child, bool kill_at_once) {
    /* Closed first: a child that still writes then gets SIGPIPE. */
    (void)close(child->pipe);
    if (!kill_at_once && !child->is_late) wait_for(child);
    /* The whole process group, so that no process it started remains. */
    (void)kill(-child->process, SIGKILL);
    int how = 0;
    while (waitpid(child->process, &how, 0) < 0 && errno == EINTR) {
    }
    child_end facts = {.is_late = child->is_late};
    if (WIFSIGNALED(how) && !kill_at_once) facts.signal = WTERMSIG(how);
    if (WIFEXITED(how)) facts.exit_code = WEXITSTATUS(how);
    *child = (sb_mesh_child){.process = -1, .pipe = -1};
    return facts;
}

/* --- its answer ----------------------------------------------------------- */

_Static_assert(sizeof(int) == sizeof(int32_t), "faces are sent as int32");

static bool is_count(int32_t count, int32_t most) {
    return count >= 0 && count <= most;
}

static bool is_mark(const char *bytes, const char *mark) {
    return memcmp(bytes, mark, SB_WIRE_MARK) == 0;
}

static bool is_mesh_head(const sb_wire_head *head) {
    return is_mark(head->mark, SB_WIRE_MESH) &&
           is_count(head->vertex_count, SB_WIRE_MOST_VERTICES) &&
           is_count(head->face_count, SB_WIRE_MOST_FACES) &&
           is_count(head->tet_count, SB_WIRE_MOST_TETS) &&
           is_count(head->has_uvs, 1) && head->status == 0 &&
           head->text_size == 0;
}

static bool is_sentence_head(const sb_wire_head *head) {
    return is_mark(head->mark, SB_WIRE_SENTENCE) && head->status > SB_OK &&
           head->status < SB_STATUS_COUNT &&
           is_count(head->text_size, SB_WIRE_MOST_TEXT);
}

static bool read_end(sb_mesh_child *child) {
    char mark[SB_WIRE_MARK];
    return read_child(child, mark, sizeof mark) && is_mark(mark, SB_WIRE_END);
}

/* The sentence may quote the file: characters that are not plain text must
 * not reach a terminal. */
static sb_wire_answer read_sentence(sb_mesh_child *child,
                                    const sb_wire_head *head, sb_error *err) {
    char text[SB_WIRE_MOST_TEXT + 1] = {0};
    if (!read_child(child, text, (size_t)head->text_size) || !read_end(child)) {
        return SB_WIRE_GOT_NONSENSE;
    }
    for (int i = 0; i < head->text_size; i++) {
        if (text[i] < ' ' || text[i] > '~') text[i] = '?';
    }
    (void)sb_fail(err, (sb_status)head->status, "%s", text);
    return SB_WIRE_GOT_SENTENCE;
}

static bool are_corners(const int *corners, size_t count, int vertex_count) {
    for (size_t i = 0; i < count; i++) {
        if (corners[i] < 0 || corners[i] >= vertex_count) return false;
    }
    return true;
}

static void tidy_uvs(sb_mesh *soup) {
    for (int f = 0; f < soup->face_count; f++) {
        for (int c = 0; c < 3; c++) {
            float *uv = soup->uvs[f][c];
            if (!isfinite(uv[0]) || !isfinite(uv[1])) uv[0] = uv[1] = 0;
        }
    }
}

static bool allocate(sb_mesh *soup, bool has_uvs) {
    size_t faces = (size_t)soup->face_count, tets = (size_t)soup->tet_count;
    soup->vertices =
        sb_alloc((size_t)soup->vertex_count, sizeof *soup->vertices);
    soup->faces = sb_alloc(faces, sizeof *soup->faces);
    if (!soup->vertices || !soup->faces) return false;
    if (has_uvs) soup->uvs = sb_alloc(faces, sizeof *soup->uvs);
    if (has_uvs && !soup->uvs) return false;
    if (tets > 0) soup->tets = sb_alloc(tets, sizeof *soup->tets);
    return tets == 0 || soup->tets;
}

static bool read_arrays(sb_mesh_child *child, sb_mesh *soup) {
    size_t faces = (size_t)soup->face_count, tets = (size_t)soup->tet_count;
    size_t vertices = (size_t)soup->vertex_count;
    return read_child(child, soup->vertices,
                      vertices * sizeof *soup->vertices) &&
           read_child(child, soup->faces, faces * sizeof *soup->faces) &&
           (!soup->uvs ||
            read_child(child, soup->uvs, faces * sizeof *soup->uvs)) &&
           (!soup->tets ||
            read_child(child, soup->tets, tets * sizeof *soup->tets)) &&
           read_end(child) &&
           are_corners((const int *)soup->faces, 3 * faces,
                       soup->vertex_count) &&
           are_corners((const int *)soup->tets, 4 * tets, soup->vertex_count);
}

sb_wire_answer sb_mesh_wire_read(sb_mesh_child *child, sb_mesh *soup,
                                 sb_error *err) {
    sb_wire_head head;
    if (!read_child(child, &head, sizeof head)) {
        return SB_WIRE_GOT_NONSENSE;
    }
    if (is_sentence_head(&head)) return read_sentence(child, &head, err);
    if (!is_mesh_head(&head)) return SB_WIRE_GOT_NONSENSE;
    sb_mesh mesh = {.vertex_count = head.vertex_count,
                    .face_count = head.face_count,
                    .tet_count = head.tet_count};
    sb_wire_answer answer = SB_WIRE_NO_MEMORY;
    if (allocate(&mesh, head.has_uvs)) {
        answer =
            read_arrays(child, &mesh) ? SB_WIRE_GOT_MESH : SB_WIRE_GOT_NONSENSE;
    }
    if (answer != SB_WIRE_GOT_MESH) {
        sb_mesh_free(&mesh);
        return answer;
    }
    if (mesh.uvs) tidy_uvs(&mesh);
    *soup = mesh;
    return SB_WIRE_GOT_MESH;
}

/* --- the file ------------------------------------------------------------- */

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

static sb_status fail_of(const char *path, sb_error *err, sb_status status,
                         const char *reason) {
    return sb_fail_in(err, status, path, 0, "%s", reason);
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
static sb_status fail_of_child(const char *path, const child_end *facts,
                               sb_error *err) {
    bool took_long = facts->is_late || facts->signal == SIGXCPU;
    if (took_long) {
        return fail_of(path, err, SB_BAD_FORMAT,
                       "reading it took too long and was stopped; the file is "
                       "damaged, or too large");
    }
    if (facts->signal) {
        return sb_fail_in(err, SB_BAD_FORMAT, path, 0,
                          "the importer crashed while reading it (signal %d); "
                          "the file is probably damaged",
                          facts->signal);
    }
    if (facts->exit_code) {
        return sb_fail_in(err, SB_IO_ERROR, path, 0,
                          "the importer failed without a message (exit code "
                          "%d)",
                          facts->exit_code);
    }
    return fail_of(path, err, SB_IO_ERROR, "the importer's output is invalid");
}

static sb_status ask_reader(const char *path, sb_mesh *soup, sb_error *err) {
    char reader[PATH_MAX];
    sb_error reason = {0};
    sb_mesh_child child;
    sb_status status = find_reader(reader, sizeof reader, &reason);
    if (!status) {
        status = start_child(&child, reader, path, atomic_load(&time_limit_ms),
                             &reason);
    }
    if (status) return fail_of(path, err, status, reason.message);
    sb_wire_answer answer = sb_mesh_wire_read(&child, soup, &reason);
    bool is_answer =
        answer == SB_WIRE_GOT_MESH || answer == SB_WIRE_GOT_SENTENCE;
    child_end facts = end_child(&child, !is_answer && !child.has_ended);
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
        return sb_fail_in(err, SB_BAD_ARGUMENT, path, 0,
                          "scale is %g, and must be above 0", scale);
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
