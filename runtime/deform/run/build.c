/* SPDX-License-Identifier: MIT */
/* Bodies from definitions: counts, memory, nodes, masses, holds; which element
 * forces act on each node, and the chunks that threads take. Thread: as deform.h. */
#include "runtime/deform/run/build.h"

#include "runtime/base/memory.h"
#include "runtime/deform/deform_state.h"
#include "runtime/deform/kernel/kernel.h"
#include "runtime/deform/sound/sound.h"
#include "runtime/model/sound/radiation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int groups_of(int elements) {
    return (elements + SB_DEFORM_LANES - 1) / SB_DEFORM_LANES;
}

/* --- rows and chunks ------------------------------------------------------ */

/* The nodes of element i of a body, or the rows of their forces. */
static int *element_of(sb_deform *deform, const deform_body *body, int i,
                       bool is_rows) {
    int group = body->group_first + i / SB_DEFORM_LANES;
    int lane = i % SB_DEFORM_LANES;
    if (body->is_sheet)
        return is_rows ? &deform->elements.shells[group].rows[0][lane]
                       : &deform->elements.shells[group].nodes[0][lane];
    return is_rows ? &deform->elements.tets[group].rows[0][lane]
                   : &deform->elements.tets[group].nodes[0][lane];
}

/* Counts the elements of each node, then gives each its rows, in the order of
 * the elements. */
static void link_rows(sb_deform *deform) {
    int *start = deform->elements.row_start;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < deform->body_count; b++) {
            const deform_body *body = &deform->bodies[b];
            int per = body->is_sheet ? 3 : 10;
            for (int i = 0; i < body->group_count * SB_DEFORM_LANES; i++) {
                const int *nodes = element_of(deform, body, i, false);
                int *rows = element_of(deform, body, i, true);
                bool is_real = i < body->element_count;
                for (int n = 0; n < per; n++) {
                    int node = nodes[n * SB_DEFORM_LANES];
                    if (pass == 0)
                        start[node] += is_real;
                    else
                        rows[n * SB_DEFORM_LANES] =
                            is_real ? --start[node]
                                    : deform->elements.row_count;
                }
            }
        }
        for (int n = 1; n <= deform->node_count && pass == 0; n++) {
            start[n] += start[n - 1];
        }
    }
}

static int chunks_of(int count, int size) {
    return (count + size - 1) / size;
}

/* Nodes per chunk, at most CHUNK_NODES: so that four threads, or two, have
 * equally many chunks. */
static int chunk_size(int count) {
    int chunks = (chunks_of(count, CHUNK_NODES) + 3) / 4 * 4;
    int size = chunks > 0 ? (chunks_of(count, chunks) + 3) / 4 * 4 : 4;
    return size > 16 ? size : 16;
}

/* Chunks of the surface and of the inside, merged by how far along their part
 * they are: both parts run from one end of the body to the other. */
static int cut_nodes(const deform_body *body, int index, node_chunk *out) {
    int ends[3] = {0, body->is_sheet ? body->node_count : body->surface_count,
                   body->node_count};
    int next[2] = {ends[0], ends[1]}, count = 0;
    while (next[0] < ends[1] || next[1] < ends[2]) {
        double along[2];
        for (int part = 0; part < 2; part++) {
            int size = ends[part + 1] - ends[part];
            along[part] = next[part] < ends[part + 1]
                              ? (double)(next[part] - ends[part]) / size
                              : 2;
        }
        int part = along[1] < along[0], first = next[part];
        int last = first + chunk_size(ends[part + 1] - ends[part]);
        if (last > ends[part + 1]) last = ends[part + 1];
        next[part] = last;
        if (out)
            out[count] = (node_chunk){index, body->node_first + first,
                                      body->node_first + last, part == 0};
        count++;
    }
    return count;
}

static void cut_chunks(sb_deform *deform) {
    int nodes = 0, groups = 0;
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        nodes += cut_nodes(body, b, &deform->chunks.nodes[nodes]);
        for (int i = 0; i < body->group_count; i += CHUNK_GROUPS) {
            int last = i + CHUNK_GROUPS;
            if (last > body->group_count) last = body->group_count;
            deform->chunks.groups[groups++] = (group_chunk){b, i, last};
        }
    }
    for (int c = 0; c < deform->chunks.node_count; c++) {
        const node_chunk *chunk = &deform->chunks.nodes[c];
        for (int n = chunk->first; n < chunk->last; n++) {
            deform->chunks.of_node[n] = c;
        }
    }
}

/* --- bodies --------------------------------------------------------------- */

static void describe(const raw_body *raw, deform_body *body) {
    const sb_deform_body_def *def = raw->def;
    (void)snprintf(body->name, sizeof body->name, "%s", raw->name);
    body->is_sheet = raw->sheet != NULL;
    body->has_back = raw->sheet && raw->is_open;
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
    size_t *memory = &deform->elements.memory_count;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < deform->body_count; i++) {
            deform_body *body = &deform->bodies[i];
            if (body->is_sheet != (pass == 0)) continue;
            size_t groups = (size_t)body->group_count;
            body->node_first = deform->node_count;
            deform->node_count += body->node_count;
            if (body->is_sheet) deform->turn_count = deform->node_count;
            int *total = body->is_sheet ? &deform->elements.shell_groups
                                        : &deform->elements.tet_groups;
            body->group_first = *total;
            *total += body->group_count;
            body->metric_first = deform->elements.metric_count;
            if (!body->is_sheet)
                deform->elements.metric_count +=
                    body->group_count * (body->is_straight ? 1 : SB_TET_POINTS);
            body->face_first = deform->face_count;
            deform->face_count += body->face_count;
            body->memory_at = *memory;
            size_t kept = body->is_sheet ? SB_SHELL_FORCES
                                         : SB_TET_POINTS * SB_TET_STRESSES;
            if (body->material.beta > 0)
                *memory += groups * kept * SB_DEFORM_LANES;
            deform->elements.row_count +=
                body->element_count * (body->is_sheet ? 3 : 10);
            deform->chunks.node_count += cut_nodes(body, i, NULL);
            deform->chunks.group_count +=
                chunks_of(body->group_count, CHUNK_GROUPS);
        }
    }
}

