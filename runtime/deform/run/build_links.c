/* Which element forces act on each node, and the chunks that threads take.
 * Thread: as deform.h. */
#include "runtime/deform/deform_state.h"

#include "runtime/base/memory.h"
#include "runtime/deform/kernel/kernel.h"

#include <string.h>

/* The nodes of element i of a body, or the rows of their forces. */
static int *element_of(sb_deform *deform, const deform_body *body, int i,
                       bool is_rows) {
    int group = body->group_first + i / SB_DEFORM_LANES;
    int lane = i % SB_DEFORM_LANES;
    if (body->is_sheet)
        return is_rows ? &deform->shells[group].rows[0][lane]
                       : &deform->shells[group].nodes[0][lane];
    return is_rows ? &deform->tets[group].rows[0][lane]
                   : &deform->tets[group].nodes[0][lane];
}

/* Counts the elements of each node, then gives each its rows, in the order of
 * the elements. */
static void link_rows(sb_deform *deform) {
    int *start = deform->row_start;
    for (int pass = 0; pass < 2; pass++) {
        for (int b = 0; b < deform->body_count; b++) {
            const deform_body *body = &deform->bodies[b];
            int per = body->is_sheet ? 3 : 10;
            for (int i = 0; i < body->group_count * SB_DEFORM_LANES; i++) {
                const int *nodes = element_of(deform, body, i, false);
                int *rows = element_of(deform, body, i, true);
                bool is_real = i < body->element_count;
                for (int n = 0; n < per; n++) {
                    int node = nodes[n * SB_DEFORM_LANES];
                    if (pass == 0)
                        start[node] += is_real;
                    else
                        rows[n * SB_DEFORM_LANES] =
                            is_real ? --start[node] : deform->row_count;
                }
            }
        }
        for (int n = 1; n <= deform->node_count && pass == 0; n++) {
            start[n] += start[n - 1];
        }
    }
}

static int chunks_of(int count, int size) {
    return (count + size - 1) / size;
}

/* Nodes per chunk, at most CHUNK_NODES: so that four threads, or two, have
 * equally many chunks. */
static int chunk_size(int count) {
    int chunks = (chunks_of(count, CHUNK_NODES) + 3) / 4 * 4;
    int size = chunks > 0 ? (chunks_of(count, chunks) + 3) / 4 * 4 : 4;
    return size > 16 ? size : 16;
}

/* Chunks of the surface and of the inside, merged by how far along their part
 * they are: both parts run from one end of the body to the other. */
static int cut_nodes(const deform_body *body, int index, node_chunk *out) {
    int ends[3] = {0, body->is_sheet ? body->node_count : body->surface_count,
                   body->node_count};
    int next[2] = {ends[0], ends[1]}, count = 0;
    while (next[0] < ends[1] || next[1] < ends[2]) {
        double along[2];
        for (int part = 0; part < 2; part++) {
            int size = ends[part + 1] - ends[part];
            along[part] = next[part] < ends[part + 1]
                              ? (double)(next[part] - ends[part]) / size
                              : 2;
        }
        int part = along[1] < along[0], first = next[part];
        int last = first + chunk_size(ends[part + 1] - ends[part]);
        if (last > ends[part + 1]) last = ends[part + 1];
        next[part] = last;
        if (out)
            out[count] = (node_chunk){index, body->node_first + first,
                                      body->node_first + last, part == 0};
        count++;
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
    link_rows(deform);
    cut_chunks(deform);
    return SB_OK;
}
