/* runtime/model/solve/need.h -- how large the elements of a body may be.
 *
 * Elements must be small compared with the shortest wave: bending, since it is
 * the slowest. In a sheet of thickness t at angular frequency w its velocity is
 *
 *     1 / c^2 = 1 / c_b^2 + 1 / c_r^2,   c_b^2 = w t sqrt(E / 12 rho (1 - n^2))
 *
 * with c_b of a thin plate and c_r of waves on the surface of a thick body.
 * That is a few per cent less than Mindlin's theory gives. A solve works with
 * E = 1 and rho = 1; there w^2 is the eigenvalue, l.
 *
 * A mesh of volume V and surface A counts as a sheet of thickness 2 V / A, which
 * is right for a thin one and too little for a compact one. Shapes have their
 * least extent.
 *
 * Symbols: n poisson_ratio, l lambda.
 * Thread: any.
 * Source: R. Mindlin, Influence of Rotatory Inertia and Shear on Flexural
 *         Motions of Isotropic, Elastic Plates, 1951.
 */
#ifndef SB_MODEL_SOLVE_NEED_H
#define SB_MODEL_SOLVE_NEED_H

#include "runtime/model/solve/discrete.h"

typedef struct sb_material sb_material;

/* Elements per shortest wavelength: triangles and linear tetrahedra, and
 * quadratic tetrahedra. */
#define SB_NEED_LINEAR    8.0
#define SB_NEED_QUADRATIC 5.0

/* The shortest wavelength at an eigenvalue for E = 1 and rho = 1, m. */
double sb_need_wavelength_m(double thickness_m, double poisson_ratio,
                            double lambda);

/* The same in a full body, by Mindlin's theory itself: the root k^2 of
 *
 *     (w^2 - g k^2) (w^2 i - p k^2 i - g) = g^2 k^2
 *
 * with g = c_r^2, p = 1 / (1 - n^2) and i = t^2 / 12. The formula above is up to
 * a tenth less where the wave is as long as the body is thick, which would be a
 * third more elements. */
double sb_need_solid_wavelength_m(double thickness_m, double poisson_ratio,
                                  double lambda);

/* The edge of its elements, m, as a root mean square: the longest edges of
 * triangles, the longest sides of the cells that tetrahedra are cut from. */
double sb_need_edge_m(const sb_discrete *discrete);

/* How many elements of that edge lie in the shortest wave up to `lambda`.
 * `surface_m2` is that of a solid, or one side of a sheet. */
typedef struct sb_need_def {
    double volume_m3, surface_m2;
    double thickness_m; /* of a solid, where it is known; else 0 */
    double poisson_ratio;
    double lambda;
} sb_need_def;
double sb_need_per_wave(const sb_discrete *discrete, const sb_need_def *def);
/* About how many modes it has: those of a plate in bending, and some more. */
int sb_need_mode_count(const sb_discrete *discrete, const sb_need_def *def);

/* Elements per wave that the method needs, and the power of the edge with
 * which its errors fall. */
double sb_need_least(sb_method method);
double sb_need_order(sb_method method);

#endif
