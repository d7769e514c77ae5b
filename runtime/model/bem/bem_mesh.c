/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem_mesh.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"

#include <math.h>
#include <stdlib.h>

/* Centres closer than this many sides are near. */
#define NEAR_SIDES 1.6
/* A face of less area, by its longest side, is none. */
#define FLAT 1e-9
/* How far free edges move out, in heights of their triangles. */
#define EDGE_OUT 0.125

static sb_vec3 at_vertex(const sb_bem_surface *surface, int vertex) {
    const float *p = surface->vertices[vertex];
    return (sb_vec3){p[0], p[1], p[2]};
}

/* --- free edges ----------------------------------------------------------- */

/* A side of a face, from its lower vertex on. */
typedef struct side {
    int low, high, face, corner;
} side;

static int by_vertices(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face - b->face;
}

/* Sum and number of the shifts of the sides at a vertex. */
typedef struct shift {
    sb_vec3 sum, first;
    int count;
} shift;

static void add_shift(shift *at, sb_vec3 by) {
    if (!at->count++) at->first = by;
    at->sum = sb_vec3_add(at->sum, by);
}

static void shift_side(const sb_bem_surface *surface, const side *own,
                       shift *shifts) {
    const int32_t *face = surface->faces[own->face];
    int from = face[own->corner], to = face[(own->corner + 1) % 3];
    sb_vec3 a = at_vertex(surface, from), b = at_vertex(surface, to);
    sb_vec3 c = at_vertex(surface, face[(own->corner + 2) % 3]);
    sb_vec3 along = sb_vec3_normalised(sb_vec3_sub(b, a));
    sb_vec3 in = sb_vec3_sub(c, a);
    in = sb_vec3_plus(in, along, -sb_vec3_dot(in, along)); /* the height */
    add_shift(&shifts[from], sb_vec3_scale(in, -EDGE_OUT));
    add_shift(&shifts[to], sb_vec3_scale(in, -EDGE_OUT));
}

/* Sides of one face only are free: their vertices have no unknown, and move
 * out. At a corner of the edge both of its sides do so, along an edge that goes
 * on it is their mean. */
static void free_edges(const sb_bem_surface *surface, side *sides,
                       shift *shifts) {
    int count = 3 * surface->face_count;
    for (int i = 0; i < count; i++) {
        const int32_t *face = surface->faces[i / 3];
        int a = face[i % 3], b = face[(i + 1) % 3];
        if (i % 3 == 2) b = face[0];
        sides[i] = (side){a < b ? a : b, a < b ? b : a, i / 3, i % 3};
    }
    qsort(sides, (size_t)count, sizeof *sides, by_vertices);
    for (int i = 0; i < count;) {
        int end = i + 1;
        while (end < count && sides[end].low == sides[i].low &&
               sides[end].high == sides[i].high) {
            end++;
        }
        if (end == i + 1) shift_side(surface, &sides[i], shifts);
        i = end;
    }
}

static sb_vec3 shifted(sb_vec3 p, const shift *by) {
    if (!by->count) return p;
    sb_vec3 last = sb_vec3_sub(by->sum, by->first);
    bool is_corner = by->count == 2 &&
                     sb_vec3_dot(by->first, last) <
                         0.5 * sb_vec3_length(by->first) * sb_vec3_length(last);
    return sb_vec3_plus(p, by->sum, is_corner ? 1 : 1.0 / by->count);
}

/* --- faces ---------------------------------------------------------------- */

static void set_face(sb_bem_face *face) {
    const sb_vec3 *p = face->corners;
    sb_vec3 cross =
        sb_vec3_cross(sb_vec3_sub(p[1], p[0]), sb_vec3_sub(p[2], p[0]));
    double twice = sb_vec3_length(cross);
    face->area = twice / 2;
    face->normal = sb_vec3_normalised(cross);
    face->centre =
        sb_vec3_scale(sb_vec3_add(sb_vec3_add(p[0], p[1]), p[2]), 1.0 / 3);
    for (int i = 0; i < 3; i++) {
        sb_vec3 opposite = sb_vec3_sub(p[(i + 2) % 3], p[(i + 1) % 3]);
        face->size = fmax(face->size, sb_vec3_length(opposite));
        if (!(twice > 0)) continue; /* of no area: counts for nothing */
        face->slopes[i] =
            sb_vec3_scale(sb_vec3_cross(face->normal, opposite), 1 / twice);
        face->curls[i] = sb_vec3_cross(face->normal, face->slopes[i]);
    }
}

