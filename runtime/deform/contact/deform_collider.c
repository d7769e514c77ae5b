/* SPDX-License-Identifier: MIT */
/* Making colliders, how they move, and what they are given frame by frame
 * (deform_collider.h). Thread: member 0 of the team; otherwise as deform.h. */
#include "runtime/deform/contact/deform_collider.h"

#include "runtime/base/memory.h"
#include "runtime/deform/contact/beads.h"
#include "runtime/deform/contact/form.h"

#include <math.h>
#include <stdio.h>

/* --- impulses, frame by frame --------------------------------------------- */

/* What colliders are given: the impulses of the steps of a frame are added up;
 * when the frame is over they are queued for sb_deform_next_touch. All but the
 * numbers of places is part of the state. */

typedef struct heard_sum {
    sb_vec3 impulse_ns, point; /* sum of |impulse| times point */
    double size;
} heard_sum;

typedef struct heard_head {
    int64_t frame;       /* that is being summed */
    int64_t first, next; /* of the queue */
} heard_head;

struct deform_heard {
    int count;   /* of colliders */
    int *places; /* [collider]: among those heard, or -1 */
    int most;    /* of the queue */
    /* state */
    heard_head *head;
    heard_sum *sums;              /* [heard] */
    sb_deform_touch_frame *queue; /* [most] */
};

static sb_status make_heard(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    deform_heard *heard = sb_alloc(1, sizeof *heard);
    deform->colliders->heard = heard;
    if (!heard) return deform_no_memory(err);
    for (int i = 0; i < def->collider_count; i++) {
        heard->count += def->colliders[i].is_heard;
    }
    heard->most = HEARD_FRAMES * heard->count;
    return SB_OK;
}

static void place_heard(deform_heard *heard, deform_layout *layout) {
    size_t count = (size_t)heard->count, most = (size_t)heard->most;
    heard->head = deform_place_array(layout, 1, sizeof *heard->head);
    heard->sums = deform_place_array(layout, count, sizeof *heard->sums);
    heard->queue = deform_place_array(layout, most, sizeof *heard->queue);
}

static void add_heard(sb_deform *deform, int collider, const collider_hit *hit,
                      sb_vec3 at) {
    deform_heard *heard = deform->colliders->heard;
    int place = heard->places[collider];
    if (place < 0) return;
    heard_sum *sum = &heard->sums[place];
    sb_vec3 point = sb_vec3_plus(hit->arm, at, hit->size);
    sum->impulse_ns = sb_vec3_add(sum->impulse_ns, hit->impulse_ns);
    sum->point = sb_vec3_add(sum->point, point);
    sum->size += hit->size;
}

static void end_frame(deform_heard *heard, int collider) {
    heard_sum *sum = &heard->sums[heard->places[collider]];
    if (!(sum->size > 0)) return;
    heard->queue[heard->head->next++ % heard->most] = (sb_deform_touch_frame){
        .collider = collider,
        .frame = heard->head->frame,
        .impulse_ns = sum->impulse_ns,
        .point_m = sb_vec3_scale(sum->point, 1 / sum->size)};
    *sum = (heard_sum){.size = 0};
}

static void reach_heard(sb_deform *deform, int64_t step) {
    deform_heard *heard = deform->colliders->heard;
    int64_t frame = step / (deform->fine_steps * FINE_PER_FRAME);
    if (heard->count == 0 || frame <= heard->head->frame) return;
    for (int c = 0; c < deform->collider_count; c++) {
        if (heard->places[c] >= 0) end_frame(heard, c);
    }
    heard->head->frame = frame;
}

bool deform_heard_has_room(const sb_deform *deform, double frame) {
    const deform_heard *heard = deform->colliders->heard;
    const heard_head *head = heard->head;
    if (heard->count == 0) return true;
    int64_t oldest = head->frame;
    if (head->first < head->next)
        oldest = heard->queue[head->first % heard->most].frame;
    return frame < (double)oldest + HEARD_FRAMES;
}

bool sb_deform_next_touch(sb_deform *deform, sb_deform_touch_frame *out) {
    if (!deform->colliders || deform->colliders->heard->count == 0)
        return false;
    deform_heard *heard = deform->colliders->heard;
    if (heard->head->first == heard->head->next) return false;
    *out = heard->queue[heard->head->first++ % heard->most];
    return true;
}

/* --- making colliders ----------------------------------------------------- */

