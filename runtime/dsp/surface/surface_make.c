/* Checks the definition of a surface and creates it. Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/dsp/surface/surface_internal.h"

#include <math.h>

sb_surface_def sb_surface_default(sb_surface_kind kind) {
    sb_surface_def def = {.kind = kind,
                          .seed = 1,
                          .roughness_m = 5e-6,
                          .grain_m = 0.2e-3,
                          .exponent = 2.0,
                          .longest_m = 0.05,
                          .shortest_m = 0.1e-3,
                          .period_m = 0.01,
                          .depth_m = 1e-3,
                          .width_m = 2e-3,
                          .edge_m = 0.3e-3,
                          .variety = 0.5,
                          .rows = 1,
                          .spacing_m = 0.1e-3,
                          .row_spacing_m = 0.1e-3};
    if (kind == SB_SURFACE_FRACTAL) def.roughness_m = 20e-6;
    if (kind == SB_SURFACE_COBBLES) {
        def.period_m = 0.08;
        def.depth_m = 8e-3;
    }
    if (kind == SB_SURFACE_GRAVEL)
        def.gravel = (sb_gravel){100.0, 1500.0, 1e-4, {30e-6, 150e-6}};
    return def;
}

typedef struct rule {
    const char *name;
    double value, least, most;
    unsigned kinds; /* kinds that use the field, one bit each */
} rule;

enum {
    NOISE = 1 << SB_SURFACE_NOISE | 1 << SB_SURFACE_GRAVEL,
    FRACTAL = 1 << SB_SURFACE_FRACTAL,
    GRID = 1 << SB_SURFACE_GRID,
    COBBLES = 1 << SB_SURFACE_COBBLES,
    STORED = 1 << SB_SURFACE_STORED,
    ALL = NOISE | FRACTAL | GRID | COBBLES | STORED
};

static sb_status check_numbers(const sb_surface_def *d, sb_error *err) {
    const double tiny = 1e-7, far = 1e4;
    const sb_gravel *g = &d->gravel;
    bool has_grains = g->per_n2s > 0.0;
    const rule rules[] = {
        {"length", d->length_m, 0.0, far, ALL},
        {"roughness", d->roughness_m, 0.0, 1.0, NOISE | FRACTAL},
        {"grain", d->grain_m, tiny, far, NOISE},
        {"exponent", d->exponent, 0.0, 6.0, FRACTAL},
        {"shortest", d->shortest_m, tiny, far, FRACTAL},
        {"longest", d->longest_m, d->shortest_m, far, FRACTAL},
        {"period", d->period_m, tiny, far, GRID | COBBLES},
        {"depth", d->depth_m, 0.0, 10.0, GRID | COBBLES},
        {"width", d->width_m, 0.0, 0.5 * d->period_m, GRID},
        {"edge", d->edge_m, 0.0, d->width_m, GRID},
        {"variety", d->variety, 0.0, 1.0, COBBLES},
        {"points", d->points, 2, SB_SURFACE_MOST_POINTS / 4.0, STORED},
        {"rows", d->rows, 1, 65536, STORED},
        {"spacing", d->spacing_m, tiny, far, STORED},
        {"row_spacing", d->row_spacing_m, tiny, far, STORED},
        {"grains activity", g->per_n2s, 0.0, 1e12, ALL},
        {"grains most", g->most_hz, 1.0, 2e4, has_grains ? ALL : 0},
        {"grains impulse", g->impulse_ns, 0.0, 1e3, ALL},
        {"grains shortest", g->duration_s[0], 0.0, 0.01, ALL},
        {"grains longest", g->duration_s[1], g->duration_s[0], 0.01, ALL},
    };
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
        const rule *r = &rules[i];
        if (!(r->kinds >> d->kind & 1u)) continue;
        if (!(r->value >= r->least && r->value <= r->most))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "surface: %s is %g; expected %g to %g", r->name,
                           r->value, r->least, r->most);
    }
    return SB_OK;
}

static sb_status check(const sb_surface_def *def, sb_error *err) {
    if ((unsigned)def->kind >= SB_SURFACE_KIND_COUNT)
        return sb_fail(err, SB_BAD_ARGUMENT, "surface: there is no kind %d",
                       (int)def->kind);
    sb_status status = check_numbers(def, err);
    if (status || def->kind != SB_SURFACE_STORED) return status;
    if (!def->heights_m)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "surface: a stored one has no heights");
    if ((unsigned)def->end > SB_SURFACE_CLAMP)
        return sb_fail(err, SB_BAD_ARGUMENT, "surface: there is no end %d",
                       (int)def->end);
    for (long i = 0; i < (long)def->points * def->rows; i++)
        if (!(fabsf(def->heights_m[i]) <= 10.0f))
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "surface: height %ld is %g m; expected -10 to 10",
                           i + 1, (double)def->heights_m[i]);
    return SB_OK;
}

long sb_surface_size(const sb_surface_def *def) {
    double period_m;
    long rows = def->kind == SB_SURFACE_STORED ? def->rows : 1;
    return rows * sb_surface_points(def, &period_m);
}

/* The continuation of the spectrum below the shortest waves of the table: of
 * noise as 1 / c^2, of a fractal with its own exponent. Gravel is stones. */
static sb_surface_grain grain_of(const sb_surface_def *def) {
    if (def->kind == SB_SURFACE_NOISE)
        return (sb_surface_grain){def->roughness_m, def->grain_m, 0.5};
    if (def->kind == SB_SURFACE_FRACTAL)
        return (sb_surface_grain){def->roughness_m, def->longest_m,
                                  fmax(0.5 * (def->exponent - 1.0), 0.0)};
    return (sb_surface_grain){0};
}

double sb_surface_rough_m(const sb_surface *surface, double width_m) {
    const sb_surface_grain *grain = &surface->grain;
    if (!(grain->rough_m > 0.0)) return 0.0;
    return grain->rough_m *
           pow(fmin(width_m / grain->length_m, 1.0), grain->growth);
}

sb_status sb_surface_create(const sb_surface_def *def, sb_surface **out,
                            sb_error *err) {
    sb_status status = check(def, err);
    if (status) return status;
    double period_m;
    int points = sb_surface_points(def, &period_m);
    bool is_stored = def->kind == SB_SURFACE_STORED;
    bool is_clamped = is_stored && def->end == SB_SURFACE_CLAMP;
    sb_surface_table table = {.points = points,
                              .rows = is_stored ? def->rows : 1,
                              .spacing_m = period_m / points,
                              .row_spacing_m = def->row_spacing_m,
                              .length_m =
                                  is_clamped ? 0.5 * period_m : period_m,
                              .is_clamped = is_clamped,
                              .gravel = def->gravel,
                              .grain = grain_of(def)};
    if ((long)points * table.rows > SB_SURFACE_MOST_POINTS)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "surface: %d rows of %d points are too many; expected "
                       "at most %d points in all",
                       table.rows, points, (int)SB_SURFACE_MOST_POINTS);
    table.heights_m =
        sb_alloc((size_t)table.rows * (size_t)points, sizeof(float));
    if (!table.heights_m)
        return sb_fail(err, SB_NO_MEMORY,
                       "no memory for a surface of %d points", points);
    status = sb_surface_shape(def, &table, err);
    if (!status) status = sb_surface_build(&table, out, err);
    sb_free(table.heights_m);
    return status;
}
