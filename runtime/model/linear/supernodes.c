/* Relaxed supernodes, then their rows. Runs on the thread that solves, control
 * or a worker. */
#include "runtime/model/linear/supernodes.h"

#include "runtime/base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>

/* Columns first .. last of L, and how many zeros they store. */
typedef struct group {
    int first, last;
    double zeros;
} group;

typedef struct finder {
    int n;
    const int *counts, *parent;
    group *groups; /* [n], the last columns first */
    int group_count;
    int *owner;      /* [n] group of each column, from the first on; before:
                      * the number of each unknown */
    int *mark;       /* [n] the last row that each group has */
    int *row_starts; /* [n + 1] of the columns of each row of A, */
    int *columns;    /* left of the diagonal */
} finder;

static sb_status no_memory(int n, sb_error *err) {
    return sb_fail(err, SB_NO_MEMORY, "factorisation of size %d: out of memory",
                   n);
}

static void close_all(finder *own) {
    sb_free(own->groups);
    sb_free(own->owner);
    sb_free(own->mark);
    sb_free(own->row_starts);
    sb_free(own->columns);
}

static sb_status open_all(finder *own, int entries, sb_error *err) {
    size_t n = (size_t)own->n;
    own->groups = sb_alloc(n, sizeof *own->groups);
    own->owner = sb_alloc(n, sizeof(int));
    own->mark = sb_alloc(n, sizeof(int));
    own->row_starts = sb_alloc(n + 1, sizeof(int));
    own->columns = sb_alloc((size_t)entries, sizeof(int));
    bool is_well = own->groups && own->owner && own->mark && own->row_starts &&
                   own->columns;
    return is_well ? SB_OK : no_memory(own->n, err);
}

static double width(const group *g) {
    return g->last - g->first + 1;
}

/* The rows below the last column are those of its own pattern. */
static double height(const finder *own, const group *g) {
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
static bool merge(const finder *own, group *low, const group *high) {
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
static void find_groups(finder *own) {
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
static void number_groups(finder *own) {
    for (int g = 0; g < own->group_count; g++) {
        const group *now = &own->groups[own->group_count - 1 - g];
        for (int j = now->first; j <= now->last; j++)
            own->owner[j] = g;
        own->mark[g] = -1;
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
        return no_memory(own->n, err);
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
    if (rows > INT_MAX || values > INT_MAX) return no_memory(own->n, err);
    out->columns[count] = own->n;
    out->starts[count] = (int)rows;
    out->rows = sb_alloc((size_t)rows, sizeof(int));
    return out->rows ? SB_OK : no_memory(own->n, err);
}

/* Row i is in the groups on the paths of the tree from its columns in A up to
 * i; rows come in rising order. `ends` is where the next row of a group goes. */
static void fill_rows(finder *own, sb_supernode_pattern *out, int *ends) {
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

sb_status sb_supernode_pattern_find(const sb_pattern *a,
                                    const sb_elimination *elimination,
                                    sb_supernode_pattern *out, sb_error *err) {
    finder own = {.n = a->n,
                  .counts = elimination->counts,
                  .parent = elimination->parent};
    sb_supernode_pattern found = {0};
    sb_status status = open_all(&own, a->starts[a->n], err);
    if (!status) {
        sb_pattern_rows(a, elimination->order, own.owner, own.row_starts,
                        own.columns);
        find_groups(&own);
        number_groups(&own);
        status = lay_out(&own, &found, err);
    }
    if (!status) fill_rows(&own, &found, (int *)own.groups);
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
