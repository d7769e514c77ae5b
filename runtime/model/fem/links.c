/* Finds the nodes that share an element with each node. Runs on the control
 * thread or a worker. */
#include "runtime/model/fem/links.h"

#include "runtime/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
    const sb_cells *cells;
    int node_count;
    int *starts; /* of each node's cells, in `own` */
    int *own;
    int *seen; /* the last node in whose count this one was included */
} finder;

static const int *cell(const sb_cells *cells, int i) {
    return cells->nodes + (size_t)i * (size_t)cells->stride;
}

/* Lists the cells of each node by a counting sort. */
static void list_cells(finder *f) {
    int n = f->node_count, per_cell = f->cells->per_cell;
    for (int i = 0; i < f->cells->count; i++) {
        for (int j = 0; j < per_cell; j++) {
            f->starts[cell(f->cells, i)[j] + 1]++;
        }
    }
    for (int a = 0; a < n; a++) {
        f->starts[a + 1] += f->starts[a];
    }
    for (int i = f->cells->count - 1; i >= 0; i--) {
        for (int j = 0; j < per_cell; j++) {
            f->own[--f->starts[cell(f->cells, i)[j] + 1]] = i;
        }
    }
    /* Filling moved starts[a + 1] down to the first cell of a: shift by one. */
    memmove(f->starts, f->starts + 1, (size_t)n * sizeof *f->starts);
    f->starts[n] = f->cells->count * per_cell;
}

/* Collects the neighbours of node a with higher numbers, each once,
 * unsorted; with NULL it only counts them. */
static int gather(finder *f, int a, int *others) {
    int count = 0;
    for (int p = f->starts[a]; p < f->starts[a + 1]; p++) {
        const int *nodes = cell(f->cells, f->own[p]);
        for (int j = 0; j < f->cells->per_cell; j++) {
            if (nodes[j] <= a || f->seen[nodes[j]] == a + 1) continue;
            f->seen[nodes[j]] = a + 1;
            if (others) others[count] = nodes[j];
            count++;
        }
    }
    return count;
}

static int compare(const void *left, const void *right) {
    const int *l = left, *r = right;
    return (*l > *r) - (*l < *r);
}

/* Usually few, but many at the hub of a fan. */
static void sort(int *list, int count) {
    if (count > 64) {
        qsort(list, (size_t)count, sizeof *list, compare);
        return;
    }
    for (int i = 1; i < count; i++) {
        int kept = list[i], j = i;
        for (; j > 0 && list[j - 1] > kept; j--) {
            list[j] = list[j - 1];
        }
        list[j] = kept;
    }
}

static sb_status no_memory(int nodes, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY,
                   "mesh: out of memory for the links of %d nodes", nodes);
}

static sb_status fill(finder *f, sb_links *links, sb_error *err) {
    long long total = 0;
    for (int a = 0; a < f->node_count; a++) {
        if (f->starts[a] == f->starts[a + 1]) {
            return sb_fail(err, SB_BAD_ARGUMENT,
                           "mesh: node %d of %d is in no element", a,
                           f->node_count);
        }
        total += gather(f, a, NULL);
        if (total > INT_MAX) return no_memory(f->node_count, err);
        links->starts[a + 1] = (int)total;
    }
    links->others = sb_alloc((size_t)total, sizeof *links->others);
    if (!links->others) return no_memory(f->node_count, err);
    memset(f->seen, 0, (size_t)f->node_count * sizeof *f->seen);
    for (int a = 0; a < f->node_count; a++) {
        int *own = links->others + links->starts[a];
        sort(own, gather(f, a, own));
    }
    return SB_OK;
}

sb_status sb_links_find(const sb_cells *cells, int node_count, sb_links *out,
                        sb_error *err) {
    size_t n = (size_t)node_count;
    if (cells->count > INT_MAX / cells->per_cell) {
        return no_memory(node_count, err);
    }
    finder f = {.cells = cells, .node_count = node_count};
    sb_links links = {.node_count = node_count};
    f.starts = sb_alloc(n + 1, sizeof *f.starts);
    f.own =
        sb_alloc((size_t)cells->count * (size_t)cells->per_cell, sizeof *f.own);
    f.seen = sb_alloc(n, sizeof *f.seen);
    links.starts = sb_alloc(n + 1, sizeof *links.starts);
    sb_status status = SB_OK;
    if (f.starts && f.own && f.seen && links.starts) {
        list_cells(&f);
        status = fill(&f, &links, err);
    } else {
        status = no_memory(node_count, err);
    }
    sb_free(f.starts);
    sb_free(f.own);
    sb_free(f.seen);
    if (status) {
        sb_links_free(&links);
        return status;
    }
    *out = links;
    return SB_OK;
}

void sb_links_free(sb_links *links) {
    sb_free(links->starts);
    sb_free(links->others);
    *links = (sb_links){0};
}

int sb_links_at(const sb_links *links, int a, int b) {
    int low = links->starts[a], high = links->starts[a + 1];
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (links->others[middle] <= b) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
