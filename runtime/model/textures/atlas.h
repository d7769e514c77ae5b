/* runtime/model/textures/atlas.h -- a mesh spread out on a square.
 *
 * The surface is cut into charts: from the largest face that is left, over
 * edges, as far as faces look into nearly the same direction. A chart is laid
 * flat by looking at it from there, so its faces shrink by the cosine of what
 * they are turned away; what would come to lie on top of another face of the
 * same chart starts a chart of its own. Charts are turned to need little room
 * and set in rows, the highest first, all at the same scale.
 *
 * Thread: control, workers. The same mesh gives the same bits.
 * Memory: sb_atlas_free frees the coordinates.
 */
#ifndef SB_MODEL_TEXTURES_ATLAS_H
#define SB_MODEL_TEXTURES_ATLAS_H

#include "runtime/model/mesh/mesh.h"

typedef struct sb_atlas {
    float (*uvs)[3][2]; /* one (u, v) a corner, 0 .. 1 */
    int chart_count;
    double margin; /* between charts, of the square's side */
    double used;   /* share of the square that faces cover */
} sb_atlas;

SB_NODISCARD sb_status sb_atlas_make(const sb_mesh *mesh, sb_atlas *out,
                                     sb_error *err);
void sb_atlas_free(sb_atlas *atlas); /* an empty one is allowed */

/* --- private to atlas*.c ------------------------------------------------- */

/* A chart lying flat, its lower left corner at the origin. */
typedef struct sb_chart {
    int first, face_count; /* of `order` */
    double wide, high;     /* m */
    double x, y;           /* where it is set, of the square's side */
} sb_chart;

/* Sets x and y; the scale, of the square's side to a metre. */
double sb_charts_pack(sb_chart *charts, int *order, int count, double *margin);

#endif
