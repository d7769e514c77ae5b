/* SPDX-License-Identifier: MIT */
/* Reads TetGen's two files. Runs in the reader process. x.node has the points:
 *     count 3 attributes markers   then   id x y z attributes marker
 * and x.ele the tetrahedra:
 *     count 4-or-10 attributes     then   id corners attributes
 * Ids are consecutive from 0 or 1; of ten nodes the first four are corners.
 */
#include "runtime/model/mesh/reader/input.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static sb_status read_head(sb_text *text, long long *count,
                           const long long second[2], const char *what,
                           sb_error *err) {
    long long width = 0;
    if (!sb_text_line(text) || !sb_text_int(text, count) || *count < 0) {
        return sb_text_fail(text, err, what);
    }
    if (!sb_text_int(text, &width) ||
        (width != second[0] && width != second[1])) {
        return sb_text_fail(text, err, what);
    }
    return SB_OK;
}

/* `first` is the id of the first node, 0 or 1. */
static sb_status read_nodes(sb_text *text, sb_soup *soup, long long *first,
                            sb_error *err) {
    long long count = 0, three[2] = {3, 3};
    sb_status status = read_head(text, &count, three,
                                 "a .node file begins with the number of "
                                 "points and a 3",
                                 err);
    for (long long i = 0; !status && i < count; i++) {
        long long id = 0;
        sb_vec3 p = {0, 0, 0};
        if (!sb_text_line(text) || !sb_text_int(text, &id)) {
            return sb_text_fail(text, err, "a point begins with its number");
        }
        if (i == 0) *first = id;
        if (id != *first + i || *first < 0 || *first > 1) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "line %d%s: found point %lld, expected %lld; "
                           "points are numbered from 0 or 1 without gaps",
                           text->line, text->where, id,
                           i == 0 ? 1 : *first + i);
        }
        if (!sb_text_double(text, &p.x) || !sb_text_double(text, &p.y) ||
            !sb_text_double(text, &p.z)) {
            return sb_text_fail(text, err, "a point has three coordinates");
        }
        status = sb_soup_add_vertex(soup, p, err);
    }
    return status;
}

static sb_status read_tet(sb_text *text, sb_soup *soup, long long first,
                          sb_error *err) {
    long long id = 0;
    int corners[4];
    if (!sb_text_line(text) || !sb_text_int(text, &id)) {
        return sb_text_fail(text, err, "a tetrahedron begins with its number");
    }
    for (int c = 0; c < 4; c++) {
        long long node = 0;
        if (!sb_text_int(text, &node)) {
            return sb_text_fail(text, err, "a tetrahedron has four corners");
        }
        if (node < first || node - first >= soup->mesh.vertex_count) {
            return sb_fail(err, SB_BAD_FORMAT,
                           "line %d%s: tetrahedron %lld refers to point %lld, "
                           "which the .node file does not have",
                           text->line, text->where, id, node);
        }
        corners[c] = (int)(node - first);
    }
    return sb_soup_add_tet(soup, corners, err);
}

static sb_status read_tets(sb_text *text, sb_soup *soup, long long first,
                           sb_error *err) {
    long long count = 0, four_or_ten[2] = {4, 10};
    sb_status status = read_head(text, &count, four_or_ten,
                                 "an .ele file begins with the number of "
                                 "tetrahedra and a 4 or 10",
                                 err);
    for (long long i = 0; !status && i < count; i++) {
        status = read_tet(text, soup, first, err);
    }
    return status;
}

/* The same path with the other extension, in the same letter case. */
static bool name_both(const char *path, char node[PATH_MAX],
                      char ele[PATH_MAX]) {
    const char *dot = strrchr(path, '.');
    size_t length = strlen(path);
    if (!dot || length + 2 >= PATH_MAX) return false;
    int stem = (int)(dot - path);
    bool is_upper = dot[1] >= 'A' && dot[1] <= 'Z';
    bool is_node = !strcasecmp(dot, ".node");
    (void)snprintf(node, PATH_MAX, "%.*s%s", stem, path,
                   is_node ? dot : (is_upper ? ".NODE" : ".node"));
    (void)snprintf(ele, PATH_MAX, "%.*s%s", stem, path,
                   is_node ? (is_upper ? ".ELE" : ".ele") : dot);
    return true;
}

sb_status sb_read_tetgen(const char *path, sb_soup *soup, sb_error *err) {
    static char node[PATH_MAX], ele[PATH_MAX];
    if (!name_both(path, node, ele)) {
        return sb_fail(err, SB_BAD_FORMAT, "its name is too long");
    }
    sb_text text = {0};
    long long first = 0;
    sb_status status = sb_text_open(&text, path, node, err);
    if (!status) status = read_nodes(&text, soup, &first, err);
    sb_text_close(&text);
    if (!status) status = sb_text_open(&text, path, ele, err);
    if (!status) status = read_tets(&text, soup, first, err);
    sb_text_close(&text);
    return status;
}
