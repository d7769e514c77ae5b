/* SPDX-License-Identifier: MIT */
/* Times loading a model from the cache. Runs on the control thread. */
#include "runtime/base/clock.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/model.h"
#include "runtime/model/shape.h"
#include "runtime/store/model_file.h"
#include "runtime/store/model_maker.h"
#include "tests/bench/measure.h"
#include "tests/bench/solve/mesh_to_model.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LOADS = 9, PATH_BYTES = 1400 };

/* Find the only file in the folder. */
static bool find_file(const char *folder, char path[PATH_BYTES]) {
    DIR *directory = opendir(folder);
    const struct dirent *entry = NULL;
    bool is_found = false;
    while (directory && !is_found && (entry = readdir(directory))) {
        if (!strstr(entry->d_name, ".modal")) continue;
        (void)snprintf(path, PATH_BYTES, "%s/%s", folder, entry->d_name);
        is_found = true;
    }
    if (directory) (void)closedir(directory);
    return is_found;
}

static sb_status make_once(const sb_maker *maker, const sb_shape *shape,
                           double *seconds, int *modes, sb_error *err) {
    sb_model *model = NULL;
    double began = sb_clock_s();
    sb_status status = sb_maker_make(maker, shape, sb_material_find("steel"),
                                     NULL, &model, err);
    *seconds = sb_clock_s() - began;
    if (!status) *modes = sb_model_mode_count(model);
    sb_model_release(model);
    return status;
}

static sb_status read_once(const char *path, double *seconds, sb_error *err) {
    sb_model_file file;
    double began = sb_clock_s();
    sb_status status = sb_model_file_read(path, &file, err);
    *seconds = sb_clock_s() - began;
    if (!status) sb_model_file_free(&file);
    return status;
}

static sb_status load(const sb_maker *maker, const sb_shape *shape,
                      bench_cached_result *out, sb_error *err) {
    char path[PATH_BYTES];
    struct stat facts;
    sb_status status = make_once(maker, shape, &out->solve_s, &out->modes, err);
    if (status) return status;
    if (!find_file(maker->cache.folder, path) || stat(path, &facts)) {
        return sb_fail(err, SB_IO_ERROR, "%s: nothing was kept there",
                       maker->cache.folder);
    }
    out->file_bytes = (size_t)facts.st_size;
    out->read_s = out->make_s = INFINITY;
    for (int i = 0; !status && i < LOADS; i++) {
        double read_s, make_s = 0;
        status = read_once(path, &read_s, err);
        if (!status) {
            status = make_once(maker, shape, &make_s, &out->modes, err);
        }
        out->read_s = fmin(out->read_s, read_s);
        out->make_s = fmin(out->make_s, make_s);
    }
    return status;
}

sb_status bench_cached(const bench_body_def *def, bench_cached_result *out,
                       sb_error *err) {
    sb_maker maker = {.cache = {.max_bytes = (uint64_t)1 << 30}};
    char folder[BENCH_PATH];
    double clean_s;
    sb_mesh_source *source = NULL;
    bench_cached_result result = {0};
    sb_status status = folder_make(folder, err);
    if (status) return status;
    (void)snprintf(maker.cache.folder, sizeof maker.cache.folder, "%s", folder);
    status = bench_mesh_source(def, &source, &clean_s, err);
    if (!status) {
        sb_shape shape = {.kind = SB_SHAPE_MESH,
                          .thickness = def->thickness_m,
                          .mesh = source,
                          .max_modes = def->modes};
        result.vertices = sb_mesh_source_mesh(source)->vertex_count;
        status = load(&maker, &shape, &result, err);
    }
    sb_mesh_source_release(source);
    folder_remove(folder);
    if (!status) *out = result;
    return status;
}
