/* SPDX-License-Identifier: MIT */
#include "runtime/model/bem/bem_rings.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"
#include "runtime/base/stop.h"

#include <math.h>
#include <string.h>

/* How far free edges move out, in lengths of their elements. */
#define EDGE_OUT 0.125
/* Elements are near if their middles are closer than this times the sum of their
 * lengths. */
#define NEAR 1.25
/* A point is on the axis if its radius, over the widest, is no more. */
#define ON_AXIS 1e-6

/* --- elements ------------------------------------------------------------- */

static void set_direction(sb_bem_element *own, double sign) {
    double r = own->ends[1][0] - own->ends[0][0];
    double y = own->ends[1][1] - own->ends[0][1];
    own->length = hypot(r, y);
    if (!(own->length > 0)) return;
    own->tangent[0] = r / own->length;
    own->tangent[1] = y / own->length;
    own->normal[0] = sign * own->tangent[1];
    own->normal[1] = -sign * own->tangent[0];
}

static void move_out(sb_bem_element *own, int end) {
    for (int a = 0; a < 2; a++) {
        double by = own->ends[end][a] - own->ends[1 - end][a];
        own->ends[end][a] += EDGE_OUT * by;
    }
}

static void set_elements(sb_bem_rings_mesh *mesh,
                         const sb_bem_profile *profile) {
    double turn = 0, area = 0;
    for (int e = 0; e < mesh->element_count; e++) {
        sb_bem_element *own = &mesh->elements[e];
        own->nodes[0] = e;
        own->nodes[1] = (e + 1) % mesh->node_count;
        for (int j = 0; j < 2; j++)
            memcpy(own->ends[j], profile->points[own->nodes[j]],
                   sizeof own->ends[j]);
        for (int j = 0; j < 2; j++)
            if (mesh->is_tip[own->nodes[j]]) own->ends[j][0] = 0;
        turn += own->ends[0][0] * own->ends[1][1] -
                own->ends[1][0] * own->ends[0][1];
    }
    for (int e = 0; e < mesh->element_count; e++) {
        sb_bem_element *own = &mesh->elements[e];
        for (int j = 0; j < 2; j++)
            if (mesh->is_edge[own->nodes[j]]) move_out(own, j);
        set_direction(own, turn < 0 ? -1 : 1);
        area += SB_PI * own->length * (own->ends[0][0] + own->ends[1][0]);
    }
    mesh->radius_m = sqrt(area / (4 * SB_PI));
}

static void find_ends(sb_bem_rings_mesh *mesh, const sb_bem_profile *profile) {
    for (int i = 0; i < profile->count; i++) {
        const double *p = profile->points[i];
        mesh->widest_m = fmax(mesh->widest_m, p[0]);
        mesh->extent_m = fmax(mesh->extent_m, hypot(p[0], p[1]));
    }
    const int ends[2] = {0, profile->count - 1};
    for (int j = 0; j < 2 && !profile->is_ring; j++) {
        bool is_tip = profile->points[ends[j]][0] <= ON_AXIS * mesh->widest_m;
        mesh->is_tip[ends[j]] = is_tip;
        mesh->is_edge[ends[j]] = !is_tip;
        if (!is_tip) mesh->is_sheet = true;
    }
}

static sb_bem_spot spot_at(const sb_bem_element *element, double share,
                           double weight) {
    const double *a = element->ends[0], *b = element->ends[1];
    double r = a[0] + share * (b[0] - a[0]);
    return (sb_bem_spot){element, share, r, a[1] + share * (b[1] - a[1]),
                         weight * r * element->length};
}

sb_bem_spot sb_bem_spot_of(const sb_bem_element *element, int which) {
    return spot_at(element, which ? 0.788675134594813 : 0.211324865405187, 0.5);
}

/* --- pairs of points ------------------------------------------------------ */

void sb_bem_rings_terms(const sb_bem_spot *x, const sb_bem_spot *y, int waves,
                        sb_bem_terms *out) {
    const double *t = x->element->tangent, *u = y->element->tangent;
    double weight = x->weight * y->weight, n = waves;
    const double at[2] = {1 - x->share, x->share};
    const double there[2] = {1 - y->share, y->share};
    for (int i = 0; i < 4; i++) {
        double own = at[i / 2], other = there[i % 2];
        double slope = (i / 2 ? 1 : -1) / x->element->length;
        double other_slope = (i % 2 ? 1 : -1) / y->element->length;
        double both = weight * own * other, round = n * n / (x->r * y->r);
        out->mass[i][0] = both * t[0] * u[0];
        out->mass[i][1] = both * t[1] * u[1];
        out->curl[i][0] = round * out->mass[i][1];
        out->curl[i][1] =
            weight * slope * other_slope + round * out->mass[i][0];
        out->curl[i][2] =
            weight * n *
            (slope * other * u[0] / y->r + own * other_slope * t[0] / x->r);
    }
}

