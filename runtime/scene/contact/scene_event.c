/* SPDX-License-Identifier: MIT */
/* Events of the scene (scene_event.h), reports of lasting contacts, and blows
 * that may throw what lies on a body (world/world_shake.c). Control thread. */
#include "runtime/scene/contact/scene_event.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>
#include <stdio.h>

/* Powers of two: a number is an index, cut to 31 bits. */
enum { EVENTS = 8192, REPORTS = 8192 };
#define NUMBER_MASK 0x7fffffffu

struct scene_events {
    sb_event items[EVENTS];
    uint64_t hit_count;
    sb_hit hits[SB_HITS];
    uint64_t report_count, report_next;
    sb_lasting_report reports[REPORTS];
};

/* --- the ring -------------------------------------------------------------- */

const char *sb_event_kind_name(sb_event_kind kind) {
    static const char *const names[SB_EVENT_KINDS] = {
        "strike", "scatter", "impact", "roll", "slide", "rest", "end"};
    return names[kind];
}

sb_status scene_open_events(sb_scene *scene, sb_error *err) {
    scene->events = sb_alloc(1, sizeof *scene->events);
    return scene->events ? SB_OK : sb_no_memory(err, "events");
}

sb_event *scene_event_add(sb_scene *scene, const sb_event *event) {
    sb_event *to = &scene->events->items[scene->event_count++ % EVENTS];
    *to = *event;
    to->number = (uint32_t)scene->event_count & NUMBER_MASK;
    return to;
}

sb_event *scene_event_find(sb_scene *scene, uint32_t number) {
    if (number == 0) return NULL;
    sb_event *event = &scene->events->items[(number - 1) % EVENTS];
    return event->number == number ? event : NULL;
}

uint32_t scene_event_label(const sb_scene *scene, const sb_event *event) {
    return scene->wants_impacts ? event->number : 0;
}

void scene_event_fill(sb_event *event, const sb_impact_record *record) {
    event->impulse_ns = record->impulse_ns;
    event->duration_s = record->duration_s;
    event->force_n = record->peak_force_n;
    event->speed_m_s = record->speed_in_m_s;
    event->speed_out_m_s = record->speed_out_m_s;
    event->restitution = record->restitution;
    event->before = record->before;
}

void scene_event_measured(sb_scene *scene, const sb_impact_record *record) {
    const sb_event *begun = record->label & SCENE_PAD_LABEL
                                ? scene_find_pad(scene, record->label)
                                : scene_event_find(scene, record->label);
    if (!begun) return; /* a pad that is gone, or the ring has gone round */
    sb_event event = *begun;
    event.stage =
        begun->stage == SB_EVENT_HIDDEN ? SB_EVENT_WHOLE : SB_EVENT_MEASURED;
    event.time_s = record->time_frames / sb_engine_sample_rate(scene->engine);
    scene_event_fill(&event, record);
    sb_event *to = scene_event_add(scene, &event);
    to->number = event.number;
    if (event.kind == SB_EVENT_STRIKE && event.stage == SB_EVENT_WHOLE)
        scene_hit_add(scene, &event, NULL);
}

bool sb_scene_next_event(sb_scene *scene, uint64_t *reader, sb_event *out) {
    sb_impact_record record;
    while (sb_engine_next_impact(scene->engine, &record))
        scene_event_measured(scene, &record);
    uint64_t count = scene->event_count;
    if (count > *reader + EVENTS) *reader = count - EVENTS;
    while (*reader < count) {
        *out = scene->events->items[(*reader)++ % EVENTS];
        if (out->stage != SB_EVENT_HIDDEN) return true;
    }
    return false;
}

bool sb_event_is_news(const sb_event *event) {
    return event->stage != SB_EVENT_MEASURED && event->kind != SB_EVENT_SCATTER;
}

bool sb_event_is_played(const sb_event *event) {
    bool is_strike =
        event->kind == SB_EVENT_STRIKE || event->kind == SB_EVENT_SCATTER;
    return event->stage != (is_strike ? SB_EVENT_EXPECTED : SB_EVENT_MEASURED);
}

void sb_scene_want_impacts(sb_scene *scene, bool are_wanted) {
    scene->wants_impacts = are_wanted;
}

void scene_event_name(const sb_scene *scene, sb_event *event) {
    for (int i = 0; i < 2; i++)
        if (sb_scene_has(scene, event->body[i]))
            (void)snprintf(event->name[i], sizeof event->name[i], "%s",
                           sb_scene_body_name(scene, event->body[i]));
}

/* --- the latest strikes ----------------------------------------------------- */

/* Spectrum of a half sine of unit area at w; 1 for an ideal impulse. */
static double pulse_share(double omega_rad_s, double duration_s) {
    double x = omega_rad_s * duration_s / SB_PI;
    if (fabs(x - 1.0) < 1e-6) return SB_PI / 4.0;
    return cos(0.5 * SB_PI * x) / (1.0 - x * x);
}

void scene_hit_add(sb_scene *scene, const sb_event *event,
                   const scene_impact *impact) {
    struct scene_events *events = scene->events;
    sb_hit *hit = &events->hits[events->hit_count++ % SB_HITS];
    *hit = (sb_hit){.event = *event};
    const impact_side *side = impact ? &impact->side[0] : NULL;
    if (!side || !side->rings || side->body->declared.def.is_deformable) return;
    const sb_model *model = side->body->declared.model;
    int count = sb_model_mode_count(model);
    hit->mode_count = count < SB_HIT_MODES ? count : SB_HIT_MODES;
    for (int k = 0; k < hit->mode_count; k++) {
        double omega = SB_TAU * sb_model_modes(model)[k].freq_hz;
        double momentum = event->impulse_ns * side->weights[k] *
                          pulse_share(omega, event->duration_s);
        hit->energy_j[k] = 0.5 * momentum * momentum;
    }
}

