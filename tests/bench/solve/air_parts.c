/* SPDX-License-Identifier: MIT */
#include "tests/bench/solve/air_parts.h"

#include "runtime/base/clock.h"
#include "tests/model/bem/bem_stage.h"

/* The largest error in dB of modes first .. end against `exact`. */
static double worst_of(const sb_bem_result *result, int first, int end,
                       const double *exact) {
    double worst = 0;
    for (int k = first; k < end; k++)
        worst = fmax(worst, fabs(db(efficiency(result, k), exact[k])));
    return worst;
}

static sb_status spheres(bool is_quick, figure_sheet *out, sb_error *err) {
    const double sizes[] = {0.5, 1, 2, SB_PI, 4.4934, 10};
    double exact[24];
    (void)is_quick;
    make_sphere(9);
    for (int n = 0; n < 4; n++) {
        for (int i = 0; i < 6; i++) {
            add_radial(sizes[i], n);
            exact[6 * n + i] = sphere_efficiency(n, sizes[i]);
        }
    }
    sb_bem_result result;
    sb_bem_def def = def_of();
    sb_status status = sb_bem_solve(&def, &result, err);
    if (status) return status;
    for (int n = 0; n < 4; n++)
        figures_add(out, worst_of(&result, 6 * n, 6 * n + 6, exact), 1, "dB",
                    "order %d, ka 0.5 to 10", n);
    sb_bem_result_free(&result);
    return SB_OK;
}

static sb_status cylinders(bool is_quick, figure_sheet *out, sb_error *err) {
    const double sizes[] = {1, 2, 3};
    double exact[9];
    (void)is_quick;
    make_cylinder(10, 46, 24);
    for (int n = 1; n <= 3; n++) {
        for (int i = 0; i < 3; i++) {
            add_waves(sizes[i], n);
            exact[3 * n - 3 + i] = cylinder_efficiency(n, sizes[i]);
        }
    }
    sb_bem_result result;
    sb_bem_def def = def_of();
    sb_status status = sb_bem_solve(&def, &result, err);
    if (status) return status;
    for (int n = 1; n <= 3; n++)
        figures_add(out, worst_of(&result, 3 * n - 3, 3 * n, exact), 1, "dB",
                    "%d waves round, ka 1 to 3, length 24 a", n);
    sb_bem_result_free(&result);
    return SB_OK;
}

static sb_status disks(bool is_quick, figure_sheet *out, sb_error *err) {
    const double law = 0.03002 * pow(0.05, 4);
    const double exact[] = {law, 0.04 * law};
    (void)is_quick;
    make_disk(12);
    for (int i = 0; i < 2; i++)
        add_lifted(0.05, 2 * i);
    sb_bem_result result;
    sb_bem_rigid rigid;
    sb_bem_def def = def_of();
    sb_status status = sb_bem_solve(&def, &result, err);
    if (status) return status;
    for (int i = 0; i < 2; i++) {
        double own = 4 * SB_PI * sb_pattern_power(&result.patterns[i]) /
                     (RHO_C * RHO_C * 2 * SB_PI);
        figures_add(out, fabs(db(own, exact[i])), 1, "dB", "%s at ka 0.05",
                    i ? "1 - 2 r^2" : "a rigid disk");
    }
    sb_bem_result_free(&result);
    def.density_kg_m3 = 1;
    status = sb_bem_solve_rigid(&def, &rigid, err);
    if (status) return status;
    figures_add(out, 100 * fabs(rigid.mass[2][2] / (8.0 / 3) - 1), 1, "%",
                "added mass 8/3 rho a^3");
    figures_add(out, 100 * fabs(rigid.mass[3][3] / (16.0 / 45) - 1), 2, "%",
                "added inertia 16/45 rho a^5");
    return SB_OK;
}

static sb_status time_of(figure_sheet *out, const char *what, sb_error *err) {
    sb_bem_result result;
    sb_bem_def def = def_of();
    double began = sb_clock_process_s();
    sb_status status = sb_bem_solve(&def, &result, err);
    if (status) return status;
    figures_add_timed(out, sb_clock_process_s() - began, 5, "s", what);
    figures_add_timed(out, sb_bem_estimate_s(&def), 5, "s",
                      "as said before it");
    sb_bem_result_free(&result);
    return SB_OK;
}

/* A hundred frequencies, all different: processor time of all cores. */
static sb_status speed(bool is_quick, figure_sheet *out, sb_error *err) {
    (void)is_quick;
    make_sphere(9);
    for (int k = 0; k < MODES; k++)
        add_radial(0.1 * pow(100, k / (MODES - 1.0)), k % 3);
    sb_status status =
        time_of(out, "closed: 100 modes on 488 vertices, processor time", err);
    if (status) return status;
    make_disk(12);
    for (int k = 0; k < MODES; k++)
        add_lifted(0.1 * pow(100, k / (MODES - 1.0)), k % 4);
    return time_of(out, "a sheet: 100 modes on 469 vertices, processor time",
                   err);
}

const figure_part air_parts[] = {
    {"sphere", "spheres of 488 vertices, against the closed form", spheres},
    {"cylinder", "a closed cylinder, against the endless one", cylinders},
    {"disk", "disks that swing, against their laws", disks},
    {"refined", "models against surfaces of four times the vertices",
     air_refined},
    {"speed", "a hundred modes", speed},
    {0}};
