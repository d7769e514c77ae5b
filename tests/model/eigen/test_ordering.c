/* SPDX-License-Identifier: MIT */
/* Orders of elimination: they are permutations, keep equal columns together,
 * and leave factors of the size that their methods promise. */
#include "tests/model/eigen/eigen_problems.h"
#include "tests/suite.h"

#include "runtime/base/memory.h"
#include "runtime/base/stop.h"
#include "runtime/model/linear/ordering.h"

#include <pthread.h>

/* A cube of `side` nodes along each edge, of `motions` unknowns each, all 27
 * neighbours coupled; or several, not coupled. */
static sb_sparse lattice(int side, int motions, int copies) {
    int one = side * side * side, n = one * motions * copies;
    sb_sparse_builder *builder = begin_matrix(n);
    double block[16 * 16] = {0};
    for (int i = 0; i < one * copies; i++) {
        int x = i % side, y = i / side % side, z = i % one / (side * side);
        for (int k = 0; k < 27; k++) {
            int a = x + k % 3 - 1, b = y + k / 3 % 3 - 1, c = z + k / 9 - 1;
            if (a < 0 || b < 0 || c < 0) continue;
            if (a >= side || b >= side || c >= side) continue;
            int other = i / one * one + a + side * (b + side * c);
            int indices[16], count = 0;
            for (int m = 0; m < motions; m++) {
                indices[count++] = i * motions + m;
                if (other != i) indices[count++] = other * motions + m;
            }
            add_block(builder, indices, count, block);
        }
    }
    return end_matrix(builder);
}

static void check_permutation(const int *order, int n) {
    char *is_there = calloc((size_t)n, 1);
    int count = 0;
    for (int i = 0; i < n; i++) {
        ck_assert(order[i] >= 0 && order[i] < n);
        count += !is_there[order[i]];
        is_there[order[i]] = 1;
    }
    ck_assert_int_eq(count, n);
    free(is_there);
}

/* Nonzeros of the factor: row i has the columns on the paths of the elimination
 * tree from its entries up to i. */
static double factor_size(const sb_sparse *a, const int *order) {
    sb_sparse lower = {0};
    int n = a->n;
    int *parents = calloc((size_t)n, sizeof *parents);
    int *seen = calloc((size_t)n, sizeof *seen);
    int *places = calloc((size_t)n, sizeof *places);
    double size = 0;
    ck_assert_int_eq(sb_sparse_permute(a, order, &lower, NULL), SB_OK);
    /* Columns of the lower triangle are visited row by row: sort by rows. */
    int *starts = calloc((size_t)n + 1, sizeof *starts);
    int *columns = calloc((size_t)lower.starts[n], sizeof *columns);
    for (int e = 0; e < lower.starts[n]; e++)
        starts[lower.rows[e] + 1]++;
    for (int i = 0; i < n; i++)
        starts[i + 1] += starts[i];
    for (int j = 0; j < n; j++) {
        for (int e = lower.starts[j]; e < lower.starts[j + 1]; e++)
            columns[starts[lower.rows[e]] + places[lower.rows[e]]++] = j;
    }
    for (int i = 0; i < n; i++) {
        seen[i] = i + 1;
        parents[i] = -1;
        size++;
        for (int e = starts[i]; e < starts[i + 1]; e++) {
            for (int j = columns[e]; seen[j] != i + 1; j = parents[j]) {
                seen[j] = i + 1;
                size++;
                if (parents[j] < 0) parents[j] = i;
            }
        }
    }
    sb_sparse_free(&lower);
    free(parents);
    free(seen);
    free(places);
    free(starts);
    free(columns);
    return size;
}

typedef sb_status by(const sb_ordering *ordering, int *order, sb_error *err);

static double size_by(by *method, const sb_sparse *a) {
    sb_ordering *ordering = NULL;
    int *order = calloc((size_t)a->n, sizeof *order);
    ck_assert_int_eq(sb_ordering_create(&ordering, a, NULL), SB_OK);
    ck_assert_int_eq(method(ordering, order, NULL), SB_OK);
    check_permutation(order, a->n);
    double size = factor_size(a, order);
    sb_ordering_destroy(ordering);
    free(order);
    return size;
}

START_TEST(a_chain_fills_nothing) {
    problem p = grid(20000, 1, 1, 1, 1);
    ck_assert_double_eq(size_by(sb_ordering_by_degree, &p.k), 2 * 20000 - 1);
    /* A node between two separators couples them. */
    ck_assert_double_le(size_by(sb_ordering_by_dissection, &p.k), 3 * 20000);
    free_problem(&p);
}
END_TEST

/* In a cube nested dissection has fill of n^4/3, minimum degree more. */
START_TEST(dissection_is_better_in_solids) {
    sb_sparse cube = lattice(20, 1, 1);
    double dissected = size_by(sb_ordering_by_dissection, &cube);
    double by_degree = size_by(sb_ordering_by_degree, &cube);
    ck_assert_double_lt(dissected, 0.8 * by_degree);
    sb_sparse_free(&cube);
}
END_TEST

