/* SPDX-License-Identifier: MIT */
/* runtime/model/sound/heard.h -- what is heard of a closed form, for a memo.
 *
 * Private to runtime/model/sound. Radiation, slopes and patterns of all modes,
 * under a key of shape, material, frequencies and mode shapes (memo.h): neither
 * its surface nor a law is needed to open a model that was heard before.
 *
 * Thread: control, workers.
 */
#pragma once

#include "runtime/base/digest.h"

#include <stdbool.h>

typedef struct sb_model sb_model;

/* Sets them, and `key`, which is empty without a memo. */
bool sb_heard_recall(sb_model *model, char key[SB_DIGEST_TEXT_SIZE]);
void sb_heard_note(const sb_model *model, const char *key);
