/* bindings/cli/modes/bake_files.c -- writes one texture per mode and reports
 * them.
 * Thread: control. */
#include "bindings/cli/modes/bake.h"
#include "bindings/cli/modes/modes.h"
#include "runtime/base/memory.h"
#include "runtime/base/utf8.h"
#include "runtime/media/image/png16.h"
#include "runtime/model/modal_model.h"
#include "runtime/model/textures/texel_map.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Texels of the modes that are computed at once: 64 MB. */
enum { BATCH_TEXELS = 1 << 24 };

typedef struct bake_job {
    const mode_body *body;
    const bake_options *options;
    sb_texel_map map;
    int mode_count;
    bake_sheet *sheet;
    cJSON *modes; /* or NULL */
} bake_job;

/* --- names ---------------------------------------------------------------- */

bool is_numbered(const char *name) {
    const char *percent = strchr(name, '%');
    return percent && percent[1] == 'd' && !strchr(percent + 1, '%');
}

bool is_of_numbered(const char *pattern, const char *name) {
    size_t before = strcspn(pattern, "%");
    if (strncmp(pattern, name, before) != 0) return false;
    size_t digits = strspn(name + before, "0123456789");
    return digits > 0 &&
           strcmp(name + before + digits, pattern + before + 2) == 0;
}

static void name_file(char path[PATH_MAX], const char *pattern, int number) {
    const char *percent = strchr(pattern, '%');
    (void)snprintf(path, PATH_MAX, "%.*s%d%s", (int)(percent - pattern),
                   pattern, number, percent + 2);
}

/* --- one mode ------------------------------------------------------------- */

static void tell_mode(const bake_job *job, int mode, const char *path,
                      const float *weights) {
    const sb_mode *of = &sb_model_modes(job->body->model)[mode];
    if (!job->modes) return;
    cJSON *row = cJSON_CreateObject();
    (void)cJSON_AddItemToArray(job->modes, row);
    (void)cJSON_AddNumberToObject(row, "mode", mode + 1);
    (void)cJSON_AddNumberToObject(row, "freq_hz", of->freq_hz);
    (void)cJSON_AddStringToObject(row, "label", of->label);
    if (path) (void)cJSON_AddStringToObject(row, "file", path);
    (void)cJSON_AddNumberToObject(row, "scale",
                                  sb_texel_map_scale(&job->map, weights));
    (void)cJSON_AddNumberToObject(row, "largest",
                                  sb_texel_map_largest(&job->map, weights));
}

static sb_status finish_mode(const bake_job *job, int mode,
                             const float *weights, sb_error *err) {
    const char *pattern = job->options->output;
    char path[PATH_MAX];
    if (is_interrupted()) return sb_fail(err, SB_INTERRUPTED, "interrupted");
    if (pattern) {
        name_file(path, pattern, mode + 1);
        sb_status status = sb_png16_write_weights(
            path, job->map.width, job->map.height, weights,
            sb_texel_map_scale(&job->map, weights), err);
        if (status) return status;
    }
    if (job->sheet) bake_sheet_add(job->sheet, mode, weights);
    tell_mode(job, mode, pattern ? path : NULL, weights);
    return SB_OK;
}

/* --- all of them ---------------------------------------------------------- */

static sb_status finish_modes(const bake_job *job, sb_error *err) {
    size_t texels = (size_t)job->map.width * (size_t)job->map.height;
    int batch = (int)(BATCH_TEXELS / texels);
    if (batch < 1) batch = 1;
    if (batch > job->mode_count) batch = job->mode_count;
    float *weights = sb_alloc((size_t)batch * texels, sizeof *weights);
    if (!weights) {
        return sb_fail(err, SB_NO_MEMORY, "out of memory for %d %s of texels",
                       COUNTED(batch, "mode", "modes"));
    }
    sb_status status = SB_OK;
    for (int first = 0; !status && first < job->mode_count; first += batch) {
        int count = job->mode_count - first;
        if (count > batch) count = batch;
        status = sb_texel_map_weights(&job->map, job->body->model, first, count,
                                      weights, err);
        for (int k = 0; !status && k < count; k++) {
            status =
                finish_mode(job, first + k, weights + (size_t)k * texels, err);
        }
    }
    sb_free(weights);
    return status;
}

static sb_status check_amount(const bake_job *job, sb_error *err) {
    int64_t texels = (int64_t)job->map.width * job->map.height;
    if (texels * job->mode_count <= BAKE_TEXELS_MOST) return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%d %s of %d x %d texels are more than the 64 million that "
                   "a scene takes back; --modes %d bakes the lowest",
                   COUNTED(job->mode_count, "mode", "modes"), job->map.width,
                   job->map.height, (int)(BAKE_TEXELS_MOST / texels));
}

