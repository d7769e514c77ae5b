/* SPDX-License-Identifier: MIT */
/* Lasting contacts of a scene: begins, moves and ends them, and computes the
 * mode weights along the path of their place. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/dsp/contact/rolling_ride.h"
#include "runtime/engine/lasting_def.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/state/state.h"

#include <math.h>
#include <string.h>

/* Most rows of weights per path: enough to cross a body whose highest modes
 * have forty half-waves. */
enum { ROWS_MAX = 513 };

/* --- fields --------------------------------------------------------------- */

const sb_field sb_lasting_change_fields[] = {SB_LOAD_ROWS(0), SB_FIELDS_END};

const sb_field sb_lasting_fields[] = {SB_LASTING_ROWS,
#define CONTACT_PARAM  SB_CONTACT_PARAM_ROW
#define CONTACT_CHOICE SB_CONTACT_CHOICE_ROW
#include "runtime/scene/contact/contact_kinds.def"
#undef CONTACT_PARAM
#undef CONTACT_CHOICE
                                      SB_FIELDS_END};

void sb_lasting_change_settle(sb_lasting_change *change, bool rolls) {
    double *speed = change->load.speed_m_s;
    if (change->has_speed[0] && !change->has_speed[1]) {
        speed[1] = rolls ? speed[0] : 0.0;
        change->has_speed[1] = true;
    }
    if (change->has_speed[0] && !change->has_slip) {
        change->load.slip_m_s = speed[0] - speed[1];
        change->has_slip = true;
    }
}

sb_status sb_lasting_check(const sb_lasting_setup *setup, sb_error *err) {
    sb_status status =
        sb_fields_check(sb_lasting_fields, true, setup, "contact", err);
    if (status || setup->gap_max_m == 0.0) return status;
    if (setup->gap_max_m < setup->gap_min_m)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "gap_max must not be less than gap_min");
    /* As sb_rub_check asks for. */
    if (setup->gap_max_m < 2.0 * setup->gap_min_m + 1e-9)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "gap_max must be more than twice gap_min");
    return SB_OK;
}

/* --- ids ----------------------------------------------------------------- */

bool sb_scene_has_contact(const sb_scene *scene, sb_contact_id id) {
    if (!(id.generation & 1) || id.index >= (uint32_t)scene->lasting.count)
        return false;
    const scene_contact *contact = &scene->lasting.contacts[id.index];
    return contact->generation == id.generation &&
           sb_engine_has_contact(scene->engine, contact->lasting);
}

bool sb_scene_contact_rolls(const sb_scene *scene, sb_contact_id id) {
    return scene->lasting.contacts[id.index].rolls;
}

int sb_scene_contact_count(const sb_scene *scene) {
    int count = 0;
    for (int i = 0; i < scene->lasting.count; i++) {
        sb_contact_id id = {(uint32_t)i, scene->lasting.contacts[i].generation};
        count += sb_scene_has_contact(scene, id);
    }
    return count;
}

static sb_status find_place(sb_scene *scene, uint32_t *place, sb_error *err) {
    for (int i = 0; i < scene->lasting.count; i++) {
        sb_contact_id id = {(uint32_t)i, scene->lasting.contacts[i].generation};
        if (sb_scene_has_contact(scene, id)) continue;
        *place = (uint32_t)i;
        return SB_OK;
    }
    if (!sb_grow_list(scene->lasting.contacts, scene->lasting.capacity,
                      scene->lasting.count + 1)) {
        return sb_no_memory_for(err, "one more contact");
    }
    *place = (uint32_t)scene->lasting.count;
    scene->lasting.contacts[scene->lasting.count++] = (scene_contact){0};
    return SB_OK;
}

/* --- places -------------------------------------------------------------- */

static sb_place place_between(const sb_place *from, const sb_place *to,
                              double share) {
    sb_place place = *to;
    if (from->has_point != to->has_point) return place;
    place.u = from->u + share * (to->u - from->u);
    place.v = from->v + share * (to->v - from->v);
    place.point = sb_vec3_add(
        from->point, sb_vec3_scale(sb_vec3_sub(to->point, from->point), share));
    if (from->has_direction && to->has_direction) {
        sb_vec3 turn = sb_vec3_sub(to->direction, from->direction);
        place.direction =
            sb_vec3_add(from->direction, sb_vec3_scale(turn, share));
    }
    return place;
}

static double way_at(const scene_contact *contact, double time_s) {
    double gone = time_s - contact->start_s;
    if (gone >= contact->ramp_s) return 1.0;
    return gone > 0.0 ? gone / contact->ramp_s : 0.0;
}

