/* SPDX-License-Identifier: MIT */
#include "runtime/model/mesh/mesh_collapse.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"

#include <math.h>
#include <string.h>

/* How much longer than the aim an edge may become, at first; then more, and the
 * dearer collapses may be taken. */
#define LONGEST       1.7
#define LONGEST_END   30.0
#define BEND          0.4 /* cosine by which a face may turn */
#define FLATNESS      100.0
#define LEAST_QUALITY 0.02

/* The mean square distance of x from some planes: x.A.x + 2 b.x + c. */
typedef struct quadric {
    double xx, yy, zz, xy, yz, zx;
    sb_vec3 b;
    double c, weight;
} quadric;

typedef struct collapse {
    double cost;
    int from, to, from_stamp, to_stamp;
} collapse;

typedef struct mesh {
    int vertex_count, face_count, left; /* vertices that are left */
    const sb_vec3 *places;
    int32_t (*faces)[3]; /* [0] < 0: gone */
    const bool *is_edge; /* on a free edge */
    quadric *quadrics;
    int *heads, *tails; /* of the list of corners at a vertex; -1: none */
    int *nexts;         /* [3 f + j] */
    int *stamps;        /* count changes at a vertex */
    int *marks;
    int mark;
    double longest; /* square */
    collapse *heap;
    int heap_count, heap_capacity;
} mesh;

static sb_vec3 area_of(const mesh *m, int f) {
    const int32_t *v = m->faces[f];
    sb_vec3 a = m->places[v[0]];
    return sb_vec3_scale(sb_vec3_span(a, m->places[v[1]], m->places[v[2]]),
                         0.5);
}

/* --- quadrics --------------------------------------------------------------- */

static void add_plane(quadric *q, sb_vec3 n, sb_vec3 at, double weight) {
    double d = -sb_vec3_dot(n, at);
    q->xx += weight * n.x * n.x;
    q->yy += weight * n.y * n.y;
    q->zz += weight * n.z * n.z;
    q->xy += weight * n.x * n.y;
    q->yz += weight * n.y * n.z;
    q->zx += weight * n.z * n.x;
    q->b = sb_vec3_plus(q->b, n, weight * d);
    q->c += weight * d * d;
    q->weight += weight;
}

static void add_quadric(quadric *q, const quadric *other) {
    double *a = (double *)q;
    const double *b = (const double *)other;
    for (size_t i = 0; i < sizeof *q / sizeof *a; i++)
        a[i] += b[i];
}

static double distance(const quadric *q, sb_vec3 p) {
    double sum = q->xx * p.x * p.x + q->yy * p.y * p.y + q->zz * p.z * p.z +
                 2 * (q->xy * p.x * p.y + q->yz * p.y * p.z +
                      q->zx * p.z * p.x + sb_vec3_dot(q->b, p)) +
                 q->c;
    return q->weight > 0 ? fmax(sum, 0) / q->weight : 0;
}

/* --- the heap ---------------------------------------------------------------- */

static bool is_before(const collapse *a, const collapse *b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    if (a->from != b->from) return a->from < b->from;
    return a->to < b->to;
}

static bool push(mesh *m, collapse item) {
    if (!sb_grow((void **)&m->heap, &m->heap_capacity, m->heap_count + 1,
                 sizeof item)) {
        return false;
    }
    int at = m->heap_count++;
    for (int up; at > 0; at = up) {
        up = (at - 1) / 2;
        if (!is_before(&item, &m->heap[up])) break;
        m->heap[at] = m->heap[up];
    }
    m->heap[at] = item;
    return true;
}

static collapse pop(mesh *m) {
    collapse top = m->heap[0], last = m->heap[--m->heap_count];
    int at = 0;
    for (int down; (down = 2 * at + 1) < m->heap_count; at = down) {
        if (down + 1 < m->heap_count &&
            is_before(&m->heap[down + 1], &m->heap[down])) {
            down++;
        }
        if (!is_before(&m->heap[down], &last)) break;
        m->heap[at] = m->heap[down];
    }
    m->heap[at] = last;
    return top;
}

/* --- round a vertex ---------------------------------------------------------- */

/* for (int c = heads[v]; c >= 0; c = nexts[c]): the face is c / 3. */
static bool is_alive(const mesh *m, int corner) {
    return m->faces[corner / 3][0] >= 0;
}

static void set_lists(mesh *m) {
    for (int v = 0; v < m->vertex_count; v++)
        m->heads[v] = m->tails[v] = -1;
    for (int c = 3 * m->face_count - 1; c >= 0; c--) {
        if (!is_alive(m, c)) continue;
        int v = m->faces[c / 3][c % 3];
        m->nexts[c] = m->heads[v];
        m->heads[v] = c;
        if (m->tails[v] < 0) m->tails[v] = c;
    }
    m->left = 0;
    for (int v = 0; v < m->vertex_count; v++)
        m->left += m->heads[v] >= 0;
}

