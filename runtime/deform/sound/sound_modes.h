/* SPDX-License-Identifier: MIT */
/* runtime/deform/sound/sound_modes.h -- the linear modes of a moving surface, heard
 * by boundary elements; private.
 *
 * The law of sound.h is local: what the edge of a sheet does to its middle is
 * not in it, and the low modes of free plates are up to 40 dB too soft. So the
 * normal acceleration of the triangles is split,
 *
 *     a_n = sum_k q_k'' phi_k.n + rest,
 *
 * by least squares over the area at rest, all rigid motions being among the
 * unknowns and left in the rest. The rest radiates by the law; mode k by its
 * pattern g_k of the body at rest (base/pattern.h), towards where the ear is in
 * the body's axes. Per unit of q_k', at its own frequency w_k,
 *
 *     p R = g_k = i w B (alpha + beta L) at w = w_k,
 *
 * B being the high-pass of the law for sheets, s / (s + q c / a), so that slow
 * motion makes no sound, or 1, and L a low-pass at w_k, 1 / (1 + i) there: alpha
 * and beta are real. Sheets that are bent far move by the same shapes on other
 * places; they are heard as if they were flat.
 *
 * Up to MODES_MOST modes, the lowest, that the triangles resolve and no more
 * than a sixth of their number. A model without patterns, or with modes that
 * are merged, is not used.
 *
 * Cost: 2 products per triangle, mode and frame.
 *
 * Thread: members of the team; making and freeing as deform.h.
 * Memory: of the sb_deform; twice 8 bytes per triangle and mode.
 */
#pragma once

#include "runtime/deform/sound/sound.h"

enum { SOUND_MODES_MOST = 256 };

/* `modes` of the sound stays NULL if no body has any. */
SB_NODISCARD sb_status deform_sound_modes_make(sb_deform *deform,
                                               const sb_deform_def *def,
                                               sb_error *err);
void deform_sound_modes_free(deform_sound_modes *modes); /* NULL is allowed */
void deform_sound_modes_place(deform_sound_modes *modes, deform_layout *layout);
void deform_sound_modes_begin(sb_deform *deform);
/* What the result depends on, for the fingerprint. */
const double *deform_sound_modes_numbers(const sb_deform *deform,
                                         size_t *count);

int deform_sound_mode_count(const deform_sound *sound); /* of all bodies */
bool deform_sound_has_modes(const deform_sound *sound, int index);

/* In the first pass, when the sources of a face are known. */
void deform_sound_modes_take(deform_sound *sound, int face);
/* Between the first pass and the second, each with a barrier after it: q'' of
 * modes first .. last - 1; faces, of which the rest remains. */
void deform_sound_modes_read(sb_deform *deform, int first, int last);
void deform_sound_modes_rest(sb_deform *deform, int first, int last);

/* The modes of a body as one source in its origin, per frame, and the delay
 * that it had last. */
void deform_sound_modes_leave(sb_deform *deform, int index,
                              sound_source out[FRAMES_BATCH]);
double *deform_sound_modes_delay(const deform_sound *sound, int index);
