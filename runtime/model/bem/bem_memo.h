/* SPDX-License-Identifier: MIT */
/* runtime/model/bem/bem_memo.h -- solutions as bytes, for a memo (memo.h).
 *
 * Private to runtime/model/bem. The key is a digest of surface, frequencies and
 * shapes: whatever they come from, what is equal is solved once.
 *
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/digest.h"
#include "runtime/model/bem/bem.h"

#include <stdbool.h>

/* The result of the thread's memo; false: it has none, or `key` is empty. */
bool sb_bem_recall(const sb_bem_def *def, char key[SB_DIGEST_TEXT_SIZE],
                   sb_bem_result *out);
void sb_bem_note(const sb_bem_def *def, const char *key,
                 const sb_bem_result *result);

bool sb_bem_recall_rigid(const sb_bem_def *def, char key[SB_DIGEST_TEXT_SIZE],
                         sb_bem_rigid *out);
void sb_bem_note_rigid(const char *key, const sb_bem_rigid *rigid);
