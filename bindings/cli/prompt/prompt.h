/* SPDX-License-Identifier: MIT */
/* bindings/cli/prompt/prompt.h -- commands to a scene while it sounds.
 *
 * Lines are edited between control steps and run at the beginning of the next
 * step, in the environment of the scene and at its time. A terminal has
 * history, completion and the meter; a pipe or a file is read line by line if
 * `def` says so.
 *
 * Thread: control; no function here blocks.
 */
#pragma once

#include "runtime/base/status.h"

#include <stdbool.h>

typedef struct prompt prompt;
typedef struct sb_host sb_host;

typedef struct prompt_def {
    sb_host *host;
    bool has_file;   /* there is a file to reload */
    bool reads_pipe; /* read standard input even if it is not a terminal */
    bool stays;      /* keep running after the end of the pipe */
    bool has_meter;  /* show the meter on a terminal */
} prompt_def;

/* *out is NULL if there is neither a terminal nor a pipe to read. */
SB_NODISCARD sb_status prompt_open(const prompt_def *def, prompt **out,
                                   sb_error *err);

/* Close and save the history. All functions below allow NULL. */
void prompt_close(prompt *self);

/* Handle keys and draw the meter; call often. */
void prompt_poll(prompt *self);

/* Run the typed line; call at the beginning of a control step. */
void prompt_step(prompt *self, double time_s);

/* Measure the frames that are played. */
void prompt_hear(prompt *self, const float *stereo, int frames);

/* True if the input has ended and the sound of its lines has faded. */
bool prompt_is_over(const prompt *self);

/* Number of failed lines from a pipe; at a terminal the user sees the errors.
 */
int prompt_error_count(const prompt *self);

/* Text of `help` at the prompt, also used in verbs.def. */
#define PROMPT_HELP                                                           \
    "A line of Lua runs in the scene, at the scene's time; the value of an\n" \
    "expression is printed. `sb` is defined, bodies are variables by their\n" \
    "names (F3:strike { speed = 1 }), and sb.sleep works. An unfinished\n"    \
    "line continues on the next one.\n"                                       \
    "\n"                                                                      \
    "  r or R, Enter       reload the scene (sb.reload)\n"                    \
    "  RR or reset, Enter  reload with an empty `state` (sb.reset);\n"        \
    "                      Shift+R alone also does it, after a second\n"      \
    "  TAB                 complete names, fields, bodies in strings\n"       \
    "  up, Ctrl-R          earlier lines; lines that begin like this one\n"   \
    "  Ctrl-C, Ctrl-D      discard the line; on an empty one, end\n"