static sb_place place_at(const scene_contact *contact, int side,
                         double time_s) {
    return place_between(&contact->from[side], &contact->to[side],
                         way_at(contact, time_s));
}

sb_place scene_contact_place(const scene_contact *contact, int side,
                             double time_s) {
    return place_at(contact, side, time_s);
}

static const scene_body *body_of(const sb_scene *scene, sb_body_id id) {
    return sb_scene_has(scene, id) ? scene_body_of(scene, id) : NULL;
}

/* Modes of its voice, which may be fewer than those of the model. */
static int modes_of(const scene_body *body) {
    if (!body || !sb_planned_rings(&body->declared)) return 0;
    return sb_planned_mode_count(&body->declared);
}

/* Weights of both sides along a path, `rows` each, in one block that the caller
 * frees; NULL when out of memory. Over the first `fading` rows the old texture
 * fades into the new one. */
static double *lay_rows(const sb_scene *scene, const scene_contact *contact,
                        const sb_place from[2], const sb_place to[2], int rows,
                        double fading, double *weights[2]) {
    size_t count = 0, row[2];
    const scene_body *body[2];
    for (int i = 0; i < 2; i++) {
        body[i] = body_of(scene, contact->body[i]);
        row[i] = (size_t)modes_of(body[i]);
        count += row[i];
    }
    double *room = sb_alloc(count * (size_t)rows + 1, sizeof *room);
    if (!room) return NULL;
    weights[0] = room;
    weights[1] = room + row[0] * (size_t)rows;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < rows && row[i] > 0; k++) {
            double share = rows > 1 ? (double)k / (rows - 1) : 1.0;
            sb_place place = place_between(&from[i], &to[i], share);
            scene_weights_between(scene, body[i], &place, contact->sign[i],
                                  k < fading ? 1.0 - k / fading : 0.0,
                                  scene->weights);
            memcpy(weights[i] + row[i] * (size_t)k, scene->weights,
                   row[i] * sizeof *scene->weights);
        }
    }
    return room;
}

/* --- moving -------------------------------------------------------------- */

static int rows_for(const sb_scene *scene, double ramp_s) {
    double blocks =
        ramp_s * sb_engine_sample_rate(scene->engine) / (double)SB_BLOCK_FRAMES;
    return (int)fmin(ceil(blocks) + 1.0, ROWS_MAX);
}

/* Over a shorter distance weights change linearly. */
#define SHORT_M 1e-3

/* One row per block, or fewer for a short path: finding a place on a mesh takes
 * most of the time. */
static int rows_along(const sb_scene *scene, const sb_place from[2],
                      const sb_place to[2], double ramp_s) {
    double far = 0.0;
    int rows = rows_for(scene, ramp_s);
    for (int i = 0; i < 2; i++) {
        if (!from[i].has_point || !to[i].has_point) return rows;
        sb_vec3 path = sb_vec3_sub(to[i].point, from[i].point);
        far = fmax(far, sb_vec3_length(path));
    }
    return (int)fmin(rows, 2.0 + floor(far / SHORT_M));
}

static sb_move_def move_of(const sb_lasting_change *change) {
    return (sb_move_def){
        .to = change->load,
        .has_force = change->has_force,
        .has_speed = {change->has_speed[0], change->has_speed[1]},
        .has_slip = change->has_slip,
        .ramp_s = change->ramp_s};
}

/* Places move with their bodies. */
static sb_place local_place(const sb_scene *scene, sb_body_id id,
                            const sb_place *place) {
    const scene_body *body = body_of(scene, id);
    return body ? scene_to_local(body, place) : *place;
}

/* Place and direction may be given separately; what is not given does not
 * change. */
static sb_place place_of(const sb_scene *scene, const scene_contact *contact,
                         const sb_lasting_change *change, int side,
                         const sb_place *from) {
    sb_place given =
        local_place(scene, contact->body[side], &change->place[side]);
    sb_place to = change->has_place[side] ? given : *from;
    const sb_place *turned = given.has_direction ? &given : from;
    to.has_direction = turned->has_direction;
    to.direction = turned->direction;
    return to;
}

static bool has_new_place(const sb_lasting_change *change) {
    for (int i = 0; i < 2; i++) {
        if (change->has_place[i] || change->place[i].has_direction) return true;
    }
    return false;
}

