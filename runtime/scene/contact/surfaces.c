/* SPDX-License-Identifier: MIT */
/* Surfaces made from the roughness of a material, and the profile that a ball
 * follows on a surface. Both are cached in the scene. Control thread. */
#include "runtime/base/bumps.h"
#include "runtime/base/memory.h"
#include "runtime/dsp/surface/surface.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/state/state.h"

#define ROUGHNESS_M 5e-6 /* default */

/* Made when something first rolls on the body, so it must be quick: 16384 bumps,
 * then repeated. With a quarter of them single lines of what repeats are heard
 * at 3 m/s. */
#define GRAINS 16384.0

/* What was made of a surface, or of a roughness; replaced in turn. */
typedef struct made_surface {
    sb_surface *from, *made;
    double by[2];
} made_surface;

/* A profile that a ball of some radius follows; a surface of some roughness; a
 * stretch closed into a ring. */
enum { ROLLED, ROUGH, LOOPED, KINDS, MOST = 64 };
static const int most[KINDS] = {MOST, 16, 16};

struct scene_surfaces {
    made_surface made[KINDS][MOST];
    int next[KINDS];
};

static sb_surface *find(const sb_scene *scene, int kind, const sb_surface *from,
                        double first, double second) {
    for (int i = 0; scene->surfaces && i < most[kind]; i++) {
        const made_surface *known = &scene->surfaces->made[kind][i];
        if (known->made && known->from == from && known->by[0] == first &&
            known->by[1] == second)
            return known->made;
    }
    return NULL;
}

static void drop(made_surface *place) {
    sb_surface_release(place->from);
    sb_surface_release(place->made);
}

/* Takes `made` over, also where it fails. */
static sb_status keep(sb_scene *scene, int kind, made_surface made,
                      sb_error *err) {
    if (!scene->surfaces)
        scene->surfaces = sb_alloc(1, sizeof *scene->surfaces);
    if (!scene->surfaces) {
        sb_surface_release(made.made);
        return sb_no_memory(err, "surface");
    }
    int *next = &scene->surfaces->next[kind];
    made_surface *place = &scene->surfaces->made[kind][*next];
    *next = (*next + 1) % most[kind];
    drop(place);
    *place = made;
    if (made.from) sb_surface_retain(made.from);
    return SB_OK;
}

static sb_status make_rough(double roughness_m, sb_surface **out,
                            sb_error *err) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    noise.roughness_m = roughness_m;
    noise.grain_m = sb_bump_length_m(roughness_m);
    noise.length_m = GRAINS * noise.grain_m;
    return sb_surface_create(&noise, out, err);
}

sb_status scene_surface(scene_body *body, sb_surface **out, sb_error *err) {
    const sb_body_def *def = &body->declared.def;
    *out = def->surface ? def->surface : body->surface;
    if (*out) return SB_OK;
    sb_status status = make_rough(
        def->has_material ? def->material.roughness : ROUGHNESS_M, out, err);
    if (!status) body->surface = *out;
    return status;
}

sb_status scene_rough(sb_scene *scene, double roughness_m, sb_surface **out,
                      sb_error *err) {
    *out = find(scene, ROUGH, NULL, roughness_m, 0.0);
    if (*out) return SB_OK;
    sb_status status = make_rough(roughness_m, out, err);
    return status ? status
                  : keep(scene, ROUGH,
                         (made_surface){NULL, *out, {roughness_m, 0.0}}, err);
}

sb_status scene_loop(sb_scene *scene, sb_surface *surface, double length_m,
                     sb_surface **out, sb_error *err) {
    *out = find(scene, LOOPED, surface, length_m, 0.0);
    if (*out) return SB_OK;
    sb_status status = sb_surface_loop(surface, length_m, out, err);
    return status ? status
                  : keep(scene, LOOPED,
                         (made_surface){surface, *out, {length_m, 0.0}}, err);
}

void scene_smooth(scene_body *body) {
    sb_surface_release(body->surface);
    body->surface = NULL;
}

sb_status scene_roll(sb_scene *scene, sb_surface *surface, double radius_m,
                     double patch_m, sb_surface **out, sb_error *err) {
    *out = find(scene, ROLLED, surface, radius_m, patch_m);
    if (*out) return SB_OK;
    sb_status status = sb_surface_roll(surface, radius_m, patch_m, out, err);
    return status
               ? status
               : keep(scene, ROLLED,
                      (made_surface){surface, *out, {radius_m, patch_m}}, err);
}

void scene_free_surfaces(sb_scene *scene) {
    for (int kind = 0; scene->surfaces && kind < KINDS; kind++)
        for (int i = 0; i < most[kind]; i++)
            drop(&scene->surfaces->made[kind][i]);
    sb_free(scene->surfaces);
}
