/* Points and small balls of forms that are tested against triangles (form.h).
 * Thread: as deform.h. */
#include "runtime/deform/contact/form.h"

#include "runtime/base/memory.h"
#include "runtime/base/pi.h"

#include <math.h>

enum { BEADS_MOST = 512, RIM_LEAST = 16 };

/* Beads are counted first, then written. */
typedef struct string {
    form_bead *beads; /* NULL: only counted */
    int count;
} string;

static void add(string *to, sb_vec3 at, double radius_m) {
    if (to->beads) to->beads[to->count] = (form_bead){at, radius_m};
    to->count++;
}

/* Between two points, without them. */
static void add_between(string *to, sb_vec3 a, sb_vec3 b, double radius_m,
                        double spacing_m) {
    sb_vec3 way = sb_vec3_sub(b, a);
    int parts = (int)fmin(ceil(sb_vec3_length(way) / spacing_m), BEADS_MOST);
    for (int i = 1; i < parts; i++) {
        add(to, sb_vec3_add(a, sb_vec3_scale(way, (double)i / parts)),
            radius_m);
    }
}

static void add_circle(string *to, double radius, double y, double radius_m,
                       double spacing_m) {
    int parts = (int)fmin(ceil(SB_TAU * radius / spacing_m), BEADS_MOST);
    if (parts < RIM_LEAST) parts = RIM_LEAST;
    for (int i = 0; i < parts; i++) {
        double angle = SB_TAU * i / parts;
        add(to, (sb_vec3){radius * cos(angle), y, radius * sin(angle)},
            radius_m);
    }
}

static void add_box(string *to, sb_vec3 half, double spacing_m) {
    for (int i = 0; i < 8; i++) {
        const double s[3] = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                             i & 4 ? half.z : -half.z};
        sb_vec3 corner = {s[0], s[1], s[2]};
        add(to, corner, 0);
        for (int k = 0; k < 3; k++) {
            if (i >> k & 1) continue;
            sb_vec3 end = {k == 0 ? -s[0] : s[0], k == 1 ? -s[1] : s[1],
                           k == 2 ? -s[2] : s[2]};
            add_between(to, corner, end, 0, spacing_m);
        }
    }
}

static void add_line(string *to, sb_vec3 end, double radius_m,
                     double spacing_m) {
    sb_vec3 start = sb_vec3_scale(end, -1);
    add(to, start, radius_m);
    add_between(to, start, end, radius_m, spacing_m);
    add(to, end, radius_m);
}

static void add_faces(string *to, const sb_deform_faces *faces,
                      double spacing_m) {
    for (int i = 0; i < faces->point_count; i++) {
        add(to, faces->points[i], 0);
    }
    for (int i = 0; i < 3 * faces->face_count; i++) {
        int a = faces->faces[i / 3][i % 3];
        int b = faces->faces[i / 3][(i + 1) % 3];
        /* A side has two triangles: one of them adds it. */
        if (a < b)
            add_between(to, faces->points[a], faces->points[b], 0, spacing_m);
    }
}

static void add_cylinder(string *to, sb_vec3 sizes, double spacing_m) {
    double r = sizes.x, inner = sizes.y - sizes.x;
    add_circle(to, r, sizes.y, 0, spacing_m);
    add_circle(to, r, -sizes.y, 0, spacing_m);
    /* Balls inside it, as wide as it is. */
    if (inner > 0) add_line(to, (sb_vec3){0, inner, 0}, r, fmin(spacing_m, r));
}

static void string_up(const sb_deform_collider *def, double spacing_m,
                      string *to) {
    sb_vec3 s = def->sizes_m;
    switch (def->form) {
    case SB_DEFORM_SPHERE:
        add(to, (sb_vec3){0, 0, 0}, s.x);
        break;
    case SB_DEFORM_BOX:
        add_box(to, s, spacing_m);
        break;
    case SB_DEFORM_CYLINDER:
        add_cylinder(to, s, spacing_m);
        break;
    case SB_DEFORM_CAPSULE:
        add_line(to, (sb_vec3){s.y, 0, 0}, s.x, fmin(spacing_m, s.x));
        break;
    case SB_DEFORM_RING:
        add_circle(to, s.x, 0, s.y, fmin(spacing_m, s.y));
        break;
    case SB_DEFORM_HULL:
    case SB_DEFORM_MESH:
        add_faces(to, &def->faces, spacing_m);
        break;
    case SB_DEFORM_PLANE:
        break;
    }
}

/* Large forms have their beads farther apart. */
sb_status form_beads_make(const sb_deform_collider *def, double spacing_m,
                          collider_form *form) {
    string counted = {NULL, 0};
    for (int i = 0; i < 24; i++) {
        int before = counted.count;
        counted.count = 0;
        string_up(def, spacing_m, &counted);
        if (counted.count <= BEADS_MOST || counted.count == before) break;
        spacing_m *= 2;
    }
    if (counted.count == 0) return SB_OK;
    form->beads = sb_alloc((size_t)counted.count, sizeof *form->beads);
    if (!form->beads) return SB_NO_MEMORY;
    string written = {form->beads, 0};
    string_up(def, spacing_m, &written);
    form->bead_count = written.count;
    return SB_OK;
}
