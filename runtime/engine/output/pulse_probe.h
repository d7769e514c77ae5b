/* runtime/engine/output/pulse_probe.h -- is there a PulseAudio server to talk
 * to?
 *
 * miniaudio 0.11.22 loses a connection's memory and an open file whenever no
 * server answers. That is nothing once, but a program that waits for a sound
 * device asks every few seconds, for days. So we knock first, and clean up.
 *
 * Thread: any. It may wait as long as a server that hangs.
 */
#ifndef SB_ENGINE_OUTPUT_PULSE_PROBE_H
#define SB_ENGINE_OUTPUT_PULSE_PROBE_H

#include <stdbool.h>

/* False also where libpulse is not installed. Starts no server. */
bool sb_pulse_is_running(void);

#endif
