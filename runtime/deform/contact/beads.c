/* SPDX-License-Identifier: MIT */
/* Beads: those of a form, which triangles they may meet before the next check, and
 * which they meet in a step (beads.h). Thread: member 0 of the team; making as
 * deform.h. */
#include "runtime/deform/contact/beads.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/deform/contact/form.h"

#include <math.h>

/* --- beads of forms ------------------------------------------------------- */

enum { BEADS_MOST = 512, RIM_LEAST = 16 };

/* Beads are counted first, then written. */
typedef struct string {
    form_bead *beads; /* NULL: only counted */
    int count;
} string;

static void add(string *to, sb_vec3 at, double radius_m) {
    if (to->beads) to->beads[to->count] = (form_bead){at, radius_m};
    to->count++;
}

/* Between two points, without them. */
static void add_between(string *to, sb_vec3 a, sb_vec3 b, double radius_m,
                        double spacing_m) {
    sb_vec3 way = sb_vec3_sub(b, a);
    int parts = (int)fmin(ceil(sb_vec3_length(way) / spacing_m), BEADS_MOST);
    for (int i = 1; i < parts; i++) {
        add(to, sb_vec3_plus(a, way, (double)i / parts), radius_m);
    }
}

static void add_circle(string *to, double radius, double y, double radius_m,
                       double spacing_m) {
    int parts = (int)fmin(ceil(SB_TAU * radius / spacing_m), BEADS_MOST);
    if (parts < RIM_LEAST) parts = RIM_LEAST;
    for (int i = 0; i < parts; i++) {
        double angle = SB_TAU * i / parts;
        add(to, (sb_vec3){radius * cos(angle), y, radius * sin(angle)},
            radius_m);
    }
}

static void add_box(string *to, sb_vec3 half, double spacing_m) {
    for (int i = 0; i < 8; i++) {
        const double s[3] = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                             i & 4 ? half.z : -half.z};
        sb_vec3 corner = {s[0], s[1], s[2]};
        add(to, corner, 0);
        for (int k = 0; k < 3; k++) {
            if (i >> k & 1) continue;
            sb_vec3 end = {k == 0 ? -s[0] : s[0], k == 1 ? -s[1] : s[1],
                           k == 2 ? -s[2] : s[2]};
            add_between(to, corner, end, 0, spacing_m);
        }
    }
}

static void add_line(string *to, sb_vec3 end, double radius_m,
                     double spacing_m) {
    sb_vec3 start = sb_vec3_scale(end, -1);
    add(to, start, radius_m);
    add_between(to, start, end, radius_m, spacing_m);
    add(to, end, radius_m);
}

static void add_faces(string *to, const sb_deform_faces *faces,
                      double spacing_m) {
    for (int i = 0; i < faces->point_count; i++) {
        add(to, faces->points[i], 0);
    }
    for (int i = 0; i < 3 * faces->face_count; i++) {
        int a = faces->faces[i / 3][i % 3];
        int b = faces->faces[i / 3][(i + 1) % 3];
        /* A side has two triangles: one of them adds it. */
        if (a < b)
            add_between(to, faces->points[a], faces->points[b], 0, spacing_m);
    }
}

static void add_cylinder(string *to, sb_vec3 sizes, double spacing_m) {
    double r = sizes.x, inner = sizes.y - sizes.x;
    add_circle(to, r, sizes.y, 0, spacing_m);
    add_circle(to, r, -sizes.y, 0, spacing_m);
    /* Balls inside it, as wide as it is. */
    if (inner > 0) add_line(to, (sb_vec3){0, inner, 0}, r, fmin(spacing_m, r));
}

static void string_up(const sb_deform_collider *def, double spacing_m,
                      string *to) {
    sb_vec3 s = def->sizes_m;
    switch (def->form) {
    case SB_DEFORM_SPHERE:
        add(to, (sb_vec3){0, 0, 0}, s.x);
        break;
    case SB_DEFORM_BOX:
        add_box(to, s, spacing_m);
        break;
    case SB_DEFORM_CYLINDER:
        add_cylinder(to, s, spacing_m);
        break;
    case SB_DEFORM_CAPSULE:
        add_line(to, (sb_vec3){s.y, 0, 0}, s.x, fmin(spacing_m, s.x));
        break;
    case SB_DEFORM_RING:
        add_circle(to, s.x, 0, s.y, fmin(spacing_m, s.y));
        break;
    case SB_DEFORM_HULL:
    case SB_DEFORM_MESH:
        add_faces(to, &def->faces, spacing_m);
        break;
    case SB_DEFORM_PLANE:
        break;
    }
}

