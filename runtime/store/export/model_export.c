/* SPDX-License-Identifier: MIT */
#include "runtime/store/export/model_export.h"

#include "runtime/base/bumps.h"
#include "runtime/base/pi.h"
#include "runtime/base/principal.h"
#include "runtime/model/material.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/export/gltf_access.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/export/text_out.h"

#include <math.h>
#include <stddef.h>

/* --- JSON and CSV --------------------------------------------------------- */

#define LN_1000 6.907755278982137

static const float *member_at(const sb_finished *finished, int vertex,
                              int member) {
    size_t row = (size_t)vertex * (size_t)finished->member_count;
    return finished->shapes + 3 * (row + (size_t)member);
}

/* The two moduli of a grain are the last fields. */
static bool is_written(const sb_material *m, const sb_field *field) {
    return field->offset < offsetof(sb_material, youngs_modulus_across) ||
           sb_material_is_orthotropic(m);
}

static void print_material(sb_text_out *text, const sb_model_export *model) {
    const sb_material *m = model->material;
    sb_text_print(text, ",\n \"material\": {\"name\": ");
    sb_text_quoted(text, model->material_name ? model->material_name : "");
    for (const sb_field *f = sb_material_fields; f->name; f++) {
        if (is_written(m, f))
            sb_text_print(text, ", \"%s\": %.17g", f->name,
                          sb_field_value(f, m));
    }
    sb_text_print(text, "}");
}

static void print_head(sb_text_out *text, const sb_model_export *model) {
    const sb_solution_facts *facts = &model->solution->facts;
    sb_text_print(text, "{\"format\": \"sandbell-model\", \"version\": 1,\n "
                        "\"name\": ");
    sb_text_quoted(text, model->name ? model->name : "");
    sb_text_print(text, ",\n \"method\": ");
    sb_text_quoted(text, model->method ? model->method : "");
    sb_text_print(text,
                  ",\n \"mass_kg\": %.17g,\n \"centre_m\": [%.17g, %.17g, "
                  "%.17g]",
                  facts->volume_m3 * model->material->density,
                  facts->centre_m.x, facts->centre_m.y, facts->centre_m.z);
}

static void print_mesh(sb_text_out *text, const sb_solution *solution) {
    sb_text_print(text, ",\n \"vertices_m\": [");
    for (int i = 0; i < solution->vertex_count; i++) {
        const float *p = solution->vertices[i];
        sb_text_print(text, "%s[%.9g, %.9g, %.9g]", i ? ", " : "", p[0], p[1],
                      p[2]);
    }
    sb_text_print(text, "],\n \"faces\": [");
    for (int i = 0; i < solution->face_count; i++) {
        const int32_t *face = solution->faces[i];
        sb_text_print(text, "%s[%d, %d, %d]", i ? ", " : "", (int)face[0],
                      (int)face[1], (int)face[2]);
    }
    sb_text_print(text, "]");
}

static void print_mode(sb_text_out *text, const sb_finished *finished, int k) {
    const sb_finished_mode *mode = &finished->modes[k];
    sb_text_print(text, "%s\n  {\"freq_hz\": %.17g, \"sigma_per_s\": %.17g, ",
                  k ? "," : "", mode->freq_hz, mode->sigma_per_s);
    if (mode->sigma_per_s > 0) {
        sb_text_print(text, "\"t60_s\": %.17g, ", LN_1000 / mode->sigma_per_s);
    } else {
        sb_text_print(text, "\"t60_s\": null, ");
    }
    sb_text_print(text, "\"radiation\": %.17g, \"members\": [",
                  mode->radiation);
    for (int i = 0; i < mode->member_count; i++) {
        sb_text_print(text, "%s[", i ? ", " : "");
        for (int v = 0; v < finished->vertex_count; v++) {
            const float *psi = member_at(finished, v, mode->first_member + i);
            sb_text_print(text, "%s[%.9g, %.9g, %.9g]", v ? ", " : "", psi[0],
                          psi[1], psi[2]);
        }
        sb_text_print(text, "]");
    }
    sb_text_print(text, "]}");
}

