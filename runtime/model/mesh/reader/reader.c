/* SPDX-License-Identifier: MIT */
/* sandbell-mesh-reader PATH: reads a mesh file and writes the format of
 * mesh_wire.h to standard output. Started by runtime/model/mesh/mesh_file.c, not
 * by users. The parsers are large and not all hardened against hostile
 * files, so the process limits its resources and privileges before it opens
 * any file. Has one thread. */
#include "runtime/model/mesh/mesh_wire.h"
#include "runtime/model/mesh/reader/input.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CPU_S = 8, MOST_DESCRIPTORS = 16 };

/* Clang says it in another way than gcc. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* The sanitizers' own memory limit, where ours does not fit. */
#if defined(__SANITIZE_ADDRESS__)
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "hard_rss_limit_mb=2048:allocator_may_return_null=1";
}
#endif

static void limit(__rlimit_resource_t what, rlim_t soft, rlim_t hard) {
    (void)setrlimit(what, &(struct rlimit){soft, hard});
}

/* A limit that cannot be set is skipped: the parent has its own timeout. */
static void give_up_rights(void) {
    /* Sanitizers reserve terabytes of address space. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, (rlim_t)2 << 30, (rlim_t)2 << 30);
#endif
    limit(RLIMIT_CPU, CPU_S, CPU_S + 1);
    limit(RLIMIT_FSIZE, 0, 0);
    limit(RLIMIT_NOFILE, MOST_DESCRIPTORS, MOST_DESCRIPTORS);
    limit(RLIMIT_CORE, 0, 0);
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

static int put(const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = write(STDOUT_FILENO, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        at += done;
        size -= (size_t)done;
    }
    return 1;
}

static int put_items(const void *items, int count, size_t item_size) {
    return !items || put(items, (size_t)count * item_size);
}

static int put_mesh(const sb_mesh *mesh) {
    sb_wire_head head = {.vertex_count = mesh->vertex_count,
                         .face_count = mesh->face_count,
                         .tet_count = mesh->tet_count,
                         .has_uvs = mesh->uvs != NULL};
    memcpy(head.mark, SB_WIRE_MESH, SB_WIRE_MARK);
    return put(&head, sizeof head) &&
           put_items(mesh->vertices, mesh->vertex_count,
                     sizeof *mesh->vertices) &&
           put_items(mesh->faces, mesh->face_count, sizeof *mesh->faces) &&
           put_items(mesh->uvs, mesh->face_count, sizeof *mesh->uvs) &&
           put_items(mesh->tets, mesh->tet_count, sizeof *mesh->tets) &&
           put(SB_WIRE_END, SB_WIRE_MARK);
}

static int put_sentence(const sb_error *err) {
    size_t size = strnlen(err->message, SB_WIRE_MOST_TEXT);
    sb_wire_head head = {.status = (int32_t)err->status,
                         .text_size = (int32_t)size};
    memcpy(head.mark, SB_WIRE_SENTENCE, SB_WIRE_MARK);
    return put(&head, sizeof head) && put(err->message, size) &&
           put(SB_WIRE_END, SB_WIRE_MARK);
}

static sb_status read_by_ending(const char *path, sb_soup *soup,
                                sb_error *err) {
    const char *dot = strrchr(path, '.');
    if (dot && !strcasecmp(dot, ".ply")) return sb_read_ply(path, soup, err);
    if (dot && !strcasecmp(dot, ".msh")) return sb_read_gmsh(path, soup, err);
    if (dot && (!strcasecmp(dot, ".node") || !strcasecmp(dot, ".ele"))) {
        return sb_read_tetgen(path, soup, err);
    }
    return sb_read_assimp(path, soup, err);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    give_up_rights();
    sb_soup soup = {0};
    sb_error err = {0};
    sb_status status = read_by_ending(argv[1], &soup, &err);
    int is_put = status ? put_sentence(&err) : put_mesh(&soup.mesh);
    sb_mesh_free(&soup.mesh);
    /* Immediately: no cleanup that could still crash. */
    _exit(is_put ? 0 : 1);
}
