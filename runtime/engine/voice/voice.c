/* SPDX-License-Identifier: MIT */
/* A voice: its strikes and drives, and a block of its sound. Thread: audio;
 * creation on control. */
#include "runtime/engine/voice/voice.h"

#include "runtime/base/pi.h"
#include "runtime/base/voice_types.h"
#include "runtime/dsp/bank/modal_choice.h"
#include "runtime/dsp/contact/record.h"
#include "runtime/dsp/ears/ears.h"
#include "runtime/dsp/room/room.h"

#include <math.h>
#include <string.h>

/* Far above full scale (1): such samples come from absurd input, and one body
 * must not spoil the whole mix. */
#define ABSURD 1e6f

/* Layout: the voice, its bank and, with springs, the work space for its modes
 * and weights. */
static size_t spring_offset(int mode_count) {
    return sb_modal_bank_aligned(sizeof(sb_voice)) +
           sb_modal_bank_aligned(sb_modal_bank_bytes(mode_count));
}

static size_t weight_bytes(int mode_count) {
    return sb_modal_bank_aligned((size_t)sb_modal_field_padded(mode_count) *
                                 sizeof(float));
}

size_t sb_voice_bytes(int mode_count, int spring_count) {
    size_t bytes = spring_offset(mode_count);
    if (spring_count == 0) return bytes;
    return bytes + sb_modal_field_bytes(mode_count) +
           (size_t)spring_count * weight_bytes(mode_count);
}

sb_status sb_voice_init(sb_voice *voice, const sb_bank_mode *modes,
                        int mode_count, double sample_rate_hz) {
    char *bank_memory = (char *)voice + sb_modal_bank_aligned(sizeof(sb_voice));
    voice->bank = sb_modal_bank_init(bank_memory, mode_count, sample_rate_hz);
    voice->sample_rate_hz = sample_rate_hz;
    voice->groups = (mode_count + 15) / 16;
    return sb_modal_bank_set_modes(voice->bank, modes, mode_count);
}

void sb_voice_add_spring(sb_voice *voice, const sb_link *spring,
                         const double *weights) {
    int count = sb_modal_bank_mode_count(voice->bank);
    char *room = (char *)voice + spring_offset(count);
    if (voice->spring_count == 0)
        sb_modal_field_init(&voice->spring_field, room, count);
    char *at = room + sb_modal_field_bytes(count) +
               (size_t)voice->spring_count * weight_bytes(count);
    float *own = memset(at, 0, weight_bytes(count));
    for (int k = 0; k < count; k++)
        own[k] = (float)weights[k];
    sb_link *link = &voice->springs[voice->spring_count++];
    *link = *spring;
    link->side[0].weights = own;
}

bool sb_voice_is_silent(const sb_voice *voice) {
    if (voice->share.behind > 0) return false; /* until it is measured again */
    if (voice->record && voice->record->is_late) return false;
    return voice->impact_count == 0 && voice->flying_count == 0 &&
           !voice->drives && !voice->streams && voice->ringing_modes == 0 &&
           (!voice->diffuse || sb_diffuse_is_silent(voice->diffuse));
}

void sb_voice_count(sb_voice *voice) {
    sb_bank_level level = sb_modal_bank_count(voice->bank);
    voice->ringing_groups = level.groups;
    voice->ringing_modes = level.modes;
}

void sb_voice_set_threshold(sb_voice *voice, double threshold) {
    voice->threshold = threshold;
    /* An inaudible body keeps its modes: it may become audible again. */
    if (!(voice->loudest > 0.0f)) return;
    double amplitude = threshold / (double)voice->loudest;
    sb_modal_bank_set_threshold(voice->bank, amplitude);
    if (voice->diffuse) sb_diffuse_set_threshold(voice->diffuse, amplitude);
}

/* The strike that has been in the air for longest, or NULL. */
static sb_strike **oldest_away(sb_voice *voice) {
    sb_strike **oldest = NULL;
    for (int i = 0; i < voice->flying_count; i++) {
        const sb_striker *striker = &voice->flying[i]->striker;
        if (striker->phase != SB_STRIKER_AWAY) continue;
        if (!oldest || striker->age_s > (*oldest)->striker.age_s)
            oldest = &voice->flying[i];
    }
    return oldest;
}

