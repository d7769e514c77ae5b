/* Wavelengths, and the size of elements compared with them (need.h). Thread:
 * any. */
#include "runtime/model/solve/need.h"

#include "runtime/base/pi.h"
#include "runtime/model/material.h"

#include <math.h>

/* Waves besides bending add modes. */
#define MORE 1.2

/* Of waves on the surface, E = 1 and rho = 1. */
static double surface_speed(double poisson_ratio) {
    double n = poisson_ratio, shear = 1 / sqrt(2 * (1 + n));
    return shear * (0.862 + 1.14 * n) / (1 + n); /* Viktorov */
}

double sb_need_solid_wavelength_m(double thickness_m, double poisson_ratio,
                                  double lambda) {
    double n = poisson_ratio, w2 = lambda;
    if (!(w2 > 0) || isinf(w2)) return w2 > 0 ? 0 : INFINITY;
    double g = surface_speed(n) * surface_speed(n);
    double p = 1 / (1 - n * n), i = thickness_m * thickness_m / 12;
    /* a k^4 + b k^2 + c = 0 */
    double a = g * p * i, b = -w2 * i * (p + g), c = w2 * (w2 * i - g);
    return SB_TAU / sqrt((-b + sqrt(b * b - 4 * a * c)) / (2 * a));
}

double sb_need_wavelength_m(double thickness_m, double poisson_ratio,
                            double lambda) {
    double n = poisson_ratio, w = sqrt(lambda);
    if (!(w > 0) || isinf(w)) return w > 0 ? 0 : INFINITY;
    double surface = surface_speed(n);
    double bending_squared = w * thickness_m / sqrt(12 * (1 - n * n));
    double velocity = 1 / sqrt(1 / bending_squared + 1 / (surface * surface));
    return SB_TAU * velocity / w;
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

/* The longest side of the cell that a tetrahedron was cut from, squared. Its
 * longest edge is the diagonal of the cell: sqrt(3) sides of a cube, sqrt(2) of
 * a flat cell and one of a needle; area and volume tell these apart. Regular
 * tetrahedra count as the cube of six times their volume. */
static double cell_squared(const sb_vec3 *nodes, const int *corners) {
    double longest = longest_squared(nodes, corners, 4), area = 0;
    sb_vec3 from = nodes[corners[0]], sides[3];
    for (int i = 0; i < 3; i++)
        sides[i] = sb_vec3_sub(nodes[corners[i + 1]], from);
    for (int i = 0; i < 3; i++) {
        sb_vec3 face = sb_vec3_cross(sides[i], sides[(i + 1) % 3]);
        area = fmax(area, sb_vec3_length(face));
    }
    sb_vec3 across = sb_vec3_cross(sb_vec3_sub(sides[1], sides[0]),
                                   sb_vec3_sub(sides[2], sides[0]));
    area = fmax(area, sb_vec3_length(across));
    double volume =
        fabs(sb_vec3_dot(sides[0], sb_vec3_cross(sides[1], sides[2])));
    double cube = longest / 3 * sqrt(longest / 3);
    double dimensions =
        1 + fmin(1, 2 * area / longest) + fmin(1, volume / cube);
    double side = cbrt(volume);
    return fmax(longest / dimensions, side * side);
}

double sb_need_edge_m(const sb_discrete *discrete) {
    int elements = sb_discrete_element_count(discrete);
    double sum = 0;
    bool is_sheet = discrete->thickness_m > 0;
    for (int i = 0; i < elements; i++) {
        int count;
        const int *nodes = sb_discrete_element(discrete, i, &count);
        sum += is_sheet ? longest_squared(discrete->nodes, nodes, 3)
                        : cell_squared(discrete->nodes, nodes);
    }
    return sqrt(sum / elements);
}

/* The shortest wave up to `lambda`, and half the surface of a solid or one side
 * of a sheet. */
static double wave_of(const sb_discrete *discrete, const sb_need_def *def,
                      double *area) {
    bool is_sheet = discrete->thickness_m > 0;
    double thickness = is_sheet ? discrete->thickness_m : def->thickness_m;
    if (thickness == 0) thickness = 2 * def->volume_m3 / def->surface_m2;
    *area = is_sheet ? def->surface_m2 : 0.5 * def->surface_m2;
    double n = def->poisson_ratio;
    return is_sheet ? sb_need_wavelength_m(thickness, n, def->lambda)
                    : sb_need_solid_wavelength_m(thickness, n, def->lambda);
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
