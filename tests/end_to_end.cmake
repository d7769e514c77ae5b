# SPDX-License-Identifier: MIT
# Tests of the Lua API and of the command line, from the outside.

# lua_runner runs a Lua test as a scene; its first comment lists the directives.
add_executable(lua_runner bindings/lua_runner.c)
target_link_libraries(lua_runner PRIVATE sandbell_bindings)

set(lua_tests
  bodies callbacks contacts deformable designer extremes fuzz lessons losses materials mesh nonlinear order
  params places quality resonators room sandbox shapes solids textures texture_no_uv timers
  world world_life forces
  lesson_01 lesson_01_turned lesson_02 lesson_02_turned lesson_03 lesson_04
  lesson_04_turned lesson_04_wood lesson_05 lesson_05_turned lesson_06
  lesson_07 lesson_07_turned lesson_08 lesson_08_flat lesson_08_turned
  lesson_09 lesson_10 lesson_10_turned lesson_11 lesson_11_turned reload reset
  fails/contact fails/coroutine fails/deep_source fails/error_in_error
  fails/error_in_handler fails/error_nil fails/error_number
  fails/error_object fails/error_table fails/forever
  fails/forever_caught fails/forever_go fails/go_forever fails/gravity
  fails/many_bodies fails/mesh_forever fails/mesh_held_nowhere
  fails/mesh_missing fails/mesh_too_high fails/memory_go fails/memory_huge
  fails/memory_one_table fails/memory_start fails/memory_string fails/memory_table
  fails/misspelt_callback fails/no_modes fails/parks fails/recursion fails/recursion_c
  fails/recursion_meta fails/set_range fails/set_unknown
  fails/sleep_sort fails/sleep_zero fails/start fails/syntax
  fails/tail_call fails/timer fails/top_level fails/update
)
foreach(name IN LISTS lua_tests)
  add_test(NAME lua/${name} COMMAND lua_runner lua/${name}.lua
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)
  # No models that were solved earlier: results must not depend on a cache.
  set_tests_properties(lua/${name} PROPERTIES ENVIRONMENT SANDBELL_CACHE=off)
endforeach()
set_tests_properties(lua/extremes lua/solids PROPERTIES LABELS slow)
set_tests_properties(lua/contacts lua/fuzz lua/mesh PROPERTIES
  LABELS "slow;sanitize")
set_tests_properties(lua/callbacks lua/timers lua/params PROPERTIES
  LABELS "quick;threads;sanitize")

# Pictures that are not textures: the error that a scene gets.
add_test(NAME images/bad COMMAND lua_runner images/bad.lua
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/tests)

sandbell_test(bindings/test_host_memory sandbell_bindings LABELS slow COST 30)
sandbell_test(bindings/test_match sandbell_bindings LABELS slow)

sandbell_test(bindings/test_complete sandbell_bindings)
sandbell_test(cli/test_modes_match sandbell_bindings PkgConfig::CJSON)
target_sources(test_modes_match PRIVATE ${PROJECT_SOURCE_DIR}/bindings/cli/modes/modes_match.c)
sandbell_test(cli/test_spectra sandbell_console PkgConfig::PNG LABELS slow sanitize)
foreach(part IN ITEMS spectra lines_file)
  target_sources(test_spectra PRIVATE ${PROJECT_SOURCE_DIR}/bindings/cli/render/${part}.c)
endforeach()
# Attacks on the sandbox, in two parts that run in parallel. Sanitizers are several
# times as slow and get every third attack, always the same ones. ThreadSanitizer
# keeps every stack that a longjmp leaves and fails after about 65,000 of them: it
# gets only the attacks that raise no errors themselves, in all phases.
add_executable(test_sandbox bindings/test_sandbox.c)
target_link_libraries(test_sandbox PRIVATE sandbell_bindings)
if(SANDBELL_SANITIZE MATCHES thread)
  set(attacks endless)
elseif(SANDBELL_SANITIZE)
  set(attacks "1 6" "4 6")
else()
  set(attacks "0 2" "1 2")
endif()
foreach(part IN LISTS attacks)
  string(REGEX REPLACE " .*" "" suffix ${part})
  separate_arguments(part)
  add_test(NAME test_sandbox_${suffix} COMMAND test_sandbox
    ${PROJECT_SOURCE_DIR}/tests/sandbox ${part})
  set_tests_properties(test_sandbox_${suffix} PROPERTIES TIMEOUT 600 COST 30
    LABELS "slow;sanitize")
