/* SPDX-License-Identifier: MIT */
#include "runtime/model/sound/patches.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { AXES = 6 }; /* three of position, three of direction */

typedef struct skin {
    double at[AXES]; /* centre, m; normal times the body's radius */
    double area_m2;
    int face;
} skin;

typedef struct branch {
    int first, end; /* of the facets */
    int axis;       /* the widest */
    double width, middle;
} branch;

typedef struct splitting {
    skin *facets, *spare;
    branch *leaves;
    int *patch_of_vertex, *link_of_vertex;
} splitting;

static sb_vec3 vertex_at(const float (*vertices)[3], int32_t i) {
    return (sb_vec3){vertices[i][0], vertices[i][1], vertices[i][2]};
}

sb_vec3 sb_face_area(const float (*vertices)[3], const int32_t face[3]) {
    sb_vec3 a = vertex_at(vertices, face[0]);
    sb_vec3 b = sb_vec3_sub(vertex_at(vertices, face[1]), a);
    sb_vec3 c = sb_vec3_sub(vertex_at(vertices, face[2]), a);
    return sb_vec3_scale(sb_vec3_cross(b, c), 0.5);
}

static sb_vec3 face_centre(const float (*vertices)[3], const int32_t face[3]) {
    sb_vec3 sum = vertex_at(vertices, face[0]);
    sum = sb_vec3_add(sum, vertex_at(vertices, face[1]));
    sum = sb_vec3_add(sum, vertex_at(vertices, face[2]));
    return sb_vec3_scale(sum, 1.0 / 3);
}

/* m += part d d': xx yy zz xy yz zx. */
static void add_square(double m[6], double part, sb_vec3 d) {
    m[0] += part * d.x * d.x;
    m[1] += part * d.y * d.y;
    m[2] += part * d.z * d.z;
    m[3] += part * d.x * d.y;
    m[4] += part * d.y * d.z;
    m[5] += part * d.z * d.x;
}

/* --- the body's radius ---------------------------------------------------- */

/* Eigenvalues of a symmetric 3 x 3 (xx yy zz xy yz zx), ascending, by the
 * cosine of a third of an angle. */
static void eigenvalues(const double m[6], double values[3]) {
    double mean = (m[0] + m[1] + m[2]) / 3;
    double off = m[3] * m[3] + m[4] * m[4] + m[5] * m[5];
    double x = m[0] - mean, y = m[1] - mean, z = m[2] - mean;
    double p = sqrt((x * x + y * y + z * z + 2 * off) / 6);
    if (!(p > 1e-14 * fabs(mean))) {
        values[0] = values[1] = values[2] = mean;
        return;
    }
    double det = x * (y * z - m[4] * m[4]) - m[3] * (m[3] * z - m[4] * m[5]) +
                 m[5] * (m[3] * m[4] - y * m[5]);
    double angle = acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3;
    values[2] = mean + 2 * p * cos(angle);
    values[0] = mean + 2 * p * cos(angle + SB_TAU / 3);
    values[1] = 3 * mean - values[0] - values[2];
}

/* Half-axes of the ellipsoid-like body, from the area's second moments: the
 * middle one, less if the body is flat. 0.49 meets the disk's added mass. */
static double body_radius(const float (*vertices)[3], const int32_t (*faces)[3],
                          int face_count) {
    double area = 0;
    sb_vec3 centre = {0, 0, 0};
    for (int i = 0; i < face_count; i++) {
        double part = sb_vec3_length(sb_face_area(vertices, faces[i]));
        area += part;
        centre = sb_vec3_add(
            centre, sb_vec3_scale(face_centre(vertices, faces[i]), part));
    }
    if (!(area > 0)) return 0;
    centre = sb_vec3_scale(centre, 1 / area);
    double m[6] = {0}, values[3];
    for (int i = 0; i < face_count; i++) {
        double part = sb_vec3_length(sb_face_area(vertices, faces[i])) / area;
        sb_vec3 d = sb_vec3_sub(face_centre(vertices, faces[i]), centre);
        add_square(m, part, d);
    }
    eigenvalues(m, values);
    double middle = sqrt(3 * fmax(values[1], 0));
    double least = sqrt(3 * fmax(values[0], 0));
    return 0.49 * middle + 0.51 * least;
}

/* --- patches -------------------------------------------------------------- */