/* Large forms have their beads farther apart. */
sb_status form_beads_make(const sb_deform_collider *def, double spacing_m,
                          collider_form *form) {
    string counted = {NULL, 0};
    for (int i = 0; i < 24; i++) {
        int before = counted.count;
        counted.count = 0;
        string_up(def, spacing_m, &counted);
        if (counted.count <= BEADS_MOST || counted.count == before) break;
        spacing_m *= 2;
    }
    if (counted.count == 0) return SB_OK;
    form->beads = sb_alloc((size_t)counted.count, sizeof *form->beads);
    if (!form->beads) return SB_NO_MEMORY;
    string written = {form->beads, 0};
    string_up(def, spacing_m, &written);
    form->bead_count = written.count;
    return SB_OK;
}

/* --- near triangles ------------------------------------------------------- */

static deform_box point_box(sb_vec3 p) {
    return (deform_box){{p.x, p.y, p.z}, {p.x, p.y, p.z}};
}

static bool add_pair(sb_deform *deform, bead_pair pair, sb_vec3 p,
                     double reach) {
    deform_beads *beads = deform->colliders->beads;
    sb_vec3 c[3];
    double shares[3];
    int nodes[3];
    deform_corners(deform, &deform->bodies[pair.body], pair.face, nodes, c);
    if (deform_shares(c, p, shares) > reach) return true;
    if (*beads->count == beads->most) return false;
    double side = sb_vec3_dot(deform_normal(c), sb_vec3_sub(p, c[0]));
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
        const deform_box at = point_box(p);
        int before = *all->beads->count;
        for (int f = 0; f < face_count; f++) {
            if (deform_are_apart(&faces[f].box, &at, within)) continue;
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
        const deform_body *body = &deform->bodies[b];
        double speed;
        deform_box box = deform_body_box(deform, body, &speed);
        for (int c = 0; c < deform->collider_count; c++) {
            const collider_form *form = &all->forms[c];
            const collider_pose *pose = &all->poses[c];
            if (form->bead_count == 0) continue;
            double reach = 0.5 * body->thickness_m +
                           deform_reach(deform, pose, form, speed);
            double within = reach + form->reach_m;
            deform_box at = point_box(pose->at);
            if (deform_are_apart(&box, &at, within)) continue;
            int count =
                deform_near_faces(deform, body, &at, within, all->beads->faces);
            if (!list_pairs(deform, c, b, count, reach)) return false;
        }
    }
    return true;
}

sb_status deform_beads_make(sb_deform *deform, sb_error *err) {
    deform_beads *beads = sb_alloc(1, sizeof *beads);
    deform->colliders->beads = beads;
    if (!beads) return deform_no_memory(err);
    beads->most = 4096 + 8 * deform->face_count;
    return SB_OK;
}

void deform_beads_place(deform_beads *beads, deform_layout *layout) {
    size_t most = (size_t)beads->most;
    beads->count = deform_place_array(layout, 1, sizeof *beads->count);
    beads->pairs = deform_place_array(layout, most, sizeof *beads->pairs);
}

/* --- meetings ------------------------------------------------------------- */

/* A ball meets at most so many triangles in one step. */
enum { MEETINGS = 4 };

/* A light ball is off again after few steps: with the 0.4 of nodes, it would
 * gain or lose up to 3 % of its energy. With this it sinks in four times as
 * far, which is still little. */
static const double bead_stiffness = 0.1;