/* Mean edge of the body with the finest mesh, and the longest of all. */
static void find_edges(const sb_deform *deform, double *mean, double *longest) {
    *mean = INFINITY;
    *longest = 0;
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        double sum = 0;
        for (int i = 0; i < 3 * body->face_count; i++) {
            const int *face = deform->faces[body->face_first + i / 3];
            int from = body->node_first + face[i % 3];
            int to = body->node_first + face[(i + 1) % 3];
            double length = sb_vec3_length(sb_vec3_sub(
                row_vec3(deform->rest, from), row_vec3(deform->rest, to)));
            sum += length;
            *longest = fmax(*longest, length);
        }
        *mean = fmin(*mean, sum / (3.0 * body->face_count));
    }
}

static sb_status make_forms(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    deform_colliders *all = deform->colliders;
    double mean, longest;
    find_edges(deform, &mean, &longest);
    for (int i = 0; i < def->collider_count; i++) {
        collider_form *form = &all->forms[i];
        char name[40];
        (void)snprintf(name, sizeof name, "deformable bodies: collider %d", i);
        sb_status status =
            form_make(&def->colliders[i], name, 0.5 * mean, form, err);
        if (status) return status;
        /* Between nodes, a ball much larger than triangles sinks by less than
         * a hundredth of its radius. Small ones meet only triangles. */
        if (form->form == SB_DEFORM_SPHERE) {
            form->has_nodes = form->sizes_m.x > 4 * longest;
            if (form->has_nodes) form->bead_count = 0;
        }
        if (form->form == SB_DEFORM_MESH) form->mesh = all->mesh_count++;
    }
    return SB_OK;
}

static void place_scratch(sb_deform *deform, deform_layout *layout) {
    deform_colliders *all = deform->colliders;
    size_t count = (size_t)deform->collider_count;
    size_t rows = (size_t)all->hit_rows, faces = (size_t)deform->face_count;
    size_t chunks = (size_t)deform->chunks.node_count;
#define PLACE(pointer, count) \
    pointer = deform_place_array(layout, count, sizeof *(pointer))
    PLACE(all->forms, count);
    PLACE(all->poses, count);
    PLACE(all->row_of, chunks);
    PLACE(all->hits, rows * count);
    PLACE(all->near_counts, rows * count);
    PLACE(all->hit_now, rows);
    PLACE(all->heard->places, count);
    PLACE(all->beads->faces, faces);
    /* A bead meets each triangle of a body at most once. */
    PLACE(all->beads->meetings, faces);
#undef PLACE
}

sb_status deform_colliders_make(sb_deform *deform, const sb_deform_def *def,
                                sb_error *err) {
    const deform_chunks *chunks = &deform->chunks;
    deform_colliders *all = sb_alloc(1, sizeof *all);
    deform->colliders = all;
    if (!all) return deform_no_memory(err);
    all->hit_rows = 1; /* of beads */
    for (int c = 0; c < chunks->node_count; c++) {
        all->hit_rows += chunks->nodes[c].is_surface;
    }
    sb_status status = deform_beads_make(deform, err);
    if (!status) status = make_heard(deform, def, err);
    if (status) return status;
    all->scratch = deform_lay_out(deform, place_scratch).start;
    if (!all->scratch) return deform_no_memory(err);
    for (int c = 0, row = 0; c < chunks->node_count; c++) {
        all->row_of[c] = chunks->nodes[c].is_surface ? row++ : -1;
    }
    for (int i = 0, place = 0; i < def->collider_count; i++) {
        bool is_heard = def->colliders[i].is_heard;
        all->heard->places[i] = is_heard ? place++ : -1;
    }
    return make_forms(deform, def, err);
}

void deform_colliders_free(sb_deform *deform) {
    deform_colliders *all = deform->colliders;
    if (!all) return;
    for (int i = 0; i < deform->collider_count && all->scratch; i++) {
        form_free(&all->forms[i]);
    }
    sb_free_all(all->scratch, all->beads, all->heard, all);
    deform->colliders = NULL;
}

void deform_colliders_place(sb_deform *deform, deform_layout *layout) {
    deform_colliders *all = deform->colliders;
    size_t sides = (size_t)deform->node_count * (size_t)all->mesh_count;
    all->near =
        deform_place_array(layout, (size_t)all->hit_rows, sizeof *all->near);
    all->side = deform_place_array(layout, sides, sizeof *all->side);
    deform_beads_place(all->beads, layout);
    place_heard(all->heard, layout);
}

/* --- motion --------------------------------------------------------------- */

static sb_quat turned(sb_quat rotation, sb_vec3 by_rad) {
    double angle = sb_vec3_length(by_rad);
    if (angle == 0) return rotation;
    return sb_quat_normalised(
        sb_quat_times(sb_quat_about(by_rad, angle), rotation));
}

static sb_vec3 acceleration_of(const collider_state *own) {
    sb_vec3 none = {0, 0, 0};
    return own->def.mass_kg > 0 ? own->def.acceleration_m_s2 : none;
}

