/* What can be seen of the bodies (deform.h). Thread: as deform.h. */
#include "runtime/deform/deform_state.h"

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

sb_deform_energy sb_deform_energy_of(const sb_deform *deform) {
    return deform->state->energy;
}
