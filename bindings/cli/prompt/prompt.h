/* bindings/cli/prompt/prompt.h -- commands to a scene while it sounds.
 *
 * Lines are edited between control steps and run at the beginning of the next
 * step, in the environment of the scene and at its time. A terminal has
 * history, completion and the meter; a pipe or a file is read line by line if
 * `def` says so.
 *
 * Thread: control; no function here blocks.
 */
#ifndef SB_BINDINGS_CLI_PROMPT_PROMPT_H
#define SB_BINDINGS_CLI_PROMPT_PROMPT_H

#include "bindings/host/host.h"

typedef struct prompt prompt;

typedef struct prompt_def {
    sb_host *host;
    bool has_file;   /* there is something to load again */
    bool reads_pipe; /* standard input, though it is not a terminal */
    bool stays;      /* after the end of a pipe */
    bool has_meter;  /* on a terminal */
} prompt_def;

/* *out is NULL where there is nobody to talk to. */
SB_NODISCARD sb_status prompt_open(const prompt_def *def, prompt **out,
                                   sb_error *err);

/* Saves the history. All of these allow NULL. */
void prompt_close(prompt *self);

/* Often: take keys, draw the meter. */
void prompt_poll(prompt *self);

/* At the beginning of a control step: run what has been typed. */
void prompt_step(prompt *self, double time_s);

/* What is played. */
void prompt_hear(prompt *self, const float *stereo, int frames);

/* Nobody will type any more, and what was typed from a pipe has faded. */
bool prompt_is_over(const prompt *self);

/* Lines that failed, of those that nobody has seen fail: from a pipe. */
int prompt_error_count(const prompt *self);

/* What can be typed: for `help` at the prompt and for verbs.def. */
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

#endif
