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

typedef struct box {
    double low[3], high[3];
} box;

static box empty_box(void) {
    return (box){{INFINITY, INFINITY, INFINITY},
                 {-INFINITY, -INFINITY, -INFINITY}};
}

static void add_point(box *to, const double *at) {
    for (int k = 0; k < 3; k++) {
        to->low[k] = fmin(to->low[k], at[k]);
        to->high[k] = fmax(to->high[k], at[k]);
    }
}

static bool is_apart(const box *a, const box *b, double reach) {
    for (int k = 0; k < 3; k++) {
        if (a->low[k] - reach > b->high[k] || b->low[k] - reach > a->high[k])
            return true;
    }
    return false;
}

static box body_box(const sb_deform *deform, const deform_body *body,
                    double *speed) {
    box own = empty_box();
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        add_point(&own, deform->positions + 4 * (size_t)node);
        *speed =
            fmax(*speed, sb_vec3_length(row_vec3(deform->velocities, node)));
    }
    return own;
}

static void corners_of(const sb_deform *deform, const deform_body *body,
                       int face, int nodes[3], sb_vec3 at[3]) {
    for (int k = 0; k < 3; k++) {
        nodes[k] = body->node_first + deform->faces[face][k];
        at[k] = row_vec3(deform->positions, nodes[k]);
    }
}

static sb_vec3 normal_of(const sb_vec3 c[3]) {
    return sb_vec3_normalised(
        sb_vec3_cross(sb_vec3_sub(c[1], c[0]), sb_vec3_sub(c[2], c[0])));
}

/* Adds one pair if it is near; a node of a solid is always outside. */
static bool add_pair(sb_deform *deform, const deform_body *of, int node,
                     int face, double reach) {
    deform_touch *touch = deform->touch;
    sb_vec3 p = row_vec3(deform->positions, node), c[3];
    double shares[3];
    int nodes[3];
    corners_of(deform, of, face, nodes, c);
    if (deform_shares(c, p, shares) > reach) return true;
    if (*touch->count == touch->most) return false;
    double side = sb_vec3_dot(normal_of(c), sb_vec3_sub(p, c[0]));
    touch->pairs[(*touch->count)++] =
        (touch_pair){node, face, of->is_sheet && side < 0 ? -1 : 1};
    return true;
}

/* Faces of `of` near a box, into the scratch list; their number. */
static int near_faces(sb_deform *deform, const deform_body *of,
                      const box *where, double reach) {
    int count = 0;
    for (int i = 0; i < of->face_count; i++) {
        box own = empty_box();
        const int *face = deform->faces[of->face_first + i];
        for (int k = 0; k < 3; k++) {
            add_point(&own, deform->positions +
                                4 * (size_t)(of->node_first + face[k]));
        }
        if (!is_apart(&own, where, reach))
            deform->touch->faces[count++] = of->face_first + i;
    }
    return count;
}

static bool list_pairs(sb_deform *deform, const deform_body *body,
                       const deform_body *of, const box *where, double reach) {
    int count = near_faces(deform, of, where, reach);
    box all = empty_box();
    for (int f = 0; f < count; f++) {
        const int *face = deform->faces[deform->touch->faces[f]];
        for (int k = 0; k < 3; k++) {
            add_point(&all, deform->positions +
                                4 * (size_t)(of->node_first + face[k]));
        }
    }
    for (int i = 0; i < body->surface_count && count > 0; i++) {
        int node = body->node_first + i;
        box own = empty_box();
        add_point(&own, deform->positions + 4 * (size_t)node);
        if (is_apart(&own, &all, reach)) continue;
        for (int f = 0; f < count; f++) {
            if (!add_pair(deform, of, node, deform->touch->faces[f], reach))
                return false;
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
            double speeds[2] = {0, 0};
            box own = body_box(deform, body, &speeds[0]);
            box other = body_box(deform, of, &speeds[1]);
            double reach =
                1e-3 + 0.5 * (body->thickness_m + of->thickness_m) +
                4 * CHECK_STEPS * deform->step_s * (speeds[0] + speeds[1]);
            if (a == b || is_apart(&own, &other, reach)) continue;
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
        &deform->bodies[deform->node_chunks[deform->chunk_of[pair->node]].body];
    corners_of(deform, of, pair->face, own.nodes, c);
    own.distance = deform_shares(c, p, own.shares);
    own.normal = sb_vec3_scale(normal_of(c), pair->side);
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
    return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
}

size_t deform_touch_numbers(const sb_deform *deform) {
    if (!deform->touch) return 0;
    size_t pairs = (size_t)deform->touch->most * sizeof(touch_pair);
    return pairs / sizeof(double) + 2;
}

void deform_touch_place(sb_deform *deform, double *state) {
    if (!deform->touch) return;
    deform->touch->count = (int *)(void *)state;
    deform->touch->pairs = (touch_pair *)(void *)(state + 1);
}

void deform_touch_free(sb_deform *deform) {
    if (deform->touch) sb_free(deform->touch->faces);
    sb_free(deform->touch);
    deform->touch = NULL;
}