static void put(double *const to[3], int at, sb_vec3 from) {
    to[0][at] = from.x;
    to[1][at] = from.y;
    to[2][at] = from.z;
}

static void fill_lanes(sb_bem_mesh *mesh) {
    for (int i = 0; i < mesh->face_count; i++) {
        const sb_bem_face *face = &mesh->faces[i];
        for (int j = 0; j < 3; j++) {
            sb_vec3 to_corner = sb_vec3_sub(face->corners[j], face->centre);
            put(mesh->lanes.points[j], i,
                sb_vec3_plus(face->centre, to_corner, 0.5));
            put(mesh->lanes.curls[j], i, face->curls[j]);
        }
        put(mesh->lanes.normals, i, face->normal);
        mesh->lanes.areas[i] = face->area;
    }
}

/* --- 1/r ------------------------------------------------------------------ */

/* Over a face, seen from x: of its linear functions times 1/r and times the
 * normal derivative of 1/r, by 1/4 pi. */
typedef struct potential {
    double g[3], slope[3];
} potential;

static double asinh_part(double from, double to, double from_r, double to_r) {
    return from + to < 0 ? log((from_r - from) / (to_r - to))
                         : log((to_r + to) / (from_r + from));
}

static potential static_potential(const sb_bem_face *face, sb_vec3 x,
                                  bool is_within) {
    double h = sb_vec3_dot(sb_vec3_sub(x, face->corners[0]), face->normal);
    if (is_within || fabs(h) < 1e-9 * face->size) h = 0;
    sb_vec3 foot = sb_vec3_plus(x, face->normal, -h);
    sb_vec3 first = {0}, first_slope = {0};
    double even = 0, angle = 0;
    for (int i = 0; i < 3; i++) {
        sb_vec3 a = sb_vec3_sub(face->corners[i], x);
        sb_vec3 b = sb_vec3_sub(face->corners[(i + 1) % 3], x);
        sb_vec3 along = sb_vec3_normalised(sb_vec3_sub(b, a));
        sb_vec3 out = sb_vec3_cross(along, face->normal);
        double from = sb_vec3_dot(a, along), to = sb_vec3_dot(b, along);
        double from_r = sb_vec3_length(a), to_r = sb_vec3_length(b);
        double off = sb_vec3_dot(a, out), square = off * off + h * h;
        double line = asinh_part(from, to, from_r, to_r);
        even += off * line;
        double span = to - from;
        if (square > 1e-20 * span * span) {
            angle += atan(off * to / (square + fabs(h) * to_r)) -
                     atan(off * from / (square + fabs(h) * from_r));
        }
        double moment = 0.5 * (square * line + to * to_r - from * from_r);
        first = sb_vec3_plus(first, out, moment);
        first_slope = sb_vec3_plus(first_slope, out, -h * line);
    }
    even -= fabs(h) * angle;
    double even_slope = h > 0 ? angle : h < 0 ? -angle : 0;
    potential result;
    for (int j = 0; j < 3; j++) {
        sb_vec3 slope = face->slopes[j];
        double at_foot =
            1 + sb_vec3_dot(slope, sb_vec3_sub(foot, face->corners[j]));
        result.g[j] =
            (at_foot * even + sb_vec3_dot(slope, first)) / (4 * SB_PI);
        result.slope[j] =
            (at_foot * even_slope + sb_vec3_dot(slope, first_slope)) /
            (4 * SB_PI);
    }
    return result;
}

