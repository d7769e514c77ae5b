/* SPDX-License-Identifier: MIT */
/* runtime/deform/deform.h -- bodies that bend, buckle and snap, and the sound
 * that their surfaces make.
 *
 * Solids are quadratic tetrahedra, sheets flat triangles that follow their
 * corners (kernel.h); both are right for any rotation and for large bending.
 * All nodes of all bodies move by leapfrog with one step dt:
 *
 *     m dv/dt = -grad U(x) + forces,   dt = 0.85 * 2 / w_max
 *
 * w_max is the highest frequency of the meshes (0.8 where contacts are
 * possible); dt is rounded down so that 1 / (192000 dt) is an integer. What the
 * triangles of a sheet do not resolve is damped (run/nodes.c) and not heard.
 * Surfaces are filtered to 48 kHz and radiate towards an ear (sound.h).
 *
 * It is offline work: seconds of processor time per second of sound. Every 64
 * steps energy and elements are checked; on failure all later calls of
 * sb_deform_reach fail likewise, and what was heard before remains.
 *
 * It works inside a world that moves in steps: sb_deform_set_collider,
 * sb_deform_reach, sb_deform_take_reaction; the way of the sound to the listener
 * is left to others.
 *
 * The result is the same, bit for bit, for any number of threads, for any
 * division into calls, and after sb_deform_restore.
 *
 * Symbols: U elastic energy, J; w_max, 1/s.
 * Thread: control or a worker, one at a time; sb_deform_reach starts threads
 *         and ends them before it returns.
 * Memory: sb_deform_create copies all it is given; sb_deform_destroy frees.
 * Source: O'Brien, Cook, Essl, Synthesizing sounds from physically based
 *         motion, SIGGRAPH 2001, for the idea.
 */
#pragma once

#include "runtime/base/pose.h"
#include "runtime/base/status.h"
#include "runtime/base/vec3.h"
#include "runtime/deform/deform_def.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_deform sb_deform;

/* What it takes. Seconds are processor time on one core like that of the
 * README's figures, per second of sound. */
typedef struct sb_deform_cost {
    int tet_count, triangle_count, node_count;
    int surface_count; /* triangles that make sound */
    double step_s;
    double steps_per_s;
    double bytes;
    double seconds_per_s;
} sb_deform_cost;

/* Above which nothing of a sheet is heard: the highest frequency that its
 * triangles resolve, a bending wave of six elements; and the highest of all
 * times so far, because a sheet that is bent into an arc is heard up to the
 * frequency of a ring of its radius (sound/sound.c). Both are INFINITY for
 * solids and without sound. */
typedef struct sb_deform_limit {
    double flat_hz, highest_hz;
} sb_deform_limit;

/* BAD_ARGUMENT names the body and what is wrong with it; NO_MEMORY also when
 * it would take more than memory_bytes, with the number. */
SB_NODISCARD sb_status sb_deform_create(const sb_deform_def *def,
                                        sb_deform **out, sb_error *err);
void sb_deform_destroy(sb_deform *deform); /* NULL is allowed */

sb_deform_cost sb_deform_cost_of(const sb_deform *deform);
sb_deform_limit sb_deform_limit_of(const sb_deform *deform, int body);

/* --- what happens to the bodies; times are scene times and not in the past */

SB_NODISCARD sb_status sb_deform_strike(sb_deform *deform,
                                        const sb_deform_strike_def *def,
                                        int *strike, sb_error *err);
SB_NODISCARD sb_status sb_deform_push(sb_deform *deform,
                                      const sb_deform_push_def *def,
                                      sb_error *err);
SB_NODISCARD sb_status sb_deform_drive(sb_deform *deform,
                                       const sb_deform_drive_def *def,
                                       sb_error *err);

/* What a strike has done; its slot is used again only after 64 others. */
sb_deform_blow sb_deform_blow_of(const sb_deform *deform, int strike);

/* Where a rigid collider is from now on; its form, faces and is_heard stay. */
void sb_deform_set_collider(sb_deform *deform, int collider,
                            const sb_deform_collider *now);

/* How a collider with a mass differs from its free flight since
 * sb_deform_set_collider: add these to a world that moved it freely. Rotation
 * is that of the free flight, then turned by `turn_rad`. */
typedef struct sb_deform_reaction {
    sb_vec3 impulse_ns;
    sb_vec3 moment_nms; /* about its position */
    sb_vec3 velocity_m_s, spin_rad_s, shift_m, turn_rad;
} sb_deform_reaction;
/* Since the last call, or sb_deform_set_collider. Without a mass, only impulse
 * and moment. */
sb_deform_reaction sb_deform_take_reaction(sb_deform *deform, int collider);

/* What bodies did to colliders with is_heard, frame by frame (48 kHz): the
 * impulse given to the collider in that frame, at a point of the world. */
typedef struct sb_deform_touch_frame {
    int collider;
    int64_t frame;
    sb_vec3 impulse_ns, point_m;
} sb_deform_touch_frame;
/* In order of time, then of colliders; false: none left. */
bool sb_deform_next_touch(sb_deform *deform, sb_deform_touch_frame *out);

/* How deep a body is in a collider now, m, and which two; below 0: they are
 * apart. */
double sb_deform_overlap(const sb_deform *deform, int *body, int *collider);

/* From the time of the motion on. */
void sb_deform_set_ear(sb_deform *deform, sb_vec3 position_m);

/* --- time ---------------------------------------------------------------- */

/* Goes on until the motion reaches this time (the nearest step). The sound must
 * be read likewise. A failed check: NO_CONVERGENCE, with body, place, time and
 * remedy. */
SB_NODISCARD sb_status sb_deform_reach(sb_deform *deform, double time_s,
                                       sb_error *err);
/* After sb_deform_reach(t), t * 48000 minus this are complete at least. */
int sb_deform_lag_frames(const sb_deform *deform);
double sb_deform_time_s(const sb_deform *deform); /* of the motion */

/* Channels of sb_deform_read: one per body, or none. */
int sb_deform_channel_count(const sb_deform *deform);

/* The next `count` frames of all channels, interleaved, Pa m; at most those
 * that are complete. Returns how many. */
int sb_deform_read(sb_deform *deform, int count, float *out);

/* --- what can be seen ---------------------------------------------------- */

int sb_deform_surface_nodes(const sb_deform *deform, int body);
/* Faces over the surface nodes of a body, [count][3]. */
const int (*sb_deform_surface_faces(const sb_deform *deform, int body,
                                    int *count))[3];
/* Positions of the surface nodes now. */
void sb_deform_pose(const sb_deform *deform, int body, sb_vec3 *out);

/* The centre that its sound leaves from, now: a mean over surface
 * nodes with constant weights, which is the centre of mass as long as the body
 * moves rigidly or is stretched evenly. The velocity may be NULL. */
sb_vec3 sb_deform_centre(const sb_deform *deform, int body,
                         sb_vec3 *velocity_m_s);

/* --- checkpoints --------------------------------------------------------- */

/* A plain block without pointers. It fits every sb_deform created from an
 * equal definition; BAD_FORMAT otherwise, and nothing has changed. */
size_t sb_deform_state_bytes(const sb_deform *deform);
void sb_deform_save(const sb_deform *deform, void *block);
SB_NODISCARD sb_status sb_deform_restore(sb_deform *deform, const void *block,
                                         size_t bytes, sb_error *err);
