/* SPDX-License-Identifier: MIT */
/* Reads shapes with ready modes from .modal and glTF files. Control thread and
 * workers. */
#include "runtime/store/model_source.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/mesh_source.h"
#include "runtime/store/export/model_gltf.h"
#include "runtime/store/model_file.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), most = strlen(ending);
    return length > most && strcasecmp(path + length - most, ending) == 0;
}

bool sb_model_source_is_file(const char *path) {
    return ends_with(path, ".modal") || ends_with(path, ".gltf");
}

/* --- from glTF ------------------------------------------------------------ */

static double area_of(const sb_gltf_model *model) {
    double area = 0;
    for (int i = 0; i < model->face_count; i++) {
        sb_vec3 p[3];
        for (int c = 0; c < 3; c++) {
            const float *at = model->vertices[model->faces[i][c]];
            p[c] = (sb_vec3){(double)at[0], (double)at[1], (double)at[2]};
        }
        area += 0.5 * sb_vec3_length(sb_vec3_span(p[0], p[1], p[2]));
    }
    return area;
}

static sb_solution_facts facts_of(const sb_gltf_model *model) {
    double density = model->material.density;
    bool is_sheet = model->sheet_m > 0;
    sb_solution_facts facts = {
        .poisson_ratio = model->material.poisson_ratio,
        .volume_m3 = model->mass_kg / density,
        .area_m2 = area_of(model) * (is_sheet ? 2 : 1),
        .thickness_m = model->sheet_m,
        .centre_m = model->centre_m,
        .lambda_bound = INFINITY, /* the file has all modes there are */
        .method = is_sheet ? SB_METHOD_SHELL : SB_METHOD_SOLID,
        .rigid_count = 6,
        .is_sheet = is_sheet,
    };
    for (int i = 0; i < 6; i++)
        facts.inertia_m5[i] = model->inertia[i] / density;
    return facts;
}

/* Make each member of a merged mode a mode of the same frequency. */
static void unmerge(const sb_gltf_model *model, double *lambdas,
                    float *shapes) {
    const sb_finished *finished = &model->finished;
    double one = sb_solution_lambda(&model->material, 1.0);
    float scale = (float)sqrt(model->material.density);
    size_t numbers =
        3 * (size_t)finished->vertex_count * (size_t)finished->member_count;
    for (int k = 0; k < finished->mode_count; k++) {
        const sb_finished_mode *mode = &finished->modes[k];
        for (int m = 0; m < mode->member_count; m++) {
            lambdas[mode->first_member + m] =
                one * mode->freq_hz * mode->freq_hz;
        }
    }
    for (size_t i = 0; i < numbers; i++)
        shapes[i] = finished->shapes[i] * scale;
}

static sb_status from_gltf(const char *path, sb_solution **out, sb_error *err) {
    sb_gltf_model model;
    sb_status status = sb_model_import_gltf(path, &model, err);
    if (status) return status;
    size_t members = (size_t)model.finished.member_count;
    double *lambdas = sb_alloc(members, sizeof *lambdas);
    float *shapes =
        sb_alloc(3 * (size_t)model.vertex_count, members * sizeof *shapes);
    if (!model.has_material || !model.has_mass) {
        status =
            sb_fail(err, SB_BAD_FORMAT, "%.300s: its modal model has no %s",
                    path, model.has_material ? "mass" : "material");
    } else if (!lambdas || !shapes) {
        status = sb_no_memory(err, "%.300s", path);
    } else {
        unmerge(&model, lambdas, shapes);
        sb_solution parts = {
            .facts = facts_of(&model),
            .vertex_count = model.vertex_count,
            .face_count = model.face_count,
            .mode_count = model.finished.member_count,
            .vertices = (const float(*)[3])model.vertices,
            .faces = (const int32_t(*)[3])model.faces,
            .lambdas = lambdas,
            .shapes = shapes,
        };
        status = sb_solution_check(&parts, err);
        if (!status) status = sb_solution_create(&parts, out, err);
    }
    sb_free(lambdas);
    sb_free(shapes);
    sb_gltf_model_free(&model);
    return status;
}

static sb_status from_modal(const char *path, sb_solution **out,
                            sb_error *err) {
    sb_model_file file;
    sb_status status = sb_model_file_read(path, &file, err);
    if (status) return status;
    *out = sb_solution_retain(file.solution);
    sb_model_file_free(&file);
    return SB_OK;
}

/* --- as a mesh ------------------------------------------------------------ */

static sb_status copy_surface(const sb_solution *solution, sb_mesh *out,
                              sb_mesh_report *report, sb_error *err) {
    size_t vertices = (size_t)solution->vertex_count;
    size_t faces = (size_t)solution->face_count;
    sb_mesh mesh = {.vertex_count = solution->vertex_count,
                    .face_count = solution->face_count};
    mesh.vertices = sb_alloc(vertices, sizeof *mesh.vertices);
    mesh.faces = sb_alloc(faces, sizeof *mesh.faces);
    if (solution->uvs) mesh.uvs = sb_alloc(faces, sizeof *mesh.uvs);
    if (!mesh.vertices || !mesh.faces || (solution->uvs && !mesh.uvs)) {
        sb_mesh_free(&mesh);
        return sb_no_memory(err, "mesh");
    }
    sb_vec3 low = {INFINITY, INFINITY, INFINITY};
    sb_vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < vertices; i++) {
        const float *at = solution->vertices[i];
        sb_vec3 p = {(double)at[0], (double)at[1], (double)at[2]};
        low = (sb_vec3){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high =
            (sb_vec3){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
        mesh.vertices[i] = p;
    }
    memcpy(mesh.faces, solution->faces, faces * sizeof *mesh.faces);
    if (mesh.uvs) memcpy(mesh.uvs, solution->uvs, faces * sizeof *mesh.uvs);
    *report = (sb_mesh_report){.component_count = 1,
                               .is_closed = !solution->facts.is_sheet,
                               .low_m = low,
                               .high_m = high};
    *out = mesh;
    return SB_OK;
}

sb_status sb_model_source_read(const char *path, const char *name,
                               sb_mesh_source **out, sb_error *err) {
    sb_solution *solution;
    sb_mesh mesh;
    sb_mesh_report report;
    sb_status status = ends_with(path, ".modal")
                           ? from_modal(path, &solution, err)
                           : from_gltf(path, &solution, err);
    if (status) return status;
    status = copy_surface(solution, &mesh, &report, err);
    if (!status) {
        status = sb_mesh_source_create(name, &mesh, &report, out, err);
    }
    if (!status) sb_mesh_source_give(*out, solution);
    sb_solution_release(solution);
    return status;
}

bool sb_model_source_material(const char *path, sb_material *out) {
    bool is_there = false;
    sb_gltf_model model;
    sb_model_file file;
    if (ends_with(path, ".gltf")) {
        if (sb_model_import_gltf(path, &model, NULL)) return false;
        is_there = model.has_material;
        *out = model.material;
        if (out->hardness == 0) out->hardness = 1e9; /* not in the draft */
        sb_gltf_model_free(&model);
    } else {
        if (sb_model_file_read(path, &file, NULL)) return false;
        is_there = file.has_material;
        *out = file.material;
        sb_model_file_free(&file);
    }
    return is_there && sb_material_check(out, NULL) == SB_OK;
}
