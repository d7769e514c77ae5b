/* SPDX-License-Identifier: MIT */
/* Improves flat tetrahedra by local changes: moving points, flipping and
 * collapsing edges. A change is made if the worst new tetrahedron is better
 * than the worst that it replaces. Runs on the control thread or a worker. */
#include "runtime/model/fill/fill_internal.h"

#include <stddef.h>
#include <string.h>

enum { RING_MOST = 12, FRESH_MOST = 2 * SB_STAR_MOST, PASSES = 16 };
static const double GAIN = 1e-4; /* least gain of quality, prevents cycling */
/* How far, in cells, the centre of a boundary face may be from the surface. */
static const double STRAY_PART = 0.07;

typedef struct mender {
    const sb_boundary *boundary;
    sb_tet_mesh *mesh;
    int gone[SB_STAR_MOST];
    int gone_count;
    int fresh[FRESH_MOST][4];
    int fresh_count;
} mender;

static const sb_tet_point *point(const mender *m, int i) {
    return &m->mesh->points[i];
}

static double worst_gone(const mender *m) {
    double least = INFINITY;
    for (int i = 0; i < m->gone_count; i++) {
        least = fmin(least,
                     sb_tet_mesh_quality(m->mesh, m->mesh->tets[m->gone[i]]));
    }
    return least;
}

/* Makes the change if it is a gain and memory suffices. */
static bool change(mender *m) {
    double before = worst_gone(m) + GAIN;
    for (int i = 0; i < m->fresh_count; i++) {
        if (sb_tet_mesh_quality(m->mesh, m->fresh[i]) < before) return false;
    }
    if (!sb_tet_mesh_room(m->mesh, m->fresh_count)) return false;
    for (int i = 0; i < m->gone_count; i++) {
        sb_tet_mesh_take(m->mesh, m->gone[i]);
    }
    for (int i = 0; i < m->fresh_count; i++) {
        sb_tet_mesh_put(m->mesh, m->fresh[i]);
    }
    return true;
}