deform_layout deform_lay_out(sb_deform *deform,
                             void (*place)(sb_deform *, deform_layout *)) {
    deform_layout layout = {NULL, 0};
    place(deform, &layout);
    size_t bytes = layout.bytes;
    layout = (deform_layout){sb_alloc_aligned(bytes), 0};
    if (!layout.start) return layout;
    memset(layout.start, 0, bytes);
    deform->bytes += (double)bytes;
    place(deform, &layout);
    return layout;
}

static void place_arrays(sb_deform *deform, deform_layout *layout) {
    size_t nodes = (size_t)deform->node_count;
    size_t turns = (size_t)deform->turn_count;
    size_t bodies = (size_t)deform->body_count;
    deform_elements *elements = &deform->elements;
    deform_chunks *chunks = &deform->chunks;
    size_t tets = (size_t)elements->tet_groups;
    size_t shells = (size_t)elements->shell_groups;
    size_t node_chunks = (size_t)chunks->node_count;
    /* One more row, for elements that repeat others. */
    size_t rows = (size_t)elements->row_count + 1;
#define PLACE(pointer, count) \
    pointer = deform_place_array(layout, count, sizeof *(pointer))
    PLACE(deform->rest, 4 * nodes);
    PLACE(deform->mass, nodes);
    PLACE(deform->centre_weights, nodes);
    PLACE(deform->inverse_mass, nodes);
    PLACE(deform->inertia, turns);
    PLACE(deform->inverse_inertia, turns);
    PLACE(deform->faces, (size_t)deform->face_count);
    PLACE(elements->tets, tets);
    PLACE(elements->metrics, (size_t)elements->metric_count);
    PLACE(elements->shells, shells);
    PLACE(elements->row_start, nodes + 1);
    PLACE(elements->forces, 4 * rows);
    PLACE(elements->moments, turns > 0 ? 4 * rows : 0);
    PLACE(elements->energy_j, tets + shells);
    PLACE(elements->least, tets + shells);
    PLACE(chunks->nodes, node_chunks);
    PLACE(chunks->groups, (size_t)chunks->group_count);
    PLACE(chunks->of_node, nodes);
    PLACE(chunks->has_push, node_chunks);
    PLACE(chunks->sums, node_chunks);
    PLACE(deform->loads.push, 4 * nodes);
    PLACE(deform->loads.moment, 4 * turns);
    PLACE(deform->brake.rigid, bodies);
    PLACE(deform->smoothing.moves, 4 * turns);
    PLACE(deform->smoothing.turns, 4 * turns);
#undef PLACE
}

/* Sound keeps some milliseconds of the places of all surface nodes, of which
 * there are half as many as triangles, and a ring per body. */
double deform_bytes_for(const sb_deform *deform, double elements) {
    double bytes = 650.0 * elements + 230.0 * deform->node_count + 7e5;
    if (deform->has_ear)
        bytes +=
            4808.0 * deform->face_count + 8.0 * SOUND_RING * deform->body_count;
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

/* The radius that a body's sound is computed for (model/sound/radiation.h). A
 * closed sheet that faces inward is turned. */
static void find_surface(const sb_deform *deform, deform_body *body) {
    double area = 0, volume = 0;
    for (int i = 0; i < body->face_count; i++) {
        const int *face = deform->faces[body->face_first + i];
        sb_vec3 a = row_vec3(deform->rest, body->node_first + face[0]);
        sb_vec3 b = row_vec3(deform->rest, body->node_first + face[1]);
        sb_vec3 c = row_vec3(deform->rest, body->node_first + face[2]);
        sb_vec3 normal = sb_vec3_span(a, b, c);
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
    if (status) return status;
    deform->arrays = deform_lay_out(deform, place_arrays).start;
    if (!deform->arrays)
        return sb_fail(err, SB_NO_MEMORY,
                       "deformable bodies: out of memory for %d nodes",
                       deform->node_count);
    for (int i = 0; i < def->body_count && !status; i++) {
        status = fill_body(deform, &deform->bodies[i], &raws[i], err);
    }
    if (status) return status;
    link_rows(deform);
    cut_chunks(deform);
    return SB_OK;
}

sb_status deform_build(sb_deform *deform, const sb_deform_def *def,
                       sb_error *err) {
    raw_body *raws = sb_alloc((size_t)def->body_count, sizeof *raws);
    deform->bodies = sb_alloc((size_t)def->body_count, sizeof *deform->bodies);
    deform->body_count = def->body_count;
    sb_status status = SB_OK;
    if (!raws || !deform->bodies) status = deform_no_memory(err);
    if (!status) status = build_from(deform, def, raws, err);
    for (int i = 0; i < def->body_count && raws; i++) {
        raw_body_free(&raws[i]);
    }
    sb_free(raws);
    return status;
}
