/* Masses in the nodes (lump.h). Thread: any. */
#include "runtime/model/fem/lump.h"

#include "runtime/model/fem/tet10.h"

#include <math.h>

void sb_lump_tet10(const sb_tet_matrices *element, double mass_kg,
                   double out[10]) {
    double diagonal = 0;
    for (int n = 0; n < 10; n++) {
        diagonal += element->m[11 * n];
    }
    for (int n = 0; n < 10; n++) {
        out[n] = mass_kg * element->m[11 * n] / diagonal;
    }
}

double sb_lump_inertia(double mass_kg, double thickness_m, double area_m2) {
    return mass_kg * fmax(thickness_m * thickness_m, area_m2) / 12;
}
