/* SPDX-License-Identifier: MIT */
/* A mesh from a definition, checked, with its skin and the numbers of its
 * nodes. Thread: as deform.h. */
#include "runtime/deform/run/build.h"

#include "runtime/base/memory.h"
#include "runtime/model/fem/fem.h"
#include "runtime/model/mesh/mesh.h"
#include "runtime/model/shape.h"

#include <math.h>
#include <stdlib.h>

void raw_body_free(raw_body *raw) {
    if (raw->solid) sb_free(raw->skin);
    sb_free(raw->number);
    sb_free(raw->order);
    sb_discrete_free(&raw->cut);
    *raw = (raw_body){0};
}

static sb_status cut_shape(const sb_deform_body_def *def, raw_body *raw,
                           sb_error *err) {
    sb_shape shape = *def->shape;
    if (shape.method != SB_METHOD_AUTO && shape.method != SB_METHOD_SHELL &&
        shape.method != SB_METHOD_SOLID) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: method = \"%s\" does not deform; use \"shell\" or "
                       "\"solid\"",
                       raw->name, sb_method_name(shape.method));
    }
    shape.is_for_deform = true;
    sb_status status = sb_discrete_make(&shape, &raw->cut, err);
    if (status) return status;
    raw->holds = raw->cut.holds;
    if (raw->cut.method == SB_METHOD_SOLID) {
        raw->solid = &raw->cut.solid;
    } else {
        raw->sheet = &raw->cut.sheet;
        raw->thickness_m = raw->cut.thickness_m;
    }
    return SB_OK;
}

static sb_status check_points(const raw_body *raw, sb_error *err) {
    for (int i = 0; i < raw->node_count; i++) {
        sb_vec3 p = raw->nodes[i];
        if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: node %d of its mesh is at (%g, %g, %g), which is "
                       "no place",
                       raw->name, i, p.x, p.y, p.z);
    }
    return SB_OK;
}

static sb_status check_nodes(const raw_body *raw, sb_error *err) {
    int per = raw->solid ? 10 : 3;
    const int *all =
        raw->solid ? &raw->solid->tets[0][0] : &raw->sheet->faces[0][0];
    if (raw->element_count < 1)
        return sb_fail(err, SB_BAD_ARGUMENT, "%s: its mesh has no elements",
                       raw->name);
    for (int i = 0; i < per * raw->element_count; i++) {
        if (all[i] >= 0 && all[i] < raw->node_count) continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: element %d refers to node %d of %d", raw->name,
                       i / per, all[i], raw->node_count);
    }
    return check_points(raw, err);
}

static const int *nodes_of(const raw_body *raw, int element, int *count) {
    *count = raw->solid ? 10 : 3;
    return raw->solid ? raw->solid->tets[element] : raw->sheet->faces[element];
}

typedef struct ranked {
    double at;
    int element;
} ranked;

static int by_place(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return a->element - b->element;
}

