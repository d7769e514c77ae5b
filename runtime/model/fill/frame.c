/* SPDX-License-Identifier: MIT */
/* Finds the axes that most of a mesh's area faces. Runs on the control
 * thread or a worker. */
#include "runtime/model/fill/boundary.h"

#include <stddef.h>

sb_vec3 sb_frame_into(const sb_frame *frame, sb_vec3 point) {
    sb_vec3 d = sb_vec3_sub(point, frame->origin);
    return (sb_vec3){sb_vec3_dot(d, frame->axes[0]),
                     sb_vec3_dot(d, frame->axes[1]),
                     sb_vec3_dot(d, frame->axes[2])};
}

sb_vec3 sb_frame_out(const sb_frame *frame, sb_vec3 point) {
    sb_vec3 p = frame->origin;
    p = sb_vec3_add(p, sb_vec3_scale(frame->axes[0], point.x));
    p = sb_vec3_add(p, sb_vec3_scale(frame->axes[1], point.y));
    return sb_vec3_add(p, sb_vec3_scale(frame->axes[2], point.z));
}

/* Directions collected in one pass over the faces; those within 0.6 degrees
 * of each other, or of the opposite, are merged. When the table is full,
 * every entry loses the area of the new one. A direction with more than 1/64
 * of the area is then certain to remain; the areas are recounted afterwards. */
enum { CLUSTERS_MOST = 64 };
static const double SAME_COSINE = 0.99995;

typedef struct cluster {
    sb_vec3 sum; /* of area vectors, signs aligned */
    double area;
} cluster;

static sb_vec3 area_vector(const sb_mesh *mesh, int face) {
    return sb_vec3_scale(sb_face_cross(mesh->vertices, mesh->faces[face]), 0.5);
}

static cluster *cluster_of(cluster *clusters, int count, sb_vec3 vector,
                           double *sign) {
    double area = sb_vec3_length(vector);
    for (int i = 0; i < count; i++) {
        double along = sb_vec3_dot(clusters[i].sum, vector);
        double both = sb_vec3_length(clusters[i].sum) * area;
        *sign = along > 0 ? 1 : -1;
        if (fabs(along) >= SAME_COSINE * both) return &clusters[i];
    }
    return NULL;
}

static void make_room(cluster *clusters, int *count, double area) {
    int kept = 0;
    for (int i = 0; i < *count; i++) {
        clusters[i].area -= area;
        if (clusters[i].area > 0) clusters[kept++] = clusters[i];
    }
    *count = kept;
}

static void gather(cluster *clusters, int *count, sb_vec3 vector) {
    double area = sb_vec3_length(vector), sign = 1;
    if (!(area > 0)) return;
    cluster *c = cluster_of(clusters, *count, vector, &sign);
    if (c) {
        c->sum = sb_vec3_add(c->sum, sb_vec3_scale(vector, sign));
        c->area += area;
    } else if (*count < CLUSTERS_MOST) {
        clusters[(*count)++] = (cluster){vector, area};
    } else {
        make_room(clusters, count, area);
    }
}

/* Recounts the exact areas of the collected directions. */
static double count_areas(cluster *clusters, int count, const sb_mesh *mesh) {
    double total = 0, sign = 1;
    for (int i = 0; i < count; i++) {
        clusters[i].area = 0;
    }
    for (int i = 0; i < mesh->face_count; i++) {
        sb_vec3 vector = area_vector(mesh, i);
        double area = sb_vec3_length(vector);
        cluster *c = cluster_of(clusters, count, vector, &sign);
        if (c) c->area += area;
        total += area;
    }
    return total;
}

/* The largest cluster perpendicular to `to` (or of all); -1 for none. Areas
 * that differ only by rounding are equal, otherwise a rotation of the body
 * would change the choice. */
static int largest(const cluster *clusters, int count, const sb_vec3 *to) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        sb_vec3 n = sb_vec3_normalised(clusters[i].sum);
        if (to && fabs(sb_vec3_dot(n, *to)) > 0.01) continue;
        if (best < 0 || clusters[i].area > clusters[best].area * (1 + 1e-6)) {
            best = i;
        }
    }
    return best;
}

