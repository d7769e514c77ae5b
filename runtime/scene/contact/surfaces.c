/* Surfaces made from the roughness of a material, and the profile that a ball
 * follows on a surface. Both are cached in the scene. Control thread. */
#include "runtime/dsp/surface/surface.h"
#include "runtime/scene/contact/scene_contact.h"
#include "runtime/scene/state/state.h"

#include <math.h>

/* Default roughness, and the ratio of length to height of a bump where only the
 * height is known: machined and polished surfaces have slopes of one or two
 * degrees. */
#define ROUGHNESS_M   5e-6
#define GRAIN_RATIO   40.0
#define GRAIN_LEAST_M 2e-5

/* Made when something first rolls on the body, so it must be quick: 16384 bumps,
 * then repeated. With a quarter of them single lines of what repeats are heard
 * at 3 m/s. */
#define GRAINS 16384.0

static sb_status make_rough(double roughness_m, sb_surface **out,
                            sb_error *err) {
    sb_surface_def noise = sb_surface_default(SB_SURFACE_NOISE);
    noise.roughness_m = roughness_m;
    noise.grain_m = fmax(GRAIN_RATIO * roughness_m, GRAIN_LEAST_M);
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
    for (int i = 0; i < SCENE_ROUGH; i++) {
        if (scene->rough[i].roughness_m != roughness_m) continue;
        *out = scene->rough[i].surface;
        return SB_OK;
    }
    sb_status status = make_rough(roughness_m, out, err);
    if (status) return status;
    scene_roughness *place = &scene->rough[scene->rough_next];
    scene->rough_next = (scene->rough_next + 1) % SCENE_ROUGH;
    sb_surface_release(place->surface);
    *place = (scene_roughness){*out, roughness_m};
    return SB_OK;
}

sb_status scene_loop(sb_scene *scene, sb_surface *surface, double length_m,
                     sb_surface **out, sb_error *err) {
    for (int i = 0; i < SCENE_LOOPED; i++) {
        const scene_looped *known = &scene->looped[i];
        if (known->surface != surface || known->length_m != length_m) continue;
        *out = known->looped;
        return SB_OK;
    }
    sb_surface *looped;
    sb_status status = sb_surface_loop(surface, length_m, &looped, err);
    if (status) return status;
    scene_looped *place = &scene->looped[scene->looped_next];
    scene->looped_next = (scene->looped_next + 1) % SCENE_LOOPED;
    sb_surface_release(place->surface);
    sb_surface_release(place->looped);
    *place = (scene_looped){sb_surface_retain(surface), looped, length_m};
    *out = looped;
    return SB_OK;
}

void scene_smooth(scene_body *body) {
    sb_surface_release(body->surface);
    body->surface = NULL;
}

sb_status scene_roll(sb_scene *scene, sb_surface *surface, double radius_m,
                     double patch_m, sb_surface **out, sb_error *err) {
    for (int i = 0; i < SCENE_ROLLED; i++) {
        const scene_rolled *known = &scene->rolled[i];
        if (known->surface != surface || known->radius_m != radius_m ||
            known->patch_m != patch_m)
            continue;
        *out = known->rolled;
        return SB_OK;
    }
    sb_surface *rolled;
    sb_status status =
        sb_surface_roll(surface, radius_m, patch_m, &rolled, err);
    if (status) return status;
    scene_rolled *place = &scene->rolled[scene->rolled_next];
    scene->rolled_next = (scene->rolled_next + 1) % SCENE_ROLLED;
    sb_surface_release(place->surface);
    sb_surface_release(place->rolled);
    *place =
        (scene_rolled){sb_surface_retain(surface), rolled, radius_m, patch_m};
    *out = rolled;
    return SB_OK;
}

void scene_free_surfaces(sb_scene *scene) {
    for (int i = 0; i < SCENE_ROLLED; i++) {
        sb_surface_release(scene->rolled[i].surface);
        sb_surface_release(scene->rolled[i].rolled);
    }
    for (int i = 0; i < SCENE_ROUGH; i++)
        sb_surface_release(scene->rough[i].surface);
    for (int i = 0; i < SCENE_LOOPED; i++) {
        sb_surface_release(scene->looped[i].surface);
        sb_surface_release(scene->looped[i].looped);
    }
}
