/* Starts the mesh reader as a child process, reads its pipe, reaps it. Runs on
 * any thread but audio. */
#include "runtime/model/mesh/mesh_child.h"

#include "runtime/base/clock.h"
#include "runtime/base/self_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ms_left(const sb_mesh_child *child) {
    int64_t left_ns = child->deadline_ns - sb_clock_ns();
    return left_ns <= 0 ? 0 : (int)(left_ns / 1000000) + 1;
}

sb_status sb_mesh_child_find(char *reader, size_t size, sb_error *err) {
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

sb_status sb_mesh_child_start(sb_mesh_child *child, const char *reader,
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

bool sb_mesh_child_read(sb_mesh_child *child, void *bytes, size_t size) {
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

sb_mesh_child_end_facts sb_mesh_child_end(sb_mesh_child *child,
                                          bool kill_at_once) {
    /* Closed first: a child that still writes then gets SIGPIPE. */
    (void)close(child->pipe);
    if (!kill_at_once && !child->is_late) wait_for(child);
    /* The whole process group, so that no process it started remains. */
    (void)kill(-child->process, SIGKILL);
    int how = 0;
    while (waitpid(child->process, &how, 0) < 0 && errno == EINTR) {
    }
    sb_mesh_child_end_facts facts = {.is_late = child->is_late};
    if (WIFSIGNALED(how) && !kill_at_once) facts.signal = WTERMSIG(how);
    if (WIFEXITED(how)) facts.exit_code = WEXITSTATUS(how);
    *child = (sb_mesh_child){.process = -1, .pipe = -1};
    return facts;
}