sb_status sb_model_export_json(const char *path, const sb_model_export *model,
                               sb_error *err) {
    sb_text_out text;
    sb_status status = sb_text_begin(&text, path, err);
    if (status) return status;
    print_head(&text, model);
    print_material(&text, model);
    print_mesh(&text, model->solution);
    sb_text_print(&text, ",\n \"modes\": [");
    for (int k = 0; k < model->finished->mode_count; k++)
        print_mode(&text, model->finished, k);
    const sb_finish_report *report = &model->finished->report;
    sb_text_print(&text, "],\n \"merged\": %d, \"merge_error_db\": %.17g}\n",
                  (int)report->merged_count, report->error_db);
    return sb_text_end(&text);
}

static double rms_weight(const sb_finished *finished, int k) {
    const sb_finished_mode *mode = &finished->modes[k];
    double sum = 0;
    for (int v = 0; v < finished->vertex_count; v++) {
        for (int i = 0; i < mode->member_count; i++) {
            const float *psi = member_at(finished, v, mode->first_member + i);
            for (int j = 0; j < 3; j++)
                sum += (double)psi[j] * psi[j];
        }
    }
    return sqrt(sum / (3.0 * finished->vertex_count));
}

sb_status sb_model_export_csv(const char *path, const sb_model_export *model,
                              sb_error *err) {
    sb_text_out text;
    sb_status status = sb_text_begin(&text, path, err);
    if (status) return status;
    sb_text_print(&text, "mode,freq_hz,sigma_per_s,t60_s,radiation,members,"
                         "rms_weight\n");
    for (int k = 0; k < model->finished->mode_count; k++) {
        const sb_finished_mode *mode = &model->finished->modes[k];
        sb_text_print(&text, "%d,%.17g,%.17g,", k + 1, mode->freq_hz,
                      mode->sigma_per_s);
        if (mode->sigma_per_s > 0) {
            sb_text_print(&text, "%.17g", LN_1000 / mode->sigma_per_s);
        }
        sb_text_print(&text, ",%.17g,%d,%.17g\n", mode->radiation,
                      (int)mode->member_count, rms_weight(model->finished, k));
    }
    return sb_text_end(&text);
}

/* --- glTF ----------------------------------------------------------------- */

enum { FLOAT = 5126, UNSIGNED_INT = 5125, VIEWS = 5 };

typedef struct writing {
    const sb_model_export *model;
    int modes;   /* number of oscillating modes, which are written */
    int members; /* number of their members */
    sb_text_out text;
    unsigned char rest[3]; /* incomplete group of base64 */
    size_t rest_count;
} writing;

static bool swings(const sb_finished_mode *mode) {
    return mode->sigma_per_s < SB_TAU * mode->freq_hz;
}

static double damped_hz(const sb_finished_mode *mode) {
    double s = mode->sigma_per_s / SB_TAU;
    return sqrt((mode->freq_hz - s) * (mode->freq_hz + s));
}

/* --- the data ------------------------------------------------------------- */

static void put(writing *w, const void *bytes, size_t count) {
    const unsigned char *from = bytes;
    char group[4];
    for (size_t i = 0; i < count; i++) {
        w->rest[w->rest_count++] = from[i];
        if (w->rest_count < 3) continue;
        sb_base64_group(w->rest, 3, group);
        sb_text_bytes(&w->text, group, 4);
        w->rest_count = 0;
    }
}

static void put_end(writing *w) {
    char group[4];
    if (w->rest_count == 0) return;
    sb_base64_group(w->rest, w->rest_count, group);
    sb_text_bytes(&w->text, group, 4);
}

static void put_per_member(writing *w,
                           double (*value)(const sb_finished_mode *mode)) {
    const sb_finished *finished = w->model->finished;
    for (int k = 0; k < finished->mode_count; k++) {
        const sb_finished_mode *mode = &finished->modes[k];
        float number = (float)value(mode);
        for (int i = 0; swings(mode) && i < mode->member_count; i++)
            put(w, &number, sizeof number);
    }
}

static double decay_of(const sb_finished_mode *mode) {
    return mode->sigma_per_s;
}

static void put_shapes(writing *w) {
    const sb_finished *f = w->model->finished;
    for (int k = 0; k < f->mode_count; k++) {
        if (!swings(&f->modes[k])) continue;
        for (int i = 0; i < f->modes[k].member_count; i++) {
            size_t member = (size_t)(f->modes[k].first_member + i);
            for (int v = 0; v < f->vertex_count; v++) {
                size_t row = (size_t)v * (size_t)f->member_count;
                put(w, f->shapes + 3 * (row + member), sizeof(float[3]));
            }
        }
    }
}

