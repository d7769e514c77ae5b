/* Bodies from definitions: counts, memory, nodes, masses, holds. Thread: as
 * deform.h. */
#include "runtime/deform/run/build.h"

#include "runtime/base/memory.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"
#include "runtime/model/sound/surface_pressure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int groups_of(int elements) {
    return (elements + SB_DEFORM_LANES - 1) / SB_DEFORM_LANES;
}

static void describe(const raw_body *raw, deform_body *body) {
    const sb_deform_body_def *def = raw->def;
    (void)snprintf(body->name, sizeof body->name, "%s", raw->name);
    body->is_sheet = raw->sheet != NULL;
    body->has_back = raw->sheet && raw->is_open;
    body->is_silent = def->is_silent;
    body->hovers = def->hovers;
    body->is_straight = raw->solid && deform_is_straight(raw->solid);
    body->material = def->material;
    body->thickness_m = body->is_sheet ? raw->thickness_m : 0;
    body->position_m = def->position_m;
    body->rotation = sb_quat_normalised(def->rotation);
    body->real_count = raw->node_count;
    body->node_count =
        body->is_sheet ? 4 * groups_of(raw->node_count) : raw->node_count;
    body->surface_count = raw->surface_count;
    body->element_count = raw->element_count;
    body->group_count = groups_of(raw->element_count);
    body->face_count = raw->skin_count;
}

/* Where each body's things are in the arrays. */
static void lay_out(sb_deform *deform) {
    size_t memory = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < deform->body_count; i++) {
            deform_body *body = &deform->bodies[i];
            if (body->is_sheet != (pass == 0)) continue;
            size_t groups = (size_t)body->group_count;
            body->node_first = deform->node_count;
            deform->node_count += body->node_count;
            if (body->is_sheet) deform->turn_count = deform->node_count;
            int *total =
                body->is_sheet ? &deform->shell_groups : &deform->tet_groups;
            body->group_first = *total;
            *total += body->group_count;
            body->metric_first = deform->metric_count;
            if (!body->is_sheet)
                deform->metric_count +=
                    body->group_count * (body->is_straight ? 1 : SB_TET_POINTS);
            body->face_first = deform->face_count;
            deform->face_count += body->face_count;
            body->memory_at = memory;
            size_t kept = body->is_sheet ? SB_SHELL_FORCES
                                         : SB_TET_POINTS * SB_TET_STRESSES;
            if (body->material.beta > 0)
                memory += groups * kept * SB_DEFORM_LANES;
            deform->row_count +=
                body->element_count * (body->is_sheet ? 3 : 10);
        }
    }
}

/* Allocates one array and counts its bytes. */
static void *take(sb_deform *deform, size_t count, size_t size, bool *ok) {
    size_t bytes = (count ? count : 1) * size;
    void *block = *ok ? sb_alloc_aligned(bytes) : NULL;
    if (!block)
        *ok = false;
    else
        memset(block, 0, bytes);
    deform->bytes += (double)bytes;
    return block;
}

static sb_status take_arrays(sb_deform *deform, sb_error *err) {
    bool ok = true;
    size_t nodes = (size_t)deform->node_count;
    size_t turns = (size_t)deform->turn_count;
    size_t groups = (size_t)deform->tet_groups + (size_t)deform->shell_groups;
#define TAKE(field, count) \
    deform->field = take(deform, count, sizeof *deform->field, &ok)
    TAKE(rest, 4 * nodes);
    TAKE(mass, nodes);
    TAKE(inverse_mass, nodes);
    TAKE(inertia, turns);
    TAKE(inverse_inertia, turns);
    TAKE(row_start, nodes + 1);
    TAKE(faces, (size_t)deform->face_count);
    TAKE(tets, (size_t)deform->tet_groups);
    TAKE(metrics, (size_t)deform->metric_count);
    TAKE(shells, (size_t)deform->shell_groups);
    /* One more row, for elements that repeat others. */
    TAKE(forces, 4 * ((size_t)deform->row_count + 1));
    TAKE(moments, turns > 0 ? 4 * ((size_t)deform->row_count + 1) : 0);
    TAKE(push, 4 * nodes);
    TAKE(push_moment, 4 * turns);
    TAKE(smooth_moves, 4 * turns);
    TAKE(smooth_turns, 4 * turns);
    TAKE(chunk_of, nodes);
    TAKE(energy_j, groups);
    TAKE(least, groups);
#undef TAKE
    if (ok) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY,
                   "deformable bodies: out of memory for %d nodes",
                   deform->node_count);
}

/* Sound keeps some milliseconds of the places of all surface nodes, of which
 * there are half as many as triangles, and a ring per ear. */
double deform_bytes_for(const sb_deform *deform, double elements) {
    double bytes = 650.0 * elements + 230.0 * deform->node_count + 7e5;
    if (deform->ear_count > 0)
        bytes +=
            (4800.0 + 8 * deform->ear_count) * deform->face_count +
            8.0 * SOUND_RING *
                (deform->is_source ? deform->body_count : deform->ear_count);
    if (deform->collider_count > 0)
        bytes +=
            1e5 + (330.0 + 0.7 * deform->collider_count) * deform->face_count;
    return bytes;
}

/* Before anything large is taken. */
static sb_status check_memory(const sb_deform *deform, double limit,
                              sb_error *err) {
    double elements = 0;
    for (int i = 0; i < deform->body_count; i++) {
        elements += deform->bodies[i].element_count;
    }
    double bytes = deform_bytes_for(deform, elements);
    if (deform->node_count > 50000000 || (limit > 0 && bytes > limit)) {
        return sb_fail(err, SB_NO_MEMORY,
                       "deformable bodies: %.0f elements take %.3g GB, more "
                       "than the %.3g GB allowed: use fewer elements",
                       elements, bytes * 1e-9,
                       (limit > 0 ? limit : 32e9) * 1e-9);
    }
    return SB_OK;
}

