/* The latest strikes, for scripts that ask what was struck. Control thread. */
#include "runtime/base/pi.h"
#include "runtime/scene/contact/impact.h"
#include "runtime/scene/contact/scene_strike.h"
#include "runtime/scene/state/state.h"
#include "runtime/scene/strike/strike.h"

#include <math.h>
#include <stdio.h>

/* Spectrum of a half sine of unit area at w; 1 for an ideal impulse. */
static double pulse_share(double omega_rad_s, double duration_s) {
    double x = omega_rad_s * duration_s / SB_PI;
    if (fabs(x - 1.0) < 1e-6) return SB_PI / 4.0;
    return cos(0.5 * SB_PI * x) / (1.0 - x * x);
}

void scene_hit_add(sb_scene *scene, sb_body_id id, const scene_impact *impact,
                   const char *by, const sb_impact_estimate *estimate,
                   double time_s) {
    const impact_side *side = &impact->side[0];
    const sb_model *model = side->body->declared.model;
    sb_hit *hit = &scene->hits[scene->hit_count % SB_HITS];
    int count = sb_model_mode_count(model);
    *hit = (sb_hit){.body = id,
                    .time_s = time_s,
                    .speed_m_s = estimate->speed_m_s,
                    .impulse_ns = estimate->impulse_ns,
                    .duration_s = estimate->duration_s,
                    .spot = scene_spot(side->body, side->point)};
    if (by) (void)snprintf(hit->by, sizeof hit->by, "%s", by);
    scene->hit_count++;
    if (!side->rings || side->body->declared.def.is_deformable) return;
    hit->mode_count = count < SB_HIT_MODES ? count : SB_HIT_MODES;
    for (int k = 0; k < hit->mode_count; k++) {
        double omega = SB_TAU * sb_model_modes(model)[k].freq_hz;
        double momentum = estimate->impulse_ns * side->weights[k] *
                          pulse_share(omega, estimate->duration_s);
        hit->energy_j[k] = 0.5 * momentum * momentum;
    }
}

int sb_scene_hits(const sb_scene *scene, sb_hit hits[SB_HITS]) {
    long long first =
        scene->hit_count > SB_HITS ? scene->hit_count - SB_HITS : 0;
    int count = (int)(scene->hit_count - first);
    for (int i = 0; i < count; i++)
        hits[i] = scene->hits[(first + i) % SB_HITS];
    return count;
}
