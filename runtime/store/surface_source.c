/* SPDX-License-Identifier: MIT */
#include "runtime/store/surface_source.h"

#include "runtime/base/memory.h"
#include "runtime/store/export/gltf_access.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { POINTS_MOST = 1 << 20 };

static const char extension[] = "KHR_audio_rigid_bodies";

static const cJSON *extension_of(const cJSON *json) {
    return sb_gltf_get(sb_gltf_get(json, "extensions"), extension);
}

/* Of the node of the first model; else 0. */
static int64_t index_of(const cJSON *root) {
    const cJSON *node = NULL;
    cJSON_ArrayForEach(node, sb_gltf_get(root, "nodes")) {
        const cJSON *own = extension_of(node);
        int64_t index = sb_gltf_index(own, "acousticSurface");
        if (sb_gltf_index(own, "modalModel") == 0 && index >= 0) return index;
    }
    return 0;
}

static sb_status take_numbers(const sb_gltf *gltf, const cJSON *json,
                              sb_surface_source *out, sb_error *err) {
    out->roughness_m = sb_gltf_number(json, "roughness", 2e-6);
    out->longest_m = sb_gltf_number(json, "correlationLength", 5e-5);
    out->exponent = -sb_gltf_number(json, "spectralSlope", -2.4);
    out->shortest_m =
        sb_gltf_number(json, "shortWavelength", out->longest_m / 16);
    bool is_good = out->roughness_m >= 0 && out->exponent >= 0 &&
                   out->shortest_m > 0 && out->longest_m >= out->shortest_m;
    if (is_good) return SB_OK;
    return sb_gltf_fail(gltf, err,
                        "acousticSurfaces: roughness %g, correlationLength %g, "
                        "spectralSlope %g and shortWavelength %g are no "
                        "surface",
                        out->roughness_m, out->longest_m, -out->exponent,
                        out->shortest_m);
}

static sb_status take_profile(sb_gltf *gltf, const cJSON *json,
                              sb_surface_source *out, sb_error *err) {
    if (!sb_gltf_get(json, "profile")) return SB_OK;
    sb_gltf_view view;
    sb_status status =
        sb_gltf_look(gltf, json, "profile", "SCALAR", &view, err);
    if (status) return status;
    out->spacing_m = sb_gltf_number(json, "sampleSpacing", 0);
    if (view.component != SB_GLTF_FLOAT || view.count < 2 ||
        view.count > POINTS_MOST || !(out->spacing_m > 0)) {
        return sb_gltf_fail(gltf, err,
                            "profile: it needs 2 to %d floats and a "
                            "sampleSpacing",
                            (int)POINTS_MOST);
    }
    out->heights_m = sb_alloc(view.count, sizeof *out->heights_m);
    if (!out->heights_m) return sb_no_memory(err, "%.300s", gltf->path);
    out->count = (int)view.count;
    for (size_t i = 0; i < view.count; i++) {
        out->heights_m[i] = sb_gltf_float(&view, i, 0);
        if (!isfinite(out->heights_m[i]))
            return sb_gltf_fail(gltf, err, "profile: value %zu is not finite",
                                i);
    }
    return SB_OK;
}

/* Waves too long to be heard, and relief that lies on texture coordinates. */
static void note_unused(const cJSON *json, sb_surface_source *out) {
    bool has_waves = sb_gltf_number(json, "waviness", 0) > 0;
    bool has_relief = sb_gltf_get(json, "normalTexture") != NULL;
    (void)snprintf(out->unused, sizeof out->unused, "%s%s%s",
                   has_waves ? "waviness" : "",
                   has_waves && has_relief ? " and " : "",
                   has_relief ? "normalTexture" : "");
}

sb_status sb_surface_source_read(const char *path, sb_surface_source *out,
                                 sb_error *err) {
    sb_gltf gltf = {0};
    *out = (sb_surface_source){0};
    sb_status status = sb_gltf_open(&gltf, path, err);
    if (status) return status;
    const cJSON *list =
        sb_gltf_get(extension_of(gltf.root), "acousticSurfaces");
    int64_t index = index_of(gltf.root);
    const cJSON *json = index < cJSON_GetArraySize(list)
                            ? cJSON_GetArrayItem(list, (int)index)
                            : NULL;
    status = json ? take_numbers(&gltf, json, out, err)
                  : sb_gltf_fail(&gltf, err, "it has no acousticSurface of %s",
                                 extension);
    if (!status) status = take_profile(&gltf, json, out, err);
    if (!status) note_unused(json, out);
    sb_gltf_close(&gltf);
    if (status) sb_surface_source_free(out);
    return status;
}

void sb_surface_source_free(sb_surface_source *source) {
    sb_free(source->heights_m);
    *source = (sb_surface_source){0};
}
