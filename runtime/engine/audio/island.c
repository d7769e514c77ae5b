/* SPDX-License-Identifier: MIT */
/* Groups connected voices into islands and renders an island for a block.
 * Thread: audio. */
#include "runtime/engine/audio/island.h"

#include "runtime/engine/audio/tracer.h"
#include "runtime/engine/voice/voice.h"

#include <string.h>

/* --- who hangs together ---------------------------------------------------*/

/* False when the island would be too large. */
static bool unite(sb_voice *a, sb_voice *b) {
    sb_voice *to = a->island.leader, *from = b->island.leader;
    if (to == from) return true;
    if (to->island.bodies + from->island.bodies > SB_ISLAND_BODIES)
        return false;
    if (to->island.links + from->island.links > SB_ISLAND_LINKS) return false;
    to->island.bodies += from->island.bodies;
    to->island.links += from->island.links;
    for (sb_voice *v = from;; v = v->island.next) {
        v->island.leader = to;
        if (v->island.next) continue;
        v->island.next = to->island.next;
        break;
    }
    to->island.next = from;
    return true;
}

static sb_voice *second_of(sb_voice *const *by_slot, const sb_strike *strike) {
    if (strike->second_mode_count == 0) return NULL;
    sb_voice *voice = by_slot[strike->second_slot];
    if (!voice || voice->generation != strike->second_generation) return NULL;
    return voice;
}

static void gather_strikes(sb_voice *const *by_slot, sb_voice *voice) {
    for (int i = 0; i < voice->flying_count; i++) {
        sb_strike *strike = voice->flying[i];
        sb_voice *second = second_of(by_slot, strike);
        strike->second = second && unite(voice, second) ? second : NULL;
    }
}

/* It belongs to the island of its first ringing voice. */
static void gather_coupling(sb_coupling *coupling) {
    sb_voice *first =
        coupling->voice[0] ? coupling->voice[0] : coupling->voice[1];
    if (!first || first->island.leader->island.links >= SB_ISLAND_LINKS) return;
    first->island.leader->island.links++;
    coupling->next = first->island.couplings;
    first->island.couplings = coupling;
    if (coupling->voice[0] && coupling->voice[1])
        (void)unite(coupling->voice[0], coupling->voice[1]);
}

void sb_voices_gather(sb_voice *const *by_slot, const uint32_t *playing,
                      int count, sb_coupling *const *couplings,
                      int coupling_count) {
    for (int i = 0; i < count; i++) {
        sb_voice *voice = by_slot[playing[i]];
        voice->island.leader = voice;
        voice->island.next = NULL;
        voice->island.bodies = 1;
        voice->island.links = voice->flying_count + voice->spring_count;
        voice->island.couplings = NULL;
    }
    for (int i = 0; i < count; i++)
        gather_strikes(by_slot, by_slot[playing[i]]);
    for (int i = 0; i < coupling_count; i++)
        gather_coupling(couplings[i]);
}

bool sb_voices_are_silent(const sb_voice *leader) {
    for (const sb_voice *v = leader; v; v = v->island.next)
        if (v->island.couplings || !sb_voice_is_silent(v)) return false;
    return true;
}

void sb_couplings_forget(sb_coupling *const *couplings, int coupling_count,
                         const sb_voice *voice) {
    for (int i = 0; i < coupling_count; i++)
        for (int s = 0; s < 2; s++)
            if (couplings[i]->voice[s] == voice) couplings[i]->voice[s] = NULL;
}

/* --- a block --------------------------------------------------------------*/

typedef struct stage {
    sb_island island;
    sb_voice *voices[SB_ISLAND_BODIES];
    float mono[SB_ISLAND_BODIES][SB_BLOCK_FRAMES];
    sb_tracer *tracer; /* or NULL */
    sb_weighing weighing;
} stage;

static void join_side(stage *s, sb_link *link, int side, sb_voice *voice,
                      const sb_voice *leader, sb_modal_field *room) {
    bool is_ringing = voice && voice->island.leader == leader;
    link->side[side].body = is_ringing ? voice->island.body : -1;
    link->side[side].record = is_ringing ? voice->record : NULL;
    if (link->side[side].record) {
        const sb_link_side *at = &link->side[side];
        link->side[side].record_gain = sb_diffuse_gain(
            voice->diffuse, at->middle ? at->middle : at->weights);
    }
    /* Any work space of a voice serves all that touches it. */
    if (is_ringing && !s->island.field[voice->island.body])
        s->island.field[voice->island.body] = room;
}

static void add_voice(stage *s, sb_voice *voice) {
    sb_island *island = &s->island;
    int f = island->body_count++;
    voice->island.body = f;
    s->voices[f] = voice;
    island->bank[f] = voice->bank;
    island->out[f] = s->mono[f];
    memset(s->mono[f], 0, sizeof s->mono[f]);
    sb_voice_begin_diffuse(voice);
    sb_voice_aim_at(voice);
}

