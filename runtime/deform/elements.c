/* Forces of the elements of a chunk. Thread: members of the team. */
#include "runtime/deform/deform_state.h"
#include "runtime/deform/kernel/kernel.h"

void deform_group_forces(sb_deform *deform, int chunk, bool has_sums) {
    const group_chunk *own = &deform->group_chunks[chunk];
    const deform_body *body = &deform->bodies[own->body];
    int sums_at = body->group_first + (body->is_sheet ? deform->tet_groups : 0);
    sb_element_job job = {
        .positions = deform->positions,
        .quats = deform->quats,
        .memory = deform->memory + body->memory_at,
        .forces = deform->forces,
        .moments = deform->moments,
        .lame = body->lame,
        .shear_twice = body->shear_twice,
        .rate = body->rate,
        .gain = body->gain,
    };
    if (has_sums) {
        job.energy_j = deform->energy_j + sums_at;
        job.least = deform->least + sums_at;
    }
    if (body->is_sheet) {
        job.shells = deform->shells + body->group_first;
        deform->kernel->shells(&job, own->first, own->last);
    } else {
        job.tets = deform->tets + body->group_first;
        job.metrics = deform->metrics + body->metric_first;
        job.is_straight = body->is_straight;
        deform->kernel->tets(&job, own->first, own->last);
    }
}
