# SPDX-License-Identifier: MIT
# Lines and branches of runtime/ that the tests run: `cmake --preset coverage`,
# build, `cmake --build build-coverage --target coverage`.
if(SANDBELL_COVERAGE)
  target_compile_options(sandbell_options INTERFACE
    --coverage -fprofile-update=atomic)
  target_link_options(sandbell_options INTERFACE --coverage)
  set(COVERAGE_TESTS "^(test_|random_|fuzz_replay|lua/|cli/)" CACHE STRING
    "Tests that the target coverage runs")
  add_custom_target(coverage
    COMMAND ${CMAKE_COMMAND} -E env CK_TIMEOUT_MULTIPLIER=15
      ${CMAKE_CTEST_COMMAND} -R ${COVERAGE_TESTS} -j2 --output-on-failure
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/coverage.sh ${PROJECT_SOURCE_DIR}
      ${CMAKE_BINARY_DIR}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} USES_TERMINAL VERBATIM)
endif()
