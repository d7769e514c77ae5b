/* SPDX-License-Identifier: MIT */
/* The cost of a voice, its loudness, and blocks in which it is not heard.
 * Thread: audio. */
#include "runtime/engine/voice/voice_share.h"

#include "runtime/base/pi.h"
#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/engine/voice/voice.h"

#include <math.h>
#include <string.h>

/* --- prices ---------------------------------------------------------------*/

static bool begins(const sb_impact *impact) {
    return !impact->has_begun && impact->start_frame < SB_BLOCK_FRAMES;
}

int sb_voice_new_strikes(const sb_voice *voice) {
    int count = 0;
    for (int i = 0; i < voice->impact_count; i++)
        count += begins(&voice->impacts[i]);
    return count;
}

static double strike_units(const sb_voice *voice) {
    double units = 0.0;
    for (int i = 0; i < voice->impact_count; i++) {
        const sb_impact *impact = &voice->impacts[i];
        bool is_ideal = impact->duration_frames <= 0.0;
        if (impact->has_begun) {
            units += SB_UNITS_IMPULSE; /* its end may fall into this block */
        } else if (begins(impact)) {
            units += is_ideal ? SB_UNITS_IMPULSE : SB_UNITS_PULSE;
        }
    }
    return units;
}

static double striker_modes(const sb_strike *strike) {
    int modes = strike->mode_count + strike->second_mode_count;
    return SB_UNITS_STRIKER_MODE * (double)modes;
}

static double striker_crowd(double count) {
    if (count < 2.0) return count * SB_UNITS_STRIKER_ALONE;
    return count * (SB_UNITS_STRIKER + count * SB_UNITS_STRIKER_PAIR);
}

double sb_voice_striker_units(const sb_voice *voice) {
    double units = 0.0;
    int count = 0;
    for (int i = 0; i < voice->flying_count; i++) {
        const sb_strike *strike = voice->flying[i];
        if (!strike->is_striker || strike->striker.phase == SB_STRIKER_AWAY)
            continue;
        units += striker_modes(strike);
        count++;
    }
    return units + striker_crowd(count);
}

/* What it adds, with the others that it makes dearer. */
double sb_voice_next_striker_units(const sb_voice *voice,
                                   const sb_strike *strike) {
    int count = voice->flying_count;
    return striker_modes(strike) + striker_crowd(count + 1.0) -
           striker_crowd(count);
}

double sb_voice_unheard_units(const sb_voice *voice) {
    int strikes = sb_voice_new_strikes(voice);
    if (strikes == 0) return 0.0;
    return voice->groups *
           (double)(SB_UNITS_COAST + strikes * SB_UNITS_UNHEARD);
}

void sb_voice_prices(const sb_voice *voice, sb_bank_room *room) {
    room->heard_units = SB_UNITS_RING + strike_units(voice);
    room->unheard_units =
        SB_UNITS_TURN + voice->impact_count * (double)SB_UNITS_UNHEARD;
}

double sb_voice_base_units(const sb_voice *voice) {
    double units = SB_UNITS_VOICE + (voice->diffuse ? SB_UNITS_DIFFUSE : 0);
    if (!voice->ears || !voice->path.is_set) return units;
    bool is_moving =
        voice->moves_until > (double)voice->ears->frame - voice->ears->lag;
    return units + SB_UNITS_PATH + (is_moving ? SB_UNITS_MOVE : 0);
}

double sb_voice_full_units(const sb_voice *voice, int *modes) {
    const sb_share *share = &voice->share;
    sb_bank_level level = {.groups = share->groups, .modes = share->wanted};
    int groups = voice->groups;
    if (share->behind == 0)
        level = (sb_bank_level){.groups = voice->ringing_groups,
                                .modes = voice->ringing_modes};
    double a_group = strike_units(voice);
    bool is_driven = voice->drives || sb_voice_new_strikes(voice) > 0;
    for (const sb_drive *drive = voice->drives; drive; drive = drive->next)
        a_group += SB_UNITS_DRIVE;
    if (voice->is_gliding) a_group += SB_UNITS_GLIDE;
    if (voice->island.leader->island.links > 0) a_group += SB_UNITS_TOUCH;
    *modes = is_driven ? sb_modal_bank_mode_count(voice->bank) : level.modes;
    return sb_voice_base_units(voice) + groups * a_group +
           (is_driven ? groups : level.groups) * (double)SB_UNITS_RING;
}

