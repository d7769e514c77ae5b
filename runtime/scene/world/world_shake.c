/* SPDX-License-Identifier: MIT */
/* A blow on a body throws what lies on it (strike/shake.h): a knock on a table
 * with cups on it. Control thread.
 *
 * The world knows bodies as rigid, so a fixed table passes nothing on. Here its
 * modes do: each contact at rest on it is a mass, the part of the weight that it
 * bears. What comes off is given its speed in the world, which lets it fly and
 * land; the push itself is an impact, heard and reported as such.
 */
#include "runtime/base/memory.h"
#include "runtime/dsp/bank/bank.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/strike/shake.h"
#include "runtime/scene/world/scene_world_state.h"

/* Contacts of one body that a blow may throw, each of which takes half a
 * millisecond, and contacts among which the fastest are chosen. More cannot be
 * heard separately. */
enum { MOST_THROWN = 16, MOST_SEEN = 64 };

/* Slower throws are no impacts (tracker.h). */
#define LEAST_M_S 0.03

/* What has just landed does not lie yet. */
#define LEAST_REST_S 0.05

/* The thing lies on the body where the surface faces up. */
#define LEAST_UP 0.5

/* Index in the contact of the body that lies on the struck one, or -1. */
static int thrown_of(const sb_scene *scene, const world_contact *contact,
                     const scene_blow *blow) {
    int side = is_same_body(contact->body[0], blow->body)   ? 1
               : is_same_body(contact->body[1], blow->body) ? 0
                                                            : -1;
    if (side < 0 || contact->last.state != SB_RESTING || contact->is_gone ||
        blow->time_s - contact->rests_s < LEAST_REST_S ||
        is_same_body(contact->body[side], blow->striker))
        return -1;
    for (int i = 0; i < 2; i++)
        if (!sb_scene_has(scene, contact->body[i])) return -1;
    sb_vec3 up = sb_vec3_scale(scene->declared.world.gravity, -1.0);
    double along = sb_vec3_dot(contact->last.normal, sb_vec3_normalised(up));
    bool lies = (side == 0 ? along : -along) > LEAST_UP;
    bool is_free =
        sb_scene_motion(scene, contact->body[side]) == SB_MOTION_FREE;
    return lies && is_free && contact->last.force_n > 0.0 ? side : -1;
}

/* The lowest modes, with their weights along the blow. */
static void fill_blow(const sb_scene *scene, const scene_blow *blow,
                      const sb_bank_mode *modes, sb_shake_def *def) {
    impact_side side = {.body = scene_body_of(scene, blow->body),
                        .point = blow->point,
                        .direction = blow->direction,
                        .has_direction = blow->has_direction};
    int count = sb_model_mode_count(side.body->declared.model);
    def->mode_count = count < SB_SHAKE_MODES ? count : SB_SHAKE_MODES;
    def->impulse_ns = blow->impulse_ns;
    def->duration_s = blow->duration_s;
    def->gravity_m_s2 = sb_vec3_length(scene->declared.world.gravity);
    scene_side_weigh(&side, scene->weights);
    for (int k = 0; k < def->mode_count; k++)
        def->modes[k] = (sb_shake_mode){.omega_rad_s = modes[k].omega_rad_s,
                                        .sigma_per_s = modes[k].sigma_per_s,
                                        .struck = scene->weights[k]};
}

static void fill_thrown(const sb_scene *scene, const world_contact *contact,
                        int thrown, sb_shake_def *def) {
    const sb_tracked *at = &contact->last;
    sb_place place = {.point = at->point,
                      .has_point = true,
                      .direction =
                          sb_vec3_scale(at->normal, thrown == 0 ? 1.0 : -1.0),
                      .has_direction = true};
    impact_side side = scene_impact_side(
        scene_body_of(scene, contact->body[1 - thrown]), &place);
    scene_side_weigh(&side, scene->weights);
    for (int k = 0; k < def->mode_count; k++)
        def->modes[k].thrown = scene->weights[k];
    def->mass_kg = at->force_n / def->gravity_m_s2;
    def->law = scene_hertz(scene, contact->body, def->mass_kg).law;
    def->restitution = scene_pair_restitution(scene, contact->body);
}

