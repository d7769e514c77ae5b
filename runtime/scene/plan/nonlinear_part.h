/* runtime/scene/plan/nonlinear_part.h -- bodies that change as they swing farther.
 *
 * A thin body that swings by more than its thickness is stretched and gets
 * stiffer: its pitch is higher while it is loud, and its modes, which did not
 * know of each other, hand energy on, mostly upward. Here cubic springs do that
 * at a few places of the surface, each F = k3 u^3 (link.h). The lowest mode by
 * itself is then Duffing's oscillator,
 *
 *     q'' + w0^2 q + g q^3 = 0,     g = sum over places k3 phi^4
 *
 * which swings a semitone above w0 where g A^2 = 0.16403 w0^2: exactly, by its
 * elliptic integral. So k3 follows from the amplitude A phi, at the place where
 * the mode swings farthest, at which that is to be.
 *
 * The distortion is the first place's speed through a curve that flattens, fed
 * back to it as a force that holds it: F = c v / sqrt(1 + (v / knee)^2).
 *
 * Weights are kept times the root of the body's mass, and the springs to match,
 * so that a body of another size differs in the values alone.
 *
 * Symbols: k3 stiffness_n_m3, c distortion_ns_m, A phi amplitude_m.
 * Thread:  as the plan.
 * Source:  distortion with feedback: Menzies 2.3.4.
 */
#ifndef SB_SCENE_PLAN_NONLINEAR_PART_H
#define SB_SCENE_PLAN_NONLINEAR_PART_H

#include "runtime/engine/engine.h"
#include "runtime/scene/plan/plan.h"

/* Work out planned->springs from its model, if its nonlinear part is on.
 * BAD_ARGUMENT for places where the lowest mode does not move, or on a mesh
 * without texture coordinates; NO_MEMORY. */
SB_NODISCARD sb_status sb_planned_fill_springs(sb_planned *planned,
                                               sb_error *err);

/* The same as a voice takes them; how many. They point into `planned`. */
int sb_planned_springs(const sb_planned *planned,
                       sb_spring_def out[SB_NONLINEAR_SPRINGS]);

/* Both solved: is nothing to be changed, is it at least a matter of values? */
bool sb_nonlinear_part_is_same(const sb_planned *a, const sb_planned *b);
bool sb_nonlinear_part_is_alike(const sb_planned *a, const sb_planned *b);

#endif
