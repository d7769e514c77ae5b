/* SPDX-License-Identifier: MIT */
/* Reads Gmsh's .msh, versions 2.2 and 4.1, as text. Runs in the reader process.
 *
 * The file consists of sections between $Name and $EndName, of which $Nodes
 * and $Elements are read. Node tags have any order, with gaps. Second-order
 * elements list their corners first, and only those are read. Version 4.1 puts
 * nodes and elements into blocks:
 *     $Nodes     blocks nodes lowest highest
 *                dimension entity is_parametric n, n tags, n points
 *     $Elements  blocks elements lowest highest
 *                dimension entity type n, n times a tag and its nodes
 */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/reader/input.h"

#include <stdlib.h>
#include <string.h>

typedef struct tag {
    long long tag;
    int vertex;
} tag;

struct gmsh {
    sb_text text;
    sb_soup *soup;
    bool is_4;       /* version 4.1 */
    bool has_format; /* the section has been read */
    bool is_sorted;
    tag *tags;
    int tag_count, tag_room;
};

static sb_status add_tag(struct gmsh *gmsh, long long value, int vertex,
                         sb_error *err) {
    if (!sb_grow((void **)&gmsh->tags, &gmsh->tag_room, gmsh->tag_count + 1,
                 sizeof(tag))) {
        return sb_fail(err, SB_NO_MEMORY,
                       "there is not enough memory to read it");
    }
    gmsh->tags[gmsh->tag_count++] = (tag){value, vertex};
    gmsh->is_sorted = false;
    return SB_OK;
}

static int compare_tags(const void *left, const void *right) {
    const tag *a = left, *b = right;
    if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static sb_status read_node_of(struct gmsh *gmsh, int *vertex, sb_error *err) {
    long long value = 0;
    if (!sb_text_int(&gmsh->text, &value)) {
        return sb_text_fail(&gmsh->text, err, "an element's nodes are missing");
    }
    int low = 0, high = gmsh->tag_count; /* the first with that tag */
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (gmsh->tags[middle].tag < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == gmsh->tag_count || gmsh->tags[low].tag != value) {
        return sb_fail(
            err, SB_BAD_FORMAT,
            "line %d: an element refers to node %lld, which does not exist",
            gmsh->text.line, value);
    }
    *vertex = gmsh->tags[low].vertex;
    return SB_OK;
}

static sb_status read_point(struct gmsh *gmsh, sb_error *err) {
    sb_vec3 p = {0, 0, 0};
    sb_text *text = &gmsh->text;
    if (!sb_text_double(text, &p.x) || !sb_text_double(text, &p.y) ||
        !sb_text_double(text, &p.z)) {
        return sb_text_fail(text, err, "a node has three coordinates");
    }
    return sb_soup_add_vertex(gmsh->soup, p, err);
}

/* Reads the numbers of the next line; `what` describes them in the error
 * message. */
static sb_status read_numbers(sb_text *text, long long *numbers, int count,
                              const char *what, sb_error *err) {
    bool is_ok = sb_text_line(text);
    for (int i = 0; is_ok && i < count; i++) {
        is_ok = sb_text_int(text, &numbers[i]);
    }
    return is_ok ? SB_OK : sb_text_fail(text, err, what);
}

static sb_status read_nodes_2(struct gmsh *gmsh, sb_error *err) {
    long long count = 0, id = 0;
    sb_text *text = &gmsh->text;
    sb_status status =
        read_numbers(text, &count, 1, "$Nodes begins with their number", err);
    for (long long i = 0; !status && i < count; i++) {
        status = read_numbers(text, &id, 1, "a node begins with its tag", err);
        if (!status) status = add_tag(gmsh, id, gmsh->tag_count, err);
        if (!status) status = read_point(gmsh, err);
    }
    return status;
}

static sb_status read_nodes_4(struct gmsh *gmsh, sb_error *err) {
    long long head[4] = {0}, block[4] = {0}, id = 0;
    sb_text *text = &gmsh->text;
    sb_status status =
        read_numbers(text, head, 4, "$Nodes begins with four numbers", err);
    for (long long b = 0; !status && b < head[0]; b++) {
        status = read_numbers(text, block, 4,
                              "a block of nodes begins with four numbers", err);
        for (long long i = 0; !status && i < block[3]; i++) {
            status = read_numbers(text, &id, 1, "a node has a tag", err);
            if (!status) status = add_tag(gmsh, id, gmsh->tag_count, err);
        }
        for (long long i = 0; !status && i < block[3]; i++) {
            if (!sb_text_line(text)) {
                return sb_text_fail(text, err, "a node has three coordinates");
            }
            status = read_point(gmsh, err);
        }
    }
    return status;
}

/* --- elements ------------------------------------------------------------- */

/* Corner count of supported first- and second-order elements, 0 for others. */
static int corners_of(long long type) {
    switch (type) {
    case 2:
    case 9:
        return 3;
    case 3:
    case 10:
    case 16:
    case 4:
    case 11:
        return 4;
    default:
        return 0;
    }
}

static sb_status read_element(struct gmsh *gmsh, long long type,
                              sb_error *err) {
    int corners[4], count = corners_of(type);
    for (int c = 0; c < count; c++) {
        sb_status status = read_node_of(gmsh, &corners[c], err);
        if (status) return status;
    }
    if (count == 0) return SB_OK; /* a line, a point, a hexahedron */
    if (type == 4 || type == 11) {
        return sb_soup_add_tet(gmsh->soup, corners, err);
    }
    sb_status status = sb_soup_add_face(gmsh->soup, corners, NULL, err);
    if (status || count == 3) return status;
    int rest[3] = {corners[0], corners[2], corners[3]};
    return sb_soup_add_face(gmsh->soup, rest, NULL, err);
}

static sb_status read_elements_2(struct gmsh *gmsh, sb_error *err) {
    long long count = 0, head[3] = {0}, skipped = 0;
    sb_text *text = &gmsh->text;
    sb_status status = read_numbers(text, &count, 1,
                                    "$Elements begins with their number", err);
    for (long long i = 0; !status && i < count; i++) {
        status = read_numbers(text, head, 3,
                              "an element has a tag, a type and labels", err);
        for (long long k = 0; !status && k < head[2]; k++) {
            if (!sb_text_int(text, &skipped)) {
                status = sb_text_fail(text, err, "an element has labels");
            }
        }
        if (!status) status = read_element(gmsh, head[1], err);
    }
    return status;
}

static sb_status read_elements_4(struct gmsh *gmsh, sb_error *err) {
    long long head[4] = {0}, block[4] = {0}, id = 0;
    sb_text *text = &gmsh->text;
    sb_status status =
        read_numbers(text, head, 4, "$Elements begins with four numbers", err);
    for (long long b = 0; !status && b < head[0]; b++) {
        status =
            read_numbers(text, block, 4,
                         "a block of elements begins with four numbers", err);
        for (long long i = 0; !status && i < block[3]; i++) {
            status = read_numbers(text, &id, 1, "an element has a tag", err);
            if (!status) status = read_element(gmsh, block[2], err);
        }
    }
    return status;
}

/* --- sections ------------------------------------------------------------- */

static sb_status read_format(struct gmsh *gmsh, sb_error *err) {
    sb_text *text = &gmsh->text;
    double version = 0;
    long long is_binary = 0;
    if (!sb_text_line(text) || !sb_text_double(text, &version) ||
        !sb_text_int(text, &is_binary)) {
        return sb_text_fail(text, err, "$MeshFormat has a version and a kind");
    }
    gmsh->is_4 = version == 4.1;
    if (version != 4.1 && version != 2.2) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "it is of Gmsh's format %g; 2.2 and 4.1 are read",
                       version);
    }
    if (is_binary) {
        return sb_fail(err, SB_BAD_FORMAT,
                       "it is one of Gmsh's binary files; save it as ASCII");
    }
    gmsh->has_format = true;
    return SB_OK;
}

