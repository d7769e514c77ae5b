/* SPDX-License-Identifier: MIT */
/* Bodies that touch each other: surface nodes of one against triangles of the
 * other. At each check, nodes and triangles that could meet before the next are
 * listed, with the side of the triangle that the node is on. In each step a
 * node takes the nearest of its triangles, as in deform_contact.c, with the reduced
 * mass of both. Thread: member 0 of the team. */
#include "runtime/deform/contact/deform_touch.h"

#include "runtime/base/memory.h"
#include "runtime/deform/deform_state.h"

#include <math.h>

static const double stiffness = 0.4;

static deform_box no_box(void) {
    return (deform_box){{INFINITY, INFINITY, INFINITY},
                        {-INFINITY, -INFINITY, -INFINITY}};
}

static void add_to_box(deform_box *to, const double at[3]) {
    for (int k = 0; k < 3; k++) {
        to->low[k] = fmin(to->low[k], at[k]);
        to->high[k] = fmax(to->high[k], at[k]);
    }
}

bool deform_are_apart(const deform_box *a, const deform_box *b, double reach) {
    for (int k = 0; k < 3; k++) {
        if (a->low[k] - b->high[k] > reach || b->low[k] - a->high[k] > reach)
            return true;
    }
    return false;
}

deform_box deform_body_box(const sb_deform *deform, const deform_body *body,
                           double *speed) {
    deform_box own = no_box();
    double most = 0;
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        sb_vec3 v = row_vec3(deform->velocities, node);
        add_to_box(&own, deform->positions + 4 * (size_t)node);
        most = fmax(most, sb_vec3_dot(v, v));
    }
    *speed = sqrt(most);
    return own;
}

int deform_near_faces(const sb_deform *deform, const deform_body *body,
                      const deform_box *where, double reach, near_face *out) {
    int count = 0;
    for (int i = 0; i < body->face_count; i++) {
        near_face own = {body->face_first + i, no_box()};
        for (int k = 0; k < 3; k++) {
            int node = body->node_first + deform->faces[own.face][k];
            add_to_box(&own.box, deform->positions + 4 * (size_t)node);
        }
        if (!deform_are_apart(&own.box, where, reach)) out[count++] = own;
    }
    return count;
}

void deform_corners(const sb_deform *deform, const deform_body *body, int face,
                    int nodes[3], sb_vec3 at[3]) {
    for (int k = 0; k < 3; k++) {
        nodes[k] = body->node_first + deform->faces[face][k];
        at[k] = row_vec3(deform->positions, nodes[k]);
    }
}

sb_vec3 deform_normal(const sb_vec3 c[3]) {
    return sb_vec3_normalised(sb_vec3_span(c[0], c[1], c[2]));
}

/* Adds one pair if it is near; a node of a solid is always outside. */
static bool add_pair(sb_deform *deform, const deform_body *of, int node,
                     int face, double reach) {
    deform_touch *touch = deform->touch;
    sb_vec3 p = row_vec3(deform->positions, node), c[3];
    double shares[3];
    int nodes[3];
    deform_corners(deform, of, face, nodes, c);
    if (deform_shares(c, p, shares) > reach) return true;
    if (*touch->count == touch->most) return false;
    double side = sb_vec3_dot(deform_normal(c), sb_vec3_sub(p, c[0]));
    touch->pairs[(*touch->count)++] =
        (touch_pair){node, face, of->is_sheet && side < 0 ? -1 : 1};
    return true;
}

static bool list_pairs(sb_deform *deform, const deform_body *body,
                       const deform_body *of, const deform_box *where,
                       double reach) {
    const near_face *faces = deform->touch->faces;
    int count =
        deform_near_faces(deform, of, where, reach, deform->touch->faces);
    deform_box all = no_box();
    for (int f = 0; f < count; f++) {
        add_to_box(&all, faces[f].box.low);
        add_to_box(&all, faces[f].box.high);
    }
    for (int i = 0; i < body->surface_count && count > 0; i++) {
        int node = body->node_first + i;
        deform_box own = no_box();
        add_to_box(&own, deform->positions + 4 * (size_t)node);
        if (deform_are_apart(&own, &all, reach)) continue;
        for (int f = 0; f < count; f++) {
            if (!add_pair(deform, of, node, faces[f].face, reach)) return false;
        }
    }
    return true;
}

