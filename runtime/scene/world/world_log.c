/* Records the steps of a world and replays them. Control thread. */
#include "runtime/scene/world/world_log.h"

#include "runtime/base/memory.h"
#include "runtime/scene/world/scene_world_state.h"

#include <math.h>

typedef struct logged_pose {
    uint32_t user;
    bool is_asleep;
    sb_pose pose;
} logged_pose;

typedef struct logged_step {
    int64_t number; /* in world steps since recording began */
    int event_count, pose_count;
} logged_step;

struct sb_world_log {
    double rate_hz;
    int64_t first; /* world step at which it began */
    uint32_t highest;
    int impact_count;
    logged_step *steps;
    int step_count, step_capacity;
    sb_tracked *events; /* step after step */
    int event_count, event_capacity;
    logged_pose *poses;
    int pose_count, pose_capacity;
};

sb_status sb_world_log_create(sb_world_log **out, sb_error *err) {
    *out = sb_alloc(1, sizeof **out);
    return *out ? SB_OK : sb_fail(err, SB_NO_MEMORY, "out of memory for a log");
}

void sb_world_log_destroy(sb_world_log *log) {
    if (!log) return;
    sb_free(log->steps);
    sb_free(log->events);
    sb_free(log->poses);
    sb_free(log);
}

int scene_log_steps(const sb_world_log *log) {
    return log->step_count;
}

int sb_world_log_impacts(const sb_world_log *log) {
    return log->impact_count;
}

double sb_world_log_rate_hz(const sb_world_log *log) {
    return log->rate_hz;
}

/* --- writing ------------------------------------------------------------- */

static bool put_step(sb_world_log *log, int64_t number) {
    if (!sb_grow((void **)&log->steps, &log->step_capacity, log->step_count + 1,
                 sizeof *log->steps))
        return false;
    log->steps[log->step_count++] = (logged_step){.number = number};
    return true;
}

static void note_user(sb_world_log *log, uint32_t user) {
    if (user > log->highest) log->highest = user;
}

static bool put_event(sb_world_log *log, const sb_tracked *event) {
    if (!sb_grow((void **)&log->events, &log->event_capacity,
                 log->event_count + 1, sizeof *log->events))
        return false;
    log->events[log->event_count++] = *event;
    log->steps[log->step_count - 1].event_count++;
    log->impact_count += event->kind == SB_TRACKED_IMPACT;
    note_user(log, event->user[0]);
    note_user(log, event->user[1]);
    return true;
}

static bool put_pose(sb_world_log *log, const logged_pose *pose) {
    if (!sb_grow((void **)&log->poses, &log->pose_capacity, log->pose_count + 1,
                 sizeof *log->poses))
        return false;
    log->poses[log->pose_count++] = *pose;
    log->steps[log->step_count - 1].pose_count++;
    note_user(log, pose->user);
    return true;
}

static int64_t step_of(const scene_world *world) {
    return world->skipped + sb_world_steps(world->world);
}

sb_status scene_log_events(scene_world *world, const sb_tracked *events,
                           int count, sb_error *err) {
    sb_world_log *log = world->recorded;
    if (!log) return SB_OK;
    /* The world has already taken this step. */
    if (!put_step(log, step_of(world) - 1 - log->first))
        return sb_fail(err, SB_NO_MEMORY, "out of memory for a log");
    return scene_log_more(world, events, count, err);
}

sb_status scene_log_more(scene_world *world, const sb_tracked *events,
                         int count, sb_error *err) {
    bool is_well = true;
    for (int i = 0; i < count && is_well; i++)
        is_well = put_event(world->recorded, &events[i]);
    return is_well ? SB_OK
                   : sb_fail(err, SB_NO_MEMORY, "out of memory for a log");
}

/* Poses of bodies that move, or have just stopped. */
sb_status scene_log_poses(sb_scene *scene, sb_error *err) {
    scene_world *world = scene->world;
    sb_world_log *log = world->recorded;
    for (int i = 1; log && i < world->solid_count; i++) {
        world_solid *solid = &world->solids[i];
        if (solid->solid.generation == 0 || !sb_scene_has(scene, solid->body))
            continue;
        const scene_body *body = scene_body_of(scene, solid->body);
        bool is_asleep = sb_scene_is_asleep(scene, solid->body);
        if (body->declared.def.moves.motion == SB_MOTION_FIXED ||
            (is_asleep && solid->is_asleep))
            continue;
        solid->is_asleep = is_asleep;
        logged_pose pose = {(uint32_t)i, is_asleep, body->pose};
        if (!put_pose(log, &pose))
            return sb_fail(err, SB_NO_MEMORY, "out of memory for a log");
    }
    return SB_OK;
}

static sb_status check_world(const sb_scene *scene, sb_error *err) {
    if (scene->world) return scene_check_own(scene, err);
    return sb_fail(err, SB_BAD_ARGUMENT,
                   "nothing moves in the scene; a log needs a body that is "
                   "free or scripted");
}

static void wake_all(scene_world *world) {
    for (int i = 1; i < world->solid_count; i++)
        world->solids[i].is_asleep = false;
}

