/* SPDX-License-Identifier: MIT */
/* runtime/model/model.h -- how a shape made of a material vibrates.
 *
 * A model is a list of modes, lowest first, and the mode shapes phi_k as
 * displacement vectors on the surface, mass-normalised: the integral of
 * rho |phi_k|^2 over the volume is 1 (kg), so phi is in kg^-1/2. An impulse J
 * along direction d at a point gives mode k the velocity J phi_k . d.
 *
 * Radiation: g_k, in Pa m per unit of modal velocity, is the root mean square
 * over all directions of the far-field pressure of the surface's normal motion
 * (radiation.h); bars, plates, disks and rings radiate like meshes of their
 * surfaces (hearing.h). Strings and membranes radiate like the
 * pulsating sphere of the same area S and the same rms normal velocity U:
 *
 *     |p| r = rho_air c a U  ka / sqrt(1 + k^2 a^2),   S = 4 pi a^2, k = w / c
 *
 * It is never negative, and zero for a mode that moves no surface outward.
 * Mode shapes have a canonical sign: positive at the reference corner u = 0,
 * v = 0, or at the first point from there where the shape is not zero; on
 * disks, round membranes and rings the reference is the rim on the x axis.
 *
 * Thread: control, workers. Immutable once made; retain and release count
 *         users across threads.
 * Memory: the last release frees it.
 */
#pragma once

#include "runtime/base/pattern.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/model/shape.h"

#include <stdbool.h>

typedef struct sb_model sb_model;
typedef struct sb_solution sb_solution;

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
    bool is_whole; /* nothing counts as missing above them (beyond.h) */
} sb_model_limits;

sb_model_limits sb_model_limits_default(void);

sb_model *sb_model_retain(sb_model *model);
void sb_model_release(sb_model *model); /* NULL is allowed */

int sb_model_mode_count(const sb_model *model);
const sb_mode *sb_model_modes(const sb_model *model);
const char *sb_model_method(const sb_model *model); /* "analytic" */

/* What each mode radiates into which direction, with the power g^2; of order -1
 * if alike in all. NULL: all are, by the quick law. */
const sb_pattern *sb_model_patterns(const sb_model *model);

/* The number of modes of a closed form before they were merged, those modes,
 * and the error of merging in dB (finish.h); 0, NULL and 0 if none were.
 * `modes` and `error_db` may be NULL. Of a rescaled model they are those of the
 * model that was merged. */
int sb_model_plain_modes(const sb_model *model, const sb_mode **modes,
                         double *error_db);

/* The theory behind a closed form: "Kirchhoff" or "Mindlin" of a plate or disk,
 * "Mindlin by wave number" of a plate with very many modes (plate_ritz.h),
 * "Timoshenko" or "Euler" of a bar; "" where there is no choice. */
const char *sb_model_theory(const sb_model *model);

/* The solution that a model of elements was made from; NULL for closed forms.
 * Of a rescaled model it is that of the model that was solved. */
const sb_solution *sb_model_solution(const sb_model *model);

/* Zero-frequency motions of the unsupported body: 6 when free, 0 when held. */
int sb_model_rigid_modes(const sb_model *model);
double sb_model_mass_kg(const sb_model *model);

/* A point on the surface: (u, v) as in shape.h. On a mesh u and v are the
 * barycentric coordinates of the second and third corner of a triangle; on a
 * sphere, box, bar, cylinder or floor they are coordinates on a face
 * (solid.h). */
typedef struct sb_model_point {
    int face; /* of a mesh, solid or bar; else 0 */
    double u, v;
} sb_model_point;

/* The point with these coordinates: (u, v) of a closed form, texture
 * coordinates of a mesh, or the nearest ones that exist. On a mesh without
 * texture coordinates it is the highest point near the middle. */
sb_model_point sb_model_point_at(const sb_model *model, double u, double v);
bool sb_model_has_uv(const sb_model *model);

/* The texture coordinates of a point. They may lie outside 0 .. 1 on a mesh
 * that repeats its texture; (0.5, 0.5) if there are none. */
void sb_model_uv(const sb_model *model, sb_model_point point, double *u,
                 double *v);

/* The point nearest to a local position; the position of a point; its outward
 * normal. */
sb_model_point sb_model_nearest(const sb_model *model, sb_vec3 point_m);
sb_vec3 sb_model_position(const sb_model *model, sb_model_point point);
sb_vec3 sb_model_normal(const sb_model *model, sb_model_point point);

/* phi_k . d at a point for all modes. `direction` is local and is normalised;
 * the zero vector gives zeros. NULL means straight into the surface: -y on a
 * top face. */
void sb_model_weights(const sb_model *model, sb_model_point point,
                      const sb_vec3 *direction, double *weights);

/* The largest |phi . n| on the surface, n its normal, of each of the lowest
 * `count` modes. A closed form is evaluated on a grid of points; for modes with
 * the most waves the result is up to a few per cent too low. NO_MEMORY. */
SB_NODISCARD sb_status sb_model_peaks(const sb_model *model, int count,
                                      double *peaks, sb_error *err);

/* 1 / effective mass of the rigid body at a point and in a direction: 1/m plus
 * the share of its rotation; 0 when held. */
double sb_model_inverse_mass(const sb_model *model, sb_model_point point,
                             const sb_vec3 *direction);
