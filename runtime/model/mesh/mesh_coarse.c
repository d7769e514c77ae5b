/* SPDX-License-Identifier: MIT */
#include "runtime/model/mesh/mesh_coarse.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/base/union_find.h"
#include "runtime/base/vec3.h"
#include "runtime/model/mesh/mesh_collapse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vertices nearer than this share of the surface's size are one. */
#define WELD 1e-6

typedef struct mesh {
    int vertex_count, face_count;
    sb_vec3 *places, *normals;
    int32_t *origins, *numbers; /* on the fine surface, on the coarse one */
    bool *is_edge;              /* on a free edge */
    bool *is_turned;            /* faces with a new diagonal */
    int32_t (*faces)[3];        /* [0] < 0: gone */
} mesh;

/* --- vertices at one place -------------------------------------------------- */

typedef struct placed {
    int64_t at[3];
    int vertex;
} placed;

static int by_place(const void *left, const void *right) {
    const placed *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->at[i] != b->at[i]) return a->at[i] < b->at[i] ? -1 : 1;
    return a->vertex - b->vertex;
}

static double extent_of(const float (*vertices)[3], int count) {
    double most = 0;
    for (int j = 0; j < 3; j++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++) {
            low = fmin(low, (double)vertices[i][j]);
            high = fmax(high, (double)vertices[i][j]);
        }
        most = fmax(most, high - low);
    }
    return most;
}

/* Numbers of the places in `joined`, by vertex. */
static void weld(mesh *m, const float (*vertices)[3], int count, placed *sorted,
                 int *joined) {
    double cell = fmax(WELD * extent_of(vertices, count), 1e-12);
    for (int i = 0; i < count; i++) {
        sorted[i].vertex = i;
        for (int j = 0; j < 3; j++)
            sorted[i].at[j] = llround((double)vertices[i][j] / cell);
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_place);
    for (int i = 0; i < count; i++) {
        int v = sorted[i].vertex;
        bool is_new = i == 0 || memcmp(sorted[i].at, sorted[i - 1].at,
                                       sizeof sorted->at) != 0;
        if (is_new) {
            const float *p = vertices[v];
            m->origins[m->vertex_count] = v;
            m->places[m->vertex_count++] = (sb_vec3){p[0], p[1], p[2]};
        }
        joined[v] = m->vertex_count - 1;
    }
}

/* --- sides ------------------------------------------------------------------ */

typedef struct side {
    int low, high, face;
    bool is_up; /* from low to high */
} side;

static int by_ends(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face - b->face;
}

/* All sides, those of one edge in turn. */
static int list_sides(const mesh *m, side *sides) {
    int count = 0;
    for (int i = 0; i < 3 * m->face_count; i++) {
        int a = m->faces[i / 3][i % 3], b = m->faces[i / 3][(i + 1) % 3];
        if (m->faces[i / 3][0] < 0) continue;
        sides[count++] = (side){a < b ? a : b, a < b ? b : a, i / 3, a < b};
    }
    qsort(sides, (size_t)count, sizeof *sides, by_ends);
    return count;
}

/* Finds free edges, and joins the faces of a part. */
static sb_status find_sides(mesh *m, side *sides, int *parts, sb_error *err) {
    int count = list_sides(m, sides);
    for (int i = 0, end = 0; i < count; i = end) {
        for (end = i + 1; end < count && sides[end].low == sides[i].low &&
                          sides[end].high == sides[i].high;)
            end++;
        if (end - i > 2)
            return sb_fail(err, SB_BAD_FORMAT,
                           "an edge of the surface has %d faces", end - i);
        if (end - i == 2 && sides[i].is_up == sides[i + 1].is_up)
            return sb_fail(err, SB_BAD_FORMAT,
                           "two neighbouring faces look to opposite sides");
        if (end - i == 2) {
            (void)sb_union_find_join(parts, sides[i].face, sides[i + 1].face);
        } else {
            m->is_edge[sides[i].low] = m->is_edge[sides[i].high] = true;
        }
    }
    return SB_OK;
}

