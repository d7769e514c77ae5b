#include "runtime/scene/strike/level.h"

double sb_level_read(const sb_level_curve *curve, double speed_m_s) {
    if (curve->count == 0) return speed_m_s;
    sb_level_point from = {0.0, 0.0};
    for (int i = 0; i < curve->count; i++) {
        sb_level_point to = curve->points[i];
        if (speed_m_s < to.speed_m_s) {
            double share =
                (speed_m_s - from.speed_m_s) / (to.speed_m_s - from.speed_m_s);
            return from.level_m_s + share * (to.level_m_s - from.level_m_s);
        }
        from = to;
    }
    return from.level_m_s;
}