static sb_status read_elements(struct gmsh *gmsh, sb_error *err) {
    if (!gmsh->is_sorted && gmsh->tag_count > 0) {
        qsort(gmsh->tags, (size_t)gmsh->tag_count, sizeof(tag), compare_tags);
    }
    gmsh->is_sorted = true;
    return gmsh->is_4 ? read_elements_4(gmsh, err) : read_elements_2(gmsh, err);
}

static sb_status skip_to_end(sb_text *text, sb_error *err) {
    while (sb_text_line(text)) {
        if (!strncmp(text->at, "$End", 4)) return SB_OK;
    }
    return sb_text_fail(text, err, "a section has no $End");
}

static sb_status read_section(struct gmsh *gmsh, sb_error *err) {
    sb_text *text = &gmsh->text;
    sb_status status = SB_OK;
    if (sb_text_is(text, "$MeshFormat")) {
        status = read_format(gmsh, err);
    } else if (!gmsh->has_format) {
        return sb_text_fail(text, err, "a .msh file begins with $MeshFormat");
    } else if (sb_text_is(text, "$Nodes")) {
        status = gmsh->is_4 ? read_nodes_4(gmsh, err) : read_nodes_2(gmsh, err);
    } else if (sb_text_is(text, "$Elements")) {
        status = read_elements(gmsh, err);
    } else if (*text->at != '$') {
        return sb_text_fail(text, err, "a section should begin here");
    }
    return status ? status : skip_to_end(text, err);
}

sb_status sb_read_gmsh(const char *path, sb_soup *soup, sb_error *err) {
    struct gmsh gmsh = {.soup = soup};
    sb_status status = sb_text_open(&gmsh.text, path, path, err);
    bool is_empty = true;
    while (!status && sb_text_line(&gmsh.text)) {
        is_empty = false;
        status = read_section(&gmsh, err);
    }
    if (!status && is_empty) {
        status = sb_fail(err, SB_BAD_FORMAT, "it has no content");
    }
    if (!status && soup->mesh.tet_count + soup->mesh.face_count == 0) {
        status = sb_fail(err, SB_BAD_FORMAT,
                         "it has no tetrahedra, triangles or quadrangles; "
                         "other elements of a .msh file are not read");
    }
    sb_free(gmsh.tags);
    sb_text_close(&gmsh.text);
    return status;
}