/* Whether the side of a face from its corner j on is the only one there. */
static bool is_free_side(const mesh *m, int f, int j) {
    int from = m->faces[f][j], to = m->faces[f][(j + 1) % 3], count = 0;
    if (!m->is_edge[from] || !m->is_edge[to]) return false;
    for (int c = m->heads[from]; c >= 0; c = m->nexts[c]) {
        const int32_t *other = m->faces[c / 3];
        count += other[0] == to || other[1] == to || other[2] == to;
    }
    return count == 1;
}

static double angle_at(const mesh *m, int f, int j) {
    const int32_t *v = m->faces[f];
    sb_vec3 at = m->places[v[j]];
    sb_vec3 a = sb_vec3_sub(m->places[v[(j + 1) % 3]], at);
    sb_vec3 b = sb_vec3_sub(m->places[v[(j + 2) % 3]], at);
    return atan2(sb_vec3_length(sb_vec3_cross(a, b)), sb_vec3_dot(a, b));
}

/* Planes count by the angle that they have at the vertex, so that small faces
 * hold their corners, too. A free edge has planes across it. */
static void set_quadrics(mesh *m) {
    for (int f = 0; f < m->face_count; f++) {
        if (m->faces[f][0] < 0) continue;
        sb_vec3 n = sb_vec3_normalised(area_of(m, f));
        for (int j = 0; j < 3; j++) {
            int v = m->faces[f][j], next = m->faces[f][(j + 1) % 3];
            add_plane(&m->quadrics[v], n, m->places[v], angle_at(m, f, j));
            if (!is_free_side(m, f, j)) continue;
            sb_vec3 along = sb_vec3_sub(m->places[next], m->places[v]);
            sb_vec3 across = sb_vec3_normalised(sb_vec3_cross(along, n));
            add_plane(&m->quadrics[v], across, m->places[v], 1);
            add_plane(&m->quadrics[next], across, m->places[v], 1);
        }
    }
}

/* Marks the neighbours of v; returns how many there are. */
static int mark_round(mesh *m, int v) {
    int count = 0;
    m->mark++;
    for (int c = m->heads[v]; c >= 0; c = m->nexts[c]) {
        for (int j = 1; j < 3 && is_alive(m, c); j++) {
            int other = m->faces[c / 3][(c % 3 + j) % 3];
            count += m->marks[other] != m->mark;
            m->marks[other] = m->mark;
        }
    }
    return count;
}

static bool offer(mesh *m, int from, int to) {
    if (m->is_edge[from] && !m->is_edge[to]) return true;
    sb_vec3 p = m->places[to], apart = sb_vec3_sub(p, m->places[from]);
    quadric both = m->quadrics[from];
    add_quadric(&both, &m->quadrics[to]);
    double square = sb_vec3_dot(apart, apart);
    return push(m, (collapse){square + FLATNESS * distance(&both, p), from, to,
                              m->stamps[from], m->stamps[to]});
}

/* Collapses of all edges at v, both ways. */
static bool offer_round(mesh *m, int v) {
    bool is_ok = true;
    (void)mark_round(m, v);
    int mark = m->mark;
    for (int c = m->heads[v]; c >= 0 && is_ok; c = m->nexts[c]) {
        for (int j = 1; j < 3 && is_alive(m, c) && is_ok; j++) {
            int other = m->faces[c / 3][(c % 3 + j) % 3];
            if (m->marks[other] != mark) continue;
            m->marks[other] = mark - 1; /* once */
            is_ok = offer(m, v, other) && offer(m, other, v);
        }
    }
    return is_ok;
}

/* --- one collapse -------------------------------------------------------------- */

/* The edge has as many faces as its ends have common neighbours, and each of
 * those keeps three neighbours; a vertex of a free edge moves along it. */
static bool keeps_topology(mesh *m, int from, int to) {
    int shared = 0, common = 0;
    (void)mark_round(m, to);
    int mark = m->mark;
    for (int c = m->heads[from]; c >= 0; c = m->nexts[c]) {
        const int32_t *f = m->faces[c / 3];
        if (!is_alive(m, c)) continue;
        shared += f[0] == to || f[1] == to || f[2] == to;
    }
    for (int c = m->heads[from]; c >= 0; c = m->nexts[c]) {
        for (int j = 1; j < 3 && is_alive(m, c); j++) {
            int other = m->faces[c / 3][(c % 3 + j) % 3];
            if (other == to || m->marks[other] != mark) continue;
            m->marks[other] = 0; /* counted */
            common++;
        }
    }
    if (shared == 0 || common != shared) return false;
    if (m->is_edge[from] && shared != 1) return false;
    for (int c = m->heads[from]; c >= 0; c = m->nexts[c]) {
        const int32_t *f = m->faces[c / 3];
        if (!is_alive(m, c) || !(f[0] == to || f[1] == to || f[2] == to))
            continue;
        int third = f[0] + f[1] + f[2] - from - to;
        if (mark_round(m, third) < (m->is_edge[third] ? 3 : 4)) return false;
    }
    return true;
}

