/* SPDX-License-Identifier: MIT */
#include "runtime/model/linear/elimination.h"

#include "runtime/base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Arrays of n numbers each, cut from one block. */
typedef struct finder {
    int n;
    int *block;
    int *starts, *rows;      /* columns of the ordered lower triangle, */
    int *row_starts, *row;   /* and its rows; without the diagonal */
    int *parent, *ancestor;  /* the second: shortcuts in the tree */
    int *post;               /* in which sequence the columns are visited */
    int *head, *next;        /* children of each column, as lists */
    int *first, *last_first; /* see find_counts */
    int *last_leaf;          /* likewise */
    int *spare;
} finder;

static sb_status open_all(finder *own, const sb_sparsity *a, sb_error *err) {
    size_t n = (size_t)a->n, entries = (size_t)a->starts[n];
    int **arrays[] = {&own->parent,     &own->ancestor,  &own->post,
                      &own->head,       &own->next,      &own->first,
                      &own->last_first, &own->last_leaf, &own->spare};
    enum { COUNT = sizeof arrays / sizeof *arrays };
    own->n = a->n;
    own->block = sb_alloc((COUNT + 2) * n + 2 + 2 * entries, sizeof(int));
    if (!own->block)
        return sb_no_memory(err, "analysis of a matrix of size %d", a->n);
    int *at = own->block;
    for (int i = 0; i < COUNT; i++, at += n)
        *arrays[i] = at;
    own->starts = at;
    own->row_starts = own->starts + n + 1;
    own->rows = own->row_starts + n + 1;
    own->row = own->rows + entries;
    return SB_OK;
}

/* --- the ordered pattern -------------------------------------------------- */

/* From counts at [i + 1] to where each list begins. */
static void add_up(int *starts, int n) {
    for (int i = 0; i < n; i++)
        starts[i + 1] += starts[i];
}

/* After each start was moved to its list's end. */
static void move_back(int *starts, int n) {
    memmove(starts + 1, starts, (size_t)n * sizeof *starts);
    starts[0] = 0;
}

/* The columns left of the diagonal in each row of the ordered pattern, in any
 * sequence: `starts` [n + 1] is 0 before, `columns` has room for all entries;
 * places[order[i]] = i. */
static void rows_of(const sb_sparsity *a, const int *order, int *places,
                    int *starts, int *columns) {
    for (int i = 0; i < a->n; i++)
        places[order[i]] = i;
    for (int j = 0; j < a->n; j++) {
        int c = places[j];
        for (int e = a->starts[j]; e < a->starts[j + 1]; e++) {
            int r = places[a->rows[e]];
            if (r != c) starts[(r > c ? r : c) + 1]++;
        }
    }
    add_up(starts, a->n);
    for (int j = 0; j < a->n; j++) {
        int c = places[j];
        for (int e = a->starts[j]; e < a->starts[j + 1]; e++) {
            int r = places[a->rows[e]];
            if (r != c) columns[starts[r > c ? r : c]++] = r < c ? r : c;
        }
    }
    move_back(starts, a->n);
}

/* The same by columns. */
static void turn(finder *own) {
    int n = own->n, *starts = own->starts;
    for (int e = 0; e < own->row_starts[n]; e++)
        starts[own->row[e] + 1]++;
    add_up(starts, n);
    for (int i = 0; i < n; i++) {
        for (int e = own->row_starts[i]; e < own->row_starts[i + 1]; e++)
            own->rows[starts[own->row[e]]++] = i;
    }
    move_back(starts, n);
}

/* --- the tree ------------------------------------------------------------- */

/* Each column that row i of A has becomes, through its root, a child of i. */
static void find_tree(finder *own) {
    for (int i = 0; i < own->n; i++) {
        own->parent[i] = own->ancestor[i] = -1;
        for (int e = own->row_starts[i]; e < own->row_starts[i + 1]; e++) {
            int j = own->row[e];
            while (j != -1 && j < i) {
                int up = own->ancestor[j];
                own->ancestor[j] = i;
                if (up == -1) own->parent[j] = i;
                j = up;
            }
        }
    }
}

