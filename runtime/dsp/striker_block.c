/* Several strikers near the surface, step by step through a block. */
#include "runtime/dsp/striker.h"

#include "runtime/dsp/striker_inside.h"

#include <float.h>
#include <math.h>

/* Frames between two looks whether those in the air are out of reach. */
enum { LOOK_AGAIN = 4 };

/* --- one step ---------------------------------------------------------------*/

/* Those near the surface in this block, and what they do to each other in one
 * step of the kind that is set. */
typedef struct crowd {
    sb_striker *near[SB_STRIKERS];
    int count;
    sb_modal_field *field;
    double give[SB_STRIKERS][SB_STRIKERS]; /* of i by a force on j */
    double give_speed[SB_STRIKERS][SB_STRIKERS];
    double softness[SB_STRIKERS];
    /* Of the step under way. */
    double free_m[SB_STRIKERS], free_m_s[SB_STRIKERS];
    double force_n[SB_STRIKERS]; /* mean */
    double end_force_n[SB_STRIKERS];
} crowd;

static void meet(crowd *c) {
    const sb_modal_stride *stride = &c->field->part;
    double h = stride->step_s;
    for (int i = 0; i < c->count; i++) {
        c->softness[i] = sb_modal_field_softness(c->field, c->near[i]->weights);
        for (int j = 0; j <= i; j++) {
            double give, speed;
            sb_modal_field_give(c->field, stride, c->near[j]->weights,
                                c->near[i]->weights, &give, &speed);
            if (i == j) {
                double loose =
                    1.0 / c->near[i]->mass_kg + c->near[i]->inverse_mass;
                give += 0.5 * h * h * loose;
                speed += h * loose;
            }
            c->give[i][j] = c->give[j][i] = give;
            c->give_speed[i][j] = c->give_speed[j][i] = speed;
        }
    }
}

/* Where everybody would be after the step just begun without contact forces;
 * `first` is what it does to the first. True when there must be some. */
static bool foresee(crowd *c, const sb_modal_stride *stride,
                    sb_modal_glimpse first) {
    double h = stride->step_s;
    bool has_contact = false;
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i];
        sb_modal_glimpse seen =
            i == 0 ? first : sb_modal_field_glimpse(c->field, s->weights);
        c->force_n[i] = c->end_force_n[i] = 0.0;
        if (s->phase == SB_STRIKER_WAITING) continue;
        double g = striker_gravity(s),
               v = s->velocity_m_s - s->body_velocity_m_s;
        c->free_m[i] = s->depth_m + h * (v + 0.5 * g * h) - seen.moved_m;
        c->free_m_s[i] = v + g * h - seen.velocity_m_s;
        has_contact |= s->depth_m > 0.0 || c->free_m[i] > 0.0;
    }
    return has_contact;
}

static double solve_one(const crowd *c, int i, double h) {
    const sb_striker *s = c->near[i];
    double free_m = c->free_m[i], free_m_s = c->free_m_s[i];
    for (int j = 0; j < c->count; j++) {
        if (j == i) continue;
        free_m -= c->give[i][j] * c->force_n[j];
        free_m_s -= c->give_speed[i][j] * c->force_n[j];
    }
    return striker_solve(s, h, free_m, free_m_s, c->give[i][i],
                         c->give_speed[i][i]);
}

/* A step of each force in turn lowers one convex function of all of them, so
 * the rounds converge; usually two do, one when there is no crowd. */
static void solve(crowd *c) {
    enum { ROUNDS = 50 };
    double h = c->field->part.step_s;
    if (c->count == 1) {
        c->force_n[0] = solve_one(c, 0, h);
        return;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0.0, most = 0.0;
        for (int i = 0; i < c->count; i++) {
            if (c->near[i]->phase == SB_STRIKER_WAITING) continue;
            double force = solve_one(c, i, h);
            change = fmax(change, fabs(force - c->force_n[i]));
            most = fmax(most, force);
            c->force_n[i] = force;
        }
        if (!(change > 1e-14 * most)) break;
    }
}

static sb_modal_glimpse begin_step(crowd *c, const sb_modal_stride *stride) {
    return sb_modal_field_advance(c->field, stride, c->near[0]->weights);
}

/* End the step with the forces found, and unless it is the last begin another. */
static sb_modal_glimpse end_step(crowd *c, const sb_modal_stride *stride,
                                 bool is_last) {
    sb_modal_field *field = c->field;
    const float *weights = c->near[0]->weights;
    if (c->count == 1 && !is_last)
        return sb_modal_field_step(field, stride, weights, c->force_n[0]);
    sb_modal_field_commit(field, stride, weights, c->force_n[0]);
    for (int i = 1; i < c->count; i++) {
        if (c->force_n[i] == 0.0) continue;
        sb_modal_field_push(field, stride, c->near[i]->weights, c->force_n[i]);
    }
    return is_last ? (sb_modal_glimpse){0.0, 0.0, 0.0} : begin_step(c, stride);
}

/* Move striker i to the end of the step that has been solved. */
static void follow(crowd *c, int i, double frame, double dt_s, double h,
                   sb_impact_log *log) {
    sb_striker *s = c->near[i];
    double force = c->force_n[i], depth = c->free_m[i],
           closing = c->free_m_s[i];
    for (int j = 0; j < c->count; j++) {
        depth -= c->give[i][j] * c->force_n[j];
        closing -= c->give_speed[i][j] * c->force_n[j];
    }
    striker_step step = {frame, dt_s, h, striker_gravity(s), 1.0 / s->mass_kg};
    double at_end = sb_contact_force(&s->law, depth, closing);
    striker_follow(s, &step, force, depth, closing, at_end, log);
}

