/* SPDX-License-Identifier: MIT */
/* bindings/cli/verbs/verb_doctor.c -- sandbell doctor: prints what the machine
 * supports and what is missing. */
#include "bindings/cli/console/console.h"
#include "bindings/cli/console/terminal.h"
#include "bindings/host/host.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/vector/isa.h"
#include "runtime/engine/audio/limiter.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/output/output.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/model/material.h"
#include "runtime/store/model_cache.h"

#include <cjson/cJSON.h>
#include <lua.h>
#include <stdio.h>
#include <unistd.h>

const option_row doctor_rows[] = {
    {NULL, NULL, OPTION_FLAG, 0, 0, 0, NULL, NULL},
};

static void show_device(void *user, const char *backend, const char *name,
                        bool is_default) {
    int *count = user;
    (void)printf("  %-12s %s%s\n", backend, name,
                 is_default ? "  (default)" : "");
    ++*count;
}

/* --- what run will do ----------------------------------------------------- */

typedef struct output_notes {
    char text[400]; /* the last message of the output */
} output_notes;

static void take_note(void *user, const char *message) {
    output_notes *notes = user;
    (void)snprintf(notes->text, sizeof notes->text, "%s", message);
}

/* Open the output as `run` does, and close it again. */
static void try_output(void) {
    sb_host_def host_def = sb_host_def_default();
    output_notes notes = {""};
    sb_host *host;
    sb_output *output;
    sb_error err;
    if (open_host(NULL, &host_def, &host, &err)) {
        (void)printf("run           cannot play: %s\n", err.message);
        return;
    }
    sb_output_def def = sb_output_def_default();
    def.engine = sb_host_engine(host);
    def.report = take_note;
    def.user = &notes;
    if (sb_output_open(&def, &output, &err)) {
        (void)printf("run           cannot play: %s\n", err.message);
    } else {
        (void)printf("run           plays on %s (%s), %g Hz\n",
                     sb_output_name(output), sb_output_backend(output),
                     sb_engine_sample_rate(sb_host_engine(host)));
        if (notes.text[0]) (void)printf("              %s\n", notes.text);
        sb_output_close(output);
    }
    sb_host_close(host);
}

static void show_cache(void) {
    sb_model_cache cache = sb_model_cache_default();
    int count;
    uint64_t bytes;
    if (!cache.folder[0]) {
        (void)printf("cache         off: every model is solved anew\n");
        return;
    }
    sb_model_cache_measure(&cache, &count, &bytes);
    (void)printf("cache         %s: %d %s, %.1f of %.0f MB\n", cache.folder,
                 COUNTED(count, "model", "models"), (double)bytes / 1e6,
                 (double)cache.max_bytes / 1e6);
}

int doctor_main(int argc, char **argv) {
    char nothing;
    if (!parse_options(&verb_doctor, argc, argv, &nothing, NULL, 0, 0))
        return EXIT_USAGE;
    (void)printf("sandbell      %s\n", SANDBELL_VERSION);
    (void)printf("script        %s\n", LUA_RELEASE);
    (void)printf("json          cJSON %s\n", cJSON_Version());
    (void)printf("processors    %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    (void)printf("modal bank    %s\n", sb_isa_choose(NULL));
    (void)printf("memory        %zu bytes for a body of 1000 modes\n",
                 sb_voice_bytes(1000, 0));
    (void)printf("latency       %d frames in the limiter, %d to the ears at "
                 "48 kHz\n",
                 (int)SB_LIMITER_LATENCY, sb_ears_latency(48000.0));
    (void)printf("materials     %d in the library\n", sb_material_count());
    show_cache();
    try_output();
    (void)printf("devices\n");
    int count = 0;
    sb_device_list(show_device, &count);
    if (count == 0) (void)printf("  none\n");
    return EXIT_OK;
}
