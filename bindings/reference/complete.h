/* SPDX-License-Identifier: MIT */
/* bindings/reference/complete.h -- what can be typed next at the prompt.
 *
 *     sb.ma|               functions of sb, fields of any table
 *     bar:st|              methods of the current value of `bar`
 *     bar:strike { sp|     fields of the table that strike takes
 *     sb.find("F|          bodies; materials and choices where expected
 *     loc|                 keywords of Lua, globals, bodies
 *
 * Completion runs no code of the script: values are read without metamethods.
 *
 * Thread: control.
 */
#pragma once

#include <stddef.h>

typedef struct sb_script sb_script;

enum { MOST_COMPLETIONS = 160, COMPLETION_SIZE = 64 };

typedef struct completions {
    size_t start; /* position of the word in the text */
    int count;    /* sorted, without duplicates */
    char words[MOST_COMPLETIONS][COMPLETION_SIZE];
} completions;

/* Find the completions of `text`, which ends at the cursor. */
void complete(sb_script *script, const char *text, completions *out);

/* Length in bytes of the common prefix of all words. */
size_t completions_common(const completions *found);