static sb_strike *send_striker(sb_voice *voice, sb_strike *strike,
                               double start_frame) {
    strike->striker.weights = strike->weights;
    strike->striker.start_frame = start_frame;
    sb_link_init_striker(&strike->link, &strike->striker);
    strike->link.side[1].weights = strike->second_weights;
    strike->link.is_watched = strike->is_watched;
    sb_link_prepare_striker(
        &strike->link, (int[2]){strike->mode_count, strike->second_mode_count},
        voice->sample_rate_hz);
    if (voice->flying_count < SB_STRIKERS) {
        voice->flying[voice->flying_count++] = strike;
        return NULL;
    }
    sb_strike **place = oldest_away(voice);
    if (!place) return strike;
    sb_strike *gone = *place;
    *place = strike;
    return gone;
}

/* A known force on a body with springs is solved together with them. */
static bool send_strike(sb_voice *voice, sb_strike *strike,
                        double start_frame) {
    if (voice->spring_count == 0 || voice->flying_count == SB_STRIKERS)
        return false;
    sb_link_init_pulse(&strike->link,
                       &(sb_link_pulse){strike->impulse_ns, strike->duration_s,
                                        start_frame, false});
    strike->link.side[0].weights = strike->weights;
    strike->link.is_watched = strike->is_watched;
    voice->flying[voice->flying_count++] = strike;
    return true;
}

sb_strike *sb_voice_strike(sb_voice *voice, sb_strike *strike,
                           double start_frame) {
    if (strike->is_striker) return send_striker(voice, strike, start_frame);
    if (send_strike(voice, strike, start_frame)) return NULL;
    if (voice->impact_count == SB_VOICE_IMPACTS) return strike;
    int i = voice->impact_count++;
    voice->strikes[i] = strike;
    voice->impacts[i] = (sb_impact){
        .impulse_ns = strike->impulse_ns,
        .duration_frames = strike->duration_s * voice->sample_rate_hz,
        .start_frame = start_frame,
        .weights = strike->weights,
    };
    return NULL;
}

void sb_voice_stream(sb_voice *voice, sb_stream *stream) {
    stream->next = voice->streams;
    voice->streams = stream;
}

void sb_voice_drive(sb_voice *voice, sb_drive *drive) {
    drive->next = voice->drives;
    voice->drives = drive;
}

sb_strike *sb_voice_take_strike(sb_voice *voice) {
    if (voice->impact_count > 0) return voice->strikes[--voice->impact_count];
    if (voice->flying_count > 0) return voice->flying[--voice->flying_count];
    return NULL;
}

/* --- streams --------------------------------------------------------------*/

static void play_stream(const sb_stream *stream, float *mono) {
    int first = stream->offset > 0 ? stream->offset : 0;
    int last = stream->offset + stream->count;
    if (last > SB_BLOCK_FRAMES) last = SB_BLOCK_FRAMES;
    for (int n = first; n < last; n++)
        mono[n] += stream->samples[n - stream->offset];
}

/* Add the frames of the coming block to `mono`. Pieces that are over leave
 * *list for the front of *ended. */
static void play_streams(sb_stream **list, sb_stream **ended, float *mono) {
    sb_stream **at = list;
    while (*at) {
        sb_stream *stream = *at;
        play_stream(stream, mono);
        stream->offset -= SB_BLOCK_FRAMES;
        if (stream->offset + stream->count > 0) {
            at = &stream->next;
            continue;
        }
        *at = stream->next;
        stream->next = *ended;
        *ended = stream;
    }
}

sb_stream *sb_streams_take(sb_stream **list) {
    sb_stream *first = *list;
    if (first) *list = first->next;
    return first;
}

/* --- the diffuse part -----------------------------------------------------*/

/* Layout: the noise, the record and the forces. */
size_t sb_voice_diffuse_bytes(void) {
    return sb_modal_bank_aligned(sizeof(sb_diffuse)) +
           sb_modal_bank_aligned(sizeof(sb_record)) + sizeof(sb_voice_forces);
}

