/* SPDX-License-Identifier: MIT */
/* bench deformable --part law: is what a deformable body radiates as loud as its
 * linear modes, and as the same shape as a body of modes? Thread: control. */
#include "tests/bench/deform/deformable_body.h"
#include "tests/deform/one_law.h"

#define SHEET(size, ...) \
    { .kind = SB_SHAPE_##size, .method = SB_METHOD_SHELL, __VA_ARGS__ }
#define PLATE(w, d, t, ...) \
    SHEET(PLATE, .width = (w), .depth = (d), .thickness = (t), __VA_ARGS__)

static const struct {
    const char *name;
    law_def def;
    bool is_long;
} bodies[] = {
    {"plate of 30 cm",
     {.shape =
          PLATE(0.3, 0.21, 2e-3, .elements = 24, .support = SB_SUPPORT_FREE),
      .u = 0.1,
      .v = 0.13},
     false},
    {"clamped plate of 30 cm",
     {.shape =
          PLATE(0.3, 0.21, 2e-3, .elements = 24, .support = SB_SUPPORT_CLAMPED),
      .u = 0.4,
      .v = 0.43},
     false},
    {"sheet of 1 m",
     {.shape = PLATE(1, 0.7, 5e-3, .elements = 20, .support = SB_SUPPORT_FREE),
      .u = 0.1,
      .v = 0.13},
     true},
    {"disk of 80 cm",
     {.shape = SHEET(DISK, .radius = 0.4, .thickness = 6e-3, .elements = 20),
      .u = 0.93,
      .v = 0.13},
     true},
    {"cup of 16 cm",
     {.shape = SHEET(CONE, .radius = 0.05, .top_radius = 0.08, .height = 0.1,
                     .elements = 16, .thickness = 2e-3),
      .u = 0.13,
      .v = 0.9},
     true},
    {"bar of 20 cm",
     {.shape = {.kind = SB_SHAPE_BAR,
                .method = SB_METHOD_SOLID,
                .length = 0.2,
                .width = 0.02,
                .thickness = 5e-3,
                .elements = 12},
      .u = 0.03,
      .v = 0.1,
      .highest_hz = 8000},
     true},
    {"ball of 30 cm",
     {.shape = {.kind = SB_SHAPE_SPHERE,
                .method = SB_METHOD_SOLID,
                .radius = 0.15,
                .elements = 6},
      .u = 0.1,
      .v = 0.3},
     true},
};

typedef struct mean_square {
    double sum;
    int count;
} mean_square;

static void add_rms(const char *name, const char *what, mean_square of,
                    figure_sheet *out) {
    if (of.count > 0)
        figures_add(out, sqrt(of.sum / of.count), 1, "dB", "%s: %d %s, rms",
                    name, of.count, what);
}

/* Lines that are so much softer than the loudest are symmetric: what is left of
 * them is the mesh's. */
#define SOFT_DB 40

/* The most of A - B, and B - C for modes that both hear by boundary elements and
 * for the others. */
static void add_levels(const char *name, const law_levels *levels,
                       figure_sheet *out) {
    mean_square twins[2] = {{0, 0}, {0, 0}};
    double most = 0, loudest = -INFINITY;
    int compared = 0;
    for (int k = 0; k < levels->count; k++)
        loudest = fmax(loudest, levels->b[k]);
    for (int k = 0; k < levels->count; k++) {
        double to_b = levels->a[k] - levels->b[k];
        double to_c = levels->twin[k];
        mean_square *twin = &twins[levels->is_exact[k] ? 0 : 1];
        if (levels->b[k] < loudest - SOFT_DB) continue;
        if (isfinite(to_b)) {
            compared++;
            most = fmax(most, fabs(to_b));
        }
        if (!isfinite(to_c)) continue;
        twin->sum += to_c * to_c;
        twin->count++;
    }
    figures_add(out, most, 1, "dB", "%s: %d lines from linear(), at most", name,
                compared);
    add_rms(name, "from sb.body", twins[0], out);
    add_rms(name, "short ones from sb.body", twins[1], out);
}

sb_status deformable_law(bool is_quick, figure_sheet *out, sb_error *err) {
    sb_status status = SB_OK;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies && !status; i++) {
        law_levels levels;
        law_def def = bodies[i].def;
        if (is_quick && bodies[i].is_long) continue;
        def.directions = 3;
        def.has_c = true;
        status = law_measure(&def, &levels, err);
        if (!status) add_levels(bodies[i].name, &levels, out);
    }
    return status;
}
