/* SPDX-License-Identifier: MIT */
/* Default values of the public structs, and how they are read: a program may have
 * been built with a header that is older or newer than the library. */
#include "bindings/library/library_internal.h"

#include "runtime/scene/plan/listener.h"

#include <math.h>
#include <string.h>

static const sandbell_vec3 unknown = {NAN, NAN, NAN};

#define DEFS(X)                                            \
    X(SANDBELL_SETUP_DEF, setup, sandbell_setup_def)       \
    X(SANDBELL_SCENE_DEF, scene, sandbell_scene_def)       \
    X(SANDBELL_MATERIAL, material, sandbell_material)      \
    X(SANDBELL_BODY_DEF, body, sandbell_body_def)          \
    X(SANDBELL_POSE, pose, sandbell_pose)                  \
    X(SANDBELL_LISTENER, listener, sandbell_listener)      \
    X(SANDBELL_PLACE, place, sandbell_place)               \
    X(SANDBELL_STRIKE_DEF, strike, sandbell_strike_def)    \
    X(SANDBELL_IMPACT, impact, sandbell_impact)            \
    X(SANDBELL_CONTACT_DEF, contact, sandbell_contact_def) \
    X(SANDBELL_LOAD, load, sandbell_load)                  \
    X(SANDBELL_POINT, point, sandbell_point)               \
    X(SANDBELL_STEP, step, sandbell_step)                  \
    X(SANDBELL_EVENT, event, sandbell_event)               \
    X(SANDBELL_STATS, stats, sandbell_stats)               \
    X(SANDBELL_PLAY_DEF, play, sandbell_play_def)

/* The latest version of each, in a space that has room for any. */
typedef union any_def {
    uint32_t size;
#define X(which, member, type) type member;
    DEFS(X)
#undef X
} any_def;

static const struct {
    const char *name;
    size_t size;
} defs[SANDBELL_DEF_COUNT] = {
#define X(which, member, type) [which] = {#type, sizeof(type)},
    DEFS(X)
#undef X
};

static void fill_body(sandbell_body_def *def) {
    def->mesh_scale = 1.0;
    def->rotation.w = 1.0;
    def->gain = 1.0;
}

static void fill_listener(sandbell_listener *def) {
    sb_listener own = sb_listener_default();
    def->ears = (int32_t)own.ears;
    def->position = vec3_out(own.position);
    def->facing = vec3_out(own.facing);
    def->gain = own.gain;
    def->spacing_m = own.spacing_m;
}

static void fill_load(sandbell_load *def) {
    def->force_n = def->slip_m_s = NAN;
    def->speed_m_s[0] = def->speed_m_s[1] = NAN;
}

static void fill_point(sandbell_point *def) {
    def->closing_m_s = def->impulse_ns = NAN;
    def->velocity_a = def->velocity_b = unknown;
    def->centre_velocity_a = def->centre_velocity_b = unknown;
    def->inverse_mass_a = def->inverse_mass_b = -1.0;
    def->restitution = -1.0;
}

static void fill_step(sandbell_step *def) {
    def->point_size = sizeof(sandbell_point);
    def->pose_size = sizeof(sandbell_pose);
    def->gravity.y = -9.81;
}

static void fill_scene(sandbell_scene_def *def) {
    def->rate_hz = 48000.0;
    def->seed = 1;
    def->lead_frames = 2048;
}

static void fill(int which, any_def *def) {
    memset(def, 0, sizeof *def);
    switch (which) {
    case SANDBELL_SCENE_DEF:
        fill_scene(&def->scene);
        break;
    case SANDBELL_MATERIAL:
        /* It is in the library. */
        (void)sandbell_material_find("steel", &def->material, NULL);
        break;
    case SANDBELL_BODY_DEF:
        fill_body(&def->body);
        break;
    case SANDBELL_POSE:
        def->pose.rotation.w = 1.0;
        break;
    case SANDBELL_LISTENER:
        fill_listener(&def->listener);
        break;
    case SANDBELL_STRIKE_DEF:
        def->strike.speed_m_s = NAN;
        break;
    case SANDBELL_CONTACT_DEF:
        def->contact.level = 1.0;
        break;
    case SANDBELL_LOAD:
        fill_load(&def->load);
        break;
    case SANDBELL_POINT:
        fill_point(&def->point);
        break;
    case SANDBELL_STEP:
        fill_step(&def->step);
        break;
    default:
        break;
    }
    def->size = (uint32_t)defs[which].size;
}

void sandbell_def_init(int which, void *def, size_t size) {
    any_def full;
    memset(def, 0, size);
    if (which < 0 || which >= SANDBELL_DEF_COUNT) return;
    full.size = 0;
    fill(which, &full);
    memcpy(def, &full, size < defs[which].size ? size : defs[which].size);
    uint32_t bytes = (uint32_t)size;
    memcpy(def, &bytes, sizeof bytes);
}

sb_status library_read(int which, const void *given, void *own, size_t own_size,
                       sb_error *err) {
    uint32_t size = 0;
    sandbell_def_init(which, own, own_size);
    if (!given) return SB_OK;
    memcpy(&size, given, sizeof size);
    /* So far there is one version of each: no program has a shorter one. */
    if (size < defs[which].size)
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "%s: size is %u: begin with %s_default()",
                       defs[which].name, size, defs[which].name);
    const unsigned char *bytes = given;
    for (size_t i = own_size; i < size; i++)
        if (bytes[i])
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "%s: it has values that this version of the library "
                           "does not know (%u bytes, known are %zu)",
                           defs[which].name, size, own_size);
    memcpy(own, given, size < own_size ? size : own_size);
    return SB_OK;
}

void library_write(const void *own, size_t own_size, void *out) {
    uint32_t size;
    memcpy(&size, out, sizeof size);
    if (size < sizeof size) return;
    memcpy(out, own, size < own_size ? size : own_size);
    memcpy(out, &size, sizeof size);
}