void sb_voice_set_diffuse(sb_voice *voice, void *memory,
                          const sb_diffuse_def *def) {
    char *record = (char *)memory + sb_modal_bank_aligned(sizeof(sb_diffuse));
    char *forces = record + sb_modal_bank_aligned(sizeof(sb_record));
    voice->diffuse = memory;
    voice->record = (sb_record *)(void *)record;
    voice->forces = (sb_voice_forces *)(void *)forces;
    sb_diffuse_init(voice->diffuse, def, voice->sample_rate_hz);
    sb_record_init(voice->record);
}

void sb_voice_begin_diffuse(sb_voice *voice) {
    if (voice->forces) memset(voice->forces, 0, sizeof *voice->forces);
}

/* The fraction of a half-sine pulse that has passed at a frame, 0 to 1. */
static double share_at(const sb_impact *impact, double frame) {
    double t = (frame - impact->start_frame) / impact->duration_frames;
    return 0.5 * (1.0 - cos(SB_PI * fmax(0.0, fmin(t, 1.0))));
}

/* A strike of known force, before it advances. */
static void drive_diffuse(sb_voice *voice, const sb_impact *impact) {
    double start = impact->start_frame;
    if (!voice->diffuse || start >= SB_BLOCK_FRAMES) return;
    sb_diffuse_act(voice->diffuse, impact->weights);
    double impulse_ns =
        impact->impulse_ns *
        (double)sb_diffuse_gain(voice->diffuse, impact->weights);
    if (impact->duration_frames <= 0.0) {
        /* For noise the position within the frame does not matter. */
        voice->forces->impulse_ns[(int)fmax(start, 0.0)] += (float)impulse_ns;
        return;
    }
    double end = start + impact->duration_frames;
    int first = (int)fmax(floor(start), 0.0);
    int last = (int)fmin(floor(end), SB_BLOCK_FRAMES - 1.0);
    for (int n = first; n <= last; n++) {
        double share = share_at(impact, n + 1.0) - share_at(impact, n);
        voice->forces->force_ns[n] += (float)(impulse_ns * share);
    }
}

static void add_diffuse(sb_voice *voice, float *mono) {
    if (!voice->diffuse) return;
    float part[SB_BLOCK_FRAMES] = {0};
    sb_record_take(voice->record, voice->forces->impulse_ns);
    bool is_fading = voice->share.fading != 0;
    sb_diffuse_render(voice->diffuse, voice->forces->impulse_ns,
                      voice->forces->force_ns, is_fading ? part : mono);
    if (!is_fading) return;
    sb_modal_fade(part, voice->share.fading < 0);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        mono[n] += part[n];
}

/* --- a block --------------------------------------------------------------*/

/* Apply a drive; if `is_ringing`, ring in the same pass, which is faster. */
static void apply_drive(sb_voice *voice, const sb_drive *drive, bool is_ringing,
                        float *mono) {
    sb_modal_bank_drive(voice->bank, drive->impulse_ns, drive->start,
                        drive->middle, drive->end, is_ringing, mono);
    sb_modal_bank_unstep(voice->bank, drive->before_ns, drive->impulse_ns,
                         drive->start, drive->middle, drive->end, mono);
    if (!voice->diffuse) return;
    float gain = sb_diffuse_gain(voice->diffuse, drive->middle);
    sb_diffuse_act(voice->diffuse, drive->middle);
    for (int n = 0; n < SB_BLOCK_FRAMES; n++)
        voice->forces->force_ns[n] += gain * drive->impulse_ns[n];
}

void sb_voice_ring(sb_voice *voice, float *mono) {
    const sb_retune *retune = voice->retune;
    /* Groups that fade are only rendered; glides and drives are applied
     * separately. */
    bool is_fading = sb_modal_bank_is_partial(voice->bank);
    if (is_fading) sb_voice_prepare_contact(voice);
    if (voice->is_gliding && !is_fading &&
        sb_modal_bank_glide(voice->bank, retune->now, retune->mode_count,
                            mono) == SB_OK) {
        return;
    }
    if (voice->drives && !voice->is_gliding && !is_fading) {
        sb_drive *drive = voice->drives;
        voice->drives = drive->next;
        apply_drive(voice, drive, true, mono);
        voice->is_driven = true;
        return;
    }
    sb_modal_bank_render(voice->bank, mono);
}

