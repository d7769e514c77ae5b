/* The parameters of a lasting contact under a load: filter, gains and event
 * rates. Thread: audio. */
#include "runtime/base/pi.h"
#include "runtime/dsp/surface/rub_internal.h"

#include <math.h>

/* The limits of the corner: infrasound, and what a filter at 44.1 kHz can
 * represent. */
static const double corner_least_rad_s = 2.0 * SB_PI * 10.0;
static const double corner_most_rad_s = 2.0 * SB_PI * 16e3;
static const double damping_most = 20.0;

/* The poles are those of the analogue filter. The zeros, one of them at 0
 * Hz, are chosen so that the response matches the analogue one at low
 * frequencies and at 10 kHz. In between it is within 0.03 dB for all corners
 * and dampings. */
void sb_rub_filter(double corner_rad_s, double damping, double rate_hz,
                   double b[3], double a[2]) {
    double w = corner_rad_s, z = damping, angle = w / rate_hz;
    double shrink = exp(-z * angle), apart = angle * sqrt(fabs(1.0 - z * z));
    double both = z < 1.0 ? 2.0 * shrink * cos(apart)
                          : exp(apart - z * angle) + exp(-apart - z * angle);
    a[0] = -both;
    a[1] = shrink * shrink;
    double sum = rate_hz * (1.0 + a[0] + a[1]); /* of the two free zeros */
    double match = 2.0 * SB_PI * fmin(10e3, 0.4 * rate_hz);
    double c = cos(match / rate_hz), s = sin(match / rate_hz);
    double re = 1.0 + a[0] * c + a[1] * (2.0 * c * c - 1.0);
    double im = -s * (a[0] + 2.0 * a[1] * c);
    double off = w * w - match * match, loss = 2.0 * z * w * match;
    double wanted = w * w * match;
    wanted = wanted * wanted / (off * off + loss * loss) * (re * re + im * im) /
             (2.0 * (1.0 - c));
    double product = (sum * sum - wanted) / (2.0 * (1.0 - c));
    double root = sqrt(fmax(sum * sum - 4.0 * product, 0.0));
    double first = 0.5 * (sum + root), second = sum - first;
    b[0] = first;
    b[1] = second - first;
    b[2] = -second;
}

static double mass_of(const sb_rolling *contact) {
    return 1.0 / (1.0 / contact->mass_kg + contact->inverse_mass);
}

/* A change of the corner by less than 0.2 % is not worth a new filter; it is
 * made as soon as the change is larger. */
static bool is_good_enough(const sb_rub_pose *before, double force_n) {
    return before->corner_rad_s > 0.0 &&
           fabs(before->filter_n - force_n) <= 3e-3 * force_n;
}

/* What depends on the load alone. Below a thousandth of N0 the stiffness does
 * not fall any more: the contact opens. */
static void find_corner(const sb_rub *rub, sb_rub_pose *pose) {
    const sb_rub_def *d = &rub->def;
    sb_rolling at = d->contact;
    double force_n = pose->load.force_n;
    at.load_n = fmax(force_n, 1e-3 * d->contact.load_n);
    pose->filter_n = force_n;
    double stiffness = sb_rolling_stiffness_n_m(&at);
    double asperities_n =
        sb_rolling_asperities_n(&at) * fmin(force_n / at.load_n, 1.0);
    pose->asperities_m = asperities_n / stiffness;
    pose->junctions = sb_rolling_junctions(&at);
    if (d->law.stiffness > 0.0) {
        sb_rolling_at ball = sb_rolling_law_at(&d->law, at.load_n);
        pose->asperities_m = asperities_n / ball.stiffness_n_m;
        pose->law_hz = ball.corner_hz;
    }
    sb_rolling_corners_hz(&at, pose->noise_hz);
    pose->contact_rad_s = sqrt(stiffness / mass_of(&at));
    pose->corner_rad_s =
        fmin(fmax(pose->contact_rad_s, corner_least_rad_s), corner_most_rad_s);
    pose->damping = fmin(sb_rolling_damping(&at), damping_most);
    if (d->gain[SB_RUB_PROFILE] != 0.0)
        sb_rub_filter(pose->corner_rad_s, pose->damping, rub->rate_hz, pose->b,
                      pose->a);
}

/* E^2 / m^2: the power of a surface's slopes at this speed after the low-pass,
 * summed over octaves up to 10 kHz. */
static double profile_power(const sb_surface *surface, double speed_m_s,
                            double corner_rad_s, double damping) {
    double w2 = corner_rad_s * corner_rad_s, v2 = speed_m_s * speed_m_s;
    double f = 2.0 * SB_PI * surface->band_per_m;
    double f2 = f * f * v2, power = 0.0;
    const double high2 = 2.0 * SB_PI * 10e3 * (2.0 * SB_PI * 10e3);
    for (int i = 0; i < surface->band_count; i++, f2 *= 4.0) {
        double off = w2 - f2, high = f2 / high2;
        double loss = 4.0 * damping * damping * w2 * f2;
        double bottom = (off * off + loss) * (1.0 + high * high);
        power += surface->band_slope2[i] * w2 * w2 * f2 / bottom;
    }
    return v2 * power;
}