static void add_child(finder *own, int j) {
    int parent = own->parent[j];
    if (parent < 0) return;
    own->next[j] = own->head[parent];
    own->head[parent] = j;
}

/* Lists of children begin with the lowest. */
static void list_children(finder *own) {
    for (int j = 0; j < own->n; j++)
        own->head[j] = -1;
    for (int j = own->n - 1; j >= 0; j--)
        add_child(own, j);
}

/* Lists of children begin with the fewest nonzeros, and of equal ones with the
 * lowest: columns are sorted by their counts into `spare`, through `first`. */
static void list_children_by(finder *own, const int *counts) {
    int n = own->n, *ends = own->first;
    memset(ends, 0, (size_t)n * sizeof *ends);
    for (int j = 0; j < n; j++)
        ends[counts[j] - 1]++;
    for (int i = 1; i < n; i++)
        ends[i] += ends[i - 1];
    for (int j = n - 1; j >= 0; j--)
        own->spare[--ends[counts[j] - 1]] = j;
    for (int j = 0; j < n; j++)
        own->head[j] = -1;
    for (int i = n - 1; i >= 0; i--)
        add_child(own, own->spare[i]);
}

/* Depth first, without recursion: trees of chains are as deep as they are
 * large. `ancestor` is the stack. */
static void find_postorder(finder *own) {
    int count = 0;
    for (int root = 0; root < own->n; root++) {
        if (own->parent[root] >= 0) continue;
        int depth = 0, *stack = own->ancestor;
        stack[0] = root;
        while (depth >= 0) {
            int j = stack[depth], child = own->head[j];
            if (child < 0) {
                own->post[count++] = j;
                depth--;
            } else {
                own->head[j] = own->next[child];
                stack[++depth] = child;
            }
        }
    }
}

static void find_first_postorder(finder *own, const sb_sparsity *a,
                                 const int *order) {
    rows_of(a, order, own->spare, own->row_starts, own->row);
    find_tree(own);
    list_children(own);
    find_postorder(own);
}

/* --- counts --------------------------------------------------------------- */

static int find_root(int *ancestor, int j) {
    int root = j;
    while (ancestor[root] != root)
        root = ancestor[root];
    while (j != root) {
        int up = ancestor[j];
        ancestor[j] = root;
        j = up;
    }
    return root;
}

/* first[j] is the visit of the first descendant of j. Column j is a leaf of row
 * i's subtree if none of its descendants has been in it: first[j] is later than
 * the first descendants of all leaves so far, last_first[i]. */
static void count_leaves(finder *own, int j, int *counts) {
    for (int e = own->starts[j]; e < own->starts[j + 1]; e++) {
        int i = own->rows[e], before = own->last_leaf[i];
        if (own->first[j] <= own->last_first[i]) continue;
        own->last_first[i] = own->first[j];
        own->last_leaf[i] = j;
        counts[j]++;
        if (before >= 0) counts[find_root(own->ancestor, before)]--;
    }
}

static void find_counts(finder *own, int *counts) {
    int n = own->n;
    for (int j = 0; j < n; j++) {
        own->first[j] = own->last_first[j] = own->last_leaf[j] = -1;
        own->ancestor[j] = j;
    }
    for (int k = 0; k < n; k++) {
        int j = own->post[k];
        counts[j] = own->first[j] < 0; /* a leaf of the tree */
        for (; j >= 0 && own->first[j] < 0; j = own->parent[j])
            own->first[j] = k;
    }
    for (int k = 0; k < n; k++) {
        int j = own->post[k], parent = own->parent[j];
        if (parent >= 0)
            counts[parent]--; /* the diagonal is not the parent's */
        count_leaves(own, j, counts);
        if (parent >= 0) own->ancestor[j] = parent;
    }
    for (int j = 0; j < n; j++) {
        if (own->parent[j] >= 0) counts[own->parent[j]] += counts[j];
    }
}

/* --- all ------------------------------------------------------------------ */

/* values[k] = values[post[k]] */
static void renumber(finder *own, int *values) {
    for (int k = 0; k < own->n; k++)
        own->spare[k] = values[own->post[k]];
    memcpy(values, own->spare, (size_t)own->n * sizeof *values);
}

