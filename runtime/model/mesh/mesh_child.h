/* runtime/model/mesh/mesh_child.h -- the program sandbell-mesh-reader as a
 * child process that reads one file. The child has its own process group, no
 * input, and no descriptors but the pipe. After sb_mesh_child_end it has
 * always ended and been reaped. Thread: any but audio; one thread per child.
 * Memory: none on the heap. */
#ifndef SB_MODEL_MESH_MESH_CHILD_H
#define SB_MODEL_MESH_MESH_CHILD_H

#include "runtime/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct sb_mesh_child {
    pid_t process;
    int pipe;
    int64_t deadline_ns; /* on the monotonic clock */
    bool is_late;
    bool has_ended; /* it closed its end of the pipe */
} sb_mesh_child;

/* How it ended. */
typedef struct sb_mesh_child_end_facts {
    bool is_late; /* it exceeded its time and was killed */
    int signal;   /* signal that killed it; 0 if it exited or we killed it */
    int exit_code;
} sb_mesh_child_end_facts;

/* Finds the reader program: $SANDBELL_MESH_READER, otherwise beside the
 * running program, otherwise in the build directory. NOT_FOUND lists the
 * places searched. */
SB_NODISCARD sb_status sb_mesh_child_find(char *reader, size_t size,
                                          sb_error *err);

SB_NODISCARD sb_status sb_mesh_child_start(sb_mesh_child *child,
                                           const char *reader,
                                           const char *mesh_path,
                                           int time_limit_ms, sb_error *err);

/* Reads exactly `size` bytes; false when the child ends early or is late. */
bool sb_mesh_child_read(sb_mesh_child *child, void *bytes, size_t size);

/* Waits for the child until the deadline, or kills it at once; then frees all
 * resources. */
sb_mesh_child_end_facts sb_mesh_child_end(sb_mesh_child *child,
                                          bool kill_at_once);

#endif