endforeach()
# How fast each attack is stopped, in every phase: twice its budget at most.
add_custom_target(bench_sandbox COMMAND test_sandbox
  ${PROJECT_SOURCE_DIR}/tests/sandbox all USES_TERMINAL)

# No generated file of the repository is stale.
add_test(NAME generated COMMAND ${CMAKE_COMMAND} -DCHECK=ON
  -DSANDBELL=$<TARGET_FILE:sandbell> -DROOT=${PROJECT_SOURCE_DIR}
  -P ${PROJECT_SOURCE_DIR}/bindings/generate.cmake)

# Registration, stubs and behaviour agree.
sandbell_test(bindings/test_api sandbell_bindings)

# The command line, from a shell. file_facts reads the files it writes.
add_executable(file_facts cli/file_facts.c)
target_link_libraries(file_facts PRIVATE sandbell_media PkgConfig::PNG
  PkgConfig::CJSON)
add_executable(find_pitches cli/find_pitches.c)
target_link_libraries(find_pitches PRIVATE sandbell_media)
add_executable(find_whirr cli/find_whirr.c)
target_link_libraries(find_whirr PRIVATE sandbell_media)
add_test(NAME cli/coin COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/coin.sh
  $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE:find_whirr>)
set_tests_properties(cli/coin PROPERTIES LABELS slow)
# What deformable bodies do, against closed forms; and squeaks.
add_executable(find_lines cli/find_lines.c)
target_link_libraries(find_lines PRIVATE sandbell_media)
foreach(name IN ITEMS deform_figures deform_resolved squeak)
  add_test(NAME cli/${name}
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/${name}.sh
    $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
    $<TARGET_FILE:find_lines>)
endforeach()
set_tests_properties(cli/deform_figures cli/deform_resolved PROPERTIES
  TIMEOUT 600 COST 40 LABELS slow)
set_tests_properties(cli/squeak PROPERTIES LABELS "slow;sanitize")
foreach(name IN ITEMS verbs modes meshes fit bake render events levels contacts files truth inputs run unread studio lessons deform films
    readme prompt terminal world wheels knock xylophone bench)
  add_test(NAME cli/${name}
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/${name}.sh
    $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR})
  set_tests_properties(cli/${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
foreach(name IN ITEMS bake files fit inputs lessons render truth verbs world)
  set_tests_properties(cli/${name} PROPERTIES LABELS "slow;sanitize")
endforeach()
foreach(name IN ITEMS bench deform levels meshes modes readme wheels xylophone)
  set_tests_properties(cli/${name} PROPERTIES LABELS slow)
endforeach()
set_tests_properties(cli/bench cli/modes cli/readme PROPERTIES COST 40)
foreach(name IN ITEMS events prompt run)
  set_tests_properties(cli/${name} PROPERTIES LABELS "slow;threads;sanitize")
endforeach()
set_tests_properties(cli/terminal PROPERTIES LABELS "quick;threads;sanitize")
# The scenes of scripts/, in parts that run in parallel.
set(script_parts 8)
foreach(part RANGE 1 ${script_parts})
  add_test(NAME cli/scripts_${part}
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/scripts.sh
    $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
    ${part} ${script_parts})
  set_tests_properties(cli/scripts_${part} PROPERTIES LABELS slow)
endforeach()
set_tests_properties(cli/scripts_1 PROPERTIES LABELS "slow;sanitize")

# The installed program works without the checkout.
add_test(NAME cli/install
  COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/install.sh
  $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
  ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR})
set_tests_properties(cli/install PROPERTIES LABELS quick)
# Programs that use the installed library; what it shows is written down.
if(NOT SANDBELL_SANITIZE)
  add_test(NAME library/installed
    COMMAND sh ${PROJECT_SOURCE_DIR}/tests/library/installed.sh
    $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
    ${CMAKE_COMMAND} ${CMAKE_BINARY_DIR} ${CMAKE_C_COMPILER})
  add_test(NAME library/abi
    COMMAND /usr/bin/python3 ${PROJECT_SOURCE_DIR}/tests/library/abi.py
    ${CMAKE_C_COMPILER} ${PROJECT_SOURCE_DIR}/bindings/library/sandbell.h
    $<TARGET_FILE:libsandbell> ${PROJECT_SOURCE_DIR}/tests/library/abi.txt)
  set_tests_properties(library/installed PROPERTIES LABELS slow)
  set_tests_properties(library/abi PROPERTIES LABELS quick)
endif()

# The models are equal to what their script writes.
add_test(NAME models/generated
  COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cli/models.sh
  $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR})
set_tests_properties(models/generated PROPERTIES LABELS slow)