/* The rule of degree 5. */
#define A .797426985353087
#define B .101286507323456
#define C .059715871789770
#define D .470142064105115
#define E .125939180544827
#define F .132394152788506
static const double rule[7][4] = {
    {1.0 / 3, 1.0 / 3, 1.0 / 3, .225},
    {A, B, B, E},
    {B, A, B, E},
    {B, B, A, E},
    {C, D, D, F},
    {D, C, D, F},
    {D, D, C, F},
};

static void add_static(const sb_bem_face *outer, const sb_bem_face *inner,
                       double g[3][3], double slope[3][3]) {
    if (inner->area <= FLAT * inner->size * inner->size) return;
    for (int s = 0; s < 7; s++) {
        const double *at = rule[s];
        sb_vec3 x = sb_vec3_scale(outer->corners[0], at[0]);
        x = sb_vec3_plus(x, outer->corners[1], at[1]);
        x = sb_vec3_plus(x, outer->corners[2], at[2]);
        potential p = static_potential(inner, x, outer == inner);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double weight = at[3] * outer->area * at[i];
                g[i][j] += weight * p.g[j];
                slope[i][j] += weight * p.slope[j];
            }
        }
    }
}

/* G is symmetric; of both ways of integrating it, the mean. */
static void set_near(const sb_bem_face *one, const sb_bem_face *other,
                     sb_bem_near *near) {
    double there[3][3] = {{0}}, here[3][3] = {{0}}, back[3][3] = {{0}};
    add_static(one, other, there, near->front);
    add_static(other, one, here, back);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            near->g[i][j] = 0.5 * (there[i][j] + here[j][i]);
            near->back[i][j] = back[j][i];
        }
    }
}

static bool is_near(const sb_bem_face *a, const sb_bem_face *b) {
    sb_vec3 apart = sb_vec3_sub(a->centre, b->centre);
    double size = NEAR_SIDES * fmax(a->size, b->size);
    return sb_vec3_dot(apart, apart) < size * size;
}

static sb_status find_nears(sb_bem_mesh *mesh, sb_error *err) {
    int count = mesh->face_count, near_count = 0, at = 0;
    const sb_bem_face *faces = mesh->faces;
    for (int a = 0; a < count; a++)
        for (int b = a; b < count; b++)
            near_count += is_near(&faces[a], &faces[b]);
    mesh->near_starts = sb_alloc((size_t)count + 1, sizeof(int));
    mesh->nears = sb_alloc((size_t)near_count, sizeof *mesh->nears);
    if (!mesh->near_starts || !mesh->nears)
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d near faces",
                       near_count);
    for (int a = 0; a < count && !sb_stop_is_wanted(); a++) {
        mesh->near_starts[a] = at;
        for (int b = a; b < count; b++) {
            if (!is_near(&faces[a], &faces[b])) continue;
            mesh->nears[at].other = b;
            set_near(&faces[a], &faces[b], &mesh->nears[at++]);
        }
    }
    mesh->near_starts[count] = at;
    return sb_stop_check(err);
}

/* --- life ----------------------------------------------------------------- */

static void set_unknowns(sb_bem_mesh *mesh, const sb_bem_surface *surface,
                         const shift *shifts) {
    for (int v = 0; v < mesh->vertex_count; v++) {
        bool is_edge = mesh->is_sheet && shifts[v].count > 0;
        mesh->unknowns[v] = is_edge ? -1 : mesh->unknown_count;
        if (is_edge) continue;
        mesh->places[mesh->unknown_count++] = at_vertex(surface, v);
    }
    for (int f = 0; f < mesh->face_count; f++) {
        sb_bem_face *face = &mesh->faces[f];
        for (int j = 0; j < 3; j++) {
            int v = surface->faces[f][j];
            face->unknowns[j] = mesh->unknowns[v];
            face->corners[j] = at_vertex(surface, v);
            if (mesh->is_sheet)
                face->corners[j] = shifted(face->corners[j], &shifts[v]);
        }
        set_face(face);
        mesh->area += face->area;
    }
    mesh->radius = sqrt(mesh->area / (4 * SB_PI));
    mesh->wide =
        (mesh->unknown_count + SB_BEM_LANES - 1) / SB_BEM_LANES * SB_BEM_LANES;
}

