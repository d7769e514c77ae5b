/* The pressure on a moving surface (surface_pressure.h). Thread: any. */
#include "runtime/model/sound/surface_pressure.h"

#include "runtime/base/pi.h"

#include <math.h>

double sb_surface_radius_m(double area_m2, bool has_back) {
    if (has_back) return 8 / (3 * SB_PI) * sqrt(area_m2 / SB_PI);
    return sqrt(area_m2 / (4 * SB_PI));
}

double complex sb_surface_impedance(double rate, double x) {
    return I * x / (rate + I * x);
}
