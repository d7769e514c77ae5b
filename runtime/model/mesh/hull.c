/* SPDX-License-Identifier: MIT */
#include "runtime/model/mesh/hull.h"

#include "runtime/base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A world visits every corner in every step: this bounds the cost. A prism of 100
 * sides keeps all its corners: it knocks with each. */
enum { MOST_CORNERS = 256, MOST_FACES = 2 * MOST_CORNERS, THINNED = 128 };
/* Directions in which extreme points are looked for, times points. */
enum { MANY = 2000 };
static const double MOST_WORK = 2e7;

typedef struct draft {
    sb_vec3 points[MOST_CORNERS];
    int point_count;
    int faces[MOST_FACES][3];
    sb_vec3 normals[MOST_FACES]; /* of length 1 */
    int face_count;
    double flat; /* distances below this count as zero */
} draft;

static sb_vec3 normal_of(const draft *h, const int face[3]) {
    sb_vec3 p = h->points[face[0]];
    return sb_vec3_span(p, h->points[face[1]], h->points[face[2]]);
}

static double height(const draft *h, const int face[3], sb_vec3 normal,
                     sb_vec3 point) {
    return sb_vec3_dot(normal, sb_vec3_sub(point, h->points[face[0]]));
}

static void set_normals(draft *h, int from) {
    for (int i = from; i < h->face_count; i++)
        h->normals[i] = sb_vec3_normalised(normal_of(h, h->faces[i]));
}

static int farthest(const sb_vec3 *points, int count, sb_vec3 direction) {
    int best = 0;
    double most = sb_vec3_dot(points[0], direction);
    for (int i = 1; i < count; i++) {
        double far = sb_vec3_dot(points[i], direction);
        if (far > most) most = far, best = i;
    }
    return best;
}

static void add_corner(draft *h, sb_vec3 point) {
    for (int i = 0; i < h->point_count; i++) {
        sb_vec3 apart = sb_vec3_sub(h->points[i], point);
        if (sb_vec3_dot(apart, apart) <= h->flat * h->flat) return;
    }
    if (h->point_count < MOST_CORNERS) h->points[h->point_count++] = point;
}

/* The extreme points along directions spread evenly over the sphere. */
static void add_extremes(draft *h, const sb_vec3 *points, int count,
                         int directions) {
    const double golden = 2.39996322972865332;
    for (int i = 0; i < directions; i++) {
        double y = 1.0 - (2.0 * i + 1.0) / directions, r = sqrt(1.0 - y * y);
        sb_vec3 d = {r * cos(golden * i), y, r * sin(golden * i)};
        add_corner(h, points[farthest(points, count, d)]);
    }
}

/* Keeps the extreme points along directions spread evenly over the sphere,
 * starting with those along and between the axes, where boxes have their
 * corners. */
static void thin_out(draft *h, const sb_vec3 *points, int count) {
    for (int i = 0; i < 27; i++) {
        sb_vec3 axis = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        /* Slightly off the axes, so that one corner of a level face is
         * extreme. */
        sb_vec3 nudge = {1e-3, 2e-3, 3e-3};
        add_corner(h,
                   points[farthest(points, count, sb_vec3_add(axis, nudge))]);
    }
    add_extremes(h, points, count, THINNED - 27);
}

/* Finds four corners that are not coplanar to begin with. */
static bool begin(draft *h) {
    int a = 0, b = -1, c = -1, d = -1;
    double most = 0.0;
    for (int i = 1; i < h->point_count; i++) {
        double far = sb_vec3_length(sb_vec3_sub(h->points[i], h->points[a]));
        if (far > most) most = far, b = i;
    }
    if (b < 0) return false;
    most = 0.0;
    for (int i = 0; i < h->point_count; i++) {
        int face[3] = {a, b, i};
        double area = sb_vec3_length(normal_of(h, face));
        if (area > most) most = area, c = i;
    }
    if (c < 0) return false;
    most = h->flat;
    int base[3] = {a, b, c};
    sb_vec3 normal = sb_vec3_normalised(normal_of(h, base));
    for (int i = 0; i < h->point_count; i++) {
        double up = fabs(height(h, base, normal, h->points[i]));
        if (up > most) most = up, d = i;
    }
    if (d < 0) return false;
    if (height(h, base, normal, h->points[d]) > 0.0) {
        int swap = b;
        b = c, c = swap;
    }
    int faces[4][3] = {{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}};
    memcpy(h->faces, faces, sizeof faces);
    h->face_count = 4;
    set_normals(h, 0);
    return true;
}

/* Removes the faces visible from the point and closes the hole with a fan
 * from the point. */
