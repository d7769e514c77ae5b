/* SPDX-License-Identifier: MIT */
/* Follows contacts of the world over time: rolling and sliding ones become
 * lasting contacts of the scene (lasting.h) with the load and velocities that
 * the world computes; resting ones damp (follow_kinds.c). Control thread. */
#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most lasting contacts that sound at once; the loudest are chosen. More cannot
 * be heard separately and cost too much at any budget. */
enum { MOST_SOUNDS = 48 };

/* Contacts of less friction power are inaudible, W. */
#define LEAST_W 1e-6

/* Fade-out of a contact that ends. */
#define FADE_S 0.005

/* A contact at rest for this time damps. */
#define REST_S 0.05

/* --- finding contacts ---------------------------------------------------- */

/* Index of the contact, or where to insert it: numbers only rise. */
static int place_of(const scene_world *world, uint32_t number) {
    int low = 0, high = world->contact_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (world->contacts[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static world_contact *find(const scene_world *world, uint32_t number) {
    int at = place_of(world, number);
    bool is_there =
        at < world->contact_count && world->contacts[at].number == number;
    return is_there ? &world->contacts[at] : NULL;
}

/* When out of memory, it is not followed. */
static world_contact *add(scene_world *world, uint32_t number) {
    if (!sb_grow_list(world->contacts, world->contact_capacity,
                      world->contact_count + 1)) {
        world->unheard++;
        return NULL;
    }
    int at = place_of(world, number);
    world_contact *contact = &world->contacts[at];
    memmove(contact + 1, contact,
            (size_t)(world->contact_count - at) * sizeof *contact);
    world->contact_count++;
    *contact = (world_contact){.number = number};
    return contact;
}

/* --- events of the tracker ----------------------------------------------- */

/* In the order of sb_contact_state. */
static const sb_event_kind kinds[] = {SB_EVENT_REST, SB_EVENT_ROLL,
                                      SB_EVENT_SLIDE};

static const char *kind_name(const world_contact *contact,
                             sb_contact_state state) {
    if (contact->sounds_as_squeak && state == SB_SLIDING) return "rub";
    return sb_event_kind_name(kinds[state]);
}

/* For the reports of forces (lasting.h). */
static void report_load(sb_scene *scene, const world_contact *contact,
                        const sb_tracked *e, sb_lasting_phase phase,
                        double time_s) {
    if (!scene->wants_impacts) return;
    sb_lasting_report report = {
        .phase = phase,
        .time_s = time_s,
        .kind = kind_name(contact, e->state),
        .is_of_world = true,
        .number = contact->number,
        .spot = {.point = e->point, .normal = e->normal},
        .load = {e->force_n,
                 {sb_vec3_length(e->surface_m_s[0]),
                  sb_vec3_length(e->surface_m_s[1])},
                 sb_vec3_length(e->slip_m_s)}};
    for (int i = 0; i < 2; i++) {
        if (!sb_scene_has(scene, contact->body[i])) continue;
        (void)snprintf(report.name[i], sizeof report.name[i], "%s",
                       sb_scene_body_name(scene, contact->body[i]));
    }
    scene_add_report(scene, &report);
}

static void report_state(sb_scene *scene, const world_contact *contact,
                         const sb_tracked *event, double time_s) {
    (void)scene_world_report(scene, kinds[event->state], contact->body, event,
                             time_s, 0.0);
    report_load(scene, contact, event, SB_LASTING_BEGINS, time_s);
}

static void report_end(sb_scene *scene, world_contact *contact, double time_s) {
    if (contact->is_ended) return;
    contact->is_ended = true;
    sb_tracked end = contact->last;
    end.impulse_ns = end.speed_m_s = end.force_n = end.restitution = 0.0;
    end.slip_m_s = (sb_vec3){0, 0, 0};
    (void)scene_world_report(scene, SB_EVENT_END, contact->body, &end, time_s,
                             0.0);
    report_load(scene, contact, &contact->last, SB_LASTING_ENDS, time_s);
}

static bool is_asleep(const sb_scene *scene, sb_body_id id) {
    return id.generation == 0 || sb_scene_is_asleep(scene, id);
}

static bool are_asleep(const sb_scene *scene, const world_contact *contact) {
    return is_asleep(scene, contact->body[0]) &&
           is_asleep(scene, contact->body[1]);
}

/* The tracker reports no contact for a sleeping pair, although it persists. */
static bool lies(const sb_scene *scene, const world_contact *contact) {
    return contact->last.state == SB_RESTING && are_asleep(scene, contact);
}

/* A pair that slept has woken up and begins a new contact. */
static void end_sleep(sb_scene *scene, const sb_body_id body[2],
                      double time_s) {
    scene_world *world = scene->world;
    for (int i = 0; i < world->contact_count; i++) {
        world_contact *contact = &world->contacts[i];
        if (contact->is_over && is_same_body(contact->body[0], body[0]) &&
            is_same_body(contact->body[1], body[1]))
            report_end(scene, contact, time_s);
    }
}

static void begin(sb_scene *scene, const sb_tracked *event, double time_s) {
    scene_world *world = scene->world;
    sb_body_id body[2];
    for (int i = 0; i < 2; i++)
        if (!scene_tracked_body(scene, event->user[i], &body[i])) return;
    end_sleep(scene, body, time_s);
    world_contact *contact = find(world, event->contact);
    if (!contact) contact = add(world, event->contact);
    if (!contact) return;
    contact->body[0] = body[0];
    contact->body[1] = body[1];
    contact->last = *event;
    scene_rim(scene, body, &contact->last);
    contact->last_s = contact->rests_s = contact->begun_s = time_s;
    contact->is_news = true;
    report_state(scene, contact, &contact->last, time_s);
}

void scene_follow(sb_scene *scene, const sb_tracked *event, double time_s) {
    if (event->kind == SB_TRACKED_BEGIN) {
        begin(scene, event, time_s);
        return;
    }
    world_contact *contact = find(scene->world, event->contact);
    if (!contact) return;
    if (event->kind == SB_TRACKED_END) {
        contact->is_over = true;
        contact->last_s = time_s;
        if (!lies(scene, contact)) report_end(scene, contact, time_s);
        return;
    }
    sb_tracked now = *event;
    scene_rim(scene, contact->body, &now);
    if (now.state != contact->last.state) {
        contact->rests_s = contact->begun_s = time_s;
        report_load(scene, contact, &contact->last, SB_LASTING_ENDS, time_s);
        report_state(scene, contact, &now, time_s);
    }
    contact->last = now;
    contact->last_s = time_s;
    contact->is_news = true;
}

/* --- lasting contacts ---------------------------------------------------- */

static bool rings(const sb_scene *scene, sb_body_id id) {
    const scene_body *body = scene_side(scene, id);
    return !body->is_lost && sb_planned_rings(&body->declared);
}

/* The flatter body is the ground that the other moves over; `nothing` never. */
static int ground_of(const sb_scene *scene, const world_contact *contact) {
    if (contact->body[1].generation == 0) return 0;
    double round_m[2], edge_m;
    for (int i = 0; i < 2; i++)
        round_m[i] = scene_curvature_m(scene, contact->body[i], &edge_m);
    if (round_m[0] != round_m[1]) return round_m[1] > round_m[0];
    return sb_scene_motion(scene, contact->body[0]) != SB_MOTION_FIXED;
}

/* Radius of the rim that a body rolls on, or 0. */
static double rim_m(const sb_scene *scene, sb_body_id id) {
    sb_collider c = scene_side(scene, id)->collider;
    bool has_rim = c.kind == SB_COLLIDER_CYLINDER || c.kind == SB_COLLIDER_RING;
    return has_rim ? c.radius : 0.0;
}

/* Does the contact run round the rim of a body that stays where it is, as a
 * coin's does that comes to rest? Its path on the ground is then a circle, too,
 * and as long as the rim but for the cosine of the tilt. */
static bool runs_round(const sb_scene *scene, const world_contact *contact) {
    sb_body_id over = contact->body[1 - contact->under];
    if (contact->last.state != SB_ROLLING || !(rim_m(scene, over) > 0.0))
        return false;
    double goes = sb_vec3_length(scene_body_of(scene, over)->pose.velocity);
    double runs = sb_vec3_length(contact->last.surface_m_s[contact->under]);
    return runs > (contact->sounds_round ? 2.0 : 4.0) * goes;
}

/* The body whose mass and form the thing on the ground has. */
static sb_body_id thing_of(const world_contact *contact) {
    sb_body_id over = contact->body[1 - contact->under];
    return over.generation != 0 ? over : contact->body[contact->under];
}

/* Surfaces made from materials are shared: a hundred rings need one. With a
 * length, the surface repeats after it. */
static sb_status surface_of(sb_scene *scene, sb_body_id id, double length_m,
                            sb_surface **out) {
    const sb_body_def *def = &scene_side(scene, id)->declared.def;
    sb_status status = SB_OK;
    *out = NULL;
    if (def->surface && length_m > 0.0) {
        *out = def->surface;
    } else if (!def->surface && def->has_material) {
        status = scene_rough(scene, def->material.roughness, out, NULL);
    }
    if (status || !*out || !(length_m > 0.0)) return status;
    return scene_loop(scene, *out, length_m, out, NULL);
}

/* Without radius and surfaces. */
static sb_lasting_setup plain_setup(const sb_scene *scene,
                                    const world_contact *contact) {
    sb_body_id under = contact->body[contact->under];
    sb_body_id over = contact->body[1 - contact->under];
    bool slides = contact->last.state == SB_SLIDING;
    double mass_kg = sb_model_mass_kg(
        scene_body_of(scene, thing_of(contact))->declared.model);
    if (!(mass_kg > 0.0) || !isfinite(mass_kg)) mass_kg = 1.0;
    sb_hertz hertz = scene_hertz(scene, contact->body, mass_kg);
    return (sb_lasting_setup){
        .kind = slides ? SB_CONTACT_SLIDE : SB_CONTACT_ROLL,
        .body = under,
        .with = over,
        .thing = {.mass_kg = mass_kg,
                  .stiffness = hertz.law.stiffness,
                  .exponent = hertz.law.exponent},
        .level = 1.0,
        .is_of_world = true,
        .seed = sb_random_u32(&scene_body_of(scene, under)->random)};
}

static sb_status setup_of(sb_scene *scene, const world_contact *contact,
                          sb_lasting_setup *out) {
    sb_body_id under = contact->body[contact->under];
    sb_body_id over = contact->body[1 - contact->under];
    bool slides = contact->last.state == SB_SLIDING;
    sb_body_id thing = thing_of(contact);
    double edge_m, round_m = scene_curvature_m(scene, thing, &edge_m);
    double rim = rim_m(scene, thing), turn_m = 2.0 * SB_PI * rim;
    *out = plain_setup(scene, contact);
    out->is_flat = slides && !isfinite(round_m);
    if (rim > 0.0 && !isfinite(round_m) && !slides) round_m = rim;
    if (isfinite(round_m)) out->thing.radius_m = round_m;
    sb_status status = surface_of(
        scene, under, contact->sounds_round ? turn_m : 0.0, &out->surface[0]);
    return status ? status
                  : surface_of(scene, over, slides ? 0.0 : turn_m,
                               &out->surface[1]);
}

static sb_lasting_change change_of(const world_contact *contact) {
    const sb_tracked *e = &contact->last;
    int under = contact->under;
    sb_lasting_change change = {
        .load = {e->force_n,
                 {sb_vec3_length(e->surface_m_s[under]),
                  sb_vec3_length(e->surface_m_s[1 - under])},
                 sb_vec3_length(e->slip_m_s)},
        .has_force = true,
        .has_speed = {true, true},
        .has_slip = true,
        .has_place = {true, true}};
    for (int i = 0; i < 2; i++) {
        int side = i == 0 ? under : 1 - under;
        change.place[i] = (sb_place){
            .point = e->point,
            .has_point = true,
            .direction = sb_vec3_scale(e->normal, side == 0 ? 1.0 : -1.0),
            .has_direction = true};
    }
    return change;
}

static double power_of(const sb_tracked *e) {
    double speed = fmax(sb_vec3_length(e->surface_m_s[0]),
                        sb_vec3_length(e->surface_m_s[1]));
    return e->force_n * fmax(speed, sb_vec3_length(e->slip_m_s));
}

/* A contact that sounds keeps sounding until it is half as loud as the others,
 * so that two equally loud ones do not alternate. */
static double rank_of(const world_contact *contact) {
    double stay = contact->sound.generation != 0 ? 2.0 : 1.0;
    bool moves = !contact->is_over && contact->last.state != SB_RESTING;
    return moves ? stay * power_of(&contact->last) : 0.0;
}

static int by_power(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Least power to be heard, W. When out of memory, the threshold does not depend
 * on the other contacts. */
static double least_heard(scene_world *world) {
    if (world->contact_count <= MOST_SOUNDS ||
        !sb_grow_list(world->powers, world->power_capacity,
                      world->contact_count))
        return LEAST_W;
    for (int i = 0; i < world->contact_count; i++)
        world->powers[i] = rank_of(&world->contacts[i]);
    qsort(world->powers, (size_t)world->contact_count, sizeof *world->powers,
          by_power);
    return fmax(world->powers[MOST_SOUNDS - 1], LEAST_W);
}

/* Lasting contacts that it has: a squeak is one more. */
static int sounds_of(const world_contact *contact) {
    return (contact->sound.generation != 0) + (contact->squeak.generation != 0);
}

static int count_sounds(const sb_scene *scene) {
    int count = 0;
    for (int i = 0; i < scene->world->contact_count; i++)
        count += sounds_of(&scene->world->contacts[i]);
    return count;
}

static void hush_one(sb_scene *scene, sb_contact_id *id, double time_s) {
    if (id->generation == 0) return;
    /* When out of memory, it ends when one of its bodies is removed. */
    sb_status status = sb_scene_end_contact(scene, *id, time_s, FADE_S, NULL);
    (void)status;
    *id = (sb_contact_id){0, 0};
}

static void hush(sb_scene *scene, world_contact *contact, double time_s) {
    hush_one(scene, &contact->sound, time_s);
    hush_one(scene, &contact->squeak, time_s);
}

static void sound(sb_scene *scene, world_contact *contact, double from_s,
                  int *sounds) {
    double time_s = fmax(contact->last_s, from_s);
    if (*sounds >= MOST_SOUNDS) {
        scene->world->unheard++;
        return;
    }
    contact->under = ground_of(scene, contact);
    contact->sounds_round = runs_round(scene, contact);
    sb_lasting_setup setup;
    sb_lasting_change first = change_of(contact);
    sb_status status = setup_of(scene, contact, &setup);
    if (!status)
        status = sb_scene_begin_contact(scene, &setup, &first, time_s,
                                        &contact->sound, NULL);
    if (status) {
        scene->world->unheard++;
        contact->sound = (sb_contact_id){0, 0};
        return;
    }
    (*sounds)++;
    contact->sounds_as = contact->last.state;
    contact->sent_s = time_s;
}

/* Begin the squeak of a contact that sounds and has none yet. */
static void squeak(sb_scene *scene, world_contact *contact, int *sounds) {
    if (!contact->sounds_as_squeak || contact->sound.generation == 0 ||
        contact->squeak.generation != 0)
        return;
    if (*sounds >= MOST_SOUNDS) {
        scene->world->unheard++;
        return;
    }
    sb_lasting_setup setup = plain_setup(scene, contact);
    sb_lasting_change first = change_of(contact);
    scene_squeak_setup(scene, contact, &setup);
    scene_squeak_aim(scene, contact, &first);
    if (sb_scene_begin_contact(scene, &setup, &first, contact->sent_s,
                               &contact->squeak, NULL)) {
        scene->world->unheard++;
        contact->squeak = (sb_contact_id){0, 0};
        return;
    }
    (*sounds)++;
}

/* Move it from the place sent last to where it is now. */
static void move(sb_scene *scene, world_contact *contact, double from_s) {
    double start_s = fmax(contact->sent_s, from_s);
    sb_lasting_change change = change_of(contact);
    change.ramp_s = fmax(contact->last_s - start_s, 0.0);
    sb_status status =
        sb_scene_move_contact(scene, contact->sound, &change, start_s, NULL);
    if (!status && contact->squeak.generation != 0) {
        scene_squeak_aim(scene, contact, &change);
        status = sb_scene_move_contact(scene, contact->squeak, &change, start_s,
                                       NULL);
    }
    if (status) scene->world->unheard++;
    contact->sent_s = fmax(contact->last_s, start_s);
}

/* A slide that begins or ceases to squeak is reported as another kind. */
static void turn_squeak(sb_scene *scene, world_contact *contact,
                        double time_s) {
    bool squeaks = scene_squeaks(scene, contact);
    if (squeaks == contact->sounds_as_squeak) return;
    bool slides = contact->last.state == SB_SLIDING;
    if (slides)
        report_load(scene, contact, &contact->last, SB_LASTING_ENDS, time_s);
    contact->sounds_as_squeak = squeaks;
    if (!squeaks) hush_one(scene, &contact->squeak, time_s);
    if (slides)
        report_load(scene, contact, &contact->last, SB_LASTING_BEGINS, time_s);
}

static bool are_stale(const sb_scene *scene, const world_contact *contact) {
    return !sb_scene_has_contact(scene, contact->sound) ||
           (contact->squeak.generation != 0 &&
            !sb_scene_has_contact(scene, contact->squeak));
}

static void go_on(sb_scene *scene, world_contact *contact, double from_s,
                  int *sounds) {
    int before = sounds_of(contact);
    bool is_drowned = scene->world->least_w > LEAST_W &&
                      rank_of(contact) < scene->world->least_w;
    if (contact->sound.generation != 0 &&
        (is_drowned || contact->sounds_as != contact->last.state ||
         contact->sounds_round != runs_round(scene, contact) ||
         are_stale(scene, contact)))
        hush(scene, contact, fmax(contact->last_s, from_s));
    turn_squeak(scene, contact, fmax(contact->last_s, from_s));
    *sounds += sounds_of(contact) - before;
    if (!contact->is_news) return;
    contact->is_news = false;
    if (contact->last_s > contact->begun_s)
        report_load(scene, contact, &contact->last, SB_LASTING_GOES_ON,
                    contact->last_s);
    bool is_heard =
        rings(scene, contact->body[0]) || rings(scene, contact->body[1]);
    if (contact->sound.generation != 0) {
        move(scene, contact, from_s);
    } else if (is_heard && is_drowned) {
        scene->world->unheard++;
    } else if (is_heard && power_of(&contact->last) > LEAST_W) {
        sound(scene, contact, from_s, sounds);
    }
}

/* --- control step by control step ---------------------------------------- */

/* False when the contact can be dropped. */
static bool follow_one(sb_scene *scene, world_contact *contact, double from_s,
                       int *sounds) {
    double time_s = fmax(contact->last_s, from_s);
    for (int i = 0; i < 2; i++)
        if (contact->body[i].generation != 0 &&
            !sb_scene_has(scene, contact->body[i]))
            return false;
    if (contact->is_over) {
        hush(scene, contact, time_s);
        if (!lies(scene, contact)) {
            scene_unrest(scene, contact, time_s);
            report_end(scene, contact, time_s);
            return false;
        }
    } else if (contact->last.state != SB_RESTING) {
        scene_unrest(scene, contact, time_s);
        go_on(scene, contact, from_s, sounds);
        return true;
    } else {
        hush(scene, contact, time_s);
    }
    if (from_s - contact->rests_s >= REST_S) scene_rest(scene, contact, from_s);
    return true;
}

void scene_follow_up(sb_scene *scene, double from_s) {
    scene_world *world = scene->world;
    int kept = 0, sounds = count_sounds(scene);
    world->least_w = least_heard(world);
    for (int i = 0; i < world->contact_count; i++) {
        world_contact *contact = &world->contacts[i];
        contact->is_gone = !follow_one(scene, contact, from_s, &sounds);
    }
    /* After all that scrapes: a squeak takes no other contact's place. */
    for (int i = 0; i < world->contact_count; i++) {
        if (!world->contacts[i].is_gone)
            squeak(scene, &world->contacts[i], &sounds);
    }
    for (int i = 0; i < world->contact_count; i++) {
        if (!world->contacts[i].is_gone)
            world->contacts[kept++] = world->contacts[i];
    }
    world->contact_count = kept;
}

void scene_follow_none(sb_scene *scene, double time_s, bool keeps_rest) {
    scene_world *world = scene->world;
    for (int i = 0; i < world->contact_count; i++) {
        hush(scene, &world->contacts[i], time_s);
        if (keeps_rest) continue;
        scene_unrest(scene, &world->contacts[i], time_s);
        report_end(scene, &world->contacts[i], time_s);
    }
    if (!keeps_rest) world->contact_count = 0;
}

void scene_unfollow(sb_scene *scene, sb_body_id id, double time_s) {
    scene_world *world = scene->world;
    int kept = 0;
    for (int i = 0; world && i < world->contact_count; i++) {
        world_contact *contact = &world->contacts[i];
        if (is_same_body(contact->body[0], id) ||
            is_same_body(contact->body[1], id)) {
            hush(scene, contact, time_s);
            scene_unrest(scene, contact, time_s);
            report_end(scene, contact, time_s);
        } else {
            world->contacts[kept++] = *contact;
        }
    }
    if (world) world->contact_count = kept;
}
