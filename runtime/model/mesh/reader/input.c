/* SPDX-License-Identifier: MIT */
/* Files of a mesh's folder, text in lines, words and numbers, and the mesh that
 * grows. Runs in the reader process. */
#include "runtime/model/mesh/reader/input.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_wire.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files of the folder -------------------------------------------------- */

static const off_t largest_bytes = (off_t)1 << 29;

static bool is_inside(const char *mesh_path, const char *path) {
    char mesh[PATH_MAX], folder[PATH_MAX], file[PATH_MAX];
    size_t size = strlen(mesh_path) + 1;
    if (size > sizeof mesh) return false;
    memcpy(mesh, mesh_path, size);
    char *slash = strrchr(mesh, '/');
    if (slash) slash[1] = 0;
    if (!realpath(slash ? mesh : ".", folder) || !realpath(path, file)) {
        return false;
    }
    size_t length = strlen(folder);
    if (length == 1) return true; /* the mesh is in the root directory */
    return !strncmp(file, folder, length) && file[length] == '/';
}

static sb_folder_answer read_all(int descriptor, size_t size, char **bytes) {
    char *block = sb_alloc(size + 1, 1);
    if (!block) return SB_FOLDER_NO_MEMORY;
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(descriptor, block + have, size - have);
        if (got <= 0) break;
        have += (size_t)got;
    }
    if (have < size) {
        sb_free(block);
        return SB_FOLDER_MISSING;
    }
    *bytes = block;
    return SB_FOLDER_OK;
}

sb_folder_answer sb_folder_read(const char *mesh_path, const char *path,
                                char **bytes, size_t *size) {
    if (access(path, R_OK) != 0) return SB_FOLDER_MISSING;
    if (strcmp(mesh_path, path) != 0 && !is_inside(mesh_path, path)) {
        return SB_FOLDER_OUTSIDE;
    }
    /* O_NONBLOCK: opening a named pipe must not wait for its other end. */
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return SB_FOLDER_MISSING;
    struct stat facts;
    sb_folder_answer answer = SB_FOLDER_OUTSIDE;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
        answer = facts.st_size > largest_bytes
                     ? SB_FOLDER_NO_MEMORY
                     : read_all(descriptor, (size_t)facts.st_size, bytes);
    }
    (void)close(descriptor);
    if (answer == SB_FOLDER_OK) *size = (size_t)facts.st_size;
    return answer;
}

/* --- text ----------------------------------------------------------------- */

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

sb_status sb_text_open(sb_text *text, const char *mesh_path, const char *path,
                       sb_error *err) {
    char *bytes = NULL;
    size_t size = 0;
    switch (sb_folder_read(mesh_path, path, &bytes, &size)) {
    case SB_FOLDER_OK:
        *text = (sb_text){bytes, bytes, bytes + size, "", 0, ""};
        if (strcmp(path, mesh_path) != 0) {
            (void)snprintf(text->where, sizeof text->where, " of %.80s",
                           name_of(path));
        }
        return SB_OK;
    case SB_FOLDER_NO_MEMORY:
        return sb_fail(err, SB_NO_MEMORY, "%.80s is too large to be read",
                       name_of(path));
    case SB_FOLDER_OUTSIDE:
        return sb_fail(err, SB_BAD_FORMAT,
                       "%.80s is a link out of the mesh's folder",
                       name_of(path));
    case SB_FOLDER_MISSING:
    default:
        return sb_fail(err, SB_NOT_FOUND,
                       "it needs %.80s beside it, which cannot be read",
                       name_of(path));
    }
}

