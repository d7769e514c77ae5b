/* The laws of springs, distortions and pulses. */
#include "runtime/base/pi.h"
#include "runtime/dsp/contact/link_internal.h"

#include <float.h>

enum { ITERATIONS = 60 };

/* A root of a strictly increasing function, between two bounds. */
typedef struct bracket {
    double at, low, high;
} bracket;

/* Newton's step, or bisection when it leaves the bracket. */
static bool refine(bracket *b, double miss, double slope) {
    if (miss > 0.0) {
        b->high = b->at;
    } else {
        b->low = b->at;
    }
    double next = b->at - miss / slope;
    if (!(next >= b->low && next <= b->high))
        next = b->low + 0.5 * (b->high - b->low);
    bool is_found = !(fabs(next - b->at) > DBL_EPSILON * fabs(next));
    b->at = next;
    return is_found;
}

static bracket between(double a, double b) {
    return (bracket){a, fmin(a, b), fmax(a, b)};
}

double link_spring_force(const sb_spring *spring, double from_m, double free_m,
                         double give) {
    double k1 = 0.5 * spring->linear_n_m, k3 = 0.25 * spring->cubic_n_m3;
    double x = from_m, force = 0.0;
    /* F rises with x1, so x1 lies between the free position and the position
     * under the force there. */
    double sum = free_m + x, squares = free_m * free_m + x * x;
    bracket b = between(free_m, free_m - give * sum * (k1 + k3 * squares));
    for (int i = 0; i < ITERATIONS; i++) {
        double at = b.at;
        sum = at + x;
        squares = at * at + x * x;
        force = sum * (k1 + k3 * squares);
        double slope = k1 + k3 * (squares + 2.0 * at * sum);
        bool is_found =
            refine(&b, at - free_m + give * force, 1.0 + give * slope);
        force += slope * (b.at - at);
        if (is_found) break;
    }
    return force;
}

double link_distortion_force(const sb_spring *spring, double free_m_s,
                             double give) {
    double c = spring->loss_ns_m, knee = spring->knee_m_s;
    double force = 0.0;
    bracket b = between(free_m_s, 0.0);
    for (int i = 0; i < ITERATIONS; i++) {
        double v = b.at, r = v / knee, root = sqrt(1.0 + r * r);
        force = c * v / root;
        double slope = c / (root * root * root);
        bool is_found =
            refine(&b, v - free_m_s + give * force, 1.0 + give * slope);
        force += slope * (b.at - v);
        if (is_found) break;
    }
    return force;
}

static double clamp(double x, double top) {
    return fmax(0.0, fmin(x, top));
}

double link_pulse_force(const sb_link_pulse *pulse, double frame, double frames,
                        double h) {
    double from = frame - pulse->start_frame, to = from + frames;
    if (!(pulse->duration_s > 0.0)) {
        double share =
            clamp(to * SB_PULSE_PARTS, 1.0) - clamp(from * SB_PULSE_PARTS, 1.0);
        return pulse->impulse_ns * share / h;
    }
    double turn = SB_PI * h / (frames * pulse->duration_s); /* in a frame */
    double a = clamp(turn * from, SB_PI), b = clamp(turn * to, SB_PI);
    /* cos a - cos b, of angles that may be close. */
    double rise = 2.0 * sin(0.5 * (a + b)) * sin(0.5 * (b - a));
    return 0.5 * pulse->impulse_ns * rise / h;
}

link_swing link_swing_of(const sb_link_rub *rub, double h) {
    double w = sqrt(rub->rub_stiffness / rub->rub_mass_kg);
    double half = sin(0.5 * w * h);
    if (!(w * h > 1e-8)) return (link_swing){0.5 * h * h, h, 1.0};
    return (link_swing){2.0 * half * half / (w * w), sin(w * h) / w,
                        cos(w * h)};
}