/* --- the block --------------------------------------------------------------*/

static void approach(crowd *c) {
    for (int i = 0; i < c->count; i++)
        striker_approach(c->near[i], c->field);
}

static void play_parts(crowd *c, int n, double dt_s, sb_impact_log *log) {
    const sb_modal_stride *stride = &c->field->part;
    int parts = c->field->parts;
    sb_modal_glimpse seen = begin_step(c, stride);
    for (int part = 0; part < parts; part++) {
        double frame = n + (double)part / parts;
        if (foresee(c, stride, seen)) solve(c);
        seen = end_step(c, stride, part == parts - 1);
        for (int i = 0; i < c->count; i++)
            if (c->near[i]->phase != SB_STRIKER_WAITING)
                follow(c, i, frame, dt_s, stride->step_s, log);
    }
}

static void play_frame(crowd *c, int n, double dt_s, sb_impact_log *log) {
    const sb_modal_stride *whole = &c->field->whole;
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i];
        if (s->phase == SB_STRIKER_WAITING && s->start_frame < n + 1.0)
            striker_begin(s, c->field, n, dt_s);
    }
    /* Cut the frame when something touches, or would before its end. */
    bool is_cut = c->field->parts == 1;
    for (int i = 0; i < c->count && !is_cut; i++)
        is_cut = c->near[i]->phase == SB_STRIKER_TOUCHING;
    if (is_cut || foresee(c, whole, begin_step(c, whole))) {
        play_parts(c, n, dt_s, log);
        return;
    }
    sb_modal_field_commit(c->field, whole, c->near[0]->weights, 0.0);
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i];
        if (s->phase == SB_STRIKER_WAITING) continue;
        s->velocity_m_s += whole->step_s * striker_gravity(s);
        s->depth_m = c->free_m[i];
        s->closing_m_s = c->free_m_s[i];
    }
}

/* Frames from `n` on in which certainly nothing touches: until the first begins,
 * or to the block's end when all that have begun stay too far away. */
static int idle_frames(const crowd *c, int n, double dt_s) {
    double until = SB_BLOCK_FRAMES;
    double span_s = (SB_BLOCK_FRAMES - n) * dt_s;
    for (int i = 0; i < c->count; i++) {
        const sb_striker *s = c->near[i];
        if (s->phase == SB_STRIKER_WAITING) {
            until = fmin(until, floor(fmax(s->start_frame, n)));
            continue;
        }
        /* Looking costs more than a frame, so only those that fly off. */
        if (s->phase == SB_STRIKER_TOUCHING || s->closing_m_s > 0.0) return 0;
        double surface_m, surface_m_s;
        sb_modal_field_read(c->field, s->weights, &surface_m, &surface_m_s);
        double swing =
            sqrt(2.0 * sb_modal_field_energy_j(c->field) * c->softness[i]);
        double top = striker_top(s, s->depth_m + surface_m, span_s);
        if (top > -1.001 * swing - DBL_MIN) return 0;
    }
    return (int)until - n;
}

/* Fly on for some frames in which nothing touches. */
static void coast(crowd *c, int n, int frames, double dt_s, float *out) {
    double surface_m[SB_STRIKERS], unused, span_s = frames * dt_s;
    for (int i = 0; i < c->count; i++)
        sb_modal_field_read(c->field, c->near[i]->weights, &surface_m[i],
                            &unused);
    sb_modal_field_coast(c->field, frames, out + n);
    for (int i = 0; i < c->count; i++) {
        sb_striker *s = c->near[i];
        if (s->phase == SB_STRIKER_WAITING) continue;
        double now_m, now_m_s, g = striker_gravity(s);
        sb_modal_field_read(c->field, s->weights, &now_m, &now_m_s);
        s->depth_m += surface_m[i] - now_m +
                      span_s * (s->velocity_m_s + 0.5 * g * span_s);
        s->velocity_m_s += g * span_s;
        s->closing_m_s = s->velocity_m_s - s->body_velocity_m_s - now_m_s;
    }
}

void sb_strikers_play(sb_striker *const *strikers, int count,
                      sb_modal_field *field, float *out, sb_impact_log *log) {
    double dt_s = field->whole.step_s;
    crowd c;
    c.count = 0;
    c.field = field;
    for (int i = 0; i < count; i++)
        if (strikers[i]->is_near) c.near[c.count++] = strikers[i];
    if (c.count == 1 && !c.near[0]->is_kmethod) {
        sb_striker_play_alone(c.near[0], field, out, log);
        return;
    }
    meet(&c);
    approach(&c);
    int looked = -LOOK_AGAIN;
    for (int n = 0; n < SB_BLOCK_FRAMES;) {
        int idle = 0;
        if (n - looked >= LOOK_AGAIN) {
            idle = idle_frames(&c, n, dt_s);
            looked = n;
        }
        if (idle > 0) {
            coast(&c, n, idle, dt_s, out);
            n += idle;
            continue;
        }
        out[n] += (float)sb_modal_field_hear(field);
        play_frame(&c, n++, dt_s, log);
    }
    for (int i = 0; i < c.count; i++)
        striker_leave(c.near[i], field);
}