static void renumber_tree(finder *own, int *parent) {
    int *places = own->next;
    for (int k = 0; k < own->n; k++)
        places[own->post[k]] = k;
    for (int k = 0; k < own->n; k++) {
        int up = own->parent[own->post[k]];
        parent[k] = up < 0 ? -1 : places[up];
    }
}

sb_status sb_elimination_find(const sb_sparsity *a, sb_elimination *out,
                              sb_error *err) {
    finder own = {0};
    sb_status status = open_all(&own, a, err);
    if (status) return status;
    find_first_postorder(&own, a, out->order);
    turn(&own);
    find_counts(&own, out->counts);
    list_children_by(&own, out->counts);
    find_postorder(&own);
    renumber(&own, out->order);
    renumber(&own, out->counts);
    renumber_tree(&own, out->parent);
    sb_free(own.block);
    out->nonzeros = out->flops = 0;
    for (int j = 0; j < a->n; j++) {
        double count = out->counts[j];
        out->nonzeros += count;
        out->flops += count * count;
    }
    return SB_OK;
}

sb_status sb_elimination_postorder(const sb_sparsity *a, int *order,
                                   sb_error *err) {
    finder own = {0};
    sb_status status = open_all(&own, a, err);
    if (status) return status;
    find_first_postorder(&own, a, order);
    renumber(&own, order);
    sb_free(own.block);
    return SB_OK;
}

/* --- supernodes ----------------------------------------------------------- */

/* Columns first .. last of L, and how many zeros they store. */
typedef struct group {
    int first, last;
    double zeros;
} group;

typedef struct grouping {
    int n;
    const int *counts, *parent;
    group *groups; /* [n], the last columns first */
    int group_count;
    int *owner;      /* [n] group of each column, from the first on; before:
                      * the number of each unknown */
    int *mark;       /* [n] the last row that each group has */
    int *row_starts; /* [n + 1] of the columns of each row of A, */
    int *columns;    /* left of the diagonal */
} grouping;

static void close_groups(grouping *own) {
    sb_free_all(own->groups, own->owner, own->mark, own->row_starts,
                own->columns);
}

static sb_status open_groups(grouping *own, int entries, sb_error *err) {
    size_t n = (size_t)own->n;
    own->groups = sb_alloc(n, sizeof *own->groups);
    own->owner = sb_alloc(n, sizeof(int));
    own->mark = sb_alloc(n, sizeof(int));
    own->row_starts = sb_alloc(n + 1, sizeof(int));
    own->columns = sb_alloc((size_t)entries, sizeof(int));
    bool is_well = own->groups && own->owner && own->mark && own->row_starts &&
                   own->columns;
    return is_well ? SB_OK
                   : sb_no_memory(err, "factorisation of size %d", own->n);
}

static double width(const group *g) {
    return g->last - g->first + 1;
}

/* The rows below the last column are those of its own pattern. */
static double height(const grouping *own, const group *g) {
    return width(g) + own->counts[g->last] - 1;
}

/* The narrower a supernode, the more a merger saves and the fewer zeros a given
 * share of them is. */
static bool is_worth_merging(double wide, double share) {
    static const struct {
        double wide, zeros;
    } limits[] = {{16, 0.8}, {48, 0.1}, {INFINITY, 0.05}};
    for (int i = 0; i < 3; i++)
        if (wide <= limits[i].wide && share < limits[i].zeros) return true;
    return false;
}

/* `low` becomes both of them, if that is worth it. Columns of `low` are then as
 * high as those of `high`, and what is stored is a trapezoid. The zeros of the
 * narrowest are few, and not counted. */
static bool merge(const grouping *own, group *low, const group *high) {
    int parent = own->parent[low->last];
    if (parent < high->first || parent > high->last) return false;
    group both = {low->first, high->last, high->zeros};
    double added =
        width(low) * (width(low) + height(own, high) - own->counts[low->first]);
    double wide = width(&both);
    if (wide > 4 && added > 0) {
        double stored = wide * height(own, &both) - wide * (wide - 1) / 2;
        both.zeros += added;
        if (!is_worth_merging(wide, both.zeros / stored)) return false;
    }
    *low = both;
    return true;
}