static void print_data(writing *w) {
    const sb_solution *s = w->model->solution;
    put(w, s->vertices, (size_t)s->vertex_count * sizeof *s->vertices);
    put(w, s->faces, (size_t)s->face_count * sizeof *s->faces);
    put_per_member(w, damped_hz);
    put_per_member(w, decay_of);
    put_shapes(w);
    put_end(w);
}

/* --- buffer views and accessors ------------------------------------------- */

static void print_bounds(writing *w) {
    const sb_solution *s = w->model->solution;
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < s->vertex_count; i++) {
        for (int j = 0; j < 3; j++) {
            low[j] = fmin(low[j], s->vertices[i][j]);
            high[j] = fmax(high[j], s->vertices[i][j]);
        }
    }
    sb_text_print(&w->text,
                  ", \"min\": [%.9g, %.9g, %.9g], \"max\": [%.9g, %.9g, %.9g]",
                  low[0], low[1], low[2], high[0], high[1], high[2]);
}

static void print_views(writing *w) {
    const sb_solution *s = w->model->solution;
    size_t vertices = (size_t)s->vertex_count, members = (size_t)w->members;
    const struct {
        size_t count, size;
        const char *type;
        int component;
    } views[VIEWS] = {{vertices, 12, "VEC3", FLOAT},
                      {(size_t)s->face_count * 3, 4, "SCALAR", UNSIGNED_INT},
                      {members, 4, "SCALAR", FLOAT},
                      {members, 4, "SCALAR", FLOAT},
                      {members * vertices, 12, "VEC3", FLOAT}};
    sb_text_print(&w->text, "\"bufferViews\": [");
    size_t at = 0;
    for (int i = 0; i < VIEWS; i++) {
        size_t bytes = views[i].count * views[i].size;
        sb_text_print(&w->text,
                      "%s\n  {\"buffer\": 0, \"byteOffset\": %zu, "
                      "\"byteLength\": %zu}",
                      i ? "," : "", at, bytes);
        at += bytes;
    }
    sb_text_print(&w->text, "],\n \"accessors\": [");
    for (int i = 0; i < VIEWS; i++) {
        sb_text_print(&w->text,
                      "%s\n  {\"bufferView\": %d, \"componentType\": %d, "
                      "\"count\": %zu, \"type\": \"%s\"",
                      i ? "," : "", i, views[i].component, views[i].count,
                      views[i].type);
        if (i == 0) print_bounds(w);
        sb_text_print(&w->text, "}");
    }
    sb_text_print(&w->text,
                  "],\n \"buffers\": [{\"byteLength\": %zu, \"uri\": "
                  "\"data:application/octet-stream;base64,",
                  at);
    print_data(w);
    sb_text_print(&w->text, "\"}]}\n");
}

/* --- the extension -------------------------------------------------------- */

static void print_acoustics(writing *w) {
    const sb_material *m = w->model->material;
    const char *name = w->model->material_name;
    sb_text_print(&w->text, "  \"acousticMaterials\": [{\"name\": ");
    sb_text_quoted(&w->text, name ? name : "");
    for (int i = 0; i < SB_GLTF_MATERIAL_NUMBERS; i++) {
        const sb_field *field = &sb_material_fields[i];
        bool is_first_of_ours = i == SB_GLTF_MATERIAL_OURS;
        if (is_first_of_ours)
            sb_text_print(&w->text, ",\n   \"extras\": {\"sandbell\": {");
        if (is_written(m, field))
            sb_text_print(&w->text, "%s\"%s\": %.17g",
                          is_first_of_ours ? "" : ", ", sb_gltf_material[i],
                          sb_field_value(field, m));
    }
    sb_text_print(&w->text, "}}}],\n");
}

/* That which a body of the material has unless it is given another; flat above
 * its finish. Power falls as 1 / k^2. */
static void print_surface(writing *w) {
    double rough = w->model->material->roughness;
    double length = sb_bump_length_m(rough);
    sb_text_print(&w->text,
                  ",\n  \"acousticSurfaces\": [{\"roughness\": %.17g, "
                  "\"correlationLength\": %.17g, \"spectralSlope\": -2, "
                  "\"shortWavelength\": %.17g, \"waviness\": 0, "
                  "\"material\": 0}]",
                  rough, length, length / 16);
}

