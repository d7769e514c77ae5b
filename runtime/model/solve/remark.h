/* SPDX-License-Identifier: MIT */
/* runtime/model/solve/remark.h -- what a user should be told about a model.
 *
 * How its modes were found, where that is not plain from its shape: the theory
 * of a plate, a solid that was chosen by itself, a closed form or triangles
 * beyond their range, a grain that a method does not have; a wall that need not
 * be solved.
 *
 * Thread: control. Memory: the caller's.
 */
#pragma once

#include <stddef.h>

typedef struct sb_model sb_model;

enum { SB_REMARK_SIZE = 512 };

/* The theory of a plate or disk: "Kirchhoff", "Mindlin", "Mindlin by wave
 * number" or "solid"; "" of anything else. */
const char *sb_model_plate_theory(const sb_model *model);

/* A sentence without a full stop, several of them with "; " between, or "". */
void sb_model_remark(const sb_model *model, char text[SB_REMARK_SIZE]);
