/* SPDX-License-Identifier: MIT */
/* The control side of lasting contacts: creating, moving and ending them.
 * Thread: control. */
#include "runtime/base/memory.h"
#include "runtime/dsp/contact/rolling_ride.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/engine_internal.h"
#include "runtime/engine/lasting_def.h"

#include <math.h>

/* --- memory ---------------------------------------------------------------*/

static int padded_of(int mode_count) {
    return mode_count > 0 ? sb_modal_field_padded(mode_count) : 0;
}

/* Four rows of weights and, for a link, the modes of one side. */
static size_t side_bytes(int mode_count, bool is_link) {
    if (mode_count == 0) return 0;
    size_t rows = 4 * (size_t)padded_of(mode_count) * sizeof(float);
    return sb_modal_bank_aligned(rows) +
           (is_link ? sb_modal_bank_aligned(sb_modal_field_bytes(mode_count))
                    : 0);
}

sb_lasting *sb_lasting_create(const int mode_count[SB_LASTING_SIDES],
                              bool is_link) {
    size_t bytes = sb_modal_bank_aligned(sizeof(sb_lasting));
    for (int i = 0; i < SB_LASTING_SIDES; i++)
        bytes += side_bytes(mode_count[i], is_link);
    sb_lasting *lasting = sb_alloc_aligned(bytes);
    if (!lasting) return NULL;
    char *room = (char *)lasting + sb_modal_bank_aligned(sizeof(sb_lasting));
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        sb_lasting_side *side = &lasting->side[i];
        int padded = side->padded = padded_of(mode_count[i]);
        float *rows = (float *)(void *)room;
        side->start = rows;
        side->middle = rows + padded;
        side->end = rows + 2 * padded;
        side->now = rows + 3 * padded;
        if (is_link && padded > 0) {
            sb_modal_field_init(&lasting->field[i],
                                room + sb_modal_bank_aligned(
                                           4 * (size_t)padded * sizeof(float)),
                                mode_count[i]);
        }
        room += side_bytes(mode_count[i], is_link);
    }
    return lasting;
}

sb_lasting_move *sb_lasting_move_create(const int mode_count[SB_LASTING_SIDES],
                                        int rows) {
    size_t row = 0;
    for (int i = 0; i < SB_LASTING_SIDES; i++)
        row += (size_t)padded_of(mode_count[i]);
    size_t head = sb_modal_bank_aligned(sizeof(sb_lasting_move));
    sb_lasting_move *move =
        sb_alloc_aligned(head + row * (size_t)rows * sizeof(float));
    if (!move) return NULL;
    float *room = (float *)(void *)((char *)move + head);
    move->rows = rows;
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        move->weights[i] = room;
        room += (ptrdiff_t)padded_of(mode_count[i]) * rows;
    }
    return move;
}

void engine_free_lasting(sb_lasting *lasting) {
    for (int i = 0; i < SB_LASTING_SIDES; i++)
        sb_surface_release(lasting->surface[i]);
    sb_free(lasting->ride);
    sb_free(lasting);
}

/* --- coming and going -----------------------------------------------------*/

bool sb_engine_has_contact(const sb_engine *engine, sb_lasting_id id) {
    return (id.generation & 1) && id.index < SB_AUDIO_CONTACTS &&
           engine->lasting_generation[id.index] == id.generation;
}

void engine_lasting_is_back(sb_engine *engine, uint32_t slot) {
    engine->is_lasting[slot] = false;
    sb_free(engine->end_move[slot]);
    engine->end_move[slot] = NULL;
    /* It ended by itself because its body left. */
    if (engine->lasting_generation[slot] & 1)
        engine->lasting_generation[slot]++;
}

void engine_free_end_moves(sb_engine *engine) {
    for (int i = 0; i < SB_AUDIO_CONTACTS; i++)
        sb_free(engine->end_move[i]);
}

static bool find_place(const sb_engine *engine, uint32_t *slot) {
    for (uint32_t i = 0; i < SB_AUDIO_CONTACTS; i++) {
        uint32_t at = (engine->next_lasting + i) % SB_AUDIO_CONTACTS;
        if (!engine->is_lasting[at]) {
            *slot = at;
            return true;
        }
    }
    return false;
}

static sb_status check_sides(const sb_engine *engine, const sb_lasting_def *def,
                             int mode_count[SB_LASTING_SIDES], sb_error *err) {
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        mode_count[i] = 0;
        if (def->voice[i].generation == 0) continue;
        if (!sb_engine_has_voice(engine, def->voice[i]))
            return sb_fail(err, SB_STALE_HANDLE, "this voice has been removed");
        mode_count[i] = engine->mode_count[def->voice[i].index];
    }
    return SB_OK;
}

/* --- price ----------------------------------------------------------------*/

