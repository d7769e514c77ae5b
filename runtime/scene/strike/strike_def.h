/* SPDX-License-Identifier: MIT */
/* runtime/scene/strike/strike_def.h -- a strike as a script defines it.
 *
 * Thread: any. Memory: plain values.
 */
#pragma once

#include "runtime/base/field.h"
#include "runtime/model/material.h"
#include "runtime/scene/strike/designer.h"

#include <stdbool.h>

typedef enum sb_impact_model {
#define IMPACT_MODEL(model, name, nonlinear) SB_IMPACT_MODEL_##model,
#include "runtime/scene/strike/impact_models.def"
#undef IMPACT_MODEL
    SB_IMPACT_MODELS
} sb_impact_model;

/* "impulse", ...; ends with NULL. */
extern const char *const sb_impact_model_names[SB_IMPACT_MODELS + 1];
bool sb_impact_model_is_nonlinear(sb_impact_model model);

/* A rigid thing that is pressed into a body: it strikes, rolls or slides.
 * 0 means "not given": the value follows from the others and the materials. */
typedef struct sb_indenter {
    double mass_kg;
    double radius_m;     /* where it touches */
    double hardness_n_m; /* of its spring; pulse model only */
    double stiffness;    /* K */
    double exponent;     /* a; default 1.5 */
    double lambda;       /* loss of the contact; default 0 */
    bool has_material;
    sb_material material; /* used when has_material; else that of the body */
} sb_indenter;

/* Fastest striker, m/s. */
#define SB_STRIKE_FASTEST_M_S 1e3

/* Rows of an sb_indenter that is at `at` in a struct; what follows from a mass
 * that is not given, and the usual radii depend on what it does. */
#define SB_INDENTER_ROWS(at, thin, thick, mass_text)                           \
    SB_FIELD_ROW("mass", (at) + offsetof(sb_indenter, mass_kg), 1e-6, 1e4,     \
                 1e-4, 5, NULL, "kg", mass_text),                              \
        SB_FIELD_ROW("radius", (at) + offsetof(sb_indenter, radius_m), 1e-6,   \
                     100, thin, thick, NULL, "m",                              \
                     "where it touches; default that of a ball of its mass"),  \
        SB_FIELD_ROW(                                                          \
            "stiffness", (at) + offsetof(sb_indenter, stiffness), 1e-3, 1e20,  \
            0, 0, NULL, "N/m^exponent",                                        \
            "of the contact; default Hertz's, from materials and radius"),     \
        SB_FIELD_ROW("exponent", (at) + offsetof(sb_indenter, exponent), 1, 4, \
                     0, 0, NULL, "",                                           \
                     "force grows with depth to this power; default 1.5"),     \
        SB_FIELD_ROW("lambda", (at) + offsetof(sb_indenter, lambda), 0, 1e20,  \
                     0, 0, NULL, "N s/m^(exponent+1)",                         \
                     "loss in the contact; default 0: no speed is lost")
#define SB_HARDNESS_ROW(at)                                                 \
    SB_FIELD_ROW(                                                           \
        "hardness", (at) + offsetof(sb_indenter, hardness_n_m), 1, 1e13, 0, \
        1e10, NULL, "N/m",                                                  \
        "of the striker's spring (pulse); default as hard as the body")
extern const sb_field sb_indenter_fields[]; /* both, of an sb_indenter */

/* A strike as a script defines it. */
typedef struct sb_strike_def {
    double speed_m_s;  /* > 0, or 0 when the impulse is given */
    double impulse_ns; /* > 0, or 0 when the speed is given */
    sb_indenter striker;
    double stiffening_per_m; /* s, >= 0 */
    sb_impact_model model;
    double gravity_m_s2; /* toward the body; used when has_gravity, else 0,
                            or the scene's along the strike if it bounces */
    bool has_gravity;
    bool bounces; /* the striker may touch again; else one blow (striker.h) */
    /* The sound designer's. */
    sb_level_curve curve; /* from true speed to played speed */
    double limit_ns;      /* upper bound of the impulse; 0: none */
    double onset_m_s;     /* v0; 0: no such stiffening */
    sb_scatter scatter;   /* micro-impacts that follow */
    bool grazes;          /* split by its angle; else all of it strikes */
    sb_graze_def graze;   /* used when grazes */
    const char *name;     /* of the striker in reports, or NULL */
    const char *by;       /* who strikes (sb_event), or NULL: the scene */
} sb_strike_def;

