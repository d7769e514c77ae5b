/* A smooth curve through the points of a profile (smooth.h). Thread: any. */
#include "runtime/model/revolve/smooth.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/model/revolve/meridian.h"
#include "runtime/model/revolve/outline.h"

#include <math.h>

/* A straight piece turns by about this much, radians. */
#define PIECE_TURN 0.035

/* A neighbour shorter than this part of a piece leaves it straighter. */
#define SHORT_SHARE 0.4

/* A chord: its length and direction, and the angles by which the curve leaves
 * it at both ends, radians, counter-clockwise. */
typedef struct chord {
    double length, angle;
    double leave[2];
    bool is_open[2]; /* no tangent is given at this end */
} chord;

static chord chord_of(const sb_profile_point *a, const sb_profile_point *b) {
    double r = b->r - a->r, y = b->y - a->y;
    return (chord){
        .length = hypot(r, y), .angle = atan2(y, r), .is_open = {true, true}};
}

/* -pi .. pi */
static double turn_of(double from, double to) {
    return remainder(to - from, SB_TAU);
}

/* The share of a turn that the longer of two chords takes: half of it if they
 * are equal, in proportion to their lengths as on a circle, and little if the
 * other one is much shorter. */
static double share_of_longer(double longer, double shorter) {
    double part = shorter / longer, fade = fmin(part / SHORT_SHARE, 1);
    return fade * fade / (1 + part);
}

/* A common tangent where two chords meet, unless they meet in a fold. */
static void join(chord *before, chord *after) {
    double turn = turn_of(before->angle, after->angle);
    if (fabs(turn) > SB_MERIDIAN_FOLD) return;
    bool is_first = before->length >= after->length;
    double share = is_first ? share_of_longer(before->length, after->length)
                            : share_of_longer(after->length, before->length);
    double first = is_first ? share : 1 - share;
    before->leave[1] = first * turn;
    after->leave[0] = -(1 - first) * turn;
    before->is_open[1] = after->is_open[0] = false;
}

/* On the axis the curve meets its mirror image. */
static void level(chord *only, int end) {
    double tangent = fabs(only->angle) < 0.5 * SB_PI ? 0 : SB_PI;
    double turn = turn_of(only->angle, tangent);
    if (2 * fabs(turn) > SB_MERIDIAN_FOLD) return;
    only->leave[end] = turn;
    only->is_open[end] = false;
}

/* An end without a tangent goes on as an arc. */
static void open_ends(chord *only) {
    if (only->is_open[0] && !only->is_open[1]) only->leave[0] = -only->leave[1];
    if (only->is_open[1] && !only->is_open[0]) only->leave[1] = -only->leave[0];
}

/* Points of Hermite's cubic; its tangents are those of an arc. */
static int place_pieces(const chord *on, const sb_profile_point *a,
                        const sb_profile_point *b, sb_profile_point *out) {
    double turn = fabs(on->leave[0]) + fabs(on->leave[1]);
    int pieces =
        (int)fmin(fmax(ceil(turn / PIECE_TURN - 1e-9), 1), SB_SMOOTH_PIECES);
    double tangents[2][2];
    for (int i = 0; i < 2; i++) {
        double half = cos(0.5 * on->leave[i]), angle = on->angle + on->leave[i];
        double size = on->length / (half * half);
        tangents[i][0] = size * cos(angle);
        tangents[i][1] = size * sin(angle);
    }
    for (int k = 1; k < pieces; k++) {
        double x = (double)k / pieces, x2 = x * x, x3 = x2 * x;
        double h[4] = {2 * x3 - 3 * x2 + 1, x3 - 2 * x2 + x, 3 * x2 - 2 * x3,
                       x3 - x2};
        double r = h[0] * a->r + h[1] * tangents[0][0] + h[2] * b->r +
                   h[3] * tangents[1][0];
        double y = h[0] * a->y + h[1] * tangents[0][1] + h[2] * b->y +
                   h[3] * tangents[1][1];
        out[k - 1] =
            (sb_profile_point){fmax(r, 0), y, a->t + x * (b->t - a->t)};
    }
    out[pieces - 1] = *b;
    return pieces;
}

int sb_profile_smooth(const sb_profile_point *points, int count,
                      sb_profile_point *out, int *second) {
    sb_outline outline = sb_outline_of(points, count, 1);
    int made = 1, last = count - 2;
    out[0] = points[0];
    for (int i = 0; i <= last; i++) {
        const sb_profile_point *a = &points[i], *b = a + 1;
        chord on = chord_of(a, b), other;
        if (i > 0 || outline.is_ring) {
            int from = i > 0 ? i - 1 : last;
            other = chord_of(&points[from], &points[from + 1]);
            join(&other, &on);
        } else if (outline.starts_on_axis) {
            level(&on, 0);
        }
        if (i < last || outline.is_ring) {
            int to = i < last ? i + 1 : 0;
            other = chord_of(&points[to], &points[to + 1]);
            join(&on, &other);
        } else if (outline.ends_on_axis) {
            level(&on, 1);
        }
        open_ends(&on);
        made += place_pieces(&on, a, b, out + made);
        if (i == 0) *second = made - 1;
    }
    return made;
}

sb_status sb_profile_create_curve(const sb_profile_point *points, int count,
                                  sb_profile **out, sb_error *err) {
    size_t most = (size_t)(count - 1) * SB_SMOOTH_PIECES + 1;
    sb_profile_point *curve = sb_alloc(most, sizeof *curve);
    if (!curve) return sb_fail(err, SB_NO_MEMORY, "revolve: out of memory");
    int second = 1, made = sb_profile_smooth(points, count, curve, &second);
    sb_status status = sb_profile_create(curve, made, second, out, err);
    sb_free(curve);
    return status;
}
