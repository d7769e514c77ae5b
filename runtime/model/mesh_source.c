/* SPDX-License-Identifier: MIT */
#include "runtime/model/mesh_source.h"

#include "runtime/base/memory.h"
#include "runtime/model/mesh/hull.h"
#include "runtime/model/mesh/mesh.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

struct sb_mesh_source {
    atomic_int users;
    char *path;
    sb_mesh mesh;
    sb_mesh_report report;
    sb_hold *holds;
    int hold_count;
    sb_solution *solution;
    _Atomic(sb_hull *) hull; /* NULL: nobody has asked for it yet */
};

static void free_hull(sb_hull *hull) {
    if (hull) sb_hull_free(hull);
    sb_free(hull);
}

static void destroy(sb_mesh_source *source) {
    free_hull(atomic_load(&source->hull));
    sb_mesh_free(&source->mesh);
    sb_free(source->path);
    sb_free(source->holds);
    sb_solution_release(source->solution);
    sb_free(source);
}

sb_status sb_mesh_source_create(const char *path, sb_mesh *mesh,
                                const sb_mesh_report *report,
                                sb_mesh_source **out, sb_error *err) {
    sb_mesh_source *source = sb_alloc(1, sizeof *source);
    char *name = sb_copy_text(path);
    if (!source || !name) {
        sb_free(source);
        sb_free(name);
        sb_mesh_free(mesh);
        *mesh = (sb_mesh){0};
        return sb_no_memory(err, "%s", path);
    }
    atomic_init(&source->users, 1);
    source->path = name;
    source->mesh = *mesh;
    source->report = *report;
    *mesh = (sb_mesh){0};
    *out = source;
    return SB_OK;
}

sb_status sb_mesh_source_hold(const sb_mesh_source *source,
                              const sb_hold *holds, int count,
                              sb_mesh_source **out, sb_error *err) {
    sb_mesh copy = {0};
    sb_mesh_source *held;
    sb_status status = sb_mesh_copy(&copy, &source->mesh, err);
    if (!status) {
        status = sb_mesh_source_create(source->path, &copy, &source->report,
                                       &held, err);
    }
    if (status) return status;
    held->holds = sb_alloc((size_t)count, sizeof *holds);
    if (!held->holds) {
        destroy(held);
        return sb_no_memory(err, "%s", source->path);
    }
    memcpy(held->holds, holds, (size_t)count * sizeof *holds);
    held->hold_count = count;
    *out = held;
    return SB_OK;
}

/* The count of users and the hull are the only parts of a source that change. */
static sb_mesh_source *counted(const sb_mesh_source *source) {
    return (sb_mesh_source *)(uintptr_t)source;
}

sb_mesh_source *sb_mesh_source_retain(const sb_mesh_source *source) {
    sb_mesh_source *own = counted(source);
    atomic_fetch_add_explicit(&own->users, 1, memory_order_relaxed);
    return own;
}

void sb_mesh_source_release(const sb_mesh_source *source) {
    if (!source) return;
    sb_mesh_source *own = counted(source);
    /* The last user must see all that the others wrote before their release. */
    if (atomic_fetch_sub_explicit(&own->users, 1, memory_order_acq_rel) == 1) {
        destroy(own);
    }
}

void sb_mesh_source_give(sb_mesh_source *source, sb_solution *solution) {
    sb_solution_release(source->solution);
    source->solution = sb_solution_retain(solution);
}

sb_solution *sb_mesh_source_solution(const sb_mesh_source *source) {
    return source->solution;
}

/* If two threads make one at the same time, the first is kept. */
sb_status sb_mesh_source_hull(const sb_mesh_source *source, const sb_hull **out,
                              sb_error *err) {
    sb_mesh_source *own = counted(source);
    sb_hull *known = atomic_load(&own->hull);
    if (known) {
        *out = known;
        return SB_OK;
    }
    sb_hull *made = sb_alloc(1, sizeof *made);
    if (!made) return sb_no_memory_for(err, "a hull");
    sb_status status = sb_hull_make(source->mesh.vertices,
                                    source->mesh.vertex_count, made, err);
    if (status || !atomic_compare_exchange_strong(&own->hull, &known, made)) {
        free_hull(made);
        made = known;
    }
    *out = made;
    return status;
}

static bool has_same_modes(const sb_solution *a, const sb_solution *b) {
    if (!a || !b) return a == b;
    return a->mode_count == b->mode_count &&
           memcmp(a->lambdas, b->lambdas,
                  (size_t)a->mode_count * sizeof *a->lambdas) == 0;
}

const char *sb_mesh_source_path(const sb_mesh_source *source) {
    return source->path;
}

const sb_mesh *sb_mesh_source_mesh(const sb_mesh_source *source) {
    return &source->mesh;
}

const sb_mesh_report *sb_mesh_source_report(const sb_mesh_source *source) {
    return &source->report;
}

const sb_hold *sb_mesh_source_holds(const sb_mesh_source *source, int *count) {
    *count = source->hold_count;
    return source->holds;
}

static bool has_same_holds(const sb_mesh_source *a, const sb_mesh_source *b) {
    return a->hold_count == b->hold_count &&
           (a->hold_count == 0 ||
            memcmp(a->holds, b->holds,
                   (size_t)a->hold_count * sizeof *a->holds) == 0);
}

static bool has_same_faces(const sb_mesh *a, const sb_mesh *b) {
    return a->vertex_count == b->vertex_count &&
           a->face_count == b->face_count && a->tet_count == b->tet_count &&
           !a->uvs == !b->uvs &&
           memcmp(a->faces, b->faces,
                  (size_t)a->face_count * sizeof *a->faces) == 0 &&
           (a->tet_count == 0 ||
            memcmp(a->tets, b->tets, (size_t)a->tet_count * sizeof *a->tets) ==
                0) &&
           (!a->uvs || memcmp(a->uvs, b->uvs,
                              (size_t)a->face_count * sizeof *a->uvs) == 0);
}

static double span_of(const sb_mesh_report *report) {
    return sb_vec3_length(sb_vec3_sub(report->high_m, report->low_m));
}

double sb_mesh_source_ratio(const sb_mesh_source *a, const sb_mesh_source *b) {
    if (a == b) return 1;
    if (!has_same_faces(&a->mesh, &b->mesh) || !has_same_holds(a, b) ||
        !has_same_modes(a->solution, b->solution)) {
        return 0;
    }
    double span = span_of(&b->report), ratio = span / span_of(&a->report);
    if (memcmp(a->mesh.vertices, b->mesh.vertices,
               (size_t)a->mesh.vertex_count * sizeof *a->mesh.vertices) == 0) {
        return 1;
    }
    for (int i = 0; i < a->mesh.vertex_count; i++) {
        sb_vec3 apart = sb_vec3_sub(sb_vec3_scale(a->mesh.vertices[i], ratio),
                                    b->mesh.vertices[i]);
        if (!(sb_vec3_length(apart) <= 1e-9 * span)) return 0;
    }
    return ratio;
}
