/* runtime/model/modal_model.h -- how a shape made of a material vibrates.
 *
 * A model is a list of modes, lowest first, and the mode shapes phi_k as
 * displacement vectors on the surface, mass-normalised: the integral of
 * rho |phi_k|^2 over the volume is 1 (kg), so phi is in kg^-1/2. An impulse J
 * along direction d at a point gives mode k the velocity J phi_k . d.
 *
 * Radiation: g_k, in Pa m per unit of modal velocity, is the root mean square
 * over all directions of what the surface's normal motion sends far away
 * (radiation.h); bars, plates, disks and rings are heard as the meshes of their
 * surfaces would be (hearing.h). Strings and membranes are heard as the
 * pulsating sphere of the same area S and the same rms normal velocity U:
 *
 *     |p| r = rho_air c a U  ka / sqrt(1 + k^2 a^2),   S = 4 pi a^2, k = w / c
 *
 * It is never negative, and zero for a mode that moves no surface outward.
 * Mode shapes have a canonical sign: positive at the reference corner u = 0,
 * v = 0, or at the first place from there where the shape is not zero; disks,
 * round membranes and rings are round and begin at the rim on the x axis
 * instead.
 *
 * Thread: control, workers. Immutable once made; retain and release count
 *         users across threads.
 * Memory: the last release frees it.
 */
#ifndef SB_MODEL_MODAL_MODEL_H
#define SB_MODEL_MODAL_MODEL_H

#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/material/material.h"
#include "runtime/model/shape.h"

#include <stdbool.h>

typedef struct sb_model sb_model;

enum { SB_MODE_LABEL_SIZE = 24 };

typedef struct sb_mode {
    double freq_hz;                 /* undamped */
    double sigma_per_s;             /* amplitude decay rate */
    double radiation;               /* g, Pa m per (kg^1/2 m/s) */
    char label[SB_MODE_LABEL_SIZE]; /* "flexural 1", "(2,0) cos" */
} sb_mode;

typedef struct sb_model_limits {
    double max_hz; /* 1 .. 1e6; modes above are left out; default 22000 */
    int max_modes; /* 1 .. 4096; the lowest are kept; default 2048 */
} sb_model_limits;

sb_model_limits sb_model_limits_default(void);

sb_model *sb_model_retain(sb_model *model);
void sb_model_release(sb_model *model); /* NULL is allowed */

int sb_model_mode_count(const sb_model *model);
const sb_mode *sb_model_modes(const sb_model *model);
const char *sb_model_method(const sb_model *model); /* "analytic" */

/* The solution that a model of elements was made from; NULL for closed forms.
 * Of a rescaled model it is that of the model that was solved. */
const sb_solution *sb_model_solution(const sb_model *model);

/* Zero-frequency motions of the unsupported body: 6 when free, 0 when held. */
int sb_model_rigid_modes(const sb_model *model);
double sb_model_mass_kg(const sb_model *model);

/* A place on the surface: (u, v) as shape.h says. On a mesh they are the shares
 * of the second and third corner of one of its triangles, on a sphere, box,
 * cylinder or floor what sb_model_nearest makes of a point. */
typedef struct sb_model_point {
    int face; /* of a mesh or solid; else 0 */
    double u, v;
} sb_model_point;

/* The place with these coordinates: of a closed form its (u, v), of a mesh its
 * texture coordinates, or the nearest place to them that has any. Without
 * texture coordinates it is the highest place near the middle. */
sb_model_point sb_model_point_at(const sb_model *model, double u, double v);
bool sb_model_has_uv(const sb_model *model);

/* The other way: the texture coordinates of a place, which may lie outside
 * 0 .. 1 on a mesh that repeats its texture. Without any, the middle. */
void sb_model_uv(const sb_model *model, sb_model_point point, double *u,
                 double *v);

/* The place nearest to a local point, and where a place lies. */
sb_model_point sb_model_nearest(const sb_model *model, sb_vec3 point_m);
sb_vec3 sb_model_position(const sb_model *model, sb_model_point point);
sb_vec3 sb_model_normal(const sb_model *model,
                        sb_model_point point); /* outward */

/* phi_k . d at a place for all modes. `direction` is local and taken as of unit
 * length, whatever its length; the zero vector gives zeros. NULL means
 * straight into the surface there: -y on a top face. */
void sb_model_weights(const sb_model *model, sb_model_point point,
                      const sb_vec3 *direction, double *weights);

/* What each of the lowest `count` modes is at its strongest place: the largest
 * |phi . n| found on the surface, n its normal. A closed form is asked at a grid
 * of places; for modes with the most waves that is up to a few per cent low.
 * NO_MEMORY. */
SB_NODISCARD sb_status sb_model_peaks(const sb_model *model, int count,
                                      double *peaks, sb_error *err);

/* 1 / effective mass of the rigid body at that place and direction: 1/m plus
 * what it gives by turning; 0 when held. */
double sb_model_inverse_mass(const sb_model *model, sb_model_point point,
                             const sb_vec3 *direction);

#endif
