/* Reports of lasting contacts: when they begin and end, and what they do in
 * between. Control thread. */
#include "runtime/base/memory.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/state/state.h"

#include <stdio.h>

const char *sb_lasting_phase_name(sb_lasting_phase phase) {
    static const char *const names[] = {"begin", "on", "end"};
    return names[phase];
}

/* --- the queue ------------------------------------------------------------ */

void scene_add_report(sb_scene *scene, const sb_lasting_report *report) {
    if (!scene->wants_impacts ||
        !sb_grow((void **)&scene->reports, &scene->report_capacity,
                 scene->report_count + 1, sizeof *scene->reports))
        return;
    scene->reports[scene->report_count++] = *report;
}

bool sb_scene_next_lasting(sb_scene *scene, sb_lasting_report *out) {
    if (scene->report_first == scene->report_count) return false;
    *out = scene->reports[scene->report_first++];
    if (scene->report_first == scene->report_count)
        scene->report_first = scene->report_count = 0;
    return true;
}

/* --- contacts of scripts -------------------------------------------------- */

double scene_ramp_at(const scene_ramp *ramp, double time_s) {
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

static void copy_name(const sb_scene *scene, sb_body_id id,
                      char name[SB_NAME_SIZE]) {
    if (id.generation == 0 || !sb_scene_has(scene, id)) return;
    (void)snprintf(name, SB_NAME_SIZE, "%s", sb_scene_body_name(scene, id));
}

void scene_report_contact(sb_scene *scene, const scene_contact *contact,
                          sb_lasting_phase phase, double time_s) {
    if (!scene->wants_impacts || contact->number == 0) return;
    sb_lasting_report report = {.phase = phase,
                                .time_s = time_s,
                                .kind = contact->kind,
                                .number = contact->number};
    for (int i = 0; i < 2; i++)
        copy_name(scene, contact->body[i], report.name[i]);
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

sb_status sb_scene_sample_contacts(sb_scene *scene, double time_s,
                                   sb_error *err) {
    for (int i = 0; scene->wants_impacts && i < scene->contact_count; i++) {
        const scene_contact *contact = &scene->contacts[i];
        sb_contact_id id = {(uint32_t)i, contact->generation};
        int before = scene->report_count;
        if (contact->number == 0 || contact->begun_s >= time_s ||
            !sb_scene_has_contact(scene, id))
            continue;
        scene_report_contact(scene, contact, SB_LASTING_GOES_ON, time_s);
        if (scene->report_count == before)
            return sb_fail(err, SB_NO_MEMORY, "out of memory for the reports");
    }
    return SB_OK;
}
