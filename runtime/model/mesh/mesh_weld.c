/* Welds coincident points with a hash grid whose cells are four times as
 * wide as the tolerance. Kept points are at least the tolerance apart, so a
 * cell holds a hundred at most, even where one stray vertex makes the
 * bounding box, and thus the tolerance, large. Runs on the control thread or
 * a worker. */
#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh_internal.h"

enum { TOLERANCES_A_CELL = 4 };

struct grid {
    const sb_vec3 *points;
    sb_vec3 origin_m; /* near the points, otherwise cell indices could
                       * overflow */
    double tolerance_m, per_cell; /* cells per m */
    uint64_t mask;
    int *head; /* first point of each bucket + 1; 0: empty */
    int *next; /* next point in the bucket, likewise */
};

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static uint64_t bucket_of(const struct grid *grid, const int64_t cell[3]) {
    uint64_t hash = mix((uint64_t)cell[0]);
    hash = mix(hash ^ ((uint64_t)cell[1] + 0x9e3779b97f4a7c15u));
    return mix(hash ^ ((uint64_t)cell[2] << 1)) & grid->mask;
}

/* The lowest-numbered kept point within the tolerance, or `best`. */
static int search_bucket(const struct grid *grid, uint64_t bucket, sb_vec3 p,
                         int best) {
    double limit = grid->tolerance_m * grid->tolerance_m;
    for (int i = grid->head[bucket]; i; i = grid->next[i - 1]) {
        sb_vec3 d = sb_vec3_sub(p, grid->points[i - 1]);
        if (sb_vec3_dot(d, d) <= limit && i - 1 < best) best = i - 1;
    }
    return best;
}

static void cell_of(const struct grid *grid, sb_vec3 p, double offset_m,
                    int64_t cell[3]) {
    sb_vec3 d = sb_vec3_sub(p, grid->origin_m);
    cell[0] = (int64_t)floor((d.x + offset_m) * grid->per_cell);
    cell[1] = (int64_t)floor((d.y + offset_m) * grid->per_cell);
    cell[2] = (int64_t)floor((d.z + offset_m) * grid->per_cell);
}

/* Usually one cell; adjacent ones only for a point near the cell's wall. */
static int search_near(const struct grid *grid, sb_vec3 p, int best) {
    int64_t low[3], high[3], cell[3];
    cell_of(grid, p, -grid->tolerance_m, low);
    cell_of(grid, p, grid->tolerance_m, high);
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++) {
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++) {
                best = search_bucket(grid, bucket_of(grid, cell), p, best);
            }
        }
    }
    return best;
}

static bool same_point(sb_vec3 a, sb_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static int weld_one(struct grid *grid, int vertex) {
    sb_vec3 p = grid->points[vertex];
    int64_t cell[3];
    cell_of(grid, p, 0, cell);
    uint64_t own = bucket_of(grid, cell);
    /* If a kept point is exactly here, no other one is within the tolerance:
     * the usual case, for which this cell is enough. */
    int best = search_bucket(grid, own, p, vertex);
    if (best < vertex && same_point(p, grid->points[best])) return best;
    best = search_near(grid, p, best);
    if (best == vertex) {
        grid->next[vertex] = grid->head[own];
        grid->head[own] = vertex + 1;
    }
    return best;
}

sb_status sb_mesh_weld(const sb_mesh *mesh, const bool *used, sb_vec3 low_m,
                       double tolerance_m, int *first_of, sb_error *err) {
    size_t buckets = 16;
    while (buckets < (size_t)mesh->vertex_count) {
        buckets *= 2;
    }
    struct grid grid = {.points = mesh->vertices,
                        .origin_m = low_m,
                        .tolerance_m = tolerance_m,
                        .per_cell = 1 / (TOLERANCES_A_CELL * tolerance_m),
                        .mask = buckets - 1,
                        .head = sb_alloc(buckets, sizeof(int)),
                        .next =
                            sb_alloc((size_t)mesh->vertex_count, sizeof(int))};
    bool is_ok = grid.head && grid.next;
    for (int i = 0; is_ok && i < mesh->vertex_count; i++) {
        first_of[i] = used[i] ? weld_one(&grid, i) : i;
    }
    sb_free(grid.head);
    sb_free(grid.next);
    if (is_ok) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "no memory to weld %d vertices",
                   mesh->vertex_count);
}