static bool list_all(sb_deform *deform) {
    *deform->touch->count = 0;
    for (int a = 0; a < deform->body_count; a++) {
        for (int b = 0; b < deform->body_count; b++) {
            const deform_body *body = &deform->bodies[a];
            const deform_body *of = &deform->bodies[b];
            double speeds[2];
            deform_box own = deform_body_box(deform, body, &speeds[0]);
            deform_box other = deform_body_box(deform, of, &speeds[1]);
            double reach =
                1e-3 + 0.5 * (body->thickness_m + of->thickness_m) +
                4 * CHECK_STEPS * deform->step_s * (speeds[0] + speeds[1]);
            if (a == b || deform_are_apart(&own, &other, reach)) continue;
            if (!list_pairs(deform, body, of, &own, reach)) return false;
        }
    }
    return true;
}

typedef struct meeting {
    double distance, depth;
    sb_vec3 normal; /* towards the node */
    double shares[3];
    int nodes[3];
} meeting;

static const deform_body *owner_of(const sb_deform *deform, int face) {
    const deform_body *body = deform->bodies;
    while (face < body->face_first ||
           face >= body->face_first + body->face_count) {
        body++;
    }
    return body;
}

static meeting meet(const sb_deform *deform, const touch_pair *pair,
                    const deform_body *of) {
    meeting own;
    sb_vec3 c[3], p = row_vec3(deform->positions, pair->node);
    const deform_body *body =
        &deform->bodies[deform->chunks.nodes[deform->chunks.of_node[pair->node]]
                            .body];
    deform_corners(deform, of, pair->face, own.nodes, c);
    own.distance = deform_shares(c, p, own.shares);
    own.normal = sb_vec3_scale(deform_normal(c), pair->side);
    double height = sb_vec3_dot(own.normal, sb_vec3_sub(p, c[0]));
    double apart = 0.5 * (body->thickness_m + of->thickness_m);
    /* Beside the triangle the height says nothing: then it is not met. */
    bool is_over = own.distance <= fabs(height) * (1 + 1e-9);
    own.depth = is_over ? apart - height : 0;
    return own;
}

static void press(sb_deform *deform, int node, const meeting *own) {
    double inverse = deform->inverse_mass[node], dt = deform->step_s;
    for (int k = 0; k < 3; k++) {
        inverse += own->shares[k] * own->shares[k] *
                   deform->inverse_mass[own->nodes[k]];
    }
    if (!(inverse > 0)) return;
    double size = stiffness / (inverse * dt * dt) * own->depth;
    sb_vec3 force = sb_vec3_scale(own->normal, size);
    deform_push_node(deform, node, force);
    for (int k = 0; k < 3; k++) {
        deform_push_node(deform, own->nodes[k],
                         sb_vec3_scale(force, -own->shares[k]));
    }
}

/* Pairs of one node and one body follow each other. */
bool deform_touch_bodies(sb_deform *deform, int64_t step) {
    deform_touch *touch = deform->touch;
    if (step % CHECK_STEPS == 0 && !list_all(deform)) return false;
    for (int i = 0; i < *touch->count;) {
        int node = touch->pairs[i].node;
        const deform_body *of = owner_of(deform, touch->pairs[i].face);
        int last = of->face_first + of->face_count;
        meeting best = {.distance = INFINITY};
        for (; i < *touch->count && touch->pairs[i].node == node &&
               touch->pairs[i].face >= of->face_first &&
               touch->pairs[i].face < last;
             i++) {
            meeting own = meet(deform, &touch->pairs[i], of);
            if (own.distance < best.distance) best = own;
        }
        if (best.depth > 0) press(deform, node, &best);
    }
    return true;
}

sb_status deform_touch_make(sb_deform *deform, sb_error *err) {
    deform_touch *touch = sb_alloc(1, sizeof *touch);
    deform->touch = touch;
    if (touch) {
        int nodes = 0;
        for (int b = 0; b < deform->body_count; b++) {
            nodes += deform->bodies[b].surface_count;
        }
        touch->most = 16 * nodes + 256;
        touch->faces =
            sb_alloc((size_t)deform->face_count, sizeof *touch->faces);
    }
    if (touch && touch->faces) return SB_OK;
    return deform_no_memory(err);
}

void deform_touch_place(sb_deform *deform, deform_layout *layout) {
    deform_touch *touch = deform->touch;
    size_t most = (size_t)touch->most;
    touch->count = deform_place_array(layout, 1, sizeof *touch->count);
    touch->pairs = deform_place_array(layout, most, sizeof *touch->pairs);
}

void deform_touch_free(sb_deform *deform) {
    if (deform->touch) sb_free(deform->touch->faces);
    sb_free(deform->touch);
    deform->touch = NULL;
}
