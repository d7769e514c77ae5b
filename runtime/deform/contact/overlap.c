/* Bodies that begin inside rigid ones (deform.h): the contact would throw them
 * out with a speed of its depth per step. Thread: as deform.h. */
#include "runtime/deform/contact/deform_collider.h"
#include "runtime/deform/contact/form.h"

#include <math.h>

/* Depth of the deepest node of a body in a collider. Which side of a mesh is
 * the inside is not known. */
static double depth_in(const sb_deform *deform, const deform_body *body,
                       int index) {
    const collider_form *form = &deform->colliders->forms[index];
    const sb_deform_collider *own = &deform->state->colliders[index].def;
    double apart = 0.5 * body->thickness_m, most = -INFINITY;
    if (form->mesh >= 0) return most;
    for (int i = 0; i < body->surface_count; i++) {
        int node = body->node_first + i;
        sb_vec3 off =
            sb_vec3_sub(row_vec3(deform->positions, node), own->position_m);
        sb_vec3 normal, p = sb_quat_turn_back(own->rotation, off);
        if (deform->inverse_mass[node] == 0) continue;
        most = fmax(most, apart - form_distance(form, p, 1, 1, &normal));
    }
    return most;
}

double sb_deform_overlap(const sb_deform *deform, int *body, int *collider) {
    double most = -INFINITY;
    for (int b = 0; b < deform->body_count; b++) {
        for (int c = 0; c < deform->collider_count; c++) {
            double depth = depth_in(deform, &deform->bodies[b], c);
            if (!(depth > most)) continue;
            most = depth;
            *body = b;
            *collider = c;
        }
    }
    return most;
}