static void put_nodes(sb_deform *deform, const deform_body *body,
                      const raw_body *raw) {
    for (int i = 0; i < raw->node_count; i++) {
        sb_vec3 at = sb_quat_turn(body->rotation, raw->nodes[i]);
        set_row(deform->rest, body->node_first + raw->number[i],
                sb_vec3_add(at, body->position_m));
    }
    for (int i = 0; i < 3 * raw->skin_count; i++) {
        deform->faces[body->face_first + i / 3][i % 3] =
            raw->number[raw->skin[i / 3][i % 3]];
    }
}

static void invert_masses(sb_deform *deform, const deform_body *body,
                          const raw_body *raw) {
    for (int i = 0; i < raw->node_count; i++) {
        int node = body->node_first + raw->number[i];
        sb_hold hold = raw->holds ? raw->holds[i] : SB_HOLD_FREE;
        if (hold == SB_HOLD_FREE)
            deform->inverse_mass[node] = 1 / deform->mass[node];
        if (body->is_sheet && hold != SB_HOLD_CLAMPED)
            deform->inverse_inertia[node] = 1 / deform->inertia[node];
    }
}

/* Held nodes in one point leave turning about it, in one line about that. */
static void find_rigid(const sb_deform *deform, deform_body *body) {
    body->rigid = RIGID_FREE;
    for (int i = 0; i < body->real_count; i++) {
        int node = body->node_first + i;
        if (deform->inverse_mass[node] > 0) continue;
        sb_vec3 at = row_vec3(deform->rest, node);
        if (body->is_sheet && deform->inverse_inertia[node] == 0)
            body->rigid = RIGID_NONE;
        sb_vec3 off = sb_vec3_sub(at, body->pivot);
        double size = cbrt(body->volume_m3);
        if (body->rigid == RIGID_FREE) {
            body->rigid = RIGID_POINT;
            body->pivot = at;
        } else if (body->rigid == RIGID_POINT &&
                   sb_vec3_length(off) > 1e-6 * size) {
            body->rigid = RIGID_HINGE;
            body->axis = sb_vec3_normalised(off);
        } else if (body->rigid == RIGID_HINGE &&
                   sb_vec3_length(sb_vec3_cross(off, body->axis)) >
                       1e-6 * size) {
            body->rigid = RIGID_NONE;
        }
    }
}

/* The radius that a body's sound is computed for (surface_pressure.h). A closed
 * sheet that faces inward is turned. */
static void find_surface(const sb_deform *deform, deform_body *body) {
    double area = 0, volume = 0;
    for (int i = 0; i < body->face_count; i++) {
        const int *face = deform->faces[body->face_first + i];
        sb_vec3 a = row_vec3(deform->rest, body->node_first + face[0]);
        sb_vec3 b = row_vec3(deform->rest, body->node_first + face[1]);
        sb_vec3 c = row_vec3(deform->rest, body->node_first + face[2]);
        sb_vec3 normal = sb_vec3_cross(sb_vec3_sub(b, a), sb_vec3_sub(c, a));
        area += 0.5 * sb_vec3_length(normal);
        volume += sb_vec3_dot(sb_vec3_sub(a, body->position_m), normal) / 6;
    }
    body->radius_m = sb_surface_radius_m(area, body->has_back);
    for (int i = 0; i < body->face_count && !body->has_back && volume < 0;
         i++) {
        int *face = deform->faces[body->face_first + i], last = face[2];
        face[2] = face[1];
        face[1] = last;
    }
}

static sb_status fill_body(sb_deform *deform, deform_body *body,
                           const raw_body *raw, sb_error *err) {
    put_nodes(deform, body, raw);
    body->limit_hz = INFINITY;
    sb_status status = body->is_sheet
                           ? deform_fill_shells(deform, body, raw, err)
                           : deform_fill_tets(deform, body, raw, err);
    if (status) return status;
    invert_masses(deform, body, raw);
    find_rigid(deform, body);
    find_surface(deform, body);
    return SB_OK;
}

static sb_status build_from(sb_deform *deform, const sb_deform_def *def,
                            raw_body *raws, sb_error *err) {
    sb_status status = SB_OK;
    for (int i = 0; i < def->body_count && !status; i++) {
        status = raw_body_make(&def->bodies[i], &raws[i], err);
        if (!status) describe(&raws[i], &deform->bodies[i]);
    }
    if (status) return status;
    lay_out(deform);
    status = check_memory(deform, def->memory_bytes, err);
    if (!status) status = take_arrays(deform, err);
    for (int i = 0; i < def->body_count && !status; i++) {
        status = fill_body(deform, &deform->bodies[i], &raws[i], err);
    }
    return status;
}

sb_status deform_build(sb_deform *deform, const sb_deform_def *def,
                       sb_error *err) {
    raw_body *raws = sb_alloc((size_t)def->body_count, sizeof *raws);
    deform->bodies = sb_alloc((size_t)def->body_count, sizeof *deform->bodies);
    deform->body_count = def->body_count;
    sb_status status = SB_OK;
    if (!raws || !deform->bodies)
        status = sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    if (!status) status = build_from(deform, def, raws, err);
    for (int i = 0; i < def->body_count && raws; i++) {
        raw_body_free(&raws[i]);
    }
    sb_free(raws);
    return status;
}