/* G_m of 1/r, m = 0 .. most, and its normal derivatives by n of the one and of
 * the other. */
static void set_static(const sb_bem_spot *x, const sb_bem_spot *y, int most,
                       bool has_k, double *g, double *front, double *back) {
    double dr = x->r - y->r, dy = x->y - y->y, across = x->r * y->r;
    double off = (dr * dr + dy * dy) / (2 * across);
    double scale = 1 / (SB_TAU * sqrt(across));
    sb_bem_toroidal(off, most, g);
    const double *n = x->element->normal, *u = y->element->normal;
    /* of chi */
    double by_x = n[0] * (dr / across - off / x->r) + n[1] * dy / across;
    double by_y = u[0] * (-dr / across - off / y->r) - u[1] * dy / across;
    for (int m = 0; has_k && m < most; m++) {
        double before = m ? g[m - 1] : g[1];
        double slope =
            (m - 0.5) * ((1 + off) * g[m] - before) / (off * (off + 2));
        front[m] = scale * (slope * by_x - n[0] * g[m] / (2 * x->r));
        back[m] = scale * (slope * by_y - u[0] * g[m] / (2 * y->r));
    }
    for (int m = 0; m <= most; m++)
        g[m] *= scale;
}

/* --- static parts --------------------------------------------------------- */

typedef struct adding {
    sb_bem_rings_mesh *mesh;
    int most;
    double *g, *front, *back; /* [most + 1] */
} adding;

static void add_pair(const adding *to, const sb_bem_spot *x,
                     const sb_bem_spot *y, double part) {
    sb_bem_rings_mesh *mesh = to->mesh;
    bool has_k = !mesh->is_sheet;
    set_static(x, y, to->most, has_k, to->g, to->front, to->back);
    size_t wide = (size_t)mesh->node_count;
    for (int index = 0; index < mesh->waves_count; index++) {
        int n = mesh->waves[index];
        double below = to->g[n ? n - 1 : 1], above = to->g[n + 1];
        double g[3] = {to->g[n], (above + below) / 2, (below - above) / 2};
        const sb_bem_static *own = &mesh->statics[index];
        sb_bem_terms all;
        sb_bem_rings_terms(x, y, n, &all);
        for (int i = 0; i < 4; i++) {
            size_t at = (size_t)x->element->nodes[i / 2] * wide +
                        (size_t)y->element->nodes[i % 2];
            const double *c = all.curl[i], *m = all.mass[i];
            own->curl[at] += part * (c[0] * g[0] + c[1] * g[1] + c[2] * g[2]);
            own->mass[at] += part * (m[0] * g[0] + m[1] * g[1]);
            if (!has_k) continue;
            double both = part * x->weight * y->weight *
                          (i / 2 ? x->share : 1 - x->share) *
                          (i % 2 ? y->share : 1 - y->share);
            own->front[at] += both * to->front[n];
            own->back[at] += both * to->back[n];
        }
    }
}

/* Gauss and Legendre's rules of 4 and 6 points, on 0 .. 1. */
static const double four[4][2] = {{.069431844202974, .173927422568727},
                                  {.330009478207572, .326072577431273},
                                  {.669990521792428, .326072577431273},
                                  {.930568155797026, .173927422568727}};
static const double six[6][2] = {
    {.033765242898424, .085662246189585}, {.169395306766868, .180380786524069},
    {.380690406958402, .233956967286346}, {.619309593041598, .233956967286346},
    {.830604693233132, .180380786524069}, {.966234757101576, .085662246189585}};

/* The point of an element that is nearest, as a part of it. */
static double nearest(const sb_bem_element *element, const sb_bem_spot *to) {
    double along = (to->r - element->ends[0][0]) * element->tangent[0] +
                   (to->y - element->ends[0][1]) * element->tangent[1];
    return fmin(fmax(along / element->length, 0), 1);
}

