/* Wavelengths, and the size of elements compared with them (need.h). Thread:
 * any. */
#include "runtime/model/solve/need.h"

#include "runtime/base/pi.h"

#include <math.h>

/* Waves besides bending add modes. */
#define MORE 1.2

double sb_need_wavelength_m(double thickness_m, double poisson_ratio,
                            double lambda) {
    double n = poisson_ratio, w = sqrt(lambda);
    if (!(w > 0) || isinf(w)) return w > 0 ? 0 : INFINITY;
    double shear = 1 / sqrt(2 * (1 + n));
    double surface = shear * (0.862 + 1.14 * n) / (1 + n); /* Viktorov */
    double bending_squared = w * thickness_m / sqrt(12 * (1 - n * n));
    double velocity = 1 / sqrt(1 / bending_squared + 1 / (surface * surface));
    return SB_TAU * velocity / w;
}

double sb_need_wavelength_at_hz(double thickness_m, const sb_material *material,
                                double freq_hz) {
    double w = SB_TAU * freq_hz;
    double lambda = w * w * material->density / material->youngs_modulus;
    return sb_need_wavelength_m(thickness_m, material->poisson_ratio, lambda);
}

static double longest_squared(const sb_vec3 *nodes, const int *corners,
                              int count) {
    double longest = 0;
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count; j++) {
            sb_vec3 edge = sb_vec3_sub(nodes[corners[i]], nodes[corners[j]]);
            longest = fmax(longest, sb_vec3_dot(edge, edge));
        }
    }
    return longest;
}

double sb_need_edge_m(const sb_discrete *discrete) {
    int elements = sb_discrete_element_count(discrete);
    double sum = 0;
    bool is_sheet = discrete->thickness_m > 0;
    for (int i = 0; i < elements; i++) {
        int count;
        const int *nodes = sb_discrete_element(discrete, i, &count);
        sum += longest_squared(discrete->nodes, nodes, is_sheet ? 3 : 4);
    }
    return sqrt(sum / elements / (is_sheet ? 1 : 2));
}

/* The shortest wave up to `lambda`, and half the surface of a solid or one side
 * of a sheet. */
static double wave_of(const sb_discrete *discrete, const sb_need_def *def,
                      double *area) {
    bool is_sheet = discrete->thickness_m > 0;
    double thickness = is_sheet ? discrete->thickness_m : def->thickness_m;
    if (thickness == 0) thickness = 2 * def->volume_m3 / def->surface_m2;
    *area = is_sheet ? def->surface_m2 : 0.5 * def->surface_m2;
    return sb_need_wavelength_m(thickness, def->poisson_ratio, def->lambda);
}

double sb_need_per_wave(const sb_discrete *discrete, const sb_need_def *def) {
    double area;
    return wave_of(discrete, def, &area) / sb_need_edge_m(discrete);
}

int sb_need_mode_count(const sb_discrete *discrete, const sb_need_def *def) {
    double area, wave = wave_of(discrete, def, &area), k = SB_TAU / wave;
    double count = 10 + MORE * k * k * area / (2 * SB_TAU);
    return (int)fmin(count, 1e6);
}

double sb_need_least(sb_method method) {
    return method == SB_METHOD_SOLID ? SB_NEED_QUADRATIC : SB_NEED_LINEAR;
}

/* Theory gives 4 for quadratic tetrahedra on smooth bodies, and less at edges
 * and corners that point inward; bars, plates, boxes and a tuning fork show 3.2
 * to 3.9. */
double sb_need_order(sb_method method) {
    return method == SB_METHOD_SOLID ? 3.5 : 2;
}
