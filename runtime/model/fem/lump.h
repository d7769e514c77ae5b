/* runtime/model/fem/lump.h -- masses in the nodes alone, as deformable bodies
 * have them: an explicit step needs no equations to be solved then.
 *
 * A quadratic tetrahedron shares its mass among its nodes as the diagonal of
 * its consistent mass matrix is shared, which keeps all of them positive. A
 * node of a sheet has a third of each of its triangles, and turns with the
 * isotropic inertia mass * max(t^2, area) / 12. The inertia of the sheet alone,
 * mass * t^2 / 12, would make the step of a deformable body four times shorter;
 * the greater one lowers pitches by less than the elements do.
 *
 * Thread: any.
 * Source: E. Hinton, T. Rock, O. Zienkiewicz, A Note on Mass Lumping and Related
 *         Processes in the Finite Element Method, 1976.
 */
#ifndef SB_MODEL_FEM_LUMP_H
#define SB_MODEL_FEM_LUMP_H

typedef struct sb_tet_matrices sb_tet_matrices;

/* `element` is that of sb_tet10. */
void sb_lump_tet10(const sb_tet_matrices *element, double mass_kg,
                   double out[10]);

/* kg m^2, of the share `mass_kg` of a triangle. */
double sb_lump_inertia(double mass_kg, double thickness_m, double area_m2);

#endif
