/* SPDX-License-Identifier: MIT */
#include "runtime/model/revolve/revolve.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/model_draft.h"
#include "runtime/model/revolve/harmonic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    WAVES_MOST = 500,    /* harmonics */
    ELEMENTS_MOST = 200, /* of a profile */
    ELEMENTS_LEAST = 12,
    PER_WAVE = 5, /* elements per bending wave at the highest frequency */
    REFINED_MOST = 3,
    MODES_LEAST = 300 /* a stiff wall has fewer low ones than a sheet */
};

/* Less than this part of the largest motion counts as none. */
#define NODE_SHARE 0.02

/* Modes beyond this multiple of the limit are not looked for. */
#define SPARE_MODES 1.3

/* What a model keeps: its profile, and the shapes of all modes on nodes. */
typedef struct turned {
    sb_profile_point *points;
    sb_outline outline;
    sb_meridian meridian;
    double (*shapes)[3]; /* [shape_count][node_count]: u_r, u_a, u_y */
    int shape_count, shape_capacity;
    int most_waves;
} turned;

/* sb_mode_shape: kind 0 cos, 1 sin; n waves; m which of `shapes`; c[0] scale. */
enum { COSINE, SINE };

static const turned *of(const sb_model *model) {
    return model->extra;
}

void sb_turned_free(void *extra) {
    turned *self = extra;
    if (!self) return;
    sb_free(self->points);
    sb_free(self->shapes);
    sb_meridian_free(&self->meridian);
    sb_free(self);
}

/* --- points --------------------------------------------------------------- */

/* On the outer face of the wall. */
sb_vec3 sb_turned_position(const sb_model *model, double u, double v) {
    sb_outline_place at = sb_outline_at(&of(model)->outline, v);
    double r = fmax(at.r + 0.5 * at.t * at.normal[0], 0);
    return (sb_vec3){r * cos(SB_TAU * u), at.y + 0.5 * at.t * at.normal[1],
                     r * sin(SB_TAU * u)};
}

sb_vec3 sb_turned_normal(const sb_model *model, double u, double v) {
    sb_outline_place at = sb_outline_at(&of(model)->outline, v);
    return (sb_vec3){at.normal[0] * cos(SB_TAU * u), at.normal[1],
                     at.normal[0] * sin(SB_TAU * u)};
}

void sb_turned_nearest(const sb_model *model, sb_vec3 point_m, double *u,
                       double *v) {
    double turn = atan2(point_m.z, point_m.x) / SB_TAU;
    *u = turn < 0 ? turn + 1 : turn;
    *v = sb_outline_nearest(&of(model)->outline, hypot(point_m.x, point_m.z),
                            point_m.y);
}

/* --- weights -------------------------------------------------------------- */

/* The element at a length along the profile, and the shares of its nodes. */
static int element_at(const sb_meridian *meridian, double at_m, double n[3]) {
    int low = 0, high = meridian->element_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (meridian->nodes[2 * middle].at_m <= at_m) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    double from = meridian->nodes[2 * low].at_m;
    double half = meridian->nodes[2 * low + 1].at_m - from;
    double xi = fmin(fmax((at_m - from) / half - 1, -1), 1);
    n[0] = 0.5 * xi * (xi - 1);
    n[1] = 1 - xi * xi;
    n[2] = 0.5 * xi * (xi + 1);
    return low;
}

static void motion_at(const turned *self, int shape, int element,
                      const double n[3], double motion[3]) {
    const double(*nodes)[3] = (const double(*)[3])self->shapes +
                              (size_t)shape * (size_t)self->meridian.node_count;
    memset(motion, 0, 3 * sizeof *motion);
    for (int j = 0; j < 3; j++) {
        int node = sb_meridian_node_of(&self->meridian, element, j);
        for (int c = 0; c < 3; c++)
            motion[c] += n[j] * nodes[node][c];
    }
}