START_TEST(the_motions_of_a_node_stay_together) {
    sb_sparse a = lattice(7, 3, 2);
    sb_ordering *ordering = NULL;
    int *order = calloc((size_t)a.n, sizeof *order);
    ck_assert_int_eq(sb_ordering_create(&ordering, &a, NULL), SB_OK);
    for (int method = 0; method < 2; method++) {
        by *find = method ? sb_ordering_by_degree : sb_ordering_by_dissection;
        ck_assert_int_eq(find(ordering, order, NULL), SB_OK);
        check_permutation(order, a.n);
        for (int i = 0; i < a.n; i += 3) {
            ck_assert_int_eq(order[i] % 3, 0);
            ck_assert_int_eq(order[i + 1], order[i] + 1);
            ck_assert_int_eq(order[i + 2], order[i] + 2);
        }
    }
    sb_ordering_destroy(ordering);
    free(order);
    sb_sparse_free(&a);
}
END_TEST

/* All unknowns coupled with one, or with all, or with none. */
static sb_sparse odd_graph(int kind, int n) {
    sb_sparse_builder *builder = begin_matrix(n);
    double zeros[4] = {0};
    for (int i = 0; i < n; i++) {
        add_block(builder, &i, 1, zeros);
        for (int j = 0; j < i; j++) {
            bool is_coupled = kind == 1 || (kind == 2 && j == 0);
            if (is_coupled) add_block(builder, (int[]){i, j}, 2, zeros);
        }
    }
    return end_matrix(builder);
}

START_TEST(graphs_that_cannot_be_cut_have_an_order) {
    static const int sizes[] = {1, 2, 5, 400, 4000};
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < 5; i++) {
            if (kind == 1 && sizes[i] > 400) continue;
            sb_sparse a = odd_graph(kind, sizes[i]);
            (void)size_by(sb_ordering_by_dissection, &a);
            (void)size_by(sb_ordering_by_degree, &a);
            sb_sparse_free(&a);
        }
    }
    sb_sparse two = lattice(13, 1, 2);
    (void)size_by(sb_ordering_by_dissection, &two);
    sb_sparse_free(&two);
}
END_TEST

START_TEST(it_ends_when_it_is_told_to_and_without_memory) {
    sb_sparse a = lattice(15, 1, 1);
    atomic_bool is_over = true;
    int *order = calloc((size_t)a.n, sizeof *order);
    long blocks = sb_memory_live_blocks(), failures = 0;
    sb_status status = SB_NO_MEMORY;
    for (long n = 0; status; n++) {
        sb_ordering *ordering = NULL;
        sb_memory_fail_only(n);
        status = sb_ordering_create(&ordering, &a, NULL);
        if (!status) status = sb_ordering_by_dissection(ordering, order, NULL);
        bool has_failed = sb_memory_fail_left() < 0;
        sb_memory_fail_after(-1);
        if (has_failed) ck_assert_int_eq(status, SB_NO_MEMORY);
        failures += has_failed;
        sb_ordering_destroy(ordering);
        ck_assert_int_eq(sb_memory_live_blocks(), blocks);
    }
    ck_assert_int_gt(failures, 20);
    sb_ordering *ordering = NULL;
    ck_assert_int_eq(sb_ordering_create(&ordering, &a, NULL), SB_OK);
    sb_stop_watch(&is_over);
    ck_assert_int_eq(sb_ordering_by_dissection(ordering, order, NULL),
                     SB_INTERRUPTED);
    sb_stop_watch(NULL);
    sb_ordering_destroy(ordering);
    free(order);
    sb_sparse_free(&a);
}
END_TEST

static int *dissected(const sb_sparse *a) {
    sb_ordering *ordering = NULL;
    int *order = calloc((size_t)a->n, sizeof *order);
    ck_assert_int_eq(sb_ordering_create(&ordering, a, NULL), SB_OK);
    ck_assert_int_eq(sb_ordering_by_dissection(ordering, order, NULL), SB_OK);
    sb_ordering_destroy(ordering);
    return order;
}

/* METIS seeds and calls rand. */
START_TEST(the_program_s_random_numbers_go_on) {
    enum { COUNT = 20 };
    sb_sparse a = lattice(15, 1, 1);
    int expected[COUNT];
    srand(77);
    for (int i = 0; i < COUNT; i++)
        expected[i] = rand();
    srand(77);
    for (int i = 0; i < COUNT / 2; i++)
        ck_assert_int_eq(rand(), expected[i]);
    free(dissected(&a));
    for (int i = COUNT / 2; i < COUNT; i++)
        ck_assert_int_eq(rand(), expected[i]);
    sb_sparse_free(&a);
}
END_TEST

static void *dissect_too(void *argument) {
    return dissected(argument);
}

START_TEST(threads_find_the_same_order_beside_each_other) {
    sb_sparse a = lattice(16, 1, 1);
    size_t bytes = (size_t)a.n * sizeof(int);
    int *alone = dissected(&a);
    for (int round = 0; round < 4; round++) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            ck_assert_int_eq(pthread_create(&threads[i], NULL, dissect_too, &a),
                             0);
        for (int i = 0; i < 3; i++) {
            void *order = NULL;
            ck_assert_int_eq(pthread_join(threads[i], &order), 0);
            ck_assert_mem_eq(order, alone, bytes);
            free(order);
        }
    }
    free(alone);
    sb_sparse_free(&a);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ordering");
    TCase *tests = tcase_create("ordering");
    tcase_add_test(tests, a_chain_fills_nothing);
    tcase_add_test(tests, dissection_is_better_in_solids);
    tcase_add_test(tests, the_motions_of_a_node_stay_together);
    tcase_add_test(tests, graphs_that_cannot_be_cut_have_an_order);
    tcase_add_test(tests, it_ends_when_it_is_told_to_and_without_memory);
    tcase_add_test(tests, the_program_s_random_numbers_go_on);
    tcase_add_test(tests, threads_find_the_same_order_beside_each_other);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