static bead_meeting meet(const sb_deform *deform, const bead_pair *pair,
                         sb_vec3 p, double apart) {
    bead_meeting own = {.at = {0, 0, 0}};
    sb_vec3 c[3];
    deform_corners(deform, &deform->bodies[pair->body], pair->face, own.nodes,
                   c);
    own.distance = deform_shares(c, p, own.shares);
    for (int k = 0; k < 3; k++) {
        own.at = sb_vec3_plus(own.at, c[k], own.shares[k]);
    }
    sb_vec3 over = sb_vec3_scale(deform_normal(c), pair->side);
    double height = sb_vec3_dot(over, sb_vec3_sub(p, c[0]));
    own.normal = over;
    if (own.distance <= fabs(height) * (1 + 1e-9)) {
        own.depth = apart - height;
    } else {
        /* Beside it: from the side or corner, but not from behind. */
        own.normal = sb_vec3_scale(sb_vec3_sub(p, own.at), 1 / own.distance);
        own.depth =
            sb_vec3_dot(own.normal, over) > -0.5 ? apart - own.distance : 0;
    }
    own.is_out = !(own.depth > 0);
    return own;
}

static bool share_node(const bead_meeting *a, const bead_meeting *b) {
    for (int k = 0; k < 9; k++) {
        if (a->nodes[k / 3] == b->nodes[k % 3]) return true;
    }
    return false;
}

/* Leaves out what continues the surface that was met, and its other side. */
static void leave_out(bead_meeting *all, int count, const bead_meeting *met) {
    for (int i = 0; i < count; i++) {
        double along = sb_vec3_dot(all[i].normal, met->normal);
        if (along < -0.5 || (along > 0.85 && share_node(&all[i], met)))
            all[i].is_out = true;
    }
}

static void press(sb_deform *deform, const bead_pair *pair,
                  const bead_meeting *own) {
    deform_colliders *all = deform->colliders;
    int row = all->hit_rows - 1;
    collider_touch touch = {
        .at = own->at,
        .normal = sb_vec3_scale(own->normal, -1),
        .depth = own->depth,
        .stiffness = bead_stiffness,
    };
    for (int k = 0; k < 3; k++) {
        double share = own->shares[k];
        touch.inverse_mass +=
            share * share * deform->inverse_mass[own->nodes[k]];
        touch.velocity_m_s =
            sb_vec3_plus(touch.velocity_m_s,
                         row_vec3(deform->velocities, own->nodes[k]), share);
    }
    collider_hit *hit =
        &all->hits[row * deform->collider_count + pair->collider];
    if (!mask_has(&all->hit_now[row], pair->collider)) *hit = (collider_hit){0};
    sb_vec3 force =
        deform_collider_push(deform, &all->poses[pair->collider], &touch, hit);
    mask_set(&all->hit_now[row], pair->collider);
    for (int k = 0; k < 3; k++) {
        deform_push_node(deform, own->nodes[k],
                         sb_vec3_scale(force, own->shares[k]));
    }
}

/* All pairs of one bead and one body. */
static void push_bead(sb_deform *deform, const bead_pair *pairs, int count) {
    const deform_colliders *all = deform->colliders;
    const collider_pose *pose = &all->poses[pairs->collider];
    const form_bead *bead = &all->forms[pairs->collider].beads[pairs->bead];
    bead_meeting *meetings = all->beads->meetings;
    sb_vec3 p = sb_vec3_add(pose->at, sb_quat_turn(pose->rotation, bead->at));
    double apart =
        bead->radius_m + 0.5 * deform->bodies[pairs->body].thickness_m;
    for (int i = 0; i < count; i++) {
        meetings[i] = meet(deform, &pairs[i], p, apart);
    }
    for (int n = 0; n < (bead->radius_m > 0 ? MEETINGS : 1); n++) {
        int best = -1;
        for (int i = 0; i < count; i++) {
            if (!meetings[i].is_out &&
                (best < 0 || meetings[i].distance < meetings[best].distance))
                best = i;
        }
        if (best < 0) return;
        press(deform, &pairs[best], &meetings[best]);
        meetings[best].is_out = true;
        leave_out(meetings, count, &meetings[best]);
    }
}

static bool is_same(const bead_pair *a, const bead_pair *b) {
    return a->collider == b->collider && a->bead == b->bead &&
           a->body == b->body;
}

void deform_beads_push(sb_deform *deform) {
    const deform_beads *beads = deform->colliders->beads;
    for (int i = 0; i < *beads->count;) {
        int first = i;
        while (i < *beads->count &&
               is_same(&beads->pairs[i], &beads->pairs[first])) {
            i++;
        }
        push_bead(deform, &beads->pairs[first], i - first);
    }
}
