/* runtime/model/textures/texel_raster.c -- triangles of a texture, filled.
 * Thread: control. */
#include "runtime/model/textures/texel_map.h"

#include <math.h>

/* Tolerance: a texel on the edge between two faces belongs to one of them in
 * spite of rounding; it counts as claimed twice only if well inside both. */
#define EDGE_SLACK 1e-9
#define WELL       1e-3

/* How far the surface is extrapolated, in texels: bilinear reading within a
 * face needs the square root of two, mip maps of paint programs a little
 * more. */
#define BESIDE 2.0

/* Extrapolating farther than so many faces would magnify rounding errors. */
#define SHARE_LEAST (-1.0)
#define SHARE_MOST  2.0

/* In texels, so that texel (i, j) has its centre at (i, j). */
typedef struct flat_face {
    double x[3], y[3];
    double area; /* twice, with its sign */
} flat_face;

typedef struct box {
    int left, right, top, bottom; /* both ends included */
} box;

static flat_face flatten(const sb_texel_map *map, const float uv[3][2],
                         int turn_u, int turn_v) {
    flat_face f;
    for (int c = 0; c < 3; c++) {
        f.x[c] = ((double)uv[c][0] + turn_u) * map->width - 0.5;
        f.y[c] = ((double)uv[c][1] + turn_v) * map->height - 0.5;
    }
    f.area = (f.x[1] - f.x[0]) * (f.y[2] - f.y[0]) -
             (f.x[2] - f.x[0]) * (f.y[1] - f.y[0]);
    return f;
}

static double least(const double v[3]) {
    return fmin(v[0], fmin(v[1], v[2]));
}

static double most(const double v[3]) {
    return fmax(v[0], fmax(v[1], v[2]));
}

/* The texels within `reach` of a face; empty when right < left. */
static box box_of(const sb_texel_map *map, const flat_face *f, double reach) {
    return (box){
        (int)fmin(map->width, ceil(fmax(least(f->x) - reach, 0))),
        (int)fmax(-1, floor(fmin(most(f->x) + reach, map->width - 1))),
        (int)fmin(map->height, ceil(fmax(least(f->y) - reach, 0))),
        (int)fmax(-1, floor(fmin(most(f->y) + reach, map->height - 1))),
    };
}

static void shares_at(const flat_face *f, double x, double y, double *s,
                      double *t) {
    double dx = x - f->x[0], dy = y - f->y[0];
    *s = (dx * (f->y[2] - f->y[0]) - (f->x[2] - f->x[0]) * dy) / f->area;
    *t = ((f->x[1] - f->x[0]) * dy - dx * (f->y[1] - f->y[0])) / f->area;
}

static double least_share(double s, double t) {
    return fmin(fmin(s, t), 1 - s - t);
}

/* --- what a face covers --------------------------------------------------- */

static void cover(sb_texel_map *map, const flat_face *f, int face,
                  bool *is_doubled) {
    box in = box_of(map, f, 1e-6);
    for (int y = in.top; y <= in.bottom; y++) {
        for (int x = in.left; x <= in.right; x++) {
            size_t i = (size_t)y * (size_t)map->width + (size_t)x;
            double s, t;
            shares_at(f, x, y, &s, &t);
            if (!(least_share(s, t) >= -EDGE_SLACK)) continue;
            sb_texel *texel = &map->texels[i];
            if (texel->kind == SB_TEXEL_EMPTY) {
                *texel = (sb_texel){SB_TEXEL_COVERED, face, s, t};
                map->covered_count++;
            } else if (!is_doubled[i] && least_share(s, t) > WELL &&
                       least_share(texel->s, texel->t) > WELL) {
                is_doubled[i] = true;
                map->doubled_count++;
            }
        }
    }
}

/* --- what lies beside it -------------------------------------------------- */

/* Barycentric coordinates of the nearest point of a face; its squared distance
 * in texels. */