static sb_vec3 triangle(const mesh *m, int a, int b, int c) {
    sb_vec3 at = m->places[a];
    return sb_vec3_scale(sb_vec3_span(at, m->places[b], m->places[c]), 0.5);
}

static sb_vec3 area_of(const mesh *m, int f) {
    return triangle(m, m->faces[f][0], m->faces[f][1], m->faces[f][2]);
}

/* Leaves cavities out: closed parts whose volume is negative, beside others. */
static sb_status judge_parts(mesh *m, int *parts, double *volumes,
                             bool *has_edge, bool *is_sheet, sb_error *err) {
    bool has_sheet = false, has_closed = false, has_body = false;
    for (int f = 0; f < m->face_count; f++) {
        int part = sb_union_find_root(parts, f);
        volumes[part] +=
            sb_vec3_dot(area_of(m, f), m->places[m->faces[f][0]]) / 3;
        for (int j = 0; j < 3; j++)
            has_edge[part] = has_edge[part] || m->is_edge[m->faces[f][j]];
    }
    for (int f = 0; f < m->face_count; f++) {
        int part = sb_union_find_root(parts, f);
        has_sheet = has_sheet || has_edge[part];
        has_closed = has_closed || !has_edge[part];
        has_body = has_body || volumes[part] > 0;
    }
    *is_sheet = has_sheet;
    if (has_sheet && has_closed)
        return sb_fail(err, SB_BAD_FORMAT,
                       "some parts of the surface are closed, others are not");
    for (int f = 0; f < m->face_count && has_closed; f++) {
        int part = sb_union_find_root(parts, f);
        if (volumes[part] > 0) continue;
        if (has_body) m->faces[f][0] = -1;
        if (has_body) continue;
        int32_t last = m->faces[f][2]; /* all look inward */
        m->faces[f][2] = m->faces[f][1];
        m->faces[f][1] = last;
    }
    return SB_OK;
}

/* --- volume -------------------------------------------------------------------- */

static sb_vec3 middle_of(const mesh *m) {
    sb_vec3 sum = {0, 0, 0};
    double area = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int32_t *v = m->faces[f];
        if (v[0] < 0) continue;
        double own = sb_vec3_length(area_of(m, f));
        for (int j = 0; j < 3; j++)
            sum = sb_vec3_plus(sum, m->places[v[j]], own / 3);
        area += own;
    }
    return sb_vec3_scale(sum, area > 0 ? 1 / area : 0);
}

/* Of the cone from `tip` to the surface: of a closed one its volume. */
static double volume_of(const mesh *m, sb_vec3 tip) {
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) {
        if (m->faces[f][0] < 0) continue;
        sb_vec3 from = sb_vec3_sub(m->places[m->faces[f][0]], tip);
        sum += sb_vec3_dot(area_of(m, f), from) / 3;
    }
    return sum;
}

static void blow_up(mesh *m, sb_vec3 middle, double volume) {
    double area = 0, missing = volume - volume_of(m, middle);
    for (int f = 0; f < m->face_count; f++) {
        if (m->faces[f][0] < 0) continue;
        sb_vec3 own = area_of(m, f);
        area += sb_vec3_length(own);
        for (int j = 0; j < 3; j++) {
            sb_vec3 *normal = &m->normals[m->faces[f][j]];
            *normal = sb_vec3_add(*normal, own);
        }
    }
    for (int v = 0; v < m->vertex_count && area > 0; v++) {
        sb_vec3 normal = sb_vec3_normalised(m->normals[v]);
        m->places[v] = sb_vec3_plus(m->places[v], normal, missing / area);
    }
}

/* --- diagonals --------------------------------------------------------------- */

/* The corner of a face that is on neither end of a side. */
static int across(const int32_t face[3], const side *s) {
    return face[0] + face[1] + face[2] - s->low - s->high;
}

/* How much a line from a to b points to or away from the middle. */
static double aim_of(const mesh *m, int a, int b, sb_vec3 middle) {
    sb_vec3 line = sb_vec3_sub(m->places[b], m->places[a]);
    sb_vec3 half = sb_vec3_plus(m->places[a], line, 0.5);
    return fabs(
        sb_vec3_dot(sb_vec3_normalised(line), sb_vec3_sub(half, middle)));
}

