/* SPDX-License-Identifier: MIT */
/* Divides the budget of a block among the voices, and corrects the time per
 * unit. Thread: audio. */
#include "runtime/engine/audio/quality.h"

#include "runtime/base/select.h"
#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/engine/audio/island.h"
#include "runtime/engine/voice/voice.h"
#include "runtime/engine/voice/voice_share.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Share of the budget reserved for fades. */
static const double reserve = 1.0 / 8.0;

/* Largest share for impulses on unheard bodies. */
static const double unheard_part = 1.0 / 3.0;

/* Share left for mixing in any case: some sound is better than none. */
static const double least = 1.0 / 4.0;

/* Bonus in the ranking for voices that are heard already: 1 dB, to avoid
 * frequent changes. */
static const float bonus = 1.26f;

void sb_quality_init(sb_quality *q, const sb_quality_def *def,
                     double sample_rate_hz, double unit_ns) {
    q->def = *def;
    q->block_ns = SB_BLOCK_FRAMES / sample_rate_hz * 1e9;
    q->unit_ns = q->first_unit_ns = unit_ns;
    q->pull_share = 1.0;
}

/* --- time -----------------------------------------------------------------*/

void sb_quality_pull(sb_quality *q, int frames, int blocks) {
    double made = (double)blocks * SB_BLOCK_FRAMES;
    q->pull_share = blocks > 0 ? fmin(frames / made, 1.0) : 1.0;
}

void sb_quality_report_duration(sb_quality *q, double took_ns) {
    /* A small amount of work gives no reliable measurement. */
    const double enough_units = 4000.0;
    double units = q->unpaid_units;
    if (q->unit_ns <= 0.0 || units < enough_units) return;
    q->unpaid_units = 0.0;
    /* Steps of a fixed size, five times as large upward as downward, settle
     * where five of six callbacks take less. Outliers, in which another process
     * had the processor, do not matter. Larger steps at first: bodies spread
     * over memory may take twice as long as the few that were measured. */
    const int early = 64;
    double step = q->timed < early ? 0.006 : 0.0015;
    if (q->timed < early) q->timed++;
    bool is_more = took_ns > units * q->unit_ns;
    q->unit_ns *= is_more ? 1.0 + 5.0 * step : 1.0 / (1.0 + step);
    q->unit_ns =
        fmin(fmax(q->unit_ns, 0.5 * q->first_unit_ns), 3.0 * q->first_unit_ns);
}

static bool is_limited(const sb_quality *q) {
    bool has_time = q->unit_ns > 0.0 && q->def.budget > 0.0;
    return has_time || q->def.modes > 0 || q->def.units > 0.0;
}

static double budget_of(const sb_quality *q) {
    double units = q->def.units > 0.0 ? q->def.units : (double)INFINITY;
    if (q->unit_ns > 0.0 && q->def.budget > 0.0) {
        double ns = q->def.budget * q->block_ns * q->pull_share;
        units = sb_min(ns / q->unit_ns, units);
    }
    return units;
}

static void set_budget(sb_quality *q) {
    q->budget_units = budget_of(q);
    q->budget_modes = q->def.modes > 0 ? q->def.modes : INT_MAX;
}

double sb_quality_striker_units(const sb_quality *q) {
    /* The rest is for the modes, and for blocks in which strikers take more
     * than usual. */
    const double part = 0.5;
    return part * budget_of(q);
}

double sb_quality_strike_units(const sb_quality *q) {
    /* Share of the budget for activating struck bodies; their ringing is
     * budgeted later. */
    const double part = 1.0 / 6.0;
    return sb_max(part * budget_of(q), 16.0 * SB_UNITS_WAKE);
}

/* --- who is there ---------------------------------------------------------*/

/* Mix it, in full or as it is. */
static void spend(sb_quality *q, const sb_voice *voice) {
    int modes;
    q->spent_units += sb_voice_full_units(voice, &modes);
    q->wanted_modes += modes;
    q->mixed_modes += modes;
}

