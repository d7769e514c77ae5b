/* SPDX-License-Identifier: MIT */
/* Elimination trees, postorders, counts and supernodes against a factor whose
 * pattern is computed entry by entry. */
#include "tests/model/eigen/eigen_problems.h"
#include "tests/suite.h"

#include "runtime/model/linear/elimination.h"

/* The pattern of L, n x n, by elimination: column k of row i and of row j join
 * them. */
static char *full_factor(const sb_sparsity *a, const int *order) {
    size_t n = (size_t)a->n;
    int *places = calloc(n, sizeof *places);
    char *l = calloc(n * n, 1);
    for (int i = 0; i < a->n; i++)
        places[order[i]] = i;
    for (int j = 0; j < a->n; j++) {
        for (int e = a->starts[j]; e < a->starts[j + 1]; e++) {
            size_t r = (size_t)places[a->rows[e]], c = (size_t)places[j];
            l[(r > c ? r : c) * n + (r < c ? r : c)] = 1;
        }
    }
    for (size_t k = 0; k < n; k++) {
        l[k * n + k] = 1;
        for (size_t j = k + 1; j < n; j++) {
            for (size_t i = j; l[j * n + k] && i < n; i++)
                l[i * n + j] |= l[i * n + k];
        }
    }
    free(places);
    return l;
}

static sb_elimination new_elimination(int n) {
    return (sb_elimination){.order = calloc((size_t)n, sizeof(int)),
                            .parent = calloc((size_t)n, sizeof(int)),
                            .counts = calloc((size_t)n, sizeof(int))};
}

static void free_elimination(sb_elimination *own) {
    free(own->order);
    free(own->parent);
    free(own->counts);
}

