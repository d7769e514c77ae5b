/* tests/suite.h -- what the main function of every test needs. */
#ifndef SB_TESTS_SUITE_H
#define SB_TESTS_SUITE_H

#include <check.h>

#include <stdlib.h>

static inline int run_suite(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