static void measure(const skin *facets, branch *leaf) {
    leaf->width = 0;
    for (int axis = 0; axis < AXES; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = leaf->first; i < leaf->end; i++) {
            double at = facets[i].at[axis];
            if (at < low) low = at;
            if (at > high) high = at;
        }
        if (high - low > leaf->width) {
            leaf->width = high - low;
            leaf->middle = 0.5 * (low + high);
            leaf->axis = axis;
        }
    }
}

/* Splits at the middle and keeps the order of the faces on both sides. */
static bool halve(splitting *work, branch *leaf, branch *other) {
    int low = leaf->first, high = 0;
    for (int i = leaf->first; i < leaf->end; i++) {
        if (work->facets[i].at[leaf->axis] < leaf->middle) {
            work->facets[low++] = work->facets[i];
        } else {
            work->spare[high++] = work->facets[i];
        }
    }
    memcpy(work->facets + low, work->spare, (size_t)high * sizeof(skin));
    /* The middle of two adjacent doubles is one of them. */
    if (low == leaf->first || high == 0) return false;
    *other = (branch){.first = low, .end = leaf->end};
    leaf->end = low;
    return true;
}

static int split(splitting *work, int face_count, int most, double radius_m) {
    int count = 1;
    work->leaves[0] = (branch){.first = 0, .end = face_count};
    measure(work->facets, &work->leaves[0]);
    while (count < most) {
        branch *widest = &work->leaves[0];
        for (int i = 1; i < count; i++) {
            if (work->leaves[i].width > widest->width)
                widest = &work->leaves[i];
        }
        if (!(widest->width > 1e-9 * radius_m)) break;
        if (!halve(work, widest, &work->leaves[count])) {
            widest->width = 0;
            continue;
        }
        measure(work->facets, widest);
        measure(work->facets, &work->leaves[count++]);
    }
    return count;
}

static void make_facets(const float (*vertices)[3], const int32_t (*faces)[3],
                        int face_count, double radius_m, skin *facets) {
    for (int i = 0; i < face_count; i++) {
        sb_vec3 area = sb_face_area(vertices, faces[i]);
        sb_vec3 normal = sb_vec3_scale(sb_vec3_normalised(area), radius_m);
        sb_vec3 centre = face_centre(vertices, faces[i]);
        facets[i] = (skin){
            .at = {centre.x, centre.y, centre.z, normal.x, normal.y, normal.z},
            .area_m2 = sb_vec3_length(area),
            .face = i,
        };
    }
}

/* A third of the face's area for each corner, phi being linear on it. */
static void add_link(sb_patch_link *link, sb_vec3 area, double length) {
    if (!(length > 0)) return;
    double x = area.x / 3, y = area.y / 3, z = area.z / 3;
    link->n[0] += x;
    link->n[1] += y;
    link->n[2] += z;
    link->nn[0] += x * area.x / length;
    link->nn[1] += y * area.y / length;
    link->nn[2] += z * area.z / length;
    link->nn[3] += x * area.y / length;
    link->nn[4] += y * area.z / length;
    link->nn[5] += z * area.x / length;
}

/* The integral of (x - centre) phi.n over a triangle with phi linear. */
static void add_moment(sb_patch_link *link, sb_vec3 area, sb_vec3 corner,
                       sb_vec3 face_centre_m, sb_vec3 centre) {
    sb_vec3 arm = sb_vec3_add(corner, sb_vec3_scale(face_centre_m, 3));
    arm = sb_vec3_sub(arm, sb_vec3_scale(centre, 4));
    double x[3] = {arm.x, arm.y, arm.z}, n[3] = {area.x, area.y, area.z};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            link->xn[i][j] += x[i] * n[j] / 12;
    }
}

static void place_patch(const splitting *work, const branch *leaf,
                        sb_vec3 *centre, sb_vec3 *normal) {
    sb_vec3 place = {0, 0, 0}, facing = {0, 0, 0};
    double area_m2 = 0;
    for (int i = leaf->first; i < leaf->end; i++) {
        const skin *facet = &work->facets[i];
        const double *at = facet->at;
        sb_vec3 here = {at[0], at[1], at[2]}, turned = {at[3], at[4], at[5]};
        place = sb_vec3_add(place, sb_vec3_scale(here, facet->area_m2));
        facing = sb_vec3_add(facing, sb_vec3_scale(turned, facet->area_m2));
        area_m2 += facet->area_m2;
    }
    *centre = sb_vec3_scale(place, area_m2 > 0 ? 1 / area_m2 : 0);
    *normal = sb_vec3_normalised(facing);
}

/* A triangle's second moments are those of its corners and its centre,
 * weighted 1 1 1 and 9 of 12. */
