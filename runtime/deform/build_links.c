/* Which element forces act on each node, and the chunks that threads take.
 * Thread: as deform.h. */
#include "runtime/deform/deform_internal.h"

#include "runtime/base/memory.h"

#include <string.h>

/* The nodes of element i of a body, and the rows of their forces. */
static int list_element(const sb_deform *deform, const deform_body *body, int i,
                        int nodes[10], int rows[10]) {
    int group = i / SB_DEFORM_LANES, lane = i % SB_DEFORM_LANES;
    int count = body->is_sheet ? 3 : 10;
    int per_group = (body->is_sheet ? 6 : 10) * SB_DEFORM_LANES;
    int first = (int)(body->forces_at / 4) + group * per_group;
    for (int n = 0; n < count; n++) {
        nodes[n] =
            body->is_sheet
                ? deform->shells[body->group_first + group].nodes[n][lane]
                : deform->tets[body->group_first + group].nodes[n][lane];
        rows[n] = first + n * SB_DEFORM_LANES + lane;
    }
    return count;
}

static void link_slots(sb_deform *deform) {
    int nodes[10], rows[10];
    int *start = deform->slot_start;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < deform->body_count; b++) {
            const deform_body *body = &deform->bodies[b];
            for (int i = 0; i < body->element_count; i++) {
                int count = list_element(deform, body, i, nodes, rows);
                for (int n = 0; n < count; n++) {
                    if (pass == 0)
                        start[nodes[n]]++;
                    else
                        deform->slots[--start[nodes[n]]] = rows[n];
                }
            }
        }
        if (pass == 1) break;
        for (int n = 1; n <= deform->node_count; n++) {
            start[n] += start[n - 1];
        }
    }
}

static int chunks_of(int count, int size) {
    return (count + size - 1) / size;
}

static int cut_nodes(const deform_body *body, int index, node_chunk *out) {
    int count = 0;
    int ends[3] = {0, body->is_sheet ? body->node_count : body->surface_count,
                   body->node_count};
    for (int part = 0; part < 2; part++) {
        for (int i = ends[part]; i < ends[part + 1]; i += CHUNK_NODES) {
            int last = i + CHUNK_NODES;
            if (last > ends[part + 1]) last = ends[part + 1];
            if (out)
                out[count] = (node_chunk){index, body->node_first + i,
                                          body->node_first + last, part == 0};
            count++;
        }
    }
    return count;
}

static void cut_chunks(sb_deform *deform) {
    int nodes = 0, groups = 0;
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        nodes += cut_nodes(body, b, &deform->node_chunks[nodes]);
        for (int i = 0; i < body->group_count; i += CHUNK_GROUPS) {
            int last = i + CHUNK_GROUPS;
            if (last > body->group_count) last = body->group_count;
            deform->group_chunks[groups++] = (group_chunk){b, i, last};
        }
    }
    for (int c = 0; c < deform->node_chunk_count; c++) {
        const node_chunk *chunk = &deform->node_chunks[c];
        for (int n = chunk->first; n < chunk->last; n++) {
            deform->chunk_of[n] = c;
        }
    }
}

sb_status deform_link(sb_deform *deform, sb_error *err) {
    for (int b = 0; b < deform->body_count; b++) {
        const deform_body *body = &deform->bodies[b];
        deform->node_chunk_count += cut_nodes(body, b, NULL);
        deform->group_chunk_count += chunks_of(body->group_count, CHUNK_GROUPS);
    }
    size_t nodes = (size_t)deform->node_chunk_count;
    deform->node_chunks = sb_alloc(nodes, sizeof *deform->node_chunks);
    deform->group_chunks = sb_alloc((size_t)deform->group_chunk_count,
                                    sizeof *deform->group_chunks);
    deform->has_push = sb_alloc(nodes, 1);
    deform->sums = sb_alloc(nodes, sizeof *deform->sums);
    deform->rigid = sb_alloc((size_t)deform->body_count, sizeof *deform->rigid);
    if (!deform->node_chunks || !deform->group_chunks || !deform->has_push ||
        !deform->sums || !deform->rigid)
        return sb_fail(err, SB_NO_MEMORY, "deformable bodies: out of memory");
    link_slots(deform);
    cut_chunks(deform);
    return SB_OK;
}
