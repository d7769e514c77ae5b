/* A profile as a curve (outline.h). Thread: any. */
#include "runtime/model/revolve/outline.h"

#include "runtime/base/pi.h"

#include <math.h>

/* A radius below this part of the length lies on the axis. */
#define ON_AXIS 1e-9

static double segment_length(const sb_outline *outline, int i) {
    const sb_profile_point *p = outline->points;
    return hypot(p[i + 1].r - p[i].r, p[i + 1].y - p[i].y);
}

/* The volume between the profile and the axis; negative if it runs down. */
static double swept(const sb_outline *outline) {
    const sb_profile_point *p = outline->points;
    double sum = 0;
    for (int i = 0; i + 1 < outline->count; i++) {
        double a = p[i].r, b = p[i + 1].r;
        sum += (a * a + a * b + b * b) * (p[i + 1].y - p[i].y);
    }
    return sum;
}

sb_outline sb_outline_of(const sb_profile_point *points, int count,
                         int second) {
    sb_outline made = {.count = count, .second = second, .points = points};
    for (int i = 0; i + 1 < count; i++)
        made.length_m += segment_length(&made, i);
    const sb_profile_point *last = &points[count - 1];
    double near = ON_AXIS * made.length_m;
    made.starts_on_axis = points[0].r <= near;
    made.ends_on_axis = last->r <= near;
    made.is_ring = !made.starts_on_axis &&
                   hypot(last->r - points[0].r, last->y - points[0].y) <= near;
    double volume = swept(&made), least = near * made.length_m * made.length_m;
    /* A flat profile faces up whichever way it runs. */
    if (fabs(volume) > least) {
        made.outward = volume > 0 ? 1 : -1;
    } else {
        made.outward = last->r > points[0].r ? -1 : 1;
    }
    return made;
}

bool sb_outline_is_closed(const sb_outline *outline) {
    return outline->is_ring ||
           (outline->starts_on_axis && outline->ends_on_axis);
}

static void set_direction(const sb_outline *outline, int i,
                          sb_outline_place *place) {
    const sb_profile_point *p = outline->points;
    double length = segment_length(outline, i);
    place->segment = i;
    place->tangent[0] = (p[i + 1].r - p[i].r) / length;
    place->tangent[1] = (p[i + 1].y - p[i].y) / length;
    place->normal[0] = outline->outward * place->tangent[1];
    place->normal[1] = -outline->outward * place->tangent[0];
}

sb_outline_place sb_outline_at(const sb_outline *outline, double v) {
    double rest = fmin(fmax(v, 0), 1) * outline->length_m;
    int i = 0;
    while (i + 2 < outline->count && rest > segment_length(outline, i))
        rest -= segment_length(outline, i++);
    double share = fmin(rest / segment_length(outline, i), 1);
    const sb_profile_point *a = &outline->points[i], *b = a + 1;
    sb_outline_place place = {.r = a->r + share * (b->r - a->r),
                              .y = a->y + share * (b->y - a->y),
                              .t = a->t + share * (b->t - a->t)};
    set_direction(outline, i, &place);
    return place;
}

double sb_outline_nearest(const sb_outline *outline, double r, double y) {
    const sb_profile_point *p = outline->points;
    double before = 0, best = INFINITY, found = 0;
    for (int i = 0; i + 1 < outline->count; i++) {
        double length = segment_length(outline, i);
        double dr = (p[i + 1].r - p[i].r) / length;
        double dy = (p[i + 1].y - p[i].y) / length;
        double along = (r - p[i].r) * dr + (y - p[i].y) * dy;
        along = fmin(fmax(along, 0), length);
        double gap = hypot(p[i].r + along * dr - r, p[i].y + along * dy - y);
        if (gap < best) {
            best = gap;
            found = before + along;
        }
        before += length;
    }
    return fmin(found / outline->length_m, 1);
}

double sb_outline_turn(const sb_outline *outline, int point) {
    int segments = outline->count - 1;
    int before = point > 0 ? point - 1 : segments - 1;
    int after = point < segments ? point : 0;
    sb_outline_place a, b;
    set_direction(outline, before, &a);
    set_direction(outline, after, &b);
    double cross = a.tangent[0] * b.tangent[1] - a.tangent[1] * b.tangent[0];
    double dot = a.tangent[0] * b.tangent[0] + a.tangent[1] * b.tangent[1];
    return fabs(atan2(cross, dot));
}

/* Adds a segment; Gauss's three points are exact for its polynomials. */
static void weigh_segment(const sb_outline *outline, int i, double *second_y,
                          sb_outline_mass *sum) {
    static const double places[3] = {-0.7745966692414834, 0,
                                     0.7745966692414834};
    static const double shares[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    const sb_profile_point *a = &outline->points[i], *b = a + 1;
    sb_outline_place to;
    set_direction(outline, i, &to);
    double nr = to.normal[0], ny = to.normal[1];
    for (int k = 0; k < 3; k++) {
        double x = 0.5 + 0.5 * places[k];
        double r = a->r + x * (b->r - a->r), y = a->y + x * (b->y - a->y);
        double t = a->t + x * (b->t - a->t), cube = t * t * t / 12;
        double ring = SB_TAU * shares[k] * segment_length(outline, i);
        sum->volume_m3 += ring * r * t;
        sum->centre_m += ring * (r * y * t + nr * ny * cube);
        sum->axial_m5 += ring * (r * r * r * t + 3 * r * nr * nr * cube);
        *second_y +=
            ring * (r * y * y * t + (r * ny * ny + 2 * y * nr * ny) * cube);
        sum->area_m2 += 2 * ring * r;
    }
}

sb_outline_mass sb_outline_weigh(const sb_outline *outline) {
    sb_outline_mass sum = {0};
    double second_y = 0;
    for (int i = 0; i + 1 < outline->count; i++)
        weigh_segment(outline, i, &second_y, &sum);
    sum.centre_m /= sum.volume_m3;
    sum.across_m5 = 0.5 * sum.axial_m5 + second_y -
                    sum.volume_m3 * sum.centre_m * sum.centre_m;
    if (!outline->is_ring) {
        const sb_profile_point *a = &outline->points[0];
        const sb_profile_point *b = &outline->points[outline->count - 1];
        sum.area_m2 += SB_TAU * (a->r * a->t + b->r * b->t);
    }
    return sum;
}