/* A link is solved frame by frame over all modes of its sides, and with all
 * other links of a side together: n links on one body cost n (1 + (n - 1) / 4)
 * times as much as one. In units (quality.h), as measured with kind =
 * "profile" on bodies of 64, 512 and 2048 modes that all ring. */
#define LINK_UNITS      20000.0
#define LINK_UNITS_MODE 220.0
#define LINK_CROWD      0.25
/* Share of the time of a block that links may take: the quality of the modes
 * cannot make room for them. */
#define LINK_SHARE 0.8
/* A single link is played however slow the machine is, unless its bodies have
 * more modes than this. */
#define LINK_MODES_ALONE 512

static bool is_same_voice(sb_voice_id a, sb_voice_id b) {
    return a.generation != 0 && a.index == b.index &&
           a.generation == b.generation;
}

/* Links on the more crowded side of a contact, itself included. */
static int crowd_of(const sb_engine *engine,
                    const sb_voice_id voice[SB_LASTING_SIDES]) {
    int crowd[SB_LASTING_SIDES] = {0};
    for (int i = 0; i < SB_AUDIO_CONTACTS; i++) {
        if (!engine->is_lasting[i] || !engine->is_link[i]) continue;
        for (int s = 0; s < SB_LASTING_SIDES; s++)
            crowd[s] += is_same_voice(voice[s], engine->lasting_voice[i][0]) ||
                        is_same_voice(voice[s], engine->lasting_voice[i][1]);
    }
    return crowd[0] > crowd[1] ? crowd[0] : crowd[1];
}

static double link_units(int crowd, const int mode_count[SB_LASTING_SIDES]) {
    double modes = (double)mode_count[0] + mode_count[1];
    return (LINK_UNITS + LINK_UNITS_MODE * modes) *
           (1.0 + LINK_CROWD * (crowd - 1));
}

/* Refuses a link for which the audio thread has no time. Only live: a render
 * takes as long as it takes. */
static sb_status check_price(const sb_engine *engine, const sb_lasting_def *def,
                             const int mode_count[SB_LASTING_SIDES],
                             sb_error *err) {
    if (engine->unit_ns <= 0.0 || def->model == SB_LASTING_KNOWN) return SB_OK;
    /* It makes the others on its body dearer, too. */
    int own = crowd_of(engine, def->voice), count = 1;
    double units = link_units(own + 1, mode_count) +
                   LINK_CROWD * own * link_units(1, mode_count);
    for (int i = 0; i < SB_AUDIO_CONTACTS; i++) {
        if (!engine->is_lasting[i] || !engine->is_link[i]) continue;
        count++;
        units += link_units(crowd_of(engine, engine->lasting_voice[i]),
                            engine->lasting_modes[i]);
    }
    double block_ns = 1e9 * SB_BLOCK_FRAMES / engine->audio->sample_rate_hz;
    double share = units * engine->unit_ns / block_ns;
    bool is_alone =
        count == 1 && mode_count[0] + mode_count[1] <= LINK_MODES_ALONE;
    if (share <= LINK_SHARE || is_alone) return SB_OK;
    return sb_fail(
        err, SB_QUEUE_FULL,
        "the audio thread has no time for it: with it, contacts that "
        "depend on how bodies ring would take %.0f %% of its time "
        "(%d contacts, this one on %d modes)",
        100.0 * share, count, mode_count[0] + mode_count[1]);
}

static void copy_row(const double *from, int count, float *to) {
    for (int k = 0; k < count; k++)
        to[k] = (float)from[k];
}

/* A ball that rolls, if the contact has one. */
static sb_status init_ride(sb_lasting *lasting, const sb_lasting_def *def,
                           double sample_rate_hz, sb_error *err) {
    if (!def->ride) return SB_OK;
    void *memory = sb_alloc_aligned(sb_ride_bytes());
    if (!memory) return sb_no_memory_for(err, "a ball that rolls");
    lasting->ride_gain = (float)def->ride_gain;
    sb_status status =
        sb_ride_init(memory, def->ride, sample_rate_hz, &lasting->ride);
    if (!status) return SB_OK;
    lasting->ride = NULL;
    sb_free(memory);
    return sb_fail(err, status, "a mode is outside its range");
}

static void init_link(sb_lasting *lasting, const sb_lasting_def *def) {
    sb_link *link = &lasting->link;
    lasting->bristle = def->bristle;
    switch (def->model) {
    case SB_LASTING_KNOWN:
        return;
    case SB_LASTING_PRESS:
        sb_link_init_press(link, &lasting->striker, &def->law, def->mass_kg,
                           def->inverse_mass);
        break;
    case SB_LASTING_FRICTION:
        sb_link_init_friction(link, &lasting->bristle, def->rub_mass_kg,
                              def->rub_stiffness);
        break;
    case SB_LASTING_BUZZ:
        sb_link_init_buzz(link, &lasting->striker, &def->law, def->gap_m);
        break;
    }
    lasting->coupling = (sb_coupling){.link = link};
    for (int i = 0; i < SB_LASTING_SIDES; i++)
        lasting->coupling.room[i] = &lasting->field[i];
}

