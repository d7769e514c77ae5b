/* SPDX-License-Identifier: MIT */
/* runtime/engine/output/miniaudio.c -- miniaudio's code, compiled once. */
#define MINIAUDIO_IMPLEMENTATION
#include "runtime/engine/output/miniaudio.h"

/* miniaudio 0.11.22 keeps the connection of a PulseAudio device when the rest
 * of ma_device_init fails, as it does while there is no sink: every attempt
 * leaks four open files. */
void sb_miniaudio_free_failed(ma_context *context, ma_device *device) {
    if (context->backend != ma_backend_pulseaudio) return;
    if (!device->pulse.pMainLoop) return;
    ma_pa_context *connection = (ma_pa_context *)device->pulse.pPulseContext;
    ((ma_pa_context_disconnect_proc)context->pulse.pa_context_disconnect)(
        connection);
    ((ma_pa_context_unref_proc)context->pulse.pa_context_unref)(connection);
    ((ma_pa_mainloop_free_proc)context->pulse.pa_mainloop_free)(
        (ma_pa_mainloop *)device->pulse.pMainLoop);
    device->pulse.pMainLoop = NULL;
}
