/* bindings/cli/bench/bench_textures_run.c -- sandbell bench textures: the cost
 * of lookups, and the delay until a saved image is heard.
 *
 * For the delay, a plate with 64 images of 256 x 256 rings under a damper and a
 * sliding contact, while one image is saved repeatedly. New weights retune the
 * damped modes, and the audio thread counts when the retuning begins.
 * Thread: control. */
#include "bindings/cli/bench/bench_textures_run.h"

#include "bindings/cli/console/terminal.h"
#include "bindings/host/host.h"
#include "runtime/base/clock.h"
#include "runtime/bench/bench_textures.h"
#include "runtime/scene/conductor.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 256, MODES = 64, SAVES = 20 };

static const char scene_text[] =
    "local sb = require 'sandbell'\n"
    "local it = sb.body('it', { shape = sb.plate { width = 0.4, depth = 0.4,\n"
    "  thickness = 0.002 }, material = 'steel',\n"
    "  weights = sb.texture 'w_%d.tga' })\n"
    "function scene.start()\n"
    "  it:touch { damping = 1 }\n"
    "  it:contact { kind = 'slide', force = 1, speed = 0.5, slip = 0.5 }\n"
    "end\n";

typedef struct saving {
    char folder[64];
    sb_host *host;
    int saves;
    long long retuned; /* count of retunings when last checked */
    int64_t saved_ns;  /* time of the last save; 0: already heard */
    int64_t next_ns;   /* time of the next save */
    double delays_ms[SAVES];
    double median_ms, worst_ms;
} saving;

/* --- files ---------------------------------------------------------------- */

static void path_of(const saving *self, const char *name, char out[128]) {
    (void)snprintf(out, 128, "%s/%s", self->folder, name);
}

static bool put(const saving *self, const char *name, const void *bytes,
                size_t count) {
    char path[128], other[136];
    path_of(self, name, path);
    (void)snprintf(other, sizeof other, "%s~", path);
    FILE *file = fopen(other, "wb");
    if (!file) return false;
    bool is_whole = fwrite(bytes, 1, count, file) == count;
    return fclose(file) == 0 && is_whole && rename(other, path) == 0;
}

/* Write a grey TGA image, one byte per pixel. */
static bool paint(const saving *self, int mode, int turn) {
    static unsigned char bytes[18 + SIDE * SIDE];
    char name[16];
    bytes[2] = 3;
    bytes[12] = bytes[14] = SIDE & 255;
    bytes[13] = bytes[15] = SIDE >> 8;
    bytes[16] = 8;
    for (int i = 0; i < SIDE * SIDE; i++)
        bytes[18 + i] = (unsigned char)(i * mode + 90 * turn);
    (void)snprintf(name, sizeof name, "w_%d.tga", mode);
    return put(self, name, bytes, sizeof bytes);
}

static sb_status open_folder(saving *self, sb_error *err) {
    const char *base = getenv("TMPDIR");
    (void)snprintf(self->folder, sizeof self->folder, "%.40s/sandbell-XXXXXX",
                   base && *base ? base : "/tmp");
    if (!mkdtemp(self->folder))
        return sb_fail(err, SB_IO_ERROR, "no place for a temporary scene");
    bool is_well = put(self, "paint.lua", scene_text, strlen(scene_text));
    for (int k = 1; k <= MODES; k++)
        is_well = is_well && paint(self, k, 0);
    if (is_well) return SB_OK;
    return sb_fail(err, SB_IO_ERROR, "%s: cannot be written", self->folder);
}

static void close_folder(const saving *self) {
    char path[128], name[16];
    path_of(self, "paint.lua", path);
    (void)unlink(path);
    for (int k = 1; k <= MODES; k++) {
        (void)snprintf(name, sizeof name, "w_%d.tga", k);
        path_of(self, name, path);
        (void)unlink(path);
    }
    (void)rmdir(self->folder);
}

/* --- how soon a save is heard --------------------------------------------- */

static sb_status step(void *user, double from_s, double to_s, sb_error *err) {
    return sb_host_step(((saving *)user)->host, from_s, to_s, err);
}

static void idle(void *user) {
    sb_host_idle(((saving *)user)->host);
}

