/* runtime/model/sound/hearing.h -- how loud the modes of a closed form are in air.
 *
 * Private to runtime/model. The surface of a bar, plate, disk or ring is laid
 * out in triangles, its mode shapes are asked for at their corners, and it is
 * heard as a mesh would be (radiation.h): whatever way it is solved, the same
 * thing is equally loud. A bar is a box; what its top does at (x, z) the whole
 * of its depth does there. Other kinds stay as they are.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOUND_HEARING_H
#define SB_MODEL_SOUND_HEARING_H

#include "runtime/model/model_internal.h"

/* Set the radiation of all modes, and `slopes`: the power of frequency times
 * size that each follows nearby. */
SB_NODISCARD sb_status sb_model_hear(sb_model *model, sb_error *err);

#endif
