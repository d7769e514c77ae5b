/* SPDX-License-Identifier: MIT */
/* Finds the nodes that share an element, determines the sparsity pattern of the
 * global matrices and sums element matrices into them. Runs on the control
 * thread or a worker. */
#include "runtime/model/fem/assembly.h"

#include "runtime/base/memory.h"
#include "runtime/base/vec3.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- which nodes share an element ----------------------------------------- */

static sb_status no_memory(int nodes, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "mesh: out of memory for %d nodes",
                   nodes);
}

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

static void free_links(sb_links *links) {
    sb_free(links->starts);
    sb_free(links->others);
    *links = (sb_links){0};
}

static sb_status find_links(const sb_cells *cells, int node_count,
                            sb_links *out, sb_error *err) {
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
    sb_free_all(f.starts, f.own, f.seen);
    if (status) {
        free_links(&links);
        return status;
    }
    *out = links;
    return SB_OK;
}

static int link_at(const sb_links *links, int a, int b) {
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

/* --- matrices ------------------------------------------------------------- */

static void drop(sb_assembly *assembly) {
    sb_free_all(assembly->indices, assembly->k_before, assembly->m_before);
    free_links(&assembly->links);
    sb_fem_free(&assembly->fem);
    *assembly = (sb_assembly){0};
}

static int is_held(const sb_hold *holds, int node, int dof) {
    if (!holds || holds[node] == SB_HOLD_FREE) return 0;
    return dof < 3 || holds[node] == SB_HOLD_CLAMPED;
}

static const int *indices_of(const sb_assembly *assembly, int node) {
    return assembly->indices + (size_t)node * (size_t)assembly->per_node;
}

static void number(sb_assembly *assembly, const sb_hold *holds) {
    int next = 0, per_node = assembly->per_node;
    for (int i = 0; i < assembly->fem.node_count; i++) {
        int *own = assembly->indices + (size_t)i * (size_t)per_node;
        for (int dof = 0; dof < per_node; dof++) {
            own[dof] = is_held(holds, i, dof) ? -1 : next++;
        }
        memcpy(assembly->fem.dofs[i], own, sizeof assembly->fem.dofs[i]);
    }
    assembly->fem.dof_count = next;
}

/* The free degrees of freedom of a node are `first` .. per_node - 1. */
static int first_free(const sb_assembly *assembly, int node) {
    const int *own = indices_of(assembly, node);
    int first = 0;
    while (first < assembly->per_node && own[first] < 0) {
        first++;
    }
    return first;
}

/* Number of rows that a link adds to a column: in K all free ones of the
 * linked node, in a mass matrix at most the one of the column's axis. */
static int rows_of(const sb_assembly *assembly, int node, bool is_mass) {
    int count = assembly->per_node - first_free(assembly, node);
    return is_mass ? count == assembly->per_node : count;
}

/* Sets before[i] of each link, and starts[j + 1] to the length of column j. */
static void measure_columns(const sb_assembly *assembly, bool is_mass,
                            int *before, int *starts) {
    const sb_links *links = &assembly->links;
    for (int a = 0; a < links->node_count; a++) {
        const int *own = indices_of(assembly, a);
        int sum = 0;
        for (int p = links->starts[a]; p < links->starts[a + 1]; p++) {
            before[p] = sum;
            sum += rows_of(assembly, links->others[p], is_mass);
        }
        for (int i = first_free(assembly, a); i < assembly->per_node; i++) {
            starts[own[i] + 1] = sum + (is_mass ? 1 : assembly->per_node - i);
        }
    }
}

/* Writes the rows of column `own[i]` of node a: those of a itself from i on,
 * then those of its links. */
static void write_column(const sb_assembly *assembly, bool is_mass, int a,
                         int i, int *rows) {
    const sb_links *links = &assembly->links;
    const int *own = indices_of(assembly, a);
    int last = is_mass ? i + 1 : assembly->per_node;
    for (int j = i; j < last; j++) {
        *rows++ = own[j];
    }
    for (int p = links->starts[a]; p < links->starts[a + 1]; p++) {
        const int *other = indices_of(assembly, links->others[p]);
        int first = is_mass ? i : 0;
        last = is_mass ? i + 1 : assembly->per_node;
        for (int j = first; j < last; j++) {
            if (other[j] >= 0) *rows++ = other[j];
        }
    }
}

static sb_status lay_out(sb_assembly *assembly, bool is_mass, sb_sparse *out,
                         sb_error *err) {
    size_t n = (size_t)assembly->fem.dof_count;
    long long sum = 0;
    out->n = assembly->fem.dof_count;
    out->starts = sb_alloc(n + 1, sizeof *out->starts);
    if (!out->starts) return no_memory(assembly->fem.node_count, err);
    measure_columns(assembly, is_mass,
                    is_mass ? assembly->m_before : assembly->k_before,
                    out->starts);
    for (size_t j = 0; j < n; j++) {
        sum += out->starts[j + 1];
        if (sum > INT_MAX) return no_memory(assembly->fem.node_count, err);
        out->starts[j + 1] = (int)sum;
    }
    out->rows = sb_alloc((size_t)sum, sizeof *out->rows);
    out->values = sb_alloc((size_t)sum, sizeof *out->values);
    if (!out->rows || !out->values)
        return no_memory(assembly->fem.node_count, err);
    for (int a = 0; a < assembly->fem.node_count; a++) {
        const int *own = indices_of(assembly, a);
        for (int i = first_free(assembly, a); i < assembly->per_node; i++) {
            write_column(assembly, is_mass, a, i,
                         out->rows + out->starts[own[i]]);
        }
    }
    return SB_OK;
}

static sb_status lay_out_lumps(sb_assembly *assembly, sb_error *err) {
    sb_sparse *m = &assembly->fem.m;
    size_t n = (size_t)assembly->fem.dof_count;
    m->n = assembly->fem.dof_count;
    m->starts = sb_alloc(n + 1, sizeof *m->starts);
    m->rows = sb_alloc(n, sizeof *m->rows);
    m->values = sb_alloc(n, sizeof *m->values);
    if (!m->starts || !m->rows || !m->values)
        return no_memory(assembly->fem.node_count, err);
    int count = 0;
    for (int a = 0; a < assembly->fem.node_count; a++) {
        const int *own = indices_of(assembly, a);
        for (int i = 0; i < assembly->per_node; i++) {
            if (own[i] < 0) continue;
            if (i < assembly->lumped_dofs) m->rows[count++] = own[i];
            m->starts[own[i] + 1] = count;
        }
    }
    return SB_OK;
}

static sb_status lay_out_both(sb_assembly *assembly, const sb_cells *cells,
                              sb_error *err) {
    sb_fem *fem = &assembly->fem;
    if (fem->dof_count == 0) {
        return sb_fail(err, SB_BAD_ARGUMENT,
                       "mesh: every node is held, so nothing can move");
    }
    sb_status status =
        find_links(cells, fem->node_count, &assembly->links, err);
    if (status) return status;
    size_t links = (size_t)assembly->links.starts[fem->node_count];
    assembly->k_before = sb_alloc(links, sizeof(int));
    assembly->m_before = sb_alloc(links, sizeof(int));
    if (!assembly->k_before || !assembly->m_before) {
        return no_memory(assembly->fem.node_count, err);
    }
    status = lay_out(assembly, false, &fem->k, err);
    if (status) return status;
    return assembly->lumped_dofs ? lay_out_lumps(assembly, err)
                                 : lay_out(assembly, true, &fem->m, err);
}

sb_status sb_assembly_begin(sb_assembly *assembly, const sb_assembly_def *def,
                            sb_error *err) {
    *assembly = (sb_assembly){.per_node = def->per_node,
                              .lumped_dofs = def->lumped_dofs,
                              .has_inertia = def->has_inertia};
    if (def->node_count < 1 || def->node_count > INT_MAX / def->per_node) {
        return sb_fail(err, SB_BAD_ARGUMENT, "mesh: %d nodes cannot be solved",
                       def->node_count);
    }
    size_t count = (size_t)def->node_count;
    sb_fem *fem = &assembly->fem;
    fem->node_count = def->node_count;
    fem->element_count = def->cells.count;
    fem->nodes = sb_alloc(count, sizeof *fem->nodes);
    fem->dofs = sb_alloc(count, sizeof *fem->dofs);
    assembly->indices = sb_alloc(count * (size_t)def->per_node, sizeof(int));
    sb_status status = SB_OK;
    if (fem->nodes && fem->dofs && assembly->indices) {
        memcpy(fem->nodes, def->nodes, count * sizeof *fem->nodes);
        number(assembly, def->holds);
        status = lay_out_both(assembly, &def->cells, err);
    } else {
        status = no_memory(assembly->fem.node_count, err);
    }
    if (status) drop(assembly);
    return status;
}

/* Adds the `block` that couples nodes a <= b: rows of b, columns of a. */
static void add_block(sb_assembly *assembly, int a, int b, const double *block,
                      int stride_a, int stride_b) {
    sb_sparse *k = &assembly->fem.k;
    const int *columns = indices_of(assembly, a);
    int per_node = assembly->per_node, first = first_free(assembly, b);
    int before =
        a == b ? 0 : assembly->k_before[link_at(&assembly->links, a, b)];
    for (int i = first_free(assembly, a); i < per_node; i++) {
        int own = a == b ? 0 : per_node - i; /* rows of a come first */
        double *at = k->values + k->starts[columns[i]] + own + before;
        if (a == b) first = i;
        for (int j = first; j < per_node; j++) {
            at[j - first] += block[i * stride_a + j * stride_b];
        }
    }
}

void sb_assembly_add_k(sb_assembly *assembly, const int *nodes, int count,
                       const double *k) {
    int per_node = assembly->per_node, n = count * per_node;
    for (int p = 0; p < count; p++) {
        for (int q = 0; q <= p; q++) {
            const double *block = k + (size_t)(p * n + q) * (size_t)per_node;
            if (nodes[p] > nodes[q]) {
                add_block(assembly, nodes[q], nodes[p], block, 1, n);
            } else {
                add_block(assembly, nodes[p], nodes[q], block, n, 1);
            }
        }
    }
}

void sb_assembly_add_m(sb_assembly *assembly, const int *nodes, int count,
                       const double *m) {
    sb_sparse *out = &assembly->fem.m;
    for (int p = 0; p < count; p++) {
        for (int q = 0; q <= p; q++) {
            int a = nodes[p] < nodes[q] ? nodes[p] : nodes[q];
            int b = nodes[p] < nodes[q] ? nodes[q] : nodes[p], before = 0;
            if (assembly->fem.dofs[a][0] < 0) continue;
            if (assembly->fem.dofs[b][0] < 0) continue;
            if (a != b) {
                int link = link_at(&assembly->links, a, b);
                before = 1 + assembly->m_before[link];
            }
            for (int i = 0; i < 3; i++) {
                int start = out->starts[assembly->fem.dofs[a][i]];
                out->values[start + before] += m[p * count + q];
            }
        }
    }
}

static void add_lumps(sb_assembly *assembly, int node, int from, int to,
                      double value) {
    const int *own = indices_of(assembly, node);
    for (int i = from; i < to; i++) {
        if (own[i] < 0) continue;
        assembly->fem.m.values[assembly->fem.m.starts[own[i]]] += value;
    }
}

void sb_assembly_add_mass(sb_assembly *assembly, int node, double mass_kg) {
    add_lumps(assembly, node, 0,
              assembly->has_inertia ? 3 : assembly->lumped_dofs, mass_kg);
}

void sb_assembly_add_inertia(sb_assembly *assembly, int node,
                             double inertia_kg_m2) {
    add_lumps(assembly, node, 3, assembly->lumped_dofs, inertia_kg_m2);
}

sb_status sb_assembly_end(sb_assembly *assembly, sb_status status,
                          sb_fem *out) {
    if (!status) {
        *out = assembly->fem;
        assembly->fem = (sb_fem){0};
    }
    drop(assembly);
    return status;
}

sb_status sb_elastic_check(const sb_material *material, sb_error *err) {
    double e = material->youngs_modulus, rho = material->density;
    double nu = material->poisson_ratio;
    const char *name = NULL;
    if (!(nu > -1 && nu < 0.5)) name = "poisson_ratio";
    if (!(rho > 0 && isfinite(rho))) name = "density";
    if (!(e > 0 && isfinite(e))) name = "youngs_modulus";
    if (!name) return SB_OK;
    return sb_fail(
        err, SB_BAD_ARGUMENT,
        "material: %s cannot be used (E %g Pa, rho %g kg/m^3, nu %g)", name, e,
        rho, nu);
}

void sb_fem_free(sb_fem *fem) {
    if (!fem) return;
    sb_free_all(fem->nodes, fem->dofs, fem->faces);
    sb_sparse_free(&fem->k);
    sb_sparse_free(&fem->m);
    *fem = (sb_fem){0};
}