sb_status sb_engine_begin_contact(sb_engine *engine, double time_frames,
                                  const sb_lasting_def *def, sb_lasting_id *out,
                                  sb_error *err) {
    uint32_t slot;
    int mode_count[SB_LASTING_SIDES];
    sb_status status = check_sides(engine, def, mode_count, err);
    if (status) return status;
    if (!find_place(engine, &slot)) {
        return sb_fail(err, SB_NO_MEMORY,
                       "all %d places for contacts that last are taken",
                       (int)SB_AUDIO_CONTACTS);
    }
    status = check_price(engine, def, mode_count, err);
    if (!status) status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    sb_lasting *lasting =
        sb_lasting_create(mode_count, def->model != SB_LASTING_KNOWN);
    sb_lasting_move *end_move = sb_lasting_move_create(mode_count, 0);
    status = lasting && end_move
                 ? init_ride(lasting, def, engine->audio->sample_rate_hz, err)
                 : sb_no_memory_for(err, "one more contact");
    if (status) {
        sb_free(lasting);
        sb_free(end_move);
        return status;
    }
    engine->end_move[slot] = end_move;
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        lasting->side[i].slot = def->voice[i].index;
        lasting->side[i].generation = def->voice[i].generation;
        copy_row(def->weights[i], mode_count[i], lasting->side[i].end);
        engine->lasting_modes[slot][i] = mode_count[i];
        engine->lasting_voice[slot][i] = def->voice[i];
    }
    sb_rub_def rub = def->rub;
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        lasting->surface[i] = sb_surface_retain(def->surface[i]);
        rub.surface[i] = def->surface[i];
    }
    sb_rub_init(&lasting->rub, &rub, engine->audio->sample_rate_hz);
    lasting->model = def->model;
    init_link(lasting, def);
    lasting->is_watched = lasting->link.is_watched = def->is_watched;
    lasting->over_frame = INFINITY;
    lasting->slot = slot;
    lasting->generation = ++engine->lasting_generation[slot];
    engine->is_lasting[slot] = true;
    engine->is_link[slot] = def->model != SB_LASTING_KNOWN;
    engine->next_lasting = slot + 1;
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_CONTACT,
                                     .slot = slot,
                                     .generation = lasting->generation,
                                     .with.lasting = lasting});
    *out = (sb_lasting_id){slot, lasting->generation};
    return SB_OK;
}

static void fill_values(const sb_move_def *def, sb_lasting_move *move) {
    const double to[SB_LASTING_VALUES] = {def->to.force_n, def->to.speed_m_s[0],
                                          def->to.speed_m_s[1],
                                          def->to.slip_m_s};
    const bool has[SB_LASTING_VALUES] = {def->has_force, def->has_speed[0],
                                         def->has_speed[1], def->has_slip};
    for (int i = 0; i < SB_LASTING_VALUES; i++) {
        move->to[i] = to[i];
        if (has[i]) move->named |= 1u << i;
    }
}

/* The move that ends a contact in place was allocated with it. */
static sb_lasting_move *take_move(sb_engine *engine, sb_lasting_id id,
                                  const sb_move_def *def) {
    if (!def->is_last || def->rows > 0)
        return sb_lasting_move_create(engine->lasting_modes[id.index],
                                      def->rows);
    sb_lasting_move *move = engine->end_move[id.index];
    engine->end_move[id.index] = NULL;
    return move;
}

sb_status sb_engine_move_contact(sb_engine *engine, sb_lasting_id id,
                                 double time_frames, const sb_move_def *def,
                                 sb_error *err) {
    if (!sb_engine_has_contact(engine, id))
        return sb_fail(err, SB_STALE_HANDLE, "this contact is over");
    sb_status status = sb_engine_reserve(engine, 1, err);
    if (status) return status;
    const int *mode_count = engine->lasting_modes[id.index];
    sb_lasting_move *move = take_move(engine, id, def);
    if (!move) return sb_no_memory_for(err, "one more move");
    fill_values(def, move);
    move->frames = def->ramp_s * engine->audio->sample_rate_hz;
    move->is_last = def->is_last;
    for (int i = 0; i < SB_LASTING_SIDES; i++) {
        int padded = padded_of(mode_count[i]);
        for (int row = 0; row < def->rows && padded > 0; row++)
            copy_row(def->weights[i] + (ptrdiff_t)row * mode_count[i],
                     mode_count[i], move->weights[i] + (ptrdiff_t)row * padded);
    }
    engine_post(engine, (sb_command){.time_frames = time_frames,
                                     .kind = SB_COMMAND_MOVE,
                                     .slot = id.index,
                                     .generation = id.generation,
                                     .with.move = move});
    if (def->is_last) engine->lasting_generation[id.index]++;
    return SB_OK;
}
