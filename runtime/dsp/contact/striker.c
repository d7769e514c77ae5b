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
