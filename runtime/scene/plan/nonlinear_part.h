/* runtime/scene/plan/nonlinear_part.h -- bodies that stiffen at high amplitude.
 *
 * A thin body that swings by more than its thickness is stretched and becomes
 * stiffer: its pitch is higher while it is loud, and energy passes between
 * modes that are independent otherwise, mostly upward. Cubic springs at a few
 * places of the surface model that, each F = k3 u^3 (dsp/contact/link.h). The
 * lowest mode alone is then Duffing's oscillator,
 *
 *     q'' + w0^2 q + g q^3 = 0,     g = sum over places k3 phi^4
 *
 * which swings a semitone above w0 where g A^2 = 0.16403 w0^2, exactly, by its
 * elliptic integral. So k3 follows from the amplitude A phi at which that is to
 * happen, taken at the place where the mode has its largest amplitude.
 *
 * The distortion passes the velocity of the first place through a saturating
 * curve and feeds it back as a force that resists:
 * F = c v / sqrt(1 + (v / knee)^2).
 *
 * Weights are stored times the square root of the body's mass, and the springs
 * are scaled to match, so that a body of another size differs in values only.
 *
 * Symbols: k3 stiffness_n_m3, c distortion_ns_m, A phi amplitude_m.
 * Thread:  as the plan. Memory: the plan's.
 * Source:  distortion with feedback: Menzies 2.3.4.
 */
#ifndef SB_SCENE_PLAN_NONLINEAR_PART_H
#define SB_SCENE_PLAN_NONLINEAR_PART_H

#include "runtime/engine/voice_def.h"
#include "runtime/scene/plan/body_def.h"
#include "runtime/scene/plan/plan.h"

/* Compute planned->springs from its model if its nonlinear part is on.
 * BAD_ARGUMENT for places where the lowest mode does not move, or on a mesh
 * without texture coordinates; NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_springs(sb_planned *planned,
                                               sb_error *err);

/* The springs in the form that a voice takes; returns their number. They point
 * into `planned`. */
int sb_planned_springs(const sb_planned *planned,
                       sb_spring_def out[SB_NONLINEAR_SPRINGS]);

/* Both must have been solved. Same: nothing changes; alike: only values. */
bool sb_nonlinear_part_is_same(const sb_planned *a, const sb_planned *b);
bool sb_nonlinear_part_is_alike(const sb_planned *a, const sb_planned *b);

#endif
