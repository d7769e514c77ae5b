/* runtime/engine/output/pulse_probe.h -- whether a PulseAudio server is
 * running.
 *
 * miniaudio 0.11.22 leaks the memory of a connection and an open file whenever
 * no server is running. A program that waits for a sound device tries every few
 * seconds, for days. So this checks first, and cleans up.
 *
 * Thread: any. It may wait as long as a server that hangs. Memory: none kept.
 */
#ifndef SB_ENGINE_OUTPUT_PULSE_PROBE_H
#define SB_ENGINE_OUTPUT_PULSE_PROBE_H

#include <stdbool.h>

/* False also where libpulse is not installed. Starts no server. */
bool sb_pulse_is_running(void);

#endif