/* The numbers of an sb_strike_def that begins a struct. */
#define SB_STRIKE_ROWS                                                         \
    SB_FIELD_ROW("speed", offsetof(sb_strike_def, speed_m_s), 0,               \
                 SB_STRIKE_FASTEST_M_S, 0.01, 20, NULL, "m/s",                 \
                 "of the striker; give this or impulse"),                      \
        SB_FIELD_ROW("impulse", offsetof(sb_strike_def, impulse_ns), 0, 1e4,   \
                     0, 0, NULL, "N s", "given instead of speed"),             \
        SB_INDENTER_ROWS(                                                      \
            offsetof(sb_strike_def, striker), 5e-4, 0.2,                       \
            "of the striker; default that of a ball of its radius, else a "    \
            "tenth of the body's, at most 0.03"),                              \
        SB_HARDNESS_ROW(offsetof(sb_strike_def, striker)),                     \
        SB_FIELD_ONE_OF(                                                       \
            "contact", offsetof(sb_strike_def, model), sb_impact_model_names,  \
            "contact model; default gradient, pulse if hardness or "           \
            "stiffening is given; with impulse instead of speed: impulse, "    \
            "pulse if mass, hardness or stiffening is given"),                 \
        SB_FIELD_ROW("gravity", offsetof(sb_strike_def, gravity_m_s2), -1e3,   \
                     1e3, 0, 0, NULL, "m/s^2",                                 \
                     "on the striker, toward the body; more than 0 implies "   \
                     "bounce; default with bounce the part of 9.81 along the " \
                     "strike, else 0")

/* What bends the physics of a strike, and of the impacts of the world: of the
 * sb_strike_def at `at`. */
#define SB_DESIGNER_ROWS(at)                                                   \
    SB_FIELD_ROW(                                                              \
        "stiffening", (at) + offsetof(sb_strike_def, stiffening_per_m), 0,     \
        1e9, 0, 0, NULL, "1/m",                                                \
        "relative increase of the spring's hardness per depth (pulse)"),       \
        SB_FIELD_READ_BY_CALLER(                                               \
            "curve", "number[][]", "m/s",                                      \
            "{ { speed, played speed }, ... }: straight lines from 0 to "      \
            "the first point and between the points, constant after the "      \
            "last; default: each speed is played as it is"),                   \
        SB_FIELD_ROW(                                                          \
            "limit", (at) + offsetof(sb_strike_def, limit_ns), 1e-12, 1e4, 0,  \
            0, NULL, "N s",                                                    \
            "greatest impulse: a stronger strike sounds as strong as this"),   \
        SB_FIELD_ROW(                                                          \
            "onset", (at) + offsetof(sb_strike_def, onset_m_s), 1e-6, 1e3, 0,  \
            0, NULL, "m/s",                                                    \
            "the speed from which a strike gets shorter and brighter, "        \
            "whatever its mass and hardness"),                                 \
        SB_FIELD_READ_BY_CALLER(                                               \
            "scatter", "sandbell.ScatterDef|number", "",                       \
            "micro-impacts after it, more after a faster strike; a number is " \
            "their rate"),                                                     \
        SB_FIELD_READ_BY_CALLER(                                               \
            "graze", "sandbell.GrazeDef|boolean", "",                          \
            "split a strike at an angle (its direction, the slip of an "       \
            "impact): the part into the surface strikes, the part along it "   \
            "scrapes")
extern const sb_field sb_strike_fields[]; /* both, of an sb_strike_def */