bool sb_voice_is_whole(const sb_voice *voice) {
    return voice->drives || voice->is_gliding;
}

bool sb_voice_is_held(const sb_voice *voice) {
    for (int i = 0; i < voice->impact_count; i++) {
        const sb_impact *impact = &voice->impacts[i];
        if (impact->has_begun &&
            (impact->cos_part != 0.0 || impact->sin_part != 0.0))
            return true;
    }
    return false;
}

/* --- levels ---------------------------------------------------------------*/

double sb_voice_ear_power(const sb_voice *voice) {
    return (double)voice->loudest * (double)voice->loudest;
}

/* Bring its state up to the start of the coming block. */
static void catch_up(sb_voice *voice) {
    if (voice->share.behind == 0) return;
    sb_modal_bank_coast(voice->bank, voice->share.behind);
    if (voice->diffuse) sb_diffuse_coast(voice->diffuse, voice->share.behind);
    voice->share.behind = 0;
    sb_voice_count(voice);
}

/* Of the strikes that begin, one that represents all: the hardest. */
static const sb_impact *hardest(const sb_voice *voice, double *squares) {
    const sb_impact *found = NULL;
    *squares = 0.0;
    for (int i = 0; i < voice->impact_count; i++) {
        const sb_impact *impact = &voice->impacts[i];
        if (!begins(impact)) continue;
        *squares += impact->impulse_ns * impact->impulse_ns;
        if (!found || fabs(impact->impulse_ns) > fabs(found->impulse_ns))
            found = impact;
    }
    return found;
}

static double pulse_of(const sb_voice *voice, const sb_impact *impact) {
    if (impact->duration_frames <= 0.0) return 0.0;
    return SB_PI * voice->sample_rate_hz / impact->duration_frames;
}

static double drive_squares(const sb_drive *drive) {
    double sum = 0.0;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        sum += (double)drive->impulse_ns[n] * (double)drive->impulse_ns[n];
    return sum;
}

/* Without examining each mode: for ranking, before more is needed. */
static double guess(const sb_voice *voice) {
    double power = 0.0;
    for (int i = 0; i < voice->impact_count; i++) {
        double impulse = voice->impacts[i].impulse_ns;
        if (begins(&voice->impacts[i]))
            power += impulse * impulse * voice->strikes[i]->response;
    }
    for (const sb_drive *drive = voice->drives; drive; drive = drive->next)
        power += sb_modal_bank_guess(voice->bank, drive_squares(drive),
                                     drive->middle);
    return power;
}

static void rate(sb_voice *voice, const sb_bank_level *level) {
    sb_share *share = &voice->share;
    double power = level->power;
    double block_s = SB_BLOCK_FRAMES / voice->sample_rate_hz;
    if (voice->diffuse) power += sb_diffuse_power(voice->diffuse);
    share->wanted = level->modes;
    share->groups = level->groups;
    share->keep = (float)exp(-level->fade_per_s * block_s);
    share->power = (float)fmin(power * sb_voice_ear_power(voice), 1e30);
}

double sb_voice_rate(sb_voice *voice, bool is_due) {
    sb_share *share = &voice->share;
    double units = 0.0;
    share->is_fresh = false;
    if (share->was_hidden && !is_due) {
        share->power *= share->keep;
    } else {
        bool is_behind = share->behind > 0;
        catch_up(voice);
        /* A voice at rest has nothing to measure: its memory may be in no
         * cache. */
        sb_bank_level level = {0};
        if (voice->ringing_groups > 0)
            level = sb_modal_bank_measure(voice->bank);
        rate(voice, &level);
        units += level.groups *
                 (double)(SB_UNITS_WEIGH + (is_behind ? SB_UNITS_COAST : 0));
        share->is_fresh = voice->ringing_groups > 0;
    }
    if (sb_voice_new_strikes(voice) > 0 || voice->drives) {
        share->is_fresh = false;
        share->power +=
            (float)fmin(guess(voice) * sb_voice_ear_power(voice), 1e30);
        share->wanted = sb_modal_bank_mode_count(voice->bank);
        units += SB_UNITS_PASS;
    }
    return units;
}