/* From the last column on, so that a group meets its parent as merged. */
static void find_groups(grouping *own) {
    const int *counts = own->counts, *parent = own->parent;
    int n = own->n, count = 0, *child_count = own->mark;
    for (int j = 0; j < n; j++)
        if (parent[j] >= 0) child_count[parent[j]]++;
    for (int j = n - 1, last = j; j >= 0; j--) {
        bool is_next = j > 0 && parent[j - 1] == j && child_count[j] == 1 &&
                       counts[j - 1] == counts[j] + 1;
        if (is_next) continue;
        group now = {j, last, 0};
        last = j - 1;
        if (count > 0 && merge(own, &now, &own->groups[count - 1])) count--;
        own->groups[count++] = now;
    }
    own->group_count = count;
}

/* Their columns, in rising order. */
static void number_groups(grouping *own) {
    for (int g = 0; g < own->group_count; g++) {
        const group *now = &own->groups[own->group_count - 1 - g];
        for (int j = now->first; j <= now->last; j++)
            own->owner[j] = g;
        own->mark[g] = -1;
    }
}

static sb_status lay_out(const grouping *own, sb_supernodes *out,
                         sb_error *err) {
    size_t count = (size_t)own->group_count;
    double rows = 0, values = 0;
    out->count = own->group_count;
    out->columns = sb_alloc(count + 1, sizeof(int));
    out->starts = sb_alloc(count + 1, sizeof(int));
    out->values = sb_alloc(count, sizeof(int));
    if (!out->columns || !out->starts || !out->values) {
        return sb_no_memory(err, "factorisation of size %d", own->n);
    }
    for (int g = 0; g < own->group_count; g++) {
        const group *now = &own->groups[own->group_count - 1 - g];
        if (rows > INT_MAX || values > INT_MAX) break;
        out->columns[g] = now->first;
        out->starts[g] = (int)rows;
        out->values[g] = (int)values;
        rows += height(own, now);
        values += width(now) * height(own, now);
    }
    if (rows > INT_MAX || values > INT_MAX)
        return sb_no_memory(err, "factorisation of size %d", own->n);
    out->columns[count] = own->n;
    out->starts[count] = (int)rows;
    out->rows = sb_alloc((size_t)rows, sizeof(int));
    return out->rows ? SB_OK
                     : sb_no_memory(err, "factorisation of size %d", own->n);
}

/* Row i is in the groups on the paths of the tree from its columns in A up to
 * i; rows come in rising order. `ends` is where the next row of a group goes. */
static void fill_rows(grouping *own, sb_supernodes *out, int *ends) {
    for (int g = 0; g < own->group_count; g++)
        ends[g] = out->starts[g];
    for (int i = 0; i < own->n; i++) {
        int home = own->owner[i];
        out->rows[ends[home]++] = i;
        own->mark[home] = i;
        for (int e = own->row_starts[i]; e < own->row_starts[i + 1]; e++) {
            int g = own->owner[own->columns[e]];
            while (own->mark[g] != i) {
                out->rows[ends[g]++] = i;
                own->mark[g] = i;
                g = own->owner[own->parent[out->columns[g + 1] - 1]];
            }
        }
    }
}

sb_status sb_supernodes_find(const sb_sparsity *a,
                             const sb_elimination *elimination,
                             sb_supernodes *out, sb_error *err) {
    grouping own = {.n = a->n,
                    .counts = elimination->counts,
                    .parent = elimination->parent};
    sb_supernodes found = {0};
    sb_status status = open_groups(&own, a->starts[a->n], err);
    if (!status) {
        rows_of(a, elimination->order, own.owner, own.row_starts, own.columns);
        find_groups(&own);
        number_groups(&own);
        status = lay_out(&own, &found, err);
    }
    if (!status) fill_rows(&own, &found, (int *)own.groups);
    close_groups(&own);
    if (status) {
        sb_supernodes_free(&found);
        return status;
    }
    *out = found;
    return SB_OK;
}

void sb_supernodes_free(sb_supernodes *supernodes) {
    sb_free_all(supernodes->columns, supernodes->starts, supernodes->values,
                supernodes->rows, supernodes->l);
    *supernodes = (sb_supernodes){0};
}