static void put_fresh(mender *m, int a, int b, int c, int d) {
    int *t = m->fresh[m->fresh_count++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    t[3] = d;
}

/* Whether a boundary face with these corners would lie on the surface. */
static bool is_on_surface(const mender *m, sb_vec3 a, sb_vec3 b, sb_vec3 c,
                          double size) {
    sb_vec3 middle = sb_vec3_scale(sb_vec3_add(a, sb_vec3_add(b, c)), 1.0 / 3);
    return sb_triangle_tree_nearest(&m->boundary->tree, middle,
                                    STRAY_PART * size)
               .face >= 0;
}

static bool may_be_face(const mender *m, int a, int b, int c) {
    return point(m, a)->hold != SB_ON_NOTHING &&
           point(m, b)->hold != SB_ON_NOTHING &&
           point(m, c)->hold != SB_ON_NOTHING &&
           is_on_surface(m, point(m, a)->at, point(m, b)->at, point(m, c)->at,
                         point(m, a)->size);
}

/* Whether the boundary faces at `p` would lie on the surface if `p` were at
 * `at`; faces with the corner `but` are skipped. */
static bool faces_stay(const mender *m, int p, sb_vec3 at, int but) {
    for (int s = point(m, p)->star; s >= 0; s = m->mesh->next[s / 4][s % 4]) {
        const int *t = m->mesh->tets[s / 4];
        for (int k = 0; k < 4; k++) {
            if (k == s % 4 || sb_tet_mesh_across(m->mesh, s / 4, k) >= 0) {
                continue;
            }
            sb_vec3 c[3];
            bool has_but = false;
            for (int j = 0; j < 3; j++) {
                int v = t[(k + 1 + j) & 3];
                c[j] = v == p ? at : point(m, v)->at;
                has_but = has_but || v == but;
            }
            if (has_but) continue;
            if (!is_on_surface(m, c[0], c[1], c[2], point(m, p)->size)) {
                return false;
            }
        }
    }
    return true;
}

/* --- moving a point ------------------------------------------------------- */

/* The position nearest to `at` that the constraint of the point allows. */
static sb_vec3 held(const mender *m, int p, sb_vec3 at) {
    if (point(m, p)->hold == SB_ON_EDGE) {
        return sb_chain_nearest(m->boundary, point(m, p)->chain, at, NULL);
    }
    if (point(m, p)->hold == SB_ON_FACE) {
        sb_triangle_tree_point near =
            sb_triangle_tree_nearest(&m->boundary->tree, at, point(m, p)->size);
        return near.face >= 0 ? near.at : point(m, p)->at;
    }
    return at;
}

static sb_vec3 middle_of_star(const mender *m, int p) {
    sb_vec3 sum = {0, 0, 0};
    int count = 0;
    for (int s = point(m, p)->star; s >= 0; s = m->mesh->next[s / 4][s % 4]) {
        for (int k = 0; k < 4; k++) {
            int v = m->mesh->tets[s / 4][k];
            if (v == p) continue;
            sum = sb_vec3_add(sum, point(m, v)->at);
            count++;
        }
    }
    return sb_vec3_scale(sum, 1.0 / count);
}

static bool try_place(mender *m, int p, sb_vec3 wish, double *best) {
    sb_vec3 at = held(m, p, wish);
    double quality = sb_tet_mesh_star_quality(m->mesh, p, at);
    if (quality <= *best + GAIN) return false;
    if (point(m, p)->hold != SB_ON_NOTHING && !faces_stay(m, p, at, -1)) {
        return false;
    }
    *best = quality;
    m->mesh->points[p].at = at;
    return true;
}

/* Tries the mean of the neighbours, then a search along the axes with
 * shrinking steps. */
static bool move_point(mender *m, int p) {
    static const sb_vec3 steps[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    if (point(m, p)->hold == SB_ON_CORNER) return false;
    double best = sb_tet_mesh_star_quality(m->mesh, p, point(m, p)->at);
    bool has_moved = false;
    sb_vec3 middle = middle_of_star(m, p);
    for (int i = 1; i <= 2; i++) {
        sb_vec3 way = sb_vec3_sub(middle, point(m, p)->at);
        sb_vec3 wish =
            sb_vec3_add(point(m, p)->at, sb_vec3_scale(way, 1.0 / i));
        has_moved = try_place(m, p, wish, &best) || has_moved;
    }
    double step = 0.2 * point(m, p)->size;
    for (int round = 0; round < 4; round++) {
        bool is_better = false;
        for (int i = 0; i < 6; i++) {
            sb_vec3 wish =
                sb_vec3_add(point(m, p)->at, sb_vec3_scale(steps[i], step));
            is_better = try_place(m, p, wish, &best) || is_better;
        }
        has_moved = has_moved || is_better;
        if (!is_better) step *= 0.4;
    }
    return has_moved;
}

/* --- collapsing an edge --------------------------------------------------- */

static bool is_boundary_edge(const mender *m, int a, int b) {
    int ends[2] = {a, b}, around[SB_STAR_MOST];
    int count = sb_tet_mesh_around(m->mesh, ends, 2, around, SB_STAR_MOST);
    for (int i = 0; i < count; i++) {
        const int *t = m->mesh->tets[around[i]];
        for (int k = 0; k < 4; k++) {
            if (t[k] == a || t[k] == b) continue;
            if (sb_tet_mesh_across(m->mesh, around[i], k) < 0) return true;
        }
    }
    return false;
}

/* Whether edge ab runs along the chain that `a` is on. */
static bool runs_along_chain(const mender *m, int a, int b) {
    if (point(m, b)->hold < SB_ON_EDGE) return false;
    if (point(m, b)->hold == SB_ON_EDGE &&
        point(m, b)->chain != point(m, a)->chain) {
        return false;
    }
    return sb_chain_runs(m->boundary, point(m, a)->chain, point(m, a)->at,
                         point(m, b)->at);
}

static bool may_draw(const mender *m, int from, int to) {
    switch ((sb_hold_on)point(m, from)->hold) {
    case SB_ON_NOTHING:
        return true;
    case SB_ON_FACE:
        return point(m, to)->hold != SB_ON_NOTHING &&
               is_boundary_edge(m, from, to);
    case SB_ON_EDGE:
        return runs_along_chain(m, from, to) && is_boundary_edge(m, from, to);
    case SB_ON_CORNER:
        break;
    }
    return false;
}

static bool draw_together(mender *m, int from, int to) {
    if (!may_draw(m, from, to)) return false;
    m->gone_count =
        sb_tet_mesh_around(m->mesh, &from, 1, m->gone, SB_STAR_MOST);
    if (m->gone_count < 0) return false;
    m->fresh_count = 0;
    for (int i = 0; i < m->gone_count; i++) {
        const int *t = m->mesh->tets[m->gone[i]];
        if (sb_tet_has(t, to)) continue;
        put_fresh(m, t[0] == from ? to : t[0], t[1] == from ? to : t[1],
                  t[2] == from ? to : t[2], t[3] == from ? to : t[3]);
    }
    if (point(m, from)->hold != SB_ON_NOTHING &&
        !faces_stay(m, from, point(m, to)->at, to)) {
        return false;
    }
    return change(m);
}

/* --- removing an edge ----------------------------------------------------- */

/* The ring of points around edge ab, counter-clockwise seen from b; open if
 * the edge is on the boundary. */
typedef struct ring {
    int points[RING_MOST + 1];
    int count;
    bool is_closed;
} ring;

/* The two other corners, ordered so that (a, b, first, second) has positive
 * volume. */
static void others(const int tet[4], int a, int b, int pair[2]) {
    static const int even[12][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                    {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 3, 2, 0},
                                    {2, 0, 1, 3}, {2, 1, 3, 0}, {2, 3, 0, 1},
                                    {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 2, 1, 0}};
    for (int i = 0; i < 12; i++) {
        if (tet[even[i][0]] != a || tet[even[i][1]] != b) continue;
        pair[0] = tet[even[i][2]];
        pair[1] = tet[even[i][3]];
    }
}

static bool find_ring(mender *m, int a, int b, ring *r) {
    int ends[2] = {a, b}, pairs[RING_MOST][2];
    m->gone_count = sb_tet_mesh_around(m->mesh, ends, 2, m->gone, RING_MOST);
    if (m->gone_count < 1) return false;
    int start = 0;
    for (int i = 0; i < m->gone_count; i++) {
        others(m->mesh->tets[m->gone[i]], a, b, pairs[i]);
    }
    /* An open ring begins with the point that is the end of no pair. */
    for (int i = 0; i < m->gone_count; i++) {
        bool is_end = false;
        for (int j = 0; j < m->gone_count; j++) {
            is_end = is_end || pairs[j][1] == pairs[i][0];
        }
        if (!is_end) start = i;
    }
    r->points[0] = pairs[start][0];
    r->count = 1;
    for (int n = 0; n < m->gone_count; n++) {
        int next = -1;
        for (int j = 0; j < m->gone_count; j++) {
            if (pairs[j][0] == r->points[r->count - 1]) next = pairs[j][1];
        }
        if (next < 0) return false; /* two fans that share only the edge */
        r->points[r->count++] = next;
    }
    r->is_closed = r->points[r->count - 1] == r->points[0];
    if (r->is_closed) r->count--;
    return true;
}

/* Triangulates the polygon of the ring as a fan from one of its points; an
 * open ring is closed by the new boundary face. */
static void fan(mender *m, const ring *r, int apex, int a, int b) {
    m->fresh_count = 0;
    for (int i = 0; i < r->count; i++) {
        int j = (i + 1) % r->count;
        if (i == apex || j == apex) continue;
        put_fresh(m, r->points[apex], r->points[i], r->points[j], b);
        put_fresh(m, r->points[apex], r->points[j], r->points[i], a);
    }
}

/* Whether the boundary may run through the first and last point of the ring
 * instead of the edge. */
static bool may_open(const mender *m, const ring *r, int a, int b) {
    int first = r->points[0], last = r->points[r->count - 1];
    if (point(m, a)->hold >= SB_ON_EDGE && point(m, b)->hold >= SB_ON_EDGE) {
        return false;
    }
    int ends[2] = {first, last}, found[SB_STAR_MOST];
    int shared = sb_tet_mesh_around(m->mesh, ends, 2, found, SB_STAR_MOST);
    if (m->gone_count == 1) {
        if (shared < 2 || is_boundary_edge(m, first, last)) return false;
    } else if (shared != 0) {
        return false;
    }
    return may_be_face(m, a, first, last) && may_be_face(m, b, first, last);
}

static bool take_edge(mender *m, int a, int b) {
    ring r;
    if (!find_ring(m, a, b, &r)) return false;
    if (!r.is_closed && !may_open(m, &r, a, b)) return false;
    for (int apex = 0; apex < r.count; apex++) {
        fan(m, &r, apex, a, b);
        if (change(m)) return true;
    }
    return false;
}

/* --- removing a face ------------------------------------------------------ */

static bool take_face(mender *m, int tet, int corner) {
    static const int faces[4][3] = {{1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}};
    int other = sb_tet_mesh_across(m->mesh, tet, corner);
    if (other < 0) return false;
    const int *t = m->mesh->tets[tet];
    int a = t[faces[corner][0]], b = t[faces[corner][1]],
        c = t[faces[corner][2]], d = t[corner], e = -1;
    for (int k = 0; k < 4; k++) {
        int v = m->mesh->tets[other][k];
        if (v != a && v != b && v != c) e = v;
    }
    m->gone[0] = tet;
    m->gone[1] = other;
    m->gone_count = 2;
    m->fresh_count = 0;
    put_fresh(m, e, d, a, b);
    put_fresh(m, e, d, b, c);
    put_fresh(m, e, d, c, a);
    return change(m);
}

static bool mend_by_change(mender *m, int tet) {
    int t[4];
    memcpy(t, m->mesh->tets[tet], sizeof t);
    for (int i = 0; i < 4; i++) {
        for (int j = i + 1; j < 4; j++) {
            if (take_edge(m, t[i], t[j])) return true;
        }
    }
    for (int k = 0; k < 4; k++) {
        if (take_face(m, tet, k)) return true;
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            if (i != j && draw_together(m, t[i], t[j])) return true;
        }
    }
    return false;
}

static bool mend_by_moving(mender *m, int tet) {
    bool has_moved = false;
    for (int k = 0; k < 4; k++) {
        has_moved = move_point(m, m->mesh->tets[tet][k]) || has_moved;
    }
    return has_moved;
}

void sb_cut_mend(const sb_boundary *boundary, sb_tet_mesh *mesh,
                 double target) {
    mender m = {.boundary = boundary, .mesh = mesh};
    bool is_better = true;
    for (int pass = 0; pass < PASSES && is_better; pass++) {
        is_better = false;
        for (int t = 0; t < mesh->tet_count; t++) {
            if (!sb_tet_is_live(mesh, t) ||
                sb_tet_mesh_quality(mesh, mesh->tets[t]) >= target) {
                continue;
            }
            if (mend_by_change(&m, t) || mend_by_moving(&m, t)) {
                is_better = true;
            }
            if (mesh->is_out_of_memory) return;
        }
    }
}