static double fade_at(const sb_voice *voice, double frame) {
    if (!voice->leaving.is_set) return 1.0;
    double gone = (frame - voice->leaving.start) * voice->leaving.step;
    return fmax(0.0, fmin(1.0, 1.0 - gone));
}

void sb_voice_leave(sb_voice *voice, double start_frame, double fade_frames) {
    voice->leaving.is_set = true;
    voice->leaving.start = start_frame;
    voice->leaving.step = 1.0 / fmax(fade_frames, 1.0);
}

bool sb_voice_has_left(const sb_voice *voice) {
    /* The ears receive the end of it with a delay. */
    double behind = voice->ears ? voice->ears->lag : 0.0;
    return voice->leaving.is_set &&
           (fade_at(voice, -behind) <= 0.0 || sb_voice_is_silent(voice));
}

void sb_voice_log(const sb_strike *strike, double start_frame,
                  sb_voice_report *report) {
    sb_impact_record record = strike->record;
    record.time_frames = start_frame;
    sb_impact_log_add(&report->log, &record);
}

static void advance_impacts(sb_voice *voice, float *mono,
                            sb_voice_report *report) {
    int kept = 0;
    for (int i = 0; i < voice->impact_count; i++) {
        sb_impact *impact = &voice->impacts[i];
        bool had_begun = impact->has_begun;
        double start = impact->start_frame;
        drive_diffuse(voice, impact);
        bool is_over =
            sb_impact_advance(impact, voice->bank, voice->sample_rate_hz, mono);
        if (impact->has_begun && !had_begun) {
            sb_voice_log(voice->strikes[i], start, report);
        }
        if (is_over) {
            report->ended[report->ended_count++] = voice->strikes[i];
        } else {
            voice->impacts[kept] = *impact;
            voice->strikes[kept] = voice->strikes[i];
            kept++;
        }
    }
    voice->impact_count = kept;
}

void sb_voice_prepare_contact(sb_voice *voice) {
    /* While something touches, a glide advances in steps of a block, each of
     * which conserves energy. Refused values leave the bank unchanged. */
    sb_modal_bank_aim_now(voice->bank);
    if (!voice->is_gliding) return;
    sb_status status = sb_modal_bank_retune(voice->bank, voice->retune->now,
                                            voice->retune->mode_count);
    (void)status;
}

static bool is_over(const sb_strike *strike) {
    return strike->is_striker ? strike->striker.phase == SB_STRIKER_OVER
                              : strike->link.pulse.is_over;
}

/* Report strikes that have begun, and return those that are over. */
static void hand_back(sb_voice *voice, sb_voice_report *report) {
    int kept = 0;
    for (int i = 0; i < voice->flying_count; i++) {
        sb_strike *strike = voice->flying[i];
        double start = strike->link.pulse.start_frame + SB_BLOCK_FRAMES;
        if (!strike->is_striker && start >= 0.0 && start < SB_BLOCK_FRAMES) {
            sb_voice_log(strike, start, report);
        }
        if (is_over(strike)) {
            report->ended[report->ended_count++] = strike;
        } else {
            voice->flying[kept++] = strike;
        }
    }
    voice->flying_count = kept;
}

static void advance_drives(sb_voice *voice, float *mono) {
    for (const sb_drive *drive = voice->drives; drive; drive = drive->next)
        apply_drive(voice, drive, false, mono);
    voice->drives = NULL;
}

/* NaN and infinity can only enter through strikes and contacts, and a strike at
 * the very end of a block is heard in the next: check the state, too. */
static bool is_sane(const sb_voice *voice, bool was_struck, const float *mono) {
    if (was_struck && !sb_modal_bank_is_finite(voice->bank)) return false;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        /* False for NaN as well. */
        if (!(fabsf(mono[n]) < ABSURD)) return false;
    }
    return true;
}

static void set_to_rest(sb_voice *voice, sb_voice_report *report) {
    sb_modal_bank_reset(voice->bank);
    sb_voice_count(voice);
    if (voice->diffuse) sb_diffuse_reset(voice->diffuse);
    sb_strike *strike;
    while ((strike = sb_voice_take_strike(voice)))
        report->ended[report->ended_count++] = strike;
}