/* Of its free flight. */
static collider_pose free_pose(const sb_deform *deform, int index,
                               int64_t step) {
    const collider_state *own = &deform->state->colliders[index];
    const sb_deform_collider *def = &own->def;
    double t = (double)(step - own->since) * deform->step_s;
    sb_vec3 gained = sb_vec3_scale(acceleration_of(own), t);
    sb_vec3 mean = sb_vec3_plus(def->velocity_m_s, gained, 0.5);
    return (collider_pose){
        .at = sb_vec3_plus(def->position_m, mean, t),
        .velocity_m_s = sb_vec3_add(def->velocity_m_s, gained),
        .spin_rad_s = def->spin_rad_s,
        .rotation = turned(def->rotation, sb_vec3_scale(def->spin_rad_s, t)),
    };
}

static collider_pose pose_of(const sb_deform *deform, int index, int64_t step) {
    const collider_state *own = &deform->state->colliders[index];
    collider_pose pose = free_pose(deform, index, step);
    if (own->is_awake)
        pose = (collider_pose){.at = own->at,
                               .velocity_m_s = own->velocity_m_s,
                               .spin_rad_s = own->spin_rad_s,
                               .rotation = own->rotation};
    pose.friction = own->def.friction;
    if (!(own->def.mass_kg > 0)) return pose;
    double contacts = fmax(own->contacts, 1);
    pose.inverse_mass = contacts / own->def.mass_kg;
    for (int k = 0; k < 3; k++) {
        pose.inverse_inertia[k] = contacts / own->def.inertia_kg_m2[k];
        pose.inverse_most = fmax(pose.inverse_most, pose.inverse_inertia[k]);
    }
    return pose;
}

static void wake(sb_deform *deform, int index, int64_t step) {
    collider_state *own = &deform->state->colliders[index];
    collider_pose pose = free_pose(deform, index, step);
    own->is_awake = true;
    own->at = pose.at;
    own->rotation = pose.rotation;
    own->velocity_m_s = pose.velocity_m_s;
    own->spin_rad_s = pose.spin_rad_s;
}

static void apply(sb_deform *deform, int index, const collider_hit *hit,
                  int64_t step) {
    collider_state *own = &deform->state->colliders[index];
    own->impulse_ns = sb_vec3_add(own->impulse_ns, hit->impulse_ns);
    own->moment_nms = sb_vec3_add(own->moment_nms, hit->moment_nms);
    add_heard(deform, index, hit, deform->colliders->poses[index].at);
    if (!(own->def.mass_kg > 0)) return;
    if (!own->is_awake) wake(deform, index, step);
    const double *inertia = own->def.inertia_kg_m2;
    sb_vec3 l = sb_quat_turn_back(own->rotation, hit->moment_nms);
    sb_vec3 w = {l.x / inertia[0], l.y / inertia[1], l.z / inertia[2]};
    own->velocity_m_s =
        sb_vec3_plus(own->velocity_m_s, hit->impulse_ns, 1 / own->def.mass_kg);
    own->spin_rad_s =
        sb_vec3_add(own->spin_rad_s, sb_quat_turn(own->rotation, w));
}

/* Exact for a constant acceleration. */
static void drift(sb_deform *deform, collider_state *own) {
    double dt = deform->step_s;
    sb_vec3 half = sb_vec3_scale(acceleration_of(own), 0.5 * dt);
    own->velocity_m_s = sb_vec3_add(own->velocity_m_s, half);
    own->at = sb_vec3_plus(own->at, own->velocity_m_s, dt);
    own->velocity_m_s = sb_vec3_add(own->velocity_m_s, half);
    own->rotation = turned(own->rotation, sb_vec3_scale(own->spin_rad_s, dt));
}

static void add_hit(collider_hit *to, const collider_hit *from) {
    to->impulse_ns = sb_vec3_add(to->impulse_ns, from->impulse_ns);
    to->moment_nms = sb_vec3_add(to->moment_nms, from->moment_nms);
    to->arm = sb_vec3_add(to->arm, from->arm);
    to->size += from->size;
}

/* In the order of the rows. */
static void sum_hits(sb_deform *deform, int64_t step) {
    deform_colliders *all = deform->colliders;
    deform_mask any = {0};
    for (int row = 0; row < all->hit_rows; row++) {
        for (int k = 0; k < SB_DEFORM_COLLIDERS / 64; k++) {
            any.bits[k] |= all->hit_now[row].bits[k];
        }
    }
    if (mask_is_empty(&any)) return;
    for (int c = 0; c < deform->collider_count; c++) {
        collider_hit sum = {0};
        if (!mask_has(&any, c)) continue;
        for (int row = 0; row < all->hit_rows; row++) {
            if (mask_has(&all->hit_now[row], c))
                add_hit(&sum, &all->hits[row * deform->collider_count + c]);
        }
        apply(deform, c, &sum, step);
    }
    for (int row = 0; row < all->hit_rows; row++) {
        all->hit_now[row] = (deform_mask){0};
    }
}