/* Area over the squares of its sides: 0.14 if they are equal. */
static double quality(sb_vec3 area, sb_vec3 a, sb_vec3 b) {
    sb_vec3 c = sb_vec3_sub(b, a);
    return sb_vec3_length(area) /
           (sb_vec3_dot(a, a) + sb_vec3_dot(b, b) + sb_vec3_dot(c, c));
}

/* Faces do not turn over, nor become slivers, unless they were worse. */
static bool keeps_faces(const mesh *m, int from, int to) {
    sb_vec3 p = m->places[to], was = m->places[from];
    for (int c = m->heads[from]; c >= 0; c = m->nexts[c]) {
        const int32_t *f = m->faces[c / 3];
        if (!is_alive(m, c) || f[0] == to || f[1] == to || f[2] == to) continue;
        sb_vec3 a = m->places[f[(c + 1) % 3]], b = m->places[f[(c + 2) % 3]];
        sb_vec3 to_a = sb_vec3_sub(a, p), to_b = sb_vec3_sub(b, p);
        if (sb_vec3_dot(to_a, to_a) > m->longest ||
            sb_vec3_dot(to_b, to_b) > m->longest) {
            return false;
        }
        sb_vec3 before = area_of(m, c / 3);
        sb_vec3 after = sb_vec3_scale(sb_vec3_cross(to_a, to_b), 0.5);
        double both = sb_vec3_length(before) * sb_vec3_length(after);
        double old = quality(before, sb_vec3_sub(a, was), sb_vec3_sub(b, was));
        if (sb_vec3_dot(before, after) < BEND * both ||
            quality(after, to_a, to_b) < fmin(LEAST_QUALITY, 0.7 * old)) {
            return false;
        }
    }
    return true;
}

static bool take(mesh *m, int from, int to) {
    for (int c = m->heads[from]; c >= 0; c = m->nexts[c]) {
        int32_t *f = m->faces[c / 3];
        if (!is_alive(m, c)) continue;
        if (f[0] == to || f[1] == to || f[2] == to) {
            f[0] = -1;
        } else {
            f[c % 3] = to;
        }
    }
    m->nexts[m->tails[to]] = m->heads[from];
    m->tails[to] = m->tails[from];
    m->heads[from] = m->tails[from] = -1;
    add_quadric(&m->quadrics[to], &m->quadrics[from]);
    m->stamps[from]++;
    m->stamps[to]++;
    m->left--;
    return offer_round(m, to);
}

static bool offer_all(mesh *m) {
    m->heap_count = 0;
    for (int f = 0; f < m->face_count; f++) {
        if (m->faces[f][0] < 0) continue;
        for (int j = 0; j < 3; j++) {
            int a = m->faces[f][j], b = m->faces[f][(j + 1) % 3];
            bool is_once = a < b || (m->is_edge[a] && m->is_edge[b]);
            if (is_once && !(offer(m, a, b) && offer(m, b, a))) return false;
        }
    }
    return true;
}

static bool thin_out(mesh *m, int most) {
    double area = 0;
    for (int f = 0; f < m->face_count; f++)
        if (m->faces[f][0] >= 0) area += sb_vec3_length(area_of(m, f));
    double aim = 2 / sqrt(3.0) * area / most; /* square */
    for (double longest = LONGEST; m->left > most && longest < LONGEST_END;
         longest *= 1.5) {
        m->longest = longest * longest * aim;
        if (!offer_all(m)) return false;
        while (m->left > most && m->heap_count > 0 &&
               m->heap[0].cost <= m->longest) {
            collapse next = pop(m);
            bool is_new = next.from_stamp == m->stamps[next.from] &&
                          next.to_stamp == m->stamps[next.to];
            if (sb_stop_is_wanted()) return true;
            if (is_new && keeps_topology(m, next.from, next.to) &&
                keeps_faces(m, next.from, next.to) &&
                !take(m, next.from, next.to)) {
                return false;
            }
        }
    }
    return true;
}

/* --- life ------------------------------------------------------------------ */

static bool take_memory(mesh *m) {
    size_t vertices = (size_t)m->vertex_count, faces = (size_t)m->face_count;
    m->quadrics = sb_alloc(vertices, sizeof *m->quadrics);
    m->heads = sb_alloc(vertices, sizeof(int));
    m->tails = sb_alloc(vertices, sizeof(int));
    m->nexts = sb_alloc(3 * faces, sizeof(int));
    m->stamps = sb_alloc(vertices, sizeof(int));
    m->marks = sb_alloc(vertices, sizeof(int));
    return m->quadrics && m->heads && m->tails && m->nexts && m->stamps &&
           m->marks;
}

bool sb_collapse(const sb_collapse_def *def) {
    mesh m = {.vertex_count = def->vertex_count,
              .face_count = def->face_count,
              .places = def->places,
              .faces = def->faces,
              .is_edge = def->is_edge};
    bool is_ok = take_memory(&m);
    if (is_ok) {
        set_lists(&m);
        set_quadrics(&m);
        is_ok = thin_out(&m, def->most);
    }
    sb_free_all(m.quadrics, m.heads, m.tails, m.nexts, m.stamps, m.marks,
                m.heap);
    return is_ok;
}
