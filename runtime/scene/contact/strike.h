/* runtime/scene/contact/strike.h -- what one blow of a mallet does, from its numbers.
 *
 * Two springs in series between two masses (Menzies 2.1.1): the surface of the
 * striker, k1, and of the body, k2; the striker's mass m1 and what the body
 * sets against it at that point, m2.
 *
 *     k = 1 / (1/k1 + 1/k2),   m = 1 / (1/m1 + 1/m2)
 *     duration T = pi sqrt(m / k),  impulse J = 2 m v,  force F = v sqrt(m k)
 *
 * A surface may stiffen as it is pressed in (2.1.2): k (1 + s x). The depth A
 * at which the springs have taken up all the energy then solves
 *
 *     m v^2 / 2 = k A^2 / 2 + k s A^3 / 3,
 *
 * and the pulse is that of the linear spring with the same depth, T = pi A / v:
 * shorter and brighter the harder the blow.
 *
 * Or the striker is a ball of radius R that is pressed into the body as Hertz
 * says, with losses as Hunt and Crossley say (contact.h), and the audio thread
 * plays what comes of it; here it is only estimated:
 *
 *     K = 4/3 E* sqrt(R),   1/E* = sum of (1 - nu^2) / E of both,
 *     depth A = ((a + 1) m v^2 / 2K)^(1/(a + 1)),  F = K A^a,  T = c(a) A / v
 *
 * A sound designer may bend all this (2.1): the speed that is heard is read from
 * a curve (level.h) and cut off where the impulse would exceed a limit, and a
 * blow gets harder from a speed on, its onset v0, whatever its mass and
 * hardness are. Its duration then is a T, with
 *
 *     a^2 + 2/3 (v / v0) a^3 = 1,
 *
 * which is the surface above with s chosen so that s A = 1 at v0 without
 * stiffening: 1 for light blows, 0.81 at the onset, 0.49 at ten times that. v
 * is the speed as it was before the curve, so that a blow whose level is held
 * back still tells how hard it was.
 *
 * Symbols: v speed_m_s, s stiffening_per_m, a exponent, K stiffness, v0 onset.
 * Thread: any.
 */
#ifndef SB_SCENE_CONTACT_STRIKE_H
#define SB_SCENE_CONTACT_STRIKE_H

#include "runtime/base/status.h"
#include "runtime/dsp/contact/contact.h"
#include "runtime/model/material/material.h"
#include "runtime/scene/contact/graze.h"
#include "runtime/scene/contact/level.h"
#include "runtime/scene/contact/scatter.h"

#include <stdbool.h>

typedef enum sb_contact_model {
    /* Gradient; but an impulse when only that is given, and a pulse with an
     * impulse, a hardness or a stiffening. */
    SB_CONTACT_AUTO,
    SB_CONTACT_IMPULSE,  /* ideal: no duration */
    SB_CONTACT_PULSE,    /* the spring's half-sine */
    SB_CONTACT_KMETHOD,  /* nonlinear, by the trapezoid at the sample rate */
    SB_CONTACT_GRADIENT, /* nonlinear, energy-exact */
    SB_CONTACT_MODELS
} sb_contact_model;

/* "impulse", "pulse", ...; AUTO is "auto". */
const char *sb_contact_model_name(sb_contact_model model);

typedef struct sb_blow {
    double speed_m_s;        /* > 0, or 0 when the impulse is given */
    double impulse_ns;       /* > 0, or 0 when the speed is given */
    double mass_kg;          /* striker; 0: not given */
    double hardness_n_m;     /* striker; 0: not given */
    double stiffening_per_m; /* s, >= 0 */
    sb_contact_model model;
    /* Of the nonlinear contacts; 0: not given, from the materials. */
    double radius_m;     /* of the striker where it touches */
    double stiffness;    /* K */
    double exponent;     /* a; 0: 1.5 */
    double lambda;       /* b */
    double gravity_m_s2; /* toward the body; used when has_gravity, else the
                            world's along the blow */
    bool has_gravity;
    /* The sound designer's. */
    sb_level_curve curve; /* from the speed as it is to the one that is heard */
    double limit_ns;      /* of the impulse; 0: none */
    double onset_m_s;     /* v0; 0: no such stiffening */
    sb_scatter scatter;   /* micro-hits after it */
    bool grazes;          /* as it comes at an angle; else all of it strikes */
    sb_graze_def graze;   /* used when it does */
    bool has_material;
    sb_material material; /* striker's; else as the body's */
    const char *name;     /* of the striker in reports, or NULL */
} sb_blow;

typedef struct sb_blow_result {
    double impulse_ns;
    double duration_s;   /* 0 for an ideal impulse */
    double peak_force_n; /* 0 for an ideal impulse */
    double speed_m_s;    /* of the striker, as heard; 0 when not known */
    double strength_m_s; /* its speed before curve and limit */
    double mass_kg;      /* of the striker */
    sb_graze graze;      /* what goes on after the impact of one that grazes */
} sb_blow_result;

/* Used when a script does not say: a light mallet. */
#define SB_BLOW_MASS_KG 0.03

/* The model that AUTO stands for with this blow. */
sb_contact_model sb_blow_model(const sb_blow *blow);
static inline bool sb_contact_is_nonlinear(sb_contact_model model) {
    return model == SB_CONTACT_KMETHOD || model == SB_CONTACT_GRADIENT;
}

/* Striker and contact of a nonlinear blow, with nothing left to guess. */
typedef struct sb_hertz {
    sb_contact_law law;
    double mass_kg;
} sb_hertz;

/* `body` is NULL for one that does not give way at all, an ideal half-space.
 * A striker of no stated mass is a ball of its radius and material; one of no
 * stated radius, a ball of its mass and material. */
sb_hertz sb_blow_hertz(const sb_blow *blow, const sb_material *body);

/* Make it as hard as its onset asks for: K becomes K a^-(exponent + 1), and
 * lambda goes along, so that only the contact's time changes. */
void sb_blow_harden(const sb_blow *blow, double inverse_mass, sb_hertz *hertz);

/* a above, of v / v0. */
double sb_blow_shortening(double ratio);

/* e of d (1 + e) = ln((1 + d) / (1 - e d)), d = lambda v / K: what is left of the
 * speed after one contact, whatever exponent and mass. */
double sb_blow_restitution(double d);

/* `inverse_mass` is 1/m2 (0 for a body that is held), `hardness_n_m` is k2. */
sb_blow_result sb_blow_strike(const sb_blow *blow, double inverse_mass,
                              double hardness_n_m);

/* The estimate for a nonlinear blow on a body that does not vibrate. */
sb_blow_result sb_blow_press(const sb_blow *blow, const sb_hertz *hertz,
                             double inverse_mass);

/* A body also yields by vibrating: in a blow of duration T every mode takes up
 * energy as a mass 1 / (phi^2 |P|^2) would, where
 *
 *     P = cos(w T / 2) / (1 - (w T / pi)^2)
 *
 * is the half-sine's share of the mode's frequency. Returns phi^2 |P|^2; 1 / m
 * adds up over the modes as springs in series do. */
double sb_blow_mode_yield(double duration_s, double weight, double omega_rad_s);

/* Take what the modes yield, the sum of the above, into account: impulse and
 * force fall so that no more energy goes into the body than the striker had.
 * An impulse that the script gave stays what it is. */
sb_blow_result sb_blow_yield(const sb_blow *blow, sb_blow_result result,
                             double inverse_mass, double modes_yield);

#endif
