/* Strikers between their contacts. */
#include "runtime/dsp/striker.h"

#include "runtime/dsp/striker_inside.h"

#include <float.h>
#include <math.h>

/* Steps a contact should have; 1 % in contact time and force needs about 16. */
#define CONTACT_STEPS 32.0

/* One that has not come off the surface for so long rests on it. */
#define RESTING_S 0.25

void sb_impact_log_add(sb_impact_log *log, const sb_impact_record *item) {
    if (log->count < SB_IMPACT_LOG) {
        log->items[log->count++] = *item;
    } else {
        log->lost++;
    }
}

/* --- before the block -------------------------------------------------------*/

void sb_striker_prepare(sb_striker *striker, int mode_count,
                        double sample_rate_hz) {
    /* What is set against the striker at once, before anything swings back. */
    double yields = 1.0 / striker->mass_kg + striker->inverse_mass;
    for (int k = 0; k < mode_count; k++)
        yields += (double)striker->weights[k] * (double)striker->weights[k];
    double frames =
        sample_rate_hz *
        sb_contact_time_s(&striker->law, 1.0 / yields, striker->speed_m_s);
    double parts = ceil(CONTACT_STEPS / frames);
    bool is_coarse = striker->is_kmethod || parts < 1.0;
    striker->parts = SB_STRIKER_PARTS;
    if (is_coarse) {
        striker->parts = 1;
    } else if (parts < SB_STRIKER_PARTS) {
        striker->parts = (int)parts;
    }
    striker->phase = SB_STRIKER_WAITING;
}

bool sb_strikers_look(sb_striker *const *strikers, int count,
                      const sb_modal_bank *bank, double dt_s) {
    bool is_any_near = false;
    for (int i = 0; i < count; i++) {
        sb_striker *striker = strikers[i];
        striker->is_near = striker->phase == SB_STRIKER_TOUCHING;
        if (striker->phase == SB_STRIKER_WAITING) {
            striker->is_near = striker->start_frame < SB_BLOCK_FRAMES;
        } else if (striker->phase == SB_STRIKER_AWAY) {
            double reach = sb_modal_field_reach(bank, striker->weights);
            double top = striker_top(striker, striker->position_m,
                                     SB_BLOCK_FRAMES * dt_s);
            striker->is_near = top > -1.001 * reach - DBL_MIN;
        }
        is_any_near |= striker->is_near;
    }
    return is_any_near;
}

int sb_strikers_parts(sb_striker *const *strikers, int count) {
    int parts = 1;
    for (int i = 0; i < count; i++)
        if (strikers[i]->is_near && strikers[i]->parts > parts)
            parts = strikers[i]->parts;
    return parts;
}

/* --- after the block --------------------------------------------------------*/

static bool is_over(const sb_striker *s, const sb_modal_bank *bank) {
    if (s->phase == SB_STRIKER_TOUCHING) {
        return s->loose_s >
               4.0 * STRIKER_LETTING_GO_S; /* it will not come off */
    }
    if (s->is_loose && s->loose_s >= STRIKER_LETTING_GO_S) return true;
    if (striker_gravity(s) > 0.0 || s->velocity_m_s > 0.0) return false;
    return -s->position_m > 1.001 * sb_modal_field_reach(bank, s->weights);
}

static void grow_older(sb_striker *s, double span_s) {
    s->age_s += span_s;
    if (s->is_loose) s->loose_s += span_s;
    if (s->age_s > s->limit_s) s->is_loose = true;
    if (s->phase == SB_STRIKER_TOUCHING && s->touching_s > RESTING_S)
        s->is_loose = true;
}

void sb_strikers_fly(sb_striker *const *strikers, int count,
                     const sb_modal_bank *bank, double dt_s) {
    double span_s = SB_BLOCK_FRAMES * dt_s;
    for (int i = 0; i < count; i++) {
        sb_striker *s = strikers[i];
        s->start_frame -= SB_BLOCK_FRAMES;
        if (s->phase == SB_STRIKER_WAITING) continue;
        if (!s->is_near) {
            double g = striker_gravity(s);
            s->position_m += span_s * (s->velocity_m_s + 0.5 * g * span_s);
            s->velocity_m_s += g * span_s;
        }
        grow_older(s, span_s);
        if (is_over(s, bank)) s->phase = SB_STRIKER_OVER;
    }
}
