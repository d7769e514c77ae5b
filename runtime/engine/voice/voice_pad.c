/* Hits of a prepared place. Thread: audio. */
#include "runtime/engine/voice/voice_pad.h"

static bool is_idle(const sb_pad *pad) {
    return pad->is_gone && pad->free_count == SB_PAD_HITS;
}

sb_strike *sb_pad_hit(sb_pad *pad, double speed_m_s, bool *is_crowded) {
    sb_blow blow = {0};
    *is_crowded = pad->free_count == 0;
    if (*is_crowded || !pad->law(pad->law_data, speed_m_s, &blow)) return NULL;
    sb_strike *strike = pad->free[--pad->free_count];
    *strike = (sb_strike){.impulse_ns = blow.impulse_ns,
                          .duration_s = blow.duration_s,
                          .response = pad->response,
                          .is_striker = pad->is_striker,
                          .striker = pad->striker,
                          .room = &pad->field,
                          .record = blow.record,
                          .mode_count = pad->mode_count,
                          .pad = pad,
                          .weights = pad->weights};
    strike->record.label = strike->striker.label = pad->label;
    strike->striker.law = blow.law;
    strike->striker.speed_m_s = blow.speed_m_s;
    return strike;
}

bool sb_pad_take_back(sb_strike *strike) {
    sb_pad *pad = strike->pad;
    pad->free[pad->free_count++] = strike;
    return is_idle(pad);
}

bool sb_pad_let_go(sb_pad *pad) {
    pad->is_gone = true;
    return is_idle(pad);
}
