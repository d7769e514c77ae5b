/* SPDX-License-Identifier: MIT */
/* runtime/scene/contact/exposure.h -- the gain of a listener that gives none.
 *
 * A pin and a gong differ by 80 dB, so no constant gain suits both. Like the
 * exposure of a camera, the automatic gain depends on what is there, never on
 * what happens to it: strikes, distances and the gains of bodies are heard as
 * they are, and the levels of the bodies of a scene keep their proportions.
 *
 * Each body that rings is taken to be struck once by the default striker at
 * 1 m/s at the default place. With J the impulse and T the duration of that
 * force, a half sine, mode k of the frequency f, the weight w and the radiation
 * g has at 1 m the pressure
 *
 *     p_k = g w J cos(pi f T) / (1 - (2 f T)^2),
 *
 * where g has the sign and the gain towards the listener, unless the body is free
 * to turn; P is the peak of their sum (exposure.c). A listener in the plane of a
 * plate may leave it: at least a tenth of g counts.
 *
 * Where free bodies are about to fall, roll or slide, P is that of their blows, or
 * of the noise of their roughness (world/world_loud.c). In all directions signs are
 * as good as random, so P is near c sqrt(sum of p_k^2) with c = SB_EXPOSURE_CREST,
 * of few modes at most their sum. A deformable sheet also swings as a whole.
 * Noise and clicks add their powers. The gain puts the greatest P of all bodies at
 * SB_EXPOSURE_DBFS. `sandbell bench levels` prints what comes of it.
 *
 * Symbols: g Pa m per (kg^1/2 m/s), w 1/kg^1/2.
 * Thread: control. Memory: the scene's scratch.
 */
#pragma once

#include "runtime/base/vec3.h"

typedef struct impact_side impact_side;
typedef struct sb_impact_estimate sb_impact_estimate;
typedef struct sb_scene sb_scene;

/* Room for strikes ten times as fast, and for several bodies at once. */
#define SB_EXPOSURE_DBFS  (-20.0)
#define SB_EXPOSURE_CREST 2.0

/* Where free bodies are about to move, what they do counts instead of strikes; but
 * strikes may come, too: where bodies fall, not more than 20 dB louder, where they
 * only roll and slide, 50 dB. */
#define SB_EXPOSURE_FALLS 0.1
#define SB_EXPOSURE_ROLLS 0.003

/* The least gain towards the listener that counts. */
#define SB_EXPOSURE_EDGE 0.1

/* Greatest gain, which makes the faintest things audible: 120 dB. */
#define SB_EXPOSURE_MOST 1e6

/* P of what free bodies are about to do (world/world_loud.c); 0: nothing. */
typedef struct scene_loudness {
    double fall_pa, roll_pa;
} scene_loudness;

/* The gain, with two digits; 0 if nothing rings. */
double scene_exposure(const sb_scene *scene, scene_loudness world, sb_vec3 ear);

/* P of a side whose weights are known, of a blow, towards a unit vector of its
 * own frame; NULL: in all directions. */
double scene_peak_pa(const impact_side *at, const sb_impact_estimate *blow,
                     const sb_vec3 *toward);