/* Two faces that make a flat rectangle, with a diagonal that would point more
 * to the middle than the one they have. */
static bool is_to_turn(const mesh *m, const side *one, sb_vec3 middle) {
    int from = one->is_up ? one->low : one->high;
    int to = one->is_up ? one->high : one->low;
    int c = across(m->faces[one->face], one);
    int d = across(m->faces[one[1].face], one);
    sb_vec3 n = area_of(m, one->face), o = area_of(m, one[1].face);
    double least = 0.9 * sb_vec3_dot(n, n);
    sb_vec3 old = sb_vec3_sub(m->places[to], m->places[from]);
    sb_vec3 new = sb_vec3_sub(m->places[d], m->places[c]);
    double ratio = sb_vec3_dot(new, new) / sb_vec3_dot(old, old);
    return fabs(ratio - 1) < 0.05 && sb_vec3_dot(n, o) > least &&
           sb_vec3_dot(n, triangle(m, c, from, d)) > least &&
           sb_vec3_dot(n, triangle(m, d, to, c)) > least &&
           aim_of(m, c, d, middle) > 1.001 * aim_of(m, from, to, middle);
}

/* Grids have all diagonals one way, so that their two halves are no mirror
 * images; a motion that has none of an even order, such as a twist, would get
 * some. Here they point to the middle. Each face is changed once at most. */
static void turn_diagonals(mesh *m, side *sides) {
    sb_vec3 middle = middle_of(m);
    int count = list_sides(m, sides);
    for (int f = 0; f < m->face_count; f++)
        m->is_turned[f] = false;
    for (int i = 0; i + 1 < count; i++) {
        side *s = &sides[i];
        bool is_pair = s->low == s[1].low && s->high == s[1].high;
        if (!is_pair || m->is_turned[s->face] || m->is_turned[s[1].face] ||
            !is_to_turn(m, s, middle)) {
            continue;
        }
        int32_t *a = m->faces[s->face], *b = m->faces[s[1].face];
        int c = across(a, s), d = across(b, s);
        int from = s->is_up ? s->low : s->high;
        int to = s->is_up ? s->high : s->low;
        memcpy(a, (int32_t[3]){c, from, d}, sizeof *m->faces);
        memcpy(b, (int32_t[3]){d, to, c}, sizeof *m->faces);
        m->is_turned[s->face] = m->is_turned[s[1].face] = true;
    }
}

/* --- life -------------------------------------------------------------------- */

static bool take_memory(mesh *m, int vertex_count, int face_count) {
    size_t vertices = (size_t)vertex_count;
    m->places = sb_alloc(vertices, sizeof *m->places);
    m->normals = sb_alloc(vertices, sizeof *m->normals);
    m->origins = sb_alloc(vertices, sizeof *m->origins);
    m->numbers = sb_alloc(vertices, sizeof *m->numbers);
    m->is_edge = sb_alloc(vertices, sizeof(bool));
    m->is_turned = sb_alloc((size_t)face_count, sizeof(bool));
    m->faces = sb_alloc((size_t)face_count, sizeof *m->faces);
    return m->places && m->normals && m->origins && m->numbers && m->is_edge &&
           m->is_turned && m->faces;
}

static void release(mesh *m) {
    sb_free_all(m->places, m->normals, m->origins, m->numbers, m->is_edge,
                m->is_turned, m->faces);
}

/* The faces with welded corners, without those of no area. */
static void take_faces(mesh *m, const int32_t (*faces)[3], int face_count,
                       const int *joined) {
    for (int f = 0; f < face_count; f++) {
        int a = joined[faces[f][0]], b = joined[faces[f][1]];
        int c = joined[faces[f][2]];
        if (a == b || b == c || c == a) continue;
        memcpy(m->faces[m->face_count++], (int32_t[3]){a, b, c},
               sizeof *m->faces);
    }
}

