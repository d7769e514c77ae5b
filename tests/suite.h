/* SPDX-License-Identifier: MIT */
/* tests/suite.h -- what the main function of every test needs. */
#pragma once

#include <check.h>

#include <stdlib.h>

/* Check's own limit of 4 s of wall time ends tests on a busy machine, and what
 * they have written stays. ctest has the same limit. */
__attribute__((constructor)) static void suite_is_patient(void) {
    (void)setenv("CK_DEFAULT_TIMEOUT", "600", 0);
}

static inline int run_suite(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