sb_status sb_scene_move_contact(sb_scene *scene, sb_contact_id id,
                                const sb_lasting_change *change, double time_s,
                                sb_error *err) {
    if (!sb_scene_has_contact(scene, id))
        return sb_fail(err, SB_STALE_HANDLE, "this contact is over");
    scene_contact *contact = &scene->lasting.contacts[id.index];
    sb_move_def def = move_of(change);
    sb_place from[2], to[2];
    double *room = NULL, *weights[2] = {NULL, NULL};
    bool has_place = has_new_place(change);
    for (int i = 0; i < 2 && has_place; i++) {
        from[i] = place_at(contact, i, time_s);
        to[i] = place_of(scene, contact, change, i, &from[i]);
    }
    if (has_place) {
        def.rows = rows_along(scene, from, to, change->ramp_s);
        room = lay_rows(scene, contact, from, to, def.rows, 0.0, weights);
        if (!room) return sb_no_memory_for(err, "a path");
        def.weights[0] = weights[0];
        def.weights[1] = weights[1];
    }
    sb_status status =
        sb_engine_move_contact(scene->engine, contact->lasting,
                               scene_frames(scene, time_s), &def, err);
    sb_free(room);
    if (!status) scene_move_load(contact, change, time_s);
    if (status || !has_place) return status;
    memcpy(contact->from, from, sizeof from);
    memcpy(contact->to, to, sizeof to);
    contact->start_s = time_s;
    contact->ramp_s = change->ramp_s;
    return SB_OK;
}

/* Time in which the weights change to those of a new texture. */
#define PAINT_S 0.02

/* The contact continues to its goal. When out of memory, it keeps its old
 * weights. */
static void repaint(sb_scene *scene, scene_contact *contact, double time_s) {
    sb_place from[2];
    double *weights[2];
    for (int i = 0; i < 2; i++)
        from[i] = place_at(contact, i, time_s);
    double left_s = fmax(contact->start_s + contact->ramp_s - time_s, PAINT_S);
    int rows = rows_for(scene, left_s);
    double *room = lay_rows(scene, contact, from, contact->to, rows,
                            PAINT_S * (rows - 1) / left_s, weights);
    if (!room) return;
    sb_move_def def = {
        .ramp_s = left_s, .rows = rows, .weights = {weights[0], weights[1]}};
    sb_status status =
        sb_engine_move_contact(scene->engine, contact->lasting,
                               scene_frames(scene, time_s), &def, NULL);
    sb_free(room);
    if (status) return;
    memcpy(contact->from, from, sizeof from);
    contact->start_s = time_s;
    contact->ramp_s = left_s;
}

void scene_repaint_contacts(sb_scene *scene, double time_s) {
    for (int c = 0; c < scene->lasting.count; c++) {
        scene_contact *contact = &scene->lasting.contacts[c];
        sb_contact_id id = {(uint32_t)c, contact->generation};
        bool is_on = false;
        for (int i = 0; i < 2; i++) {
            const scene_body *body = body_of(scene, contact->body[i]);
            is_on = is_on || (body && body->faded);
        }
        if (is_on && sb_scene_has_contact(scene, id))
            repaint(scene, contact, time_s);
    }
}

sb_status scene_end_contact(sb_scene *scene, sb_contact_id id, double time_s,
                            double fade_s, double end_s, sb_error *err) {
    if (!sb_scene_has_contact(scene, id)) return SB_OK;
    sb_move_def def = {.has_force = true, .ramp_s = fade_s, .is_last = true};
    sb_status status = sb_engine_move_contact(
        scene->engine, scene->lasting.contacts[id.index].lasting,
        scene_frames(scene, time_s), &def, err);
    if (status) return status;
    scene_report_contact(scene, &scene->lasting.contacts[id.index],
                         SB_LASTING_ENDS, end_s);
    scene->lasting.contacts[id.index].generation++;
    return SB_OK;
}

sb_status sb_scene_end_contact(sb_scene *scene, sb_contact_id id, double time_s,
                               double fade_s, sb_error *err) {
    return scene_end_contact(scene, id, time_s, fade_s, time_s, err);
}

static bool is_body_of(const scene_contact *contact, sb_body_id body) {
    for (int i = 0; i < 2; i++) {
        if (contact->body[i].index == body.index &&
            contact->body[i].generation == body.generation)
            return true;
    }
    return false;
}

/* When out of memory, the engine ends it as soon as the first of its voices is
 * removed; for the scene it has ended in any case. */
static void drop(sb_scene *scene, int i, double time_s, double fade_s) {
    sb_contact_id id = {(uint32_t)i, scene->lasting.contacts[i].generation};
    sb_status status = sb_scene_end_contact(scene, id, time_s, fade_s, NULL);
    if (status) scene->lasting.contacts[i].generation++;
}

void sb_scene_end_contacts(sb_scene *scene, double time_s, double fade_s) {
    for (int i = 0; i < scene->lasting.count; i++)
        drop(scene, i, time_s, fade_s);
}

