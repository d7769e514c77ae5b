/* SPDX-License-Identifier: MIT */
#include "runtime/model/textures/texel_map.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/workers.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/shapes/shapes.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"

#include <math.h>
#include <string.h>

/* --- which face a texel is on --------------------------------------------- */

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

static void extend_face(sb_texel_map *map, const flat_face *f, int face,
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
        if (f.area != 0) extend_face(map, &f, i, nearest);
    }
}

/* --- weights of texels ---------------------------------------------------- */

/* Weights below this share of 1 / sqrt(mass) are rounding errors. */
#define LEAST_WEIGHT 1e-9

enum { PARTS_MOST = 64 };

void sb_texel_map_free(sb_texel_map *map) {
    sb_free(map->texels);
    memset(map, 0, sizeof *map);
}

/* --- closed forms --------------------------------------------------------- */

/* Outside the rim a near texel keeps its position, to which weights are
 * extrapolated; a farther one takes the nearest point of the rim. */
static void place_form(sb_texel_map *map, bool has_rim) {
    for (int y = 0; y < map->height; y++) {
        for (int x = 0; x < map->width; x++) {
            double u = (x + 0.5) / map->width, v = (y + 0.5) / map->height;
            double radius = 2 * hypot(u - 0.5, v - 0.5);
            sb_texel texel = {SB_TEXEL_COVERED, 0, u, v};
            if (has_rim && radius > 1) {
                texel.kind = SB_TEXEL_BESIDE;
                if (radius > 1 + 2 * BESIDE / map->width) {
                    texel.s = 0.5 + (u - 0.5) / radius;
                    texel.t = 0.5 + (v - 0.5) / radius;
                }
            }
            map->covered_count += texel.kind == SB_TEXEL_COVERED;
            map->texels[(size_t)y * (size_t)map->width + (size_t)x] = texel;
        }
    }
}

/* --- meshes --------------------------------------------------------------- */

/* Each texel copies its neighbour, step by step outwards. */
static void copy_outwards(sb_texel_map *map, int *queue) {
    static const int steps[8][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                    {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    int w = map->width, h = map->height, count = 0;
    for (int i = 0; i < w * h; i++) {
        if (map->texels[i].kind != SB_TEXEL_EMPTY) queue[count++] = i;
    }
    for (int head = 0; head < count; head++) {
        int at = queue[head];
        const sb_texel *from = &map->texels[at];
        int source = from->kind == SB_TEXEL_COPY ? from->face : at;
        for (int k = 0; k < 8; k++) {
            int x = at % w + steps[k][0], y = at / w + steps[k][1];
            if (x < 0 || y < 0 || x >= w || y >= h) continue;
            sb_texel *to = &map->texels[y * w + x];
            if (to->kind != SB_TEXEL_EMPTY) continue;
            *to = (sb_texel){SB_TEXEL_COPY, source, 0, 0};
            queue[count++] = y * w + x;
        }
    }
}

static sb_status place_mesh(sb_texel_map *map, const sb_solution *solution,
                            sb_error *err) {
    size_t count = (size_t)map->width * (size_t)map->height;
    bool *is_doubled = sb_alloc(count, sizeof *is_doubled);
    float *nearest = sb_alloc(count, sizeof *nearest);
    int *queue = sb_alloc(count, sizeof *queue);
    sb_status status = SB_OK;
    if (is_doubled && nearest && queue) {
        sb_texel_raster(map, solution->uvs, solution->face_count, is_doubled,
                        nearest);
        copy_outwards(map, queue);
    } else {
        status = sb_no_memory_for(err, "a texture of %d x %d texels",
                                  map->width, map->height);
    }
    if (!status && map->covered_count == 0) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "its texture coordinates cover no texel of %d x %d: "
                         "they are all the same, or outside 0 to 1",
                         map->width, map->height);
    }
    sb_free_all(is_doubled, nearest, queue);
    return status;
}

/* --- making --------------------------------------------------------------- */

static sb_status check(const sb_model *model, int size, sb_error *err) {
    bool is_by_hand = model->shape.kind == SB_SHAPE_MODES;
    if (size < 2 || size > SB_TEXEL_MAP_SIDE_MOST) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "a texture has 2 to %d texels a side, got %d",
                       (int)SB_TEXEL_MAP_SIDE_MOST, size);
    }
    if (is_by_hand || model->mode_count == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s no surface on which modes differ from place to "
                       "place",
                       is_by_hand ? "modes given by hand have"
                                  : "a rigid body has");
    }
    if (!sb_model_has_uv(model)) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "its mesh has no texture coordinates; sandbell bake "
                       "--unwrap MESH -o OUT.obj makes some");
    }
    return SB_OK;
}

sb_status sb_texel_map_make(const sb_model *model, int size, sb_texel_map *out,
                            sb_error *err) {
    sb_status status = check(model, size, err);
    if (status) return status;
    const sb_solution *solution = sb_model_solution(model);
    const sb_shape *shape = &model->shape;
    sb_uv_layout layout = sb_shape_family_of(shape)->layout;
    bool is_line = !solution && layout == SB_UV_LINE;
    sb_texel_map map = {.width = size,
                        .height = is_line ? 1 : size,
                        .repeats = layout == SB_UV_TORUS};
    map.texels =
        sb_alloc((size_t)map.width * (size_t)map.height, sizeof *map.texels);
    if (!map.texels)
        return sb_no_memory_for(err, "a texture of %d x %d texels", map.width,
                                map.height);
    if (solution) {
        status = place_mesh(&map, solution, err);
    } else {
        place_form(&map, sb_shape_is_round(shape));
    }
    if (status) {
        sb_texel_map_free(&map);
        return status;
    }
    *out = map;
    return SB_OK;
}

