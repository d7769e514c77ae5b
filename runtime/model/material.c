/* SPDX-License-Identifier: MIT */
#include "runtime/model/material.h"

#include "runtime/base/pi.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- elastic constants ---------------------------------------------------- */

sb_elastic sb_elastic_of(const sb_material *material) {
    double e = material->youngs_modulus, nu = material->poisson_ratio;
    bool has_grain = sb_material_is_orthotropic(material);
    double across = has_grain ? material->youngs_modulus_across : e;
    return (sb_elastic){
        .e1 = e,
        .e2 = across,
        .g12 = has_grain ? material->shear_modulus : 0.5 * e / (1 + nu),
        .g23 = 0.5 * across / (1 + nu),
        .nu12 = nu,
    };
}

/* --- materials ------------------------------------------------------------ */

typedef struct row {
    const char *name;
    sb_material material;
    const char *source;
} row;

/* clang-format off */
static const row library[] = {
/* `damping` is two numbers, alpha and beta. */
#define MATERIAL(name, density, youngs, across, shear, poisson, damping,   \
                 hardness, roughness, restitution, friction, source)       \
    {#name, {density, youngs, poisson, damping, hardness, roughness,       \
             restitution, friction, across, shear}, source},
#include "runtime/model/materials.def"
#undef MATERIAL
};
/* clang-format on */

const sb_field sb_material_fields[] = {
#define MATERIAL_FIELD SB_MATERIAL_ROW
#include "runtime/model/material_fields.def"
#undef MATERIAL_FIELD
    {.name = NULL},
};

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

const char *sb_material_source(int i) {
    return i >= 0 && i < LIBRARY_COUNT ? library[i].source : NULL;
}

const sb_material *sb_material_find(const char *name) {
    for (int i = 0; i < LIBRARY_COUNT; i++) {
        if (strcmp(name, library[i].name) == 0) return &library[i].material;
    }
    return NULL;
}

/* Each name stands between spaces. */
static const struct {
    const char *names, *alike;
} others[] = {
    {" granite slate basalt limestone sandstone rock quartz ",
     "stone, marble or concrete"},
    {" cement brick mortar asphalt ", "concrete or stone"},
    {" aluminum alu duralumin ", "aluminium"},
    {" gold platinum ", "silver or copper"},
    {" lead zinc pewter ", "tin"},
    {" nickel chrome stainless metal ", "steel or iron"},
    {" cast_iron castiron ", "iron"},
    {" magnesium ", "aluminium or titanium"},
    {" crystal pyrex quartz_glass window ", "glass"},
    {" clay earthenware stoneware terracotta tile china ",
     "ceramic or porcelain"},
    {" acrylic plexiglass perspex ", "pmma"},
    {" nylon pvc abs polyethylene polypropylene polystyrene teflon ",
     "plastic, hard_plastic or polycarbonate"},
    {" bakelite epoxy resin celluloid ivory bone horn ",
     "hard_plastic or pmma"},
    {" silicone latex foam leather cork felt ", "rubber"},
    {" beech birch ash walnut cherry mahogany teak hardwood timber ",
     "maple, oak or wood"},
    {" bamboo ebony ", "rosewood or maple"},
    {" fir cedar larch softwood balsa ", "spruce or pine"},
    {" chipboard mdf particleboard cardboard ", "plywood or wood"},
};

const char *sb_material_alike(const char *name) {
    char word[32];
    int length = snprintf(word, sizeof word, " %s ", name);
    if (length < 3 || length >= (int)sizeof word || strchr(name, ' '))
        return NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strstr(others[i].names, word)) return others[i].alike;
    }
    return NULL;
}

/* Both moduli of a grain, or none, and energy in every strain. */
static sb_status check_grain(const sb_material *m, sb_error *err) {
    double across = m->youngs_modulus_across, shear = m->shear_modulus;
    if (across == 0 && shear == 0) return SB_OK;
    if (across == 0 || shear == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "material: %s is needed with %s (both 0: isotropic)",
                       across == 0 ? "youngs_modulus_across" : "shear_modulus",
                       across == 0 ? "shear_modulus" : "youngs_modulus_across");
    }
    double product = m->poisson_ratio * m->poisson_ratio * across /
                     m->youngs_modulus; /* nu_LT nu_TL */
    if (product < 1) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "material: poisson_ratio^2 youngs_modulus_across / "
                   "youngs_modulus must be less than 1, got %g",
                   product);
}

sb_status sb_material_check(const sb_material *material, sb_error *err) {
    sb_status status =
        sb_fields_check(sb_material_fields, false, material, "material", err);
    return status ? status : check_grain(material, err);
}

double sb_material_sigma(const sb_material *material, double omega_rad_s) {
    return 0.5 * (material->alpha + material->beta * omega_rad_s * omega_rad_s);
}

double sb_material_loss(const sb_material *material, double freq_hz) {
    double omega = SB_TAU * freq_hz;
    return material->alpha / omega + material->beta * omega;
}

bool sb_material_is_orthotropic(const sb_material *material) {
    return material->youngs_modulus_across > 0;
}

bool sb_material_is_same_vibration(const sb_material *a, const sb_material *b) {
    return a->density == b->density && a->youngs_modulus == b->youngs_modulus &&
           a->poisson_ratio == b->poisson_ratio && a->alpha == b->alpha &&
           a->beta == b->beta &&
           a->youngs_modulus_across == b->youngs_modulus_across &&
           a->shear_modulus == b->shear_modulus;
}

/* Up to the rounding of sb_material_set_stiffness. */
static bool is_equal_ratio(double a, double to_a, double b, double to_b) {
    double left = a * to_b, right = b * to_a;
    return fabs(left - right) <= 1e-12 * fabs(right);
}

bool sb_material_has_same_ratios(const sb_material *a, const sb_material *b) {
    return a->poisson_ratio == b->poisson_ratio &&
           is_equal_ratio(a->youngs_modulus_across, a->youngs_modulus,
                          b->youngs_modulus_across, b->youngs_modulus) &&
           is_equal_ratio(a->shear_modulus, a->youngs_modulus, b->shear_modulus,
                          b->youngs_modulus);
}

void sb_material_set_stiffness(sb_material *material, double youngs_modulus) {
    double ratio = youngs_modulus / material->youngs_modulus;
    material->youngs_modulus = youngs_modulus;
    material->youngs_modulus_across *= ratio;
    material->shear_modulus *= ratio;
}

sb_status sb_material_take(sb_material *material, sb_material given,
                           bool has_across, bool has_shear, sb_error *err) {
    sb_material scaled = *material;
    double youngs = given.youngs_modulus;
    if (scaled.youngs_modulus > 0 && youngs != scaled.youngs_modulus) {
        sb_material_set_stiffness(&scaled, youngs);
        if (!has_across)
            given.youngs_modulus_across = scaled.youngs_modulus_across;
        if (!has_shear) given.shear_modulus = scaled.shear_modulus;
    }
    if (has_across && given.youngs_modulus_across == 0 && !has_shear)
        given.shear_modulus = 0;
    if (has_shear && given.shear_modulus == 0 && !has_across)
        given.youngs_modulus_across = 0;
    sb_status status = sb_material_check(&given, err);
    if (!status) *material = given;
    return status;
}
