/* SPDX-License-Identifier: MIT */
/* bench textures: the cost of lookups, and the delay until a saved image is
 * heard.
 *
 * For the delay, a plate with 64 images of 256 x 256 rings under a damper and a
 * sliding contact, while one image is saved repeatedly. New weights retune the
 * damped modes, and the audio thread counts when the retuning begins.
 * Thread: control. */
#include "tests/bench/audio/texture_lookup.h"
#include "tests/bench/live/save_delay.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 256, MODES = 64, PATH = BENCH_PATH + 16 };

static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local it = sb.body('it', { shape = sb.plate { width = 0.4, depth = 0.4,\n"
    "  thickness = 0.002 }, material = 'steel',\n"
    "  weights = sb.texture 'w_%d.tga' })\n"
    "function scene.start()\n"
    "  it:touch { damping = 1 }\n"
    "  it:contact { kind = 'slide', force = 1, speed = 0.5, slip = 0.5 }\n"
    "end\n";

/* A grey TGA image, one byte per pixel. */
static bool paint(const char *folder, int mode, int turn) {
    static unsigned char bytes[18 + SIDE * SIDE];
    char path[PATH];
    bytes[2] = 3;
    bytes[12] = bytes[14] = SIDE & 255;
    bytes[13] = bytes[15] = SIDE >> 8;
    bytes[16] = 8;
    for (int i = 0; i < SIDE * SIDE; i++)
        bytes[18 + i] = (unsigned char)(i * mode + 90 * turn);
    (void)snprintf(path, sizeof path, "%s/w_%d.tga", folder, mode);
    return file_save(path, bytes, sizeof bytes);
}

static void save(void *folder, int turn) {
    (void)paint(folder, 7, turn + 1);
}

static sb_status report_saves(char *folder, report *to, sb_error *err) {
    char path[PATH];
    spread ms;
    (void)snprintf(path, sizeof path, "%s/paint.lua", folder);
    bool is_well = file_save(path, scene_text, strlen(scene_text));
    for (int k = 1; k <= MODES; k++)
        is_well = is_well && paint(folder, k, 0);
    if (!is_well)
        return sb_fail(err, SB_IO_ERROR, "%s: cannot be written", folder);
    sb_status status = save_delay_measure(path, save, folder, &ms, err);
    if (status) return status;
    report_value(to, "save_to_sound_ms", "one of 64 pictures saved to heard",
                 "%8.1f ms", 1, ms.p50);
    report_value(to, "save_to_sound_worst_ms", "  worst", "%8.1f ms", 1,
                 ms.worst);
    return SB_OK;
}

sb_status bench_textures(const bench_options *options, report *to,
                         sb_error *err) {
    (void)options;
    char folder[BENCH_PATH];
    sb_status status = report_lookups(to, err);
    if (!status) status = folder_make(folder, err);
    if (status) return status;
    status = report_saves(folder, to, err);
    folder_remove(folder);
    return status;
}