static void fade(sb_voice *voice, float *mono) {
    for (int n = 0; voice->leaving.is_set && n < SB_BLOCK_FRAMES; n++)
        mono[n] *= (float)fade_at(voice, n);
    voice->leaving.start -= SB_BLOCK_FRAMES;
}

/* Without ears: no travel time, the gains of the first knot. */
static void mix(const sb_voice *voice, const float *mono, float *stereo) {
    const sb_ear_knot *ear = voice->path.now.from.ear;
    for (int n = 0; n < SB_BLOCK_FRAMES; n++) {
        stereo[2 * n] += mono[n] * ear[0].full;
        stereo[2 * n + 1] += mono[n] * ear[1].full;
    }
}

/* A voice that was silent is heard at its present gain at once. */
static void enter_room(sb_voice *voice, const float *mono) {
    const sb_ears *ears = voice->ears;
    if (!ears->room) return;
    float to = voice->path.now.to.roomy;
    bool goes_on = voice->path.next_frame == ears->frame;
    sb_room_take(ears->room, &voice->reflected, mono, goes_on,
                 goes_on ? voice->roomy : to, to);
    voice->roomy = to;
}

void sb_voice_finish(sb_voice *voice, float *mono, float *stereo,
                     sb_voice_report *report) {
    bool was_struck = voice->impact_count > 0 ||
                      voice->island.leader->island.links > 0 || voice->drives ||
                      voice->is_driven;
    voice->is_driven = false;
    hand_back(voice, report);
    advance_impacts(voice, mono, report);
    advance_drives(voice, mono);
    add_diffuse(voice, mono);
    play_streams(&voice->streams, &report->ended_streams, mono);
    sb_voice_count(voice);
    if (!is_sane(voice, was_struck, mono)) {
        set_to_rest(voice, report);
        voice->was_muted = true;
        report->muted++;
        return;
    }
    fade(voice, mono);
    if (voice->dry)
        memcpy(voice->dry, mono, SB_BLOCK_FRAMES * sizeof *voice->dry);
    if (voice->ears && voice->path.is_set) {
        if (voice->stem) { /* taking a block advances the path */
            sb_path same = voice->path;
            sb_ears_take(voice->stem, &same, mono);
        }
        enter_room(voice, mono);
        sb_ears_take(voice->ears, &voice->path, mono);
    } else {
        mix(voice, mono, stereo);
    }
}

/* --- the path to the ears -------------------------------------------------*/

/* Relative change of the gain before the threshold of the modes is updated. */
#define SAME_LEVEL 1.05f

static void set_loudest(sb_voice *voice, float loudest, double threshold) {
    bool is_other = voice->threshold != threshold;
    bool is_near = loudest < voice->loudest * SAME_LEVEL &&
                   loudest * SAME_LEVEL > voice->loudest;
    voice->threshold = threshold;
    /* An inaudible body keeps its modes: it may become audible again. */
    if (!(loudest > 0.0f) || (is_near && !is_other)) return;
    voice->loudest = loudest;
    sb_voice_set_threshold(voice, threshold);
}

void sb_voice_begin_path(sb_voice *voice, const sb_path_knot *knot,
                         double threshold) {
    sb_path_begin(&voice->path, knot);
    set_loudest(voice, sb_path_loudest(knot), threshold);
}

void sb_voice_set_path(sb_voice *voice, double start_frames,
                       const sb_path_knot *knot, double threshold) {
    const sb_ears *ears = voice->ears;
    if (!voice->path.is_set || !ears) return;
    /* For hundreds of silent moving bodies, touch little memory. */
    if (voice->path.next_frame != ears->frame)
        sb_path_pass(&voice->path, (double)(ears->frame - ears->lag));
    if ((knot->is_jump || knot->is_eased) && sb_voice_is_silent(voice)) {
        sb_path_put(&voice->path, start_frames, knot);
    } else {
        sb_path_add(&voice->path, start_frames, knot);
    }
    voice->moves_until = knot->time_frames;
    sb_voice_aim_check(voice, start_frames, knot);
    set_loudest(voice, sb_path_loudest(knot), threshold);
}