double sb_voice_look_units(const sb_voice *voice) {
    int each = SB_UNITS_WEIGH;
    if (voice->share.is_fresh) return 0.0;
    if (voice->share.behind > 0) each += SB_UNITS_COAST;
    if (sb_voice_new_strikes(voice) > 0) each += SB_UNITS_EXPECT;
    return voice->groups * (double)each;
}

void sb_voice_look(sb_voice *voice) {
    if (voice->share.is_fresh) return;
    double squares;
    const sb_impact *impact = hardest(voice, &squares);
    catch_up(voice);
    sb_bank_level level = sb_modal_bank_measure(voice->bank);
    if (impact)
        sb_modal_bank_expect(voice->bank, squares, impact->weights,
                             pulse_of(voice, impact), &level);
    for (const sb_drive *drive = voice->drives; drive; drive = drive->next)
        sb_modal_bank_expect(voice->bank, drive_squares(drive), drive->middle,
                             0.0, &level);
    rate(voice, &level);
    voice->share.is_fresh = true;
}

/* --- heard, and not -------------------------------------------------------*/

void sb_voice_show(sb_voice *voice, bool fades) {
    sb_share *share = &voice->share;
    if (!share->was_hidden && !sb_modal_bank_is_partial(voice->bank)) return;
    catch_up(voice);
    sb_modal_bank_choose_all(voice->bank, fades);
    share->fading = fades && share->was_hidden ? 1 : 0;
}

static void strike_unheard(sb_voice *voice, int i, sb_voice_report *report) {
    const sb_impact *impact = &voice->impacts[i];
    sb_bank_impulse impulse = {impact->impulse_ns, pulse_of(voice, impact),
                               fmax(impact->start_frame, 0.0), impact->weights};
    sb_modal_bank_impulse_unheard(voice->bank, &impulse);
    sb_voice_log(voice->strikes[i], impact->start_frame, report);
}

/* Strikes that begin are applied as impulses or dropped; earlier ones end. */
static void pass_strikes(sb_voice *voice, sb_voice_report *report) {
    float unheard[SB_BLOCK_FRAMES] = {0};
    int kept = 0;
    for (int i = 0; i < voice->impact_count; i++) {
        sb_impact *impact = &voice->impacts[i];
        bool is_over = begins(impact);
        if (!is_over) {
            is_over = sb_impact_advance(impact, voice->bank,
                                        voice->sample_rate_hz, unheard);
        } else if (voice->share.may_strike) {
            strike_unheard(voice, i, report);
        } else {
            report->dropped++;
        }
        if (is_over) {
            report->ended[report->ended_count++] = voice->strikes[i];
        } else {
            voice->impacts[kept] = *impact;
            voice->strikes[kept++] = voice->strikes[i];
        }
    }
    voice->impact_count = kept;
}

void sb_voice_pass(sb_voice *voice, sb_voice_report *report) {
    voice->share.behind++;
    bool is_struck = false;
    for (int i = 0; i < voice->impact_count; i++)
        is_struck |= voice->impacts[i].has_begun ||
                     (begins(&voice->impacts[i]) && voice->share.may_strike);
    if (is_struck || voice->is_gliding) catch_up(voice);
    if (voice->is_gliding) sb_voice_prepare_contact(voice);
    if (voice->impact_count > 0) pass_strikes(voice, report);
    if (is_struck && !sb_modal_bank_is_finite(voice->bank)) {
        sb_modal_bank_reset(voice->bank);
        voice->was_muted = true;
        report->muted++;
    }
    if (is_struck || voice->is_gliding) sb_voice_count(voice);
    voice->drives = NULL;
    voice->leaving.start -= SB_BLOCK_FRAMES;
}