static void note_scaling(sb_quality *q, const sb_voice *voice) {
    if (sb_modal_bank_is_partial(voice->bank)) q->is_scaling = true;
}

static void hear_in_full(sb_quality *q, sb_voice *voice, bool fades) {
    spend(q, voice);
    sb_voice_show(voice, fades);
    note_scaling(q, voice);
}

/* Render what must be rendered; the others become candidates. Returns their
 * demand. */
static double gather(sb_quality *q, sb_voice *const *by_slot,
                     const uint32_t *listed, int count, int *modes) {
    double units = 0.0;
    for (int i = 0; i < count; i++) {
        sb_voice *leader = by_slot[listed[i]];
        leader->share.was_hidden = leader->share.is_hidden;
        leader->share.is_hidden = false;
        leader->share.fading = 0;
    }
    for (int i = 0; i < count; i++) {
        sb_voice *leader = by_slot[listed[i]];
        if (leader->island.leader != leader || sb_voices_are_silent(leader))
            continue;
        /* What was computed elsewhere costs next to nothing, and how loud a dry
         * voice is heard is not known. */
        if (leader->island.links > 0 || leader->island.next ||
            leader->streams || leader->dry) {
            for (sb_voice *v = leader; v; v = v->island.next)
                hear_in_full(q, v, false);
        } else if (!leader->share.was_hidden && sb_voice_is_held(leader)) {
            spend(q, leader); /* unchanged: a strike is in progress */
            note_scaling(q, leader);
        } else {
            int here;
            q->voices[q->count++] = leader;
            units += sb_voice_full_units(leader, &here);
            *modes += here;
        }
    }
    return units;
}

/* --- ranks ----------------------------------------------------------------*/

/* One of two passes of a radix sort by descending keys: constant time,
 * stable. */
static void sort_by_digit(const uint16_t *keys, sb_voice *const *voices,
                          int count, int shift, uint16_t *keys_out,
                          sb_voice **out) {
    int first[257] = {0};
    for (int i = 0; i < count; i++)
        first[256 - (keys[i] >> shift & 255)]++;
    for (int digit = 1; digit <= 256; digit++)
        first[digit] += first[digit - 1];
    /* first[255 - d] is the first index of keys with digit d. */
    for (int i = 0; i < count; i++) {
        int at = first[255 - (keys[i] >> shift & 255)]++;
        keys_out[at] = keys[i];
        out[at] = voices[i];
    }
}

static uint16_t key_of(const sb_voice *voice) {
    float power = voice->share.power;
    if (!voice->share.was_hidden) power *= bonus;
    if (!(power >= 0.0f)) power = 1e30f;
    uint32_t bits;
    memcpy(&bits, &power, sizeof bits);
    return (
        uint16_t)(bits >>
                  15); /* exponent and eight bits of the mantissa: 0.02 dB */
}

/* Returns what strikes would cost if no voice were heard. */
static double rank(sb_quality *q, int64_t block) {
    double unheard = 0.0;
    for (int i = 0; i < q->count; i++) {
        sb_voice *voice = q->voices[i];
        bool is_due = (voice->place + block) % SB_QUALITY_REFRESH == 0;
        q->spent_units += sb_voice_rate(voice, is_due) + SB_UNITS_PASS;
        q->wanted_modes += voice->share.wanted;
        q->keys[0][i] = key_of(voice);
        unheard += sb_voice_unheard_units(voice);
    }
    sort_by_digit(q->keys[0], q->voices, q->count, 0, q->keys[1], q->sorted);
    sort_by_digit(q->keys[1], q->sorted, q->count, 8, q->keys[0], q->voices);
    return unheard;
}

/* --- shares ---------------------------------------------------------------*/

double sb_quality_ramp(double slope, double x) {
    if (slope <= 1.0) return x + slope * x * (1.0 - x);
    double part = fmin(slope * x, 1.0);
    return part * (2.0 - part);
}

/* The budget that is left, in all and for this rank. */
typedef struct purse {
    double units, modes; /* left in all */
    double own_units, own_modes;
} purse;