/* --- weights -------------------------------------------------------------- */

typedef struct weighing {
    const sb_texel_map *map;
    const sb_model *model;
    int first, count, part_count;
    double factor; /* of a rescaled model's weights */
    double least;
    size_t row;      /* modes of the model */
    double *scratch; /* two rows per part */
    float *weights;
} weighing;

/* sums += share * weights at a point. */
static void add_place(const weighing *self, sb_model_point point, double share,
                      double *here, double *sums) {
    sb_model_weights(self->model, point, NULL, here);
    for (int k = self->first; k < self->first + self->count; k++)
        sums[k] += share * self->factor * here[k];
}

/* Displacements are extrapolated beyond a face, not weights: those are not
 * linear where modes have been merged. */
static void continue_face(const weighing *self, const sb_texel *texel,
                          double *here, double *sums) {
    const sb_solution *solution = sb_model_solution(self->model);
    const double parts[3] = {1 - texel->s - texel->t, texel->s, texel->t};
    sb_vec3 normal =
        sb_model_normal(self->model, (sb_model_point){texel->face, 0, 0});
    sb_finished_weights(sb_model_finished(self->model),
                        solution->faces[texel->face], parts,
                        sb_vec3_scale(normal, -1), here);
    for (int k = self->first; k < self->first + self->count; k++)
        sums[k] = self->factor * here[k];
}

/* Beyond a rim weights are extrapolated from the same distance inside it. */
static void continue_rim(const weighing *self, const sb_texel *texel,
                         double *here, double *sums) {
    double x = texel->s - 0.5, y = texel->t - 0.5, radius = 2 * hypot(x, y);
    double rim = 1 / radius, inside = (2 - radius) / radius;
    add_place(self, (sb_model_point){0, 0.5 + x * rim, 0.5 + y * rim}, 2, here,
              sums);
    add_place(self, (sb_model_point){0, 0.5 + x * inside, 0.5 + y * inside}, -1,
              here, sums);
}

static void weigh_texel(const weighing *self, int i, double *here,
                        double *sums) {
    const sb_texel *texel = &self->map->texels[i];
    size_t texel_count = (size_t)self->map->width * (size_t)self->map->height;
    if (texel->kind == SB_TEXEL_COPY) return;
    for (int k = self->first; k < self->first + self->count; k++)
        sums[k] = 0;
    if (texel->kind == SB_TEXEL_COVERED) {
        sb_model_point point = {texel->face, texel->s, texel->t};
        add_place(self, point, 1, here, sums);
    } else if (sb_model_solution(self->model)) {
        continue_face(self, texel, here, sums);
    } else {
        continue_rim(self, texel, here, sums);
    }
    for (int k = 0; k < self->count; k++) {
        double weight = sums[self->first + k];
        self->weights[(size_t)k * texel_count + (size_t)i] =
            fabs(weight) < self->least ? 0.0f : (float)weight;
    }
}

static void weigh_part(void *context, int part) {
    const weighing *self = context;
    int texels = self->map->width * self->map->height;
    double *here = self->scratch + 2 * self->row * (size_t)part;
    int from = (int)((int64_t)texels * part / self->part_count);
    int to = (int)((int64_t)texels * (part + 1) / self->part_count);
    for (int i = from; i < to; i++)
        weigh_texel(self, i, here, here + self->row);
}

static void copy_weights(const sb_texel_map *map, float *weights) {
    int count = map->width * map->height;
    for (int i = 0; i < count; i++) {
        if (map->texels[i].kind == SB_TEXEL_COPY)
            weights[i] = weights[map->texels[i].face];
    }
}

sb_status sb_texel_map_weights(const sb_texel_map *map, const sb_model *model,
                               int first_mode, int mode_count, float *weights,
                               sb_error *err) {
    size_t texel_count = (size_t)map->width * (size_t)map->height;
    const sb_model *source = model->base ? model->base : model;
    sb_model few = *source; /* a closed form evaluates mode_count of them */
    few.mode_count = first_mode + mode_count;
    weighing self = {.map = map,
                     .model = sb_model_solution(model) ? source : &few,
                     .first = first_mode,
                     .count = mode_count,
                     .part_count = PARTS_MOST,
                     .factor = model->base ? model->base_weight : 1,
                     .least = LEAST_WEIGHT / sqrt(sb_model_mass_kg(model)),
                     .row = (size_t)sb_model_mode_count(source),
                     .weights = weights};
    self.scratch = sb_alloc(2 * self.row * PARTS_MOST, sizeof *self.scratch);
    if (!self.scratch)
        return sb_no_memory_for(err, "a texture of %d x %d texels", map->width,
                                map->height);
    sb_workers_run(sb_workers_default(), PARTS_MOST, weigh_part, &self);
    for (int k = 0; k < mode_count; k++)
        copy_weights(map, weights + (size_t)k * texel_count);
    sb_free(self.scratch);
    return sb_stop_check(err);
}

static double largest_of(const sb_texel_map *map, const float *weights,
                         bool all) {
    int count = map->width * map->height;
    double largest = 0;
    for (int i = 0; i < count; i++) {
        if (all || map->texels[i].kind == SB_TEXEL_COVERED)
            largest = fmax(largest, fabs((double)weights[i]));
    }
    return largest;
}

double sb_texel_map_largest(const sb_texel_map *map, const float *weights) {
    return largest_of(map, weights, false);
}

double sb_texel_map_scale(const sb_texel_map *map, const float *weights) {
    double scale = largest_of(map, weights, true);
    return scale > 0 ? scale : 1; /* the mode moves nowhere */
}