void sb_turned_weights(const sb_model *model, double u, double v,
                       sb_vec3 direction, double *weights) {
    const turned *self = of(model);
    double angle = SB_TAU * u, c = cos(angle), s = sin(angle), n[3];
    double radial = direction.x * c + direction.z * s;
    double around = direction.z * c - direction.x * s;
    int element = element_at(&self->meridian, v * self->outline.length_m, n);
    double cosines[WAVES_MOST + 1], sines[WAVES_MOST + 1];
    for (int i = 0; i <= self->most_waves; i++) {
        cosines[i] = cos(i * angle);
        sines[i] = sin(i * angle);
    }
    int last = -1;
    double motion[3] = {0};
    for (int k = 0; k < model->mode_count; k++) {
        const sb_mode_shape *shape = &model->shapes[k];
        if (shape->m != last) motion_at(self, shape->m, element, n, motion);
        last = shape->m; /* cos and sin share it */
        double cosine = cosines[shape->n], sine = sines[shape->n];
        bool is_cosine = shape->kind == COSINE;
        double along = is_cosine ? cosine : sine;
        /* Without waves, what turns about the axis does so everywhere. */
        double across = shape->n == 0 ? 1 : is_cosine ? sine : -cosine;
        weights[k] = shape->c[0] *
                     ((motion[0] * radial + motion[2] * direction.y) * along +
                      motion[1] * around * across);
    }
}

/* --- building ------------------------------------------------------------- */

typedef struct building {
    sb_model *model;
    const sb_turned_def *def;
    turned *self;
    double max_hz;
    sb_error *err;
} building;

static double plate_speed(const sb_material *material) {
    double nu = material->poisson_ratio;
    return sqrt(material->youngs_modulus / (material->density * (1 - nu * nu)));
}

static double least_wall(const sb_turned_def *def) {
    double least = INFINITY;
    for (int i = 0; i < def->count; i++)
        least = fmin(least, def->points[i].t);
    return least;
}

/* Hz at which about as many modes lie below as may be kept: a sheet has
 * sqrt(3) / (c t) modes per Hz and square metre (Weyl). */
static double crowded_hz(const building *self) {
    sb_outline_mass mass = sb_outline_weigh(&self->self->outline);
    double area = 0.5 * mass.area_m2;
    double wall = mass.volume_m3 / area;
    double per_hz =
        area * sqrt(3) / (plate_speed(&self->model->material) * wall);
    double modes = SPARE_MODES * self->model->limits.max_modes + MODES_LEAST;
    return modes / per_hz;
}

/* Short against a bending wave, and against the length over which the edge of
 * a curved wall disturbs it, sqrt(r t). */
static double element_length(const building *self) {
    double c = plate_speed(&self->model->material),
           wall = least_wall(self->def);
    double wave = sqrt(SB_TAU * c * wall / sqrt(12.0) / self->max_hz);
    double far = 0;
    for (int i = 0; i < self->def->count; i++)
        far = fmax(far, self->def->points[i].r);
    double length = self->self->outline.length_m;
    double fine = fmin(wave / PER_WAVE, 2 * sqrt(far * wall));
    return fmax(fmin(fine, length / ELEMENTS_LEAST), length / ELEMENTS_MOST);
}

static double value_of(const building *self, double hz) {
    const sb_material *material = &self->model->material;
    double omega = SB_TAU * hz;
    return omega * omega * material->density / material->youngs_modulus;
}

static double hz_of(const building *self, double value) {
    const sb_material *material = &self->model->material;
    return sqrt(value * material->youngs_modulus / material->density) / SB_TAU;
}

static sb_status solve(const building *self, const sb_meridian *meridian,
                       int waves, sb_harmonic *out) {
    sb_harmonic_def def = {
        .meridian = meridian,
        .waves = waves,
        .poisson_ratio = self->model->material.poisson_ratio,
        .first = self->def->first,
        .last = self->def->last,
        .max_value = value_of(self, self->max_hz),
    };
    return sb_harmonic_solve(&def, out, self->err);
}

/* The largest relative change of a frequency. */
static double change_of(const sb_harmonic *a, const sb_harmonic *b) {
    int count = a->count < b->count ? a->count : b->count;
    double most = fabs(sqrt(a->lowest / b->lowest) - 1);
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(sqrt(a->values[k] / b->values[k]) - 1));
    return most;
}

