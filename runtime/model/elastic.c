/* Elastic constants along and across the grain (elastic.h). Thread: any. */
#include "runtime/model/elastic.h"

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