static double nearest_in(const flat_face *f, double x, double y, double *s,
                         double *t) {
    double best = INFINITY;
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3;
        double ex = f->x[d] - f->x[c], ey = f->y[d] - f->y[c];
        double length = ex * ex + ey * ey;
        double along = (x - f->x[c]) * ex + (y - f->y[c]) * ey;
        along = length > 0 ? fmin(fmax(along / length, 0), 1) : 0;
        double px = f->x[c] + along * ex - x, py = f->y[c] + along * ey - y;
        double square = px * px + py * py;
        if (square >= best) continue;
        double shares[3] = {0, 0, 0};
        shares[c] = 1 - along;
        shares[d] = along;
        *s = shares[1];
        *t = shares[2];
        best = square;
    }
    return best;
}

static void continue_face(sb_texel_map *map, const flat_face *f, int face,
                          float *nearest) {
    box in = box_of(map, f, BESIDE);
    for (int y = in.top; y <= in.bottom; y++) {
        for (int x = in.left; x <= in.right; x++) {
            size_t i = (size_t)y * (size_t)map->width + (size_t)x;
            if (map->texels[i].kind == SB_TEXEL_COVERED) continue;
            double s = 0, t = 0, beyond_s, beyond_t;
            double square = nearest_in(f, x, y, &s, &t);
            if (square > BESIDE * BESIDE || square >= (double)nearest[i])
                continue;
            nearest[i] = (float)square;
            shares_at(f, x, y, &beyond_s, &beyond_t);
            bool is_near =
                least_share(beyond_s, beyond_t) >= SHARE_LEAST &&
                fmax(beyond_s, fmax(beyond_t, 1 - beyond_s - beyond_t)) <=
                    SHARE_MOST;
            map->texels[i] =
                (sb_texel){SB_TEXEL_BESIDE, face, is_near ? beyond_s : s,
                           is_near ? beyond_t : t};
        }
    }
}

/* --- all of them ---------------------------------------------------------- */

static bool is_middle_inside(const float uv[3][2]) {
    double u = (double)(uv[0][0] + uv[1][0] + uv[2][0]) / 3;
    double v = (double)(uv[0][1] + uv[1][1] + uv[2][1]) / 3;
    return u >= 0 && u <= 1 && v >= 0 && v <= 1;
}

/* Faces that cross an edge continue at the opposite one. */
static void cover_turned(sb_texel_map *map, const float uv[3][2], int face,
                         bool *is_doubled) {
    bool is_within = true;
    for (int c = 0; c < 3; c++) {
        is_within = is_within && uv[c][0] >= 0 && uv[c][0] <= 1 &&
                    uv[c][1] >= 0 && uv[c][1] <= 1;
    }
    if (is_within || !is_middle_inside(uv)) return;
    for (int turn = 0; turn < 9; turn++) {
        if (turn == 4) continue;
        flat_face f = flatten(map, uv, turn % 3 - 1, turn / 3 - 1);
        cover(map, &f, face, is_doubled);
    }
}

void sb_texel_raster(sb_texel_map *map, const float (*uvs)[3][2],
                     int face_count, bool *is_doubled, float *nearest) {
    for (int i = 0; i < face_count; i++) {
        flat_face f = flatten(map, uvs[i], 0, 0);
        if (f.area != 0) cover(map, &f, i, is_doubled);
        box in = box_of(map, &f, 0.5);
        if (in.right < in.left || in.bottom < in.top) map->outside_count++;
    }
    for (int i = 0; i < face_count; i++) {
        if (flatten(map, uvs[i], 0, 0).area != 0)
            cover_turned(map, uvs[i], i, is_doubled);
    }
    for (int i = 0; i < map->width * map->height; i++)
        nearest[i] = INFINITY;
    for (int i = 0; i < face_count; i++) {
        flat_face f = flatten(map, uvs[i], 0, 0);
        if (f.area != 0) continue_face(map, &f, i, nearest);
    }
}
