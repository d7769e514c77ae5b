/* bindings/cli/verbs/verb_doctor.c -- sandbell doctor: prints what the machine
 * supports and what is missing. */
#include "bindings/cli/console/cli.h"
#include "runtime/dsp/ears/propagation.h"
#include "runtime/dsp/limiter.h"
#include "runtime/dsp/vector/isa.h"
#include "runtime/engine/output/device.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/model/linear/cholesky.h"
#include "runtime/model/material/material.h"

#include <cjson/cJSON.h>
#include <lua.h>
#include <stdio.h>
#include <time.h>
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

int doctor_main(int argc, char **argv) {
    char nothing;
    if (!parse_options(&verb_doctor, argc, argv, &nothing, NULL, 0, 0)) {
        return EXIT_USAGE;
    }
    (void)printf("sandbell      %s\n", SANDBELL_VERSION);
    (void)printf("script        %s\n", LUA_RELEASE);
    (void)printf("json          cJSON %s\n", cJSON_Version());
    (void)printf("processors    %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    (void)printf("modal bank    %s\n", sb_isa_choose(NULL));
    (void)printf("factors       CHOLMOD, %s analysis\n",
                 sb_cholesky_has_supernodal() ? "supernodal (GPL)"
                                              : "simplicial (LGPL)");
    (void)printf("memory        %zu bytes for a body of 1000 modes\n",
                 sb_voice_bytes(1000, 0));
    (void)printf("latency       %d frames in the limiter, %d to the ears at "
                 "48 kHz\n",
                 (int)SB_LIMITER_LATENCY, sb_ears_latency(48000.0));
    (void)printf("materials     %d in the library\n", sb_material_count());
    (void)printf("devices\n");
    int count = 0;
    sb_device_list(show_device, &count);
    if (count == 0) {
        (void)printf("  none: scenes run on a silent clock\n");
    }
    return EXIT_OK;
}
