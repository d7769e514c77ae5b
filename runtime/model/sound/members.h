/* runtime/model/sound/members.h -- the shapes behind one mode.
 *
 * A mode that was merged (merging.h, finish.h) sounds as one and has the weight
 * of all its members together, which has no sign. Its members are mode shapes
 * with signs: what can be drawn. A mode that was not merged has one.
 *
 *     weight of the mode along d = |psi_1 . d|, |psi_2 . d|, ... as one length
 *
 * Symbols: psi members, kg^-1/2.
 * Thread: control, workers. Memory: none.
 */
#ifndef SB_MODEL_SOUND_MEMBERS_H
#define SB_MODEL_SOUND_MEMBERS_H

#include "runtime/model/modal_model.h"

/* How many members the mode has, `mode` from 0. */
int sb_model_member_count(const sb_model *model, int mode);

/* The displacement of a member, from 0, at a point. Other modes are not
 * evaluated. */
sb_vec3 sb_model_member(const sb_model *model, int mode, int member,
                        sb_model_point point);

#endif
