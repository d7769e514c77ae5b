/* The material library and its checks. Thread: any. */
#include "runtime/model/material/material.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct row {
    const char *name;
    sb_material material;
} row;

/* clang-format off */
static const row library[] = {
#define MATERIAL(name, density, youngs, poisson, alpha, beta, hardness,    \
                 roughness, restitution, friction, source)                 \
    {#name, {density, youngs, poisson, alpha, beta, hardness, roughness,   \
             restitution, friction}},
#include "runtime/model/material/materials.def"
#undef MATERIAL
};
/* clang-format on */

enum { LIBRARY_COUNT = sizeof library / sizeof library[0] };

int sb_material_count(void) {
    return LIBRARY_COUNT;
}

const char *sb_material_name(int i) {
    return i >= 0 && i < LIBRARY_COUNT ? library[i].name : NULL;
}

const sb_material *sb_material_at(int i) {
    return i >= 0 && i < LIBRARY_COUNT ? &library[i].material : NULL;
}

const sb_material *sb_material_find(const char *name) {
    for (int i = 0; i < LIBRARY_COUNT; i++) {
        if (strcmp(name, library[i].name) == 0) return &library[i].material;
    }
    return NULL;
}

sb_status sb_material_check(const sb_material *material, sb_error *err) {
    const struct {
        const char *name, *unit;
        double value, least, most;
    } fields[] = {
        {"density", " kg/m^3", material->density, 1, 1e5},
        {"youngs_modulus", " Pa", material->youngs_modulus, 1e3, 2e12},
        {"poisson_ratio", "", material->poisson_ratio, -0.99, 0.499},
        {"alpha", " 1/s", material->alpha, 0, 1e5},
        {"beta", " s", material->beta, 0, 1},
        {"hardness", " N/m", material->hardness, 1, 1e13},
        {"roughness", " m", material->roughness, 0, 0.1},
        {"restitution", "", material->restitution, 0, 1},
        {"friction", "", material->friction, 0, 10},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        /* Written so that a NaN fails too. */
        if (fields[i].value >= fields[i].least &&
            fields[i].value <= fields[i].most) {
            continue;
        }
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "material: %s must be %g to %g%s, got %g",
                       fields[i].name, fields[i].least, fields[i].most,
                       fields[i].unit, fields[i].value);
    }
    return SB_OK;
}

double sb_material_sigma(const sb_material *material, double omega_rad_s) {
    return 0.5 * (material->alpha + material->beta * omega_rad_s * omega_rad_s);
}
