/* Elimination tree, relaxed supernodes and their rows, in that order. Runs on
 * the thread that solves, control or a worker. */
#include "runtime/model/linear/supernodes.h"

#include "runtime/base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Columns first .. last of L, and how many nonzeros they have. */
typedef struct group {
    int first, last;
    double nonzeros;
} group;

typedef struct finder {
    const sb_sparse *a;
    const int *counts;
    int *parent;   /* [n] in the elimination tree, -1 at a root */
    int *ancestor; /* [n] shortcuts in the tree */
    int *row_ends; /* [n + 1] of the rows of A below */
    int *row_of;   /* columns of each row of A, left of the diagonal */
    group *groups; /* [n] */
    int group_count;
    int *owner; /* [n] group of each column */
    int *child; /* [n] first child of a group, -1: none */
    int *next;  /* [n] sibling */
    int *mark;  /* [n] the last group that has this row */
} finder;

static sb_status no_memory(const sb_sparse *a, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "factorisation of size %d: out of memory",
                   a->n);
}

static void close_all(finder *own) {
    sb_free(own->parent);
    sb_free(own->ancestor);
    sb_free(own->row_ends);
    sb_free(own->row_of);
    sb_free(own->groups);
    sb_free(own->owner);
    sb_free(own->child);
    sb_free(own->next);
    sb_free(own->mark);
}

static sb_status open_all(finder *own, sb_error *err) {
    size_t n = (size_t)own->a->n;
    own->parent = sb_alloc(n, sizeof(int));
    own->ancestor = sb_alloc(n, sizeof(int));
    own->row_ends = sb_alloc(n + 1, sizeof(int));
    own->row_of = sb_alloc((size_t)own->a->starts[n], sizeof(int));
    own->groups = sb_alloc(n, sizeof *own->groups);
    own->owner = sb_alloc(n, sizeof(int));
    own->child = sb_alloc(n, sizeof(int));
    own->next = sb_alloc(n, sizeof(int));
    own->mark = sb_alloc(n, sizeof(int));
    if (own->parent && own->ancestor && own->row_ends && own->row_of &&
        own->groups && own->owner && own->child && own->next && own->mark) {
        return SB_OK;
    }
    return no_memory(own->a, err);
}

/* The strict lower triangle of A by rows: row i ends at row_ends[i]. */
static void transpose(finder *own) {
    const sb_sparse *a = own->a;
    for (int j = 0; j < a->n; j++) {
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            if (a->rows[p] > j) own->row_ends[a->rows[p] + 1]++;
        }
    }
    for (int i = 0; i < a->n; i++) {
        own->row_ends[i + 1] += own->row_ends[i];
    }
    for (int j = 0; j < a->n; j++) { /* moves each start to its row's end */
        for (int p = a->starts[j]; p < a->starts[j + 1]; p++) {
            if (a->rows[p] > j) own->row_of[own->row_ends[a->rows[p]]++] = j;
        }
    }
}

/* Each column that row i of A has becomes, through its root, a child of i. */
static void find_tree(finder *own) {
    int start = 0;
    for (int i = 0; i < own->a->n; i++) {
        own->parent[i] = own->ancestor[i] = -1;
        for (int p = start; p < own->row_ends[i]; p++) {
            int j = own->row_of[p];
            while (j != -1 && j < i) {
                int up = own->ancestor[j];
                own->ancestor[j] = i;
                if (up == -1) own->parent[j] = i;
                j = up;
            }
        }
        start = own->row_ends[i];
    }
}

static double width(const group *g) {
    return g->last - g->first + 1;
}

/* The rows below the last column are those of its own pattern. */
static double height(const finder *own, const group *g) {
    return width(g) + own->counts[g->last] - 1;
}

/* Entries of a full trapezoid that are 0 in L, as a share of all. */
static double zero_share(const finder *own, const group *g) {
    double wide = width(g);
    double stored = wide * height(own, g) - wide * (wide - 1) / 2;
    return 1 - g->nonzeros / stored;
}

/* The narrower a supernode, the more a merger saves and the fewer zeros a given
 * share of them is. */
static bool is_worth_merging(const finder *own, const group *g) {
    static const struct {
        double wide, zeros;
    } limits[] = {{4, 1}, {16, 0.8}, {48, 0.1}, {INFINITY, 0.05}};
    double zeros = zero_share(own, g);
    for (int i = 0;; i++) {
        if (width(g) <= limits[i].wide) return zeros <= limits[i].zeros;
    }
}

static void find_groups(finder *own) {
    group *groups = own->groups;
    int count = 0;
    for (int j = 0; j < own->a->n; j++) {
        bool is_next = j > 0 && own->parent[j - 1] == j &&
                       own->counts[j - 1] == own->counts[j] + 1;
        if (is_next) {
            groups[count - 1].last = j;
            groups[count - 1].nonzeros += own->counts[j];
        } else {
            groups[count++] = (group){j, j, own->counts[j]};
        }
    }
    own->group_count = count;
}

