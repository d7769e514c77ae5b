/* Making colliders (deform_collider.h). Thread: as deform.h. */
#include "runtime/deform/contact/deform_collider.h"

#include "runtime/base/memory.h"
#include "runtime/deform/contact/beads.h"
#include "runtime/deform/contact/form.h"
#include "runtime/deform/contact/heard.h"

#include <math.h>
#include <stdio.h>

/* Mean edge of the body with the finest mesh, and the longest of all. */
static void find_edges(const sb_deform *deform, double *mean, double *longest) {
    *mean = INFINITY;
    *longest = 0;
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        double sum = 0;
        for (int i = 0; i < 3 * body->face_count; i++) {
            const int *face = deform->faces[body->face_first + i / 3];
            int from = body->node_first + face[i % 3];
            int to = body->node_first + face[(i + 1) % 3];
            double length = sb_vec3_length(sb_vec3_sub(
                row_vec3(deform->rest, from), row_vec3(deform->rest, to)));
            sum += length;
            *longest = fmax(*longest, length);
        }
        *mean = fmin(*mean, sum / (3.0 * body->face_count));
    }
}

static sb_status make_forms(sb_deform *deform, const sb_deform_def *def,
                            sb_error *err) {
    deform_colliders *all = deform->colliders;
    double mean, longest;
    find_edges(deform, &mean, &longest);
    for (int i = 0; i < def->collider_count; i++) {
        collider_form *form = &all->forms[i];
        char name[40];
        (void)snprintf(name, sizeof name, "deformable bodies: collider %d", i);
        sb_status status =
            form_make(&def->colliders[i], name, 0.5 * mean, form, err);
        if (status) return status;
        /* Between nodes, a ball much larger than triangles sinks by less than
         * a hundredth of its radius. Small ones meet only triangles. */
        if (form->form == SB_DEFORM_SPHERE) {
            form->has_nodes = form->sizes_m.x > 4 * longest;
            if (form->has_nodes) form->bead_count = 0;
        }
        if (form->form == SB_DEFORM_MESH) form->mesh = all->mesh_count++;
    }
    return SB_OK;
}

sb_status deform_colliders_make(sb_deform *deform, const sb_deform_def *def,
                                sb_error *err) {
    deform_colliders *all = sb_alloc(1, sizeof *all);
    size_t count = (size_t)def->collider_count;
    size_t chunks = (size_t)deform->node_chunk_count;
    deform->colliders = all;
    if (!all)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    all->forms = sb_alloc(count, sizeof *all->forms);
    all->poses = sb_alloc(count, sizeof *all->poses);
    all->row_of = sb_alloc(chunks, sizeof *all->row_of);
    for (size_t c = 0; c < chunks && all->row_of; c++) {
        bool is_surface = deform->node_chunks[c].is_surface;
        all->row_of[c] = is_surface ? all->hit_rows++ : -1;
    }
    size_t rows = (size_t)++all->hit_rows;
    all->hits = sb_alloc(rows * count, sizeof *all->hits);
    all->near_counts = sb_alloc(rows * count, sizeof *all->near_counts);
    all->hit_now = sb_alloc(rows, sizeof *all->hit_now);
    deform->bytes += (double)(rows * count) *
                     (double)(sizeof *all->hits + sizeof *all->near_counts);
    if (!all->forms || !all->poses || !all->row_of || !all->hits ||
        !all->near_counts || !all->hit_now)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    sb_status status = make_forms(deform, def, err);
    if (!status) status = deform_beads_make(deform, err);
    return status ? status : deform_heard_make(deform, def, err);
}

void deform_colliders_free(sb_deform *deform) {
    deform_colliders *all = deform->colliders;
    if (!all) return;
    for (int i = 0; i < deform->collider_count && all->forms; i++) {
        form_free(&all->forms[i]);
    }
    deform_beads_free(all->beads);
    deform_heard_free(all->heard);
    sb_free(all->forms);
    sb_free(all->poses);
    sb_free(all->row_of);
    sb_free(all->hits);
    sb_free(all->near_counts);
    sb_free(all->hit_now);
    sb_free(all);
    deform->colliders = NULL;
}

static size_t near_numbers(const deform_colliders *all) {
    return (size_t)all->hit_rows * sizeof(deform_mask) / sizeof(double);
}

size_t deform_colliders_numbers(const sb_deform *deform) {
    const deform_colliders *all = deform->colliders;
    if (!all) return 0;
    size_t sides = (size_t)deform->node_count * (size_t)all->mesh_count;
    return near_numbers(all) + (sides + 7) / 8 +
           deform_beads_numbers(all->beads) + deform_heard_numbers(all->heard);
}

void deform_colliders_place(sb_deform *deform, double *state) {
    deform_colliders *all = deform->colliders;
    if (!all) return;
    all->near = (deform_mask *)(void *)state;
    state += near_numbers(all);
    all->side = (signed char *)(void *)state;
    size_t sides = (size_t)deform->node_count * (size_t)all->mesh_count;
    state += (sides + 7) / 8;
    deform_beads_place(all->beads, state);
    deform_heard_place(all->heard, state + deform_beads_numbers(all->beads));
}
