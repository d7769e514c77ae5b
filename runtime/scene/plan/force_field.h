/* runtime/scene/plan/force_field.h -- a force on all free bodies, given as data,
 * so that no script runs per body and step.
 *
 * A body of mass m at the distance r from the centre of the field has the
 * acceleration
 *
 *     ( acceleration + force / m + pull d / r^falloff ) cos(2 pi f t + phase)
 *
 * with d the unit vector towards the centre; without a frequency the cosine is
 * 1. Beyond `within_m` there is none.
 *
 * Thread: any. Memory: plain values.
 */
#ifndef SB_SCENE_PLAN_FORCE_FIELD_H
#define SB_SCENE_PLAN_FORCE_FIELD_H

#include "runtime/base/vec3.h"

enum { SB_FORCE_FIELDS = 16 };

typedef struct sb_force_field {
    sb_vec3 acceleration; /* m/s^2, the same for every mass */
    sb_vec3 force_n;
    sb_vec3 centre_m;
    double pull;         /* m/s^2 at 1 m from the centre; negative: away */
    double falloff;      /* exponent, -2 .. 4; -1: a spring */
    double within_m;     /* INFINITY: everywhere */
    double frequency_hz; /* 0: constant */
    double phase_rad;
} sb_force_field;

sb_force_field sb_force_field_default(void);

/* The acceleration that the field gives at a place and time, m/s^2. */
sb_vec3 sb_force_field_at(const sb_force_field *field, sb_vec3 place,
                          double mass_kg, double time_s);

#endif