void scene_drop_contacts(sb_scene *scene, sb_body_id body, double time_s) {
    for (int i = 0; i < scene->lasting.count; i++) {
        if (is_body_of(&scene->lasting.contacts[i], body))
            drop(scene, i, time_s, SCENE_FADE_S);
    }
}

/* --- beginning ----------------------------------------------------------- */

static sb_status check_pair(const sb_scene *scene,
                            const sb_lasting_setup *setup, sb_error *err) {
    sb_status status = scene_check_body(scene, setup->body, err);
    if (!status)
        status = scene_check_modal(scene, setup->body, "body:contact", err);
    if (status || setup->with.generation == 0) return status;
    status = scene_check_body(scene, setup->with, err);
    if (!status)
        status = scene_check_modal(scene, setup->with, "body:contact", err);
    if (!status && setup->with.index == setup->body.index) {
        status = sb_fail(err, SB_BAD_ARGUMENT,
                         "a body cannot be in contact with itself");
    }
    return status;
}

static sb_status begin(sb_scene *scene, const sb_lasting_setup *setup,
                       const sb_lasting_change *first, double time_s,
                       bool rides, scene_contact *contact, double *load_n,
                       sb_error *err) {
    sb_lasting_def def = {0};
    sb_status status =
        scene_make_contact(scene, setup, first, &def, load_n, err);
    if (status) return status;
    double *weights[2];
    double *room =
        lay_rows(scene, contact, contact->to, contact->to, 1, 0.0, weights);
    if (!room) return sb_no_memory_for(err, "a contact");
    def.weights[0] = weights[0];
    def.weights[1] = weights[1];
    sb_ride_def ride;
    const scene_body *body[2] = {body_of(scene, contact->body[0]),
                                 body_of(scene, contact->body[1])};
    def.is_watched =
        scene_begins(scene, body[0], sb_contact_kind_names[setup->kind]);
    /* A ball is solved with the modes themselves. */
    for (int i = 0; i < 2 && setup->kind == SB_CONTACT_SLIDE; i++)
        def.rub.contact.mobility += scene_mobility(weights[i], body[i]);
    if (rides) status = scene_ride(scene, &def, body, &ride, err);
    if (!status)
        status =
            sb_engine_begin_contact(scene->engine, scene_frames(scene, time_s),
                                    &def, &contact->lasting, err);
    sb_free(room);
    return status;
}

sb_status sb_scene_begin_contact(sb_scene *scene, const sb_lasting_setup *setup,
                                 const sb_lasting_change *first, double time_s,
                                 sb_contact_id *out, sb_error *err) {
    uint32_t place = 0;
    sb_status status = check_pair(scene, setup, err);
    if (!status) status = find_place(scene, &place, err);
    if (!status) status = sb_engine_reserve(scene->engine, 3, err);
    if (status) return status;
    scene_contact contact = {
        .generation = (scene->lasting.contacts[place].generation | 1) + 2,
        .body = {setup->body, setup->with},
        .start_s = time_s,
        .begun_s = time_s,
        .kind = sb_contact_kind_names[setup->kind],
        .rolls = sb_contact_kind_rolls(setup->kind)};
    if (!setup->is_of_world) contact.number = ++scene->lasting.number;
    bool rides = scene_rides(scene, setup);
    contact.is_ball = setup->kind == SB_CONTACT_ROLL && !rides;
    for (int i = 0; i < 2; i++) {
        /* A known force pushes into both surfaces. */
        contact.sign[i] = rides ? 1.0 : scene_contact_sign(setup->kind, i);
        contact.from[i] = contact.to[i] =
            local_place(scene, contact.body[i], &first->place[i]);
    }
    double load_n;
    status = begin(scene, setup, first, time_s, rides, &contact, &load_n, err);
    if (status) return status;
    scene->lasting.contacts[place] = contact;
    *out = (sb_contact_id){place, contact.generation};
    sb_lasting_change change = *first;
    for (int i = 0; i < 2; i++)
        change.has_place[i] = change.place[i].has_direction = false;
    change.has_slip = change.has_speed[0] = change.has_speed[1] = true;
    if (!change.has_force) change.load.force_n = load_n;
    change.has_force = true;
    status = sb_scene_move_contact(scene, *out, &change, time_s, err);
    if (!status)
        scene_report_contact(scene, &scene->lasting.contacts[place],
                             SB_LASTING_BEGINS, time_s);
    if (status) {
        /* Room for this has been reserved. */
        sb_status ended = sb_scene_end_contact(scene, *out, time_s, 0.0, NULL);
        (void)ended;
    }
    return status;
}