static void throw_it(sb_scene *scene, const world_contact *contact, int thrown,
                     const sb_shake_def *def, const sb_shake *shake,
                     double time_s) {
    scene_world *world = scene->world;
    sb_tracked event = contact->last;
    sb_vec3 out = sb_vec3_scale(event.normal, thrown == 0 ? 1.0 : -1.0);
    event.kind = SB_TRACKED_IMPACT;
    event.mass_kg = def->mass_kg;
    event.restitution = def->restitution;
    event.impulse_ns = def->mass_kg * shake->speed_m_s;
    event.speed_m_s = shake->speed_m_s / (1.0 + def->restitution);
    event.force_n = 0.0;
    event.slip_m_s = (sb_vec3){0.0, 0.0, 0.0};
    scene_collide(scene, &event, time_s + shake->start_s, false);
    const world_solid *solid =
        scene_solid(world, scene_body_of(scene, contact->body[thrown])->user);
    if (solid)
        sb_world_push(world->world, solid->solid,
                      sb_vec3_scale(out, event.impulse_ns), &event.point);
}

/* Does the struck place itself move fast enough? */
static bool is_strong(sb_shake_def *def) {
    for (int k = 0; k < def->mode_count; k++)
        def->modes[k].thrown = def->modes[k].struck;
    def->restitution = 1.0;
    return sb_shake_most_m_s(def) >= LEAST_M_S;
}

typedef struct candidate {
    const world_contact *contact;
    int thrown;
    double most_m_s;
} candidate;

/* Insert it, the fastest first. */
static int put(candidate list[MOST_THROWN], int count, candidate c) {
    int at = count < MOST_THROWN ? count : MOST_THROWN;
    while (at > 0 && list[at - 1].most_m_s < c.most_m_s) {
        if (at < MOST_THROWN) list[at] = list[at - 1];
        at--;
    }
    if (at < MOST_THROWN) list[at] = c;
    return count < MOST_THROWN ? count + 1 : MOST_THROWN;
}

static int find_candidates(const sb_scene *scene, const scene_blow *blow,
                           sb_shake_def *def, candidate list[MOST_THROWN]) {
    const scene_world *world = scene->world;
    int count = 0, seen = 0;
    for (int i = 0; i < world->contact_count && seen < MOST_SEEN; i++) {
        candidate c = {.contact = &world->contacts[i]};
        c.thrown = thrown_of(scene, c.contact, blow);
        if (c.thrown < 0) continue;
        seen++;
        fill_thrown(scene, c.contact, c.thrown, def);
        c.most_m_s = sb_shake_most_m_s(def);
        if (c.most_m_s >= LEAST_M_S) count = put(list, count, c);
    }
    return count;
}

static bool bears(const sb_scene *scene, const scene_blow *blow) {
    const scene_world *world = scene->world;
    for (int i = 0; i < world->contact_count; i++)
        if (thrown_of(scene, &world->contacts[i], blow) >= 0) return true;
    return false;
}

static void shake(sb_scene *scene, const scene_blow *blow) {
    if (!bears(scene, blow)) return;
    sb_bank_mode *modes =
        scene_tuned_modes(scene, scene_body_of(scene, blow->body));
    if (!modes) return; /* out of memory: nothing is thrown */
    sb_shake_def def;
    fill_blow(scene, blow, modes, &def);
    sb_free(modes);
    if (!is_strong(&def)) return;
    candidate list[MOST_THROWN];
    int count = find_candidates(scene, blow, &def, list);
    for (int i = 0; i < count; i++) {
        fill_thrown(scene, list[i].contact, list[i].thrown, &def);
        sb_shake made = sb_shake_of(&def);
        if (made.speed_m_s >= LEAST_M_S)
            throw_it(scene, list[i].contact, list[i].thrown, &def, &made,
                     blow->time_s);
    }
}

void scene_shake(sb_scene *scene, double until_s) {
    bool throws = sb_vec3_length(scene->declared.world.gravity) > 0.0 &&
                  !scene->world->foreign.is_on;
    int kept = 0;
    for (int i = 0; i < scene->blows.count; i++) {
        scene_blow blow = scene->blows.blows[i];
        if (blow.time_s >= until_s) {
            scene->blows.blows[kept++] = blow;
        } else if (throws && sb_scene_has(scene, blow.body)) {
            shake(scene, &blow);
        }
    }
    scene->blows.count = kept;
}