static sb_status deliver(mesh *m, sb_coarse *out, sb_error *err) {
    out->origins = sb_alloc((size_t)m->vertex_count, sizeof *out->origins);
    out->vertices = sb_alloc((size_t)m->vertex_count, sizeof *out->vertices);
    out->faces = sb_alloc((size_t)m->face_count, sizeof *out->faces);
    if (!out->origins || !out->vertices || !out->faces)
        return sb_no_memory_for(err, "a coarse surface");
    double square = 0;
    for (int v = 0; v < m->vertex_count; v++)
        m->numbers[v] = -1;
    for (int f = 0; f < m->face_count; f++) {
        if (m->faces[f][0] < 0) continue;
        int32_t *face = out->faces[out->face_count++];
        for (int j = 0; j < 3; j++) {
            int v = m->faces[f][j], next = m->faces[f][(j + 1) % 3];
            sb_vec3 p = m->places[v], edge = sb_vec3_sub(p, m->places[next]);
            square += sb_vec3_dot(edge, edge);
            if (m->numbers[v] < 0) {
                float *at = out->vertices[out->vertex_count];
                at[0] = (float)p.x;
                at[1] = (float)p.y;
                at[2] = (float)p.z;
                out->origins[out->vertex_count] = m->origins[v];
                m->numbers[v] = out->vertex_count++;
            }
            face[j] = m->numbers[v];
        }
    }
    out->edge_m = sqrt(square / fmax(3.0 * out->face_count, 1));
    return SB_OK;
}

/* What is needed before the collapses only. */
typedef struct scratch {
    placed *sorted;
    side *sides;
    int *joined, *parts;
    double *volumes;
    bool *has_edge;
} scratch;

static sb_status run(mesh *m, const scratch *own, int most, sb_coarse *out,
                     sb_error *err) {
    sb_union_find_init(own->parts, m->face_count);
    sb_status status = find_sides(m, own->sides, own->parts, err);
    if (!status)
        status = judge_parts(m, own->parts, own->volumes, own->has_edge,
                             &out->is_sheet, err);
    if (status) return status;
    sb_vec3 middle = middle_of(m);
    double volume = volume_of(m, middle);
    const sb_collapse_def def = {m->vertex_count, m->face_count, most,
                                 m->places,       m->faces,      m->is_edge};
    if (!sb_collapse(&def)) return sb_no_memory_for(err, "a coarse surface");
    turn_diagonals(m, own->sides);
    /* A cone grows by two thirds of what its surface gains. */
    for (int i = 0; i < 3; i++)
        blow_up(m, middle, volume);
    status = sb_stop_check(err);
    return status ? status : deliver(m, out, err);
}

sb_status sb_coarse_make(const float (*vertices)[3], int vertex_count,
                         const int32_t (*faces)[3], int face_count, int most,
                         sb_coarse *out, sb_error *err) {
    mesh m = {0};
    *out = (sb_coarse){0};
    size_t corners = 3 * (size_t)face_count, count = (size_t)face_count;
    scratch own = {sb_alloc((size_t)vertex_count, sizeof(placed)),
                   sb_alloc(corners, sizeof(side)),
                   sb_alloc((size_t)vertex_count, sizeof(int)),
                   sb_alloc(count, sizeof(int)),
                   sb_alloc(count, sizeof(double)),
                   sb_alloc(count, sizeof(bool))};
    sb_status status = own.sorted && own.sides && own.joined && own.parts &&
                               own.volumes && own.has_edge &&
                               take_memory(&m, vertex_count, face_count)
                           ? SB_OK
                           : sb_no_memory_for(err, "a coarse surface");
    if (!status) {
        weld(&m, vertices, vertex_count, own.sorted, own.joined);
        take_faces(&m, faces, face_count, own.joined);
        status = run(&m, &own, most, out, err);
    }
    sb_free_all(own.sorted, own.sides, own.joined, own.parts, own.volumes,
                own.has_edge);
    release(&m);
    if (status) sb_coarse_free(out);
    return status;
}

void sb_coarse_free(sb_coarse *coarse) {
    sb_free_all(coarse->origins, coarse->vertices, coarse->faces);
    *coarse = (sb_coarse){0};
}
