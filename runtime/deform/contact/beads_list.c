/* Which beads may meet which triangles before the next check (beads.h). Thread:
 * member 0 of the team. */
#include "runtime/deform/contact/beads.h"

#include "runtime/base/memory.h"
#include "runtime/deform/contact/form.h"

#include <math.h>

typedef struct body_box {
    double low[3], high[3];
    double speed;
} body_box;

static void add_point(double low[3], double high[3], const double *at) {
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], at[k]);
        high[k] = fmax(high[k], at[k]);
    }
}

static body_box box_of(const sb_deform *deform, int index) {
    const deform_body *body = &deform->bodies[index];
    body_box own = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    double most = 0;
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        sb_vec3 v = row_vec3(deform->velocities, node);
        add_point(own.low, own.high, deform->positions + 4 * (size_t)node);
        most = fmax(most, sb_vec3_dot(v, v));
    }
    own.speed = sqrt(most);
    return own;
}

static bool is_far(const double low[3], const double high[3], sb_vec3 p,
                   double reach) {
    return low[0] - p.x > reach || p.x - high[0] > reach ||
           low[1] - p.y > reach || p.y - high[1] > reach ||
           low[2] - p.z > reach || p.z - high[2] > reach;
}

static int near_faces(sb_deform *deform, int index, sb_vec3 middle,
                      double reach) {
    const deform_body *body = &deform->bodies[index];
    near_face *out = deform->colliders->beads->faces;
    int count = 0;
    for (int i = 0; i < body->face_count; i++) {
        near_face own = {body->face_first + i,
                         {INFINITY, INFINITY, INFINITY},
                         {-INFINITY, -INFINITY, -INFINITY}};
        const int *face = deform->faces[own.face];
        for (int k = 0; k < 3; k++) {
            add_point(own.low, own.high,
                      deform->positions +
                          4 * (size_t)(body->node_first + face[k]));
        }
        if (!is_far(own.low, own.high, middle, reach)) out[count++] = own;
    }
    return count;
}

static bool add_pair(sb_deform *deform, bead_pair pair, sb_vec3 p,
                     double reach) {
    deform_beads *beads = deform->colliders->beads;
    sb_vec3 c[3];
    double shares[3];
    int nodes[3];
    corners_of(deform, pair.body, pair.face, nodes, c);
    if (deform_shares(c, p, shares) > reach) return true;
    if (*beads->count == beads->most) return false;
    double side = sb_vec3_dot(normal_of(c), sb_vec3_sub(p, c[0]));
    pair.side = deform->bodies[pair.body].is_sheet && side < 0 ? -1 : 1;
    beads->pairs[(*beads->count)++] = pair;
    return true;
}

/* Beads of one collider and faces of one body. */
static bool list_pairs(sb_deform *deform, int collider, int body,
                       int face_count, double reach) {
    deform_colliders *all = deform->colliders;
    const collider_form *form = &all->forms[collider];
    const collider_pose *pose = &all->poses[collider];
    const near_face *faces = all->beads->faces;
    int row = all->hit_rows - 1, *near = all->near_counts;
    near += (size_t)row * (size_t)deform->collider_count + (size_t)collider;
    for (int i = 0; i < form->bead_count; i++) {
        const form_bead *bead = &form->beads[i];
        sb_vec3 p =
            sb_vec3_add(pose->at, sb_quat_turn(pose->rotation, bead->at));
        double within = reach + bead->radius_m;
        int before = *all->beads->count;
        for (int f = 0; f < face_count; f++) {
            if (is_far(faces[f].low, faces[f].high, p, within)) continue;
            bead_pair pair = {collider, i, body, faces[f].face, 0};
            if (!add_pair(deform, pair, p, within)) return false;
        }
        int added = *all->beads->count - before;
        *near += bead->radius_m > 0 && added > 1 ? 2 : added > 0;
    }
    if (*near > 0) mask_set(&all->near[row], collider);
    return true;
}

bool deform_beads_list(sb_deform *deform) {
    deform_colliders *all = deform->colliders;
    int row = all->hit_rows - 1;
    *all->beads->count = 0;
    all->near[row] = (deform_mask){0};
    for (int c = 0; c < deform->collider_count; c++) {
        all->near_counts[row * deform->collider_count + c] = 0;
    }
    for (int b = 0; b < deform->body_count; b++) {
        body_box box = box_of(deform, b);
        for (int c = 0; c < deform->collider_count; c++) {
            const collider_form *form = &all->forms[c];
            const collider_pose *pose = &all->poses[c];
            if (form->bead_count == 0) continue;
            double reach = 0.5 * deform->bodies[b].thickness_m +
                           deform_reach(deform, pose, form, box.speed);
            double within = reach + form->reach_m;
            if (is_far(box.low, box.high, pose->at, within)) continue;
            int count = near_faces(deform, b, pose->at, within);
            if (!list_pairs(deform, c, b, count, reach)) return false;
        }
    }
    return true;
}

sb_status deform_beads_make(sb_deform *deform, sb_error *err) {
    deform_beads *beads = sb_alloc(1, sizeof *beads);
    deform->colliders->beads = beads;
    if (beads) {
        beads->most = 4096 + 8 * deform->face_count;
        size_t faces = (size_t)deform->face_count;
        beads->faces = sb_alloc(faces, sizeof *beads->faces);
        /* A bead meets each triangle of a body at most once. */
        beads->meetings = sb_alloc(faces, sizeof *beads->meetings);
        deform->bytes += (double)faces * (double)(sizeof *beads->faces +
                                                  sizeof *beads->meetings);
    }
    if (beads && beads->faces && beads->meetings) return SB_OK;
    return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
}

void deform_beads_free(deform_beads *beads) {
    if (!beads) return;
    sb_free(beads->faces);
    sb_free(beads->meetings);
    sb_free(beads);
}

size_t deform_beads_numbers(const deform_beads *beads) {
    return (size_t)beads->most * sizeof(bead_pair) / sizeof(double) + 2;
}

void deform_beads_place(deform_beads *beads, double *state) {
    beads->count = (int *)(void *)state;
    beads->pairs = (bead_pair *)(void *)(state + 1);
}
