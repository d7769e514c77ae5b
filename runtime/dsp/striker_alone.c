/* A striker that is near the surface by itself: the same as in link_block.c, in
 * less time. In the air it is watched over many frames at once, and a force
 * is looked for while the modes are moved under the one before it. */
#include "runtime/dsp/link_inside.h"

/* Frames to look ahead in the air. What lies behind a touch is for nothing. */
enum { WATCH = 32 };

typedef struct lone {
    sb_striker *striker;
    sb_modal_field *field;
    float *out, *felt_ns;
    sb_impact_log *log;
    striker_when step;
    double gravity_m_s2;
    double per_mass; /* 1 / m */
    double per_step; /* 1 / h */
    double give;     /* of striker and body, m/N in a step */
    double later;    /* and of the body by itself in the next */
    double before_m; /* the depth one step ago */
} lone;

/* Returns how far the surface moves in the first step without a force. */
static double aim(lone *l) {
    const sb_striker *s = l->striker;
    double h = l->step.h, loose = l->per_mass + s->inverse_mass;
    sb_modal_aim body =
        sb_modal_field_aim(l->field, &l->field->part, s->weights);
    l->give = body.give + 0.5 * h * h * loose;
    l->later = body.later;
    return body.moved_m;
}

/* The law's force at the step's start, where the speed is known by now. Mean
 * forces by themselves would miss the peak between two of them. */
static inline double force_before(const lone *l, double depth_m) {
    const sb_striker *s = l->striker;
    if (s->phase != SB_STRIKER_TOUCHING) return 0.0;
    double speed_m_s = (depth_m - l->before_m) * (0.5 * l->per_step);
    return sb_contact_force(&s->law, s->depth_m, speed_m_s);
}

/* Move it to the end of a step with this mean force, where it is so deep and
 * closes in so fast. `beside_n` is what else the force has been, for its peak. */
static inline void follow(lone *l, double force, double depth, double closing,
                          double beside_n) {
    sb_striker *s = l->striker;
    double h = l->step.h;
    if (force > 0.0 && s->phase != SB_STRIKER_TOUCHING)
        striker_touch(s, l->step);
    s->velocity_m_s += h * (l->gravity_m_s2 - force * l->per_mass);
    s->body_velocity_m_s += h * force * s->inverse_mass;
    s->depth_m = depth;
    s->closing_m_s = closing;
    s->force_change_before_n = s->force_change_n;
    s->force_change_n = force - s->force_n;
    s->force_n = force;
    if (s->phase != SB_STRIKER_TOUCHING) return;
    double most = force > beside_n ? force : beside_n;
    if (most > s->contact.peak_force_n) s->contact.peak_force_n = most;
    s->contact.impulse_ns += h * force;
    s->contact.duration_s += h;
    s->touching_s += h;
    if (depth > 0.0) return;
    if (closing < 0.0)
        s->contact.duration_s -= striker_within(depth / closing, h);
    striker_release(s, l->log);
    s->force_n = s->force_change_n = s->force_change_before_n = 0.0;
    s->phase = SB_STRIKER_AWAY;
}

/* A step in which the surface by itself moves so far: the mean force, with the
 * striker moved to its end. */
static inline double press(lone *l, double moved_m) {
    sb_striker *s = l->striker;
    double h = l->step.h, g = l->gravity_m_s2, force = 0.0;
    double v = s->velocity_m_s - s->body_velocity_m_s;
    double from = s->depth_m, depth = from + h * (v + 0.5 * g * h) - moved_m;
    if (from > 0.0 || depth > 0.0) {
        force = sb_contact_gradient(&s->law, h, from, depth, l->give,
                                    s->force_n + 2.0 * s->force_change_n -
                                        s->force_change_before_n);
        depth -= l->give * force;
    }
    follow(l, force, depth, (depth - from) * l->per_step,
           force_before(l, depth));
    if (l->felt_ns) l->felt_ns[(int)l->step.frame] += (float)(h * force);
    l->before_m = from;
    return force;
}

/* Play frame `n` and those after it for as long as it touches. Returns the frame
 * that comes next. The field is one step behind all the while. */
