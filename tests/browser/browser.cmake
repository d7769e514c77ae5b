# SPDX-License-Identifier: MIT
# The studio in a real browser, and its page under a type check. Where there is
# no browser or no type checker, these tests are skipped with a line that says so.
find_program(PYTHON3 NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT PYTHON3)
  find_program(PYTHON3 NAMES python3)
endif()
foreach(name IN ITEMS strike sound script acts pages access paint touch crowd pictures deform files lessons air)
  add_test(NAME browser/${name} COMMAND ${PYTHON3}
    ${PROJECT_SOURCE_DIR}/tests/browser/test_${name}.py
    $<TARGET_FILE:sandbell> ${PROJECT_SOURCE_DIR})
  # Each has a Chromium of its own, which takes a core by itself: one at a time,
  # from the beginning on.
  set_tests_properties(browser/${name} PROPERTIES LABELS "slow;browser" COST 200
    SKIP_RETURN_CODE 77 TIMEOUT 600 RESOURCE_LOCK browser)
endforeach()
add_test(NAME browser/types COMMAND sh
  ${PROJECT_SOURCE_DIR}/tests/browser/types.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(browser/types PROPERTIES LABELS "slow;browser"
  SKIP_RETURN_CODE 77)