static void add_links(stage *s, sb_voice *voice) {
    sb_island *island = &s->island;
    for (int i = 0; i < voice->spring_count; i++) {
        island->link[island->link_count++] = &voice->springs[i];
        join_side(s, &voice->springs[i], 0, voice, voice->island.leader,
                  &voice->spring_field);
    }
    for (int i = 0; i < voice->flying_count; i++) {
        sb_strike *strike = voice->flying[i];
        island->link[island->link_count++] = &strike->link;
        join_side(s, &strike->link, 0, voice, voice->island.leader,
                  strike->room);
        join_side(s, &strike->link, 1, strike->second, voice->island.leader,
                  &strike->second_field);
    }
    for (sb_coupling *coupling = voice->island.couplings; coupling;
         coupling = coupling->next) {
        island->link[island->link_count++] = coupling->link;
        for (int side = 0; side < 2; side++)
            join_side(s, coupling->link, side, coupling->voice[side],
                      voice->island.leader, coupling->room[side]);
    }
}

/* The diffuse parts hear where forces may act in this block. */
static void act(const stage *s) {
    for (int i = 0; i < s->island.link_count; i++) {
        const sb_link *link = s->island.link[i];
        for (int side = 0; link->is_near && side < 2; side++) {
            const sb_link_side *at = &link->side[side];
            if (at->record)
                sb_diffuse_act(s->voices[at->body]->diffuse,
                               at->middle ? at->middle : at->weights);
        }
    }
}

/* What the steps of a lasting force leave out of the sound of its bodies. */
static void smooth(stage *s, sb_coupling *coupling) {
    sb_link *link = coupling->link;
    if (!link->excess_ns) return;
    for (int i = 0; i < 2; i++) {
        const sb_link_side *side = &link->side[i];
        if (side->body < 0 || !side->weights) continue;
        float heard[SB_BLOCK_FRAMES] = {0};
        sb_modal_bank_unhold(s->island.bank[side->body], s->island.parts,
                             link->excess_before_ns, link->excess_ns,
                             side->weights,
                             side->middle ? side->middle : side->weights,
                             side->end ? side->end : side->weights, heard);
        for (int n = 0; n < SB_BLOCK_FRAMES; n++)
            s->mono[side->body][n] += (float)side->sign * heard[n];
    }
}

static void smooth_all(stage *s) {
    for (int f = 0; f < s->island.body_count; f++)
        for (sb_coupling *coupling = s->voices[f]->island.couplings; coupling;
             coupling = coupling->next)
            smooth(s, coupling);
}

static void mute_touched(stage *s, sb_voice_report *report) {
    for (int f = 0; f < s->island.body_count; f++) {
        if (!s->island.is_touched[f]) continue;
        s->voices[f]->was_muted = true;
        report->muted++;
    }
}

/* Render the voices; touched ones are solved together. */
static void play(stage *s, sb_voice_report *report) {
    sb_island *island = &s->island;
    bool is_near = sb_island_look(island);
    if (is_near) act(s);
    sb_tracer *t = s->tracer;
    if (t) sb_tracer_looked(t, island, is_near, &s->weighing);
    for (int f = 0; f < island->body_count; f++) {
        if (is_near && island->is_touched[f]) {
            sb_voice_prepare_contact(s->voices[f]);
        } else {
            sb_voice_ring(s->voices[f], s->mono[f]);
            if (t) sb_tracer_weigh(t, island, f, &s->weighing);
        }
    }
    if (is_near) {
        bool is_well = sb_island_play(island);
        if (is_well) smooth_all(s);
        if (!is_well) mute_touched(s, report);
        if (t) sb_tracer_played(t, island, is_well, &s->weighing);
    }
    sb_island_fly(island);
    if (t) sb_tracer_flew(t, island, &s->weighing);
}

static void trace_impacts(const stage *s, const sb_voice *voice) {
    for (int i = 0; i < voice->impact_count; i++)
        if (voice->strikes[i]->is_watched)
            sb_tracer_impact(s->tracer, &voice->impacts[i], s->island.dt_s);
}

void sb_voices_render(sb_voice *leader, float *stereo, sb_tracer *tracer,
                      sb_voice_report *report) {
    stage s;
    s.tracer = tracer;
    s.island =
        (sb_island){.dt_s = 1.0 / leader->sample_rate_hz, .log = &report->log};
    for (sb_voice *v = leader; v; v = v->island.next)
        add_voice(&s, v);
    for (int f = 0; f < s.island.body_count; f++)
        add_links(&s, s.voices[f]);
    play(&s, report);
    for (int f = 0; f < s.island.body_count; f++) {
        if (tracer && tracer->rows) trace_impacts(&s, s.voices[f]);
        sb_voice_finish(s.voices[f], s.mono[f], stereo, report);
        if (tracer) sb_tracer_weigh(tracer, &s.island, f, &s.weighing);
    }
    if (tracer) sb_tracer_left(tracer, &s.island, &s.weighing);
}