/* Merges in place: those before `kept` are final unless the next takes them. */
static void merge_groups(finder *own) {
    group *groups = own->groups;
    int kept = 0;
    for (int i = 0; i < own->group_count; i++) {
        groups[kept++] = groups[i];
        while (kept > 1) {
            const group *low = &groups[kept - 2], *high = &groups[kept - 1];
            group both = {low->first, high->last,
                          low->nonzeros + high->nonzeros};
            int parent = own->parent[low->last];
            bool is_parent = parent >= high->first && parent <= high->last;
            if (!is_parent || !is_worth_merging(own, &both)) break;
            groups[--kept - 1] = both;
        }
    }
    own->group_count = kept;
}

static void link_groups(finder *own) {
    for (int g = 0; g < own->group_count; g++) {
        own->child[g] = -1;
        for (int j = own->groups[g].first; j <= own->groups[g].last; j++) {
            own->owner[j] = g;
            own->mark[j] = -1;
        }
    }
    for (int g = 0; g < own->group_count; g++) {
        int parent = own->parent[own->groups[g].last];
        if (parent < 0) continue;
        int above = own->owner[parent];
        own->next[g] = own->child[above];
        own->child[above] = g;
    }
}

static sb_status lay_out(const finder *own, sb_supernode_pattern *out,
                         sb_error *err) {
    size_t count = (size_t)own->group_count;
    double rows = 0, values = 0;
    out->count = own->group_count;
    out->columns = sb_alloc(count + 1, sizeof(int));
    out->starts = sb_alloc(count + 1, sizeof(int));
    out->values = sb_alloc(count, sizeof(int));
    if (!out->columns || !out->starts || !out->values) {
        return no_memory(own->a, err);
    }
    for (int g = 0; g < own->group_count; g++) {
        const group *now = &own->groups[g];
        if (rows > INT_MAX || values > INT_MAX) break;
        out->columns[g] = now->first;
        out->starts[g] = (int)rows;
        out->values[g] = (int)values;
        rows += height(own, now);
        values += width(now) * height(own, now);
    }
    if (rows > INT_MAX || values > INT_MAX) return no_memory(own->a, err);
    out->columns[count] = own->a->n;
    out->starts[count] = (int)rows;
    out->rows = sb_alloc((size_t)rows, sizeof(int));
    return out->rows ? SB_OK : no_memory(own->a, err);
}

static int by_size(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* Appends those of `rows` below group g that it does not have yet. */
static int *add_rows(finder *own, int g, const int *rows, int count, int *to) {
    for (int i = 0; i < count; i++) {
        int row = rows[i];
        if (row <= own->groups[g].last || own->mark[row] == g) continue;
        own->mark[row] = g;
        *to++ = row;
    }
    return to;
}

static void fill_rows(finder *own, sb_supernode_pattern *out, int g) {
    const group *now = &own->groups[g];
    const int *starts = own->a->starts;
    int *to = out->rows + out->starts[g];
    for (int j = now->first; j <= now->last; j++) {
        *to++ = j;
    }
    int *below = to;
    for (int j = now->first; j <= now->last; j++) {
        to = add_rows(own, g, own->a->rows + starts[j],
                      starts[j + 1] - starts[j], to);
    }
    for (int c = own->child[g]; c >= 0; c = own->next[c]) {
        to = add_rows(own, g, out->rows + out->starts[c],
                      out->starts[c + 1] - out->starts[c], to);
    }
    qsort(below, (size_t)(to - below), sizeof *below, by_size);
}

sb_status sb_supernode_pattern_find(const sb_sparse *a, const int *counts,
                                    sb_supernode_pattern *out, sb_error *err) {
    finder own = {.a = a, .counts = counts};
    sb_supernode_pattern found = {0};
    sb_status status = open_all(&own, err);
    if (!status) {
        transpose(&own);
        find_tree(&own);
        find_groups(&own);
        merge_groups(&own);
        link_groups(&own);
        status = lay_out(&own, &found, err);
    }
    for (int g = 0; !status && g < own.group_count; g++) {
        fill_rows(&own, &found, g);
    }
    close_all(&own);
    if (status) {
        sb_supernode_pattern_free(&found);
        return status;
    }
    *out = found;
    return SB_OK;
}

void sb_supernode_pattern_free(sb_supernode_pattern *pattern) {
    sb_free(pattern->columns);
    sb_free(pattern->starts);
    sb_free(pattern->values);
    sb_free(pattern->rows);
    *pattern = (sb_supernode_pattern){0};
}