static void set_distances(sb_bem_mesh *mesh) {
    for (int i = 0; i < mesh->unknown_count; i++) {
        float *row = mesh->distances + (size_t)i * (size_t)mesh->wide;
        for (int j = 0; j < mesh->unknown_count; j++) {
            row[j] = (float)sb_vec3_length(
                sb_vec3_sub(mesh->places[i], mesh->places[j]));
        }
    }
}

static bool take_lanes(sb_bem_mesh *mesh) {
    enum { ARRAYS = 9 + 3 + 9 + 1 };
    size_t padded = (size_t)(mesh->face_count + SB_BEM_LANES - 1) /
                    SB_BEM_LANES * SB_BEM_LANES;
    double *block = sb_alloc(padded * ARRAYS, sizeof *block);
    if (!block) return false;
    mesh->lane_block = block;
    for (int i = 0; i < 9; i++, block += 2 * padded) {
        mesh->lanes.points[i / 3][i % 3] = block;
        mesh->lanes.curls[i / 3][i % 3] = block + padded;
    }
    for (int i = 0; i < 3; i++, block += padded)
        mesh->lanes.normals[i] = block;
    mesh->lanes.areas = block;
    fill_lanes(mesh);
    return true;
}

sb_status sb_bem_mesh_make(const sb_bem_surface *surface, sb_bem_mesh *mesh,
                           sb_error *err) {
    size_t vertices = (size_t)surface->vertex_count;
    size_t faces = (size_t)surface->face_count;
    *mesh = (sb_bem_mesh){.vertex_count = surface->vertex_count,
                          .face_count = surface->face_count,
                          .is_sheet = surface->is_sheet};
    side *sides = sb_alloc(3 * faces, sizeof *sides);
    shift *shifts = sb_alloc(vertices, sizeof *shifts);
    mesh->unknowns = sb_alloc(vertices, sizeof(int));
    mesh->places = sb_alloc(vertices, sizeof *mesh->places);
    mesh->faces = sb_alloc(faces, sizeof *mesh->faces);
    bool is_ok =
        sides && shifts && mesh->unknowns && mesh->places && mesh->faces;
    if (is_ok) {
        free_edges(surface, sides, shifts);
        set_unknowns(mesh, surface, shifts);
        size_t unknowns = (size_t)mesh->unknown_count;
        mesh->distances =
            sb_alloc(unknowns * (size_t)mesh->wide, sizeof(float));
        is_ok = mesh->distances && take_lanes(mesh);
    }
    sb_free(sides);
    sb_free(shifts);
    sb_status status = is_ok
                           ? SB_OK
                           : sb_fail(err, SB_NO_MEMORY,
                                     "out of memory for a surface of %d faces",
                                     surface->face_count);
    if (!status) set_distances(mesh);
    if (!status) status = find_nears(mesh, err);
    if (status) sb_bem_mesh_free(mesh);
    return status;
}

void sb_bem_mesh_free(sb_bem_mesh *mesh) {
    sb_free(mesh->unknowns);
    sb_free(mesh->places);
    sb_free(mesh->faces);
    sb_free(mesh->lane_block);
    sb_free(mesh->near_starts);
    sb_free(mesh->nears);
    sb_free(mesh->distances);
    *mesh = (sb_bem_mesh){0};
}

void sb_bem_mass(const sb_bem_mesh *mesh, const double (*at)[3], double *out) {
    for (int f = 0; f < mesh->face_count; f++) {
        const sb_bem_face *face = &mesh->faces[f];
        double sum = at[f][0] + at[f][1] + at[f][2];
        for (int i = 0; i < 3; i++) {
            if (face->unknowns[i] < 0) continue;
            out[face->unknowns[i]] += face->area / 12 * (sum + at[f][i]);
        }
    }
}