/* The axis along which the body is longest. */
static int longest_axis(const raw_body *raw) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < raw->node_count; i++) {
        const double at[3] = {raw->nodes[i].x, raw->nodes[i].y,
                              raw->nodes[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    int longest = 0;
    for (int k = 1; k < 3; k++) {
        if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
    }
    return longest;
}

/* Elements from one end of the body to the other, so that each thread works on
 * a piece of it: what it writes, it mostly reads itself. */
static sb_status order_elements(raw_body *raw, sb_error *err) {
    size_t count = (size_t)raw->element_count;
    int axis = longest_axis(raw), per;
    ranked *list = sb_alloc(count, sizeof *list);
    raw->order = sb_alloc(count, sizeof *raw->order);
    if (!list || !raw->order) {
        sb_free(list);
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for %d elements",
                       raw->name, raw->element_count);
    }
    for (int i = 0; i < raw->element_count; i++) {
        const int *nodes = nodes_of(raw, i, &per);
        double sum = 0;
        for (int n = 0; n < per; n++) {
            sb_vec3 p = raw->nodes[nodes[n]];
            sum += axis == 0 ? p.x : axis == 1 ? p.y : p.z;
        }
        list[i] = (ranked){sum, i};
    }
    qsort(list, count, sizeof *list, by_place);
    for (int i = 0; i < raw->element_count; i++) {
        raw->order[i] = list[i].element;
    }
    sb_free(list);
    return SB_OK;
}

/* Surface nodes first; each part in the order of the elements. */
static sb_status number_nodes(raw_body *raw, sb_error *err) {
    enum { UNUSED = -1, SURFACE = -2 };
    int surface = 0, inner = 0, per;
    raw->number = sb_alloc((size_t)raw->node_count, sizeof *raw->number);
    if (!raw->number)
        return sb_fail(err, SB_NO_MEMORY, "%s: out of memory for %d nodes",
                       raw->name, raw->node_count);
    for (int i = 0; i < raw->node_count; i++) {
        raw->number[i] = UNUSED;
    }
    for (int i = 0; i < 3 * raw->skin_count; i++) {
        int *number = &raw->number[raw->skin[i / 3][i % 3]];
        raw->surface_count += *number == UNUSED;
        *number = SURFACE;
    }
    for (int i = 0; i < raw->element_count; i++) {
        const int *nodes = nodes_of(raw, raw->order[i], &per);
        for (int n = 0; n < per; n++) {
            int *number = &raw->number[nodes[n]];
            if (*number == SURFACE)
                *number = surface++;
            else if (*number == UNUSED)
                *number = raw->surface_count + inner++;
        }
    }
    for (int i = 0; i < raw->node_count; i++) {
        if (raw->number[i] >= 0) continue;
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: node %d belongs to no element", raw->name, i);
    }
    return SB_OK;
}

static sb_status find_skin(raw_body *raw, sb_error *err) {
    if (raw->solid)
        return sb_skin_find(raw->solid, true, &raw->skin, &raw->skin_count,
                            err);
    raw->skin = raw->sheet->faces;
    raw->skin_count = raw->sheet->face_count;
    int(*border)[2], count;
    sb_status status = sb_mesh_border(raw->sheet, &border, &count, err);
    if (status) return status;
    raw->is_open = count > 0;
    sb_free(border);
    return SB_OK;
}

static bool is_finite(sb_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static sb_status check_pose(const sb_deform_body_def *def, const char *name,
                            sb_error *err) {
    const sb_quat q = def->rotation;
    if (is_finite(def->position_m) && is_finite(def->velocity_m_s) &&
        is_finite(def->spin_rad_s) && is_finite((sb_vec3){q.x, q.y, q.z}) &&
        isfinite(q.w))
        return SB_OK;
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "%s: position, rotation, velocity and spin must be finite",
                   name);
}

static sb_status fill(const sb_deform_body_def *def, raw_body *raw,
                      sb_error *err) {
    raw->sheet = def->sheet;
    raw->solid = def->solid;
    raw->holds = def->holds;
    raw->thickness_m = def->thickness_m;
    sb_status status = def->shape ? cut_shape(def, raw, err) : SB_OK;
    if (status) return status;
    if (raw->sheet && !(raw->thickness_m > 0 && isfinite(raw->thickness_m)))
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: thickness must be above 0, got %g m", raw->name,
                       raw->thickness_m);
    raw->nodes = raw->solid ? raw->solid->nodes : raw->sheet->vertices;
    raw->node_count =
        raw->solid ? raw->solid->node_count : raw->sheet->vertex_count;
    raw->element_count =
        raw->solid ? raw->solid->tet_count : raw->sheet->face_count;
    status = check_nodes(raw, err);
    if (!status) status = find_skin(raw, err);
    if (!status) status = order_elements(raw, err);
    return status ? status : number_nodes(raw, err);
}

sb_status raw_body_make(const sb_deform_body_def *def, raw_body *out,
                        sb_error *err) {
    *out = (raw_body){.def = def, .name = def->name ? def->name : "body"};
    int given = !!def->shape + !!def->sheet + !!def->solid;
    if (given != 1)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: needs one of shape, sheet and solid, got %d",
                       out->name, given);
    sb_status status = sb_material_check(&def->material, err);
    if (!status) status = check_pose(def, out->name, err);
    if (!status) status = fill(def, out, err);
    if (status) raw_body_free(out);
    return status;
}