static int press_on(lone *l, int n) {
    sb_modal_field *field = l->field;
    const sb_modal_stride *stride = &field->part;
    const float *weights = l->striker->weights;
    const double per_part = 1.0 / field->parts;
    double moved_m = aim(l);
    sb_modal_glimpse ahead = sb_modal_field_ahead(field);
    l->step.frame = n;
    l->out[n] += (float)ahead.heard;
    l->before_m = l->striker->depth_m - l->step.h * l->striker->closing_m_s;
    double force = press(l, moved_m);
    for (int part = 1;; part++) {
        if (part == field->parts) {
            part = 0;
            n++;
            if (n == SB_BLOCK_FRAMES) break;
            if (l->striker->phase != SB_STRIKER_TOUCHING) break;
        }
        l->step.frame = n + part * per_part;
        /* Neither of the two waits for the other. */
        double by_itself_m = ahead.moved_m + l->later * force;
        ahead = sb_modal_field_press(field, stride, weights, force);
        force = press(l, by_itself_m);
        if (part == 0) l->out[n] += (float)ahead.heard;
    }
    (void)sb_modal_field_press(field, stride, weights, force);
    return n;
}

/* Fly from frame `n` on until a frame in which it touches, which comes next. */
static int fly_on(lone *l, int n) {
    sb_striker *s = l->striker;
    int frames = SB_BLOCK_FRAMES - n < WATCH ? SB_BLOCK_FRAMES - n : WATCH;
    double dt_s = l->step.dt_s, g = l->gravity_m_s2;
    double v = s->velocity_m_s - s->body_velocity_m_s, depth = s->depth_m;
    float heard[WATCH] = {0};
    double path_m[WATCH + 1], unused;
    sb_modal_field_watch(l->field, s->weights, frames, heard, path_m);
    int free_frames = 0;
    while (free_frames < frames) {
        double t = (free_frames + 1) * dt_s;
        double there = s->depth_m + t * (v + 0.5 * g * t) -
                       (path_m[free_frames + 1] - path_m[0]);
        if (there > 0.0) break;
        depth = there;
        free_frames++;
    }
    if (free_frames == 0) return n;
    for (int i = 0; i < free_frames; i++)
        l->out[n + i] += heard[i];
    if (free_frames == frames) {
        sb_modal_field_go(l->field);
    } else {
        sb_modal_field_coast(l->field, free_frames, heard);
    }
    s->depth_m = depth;
    s->velocity_m_s += g * free_frames * dt_s;
    sb_modal_field_read(l->field, s->weights, &unused, &s->closing_m_s);
    s->closing_m_s = s->velocity_m_s - s->body_velocity_m_s - s->closing_m_s;
    return n + free_frames;
}

/* The surface may have been moved between blocks by other blows. One that
 * touches is carried with it; one in the air meets it no deeper than just so. */
static void approach(sb_striker *s, const sb_modal_field *field) {
    double surface_m, surface_m_s;
    sb_modal_field_read(field, s->weights, &surface_m, &surface_m_s);
    if (s->phase == SB_STRIKER_AWAY)
        s->depth_m = fmin(s->position_m - surface_m, 0.0);
    s->closing_m_s = s->velocity_m_s - s->body_velocity_m_s - surface_m_s;
}

/* Wait for its time, and touch. Returns the frame that comes next. */
static int begin(lone *l) {
    sb_striker *s = l->striker;
    double unused, surface_m_s;
    int n = (int)fmin(fmax(s->start_frame, 0.0), SB_BLOCK_FRAMES - 1);
    if (n > 0) sb_modal_field_coast(l->field, n, l->out);
    sb_modal_field_read(l->field, s->weights, &unused, &surface_m_s);
    striker_begin(s, surface_m_s, n, l->step.dt_s);
    return press_on(l, n);
}

static void leave(sb_striker *s, const sb_modal_field *field) {
    double surface_m, unused;
    sb_modal_field_read(field, s->weights, &surface_m, &unused);
    s->position_m = s->depth_m + surface_m;
    s->contact.time_frames -= SB_BLOCK_FRAMES;
}

void sb_striker_play_alone(sb_striker *striker, sb_modal_field *field,
                           float *out, float *felt_ns, sb_impact_log *log) {
    lone l = {.striker = striker,
              .field = field,
              .out = out,
              .felt_ns = felt_ns,
              .log = log,
              .step = {0, field->whole.step_s, field->part.step_s},
              .gravity_m_s2 = striker_gravity(striker),
              .per_mass = 1.0 / striker->mass_kg,
              .per_step = 1.0 / field->part.step_s};
    int n = 0;
    approach(striker, field);
    if (striker->phase == SB_STRIKER_WAITING) n = begin(&l);
    while (n < SB_BLOCK_FRAMES) {
        int touching =
            striker->phase == SB_STRIKER_TOUCHING ? n : fly_on(&l, n);
        if (touching == n) touching = press_on(&l, n);
        n = touching;
    }
    leave(striker, field);
}