int sb_scene_hits(const sb_scene *scene, sb_hit hits[SB_HITS]) {
    const struct scene_events *events = scene->events;
    uint64_t last = events->hit_count;
    uint64_t first = last > SB_HITS ? last - SB_HITS : 0;
    for (uint64_t i = first; i < last; i++)
        hits[i - first] = events->hits[i % SB_HITS];
    return (int)(last - first);
}

void scene_forget_hits(sb_scene *scene) {
    scene->events->hit_count = 0;
}

/* --- lasting contacts ------------------------------------------------------- */

const char *sb_lasting_phase_name(sb_lasting_phase phase) {
    static const char *const names[] = {"begin", "on", "end"};
    return names[phase];
}

void scene_add_report(sb_scene *scene, const sb_lasting_report *report) {
    struct scene_events *events = scene->events;
    if (scene->wants_impacts)
        events->reports[events->report_count++ % REPORTS] = *report;
}

bool sb_scene_next_lasting(sb_scene *scene, sb_lasting_report *out) {
    struct scene_events *events = scene->events;
    if (events->report_next == events->report_count) return false;
    if (events->report_count > events->report_next + REPORTS)
        events->report_next = events->report_count - REPORTS;
    *out = events->reports[events->report_next++ % REPORTS];
    return true;
}

/* What the contact does at that time. */
static double scene_ramp_at(const scene_ramp *ramp, double time_s) {
    double gone = time_s - ramp->start_s;
    if (gone >= ramp->ramp_s) return ramp->to;
    if (!(gone > 0.0)) return ramp->from;
    return ramp->from + (ramp->to - ramp->from) * gone / ramp->ramp_s;
}

void scene_move_load(scene_contact *contact, const sb_lasting_change *change,
                     double time_s) {
    const sb_contact_load *to = &change->load;
    const double values[SCENE_LOAD_VALUES] = {to->force_n, to->speed_m_s[0],
                                              to->speed_m_s[1], to->slip_m_s};
    const bool has[SCENE_LOAD_VALUES] = {
        change->has_force, change->has_speed[0], change->has_speed[1],
        change->has_slip};
    for (int i = 0; i < SCENE_LOAD_VALUES; i++) {
        scene_ramp *ramp = &contact->load[i];
        if (!has[i]) continue;
        *ramp = (scene_ramp){scene_ramp_at(ramp, time_s), values[i], time_s,
                             change->ramp_s};
    }
}

void scene_report_contact(sb_scene *scene, const scene_contact *contact,
                          sb_lasting_phase phase, double time_s) {
    if (!scene->wants_impacts || contact->number == 0) return;
    sb_lasting_report report = {.phase = phase,
                                .time_s = time_s,
                                .kind = contact->kind,
                                .number = contact->number};
    for (int i = 0; i < 2; i++)
        if (sb_scene_has(scene, contact->body[i]))
            (void)snprintf(report.name[i], SB_NAME_SIZE, "%s",
                           sb_scene_body_name(scene, contact->body[i]));
    if (sb_scene_has(scene, contact->body[0])) {
        sb_place place = scene_contact_place(contact, 0, time_s);
        report.spot = sb_scene_spot(scene, contact->body[0], &place);
    }
    double at[SCENE_LOAD_VALUES];
    for (int i = 0; i < SCENE_LOAD_VALUES; i++)
        at[i] = scene_ramp_at(&contact->load[i], time_s);
    report.load = (sb_contact_load){at[0], {at[1], at[2]}, at[3]};
    scene_add_report(scene, &report);
}

void sb_scene_sample_contacts(sb_scene *scene, double time_s) {
    for (int i = 0; scene->wants_impacts && i < scene->lasting.count; i++) {
        const scene_contact *contact = &scene->lasting.contacts[i];
        sb_contact_id id = {(uint32_t)i, contact->generation};
        if (contact->begun_s < time_s && sb_scene_has_contact(scene, id))
            scene_report_contact(scene, contact, SB_LASTING_GOES_ON, time_s);
    }
}

/* --- blows ------------------------------------------------------------------- */

static sb_body_id id_of(const sb_scene *scene, const scene_body *body) {
    return body ? scene_id_at(scene, (int)(body - scene->bodies))
                : (sb_body_id){0, 0};
}

void scene_blow_add(sb_scene *scene, const scene_impact *impact, int i,
                    const sb_impact_estimate *estimate, double time_s) {
    const impact_side *side = &impact->side[i];
    if (!scene->world || !side->rings || !(estimate->impulse_ns > 0.0)) return;
    int place = scene->blows.count;
    if (place == SCENE_BLOWS) {
        place = 0;
        for (int k = 1; k < SCENE_BLOWS; k++)
            if (scene->blows.blows[k].impulse_ns <
                scene->blows.blows[place].impulse_ns)
                place = k;
        if (scene->blows.blows[place].impulse_ns >= estimate->impulse_ns)
            return;
    } else {
        scene->blows.count++;
    }
    scene->blows.blows[place] =
        (scene_blow){.body = id_of(scene, side->body),
                     .striker = id_of(scene, impact->side[1 - i].body),
                     .point = side->point,
                     .direction = side->direction,
                     .has_direction = side->has_direction,
                     .impulse_ns = estimate->impulse_ns,
                     .duration_s = estimate->duration_s,
                     .time_s = time_s};
}