static bool watch_save(void *user, double now_s) {
    saving *self = user;
    (void)now_s;
    int64_t now_ns = sb_clock_ns();
    sb_engine_stats stats = sb_engine_read_stats(sb_host_engine(self->host));
    if (self->saved_ns) {
        if (stats.retunes > self->retuned) {
            self->delays_ms[self->saves++] =
                (double)(now_ns - self->saved_ns) * 1e-6;
            self->saved_ns = 0;
            self->next_ns = now_ns + 120000000;
        }
    } else if (now_ns >= self->next_ns) {
        self->retuned = stats.retunes;
        (void)paint(self, 7, self->saves + 1);
        self->saved_ns = sb_clock_ns();
    }
    return self->saves == SAVES;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sb_status play(saving *self, sb_error *err) {
    sb_output_def silent = sb_output_def_default();
    silent.engine = sb_host_engine(self->host);
    silent.backend = "null";
    sb_output *output;
    sb_status status = sb_output_open(&silent, &output, err);
    if (status) return status;
    sb_conductor_def def = sb_conductor_def_default();
    def.engine = sb_host_engine(self->host);
    def.step = step;
    def.must_stop = watch_save;
    def.idle = idle;
    def.user = self;
    self->next_ns = sb_clock_ns() + 500000000;
    sb_conduct_result result;
    status = sb_conduct_play(&def, output, 30.0, &result, err);
    sb_output_close(output);
    if (!status && self->saves < SAVES) {
        status = sb_fail(err, SB_NO_CONVERGENCE,
                         "only %d of %d saves were heard in 30 s", self->saves,
                         (int)SAVES);
    }
    return status;
}

static sb_status measure_saves(saving *self, sb_error *err) {
    char path[128];
    sb_status status = open_folder(self, err);
    if (status) return status;
    path_of(self, "paint.lua", path);
    sb_host_def def = sb_host_def_default();
    def.watches = true;
    status = sb_host_open(path, &def, &self->host, err);
    if (!status) status = play(self, err);
    sb_host_close(self->host);
    close_folder(self);
    if (status) return status;
    qsort(self->delays_ms, SAVES, sizeof self->delays_ms[0], by_size);
    self->median_ms = self->delays_ms[SAVES / 2];
    self->worst_ms = self->delays_ms[SAVES - 1];
    return SB_OK;
}

/* --- printing ------------------------------------------------------------- */

static int print_json(const sb_bench_textures_result *r, const saving *saves) {
    cJSON *json = cJSON_CreateObject();
    cJSON *to = cJSON_AddObjectToObject(json, "textures");
    (void)cJSON_AddNumberToObject(to, "contacts", r->contacts);
    (void)cJSON_AddNumberToObject(to, "body_modes", r->body_modes);
    (void)cJSON_AddNumberToObject(to, "p50", r->p50);
    (void)cJSON_AddNumberToObject(to, "p99", r->p99);
    (void)cJSON_AddNumberToObject(to, "best", r->best);
    (void)cJSON_AddNumberToObject(to, "lookup_ns", r->lookup_ns);
    (void)cJSON_AddNumberToObject(to, "megabytes", r->megabytes);
    (void)cJSON_AddNumberToObject(to, "times_16_bit", r->bytes_a_texel / 2.0);
    (void)cJSON_AddNumberToObject(to, "save_to_sound_ms", saves->median_ms);
    (void)cJSON_AddNumberToObject(to, "save_to_sound_worst_ms",
                                  saves->worst_ms);
    char *text = cJSON_Print(json);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    cJSON_Delete(json);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

static void print_table(const sb_bench_textures_result *r,
                        const saving *saves) {
    (void)printf("%d contacts rolling over %d bodies of %d modes, textures of "
                 "%d x %d, %.0f MB in all\n\n",
                 r->contacts, r->bodies, r->body_modes, r->width, r->height,
                 r->megabytes);
    (void)printf("  %-40s p50 %.1f %%, p99 %.1f %%, best %.1f %% of one core\n",
                 "lookups in every block", 100.0 * r->p50, 100.0 * r->p99,
                 100.0 * r->best);
    (void)printf("  %-40s %.0f ns\n", "one place, all modes", r->lookup_ns);
    (void)printf("  %-40s %.2f times\n", "memory, of that at 16 bits",
                 r->bytes_a_texel / 2.0);
    (void)printf("  %-40s %.1f ms (worst %.1f)\n",
                 "one of 64 pictures saved to heard", saves->median_ms,
                 saves->worst_ms);
}

int bench_textures_run(bool is_json) {
    sb_error err;
    sb_bench_textures_result result;
    static saving saves;
    progress_show("measuring", -1.0, "about ten seconds");
    sb_status status = sb_bench_textures(&result, &err);
    if (!status) status = measure_saves(&saves, &err);
    progress_end();
    if (status) return fail_with(&err);
    if (is_json) return print_json(&result, &saves);
    print_table(&result, &saves);
    return EXIT_OK;
}