static sb_status bake(bake_job *job, sb_error *err) {
    const bake_options *options = job->options;
    const sb_model *model = job->body->model;
    sb_error why;
    if (sb_texel_map_make(model, (int)options->size, &job->map, &why)) {
        return sb_fail(err, why.status, "'%s' cannot be baked: %s",
                       job->body->name, why.message);
    }
    job->mode_count = sb_model_mode_count(model);
    if (options->mode_count > 0 && options->mode_count < job->mode_count)
        job->mode_count = (int)options->mode_count;
    sb_status status = check_amount(job, err);
    if (!status && options->sheet) {
        status = bake_sheet_begin(job->body, &job->map, job->mode_count,
                                  &job->sheet, err);
    }
    if (!status) status = finish_modes(job, err);
    if (!status && options->sheet)
        status = bake_sheet_save(job->sheet, options->sheet, err);
    return status;
}

/* --- what is said --------------------------------------------------------- */

static void warn(const bake_job *job) {
    const sb_texel_map *map = &job->map;
    if (map->doubled_count * 100 > map->covered_count) {
        (void)fprintf(stderr,
                      "sandbell bake: warning: %.0f %% of the texels belong to "
                      "two places of '%s', which sound alike then; sandbell "
                      "bake --unwrap spreads a mesh out anew\n",
                      100.0 * map->doubled_count / map->covered_count,
                      job->body->name);
    }
    if (map->outside_count > 0) {
        (void)fprintf(stderr,
                      "sandbell bake: warning: %d %s of '%s' outside the "
                      "texture, not baked\n",
                      COUNTED(map->outside_count, "face", "faces"),
                      job->body->name);
    }
}

static int print_json(const bake_job *job, cJSON *json) {
    const sb_texel_map *map = &job->map;
    double texels = (double)map->width * map->height;
    (void)cJSON_AddStringToObject(json, "body", job->body->name);
    (void)cJSON_AddNumberToObject(json, "width", map->width);
    (void)cJSON_AddNumberToObject(json, "height", map->height);
    (void)cJSON_AddStringToObject(json, "edges",
                                  map->repeats ? "repeat" : "clamp");
    (void)cJSON_AddNumberToObject(json, "covered", map->covered_count / texels);
    (void)cJSON_AddNumberToObject(json, "doubled", map->doubled_count / texels);
    (void)cJSON_AddNumberToObject(json, "faces_outside", map->outside_count);
    if (job->options->sheet)
        (void)cJSON_AddStringToObject(json, "sheet", job->options->sheet);
    (void)cJSON_AddItemReferenceToObject(json, "modes", job->modes);
    char *text = cJSON_Print(json);
    sb_utf8_mend(text);
    if (text) (void)printf("%s\n", text);
    cJSON_free(text);
    return text ? EXIT_OK : EXIT_SCRIPT;
}

static void print_words(const bake_job *job) {
    const sb_texel_map *map = &job->map;
    char first[PATH_MAX], last[PATH_MAX];
    (void)printf("%s: %d %s of %d x %d texels", job->body->name,
                 COUNTED(job->mode_count, "mode", "modes"), map->width,
                 map->height);
    if (map->covered_count < map->width * map->height) {
        (void)printf(", %.0f %% of them on the surface",
                     100.0 * map->covered_count / map->width / map->height);
    }
    if (job->options->output) {
        name_file(first, job->options->output, 1);
        name_file(last, job->options->output, job->mode_count);
        (void)printf(job->mode_count > 1 ? ", %s to %s" : ", %s", first, last);
    }
    if (job->options->sheet) (void)printf(", sheet %s", job->options->sheet);
    (void)printf("\n");
}

int bake_body(const mode_body *body, const bake_options *options) {
    bake_job job = {.body = body, .options = options};
    sb_error err;
    cJSON *json = options->is_json ? cJSON_CreateObject() : NULL;
    job.modes = options->is_json ? cJSON_CreateArray() : NULL;
    int code = EXIT_OK;
    if (bake(&job, &err)) {
        code = fail_with(&err);
    } else {
        warn(&job);
        if (options->is_json) {
            code = print_json(&job, json);
        } else {
            print_words(&job);
        }
    }
    cJSON_Delete(json);
    cJSON_Delete(job.modes);
    bake_sheet_free(job.sheet);
    sb_texel_map_free(&job.map);
    return code;
}