/* Halve the elements until the modes with two waves stay where they are. */
static sb_status cut_up(building *self) {
    double element = element_length(self);
    double least = self->self->outline.length_m / ELEMENTS_MOST;
    sb_harmonic before, after;
    sb_meridian *meridian = &self->self->meridian;
    sb_status status =
        sb_meridian_make(&self->self->outline, element, meridian, self->err);
    if (!status) status = solve(self, meridian, 2, &before);
    if (status) return status;
    for (int i = 0; i < REFINED_MOST && element / 2 >= least; i++) {
        sb_meridian finer;
        element /= 2;
        status =
            sb_meridian_make(&self->self->outline, element, &finer, self->err);
        if (status) break;
        status = solve(self, &finer, 2, &after);
        if (status) {
            sb_meridian_free(&finer);
            break;
        }
        double change = change_of(&before, &after);
        sb_harmonic_free(&before);
        before = after;
        bool is_close = change < SB_TURNED_CLOSE;
        /* What was checked is fine enough; the finer one was the check. */
        if (is_close) {
            sb_meridian_free(&finer);
            break;
        }
        sb_meridian_free(meridian);
        *meridian = finer;
    }
    sb_harmonic_free(&before);
    return status;
}

/* --- modes ---------------------------------------------------------------- */

/* How a shape moves outward at the nodes of an element's start. */
static double outward_at(const turned *self, const double (*nodes)[3], int e,
                         int j) {
    int node = sb_meridian_node_of(&self->meridian, e, j);
    const sb_director *d = &self->meridian.directors[e][j];
    return nodes[node][0] * d->unit[0] + nodes[node][2] * d->unit[1];
}

/* Circles on which the wall does not move outward; the mean square of that
 * motion; and the sign that makes the first of it positive. */
typedef struct outward {
    int circles;
    double mean_square; /* along the profile, by area */
    double sign;
    bool is_twist; /* moves round the axis only */
} outward;

