/* bindings/cli/console/warnings.c -- what is probably a mistake in a scene.
 * Thread: control. */
#include "bindings/cli/console/cli.h"
#include "runtime/scene/plan/planned.h"
#include "runtime/scene/world/scene_world.h"
#include "runtime/world/collider_choice.h"

#include <stdio.h>

enum { OVERLAPS_MOST = 5 };

typedef struct warnings {
    const char *verb;
    const sb_scene *scene;
    int count, overlap_count;
} warnings;

static void begin(warnings *self) {
    (void)fprintf(stderr, "sandbell %s: warning: ", self->verb);
    self->count++;
}

/* --- one body ------------------------------------------------------------- */

/* Meshes are measured where they are read. */
static void check_size(warnings *self, const char *name,
                       const sb_shape *shape) {
    char remark[96];
    if (!sb_shape_size_remark(shape, remark, sizeof remark)) return;
    begin(self);
    (void)fprintf(stderr,
                  "'%s' is a %s of %.3g m; lengths are in metres "
                  "(millimetres?)\n",
                  name, sb_shape_kind_name(shape->kind),
                  sb_shape_largest_m(shape));
}

/* Modes that are not solved for; those above half the sample rate are said
 * already. */
static void check_limit(warnings *self, const char *name, const sb_shape *shape,
                        double rate_hz) {
    double limit_hz = sb_shape_max_hz(shape);
    int above = 0;
    for (int k = 0; shape->modes && k < shape->mode_count; k++)
        above += shape->modes[k].freq_hz > limit_hz &&
                 shape->modes[k].freq_hz < 0.5 * rate_hz;
    if (above == 0) return;
    begin(self);
    (void)fprintf(stderr,
                  "%d of the %d modes given for '%s' %s above %g Hz and %s "
                  "left out\n",
                  above, shape->mode_count, name, above == 1 ? "is" : "are",
                  limit_hz, above == 1 ? "is" : "are");
}

static void check_modes(warnings *self, const char *name, const sb_shape *shape,
                        double rate_hz) {
    int above = 0;
    for (int k = 0; shape->modes && k < shape->mode_count; k++)
        above += shape->modes[k].freq_hz >= 0.5 * rate_hz;
    check_limit(self, name, shape, rate_hz);
    if (above == 0) return;
    begin(self);
    (void)fprintf(stderr,
                  "%d of the %d modes given for '%s' %s not below %g Hz, half "
                  "the sample rate, and will not sound\n",
                  above, shape->mode_count, name, above == 1 ? "is" : "are",
                  0.5 * rate_hz);
}

/* A free open mesh collides as its hull, or with its faces if it is flat. */
static void check_hull(warnings *self, const char *name,
                       const sb_body_def *def) {
    if (def->moves.collider.kind != SB_COLLIDER_AUTO) return;
    if (def->moves.motion != SB_MOTION_FREE) return;
    if (!sb_collider_is_open(&def->shape)) return;
    begin(self);
    if (sb_collider_of(&def->shape).kind == SB_COLLIDER_MESH) {
        (void)fprintf(stderr,
                      "'%s' is a flat open mesh, and collides as a sheet "
                      "without thickness (collider = \"mesh\" says that this "
                      "is meant)\n",
                      name);
        return;
    }
    (void)fprintf(stderr,
                  "'%s' is a free open mesh, and collides as its convex hull: "
                  "nothing falls into it (collider = \"mesh\" has its faces, "
                  "collider = \"hull\" says that this is meant)\n",
                  name);
}

/* --- pairs ---------------------------------------------------------------- */

static void check_overlap(void *user, sb_body_id first, sb_body_id second,
                          double depth_m) {
    warnings *self = user;
    const sb_scene *scene = self->scene;
    if (!sb_scene_has(scene, first) || !sb_scene_has(scene, second)) return;
    if (self->overlap_count++ >= OVERLAPS_MOST) return;
    char text[SB_OVERLAP_TEXT_SIZE];
    sb_scene_overlap_text(scene, first, second, depth_m, text);
    begin(self);
    (void)fprintf(stderr, "%s\n", text);
}

static void check_overlaps(warnings *self) {
    bool is_whole = sb_scene_overlaps(self->scene, check_overlap, self);
    int more = self->overlap_count - OVERLAPS_MOST;
    if (is_interrupted()) return;
    if (more > 0) {
        begin(self);
        (void)fprintf(stderr, "%s%d more pairs of bodies begin inside others\n",
                      is_whole ? "" : "at least ", more);
    } else if (!is_whole) {
        begin(self);
        (void)fprintf(stderr, "too many bodies are near each other: not all "
                              "pairs are checked for overlaps\n");
    }
}

/* --- all of it ------------------------------------------------------------ */

int warn_of_scene(const char *verb, const sb_scene *scene, double rate_hz) {
    warnings self = {.verb = verb, .scene = scene};
    int count = sb_scene_body_count(scene);
    bool has_world = sb_scene_world_info(scene).is_there;
    if (count == 0) {
        begin(&self);
        (void)fprintf(stderr, "the scene is empty: sb.body adds a body\n");
    }
    for (int i = 0; i < count; i++) {
        sb_body_id id = sb_scene_body_at(scene, i);
        const sb_planned *planned = sb_scene_body_planned(scene, id);
        check_size(&self, planned->name, &planned->def.shape);
        check_modes(&self, planned->name, &planned->def.shape, rate_hz);
        if (has_world) check_hull(&self, planned->name, &planned->def);
    }
    check_overlaps(&self);
    return self.count;
}
