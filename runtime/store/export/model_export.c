/* Exports finished models as JSON and CSV. Control thread and workers. */
#include "runtime/store/export/model_export.h"

#include "runtime/model/material.h"
#include "runtime/model/solution.h"
#include "runtime/model/sound/finish.h"
#include "runtime/store/export/text_out.h"

#include <math.h>

#define LN_1000 6.907755278982137

static const float *member_at(const sb_finished *finished, int vertex,
                              int member) {
    size_t row = (size_t)vertex * (size_t)finished->member_count;
    return finished->shapes + 3 * (row + (size_t)member);
}

static void print_material(sb_text_out *text, const sb_model_export *model) {
    const sb_material *m = model->material;
    sb_text_print(text, ",\n \"material\": {\"name\": ");
    sb_text_quoted(text, model->material_name ? model->material_name : "");
    sb_text_print(text,
                  ", \"density\": %.17g, \"youngs_modulus\": %.17g, "
                  "\"poisson_ratio\": %.17g, \"alpha\": %.17g, "
                  "\"beta\": %.17g, \"hardness\": %.17g, "
                  "\"roughness\": %.17g, \"restitution\": %.17g, "
                  "\"friction\": %.17g",
                  m->density, m->youngs_modulus, m->poisson_ratio, m->alpha,
                  m->beta, m->hardness, m->roughness, m->restitution,
                  m->friction);
    if (sb_material_is_orthotropic(m)) {
        sb_text_print(text,
                      ", \"youngs_modulus_across\": %.17g, "
                      "\"shear_modulus\": %.17g",
                      m->youngs_modulus_across, m->shear_modulus);
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