static outward look_at(const turned *self, const double (*nodes)[3]) {
    outward found = {.sign = 1};
    const sb_meridian *meridian = &self->meridian;
    static const double shares[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
    double area = 0, round = 0, most = 0, before = 0;
    for (int e = 0; e < meridian->element_count; e++) {
        for (int j = 0; j < 3; j++) {
            int node = sb_meridian_node_of(meridian, e, j);
            double length = 2 * (meridian->nodes[2 * e + 1].at_m -
                                 meridian->nodes[2 * e].at_m);
            double ring = shares[j] * length * meridian->nodes[node].r;
            double w = outward_at(self, nodes, e, j);
            found.mean_square += ring * w * w;
            round += ring * nodes[node][1] * nodes[node][1];
            area += ring;
            most = fmax(most, fabs(w));
        }
    }
    found.mean_square /= area;
    found.is_twist = found.mean_square < 1e-9 * round / area;
    for (int e = 0; e < meridian->element_count; e++) {
        for (int j = 0; j < 3; j++) {
            double w = outward_at(self, nodes, e, j);
            if (fabs(w) < NODE_SHARE * most) continue;
            if (before == 0) found.sign = w < 0 ? -1 : 1;
            if (before * w < 0) found.circles++;
            before = w;
        }
    }
    return found;
}

/* How often each number of circles has come, for labels. */
enum { CIRCLES_MOST = 200 };

static void label_mode(char *label, int waves, const outward *moves,
                       int *times) {
    int circles = moves->circles < CIRCLES_MOST ? moves->circles : 0;
    int again = times[circles]++;
    char letter[2] = {again == 0 ? '\0' : (char)('a' + again % 26), '\0'};
    (void)snprintf(label, SB_MODE_LABEL_SIZE, "(%d,%d)%s", waves,
                   moves->circles, letter);
}

static sb_status add_pair(building *self, int waves, double hz,
                          const outward *moves, const char *name) {
    static const char *const endings[] = {" cos", " sin"};
    double around = waves == 0 ? SB_TAU : SB_PI;
    double scale = moves->sign / sqrt(around * self->model->material.density);
    sb_mode_shape shape = {
        .n = waves, .m = self->self->shape_count, .c = {scale}};
    /* Mean of cos^2 round the axis. */
    double mean_square =
        (waves == 0 ? 1 : 0.5) * scale * scale * moves->mean_square;
    for (int i = 0; i < (waves == 0 ? 1 : 2); i++) {
        shape.kind = i;
        sb_status status =
            sb_model_add(self->model, hz, mean_square, &shape, self->err,
                         "%.18s%s", name, waves == 0 ? "" : endings[i]);
        if (status) return status;
    }
    return SB_OK;
}

static sb_status add_harmonic(building *self, int waves,
                              const sb_harmonic *found) {
    turned *to = self->self;
    size_t nodes = (size_t)to->meridian.node_count;
    int times[CIRCLES_MOST] = {0}, twists = 0;
    for (int k = 0; k < found->count; k++) {
        const double(*shape)[3] =
            (const double(*)[3])found->shapes + (size_t)k * nodes;
        char name[SB_MODE_LABEL_SIZE];
        outward moves = look_at(to, shape);
        if (moves.is_twist) {
            (void)snprintf(name, sizeof name, "twist %d", ++twists);
        } else {
            label_mode(name, waves, &moves, times);
        }
        sb_status status =
            add_pair(self, waves, hz_of(self, found->values[k]), &moves, name);
        if (status) return status;
        if (!sb_grow((void **)&to->shapes, &to->shape_capacity,
                     to->shape_count + 1, nodes * sizeof *to->shapes)) {
            return sb_fail(self->err, SB_NO_MEMORY,
                           "revolve: out of memory for its modes");
        }
        memcpy(to->shapes + (size_t)to->shape_count++ * nodes, shape,
               nodes * sizeof *shape);
        to->most_waves = waves;
    }
    return SB_OK;
}

/* The lowest mode of a harmonic first falls, then rises with the waves. */
static sb_status add_all(building *self) {
    double before = 0;
    for (int waves = 0; waves <= WAVES_MOST; waves++) {
        sb_harmonic found;
        sb_status status = solve(self, &self->self->meridian, waves, &found);
        if (status) return status;
        status = add_harmonic(self, waves, &found);
        double lowest = found.lowest;
        int count = found.count;
        if (count == 0) sb_model_note(self->model, hz_of(self, lowest));
        sb_harmonic_free(&found);
        if (status) return status;
        if (waves > 2 && count == 0 && lowest >= before) break;
        before = lowest;
    }
    return SB_OK;
}

void sb_turned_set_mass(sb_model *model, const sb_outline *outline) {
    sb_outline_mass mass = sb_outline_weigh(outline);
    double density = model->material.density;
    model->mass_kg = density * mass.volume_m3;
    model->area_m2 = mass.area_m2;
    model->centre_m = (sb_vec3){0, mass.centre_m, 0};
    model->inverse_inertia[0] = model->inverse_inertia[2] =
        1 / (density * mass.across_m5);
    model->inverse_inertia[1] = 1 / (density * mass.axial_m5);
}

sb_status sb_turned_build(sb_model *model, const sb_turned_def *def,
                          sb_error *err) {
    turned *made = sb_alloc(1, sizeof *made);
    size_t bytes = (size_t)def->count * sizeof *def->points;
    model->extra = made; /* freed with the model, on failure, too */
    if (made) made->points = sb_alloc((size_t)def->count, sizeof *made->points);
    if (!made || !made->points) return sb_no_memory(err, "revolve");
    memcpy(made->points, def->points, bytes);
    made->outline = sb_outline_of(made->points, def->count, def->second);
    sb_turned_set_mass(model, &made->outline);
    building self = {.model = model, .def = def, .self = made, .err = err};
    self.max_hz = fmin(model->limits.max_hz, crowded_hz(&self));
    sb_status status;
    do {
        sb_meridian_free(&made->meridian);
        status = cut_up(&self);
        if (!status) status = add_all(&self);
        bool is_all = self.max_hz >= model->limits.max_hz;
        if (status || made->shape_count > 0 || is_all) break;
        /* A thin closed wall: all its modes lie above so many of a sheet. */
        self.max_hz = fmin(4 * self.max_hz, model->limits.max_hz);
    } while (true);
    return status;
}