/* `left` is the budget before the first had its share: the loudest do not pay
 * for the examination of all. */
static purse open_purse(const sb_quality *q, const sb_bank_room *all,
                        const sb_bank_room *left, int i) {
    double ramp =
        sb_quality_ramp(q->def.slope, (i + 1.0) / (q->count + q->dozing_count));
    purse p;
    p.units = all->units - q->spent_units;
    p.modes = (double)all->modes - q->mixed_modes;
    p.own_units = p.units - (1.0 - ramp) * left->units;
    p.own_modes = p.modes - (1.0 - ramp) * left->modes;
    if (isinf(all->units)) p.own_units = p.units;
    return p;
}

static void hide(sb_voice *voice) {
    if (!voice->share.was_hidden) sb_modal_bank_choose_none(voice->bank);
    voice->share.is_hidden = true;
}

static void drop(sb_quality *q, const sb_voice *voice, double heard_power) {
    double lost = (double)voice->share.power - heard_power;
    q->dropped_power += fmax(lost, 0.0);
    q->is_scaling = true;
}

/* True if the whole voice fits. */
static bool buy_whole(sb_quality *q, sb_voice *voice, const purse *p) {
    int modes;
    double units = sb_voice_full_units(voice, &modes);
    if (units > p->units || modes > p->modes) return false;
    q->spent_units += units;
    q->mixed_modes += modes;
    sb_voice_show(voice, true);
    note_scaling(q, voice);
    return true;
}

static bool is_rustling(const sb_voice *voice) {
    return voice->diffuse && !sb_diffuse_is_silent(voice->diffuse);
}

/* Nothing is left for this voice: it fades out if it was heard, and is hidden
 * otherwise. */
static void refuse(sb_quality *q, sb_voice *voice) {
    sb_share *share = &voice->share;
    drop(q, voice, 0.0);
    if (share->was_hidden) {
        hide(voice);
        return;
    }
    sb_bank_room nothing = {.heard_units = 1.0};
    (void)sb_modal_bank_measure(voice->bank);
    sb_bank_choice choice = sb_modal_bank_choose(voice->bank, &nothing);
    share->going_groups = choice.going_groups;
    share->going_modes = choice.going_modes;
    if (is_rustling(voice)) share->fading = -1;
    voice->drives = NULL;
    if (choice.going_groups == 0 && share->fading == 0) hide(voice);
}

/* The loudest groups that fit; the others fade out. */
static void buy_groups(sb_quality *q, sb_voice *voice, const purse *p) {
    const double largest_group = 16.0;
    sb_share *share = &voice->share;
    sb_bank_room room;
    sb_voice_prices(voice, &room);
    int groups = voice->groups;
    double look = sb_voice_look_units(voice);
    double base = sb_voice_base_units(voice) + look;
    double one = base + room.heard_units + (groups - 1) * room.unheard_units;
    if (p->units < one || p->modes < 1.0) {
        refuse(q, voice);
        return;
    }
    room.units = fmin(fmax(p->own_units, one), p->units) - base;
    room.modes = (int)fmin(fmax(p->own_modes, largest_group), p->modes);
    sb_voice_look(voice);
    sb_bank_choice choice = sb_modal_bank_choose(voice->bank, &room);
    q->spent_units += look;
    if (choice.heard_groups == 0 && !is_rustling(voice)) {
        refuse(q, voice);
        return;
    }
    q->spent_units += base - look + choice.heard_groups * room.heard_units +
                      choice.unheard_groups * room.unheard_units;
    q->mixed_modes += choice.heard_modes;
    share->is_heard = true;
    share->going_groups = choice.going_groups;
    share->going_modes = choice.going_modes;
    if (share->was_hidden && is_rustling(voice)) share->fading = 1;
    if (sb_modal_bank_is_partial(voice->bank))
        drop(q, voice, choice.power * sb_voice_ear_power(voice));
}