/* Towards the nearest point the inner ones lie closer, as squares do. */
static void add_near(const adding *to, const sb_bem_element *one,
                     const sb_bem_element *other, double part) {
    for (int i = 0; i < 4; i++) {
        sb_bem_spot x = spot_at(one, four[i][0], four[i][1]);
        double from = nearest(other, &x);
        for (int j = 0; j < 12; j++) {
            double span = (j < 6 ? 0 : 1) - from, u = six[j % 6][0];
            if (fabs(span) < 1e-9) continue;
            double weight = six[j % 6][1] * 2 * u * fabs(span);
            sb_bem_spot y = spot_at(other, from + span * u * u, weight);
            add_pair(to, &x, &y, part);
        }
    }
}

static bool is_near(const sb_bem_element *a, const sb_bem_element *b) {
    double apart[2];
    for (int i = 0; i < 2; i++)
        apart[i] =
            (a->ends[0][i] + a->ends[1][i] - b->ends[0][i] - b->ends[1][i]) / 2;
    return hypot(apart[0], apart[1]) < NEAR * (a->length + b->length);
}

static sb_status fill_statics(sb_bem_rings_mesh *mesh, sb_error *err) {
    adding to = {.mesh = mesh};
    for (int i = 0; i < mesh->waves_count; i++)
        if (mesh->waves[i] >= to.most) to.most = mesh->waves[i] + 1;
    size_t sums = (size_t)to.most + 2;
    to.g = sb_alloc(3 * sums, sizeof(double));
    if (!to.g) return sb_fail(err, SB_NO_MEMORY, "out of memory for rings");
    to.front = to.g + sums;
    to.back = to.front + sums;
    for (int e = 0; e < mesh->element_count && !sb_stop_is_wanted(); e++) {
        for (int f = e; f < mesh->element_count; f++) {
            const sb_bem_element *a = &mesh->elements[e];
            const sb_bem_element *b = &mesh->elements[f];
            if (is_near(a, b)) {
                add_near(&to, a, b, e == f ? 0.5 : 1);
                continue;
            }
            for (int i = 0; i < 4; i++) {
                sb_bem_spot x = sb_bem_spot_of(a, i / 2);
                sb_bem_spot y = sb_bem_spot_of(b, i % 2);
                add_pair(&to, &x, &y, 1);
            }
        }
    }
    sb_free(to.g);
    return sb_stop_check(err);
}

/* --- life ----------------------------------------------------------------- */

sb_status sb_bem_rings_make(const sb_bem_profile *profile, const int *waves,
                            int waves_count, sb_bem_rings_mesh *mesh,
                            sb_error *err) {
    size_t nodes = (size_t)profile->count, kinds = (size_t)waves_count;
    *mesh = (sb_bem_rings_mesh){.node_count = profile->count,
                                .element_count =
                                    profile->count - (profile->is_ring ? 0 : 1),
                                .waves_count = waves_count};
    mesh->is_edge = sb_alloc(nodes, sizeof(bool));
    mesh->is_tip = sb_alloc(nodes, sizeof(bool));
    mesh->elements = sb_alloc(nodes, sizeof *mesh->elements);
    mesh->waves = sb_alloc(kinds, sizeof(int));
    mesh->statics = sb_alloc(kinds, sizeof *mesh->statics);
    bool is_ok = mesh->is_edge && mesh->is_tip && mesh->elements &&
                 mesh->waves && mesh->statics;
    if (is_ok) {
        memcpy(mesh->waves, waves, kinds * sizeof(int));
        find_ends(mesh, profile);
        set_elements(mesh, profile);
        size_t parts = mesh->is_sheet ? 2 : 4, size = nodes * nodes;
        double *block = sb_alloc(kinds * parts * size, sizeof *block);
        mesh->static_block = block;
        is_ok = block != NULL;
        for (size_t i = 0; is_ok && i < kinds; i++, block += parts * size) {
            mesh->statics[i] = (sb_bem_static){block, block + size, NULL, NULL};
            if (mesh->is_sheet) continue;
            mesh->statics[i].front = block + 2 * size;
            mesh->statics[i].back = block + 3 * size;
        }
    }
    sb_status status =
        is_ok ? fill_statics(mesh, err)
              : sb_fail(err, SB_NO_MEMORY, "out of memory for %d rings",
                        profile->count);
    if (status) sb_bem_rings_free(mesh);
    return status;
}

void sb_bem_rings_free(sb_bem_rings_mesh *mesh) {
    sb_free_all(mesh->is_edge, mesh->is_tip, mesh->elements, mesh->waves,
                mesh->statics, mesh->static_block);
    *mesh = (sb_bem_rings_mesh){0};
}
