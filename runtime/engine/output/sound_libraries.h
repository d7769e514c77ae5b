/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/sound_libraries.h -- what sound libraries do that
 * miniaudio does not prevent.
 *
 * Without a sound card or server, libasound writes dozens of lines to standard
 * error, and libjack some more: the program reports that in one line, so theirs
 * are turned off. And miniaudio 0.11.22 leaks the memory of a connection and an
 * open file whenever no PulseAudio server is running, while a program that
 * waits for a sound device tries every few seconds, for days: so this checks
 * first, and cleans up. All three libraries are optional at run time.
 *
 * Thread: any. Memory: libasound and libjack stay open until the program ends.
 */
#pragma once

#include <stdbool.h>

/* Call before the first context of miniaudio; repeated calls are allowed. */
void sb_sound_messages_off(void);

/* Whether a PulseAudio server is running; false also where libpulse is not
 * installed. Starts no server. It may wait as long as a server that hangs. */
bool sb_pulse_is_running(void);