static void find_profile(const sb_rub *rub, sb_rub_pose *pose) {
    const sb_rub_def *d = &rub->def;
    const sb_contact_load *load = &pose->load;
    pose->profile_gain = pose->profile_part = pose->profile_n2 = 0.0;
    if (d->gain[SB_RUB_PROFILE] == 0.0 && d->gain[SB_RUB_GRAVEL] == 0.0) return;
    double power = 0.0, bears2 = load->force_n * load->force_n;
    for (int side = 0; side < 2; side++)
        if (d->surface[side] && load->speed_m_s[side] != 0.0)
            power += profile_power(d->surface[side], load->speed_m_s[side],
                                   pose->corner_rad_s, pose->damping);
    double mass_kg = mass_of(&d->contact);
    double force2 = mass_kg * mass_kg * power;
    double part2 = bears2 > 0.0 ? bears2 / (bears2 + force2) : 0.0;
    pose->profile_part = sqrt(part2);
    pose->profile_gain =
        d->gain[SB_RUB_PROFILE] * pose->profile_part * mass_kg / rub->rate_hz;
    /* Grains are moved by the force of a ball, too. */
    double gain = d->gain[SB_RUB_GRAVEL];
    pose->profile_n2 = gain * gain * part2 * force2;
}

static void find_impacts(const sb_rub *rub, sb_rub_pose *pose) {
    const sb_rub_def *d = &rub->def;
    const sb_contact_load *load = &pose->load;
    double gain = d->gain[SB_RUB_IMPACTS];
    double speed = 0.5 * (fabs(load->speed_m_s[0]) + fabs(load->speed_m_s[1]));
    double load_ratio = load->force_n / d->contact.load_n,
           q = d->strength_exponent;
    double heavy = !(load_ratio > 0.0) ? 0.0
                   : q == 0.5          ? sqrt(load_ratio)
                                       : pow(load_ratio, q);
    pose->impact_m_s = speed;
    pose->impact_ns = gain * mass_of(&d->contact) * d->slope * speed * heavy *
                      (1.0 - pose->slip_ratio);
    double hits_hz = 2.0 * speed / (d->gap_m[0] + d->gap_m[1]);
    double spread = 1.0 + d->variation * d->variation / 3.0;
    /* The mean square of a half sine of duration T is J^2 pi^2 / (8 T). */
    pose->impacts_n2 = hits_hz * spread * pose->impact_ns * pose->impact_ns *
                       SB_PI / 8.0 * pose->contact_rad_s;
}

static double grains_hz(const sb_rub *rub, const sb_rub_pose *pose) {
    double power = pose->profile_n2 + pose->impacts_n2, rate = 0.0;
    for (int side = 0; side < 2; side++) {
        const sb_surface *surface = rub->def.surface[side];
        if (!surface || !(surface->gravel.per_n2s > 0.0)) continue;
        double wanted = surface->gravel.per_n2s * power;
        rate += wanted / (1.0 + wanted / surface->gravel.most_hz);
    }
    return rate;
}

static double creaks_hz(const sb_rub_def *d, const sb_contact_load *load) {
    double normal_n = fmax(load->force_n, 1e-6 * d->contact.load_n);
    double stretch_m = 2.0 * d->creak_drop * normal_n / d->creak_stiffness_n_m;
    return fmin(fabs(load->slip_m_s) / stretch_m, 5e3);
}

/* r of a load; of a contact at rest `otherwise`. */
static double slip_ratio(const sb_contact_load *load, double otherwise) {
    double fastest = fmax(fabs(load->speed_m_s[0]), fabs(load->speed_m_s[1]));
    double slip = fabs(load->slip_m_s);
    return fastest > 0.0 ? fmin(slip / fastest, 1.0)
           : slip > 0.0  ? 1.0
                         : otherwise;
}

void sb_rub_pose_find(const sb_rub *rub, const sb_contact_load *load,
                      const sb_rub_pose *before, sb_rub_pose *pose) {
    if (before != pose) *pose = *before;
    pose->load = *load;
    pose->slip_ratio = slip_ratio(load, before->slip_ratio);
    if (!is_good_enough(before, load->force_n)) find_corner(rub, pose);
    find_profile(rub, pose);
    find_impacts(rub, pose);
    pose->grains_hz =
        rub->def.gain[SB_RUB_GRAVEL] != 0.0 ? grains_hz(rub, pose) : 0.0;
    pose->creaks_hz =
        rub->def.gain[SB_RUB_CREAK] != 0.0 ? creaks_hz(&rub->def, load) : 0.0;
}
