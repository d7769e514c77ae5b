/* Single strikers, and strikers on one body as an island of their own. */
#include "runtime/dsp/contact/striker.h"

#include "runtime/dsp/contact/link_internal.h"

/* Steps per contact; 1 % in contact time and force needs about 16. */
#define CONTACT_STEPS 32.0

void sb_impact_log_add(sb_impact_log *log, const sb_impact_record *item) {
    if (log->count < SB_IMPACT_LOG) {
        log->items[log->count++] = *item;
    } else {
        log->lost++;
    }
}

void striker_set_parts(sb_striker *striker, double yields,
                       double sample_rate_hz) {
    double frames =
        sample_rate_hz *
        sb_contact_time_s(&striker->law, 1.0 / yields, striker->speed_m_s);
    double parts = ceil(CONTACT_STEPS / frames);
    striker->parts = SB_STRIKER_PARTS;
    if (striker->is_coarse || parts < 1.0) {
        striker->parts = 1;
    } else if (parts < SB_STRIKER_PARTS) {
        striker->parts = (int)parts;
    }
    striker->phase = SB_STRIKER_WAITING;
}

void sb_striker_prepare(sb_striker *striker, int mode_count,
                        double sample_rate_hz) {
    sb_link link;
    sb_link_init_striker(&link, striker);
    sb_link_prepare_striker(&link, (int[2]){mode_count, 0}, sample_rate_hz);
}

/* --- an island of one body -------------------------------------------------*/

typedef struct striker_island {
    sb_island island;
    sb_link links[SB_STRIKERS];
} striker_island;

/* The bank is only read here. */
static void assemble(striker_island *f, sb_striker *const *strikers, int count,
                     const sb_modal_bank *bank, double dt_s) {
    f->island = (sb_island){.dt_s = dt_s, .body_count = 1};
    f->island.bank[0] = (sb_modal_bank *)bank;
    for (int i = 0; i < count; i++) {
        sb_link_init_striker(&f->links[i], strikers[i]);
        f->island.link[f->island.link_count++] = &f->links[i];
    }
}

bool sb_strikers_look(sb_striker *const *strikers, int count,
                      const sb_modal_bank *bank, double dt_s) {
    striker_island f;
    assemble(&f, strikers, count, bank, dt_s);
    return sb_island_look(&f.island);
}

int sb_strikers_parts(sb_striker *const *strikers, int count) {
    int parts = 1;
    for (int i = 0; i < count; i++)
        if (strikers[i]->is_near && strikers[i]->parts > parts)
            parts = strikers[i]->parts;
    return parts;
}

void sb_strikers_play(sb_striker *const *strikers, int count,
                      sb_modal_field *field, float *out, sb_impact_log *log) {
    striker_island f;
    assemble(&f, strikers, count, NULL, field->whole.step_s);
    f.island.field[0] = field;
    f.island.out[0] = out;
    f.island.log = log;
    f.island.parts = field->parts;
    sb_island_play_fields(&f.island);
}

void sb_strikers_fly(sb_striker *const *strikers, int count,
                     const sb_modal_bank *bank, double dt_s) {
    striker_island f;
    assemble(&f, strikers, count, bank, dt_s);
    sb_island_fly(&f.island);
}
