/* What can be seen of the bodies (deform.h). Thread: as deform.h. */
#include "runtime/deform/deform_internal.h"

int sb_deform_surface_nodes(const sb_deform *deform, int body) {
    return deform->bodies[body].surface_count;
}

const int (*sb_deform_surface_faces(const sb_deform *deform, int body,
                                    int *count))[3] {
    const deform_body *own = &deform->bodies[body];
    *count = own->face_count;
    return (const int(*)[3])(deform->faces + own->face_first);
}

void sb_deform_pose(const sb_deform *deform, int body, sb_vec3 *out) {
    const deform_body *own = &deform->bodies[body];
    for (int i = 0; i < own->surface_count; i++) {
        out[i] = row_vec3(deform->positions, own->node_first + i);
    }
}

void sb_deform_velocities(const sb_deform *deform, int body, sb_vec3 *out) {
    const deform_body *own = &deform->bodies[body];
    for (int i = 0; i < own->surface_count; i++) {
        out[i] = row_vec3(deform->velocities, own->node_first + i);
    }
}

sb_deform_motion sb_deform_motion_of(const sb_deform *deform, int body) {
    const deform_body *own = &deform->bodies[body];
    sb_deform_motion motion = {.mass_kg = own->mass_kg};
    sb_vec3 first = {0, 0, 0}, p = {0, 0, 0}, l = {0, 0, 0};
    sb_vec3 about = row_vec3(deform->positions, own->node_first);
    for (int i = 0; i < own->real_count; i++) {
        int node = own->node_first + i;
        sb_vec3 x = sb_vec3_sub(row_vec3(deform->positions, node), about);
        sb_vec3 v = row_vec3(deform->velocities, node);
        double mass = deform->mass[node];
        first = sb_vec3_add(first, sb_vec3_scale(x, mass));
        p = sb_vec3_add(p, sb_vec3_scale(v, mass));
        l = sb_vec3_add(l, sb_vec3_scale(sb_vec3_cross(x, v), mass));
        if (own->is_sheet)
            l = sb_vec3_add(l, sb_vec3_scale(row_vec3(deform->spins, node),
                                             deform->inertia[node]));
    }
    sb_vec3 off = sb_vec3_scale(first, 1 / own->mass_kg);
    motion.centre_m = sb_vec3_add(about, off);
    motion.momentum_ns = p;
    motion.spin_nms = sb_vec3_sub(l, sb_vec3_cross(off, p));
    return motion;
}

sb_deform_energy sb_deform_energy_of(const sb_deform *deform) {
    return deform->state->energy;
}