static bool include(draft *h, int point) {
    static const int next[3] = {1, 2, 0};
    int rim[3 * MOST_FACES][2], rim_count = 0, kept = 0;
    for (int i = 0; i < h->face_count; i++) {
        const int *f = h->faces[i];
        if (height(h, f, h->normals[i], h->points[point]) <= h->flat) {
            memmove(h->faces[kept], f, sizeof h->faces[i]);
            h->normals[kept++] = h->normals[i];
            continue;
        }
        for (int k = 0; k < 3; k++) {
            rim[rim_count][0] = f[k];
            rim[rim_count++][1] = f[next[k]];
        }
    }
    h->face_count = kept;
    for (int i = 0; i < rim_count; i++) {
        bool is_inner = false;
        for (int j = 0; j < rim_count && !is_inner; j++)
            is_inner = rim[j][0] == rim[i][1] && rim[j][1] == rim[i][0];
        if (is_inner) continue;
        if (h->face_count == MOST_FACES) return false;
        int face[3] = {rim[i][0], rim[i][1], point};
        memcpy(h->faces[h->face_count++], face, sizeof face);
    }
    set_normals(h, kept);
    return true;
}

static bool build(draft *h) {
    bool is_solid = begin(h);
    for (int i = 0; is_solid && i < h->point_count; i++)
        is_solid = include(h, i);
    return is_solid;
}

/* The points outside the hull so far, and its corners. Returns their number. */
static int take_outside(const draft *h, const sb_vec3 *points, int count,
                        sb_vec3 *taken) {
    int n = h->point_count;
    memcpy(taken, h->points, (size_t)n * sizeof *taken);
    for (int i = 0; i < count; i++) {
        bool is_outside = false;
        for (int f = 0; f < h->face_count && !is_outside; f++)
            is_outside =
                height(h, h->faces[f], h->normals[f], points[i]) > h->flat;
        if (is_outside) taken[n++] = points[i];
    }
    return n;
}

/* Of more points than corners are allowed: all that are extreme in many
 * directions (of a prism with many points on its sides these are its corners),
 * or a few of them. */
static void choose_extremes(draft *h, const sb_vec3 *points, int count) {
    double directions = MOST_WORK / count;
    if (directions > MANY) directions = MANY;
    h->point_count = 0;
    if (directions >= THINNED) {
        add_extremes(h, points, count, (int)directions);
        if (h->point_count < MOST_CORNERS) return;
    }
    h->point_count = 0;
    thin_out(h, points, count);
}

static void choose_all(draft *h, const sb_vec3 *points, int count) {
    h->point_count = 0;
    for (int i = 0; i < count; i++)
        add_corner(h, points[i]);
}

/* Most points of a mesh are inside a hull of few corners, or on its faces, and
 * need no further look. */
static sb_status choose(draft *h, const sb_vec3 *points, int count,
                        sb_error *err) {
    if (count <= MOST_CORNERS) {
        choose_all(h, points, count);
        return SB_OK;
    }
    thin_out(h, points, count);
    if (!build(h)) return SB_OK; /* flat: so it will be found again */
    size_t most = (size_t)count + MOST_CORNERS;
    sb_vec3 *taken = sb_alloc(most, sizeof *taken);
    if (!taken) return sb_no_memory_for(err, "a hull");
    int taken_count = take_outside(h, points, count, taken);
    if (taken_count <= MOST_CORNERS)
        choose_all(h, taken, taken_count);
    else
        choose_extremes(h, taken, taken_count);
    sb_free(taken);
    return SB_OK;
}

/* Outputs only the corners that faces use. */
static sb_status give(const draft *h, sb_hull *out, sb_error *err) {
    int name[MOST_CORNERS], count = 0;
    for (int i = 0; i < MOST_CORNERS; i++)
        name[i] = -1;
    out->points = sb_alloc(MOST_CORNERS, sizeof *out->points);
    out->corners = sb_alloc((size_t)h->face_count, sizeof *out->corners);
    if (!out->points || !out->corners) return sb_no_memory_for(err, "a hull");
    for (int i = 0; i < h->face_count; i++) {
        for (int k = 0; k < 3; k++) {
            int corner = h->faces[i][k];
            if (name[corner] < 0) {
                out->points[count] = h->points[corner];
                name[corner] = count++;
            }
            out->corners[i][k] = name[corner];
        }
    }
    out->point_count = count;
    out->face_count = h->face_count;
    return SB_OK;
}

sb_status sb_hull_make(const sb_vec3 *points, int count, sb_hull *out,
                       sb_error *err) {
    draft *h = sb_alloc(1, sizeof *h);
    if (!h) return sb_no_memory_for(err, "a hull");
    double size = 0.0;
    for (int i = 0; i < count; i++)
        size = fmax(size, sb_vec3_length(sb_vec3_sub(points[i], points[0])));
    h->flat = 1e-7 * size;
    sb_status status = choose(h, points, count, err);
    if (!status && !build(h))
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "a hull collider is flat: its mesh of %d points lies "
                         "in a plane",
                         count);
    *out = (sb_hull){0};
    if (!status) status = give(h, out, err);
    if (status) sb_hull_free(out);
    sb_free(h);
    return status;
}

void sb_hull_free(sb_hull *hull) {
    sb_free(hull->points);
    sb_free(hull->corners);
    *hull = (sb_hull){0};
}