sb_status sb_scene_record(sb_scene *scene, sb_world_log *log, sb_error *err) {
    sb_status status = check_world(scene, err);
    if (status) return status;
    scene_world *world = scene->world;
    world->recorded = log;
    wake_all(world);
    if (!log) return SB_OK;
    log->rate_hz = world->rate_hz;
    log->first = step_of(world);
    return SB_OK;
}

/* --- reading ------------------------------------------------------------- */

sb_status sb_scene_replay(sb_scene *scene, const sb_world_log *log,
                          sb_error *err) {
    sb_status status = check_world(scene, err);
    if (status) return status;
    scene_world *world = scene->world;
    if (log && log->rate_hz > 0.0 && log->rate_hz != world->rate_hz)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the log has %g world steps per second, the scene has "
                       "%g",
                       log->rate_hz, world->rate_hz);
    if (log && log->highest >= (uint32_t)world->solid_count)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "the log has %d bodies, the scene has %d",
                       (int)log->highest, world->solid_count - 1);
    world->replayed = log;
    world->next = (world_log_place){.first = step_of(world)};
    wake_all(world);
    return SB_OK;
}

/* Steps that are not in the log were skipped: all was asleep. */
static const logged_step *next_step(const scene_world *world) {
    const sb_world_log *log = world->replayed;
    if (world->next.step >= log->step_count) return NULL;
    const logged_step *step = &log->steps[world->next.step];
    return step->number <= step_of(world) - world->next.first ? step : NULL;
}

bool scene_log_is_over(const scene_world *world) {
    return world->next.step >= world->replayed->step_count;
}

int scene_log_take_events(const scene_world *world, const sb_tracked **out) {
    const logged_step *step = next_step(world);
    *out = world->replayed->events + world->next.event;
    return step ? step->event_count : 0;
}

void scene_log_take_poses(sb_scene *scene) {
    scene_world *world = scene->world;
    const logged_step *step = next_step(world);
    world->skipped++;
    if (!step) return;
    for (int i = 0; i < step->pose_count; i++) {
        const logged_pose *pose = &world->replayed->poses[world->next.pose + i];
        world_solid *solid = scene_solid(world, pose->user);
        if (!solid || !sb_scene_has(scene, solid->body)) continue;
        solid->is_asleep = pose->is_asleep;
        scene_body_of(scene, solid->body)->pose = pose->pose;
    }
    world->next.step++;
    world->next.event += step->event_count;
    world->next.pose += step->pose_count;
}

/* --- copies -------------------------------------------------------------- */

typedef struct copying {
    const sb_world_log *from;
    sb_world_log *to;
    int copies, late;
    uint32_t first, each; /* first body of a copy, and bodies per copy */
} copying;

static uint32_t user_in(const copying *c, uint32_t user, int copy) {
    return user < c->first ? user : user + c->each * (uint32_t)copy;
}

static bool copy_step(const copying *c, int copy, int step, int event,
                      int pose) {
    const logged_step *from = &c->from->steps[step];
    bool is_well = true;
    for (int i = 0; i < from->event_count && is_well; i++) {
        sb_tracked e = c->from->events[event + i];
        e.contact = e.contact * (uint32_t)c->copies + (uint32_t)copy;
        for (int k = 0; k < 2; k++)
            e.user[k] = user_in(c, e.user[k], copy);
        is_well = put_event(c->to, &e);
    }
    for (int i = 0; i < from->pose_count && is_well; i++) {
        logged_pose p = c->from->poses[pose + i];
        p.user = user_in(c, p.user, copy);
        is_well = put_pose(c->to, &p);
    }
    return is_well;
}

/* Position of a copy in the log. */
typedef struct copy_place {
    int step, event, pose;
} copy_place;

static bool copy_all(const copying *c, copy_place *places) {
    const sb_world_log *from = c->from;
    int64_t last = from->step_count > 0
                       ? from->steps[from->step_count - 1].number +
                             (int64_t)c->late * (c->copies - 1)
                       : -1;
    for (int64_t n = 0; n <= last; n++) {
        bool is_there = false;
        for (int k = 0; k < c->copies; k++) {
            copy_place *p = &places[k];
            if (p->step >= from->step_count ||
                from->steps[p->step].number != n - (int64_t)c->late * k)
                continue;
            if (!is_there && !put_step(c->to, n)) return false;
            is_there = true;
            if (!copy_step(c, k, p->step, p->event, p->pose)) return false;
            p->event += from->steps[p->step].event_count;
            p->pose += from->steps[p->step++].pose_count;
        }
    }
    return true;
}

sb_status sb_world_log_copies(const sb_world_log *log, int copies,
                              uint32_t first, int late_steps,
                              sb_world_log **out, sb_error *err) {
    copying c = {.from = log, .copies = copies, .late = late_steps};
    c.first = first;
    c.each = log->highest >= first ? log->highest - first + 1 : 0;
    copy_place *places = sb_alloc((size_t)copies, sizeof *places);
    sb_status status = sb_world_log_create(&c.to, err);
    if (!status && (!places || !copy_all(&c, places)))
        status = sb_fail(err, SB_NO_MEMORY, "out of memory for a log");
    sb_free(places);
    if (status) {
        sb_world_log_destroy(c.to);
        return status;
    }
    c.to->rate_hz = log->rate_hz;
    *out = c.to;
    return SB_OK;
}