void deform_colliders_forget(sb_deform *deform) {
    deform_colliders *all = deform->colliders;
    all->is_near_step = false;
    for (int row = 0; row < all->hit_rows; row++) {
        all->hit_now[row] = (deform_mask){0};
    }
}

/* After a near step. */
static void find_active(sb_deform *deform) {
    deform_colliders *all = deform->colliders;
    deform_mask active = {0};
    for (int c = 0; c < deform->collider_count; c++) {
        int count = 0;
        for (int row = 0; row < all->hit_rows; row++) {
            if (mask_has(&all->near[row], c))
                count += all->near_counts[row * deform->collider_count + c];
        }
        deform->state->colliders[c].contacts = count;
        if (count > 0) mask_set(&active, c);
    }
    deform->state->active = active;
    all->is_near_step = false;
}

void deform_colliders_settle(sb_deform *deform, int64_t step) {
    state_head *state = deform->state;
    if (deform->colliders->is_near_step) find_active(deform);
    if (state->collider_step >= step) return;
    sum_hits(deform, step - 1);
    reach_heard(deform, step);
    for (int c = 0; c < deform->collider_count; c++) {
        if (state->colliders[c].is_awake) drift(deform, &state->colliders[c]);
    }
    state->collider_step = step;
}

bool deform_colliders_begin(sb_deform *deform, int64_t step) {
    deform_colliders *all = deform->colliders;
    state_head *state = deform->state;
    deform_colliders_settle(deform, step);
    all->is_near_step = state->is_near_due || step % CHECK_STEPS == 0;
    state->is_near_due = false;
    for (int c = 0; c < deform->collider_count; c++) {
        if (all->is_near_step || mask_has(&state->active, c))
            all->poses[c] = pose_of(deform, c, step);
    }
    if (all->is_near_step && !deform_beads_list(deform)) return false;
    deform_beads_push(deform);
    return true;
}

/* The rotation of `to` after `from`, as a vector. */
static sb_vec3 turn_between(sb_quat from, sb_quat to) {
    sb_quat q = sb_quat_times(to, sb_quat_inverse(from));
    sb_vec3 axis = {q.x, q.y, q.z};
    double sine = sb_vec3_length(axis);
    if (!(sine > 0)) return axis;
    double angle = 2 * (q.w < 0 ? atan2(-sine, -q.w) : atan2(sine, q.w));
    return sb_vec3_scale(axis, angle / sine);
}

sb_deform_reaction sb_deform_take_reaction(sb_deform *deform, int collider) {
    collider_state *own = &deform->state->colliders[collider];
    int64_t step = deform->state->step;
    sb_deform_reaction sum = {.impulse_ns = own->impulse_ns,
                              .moment_nms = own->moment_nms};
    own->impulse_ns = own->moment_nms = (sb_vec3){0, 0, 0};
    if (!own->is_awake) return sum;
    collider_pose was = free_pose(deform, collider, step);
    sum.velocity_m_s = sb_vec3_sub(own->velocity_m_s, was.velocity_m_s);
    sum.spin_rad_s = sb_vec3_sub(own->spin_rad_s, was.spin_rad_s);
    sum.shift_m = sb_vec3_sub(own->at, was.at);
    sum.turn_rad = turn_between(was.rotation, own->rotation);
    /* From here on, it flies freely from where it is. */
    own->def.position_m = own->at;
    own->def.rotation = own->rotation;
    own->def.velocity_m_s = own->velocity_m_s;
    own->def.spin_rad_s = own->spin_rad_s;
    own->since = step;
    own->is_awake = false;
    return sum;
}

void sb_deform_set_collider(sb_deform *deform, int collider,
                            const sb_deform_collider *now) {
    collider_state *own = &deform->state->colliders[collider];
    const collider_form *form = &deform->colliders->forms[collider];
    bool is_heard = own->def.is_heard;
    double contacts = own->contacts;
    *own = (collider_state){
        .def = *now, .since = deform->state->step, .contacts = contacts};
    own->def.form = form->form;
    own->def.sizes_m = form->sizes_m;
    own->def.is_heard = is_heard;
    own->def.faces = (sb_deform_faces){0};
    deform->state->is_near_due = true;
}