# A real sound server, where one can be started.
add_test(NAME pulse COMMAND sh ${PROJECT_SOURCE_DIR}/tests/engine/output/test_pulse.sh
  $<TARGET_FILE:sandbell> $<TARGET_FILE:find_pitches>)
set_tests_properties(pulse PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60
  LABELS "slow;threads;sanitize")

# A real sound device that is lost and found again: 5 times here, 100 times with
# `cmake --build ... --target bench_device_loss`.
add_executable(device_loss engine/output/device_loss.c)
target_link_libraries(device_loss PRIVATE sandbell_scene Threads::Threads)
add_test(NAME device_loss COMMAND device_loss 5)
set_tests_properties(device_loss PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120
  ENVIRONMENT TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp)
# It mostly waits: it starts early, and other tests compute meanwhile.
set_tests_properties(device_loss PROPERTIES COST 100
  LABELS "slow;threads;sanitize")
add_custom_target(bench_device_loss COMMAND device_loss 100 USES_TERMINAL)

# All limits on editing while a scene rings, measured together: about ten
# minutes on an idle machine.
add_custom_target(bench_live
  COMMAND sandbell_bench live
  COMMAND test_sandbox ${PROJECT_SOURCE_DIR}/tests/sandbox all
  COMMAND device_loss 100
  USES_TERMINAL)

# Calls that fail, and kills, in a render, a solve and a reload. Here every few of
# them; `cmake --build ... --target faults_all` takes each, and 200 random kills.
add_library(fail_calls MODULE faults/fail_calls.c)
target_compile_definitions(fail_calls PRIVATE _GNU_SOURCE)
target_link_libraries(fail_calls PRIVATE ${CMAKE_DL_LIBS})
add_executable(reload_once faults/reload_once.c)
target_link_libraries(reload_once PRIVATE sandbell_bindings)
add_executable(every_allocation faults/every_allocation.c)
target_link_libraries(every_allocation PRIVATE sandbell_bindings)
add_test(NAME every_allocation COMMAND every_allocation 97)
set_tests_properties(every_allocation PROPERTIES
  ENVIRONMENT SANDBELL_CACHE=off LABELS "slow;sanitize")
set(faults sh ${PROJECT_SOURCE_DIR}/tests/faults/faults.sh
  $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE:fail_calls> $<TARGET_FILE:reload_once>)
add_test(NAME faults COMMAND ${faults})
set_tests_properties(faults PROPERTIES ENVIRONMENT "STEP=50;KILLS=4" COST 50
  LABELS slow)
add_custom_target(faults_all
  COMMAND ${CMAKE_COMMAND} -E env STEP=1 KILLS=200 ${faults}
  COMMAND ${CMAKE_COMMAND} -E env SANDBELL_CACHE=off $<TARGET_FILE:every_allocation>
  DEPENDS sandbell file_facts fail_calls reload_once every_allocation USES_TERMINAL VERBATIM)

# Hours of playing with edits and losses of the device:
# `MINUTES=60 cmake --build ... --target soak`.
add_executable(wav_level EXCLUDE_FROM_ALL soak/wav_level.c)
target_link_libraries(wav_level PRIVATE sandbell_options)
add_custom_target(soak COMMAND sh ${PROJECT_SOURCE_DIR}/tests/soak/soak.sh
  $<TARGET_FILE:sandbell> $<TARGET_FILE:file_facts> ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE:wav_level>
  DEPENDS sandbell file_facts wav_level USES_TERMINAL VERBATIM)

# Samples of different kernels, and of different compilers: the target determinism
# builds the program four times.
add_executable(kernels determinism/kernels.c)
target_link_libraries(kernels PRIVATE sandbell_bindings)
set(scenes ${PROJECT_SOURCE_DIR}/scripts)
add_test(NAME kernels COMMAND kernels 0.5 ${scenes}/hello.lua ${scenes}/coin.lua
  ${scenes}/doppler.lua ${scenes}/marimba_textures.lua ${scenes}/door_knock.lua)
set_tests_properties(kernels PROPERTIES LABELS "slow;sanitize" ENVIRONMENT
  "SANDBELL_LIBRARY=${PROJECT_SOURCE_DIR};OPENBLAS_NUM_THREADS=1;SANDBELL_CACHE=off")
add_custom_target(determinism COMMAND sh
  ${PROJECT_SOURCE_DIR}/tests/determinism/builds.sh ${PROJECT_SOURCE_DIR}
  ${CMAKE_BINARY_DIR}/determinism $<TARGET_FILE:wav_level>
  DEPENDS wav_level USES_TERMINAL VERBATIM)
