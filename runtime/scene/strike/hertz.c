/* Contact law and mass of an indenter, from its material. Any thread. */
#include "runtime/base/pi.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>

/* Default material: that of the body, or steel on a rigid body. */
static const sb_material *material_of(const sb_indenter *indenter,
                                      const sb_material *body) {
    if (indenter->has_material) return &indenter->material;
    return body ? body : sb_material_find("steel");
}

static double compliance(const sb_material *material) {
    double nu = material->poisson_ratio;
    return (1.0 - nu * nu) / material->youngs_modulus;
}

sb_hertz sb_indenter_hertz(const sb_indenter *indenter,
                           const sb_material *body) {
    const sb_material *material = material_of(indenter, body);
    double mass = indenter->mass_kg, radius = indenter->radius_m;
    double ball = 4.0 / 3.0 * SB_PI * material->density; /* kg at 1 m */
    if (mass <= 0.0) {
        mass =
            radius > 0.0 ? ball * radius * radius * radius : SB_STRIKER_MASS_KG;
    }
    if (radius <= 0.0) radius = cbrt(mass / ball);
    double give = compliance(material) + (body ? compliance(body) : 0.0);
    sb_hertz hertz = {
        .law = {.stiffness = 4.0 / 3.0 * sqrt(radius) / give,
                .exponent = indenter->exponent > 0.0 ? indenter->exponent : 1.5,
                .lambda = indenter->lambda},
        .mass_kg = mass,
    };
    if (indenter->stiffness > 0.0) hertz.law.stiffness = indenter->stiffness;
    return hertz;
}