static void shuffle(int *order, int n, uint64_t seed) {
    sb_random random = sb_random_make(seed, 1);
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(sb_random_unit(&random) * (i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void check_tree(const sb_elimination *own, const char *l, int n) {
    double nonzeros = 0, flops = 0;
    for (int j = 0; j < n; j++) {
        int count = 0, parent = -1;
        for (int i = n - 1; i >= j; i--) {
            count += l[i * n + j];
            if (i > j && l[i * n + j]) parent = i;
        }
        ck_assert_int_eq(own->counts[j], count);
        ck_assert_int_eq(own->parent[j], parent);
        nonzeros += count;
        flops += (double)count * count;
    }
    ck_assert_double_eq(own->nonzeros, nonzeros);
    ck_assert_double_eq(own->flops, flops);
}

/* Each subtree is without a gap, siblings are in the order of their counts. */
static void check_postorder(const sb_elimination *own, int n) {
    int *firsts = calloc((size_t)n, sizeof *firsts);
    int *last = calloc((size_t)n, sizeof *last);
    for (int j = 0; j < n; j++)
        firsts[j] = last[j] = -1;
    for (int j = 0; j < n; j++) {
        int parent = own->parent[j];
        if (firsts[j] < 0) firsts[j] = j;
        if (last[j] >= 0) ck_assert_int_eq(last[j], j - 1);
        if (parent < 0) continue;
        if (firsts[parent] < 0) firsts[parent] = firsts[j];
        if (last[parent] >= 0) {
            ck_assert_int_eq(firsts[j], last[parent] + 1);
            ck_assert_int_ge(own->counts[j], own->counts[last[parent]]);
        }
        last[parent] = j;
    }
    free(firsts);
    free(last);
}

/* Zeros that are stored in columns first .. last, as a share of all. */
static double zero_share(const sb_elimination *own, int first, int last) {
    double wide = last - first + 1, high = wide + own->counts[last] - 1;
    double stored = wide * high - wide * (wide - 1) / 2, nonzeros = 0;
    for (int j = first; j <= last; j++)
        nonzeros += own->counts[j];
    return 1 - nonzeros / stored;
}

/* Every nonzero of L has a place, and few zeros have. */
static void check_supernodes(const sb_sparsity *a, const sb_elimination *own,
                             const char *l) {
    sb_supernodes s = {0};
    int n = a->n, values = 0;
    ck_assert_int_eq(sb_supernodes_find(a, own, &s, NULL), SB_OK);
    ck_assert_int_eq(s.columns[0], 0);
    ck_assert_int_eq(s.columns[s.count], n);
    for (int g = 0; g < s.count; g++) {
        const int *rows = s.rows + s.starts[g];
        int first = s.columns[g], last = s.columns[g + 1] - 1;
        int wide = last - first + 1, high = s.starts[g + 1] - s.starts[g];
        ck_assert_int_eq(s.values[g], values);
        values += wide * high;
        for (int i = first, r = 0; i < n; i++) {
            bool is_row = i <= last;
            for (int j = first; j <= last; j++)
                is_row |= l[i * n + j];
            if (!is_row) continue;
            ck_assert_int_lt(r, high);
            ck_assert_int_eq(rows[r++], i);
            if (i == n - 1) ck_assert_int_eq(r, high);
        }
        double most = wide <= 16 ? 0.8 : wide <= 48 ? 0.15 : 0.1;
        ck_assert_double_le(zero_share(own, first, last), most);
        /* The one before would be equal below: it is merged if it may be. */
        if (g > 0 && own->parent[first - 1] == first)
            ck_assert(own->counts[first - 1] != own->counts[first] + 1);
    }
    sb_supernodes_free(&s);
}

static void check_all(const sb_sparse *matrix, uint64_t seed) {
    sb_sparsity a = {matrix->n, matrix->starts, matrix->rows};
    sb_elimination own = new_elimination(a.n);
    shuffle(own.order, a.n, seed);
    char *before = full_factor(&a, own.order);
    double nonzeros = 0;
    for (int i = 0; i < a.n * a.n; i++)
        nonzeros += before[i];
    int *plain = calloc((size_t)a.n, sizeof *plain);
    memcpy(plain, own.order, (size_t)a.n * sizeof *plain);
    ck_assert_int_eq(sb_elimination_find(&a, &own, NULL), SB_OK);
    ck_assert_double_eq(own.nonzeros, nonzeros); /* a postorder keeps them */
    char *l = full_factor(&a, own.order);
    check_tree(&own, l, a.n);
    check_postorder(&own, a.n);
    check_supernodes(&a, &own, l);
    free(l);
    /* Siblings as they were: once more, and nothing changes. */
    ck_assert_int_eq(sb_elimination_postorder(&a, plain, NULL), SB_OK);
    memcpy(own.order, plain, (size_t)a.n * sizeof *plain);
    ck_assert_int_eq(sb_elimination_postorder(&a, plain, NULL), SB_OK);
    ck_assert_mem_eq(own.order, plain, (size_t)a.n * sizeof *plain);
    l = full_factor(&a, plain);
    for (int i = 0; i < a.n * a.n; i++)
        nonzeros -= l[i];
    ck_assert_double_eq(nonzeros, 0);
    free(l);
    free(plain);
    free(before);
    free_elimination(&own);
}

START_TEST(a_factor_has_the_pattern_of_elimination) {
    problem problems[] = {random_problem(120, 3),
                          random_problem(250, 4),
                          grid(12, 15, 1, 1, 1),
                          grid(5, 6, 7, 1, 1),
                          rod(60),
                          grid(90, 1, 1, 1, 1)};
    for (int i = 0; i < 6; i++) {
        for (uint64_t seed = 1; seed < 4; seed++)
            check_all(&problems[i].k, seed);
        free_problem(&problems[i]);
    }
}
END_TEST

/* None coupled, all coupled, all with the first; two halves. */
START_TEST(odd_patterns_have_trees) {
    enum { N = 40 };
    double zeros[4] = {0};
    for (int kind = 0; kind < 4; kind++) {
        sb_sparse_builder *builder = begin_matrix(N);
        for (int i = 0; i < N; i++) {
            add_block(builder, &i, 1, zeros);
            for (int j = 0; j < i; j++) {
                bool is_in = kind == 1 || (kind == 2 && j == 0) ||
                             (kind == 3 && i % 2 == j % 2);
                if (is_in) add_block(builder, (int[]){i, j}, 2, zeros);
            }
        }
        sb_sparse a = end_matrix(builder);
        for (uint64_t seed = 1; seed < 4; seed++)
            check_all(&a, seed);
        sb_sparse_free(&a);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("elimination");
    TCase *tests = tcase_create("elimination");
    tcase_add_test(tests, a_factor_has_the_pattern_of_elimination);
    tcase_add_test(tests, odd_patterns_have_trees);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
