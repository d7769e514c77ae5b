/* runtime/model/sound/merge.h -- merges the modes of a closed form.
 *
 * Private to runtime/model. As modes of elements are merged (compress.h), by
 * the shape's `merge`: pairs of equal frequency, such as the cosine and sine
 * of a disk, become one mode whose weight does not depend on where the pair's
 * axes lie. Modes without a far field (strings, membranes, waves too short to
 * be sampled) are merged by their levels. The decay rate of a group is the mean
 * of its modes, weighted like its frequency by their radiation.
 *
 * Thread: control, workers.
 */
#ifndef SB_MODEL_SOUND_MERGE_H
#define SB_MODEL_SOUND_MERGE_H

#include "runtime/model/model_draft.h"
#include "runtime/model/sound/compress.h"

/* Replace the model's modes by groups of them; `fars` are those of the lowest
 * far_count modes. Does nothing unless its shape says so. NO_MEMORY. */
SB_NODISCARD sb_status sb_model_merge(sb_model *model, const sb_far *fars,
                                      int far_count, sb_error *err);

#endif