static void spread_patch(const splitting *work, const branch *leaf,
                         const float (*vertices)[3], const int32_t (*faces)[3],
                         sb_vec3 centre, double spread[6]) {
    double area_m2 = 0;
    for (int i = leaf->first; i < leaf->end; i++) {
        const skin *facet = &work->facets[i];
        for (int j = 0; j < 4; j++) {
            const double *at = facet->at;
            sb_vec3 x = {at[0], at[1], at[2]};
            if (j < 3) x = vertex_at(vertices, faces[facet->face][j]);
            double part = facet->area_m2 * (j < 3 ? 1 : 9) / 12;
            sb_vec3 d = sb_vec3_sub(x, centre);
            add_square(spread, part, d);
        }
        area_m2 += facet->area_m2;
    }
    for (int i = 0; i < 6; i++)
        spread[i] *= area_m2 > 0 ? 1 / area_m2 : 0;
}

static void link_patch(splitting *work, const float (*vertices)[3],
                       const int32_t (*faces)[3], int patch, sb_patches *out) {
    const branch *leaf = &work->leaves[patch];
    place_patch(work, leaf, &out->centres_m[patch], &out->normals[patch]);
    spread_patch(work, leaf, vertices, faces, out->centres_m[patch],
                 out->spreads_m2[patch]);
    for (int i = leaf->first; i < leaf->end; i++) {
        const skin *facet = &work->facets[i];
        sb_vec3 at = {facet->at[0], facet->at[1], facet->at[2]};
        sb_vec3 area = sb_face_area(vertices, faces[facet->face]);
        for (int j = 0; j < 3; j++) {
            int vertex = faces[facet->face][j];
            if (work->patch_of_vertex[vertex] != patch + 1) {
                work->patch_of_vertex[vertex] = patch + 1;
                work->link_of_vertex[vertex] = out->link_count;
                out->links[out->link_count++] =
                    (sb_patch_link){.vertex = vertex, .patch = patch};
            }
            sb_patch_link *link = &out->links[work->link_of_vertex[vertex]];
            add_link(link, area, facet->area_m2);
            add_moment(link, area, vertex_at(vertices, vertex), at,
                       out->centres_m[patch]);
        }
    }
}

static void work_free(splitting *work) {
    sb_free(work->facets);
    sb_free(work->spare);
    sb_free(work->leaves);
    sb_free(work->patch_of_vertex);
    sb_free(work->link_of_vertex);
}

void sb_patches_free(sb_patches *patches) {
    sb_free(patches->centres_m);
    sb_free(patches->normals);
    sb_free(patches->spreads_m2);
    sb_free(patches->links);
    *patches = (sb_patches){0};
}

sb_status sb_patches_make(const float (*vertices)[3], int vertex_count,
                          const int32_t (*faces)[3], int face_count, int most,
                          sb_patches *out, sb_error *err) {
    size_t face_total = (size_t)face_count;
    size_t vertex_total = (size_t)vertex_count;
    splitting work = {
        .facets = sb_alloc(face_total, sizeof(skin)),
        .spare = sb_alloc(face_total, sizeof(skin)),
        .leaves = sb_alloc((size_t)most, sizeof(branch)),
        .patch_of_vertex = sb_alloc(vertex_total, sizeof(int)),
        .link_of_vertex = sb_alloc(vertex_total, sizeof(int)),
    };
    sb_patches patches = {
        .centres_m = sb_alloc((size_t)most, sizeof(sb_vec3)),
        .normals = sb_alloc((size_t)most, sizeof(sb_vec3)),
        .spreads_m2 = sb_alloc((size_t)most, sizeof(double[6])),
        .links = sb_alloc(3 * face_total, sizeof(sb_patch_link)),
    };
    if (!work.facets || !work.spare || !work.leaves || !work.patch_of_vertex ||
        !work.link_of_vertex || !patches.centres_m || !patches.normals ||
        !patches.spreads_m2 || !patches.links) {
        work_free(&work);
        sb_patches_free(&patches);
        return sb_fail(err, SB_NO_MEMORY,
                       "out of memory to hear a surface of %d faces",
                       face_count);
    }
    patches.radius_m = body_radius(vertices, faces, face_count);
    make_facets(vertices, faces, face_count, patches.radius_m, work.facets);
    patches.patch_count = split(&work, face_count, most, patches.radius_m);
    for (int i = 0; i < patches.patch_count; i++)
        link_patch(&work, vertices, faces, i, &patches);
    work_free(&work);
    *out = patches;
    return SB_OK;
}