static sb_vec3 any_across(sb_vec3 n) {
    sb_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    sb_vec3 least = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? x
                    : fabs(n.y) <= fabs(n.z)                         ? y
                                                                     : z;
    return sb_vec3_sub(least, sb_vec3_scale(n, sb_vec3_dot(least, n)));
}

static sb_vec3 face_middle(const sb_mesh *mesh, int face) {
    const int *f = mesh->faces[face];
    sb_vec3 sum = sb_vec3_add(mesh->vertices[f[0]], mesh->vertices[f[1]]);
    return sb_vec3_scale(sb_vec3_add(sum, mesh->vertices[f[2]]), 1.0 / 3);
}

static sb_vec3 middle_of(const sb_mesh *mesh) {
    sb_vec3 first = mesh->vertices[0], sum = {0, 0, 0};
    double area = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        double part = sb_vec3_length(area_vector(mesh, i));
        sb_vec3 from = sb_vec3_sub(face_middle(mesh, i), first);
        sum = sb_vec3_add(sum, sb_vec3_scale(from, part));
        area += part;
    }
    if (!(area > 0)) return first;
    return sb_vec3_add(first, sb_vec3_scale(sum, 1 / area));
}

/* Each axis points to the side where the body extends farther, so that the
 * result depends neither on the order of faces nor on mirroring: a mirrored
 * body has mirrored, possibly left-handed, axes. If both sides are equal the
 * axis is unchanged. */
static void point_axes(sb_frame *frame, const sb_mesh *mesh) {
    double skew[3] = {0}, size[3] = {0};
    for (int i = 0; i < mesh->face_count; i++) {
        double area = sb_vec3_length(area_vector(mesh, i));
        sb_vec3 p = sb_frame_into(frame, face_middle(mesh, i));
        double x[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; k++) {
            skew[k] += area * x[k] * x[k] * x[k];
            size[k] += area * fabs(x[k] * x[k] * x[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        if (skew[k] < -1e-6 * size[k])
            frame->axes[k] = sb_vec3_scale(frame->axes[k], -1);
    }
}

bool sb_frame_is_left_handed(const sb_frame *frame) {
    sb_vec3 third = sb_vec3_cross(frame->axes[0], frame->axes[1]);
    return sb_vec3_dot(third, frame->axes[2]) < 0;
}

double sb_frame_longest_side_m(const sb_mesh *mesh) {
    sb_frame frame = sb_frame_of(mesh);
    sb_vec3 low = sb_frame_into(&frame, mesh->vertices[0]), high = low;
    for (int i = 1; i < mesh->vertex_count; i++) {
        sb_vec3 p = sb_frame_into(&frame, mesh->vertices[i]);
        low = (sb_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high =
            (sb_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    return fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
}

sb_frame sb_frame_of(const sb_mesh *mesh) {
    sb_frame frame = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    frame.origin = middle_of(mesh);
    cluster clusters[CLUSTERS_MOST];
    int count = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        gather(clusters, &count, area_vector(mesh, i));
    }
    double area = count_areas(clusters, count, mesh);
    int first = largest(clusters, count, NULL);
    /* The faces of a sphere have all directions: keep the original axes. */
    if (first < 0 || clusters[first].area < 0.02 * area) return frame;
    sb_vec3 a = sb_vec3_normalised(clusters[first].sum);
    int second = largest(clusters, count, &a);
    sb_vec3 b = second >= 0 ? clusters[second].sum : any_across(a);
    b = sb_vec3_sub(b, sb_vec3_scale(a, sb_vec3_dot(a, b)));
    frame.axes[0] = a;
    frame.axes[1] = sb_vec3_normalised(b);
    frame.axes[2] = sb_vec3_cross(frame.axes[0], frame.axes[1]);
    point_axes(&frame, mesh);
    return frame;
}