void sb_text_close(sb_text *text) {
    sb_free(text->bytes);
    *text = (sb_text){0};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

static void skip_spaces(sb_text *text) {
    while (is_space(*text->at)) {
        text->at++;
    }
}

bool sb_text_line(sb_text *text) {
    while (text->next < text->end) {
        char *start = text->bytes + (text->next - text->bytes);
        char *stop = memchr(start, '\n', (size_t)(text->end - start));
        if (!stop) stop = text->bytes + (text->end - text->bytes);
        text->next = stop < text->end ? stop + 1 : stop;
        *stop = 0; /* the byte after the file is writable and zero */
        char *comment = strchr(start, '#');
        if (comment) *comment = 0;
        text->at = start;
        text->line++;
        skip_spaces(text);
        if (*text->at) return true;
    }
    text->at = "";
    return false;
}

/* A number ends where a word does. */
static bool take(sb_text *text, const char *stop) {
    if (stop == text->at || (*stop && !is_space(*stop))) return false;
    text->at = stop;
    skip_spaces(text);
    return true;
}

bool sb_text_int(sb_text *text, long long *value) {
    char *stop = NULL;
    long long number = strtoll(text->at, &stop, 10);
    if (!take(text, stop)) return false;
    *value = number;
    return true;
}

bool sb_text_double(sb_text *text, double *value) {
    char *stop = NULL;
    double number = strtod(text->at, &stop);
    if (!take(text, stop)) return false;
    *value = number;
    return true;
}

bool sb_text_is(const sb_text *text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(text->at, word, length) != 0) return false;
    const char *rest = text->at + length;
    while (is_space(*rest)) {
        rest++;
    }
    return !*rest;
}

sb_status sb_text_fail(const sb_text *text, sb_error *err, const char *what) {
    if (!*text->at) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "line %d%s: %s, and the %s ends here", text->line,
                       text->where, what,
                       text->next < text->end ? "line" : "file");
    }
    return sb_fail(err, SB_BAD_FORMAT, "line %d%s: %s, not \"%.40s\"",
                   text->line, text->where, what, text->at);
}

/* --- the mesh ------------------------------------------------------------- */

static sb_status fail_no_memory(sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "there is not enough memory to read it");
}

/* One more item, of at most `most`. */
static sb_status make_room(void *items, int *room, int count, int most,
                           size_t size, const char *what, sb_error *err) {
    if (count >= most)
        return sb_fail(err, SB_BAD_FORMAT, "it has more than %d %s", most,
                       what);
    return sb_grow((void **)items, room, count + 1, size) ? SB_OK
                                                          : fail_no_memory(err);
}

sb_status sb_soup_add_vertex(sb_soup *soup, sb_vec3 point_m, sb_error *err) {
    sb_mesh *mesh = &soup->mesh;
    sb_status status = make_room(&mesh->vertices, &soup->vertex_room,
                                 mesh->vertex_count, SB_WIRE_MOST_VERTICES,
                                 sizeof *mesh->vertices, "vertices", err);
    if (!status) mesh->vertices[mesh->vertex_count++] = point_m;
    return status;
}

/* Once one face has texture coordinates, all faces have room for them. */
static bool add_uvs(sb_soup *soup, const float (*uvs)[2]) {
    sb_mesh *mesh = &soup->mesh;
    if (!uvs && !mesh->uvs) return true;
    bool is_first = !mesh->uvs;
    if (!sb_grow_list(mesh->uvs, soup->uv_room, mesh->face_count + 1)) {
        return false;
    }
    size_t from = is_first ? 0 : (size_t)mesh->face_count;
    size_t count = (size_t)mesh->face_count + 1 - from;
    memset(mesh->uvs + from, 0, count * sizeof *mesh->uvs);
    for (int c = 0; uvs && c < 3; c++) {
        if (!isfinite(uvs[c][0]) || !isfinite(uvs[c][1])) continue;
        mesh->uvs[mesh->face_count][c][0] = uvs[c][0];
        mesh->uvs[mesh->face_count][c][1] = uvs[c][1];
    }
    return true;
}

sb_status sb_soup_add_face(sb_soup *soup, const int corners[3],
                           const float (*uvs)[2], sb_error *err) {
    sb_mesh *mesh = &soup->mesh;
    sb_status status = make_room(
        &mesh->faces, &soup->face_room, mesh->face_count, SB_WIRE_MOST_FACES,
        sizeof *mesh->faces, "triangles; reduce it first", err);
    if (!status && !add_uvs(soup, uvs)) status = fail_no_memory(err);
    if (!status)
        memcpy(mesh->faces[mesh->face_count++], corners, sizeof *mesh->faces);
    return status;
}

sb_status sb_soup_add_tet(sb_soup *soup, const int corners[4], sb_error *err) {
    sb_mesh *mesh = &soup->mesh;
    sb_status status = make_room(&mesh->tets, &soup->tet_room, mesh->tet_count,
                                 SB_WIRE_MOST_TETS, sizeof *mesh->tets,
                                 "tetrahedra; make it coarser", err);
    if (!status)
        memcpy(mesh->tets[mesh->tet_count++], corners, sizeof *mesh->tets);
    return status;
}
