/* runtime/model/sound/surface_pressure.h -- the pressure on a surface that
 * moves, by a law of the first order in time.
 *
 * Deformable bodies compute their sound sample by sample, so that the pressure
 * p_s on a triangle with the normal velocity v_n must follow from its past:
 *
 *     p_s' = rho c v_n' - (q c / a) p_s,    z = p_s / rho c v_n = ika / (q + ika)
 *
 * a is the radius of a sphere like the body. q = 1 is exact for a sphere that
 * pulsates; with q = SB_SURFACE_RATE spheres that swing or deform are within
 * 2 dB for ka up to 8. A disk that swings as a whole has the mean pressure
 * 4 / 3 pi rho v_n' radius on each face; an open sheet is taken as the disk of
 * its area.
 *
 * Modes of a deformable body (body:linear) have the same law, so that the two
 * can be compared; other modes have that of radiation.h.
 *
 * Symbols: k wavenumber of the air, 1/m; x is k a.
 * Thread: any.
 */
#ifndef SB_MODEL_SOUND_SURFACE_PRESSURE_H
#define SB_MODEL_SOUND_SURFACE_PRESSURE_H

#include <complex.h>
#include <stdbool.h>

#define SB_SURFACE_RATE 1.87 /* q */

/* a, m; area_m2 of one side of a sheet. */
double sb_surface_radius_m(double area_m2, bool has_back);

/* z; e^{iwt}. */
double complex sb_surface_impedance(double rate, double x);

#endif