/* Allow strikes on unheard voices. */
static void allow_unheard(sb_quality *q, double most_units) {
    for (int i = 0; i < q->count; i++) {
        sb_voice *voice = q->voices[i];
        voice->share.may_strike = false;
        if (!voice->share.is_hidden || sb_voice_new_strikes(voice) == 0)
            continue;
        double units = sb_voice_unheard_units(voice);
        if (q->spent_units + units > most_units) continue;
        q->spent_units += units;
        voice->share.may_strike = true;
    }
}

/* Voices fade out while there is room, the loudest first. */
static void allow_fades(sb_quality *q, double most_units) {
    for (int i = 0; i < q->count; i++) {
        sb_voice *voice = q->voices[i];
        sb_share *share = &voice->share;
        if (share->going_groups == 0 && share->fading >= 0) continue;
        double units = share->going_groups * (double)SB_UNITS_RING;
        if (share->fading < 0) units += SB_UNITS_DIFFUSE;
        if (!share->is_heard)
            units += SB_UNITS_VOICE + sb_voice_unheard_units(voice);
        if (q->spent_units + units <= most_units &&
            share->going_modes <= q->budget_modes - q->mixed_modes) {
            q->spent_units += units;
            q->mixed_modes += share->going_modes;
        } else {
            sb_modal_bank_cut(voice->bank);
            if (!share->is_heard) hide(voice);
        }
    }
}

/* Voices in order of rank. */
static void hear_ranked(sb_quality *q, int i, const sb_bank_room *all,
                        const sb_bank_room *left) {
    sb_voice *voice = q->voices[i];
    purse p = open_purse(q, all, left, i);
    voice->share.is_heard = false;
    voice->share.going_groups = voice->share.going_modes = 0;
    if (p.units < SB_UNITS_VOICE + SB_UNITS_RING || p.modes < 1.0) {
        refuse(q, voice);
    } else if (sb_voice_is_whole(voice)) {
        voice->share.is_heard = buy_whole(q, voice, &p);
        if (!voice->share.is_heard) refuse(q, voice);
    } else {
        buy_groups(q, voice, &p);
    }
}

static void share_out(sb_quality *q, int64_t block) {
    double most = q->budget_units * (1.0 - reserve);
    double unheard = rank(q, block), kept = unheard_part * q->budget_units;
    double floor = q->spent_units + least * q->budget_units;
    sb_bank_room all = {.modes =
                            q->budget_modes - (int)(q->budget_modes * reserve)};
    double before = q->spent_units;
    sb_bank_room left = {.modes = all.modes - q->mixed_modes};
    for (int i = 0; i < q->count; i++) {
        all.units = sb_max(most - sb_min(unheard, kept), floor);
        left.units = all.units - before;
        hear_ranked(q, i, &all, &left);
        if (q->voices[i]->share.is_heard)
            unheard -= sb_voice_unheard_units(q->voices[i]);
    }
    allow_fades(q, q->budget_units - sb_min(unheard, kept));
    /* Strikes are allowed even in a block with thousands of path changes. */
    allow_unheard(q,
                  sb_max(q->budget_units, floor + reserve * q->budget_units));
}

void sb_quality_share(sb_quality *q, sb_voice *const *by_slot,
                      const uint32_t *listed, int count, int64_t block) {
    q->wanted_modes = q->dozing_modes;
    q->mixed_modes = q->count = 0;
    q->dropped_power = q->dozing_power;
    double ahead_units = q->ahead_units;
    q->spent_units = q->ahead_units = 0.0;
    q->budget_units = (double)INFINITY;
    if (!is_limited(q) && !q->is_scaling) return;
    q->is_scaling = q->dozing_count > 0;
    set_budget(q);
    q->spent_units = SB_UNITS_BLOCK + ahead_units;
    int modes = 0;
    double units = gather(q, by_slot, listed, count, &modes);
    if (q->spent_units + units <= q->budget_units &&
        modes <= q->budget_modes - q->mixed_modes) {
        for (int i = 0; i < q->count; i++)
            hear_in_full(q, q->voices[i], true);
    } else {
        share_out(q, block);
    }
    q->unpaid_units += q->spent_units;
}