static void print_mass(writing *w) {
    const sb_solution_facts *facts = &w->model->solution->facts;
    double density = w->model->material->density, diagonal[3];
    sb_quat turn;
    sb_principal(facts->inertia_m5, diagonal, &turn);
    sb_text_print(&w->text,
                  ",\n   \"massProperties\": {\"mass\": %.17g, "
                  "\"centerOfMass\": [%.17g, %.17g, %.17g], "
                  "\"inertiaDiagonal\": [%.17g, %.17g, %.17g], "
                  "\"inertiaOrientation\": [%.17g, %.17g, %.17g, %.17g]}",
                  facts->volume_m3 * density, facts->centre_m.x,
                  facts->centre_m.y, facts->centre_m.z, diagonal[0] * density,
                  diagonal[1] * density, diagonal[2] * density, turn.x, turn.y,
                  turn.z, turn.w);
}

static void print_list(writing *w, const char *name,
                       double (*value)(const sb_finished_mode *mode)) {
    const sb_finished *finished = w->model->finished;
    sb_text_print(&w->text, ",\n    \"%s\": [", name);
    const char *comma = "";
    for (int k = 0; k < finished->mode_count; k++) {
        if (!swings(&finished->modes[k])) continue;
        sb_text_print(&w->text, "%s%.17g", comma, value(&finished->modes[k]));
        comma = ", ";
    }
    sb_text_print(&w->text, "]");
}

static double pitch_of(const sb_finished_mode *mode) {
    return mode->freq_hz;
}

static double radiation_of(const sb_finished_mode *mode) {
    return mode->radiation;
}

static double members_of(const sb_finished_mode *mode) {
    return mode->member_count;
}

static void print_model(writing *w) {
    const sb_solution_facts *facts = &w->model->solution->facts;
    sb_text_print(&w->text, "  \"modalModels\": [{\"name\": ");
    sb_text_quoted(&w->text, w->model->name ? w->model->name : "");
    sb_text_print(&w->text,
                  ", \"frequencies\": 2, \"decayRates\": 3, \"positions\": 0, "
                  "\"shapes\": 4, \"indices\": 1, \"material\": 0");
    print_mass(w);
    sb_text_print(&w->text,
                  ",\n   \"extras\": {\"sandbell\": {\"version\": 1, "
                  "\"sheetThickness\": %.17g",
                  facts->is_sheet ? facts->thickness_m : 0.0);
    print_list(w, "freqHz", pitch_of);
    print_list(w, "decayRates", decay_of);
    print_list(w, "radiation", radiation_of);
    print_list(w, "members", members_of);
    sb_text_print(&w->text, "}}}]");
}

static void print_scene(writing *w) {
    sb_text_print(&w->text,
                  "{\"asset\": {\"version\": \"2.0\", \"generator\": "
                  "\"Sandbell " SANDBELL_VERSION "\"},\n "
                  "\"extensionsUsed\": [\"KHR_audio_rigid_bodies\"],\n "
                  "\"scene\": 0, \"scenes\": [{\"nodes\": [0]}],\n "
                  "\"nodes\": [{\"mesh\": 0, \"name\": ");
    sb_text_quoted(&w->text, w->model->name ? w->model->name : "");
    sb_text_print(&w->text, ", \"extensions\": {\"KHR_audio_rigid_bodies\": "
                            "{\"modalModel\": 0, \"acousticSurface\": 0}}}],\n "
                            "\"meshes\": [{\"primitives\": [{\"attributes\": "
                            "{\"POSITION\": 0}, \"indices\": 1}]}],\n "
                            "\"extensions\": {\"KHR_audio_rigid_bodies\": {\n");
    print_acoustics(w);
    print_model(w);
    print_surface(w);
    sb_text_print(&w->text, "}},\n ");
}

sb_status sb_model_export_gltf(const char *path, const sb_model_export *model,
                               sb_error *err) {
    writing w = {.model = model};
    for (int k = 0; k < model->finished->mode_count; k++) {
        const sb_finished_mode *mode = &model->finished->modes[k];
        if (!swings(mode)) continue;
        w.modes++;
        w.members += mode->member_count;
    }
    if (w.modes == 0) {
        return sb_fail(
            err, SB_NO_MODES,
            "%.300s: all modes are overdamped; glTF cannot store these", path);
    }
    sb_status status = sb_text_begin(&w.text, path, err);
    if (status) return status;
    print_scene(&w);
    print_views(&w);
    return sb_text_end(&w.text);
}
